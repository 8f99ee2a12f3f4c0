"""Projects as values: a folder, a client, a server or anything else that is worked on over weeks."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal, Protocol

NoteKind = Literal["note", "decision", "todo", "log"]

LISTS = ("conventions", "contacts", "links", "environments")
SCALARS = ("name", "kind", "place", "about")


@dataclass(frozen=True, slots=True)
class Project:
    """``place`` is a folder, a host or an address; ``environments`` name credentials, never their values."""

    id: str
    name: str
    kind: str = "other"
    place: str = ""
    about: str = ""
    conventions: tuple[str, ...] = ()
    contacts: tuple[str, ...] = ()
    links: tuple[str, ...] = ()
    environments: tuple[str, ...] = ()
    archived: bool = False
    created: float = 0.0
    updated: float = 0.0


@dataclass(frozen=True, slots=True)
class Note:
    """Something noted for a project. ``due`` is a date "2026-12-01" or ""; ``done`` when a todo was finished."""

    id: str
    project: str
    kind: NoteKind
    text: str
    due: str = ""
    done: float | None = None
    created: float = 0.0


class Projects(Protocol):
    """Projects and their notes. Thread-safe, stored on return; raises ``StoreError``."""

    def projects(self, *, archived: bool = False) -> Sequence[Project]: ...
    def find_projects(self, reference: str) -> Sequence[Project]:
        """The project of this name or id alone, else all that the words fit, archived ones included."""
        ...

    def add_project(self, name: str, **fields: Any) -> Project: ...
    def update_project(self, project: str, **fields: Any) -> Project:
        """Set any of ``SCALARS`` (text), ``LISTS`` (whole) and archived."""
        ...

    def forget_project(self, project: str) -> None: ...
    def use_project(self, session: str, project: str) -> None:
        """Make it the project of a conversation; "" takes the one it has away."""
        ...

    def current_project(self, session: str, cwd: str) -> Project | None:
        """The one in use in the session, else the one whose folder ``cwd`` lies in."""
        ...

    def only_project(self) -> Project | None:
        """The one there is, when there is just one."""
        ...

    def add_note(self, project: str, kind: NoteKind, text: str, *, due: str = "") -> Note: ...
    def notes(self, project: str, kind: str = "", *, limit: int = 50) -> Sequence[Note]:
        """Newest first; of todos the open ones only, those due first."""
        ...

    def find_notes(self, project: str, text: str) -> Sequence[Note]:
        """Open todos of the project that the id or the words fit."""
        ...

    def finish_note(self, note: str) -> Note: ...
