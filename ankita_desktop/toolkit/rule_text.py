"""A rule about calls as a person writes it: ``allow run_command(git status *)``."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal, get_args

Effect = Literal["allow", "ask", "deny"]

RULE = re.compile(r"(\S+)\s+([\w*?]+)\s*(?:\((.*)\))?", re.DOTALL)
EXAMPLE = "such as: allow run_command(git status *)"
WILD = re.compile(r"[*?]+")
# What begins another rule inside the brackets of one.
SECOND = re.compile(r"\)\s*[,;]?\s*(?:allow|ask|deny)\s+[\w*?]+\s*\(")


@dataclass(frozen=True, slots=True)
class Rule:
    """``tool`` and ``pattern`` may hold ``*`` and ``?``; an empty pattern means every call of the tool."""

    effect: Effect
    tool: str
    pattern: str = ""

    @property
    def text(self) -> str:
        return f"{self.effect} {self.tool}" + (f"({self.pattern})" if self.pattern else "")

    @property
    def weight(self) -> int:
        """How much it says: of two rules that apply, the one that says more counts."""
        return len(WILD.sub("", self.tool + self.pattern))


def parse_rule(text: str) -> Rule:
    """Read a rule. Raises ``ValueError`` saying what is wrong with it."""
    found = RULE.fullmatch(text.strip())
    effect = text.split(maxsplit=1)[0] if text.split() else ""
    if effect not in get_args(Effect):
        raise ValueError(f"a rule begins with allow, ask or deny, {EXAMPLE}; this one is {text!r}")
    if found is None:
        raise ValueError(f"behind {effect} stands a tool's name and what is meant in brackets, {EXAMPLE}")
    pattern = (found[3] or "").strip()
    if found[3] is not None and not pattern:
        raise ValueError(f"the brackets of {text.strip()!r} are empty; leave them out to mean every call")
    if "\0" in pattern or "\n" in pattern or SECOND.search(pattern):
        raise ValueError("a rule stands on one line")
    if effect == "allow" and (
        WILD.fullmatch(found[2]) or (found[2] == "run_command" and not WILD.sub("", pattern))
    ):
        raise ValueError(f"{text.strip()!r} would allow everything; say which tool and what")
    return Rule(effect, found[2], pattern)  # type: ignore[arg-type]  # checked above
