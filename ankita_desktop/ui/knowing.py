"""Memory, projects and skills between the window and the store. Main thread only; the store is read and changed
on the bridge's worker."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from PySide6.QtCore import QObject, QUrl
from PySide6.QtGui import QDesktopServices
from PySide6.QtWidgets import QInputDialog, QMessageBox, QWidget

from ankita_desktop.assembly import Assembly, skill_shelf
from ankita_desktop.toolkit.remembering import Fact
from ankita_desktop.toolkit.skill_text import Skill
from ankita_desktop.ui.bridge import Bridge
from ankita_desktop.ui.conversation import Conversation
from ankita_desktop.ui.memory import Desk
from ankita_desktop.ui.panels import SidePanel


@dataclass(frozen=True, slots=True)
class Known:
    """All the three tabs show, read in one go."""

    facts: tuple[Fact, ...]
    desk: Desk
    skills: tuple[Skill, ...]
    untrusted: Path | None


class Knowing(QObject):
    """Keeps the tabs true to the store, and carries out what the person does in them."""

    def __init__(self, assembly: Assembly, bridge: Bridge, panel: SidePanel, conversation: Conversation) -> None:
        super().__init__()
        self._assembly, self._bridge, self._panel = assembly, bridge, panel
        self._store, self._conversation = assembly.store, conversation
        self._skills = skill_shelf(assembly.settings)
        self._shown: Known | None = None
        conversation.changed.connect(lambda _session: self.look())
        self._wire_memory()
        self._wire_projects()
        panel.skills.opened.connect(lambda file: QDesktopServices.openUrl(QUrl.fromLocalFile(file)))
        panel.skills.trustAsked.connect(self._trust)

    def look(self) -> None:
        """Show how it stands now."""
        session, folder = self._conversation.current, self._conversation.folder
        self._bridge.do(lambda: self._read(session, folder), self._show)

    # --- wiring

    def _wire_memory(self) -> None:
        panel, store = self._panel.memory, self._store
        panel.added.connect(lambda text: self._do(lambda: store.add_fact(text)))
        panel.pinned.connect(lambda fact, pinned: self._do(lambda: store.pin_fact(fact, pinned)))
        panel.changed.connect(self._change)
        panel.forgetAsked.connect(
            lambda fact, text: self._ask("Forget this?", text, "Forget", lambda: store.forget_fact(fact))
        )

    def _wire_projects(self) -> None:
        panel, store = self._panel.project, self._store
        panel.makeAsked.connect(self._make)
        panel.used.connect(self._use)
        panel.archived.connect(lambda key, away: self._do(lambda: store.update_project(key, archived=away)))
        panel.todoAdded.connect(self._add_todo)
        panel.todoDone.connect(lambda note: self._do(lambda: store.finish_note(note)))
        panel.forgetAsked.connect(
            lambda key, title: self._ask(
                f"Forget the project “{title}”?",
                "Its notes, decisions and todos are removed. Its files stay.",
                "Forget",
                lambda: store.forget_project(key),
            )
        )

    # --- acts

    def _do(self, work: Callable[[], Any]) -> None:
        self._bridge.do(work)
        self.look()

    def _change(self, fact: str, text: str) -> None:
        ask = QInputDialog(self._window())
        ask.setWindowTitle("Change what is remembered")
        ask.setLabelText("It shall say")
        ask.setTextValue(text)
        ask.textValueSelected.connect(
            lambda new: self._do(lambda: self._store.change_fact(fact, new)) if new.strip() else None
        )
        ask.finished.connect(ask.deleteLater)
        ask.open()

    def _make(self) -> None:
        folder = self._conversation.folder
        title = Path(folder).name or folder
        self._do(lambda: self._store.add_project(title, kind="folder", place=folder))

    def _use(self, project: str) -> None:
        self._conversation.ensure(lambda session: self._do(lambda: self._store.use_project(session, project)))

    def _add_todo(self, project: str, text: str) -> None:
        if text:
            self._do(lambda: self._store.add_note(project, "todo", text))

    def _trust(self, folder: str) -> None:
        settings = self._assembly.settings

        def work() -> None:
            settings.set("folders.trusted", "\n".join([*settings.values.folders.trusted, folder]))

        self._do(work)

    def _ask(self, question: str, about: str, words: str, work: Callable[[], Any]) -> None:
        ask = QMessageBox(QMessageBox.Icon.NoIcon, words, question, parent=self._window())
        ask.setInformativeText(about)
        yes = ask.addButton(words, QMessageBox.ButtonRole.DestructiveRole)
        ask.setDefaultButton(ask.addButton("Keep", QMessageBox.ButtonRole.RejectRole))
        yes.clicked.connect(lambda _checked=False: self._do(work))
        ask.finished.connect(ask.deleteLater)
        ask.open()

    def _window(self) -> QWidget:
        return self._panel.window()

    # --- reading

    def _read(self, session: str, folder: str) -> Known:
        """On the worker."""
        place = Path(folder)
        return Known(
            tuple(self._store.facts()),
            self._desk(session, folder),
            tuple(self._skills.skills(place)),
            self._skills.untrusted(place),
        )

    def _desk(self, session: str, folder: str) -> Desk:
        store = self._store
        current = store.current_project(session, folder)
        key = current.id if current else ""
        others = tuple(each for each in store.projects() if each.id != key)
        away = tuple(each for each in store.projects(archived=True) if each.id != key)
        return Desk(current, tuple(store.notes(key)) if key else (), others, away, folder)

    def _show(self, known: Known) -> None:
        before, self._shown = self._shown, known
        if before is None or before.facts != known.facts:
            self._panel.memory.show_facts(known.facts)
        if before is None or before.desk != known.desk:
            self._panel.project.show_desk(known.desk)
        if before is None or (before.skills, before.untrusted) != (known.skills, known.untrusted):
            self._panel.skills.show_skills(known.skills, known.untrusted)
