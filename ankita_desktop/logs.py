"""Logs: what went wrong inside, in rotating files of the person's. No message texts, no keys, no addresses."""

from __future__ import annotations

import logging
from collections.abc import Callable
from logging.handlers import RotatingFileHandler

from ankita_desktop import paths

_FORM = "%(asctime)s %(levelname)s %(threadName)s %(name)s: %(message)s"


class _Scrubbed(logging.Formatter):
    """Whole entries, tracebacks too, without what looks like a secret."""

    def __init__(self, scrub: Callable[[str], str]) -> None:
        super().__init__(_FORM)
        self._scrub = scrub

    def format(self, record: logging.LogRecord) -> str:
        return self._scrub(super().format(record))


def start_logging(scrub: Callable[[str], str] = lambda text: text) -> None:
    """Send our warnings and errors to ``state/logs/ankita.log``, the libraries' nowhere else. Once a process."""
    logger = logging.getLogger("ankita_desktop")
    if logger.handlers:
        return
    folder = paths.state() / "logs"
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    handler = RotatingFileHandler(
        folder / "ankita.log", maxBytes=1_000_000, backupCount=3, encoding="utf-8", delay=True
    )
    handler.setFormatter(_Scrubbed(scrub))
    logger.addHandler(handler)
    logger.propagate = False
    # Whole URLs, with what they carry, would be logged at INFO.
    for noisy in ("httpx", "httpcore"):
        logging.getLogger(noisy).setLevel(logging.WARNING)
