"""The approval dialog: the whole thing that will happen, and the answers to it.

Every answer has a key; letters are dead in text fields, and no key counts in the first moments, so that
typing meant for something else never answers. Esc closes the dialog and leaves the question waiting.
"""

from __future__ import annotations

import time
from collections.abc import Callable

from PySide6.QtCore import QEvent, QObject, Qt, Signal
from PySide6.QtGui import QCloseEvent, QKeyEvent, QShowEvent
from PySide6.QtWidgets import (
    QApplication,
    QDialog,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QMenu,
    QToolButton,
    QVBoxLayout,
    QWidget,
    QWidgetAction,
)

from ankita_desktop.protocol import ApprovalRequest, Decision, Scope
from ankita_desktop.ui.approval_change import ChangeBody
from ankita_desktop.ui.approval_parts import KeyButton, Proposal, Word, visible
from ankita_desktop.ui.icons import IconButton
from ankita_desktop.ui.parts import ElidedLabel, frame, label, margins, name, rule

ARMED_AFTER = 0.7  # seconds in which no key counts
LARGE, SMALL = (1080, 640), (680, 380)
_VERBS = {"diff": "Apply", "command": "Run", "text": "Allow"}
_CHAT = {"edit": "This file, this chat", "run": "Such commands, this chat"}


