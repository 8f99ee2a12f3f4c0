"""AGENTS.md: what a project's people tell every assistant. Read only where the person trusts the folder."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from ankita_desktop.toolkit.skill_text import text_of
from ankita_desktop.toolkit.skills import project_skills, trusts

NAME = "AGENTS.md"
LONGEST = 8_000


def agents_file(cwd: Path) -> Path | None:
    """The nearest AGENTS.md up the tree, not above the repository and not in the home folder or above it."""
    home = Path.home()
    for folder in (cwd, *cwd.parents):
        if folder == home or folder == folder.parent:
            return None
        if (folder / NAME).is_file():
            return folder / NAME
        if (folder / ".git").exists():
            return None
    return None


def instructions(cwd: Path, trusted: Iterable[str]) -> str:
    """The text of the AGENTS.md that holds in ``cwd``, cut at LONGEST characters; "" when there is none to use."""
    file = agents_file(cwd)
    if file is None or not trusts(trusted, file.parent):
        return ""
    try:
        text = text_of(file).strip()
    except OSError:
        return ""
    cut = f"\n[cut here; read_file reads the rest of {file}]" if len(text) > LONGEST else ""
    return f"{text[:LONGEST]}{cut}"


def asks_for_trust(
    cwd: Path, trusted: Iterable[str], refused: Iterable[str] = ()
) -> tuple[Path, tuple[str, ...]] | None:
    """The folder that would have to be trusted, and what of it would be read then; None when nothing waits, or
    when it was ``refused``."""
    trusted = tuple(trusted)
    skills = project_skills(cwd)
    file, env = agents_file(cwd), cwd / ".env"
    found = [(file.parent, NAME)] if file else []
    found += [(skills.parent.parent, ".agents/skills")] if skills else []
    found += [(cwd, ".env")] if env.is_file() and cwd != Path.home() else []
    open_ones = [(folder, what) for folder, what in found if not trusts(trusted, folder)]
    if not open_ones:
        return None
    outermost = min((folder for folder, _ in open_ones), key=lambda folder: len(folder.parts))
    return None if trusts(refused, outermost) else (outermost, tuple(what for _, what in open_ones))
