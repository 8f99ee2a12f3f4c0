"""The composition root of the window: options, parts, window, tray; and how it starts and ends."""

from __future__ import annotations

import contextlib
import gc
import os
import signal
import socket
import sys
import threading
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from PySide6.QtCore import QObject, QSocketNotifier, QTimer
from PySide6.QtWidgets import QApplication

from ankita_desktop import paths
from ankita_desktop.assembly import Assembly, Options, assemble
from ankita_desktop.core.engine import Engine
from ankita_desktop.errors import AnkitaError
from ankita_desktop.events import ApprovalAsked, ApprovalClosed, Event, TurnEnded
from ankita_desktop.protocol import ApprovalRequest, Decision
from ankita_desktop.terminal.options import Parser, model_choice, model_options
from ankita_desktop.ui import starting
from ankita_desktop.ui.bridge import Bridge
from ankita_desktop.ui.desktop import WindowDesktop
from ankita_desktop.ui.notify import ALLOW, Note, Notifier, offers
from ankita_desktop.ui.notify import OPEN as OPEN_NOTE
from ankita_desktop.ui.settings_dialog import SettingsDialog
from ankita_desktop.ui.single import Single, tell
from ankita_desktop.ui.staying import Staying
from ankita_desktop.ui.theme import theme
from ankita_desktop.ui.tray import Tray, app_icon
from ankita_desktop.ui.window import MainWindow

CHECK_MS = 300
WARM_MS = 300  # after the first paint
SWITCH_SECONDS = 0.001
OPEN, SHOW = "open ", "session "
"""What a second start with --cwd or --session tells the first, before the folder or the conversation's id."""


@dataclass(frozen=True, slots=True)
class Start:
    """What the command line wants of the window."""

    options: Options
    toggle: bool = False
    self_check: bool = False
    talk: bool = False
    session: str = ""


def parse(argv: list[str]) -> Start:
    """Read ``argv`` (program name first). Raises ``UsageError``."""
    parser = Parser(prog="ankita", description="Opens the window.")
    model_options(parser)
    parser.add_argument("--toggle", action="store_true", help="show or hide the window that runs")
    parser.add_argument("--session", metavar="ID", default="", help="show this conversation")
    parser.add_argument("--talk", action="store_true", help="begin or end talking in the window that runs")
    parser.add_argument("--self-check", action="store_true", help="open everything once, then end")
    said = parser.parse_args(argv[1:])
    options = Options(**model_choice(said), front="window")
    return Start(options, said.toggle, said.self_check, said.talk, said.session)


