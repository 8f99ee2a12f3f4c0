"""A model's server that has trouble: the person sees that it is tried again, and Stop doesn't wait for that."""

from __future__ import annotations

from collections.abc import Callable

from tests.ui.conftest import Desk, wait
from tests.wire import status

Open = Callable[..., Desk]


def test_a_retry_is_announced_and_stop_works_while_it_is_waited_for(desk: Open) -> None:
    there = desk(status(503, headers={"retry-after": "50"}), "Fine.")
    there.say("hello there friend")
    notice = there.find("noticeBar")
    wait(lambda: notice.text().endswith("has trouble (HTTP 503). Trying again in 50 s."))
    there.click("stopButton")
    there.until_idle()
    assert [ended.status for ended in there.ended] == ["cancelled"]
    wait(lambda: notice.text() == "")


def test_the_announcement_goes_when_the_answer_comes(desk: Open) -> None:
    seen: list[str] = []
    there = desk(status(500, headers={"retry-after": "0"}), status(429, headers={"retry-after": "0"}), "Fine.")
    notice = there.find("noticeBar")
    tell = notice.tell
    notice.tell = lambda text, *more: (seen.append(text), tell(text, *more))
    there.say("hello there friend")
    there.until_idle()
    wait(lambda: "Fine." in there.chat() and notice.text() == "")
    assert len(seen) == 2 and seen[0].endswith("(HTTP 500). Trying again.") and "busy" in seen[1]


def test_another_notice_isnt_taken_away_with_the_announcement(desk: Open) -> None:
    notice = desk().find("noticeBar")
    notice.wait("Trying again.", 50)
    notice.tell("Something else.")
    notice.over()
    assert notice.text() == "Something else."
    notice.wait("Trying again.", 50)
    notice.over()
    assert notice.text() == ""
