"""The answers of the approval dialog: the reason, the buttons, and in words what a lasting yes covers."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QLineEdit, QMenu, QToolButton, QVBoxLayout, QWidget, QWidgetAction

from ankita_desktop.protocol import ApprovalRequest
from ankita_desktop.ui.approval_parts import KeyButton, visible
from ankita_desktop.ui.icons import IconButton
from ankita_desktop.ui.parts import ElidedLabel, margins, name

_VERBS = {"diff": "Apply", "command": "Run", "text": "Allow"}


class Answers(QWidget):
    """``allowed`` carries the scope; ``boxed``: yes, in a closed box; ``denied``: the person said no;
    ``editAsked``: they want to edit."""

    allowed = Signal(str)
    boxed = Signal()
    denied = Signal()
    editAsked = Signal()

    def __init__(self, request: ApprovalRequest) -> None:
        super().__init__()
        self._preview = request.preview
        self.can_remember = bool(request.preview.grant_key) and request.level != "always"
        self.verb = "Allow" if request.preview.effect == "send" else _VERBS[request.preview.kind]
        self._covers = visible(request.preview.grant_label or request.preview.grant_key)
        self._make_buttons()
        self.reason = QLineEdit()
        name(self.reason, "denyReason", "Why not")
        self.reason.setPlaceholderText("Why not? The model reads this when you deny.")
        self._place()

    def _make_buttons(self) -> None:
        look = "danger" if self._preview.danger else "primary"
        self._approve = KeyButton(self.verb, "Y", "approveButton", look=look)
        self._approve.clicked.connect(lambda: self.allowed.emit("once"))
        words = "This file, this chat" if self._preview.effect == "edit" else "In this chat"
        self._session = self._lasting(words, "S", "approveSessionButton")
        self._session.clicked.connect(lambda: self.allowed.emit("session"))
        self._edit = KeyButton("Edit", "E", "editButton")
        self._edit.clicked.connect(self.editAsked)
        self._box = KeyButton("Run sandboxed", "B", "sandboxButton")
        self._box.setToolTip("It reads everything, changes only its folder, and has no network unless you set so.")
        self._box.clicked.connect(self.boxed)
        self._deny = KeyButton("Deny", "N", "denyButton")
        self._deny.clicked.connect(self.denied)
        self._always = self._lasting("Always, in every chat", "A", "alwaysButton")
        self._more = self._make_more()

    def _lasting(self, text: str, key: str, object_name: str) -> KeyButton:
        made = KeyButton(text, key, object_name)
        made.setToolTip(self._covers)
        made.setAccessibleDescription(f"Key {key}. Covers: {self._covers}")
        return made

    def _make_more(self) -> QToolButton:
        """Always is behind a menu, so that nobody meets it by habit."""
        more = IconButton("ellipsis", "More answers")
        more.setObjectName("moreAnswersButton")
        more.setFixedSize(33, 33)
        more.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        menu = QMenu(more)
        self._always.clicked.connect(menu.close)
        self._always.clicked.connect(lambda: self.allowed.emit("always"))
        action = QWidgetAction(menu)
        action.setDefaultWidget(self._always)
        menu.addAction(action)
        more.setMenu(menu)
        return more

    def _place(self) -> None:
        row = QHBoxLayout()
        margins(row, 0, gap=10)
        row.addWidget(self.reason, 1)
        for one in (self._deny, self._edit, self._more, self._session, self._box, self._approve):
            row.addWidget(one)
        column = QVBoxLayout(self)
        margins(column, 12, 20, gap=8)
        if self.can_remember:
            covers = ElidedLabel("small", tone="dim")
            covers.setText(f"“{self._session.text()}” covers: {self._covers}")
            column.addWidget(covers)
        column.addLayout(row)
        self._box.setVisible(self._preview.boxable)
        self._session.setVisible(self.can_remember)
        self._more.setVisible(self.can_remember)

    def show_state(self, *, part: str, ready: bool, can_edit: bool) -> None:
        """``part`` is how much of it would be done, such as "1 of 2" ("" for all); ``ready``: a yes counts."""
        self._approve.say(f"{self.verb} {part}".strip())
        self._edit.setVisible(can_edit)
        for one in (self._approve, self._session, self._always):
            one.setEnabled(ready)
