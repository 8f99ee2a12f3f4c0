"""A document whose parts are made by a function when they are asked for."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from typing import Protocol, TypeVar


def _nothing() -> None: ...


class _Closing(Protocol):
    def close(self) -> None: ...


C = TypeVar("C", bound=_Closing)


@contextmanager
def closed_on_failure(opened: C) -> Iterator[C]:
    """What was opened stays open, unless the block ends with an exception."""
    with ExitStack() as failed:
        failed.callback(opened.close)
        yield opened
        failed.pop_all()


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
