"""What crosses the thread boundary: all of it, in order, on the right thread, and nothing after the end."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator

import pytest
from PySide6.QtCore import QCoreApplication, QTimer

from ankita_desktop.errors import StoreError
from ankita_desktop.events import Event, Sink, TextDelta
from ankita_desktop.ui.bridge import Bridge
from tests.ui.conftest import wait


class Teller:
    """Something that tells events, from any thread."""

    def __init__(self) -> None:
        self.sinks: list[Sink] = []

    def subscribe(self, sink: Sink) -> Callable[[], None]:
        self.sinks.append(sink)
        return lambda: self.sinks.remove(sink)

    def tell(self, event: Event) -> None:
        for sink in list(self.sinks):
            sink(event)


@pytest.fixture
def teller() -> Teller:
    return Teller()


@pytest.fixture
def bridge(teller: Teller) -> Iterator[Bridge]:
    made = Bridge(teller)
    yield made
    made.close()


def test_events_arrive_all_and_in_order_on_the_main_thread(bridge: Bridge, teller: Teller) -> None:
    got: list[tuple[str, bool]] = []
    main = threading.current_thread()
    bridge.arrived.connect(lambda event: got.append((event.text, threading.current_thread() is main)))
    threads = [
        threading.Thread(target=lambda n=n: [teller.tell(TextDelta(str(n), f"{n}.{i}")) for i in range(500)])
        for n in range(3)
    ]
    for thread in threads:
        thread.start()
    wait(lambda: len(got) == 1_500)
    for thread in threads:
        thread.join()
    assert all(on_main for _, on_main in got)
    for n in range(3):
        assert [text for text, _ in got if text.startswith(f"{n}.")] == [f"{n}.{i}" for i in range(500)]


def test_a_flood_leaves_the_window_time_for_other_things(bridge: Bridge, teller: Teller) -> None:
    got: list[str] = []
    beats: list[float] = []
    slow = 0.002
    bridge.arrived.connect(lambda event: (time.sleep(slow), got.append(event.text)))
    beat = QTimer()
    beat.timeout.connect(lambda: beats.append(time.monotonic()))
    beat.start(0)
    for number in range(100):
        teller.tell(TextDelta("s", str(number)))
    wait(lambda: len(got) == 100)
    assert len(beats) > 10, "200 ms of work ran in one piece"


def test_nothing_is_delivered_after_the_end(teller: Teller) -> None:
    bridge = Bridge(teller)
    got: list[Event] = []
    bridge.arrived.connect(got.append)
    sink = teller.sinks[0]
    teller.tell(TextDelta("s", "still on its way"))
    bridge.close()
    sink(TextDelta("s", "late"))
    QCoreApplication.processEvents()
    assert not got
    assert not teller.sinks


def test_work_runs_off_the_main_thread_in_order_and_comes_back_to_it(bridge: Bridge) -> None:
    ran: list[tuple[int, bool]] = []
    came: list[tuple[int, bool]] = []
    main = threading.current_thread()
    for number in range(5):
        bridge.do(
            lambda n=number: (ran.append((n, threading.current_thread() is main)), n)[1],
            lambda n: came.append((n, threading.current_thread() is main)),
        )
    wait(lambda: len(came) == 5)
    assert ran == [(n, False) for n in range(5)]
    assert came == [(n, True) for n in range(5)]


def test_work_that_fails_is_told_in_words_and_does_not_end_the_worker(bridge: Bridge) -> None:
    said: list[str] = []
    bridge.failed.connect(said.append)

    def refuse() -> None:
        raise StoreError("There is no such session.")

    def burst() -> None:
        raise ZeroDivisionError

    bridge.do(refuse)
    bridge.do(burst)
    done: list[int] = []
    bridge.do(lambda: 7, done.append)
    wait(lambda: done == [7])
    assert said == ["There is no such session.", "That didn't work: ZeroDivisionError."]


def test_closing_does_not_wait_for_work_that_hangs(teller: Teller) -> None:
    bridge = Bridge(teller)
    release = threading.Event()
    bridge.do(lambda: release.wait(30))
    before = time.monotonic()
    bridge.close(0.2)
    assert time.monotonic() - before < 2.0
    release.set()
