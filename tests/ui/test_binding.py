"""The Qt binding itself: a release that loses references to None may not come in unnoticed."""

from __future__ import annotations

import sys

from PySide6.QtWidgets import QApplication, QLabel, QPlainTextEdit


def test_void_calls_keep_the_count_of_references_to_none(qt: QApplication) -> None:
    """Seen in 6.12.0 on CPython 3.11: each void call dropped one, and a long stream ended the process."""
    label, text = QLabel(), QPlainTextEdit()
    before = sys.getrefcount(None)
    for number in range(5_000):
        label.setText(str(number))
        text.appendPlainText("x")
        label.update()
    assert abs(sys.getrefcount(None) - before) < 500