class Application(QObject):
    """Everything of a running window. ``close`` may be called more than once."""

    def __init__(self, qt: QApplication, assembly: Assembly) -> None:
        super().__init__()
        self.qt, self.assembly = qt, assembly
        self.bridge = Bridge(assembly.engine)
        self.window = MainWindow(assembly, self.bridge)
        self.tray = Tray()
        self.single = Single()
        self.notifier = Notifier(self.tray.say)
        self.staying = Staying(self.window, self.tray, lambda: assembly.settings.values.ui.close_to_tray)
        self._settings: SettingsDialog | None = None
        self._wake: QSocketNotifier | None = None
        self.closed = False
        self._running = False
        self._font_size = assembly.settings.values.ui.font_size
        self._wire()

    @property
    def engine(self) -> Engine:
        return self.assembly.engine

    def run(self) -> int:
        """Show the window and stay until the person quits. Returns the exit code."""
        self.single.listen()
        self._heed_signals()
        self.window.show()
        QTimer.singleShot(WARM_MS, self, self._warm)
        self._running = True
        try:
            return self.qt.exec()
        finally:
            self._running = False
            self.close()

    def close(self) -> None:
        """End in well under four seconds, whatever runs: questions stay stored, jobs and streams are ended."""
        if self.closed:
            return
        self.closed = True
        self.single.close()
        self.tray.close()
        if self._settings is not None:
            self._settings.close()
        self.window.leave()
        self.bridge.close(0.5)
        self.assembly.close()
        self.window.deleteLater()
        gc.unfreeze()

    def quit(self) -> None:
        """What the person's Quit does: leave the event loop, or close at once when there is none."""
        if self._running:
            self.qt.quit()
        else:
            self.close()

    def talk(self) -> None:
        """Begin to talk, or end it: `ankita --talk`."""
        self.window.voicing.dictation.toggle()

    def show(self, session: str) -> None:
        """Show a stored conversation, named by the beginning of its id: `ankita --session ID`."""
        self.window.raise_up()
        self.bridge.do(lambda: self.assembly.store.find_session(session).id, self.window.open)

    # --- inside

    def _warm(self) -> None:
        """The window stands: load what the first answer needs, beside it."""

        def load() -> None:
            with contextlib.suppress(AnkitaError):  # the first answer says what is wrong
                self.assembly.redactor.hide("")
                self.assembly.models.warm()
            self.assembly.voice.tidy()

        threading.Thread(target=load, name="warm", daemon=True).start()

    def _wire(self) -> None:
        window, tray = self.window, self.tray
        window.quitAsked.connect(self.quit)
        window.settingsAsked.connect(self.show_settings)
        tray.quitAsked.connect(self.quit)
        self.staying.quitAsked.connect(self.quit)
        self.staying.told.connect(self.notifier.say)
        tray.pauseChosen.connect(self.notifier.pause)
        tray.pauseAllChosen.connect(window.automating.pause_all)
        window.voicing.stateChanged.connect(tray.show_state)
        window.voicing.told.connect(self._tell_unseen)
        window.automating.changed.connect(lambda now: tray.show_due(now.next, now.ringing, now.paused))
        self.single.told.connect(self._told)
        self.notifier.clicked.connect(self._clicked)
        self.bridge.arrived.connect(self._handle)

    def show_settings(self) -> None:
        if self._settings is None:
            self._settings = SettingsDialog(self.assembly, self.bridge, self.window)
            self._settings.changed.connect(self._apply_settings)
        self._settings.show()
        self._settings.raise_()
        self._settings.activateWindow()

    def _apply_settings(self) -> None:
        look = self.assembly.settings.values.ui
        theme().prefer(look.theme)
        if look.font_size != self._font_size:
            self._font_size = look.font_size
            self.window.centre.notice.tell("The new text size counts from the next start.")
        self.window.voicing.key.apply()
        self.window.conversation.refresh()

    def tell(self, note: Note) -> None:
        """Tell what is due; a reminder is also spoken where answers always are. Any thread."""
        self.notifier.say(note)
        if note.about.startswith("reminder/") and self.assembly.settings.values.voice.answers == "always":
            self.assembly.voice.speaker.say(f"Reminder: {note.title}.")

    def _told(self, word: str) -> None:
        if word == "toggle":
            self.staying.toggle()
        elif word == "talk":
            self.talk()
        elif word.startswith(OPEN):
            self.window.raise_up()
            self.window.conversation.new(word.removeprefix(OPEN))
        elif word.startswith(SHOW):
            self.show(word.removeprefix(SHOW))
        else:
            self.window.raise_up()

    def _clicked(self, about: str, action: str) -> None:
        """A notification was clicked: about a session, or with Allow about a request."""
        if self.assembly.automation.is_ours(about):
            self.bridge.do(lambda: self.assembly.automation.act(about, action), partial(self._acted, action))
            return
        session, _, request = about.partition("/")
        if action == ALLOW and request:
            self.bridge.do(lambda: self.engine.answer(request, Decision(True)))
            return
        self.window.raise_up()
        self._open(session)

    def _acted(self, action: str, session: str) -> None:
        """Opening a note of what runs by itself shows its conversation, or at least the window."""
        if action == OPEN_NOTE:
            self.window.raise_up()
            if session:
                self.window.open(session)

    def _open(self, session: str) -> None:
        if session and session != self.window.conversation.current:
            self.window.open(session)

    def _handle(self, event: Event) -> None:
        """Tell the person what they can't see: only while the window is hidden or not in front."""
        match event:
            case ApprovalAsked(request=request):
                text = f"{request.preview.question} {request.preview.text}".strip()
                self._notify(event.session, text, request)
            case ApprovalClosed(session=session, request_id=request):
                self.notifier.withdraw(f"{session}/{request}")
            case TurnEnded(status=status, turn=turn) if self._is_answer(status, turn):
                self._notify(event.session, event.text or event.reason or "Done.")
            case _:
                pass

    def _is_answer(self, status: str, turn: str) -> bool:
        """What a routine found is told by the routine."""
        return status != "cancelled" and not self.assembly.automation.tells(turn)

    def _tell_unseen(self, words: str) -> None:
        """What the window's notice says, to a person who talks to us from another program."""
        if not (self.window.isVisible() and self.window.isActiveWindow()):
            self.notifier.say(Note("Ankita", words))

    def _notify(self, session: str, text: str, request: ApprovalRequest | None = None) -> None:
        seen = self.window.isVisible() and self.window.isActiveWindow()
        if seen or not self.assembly.settings.values.ui.notifications:
            return
        title = self.window.shelf.title_of(session) or "Ankita"
        about = f"{session}/{request.id}" if request else session
        self.notifier.say(Note(title, text, about, offers(request) if request else ()))

    def _heed_signals(self) -> None:
        """Ctrl+C, a polite kill and the end of our terminal quit as the menu does. Qt's loop is woken through a
        socket."""
        ours, theirs = socket.socketpair()
        for end in (ours, theirs):
            end.setblocking(False)
        self._ends = (ours, theirs)
        signal.set_wakeup_fd(theirs.fileno())
        for name in ("SIGINT", "SIGTERM", "SIGHUP"):
            number = getattr(signal, name, None)  # Windows has no SIGHUP
            if number is not None and signal.getsignal(number) is not signal.SIG_IGN:
                signal.signal(number, lambda *_: None)
        self._wake = QSocketNotifier(ours.fileno(), QSocketNotifier.Type.Read, self)
        self._wake.activated.connect(lambda *_: self.quit())


