"""The Memory, Project and Skills tabs. They change nothing themselves. Main thread only."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLineEdit, QVBoxLayout, QWidget

from ankita_desktop.toolkit.projects import Note, Project
from ankita_desktop.toolkit.remembering import Fact
from ankita_desktop.toolkit.skill_text import Skill
from ankita_desktop.ui.panel_parts import Act, Page, card, heading, line, more, tick, wrapped
from ankita_desktop.ui.parts import button, frame, margins, name
from ankita_desktop.ui.session_rows import short_path

MEMORY_EMPTY = (
    "What Ankita remembers of you is listed here. Write a fact above, or say “remember that …” in a chat."
)
PROJECT_EMPTY = (
    "A project keeps what is worked on over weeks: its folder, notes, decisions and todos. Make one of the folder "
    "of this conversation, or say “start a project …” in a chat."
)
SKILLS_EMPTY = "Instructions for recurring work are listed here: SKILL.md files of yours and of the project."
SOURCES = {"bundled": "built in", "own": "yours", "agents": "yours, ~/.agents", "project": "of the project"}


@dataclass(frozen=True, slots=True)
class Desk:
    """The project of the open conversation with its notes, and the others. ``folder`` is where it works."""

    current: Project | None = None
    notes: tuple[Note, ...] = ()
    others: tuple[Project, ...] = ()
    archived: tuple[Project, ...] = ()
    folder: str = ""


class MemoryPanel(Page):
    """Signals carry a fact's id, and what it shall say."""

    added = Signal(str)
    changed = Signal(str, str)
    pinned = Signal(str, bool)
    forgetAsked = Signal(str, str)

    def __init__(self) -> None:
        super().__init__("memoryPanel", "Memory", MEMORY_EMPTY)
        self._new = _entry("memoryNew", "Remember that …", self.added)
        self.head(self._new)

    def show_facts(self, facts: Sequence[Fact]) -> None:
        pins = [each for each in facts if each.pinned]
        rest = [each for each in facts if not each.pinned]
        parts: list[QWidget] = (
            [heading("Pinned: told in every conversation"), *map(self._card, pins)] if pins else []
        )
        parts += [heading("Remembered"), *map(self._card, rest)] if rest else []
        self.show_parts(parts)

    def _card(self, fact: Fact) -> QFrame:
        acts = (
            ("Unpin" if fact.pinned else "Pin", partial(self.pinned.emit, fact.id, not fact.pinned)),
            ("Change…", partial(self.changed.emit, fact.id, fact.text)),
            ("Forget…", partial(self.forgetAsked.emit, fact.id, fact.text)),
        )
        return _text_card(f"fact-{fact.id}", fact.text, acts)


