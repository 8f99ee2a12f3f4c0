"""Taking back what was changed: each kind of call has a call that undoes it, or a reason why there is none."""

from __future__ import annotations

import re
from typing import Any

from ankita_desktop.models.offline import words
from ankita_desktop.models.offline.grammar import Reading
from ankita_desktop.models.offline.past import Done
from ankita_desktop.models.offline.script import Say, Scene, Script, Wish


def undo(reading: Reading, scene: Scene) -> Script:
    """The changes of the last request that changed something, newest first; what can't be taken back is said."""
    stack = _changes(scene)
    if not stack:
        yield Say("There is nothing to undo: I haven't changed anything in this conversation.")
        return False
    for done in reversed(stack[-1]):
        way = _way_back(done, scene)
        if isinstance(way, str):
            yield Say(way)
            return False
        result = yield way
        yield Say(f"Undone: {words.shown(way, result)}" if result.ok else words.failure(way, result))
        if not result.ok:
            return False
    return True


_CHANGING = frozenset(
    (
        *("write_file", "edit_file", "edit_lines", "apply_patch", "move_file", "delete_file", "create_dir"),
        *("write_todos", "run_command", "kill_process", "git", "remember"),
    )
)


def _changes(scene: Scene) -> list[list[Done]]:
    """Per request, what it changed and what wasn't undone since."""
    stack: list[list[Done]] = []
    for exchange in scene.before:
        readings = scene.understand(exchange.asked.text)
        looks = all(found.family.looks for found in readings)
        made = [done for done in exchange.done if done.result.ok and _changing(done) and not looks]
        if made and any(found.family.recipe == "undo" for found in readings):
            del stack[-1:]
        elif made:
            stack.append(made)
    return stack


def _changing(done: Done) -> bool:
    if done.call.name == "git":
        nothing = done.result.text.startswith("No local changes")
        return not nothing and "status" in done.result.details
    if done.call.name == "remember":
        return "undo" in done.result.details or done.result.details.get("how") == "forgotten"
    return done.call.name in _CHANGING


def _way_back(done: Done, scene: Scene) -> Wish | str:
    """The call that undoes a call, or why there is none."""
    if done.call.name == "write_todos":
        return Wish("write_todos", {"todos": _list_before(done, scene)})
    if done.call.name == "git":
        return _git_back(done)
    if done.call.name == "remember":
        return _memory_back(done)
    if done.call.name in ("run_command", "kill_process"):
        what = done.call.arguments.get("command", "ending that process")
        if done.result.details.get("checkpoint"):
            return f"I don't take “{what}” back by myself. Undo on its card, or /undo, puts the files back."
        return f"I can't take back “{what}”: it left nothing that could be put back."
    return _files_back(done)


def _memory_back(done: Done) -> Wish | str:
    how, undo = done.result.details.get("how"), done.result.details.get("undo") or {}
    if how in ("pinned", "unpinned"):
        return Wish("remember", {"action": "unpin" if how == "pinned" else "pin", "id": undo["fact"]})
    if how == "added":
        return Wish("remember", {"action": "forget", "id": undo["fact"]})
    if undo.get("before"):
        return Wish("remember", {"action": "update", "id": undo["fact"], "text": undo["before"]["text"]})
    return "What is forgotten can't be brought back; tell me again."


def _files_back(done: Done) -> Wish | str:
    cards = done.result.details.get("files") or []
    diff = done.result.details.get("diff", "")
    if len(cards) == 1:
        card = cards[0]
        if card["action"] == "move" and not diff:
            return Wish("move_file", {"source": card["destination"], "destination": card["path"]})
        if card["action"] in ("create", "mkdir"):
            return Wish("delete_file", {"path": card["path"]})
    if diff and not done.result.details.get("diff_cut"):
        return Wish("apply_patch", {"patch": reversed_diff(diff)})
    if any(card["action"] == "delete" for card in cards):
        return "I can't take that back from here. If it went to the trash, restore it from there."
    return "That change is too large for me to turn back. Use Undo on its card instead."


def _git_back(done: Done) -> Wish | str:
    arguments = done.call.arguments
    action = arguments["action"]
    named: dict[str, Any] = {key: arguments[key] for key in ("paths", "all") if key in arguments}
    if action in ("stage", "unstage"):
        return Wish("git", {"action": "unstage" if action == "stage" else "stage", **named})
    if action == "stash" and arguments.get("op", "push") == "push":
        return Wish("git", {"action": "stash", "op": "pop"})
    if action == "commit":
        return "I don't take commits back by myself. “run git reset --soft HEAD~1” does it and keeps your files."
    return f"I can't take back git {action} by myself."


def _list_before(done: Done, scene: Scene) -> list[dict[str, str]]:
    before: list[dict[str, str]] = []
    for exchange in scene.before:
        for other in exchange.done:
            if other is done:
                return before
            if other.call.name == "write_todos" and other.result.ok:
                before = list(other.call.arguments.get("todos", ()))
    return before


_HUNK = re.compile(r"@@ -(\d+(?:,(\d+))?) \+(\d+(?:,(\d+))?) @@(.*)", re.DOTALL)


def reversed_diff(diff: str) -> str:
    """The unified diff that takes the change of ``diff`` back."""
    turned: list[str] = []
    left = 0
    for line in diff.splitlines(keepends=True):
        if left <= 0 and line.startswith("--- "):
            turned.append("+++ " + _other_side(line[4:], "b"))
        elif left <= 0 and line.startswith("+++ "):
            turned.insert(len(turned) - 1, "--- " + _other_side(line[4:], "a"))
        elif left <= 0 and (hunk := _HUNK.match(line)):
            left = int(hunk[2] or 1) + int(hunk[4] or 1)
            turned.append(f"@@ -{hunk[3]} +{hunk[1]} @@{hunk[5]}")
        else:
            left -= 2 if line[0] == " " else line[0] in "-+"
            turned.append({"-": "+", "+": "-"}.get(line[0], line[0]) + line[1:])
    return "".join(turned)


def _other_side(name: str, side: str) -> str:
    return name if name.startswith("/dev/null") else side + name[1:]
