"""Parts of the approval dialog: buttons that show their key, the list of files, text as it will happen."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QRectF, QSize, Qt, Signal
from PySide6.QtGui import QFontMetrics, QPainter, QPaintEvent
from PySide6.QtWidgets import (
    QAbstractButton,
    QListWidget,
    QListWidgetItem,
    QPlainTextEdit,
    QPushButton,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QWidget,
)

from ankita_desktop.toolkit.diff import Line
from ankita_desktop.toolkit.hidden import HIDDEN
from ankita_desktop.ui.code_line import CodeFont
from ankita_desktop.ui.diff_files import FileDiff
from ankita_desktop.ui.diff_hidden import reveal, sign
from ankita_desktop.ui.parts import restyle
from ankita_desktop.ui.theme import theme

CHIP = 19
LONG_LINE, GOES_ON = 8_000, "↪ "  # characters of a line that is laid out at once; what the rest begins with
ROW = 31


class KeyButton(QPushButton):
    """A push button with the key that presses it, drawn as a small chip."""

    def __init__(self, text: str, key: str, name: str, *, look: str = "") -> None:
        super().__init__(text)
        self._key = key
        self.setObjectName(name)
        self.setAutoDefault(False)
        self.setFont(theme().font("body"))
        self.setFixedHeight(33)
        self.setStyleSheet(f"text-align: left; padding-right: {CHIP + 18}px;")
        self.set_look(look)
        self.say(text)

    def say(self, text: str) -> None:
        self.setText(text)
        self.setAccessibleName(text)
        self.setAccessibleDescription(f"Key {self._key}")

    def set_look(self, look: str) -> None:
        self.setProperty("look", look)
        restyle(self)

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        primary = self.property("look") == "primary" and self.isEnabled()
        edge = theme().color("on_accent" if primary else "line")
        edge.setAlpha(120 if primary else 255)
        box = QRectF(self.width() - CHIP - 11.5, (self.height() - CHIP + 2) / 2, CHIP, CHIP - 2)
        painter.setPen(edge)
        painter.drawRoundedRect(box, 4, 4)
        painter.setPen(theme().color("on_accent" if primary else "dim"))
        painter.setFont(theme().font("small"))
        painter.drawText(box, Qt.AlignmentFlag.AlignCenter, self._key)


class Word(QAbstractButton):
    """One of a few words to choose from: the chosen one stands out."""

    def __init__(self, text: str, name: str) -> None:
        super().__init__()
        self.setText(text)
        self.setObjectName(name)
        self.setAccessibleName(text)
        self.setCheckable(True)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)

    def sizeHint(self) -> QSize:
        widest = QFontMetrics(theme().font("meta", 600)).horizontalAdvance(self.text())
        return QSize(widest + 8, 24)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setFont(theme().font("meta", 600 if self.isChecked() else 400))
        painter.setPen(theme().color("text" if self.isChecked() else "dim"))
        painter.drawText(self.rect(), Qt.AlignmentFlag.AlignCenter, self.text())
        if self.hasFocus():
            painter.setPen(theme().color("accent"))
            painter.drawRoundedRect(self.rect().adjusted(0, 0, -1, -1), 4, 4)


class FileList(QListWidget):
    """The files of a change with what is added and removed. ``chosen`` carries the row."""

    chosen = Signal(int)

    def __init__(self) -> None:
        super().__init__()
        self.setAccessibleName("Files")
        self.setFrameShape(QListWidget.Shape.NoFrame)
        self.setItemDelegate(_FileRow(self))
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.currentRowChanged.connect(self.chosen)

    def follow(self, row: int) -> None:
        """The diff went to another file by itself."""
        self.blockSignals(True)
        self.setCurrentRow(row)
        self.blockSignals(False)

    def show_files(self, files: Sequence[FileDiff]) -> None:
        self.blockSignals(True)
        self.clear()
        for one in files:
            item = QListWidgetItem(one.shown)
            item.setToolTip(one.path)
            item.setData(Qt.ItemDataRole.UserRole, counts(one))
            self.addItem(item)
        self.setCurrentRow(0)
        self.blockSignals(False)


def counts(one: FileDiff) -> str:
    """ "+2 −1" """
    return " ".join([f"+{one.added}"] * bool(one.added) + [f"−{one.removed}"] * bool(one.removed))


class _FileRow(QStyledItemDelegate):
    def sizeHint(self, _option: QStyleOptionViewItem, _index: object) -> QSize:
        return QSize(100, ROW)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: object) -> None:
        box = option.rect.adjusted(0, 0, 0, -1)
        chosen = bool(option.state & QStyle.StateFlag.State_Selected)
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if chosen:
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(theme().color("selected"))
            painter.drawRoundedRect(box, 6, 6)
        inside = box.adjusted(8, 0, -8, 0)
        right = str(index.data(Qt.ItemDataRole.UserRole))  # type: ignore[attr-defined]
        painter.setFont(theme().font("small"))
        painter.setPen(theme().color("dim"))
        painter.drawText(inside, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter, right)
        inside.setRight(inside.right() - QFontMetrics(painter.font()).horizontalAdvance(right) - 8)
        font = theme().font("meta")
        painter.setFont(font)
        painter.setPen(theme().color("text"))
        words = str(index.data(Qt.ItemDataRole.DisplayRole))  # type: ignore[attr-defined]
        short = QFontMetrics(font).elidedText(words, Qt.TextElideMode.ElideMiddle, inside.width())
        painter.drawText(inside, Qt.AlignmentFlag.AlignVCenter, short)
        painter.restore()


class Proposal(QPlainTextEdit):
    """A command or a text, whole, with characters that can't be seen drawn as signs."""

    def __init__(self, text: str, words: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("proposal")
        self.setAccessibleName(words)
        self.setReadOnly(True)
        self.setProperty("look", "output")
        self.setFont(CodeFont().font)
        self.setTabChangesFocus(True)
        self.setTextInteractionFlags(
            Qt.TextInteractionFlag.TextSelectableByKeyboard | Qt.TextInteractionFlag.TextSelectableByMouse
        )
        self.say(text)

    def say(self, text: str) -> None:
        self.setPlainText("\n".join(map(_broken, visible(text).split("\n"))))


def _broken(line: str) -> str:
    """A line that would take long to lay out, as several: each but the first begins with a sign."""
    if len(line) <= LONG_LINE:
        return line
    return f"\n{GOES_ON}".join(line[at : at + LONG_LINE] for at in range(0, len(line), LONG_LINE))


def visible(text: str) -> str:
    """The text with bidi, zero-width and other control characters written out, trailing spaces marked."""
    return "\n".join(map(_visible, text.split("\n")))


def _visible(line: str) -> str:
    if len(line) <= LONG_LINE:
        return reveal(Line("+", None, 1, line, "\n")).text
    words = line.rstrip(" ")
    return HIDDEN.sub(lambda found: sign(found[0]), words) + "·" * (len(line) - len(words))
