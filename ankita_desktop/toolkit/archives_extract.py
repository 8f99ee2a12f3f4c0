"""Extracting as planned changes: every file is known, with its bytes, before anybody is asked."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING

from ankita_desktop.errors import ToolError
from ankita_desktop.toolkit import places
from ankita_desktop.toolkit.archives import (
    MOST,
    TOTAL,
    Member,
    check_size,
    kind_of,
    members,
    read_member,
    safe_name,
)
from ankita_desktop.toolkit.cancel import Cancel
from ankita_desktop.toolkit.changes import Change

if TYPE_CHECKING:
    from ankita_desktop.toolkit.files import Files


@dataclass
class Plan:
    """What extracting means. ``left_out`` names what never leaves an archive: links, devices, pipes."""

    folder: Path
    changes: list[Change] = field(default_factory=list)
    left_out: list[str] = field(default_factory=list)


@dataclass
class _Found:
    files: dict[tuple[str, ...], tuple[bytes, int]] = field(default_factory=dict)
    folders: set[tuple[str, ...]] = field(default_factory=set)
    left_out: list[str] = field(default_factory=list)


def plan(files: Files, archive: Path, folder: Path | None, wanted: Collection[str], cancel: Cancel) -> Plan:
    """Extract ``archive`` into ``folder`` (default: one of its own name beside it), all of it or the ``wanted``
    members. Raises ``ToolError`` when a member would leave the folder or stand on something that is there."""
    found = _read(archive, wanted, cancel)
    if wanted and not (found.files or found.folders):
        raise ToolError(f"{archive.name} holds none of {', '.join(wanted)}. List it to see the names.")
    place = files.resolve(folder) if folder else _own_folder(archive, found)
    result = Plan(place, left_out=found.left_out)
    for parts, (data, mode) in sorted(found.files.items()):
        change = files.save(_below(files, place, parts), data)
        if change.action != "create":
            raise ToolError(
                f"{files.name(change.path)} exists already, and extracting never overwrites. Choose another "
                "destination."
            )
        # programs stay programs; who may do more than that is for this machine to say
        result.changes.append(replace(change, mode=0o755) if mode & 0o111 else change)
    filled = {parts[:end] for parts in found.files for end in range(1, len(parts))}
    for parts in sorted(found.folders - filled):
        target = _below(files, place, parts)
        result.changes += [] if target.is_dir() else [files.make_folder(target)]
    return result


def _read(archive: Path, wanted: Collection[str], cancel: Cancel) -> _Found:
    kind_of(archive)  # says what stands there when it is no archive
    found, total, packed = _Found(), 0, max(archive.stat().st_size, 1)
    with members(archive, cancel) as every:
        for member in every:
            cancel.check()
            if wanted and not _is_wanted(member, wanted):
                continue
            parts = safe_name(member, archive.name)
            if member.kind == "folder":
                found.folders |= {parts} if parts else set()
            elif member.kind == "file":
                data = read_member(member, TOTAL - total, archive.name, cancel)
                total += len(data)
                check_size(archive.name, total, packed)
                found.files[parts] = (data, member.mode)
            else:
                found.left_out.append(member.name)
            if len(found.files) + len(found.folders) > MOST:
                raise ToolError(
                    f"{archive.name} holds more than {MOST:,} files. Name some in members, or extract it with "
                    "run_command."
                )
    return found


def _is_wanted(member: Member, wanted: Collection[str]) -> bool:
    name = member.name.replace("\\", "/").removeprefix("./").rstrip("/")
    return any(name == each.rstrip("/") or name.startswith(f"{each.rstrip('/')}/") for each in wanted)


def _own_folder(archive: Path, found: _Found) -> Path:
    """Beside the archive, never mixed with what is there; an archive that has one folder of its name brings it."""
    stem = archive.name
    for ending in (".zip", ".tar", ".gz", ".bz2", ".xz", ".tgz", ".tbz2", ".txz", ".gz", ".tar"):
        stem = stem[: -len(ending)] if stem.lower().endswith(ending) and len(stem) > len(ending) else stem
    tops = {parts[0] for parts in (*found.files, *found.folders)}
    lone = len(found.files) == 1 and all(len(parts) == 1 for parts in found.files)
    if tops == {stem} and not lone:
        return archive.parent
    return archive.parent / (stem if stem != archive.name else f"{stem}-extracted") if not lone else archive.parent


def _below(files: Files, folder: Path, parts: tuple[str, ...]) -> Path:
    """Where a member goes; refused when a link on the way leads out."""
    target = files.resolve(folder.joinpath(*parts))
    if not places.within(target, folder):
        raise ToolError(f"{'/'.join(parts)} would go through a link to {target}. Choose another destination.")
    return target
