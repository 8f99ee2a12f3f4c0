"""Where a call's paths lead, and who must be asked before something is read or written there."""

from __future__ import annotations

import os
from pathlib import Path
from unicodedata import category

from ankita_desktop.errors import ToolError
from ankita_desktop.protocol import Level, Preview
from ankita_desktop.toolkit import places
from ankita_desktop.toolkit.attachments import consent

NAME_BYTES = 255
PATH_LENGTH = 4000


class Reach:
    """Bound to one working folder, ``root`` (a real path)."""

    def __init__(self, cwd: Path) -> None:
        self.root = places.real(Path(cwd).expanduser().absolute())

    def resolve(self, path: str | Path) -> Path:
        """The real path: ``~`` and links followed, relative to the working folder, existing or not."""
        return places.real(self._absolute(path))

    def entry(self, path: str | Path) -> Path:
        """Like ``resolve``, but a link at the end is itself: what moves and deletes act on."""
        return places.entry(self._absolute(path))

    def inside(self, path: Path) -> bool:
        """Whether a real path lies in the working folder."""
        return places.within(path, self.root)

    def name(self, path: Path) -> str:
        """The path for people and models: relative inside the working folder, else whole."""
        return path.relative_to(self.root).as_posix() if self.inside(path) and path != self.root else str(path)

    def writable(self, path: str | Path, place: Path) -> None:
        """Raise ``ToolError`` unless something may be put or taken away at ``place``, the real place of ``path``:
        nothing inside the working folder is changed outside it because a link leads there, and nothing can
        stand below a file."""
        named = Path(os.path.normpath(self._absolute(path)))
        if self.inside(named) and not self.inside(place):
            raise ToolError(
                f"{self.name(named)} leads through a link to {place}, outside the working folder. Nothing is "
                "changed through it; name that path itself if it is meant."
            )
        above = next(folder for folder in place.parents if folder.exists())
        if not above.is_dir():
            raise ToolError(f"{self.name(above)} is not a folder: nothing can stand below it.")

    def _absolute(self, path: str | Path) -> Path:
        if not str(path).strip() or any(category(char) in ("Cc", "Cs") for char in str(path)):
            raise ToolError(f"{str(path)!r} is not a usable path: it is empty or has control characters.")
        if any(len(os.fsencode(part)) > NAME_BYTES for part in Path(path).parts) or len(str(path)) > PATH_LENGTH:
            raise ToolError(f"{str(path)[:100]}… is not a usable path: a name in it is too long.")
        try:
            return self.root / Path(path).expanduser()
        except RuntimeError as error:
            raise ToolError(f"{path}: {error}") from error

    def read_level(self, path: str | Path) -> Level:
        """It is "never" inside the working folder, "ask" outside it and for keys."""
        place = self.resolve(path)
        return "never" if self.inside(place) and not places.secret(place) else "ask"

    def write_level(self, *paths: str | Path) -> Level:
        """It is "always" when any of the paths is protected, else "ask"."""
        ends = [place for path in paths for place in self._ends(path)]
        return "always" if any(places.protected(place) for place in ends) else "ask"

    def _ends(self, path: str | Path) -> tuple[Path, ...]:
        """The name itself and where it leads; a link in a circle leads nowhere, and may be moved or deleted."""
        entry = self.entry(path)
        try:
            return entry, self.resolve(path)
        except ToolError:
            if entry.is_symlink():
                return (entry,)
            raise

    def read_preview(self, path: str | Path) -> Preview:
        """The question of a read outside the working folder: once per folder. A yes for a folder covers what is
        below it, but for keys; a file that the person attached is theirs to give."""
        place = self.resolve(path)
        folder = place if place.is_dir() else place.parent
        above = () if places.secret(place) else tuple(f"read:{parent}" for parent in folder.parents)
        return Preview(
            "text",
            f"Read files in {folder}?",
            effect="read",
            text=str(place),
            where=str(self.root),
            grant_key=f"read:{folder}",
            grant_label=f"Read files in {folder} and below",
            covered_by=(consent(place), *above),
            inside=self.inside(place),
        )
