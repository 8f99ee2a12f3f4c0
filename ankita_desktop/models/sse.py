"""Server-sent events: bytes in any pieces to the data of each event. Pure."""

from __future__ import annotations


class EventStream:
    """Feed it what arrives; it gives back the ``data`` of every event that is complete.

    Line ends may be LF, CRLF or CR, characters and line ends may be split anywhere; comments, names, ids and
    events without data are skipped.
    """

    def __init__(self) -> None:
        self._tail = b""
        self._data: list[str] = []
        self._after_cr = False
        self._first = True

    def feed(self, chunk: bytes) -> list[str]:
        if self._after_cr and chunk.startswith(b"\n"):
            chunk = chunk[1:]
            self._after_cr = False
        if not chunk:
            return []
        if b"\r" in chunk:
            self._after_cr = chunk.endswith(b"\r")
            chunk = chunk.replace(b"\r\n", b"\n").replace(b"\r", b"\n")
        else:
            self._after_cr = False
        *lines, self._tail = (self._tail + chunk).split(b"\n")
        return [data for line in lines if (data := self._line(line)) is not None]

    def finish(self) -> list[str]:
        """What is left when the connection ends without the closing empty line."""
        events = [self._line(self._tail), self._line(b"")]
        self._tail = b""
        return [data for data in events if data is not None]

    def _line(self, line: bytes) -> str | None:
        if self._first:
            self._first = False
            line = line.removeprefix(b"\xef\xbb\xbf")
        if line.startswith(b"data:"):
            self._data.append(line[6 if line[5:6] == b" " else 5 :].decode("utf-8", "replace"))
        elif line == b"data":
            self._data.append("")
        elif not line and self._data:
            data = "\n".join(self._data)
            self._data.clear()
            return data
        return None
