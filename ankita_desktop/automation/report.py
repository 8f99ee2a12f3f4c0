"""What a run is told before it begins, and what is told of it when it has ended."""

from __future__ import annotations

import re
from collections.abc import Sequence

from ankita_desktop.automation.notify import LONGEST
from ankita_desktop.automation.ports import Desk
from ankita_desktop.protocol import Message
from ankita_desktop.toolkit.automation import MINUTE, Routine, Run, Telling

COMPARED = 4_000  # characters of the last result
QUIET = "nothing new"
_PARAGRAPHS = re.compile(r"\n\s*\n|\n(?=#|[-*|] |\d+[.)] )")
_ITEM = re.compile(r"[-*|] |\d+[.)] ")
_SENTENCE = re.compile(r"""[.!?…。！？]["”’)*_]*(?=\s|$)""")
WHY_NOT = {"nobody": "nobody answered", "person": "you said no", "rule": "a rule of yours forbids it"}
CHEAP = 0.0001  # USD
TELLING = ("command", "path", "url", "query", "action", "text", "name")
WORDS = {
    "denied": "parts were not allowed",
    "limit": "stopped at a limit",
    "error": "failed",
    "cancelled": "stopped",
    "interrupted": "was interrupted",
}


def opening(routine: Routine, slot: float | None, last: Run | None, desk: Desk) -> Message:
    """The note before the prompt: what the model must know of a run that nobody watches."""
    when = f"due {desk.at(slot)}" if slot is not None else "started by hand"
    lines = [
        f"This is the routine {routine.name!r}, {when}; nobody is watching. What needs a yes and was not allowed "
        "beforehand is denied when nobody answers: go on without it, and say at the end what was not done. Begin "
        "the answer with one sentence that says what matters: it becomes the notification. If there is nothing "
        f"worth telling, answer only: {QUIET.capitalize()}."
    ]
    if last is not None:
        text = last.text if len(last.text) <= COMPARED else last.text[:COMPARED] + "…"
        lines.append(f"For comparison, the result of the last run ({desk.at(last.started)}):\n{text}")
    return Message("user", "\n\n".join(lines), source="note", details={"routine": routine.id})


def last_words(messages: Sequence[Message]) -> str:
    return next((m.text for m in reversed(messages) if m.role == "assistant" and m.text), "")


def headline(text: str) -> str:
    """What of an answer a notification shows: all when it fits, else as many whole sentences of its first
    paragraph as do. The text itself when there is no such sentence: then it is cut where it is shown."""
    if len(text) <= LONGEST:
        return text
    first = next((part for part in _PARAGRAPHS.split(text.strip()) if not part.startswith("#")), "")
    words = " ".join(first.split()) if not _ITEM.match(first) else ""
    ends = [end.end() for end in _SENTENCE.finditer(words) if end.end() <= LONGEST]
    return words[: ends[-1]] if ends else text


def undone(messages: Sequence[Message]) -> tuple[str, ...]:
    """The calls that were not allowed, in a few words each: what, and why not."""
    calls = {call.id: call for message in messages for call in message.calls}
    found = []
    for message in messages:
        if message.role == "tool" and message.details.get("denied") and message.call_id in calls:
            call = calls[message.call_id]
            about = next((str(call.arguments[name]) for name in TELLING if call.arguments.get(name)), "")
            why = WHY_NOT.get(str(message.details["denied"]), "")
            found.append(f"{call.name} {about}".strip()[:120] + (f" ({why})" if why else ""))
    return tuple(dict.fromkeys(found))


def outcome(run: Run) -> list[str]:
    """How a run ended, how long it took and what it cost, in words. What costs nothing says nothing of it."""
    said = [WORDS.get(run.status, run.status)]
    if run.ended is not None and run.status != "missed":
        said.append(lasted(run.ended - run.started))
    if run.tokens:
        said.append(f"{run.tokens:,} tokens")
    if run.cost:
        said.append(f"{run.cost:.4f} USD" if run.cost >= CHEAP else "under 0.0001 USD")
    return said


def lasted(seconds: float) -> str:
    """ "under a second", "14 s", "10 min", "2 h 5 min"."""
    whole = round(seconds)
    if whole < 1:
        return "under a second"
    if whole < MINUTE:
        return f"{whole} s"
    hours, minutes = divmod(round(whole / MINUTE), 60)
    return " ".join(filter(None, (f"{hours} h" if hours else "", f"{minutes} min" if minutes else "")))


def telling(routine: Routine, run: Run, *, late: bool, now: float) -> Telling | None:
    """The notification of a run: its result, what was not done, and how it ended if not well. None when there is
    nothing to tell."""
    if run.status == "done" and not run.undone and run.text.strip().strip(".!").casefold() == QUIET:
        return None
    title = routine.name if run.status == "done" else f"{routine.name} {WORDS.get(run.status, run.status)}"
    parts = [f"Not done: {'; '.join(run.undone)}." if run.undone else "", run.reason, headline(run.text)]
    text = "\n".join(part for part in parts if part) or "Done."
    return Telling(f"run/{run.id}", title, text, late, now)