def build(argv: list[str]) -> Application:
    """Make QApplication, engine, window and tray without entering the event loop. ``argv`` is like
    ``sys.argv``. Raises ``AnkitaError`` that says what is in the way."""
    return _build(parse(argv), argv[:1])


def _build(start: Start, program: list[str]) -> Application:
    QApplication.setDesktopFileName("ankita-desktop")
    qt = starting.application(program or ["ankita"])
    qt.setApplicationName("ankita-desktop")
    qt.setApplicationDisplayName("Ankita")
    qt.setQuitOnLastWindowClosed(False)
    desktop = WindowDesktop()
    assembly = assemble(start.options, desktop)
    look = assembly.settings.values.ui
    qt.setStyle("Fusion")
    theme().size(look.font_size)
    theme().prefer(look.theme)
    theme().apply()
    qt.setWindowIcon(app_icon())
    application = Application(qt, assembly)
    desktop.noted.connect(application.notifier.say)
    application.tray.start()
    application.window.start()
    # Reminders, routines and watches, unless a daemon does it: then as soon as that ends.
    told, withdraw = application.tell, application.notifier.withdraw
    assembly.automation.start(assembly.engine, f"{os.getpid()} window", told, withdraw)
    # The main thread gets the interpreter back from a busy lane within a millisecond.
    sys.setswitchinterval(SWITCH_SECONDS)
    # What is there from the start stays: a full collection need not walk it (it held the window for 50 ms).
    gc.freeze()
    return application


def main(argv: list[str]) -> int:
    """The window as a program: ``argv`` is like ``sys.argv``. Returns the exit code; raises as ``build``."""
    start = parse(argv)
    cwd = start.options.cwd
    told = "toggle" if start.toggle else "talk" if start.talk else ""
    folder = f"{OPEN}{Path(cwd).expanduser().resolve()}" if cwd else "show"
    word = told or (f"{SHOW}{start.session}" if start.session else folder)
    if not start.self_check and tell(word):
        return 0
    application = _build(start, argv[:1])
    if start.self_check:
        QTimer.singleShot(CHECK_MS, application.qt.quit)
    elif start.talk:
        QTimer.singleShot(0, application.talk)
    elif start.session:
        QTimer.singleShot(0, partial(application.show, start.session))
    code = application.run()
    if start.self_check:
        sys.stdout.write(f"ok: window, database in {paths.data()}, {os.getpid()}\n")
    return code
