"""Results of memory, skills and projects in a person's words."""

from __future__ import annotations

import time
from collections.abc import Mapping
from typing import Any

from ankita_desktop.models.offline.script import Wish
from ankita_desktop.protocol import Message

_SAVED = {
    "added": "I'll remember: {text}",
    "merged": "I know that: {text}",
    "pinned": "I'll keep that in mind in every conversation: {text}",
    "unpinned": "I still know it, but don't keep it in mind all the time: {text}",
    "forgotten": "I've forgotten it, and older conversations won't bring it back.",
}
_NOTHING = "I don't remember anything about you yet. Say for example “remember that I prefer tea”."


def remembered(wish: Wish, result: Message) -> str:
    details = result.details
    if "facts" in details:
        lines = [f"- {fact['text']}{' (pinned)' if fact['pinned'] else ''}" for fact in details["facts"]]
        return "\n".join(["This is what I remember:", "", *lines]) if lines else _NOTHING
    how, fact, before = details.get("how"), details.get("fact") or {}, details.get("undo", {}).get("before") or {}
    if how == "replaced":
        return f"I'll remember “{fact['text']}” instead of “{before.get('text', '')}”."
    return _SAVED.get(str(how), result.text).format(text=fact.get("text", ""))


def recalled(wish: Wish, result: Message) -> str:
    found = result.details.get("found") or []
    if not found:
        return f"I remember nothing about {wish.arguments.get('query', 'that')}."
    return "\n".join(["This is what I found:", "", *(f"- {_found(one)}" for one in found)])


def _found(one: Mapping[str, Any]) -> str:
    day = time.strftime("%d %B %Y", time.localtime(one["time"]))
    return f"{one['text']} ({one['source']}, {day})"


def skill(wish: Wish, result: Message) -> str:
    names = result.details.get("skills")
    if names is None:
        return result.text
    return f"These skills are here:\n\n{result.text}" if names else "There are no skills here."


TELLERS = {
    "remember": remembered,
    "recall": recalled,
    "skill": skill,
    "project": lambda wish, result: result.text,
    "project_memory": lambda wish, result: result.text,
}
