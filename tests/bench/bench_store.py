"""The store beside bare SQLite on the same disk: storing a message, reading a conversation, searching.

Run: python -m tests.bench.bench_store
"""

from __future__ import annotations

import contextlib
import random
import sqlite3
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from ankita_desktop.protocol import Message
from ankita_desktop.store.database import Store

MESSAGES = 20_000
WORDS = [f"word{number}" for number in range(5_000)]


def texts(count: int) -> list[str]:
    """Messages of 20 to 200 words, the same in every run."""
    chance = random.Random(7)
    return [" ".join(chance.choices(WORDS, k=chance.randint(20, 200))) for _ in range(count)]


def seconds(run: Callable[[], object]) -> float:
    began = time.perf_counter()
    run()
    return time.perf_counter() - began


def bare_inserts(path: Path, said: list[str]) -> float:
    """One commit a message, same modes, no search index: what the disk and SQLite cost."""
    with contextlib.closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("PRAGMA synchronous = NORMAL")
        connection.execute("CREATE TABLE messages (body TEXT)")
        return seconds(lambda: [connection.execute("INSERT INTO messages VALUES (?)", (text,)) for text in said])


def row(what: str, taken: float, beside: str = "") -> None:
    print(f"{what:<40} {taken * 1e3:9.3f} ms   {beside}")


def searches(store: Store) -> None:
    with contextlib.closing(sqlite3.connect(store.path)) as connection:
        for query in ("word4321 word17", "ord43", "w1", "日本"):
            pattern = (f"%{query.split()[0]}%",)
            began = time.perf_counter()
            connection.execute("SELECT body FROM messages WHERE body LIKE ?", pattern).fetchall()
            scan = time.perf_counter() - began
            began = time.perf_counter()
            store.search(query)
            row(f"search {query!r}", time.perf_counter() - began, f"LIKE over all {scan * 1e3:9.3f} ms")


def main() -> None:
    said = [Message("user", text) for text in texts(MESSAGES)]
    with tempfile.TemporaryDirectory() as folder:
        bare = bare_inserts(Path(folder) / "bare.db", [message.text for message in said]) / MESSAGES
        store = Store(Path(folder) / "ankita.db")
        sessions = [store.create_session(cwd="/", mode="ask", model="").id for _ in range(20)]
        ours = seconds(lambda: [store.add_message(sessions[at % 20], message) for at, message in enumerate(said)])
        row("store a message", ours / MESSAGES, f"bare SQLite   {bare * 1e3:9.3f} ms")
        store.messages(sessions[1])  # the first reading builds the validators
        row(f"read a conversation of {MESSAGES // 20}", seconds(lambda: store.messages(sessions[0])))
        searches(store)
        size = store.path.stat().st_size / sum(len(message.text) for message in said)
        row("delete a conversation for good", seconds(lambda: store.delete_session(sessions[0])))
        print(f"size of the file per character said      {size:9.2f} bytes")
        store.close()


if __name__ == "__main__":
    main()
