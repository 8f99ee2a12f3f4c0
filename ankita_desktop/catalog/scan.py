"""Reads the tool folders and ``catalog.toml`` into one picture of what exists."""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from ankita_desktop.catalog.headers import read_header
from ankita_desktop.errors import ConfigError
from ankita_desktop.protocol import ToolSpec
from ankita_desktop.toolkit.services import Group

CATALOG = "catalog.toml"


@dataclass(slots=True)
class Shelf:
    """What was found: groups and tools by name in stable order, where each tool's file is, what is wrong, and
    the line that tells the model which groups it can ask for."""

    settings: dict[str, Any] = field(default_factory=dict)
    groups: dict[str, Group] = field(default_factory=dict)
    specs: dict[str, ToolSpec] = field(default_factory=dict)
    files: dict[str, Path] = field(default_factory=dict)
    problems: list[str] = field(default_factory=list)
    groups_line: str = "none yet"
    catalog: Path | None = None


def scan(roots: Sequence[Path]) -> Shelf:
    """Every tool under the roots. The first root is the bundled one and holds ``catalog.toml``.

    A file that can't be used is named in ``problems`` and left out. Raises ``ConfigError`` when
    ``catalog.toml`` itself can't be read.
    """
    file = roots[0] / CATALOG if roots else None
    shelf = Shelf(settings=read_catalog(file) if file else {}, catalog=file)
    for name, about in shelf.settings.get("groups", {}).items():
        shelf.groups[name] = Group(
            name, about.get("summary", ""), always=about.get("always", False), planned=about.get("planned", False)
        )
    for number, root in enumerate(roots):
        _scan_root(shelf, root, source="user" if number else "bundled")
    for name, group in shelf.groups.items():
        tools = tuple(spec.name for spec in shelf.specs.values() if spec.group == name)
        shelf.groups[name] = replace(group, tools=tools)
        if tools and group.planned:
            shelf.problems.append(f"{CATALOG}: the group {name} has tools; remove its `planned = true`.")
    _fill_groups(shelf)
    return shelf


def read_catalog(path: Path) -> dict[str, Any]:
    """``catalog.toml`` as data; empty when a folder of tools has none."""
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return {}
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise ConfigError(f"{path}: the catalogue can't be read ({error}).") from error


def _folders(root: Path) -> Iterable[Path]:
    if not root.is_dir():
        return []
    return sorted(entry for entry in root.iterdir() if entry.is_dir() and entry.name[0] not in "._")


def _scan_root(shelf: Shelf, root: Path, *, source: str) -> None:
    for folder in _folders(root):
        group = shelf.groups.get(folder.name)
        if group is None:
            group = shelf.groups[folder.name] = Group(folder.name, "")
        if source == "user" and group.always:
            shelf.problems.append(f"{folder}: {group.name} is always sent; use a folder of another name.")
            continue
        for path in sorted(folder.glob("*.py")):
            if not path.name.startswith("_"):
                _add(shelf, path, group, source)


def _add(shelf: Shelf, path: Path, group: Group, source: str) -> None:
    try:
        spec = read_header(path, group=group.name, always_on=group.always, source=source)
    except ConfigError as error:
        shelf.problems.append(str(error))
        return
    taken = shelf.files.get(spec.name)
    if taken is not None:
        shelf.problems.append(f"{path}: the name {spec.name} is taken by {taken}; choose another.")
        return
    shelf.specs[spec.name] = spec
    shelf.files[spec.name] = path


def _offered(group: Group) -> bool:
    return bool(group.tools) and not group.always and not group.planned


def _fill_groups(shelf: Shelf) -> None:
    """The one placeholder: what can be asked for, in the descriptions that say ``{groups}``."""
    shelf.groups_line = (
        ", ".join(
            f"{group.name} ({group.summary})" if group.summary else group.name
            for group in shelf.groups.values()
            if group.tools
            and not group.always
            and not group.planned
            and group.name in shelf.settings.get("groups", {})
        )
        or shelf.groups_line
    )
    for name, spec in shelf.specs.items():
        if spec.source == "bundled" and "{groups}" in spec.description:
            text = spec.description.replace("{groups}", shelf.groups_line)
            shelf.specs[name] = replace(spec, description=text)
