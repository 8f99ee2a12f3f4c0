"""Line icons of ``assets/icons``, tinted by a token of the theme. Main thread only."""

from __future__ import annotations

from functools import cache

from PySide6.QtCore import QByteArray, QRectF, QSize, Qt
from PySide6.QtGui import QIcon, QPainter, QPixmap
from PySide6.QtSvg import QSvgRenderer
from PySide6.QtWidgets import QToolButton, QWidget

from ankita_desktop import paths
from ankita_desktop.ui.theme import theme

SIZE = 16
SCALES = (1, 2, 3)


@cache
def _source(name: str) -> str:
    return (paths.bundled("assets") / "icons" / f"{name}.svg").read_text(encoding="utf-8")


@cache
def _tinted(name: str, colour: str) -> QIcon:
    icon = QIcon()
    for scale in SCALES:
        icon.addPixmap(pixmap(name, colour, SIZE * scale))
    return icon


def pixmap(name: str, colour: str, size: int = SIZE) -> QPixmap:
    """The icon as ``size`` × ``size`` device pixels in one colour (``#rrggbb``)."""
    renderer = QSvgRenderer(QByteArray(_source(name).replace("currentColor", colour).encode()))
    picture = QPixmap(size, size)
    picture.fill(Qt.GlobalColor.transparent)
    painter = QPainter(picture)
    renderer.render(painter, QRectF(0, 0, size, size))
    painter.end()
    return picture


def icon(name: str, token: str = "text") -> QIcon:
    """The icon in the colour the token has now; ask again on ``theme().changed``."""
    return _tinted(name, theme().token(token))


class IconButton(QToolButton):
    """A flat button with one icon that keeps its tint when the theme changes.

    ``label`` is what it does, in words: tool tip and accessible name.
    """

    def __init__(self, name: str, label: str, parent: QWidget | None = None, *, token: str = "dim") -> None:
        super().__init__(parent)
        self._name, self._token = name, token
        self.setIconSize(QSize(SIZE, SIZE))
        self.setToolTip(label)
        self.setAccessibleName(label)
        self.setAutoRaise(True)
        self._tint()
        theme().changed.connect(self._tint)

    def show_icon(self, name: str, *, token: str | None = None) -> None:
        """Another icon, or another token, from now on."""
        self._name, self._token = name, token or self._token
        self._tint()

    def _tint(self) -> None:
        self.setIcon(icon(self._name, self._token))
