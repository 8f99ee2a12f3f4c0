"""Logs: what went wrong inside, in rotating files of the person's. No message texts, no keys, no addresses."""

from __future__ import annotations

import logging
from logging.handlers import RotatingFileHandler

from ankita_desktop import paths

_FORM = "%(asctime)s %(levelname)s %(threadName)s %(name)s: %(message)s"


def start_logging() -> None:
    """Send our warnings and errors to ``state/logs/ankita.log``, and the libraries' nowhere else. Once a process."""
    logger = logging.getLogger("ankita_desktop")
    if logger.handlers:
        return
    folder = paths.state() / "logs"
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    handler = RotatingFileHandler(
        folder / "ankita.log", maxBytes=1_000_000, backupCount=3, encoding="utf-8", delay=True
    )
    handler.setFormatter(logging.Formatter(_FORM))
    logger.addHandler(handler)
    logger.propagate = False
    # Whole URLs, with what they carry, would be logged at INFO.
    for noisy in ("httpx", "httpcore"):
        logging.getLogger(noisy).setLevel(logging.WARNING)
