"""Judges shell commands: what only reads may run unasked, what can't be undone is always asked."""

from __future__ import annotations

import shlex
import sys
from pathlib import Path

from ankita_desktop.safety.shell.judge import judge
from ankita_desktop.safety.shell.verdict import Part, Verdict
from ankita_desktop.safety.shell.words import UNKNOWN

__all__ = ["Part", "ShellRisk", "Verdict", "verdict"]


class ShellRisk:
    """Implements ``toolkit.services.Risk``. Thread-safe; a command takes well under a millisecond."""

    def judge(self, command: str, cwd: Path) -> tuple[str, str]:
        """The verdict ("safe", "ask", "dangerous" or "blocked") and its reason in a sentence."""
        found = verdict(command, cwd)
        return found.verdict, found.reason

    def needing(self, command: str, cwd: Path) -> tuple[str, ...] | None:
        """The programs of the command that need a yes, as commands; None when one can't stand alone."""
        parts = [part for part in verdict(command, cwd).parts if part.level != "safe" and part.outer]
        if not all(part.plain and UNKNOWN not in "".join(part.words) for part in parts):
            return None
        return tuple(shlex.join(part.words) for part in parts)


def verdict(command: str, cwd: Path, platform: str = sys.platform) -> Verdict:
    """Judge a command as the platform's shell would run it in ``cwd``. Runs nothing, raises nothing for bad
    text."""
    if platform == "win32":
        from ankita_desktop.safety.shell.powershell import judge_powershell

        return judge_powershell(command, cwd)
    return judge(command, cwd)
