"""Results in a person's words: counts, names, sizes; errors plainly, with what to do; a no calmly."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from pathlib import PurePath
from typing import Any

from ankita_desktop.models.offline import slots
from ankita_desktop.models.offline.grammar import Reading
from ankita_desktop.models.offline.script import Scene, Wish
from ankita_desktop.protocol import Message

DONE = "Done."
GREETING = "Hello! Ask me something like “what's in this folder”, or say “help” to see what I can do."
CONNECT = (
    "To connect a language model, open Settings → Models (or run `ankita config path` to find the settings) and "
    "give a base URL and a key, or put OPENAI_API_KEY or ANTHROPIC_API_KEY into the environment before starting. "
    "Any OpenAI-compatible service works, also one on your own machine."
)
_LISTED = 40
_OUTPUT = 6_000


def told(reading: Reading, wish: Wish, result: Message) -> str:
    """What a call's result means to the person who asked."""
    family = reading.family
    if not result.ok:
        silent = result.details.get("exit_code") == 1 and not output_of(result).strip()
        if family.nothing and silent:
            return str(slots.fill(family.nothing, reading.values))
        return failure(wish, result)
    if family.tell or family.nothing:
        if running(result):
            return shown(wish, result)
        return _as_family_says(reading, wish, result)
    return shown(wish, result)


def _as_family_says(reading: Reading, wish: Wish, result: Message) -> str:
    family, output = reading.family, output_of(result).strip("\n")
    empty = not output.strip() or result.details.get("count") == 0
    if empty and family.nothing:
        return str(slots.fill(family.nothing, reading.values))
    line = output.strip().partition("\n")[0].strip()
    known = {f"w{number}": word for number, word in enumerate(line.split(), 1)}
    text = slots.fill(family.tell, {**reading.values, **known, "output": fenced(output), "line": line})
    return text if isinstance(text, str) else shown(wish, result)


def shown(wish: Wish, result: Message) -> str:
    """A good result in words, by its tool."""
    teller = _TELLERS.get(wish.tool)
    return (teller(wish, result) if teller else result.text.strip()) or DONE


def failure(wish: Wish, result: Message) -> str:
    """Why a call did nothing, or not what was asked."""
    details = result.details
    if details.get("denied") == "person":
        return "All right, I left it as it was: nothing was done."
    if details.get("denied"):
        return "That needs your yes, and nobody was there to give it. Nothing was done; ask me again when you are."
    if details.get("cancelled"):
        return "Stopped, as you asked."
    if details.get("no_rounds"):
        return "I have used all the steps one request may take. Say “continue” and I go on from here."
    if details.get("missing"):
        return missing(str(details["missing"]))
    if "exit_code" in details:
        return _command_failed(details, result)
    return f"That did not work: {result.text.strip()}"


def missing(tool: str) -> str:
    return f"For that I would need the tool `{tool}`, and it isn't available here."


def _command_failed(details: Mapping[str, Any], result: Message) -> str:
    code = details["exit_code"]
    how = "ran out of time" if details.get("timed_out") else f"ended with exit code {code}"
    text = output_of(result).strip("\n")
    return f"The command {how}" + (f":\n\n{fenced(text)}" if text.strip() else " and printed nothing.")


def lost(text: str, scene: Scene) -> str:
    """What is said to a sentence that no family fits: the nearest three things, and how to get more."""
    said = text.strip().partition("\n")[0]
    short = said if len(said) <= 80 else said[:79] + "…"
    near = [f"- {family.can}: “{family.example}”" for family in nearest(text, scene)]
    opening = f"I did not understand “{short}”." if short else "I did not get any words."
    return (
        f"{opening} I'm the built-in offline model and know plain requests only. The nearest I can do:\n\n"
        + "\n".join(near)
        + "\n\nSay “help” for everything. For free conversation connect a language model: say “how do I connect "
        "a model”."
    )


def nearest(text: str, scene: Scene, most: int = 3) -> Sequence[Any]:
    """The families whose words and tools are nearest to the text."""
    wanted = set(_stems(text))
    meant = set(scene.match(text).tools)
    ranked = []
    for position, family in enumerate(f for f in scene.grammar.families.values() if f.can and f.example):
        own = set(_stems(f"{family.can} {family.example} {family.name}"))
        tools = {tool for step in family.do for tool in step}
        ranked.append((-len(wanted & own) - 2 * bool(tools & meant), position, family))
    return [family for _score, _position, family in sorted(ranked, key=lambda item: item[:2])[:most]]


_FILLERS = re.compile(
    r"\b(?:an?|the|of|in|on|is|are|to|for|and|with|my|me|i|you|it|this|that|what|how|do|can|please)\b", re.I
)


def _stems(text: str) -> list[str]:
    words = re.findall(r"[a-z]+", text.lower())
    return [
        re.sub(r"(?:ing|ed|es|s)$", "", word) if len(word) > 4 else word for word in words if word not in _STOP
    ]