class ApprovalDialog(QDialog):
    """Asks one question. ``decided`` carries the ``Decision``, once; closing without it decides nothing."""

    decided = Signal(object)

    def __init__(self, request: ApprovalRequest, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.request = request
        self._preview = request.preview
        self._shown_at = 0.0
        self._answered = False
        name(self, "approvalDialog", visible(self._preview.question))
        self.setWindowTitle(visible(self._preview.question))
        self._body = self._make_body()
        self._buttons()
        self._place()
        self._refresh()
        app = QApplication.instance()
        if app is not None:
            app.installEventFilter(self)

    # --- parts ---

    def _make_body(self) -> QWidget:
        if self._preview.kind == "diff" and self._preview.changes:
            body = ChangeBody(self._preview)
            body.changed.connect(self._refresh)
            return body
        words = "The command" if self._preview.kind == "command" else "What would be done"
        return Proposal(self._preview.text, words)

    def _buttons(self) -> None:
        danger = bool(self._preview.danger)
        self._approve = KeyButton(self._verb, "Y", "approveButton", look="danger" if danger else "primary")
        self._approve.clicked.connect(lambda: self._allow("once"))
        self._session = KeyButton(_CHAT.get(self._preview.effect, "This chat"), "S", "approveSessionButton")
        self._session.setToolTip(self._covers)
        self._session.setAccessibleDescription(f"Key S. Covers: {self._covers}")
        self._session.clicked.connect(lambda: self._allow("session"))
        self._edit = KeyButton("Edit", "E", "editButton")
        self._edit.clicked.connect(self._start_edit)
        self._deny = KeyButton("Deny", "N", "denyButton")
        self._deny.clicked.connect(self._refuse)
        self._reason = QLineEdit()
        name(self._reason, "denyReason", "Why not")
        self._reason.setPlaceholderText("Why not? The model reads this when you deny.")
        self._more = self._make_more()

    def _make_more(self) -> QToolButton:
        more = IconButton("ellipsis", "More answers")
        more.setObjectName("moreAnswersButton")
        more.setFixedSize(33, 33)
        more.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        menu = QMenu(more)
        self._always = KeyButton("Always, in every chat", "A", "alwaysButton")
        self._always.setAccessibleDescription(f"Key A. Covers: {self._covers}")
        self._always.setToolTip(self._covers)
        self._always.clicked.connect(menu.close)
        self._always.clicked.connect(lambda: self._allow("always"))
        action = QWidgetAction(menu)
        action.setDefaultWidget(self._always)
        menu.addAction(action)
        more.setMenu(menu)
        return more

    @property
    def _covers(self) -> str:
        return visible(self._preview.grant_label or self._preview.grant_key)

    @property
    def _can_remember(self) -> bool:
        return bool(self._preview.grant_key) and self.request.level != "always"

    @property
    def _verb(self) -> str:
        return _VERBS[self._preview.kind] if self._preview.effect != "send" else "Allow"

    # --- layout ---

    def _place(self) -> None:
        column = QVBoxLayout(self)
        margins(column, 0)
        column.addWidget(self._head())
        column.addWidget(rule())
        for line in self._warnings():
            column.addWidget(line)
        if isinstance(self._body, ChangeBody):
            column.addWidget(self._body, 1)
        else:
            inside = QVBoxLayout()
            margins(inside, 16, 20, gap=0)
            inside.addWidget(self._body)
            column.addLayout(inside, 1)
        column.addWidget(rule())
        column.addWidget(self._foot())
        wanted = LARGE if isinstance(self._body, ChangeBody) else SMALL
        screen = self.screen().availableGeometry()
        self.resize(min(wanted[0], screen.width() - 40), min(wanted[1], screen.height() - 80))
        self.setMinimumWidth(560)

    def _head(self) -> QWidget:
        row = QHBoxLayout()
        margins(row, 0, 20, gap=12)
        question = label(visible(self._preview.question), "title", weight=600)
        question.setWordWrap(len(self._preview.question) > 60)
        row.addWidget(question, int(question.wordWrap()))
        about = ElidedLabel("meta", tone="dim")
        about.setText(" · ".join(filter(None, (f"“{self._why()}”" if self._why() else "", self._preview.where))))
        row.addWidget(about, 1)
        if isinstance(self._body, ChangeBody):
            self._views(row)
        head = frame("background", row)
        head.setMinimumHeight(50)
        return head

    def _why(self) -> str:
        return " ".join(self.request.why.split())[:200]

    def _views(self, row: QHBoxLayout) -> None:
        """Unified · Side by side: two words to switch between."""
        assert isinstance(self._body, ChangeBody)
        diff = self._body.diff
        unified, beside = Word("Unified", "unifiedButton"), Word("Side by side", "sideBySideButton")

        def choose(on: bool) -> None:
            diff.set_side_by_side(on)
            unified.setChecked(not on)
            beside.setChecked(on)

        unified.clicked.connect(lambda: choose(False))
        beside.clicked.connect(lambda: choose(True))
        row.addWidget(unified)
        row.addWidget(beside)
        choose(any(one.action == "modify" for one in self._preview.changes))

    def _warnings(self) -> list[QLabel]:
        """What could be lost, in red; and what stands beside a change, such as a protected place."""
        found = []
        beside = self._preview.text if isinstance(self._body, ChangeBody) else ""
        for text, tone in ((self._preview.danger, "danger"), (beside, "attention")):
            if text:
                line = label(visible(text), "body" if tone == "danger" else "meta", tone=tone, weight=500)
                line.setObjectName("dangerLine" if tone == "danger" else "attentionLine")
                line.setWordWrap(True)
                line.setContentsMargins(20, 10, 20, 10)
                found.append(line)
        return found

    def _foot(self) -> QWidget:
        row = QHBoxLayout()
        margins(row, 0, gap=10)
        row.addWidget(self._reason, 1)
        for one in (self._deny, self._edit, self._more, self._session, self._approve):
            row.addWidget(one)
        column = QVBoxLayout()
        margins(column, 12, 20, gap=8)
        if self._can_remember:
            covers = ElidedLabel("small", tone="dim")
            covers.setText(f"“{self._session.text()}” covers: {self._covers}")
            column.addWidget(covers)
        column.addLayout(row)
        return frame("background", column)

    def _refresh(self) -> None:
        """Show what each answer would do now."""
        body = self._body
        self._session.setVisible(self._can_remember)
        self._more.setVisible(self._can_remember)
        self._edit.setVisible(isinstance(body, ChangeBody) and body.can_edit)
        ready = True
        if isinstance(body, ChangeBody):
            taken, of = body.diff.choice.taken, body.diff.choice.total
            self._approve.say(f"{self._verb} {taken} of {of}" if taken < of else self._verb)
            ready = body.ready
            self._edit.setEnabled(not body.editing)
        for one in (self._approve, self._session, self._always):
            one.setEnabled(ready)

    # --- answers ---

    def _allow(self, scope: Scope) -> None:
        body = self._body
        if scope != "once" and not self._can_remember:
            return
        if isinstance(body, ChangeBody):
            if body.ready:
                self._answer(Decision(True, scope, hunks=body.hunks(), edited=body.edited()))
        else:
            self._answer(Decision(True, scope))

    def _refuse(self) -> None:
        self._answer(Decision(False, reason=self._reason.text().strip()))

    def _start_edit(self) -> None:
        if isinstance(self._body, ChangeBody) and self._body.can_edit:
            self._body.edit()

    def _answer(self, decision: Decision) -> None:
        """Say it once and close."""
        if not self._answered:
            self._answered = True
            self.decided.emit(decision)
            self.accept()

    # --- keys ---

    @property
    def armed(self) -> bool:
        """Keys count."""
        return bool(self._shown_at) and time.monotonic() - self._shown_at >= ARMED_AFTER

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        early = event.type() in (QEvent.Type.KeyPress, QEvent.Type.ShortcutOverride) and not self.armed
        if early and isinstance(watched, QWidget) and watched.window() is self and isinstance(event, QKeyEvent):
            return event.key() not in (Qt.Key.Key_Escape, Qt.Key.Key_Tab, Qt.Key.Key_Backtab)
        return super().eventFilter(watched, event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        focus = QApplication.focusWidget()
        in_text = isinstance(focus, QLineEdit) or (isinstance(self._body, ChangeBody) and self._body.editing)
        if event.key() == Qt.Key.Key_Escape:
            self._escape()
        elif event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self._enter(focus)
        elif (
            not in_text and not event.isAutoRepeat() and not event.modifiers() & ~Qt.KeyboardModifier.ShiftModifier
        ):
            self._key(Qt.Key(event.key()))

    def _key(self, key: Qt.Key) -> None:
        answers: dict[Qt.Key, Callable[[], None]] = {
            Qt.Key.Key_Y: lambda: self._allow("once"),
            Qt.Key.Key_N: self._refuse,
            Qt.Key.Key_S: lambda: self._allow("session"),
            Qt.Key.Key_A: lambda: self._allow("always"),
            Qt.Key.Key_E: self._start_edit,
        }
        if self.armed and key in answers:
            answers[key]()

    def _enter(self, focus: QWidget | None) -> None:
        """In the reason it denies; elsewhere it approves what isn't dangerous."""
        if not self.armed:
            return
        if focus is self._reason:
            self._refuse()
        elif not self._preview.danger and not isinstance(focus, QToolButton | KeyButton):
            self._allow("once")
        elif isinstance(focus, KeyButton):
            focus.click()

    def _escape(self) -> None:
        if isinstance(self._body, ChangeBody) and self._body.editing:
            self._body.leave_editor()
        else:
            self.reject()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._shown_at = self._shown_at or time.monotonic()
        (self._body.diff if isinstance(self._body, ChangeBody) else self._body).setFocus()

    def closeEvent(self, event: QCloseEvent) -> None:
        self._forget()
        super().closeEvent(event)

    def done(self, result: int) -> None:
        self._forget()
        super().done(result)

    def _forget(self) -> None:
        app = QApplication.instance()
        if app is not None:
            app.removeEventFilter(self)


def _plain(event: QKeyEvent) -> bool:
    """No modifier but Shift is down."""
    return not event.modifiers() & ~Qt.KeyboardModifier.ShiftModifier
