"""The approval dialog: the whole thing that will happen, and the answers to it.

Every answer has a key; letters are dead in text fields, and no key counts in the first moments, so that
typing meant for something else never answers. Esc closes the dialog and leaves the question waiting.
"""

from __future__ import annotations

import time
from collections.abc import Callable

from PySide6.QtCore import QEvent, QObject, Qt, Signal
from PySide6.QtGui import QCloseEvent, QKeyEvent, QShowEvent
from PySide6.QtWidgets import QApplication, QDialog, QLineEdit, QToolButton, QVBoxLayout, QWidget

from ankita_desktop.protocol import ApprovalRequest, Decision, Scope
from ankita_desktop.ui.approval_change import ChangeBody
from ankita_desktop.ui.approval_foot import Answers
from ankita_desktop.ui.approval_head import Head, warnings
from ankita_desktop.ui.approval_parts import KeyButton, Proposal, visible
from ankita_desktop.ui.approval_secrets import Hidden
from ankita_desktop.ui.parts import margins, name, rule

ARMED_AFTER = 0.7  # seconds in which no key counts
LARGE, SMALL = (1080, 640), (800, 400)
_SCOPES: dict[str, Scope] = {"once": "once", "session": "session", "always": "always"}


class ApprovalDialog(QDialog):
    """Asks one question. ``decided`` carries the ``Decision``, once; closing without it decides nothing."""

    decided = Signal(object)

    def __init__(
        self,
        request: ApprovalRequest,
        parent: QWidget | None = None,
        *,
        reveal: Callable[[str], str] = lambda text: text,
    ) -> None:
        super().__init__(parent)
        self.request = request
        self._preview = request.preview
        self._secrets = Hidden(request.preview, reveal)
        self._secrets.shown.connect(self._reveal)
        self._shown_at = 0.0
        self._answered = False
        name(self, "approvalDialog", visible(self._preview.question))
        self.setWindowTitle(visible(self._preview.question))
        self._answers = Answers(request)
        self._answers.allowed.connect(self._allow)
        self._answers.boxed.connect(self._allow_boxed)
        self._answers.denied.connect(self._refuse)
        self._answers.editAsked.connect(self._start_edit)
        self._body = self._make_body()
        self._place()
        app = QApplication.instance()
        if app is not None:
            app.installEventFilter(self)

    def _make_body(self) -> ChangeBody | Proposal:
        if self._preview.kind == "diff" and self._preview.changes:
            body = ChangeBody(self._preview)
            body.changed.connect(self._refresh)
            return body
        words = "The command" if self._preview.kind == "command" else "What would be done"
        return Proposal(self._preview.text, words)

    def _place(self) -> None:
        change = self._body if isinstance(self._body, ChangeBody) else None
        column = QVBoxLayout(self)
        margins(column, 0)
        column.addWidget(Head(self.request, change.diff if change else None))
        column.addWidget(rule())
        for line in warnings(self.request):
            column.addWidget(line)
        column.addWidget(self._secrets)
        inside = QVBoxLayout()
        margins(inside, *((0,) if change else (16, 20)))
        inside.addWidget(self._body)
        column.addLayout(inside, 1)
        column.addWidget(rule())
        column.addWidget(self._answers)
        self._refresh()
        wanted = LARGE if change else SMALL
        screen = self.screen().availableGeometry()
        self.resize(min(wanted[0], screen.width() - 40), min(wanted[1], screen.height() - 80))
        self.setMinimumWidth(max(560, self._answers.minimumSizeHint().width()))

    def _reveal(self) -> None:
        """The person wants to see the secrets: here only, nothing of it is kept."""
        if isinstance(self._body, ChangeBody):
            self._body.reveal(self._secrets.reveal)
        else:
            self._body.say(self._secrets.reveal(self._preview.text))

    def _refresh(self) -> None:
        """Show what each answer would do now."""
        body = self._body
        if isinstance(body, ChangeBody):
            taken, total = body.diff.choice.taken, body.diff.choice.total
            part = f"{taken} of {total}" if taken < total else ""
            self._answers.show_state(part=part, ready=body.ready, can_edit=body.can_edit and not body.editing)
        else:
            self._answers.show_state(part="", ready=True, can_edit=False)

    # --- answers ---

    def _allow(self, scope: str) -> None:
        body, lasting = self._body, _SCOPES[scope]
        if scope != "once" and not self._answers.can_remember:
            return
        if isinstance(body, ChangeBody):
            if body.ready:
                self._answer(Decision(True, lasting, hunks=body.hunks(), edited=body.edited()))
        else:
            self._answer(Decision(True, lasting))

    def _allow_boxed(self) -> None:
        if self._preview.boxable:
            self._answer(Decision(True, boxed=True))

    def _refuse(self) -> None:
        self._answer(Decision(False, reason=self._answers.reason.text().strip()))

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
            Qt.Key.Key_B: self._allow_boxed,
            Qt.Key.Key_E: self._start_edit,
        }
        if self.armed and key in answers:
            answers[key]()

    def _enter(self, focus: QWidget | None) -> None:
        """In the reason it denies; elsewhere it approves what isn't dangerous."""
        if not self.armed:
            return
        if focus is self._answers.reason:
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
