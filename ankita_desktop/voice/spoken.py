"""Spoken words that steer: the commands of hands-free talk, and a yes or no to an approval."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

from ankita_desktop.protocol import Decision

Command = Literal["stop", "repeat", "slower", "faster", "exit"]

_SAID: dict[Command, tuple[str, ...]] = {
    "stop": (
        "stop",
        "stop it",
        "stop talking",
        "be quiet",
        "quiet",
        "shut up",
        "cancel",
        "enough",
        "hush",
        "silence",
    ),
    "repeat": ("repeat", "repeat that", "say that again", "say it again", "again", "what did you say", "pardon"),
    "slower": (
        "slower",
        "slow it",
        "speak slower",
        "talk slower",
        "slow down",
        "more slowly",
        "speak more slowly",
    ),
    "faster": ("faster", "speak faster", "talk faster", "speed up"),
    "exit": (
        "exit",
        "exit voice mode",
        "stop listening",
        "goodbye",
        "good bye",
        "hang up",
        "that's all",
        "that's it",
    ),
}
HARMLESS: tuple[Command, ...] = ("repeat", "slower", "faster")
_YES = (
    "yes",
    "yes please",
    "yeah",
    "yep",
    "yes do it",
    "go ahead",
    "do it",
    "allow",
    "allow it",
    "okay",
    "ok",
    "sure",
)
_NO = ("no", "nope", "don't", "deny", "do not", "no thanks", "no don't", "never", "don't do it", "do not do it")
_POLITE = re.compile(r"^(?:hey |ok |okay )?(?:ankita )?(?:please )?|(?: please)?(?: ankita)?(?: now)?$")


def plain(text: str) -> str:
    """Lower case, no punctuation, single spaces."""
    return " ".join(re.findall(r"[^\W_]+(?:['’][^\W_]+)?", text.lower())).replace("’", "'")


def command(text: str) -> Command | None:
    """The command that a whole utterance is, or None. A word that is a letter off still changes the pace."""
    said = plain(text)
    shorter = _POLITE.sub("", said)
    for name, ways in _SAID.items():
        if said in ways or shorter in ways:
            return name
    return _nearly(shorter)


def _nearly(word: str) -> Command | None:
    """ "Flower." alone is nothing anybody asks; saying it again slowly is no harm if it was."""
    from rapidfuzz.distance import Levenshtein

    for name in HARMLESS:
        if Levenshtein.distance(word, name, score_cutoff=1) <= 1:
            return name
    return None


@dataclass(frozen=True, slots=True)
class Reply:
    """A yes or no, with the reason that was given."""

    allow: bool
    reason: str = ""

    def decision(self) -> Decision:
        return Decision(allow=self.allow, reason=self.reason)


def reply(text: str) -> Reply | None:
    """What an utterance answers to a question; None when it is neither a plain yes nor a no.

    A yes counts only when it is the whole utterance; a no may go on with its reason.
    """
    said = plain(text)
    if said in _YES or said.removesuffix(" please") in _YES:
        return Reply(True)
    if said in _NO:
        return Reply(False)
    reasoned = re.match(r"\s*(?:no|nope|don't|deny)\b[\s,.;:!–—-]*(?:because\s+|since\s+)?(.+)", text, re.I | re.S)
    return Reply(False, reasoned[1].strip()) if reasoned else None
