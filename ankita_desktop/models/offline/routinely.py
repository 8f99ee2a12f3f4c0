"""Requests with a time before or after them: "every morning at 8 show me the weather" is a routine, and what the
person does themselves ("take out the bins every Tuesday") a reminder."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from ankita_desktop.models.offline import times
from ankita_desktop.models.offline.grammar import Grammar, Reading
from ankita_desktop.models.offline.hearing import Heard, hear, polite_core

Readings = Callable[[Heard], Sequence[Reading]]

# What nobody but the assistant is asked to do, also where only a language model could do it.
_ASKED = re.compile(
    r"(?:show|display|list|run|execute|search|look\s+up|fetch|download|summari[sz]e|sum\s+up|count|ping|git|report"
    r"|back\s*up|(?:tell|give|brief|send|read)\s+me|what(?:['’]?s|\s+is|\s+are)|how\s+(?:much|many|full|big))\b",
    re.IGNORECASE,
)
# Tools that take a time, or keep a sentence as it was said.
_KEEPERS = frozenset(("remind", "schedule", "watch", "remember", "project_memory", "write_todos"))
_ONCE = re.compile(r"\d|noon|midnight|^in\s", re.IGNORECASE)
_NO_CHORE = re.compile(
    r"(?:i|you|he|she|it|we|they|there|this|that|these|those|what|when|where|who|why|which|how|is|are|was|were|do"
    r"|does|did|should|shall|would|will|can|could|may|might|must|has|have|had|if|not?|never|the|my|our|a|an)\b",
    re.IGNORECASE,
)


def routine(heard: Heard, grammar: Grammar, understood: Readings) -> Reading | None:
    """A request that the assistant does at its times; None where the sentence is no such thing."""
    parted = times.split_repeating(heard.words) or _once_later(heard.words)
    if parted is None or "schedule_add" not in grammar.families:
        return None
    prompt, when = _bare(polite_core(parted[0]), understood), parted[1]
    whole = grammar.read(heard)
    if whole and any(tool in _KEEPERS for step in whole.family.do for tool in step):
        return None
    if not _ASKED.match(prompt) and not _can_do(understood(hear(prompt))):
        return None
    return _reading("schedule_add", {"prompt": prompt, "when": when}, heard, grammar)


def chore(heard: Heard, grammar: Grammar) -> Reading | None:
    """A reminder of what comes again and again; for sentences that mean nothing else."""
    parted = times.split_repeating(heard.words)
    if parted is None or "remind_at" not in grammar.families or _NO_CHORE.match(parted[0]):
        return None
    return _reading("remind_at", {"text": polite_core(parted[0]), "when": parted[1]}, heard, grammar)


def _bare(prompt: str, understood: Readings) -> str:
    """ "run show disk space" is "show disk space"; "run backup.sh" is a command."""
    run, _, rest = prompt.partition(" ")
    is_request = run.lower() == "run" and any(one.family.name != "named_alone" for one in understood(hear(rest)))
    return rest if is_request else prompt


def _once_later(said: str) -> tuple[str, str] | None:
    """A time of the clock that stands first: "at 5 pm run backup.sh". At the end it may belong to the words."""
    parted = times.split(said)
    is_first = parted is not None and said.lower().startswith(parted[1].lower())
    return parted if parted and is_first and _ONCE.search(parted[1]) else None


def _can_do(readings: Sequence[Reading]) -> bool:
    return bool(readings) and not any(reading.family.talk for reading in readings)


def _reading(family: str, values: dict[str, str], heard: Heard, grammar: Grammar) -> Reading:
    return Reading(grammar.families[family], values, len(heard.masked), heard.words)