# --- by tool --------------------------------------------------------------------------------


def fenced(text: str, kind: str = "") -> str:
    """The text as a block of code, whatever it holds; long output cut in the middle."""
    if len(text) > _OUTPUT:
        half = _OUTPUT // 2
        text = f"{text[:half]}\n… {len(text) - _OUTPUT:,} characters left out …\n{text[-half:]}"
    longest = max((len(run) for run in re.findall(r"`+", text)), default=0)
    fence = "`" * max(3, longest + 1)
    return f"{fence}{kind}\n{text}\n{fence}"


def output_of(result: Message) -> str:
    output = result.details.get("output")
    return output if isinstance(output, str) else result.text


def running(result: Message) -> bool:
    return (
        "exit_code" in result.details
        and result.details["exit_code"] is None
        and not result.details.get("timed_out")
    )


def plural(number: int, one: str, many: str = "") -> str:
    return f"{number:,} {one if number == 1 else many or one + 's'}"


def size(count: float) -> str:
    """Bytes for people: ``1.5 kB``."""
    if count < 1000:
        return plural(int(count), "byte")
    for unit in ("kB", "MB", "GB", "TB"):
        count /= 1000
        if count < 1000 or unit == "TB":
            break
    return f"{count:.1f} {unit}"


def name(path: str) -> str:
    return PurePath(path).name or path


def _listing(wish: Wish, result: Message) -> str:
    details = result.details
    if "entries" not in details:
        return result.text
    entries = details["entries"]
    where = wish.arguments.get("path") or "."
    place = "This folder" if where == "." else f"The folder {where}"
    hidden = details.get("hidden") or 0
    note = (
        f"\n\n{plural(hidden, 'hidden entry', 'hidden entries')} not shown; say “and hidden ones too”."
        if hidden
        else ""
    )
    if not entries:
        return f"{place} is empty.{note}"
    rows = "\n".join(_row(entry) for entry in entries)
    more = details.get("total", len(entries)) - len(entries)
    cut = f"\n\nAnd {more:,} more; name a subfolder to see the rest." if more > 0 else ""
    return f"{place} holds {_contents(entries)}:\n\n{rows}{cut}{note}"


def _contents(entries: Sequence[Mapping[str, Any]]) -> str:
    folders = sum(entry["kind"] == "folder" for entry in entries)
    files = [entry for entry in entries if entry["kind"] == "file"]
    others = len(entries) - folders - len(files)
    parts = [plural(folders, "folder")] if folders else []
    if files:
        parts.append(f"{plural(len(files), 'file')} ({size(sum(entry['size'] for entry in files))})")
    if others:
        parts.append(plural(others, "link or other entry", "links or other entries"))
    return " and ".join(parts) if len(parts) < 3 else f"{parts[0]}, {parts[1]} and {parts[2]}"


def _row(entry: Mapping[str, Any]) -> str:
    if entry["kind"] == "folder":
        return f"- {entry['name']}/"
    return f"- {entry['name']}" + (
        f" ({size(entry['size'])})" if entry["kind"] == "file" else f" ({entry['kind']})"
    )


def _reading(wish: Wish, result: Message) -> str:
    details = result.details
    shown_name = wish.arguments.get("path", "the file")
    if "start" not in details:
        return result.text
    if details["end"] < details["start"]:
        return f"{shown_name} is empty."
    lines = [_unnumbered(line) for line in result.text.split("\n") if not re.match(r"\[lines \d", line)]
    total = details["lines"]
    whole = details["start"] == 1 and not details.get("truncated")
    span = f"lines {details['start']}–{details['end']}" + (f" of {total:,}" if total >= 0 else "")
    facts = plural(total, "line") if whole else span
    more = "\n\nSay “read on” for more." if details.get("truncated") and details["end"] != total else ""
    return f"{shown_name} ({facts}):\n\n{fenced(chr(10).join(lines))}{more}"


def _unnumbered(line: str) -> str:
    return re.sub(r"^\d+\t", "", line, count=1)


def _files(wish: Wish, result: Message) -> str:
    count = result.details.get("count")
    if count is None:
        return result.text
    if not count:
        pattern = wish.arguments.get("pattern", "")
        return f"I found no file that matches {pattern}. Hidden and ignored files are skipped."
    rows = [line for line in result.text.split("\n") if line and not line.startswith("[incomplete")]
    more = f"\n\nAnd {count - _LISTED:,} more." if count > _LISTED else ""
    return f"Found {plural(count, 'file')}:\n\n" + "\n".join(f"- {row}" for row in rows[:_LISTED]) + more


