"""Search in everything remembered: facts, notes of projects, and what was said in other conversations."""

from __future__ import annotations

import json
from collections.abc import Sequence

from ankita_desktop.store.memory import Facts
from ankita_desktop.store.search import snippet
from ankita_desktop.store.sense import covered, roots, telling
from ankita_desktop.store.word_search import numbers
from ankita_desktop.toolkit.remembering import Recollection

LOOKED_AT = 40  # hits of one kind that are weighed
SAID = 4_000

_WEIGHT = {"fact": 1.0, "decision": 0.9, "todo": 0.8, "note": 0.8, "log": 0.7, "said": 0.6}


class Recall(Facts):
    """Implements ``recall`` of ``toolkit.remembering.Memory``."""

    def recall(self, query: str, *, limit: int = 12, session: str = "") -> Sequence[Recollection]:
        """What fits best: by the share of the words asked for, kept facts before notes before talk."""
        wanted = roots(query)
        found = [*self._facts_about(query), *self._notes_about(query), *self._said_about(query, session)]
        scored = [(covered(wanted, one.text) * _WEIGHT[one.kind], one) for one in found]
        best = max((score for score, _ in scored), default=0.0)
        scored.sort(key=lambda pair: (-round(pair[0], 2), -pair[1].time))
        fitting = [one for score, one in scored if score > best / 3]
        return list({one.text: one for one in reversed(fitting)}.values())[::-1][:limit]

    def _facts_about(self, query: str) -> list[Recollection]:
        return [
            Recollection("fact", fact.text, "pinned fact" if fact.pinned else "fact", fact.updated, fact.id)
            for fact in self._near(query)
        ]

    def _notes_about(self, query: str) -> list[Recollection]:
        found = self.word_hits("notes", query, limit=LOOKED_AT)
        sql = f"""SELECT notes.*, projects.name FROM notes JOIN projects ON projects.seq = notes.project
                  WHERE notes.seq IN ({numbers(found)})"""
        return [
            Recollection(row["kind"], row["text"], f"project {row['name']}", row["created"], f"n{row['seq']}")
            for row in self.rows(sql)
        ]

    def _said_about(self, query: str, session: str) -> list[Recollection]:
        found = self.word_hits("spoken", query, limit=LOOKED_AT)
        sql = f"""SELECT messages.seq, messages.body, messages.created, sessions.id, sessions.title FROM messages
                  JOIN sessions ON sessions.id = messages.session
                  WHERE messages.seq IN ({numbers(found)}) AND messages.session <> ?"""
        blots, words, wanted = self.blots(), telling(query), roots(query)
        told = []
        for row in self.rows(sql, (session,)):
            message = json.loads(row["body"])
            text = blots.without(message["text"][:SAID])
            if covered(wanted, text):
                who = "the person" if message["role"] == "user" else "you"
                source = f"{who} in “{row['title'] or 'a conversation'}” ({row['id'][:8]})"
                told.append(Recollection("said", snippet(text, words), source, row["created"], row["id"]))
        return told
