"""PDF by pypdf, a page at a time; a scanned page as the picture that it is."""

from __future__ import annotations

import logging
import struct
import zlib
from pathlib import Path
from typing import Any

from ankita_desktop.errors import ToolError
from ankita_desktop.toolkit.attachments import LONGEST
from ankita_desktop.toolkit.documents_parts import closed_on_failure

PICTURE = 8 * 1024 * 1024  # bytes of a page's picture that are handed on
AREA = 100_000_000  # pixels of one that is unpacked


class Pdf:
    kind = "pdf"
    unit = "page"

    def __init__(self, path: Path) -> None:
        from pypdf import PdfReader

        logging.getLogger("pypdf").setLevel(logging.CRITICAL)  # it grumbles about every file that is a little off
        self._path = path
        with closed_on_failure(path.open("rb")) as self._file:
            self._reader = self._guard(lambda: PdfReader(self._file))
            self._unlock()
            self._pages = self._guard(lambda: list(self._reader.pages))
            self.title = self._guard(self._title)

    def __len__(self) -> int:
        return len(self._pages)

    def name(self, part: int) -> str:
        return ""

    def text(self, part: int) -> str:
        text: str = self._guard(self._pages[part].extract_text)
        return text

    def picture(self, part: int) -> tuple[bytes, str] | None:
        """The one picture that a scanned page consists of: a JPEG as it is in the file, any other as PNG."""
        try:
            picture: tuple[bytes, str] | None = self._guard(lambda: _only_picture(self._pages[part]))
            return picture
        except (ImportError, ToolError):  # nothing here unpacks pictures, or not this one
            return None

    def close(self) -> None:
        self._file.close()

    def _title(self) -> str:
        return str(self._reader.metadata.title or "") if self._reader.metadata else ""

    def _unlock(self) -> None:
        if self._reader.is_encrypted and not self._guard(lambda: self._reader.decrypt("")):
            raise ToolError(f"{self._path.name} is locked with a password. Ask the person for an unlocked copy.")

    def _guard(self, work: Any) -> Any:
        """What a damaged file makes of its reader, as one error."""
        from pypdf.errors import DependencyError

        try:
            return work()
        except DependencyError as error:
            raise ToolError(
                f"{self._path.name} is encrypted in a way that can't be read here ({error}). Ask for an unlocked "
                "copy, or try run_command with: qpdf --decrypt IN OUT"
            ) from error
        except damage() as error:
            raise ToolError(f"The PDF {self._path.name} is damaged and can't be read ({error}).") from error


def damage() -> tuple[type[Exception], ...]:
    """What pypdf makes of a file that is not as it should be."""
    from pypdf.errors import DeprecationError, PyPdfError

    usual = (ArithmeticError, AssertionError, AttributeError, LookupError, NotImplementedError, OSError)
    rare = (RecursionError, TypeError, ValueError, struct.error, zlib.error)
    return (PyPdfError, DeprecationError, *usual, *rare)


def _only_picture(page: Any) -> tuple[bytes, str] | None:
    resources = page.get("/Resources")
    objects = resources.get_object().get("/XObject") if resources is not None else None
    found = {name: each.get_object() for name, each in objects.get_object().items()} if objects is not None else {}
    images = {name: each for name, each in found.items() if each.get("/Subtype") == "/Image"}
    if len(images) != 1:
        return None
    name, image = next(iter(images.items()))
    filters = image.get("/Filter")
    if "/DCTDecode" not in (filters, filters[-1] if filters else None):
        return _unpacked(page, name) if image["/Width"] * image["/Height"] <= AREA else None
    data = image.get_data()  # what is wrapped around the JPEG is taken off, the JPEG stays
    return (data, "image/jpeg") if data.startswith(b"\xff\xd8\xff") and len(data) <= PICTURE else None


def _unpacked(page: Any, name: str) -> tuple[bytes, str] | None:
    """A picture kept in another way: fax, plain pixels, JPEG 2000."""
    import io

    picture = page.images[name].image
    plain = picture.convert("RGB" if picture.mode not in ("1", "L") else "L")
    plain.thumbnail((LONGEST, LONGEST))
    out = io.BytesIO()
    plain.save(out, "PNG")
    return (out.getvalue(), "image/png") if out.tell() <= PICTURE else None


def read(path: Path, _kind: str) -> Pdf:
    return Pdf(path)
