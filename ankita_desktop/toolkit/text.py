"""Text as it is in files: lines with their own ends, encodings that go back to the very same bytes."""

from __future__ import annotations

from io import StringIO


def split_lines(text: str) -> list[str]:
    """Lines with their ends. A lone CR ends a line only in a text that has no LF at all, so that numbers
    agree with editors and with ripgrep; form feeds and Unicode separators never do."""
    return StringIO(text, newline="\n" if "\n" in text else "\r").readlines() if text else []
