"""Combinations of keys as people write them."""

from __future__ import annotations

import pytest

from ankita_desktop.errors import AnkitaError
from ankita_desktop.store.settings import Settings
from ankita_desktop.toolkit.keys import read_keys


@pytest.mark.parametrize(
    ("text", "written", "symbol"),
    [
        ("Ctrl+Shift+M", "Ctrl+Shift+M", "m"),
        ("shift + ctrl + m", "Ctrl+Shift+M", "m"),
        ("META+space", "Meta+Space", "space"),
        ("ctrl+alt+7", "Ctrl+Alt+7", "7"),
        ("f12", "F12", "F12"),
        ("pause", "Pause", "Pause"),
        ("scrolllock", "ScrollLock", "Scroll_Lock"),
    ],
)
def test_a_combination_is_read_however_it_is_written(text: str, written: str, symbol: str) -> None:
    keys = read_keys(text)
    assert (str(keys), keys.symbol) == (written, symbol)


@pytest.mark.parametrize("text", ["", "+", "Ctrl+", "Strg+M", "Ctrl+Foo", "Ctrl+Ctrl", "F25", "Ctrl+ä"])
def test_what_is_no_combination_is_refused_with_an_example(text: str) -> None:
    with pytest.raises(ValueError, match=r"Ctrl\+Shift\+M"):
        read_keys(text)


@pytest.mark.parametrize("text", ["m", "Shift+M", "Space", "Shift+7", "Home"])
def test_a_key_that_people_type_with_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="needed for typing"):
        read_keys(text)


def test_the_setting_takes_a_combination_and_explains_what_is_none() -> None:
    settings = Settings()
    settings.set("voice.talk_key", "alt+meta+t")
    assert settings.values.voice.talk_key == "Alt+Meta+T"
    with pytest.raises(AnkitaError, match="needed for typing"):
        settings.set("voice.talk_key", "t")
