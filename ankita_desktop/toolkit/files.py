"""The one way to touch files: where paths lead, who must be asked, what is shown, and what is written.

A tool plans changes (``change``, ``remove``, ``move``, ``make_folder``), shows them (``preview``) and makes
them (``commit``). Between the two the person answers; ``commit`` does exactly what they agreed to, or nothing.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

from ankita_desktop.errors import ToolError
from ankita_desktop.protocol import Approved, Level, Preview, ToolResult
from ankita_desktop.toolkit import places
from ankita_desktop.toolkit.changes import LARGEST, Change, Document, look, near_names, size_name
from ankita_desktop.toolkit.commit import Commit
from ankita_desktop.toolkit.placeholder import refuse_placeholders
from ankita_desktop.toolkit.reach import Reach
from ankita_desktop.toolkit.services import Checkpoints
from ankita_desktop.toolkit.showing import shown
from ankita_desktop.toolkit.text import encode, main_end, with_ends_of

__all__ = ["Change", "Document", "Files"]


class Files(Reach):
    """Bound to one call: its working folder, what was approved, where undo is kept."""

    def __init__(
        self,
        cwd: Path,
        *,
        approved: Approved | None = None,
        checkpoints: Checkpoints | None = None,
        session: str = "",
        call_id: str = "",
    ) -> None:
        super().__init__(cwd)
        self._approved = approved
        self._checkpoints = checkpoints
        self._session = session
        self._call_id = call_id

    # --- who must be asked --------------------------------------------------------------

    def level(self, changes: Iterable[Change]) -> Level:
        """The level of planned changes: deleting for good is asked every time."""
        changes = tuple(changes)
        if any(change.permanent for change in changes):
            return "always"
        return self.write_level(*(place for change in changes for place in change.places))

    # --- reading ------------------------------------------------------------------------

    def look(self, path: str | Path) -> Document:
        """What stands at ``path`` (links followed), whatever it is. Refuses what changed since approval."""
        document = look(self.resolve(path))
        self._unchanged(document)
        return document

    def read(self, path: str | Path) -> Document:
        """A file of text (``document.text`` is set). Raises ``ToolError`` that says what is there instead."""
        document = self.look(path)
        name = self.name(document.path)
        if document.kind == "absent":
            raise ToolError(f"There is no file {name}.{near_names(document.path)}")
        if document.kind == "folder":
            raise ToolError(f"{name} is a folder. Use list_dir.")
        if document.kind != "file":
            raise ToolError(f"{name} is not a regular file ({document.facts}).")
        if document.mark is None:
            raise ToolError(f"{name} is too large to handle as a whole ({document.facts}).")
        if document.text is None:
            raise ToolError(f"{name} is not text ({document.facts}).")
        return document

    def _unchanged(self, document: Document) -> None:
        """What was approved was approved for these bytes."""
        for change in self._approved.preview.changes if self._approved else ():
            if change.path == str(document.path) and change.before_hash != document.mark:
                raise ToolError(
                    f"{self.name(document.path)} changed after the change was approved. Nothing was written. "
                    "Read it again and repeat the call."
                )

    # --- planning -----------------------------------------------------------------------

    def change(self, path: str | Path, after: str, *, mode: int | None = None) -> Change:
        """Create the file or give it this text. An existing file keeps its encoding, and its mode unless one is
        given; ``after`` is written as it is (see ``rewrite`` for text with plain line ends)."""
        document = self._target(path)
        refuse_placeholders(f"The text for {self.name(document.path)}", after, known=document.text or "")
        encode(after, document.form)
        if document.text == after and document.kind == "file" and mode in (None, document.mode):
            raise ToolError(f"{self.name(document.path)} already has exactly this text: nothing to change.")
        return Change("create" if document.kind == "absent" else "modify", document, after, mode=mode)

    def rewrite(self, path: str | Path, text: str) -> Change:
        """Like ``change`` for a whole new text from a model: lines keep the line ends the file has."""
        document = self._target(path)
        if document.text and "\r" not in text:
            text = with_ends_of(document.text, text, main_end(document.text))
        return self.change(path, text)

    def save(self, path: str | Path, data: bytes) -> Change:
        """Create or replace a file by bytes that are not text."""
        document = self._target(path)
        return Change("create" if document.kind == "absent" else "modify", document, data=data)

    def remove(self, path: str | Path, *, permanent: bool = False) -> Change:
        """Delete a file, a link or a folder with all it holds; into the trash unless ``permanent``, or when it
        is a link to nowhere, which no trash takes."""
        document = self._movable(path)
        nowhere = document.kind == "link" and not document.path.exists()
        return Change("delete", document, permanent=permanent or nowhere)

    def move(self, source: str | Path, destination: str | Path, after: str | None = None) -> Change:
        """Move or rename, with a new text if ``after`` is given; into ``destination`` when that is a folder."""
        document = self._movable(source)
        target = self.entry(destination)
        if self.resolve(destination).is_dir():
            target = self.resolve(destination) / document.path.name
        self.writable(destination, target)
        if target == document.path:
            raise ToolError("Source and destination are the same.")
        if look(target, follow=False).kind != "absent":
            raise ToolError(f"{self.name(target)} already exists. Choose another name or delete it first.")
        if places.within(target, document.path):
            raise ToolError("A folder can't be moved into itself.")
        return Change("move", document, after, destination=target)

    def make_folder(self, path: str | Path) -> Change:
        """Create a folder and its missing parents."""
        document = look(self.resolve(path))
        self.writable(path, document.path)
        if document.kind not in ("absent", "folder"):
            raise ToolError(f"{self.name(document.path)} exists and is not a folder.")
        return Change("mkdir", document)

    def _target(self, path: str | Path) -> Document:
        """The file that a write goes to, refused where writing would go through a link or destroy more."""
        document = self.look(path)
        self.writable(path, document.path)
        name = self.name(document.path)
        if document.kind in ("folder", "other"):
            raise ToolError(f"{name} is a {document.kind if document.kind == 'folder' else 'device or pipe'}.")
        if document.kind == "file" and document.mark is None:
            raise ToolError(f"{name} is larger than {size_name(LARGEST)}; change it with a command instead.")
        if document.kind == "file" and not document.mode & 0o222:
            raise ToolError(f"{name} is read-only (mode {document.mode:o}). Ask before making it writable.")
        return document

    def _movable(self, path: str | Path) -> Document:
        """What has this name, a link as itself."""
        entry = self.entry(path)
        if places.within(self.root, entry) or places.within(places.real(Path.home()), entry):
            raise ToolError(f"{entry} holds the working folder or the home folder: it is never moved or deleted.")
        self.writable(path, entry)
        document = look(entry, follow=False)
        self._unchanged(document)
        if document.kind == "absent":
            raise ToolError(f"There is nothing at {self.name(entry)}.{near_names(entry)}")
        return document

    # --- showing and doing --------------------------------------------------------------

    def preview(self, changes: Sequence[Change]) -> Preview:
        """What the person is shown before ``commit``."""
        return shown(self, changes)

    def commit(self, changes: Sequence[Change]) -> ToolResult:
        """Make the changes as the person agreed to them: all, or none when one can't be made.

        Refuses with ``ToolError`` when a file changed since it was shown, or the plan isn't the one approved.
        The result says what was and what wasn't applied; ``details`` has path, files, added, removed, diff,
        checkpoint.
        """
        commit = Commit(self, self._approved, self._checkpoints)
        return commit.run(changes, session=self._session, call_id=self._call_id)