class ProjectPanel(Page):
    """Signals carry a project's or a note's id."""

    makeAsked = Signal()
    used = Signal(str)
    archived = Signal(str, bool)
    forgetAsked = Signal(str, str)
    todoAdded = Signal(str, str)
    todoDone = Signal(str)

    def __init__(self) -> None:
        super().__init__("projectPanel", "Project", PROJECT_EMPTY)
        self._make = button("New project of this folder", weight=500)
        name(self._make, "newProjectButton", "New project of this folder")
        self._make.clicked.connect(self.makeAsked)
        self.head(self._make)

    def show_desk(self, desk: Desk) -> None:
        here = desk.current is not None and desk.current.place == desk.folder
        self._make.setEnabled(not here)
        self._make.setToolTip(short_path(desk.folder))
        parts: list[QWidget] = [self._current(desk.current)] if desk.current else []
        if desk.current:
            parts += self._notes(desk.current, desk.notes)
        for words, projects in (("Other projects", desk.others), ("Put away", desk.archived)):
            parts += [heading(words), *map(self._card, projects)] if projects else []
        self.show_parts(parts)

    def _current(self, project: Project) -> QFrame:
        below = [wrapped(text) for text in (project.about, short_path(project.place)) if text]
        for words, values in (
            ("Conventions", project.conventions),
            ("Contacts", project.contacts),
            ("Links", project.links),
        ):
            below += [wrapped(f"{words}: {', '.join(values)}")] if values else []
        menu = more(f"More for {project.name}", self._acts(project))
        return card(f"project-{project.id}", project.name, right=(menu,), below=below)

    def _notes(self, project: Project, notes: Sequence[Note]) -> list[QWidget]:
        todos = [self._todo(each) for each in notes if each.kind == "todo"]
        add = _entry("todoNew", "Add a todo", None)
        add.returnPressed.connect(lambda: self.todoAdded.emit(project.id, add.text().strip()))
        parts: list[QWidget] = [heading("Todos"), *todos, add]
        for kind, words in (("decision", "Decisions"), ("note", "Notes"), ("log", "Done")):
            found = [each for each in notes if each.kind == kind]
            parts += [heading(words), *(wrapped(each.text, tone="") for each in found)] if found else []
        return parts

    def _todo(self, note: Note) -> QWidget:
        made = QWidget()
        row = QHBoxLayout(made)
        margins(row, 0, gap=8)
        box = tick()
        name(box, f"todo-{note.id}", f"Done: {note.text}")
        box.clicked.connect(lambda _checked: self.todoDone.emit(note.id))
        row.addWidget(box, 0, Qt.AlignmentFlag.AlignTop)
        row.addWidget(wrapped(f"{note.text} · {note.due}" if note.due else note.text, tone=""), 1)
        return made

    def _card(self, project: Project) -> QFrame:
        menu = more(f"More for {project.name}", self._acts(project))
        about = project.about or short_path(project.place)
        below = (line(about),) if about else ()
        return card(f"project-{project.id}", project.name, right=(menu,), below=below)

    def _acts(self, project: Project) -> tuple[Act, ...]:
        away = "Take up again" if project.archived else "Put away"
        return (
            ("Use in this conversation", partial(self.used.emit, project.id)),
            (away, partial(self.archived.emit, project.id, not project.archived)),
            ("Forget…", partial(self.forgetAsked.emit, project.id, project.name)),
        )


class SkillsPanel(Page):
    """``opened`` carries a skill's file; ``trustAsked`` a folder."""

    opened = Signal(str)
    trustAsked = Signal(str)

    def __init__(self) -> None:
        super().__init__("skillsPanel", "Skills", SKILLS_EMPTY)

    def show_skills(self, skills: Sequence[Skill], untrusted: Path | None) -> None:
        parts: list[QWidget] = [self._trust(untrusted)] if untrusted else []
        self.show_parts([*parts, *map(self._card, skills)])

    def _trust(self, root: Path) -> QFrame:
        """Skills of a project can make the assistant do things: nobody but the person says they count."""
        folder = str(root.parent.parent)
        made = frame("notice")
        column = QVBoxLayout(made)
        margins(column, 8, 10, 6, 12, gap=4)
        column.addWidget(wrapped(f"{short_path(folder)} brings its own skills. They count once you trust it.", ""))
        trust = button("Trust this folder", "link", kind="meta", weight=500)
        name(trust, "trustFolderButton", f"Trust {folder}")
        trust.clicked.connect(lambda: self.trustAsked.emit(folder))
        column.addWidget(trust, 0, Qt.AlignmentFlag.AlignLeft)
        return made

    def _card(self, skill: Skill) -> QFrame:
        acts = (("Open the file", partial(self.opened.emit, str(skill.file))),)
        below: list[QWidget] = [wrapped(skill.description), line(SOURCES.get(skill.source, skill.source))]
        if skill.problems:
            below.append(wrapped("; ".join(skill.problems), "attention"))
        menu = more(f"More for {skill.name}", acts)
        return card(f"skill-{skill.name}", skill.name, right=(menu,), below=below)


def _text_card(object_name: str, text: str, acts: Sequence[Act]) -> QFrame:
    """A text of any length with a menu beside it."""
    made = frame("card")
    name(made, object_name, text)
    row = QHBoxLayout(made)
    margins(row, 6, 6, 6, 12, gap=4)
    row.addWidget(wrapped(text, tone=""), 1)
    row.addWidget(more(f"More for {text}", acts), 0, Qt.AlignmentFlag.AlignTop)
    return made


def _entry(object_name: str, words: str, added: object) -> QLineEdit:
    """A field that takes a line with Enter and is empty again."""
    made = QLineEdit()
    name(made, object_name, words)
    made.setPlaceholderText(words)

    def take() -> None:
        text = made.text().strip()
        made.clear()
        if text and added is not None:
            added.emit(text)  # type: ignore[attr-defined]

    if added is not None:
        made.returnPressed.connect(take)
    return made
