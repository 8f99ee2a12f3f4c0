"""Facts about the person. Equal ones merge, corrections replace, and what is forgotten stays forgotten."""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Sequence
from typing import Any

from ankita_desktop.errors import StoreError
from ankita_desktop.store.search import Search
from ankita_desktop.store.sense import Blots, covered, roots, sense, subject
from ankita_desktop.store.text import clean
from ankita_desktop.store.word_search import WordSearch, numbers
from ankita_desktop.toolkit.remembering import PINS, Fact, Saved

NEAR = 3  # facts named as similar to a new one
ALIKE = 0.6


def _fact(row: sqlite3.Row) -> Fact:
    return Fact(f"m{row['seq']}", row["text"], row["pinned"] is not None, row["created"], row["updated"])


def _number(fact: str) -> int:
    """ "m12" or "12" -> 12; 0 for anything else."""
    digits = fact.strip().lower().removeprefix("m")
    return int(digits) if digits.isdecimal() and len(digits) < 16 else 0


class Facts(Search, WordSearch):
    """Implements the facts of ``toolkit.remembering.Memory``."""

    def facts(self) -> Sequence[Fact]:
        """All facts: the pinned ones first, then the newest."""
        order = "pinned IS NULL, pinned, updated DESC, seq DESC"
        return [_fact(row) for row in self.rows(f"SELECT * FROM facts ORDER BY {order}")]

    def pins(self) -> Sequence[Fact]:
        """The pinned facts, in the order they were pinned."""
        sql = "SELECT * FROM facts WHERE pinned IS NOT NULL ORDER BY pinned, seq LIMIT ?"
        return [_fact(row) for row in self.rows(sql, (PINS,))]

    def fact(self, fact: str) -> Fact | None:
        row = self.row("SELECT * FROM facts WHERE seq = ?", (_number(fact),))
        return _fact(row) if row else None

    def find_facts(self, text: str, *, whole: bool = False) -> Sequence[Fact]:
        """Facts that hold all telling words of ``text``, else (not when ``whole``) those that hold most of them;
        best first."""
        row = self.row("SELECT * FROM facts WHERE sense = ?", (sense(text),))
        if row:
            return [_fact(row)]
        wanted = roots(text)
        found = [(covered(wanted, fact.text), fact) for fact in self._near(text)]
        best = max((share for share, _ in found), default=0.0)
        return [fact for share, fact in found if share == best and share >= (1.0 if whole else ALIKE)]

    def add_fact(self, text: str, *, session: str = "") -> Saved:
        """Remember. An equal fact is renewed, and one of the same subject that can have one value is replaced."""
        text = clean(" ".join(text.split()))
        same = self.row("SELECT * FROM facts WHERE sense = ?", (sense(text),))
        if same:
            return self._write(_fact(same), text, "merged")
        if old := self._outdated(text):
            return self._write(old, text, "replaced")
        now = time.time()
        with self.write() as connection:
            sql = "INSERT INTO facts (text, sense, session, created, updated) VALUES (?, ?, ?, ?, ?)"
            seq = connection.execute(sql, (text, sense(text), session, now, now)).lastrowid
        self._learn_again(text)
        similar = tuple(fact for fact in self._near(text) if fact.id != f"m{seq}")
        return Saved(Fact(f"m{seq}", text, False, now, now), "added", None, self._alike(text, similar))

    def change_fact(self, fact: str, text: str) -> Saved:
        """Put another text in a fact's place. When another fact says the same already, the two become one."""
        before = self._known(fact)
        text = clean(" ".join(text.split()))
        return self._write(before, text, "replaced" if sense(text) != sense(before.text) else "merged")

    def pin_fact(self, fact: str, pinned: bool = True) -> Saved:
        """Have a fact in every prompt, or not any more. Raises ``StoreError`` when there is no room."""
        before = self._known(fact)
        with self.write() as connection:
            count = connection.execute("SELECT count(*) FROM facts WHERE pinned IS NOT NULL").fetchone()[0]
            if pinned and not before.pinned and count >= PINS:
                raise StoreError(f"{PINS} facts are pinned, which is the most there can be: unpin one first.")
            value = time.time() if pinned else None
            if pinned != before.pinned:
                connection.execute("UPDATE facts SET pinned = ? WHERE seq = ?", (value, _number(fact)))
        return Saved(self._known(fact), "pinned" if pinned else "unpinned", before)

    def forget_fact(self, fact: str) -> bool:
        """Delete a fact for good, and keep old conversations from teaching it again. False: there was none."""
        before = self.fact(fact)
        if before is None:
            return False
        with self.write() as connection:
            connection.execute("DELETE FROM facts WHERE seq = ?", (_number(fact),))
        self._blot(before.text)
        self.forget_deleted_words("facts_words")
        return True

    def undo_fact(self, undo: dict[str, Any]) -> bool:
        """Take one save back. ``undo``: {"fact": id, "after": text, "before": None or {"text", "pinned"}}."""
        current, before = self.fact(str(undo.get("fact", ""))), undo.get("before")
        if current is None or current.text != undo.get("after"):
            return False
        with self.write() as connection:
            if before is None:
                connection.execute("DELETE FROM facts WHERE seq = ?", (_number(current.id),))
            else:
                pinned = time.time() if before["pinned"] else None
                connection.execute(
                    "UPDATE facts SET text = ?, sense = ?, pinned = ? WHERE seq = ?",
                    (before["text"], sense(before["text"]), pinned, _number(current.id)),
                )
        if before is not None:
            self._learn_again(before["text"])
        return True

    # --- forgetting -------------------------------------------------------------------------

    def blots(self) -> Blots:
        """What was forgotten, to be left out of what old conversations tell."""
        salt = self.row("SELECT salt FROM memory_salt")
        rows = self.rows("SELECT words FROM forgotten")
        return Blots(bytes(salt["salt"]) if salt else b"", [row["words"] for row in rows])

    def _blot(self, text: str, *, instead: str = "") -> None:
        if row := self.blots().row(text, instead=instead):
            with self.write() as connection:
                sql = "INSERT OR IGNORE INTO forgotten (words, created) VALUES (?, ?)"
                connection.execute(sql, (row, time.time()))

    def _learn_again(self, text: str) -> None:
        """What is told anew is not forgotten any more."""
        rows = self.blots().told_by(text)
        with self.write() as connection:
            connection.executemany("DELETE FROM forgotten WHERE words = ?", [(row,) for row in rows])

    # --- finding ----------------------------------------------------------------------------

    def _known(self, fact: str) -> Fact:
        found = self.fact(fact)
        if found is None:
            raise StoreError(f"There is no fact {fact}.")
        return found

    def _near(self, text: str) -> list[Fact]:
        """Facts that share telling words with ``text``, best first."""
        found = self.word_hits("facts", text, limit=50)
        rows = {row["seq"]: row for row in self.rows(f"SELECT * FROM facts WHERE seq IN ({numbers(found)})")}
        return [_fact(rows[seq]) for seq in found if seq in rows]

    def _alike(self, text: str, facts: Sequence[Fact]) -> tuple[Fact, ...]:
        wanted = roots(text)
        return tuple(fact for fact in facts if covered(wanted, fact.text) >= ALIKE)[:NEAR]

    def _outdated(self, text: str) -> Fact | None:
        """The fact that a new one of the same subject takes the place of."""
        about = subject(text)
        if not about:
            return None
        return next((fact for fact in self._near(text) if subject(fact.text) == about), None)

    def _write(self, before: Fact, text: str, how: Any) -> Saved:
        now = time.time()
        with self.write() as connection:
            other = connection.execute(
                "SELECT seq FROM facts WHERE sense = ? AND seq <> ?", (sense(text), _number(before.id))
            ).fetchone()
            if other:
                connection.execute("DELETE FROM facts WHERE seq = ?", (other["seq"],))
            connection.execute(
                "UPDATE facts SET text = ?, sense = ?, updated = ? WHERE seq = ?",
                (text, sense(text), now, _number(before.id)),
            )
        if how == "replaced":
            self._blot(before.text, instead=text)
        self._learn_again(text)
        return Saved(self._known(before.id), how, before)
