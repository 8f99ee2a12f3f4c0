"""The settings dialog, made from the settings' own descriptions. Main thread only."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from PySide6.QtCore import QRect, Qt, QTimer, Signal
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import (
    QComboBox,
    QDialog,
    QHBoxLayout,
    QLineEdit,
    QPlainTextEdit,
    QVBoxLayout,
    QWidget,
)

from ankita_desktop.assembly import Assembly
from ankita_desktop.errors import AnkitaError
from ankita_desktop.store.settings import Setting, all_settings
from ankita_desktop.ui.bridge import Bridge
from ankita_desktop.ui.diff_box import HunkBox
from ankita_desktop.ui.icons import SIZE, icon
from ankita_desktop.ui.parts import button, frame, label, margins, name, restyle, scrolling
from ankita_desktop.ui.rules_dialog import RULES, show_rules

EXTENT = (620, 640)
FIELD_WIDTH = 220
KEY = "OPENAI_API_KEY"
PARTS = {"model": "Model", "approvals": "Approvals", "agent": "Assistant", "folders": "Folders", "ui": "Window"}


def title_of(key: str) -> str:
    """ "ui.font_size" as a person reads it: Font size."""
    return key.split(".")[1].replace("_", " ").capitalize().replace("url", "URL")


class Picker(QComboBox):
    """A choice with our own arrow in it."""

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        place = QRect(self.width() - SIZE - 8, (self.height() - SIZE) // 2, SIZE, SIZE)
        icon("chevron-down", "dim").paint(QPainter(self), place)


class SettingsDialog(QDialog):
    """Every change counts at once and is written down on the worker. ``changed``: something was."""

    changed = Signal()

    def __init__(self, assembly: Assembly, bridge: Bridge, parent: QWidget) -> None:
        super().__init__(parent)
        name(self, "settingsDialog", "Settings")
        self.setWindowTitle("Settings")
        self.resize(*EXTENT)
        self._assembly, self._bridge = assembly, bridge
        self._said = label("Changes count at once.", "meta", tone="dim")
        self._said.setWordWrap(True)
        inside = frame("background")
        self._column = QVBoxLayout(inside)
        margins(self._column, 20, 24, gap=12)
        self._fill()
        scrolling(self, inside, self._foot())

    def _foot(self) -> QHBoxLayout:
        done = button("Done", "primary", weight=500)
        done.clicked.connect(self.accept)
        foot = QHBoxLayout()
        margins(foot, 12, 24, gap=12)
        foot.addWidget(self._said, 1)
        foot.addWidget(done)
        return foot

    def _fill(self) -> None:
        part = ""
        for setting in all_settings():
            if setting.key.split(".")[0] != part:
                part = setting.key.split(".")[0]
                self._column.addSpacing(8 if self._column.count() else 0)
                self._column.addWidget(label(PARTS.get(part, part.capitalize()), "title", weight=600))
            self._add(title_of(setting.key), setting.description, self._field(setting))
            if setting.key == "model.base_url":
                self._add("API key", "Kept in the keyring of this computer, never in the settings.", self._key())
        self._column.addStretch(1)

    def _add(self, words: str, description: str, field: QWidget) -> None:
        field.setAccessibleName(words)
        field.setAccessibleDescription(description)
        about = label(description, "meta", tone="dim")
        about.setWordWrap(True)
        text = QVBoxLayout()
        margins(text, 0, gap=2)
        text.addWidget(label(words, weight=500))
        text.addWidget(about)
        row = QHBoxLayout()
        margins(row, 0, gap=24)
        row.addLayout(text, 1)
        row.addWidget(field, 0, Qt.AlignmentFlag.AlignTop)
        self._column.addLayout(row)

    # --- one field per kind of setting

    def _field(self, setting: Setting) -> QWidget:
        if setting.key == RULES:
            return self._rules()
        value = self._assembly.settings.get(setting.key)
        make = {"switch": _switch, "choice": _choice, "list": _lines}.get(setting.kind, _line)
        field = make(setting, value, partial(self._set, setting.key))
        field.setObjectName(f"setting-{setting.key}")
        return field

    def _rules(self) -> QWidget:
        """Rules have a dialog of their own, with what they would do."""
        made = button("Rules and grants…")
        made.setObjectName("rulesButton")
        made.setFixedWidth(FIELD_WIDTH)
        made.clicked.connect(lambda: show_rules(self._assembly, self._bridge, self._assembly.folder(), self))
        return made

    def _key(self) -> QWidget:
        field = QLineEdit()
        name(field, "apiKey", "API key")
        field.setFixedWidth(FIELD_WIDTH)
        field.setEchoMode(QLineEdit.EchoMode.Password)
        field.setPlaceholderText("Paste a key")

        def keep() -> None:
            if key := field.text().strip():
                field.clear()
                self._bridge.do(lambda: self._assembly.secrets.set(KEY, key), self._kept)

        field.editingFinished.connect(keep)
        return field

    def _kept(self, where: str) -> None:
        words = {
            "keyring": "The key is in the keyring.",
            "file": "There is no keyring here: the key is in a private file.",
        }
        self._tell(words[where])
        self.changed.emit()

    def _set(self, key: str, text: str) -> None:
        self._bridge.do(partial(_try, self._assembly.settings.set, key, text), self._done)

    def _done(self, problem: str) -> None:
        self._tell(problem or "Saved.", wrong=bool(problem))
        if not problem:
            self.changed.emit()

    def _tell(self, text: str, *, wrong: bool = False) -> None:
        self._said.setText(text)
        self._said.setProperty("tone", "danger" if wrong else "dim")
        restyle(self._said)


def _try(act: Callable[[str, str], None], key: str, text: str) -> str:
    """Do it; what was wrong with it in words, or ""."""
    try:
        act(key, text)
    except AnkitaError as error:
        return str(error)
    return ""


Changed = Callable[[str], None]


def _switch(_setting: Setting, value: Any, changed: Changed) -> QWidget:
    box = HunkBox()
    box.setFixedSize(22, 22)
    box.setChecked(bool(value))
    box.toggled.connect(lambda on: changed("true" if on else "false"))
    return box


def _choice(setting: Setting, value: Any, changed: Changed) -> QWidget:
    box = Picker()
    box.setFixedWidth(FIELD_WIDTH)
    box.addItems(list(setting.choices))
    box.setCurrentText(str(value))
    box.currentTextChanged.connect(changed)
    return box


def _line(_setting: Setting, value: Any, changed: Changed) -> QWidget:
    field = QLineEdit(str(value))
    field.setFixedWidth(FIELD_WIDTH)

    def finished() -> None:
        if field.isModified():
            field.setModified(False)
            changed(field.text())

    field.editingFinished.connect(finished)
    return field


def _lines(_setting: Setting, value: Any, changed: Changed) -> QWidget:
    field = QPlainTextEdit("\n".join(value))
    field.setProperty("look", "output")
    field.setFixedSize(FIELD_WIDTH, 76)
    later = QTimer(field)
    later.setSingleShot(True)
    later.setInterval(600)
    later.timeout.connect(lambda: changed(field.toPlainText()))
    field.textChanged.connect(later.start)
    return field
