"""Pictures in the size that models look at."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QImage

LONGEST = 2048  # pixels of the longer side; services scale larger ones down themselves, and bill or refuse them


def fitted(image: QImage) -> QImage:
    """The picture, made smaller where it is larger than any model looks at."""
    if max(image.width(), image.height()) <= LONGEST:
        return image
    kept, smooth = Qt.AspectRatioMode.KeepAspectRatio, Qt.TransformationMode.SmoothTransformation
    return image.scaled(LONGEST, LONGEST, kept, smooth)
