"""Where the time comes from: the machine, or a test."""

from __future__ import annotations

import time
from typing import Protocol


class TimeSource(Protocol):
    """``wall`` is seconds since the epoch and may jump; ``steady`` only grows."""

    def wall(self) -> float: ...
    def steady(self) -> float: ...


class MachineTime:
    """The machine's clocks."""

    def wall(self) -> float:
        return time.time()

    def steady(self) -> float:
        return time.monotonic()
