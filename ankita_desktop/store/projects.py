"""Projects and what is noted for them."""

from __future__ import annotations

import json
import sqlite3
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from ankita_desktop.errors import StoreError
from ankita_desktop.store.connection import Database
from ankita_desktop.store.search import Search
from ankita_desktop.store.sense import covered, roots
from ankita_desktop.store.text import clean, fold
from ankita_desktop.toolkit.projects import LISTS, SCALARS, Note, NoteKind, Project


def _project(row: sqlite3.Row) -> Project:
    lists = json.loads(row["lists"])
    return Project(
        f"p{row['seq']}",
        row["name"],
        row["kind"],
        row["place"],
        row["about"],
        **{name: tuple(lists.get(name, ())) for name in LISTS},
        archived=row["archived"] is not None,
        created=row["created"],
        updated=row["updated"],
    )


def _note(row: sqlite3.Row) -> Note:
    return Note(
        f"n{row['seq']}", f"p{row['project']}", row["kind"], row["text"], row["due"], row["done"], row["created"]
    )


def _number(reference: str, letter: str) -> int:
    digits = reference.strip().lower().removeprefix(letter)
    return int(digits) if digits.isdecimal() and len(digits) < 16 else 0


def _folded(name: str) -> str:
    return " ".join(fold(name).split())


class StoredProjects(Search):
    """Implements the projects of ``toolkit.projects.Projects``."""

    def projects(self, *, archived: bool = False) -> Sequence[Project]:
        """All that are worked on, the last used first; ``archived``: those that were put away instead."""
        sql = "SELECT * FROM projects WHERE (archived IS NOT NULL) = ? ORDER BY updated DESC, seq DESC"
        return [_project(row) for row in self.rows(sql, (archived,))]

    def find_projects(self, reference: str) -> Sequence[Project]:
        """The project of this name or id alone, else all that the words fit, archived ones included."""
        exact = self.row(
            "SELECT * FROM projects WHERE folded = ? OR seq = ?", (_folded(reference), _number(reference, "p"))
        )
        if exact:
            return [_project(exact)]
        wanted, everything = roots(reference), [*self.projects(), *self.projects(archived=True)]
        found = [one for one in everything if _folded(reference) in _folded(one.name)] or [
            one for one in everything if covered(wanted, f"{one.name} {one.about} {one.place}") == 1
        ]
        return [one for one in found if not one.archived] or found

    def add_project(self, name: str, **fields: Any) -> Project:
        """A new project. Raises ``StoreError`` when there is one of this name."""
        now = time.time()
        values = (clean(name), _folded(name), now, now)
        with self.write() as connection:
            self._free(connection, name)
            sql = """INSERT INTO projects (name, folded, kind, place, about, lists, created, updated)
                     VALUES (?, ?, 'other', '', '', '{}', ?, ?)"""
            seq = connection.execute(sql, values).lastrowid
            self._set(connection, f"p{seq}", fields)
        return self._kept_project(f"p{seq}")

    def update_project(self, project: str, **fields: Any) -> Project:
        """Set any of name, kind, place, about (text), the four lists (whole) and archived."""
        with self.write() as connection:
            self._set(connection, project, fields)
        return self._kept_project(project)

    def _set(self, connection: sqlite3.Connection, project: str, fields: Mapping[str, Any]) -> None:
        """Within the transaction that also reads what was there: nobody sees half of it, nothing is lost."""
        unknown = set(fields) - {*SCALARS, *LISTS, "archived"}
        if unknown:
            raise TypeError(f"a project has no {', '.join(sorted(unknown))}")
        before = self._kept_project(project)
        lists = {name: [clean(text) for text in fields.get(name, getattr(before, name))] for name in LISTS}
        scalars = {name: clean(fields.get(name, getattr(before, name))) for name in SCALARS}
        archived = time.time() if fields.get("archived", before.archived) else None
        if _folded(scalars["name"]) != _folded(before.name):
            self._free(connection, scalars["name"])
        connection.execute(
            """UPDATE projects SET name = ?, folded = ?, kind = ?, place = ?, about = ?, lists = ?,
               archived = ?, updated = ? WHERE seq = ?""",
            (
                scalars["name"],
                _folded(scalars["name"]),
                *(scalars[name] for name in SCALARS[1:]),
                json.dumps(lists, ensure_ascii=False),
                archived,
                time.time(),
                _number(project, "p"),
            ),
        )

    def forget_project(self, project: str) -> None:
        """Delete a project and all its notes for good."""
        self._kept_project(project)
        with self.write() as connection:
            connection.execute("DELETE FROM projects WHERE seq = ?", (_number(project, "p"),))
        self.forget_deleted_words("notes_words")

    def use_project(self, session: str, project: str) -> None:
        """Make it the project of a conversation; "" takes the one it has away."""
        if project:
            self._kept_project(project)
        with self.write() as connection:
            if not project:
                connection.execute("DELETE FROM session_projects WHERE session = ?", (session,))
                return
            connection.execute(
                "INSERT OR REPLACE INTO session_projects (session, project) VALUES (?, ?)",
                (session, _number(project, "p")),
            )
            connection.execute(
                "UPDATE projects SET updated = ? WHERE seq = ?", (time.time(), _number(project, "p"))
            )

    def current_project(self, session: str, cwd: str) -> Project | None:
        """The one in use in the session, else the one whose folder ``cwd`` lies in, the innermost first."""
        row = self.row(
            """SELECT projects.* FROM projects JOIN session_projects ON session_projects.project = projects.seq
               WHERE session_projects.session = ?""",
            (session,),
        )
        if row:
            return _project(row)
        here = Path(cwd)
        inside = [one for one in self.projects() if one.place and _is_in(here, Path(one.place).expanduser())]
        return max(inside, key=lambda one: len(one.place), default=None)

    def only_project(self) -> Project | None:
        """The one there is, when there is just one."""
        found = self.projects()
        return found[0] if len(found) == 1 else None

    def _kept_project(self, project: str) -> Project:
        row = self.row("SELECT * FROM projects WHERE seq = ?", (_number(project, "p"),))
        if row is None:
            raise StoreError(f"There is no project {project}.")
        return _project(row)

    def _free(self, connection: sqlite3.Connection, name: str) -> None:
        taken = connection.execute("SELECT name FROM projects WHERE folded = ?", (_folded(name),)).fetchone()
        if taken:
            raise StoreError(f"There is a project {taken['name']} already.")


