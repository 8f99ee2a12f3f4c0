"""Slash commands about what is known: memory, skills, projects, and ways back in the conversation."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from ankita_desktop.core.session import is_asking
from ankita_desktop.errors import UsageError
from ankita_desktop.terminal.screen import one_line, safe
from ankita_desktop.terminal.sessions import day

if TYPE_CHECKING:
    from ankita_desktop.assembly import Assembly
    from ankita_desktop.terminal.talk import Talk

SHOWN = 20


class Knowing:
    """Part of the slash commands; what they need of the conversation is ``_app`` and ``_talk``."""

    _app: Assembly
    _talk: Talk

    def _memory(self, rest: str) -> None:
        store = self._app.store
        if rest:
            found = store.recall(rest, session=self._talk.session)
            for one in found:
                print(f"{day(one.time)}  {one_line(one.text, 120)}  ({one_line(one.source, 60)})")
            lines = len(found)
        else:
            facts = store.facts()[:SHOWN]
            for fact in facts:
                print(f"{fact.id:<6} {'[pinned] ' if fact.pinned else ''}{one_line(fact.text, 140)}")
            lines = len(facts)
        if not lines:
            print("Nothing is remembered." if not rest else "Nothing is remembered about that.")

    def _skills(self, _rest: str) -> None:
        for skill in self._app.skills.skills(Path(self._cwd())):
            print(f"{skill.name:<20} {one_line(skill.description, 100)}")

    def _project(self, rest: str) -> None:
        store, session = self._app.store, self._talk.session
        if rest:
            found = store.find_projects(rest)
            if len(found) != 1:
                names = ", ".join(one.name for one in found or store.projects()) or "none yet"
                raise UsageError(f"{'Which one' if found else 'There is no such project'}? There are: {names}.")
            store.use_project(session, found[0].id)
        current = store.current_project(session, self._cwd())
        for one in store.projects():
            mark = "*" if current and one.id == current.id else " "
            print(f"{mark} {one_line(one.name, 40):<40} {one_line(one.place, 60)}")
        if not store.projects():
            print("There are no projects yet. Say “start a project called …”.")

    def _branch(self, _rest: str) -> None:
        """Go on in a copy of this conversation; it stays as it is."""
        messages = self._app.store.messages(self._talk.session)
        if not messages:
            raise UsageError("There is nothing to branch from yet.")
        info = self._app.engine.branch(self._talk.session, messages[-1].id)
        self._talk.session = info.id
        print(f"This goes on in {info.id}: {safe(info.title)}")

    def _edit(self, rest: str) -> None:
        """Say something else in place of the last question."""
        if not rest:
            raise UsageError("/edit takes what you want to have said instead of the last question.")
        said = [m for m in self._app.store.messages(self._talk.session) if is_asking(m)]
        if not said:
            raise UsageError("There is nothing to change yet.")
        self._talk.follow(lambda: self._app.engine.edit(self._talk.session, said[-1].id, rest))

    def _cwd(self) -> str:
        return self._app.store.session(self._talk.session).cwd
