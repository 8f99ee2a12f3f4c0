"""Settings: live, checked, and never lost."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from ankita_desktop.core.ports import EngineSettings
from ankita_desktop.errors import UsageError
from ankita_desktop.store.settings import Settings, all_settings

HAND_WRITTEN = """# my settings
[agent]
max_rounds = 5   # enough
later_key = "kept"

[from_the_future]
x = 1
"""


def rewritten(settings_: Settings, text: str) -> None:
    settings_.path.write_text(text)


def test_without_a_file_the_defaults_count_and_none_is_written() -> None:
    settings_ = Settings()
    assert settings_.get("agent.max_rounds") == 60
    assert settings_.get("ui.theme") == "system"
    assert not settings_.path.exists()
    assert settings_.notices == ()


def test_the_core_sees_a_change_at_once() -> None:
    settings_ = Settings()
    view: EngineSettings = settings_
    settings_.set("agent.max_rounds", "7")
    settings_.set("agent.deferral", "off")
    assert (view.max_rounds, view.deferral) == (7, "off")
    assert view.as_dict()["agent"] == {
        "max_rounds": 7,
        "deferral": "off",
        "schema_tokens": view.schema_tokens,
        "daily_budget": 0,
    }


def test_a_change_by_another_process_counts_at_the_next_read() -> None:
    settings_ = Settings()
    assert settings_.max_rounds == 60
    command = [sys.executable, "-m", "ankita_desktop", "config", "set", "agent.max_rounds", "9"]
    subprocess.run(command, check=True, capture_output=True)
    assert settings_.max_rounds == 9


def test_comments_and_unknown_keys_stay_and_are_reported() -> None:
    settings_ = Settings()
    rewritten(settings_, HAND_WRITTEN)
    settings_.set("ui.theme", "dark")
    text = settings_.path.read_text()
    assert text.startswith(HAND_WRITTEN.rstrip("\n"))
    assert 'theme = "dark"' in text
    assert settings_.max_rounds == 5
    assert [notice for notice in settings_.notices if "agent.later_key" in notice]
    assert [notice for notice in settings_.notices if "from_the_future" in notice]


def test_a_wrong_value_counts_as_not_set_is_reported_and_left_in_the_file() -> None:
    settings_ = Settings()
    rewritten(settings_, '[agent]\nmax_rounds = "many"\ndeferral = "off"\n[ui]\ntheme = "pink"\n')
    assert (settings_.max_rounds, settings_.deferral, settings_.get("ui.theme")) == (60, "off", "system")
    assert len(settings_.notices) == 2
    assert "agent.max_rounds" in settings_.notices[0]
    assert "pink" in settings_.path.read_text()


def test_a_part_that_is_no_table_is_reported_and_can_be_set_all_the_same() -> None:
    settings_ = Settings()
    rewritten(settings_, "agent = 5\n")
    assert settings_.max_rounds == 60
    assert settings_.notices
    settings_.set("agent.max_rounds", "6")
    assert settings_.max_rounds == 6


@pytest.mark.parametrize("broken", [b"[agent\nmax_rounds = 5", b"\xff\xfe\x00", b"a = 1\na = 2\n"])
def test_a_file_that_is_no_toml_is_set_aside_and_reported_never_overwritten(broken: bytes) -> None:
    path = Settings().path
    path.write_bytes(broken)
    settings_ = Settings()
    settings_.set("ui.theme", "dark")
    (aside,) = path.parent.glob("settings.toml.broken-*")
    assert aside.read_bytes() == broken
    assert str(aside) in settings_.notices[0]


@pytest.mark.parametrize(
    ("key", "text", "told"),
    [
        ("ui.theme", "pink", "system, light, dark, high-contrast"),
        ("agent.deferral", "", "auto, attach, dispatch, native, off"),
        ("agent.max_rounds", "many", "valid integer"),
        ("agent.max_rounds", "0", "greater than or equal to 1"),
        ("ui.close_to_tray", "perhaps", "true, false"),
        ("model.base_url", "localhost:1234", "http://"),
        ("ui.font_size", "nan", "32"),
    ],
)
def test_a_value_that_is_not_valid_is_refused_with_what_is(key: str, text: str, told: str) -> None:
    settings_ = Settings()
    with pytest.raises(UsageError) as refused:
        settings_.set(key, text)
    assert key in str(refused.value)
    assert told in str(refused.value)
    assert not settings_.path.exists()


@pytest.mark.parametrize(("key", "near"), [("agnt.max_rounds", "agent.max_rounds"), ("theme", "ui.theme")])
def test_a_key_that_does_not_exist_is_answered_with_the_nearest(key: str, near: str) -> None:
    with pytest.raises(UsageError, match=near):
        Settings().get(key)


@pytest.mark.parametrize(("text", "value"), [("yes", True), ("OFF", False), ("1", True), ("false", False)])
def test_a_switch_takes_the_words_people_use(text: str, value: bool) -> None:
    settings_ = Settings()
    settings_.set("ui.close_to_tray", text)
    assert settings_.get("ui.close_to_tray") is value


def test_a_list_may_be_given_as_it_is_shown() -> None:
    settings_ = Settings()
    for text in ('["/a", "/b c"]', "/a\n/b c"):
        settings_.set("folders.trusted", text)
        assert settings_.get("folders.trusted") == ("/a", "/b c")
    settings_.set("folders.trusted", "[a folder]")
    assert settings_.get("folders.trusted") == ("[a folder]",)


def test_a_list_has_one_item_a_line() -> None:
    settings_ = Settings()
    settings_.set("folders.trusted", "/a b\n/c, d\n")
    assert settings_.get("folders.trusted") == ("/a b", "/c, d")


@settings(max_examples=50, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.text())
def test_any_text_is_kept_or_refused_and_never_breaks_the_file(text: str) -> None:
    settings_ = Settings()
    settings_.set("model.model", text)
    assert Settings().get("model.model") == text.strip()


def test_a_linked_settings_file_stays_a_link(tmp_path: Path) -> None:
    real = tmp_path / "dotfiles.toml"
    real.write_text("[ui]\ntheme = 'light'\n")
    path = Settings().path
    path.symlink_to(real)
    Settings().set("ui.theme", "dark")
    assert path.is_symlink()
    assert 'theme = "dark"' in real.read_text()


def test_two_processes_that_change_different_keys_both_count() -> None:
    keys = {"ui.theme": "dark", "agent.max_rounds": "3", "agent.deferral": "off", "model.model": "m"}
    command = [sys.executable, "-m", "ankita_desktop", "config", "set"]
    started = [subprocess.Popen([*command, key, value], stdout=subprocess.PIPE) for key, value in keys.items()]
    for process in started:
        process.communicate(timeout=60)
    settings_ = Settings()
    assert {key: str(settings_.get(key)) for key in keys} == keys


def test_every_setting_says_what_it_is_for() -> None:
    found = all_settings()
    assert {setting.key for setting in found} >= {
        "model.provider",
        "approvals.mode",
        "agent.max_rounds",
        "ui.theme",
    }
    for setting in found:
        assert setting.description.endswith((".", ")")), setting.key
        assert (setting.kind in ("choice", "switch")) == bool(setting.choices)