class Notes(Database):
    """Implements the notes of ``toolkit.projects.Projects``."""

    def add_note(self, project: str, kind: NoteKind, text: str, *, due: str = "") -> Note:
        """Note something. The same open todo is kept once."""
        text, number, now = clean(" ".join(text.split())), _number(project, "p"), time.time()
        with self.write() as connection:
            same = connection.execute(
                "SELECT * FROM notes WHERE project = ? AND kind = ? AND text = ? AND done IS NULL",
                (number, kind, text),
            ).fetchone()
            if same and kind != "log":
                connection.execute("UPDATE notes SET due = ? WHERE seq = ?", (due or same["due"], same["seq"]))
                seq = same["seq"]
            else:
                seq = connection.execute(
                    "INSERT INTO notes (project, kind, text, due, created) VALUES (?, ?, ?, ?, ?)",
                    (number, kind, text, due, now),
                ).lastrowid
            connection.execute("UPDATE projects SET updated = ? WHERE seq = ?", (now, number))
        return self._note(f"n{seq}")

    def notes(self, project: str, kind: str = "", *, limit: int = 50) -> Sequence[Note]:
        """Newest first; of todos the open ones only, those due first."""
        order = "due = '', due, seq" if kind == "todo" else "created DESC, seq DESC"
        sql = f"""SELECT * FROM notes WHERE project = ? AND ? IN ('', kind) AND (kind <> 'todo' OR done IS NULL)
                  ORDER BY {order} LIMIT ?"""
        return [_note(row) for row in self.rows(sql, (_number(project, "p"), kind, limit))]

    def find_notes(self, project: str, text: str) -> Sequence[Note]:
        """Open todos of the project that the id or the words fit."""
        todos = self.notes(project, "todo", limit=1_000)
        by_id = [note for note in todos if note.id == text.strip().lower()]
        wanted = roots(text)
        exact = [note for note in todos if fold(note.text) == fold(text.strip())]
        return by_id or exact or [note for note in todos if covered(wanted, note.text) == 1]

    def finish_note(self, note: str) -> Note:
        """Mark a todo as done now."""
        with self.write() as connection:
            connection.execute(
                "UPDATE notes SET done = coalesce(done, ?) WHERE seq = ?", (time.time(), _number(note, "n"))
            )
        return self._note(note)

    def _note(self, note: str) -> Note:
        row = self.row("SELECT * FROM notes WHERE seq = ?", (_number(note, "n"),))
        if row is None:
            raise StoreError(f"There is no note {note}.")
        return _note(row)


def _is_in(folder: Path, place: Path) -> bool:
    return place.is_absolute() and (place == folder or place in folder.parents)
