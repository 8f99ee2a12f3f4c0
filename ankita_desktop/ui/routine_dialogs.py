"""Make or change a routine, with its next times as one writes; and what its runs brought. Main thread only."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from PySide6.QtCore import QTimer, Signal
from PySide6.QtWidgets import (
    QDialog,
    QHBoxLayout,
    QLineEdit,
    QPlainTextEdit,
    QVBoxLayout,
    QWidget,
)

from ankita_desktop.automation.automation import Automation
from ankita_desktop.errors import AnkitaError
from ankita_desktop.toolkit.automation import Routine
from ankita_desktop.toolkit.projects import Project
from ankita_desktop.ui.bridge import Bridge
from ankita_desktop.ui.panel_parts import wrapped
from ankita_desktop.ui.parts import button, frame, label, margins, name, restyle, rule, scrolling
from ankita_desktop.ui.routine_words import ENDED, Template
from ankita_desktop.ui.settings_dialog import Picker

SIZE = (520, 560)
HISTORY_SIZE = (520, 400)
WAIT_MS = 200
LATE = {
    "once": "Run once late, if it is not too late",
    "skip": "Skip it and tell me",
    "all": "Run all, one after the other",
}
OF_FOLDER = "The one of its folder, if there is one"
PUT_AWAY = "One that was put away"
ASK_WHEN = "When it runs, in words: every weekday at 8, first Monday of the month at 10, every 2 hours"


@dataclass(frozen=True, slots=True)
class Plan:
    """How a text for the time is understood, or why it isn't."""

    words: str = ""
    times: tuple[str, ...] = ()
    problem: str = ""


def plan(automation: Automation, when: str) -> Plan:
    """Not for the main thread."""
    if not when.strip():
        return Plan(ASK_WHEN)
    try:
        words, times = automation.routines.plan(when)
    except AnkitaError as error:
        return Plan(problem=str(error))
    return Plan(words, tuple(times))


