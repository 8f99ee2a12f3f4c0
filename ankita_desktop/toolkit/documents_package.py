"""Documents that are zip archives of XML: opened with limits, parsed without entities or network."""

from __future__ import annotations

import posixpath
import zipfile
import zlib
from pathlib import Path
from typing import TYPE_CHECKING

from ankita_desktop.errors import ToolError
from ankita_desktop.toolkit.changes import size_name

if TYPE_CHECKING:
    from lxml.etree import _Element

MOST = 128 * 1024 * 1024  # bytes that one member may unpack to
TOTAL = 512 * 1024 * 1024
_MIMES = {
    "application/epub+zip": "epub",
    "application/vnd.oasis.opendocument.text": "odf",
    "application/vnd.oasis.opendocument.spreadsheet": "odf",
    "application/vnd.oasis.opendocument.presentation": "odf",
}
_HOLDS = {"word/document.xml": "docx", "xl/workbook.xml": "xlsx", "ppt/presentation.xml": "pptx"}
_REL = "{http://schemas.openxmlformats.org/package/2006/relationships}Relationship"
# What a damaged package makes of its reader.
_BROKEN = (zipfile.BadZipFile, zlib.error, RuntimeError, NotImplementedError, OSError, EOFError, ValueError)


class Package:
    """An open archive; members by name. Raises ``ToolError`` for what is damaged or unpacks to too much."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._read = 0
        try:
            self._zip = zipfile.ZipFile(path)
        except _BROKEN as error:
            raise ToolError(f"{path.name} is damaged: {error}.") from error
        self._names = {name.lower(): name for name in self._zip.namelist()}

    def has(self, name: str) -> bool:
        return name.lower() in self._names

    def data(self, name: str) -> bytes:
        """The bytes of a member, by its name in any case."""
        found = self._names.get(name.lower())
        if found is None:
            raise ToolError(f"{self.path.name} is damaged: it has no {name}.")
        try:
            with self._zip.open(found) as file:
                data = file.read(MOST + 1)
        except _BROKEN as error:
            raise ToolError(f"{self.path.name} can't be read: {error}.") from error
        self._read += len(data)
        if len(data) > MOST or self._read > TOTAL:
            raise ToolError(f"{self.path.name} unpacks to more than {size_name(MOST)}: it is not read.")
        return data

    def xml(self, name: str) -> _Element:
        """The root element of a member."""
        from lxml import etree

        parser = etree.XMLParser(resolve_entities=False, no_network=True, load_dtd=False, remove_comments=True)
        try:
            return etree.fromstring(self.data(name), parser)
        except etree.XMLSyntaxError as error:
            raise ToolError(f"{self.path.name} is damaged: {name}: {error.msg}.") from error

    def related(self, name: str) -> dict[str, tuple[str, str]]:
        """What a member of an Office document points to: {id: (kind, member's name or address)}."""
        folder, base = posixpath.split(name)
        rels = f"{folder}/_rels/{base}.rels" if folder else f"_rels/{base}.rels"
        if not self.has(rels):
            return {}
        found = {}
        for each in self.xml(rels).iter(_REL):
            target, outside = each.get("Target", ""), each.get("TargetMode") == "External"
            place = target if outside else posixpath.normpath(posixpath.join("/", folder, target)).lstrip("/")
            found[each.get("Id", "")] = (each.get("Type", "").rpartition("/")[2], place)
        return found

    def close(self) -> None:
        self._zip.close()


def kind_of_package(path: Path) -> str:
    """docx, xlsx, pptx, odf or epub. Raises ``ToolError`` for other archives."""
    package = Package(path)
    try:
        if package.has("mimetype"):
            mime = package.data("mimetype").decode("ascii", "replace").strip().removesuffix("-template")
            if mime in _MIMES:
                return _MIMES[mime]
        for name, kind in _HOLDS.items():
            if package.has(name):
                return kind
        if package.has("META-INF/container.xml"):
            return "epub"
    finally:
        package.close()
    raise ToolError(
        f"{path.name} is an archive, not a document. find_tools finds what lists and unpacks archives."
    )


def number_in(node: _Element, name: str, default: int) -> int:
    """A number that an element carries; ``default`` where it carries none, or something else."""
    value = node.get(name, "")
    return int(value) if value.isascii() and value.isdigit() and len(value) < 10 else default


def title_of(package: Package) -> str:
    """The title an Office document gives itself."""
    if not package.has("docProps/core.xml"):
        return ""
    found = package.xml("docProps/core.xml").find(".//{http://purl.org/dc/elements/1.1/}title")
    return " ".join((found.text or "").split()) if found is not None else ""
