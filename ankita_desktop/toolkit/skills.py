"""The skills that can be used in a folder: bundled, the person's own, and those of a trusted project.

The folders are looked at on every question, so a skill that was just written is there without a restart; files
that did not change are not read again.
"""

from __future__ import annotations

import re
import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path

from ankita_desktop.toolkit.skill_text import Skill, read_skill

PROJECT = Path(".agents") / "skills"
MOST = 500
_FILES = ("SKILL.md", "skill.md")
_WORD = re.compile(r"[^\W_]{3,}")
_EMPTY = frozenset(
    "use when the and for with from that this what how you your are can new into its not any".split()
)


def trusts(trusted: Iterable[str], folder: Path) -> bool:
    """Whether the person trusts the folder, or one that it lies in."""
    places = {Path(one).expanduser().resolve() for one in trusted if one.strip()}
    here = folder.resolve()
    return bool(places & {here, *here.parents})


def project_skills(cwd: Path) -> Path | None:
    """The nearest ``.agents/skills`` up the tree; the home folder's own is the person's, not a project's."""
    home = Path.home()
    for folder in (cwd, *cwd.parents):
        if folder == home:
            return None
        if (folder / PROJECT).is_dir():
            return folder / PROJECT
    return None


class SkillShelf:
    """Implements ``toolkit.services.Skills``. Thread-safe."""

    def __init__(self, *, bundled: Path, own: Path, trusted: Callable[[], Iterable[str]]) -> None:
        self._bundled = bundled
        self._own = own
        self._trusted = trusted
        self._lock = threading.Lock()
        self._read: dict[Path, tuple[tuple[int, int], Skill]] = {}

    def skills(self, cwd: Path) -> Sequence[Skill]:
        """Every skill by name; of two of one name the nearer: project, own, ~/.agents, bundled."""
        found: dict[str, Skill] = {}
        for root, source in self._roots(cwd):
            for file in _files(root):
                skill = self._skill(file, source)
                if skill is not None:
                    found.setdefault(skill.name, skill)
        return sorted(found.values(), key=lambda skill: skill.name)

    def skill(self, name: str, cwd: Path) -> Skill | None:
        wanted = name.strip().casefold()
        return next((skill for skill in self.skills(cwd) if skill.name.casefold() == wanted), None)

    def fitting(self, query: str, cwd: Path) -> Sequence[Skill]:
        """Up to three skills that a sentence speaks of, by their name or two words of their description."""
        said = _words(query)
        scored = [(self._score(said, skill), skill) for skill in self.skills(cwd)]
        best = sorted((pair for pair in scored if pair[0] >= 2), key=lambda pair: -pair[0])
        return [skill for _, skill in best[:3]]

    def untrusted(self, cwd: Path) -> Path | None:
        """Skills of the project that are not used because nobody has said yet that it's trusted."""
        root = project_skills(cwd)
        return root if root and _files(root) and not trusts(self._trusted(), root.parent.parent) else None

    def _score(self, said: set[str], skill: Skill) -> float:
        name = _words(skill.name.replace("-", " "))
        return 2 * len(name & said) / max(1, len(name)) * 2 + len(_words(skill.description) & said)

    def _roots(self, cwd: Path) -> Iterator[tuple[Path, str]]:
        project = project_skills(cwd)
        if project and trusts(self._trusted(), project.parent.parent):
            yield project, "project"
        yield self._own, "own"
        yield Path.home() / PROJECT, "agents"
        yield self._bundled, "bundled"

    def _skill(self, file: Path, source: str) -> Skill | None:
        try:
            stat = file.stat()
            state = (stat.st_mtime_ns, stat.st_size)
            with self._lock:
                known = self._read.get(file)
            if known is None or known[0] != state:
                known = (state, read_skill(file, source))
                with self._lock:
                    self._read[file] = known
            return known[1]
        except OSError:
            return None


def _files(root: Path) -> list[Path]:
    try:
        folders = sorted(entry for entry in root.iterdir() if entry.name[0] not in "._")[:MOST]
    except OSError:
        return []
    found = ([folder / name for name in _FILES if (folder / name).is_file()] for folder in folders)
    return [files[0] for files in found if files]


def _words(text: str) -> set[str]:
    return {word.rstrip("s") for word in _WORD.findall(text.casefold())} - _EMPTY
