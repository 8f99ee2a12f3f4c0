"""Requests that mean several files, or one that is named and nothing more."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from ankita_desktop.models.offline import slots, wording, words
from ankita_desktop.models.offline.grammar import Reading
from ankita_desktop.models.offline.recipes import one
from ankita_desktop.models.offline.script import Recipe, Say, Scene, Script, Wish

MOST = 20  # questions that a person would still read
_NUMBER = re.compile(r"^\d+\t", re.M)


def delete_ending(reading: Reading, scene: Scene) -> Script:
    """Files of one ending in one folder, not below it; each is asked about by itself, and a no ends it."""
    folder, kind = reading.values.get("folder", "."), reading.values["kind"]
    wish = Wish("list_dir", {"path": folder})
    result = yield wish
    if not result.ok:
        yield Say(words.failure(wish, result))
        return False
    entries = result.details.get("entries", ())
    names = [entry["name"] for entry in entries if entry["kind"] == "file"]
    meant = _ending(names, kind)
    where = "directly in this folder" if folder == "." else f"directly in {folder}"
    if not meant or len(meant) > MOST or result.details.get("truncated"):
        yield Say(_too_few_or_many(len(meant), kind, where))
        return not meant
    for name in meant:
        path = name if folder == "." else f"{str(folder).rstrip('/')}/{name}"
        if not (yield from one("delete_file", {"path": path}, reading)):
            return False
    return True


def _ending(names: Sequence[str], kind: str) -> list[str]:
    endings = tuple(f".{ending}" for ending in kind.strip("{}").split(","))
    return sorted(name for name in names if name.lower().endswith(endings))


def _too_few_or_many(count: int, kind: str, where: str) -> str:
    what = "picture" if kind.startswith("{") else f"{kind} file"
    if not count:
        return f"There are no {what}s {where}, so there is nothing to delete."
    found = wording.plural(count, what)
    return f"There are {found} {where} at least: more than {MOST} I don't delete at once. Nothing was deleted."


def patch_file(reading: Reading, scene: Scene) -> Script:
    """Read a patch, then apply it as it stands there."""
    wish = Wish("read_file", {"path": reading.values["path"]})
    result = yield wish
    if not result.ok:
        yield Say(words.failure(wish, result))
        return False
    if result.details.get("truncated"):
        yield Say(
            f"{reading.values['path']} is too long for me to apply. `git apply` can do it. Nothing was changed."
        )
        return False
    return (yield from one("apply_patch", {"patch": _NUMBER.sub("", result.text) + "\n"}, reading))


def named_alone(reading: Reading, scene: Scene) -> Script:
    """A file's name by itself: it is read, and an archive listed."""
    path = reading.values["path"]
    if slots.archive(path, quoted=True):
        return (yield from one("archive", {"action": "list", "path": path}, reading))
    tool = "read_document" if slots.document(path, quoted=True) else "read_file"
    return (yield from one(tool, {"path": path}, reading))


RECIPES: Mapping[str, Recipe] = {
    "delete_ending": delete_ending,
    "patch_file": patch_file,
    "named_alone": named_alone,
}
