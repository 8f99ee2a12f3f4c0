"""Which calls run unasked in which mode, and when a turn goes in circles."""

from __future__ import annotations

from dataclasses import dataclass

import pytest

from ankita_desktop.core.approvals import verdict
from ankita_desktop.core.turn import going_in_circles
from ankita_desktop.protocol import Level, Message, Mode, Preview, ToolCall, ToolSpec

READ = Preview("text", "?", effect="read")
EDIT_INSIDE = Preview("diff", "?", effect="edit", inside=True)
EDIT_OUTSIDE = Preview("diff", "?", effect="edit")
RUN = Preview("command", "?", effect="run", inside=True)


@pytest.mark.parametrize(
    ("mode", "level", "preview", "expected"),
    [
        ("ask", "ask", EDIT_INSIDE, "ask"),
        ("ask", "never", EDIT_INSIDE, "run"),
        ("never", "never", READ, "run"),
        ("never", "ask", READ, "deny"),
        ("never", "always", READ, "deny"),
        ("reads", "ask", READ, "run"),
        ("reads", "ask", EDIT_INSIDE, "ask"),
        ("edits", "ask", READ, "run"),
        ("edits", "ask", EDIT_INSIDE, "run"),
        ("edits", "ask", EDIT_OUTSIDE, "ask"),
        ("edits", "ask", RUN, "ask"),
        ("all", "ask", RUN, "run"),
        ("all", "always", RUN, "ask"),
    ],
)
def test_a_mode_lets_pass_what_its_name_says(mode: Mode, level: Level, preview: Preview, expected: str) -> None:
    assert verdict(level, preview, mode) == expected


@dataclass
class Specs:
    """As much of a catalogue as the question needs."""

    read_only: bool

    def spec(self, name: str) -> ToolSpec:
        return ToolSpec(name, "", {}, "core", read_only=self.read_only)


def rounds(*outcomes: tuple[str, str, bool]) -> list[Message]:
    messages = []
    for number, (path, text, ok) in enumerate(outcomes):
        call = ToolCall(f"c{number}", "edit_file", {"path": path})
        messages += [Message("assistant", calls=(call,)), Message("tool", text, call_id=call.id, ok=ok)]
    return messages


SAME = ("a", "same", True)
FAILED = ("a", "no such text", False)


def test_the_same_call_with_the_same_result_three_times_stops() -> None:
    assert not going_in_circles(rounds(SAME, SAME), Specs(True))  # type: ignore[arg-type]
    assert "3 times" in going_in_circles(rounds(SAME, SAME, SAME), Specs(True))  # type: ignore[arg-type]


def test_different_files_or_different_results_are_no_circle() -> None:
    assert not going_in_circles(rounds(*[(str(n), "same", True) for n in range(9)]), Specs(True))  # type: ignore[arg-type]
    assert not going_in_circles(rounds(*[("a", str(n), True) for n in range(9)]), Specs(True))  # type: ignore[arg-type]


def test_a_change_that_fails_twice_in_the_same_way_asks_the_person() -> None:
    assert "failed twice" in going_in_circles(rounds(FAILED, FAILED), Specs(False))  # type: ignore[arg-type]
    assert not going_in_circles(rounds(FAILED, ("a", "other", False)), Specs(False))  # type: ignore[arg-type]
    assert not going_in_circles(rounds(FAILED, FAILED), Specs(True))  # type: ignore[arg-type]
