"""The one asyncio thread of the process, behind plain blocking calls that a ``Cancel`` can end at once.

Model streams and requests of tools run here; the thread is a daemon and starts on first use.
"""

from __future__ import annotations

import asyncio
import threading
from collections import deque
from collections.abc import AsyncGenerator, Callable, Coroutine, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import aclosing
from typing import Any, Generic, TypeVar

from ankita_desktop.errors import Cancelled
from ankita_desktop.toolkit.cancel import Cancel

T = TypeVar("T")

_lock = threading.Lock()
_loop: asyncio.AbstractEventLoop | None = None


class _DaemonThreads(ThreadPoolExecutor):
    """Where asyncio looks up host names: a daemon thread each, since the ordinary pool is joined at exit
    and one name server that never answers would keep the process alive."""

    def submit(self, fn: Callable[..., T], /, *args: Any, **kwargs: Any) -> Future[T]:
        future: Future[T] = Future()

        def work() -> None:
            if not future.set_running_or_notify_cancel():
                return
            try:
                future.set_result(fn(*args, **kwargs))
            except BaseException as error:  # noqa: BLE001 - whoever waits on the future gets it
                future.set_exception(error)

        threading.Thread(target=work, name="lookup", daemon=True).start()
        return future


def get_loop() -> asyncio.AbstractEventLoop:
    """The running loop of the asyncio thread. Callable from any thread."""
    global _loop
    with _lock:
        if _loop is None:
            _loop = asyncio.new_event_loop()
            _loop.set_default_executor(_DaemonThreads())
            threading.Thread(target=_loop.run_forever, name="asyncio", daemon=True).start()
        return _loop


def start(coroutine: Coroutine[Any, Any, T]) -> Future[T]:
    """Begin ``coroutine`` on the asyncio thread. Cancelling the future cancels it there."""
    return asyncio.run_coroutine_threadsafe(coroutine, get_loop())


def run(coroutine: Coroutine[Any, Any, T], cancel: Cancel | None = None) -> T:
    """Wait for ``coroutine``; raises ``Cancelled`` as soon as ``cancel`` is set, without waiting for its clean-up.
    Must not be called on the asyncio thread."""
    future = start(coroutine)
    done = threading.Event()
    future.add_done_callback(lambda _: done.set())
    forget = (cancel or Cancel()).on_set(done.set)
    try:
        done.wait()
        if cancel is not None and cancel.is_set():
            raise Cancelled
        return future.result()
    finally:
        forget()
        future.cancel()


def iterate(source: AsyncGenerator[T, None], cancel: Cancel, *, ahead: int = 256) -> Iterator[T]:
    """The items of ``source``, which runs on the asyncio thread at most ``ahead`` items before the reader.

    Raises what ``source`` raises, and ``Cancelled`` as soon as ``cancel`` is set, however silent the source
    is. Leaving the iterator early ends the source.
    """
    channel: _Channel[T] = _Channel(ahead)
    task = start(channel.fill(source))
    task.add_done_callback(channel.end)
    forget = cancel.on_set(channel.wake)
    try:
        while items := channel.take(cancel):
            yield from items
    finally:
        forget()
        task.cancel()


class _Channel(Generic[T]):
    """A bounded hand-over from the asyncio thread to one reading thread."""

    def __init__(self, ahead: int) -> None:
        self._ahead = ahead
        self._items: deque[T] = deque()
        self._ready = threading.Condition()
        self._room = asyncio.Event()
        self._ended = False
        self._error: BaseException | None = None

    async def fill(self, source: AsyncGenerator[T, None]) -> None:
        async with aclosing(source):
            async for item in source:
                await self._put(item)

    def end(self, filling: Future[None]) -> None:
        """Tell the reader that nothing more comes, and why."""
        with self._ready:
            self._ended = True
            self._error = None if filling.cancelled() else filling.exception()
            self._ready.notify()

    async def _put(self, item: T) -> None:
        with self._ready:
            self._items.append(item)
            self._ready.notify()
            full = len(self._items) >= self._ahead
            if full:
                self._room.clear()
        if full:
            await self._room.wait()

    def take(self, cancel: Cancel) -> list[T]:
        """Everything that has come, waiting for at least one item; empty at the end."""
        with self._ready:
            self._ready.wait_for(lambda: self._items or self._ended or cancel.is_set())
            cancel.check()
            items = list(self._items)
            self._items.clear()
            if not items and self._error is not None:
                raise self._error
        if len(items) >= self._ahead:
            get_loop().call_soon_threadsafe(self._room.set)
        return items

    def wake(self) -> None:
        with self._ready:
            self._ready.notify()
