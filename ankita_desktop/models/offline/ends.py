"""The last lines of a file: which ones they are is known only after a look at it."""

from __future__ import annotations

from collections.abc import Mapping

from ankita_desktop.models.offline import words
from ankita_desktop.models.offline.grammar import Reading
from ankita_desktop.models.offline.recipes import one
from ankita_desktop.models.offline.script import Recipe, Say, Scene, Script, Wish


def change_end(reading: Reading, scene: Scene) -> Script:
    """Delete the last lines, or put others in their place (``text``), also before them (``mode``)."""
    values = reading.values
    look = Wish("read_file", {"path": values["path"], "limit": 1})
    result = yield look
    total = result.details.get("lines", 0)
    if not result.ok or total < 1:
        yield Say(words.failure(look, result) if not result.ok else _uncounted(values["path"], total))
        return False
    edit = {"start_line": max(1, total - values.get("n", 1) + 1), "end_line": total, "mode": values["mode"]}
    if "text" in values:
        edit["content"] = values["text"]
    return (yield from one("edit_lines", {"path": values["path"], "edits": [edit]}, reading))


def _uncounted(path: str, total: int) -> str:
    if total == 0:
        return f"{path} is empty, so there is no last line."
    return f"{path} is too long for me to count its lines. Name them by number, such as “delete line 3 of {path}”."


RECIPES: Mapping[str, Recipe] = {"change_end": change_end}
