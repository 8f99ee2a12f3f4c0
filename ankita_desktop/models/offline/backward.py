"""Requests about what went before: again, another way, on with it, back."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from ankita_desktop.models.offline.grammar import Reading
from ankita_desktop.models.offline.perform import in_order
from ankita_desktop.models.offline.replay import unfinished
from ankita_desktop.models.offline.script import Recipe, Say, Scene, Script
from ankita_desktop.models.offline.undoing import undo

_BACKWARD = frozenset(("again", "continue", "undo", "vary", "read_on"))


def _acting(scene: Scene) -> tuple[Reading, ...]:
    """What was understood the last time something was really asked for."""
    for exchange in reversed(scene.before):
        readings = scene.understand(exchange.asked.text)
        if readings and not any(r.family.talk or r.family.recipe in _BACKWARD for r in readings):
            return readings
    return ()


def again(reading: Reading, scene: Scene) -> Script:
    readings = _acting(scene)
    if not readings:
        yield Say("There is nothing to repeat yet.")
        return False
    return (yield from in_order(readings, scene))


def vary(reading: Reading, scene: Scene) -> Script:
    """The last request with something else: hidden files too, another folder, another file."""
    readings = _acting(scene)
    if not readings:
        yield Say("I don't know what that goes with. Please say the whole request.")
        return False
    last, changed = readings[-1], dict(reading.values)
    for slot in ("path", "file"):
        if slot in changed:
            changed[_place(last)] = changed.pop(slot)
    if not _takes(last, changed):
        last = Reading(scene.grammar.families["list"], {}, 0, reading.said)
    return (yield from in_order((replace(last, values={**last.values, **changed}),), scene))


def _takes(reading: Reading, changed: Mapping[str, object]) -> bool:
    """Whether hidden or recursive mean something to a request; if not, it is the folder's files that are meant."""
    return all(f"{{{slot}}}" in str(reading.family.do) for slot in changed if slot in ("hidden", "recursive"))


def _place(reading: Reading) -> str:
    """The slot of a reading that a new place goes into."""
    for slot in ("path", "folder", "source", "branch"):
        if slot in reading.values:
            return slot
    return "folder"


def continue_(reading: Reading, scene: Scene) -> Script:
    """Go on with what was left undone: refused, stopped or failed calls are tried again, done ones are not."""
    for exchange in reversed(scene.before):
        readings = scene.understand(exchange.asked.text)
        if not readings or any(found.family.recipe == "continue" for found in readings):
            continue
        left = unfinished(exchange, readings, scene)
        if left:
            return (yield from in_order(left, scene))
        break
    yield Say("Nothing is left open. What would you like me to do?")
    return True


RECIPES: Mapping[str, Recipe] = {"again": again, "vary": vary, "continue": continue_, "undo": undo}
