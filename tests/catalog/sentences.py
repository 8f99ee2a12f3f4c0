"""Written sentences with the groups they mean, and how well a catalogue answers them."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from ankita_desktop.catalog import ToolCatalogue

HERE = Path(__file__).parent


@dataclass
class Figures:
    recall: float = 0.0
    exact: float = 0.0
    silence: float = 0.0
    wrong: list[str] = field(default_factory=list)


def sentences(name: str) -> list[dict[str, Any]]:
    """Rows {query, right: alternative sets of groups, lang, kind}; a negative's only right set is empty."""
    return [json.loads(line) for line in (HERE / name).read_text(encoding="utf-8").splitlines()]


def figures(catalogue: ToolCatalogue, rows: list[dict[str, Any]]) -> Figures:
    """Recall of groups and exact sets over wishes, silence over negatives; planned groups count as built."""
    result = Figures()
    wishes = [row for row in rows if row["kind"] != "negative"]
    negatives = [row for row in rows if row["kind"] == "negative"]
    for row in rows:
        got = set(catalogue.match(row["query"], planned=True).groups)
        right = [set(groups) for groups in row["right"]]
        if got not in right:
            result.wrong.append(f"{row['query']}: {sorted(got)} instead of {row['right']}")
        if row in negatives:
            result.silence += (got in right) / len(negatives)
        else:
            best = max(right, key=lambda groups: len(groups & got) / len(groups) if groups else float(not got))
            result.recall += (len(best & got) / len(best) if best else float(not got)) / len(wishes)
            result.exact += (got in right) / len(wishes)
    return result
