"""The dialog with what decides about calls: rules, remembered answers, and what would happen."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QWidget

from ankita_desktop.protocol import Grant
from ankita_desktop.toolkit.command_grants import grant
from tests.ui.conftest import Desk, wait

Open = Callable[..., Desk]
ALLOW, DENY = "allow run_command(npm test *)", "deny run_command(git push *)"


def opened(there: Desk) -> QWidget:
    """The dialog, by the way through the inbox."""
    there.window.waiting.show()
    there.click("inboxRulesButton")
    return wait(lambda: shown(there))  # type: ignore[no-any-return]


def shown(there: Desk) -> QWidget | None:
    found = there.window.findChildren(QWidget, "rulesDialog")
    return next((each for each in found if each.isVisible()), None)


def add(there: Desk, text: str) -> None:
    field = there.find("ruleNew")
    field.clear()
    QTest.keyClicks(field, text)
    there.click("addRuleButton")


def rules(there: Desk) -> list[str]:
    return list(there.application.assembly.settings.values.approvals.rules)


def outcome(there: Desk, command: str) -> str:
    field = there.find("checkCommand")
    field.clear()
    QTest.keyClicks(field, command)
    end = there.find("checkOutcome")
    text: str = wait(end.text)
    return text


def test_a_rule_is_added_counts_and_is_removed(desk: Open) -> None:
    there = desk()
    dialog = opened(there)
    for rule in (ALLOW, DENY):
        add(there, rule)
        wait(partial(dialog.findChild, QWidget, f"rule-{rule}"))
    assert rules(there) == [ALLOW, DENY] and there.find("ruleNew").text() == ""
    there.click("removeButton", there.find(f"rule-{ALLOW}"))
    wait(lambda: rules(there) == [DENY])
    wait(lambda: dialog.findChild(QWidget, f"rule-{ALLOW}") is None)


@pytest.mark.parametrize("text", ["nonsense", "allow run_command(*)", "deny run_command()"])
def test_what_is_no_rule_is_said_stays_in_the_field_and_changes_nothing(desk: Open, text: str) -> None:
    there = desk()
    opened(there)
    add(there, text)
    assert there.find("ruleProblem").isVisible() and there.find("ruleNew").text() == text
    QTest.keyClick(there.find("ruleNew"), Qt.Key.Key_End)
    QTest.keyClicks(there.find("ruleNew"), " ")
    assert not there.find("ruleProblem").isVisible()
    assert rules(there) == []


def test_a_typed_command_shows_what_would_happen_and_which_rule_says_so(desk: Open) -> None:
    there = desk()
    there.application.assembly.settings.set("approvals.rules", f"{ALLOW}\n{DENY}")
    opened(there)
    assert outcome(there, "ls") == "Runs without a question."
    assert outcome(there, "touch x") == "You are asked."
    assert outcome(there, "npm test") == f"Runs without a question. By: {ALLOW}"
    assert outcome(there, "git push") == f"Denied without a question. By: {DENY}"
    assert outcome(there, "rm -rf ..") == "You are asked every time."
    assert there.find("checkReason").text().startswith("Judged dangerous: ")
    assert there.find("checkOutcome").property("tone") == "attention"


def test_a_new_rule_counts_for_the_command_that_stands_there(desk: Open) -> None:
    there = desk()
    opened(there)
    assert outcome(there, "npm test") == "You are asked."
    add(there, ALLOW)
    wait(lambda: there.find("checkOutcome").text() == f"Runs without a question. By: {ALLOW}")


def test_an_answer_that_is_remembered_counts_until_it_is_taken_back(desk: Open) -> None:
    there = desk()
    store = there.application.assembly.store
    session = there.application.assembly.new_session(title="The shop")
    store.add_grant(Grant("g1", *grant("touch x")))
    store.add_grant(Grant("g2", *grant("make"), session.id))
    dialog = opened(there)
    here = wait(lambda: dialog.findChild(QWidget, "grant-g2"))
    assert any(getattr(each, "text", str)() == "in the chat “The shop”" for each in here.findChildren(QWidget))
    assert outcome(there, "make") == "You are asked."
    assert outcome(there, "touch x") == "Runs without a question. You allowed: commands that start with “touch x”"
    there.click("removeButton", there.find("grant-g1"))
    wait(lambda: [each.id for each in store.all_grants()] == ["g2"])
    wait(lambda: there.find("checkOutcome").text() == "You are asked.")


def test_the_settings_lead_to_it(desk: Open) -> None:
    there = desk()
    there.application.show_settings()
    there.find("rulesButton").click()
    assert wait(lambda: shown(there)).accessibleName() == "Rules and grants"
