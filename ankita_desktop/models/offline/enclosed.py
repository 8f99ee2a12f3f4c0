"""What a person means who attached a file: "summarise this" is about it, and no words at all mean: look at it."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace

from ankita_desktop.protocol import Message

_THINGS = "file document doc pdf picture image photo spreadsheet table notebook archive page".split()
_THING = rf"(?:{'|'.join(_THINGS)})s?"
# A word that stands for the file stands alone: "this folder" is another matter.
_ALONE = r"(?=\s*(?:$|[?!.,;:]|(?:say|about|mean|contain|for|to|in|and|then|please)\b))"
_MEANT = re.compile(
    rf"\b(?:(?:the|this|that|these|those|my)\s+)?(?:attached|enclosed)(?:\s+{_THING})?\b"
    rf"|\b(?:the|this|that|these|those|my)\s+(?:attachments?|{_THING})\b"
    rf"|\battachments?\b|\b(?:this|that|it|them|these|those)\b{_ALONE}",
    re.I,
)


def spelt_out(message: Message, understood: Callable[[str], object]) -> Message:
    """The request with its files by their paths: where it names them by "this", else, when it isn't understood, as
    a wish to read them."""
    paths = [f'"{item.path}"' for item in message.attachments if '"' not in item.path]
    if message.role != "user" or not paths:
        return message
    named = " and then ".join(_named(message.text, path) for path in paths)
    if _MEANT.search(message.text) and understood(named):
        return replace(message, text=named)
    if message.text.strip() and understood(message.text):
        return message
    return replace(message, text=" and then ".join(f"read {path}" for path in paths))


def _named(text: str, path: str) -> str:
    return _MEANT.sub(lambda _: path, text, count=1)
