"""Turning a parsed patch into planned changes: everything checked against the files before anything is written."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path, PurePosixPath

from ankita_desktop.errors import ToolError
from ankita_desktop.toolkit.changes import Change, Document
from ankita_desktop.toolkit.files import Files
from ankita_desktop.toolkit.patch import FilePatch
from ankita_desktop.toolkit.patch_text import apply
from ankita_desktop.toolkit.text import main_end, with_ends_of


def plan(files: Files, patches: Iterable[FilePatch]) -> list[Change]:
    """The changes of a whole patch. Raises ``ToolError`` naming the file if any part can't be made."""
    desk = _Desk(files)
    for patch in patches:
        try:
            desk.take(patch)
        except ToolError as error:
            raise ToolError(f"{patch.path}: {error} Nothing was changed.") from error
    changes = desk.changes()
    if not changes:
        raise ToolError("The patch changes nothing: the files are already as it would make them.")
    return changes


class _Desk:
    """The files as the patch leaves them, so far."""

    def __init__(self, files: Files) -> None:
        self._files = files
        self._start: dict[Path, Document] = {}
        self._there: dict[Path, bool] = {}
        self._texts: dict[Path, str | None] = {}  # None: absent, or not text
        self._modes: dict[Path, int] = {}
        self._moved: dict[Path, Path] = {}  # new -> old

    # --- places -------------------------------------------------------------------------

    def _place(self, name: str) -> Path:
        """Where a name of the patch leads: inside the working folder and through no link."""
        if ".." in PurePosixPath(name.replace("\\", "/")).parts or name.startswith("~"):
            raise ToolError("Paths of a patch stay in the working folder: no '..' or '~'.")
        real, written = self._files.resolve(name), self._files.root / name
        if not self._files.inside(real) and not self._files.inside(written):
            raise ToolError("A patch only changes files inside the working folder.")
        if real != written:
            raise ToolError("The path leads through a link. Name the real path.")
        if real not in self._start:
            document = self._files.look(real)
            self._start[real] = document
            self._there[real] = document.kind != "absent"
            self._texts[real] = document.text
        return real

    def _text(self, path: Path) -> str:
        """The text so far, or the error that says what is there instead."""
        text = self._texts[path]
        if text is None and (not self._there[path] or self._start[path].text is not None):
            raise ToolError("There is no such file.")
        return self._files.read(path).text or "" if text is None else text

    # --- one file of the patch ----------------------------------------------------------

    def take(self, patch: FilePatch) -> None:
        path = self._place(patch.path)
        if patch.verb in ("modify", "delete") and patch.other and not self._there[path]:
            path = self._place(patch.other)  # a plain diff of "file.orig" against "file"
        if patch.verb == "create":
            self._create(path, patch)
        elif patch.verb == "delete":
            self._delete(path, patch)
        elif patch.verb == "modify":
            self._texts[path] = apply(self._text(path), patch.chunks)
        else:
            self._transfer(path, patch)
        if patch.mode is not None:
            self._modes[self._place(patch.other) if patch.verb in ("move", "copy") else path] = patch.mode

    def _create(self, path: Path, patch: FilePatch) -> None:
        existing = self._texts[path]
        if self._there[path] and not (patch.overwrite or (patch.guess and existing == "")):
            raise ToolError("It exists already.")
        if self._start[path].kind not in ("absent", "file"):
            raise ToolError(f"It exists and is a {self._start[path].kind}.")
        text = apply("", patch.chunks)
        self._texts[path] = with_ends_of(existing, text, main_end(existing)) if existing else text
        self._there[path] = True

    def _delete(self, path: Path, patch: FilePatch) -> None:
        if not self._there[path]:
            raise ToolError("There is no such file.")
        if self._start[path].kind == "folder":
            raise ToolError("It is a folder. A patch deletes files only.")
        if patch.chunks and apply(self._text(path), patch.chunks):
            raise ToolError("The patch deletes it, but holds only a part of its lines.")
        self._texts[path], self._there[path] = None, False

    def _transfer(self, path: Path, patch: FilePatch) -> None:
        """A move or a copy, with changes or without."""
        target = self._place(patch.other)
        if not self._there[path] or self._start[path].kind == "folder":
            raise ToolError("There is no such file.")
        if self._there[target] and (not patch.overwrite or self._start[target].kind == "folder"):
            raise ToolError(f"{patch.other} exists already.")
        only_name = patch.verb == "move" and not patch.chunks and not self._there[target]
        self._texts[target] = self._texts[path] if only_name else apply(self._text(path), patch.chunks)
        self._there[target] = True
        if patch.verb == "move":
            self._texts[path], self._there[path] = None, False
            self._moved[target] = self._moved.pop(path, path)

    # --- the outcome --------------------------------------------------------------------

    def changes(self) -> list[Change]:
        """One change per file that differs; what only got another place is one move."""
        moves = {new: old for new, old in self._moved.items() if self._is_move(old, new)}
        steps = (self._step(path, moves) for path in self._start if path not in moves.values())
        return [step for step in steps if step is not None]

    def _is_move(self, old: Path, new: Path) -> bool:
        free = self._start[new].kind == "absent" and self._start[old].kind == "file"
        return free and self._there[new] and not self._there[old]

    def _step(self, path: Path, moves: dict[Path, Path]) -> Change | None:
        start, text, mode = self._start[path], self._texts[path], self._modes.get(path)
        if path in moves:
            old = self._start[moves[path]]
            after = None if text == old.text and mode is None else text
            return replace(self._files.move(old.path, path, after), mode=mode)
        if not self._there[path]:
            return self._files.remove(path) if start.kind != "absent" else None
        if text is None or (text == start.text and mode in (None, start.mode)):
            return None
        return self._files.change(path, text, mode=mode)


def names(patches: Sequence[FilePatch]) -> list[str]:
    """Every path the patch names."""
    return [name for patch in patches for name in (patch.path, patch.other) if name]
