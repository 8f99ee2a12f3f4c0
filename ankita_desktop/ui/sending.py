"""What the person does with the open conversation: send, stop, go on, choose. Main thread only."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from PySide6.QtCore import QObject, Qt, QUrl, Signal
from PySide6.QtGui import QDesktopServices, QImage
from PySide6.QtWidgets import QFileDialog

from ankita_desktop import paths
from ankita_desktop.assembly import Assembly
from ankita_desktop.protocol import Attachment, Source, new_id
from ankita_desktop.ui.bridge import Bridge
from ankita_desktop.ui.centre import Centre
from ankita_desktop.ui.conversation import Conversation
from ankita_desktop.ui.place import CONNECT
from ankita_desktop.ui.session_rows import short_path

OPENED = ("http", "https", "mailto")
HOME_REFUSED = (
    "Your home folder itself can't be edited without asking. Choose a folder inside it, "
    "or keep “ask before edits”."
)


class Sending(QObject):
    """Turns clicks into calls of the engine, on the bridge's worker where they touch the disk."""

    jobRead = Signal(str, object)
    rewritten = Signal(str, str)
    """Text that takes the place of the message ``instead`` named."""

    def __init__(self, assembly: Assembly, bridge: Bridge, centre: Centre, conversation: Conversation) -> None:
        super().__init__()
        self._assembly, self._engine, self._bridge = assembly, assembly.engine, bridge
        self._centre, self._conversation = centre, conversation
        self.source: Source = "typed"
        self.instead = ""
        composer, chat, queue = centre.composer, centre.chat, centre.queue
        composer.submitted.connect(self.send)
        composer.stopAsked.connect(self.stop)
        composer.modeChosen.connect(self.choose_mode)
        composer.editor.imageGiven.connect(self.attach_image)
        chat.stopRequested.connect(self.stop)
        chat.jobStopRequested.connect(self.stop_job)
        chat.continueRequested.connect(self.go_on)
        chat.linkActivated.connect(self.open_link)
        queue.editAsked.connect(self.edit_queued)
        queue.dropAsked.connect(self.drop_queued)
        centre.welcome.tried.connect(self.try_out)
        centre.bar.modelChosen.connect(self.choose_model)
        centre.bar.folderAsked.connect(self.choose_folder)

    # --- talking ----------------------------------------------------------------------------

    def send(self) -> None:
        """What is in the composer; during a turn it is queued. ``source`` says how it came there."""
        source, self.source = self.source, "typed"
        text, files = self._centre.composer.take()
        if text or files:
            self._centre.notice.hide()
        if text and self.instead:
            instead, self.instead = self.instead, ""
            self.rewritten.emit(instead, text)
        elif text or files:
            self._conversation.ensure(lambda session: self._submit(session, text, files, source))

    def try_out(self, words: str) -> None:
        """One of the offers of the welcome: in the composer, to be looked at, not sent."""
        self._centre.composer.write(words)
        self._centre.composer.editor.setFocus(Qt.FocusReason.OtherFocusReason)

    def stop(self) -> None:
        """At once: no disk is touched for it."""
        if self._conversation.current:
            self._engine.cancel(self._conversation.current)

    def read_job(self, job: str, cursor: int) -> None:
        """More of a command's output, told by ``jobRead``."""
        session = self._conversation.current
        self._bridge.do(
            lambda: self._engine.job_output(session, job, cursor),
            lambda chunk: self.jobRead.emit(job, chunk),
        )

    def stop_job(self, job: str) -> None:
        """End one command of the open conversation; its turn goes on."""
        session = self._conversation.current
        self._bridge.do(lambda: self._engine.stop_job(session, job))

    def go_on(self) -> None:
        session = self._conversation.current
        if session:
            self._bridge.do(lambda: self._engine.resume(session))

    def _submit(self, session: str, text: str, files: Sequence[Attachment], source: Source) -> None:
        self._bridge.do(lambda: self._engine.submit(session, text, source=source, attachments=files))

    # --- what waits -------------------------------------------------------------------------

    def edit_queued(self, number: int) -> None:
        """Back into the composer, before what is there."""
        text = self._without(number)
        rest = self._centre.composer.text()
        self._centre.composer.write(f"{text}\n{rest}" if rest.strip() else text)
        self._centre.composer.editor.setFocus(Qt.FocusReason.OtherFocusReason)

    def drop_queued(self, number: int) -> None:
        self._without(number)

    def _without(self, number: int) -> str:
        session, texts = self._conversation.current, list(self._centre.queue.texts)
        text = texts.pop(number)
        self._bridge.do(lambda: self._engine.edit_queue(session, texts))
        return text

    # --- choosing ---------------------------------------------------------------------------

    def choose_mode(self, mode: str) -> None:
        if mode == "edits" and _is_home(self._conversation.folder):
            self._centre.notice.tell(HOME_REFUSED, "Choose a folder", self.choose_folder)
            return
        self._conversation.change(mode=mode)

    def choose_model(self, model: str) -> None:
        if model == CONNECT:
            self._conversation.connectAsked.emit()
        else:
            self._conversation.change(model=model)

    def choose_folder(self) -> None:
        self._ask_folder("Working folder", self.take_folder)

    def new_in_folder(self) -> None:
        self._ask_folder("Working folder of the new chat", self._conversation.new)

    def _ask_folder(self, words: str, then: Callable[[str], None]) -> None:
        dialog = QFileDialog(self._centre.window(), words, self._conversation.folder)
        dialog.setFileMode(QFileDialog.FileMode.Directory)
        dialog.setOption(QFileDialog.Option.ShowDirsOnly)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.fileSelected.connect(then)
        dialog.open()

    def take_folder(self, folder: str) -> None:
        """Work there from now on. The home folder itself never becomes a root in which edits pass unasked."""
        if _is_home(folder):
            self._conversation.change(cwd=folder, mode="ask")
            self._centre.notice.tell(f"Working in {short_path(folder)}. Every change is asked for there.")
        else:
            self._conversation.change(cwd=folder)

    # --- others -----------------------------------------------------------------------------

    def attach_image(self, image: QImage) -> None:
        """A pasted picture becomes a file of ours first."""
        path = paths.data() / "attachments" / f"picture-{new_id()[:6]}.png"

        def save() -> list[str]:
            path.parent.mkdir(parents=True, exist_ok=True)
            return [str(path)] if image.save(str(path)) else []

        self._bridge.do(save, self._centre.composer.attach)

    def open_link(self, target: str) -> None:
        """In the person's browser or mail program; nothing else is started by a click on a text."""
        url = QUrl(target)
        if url.scheme().lower() in OPENED:
            QDesktopServices.openUrl(url)
        else:
            self._centre.notice.tell(f"Only web and mail links are opened from here: {target}")


def _is_home(folder: str) -> bool:
    return Path(folder).resolve() == Path.home().resolve()
