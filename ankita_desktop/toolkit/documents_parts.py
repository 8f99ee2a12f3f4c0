"""A document whose parts are made by a function when they are asked for."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field


def _nothing() -> None: ...


@dataclass
class Parts:
    """``names`` has one entry per part; ``read`` makes the text of one, ``closing`` lets go of the file."""

    kind: str
    unit: str
    title: str
    names: Sequence[str]
    read: Callable[[int], str]
    closing: Callable[[], None] = field(default=_nothing)

    def __len__(self) -> int:
        return len(self.names)

    def name(self, part: int) -> str:
        return self.names[part]

    def text(self, part: int) -> str:
        return self.read(part)

    def picture(self, part: int) -> tuple[bytes, str] | None:
        return None

    def close(self) -> None:
        self.closing()
