"""What would happen to a command, without running it: its verdict, the rule or the remembered
answers that apply, and the outcome."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

from ankita_desktop.protocol import Grant
from ankita_desktop.safety.rules import Rules
from ankita_desktop.safety.shell_risk import ShellRisk, Verdict, verdict
from ankita_desktop.toolkit.command_grants import grant
from ankita_desktop.toolkit.services import Ruling

OUTCOMES = {"safe": "runs", "ask": "asks", "dangerous": "always asks", "blocked": "is never run"}


def judged(command: str, folder: Path, rules: Rules, grants: Iterable[Grant] = ()) -> dict[str, Any]:
    """The verdict as others read it, the rule or else the remembered answers (of ``grants``, which count) that
    apply, and what would happen in the mode "ask"."""
    found = verdict(command, folder)
    ruling = rules.ruling("run_command", {"command": command}, folder)
    outcome = _outcome(found, ruling)
    given = _given(command, folder, grants) if outcome == OUTCOMES["ask"] else ()
    return {
        "command": command,
        "verdict": found.verdict,
        "parts": [{"text": part.text, "verdict": part.level, "reason": part.reason} for part in found.parts],
        "reason": found.reason,
        "rule": ruling.rule,
        "grants": [{"id": each.id, "label": each.label} for each in given],
        "outcome": OUTCOMES["safe"] if given else outcome,
    }


def _outcome(found: Verdict, ruling: Ruling) -> str:
    if found.verdict == "blocked":
        return OUTCOMES["blocked"]
    if ruling.effect == "deny":
        return "denied"
    if ruling.effect == "ask":
        return "always asks"
    return "runs" if ruling.effect == "allow" and found.verdict == "ask" else OUTCOMES[found.verdict]


def _given(command: str, folder: Path, grants: Iterable[Grant]) -> tuple[Grant, ...]:
    """The earlier answers that cover a command which would be asked about: one for all of it, or one for each of
    its programs."""
    known = {each.key: each for each in grants}
    whole = grant(command)[0]
    if whole in known:
        return (known[whole],)
    together = dict.fromkeys(grant(part)[0] for part in ShellRisk().needing(command, folder) or ())
    return tuple(known[key] for key in together) if all(key in known for key in together) else ()
