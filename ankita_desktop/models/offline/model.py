"""The embedded model: no account, no network, no weights. Sentences in, real tool calls out, results in words."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from ankita_desktop.models.offline import (
    at_once,
    backward,
    downloads,
    ends,
    hearing,
    jobs,
    pages,
    recipes,
    routinely,
    slots,
    words,
)
from ankita_desktop.models.offline.enclosed import spelt_out
from ankita_desktop.models.offline.families import Family
from ankita_desktop.models.offline.grammar import Grammar, Reading
from ankita_desktop.models.offline.past import DISPATCH, LOOKING, Exchange, exchanges, found_tools
from ankita_desktop.models.offline.perform import in_order
from ankita_desktop.models.offline.replay import focus_of, no_rounds, owed, play
from ankita_desktop.models.offline.script import Say, Scene, Script, Wish, search_words
from ankita_desktop.protocol import (
    Abilities,
    Answer,
    Message,
    ModelPart,
    ModelRequest,
    TextPart,
    ToolCall,
)
from ankita_desktop.toolkit.cancel import Cancel
from ankita_desktop.toolkit.services import Match
from ankita_desktop.toolkit.untrusted import unframed

_PIECE = re.compile(r"\S+\s*|\s+")
_PIECES_AT_ONCE = 4
PATIENCE_MS = 5000
_RECIPES = {
    name: recipe
    for module in (recipes, backward, pages, at_once, ends, downloads, jobs)
    for name, recipe in module.RECIPES.items()
}


class OfflineModel:
    """Implements ``protocol.Model``. Answers at once, from the messages and the offered tools alone.

    ``match`` is the catalogue's (which tools a sentence means); ``intents_dirs`` are searched for ``*.yaml``,
    the bundled folder first. Thread-safe; the sentences are parsed on first use.
    """

    id = "offline"
    abilities = Abilities(vision=False, context_tokens=1_000_000)

    def __init__(self, *, match: Callable[[str], Match], intents_dirs: Sequence[Path]) -> None:
        self._match = match
        files = [file for folder in intents_dirs for file in sorted(folder.glob("*.yaml"))]
        self._grammar = Grammar(files, _RECIPES)

    def stream(self, request: ModelRequest, cancel: Cancel) -> Iterator[ModelPart]:
        """Text in small parts, then the ``Answer``."""
        cancel.check()
        message = self._answer(request)
        for piece in pieces(message.text):
            cancel.check()
            yield TextPart(piece)
        yield Answer(message, finish="tool_calls" if message.calls else "stop")

    @property
    def families(self) -> Mapping[str, Family]:
        """What the model understands, by name. Asking for it reads the files, if that wasn't done yet."""
        return self._grammar.families

    @property
    def problems(self) -> tuple[str, ...]:
        """Files of sentences that could not be used, and why; one sentence each."""
        return self._grammar.problems

    def understand(self, text: str) -> tuple[Reading, ...]:
        """What a sentence means, part by part; empty when any part of it isn't understood."""
        heard = hearing.hear(text)
        readings = understood(heard, self._grammar)
        if not readings and (mended := self._grammar.slips.mended(heard)):
            readings = understood(mended, self._grammar)
        return readings

    def _answer(self, request: ModelRequest) -> Message:
        # A frame around words from outside is for models that might obey them.
        messages = [replace(m, text=unframed(m.text)) if m.role == "tool" else m for m in request.messages]
        asked = exchanges([spelt_out(message, self.understand) for message in messages])
        if not asked:
            return Message("assistant", words.GREETING)
        before = asked[:-1]
        scene = Scene(
            grammar=self._grammar,
            match=self._match,
            understand=self.understand,
            recipes=_RECIPES,
            offered=frozenset(spec.name for spec in request.tools),
            found=found_tools(request.messages),
            before=before,
            focus=focus_of(before),
        )
        return _next(asked[-1], scene)


def pieces(text: str) -> Iterator[str]:
    """The text in parts of a few words."""
    parts = _PIECE.findall(text)
    for index in range(0, len(parts), _PIECES_AT_ONCE):
        yield "".join(parts[index : index + _PIECES_AT_ONCE])


