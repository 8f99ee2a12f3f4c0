"""Colours and fonts of the window: tokens from ``assets/themes``, as QPalette, style sheet and values.

A widget never names a colour: it asks ``theme().color("accent")`` when it paints, and paints again on
``theme().changed``. Main thread only.
"""

from __future__ import annotations

import re
import tomllib
from functools import cache
from pathlib import Path
from typing import Literal

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtGui import QColor, QFont, QFontDatabase, QGuiApplication, QPalette
from PySide6.QtWidgets import QApplication

from ankita_desktop import paths
from ankita_desktop.errors import ConfigError

Kind = Literal["body", "meta", "small", "title", "mono"]
Preference = Literal["system", "light", "dark", "high-contrast"]

SIZES: dict[str, float] = {"body": 14, "meta": 12.5, "small": 11, "title": 15, "mono": 12.5}
MONOSPACE = [
    "JetBrains Mono",
    "Cascadia Mono",
    "Cascadia Code",
    "SF Mono",
    "DejaVu Sans Mono",
    "Menlo",
    "Consolas",
]
POINTS_PER_PIXEL = 0.75

ROLES: dict[QPalette.ColorRole, str] = {
    QPalette.ColorRole.Window: "background",
    QPalette.ColorRole.WindowText: "text",
    QPalette.ColorRole.Base: "card",
    QPalette.ColorRole.AlternateBase: "pane",
    QPalette.ColorRole.Text: "text",
    QPalette.ColorRole.PlaceholderText: "dim",
    QPalette.ColorRole.Button: "card",
    QPalette.ColorRole.ButtonText: "text",
    QPalette.ColorRole.BrightText: "danger",
    QPalette.ColorRole.Highlight: "accent",
    QPalette.ColorRole.HighlightedText: "on_accent",
    QPalette.ColorRole.Link: "accent",
    QPalette.ColorRole.LinkVisited: "accent",
    QPalette.ColorRole.ToolTipBase: "card",
    QPalette.ColorRole.ToolTipText: "text",
    QPalette.ColorRole.Light: "card",
    QPalette.ColorRole.Midlight: "line",
    QPalette.ColorRole.Mid: "line",
    QPalette.ColorRole.Dark: "field_line",
    QPalette.ColorRole.Shadow: "field_line",
    QPalette.ColorRole.Accent: "accent",
}


def folder() -> Path:
    return paths.bundled("assets") / "themes"


@cache
def load_tokens(name: str) -> dict[str, str]:
    """The tokens of one theme file. Raises ``ConfigError`` naming the file when it can't be used."""
    path = folder() / f"{name}.toml"
    try:
        tokens = tomllib.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise ConfigError(f"The theme file {path} can't be read: {error}") from error
    bad = [key for key, value in tokens.items() if not re.fullmatch(r"#[0-9a-fA-F]{6}", str(value))]
    if bad:
        raise ConfigError(f"The theme file {path} has a value that is not a colour (#rrggbb): {', '.join(bad)}")
    return {key: str(value) for key, value in tokens.items()}


@cache
def _sheet() -> str:
    return (folder() / "window.qss").read_text(encoding="utf-8")


class Theme(QObject):
    """The look in force. Follows the system live while the preference is "system"."""

    changed = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.preference: Preference = "system"
        # Kept: when the wrapper of the hints goes, the binding declares their accessibility part dead too.
        self._hints = QGuiApplication.styleHints()
        self.name = self._wanted()
        self._tokens = load_tokens(self.name)
        self._points = SIZES["body"] * POINTS_PER_PIXEL
        self._hints.colorSchemeChanged.connect(self.follow)
        self._hints.accessibility().contrastPreferenceChanged.connect(self.follow)

    def color(self, name: str) -> QColor:
        """The colour of a token; ``KeyError`` for a name no theme has."""
        return QColor(self._tokens[name])

    def token(self, name: str) -> str:
        """The same as ``#rrggbb``."""
        return self._tokens[name]

    def font(self, kind: Kind, weight: int = 400) -> QFont:
        """The system's interface font, or a monospace one, in one of our five sizes."""
        if kind == "mono":
            font = QFont(MONOSPACE)
            font.setStyleHint(QFont.StyleHint.Monospace)
            font.setFixedPitch(True)
        else:
            font = QFontDatabase.systemFont(QFontDatabase.SystemFont.GeneralFont)
        font.setPointSizeF(round(SIZES[kind] / SIZES["body"] * self._points, 2))
        font.setWeight(QFont.Weight(weight))
        return font

    @property
    def dark(self) -> bool:
        return self.color("background").lightness() < 128

    def prefer(self, preference: Preference) -> None:
        """What the person chose in the settings."""
        self.preference = preference
        self.follow()

    def size(self, points: float) -> None:
        """How large body text is, in points; the other sizes go along. Counts for widgets made from here on."""
        self._points = points

    def follow(self) -> None:
        """Take the theme the preference and the system ask for; tells everybody when it is another one."""
        wanted = self._wanted()
        if wanted != self.name:
            self.name = wanted
            self._tokens = load_tokens(wanted)
            self.apply()
            self.changed.emit()

    def apply(self) -> None:
        """Give the application our style, palette, font and sheet."""
        app = QApplication.instance()
        if isinstance(app, QApplication):
            app.setFont(self.font("body"))
            app.setPalette(self.palette())
            app.setStyleSheet(self.style_sheet())

    def palette(self) -> QPalette:
        palette = QPalette()
        for role, token in ROLES.items():
            palette.setColor(role, self.color(token))
        for role in (QPalette.ColorRole.Text, QPalette.ColorRole.ButtonText, QPalette.ColorRole.WindowText):
            palette.setColor(QPalette.ColorGroup.Disabled, role, self.color("dim"))
        return palette

    def style_sheet(self) -> str:
        """``window.qss`` with every ``@token`` replaced."""
        return re.sub(r"@([a-z_]+)", lambda found: self._tokens[found.group(1)], _sheet())

    def _wanted(self) -> str:
        if self.preference != "system":
            return self.preference
        if self._hints.accessibility().contrastPreference() == Qt.ContrastPreference.HighContrast:
            return "high-contrast"
        return "dark" if self._hints.colorScheme() == Qt.ColorScheme.Dark else "light"


_theme: Theme | None = None


def theme() -> Theme:
    """The one theme of the process; needs a QApplication."""
    global _theme
    if _theme is None:
        _theme = Theme()
    return _theme
