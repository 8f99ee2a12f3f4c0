"""Running git by a person's own command line, when nobody was asked: nothing in the repository may decide what
runs."""

from __future__ import annotations

import re
from pathlib import Path

from ankita_desktop.errors import ToolError
from ankita_desktop.toolkit.cancel import Cancel
from ankita_desktop.toolkit.git import ALWAYS, OWN, READING, Repository

NAMES_GIT = re.compile(r"\bgit\b")
# What environment settings can't switch off: programs named by the repository's own configuration.
PROGRAMS = re.compile(
    r"diff\.external|diff\..+\.(command|textconv)|filter\..+\.\w+|gpg\.(.+\.)?program|alias\..+", re.DOTALL
)


def reading_environment() -> dict[str, str]:
    """Variables with which git only looks: no monitor, pager or hook of the repository's."""
    # An empty external diff needs an option beside it, or git stops.
    settings = {key: value for key, value in {**ALWAYS, **READING}.items() if key != "diff.external"}
    env = {"GIT_CONFIG_COUNT": str(len(settings)), "GIT_OPTIONAL_LOCKS": "0", "GIT_NO_LAZY_FETCH": "1"}
    for number, (key, value) in enumerate(settings.items()):
        env |= {f"GIT_CONFIG_KEY_{number}": key, f"GIT_CONFIG_VALUE_{number}": value}
    return env


def chooses_programs(folder: Path, cancel: Cancel) -> bool:
    """Whether the repository that ``folder`` lies in may start a program while it is only looked at."""
    try:
        repository = Repository(folder, cancel)
    except ToolError as error:
        return "is not in a git repository" not in str(error)
    return any(s.scope in OWN and PROGRAMS.fullmatch(s.key) and s.value for s in repository.settings)
