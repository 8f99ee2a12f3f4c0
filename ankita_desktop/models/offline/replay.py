"""Where a request stands: its script played over the results that the messages hold."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from ankita_desktop.models.offline.grammar import Reading
from ankita_desktop.models.offline.past import Done, Exchange, focus_after
from ankita_desktop.models.offline.perform import in_order, perform
from ankita_desktop.models.offline.script import Say, Scene, Script, Wish
from ankita_desktop.protocol import Message, ToolCall

Absent = Callable[[Wish], "Message | None"]


@dataclass(frozen=True, slots=True)
class Played:
    """What is said so far, and the call that comes next (None: the script has ended)."""

    said: tuple[str, ...]
    wish: Wish | None = None
    finished: bool = True

    @property
    def text(self) -> str:
        return "\n\n".join(text for text in self.said if text)


def play(script: Script, recorded: list[Done], scene: Scene, absent: Absent) -> Played:
    """Run the script to its first wish without a result, or to its end. ``recorded`` is used up from its front;
    ``absent`` may stand in for a result that there isn't."""
    said: list[str] = []
    try:
        step = next(script)
        while True:
            if isinstance(step, Say):
                said.append(step.text)
                step = next(script)
                continue
            result = _recorded(step, recorded) or absent(step)
            if result is None:
                return Played(tuple(said), step)
            scene.focus |= focus_after(Done(ToolCall("", step.tool, dict(step.arguments)), result))
            step = script.send(result)
    except StopIteration as end:
        return Played(tuple(said), finished=bool(end.value))


def _recorded(wish: Wish, recorded: list[Done]) -> Message | None:
    if recorded and recorded[0].call.name == wish.tool:
        return recorded.pop(0).result
    return None


def no_rounds(wish: Wish) -> Message:
    """Stands in for the result of a call that can't be made any more."""
    return Message("tool", "", name=wish.tool, ok=False, details={"no_rounds": True})


def unfinished(exchange: Exchange, readings: Sequence[Reading], scene: Scene) -> tuple[Reading, ...]:
    """The parts of an earlier request from the first that was not done."""
    then = _then(exchange, scene)
    recorded = list(exchange.done)
    for index, reading in enumerate(readings):
        if not play(perform(reading, then), recorded, then, no_rounds).finished:
            return tuple(readings[index:])
    return ()


def owed(scene: Scene) -> str:
    """Words for results of the request before, when a new one came in before they were put into words."""
    if not scene.before or scene.before[-1].closed or not scene.before[-1].done:
        return ""
    exchange = scene.before[-1]
    if not exchange.done[-1].result.ok:
        return ""
    readings, then = scene.understand(exchange.asked.text), _then(exchange, scene)
    return play(in_order(readings, then), list(exchange.done), then, no_rounds).text


def _then(exchange: Exchange, scene: Scene) -> Scene:
    """The scene as it was when that request was made."""
    before = scene.before[: scene.before.index(exchange)]
    return replace(scene, before=before, focus=focus_of(before), added=[])


def focus_of(before: Sequence[Exchange]) -> dict[str, str]:
    """What came up last, by kind."""
    focus: dict[str, str] = {}
    for exchange in before:
        for done in exchange.done:
            focus |= focus_after(done)
    return focus
