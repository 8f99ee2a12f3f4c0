"""recall over 50,000 facts and 10,000 conversations, beside SQLite's own ranked search. Target: at most 30 ms.

Run: python -m tests.bench recall
"""

from __future__ import annotations

import random
import statistics
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from ankita_desktop.protocol import Message
from ankita_desktop.store.database import Store
from ankita_desktop.store.sense import sense, telling
from ankita_desktop.store.text import to_json

FACTS, SESSIONS, MESSAGES, NOTES = 50_000, 10_000, 12, 5_000
TARGET = 30.0
ROUNDS = 15

QUERIES = {
    "a rare name": "who is word7919 again",
    "two rare words": "word7919 and word7907",
    "rare among common": "what did I say about word3 word5 word7919",
    "common words alone": "word1 word2 word3",
    "one word of everybody": "the user likes word1",
    "not there": "zzyzx quetzal",
    "a long question": "do you remember what we said last week of word12 and word40 when word900 met word31",
}


def sentence(dice: random.Random, length: int) -> str:
    """Words as uneven as those of a language: few in nearly every sentence, most hardly ever."""
    return " ".join(f"word{int(8_000 * dice.random() ** 3)}" for _ in range(length))


def fill(store: Store) -> None:
    dice = random.Random(5)
    now = time.time()
    with store.write() as connection:
        seen = {sense(text := f"The user likes {sentence(dice, 9)}"): text for _ in range(FACTS + 200)}
        rows = [(text, key, "", now, now) for key, text in seen.items()][:FACTS]
        connection.executemany(
            "INSERT INTO facts (text, sense, session, created, updated) VALUES (?, ?, ?, ?, ?)", rows
        )
        connection.execute(
            """INSERT INTO projects (name, folded, kind, place, about, lists, created, updated)
               VALUES ('P', 'p', 'other', '', '', '{}', 0, 0)"""
        )
        notes = [("note", sentence(dice, 15), now) for _ in range(NOTES)]
        connection.executemany(
            "INSERT INTO notes (project, kind, text, due, created) VALUES (1, ?, ?, '', ?)", notes
        )
        for number in range(SESSIONS):
            talk(connection.execute, f"s{number}", dice, now)


def talk(execute: Callable[..., object], session: str, dice: random.Random, now: float) -> None:
    execute(
        "INSERT INTO sessions (id, title, cwd, mode, model, created, updated) VALUES (?, ?, '/', 'ask', '', ?, ?)",
        (session, f"Talk {session}", now, now),
    )
    for number in range(MESSAGES):
        role = "assistant" if number % 2 else "user"
        message = Message(role, f"{sentence(dice, 30)}. {sentence(dice, 12)}.", id=f"m{number}", created=now)  # type: ignore[arg-type]
        execute(
            "INSERT INTO messages (session, id, parent, created, body) VALUES (?, ?, NULL, ?, ?)",
            (session, message.id, now, to_json(message)),
        )


def milliseconds(work: Callable[[], object]) -> tuple[float, float]:
    """Median and worst of some runs."""
    times = []
    for _ in range(ROUNDS):
        before = time.perf_counter()
        work()
        times.append((time.perf_counter() - before) * 1000)
    return statistics.median(times), max(times)


def ranked(store: Store, query: str) -> Callable[[], object]:
    """The plain way: every word, ranked by BM25, in the three indexes."""
    wanted = " OR ".join(f'"{word}"' for word in telling(query))

    def work() -> None:
        for table in ("facts", "notes", "spoken"):
            sql = f"SELECT rowid FROM {table}_words WHERE {table}_words MATCH ? ORDER BY rank LIMIT 12"
            store.rows(sql, (wanted,))

    return work


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        store = Store(Path(folder) / "bench.db")
        fill(store)
        for number in range(20):  # what was forgotten is looked for in every find
            store.forget_fact(f"m{number + 1}")
        size = (Path(folder) / "bench.db").stat().st_size / 1e6
        print(
            f"{FACTS:,} facts, {NOTES:,} notes, {SESSIONS:,} conversations of {MESSAGES} messages; {size:.0f} MB"
        )
        print(f"{'query':<24}{'recall ms':>11}{'worst':>8}{'found':>7}{'plain BM25 ms':>15}")
        for title, query in QUERIES.items():
            ours, worst = milliseconds(lambda: store.recall(query))  # noqa: B023 - run at once
            plain, _ = milliseconds(ranked(store, query))
            found = len(store.recall(query))
            print(f"{title:<24}{ours:>11.1f}{worst:>8.1f}{found:>7}{plain:>15.1f}")
        print(f"target: at most {TARGET:.0f} ms each")
        store.close()


if __name__ == "__main__":
    main()
