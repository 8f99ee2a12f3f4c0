"""The output of a command: the last bytes of it, read by cursor."""

from __future__ import annotations

import codecs
from dataclasses import dataclass

KEEP = 1 << 20


@dataclass(frozen=True, slots=True)
class OutputChunk:
    """Output from a cursor on. ``dropped`` bytes between the cursor and ``text`` are gone for good;
    ``next_cursor`` is where the following read starts. No byte is counted twice or not at all."""

    text: str
    next_cursor: int
    dropped: int = 0


class Ring:
    """The last ``keep`` bytes of a stream; positions count from its first byte. Its owner locks it."""

    def __init__(self, keep: int = KEEP) -> None:
        self._keep = keep
        self._bytes = bytearray()
        self._first = 0
        self.closed = False

    @property
    def size(self) -> int:
        """Bytes that ever came."""
        return self._first + len(self._bytes)

    def append(self, data: bytes) -> None:
        self._bytes += data
        excess = len(self._bytes) - self._keep
        if excess > 0:
            del self._bytes[:excess]
            self._first += excess

    def read(self, cursor: int, limit: int | None = None) -> OutputChunk:
        """Text from ``cursor``, at most ``limit`` bytes of it.

        A character that isn't complete yet waits for the next read, unless the stream has ended.
        """
        start = max(0, min(cursor, self.size))
        begin = max(start, self._first)
        if begin > start:
            begin += self._torn(begin)
        end = self.size if limit is None else min(self.size, begin + max(limit, 4))
        raw = bytes(self._bytes[begin - self._first : end - self._first])
        decoder = codecs.getincrementaldecoder("utf-8")("replace")
        text = decoder.decode(raw, final=self.closed and end == self.size)
        held = len(decoder.getstate()[0])
        return OutputChunk(text, end - held, begin - start)

    def _torn(self, position: int) -> int:
        """How many bytes at ``position`` are the rest of a character whose start was dropped."""
        at = position - self._first
        torn = 0
        for byte in self._bytes[at : at + 3]:
            if byte & 0xC0 != 0x80:
                break
            torn += 1
        return torn
