"""What a notification says and offers."""

from __future__ import annotations

import pytest

from ankita_desktop.protocol import ApprovalRequest, Level, Preview, ToolCall
from ankita_desktop.ui.notify import LONGEST, offers, short


def request(preview: Preview, level: Level = "ask") -> ApprovalRequest:
    return ApprovalRequest("r", "s", ToolCall("c", "run_command"), level, preview)


def command(text: str, **fields: str) -> Preview:
    return Preview("command", "Run this command?", text=text, **fields)  # type: ignore[arg-type]


def test_allow_is_offered_for_what_can_be_read_whole() -> None:
    assert offers(request(command("make test")))


@pytest.mark.parametrize(
    "asked",
    [
        request(command("make test"), "always"),
        request(command("rm -r build", danger="Removes a folder.")),
        request(command("x" * LONGEST)),
        request(command("echo a\necho b")),
        request(command("echo *")),
        request(command("")),
        request(Preview("diff", "Change a file?")),
    ],
    ids=["level always", "danger", "too long", "several lines", "signs that are not shown", "empty", "a diff"],
)
def test_all_else_is_looked_at_in_the_window(asked: ApprovalRequest) -> None:
    assert not offers(asked)


def test_a_long_answer_is_cut_to_its_first_words_without_markdown() -> None:
    assert short("# Title\n\n**Bold** and `code`") == "Title Bold and code"
    assert short("> said __so__ and _thus_") == "said so and thus"
    plain = "C# and <b>a</b> > 5 in snake_case"
    assert short(plain) == plain
    assert len(short("word " * 200)) <= LONGEST
