"""What the lists of the side panel are made of: a page that scrolls, headings, cards with a menu."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QMenu, QScrollArea, QToolButton, QVBoxLayout, QWidget

from ankita_desktop.ui.diff_box import HunkBox
from ankita_desktop.ui.icons import IconButton
from ankita_desktop.ui.parts import ElidedLabel, discard, frame, label, margins, name

TICK = 22
Act = tuple[str, Callable[[], None]]
"""An entry of a card's menu: its words, and what it does."""


class Page(QWidget):
    """A tab of the side panel: ``show_parts`` puts widgets below each other; without any, ``empty`` is shown."""

    def __init__(self, object_name: str, words: str, empty: str) -> None:
        super().__init__()
        name(self, object_name, words)
        self._parts: list[QWidget] = []
        self._empty = wrapped(empty)
        inside = frame("background")
        self._column = QVBoxLayout(inside)
        margins(self._column, 12, 16, gap=8)
        self._column.addWidget(self._empty)
        self._column.addStretch(1)
        self.area = QScrollArea()
        self.area.setWidgetResizable(True)
        self.area.setWidget(inside)
        self._outside = QVBoxLayout(self)
        margins(self._outside, 0)
        self._outside.addWidget(self.area, 1)

    def head(self, widget: QWidget) -> None:
        """Something that stays above the list."""
        box = QVBoxLayout()
        margins(box, 12, 16, 0, 16)
        box.addWidget(widget)
        self._outside.insertLayout(self._outside.count() - 1, box)

    def show_parts(self, parts: Sequence[QWidget]) -> None:
        """These instead of what is there; the place in the list stays."""
        place = self.area.verticalScrollBar().value()
        for old in self._parts:
            discard(old)
        self._parts = list(parts)
        for number, part in enumerate(self._parts):
            self._column.insertWidget(number, part)
        self._empty.setVisible(not self._parts)
        self.area.verticalScrollBar().setValue(place)


def wrapped(text: str, tone: str = "dim") -> QLabel:
    """A small paragraph."""
    made = label(text, "meta", tone=tone)
    made.setWordWrap(True)
    return made


def heading(text: str) -> QLabel:
    """The name of a group of cards."""
    made = label(text, "small", tone="dim")
    made.setContentsMargins(0, 8, 0, 0)
    return made


def line(text: str, tone: str = "dim") -> ElidedLabel:
    """One short line of a card."""
    made = ElidedLabel("meta", tone=tone)
    made.setText(text)
    return made


def tick() -> HunkBox:
    """A check box in the colours of the theme."""
    made = HunkBox()
    made.setFixedSize(TICK, TICK)
    return made


def more(words: str, acts: Sequence[Act]) -> QToolButton:
    """The button with what else can be done."""
    made = IconButton("ellipsis", words)
    made.setObjectName("moreButton")
    menu = QMenu(made)
    for text, act in acts:
        menu.addAction(text, act)
    made.setMenu(menu)
    made.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
    return made


def card(
    object_name: str, title: str, *, right: Sequence[QWidget] = (), below: Sequence[QWidget | QHBoxLayout] = ()
) -> QFrame:
    """A title with buttons at its right; below lines, and rows of buttons."""
    made = frame("card")
    name(made, object_name, title)
    words = ElidedLabel("body", weight=500)
    words.setText(title)
    top = QHBoxLayout()
    margins(top, 0, gap=2)
    top.addWidget(words, 1)
    for part in right:
        top.addWidget(part)
    column = QVBoxLayout(made)
    margins(column, 6, 6, 8, 12, gap=2)
    column.addLayout(top)
    for one in below:
        if isinstance(one, QHBoxLayout):
            column.addLayout(one)
        else:
            column.addWidget(one)
    return made
