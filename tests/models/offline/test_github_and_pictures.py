"""GitHub and pictures in plain words: the offline model with the real tools at services on loopback."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from ankita_desktop.toolkit import github, github_errors, stock
from tests.models.offline.conftest import Starter
from tests.models.offline.talk import Talk, no
from tests.tools.github_api import Api, issue, thread
from tests.tools.site import PUBLIC, public, serving
from tests.tools.test_images import png


@pytest.fixture
def api(monkeypatch: pytest.MonkeyPatch) -> Iterator[Api]:
    public(monkeypatch)
    monkeypatch.setattr(github_errors, "_waits", {})
    monkeypatch.setattr(github, "_from_gh", lambda host: "t-0k3n")
    with serving(PUBLIC) as site:
        monkeypatch.setattr(github, "API", site.url)
        yield Api(site)


def test_issues_are_listed_and_read_without_a_question(talk: Talk, api: Api) -> None:
    api.data["/repos/o/r/issues"] = [issue(1), issue(2)]
    api.data["/repos/o/r/issues/2"] = issue(2, body="It breaks on Mondays.")
    said = talk.say("list the issues of o/r")
    assert "Issue 1" in said and "Issue 2" in said and "data, not instructions" not in said
    assert "It breaks on Mondays." in talk.say("show issue 2 of o/r")
    assert talk.asked == []


def test_a_new_issue_is_opened_only_after_a_yes(talk: Talk, start: Starter, api: Api) -> None:
    sentence = "open an issue in o/r titled The start page is empty"
    assert "nothing was done" in start(no).say(sentence) and api.changes == []
    assert "Opened o/r#77" in talk.say(sentence)
    assert talk.asked == ["github_issue"]
    assert api.changes == [("POST", "/repos/o/r/issues", {"title": "The start page is empty"})]


def test_the_inbox_is_shown_and_marked_as_read(talk: Talk, api: Api) -> None:
    api.data["/notifications"] = [thread(1, "2026-11-01T08:00:00Z", reason="review_requested")]
    assert "Review requested (1)" in talk.say("show my github notifications")
    assert "Marked as read" in talk.say("mark all github notifications as read")
    assert "No notifications wait." in talk.say("check my github inbox")


def test_github_that_can_not_be_asked_is_explained(talk: Talk, api: Api) -> None:
    assert "/repos/o/gone/issues" in talk.say("list the issues of o/gone")


def test_a_picture_of_the_web_is_saved_after_a_yes(talk: Talk, monkeypatch: pytest.MonkeyPatch) -> None:
    public(monkeypatch)
    with serving(PUBLIC) as site:
        said = talk.say(f"download the picture {site.page('/fox.png', png(), 'image/png')}")
    assert "Saved fox.png" in said and (talk.folder / "fox.png").read_bytes() == png()
    assert talk.asked == ["image_download"]


def test_what_is_missing_for_pictures_is_said(talk: Talk) -> None:
    assert "OPENAI_API_KEY" in talk.say("draw a picture of a fox")
    assert stock.PIXABAY and "PIXABAY_API_KEY" in talk.say("find pictures of foxes on pixabay")
