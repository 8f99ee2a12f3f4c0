"""Pictures are made to fit what models look at."""

from __future__ import annotations

import pytest
from PySide6.QtGui import QImage

from ankita_desktop.ui.picture_size import LONGEST, fitted


@pytest.mark.parametrize(
    ("width", "height", "wanted"),
    [(800, 600, (800, 600)), (4096, 2048, (LONGEST, LONGEST // 2)), (1000, 8192, (250, LONGEST))],
)
def test_a_picture_keeps_its_shape_and_is_never_larger_than_a_model_looks_at(
    width: int, height: int, wanted: tuple[int, int]
) -> None:
    made = fitted(QImage(width, height, QImage.Format.Format_RGB32))
    assert (made.width(), made.height()) == wanted
