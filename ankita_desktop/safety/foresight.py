"""What would happen to a command, without running it: its verdict, the rule that applies, and the outcome."""

from __future__ import annotations

from collections.abc import Collection
from pathlib import Path
from typing import Any

from ankita_desktop.safety.rules import Rules
from ankita_desktop.safety.shell_risk import ShellRisk, Verdict, verdict
from ankita_desktop.toolkit.command_grants import grant
from ankita_desktop.toolkit.services import Ruling

OUTCOMES = {"safe": "runs", "ask": "asks", "dangerous": "always asks", "blocked": "is never run"}


def judged(command: str, folder: Path, rules: Rules) -> dict[str, Any]:
    """The verdict as others read it, the rule that applies, and what would happen in the mode "ask"."""
    found = verdict(command, folder)
    ruling = rules.ruling("run_command", {"command": command}, folder)
    return {
        "command": command,
        "verdict": found.verdict,
        "parts": [{"text": part.text, "verdict": part.level, "reason": part.reason} for part in found.parts],
        "reason": found.reason,
        "rule": ruling.rule,
        "outcome": _outcome(found, ruling),
    }


def _outcome(found: Verdict, ruling: Ruling) -> str:
    if found.verdict == "blocked":
        return OUTCOMES["blocked"]
    if ruling.effect == "deny":
        return "denied"
    if ruling.effect == "ask":
        return "always asks"
    return "runs" if ruling.effect == "allow" and found.verdict == "ask" else OUTCOMES[found.verdict]


def remembered(command: str, folder: Path, keys: Collection[str]) -> bool:
    """Whether earlier answers, by their grant keys, cover a command that would be asked about."""
    needing = ShellRisk().needing(command, folder) or ()
    together = {grant(part)[0] for part in needing}
    return grant(command)[0] in keys or (bool(together) and together <= set(keys))
