"""Does what was understood: readings to calls, one after the other, and results to words."""

from __future__ import annotations

import re
import sys
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from ankita_desktop.models.offline import filling, slots, words
from ankita_desktop.models.offline.families import Family, Step
from ankita_desktop.models.offline.grammar import Reading
from ankita_desktop.models.offline.script import Say, Scene, Script, Wish
from ankita_desktop.protocol import Message

WHICH = "Which one do you mean? None has come up yet: please name it, such as “read notes.txt”."


def in_order(readings: Sequence[Reading], scene: Scene) -> Script:
    """Each reading in turn. After one that failed the rest isn't tried, and is named."""
    for index, reading in enumerate(readings):
        done = yield from perform(reading, scene)
        if not done:
            rest = ", then ".join(f"“{later.said}”" for later in readings[index + 1 :])
            if rest:
                yield Say(f"So I did not go on to {rest}. Say “continue” to try again from there.")
            return False
    return True


def perform(reading: Reading, scene: Scene) -> Script:
    """One reading: by its recipe, in words alone, or by its calls."""
    settled = resolved(reading, scene)
    if settled is None:
        yield Say(WHICH)
        return False
    if settled.family.recipe and not _by_its_call(settled.family, scene):
        return (yield from scene.recipes[settled.family.recipe](settled, scene))
    if settled.family.say:
        yield Say(str(filling.fill(settled.family.say, settled.values)))
        return True
    return (yield from _steps(settled, scene))


def _by_its_call(family: Family, scene: Scene) -> bool:
    """A family with both a call and a recipe uses the call as soon as its tool exists."""
    return bool(family.do) and scene.has(next(iter(family.do[0])))


def resolved(reading: Reading, scene: Scene) -> Reading | None:
    """The reading with "it" replaced by what it means; None when nothing came up yet."""
    values = dict(reading.values)
    for name, value in values.items():
        if isinstance(value, slots.Pointer):
            if value.about not in scene.focus:
                return None
            values[name] = scene.focus[value.about]
    return replace(reading, values=values)


def _steps(reading: Reading, scene: Scene) -> Script:
    """The calls in order up to the first that fails; the other way when a tool turns out not to be there."""
    for steps in _ways(reading.family, scene):
        for step in steps:
            wish = wish_of(step, reading.values)
            result = yield wish
            if not result.ok:
                break
        if not result.details.get("missing"):
            break
    if better := _better(wish, result):
        wish, result = better, (yield better)
    yield Say(words.told(reading, wish, result))
    return result.ok


_INSTEAD = re.compile(r"Use (list_dir|read_file)\.$")


def _better(wish: Wish, result: Message) -> Wish | None:
    """A file asked for as a folder, or the reverse: the tool names the one that can show it."""
    named = None if result.ok else _INSTEAD.search(result.text)
    return Wish(named[1], {"path": wish.arguments.get("path", ".")}) if named else None


def _ways(family: Family, scene: Scene) -> Sequence[Sequence[Step]]:
    first = next(iter(family.do[0]))
    if family.instead and not scene.has(first):
        return (family.instead,)
    return (family.do, family.instead) if family.instead else (family.do,)


def wish_of(step: Step, values: Mapping[str, Any]) -> Wish:
    """A step of a family with its slots filled. Arguments without a value are left out."""
    ((tool, arguments),) = step.items()
    known = {**values, **_derived(values)}
    return Wish(tool, filling.fill(_for_platform(arguments), known))


def _for_platform(arguments: Mapping[str, Any]) -> dict[str, Any]:
    """``command`` may be written per platform: ``{linux: …, darwin: …, win32: …}``, or ``posix`` for two."""
    chosen = {}
    for name, value in arguments.items():
        if isinstance(value, Mapping) and {"posix", "linux"} & set(value):
            value = value.get(sys.platform) or value.get("posix") or value["linux"]
        chosen[name] = value
    return chosen


def _derived(values: Mapping[str, Any]) -> dict[str, Any]:
    first, last = values.get("a"), values.get("b")
    if isinstance(first, int) and isinstance(last, int):
        low, high = sorted((first, last))
        return {"a": low, "b": high, "count": high - low + 1}
    return {}
