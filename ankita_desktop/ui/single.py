"""One window per home: a second start tells the first what it wanted, and ends. Main thread only."""

from __future__ import annotations

import hashlib

from PySide6.QtCore import QObject, Signal
from PySide6.QtNetwork import QLocalServer, QLocalSocket

from ankita_desktop import paths

WAIT_MS = 500


def address() -> str:
    """The name of this home's socket; another ``ANKITA_HOME`` has another window."""
    return "ankita-" + hashlib.sha256(str(paths.state()).encode()).hexdigest()[:16]


def tell(word: str) -> bool:
    """Send a word to the window that runs. False when there is none."""
    socket = QLocalSocket()
    socket.connectToServer(address())
    if not socket.waitForConnected(WAIT_MS):
        return False
    socket.write(word.encode() + b"\n")
    heard = socket.waitForBytesWritten(WAIT_MS) and socket.waitForReadyRead(WAIT_MS * 4)
    socket.disconnectFromServer()
    return heard


class Single(QObject):
    """Listens for second starts. ``told`` carries their word: "show" or "toggle"."""

    told = Signal(str)

    def __init__(self) -> None:
        super().__init__()
        self._server = QLocalServer(self)
        self._server.setSocketOptions(QLocalServer.SocketOption.UserAccessOption)
        self._server.newConnection.connect(self._greet)

    def listen(self) -> bool:
        """Take the address; one left behind by a crash is taken over."""
        if self._server.listen(address()):
            return True
        QLocalServer.removeServer(address())
        return self._server.listen(address())

    def close(self) -> None:
        self._server.close()

    def _greet(self) -> None:
        while (socket := self._server.nextPendingConnection()) is not None:
            socket.disconnected.connect(socket.deleteLater)
            socket.readyRead.connect(lambda socket=socket: self._read(socket))
            if socket.canReadLine():
                self._read(socket)

    def _read(self, socket: QLocalSocket) -> None:
        while socket.canReadLine():
            word = bytes(socket.readLine().data()).decode("utf-8", "replace").strip()
            socket.write(b"ok\n")
            socket.flush()
            self.told.emit(word)
