"""What a streamed chunk costs from the socket to the reader, beside httpx merely reading the same bytes."""

from __future__ import annotations

import time
from collections.abc import Callable

from ankita_desktop.models.openai_chat import OpenAIChat
from ankita_desktop.protocol import Message, ModelRequest, TextPart
from ankita_desktop.toolkit import Cancel, loop, net
from tests.wire import Scripted, Step, WireServer, text

CHUNKS = 20_000
ROUNDS = 5


def main() -> None:
    """Print a table: microseconds per chunk, the best of some rounds, client and server in one process."""
    step = text("six ch" * CHUNKS)
    rows = {
        "httpx, bytes only": lambda server: loop.run(_raw(server)),
        "httpx, lines": lambda server: loop.run(_lines(server)),
        "our stream": _ours,
    }
    print(f"{'reader':<20}{'µs per chunk':>14}{'of bytes only':>16}")
    reference = 0.0
    for name, read in rows.items():
        cost = min(_timed(read, step) for _ in range(ROUNDS)) / CHUNKS * 1e6
        reference = reference or cost
        print(f"{name:<20}{cost:>14.1f}{cost / reference:>15.1f}×")
    print(f"\nfirst part of an answer after {_first_part() * 1e3:.2f} ms (connection open)")


def _timed(read: Callable[[WireServer], object], step: Scripted) -> float:
    with WireServer([step]) as server:
        begun = time.perf_counter()
        read(server)
        return time.perf_counter() - begun


async def _raw(server: WireServer) -> int:
    async with net.client().stream("POST", f"{server.base_url}/chat/completions", content=b"{}") as response:
        return sum([len(piece) async for piece in response.aiter_bytes()])


async def _lines(server: WireServer) -> int:
    async with net.client().stream("POST", f"{server.base_url}/chat/completions", content=b"{}") as response:
        return sum([len(line) async for line in response.aiter_lines()])


def _ours(server: WireServer) -> int:
    request = ModelRequest("", (Message("user", "hi"),))
    parts = list(OpenAIChat("m", base_url=server.base_url).stream(request, Cancel()))
    count = sum(isinstance(part, TextPart) for part in parts)
    assert count == CHUNKS, count
    return count


def _first_part() -> float:
    request = ModelRequest("", (Message("user", "hi"),))
    best = 1.0
    with WireServer([Step("hi")] * 30) as server:
        model = OpenAIChat("m", base_url=server.base_url)
        for _ in range(30):
            begun = time.perf_counter()
            parts = model.stream(request, Cancel())
            next(parts)
            best = min(best, time.perf_counter() - begun)
            list(parts)
    return best


if __name__ == "__main__":
    main()
