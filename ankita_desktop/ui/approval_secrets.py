"""The line of an approval that says which secrets are hidden in it, and shows them on a click."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QWidget

from ankita_desktop.protocol import Preview
from ankita_desktop.toolkit.placeholder import PLACEHOLDER
from ankita_desktop.ui.parts import button, label, margins, name

NAMED = 3


class Hidden(QWidget):
    """Out of sight where nothing is hidden. ``shown``: the person wants to see; ``reveal`` puts the secrets in."""

    shown = Signal()

    def __init__(self, preview: Preview, reveal: Callable[[str], str]) -> None:
        super().__init__()
        name(self, "secretsLine", "Secrets")
        self.reveal = reveal
        names = _names(preview)
        more = f" and {len(names) - NAMED} more" if len(names) > NAMED else ""
        words = label(f"Hidden here, also from the model: {', '.join(names[:NAMED])}{more}.", "meta", tone="dim")
        show = button("Show", "link", kind="meta")
        name(show, "showSecretsButton", "Show the secrets")
        show.clicked.connect(self.shown)
        show.clicked.connect(show.hide)
        row = QHBoxLayout(self)
        margins(row, 7, 20, gap=10)
        row.addWidget(words)
        row.addWidget(show)
        row.addStretch(1)
        self.setVisible(bool(names))


def _names(preview: Preview) -> list[str]:
    """Of the secrets that are replaced in what is shown."""
    texts = [preview.text, preview.question]
    texts += [text for one in preview.changes for text in (one.before, one.after) if text and "«" in text]
    return list(dict.fromkeys(found[1] for text in texts for found in PLACEHOLDER.finditer(text)))
