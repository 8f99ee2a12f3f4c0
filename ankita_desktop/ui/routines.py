"""The Routines tab: reminders, routines, watches. It changes nothing itself. Main thread only."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import QPointF, QSize, Qt, Signal
from PySide6.QtGui import QPainter, QPaintEvent, QPen, QPolygonF
from PySide6.QtWidgets import QCheckBox, QFrame, QHBoxLayout, QMenu, QPushButton, QSizePolicy, QWidget

from ankita_desktop.ui.icons import IconButton, icon
from ankita_desktop.ui.panel_parts import Page, card, heading, line, more, tick, wrapped
from ankita_desktop.ui.parts import button, frame, margins, name
from ankita_desktop.ui.routine_words import TEMPLATES, Agenda, ReminderLine, RoutineLine, Template, WatchLine
from ankita_desktop.ui.theme import theme

EMPTY = (
    "What happens by itself is listed here: routines such as a morning briefing, reminders, and watches of pages "
    "and files. Begin with “New routine”, or write “remind me tomorrow at 9 to …”."
)
OWN = Template("", "", "")
CHART_HEIGHT = 28
INSET = 5
"""Pixels that stand before the words of a link: its padding and border."""


class RoutinesPanel(Page):
    """Every signal carries the id of what it is about; ``reminderActed`` the action's key too, as in a
    notification."""

    newAsked = Signal(object)
    editAsked = Signal(str)
    historyAsked = Signal(str)
    removeAsked = Signal(str)
    runAsked = Signal(str)
    openAsked = Signal(str)
    enabled = Signal(str, bool)
    reminderActed = Signal(str, str)
    reminderCancelled = Signal(str)
    watchChecked = Signal(str)
    watchEnabled = Signal(str, bool)
    watchRemoved = Signal(str)
    takeOverAsked = Signal()

    def __init__(self) -> None:
        super().__init__("routinesPanel", "Routines", EMPTY)
        self._shown: Agenda | None = None
        self.head(self._new())
        self.show_agenda(Agenda())

    def show_agenda(self, agenda: Agenda) -> None:
        """What there is; nothing is built anew when nothing changed."""
        if agenda == self._shown:
            return
        self._shown = agenda
        parts: list[QWidget] = []
        for words, cards in (
            ("Due now", [self._ringing(each) for each in agenda.reminders if each.reminder.rang is not None]),
            ("Routines", [self._routine(each) for each in agenda.routines]),
            ("Watches", [self._watch(each) for each in agenda.watches]),
            ("Reminders", [self._waiting(each) for each in agenda.reminders if each.reminder.rang is None]),
        ):
            if cards:
                parts += [heading(words), *cards]
        if agenda.run_by:
            parts = [self._owner(agenda.run_by), *(parts or [wrapped(EMPTY)])]
        self.show_parts(parts)

    # --- parts

    def _new(self) -> QWidget:
        made = button("New routine", weight=500)
        name(made, "newRoutineButton", "New routine")
        menu = QMenu(made)
        menu.addAction("Empty routine", lambda: self.newAsked.emit(OWN))
        menu.addSeparator()
        for template in TEMPLATES:
            menu.addAction(template.name, partial(self.newAsked.emit, template))
        made.setMenu(menu)
        self._begin = made
        self._tint()
        theme().changed.connect(self._tint)
        return made

    def _tint(self) -> None:
        self._begin.setIcon(icon("plus"))

    def _owner(self, run_by: str) -> QFrame:
        made = frame("notice")
        row = QHBoxLayout(made)
        margins(row, 4, 6, 4, 12, gap=8)
        row.addWidget(wrapped(f"Run by {_process(run_by)}.", tone=""), 1)
        take = button("Run here", "link", kind="meta", weight=500)
        name(take, "takeOverButton", "Run routines here")
        take.clicked.connect(lambda: self._ask_over(take))
        row.addWidget(take)
        return made

    def _ask_over(self, take: QPushButton) -> None:
        """The other hands over at its next look, a second or so from now: until then there is nothing to press."""
        take.setEnabled(False)
        take.setText("Asked…")
        take.setAccessibleName("The other process was asked to hand over")
        self.takeOverAsked.emit()

    def _ringing(self, each: ReminderLine) -> QFrame:
        act = partial(self.reminderActed.emit, each.reminder.id)
        row = QHBoxLayout()
        margins(row, 4, 0, 0, 0, gap=6)
        row.addSpacing(-INSET)  # the words begin below those of the line above
        for words, key in (
            ("Done", "done"),
            ("10 min", "snooze10"),
            ("1 h", "snooze60"),
            ("Tomorrow", "tomorrow"),
        ):
            push = button(words, "link", kind="meta", weight=500)
            name(push, f"{key}Button", f"{words}: {each.reminder.text}")
            push.clicked.connect(lambda _checked=False, key=key: act(key))
            row.addWidget(push)
        row.addStretch(1)
        below = (line(each.when, "attention"), row)
        return card(f"reminder-{each.reminder.id}", each.reminder.text, below=below)

    def _waiting(self, each: ReminderLine) -> QFrame:
        one = each.reminder
        acts = (
            ("Done", partial(self.reminderActed.emit, one.id, "done")),
            ("Cancel", partial(self.reminderCancelled.emit, one.id)),
        )
        menu = more(f"More for {one.text}", acts)
        return card(f"reminder-{one.id}", one.text, right=(menu,), below=(line(each.when),))

    def _routine(self, each: RoutineLine) -> QFrame:
        one = each.routine
        run = IconButton("play", f"Run {one.name} now")
        name(run, "runNowButton", f"Run {one.name} now")
        run.setEnabled(not each.running)
        run.clicked.connect(partial(self.runAsked.emit, one.id))
        acts = [
            ("Edit…", partial(self.editAsked.emit, one.id)),
            ("History…", partial(self.historyAsked.emit, one.id)),
            ("Remove…", partial(self.removeAsked.emit, one.id)),
        ]
        if one.session:
            acts.insert(0, ("Open conversation", partial(self.openAsked.emit, one.session)))
        right = (run, more(f"More for {one.name}", acts), self._switch(one.name, not one.paused, one.id))
        tone = "danger" if each.fine is False else "accent" if each.running else "dim"
        return card(f"routine-{one.id}", one.name, right=right, below=(line(each.next), line(each.last, tone)))

    def _switch(self, words: str, on: bool, routine: str) -> QCheckBox:
        made = tick()
        name(made, "routineEnabled", f"{words} is on")
        made.setToolTip("On or paused")
        made.setChecked(on)
        made.clicked.connect(lambda checked: self.enabled.emit(routine, checked))
        return made

    def _watch(self, each: WatchLine) -> QFrame:
        one = each.watch
        pause = ("Resume" if one.paused else "Pause", partial(self.watchEnabled.emit, one.id, one.paused))
        acts = (
            ("Check now", partial(self.watchChecked.emit, one.id)),
            pause,
            ("Remove", partial(self.watchRemoved.emit, one.id)),
        )
        value = " ".join((one.value or "").split())
        below: list[QWidget] = [line(each.state, "attention" if one.problem else "dim")]
        if value:
            below.insert(0, line(value, ""))
        if len(each.numbers) > 1:
            below.append(Chart(each.numbers))
        return card(f"watch-{one.id}", one.name, right=(more(f"More for {one.name}", acts),), below=below)


class Chart(QWidget):
    """Values over time as one line."""

    def __init__(self, numbers: tuple[float, ...]) -> None:
        super().__init__()
        self._numbers = numbers
        self.setAccessibleName(f"From {min(numbers):g} to {max(numbers):g}, now {numbers[-1]:g}")
        self.setToolTip(self.accessibleName())
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    def sizeHint(self) -> QSize:
        return QSize(200, CHART_HEIGHT)

    def paintEvent(self, _event: QPaintEvent) -> None:
        least, most = min(self._numbers), max(self._numbers)
        step = (self.width() - 8) / (len(self._numbers) - 1)
        height = self.height() - 8
        points = [
            QPointF(4 + n * step, 4 + height * (1 - (each - least) / ((most - least) or 1)))
            for n, each in enumerate(self._numbers)
        ]
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(theme().color("accent"), 1.5, c=Qt.PenCapStyle.RoundCap, j=Qt.PenJoinStyle.RoundJoin))
        painter.drawPolyline(QPolygonF(points))
        painter.setBrush(theme().color("accent"))
        painter.drawEllipse(points[-1], 2, 2)


def _process(owner: str) -> str:
    number, _, what = owner.partition(" ")
    return f"another process ({what or 'unknown'}, {number})"
