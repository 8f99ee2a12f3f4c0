"""Questions that wait for an answer: the open conversation's as a dialog, all others in the inbox.

A dialog never steals typing: it waits until the composer has been idle for a moment. Main thread only.
"""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QObject, QTimer, Signal

from ankita_desktop.assembly import Assembly
from ankita_desktop.events import ApprovalAsked, ApprovalClosed, Event, SessionChanged
from ankita_desktop.protocol import ApprovalRequest, Decision
from ankita_desktop.ui.approval import ApprovalDialog
from ankita_desktop.ui.bridge import Bridge
from ankita_desktop.ui.centre import Centre
from ankita_desktop.ui.parts import discard

IDLE_SECONDS = 0.7
LOOK_MS = 100


class Questions(QObject):
    """Knows every pending request. ``counted`` says how many wait; ``openAsked`` wants a session shown."""

    counted = Signal(int)
    asked = Signal(object)
    openAsked = Signal(str)

    def __init__(self, assembly: Assembly, bridge: Bridge, centre: Centre) -> None:
        super().__init__()
        self._assembly, self._bridge, self._centre = assembly, bridge, centre
        self._pending: dict[str, ApprovalRequest] = {}
        self._put_off: set[str] = set()
        self._closed: set[str] = set()
        self._dialog: ApprovalDialog | None = None
        self._shown = ""
        self._current = ""
        self._timer = QTimer(self)
        self._timer.setInterval(LOOK_MS)
        self._timer.timeout.connect(self._look)

    @property
    def pending(self) -> Sequence[ApprovalRequest]:
        """All that wait, oldest first."""
        return sorted(self._pending.values(), key=lambda each: each.created)

    @property
    def dialog(self) -> ApprovalDialog | None:
        return self._dialog

    def load(self) -> None:
        """Read what waits: from when we last closed, or asked and answered by another process meanwhile."""
        known = frozenset(self._pending)
        read = self._assembly.store.approvals
        self._bridge.do(lambda: [row[0] for row in read()], lambda found: self._loaded(found, known))

    def handle(self, event: Event) -> None:
        match event:
            case ApprovalAsked(request=request):
                self._pending[request.id] = request
                self._tell()
                self._announce(request)
            case ApprovalClosed(request_id=request):
                self._forget(request)
            case SessionChanged(session=session, info=None):
                for request in [each.id for each in self.pending if each.session == session]:
                    self._forget(request)
            case _:
                pass

    def show_session(self, session: str) -> None:
        """Another conversation is open: its question comes up, the other one's dialog goes to the inbox. It may
        have been asked by another process."""
        self._current = session
        self.load()
        shown = self._pending.get(self._shown)
        if shown is not None and shown.session != session:
            self._close_dialog()
        self.seek()

    def review(self, request: str) -> None:
        """The person wants to see this one now."""
        found = self._pending.get(request)
        if found is None:
            return
        self._put_off.discard(request)
        if found.session != self._current:
            self.openAsked.emit(found.session)
        self._open(found)

    def close(self) -> None:
        """The window goes: what waits keeps waiting in the store."""
        self._timer.stop()
        self._close_dialog()

    # --- inside

    def _loaded(self, requests: Sequence[ApprovalRequest], known: frozenset[str]) -> None:
        """``known``: what was pending when the reading began. What was asked since then may not be among it."""
        newer = {key: each for key, each in self._pending.items() if key not in known}
        stored = {each.id: each for each in requests if each.id not in self._closed}
        for gone in self._pending.keys() - stored.keys() - newer.keys():
            self._forget(gone)
        self._pending = stored | newer
        self._tell()

    def _tell(self) -> None:
        self.counted.emit(len(self._pending))
        self.seek()

    def _announce(self, request: ApprovalRequest) -> None:
        self.asked.emit(request)
        if request.session != self._current:
            words = f"Another conversation asks: {request.preview.question}"
            self._centre.notice.tell(words, "Review", lambda: self.review(request.id))

    def _forget(self, request: str) -> None:
        self._closed.add(request)
        self._pending.pop(request, None)
        self._put_off.discard(request)
        if request == self._shown:
            self._close_dialog()
        self._tell()

    def _next(self) -> ApprovalRequest | None:
        mine = [each for each in self.pending if each.session == self._current and each.id not in self._put_off]
        return mine[0] if mine else None

    def seek(self) -> None:
        """Bring up what the open conversation waits for, as soon as nobody is typing."""
        if self._dialog is None and self._next() is not None:
            self._timer.start()

    def _look(self) -> None:
        request = self._next()
        if request is None or self._dialog is not None or not self._centre.window().isVisible():
            self._timer.stop()
        elif self._centre.composer.editor.idle_for() >= IDLE_SECONDS:
            self._open(request)

    def _open(self, request: ApprovalRequest) -> None:
        self._timer.stop()
        if self._dialog is not None:
            if self._shown == request.id:
                self._dialog.raise_()
                self._dialog.activateWindow()
                return
            self._close_dialog()
        dialog = ApprovalDialog(request, self._centre.window(), reveal=self._assembly.redactor.show)
        self._dialog, self._shown = dialog, request.id
        dialog.decided.connect(lambda decision: self._decided(request, decision))
        dialog.finished.connect(lambda _code: self._finished(request))
        dialog.show()
        dialog.raise_()
        dialog.activateWindow()

    def _decided(self, request: ApprovalRequest, decision: Decision) -> None:
        self._forget(request.id)
        self._bridge.do(lambda: self._assembly.engine.answer(request.id, decision), self._answered)

    def _answered(self, counted: bool) -> None:
        if not counted:
            self._centre.notice.tell("That question had been answered already; the first answer counts.")

    def _finished(self, request: ApprovalRequest) -> None:
        """Closed without an answer: it stays in the inbox."""
        if self._shown != request.id:
            return
        self._close_dialog()
        if request.id in self._pending:
            self._put_off.add(request.id)
            self._centre.notice.tell("A question is waiting for you.", "Review", lambda: self.review(request.id))

    def _close_dialog(self) -> None:
        dialog, self._dialog, self._shown = self._dialog, None, ""
        if dialog is not None:
            dialog.close()
            discard(dialog)
