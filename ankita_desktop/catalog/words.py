"""From text to comparable words: case, accents, snake and camel case, and English stems."""

from __future__ import annotations

import importlib
import importlib.util
import re
import sys
import types
import unicodedata
from functools import cache, lru_cache
from typing import Any

# Names that look like camel case and are one word.
BRANDS = (
    "GitHub|GitLab|YouTube|OneDrive|OneNote|LinkedIn|WhatsApp|PowerPoint|JavaScript|TypeScript|PayPal|WordPress"
    "|DuckDuckGo|OpenAI|iCloud|iPhone|macOS|DevOps|LaTeX|eBay|OAuth|SoundCloud|HubSpot|ClickUp|DropBox|PostgreSQL"
    "|MySQL|NoSQL|GraphQL|MongoDB|StackOverflow|BitBucket|FaceTime|TikTok|QuickBooks|MetaMask|ChatGPT"
)
_BRAND = re.compile(f"(?:{BRANDS})")
_CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")
_TOKEN = re.compile(r"[^\W_]+(?:['’][^\W_]+)*")


def fold(text: str) -> str:
    """Lower case without accents."""
    if text.isascii():
        return text.lower()
    plain = unicodedata.normalize("NFKD", text.casefold())
    return "".join(char for char in plain if not unicodedata.combining(char))


def split_camel(text: str) -> str:
    """``searchFiles`` as ``search Files``; brand names stay whole."""
    text = _BRAND.sub(lambda brand: brand.group().capitalize(), text)
    return _CAMEL.sub(" ", text)


def tokens(text: str) -> list[str]:
    """The words of a text, folded, in order."""
    return [word.partition("'")[0] for word in _TOKEN.findall(fold(split_camel(text)).replace("’", "'"))]


@cache
def _stemmer() -> Any:
    """Snowball's English stemmer without importing the thirty other languages of its package (100 ms)."""
    try:
        spec = importlib.util.find_spec("snowballstemmer")
        package = types.ModuleType("_ankita_snowball")
        package.__path__ = list(spec.submodule_search_locations or ()) if spec else []
        sys.modules.setdefault("_ankita_snowball", package)
        return importlib.import_module("_ankita_snowball.english_stemmer").EnglishStemmer()
    except ImportError:
        import snowballstemmer

        return snowballstemmer.stemmer("english")


@lru_cache(maxsize=65536)
def stem(word: str) -> str:
    """The English stem of a folded word."""
    if len(word) < 3 or not word.isascii():
        return word
    return str(_stemmer().stemWord(word))
