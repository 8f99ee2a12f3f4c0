"""The conversation that is open: reads it from the store, follows its events, sends what is written.

Everything that may touch the disk goes through the bridge's worker. Main thread only.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from PySide6.QtCore import QObject, Signal

from ankita_desktop.assembly import Assembly
from ankita_desktop.events import (
    Event,
    JobChanged,
    MessageAdded,
    Notice,
    QueueChanged,
    RoundEnded,
    SessionChanged,
    TextDelta,
    TextReset,
    TurnEnded,
    TurnStarted,
)
from ankita_desktop.protocol import JobInfo, Message, Mode, Round, SessionInfo
from ankita_desktop.ui.bridge import Bridge
from ankita_desktop.ui.centre import Centre
from ankita_desktop.ui.live import Live
from ankita_desktop.ui.panels import SidePanel
from ankita_desktop.ui.place import Place
from ankita_desktop.ui.session_rows import title
from ankita_desktop.ui.usage import meter, midnight


@dataclass(frozen=True, slots=True)
class Start:
    """What a new chat will be made with; there is no row before its first message."""

    cwd: str
    mode: Mode
    model: str = ""


@dataclass(frozen=True, slots=True)
class Loaded:
    """All that is shown of a conversation, read in one go on the worker."""

    info: SessionInfo
    messages: Sequence[Message]
    rounds: Sequence[Round]
    jobs: Sequence[JobInfo]
    queued: Sequence[str]
    running: bool
    undone: Sequence[str]


@dataclass(frozen=True, slots=True)
class Draft:
    text: str = ""
    files: tuple[str, ...] = ()


class Conversation(QObject):
    """``current`` is the open session's id, "" for a new chat; ``shown`` are the ids of its messages.
    ``connectAsked``: the person wants a model; ``placed``: the folder that is worked in, each time it is shown."""

    changed = Signal(str)
    placed = Signal(str)
    connectAsked = Signal()

    def __init__(self, assembly: Assembly, bridge: Bridge, centre: Centre, panel: SidePanel) -> None:
        super().__init__()
        self._assembly, self._engine, self._bridge = assembly, assembly.engine, bridge
        self._centre, self._panel = centre, panel
        self._info: SessionInfo | None = None
        self._start = Start(assembly.folder(), assembly.mode())
        self._wanted = ""
        self._place = Place(assembly, bridge, centre)
        self._place.shown.connect(self.placed)
        self._loading: list[Event] | None = None
        self.shown: set[str] = set()
        self._live: defaultdict[str, Live] = defaultdict(lambda: Live([]))
        self._drafts: dict[str, Draft] = {}
        self._making: tuple[Start, list[Callable[[str], None]]] | None = None

    @property
    def current(self) -> str:
        return self._wanted

    @property
    def folder(self) -> str:
        return self._info.cwd if self._info else self._start.cwd

    # --- opening ----------------------------------------------------------------------------

    def new(self, folder: str = "") -> None:
        """An empty chat, in a folder if one is named."""
        self._leave("")
        self._start = Start(folder or self._assembly.folder(), self._assembly.mode())
        self._info = None
        self._loading = None
        self.shown = set()
        self._centre.chat.show_messages(())
        self._centre.show_chat(False)
        self._panel.usage.show_rounds(())
        self._panel.jobs.show_jobs(())
        self._centre.queue.show_texts(())
        self._show_head("New chat", self._start.mode)
        self._show_running(False)
        self._put_draft()
        self.count_today()
        self.changed.emit("")

    def open(self, session: str) -> None:
        """Show a stored conversation, as soon as the worker has read it."""
        self._leave(session)
        self._loading = []
        self._bridge.do(lambda: self._read(session), self._show)
        self.count_today()
        self.changed.emit(session)

    def _leave(self, session: str) -> None:
        self._drafts[self._wanted] = Draft(self._centre.composer.text(), tuple(self._centre.composer.files()))
        self._wanted = session

    def _put_draft(self) -> None:
        draft = self._drafts.pop(self._wanted, Draft())
        self._centre.composer.put(draft.text, draft.files)

    def _read(self, session: str) -> Loaded:
        store = self._assembly.store
        return Loaded(
            store.session(session),
            store.messages(session),
            [each for _, _, each, _ in store.rounds(session)],
            self._engine.jobs(session),
            self._engine.queued(session),
            self._engine.is_running(session),
            [row.id for row in self._assembly.checkpoints.list(session) if row.restored],
        )

    def _show(self, found: Loaded) -> None:
        if found.info.id != self._wanted or self._loading is None:
            return
        since, self._loading = self._loading, None
        known = {message.id for message in found.messages}
        late = [each.message for each in since if isinstance(each, MessageAdded) and each.message.id not in known]
        messages = [*found.messages, *late]
        self.shown = {message.id for message in messages}
        self._centre.chat.show_messages(messages)
        self._centre.chat.show_jobs(found.jobs)
        for checkpoint in found.undone:
            self._centre.chat.mark_undone(checkpoint)
        self._centre.show_chat(bool(messages) or found.running)
        for event in self._live[found.info.id].events:
            self._centre.chat.handle(event)
        self._panel.usage.show_rounds(found.rounds)
        self._panel.jobs.show_jobs(found.jobs)
        self._panel.count_jobs()
        self._centre.queue.show_texts(found.queued)
        self._show_info(found.info)
        self._show_running(found.running)
        self._put_draft()
        self.mark_read()

    def ensure(self, then: Callable[[str], None]) -> None:
        """Call ``then`` with the id of the open session; a new chat gets its row first."""
        if self._info is not None:
            then(self._info.id)
            return
        if self._wanted:
            return
        start = self._start
        if self._making is not None and self._making[0] is start:
            self._making[1].append(then)
            return
        waiting = [then]
        self._making = (start, waiting)

        def made(info: SessionInfo) -> None:
            if self._start is start and not self._wanted:
                self._wanted, self._info = info.id, info
                self._show_info(info)
                self.changed.emit(info.id)
            for each in waiting:
                each(info.id)

        self._bridge.do(
            lambda: self._assembly.new_session(cwd=start.cwd, mode=start.mode, model=start.model), made
        )

    def change(self, **fields: object) -> None:
        """Another mode, model or folder: of the open session, or of the new chat to come."""
        if self._info is not None:
            session = self._info.id
            self._bridge.do(lambda: self._engine.update_session(session, **fields))
        else:
            self._start = replace(self._start, **fields)  # type: ignore[arg-type]
            self._show_head("New chat", self._start.mode)

    # --- following --------------------------------------------------------------------------

    def handle(self, event: Event) -> None:
        """Every event of every conversation comes by here."""
        if isinstance(event, RoundEnded):
            self.count_today()
        self._live[event.session].take(event)
        if event.session != self._wanted or not event.session:
            return
        if self._loading is not None:
            self._loading.append(event)
        else:
            self._follow(event)

    def _follow(self, event: Event) -> None:
        if isinstance(event, MessageAdded):
            if event.message.id in self.shown:
                return
            self.shown.add(event.message.id)
            self._centre.show_chat(True)
        self._centre.chat.handle(event)
        if isinstance(event, TextReset):
            self._centre.notice.wait(event.words, event.wait)
        elif isinstance(event, TextDelta | MessageAdded | TurnEnded):
            self._centre.notice.over()
        match event:
            case TurnStarted():
                self._show_running(True)
            case TurnEnded():
                self._show_running(self._engine.is_running(event.session))
                self.mark_read()
            case RoundEnded(round=each):
                self._panel.usage.add_round(each)
                self._show_meter()
            case QueueChanged(texts=texts):
                self._centre.queue.show_texts(texts)
            case JobChanged(job=job):
                self._panel.jobs.update_job(job)
                self._panel.count_jobs()
            case SessionChanged(info=SessionInfo() as info):
                self._show_info(info)
            case SessionChanged(info=None):
                self.new()
            case Notice(text=text):
                self._centre.notice.tell(text)
            case _:
                pass

    def mark_read(self) -> None:
        """The open conversation has been seen, if the window is in front."""
        session, window = self._wanted, self._centre.window()
        if session and window.isActiveWindow() and window.isVisible():
            self._bridge.do(lambda: self._set_read(session))

    def _set_read(self, session: str) -> None:
        if self._assembly.store.session(session).unread:
            self._engine.update_session(session, unread=False)

    # --- showing ----------------------------------------------------------------------------

    def _show_info(self, info: SessionInfo) -> None:
        same = self._info is not None and (self._info.cwd, self._info.model) == (info.cwd, info.model)
        self._info = info
        self._centre.bar.show_title(title(info))
        self._centre.composer.show_mode(info.mode)
        self._show_meter()
        if not same or not self._centre.bar.folder.text():
            self._place.show(self.folder, self._info)

    def _show_head(self, words: str, mode: Mode) -> None:
        self._centre.bar.show_title(words)
        self._centre.composer.show_mode(mode)
        self._show_meter()
        self._place.show(self.folder, self._info)

    def count_today(self) -> None:
        """Show what all conversations cost since midnight."""
        store, settings = self._assembly.store, self._assembly.settings
        self._bridge.do(
            lambda: (store.spent(midnight()), settings.values.agent.daily_budget),
            lambda found: self._panel.usage.show_today(*found),
        )

    def _show_meter(self) -> None:
        self._centre.bar.show_meter(meter(self._panel.usage.rounds))

    def _show_running(self, running: bool) -> None:
        self._centre.composer.show_running(running)

    def refresh(self) -> None:
        """The settings changed: folder of new chats, model, mode."""
        self.count_today()
        if self._info is None:
            self._start = Start(self._assembly.folder(), self._assembly.mode())
            self._centre.composer.show_mode(self._start.mode)
        self._place.show(self.folder, self._info)