class RoutineDialog(QDialog):
    """``saved``: it is in the store, as it was written."""

    saved = Signal()

    def __init__(self, automation: Automation, bridge: Bridge, parent: QWidget, *, folder: str) -> None:
        super().__init__(parent)
        name(self, "routineDialog", "Routine")
        self.setWindowTitle("New routine")
        self.resize(*SIZE)
        self._automation, self._bridge, self._folder = automation, bridge, folder
        self._routine = ""
        self.name, self.when, self.prompt, self.late = QLineEdit(), QLineEdit(), QPlainTextEdit(), Picker()
        self.project = Picker()
        self._projects: tuple[Project, ...] = ()
        self._works_for = ""
        self._said = wrapped(ASK_WHEN)
        self._times = label("", "mono")
        self._wrong = wrapped("", "danger")
        self._save = button("Make it", "primary", weight=500)
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(WAIT_MS)
        self._timer.timeout.connect(self._ask)
        self._build()

    def begin(self, template: Template) -> None:
        """A new one."""
        self._fill(template.name, template.prompt, template.when)

    def change(self, routine: Routine) -> None:
        """One that is there; whether it is paused stays as it is."""
        self._routine = routine.id
        self.setWindowTitle(routine.name)
        self._save.setText("Save")
        self._works_for = routine.project
        self._fill(routine.name, routine.prompt, routine.when)
        self.late.setCurrentIndex(list(LATE).index(routine.late))

    def _fill(self, title: str, prompt: str, when: str) -> None:
        self.name.setText(title)
        self.prompt.setPlainText(prompt)
        self.when.setText(when)
        self._ask()
        self._bridge.do(lambda: tuple(self._automation.desk.book.projects()), self._offer)
        (self.prompt if prompt else self.name).setFocus()

    # --- inside

    def _build(self) -> None:
        for widget, object_name, words in (
            (self.name, "routineName", "Name"),
            (self.prompt, "routinePrompt", "What it has to do"),
            (self.when, "routineWhen", "When"),
            (self.late, "routineLate", "When a time was missed"),
            (self.project, "routineProject", "Project"),
            (self._times, "routineTimes", "Next five times"),
            (self._wrong, "routineProblem", "What is wrong"),
            (self._save, "routineSave", "Save"),
        ):
            name(widget, object_name, words)
        self.prompt.setProperty("look", "output")
        self.prompt.setTabChangesFocus(True)
        self.prompt.setPlaceholderText("Write it as you would ask in a chat.")
        self.when.setPlaceholderText("every weekday at 8:00")
        self.when.textChanged.connect(self._timer.start)
        for words in LATE.values():
            self.late.addItem(words)
        self._offer(())
        self._wrong.hide()
        self._times.hide()
        column = QVBoxLayout(self)
        margins(column, 0)
        column.addLayout(self._fields(), 1)
        column.addWidget(rule())
        column.addLayout(self._foot())

    def _fields(self) -> QVBoxLayout:
        column = QVBoxLayout()
        margins(column, 20, 24, gap=6)
        for words, widget, stretch in (
            ("Name", self.name, 0),
            ("What it has to do", self.prompt, 1),
            ("When", self.when, 0),
        ):
            column.addWidget(label(words, weight=500))
            column.addWidget(widget, stretch)
            column.addSpacing(6)
        column.addWidget(self._said)
        column.addWidget(self._times)
        column.addSpacing(10)
        column.addWidget(label("When a time was missed", weight=500))
        column.addWidget(self.late)
        column.addSpacing(6)
        column.addWidget(label("Project", weight=500))
        column.addWidget(self.project)
        column.addWidget(self._wrong)
        return column

    def _foot(self) -> QHBoxLayout:
        cancel = button("Cancel")
        cancel.clicked.connect(self.reject)
        self._save.setDefault(True)
        self._save.clicked.connect(self._keep)
        foot = QHBoxLayout()
        margins(foot, 12, 24, gap=10)
        foot.addWidget(wrapped("It asks before anything it was not allowed."), 1)
        foot.addWidget(cancel)
        foot.addWidget(self._save)
        return foot

    def _offer(self, projects: tuple[Project, ...]) -> None:
        """The projects there are; the one it works for stays chosen, also when it is put away by now."""
        self._projects = projects
        self.project.clear()
        for words in (OF_FOLDER, *(each.name for each in projects)):
            self.project.addItem(words)
        keys = ["", *(each.id for each in projects)]
        if self._works_for not in keys:
            self.project.addItem(PUT_AWAY)
            keys.append(self._works_for)
        self.project.setCurrentIndex(keys.index(self._works_for))

    def _chosen(self) -> str:
        keys = ["", *(each.id for each in self._projects), self._works_for]
        return keys[self.project.currentIndex()]

    def _ask(self) -> None:
        when = self.when.text()
        self._bridge.do(lambda: plan(self._automation, when), lambda found: self._show(when, found))

    def _show(self, when: str, found: Plan) -> None:
        if when != self.when.text():
            return
        self._said.setText(found.problem or found.words)
        self._said.setProperty("tone", "danger" if found.problem else "dim")
        restyle(self._said)
        self._times.setText("\n".join(found.times))
        self._times.setVisible(bool(found.times))

    def _keep(self) -> None:
        fields = {
            "prompt": self.prompt.toPlainText(),
            "when": self.when.text(),
            "late": list(LATE)[self.late.currentIndex()],
        }
        if self._chosen() != self._works_for:
            fields["project"] = self._chosen()
        title, routine, folder = self.name.text(), self._routine, self._folder
        routines = self._automation.routines

        def work() -> str:
            if routine:
                return _try(routines.update, routine, name=title, **fields)
            return _try(routines.add, title, cwd=folder, **fields)

        self._bridge.do(work, self._kept)

    def _kept(self, problem: str) -> None:
        self._wrong.setText(problem)
        self._wrong.setVisible(bool(problem))
        if not problem:
            self.saved.emit()
            self.accept()


class HistoryDialog(QDialog):
    """Runs, the latest first. ``openAsked`` carries a run."""

    openAsked = Signal(str)

    def __init__(self, title: str, runs: Sequence[tuple[str, str, str]], parent: QWidget) -> None:
        """``runs``: status, the run in words, and its id ("" when it has no conversation)."""
        super().__init__(parent)
        name(self, "routineHistory", f"History of {title}")
        self.setWindowTitle(f"{title}: history")
        self.resize(*HISTORY_SIZE)
        inside = frame("background")
        column = QVBoxLayout(inside)
        margins(column, 16, 20, gap=8)
        for status, words, run in runs:
            column.addWidget(self._row(status, words, run))
        if not runs:
            column.addWidget(wrapped("It has not run yet."))
        column.addStretch(1)
        scrolling(self, inside)

    def _row(self, status: str, words: str, run: str) -> QWidget:
        made = frame("card")
        row = QHBoxLayout(made)
        margins(row, 8, 8, 8, 12, gap=8)
        tone = {"done": "accent", "running": "accent"}.get(status, "danger")
        column = QVBoxLayout()
        margins(column, 0, gap=2)
        column.addWidget(label(ENDED[status], "meta", tone=tone, weight=500))
        column.addWidget(wrapped(words, tone=""))
        row.addLayout(column, 1)
        if run:
            show = button("Open", "link", kind="meta", weight=500)
            show.clicked.connect(self.accept)
            show.clicked.connect(lambda: self.openAsked.emit(run))
            row.addWidget(show)
        return made


def _try(work: Callable[..., Any], *args: Any, **fields: Any) -> str:
    """What is wrong, for the person; empty when it worked."""
    try:
        work(*args, **fields)
    except AnkitaError as error:
        return str(error)
    return ""
