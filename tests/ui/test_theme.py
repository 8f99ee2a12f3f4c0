"""The look: readable in every theme, the same names in all of them, live with the system."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import product

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QColor, QGuiApplication
from PySide6.QtWidgets import QApplication

from ankita_desktop import paths
from ankita_desktop.errors import ConfigError
from ankita_desktop.ui import icons
from ankita_desktop.ui.theme import folder, load_tokens, theme

THEMES = ("light", "dark", "high-contrast")
GROUNDS = ("background", "pane", "card", "selected")
WORDS = ("text", "dim", "attention_text", "accent", "danger", "added_text", "removed_text")
PAIRS = [
    *product(WORDS, GROUNDS),
    *product(("text", "dim"), ("hover", "code_back")),
    *product(("code_keyword", "code_string", "code_number", "code_comment", "code_name"), ("code_back", "card")),
    ("on_accent", "accent"),
    ("on_accent", "accent_hover"),
    ("on_danger", "danger"),
    ("added_text", "added_back"),
    ("removed_text", "removed_back"),
    ("dim", "background"),
]
MARKS = list(product(("attention",), GROUNDS))


@pytest.fixture(autouse=True)
def as_before(qt: QApplication) -> Iterator[None]:
    yield
    theme().prefer("system")


def luminance(colour: str) -> float:
    parts = [getattr(QColor(colour), f"{name}F")() for name in ("red", "green", "blue")]
    red, green, blue = (p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts)
    return float(0.2126 * red + 0.7152 * green + 0.0722 * blue)


def contrast(one: str, other: str) -> float:
    """WCAG 2: from 1 to 21."""
    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


def poor(name: str, pairs: list[tuple[str, str]], least: float) -> dict[tuple[str, str], float]:
    """The pairs of a theme with less contrast than that."""
    tokens = load_tokens(name)
    all_of_them = {(one, other): contrast(tokens[one], tokens[other]) for one, other in pairs}
    return {pair: round(value, 2) for pair, value in all_of_them.items() if value < least}


def test_contrast_is_computed_as_the_guideline_does() -> None:
    assert contrast("#000000", "#ffffff") == pytest.approx(21.0)
    assert contrast("#777777", "#ffffff") == pytest.approx(4.48, abs=0.01)


@pytest.mark.parametrize("name", THEMES)
def test_every_text_can_be_read_on_every_ground(name: str) -> None:
    tokens = load_tokens(name)
    poor = {
        (a, b): round(contrast(tokens[a], tokens[b]), 2) for a, b in PAIRS if contrast(tokens[a], tokens[b]) < 4.5
    }
    assert not poor


@pytest.mark.parametrize("name", THEMES)
def test_every_mark_can_be_seen_on_every_ground(name: str) -> None:
    tokens = load_tokens(name)
    poor = {
        (a, b): round(contrast(tokens[a], tokens[b]), 2) for a, b in MARKS if contrast(tokens[a], tokens[b]) < 3.0
    }
    assert not poor


def test_all_themes_have_the_same_names() -> None:
    assert load_tokens("light").keys() == load_tokens("dark").keys() == load_tokens("high-contrast").keys()


def test_the_sheet_asks_for_known_names_only() -> None:
    sheet = (folder() / "window.qss").read_text("utf-8")
    assert set(re.findall(r"@([a-z_]+)", sheet)) <= load_tokens("light").keys()
    assert "@" not in theme().style_sheet()
    assert not re.search(r"#[0-9a-fA-F]{3,8}\b", sheet), "a colour is a token, never a number"


def test_no_widget_names_a_colour() -> None:
    named = re.compile(r"#[0-9a-fA-F]{6}\b|QColor\(\d|Qt\.GlobalColor\.(?!transparent)")
    found = [path.name for path in (paths.PACKAGE / "ui").glob("*.py") if named.search(path.read_text("utf-8"))]
    assert not found


class Hints:
    """A system that says what it prefers; the offscreen platform has no preference of its own."""

    def __init__(self, scheme: Qt.ColorScheme, contrast: Qt.ContrastPreference) -> None:
        self._scheme, self._contrast = scheme, contrast

    def colorScheme(self) -> Qt.ColorScheme:
        return self._scheme

    def accessibility(self) -> Hints:
        return self

    def contrastPreference(self) -> Qt.ContrastPreference:
        return self._contrast


@pytest.mark.parametrize(
    ("scheme", "contrast", "name"),
    [
        (Qt.ColorScheme.Dark, Qt.ContrastPreference.NoPreference, "dark"),
        (Qt.ColorScheme.Light, Qt.ContrastPreference.HighContrast, "high-contrast"),
    ],
)
def test_the_look_follows_the_system_live(
    qt: QApplication,
    monkeypatch: pytest.MonkeyPatch,
    scheme: Qt.ColorScheme,
    contrast: Qt.ContrastPreference,
    name: str,
) -> None:
    told: list[str] = []
    theme().prefer("system")
    connection = theme().changed.connect(lambda: told.append(theme().name))
    with monkeypatch.context() as patch:
        patch.setattr(theme(), "_hints", Hints(scheme, contrast))
        QGuiApplication.styleHints().colorSchemeChanged.emit(scheme)
        assert told == [name]
        assert qt.palette().window().color() == QColor(load_tokens(name)["background"])
    theme().changed.disconnect(connection)


def test_a_choice_of_the_person_wins_over_the_system() -> None:
    theme().prefer("high-contrast")
    assert theme().token("line") == load_tokens("high-contrast")["line"]


def test_every_icon_is_there_and_takes_the_colour_of_its_token() -> None:
    theme().prefer("light")
    for path in (paths.bundled("assets") / "icons").glob("*.svg"):
        image = icons.pixmap(path.stem, theme().token("accent"), 32).toImage()
        inked = [
            image.pixelColor(x, y) for x in range(32) for y in range(32) if image.pixelColor(x, y).alpha() == 255
        ]
        assert inked, path.stem
        assert all(abs(pixel.green() - theme().color("accent").green()) <= 2 for pixel in inked), path.stem


def test_a_theme_file_that_can_not_be_used_is_named() -> None:
    with pytest.raises(ConfigError, match=r"nowhere\.toml"):
        load_tokens("nowhere")


def test_the_five_sizes_stay_in_proportion() -> None:
    try:
        theme().size(21)
        assert theme().font("body").pointSizeF() == 21
        assert theme().font("small").pointSizeF() == pytest.approx(16.5)
    finally:
        theme().size(10.5)
