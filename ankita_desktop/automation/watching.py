"""The scheduler's side of watches: looks at what is due, on threads of its own."""

from __future__ import annotations

import logging
import queue
import threading
from dataclasses import replace

from ankita_desktop.automation import looking, verdicts
from ankita_desktop.automation.ports import Desk
from ankita_desktop.errors import AnkitaError, Cancelled, ToolError
from ankita_desktop.toolkit.automation import Telling, Watch
from ankita_desktop.toolkit.cancel import Cancel

log = logging.getLogger(__name__)

WIDTH = 4


class Watching:
    """Claims due looks; daemon threads do them. ``inline`` makes them happen at once (tests)."""

    def __init__(self, desk: Desk, *, inline: bool = False) -> None:
        self._desk = desk
        self._book = desk.book
        self._inline = inline
        self._cancel = Cancel()
        self._work: queue.SimpleQueue[Watch] = queue.SimpleQueue()
        self._going_on: set[str] = set()  # looks that take longer than their interval are not doubled
        self._threads: list[threading.Thread] = []

    def close(self) -> None:
        """End looks that go on; nothing of them is kept."""
        self._cancel.set()

    def begin(self) -> None:
        pass

    def run_due(self, now: float) -> None:
        for watch in self._book.due_watches(now):
            if self._book.claim_watch(watch, now + watch.every) and watch.id not in self._going_on:
                self._do(watch)

    def clock_went_back(self, now: float) -> None:
        for watch in self._book.watches():
            if watch.due is not None and watch.due > now + watch.every:
                self._book.update_watch(watch.id, due=now + watch.every)

    def _do(self, watch: Watch) -> None:
        if self._inline:
            self.look(watch)
            return
        self._going_on.add(watch.id)
        self._work.put(watch)
        if len(self._threads) < WIDTH:
            thread = threading.Thread(target=self._run, name=f"watch-{len(self._threads)}", daemon=True)
            self._threads.append(thread)
            thread.start()

    def _run(self) -> None:
        while not self._cancel.is_set():
            watch = self._work.get()
            try:
                self.look(watch)
            except Cancelled:
                return
            except AnkitaError as error:
                log.warning("a look could not be stored: %s", error)
            finally:
                self._going_on.discard(watch.id)

    def look(self, watch: Watch) -> None:
        """One look, stored and noted for telling in one step."""
        seen = seen_or_problem(watch, self._cancel)
        if self._cancel.is_set():
            return
        keep(self._desk, watch, seen)


def seen_or_problem(watch: Watch, cancel: Cancel, *, fresh: bool = False) -> looking.Seen | ToolError:
    """What it sees, or why it sees nothing."""
    try:
        return looking.look(watch, cancel, fresh=fresh)
    except ToolError as error:
        return error


def keep(desk: Desk, watch: Watch, seen: looking.Seen | ToolError, *, tell: bool = True) -> verdicts.News:
    """Judge a look against the watch as it is stored now, and store what it means."""
    stored = desk.book.watch(watch.id)
    if stored is None:
        return verdicts.News()
    news = verdicts.judge(stored if tell else replace(stored, cooldown=0.0), seen, desk.now)
    note = Telling(f"watch/{watch.id}", news.title, news.text, created=desk.now) if news.title and tell else None
    desk.book.update_watch(watch.id, reading=news.reading, telling=note, **news.changed)
    return news
