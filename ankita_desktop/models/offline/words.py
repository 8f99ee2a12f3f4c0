"""Results in a person's words: counts, names, sizes; errors plainly, with what to do; a no calmly."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from ankita_desktop.models.offline import filling
from ankita_desktop.models.offline.families import Family
from ankita_desktop.models.offline.grammar import Reading
from ankita_desktop.models.offline.script import Scene, Wish
from ankita_desktop.models.offline.tellers import TELLERS
from ankita_desktop.models.offline.wording import fenced, output_of, running
from ankita_desktop.protocol import Message

DONE = "Done."
GREETING = "Hello! Ask me something like “what's in this folder”, or say “help” to see what I can do."
CONNECT = (
    "To use a language model, pick one in the settings, or start with `ankita --base-url URL --model NAME` (any "
    "OpenAI-compatible service, also one on your own machine). A key goes into the settings, or into "
    "OPENAI_API_KEY or ANTHROPIC_API_KEY before starting."
)


def told(reading: Reading, wish: Wish, result: Message) -> str:
    """What a call's result means to the person who asked."""
    family = reading.family
    if not result.ok:
        silent = result.details.get("exit_code") == 1 and not output_of(result).strip()
        if family.nothing and silent:
            return str(filling.fill(family.nothing, reading.values))
        return failure(wish, result)
    if family.tell or family.nothing:
        if running(result):
            return shown(wish, result)
        return _as_family_says(reading, wish, result)
    return shown(wish, result)


_ONE = re.compile(r"\b(1 (?:line|word))s\b")


def _as_family_says(reading: Reading, wish: Wish, result: Message) -> str:
    family, output = reading.family, output_of(result).strip("\n")
    empty = not output.strip() or result.details.get("count") == 0
    if empty and family.nothing:
        return str(filling.fill(family.nothing, reading.values))
    line = output.strip().partition("\n")[0].strip()
    known = {f"w{number}": word for number, word in enumerate(line.split(), 1)}
    text = filling.fill(family.tell, {**reading.values, **known, "output": fenced(output), "line": line})
    return _ONE.sub(r"\1", text) if isinstance(text, str) else shown(wish, result)


def shown(wish: Wish, result: Message) -> str:
    """A good result in words, by its tool."""
    teller = TELLERS.get(wish.tool)
    return (teller(wish, result) if teller else result.text.strip()) or DONE


def failure(wish: Wish, result: Message) -> str:
    """Why a call did nothing, or not what was asked."""
    details = result.details
    if details.get("denied") == "person":
        return "All right, I left it as it was: nothing was done."
    if details.get("denied"):
        return "That needs your yes, and there is nobody here to ask. Nothing was done."
    if details.get("cancelled"):
        return "Stopped, as you asked."
    if details.get("no_rounds"):
        return "I have used all the steps one request may take. Say “continue” and I go on from here."
    if details.get("missing"):
        return missing(str(details["missing"]))
    if "exit_code" in details:
        return _command_failed(details, result)
    if "status" in details and "url" in details:
        return shown(wish, result)
    return f"That did not work: {result.text.strip()}"


def missing(tool: str) -> str:
    return f"For that I would need the tool `{tool}`, and it isn't available here."


def _command_failed(details: Mapping[str, Any], result: Message) -> str:
    code = details["exit_code"]
    how = "ran out of time" if details.get("timed_out") else f"ended with exit code {code}"
    text = output_of(result).strip("\n")
    return f"The command {how}" + (f":\n\n{fenced(text)}" if text.strip() else " and printed nothing.")


def lost(text: str, scene: Scene) -> str:
    """What is said to a sentence that no family fits: the nearest three things, and how to get more."""
    said = text.strip().partition("\n")[0]
    short = said if len(said) <= 80 else said[:79] + "…"
    near = [f"- {family.can}: “{family.example}”" for family in nearest(text, scene)]
    opening = f"I did not understand “{short}”." if short else "I did not get any words."
    return (
        f"{opening} I'm the built-in offline model and know plain requests only. The nearest I can do:\n\n"
        + "\n".join(near)
        + "\n\nSay “help” for everything. For free conversation connect a language model: say “how do I connect "
        "a model”." + left_out(scene)
    )


def left_out(scene: Scene) -> str:
    """A remark on files of sentences that could not be used."""
    return "".join(f"\n\n{problem}" for problem in scene.grammar.problems)


def nearest(text: str, scene: Scene, most: int = 3) -> Sequence[Family]:
    """The families whose words and tools are nearest to the text, nearest first."""
    return [family for _nearness, family in _ranked(text, scene)[:most]]


def near(text: str, scene: Scene) -> Sequence[Family]:
    """Like ``nearest``, but only those that have something in common with the text."""
    return [family for nearness, family in _ranked(text, scene)[:3] if nearness]


def _ranked(text: str, scene: Scene) -> list[tuple[int, Family]]:
    wanted, meant = set(_stems(text)), set(scene.match(text).tools)
    ranked = []
    for family in scene.grammar.families.values():
        if family.can and family.example:
            own = set(_stems(f"{family.can} {family.example} {family.name}"))
            tools = {tool for step in family.do for tool in step}
            ranked.append((len(wanted & own) + 2 * bool(tools & meant), family))
    return sorted(ranked, key=lambda pair: -pair[0])


_FILLERS = re.compile(
    r"\b(?:an?|the|of|in|on|is|are|to|for|and|with|my|me|i|you|it|this|that|what|how|do|can|please)\b", re.I
)


def _stems(text: str) -> list[str]:
    words = re.findall(r"[a-z]+", _FILLERS.sub(" ", text.lower()))
    return [re.sub(r"(?:ing|ed|es|s)$", "", word) if len(word) > 4 else word for word in words]
