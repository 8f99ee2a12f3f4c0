"""Situations that people reported of programs which watch GitHub."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from ankita_desktop.toolkit import github_cache, github_errors
from tests.tools.calls import call
from tests.tools.github_api import Api, context, github, issue, thread


@pytest.fixture
def api(monkeypatch: pytest.MonkeyPatch) -> Iterator[Api]:
    monkeypatch.setattr(github_errors, "_waits", {})
    with github() as served:
        yield served


def look(api: Api, **args: object) -> list[str]:
    """The ids that are told as new."""
    found = call("github_notifications", context(api), action="list", **args).details["notifications"]
    return [row["id"] for row in found if row["new"]]


def test_gitify_268_a_thousand_polls_cost_the_limit_one_request(api: Api) -> None:
    """[D] gitify#268: thousands of polls without conditional requests."""
    api.data["/notifications"] = [thread(1, "2026-11-01T08:00:00Z")]
    for _ in range(50):
        look(api)
    assert api.statuses == [200] + [304] * 49
    assert api.remaining == 4999
    assert all("if-none-match" in seen[2] for seen in api.site.seen[1:])


def test_gitify_268_every_page_of_a_list_is_asked_for_conditionally(api: Api) -> None:
    """[D] The same with more notifications than one page holds."""
    api.data["/notifications"] = [thread(n, "2026-11-01T08:00:00Z") for n in range(120)]
    look(api)
    look(api)
    assert api.statuses == [200] * 3 + [304] * 3


def test_gitify_268_within_the_poll_interval_nothing_is_asked_at_all(
    api: Api, monkeypatch: pytest.MonkeyPatch
) -> None:
    """[D] X-Poll-Interval: GitHub says how long to wait."""
    api.data["/notifications"], api.poll = [thread(1, "2026-11-01T08:00:00Z")], 60
    look(api)
    assert look(api) == [] and api.asked == 1
    later = github_cache.time.time() + 61
    monkeypatch.setattr(github_cache.time, "time", lambda: later)
    look(api)
    assert api.statuses == [200, 304]


def test_gitify_268_issues_and_searches_are_conditional_too(api: Api) -> None:
    """[D] The same for whatever else is read again and again."""
    api.data |= {"/repos/o/r/issues": [issue(1)], "/search/issues": {"items": [issue(2)]}}
    for _ in range(3):
        call("github_issue", context(api), action="list", repo="o/r")
        call("github_search", context(api), query="x", kind="issues")
    assert sorted(api.statuses) == [200, 200, 304, 304, 304, 304]


def test_gitify_268_what_changed_is_seen_at_once(api: Api) -> None:
    """[D] And a cache must not hide news."""
    api.data["/notifications"] = [thread(1, "2026-11-01T08:00:00Z")]
    look(api)
    api.data["/notifications"] = [thread(2, "2099-11-01T08:00:00Z"), *api.data["/notifications"]]
    assert look(api) == ["2"]


def test_gitify_2303_a_first_look_announces_nothing(api: Api) -> None:
    """[D] gitify#2303: old items announced as new."""
    api.data["/notifications"] = [thread(n, f"2026-10-{n:02}T08:00:00Z") for n in range(1, 20)]
    assert look(api) == []


def test_gitify_2303_what_a_first_look_left_out_is_not_announced_later(api: Api) -> None:
    """[D] Also when only a part was asked for."""
    api.data["/notifications"] = [thread(n, f"2026-10-{n:02}T08:00:00Z") for n in range(1, 20)]
    assert look(api, new=True) == [] and look(api, bucket="ci") == []
    assert look(api, new=True) == [] and look(api) == []


def test_gitify_2303_old_threads_that_come_up_are_not_announced(api: Api) -> None:
    """[D] Marking the newest as read moves older ones onto the first page: they are old all the same."""
    api.data["/notifications"] = [thread(1, "2026-10-02T08:00:00Z")]
    look(api)
    api.data["/notifications"] = [thread(7, "2026-09-01T08:00:00Z")]
    assert look(api) == []


def test_gitify_2303_a_thread_is_announced_once_for_each_update(api: Api) -> None:
    """[D] Not again by another order, another page or a restart; again when somebody wrote."""
    api.data["/notifications"] = [thread(1, "2026-10-02T08:00:00Z"), thread(2, "2026-10-03T08:00:00Z")]
    look(api)
    api.data["/notifications"].reverse()
    assert look(api) == []
    api.data["/notifications"][0]["updated_at"] = "2026-10-04T08:00:00Z"
    assert look(api) == ["2"]
    assert look(api) == []


def test_gitify_2303_a_look_at_some_leaves_the_rest_new(api: Api) -> None:
    """[D] And what was not shown has not been seen."""
    api.data["/notifications"] = [thread(1, "2026-10-02T08:00:00Z")]
    look(api)
    assert look(api) == []
    api.data["/notifications"] += [
        thread(2, "2099-10-02T08:00:00Z"),
        thread(3, "2099-10-02T08:00:00Z", reason="assign"),
    ]
    assert look(api, bucket="assigned") == ["3"]
    assert look(api) == ["2"]


def test_gitify_2303_a_thread_that_was_read_elsewhere_is_not_announced(api: Api) -> None:
    """[D] Unread is what GitHub says it is."""
    api.data["/notifications"] = [thread(1, "2026-10-02T08:00:00Z")]
    look(api)
    api.data["/notifications"] = [{**thread(1, "2026-10-05T08:00:00Z"), "unread": False}]
    assert look(api, all=True) == []
