"""How many tokens a text is for a model: counted where the table is installed, else estimated and said so."""

from __future__ import annotations

import importlib
import warnings
from functools import lru_cache
from typing import Any

ENCODING = "o200k_base"
BYTES_PER_TOKEN = 4.4  # of compact JSON schemas, measured with that table


def token_count(text: str) -> int:
    """The tokens of ``text``."""
    table = _table()
    return len(table.encode(text)) if table else round(len(text.encode()) / BYTES_PER_TOKEN)


def counted_by() -> str:
    """What the counts are: the table's name, or "estimate"."""
    return ENCODING if _table() else "estimate"


@lru_cache(maxsize=1)
def _table() -> Any:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # of how it opens its own tables
        try:  # works offline; for whoever builds Ankita, not for whoever runs it
            bpe = importlib.import_module("bpe_openai")
        except ImportError:
            return None
        return bpe.get_encoding(ENCODING)
