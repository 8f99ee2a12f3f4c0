"""What a conversation knows from its start: pinned facts, skills, the project, the folder's AGENTS.md.

It is told once, in a note that is the conversation's first message, and stands in the system prompt from then on,
so that every request begins like the one before. What changes later is told in a further note at the end.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from ankita_desktop.protocol import Message
from ankita_desktop.toolkit.agents_file import instructions
from ankita_desktop.toolkit.projects import Project, Projects
from ankita_desktop.toolkit.remembering import PIN_LENGTH, Fact
from ankita_desktop.toolkit.services import Services
from ankita_desktop.toolkit.skill_text import Skill

BRIEFING = "briefing"
SKILLS_BYTES = 600
PROJECT_LENGTH = 800

_SKILLS = "Skills; read one with skill(name) before such work:"
_GONE = {
    "pins": "No facts are pinned any more.",
    "skills": "There are no skills now.",
    "project": "No project is in use now.",
    "instructions": "The instructions in AGENTS.md don't hold any more.",
}
_NEWS = {
    "pins": "The pinned facts have changed. Now:",
    "skills": "The skills have changed. Now:",
    "project": "The project in use has changed. Now:",
    "instructions": "AGENTS.md has changed. Now:",
}


class Briefing:
    """Reads what is to be known from the services, as it is now. Called on the lanes."""

    def __init__(self, services: Services, settings: Mapping[str, Any]) -> None:
        self._services = services
        self._trusted = tuple(settings.get("folders", {}).get("trusted", ()))

    def parts(self, session: str, cwd: str) -> dict[str, str]:
        """Part -> text, "" where there is nothing to tell."""
        services, folder = self._services, Path(cwd)
        project = services.projects.current_project(session, cwd) if services.projects else None
        return {
            "pins": pinned(services.memory.pins()) if services.memory else "",
            "project": project_block(project, services.projects) if project and services.projects else "",
            "instructions": _framed(instructions(folder, self._trusted)),
            "skills": skill_lines(services.skills.skills(folder)) if services.skills else "",
        }


def briefed(parts: Mapping[str, str], messages: Sequence[Message]) -> Message | None:
    """The note that tells what these messages have not told yet; None when they have told all."""
    told: dict[str, str] = {}
    for message in messages:
        told.update(message.details.get(BRIEFING, {}))
    now = {part: _digest(text) for part, text in parts.items()}
    fresh = [part for part in parts if now[part] != told.get(part, "")]
    if not fresh:
        return None
    texts = [parts[part] if not messages else _changed(part, parts[part]) for part in fresh]
    details = {BRIEFING: {part: now[part] for part in fresh}}
    return Message("user", "\n\n".join(texts), source="note", details=details)


def start_of(messages: Sequence[Message]) -> tuple[str, Sequence[Message]]:
    """What the conversation was told at its start, and the messages without that."""
    if messages and BRIEFING in messages[0].details:
        return messages[0].text, messages[1:]
    return "", messages


def pinned(facts: Sequence[Fact]) -> str:
    """The pinned facts as a block of the prompt, each cut to a line."""
    lines = [f"- {_cut(fact.text, PIN_LENGTH)}" for fact in facts]
    return "\n".join(["What the person wants you to keep in mind:", *lines]) if lines else ""


def skill_lines(skills: Sequence[Skill]) -> str:
    """Which skills there are, within SKILLS_BYTES: all names before long descriptions."""
    if not skills:
        return ""
    for width in (110, 80, 60, 40, 0):
        lines = [f"- {skill.name}{': ' + _cut(skill.description, width) if width else ''}" for skill in skills]
        text = "\n".join([_SKILLS, *lines])
        if len(text.encode()) <= SKILLS_BYTES:
            return text
    more = "- skill() lists more"
    while len("\n".join([_SKILLS, *lines, more]).encode()) > SKILLS_BYTES:
        lines.pop()
    return "\n".join([_SKILLS, *lines, more])


def project_block(project: Project, projects: Projects) -> str:
    """The project in use, short: what holds for it, the newest decisions, the next todos."""
    lines = [f"Project in use: {project.name}{' in ' + project.place if project.place else ''}"]
    lines += [project.about] if project.about else []
    lines += [f"Conventions: {'; '.join(project.conventions)}"] if project.conventions else []
    for kind, title in (("decision", "Decided"), ("todo", "Open")):
        notes = projects.notes(project.id, kind, limit=3)
        lines += [f"{title}: {_cut(note.text, 100)}" for note in notes]
    return _cut("\n".join([*lines, "project_memory knows more."]), PROJECT_LENGTH)


def _framed(text: str) -> str:
    return f"Instructions for this folder, from its AGENTS.md, which the person trusts:\n{text}" if text else ""


def _changed(part: str, text: str) -> str:
    return f"{_NEWS[part]}\n{text}" if text else _GONE[part]


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "replace")).hexdigest()[:12] if text else ""


def _cut(text: str, length: int) -> str:
    return text if len(text) <= length else text[: length - 1].rstrip() + "…"
