"""Which conversations the list shows, under which heading."""

from __future__ import annotations

from datetime import datetime, timedelta
from pathlib import Path

import pytest

from ankita_desktop import paths
from ankita_desktop.protocol import SessionInfo
from ankita_desktop.ui.session_rows import rows, short_path, when

NOW = datetime(2026, 11, 27, 15, 0)


def session(title: str, ago: timedelta, cwd: str = "") -> SessionInfo:
    moment = (NOW - ago).timestamp()
    return SessionInfo(title or "-", title, cwd or str(paths.default_folder()), updated=moment, created=moment)


def shown(*sessions: SessionInfo, query: str = "", found: frozenset[str] = frozenset()) -> list[str]:
    return [
        row.text if row.session else f"# {row.text}" for row in rows(sessions, query=query, found=found, now=NOW)
    ]


def test_recent_ones_stand_under_their_folder_old_ones_under_earlier() -> None:
    zumba = str(Path.home() / "code" / "zumba")
    assert shown(
        session("Photos", timedelta(days=9)),
        session("CI", timedelta(days=3), zumba),
        session("Briefing", timedelta(hours=5)),
        session("Watch", timedelta(days=2)),
        session("Port", timedelta(minutes=1), zumba),
    ) == [
        "# zumba · ~/code/zumba",
        *("Port", "CI"),
        "# Today",
        "Briefing",
        "# This week",
        "Watch",
        "# Earlier",
        "Photos",
    ]


def test_every_word_of_a_search_must_be_there_in_any_case() -> None:
    both = (session("Release notes", timedelta(hours=1)), session("Release party", timedelta(hours=2)))
    assert shown(*both, query="NOTES rel") == ["# Today", "Release notes"]
    assert shown(*both, query="nothing") == []
    assert shown(*both, query="zebra", found=frozenset({"Release party"})) == ["# Today", "Release party"]


def test_a_conversation_without_a_title_can_still_be_chosen() -> None:
    assert shown(session("", timedelta(0))) == ["# Today", "New chat"]


@pytest.mark.parametrize(
    ("moment", "words"),
    [
        (datetime(2026, 11, 27, 11, 20), "11:20"),
        (datetime(2026, 11, 23, 9, 0), "Mon"),
        (datetime(2026, 11, 2, 9, 0), "Nov 2"),
        (datetime(2025, 11, 21, 9, 0), "Nov 2025"),
    ],
)
def test_a_moment_is_as_short_as_it_can_be(moment: datetime, words: str) -> None:
    assert when(moment.timestamp(), NOW) == words


def test_a_neighbour_of_the_home_folder_is_not_inside_it() -> None:
    home = str(Path.home())
    assert short_path(home) == "~"
    assert short_path(home + "/a") == "~/a"
    assert short_path(home + "-other/a") == home + "-other/a"
