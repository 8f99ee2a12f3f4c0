"""Syntax colours as tokens of the theme, worked out on one background thread."""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable
from functools import lru_cache, partial
from typing import TYPE_CHECKING, Any, NamedTuple

from PySide6.QtCore import QObject, Qt, Signal
from shiboken6 import isValid

if TYPE_CHECKING:
    from pygments.lexer import Lexer

LARGEST = 400_000  # characters beyond which code stays in one colour


class Run(NamedTuple):
    """A stretch of one line in the colour of a token."""

    start: int
    length: int
    token: str


Lines = list[list[Run]]

_TOKENS = {
    "Comment": "code_comment",
    "Keyword": "code_keyword",
    "Operator.Word": "code_keyword",
    "Name.Function": "code_name",
    "Name.Class": "code_name",
    "Name.Tag": "code_name",
    "Name.Attribute": "code_name",
    "Name.Decorator": "code_name",
    "Literal.String": "code_string",
    "Literal.Number": "code_number",
    "Name.Constant": "code_number",
    "Generic.Deleted": "removed_text",
    "Generic.Inserted": "added_text",
    "Generic.Heading": "dim",
    "Generic.Subheading": "dim",
}


def language_of(path: str) -> str:
    """The language a file's name stands for, as ``colour_lines`` takes it ("" if unknown)."""
    from pygments.lexers import find_lexer_class_for_filename

    lexer = find_lexer_class_for_filename(path.replace("\\", "/").rpartition("/")[2])
    return str(lexer.aliases[0]) if lexer and lexer.aliases else ""


def colour_lines(text: str, language: str) -> Lines:
    """Per line of the text its coloured runs. Any thread; an unknown language gives none."""
    lexer = _lexer(language)
    if lexer is None or len(text) > LARGEST:
        return []
    lines: Lines = [[]]
    at = 0
    for kind, value in lexer.get_tokens(text):
        token = _token(kind)
        for number, part in enumerate(value.split("\n")):
            if number:
                lines.append([])
                at = 0
            if token and part:
                lines[-1].append(Run(at, len(part), token))
            at += len(part)
    return lines


def warm() -> None:
    """Load the parser and a lexer before they are needed, off the main thread."""
    from ankita_desktop.ui.markdown_stream import parse

    parse("a *word*\n\n| a |\n|---|\n")
    colour_lines("a = 1", "python")


@lru_cache(maxsize=64)
def _lexer(language: str) -> Lexer | None:
    from pygments.lexers import get_lexer_by_name
    from pygments.util import ClassNotFound

    try:
        return get_lexer_by_name(language, stripnl=False, ensurenl=False) if language else None
    except ClassNotFound:
        return None


@lru_cache(maxsize=512)
def _token(kind: Any) -> str:
    """The theme's token of a kind of word, found through its ancestors."""
    name = str(kind).removeprefix("Token").lstrip(".")
    while name:
        if name in _TOKENS:
            return _TOKENS[name]
        name = name.rpartition(".")[0]
    return ""


Job = tuple[QObject, Callable[[], Any], Callable[[Any], None]]


class Background(QObject):
    """Runs work on one daemon thread and hands each result back on the main thread."""

    _done = Signal(object)

    def __init__(self) -> None:
        super().__init__()
        self._jobs: queue.SimpleQueue[Job] = queue.SimpleQueue()
        self._thread: threading.Thread | None = None
        self._done.connect(lambda hand_over: hand_over(), Qt.ConnectionType.QueuedConnection)

    def ask(self, owner: QObject, work: Callable[[], Any], receive: Callable[[Any], None]) -> None:
        """Call ``receive(work())`` on the main thread, later, if ``owner`` still exists then. ``work`` must not
        raise."""
        if self._thread is None:
            self._thread = threading.Thread(target=self._run, name="colours", daemon=True)
            self._thread.start()
        self._jobs.put((owner, work, receive))

    def _run(self) -> None:
        while True:
            owner, work, receive = self._jobs.get()
            result = work()
            try:
                self._done.emit(partial(_hand_over, owner, receive, result))
            except RuntimeError:  # the application has gone meanwhile
                return


def _hand_over(owner: QObject, receive: Callable[[Any], None], result: Any) -> None:
    """The widget that asked may be gone by now."""
    if isValid(owner):
        receive(result)


_background: Background | None = None


def background() -> Background:
    """The one background thread of the views; made on the main thread."""
    global _background
    if _background is None:
        _background = Background()
    return _background
