"""The window and the tray, with real trays on a real screen: one of the X kind, and one over D-Bus."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.ui.screen import missing, play

SCENES = "tests.ui.on_screen_tray"
pytestmark = pytest.mark.screen


def needs(*programs: str) -> pytest.MarkDecorator:
    lacks = missing("Xvfb", "dbus-run-session", "openbox", *programs)
    return pytest.mark.skipif(bool(lacks), reason=f"needs {', '.join(lacks)}")


@needs("tint2", "dunst", "dunstctl")
def test_the_window_hides_only_in_a_tray_that_is_there_says_so_once_and_comes_back_when_it_goes(
    tmp_path: Path,
) -> None:
    """aw-qt#97: a tray that starts after us. teams-for-linux#615: hidden to a tray that doesn't exist."""
    assert play(SCENES, "panel", str(tmp_path)) == {
        "at first": False,
        "later": True,
        "hidden": True,
        "told": True,
        "unmarked": True,
        "marked": True,
        "back without a tray": True,
        "says why": True,
        "again": True,
        "hidden again": True,
        "after a restart": {"hidden": True, "notes": 1},
    }


@needs()
def test_the_menu_of_a_tray_over_the_bus_says_what_is_next_and_pauses_all(tmp_path: Path) -> None:
    assert play(SCENES, "bus", str(tmp_path)) == {
        "at first": False,
        "later": "item",
        "hidden": True,
        "a click shows it": True,
        "hidden again": True,
        "chosen": "Pause all routines and watches",
        "paused": True,
        "next": "Next: Tea",
        "next shows it": True,
        "hidden at the end": True,
        "back without a tray": True,
    }


@needs()
def test_quit_in_the_menu_of_the_tray_ends_the_program(tmp_path: Path) -> None:
    assert play(SCENES, "end", str(tmp_path)) == {
        "there": "item",
        "chosen": "Quit",
        "ended": True,
        "code": 0,
        "said": "",
    }


@needs("dunst", "dunstctl")
def test_without_a_tray_the_window_is_made_small_and_says_so_until_it_is_closed_again(tmp_path: Path) -> None:
    """What goes on here is a watch: it has no time of which one is told, and counts all the same."""
    assert play(SCENES, "none", str(tmp_path)) == {
        "small": True,
        "told": True,
        "runs": True,
        "says so": True,
        "ended": True,
    }