def _hits(wish: Wish, result: Message) -> str:
    matches = result.details.get("matches")
    if matches is None:
        return result.text
    what = str(wish.arguments.get("pattern", "")).replace("\\", "")
    if not matches:
        return f"“{what}” is in none of the files I looked at. Hidden and ignored files are skipped."
    files = result.details.get("files", 0)
    rows = [line for line in result.text.split("\n") if line and not line.startswith("[incomplete")]
    more = f"\n\nAnd {len(matches) - _LISTED:,} more." if len(matches) > _LISTED else ""
    incomplete = result.details.get("incomplete")
    note = f"\n\nNot everything was looked at ({incomplete})." if incomplete else ""
    block = fenced("\n".join(rows[:_LISTED]))
    return f"Found “{what}” in {plural(len(matches), 'line')} of {plural(files, 'file')}:\n\n{block}{more}{note}"


def _change(wish: Wish, result: Message) -> str:
    files = result.details.get("files")
    if files is None:
        return result.text
    if not files:
        return "You declined every part of it, so nothing was changed."
    text = "\n".join(_changed(card, result) for card in files)
    partly = "Not applied:" in result.text
    return text + ("\nOnly the parts you accepted were applied." if partly else "")


_ACTIONS = {"create": "Created", "modify": "Changed", "mkdir": "Made the folder", "move": "Moved"}


def _changed(card: Mapping[str, Any], result: Message) -> str:
    path = name(card["path"])
    if card["action"] == "delete":
        trashed = "to the trash" in result.text
        return f"{path} is in the trash now; you can take it back from there." if trashed else f"Deleted {path}."
    if card["action"] == "move":
        return f"{path} is now {_destination(card)}."
    counts = " and ".join(
        part
        for part in (
            f"{plural(card['added'], 'line')} added" if card["added"] else "",
            f"{plural(card['removed'], 'line')} removed" if card["removed"] else "",
        )
        if part
    )
    return f"{_ACTIONS[card['action']]} {path}" + (f": {counts}." if counts else ".")


def _destination(card: Mapping[str, Any]) -> str:
    source, target = PurePath(card["path"]), PurePath(card["destination"])
    return target.name if source.parent == target.parent else f"{target.parent.name}/{target.name}"


def _command(wish: Wish, result: Message) -> str:
    details = result.details
    if "exit_code" not in details:
        return result.text
    output = output_of(result).strip("\n")
    block = f"\n\n{fenced(output)}" if output.strip() else ""
    if running(result):
        job = details.get("job_id", "")
        return f"It is running as job {job}. Say “how is the job”, “wait for the job” or “stop the job”.{block}"
    if wish.tool == "job_stop":
        return f"The job is stopped.{block}"
    took = f" after {details['seconds']:.0f} seconds" if details.get("seconds", 0) >= 2 else ""
    return f"Finished{took}:{block}" if block else f"Finished{took}. It printed nothing."


def _jobs(wish: Wish, result: Message) -> str:
    rows = result.details.get("jobs")
    if rows is None:
        return _command(wish, result)
    if not rows:
        return "No jobs are running, and none ran in this conversation."
    return f"{plural(len(rows), 'job')}:\n\n{fenced(result.text.strip())}"


def _port(wish: Wish, result: Message) -> str:
    details = result.details
    if "listeners" not in details:
        return result.text
    port = details.get("port")
    if details.get("free"):
        return f"Port {port} is free: nothing listens there." if port else "Nothing listens on any port."
    rows = "\n".join(dict.fromkeys(_listener(row) for row in details["listeners"]))
    opening = f"Port {port} is in use:" if port else f"{plural(len(details['listeners']), 'open port')}:"
    return f"{opening}\n\n{rows}"


def _listener(row: Mapping[str, Any]) -> str:
    where = f"{row['address']}:{row['port']} ({row['protocol']})"
    if not row.get("pid"):
        return f"- {where}: a process of another user"
    return f"- {where}: {row['name']}, process {row['pid']} of {row['user']}: `{row['command'][:120]}`"


def todo_list(todos: Sequence[Mapping[str, str]]) -> str:
    open_ones = sum(todo["status"] != "done" for todo in todos)
    rows = "\n".join(f"- [{'x' if todo['status'] == 'done' else ' '}] {todo['content']}" for todo in todos)
    return f"Your list ({open_ones} of {len(todos)} open):\n\n{rows}" if todos else "Your list is empty."


def _todos(wish: Wish, result: Message) -> str:
    todos = result.details.get("todos")
    return todo_list(todos) if todos is not None else result.text


def _plain_block(wish: Wish, result: Message) -> str:
    text = result.text.strip("\n")
    return fenced(text) if "\n" in text else text


_TELLERS: Mapping[str, Callable[[Wish, Message], str]] = {
    "list_dir": _listing,
    "read_file": _reading,
    "glob": _files,
    "search_files": _hits,
    "run_command": _command,
    "job_status": _jobs,
    "job_wait": _command,
    "job_stop": _command,
    "job_input": _command,
    "port_status": _port,
    "write_todos": _todos,
    "git": _plain_block,
    "http_request": _plain_block,
    **dict.fromkeys(
        ("write_file", "edit_file", "edit_lines", "apply_patch", "move_file", "delete_file", "create_dir"), _change
    ),
}
