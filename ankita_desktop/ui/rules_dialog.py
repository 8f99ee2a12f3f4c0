"""What decides about calls without a question: the person's rules and remembered answers, to see, add to and take
back, and what would happen to a command under them. Main thread only; everything else is done on the worker."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from PySide6.QtCore import Qt, QTimer
from PySide6.QtWidgets import QDialog, QFrame, QHBoxLayout, QLabel, QLineEdit, QVBoxLayout, QWidget

from ankita_desktop.assembly import Assembly
from ankita_desktop.errors import StoreError
from ankita_desktop.protocol import Grant
from ankita_desktop.safety.foresight import judged
from ankita_desktop.safety.rules import Rules
from ankita_desktop.toolkit.rule_text import parse_rule
from ankita_desktop.ui.approval_parts import visible
from ankita_desktop.ui.bridge import Bridge
from ankita_desktop.ui.icons import IconButton
from ankita_desktop.ui.parts import (
    ElidedLabel,
    button,
    discard,
    frame,
    label,
    margins,
    name,
    restyle,
    scrolling,
)
from ankita_desktop.ui.session_rows import short_path

RULES = "approvals.rules"
EXTENT = (620, 600)
PAUSE_MS = 150
"""Typing rests this long before a command is judged."""
TONES = {"runs": "accent", "asks": "attention", "always asks": "attention"}
ENDS = {
    "runs": "Runs without a question.",
    "asks": "You are asked.",
    "always asks": "You are asked every time.",
    "denied": "Denied without a question.",
    "is never run": "Never run.",
}
NO_RULES = "There are no rules yet. A rule is a line such as: allow run_command(git status *)"
NO_GRANTS = "Nothing is remembered. “In this chat” and “Always” in a question put it here."


@dataclass(frozen=True, slots=True)
class Deciding:
    """What decides now: the rules, and each grant with the chat it counts in ("" for every one)."""

    rules: tuple[str, ...]
    grants: tuple[tuple[Grant, str], ...]


def show_rules(assembly: Assembly, bridge: Bridge, folder: str, parent: QWidget) -> None:
    """Open the dialog over ``parent``, or bring it to the front. Commands are judged in ``folder``."""
    found = parent.findChild(RulesDialog)
    dialog = found or RulesDialog(assembly, bridge, parent)
    dialog.look(folder)
    dialog.show()
    dialog.raise_()
    dialog.activateWindow()


class RulesDialog(QDialog):
    """Every change counts at once."""

    def __init__(self, assembly: Assembly, bridge: Bridge, parent: QWidget) -> None:
        super().__init__(parent)
        name(self, "rulesDialog", "Rules and grants")
        self.setWindowTitle("Rules and grants")
        self.resize(*EXTENT)
        self._settings, self._store, self._bridge = assembly.settings, assembly.store, bridge
        self._folder = ""
        self._rules, self._grants = _List("rulesList", NO_RULES), _List("grantsList", NO_GRANTS)
        self._problem = _words("", "danger")
        name(self._problem, "ruleProblem", "What is wrong with the rule")
        self._problem.hide()
        self._new = _field("ruleNew", "allow run_command(npm test *)", "New rule")
        self._new.returnPressed.connect(self._add)
        self._new.textEdited.connect(lambda _text: self._problem.hide())
        self._trial = _Trial(self._judge)
        self._place()

    def look(self, folder: str = "") -> None:
        """Show how it stands now."""
        self._folder = folder or self._folder
        self._trial.where.setText(f"in {short_path(self._folder)}")
        self._bridge.do(self._read, self._show)

    def _place(self) -> None:
        inside = frame("background")
        column = QVBoxLayout(inside)
        margins(column, 20, 24, gap=8)
        add = button("Add", weight=500)
        name(add, "addRuleButton", "Add the rule")
        add.clicked.connect(self._add)
        adding = QHBoxLayout()
        margins(adding, 0, gap=8)
        adding.addWidget(self._new, 1)
        adding.addWidget(add)
        column.addWidget(label("What would happen", "title", weight=600))
        column.addWidget(self._trial)
        column.addSpacing(12)
        column.addWidget(label("Rules", "title", weight=600))
        column.addWidget(
            _words("Deny wins; of the others the rule that says most. No rule lets danger run unasked.")
        )
        column.addWidget(self._rules)
        column.addLayout(adding)
        column.addWidget(self._problem)
        column.addSpacing(12)
        column.addWidget(label("Remembered answers", "title", weight=600))
        column.addWidget(self._grants)
        column.addStretch(1)
        scrolling(self, inside, self._foot())

    def _foot(self) -> QHBoxLayout:
        done = button("Done", "primary", weight=500)
        done.clicked.connect(self.accept)
        foot = QHBoxLayout()
        margins(foot, 12, 24)
        foot.addStretch(1)
        foot.addWidget(done)
        return foot

    # --- what decides

    def _read(self) -> Deciding:
        """On the worker."""
        grants = tuple((grant, self._chat(grant.session)) for grant in self._store.all_grants())
        return Deciding(tuple(self._settings.values.approvals.rules), grants)

    def _chat(self, session: str) -> str:
        try:
            return (self._store.session(session).title or "an untitled chat") if session else ""
        except StoreError:
            return "a chat that is gone"

    def _show(self, now: Deciding) -> None:
        self._rules.fill(_row(f"rule-{text}", text, "", partial(self._remove, text)) for text in now.rules)
        self._grants.fill(
            _row(
                f"grant-{grant.id}",
                grant.label,
                f"in the chat “{chat}”" if chat else "in every chat",
                partial(self._do, partial(self._store.revoke_grant, grant.id)),
            )
            for grant, chat in now.grants
        )
        self._trial.again()

    def _do(self, work: Callable[[], Any]) -> None:
        self._bridge.do(work)
        self.look()

    def _add(self) -> None:
        text = self._new.text().strip()
        try:
            text = parse_rule(text).text
        except ValueError as error:
            self._problem.setText(f"That is no rule: {error}.")
            self._problem.show()
            return
        self._problem.hide()
        self._new.clear()
        self._do(lambda: self._keep(lambda rules: rules if text in rules else [*rules, text]))

    def _remove(self, text: str) -> None:
        self._do(lambda: self._keep(lambda rules: [each for each in rules if each != text]))

    def _keep(self, changed: Callable[[list[str]], list[str]]) -> None:
        """On the worker."""
        self._settings.set(RULES, "\n".join(changed(list(self._settings.values.approvals.rules))))

    # --- what would happen

    def _judge(self, command: str) -> None:
        folder = Path(self._folder)
        self._bridge.do(lambda: self._judged(command, folder), self._trial.show_verdict)

    def _judged(self, command: str, folder: Path) -> dict[str, Any]:
        """On the worker. Only what is remembered for every chat counts here."""
        rules = self._settings.values.approvals.rules
        return judged(command, folder, Rules(lambda: rules), self._store.grants())


class _Trial(QWidget):
    """A field for a command and the verdict on it, never that on an earlier text."""

    def __init__(self, judge: Callable[[str], None]) -> None:
        super().__init__()
        self._judge = judge
        self._command = _field("checkCommand", "Type a command; it is not run", "A command to judge")
        self._end, self._why = _words("", ""), _words("")
        name(self._end, "checkOutcome", "What would happen")
        name(self._why, "checkReason", "Why")
        self.where = ElidedLabel("meta", tone="dim")
        self._pause = QTimer(self)
        self._pause.setSingleShot(True)
        self._pause.setInterval(PAUSE_MS)
        self._pause.timeout.connect(self.again)
        self._command.textChanged.connect(self._typed)
        column = QVBoxLayout(self)
        margins(column, 0, gap=4)
        for part in (self._command, self.where, self._end, self._why):
            column.addWidget(part)
        self._typed("")

    def _typed(self, text: str) -> None:
        self._end.setText("")
        self._why.setText("")
        for part in (self._end, self._why):
            part.setVisible(bool(text.strip()))
        self._pause.start()

    def again(self) -> None:
        """Judge what stands there, as the rules are now."""
        if self._command.text().strip():
            self._judge(self._command.text())

    def show_verdict(self, found: dict[str, Any]) -> None:
        if found["command"] != self._command.text():
            return
        given = "; ".join(each["label"] for each in found["grants"])
        by = f" By: {found['rule']}" if found["rule"] else f" You allowed: {given}" if given else ""
        self._end.setText(f"{ENDS[found['outcome']]}{visible(by)}")
        self._end.setProperty("tone", TONES.get(found["outcome"], "danger"))
        self._why.setText(f"Judged {found['verdict']}: {visible(found['reason'])}")
        restyle(self._end)


class _List(QWidget):
    """Rows below each other, or a line that says why there are none."""

    def __init__(self, object_name: str, empty: str) -> None:
        super().__init__()
        self.setObjectName(object_name)
        self._empty = _words(empty)
        self._rows: Sequence[QWidget] = ()
        self._column = QVBoxLayout(self)
        margins(self._column, 0, gap=4)
        self._column.addWidget(self._empty)

    def fill(self, rows: Iterable[QWidget]) -> None:
        for old in self._rows:
            discard(old)
        self._rows = tuple(rows)
        for row in self._rows:
            self._column.addWidget(row)
        self._empty.setVisible(not self._rows)


def _row(object_name: str, text: str, about: str, remove: Callable[[], Any]) -> QFrame:
    made = frame("card")
    name(made, object_name, text)
    words = ElidedLabel("body" if about else "mono")
    words.setText(visible(text))
    away = IconButton("x", f"Remove: {visible(text)}")
    away.setObjectName("removeButton")
    away.clicked.connect(lambda: remove())
    row = QHBoxLayout(made)
    margins(row, 4, 6, 4, 12, gap=8)
    row.addWidget(words, 1)
    if about:
        row.addWidget(label(about, "meta", tone="dim"))
    row.addWidget(away)
    return made


def _words(text: str, tone: str = "dim") -> QLabel:
    made = label(text, "meta", tone=tone)
    made.setWordWrap(True)
    made.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
    return made


def _field(object_name: str, hint: str, words: str) -> QLineEdit:
    made = QLineEdit()
    name(made, object_name, words)
    made.setPlaceholderText(hint)
    return made
