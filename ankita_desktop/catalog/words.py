"""From text to comparable words: case, accents, snake and camel case, places and quotes, English stems."""

from __future__ import annotations

import importlib
import importlib.util
import re
import sys
import tempfile
import types
import unicodedata
from collections.abc import Iterable
from functools import cache
from pathlib import Path
from typing import Any

from ankita_desktop.catalog.everyday import everyday

# Names that look like camel case and are one word.
BRANDS = (
    "GitHub|GitLab|YouTube|OneDrive|OneNote|LinkedIn|WhatsApp|PowerPoint|JavaScript|TypeScript|PayPal|WordPress"
    "|DuckDuckGo|OpenAI|iCloud|iPhone|macOS|DevOps|LaTeX|eBay|OAuth|SoundCloud|HubSpot|ClickUp|DropBox|PostgreSQL"
    "|MySQL|NoSQL|GraphQL|MongoDB|StackOverflow|BitBucket|FaceTime|TikTok|QuickBooks|MetaMask|ChatGPT"
)
_BRAND = re.compile(f"(?:{BRANDS})")
_CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z]{2})")
_WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)*")

# What a request is read as: a quote, an address, a path, a word, the end of a clause.
_PART = re.compile(
    r"(?P<quote>\"[^\"\n]{1,400}\"|“[^”\n]{1,400}”|`[^`\n]{1,400}`|«[^»\n]{1,400}»|(?<!\w)'[^'\n]{2,400}'(?!\w))"
    r"|(?P<url>\b(?:https?://|www\.|git@)\S+|\b[a-z0-9-]+(?:\.[a-z0-9-]+)*\.(?:com|org|net|io|dev|edu|gov)\b(?:/\S*)?)"
    r"|(?P<path>(?:~|\.{1,2})?/[\w.@-][\w./@-]*|[a-z]:\\\S+|\w[\w@-]*(?:/[\w.@-]+)+|\w[\w@-]*(?:\.[\w-]+)*\.[a-z][a-z0-9]{0,5}\b)"
    r"|(?P<name>\b[^\W_]+(?:_[^\W_]+)+\b|\b\w+\(\))"
    r"|(?P<time>\b\d{1,2}(?::\d\d)?\s?(?:am|pm|uhr|h)\b|\b\d{1,2}:\d\d\b)"
    r"|(?P<dotted>(?<!\w)\.[a-z][a-z0-9]{1,5}\b)"
    r"|(?P<channel>(?<!\w)#[^\W\d]\w*)"
    r"|(?P<ticket>(?<!\w)#\d{1,5}\b)"
    r"|(?P<number>\b\d+(?:[.,]\d+)*(?:st|nd|rd|th)?\b)"
    r"|(?P<word>[^\W_]+(?:['’][^\W_]+)*)"
    r"|(?P<port>(?<!\d):\d{2,5}\b)"
    r"|(?P<stop>[.;?!\n](?=\s|$)|[,:])"
)
CONTRACTIONS = {"what's", "let's", "who's", "o'clock", "i'd", "we'd"}
_ELIDED = re.compile(r"^(?:qu|[ldjmtsnc])'(?=\w)")
NUMBERS = everyday("number")
MOST_STEMS = 100_000
_stems: dict[str, str] = {}
PORT = "<port>"  # after its number: "localhost:3000", ":8080"
STOP = "."
ASKED = "?"  # the end of a question, which is no remark
COMMA = ","
COLON = ":"
URL = "<url>"
PATH = "<path>"
QUOTE = "<quote>"
NAME = "<name>"
NUMBER = "<number>"
TICKET = "<ticket>"  # after its number: "#17"
SPECIAL = {"time": "<time>", "number": NUMBER, "channel": "<channel>"}


def fold(text: str) -> str:
    """Lower case without accents."""
    if text.isascii():
        return text.lower()
    plain = unicodedata.normalize("NFKD", text.casefold())
    return "".join(char for char in plain if not unicodedata.combining(char))


def split_camel(text: str) -> str:
    """``searchFiles`` as ``search Files``; brand names stay whole."""
    if not _CAMEL.search(text):
        return text
    text = _BRAND.sub(lambda brand: brand.group().capitalize(), text)
    return _CAMEL.sub(" ", text)


def tokens(text: str) -> list[str]:
    """The words of a text, folded, in order."""
    return [word.partition("'")[0] for word in _WORD.findall(fold(split_camel(text)).replace("’", "'"))]


def parts(text: str) -> list[str]:
    """A request as tokens: its words, and ``<url>``, ``<path>``, ``.pdf``, ``<quote>``, ``.``, ``?`` and ``,``.

    What is quoted or part of a path is somebody else's words: it says nothing about what is wanted, except
    by the kind of file. An address also gives the name of its site.
    """
    found: list[str] = []
    for part in _PART.finditer(fold(text).replace("’", "'")):
        kind = part.lastgroup
        word = part.group()
        if kind == "word":
            found.append(NUMBER if word in NUMBERS else word if "'" not in word else _bare(word))
        elif kind in SPECIAL:
            found.append(SPECIAL[kind])
        elif kind == "ticket":
            found += [NUMBER, TICKET]
        elif kind == "port":
            found += [NUMBER, PORT]
        elif kind == "stop":
            found.append(word if word in (COMMA, COLON, ASKED) else STOP)
        elif kind == "quote":
            found += _quoted(word[1:-1])
        elif kind == "name":
            found.append(NAME)
        else:
            found += _place(str(kind), word)
    return found


def _bare(word: str) -> str:
    """``what's`` as ``whats``, ``don't`` as ``dont``; a possessive without its ending."""
    return (
        word.replace("'", "")
        if word in CONTRACTIONS or word.endswith("n't")
        else _ELIDED.sub("", word).partition("'")[0]
    )


def _quoted(text: str) -> list[str]:
    return [QUOTE, *(part for part in parts(text) if part[0] in "<." and len(part) > 1)]


def _place(kind: str, word: str) -> list[str]:
    if kind == "url":
        host = re.sub(r"^(?:https?://)?(?:www\.)?", "", word).split("/")[0].split(".")
        return [URL, host[-2] if len(host) > 1 else host[0]]
    ending = word.rpartition(".")[2] if "." in word else ""
    known = [f".{ending}"] if ending and "/" not in ending else []
    return known if kind == "dotted" else [PATH, *known]


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


def stem(word: str) -> str:
    """The English stem of a folded word."""
    found = _stems.get(word)
    if found is None:
        if len(_stems) > MOST_STEMS:
            _stems.clear()
        plain = len(word) > 2 and word.isascii() and word.isalpha()
        found = _stems[word] = str(_stemmer().stemWord(word)) if plain else word
    return found


def recall_stems(path: Path) -> None:
    """Start with the stems another start has worked out: they take most of the time of the first sentence."""
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError):
        return
    for line in lines:
        word, _, stemmed = line.partition(" ")
        _stems[word] = stemmed or word


def keep_stems(path: Path, words: Iterable[str]) -> None:
    """Keep the stems of these words for the next start. Nothing is lost when that can't be written."""
    try:
        with tempfile.NamedTemporaryFile("w", encoding="utf-8", dir=path.parent, delete=False) as file:
            file.writelines(f"{word} {stem(word)}\n" for word in words)
        Path(file.name).replace(path)
    except OSError:
        return