def understood(heard: hearing.Heard, grammar: Grammar) -> tuple[Reading, ...]:
    """Readings of a sentence: "and then" joins requests; a plain "and" does when that explains more of it."""
    if routine := routinely.routine(heard, grammar, lambda prompt: understood(prompt, grammar)):
        return (routine,)
    readings = _joined(heard, grammar)
    chore = None if readings else routinely.chore(heard, grammar)
    return (chore,) if chore else readings


def _joined(heard: hearing.Heard, grammar: Grammar) -> tuple[Reading, ...]:
    parts = hearing.sequels(heard)
    if len(parts) > 1:
        readings = [_one_or_two(part, grammar) for part in parts]
        if all(readings):
            return tuple(reading for found in readings for reading in found)
    return _one_or_two(heard, grammar)


def _one_or_two(heard: hearing.Heard, grammar: Grammar) -> tuple[Reading, ...]:
    whole = grammar.read(heard)
    best: tuple[Reading, ...] = (whole,) if whole else ()
    for left, right in hearing.halves(heard):
        first = grammar.read(left)
        if first is None or first.family.talk:
            continue
        rest = _same_with(first, right, grammar) or _one_or_two(right, grammar)
        if rest and not any(reading.family.talk for reading in rest) and _score((first, *rest)) > _score(best):
            best = (first, *rest)
    return best


def _same_with(reading: Reading, right: hearing.Heard, grammar: Grammar) -> tuple[Reading, ...]:
    """ "read a.txt and b.txt": a file alone continues the request before the "and"."""
    first, *more = right.tokens
    if "path" not in reading.values or (more and more[0].word.lower() != "and"):
        return ()
    path = slots.file(right.said((first,)), quoted=first.quoted is not None)
    if path is None:
        return ()
    same = replace(reading, values={**reading.values, "path": path}, score=1, said=f"the same for {path}")
    rest = right.part(2, len(right.tokens))
    return (same, *_one_or_two(rest, grammar)) if rest.tokens else (same,)


def _score(readings: Sequence[Reading]) -> int:
    return sum(reading.score for reading in readings)


def _next(current: Exchange, scene: Scene) -> Message:
    """The assistant's message: the next call, or all that is to be said when there is no further one."""
    readings = scene.understand(current.asked.text)
    script = in_order(readings, scene) if readings else _lost(current.asked.text, scene)
    played = play(script, list(current.done), scene, lambda wish: _unavailable(wish, current, scene))
    if played.wish is not None:
        return Message("assistant", calls=(_call(played.wish, current, scene),))
    text = "\n\n".join(part for part in (owed(scene), played.text) if part)
    return Message("assistant", text or words.DONE)


def _unavailable(wish: Wish, current: Exchange, scene: Scene) -> Message | None:
    """None while the call can be made or its tool looked for; else the result that stands in for it."""
    if not scene.offered:
        return no_rounds(wish)
    looked = any(done.call.id.startswith(f"{LOOKING}{wish.tool}-") for done in current.looked)
    if wish.tool in scene.offered or _dispatched(wish, scene) or (not looked and "find_tools" in scene.offered):
        return None
    return Message("tool", "", name=wish.tool, ok=False, details={"missing": wish.tool})


def _dispatched(wish: Wish, scene: Scene) -> bool:
    return DISPATCH in scene.offered and wish.tool in scene.found


def _waited_for(wish: Wish) -> dict[str, Any]:
    """The arguments, with the time that a command's end is waited for before it goes on as a job: longer than for
    other models, which can look again by themselves. Its input is closed, as without that time."""
    if wish.tool != "run_command" or {"background", "yield_ms", "stdin"} & wish.arguments.keys():
        return dict(wish.arguments)
    return {**wish.arguments, "yield_ms": PATIENCE_MS, "stdin": ""}


def _call(wish: Wish, current: Exchange, scene: Scene) -> ToolCall:
    arguments = _waited_for(wish)
    own = f"call-{current.asked.id}-{len(current.done) + 1}"
    if wish.tool in scene.offered:
        return ToolCall(own, wish.tool, arguments)
    if _dispatched(wish, scene):
        return ToolCall(own, DISPATCH, {"name": wish.tool, "arguments": arguments})
    return ToolCall(f"{LOOKING}{wish.tool}-{current.asked.id}", "find_tools", {"query": search_words(wish.tool)})


def _lost(text: str, scene: Scene) -> Script:
    yield Say(words.lost(text, scene))
    return True
