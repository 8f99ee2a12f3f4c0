"""Files that belong to a message: pictures of this machine as small pictures, anything else by its name."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QImageReader, QPixmap, QResizeEvent
from PySide6.QtWidgets import QLabel, QSizePolicy, QWidget

from ankita_desktop.protocol import Attachment
from ankita_desktop.ui.parts import label

THUMB = 220  # pixels of an attached picture, at most
LARGEST_PICTURE = 32_000_000  # bytes of a picture that is read for the page
GAP = 8


def name_of(attachment: Attachment) -> str:
    return attachment.name or Path(attachment.path).name


def attached(attachment: Attachment) -> QLabel:
    """The attachment as the page shows it. Nothing is ever loaded from elsewhere."""
    picture = _picture(attachment)
    shown = QLabel() if picture is not None else label(name_of(attachment), "meta", tone="dim")
    if picture is not None:
        shown.setPixmap(picture)
    shown.setAccessibleName(name_of(attachment))
    shown.setToolTip(f"{name_of(attachment)}\n{attachment.path}")
    return shown


def _picture(attachment: Attachment) -> QPixmap | None:
    path = Path(attachment.path)
    remote = attachment.path.startswith(("//", "\\\\"))
    if remote or not attachment.mime.startswith("image/") or attachment.mime == "image/svg+xml":
        return None
    if not path.is_file() or path.stat().st_size > LARGEST_PICTURE:
        return None
    reader = QImageReader(attachment.path)
    reader.setAutoTransform(True)
    size = reader.size()
    if size.isValid() and max(size.width(), size.height()) > THUMB:
        reader.setScaledSize(size.scaled(QSize(THUMB, THUMB), Qt.AspectRatioMode.KeepAspectRatio))
    image = reader.read()
    return None if image.isNull() else QPixmap.fromImage(image)


class Gallery(QWidget):
    """Attachments side by side, in as many rows as the width needs."""

    def __init__(self, attachments: Iterable[Attachment], *, margin: tuple[int, int] = (34, 12)) -> None:
        super().__init__()
        self._left, self._bottom = margin
        self.shown = [attached(each) for each in attachments]
        for item in self.shown:
            item.setParent(self)
        policy = QSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)

    def hasHeightForWidth(self) -> bool:
        return True

    def heightForWidth(self, width: int) -> int:
        return self._place(width, move=False)

    def resizeEvent(self, event: QResizeEvent) -> None:
        self._place(self.width(), move=True)
        super().resizeEvent(event)

    def toPlainText(self) -> str:
        return "\n".join(item.accessibleName() for item in self.shown)

    def _place(self, width: int, *, move: bool) -> int:
        """Put them in rows; the height that takes."""
        x, y, row = self._left, GAP // 2, 0
        for item in self.shown:
            size = item.sizeHint()
            if x > self._left and x + size.width() > width - GAP:
                x, y, row = self._left, y + row + GAP, 0
            if move:
                item.setGeometry(x, y, size.width(), size.height())
            x, row = x + size.width() + GAP, max(row, size.height())
        return y + row + self._bottom
