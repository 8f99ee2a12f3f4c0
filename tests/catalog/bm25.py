"""The reference the catalogue is measured against: BM25 with stems and stop words over one bag of words."""

from __future__ import annotations

import json
import math
from collections import Counter
from pathlib import Path

from ankita_desktop.catalog.derived import STOP
from ankita_desktop.catalog.words import stem, tokens
from ankita_desktop.protocol import ToolSpec


def words(text: str) -> list[str]:
    return [stem(word) for word in tokens(text) if word not in STOP]


class Bm25:
    def __init__(self, specs: list[ToolSpec], k1: float = 1.5, b: float = 0.75) -> None:
        self.names = [spec.name for spec in specs]
        bags = [Counter(words(_text(spec))) for spec in specs]
        average = sum(bag.total() for bag in bags) / max(1, len(bags))
        self.postings: dict[str, list[tuple[int, float]]] = {}
        for number, bag in enumerate(bags):
            norm = k1 * (1 - b + b * bag.total() / average)
            for word, count in bag.items():
                self.postings.setdefault(word, []).append((number, count * (k1 + 1) / (count + norm)))
        self.idf = {
            word: math.log(1 + (len(bags) - len(found) + 0.5) / (len(found) + 0.5))
            for word, found in self.postings.items()
        }

    def search(self, query: str, most: int = 5) -> list[str]:
        scores: dict[int, float] = {}
        for word in words(query):
            for number, gain in self.postings.get(word, ()):
                scores[number] = scores.get(number, 0.0) + self.idf[word] * gain
        return [self.names[number] for number in sorted(scores, key=lambda one: (-scores[one], one))[:most]]


def _text(spec: ToolSpec) -> str:
    parts = [spec.name.replace("_", " ").replace(".", " "), spec.description]
    for name, about in spec.parameters.get("properties", {}).items():
        parts += [name.replace("_", " "), about.get("description", "")]
    return " ".join(parts)


def read_tools(path: Path) -> list[ToolSpec]:
    specs = []
    for line in path.read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        properties = {
            one["name"]: {"description": one.get("description") or ""} for one in row.get("parameters") or ()
        }
        schema = {"type": "object", "properties": properties}
        specs.append(ToolSpec(row["tool"], row.get("description") or "", schema, "set", source="server:set"))
    return specs


def read_queries(path: Path) -> list[tuple[str, set[str]]]:
    rows = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    return [(row["query"], set(row["gold"])) for row in rows]
