"""Good results in a person's words, tool by tool. ``details`` are preferred; the text is for models."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from pathlib import PurePath
from typing import Any

from ankita_desktop.models.offline import remembered, tellers_git
from ankita_desktop.models.offline.script import Wish
from ankita_desktop.models.offline.wording import fenced, name, output_of, plural, running, size
from ankita_desktop.protocol import Message

_LISTED = 40


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
    if not matches and "path" in wish.arguments:
        return f"“{what}” is not in {wish.arguments['path']}."
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
        if not details.get("stays", True):
            return (
                f"It is running as job {job} and ends with this answer, because `ankita -p` does. "
                f"In `ankita chat` or the window it would run on.{block}"
            )
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


def _answered(wish: Wish, result: Message) -> str:
    head, _, body = result.text.partition("\n\n")
    url = result.details.get("url") or wish.arguments.get("url", "")
    status = result.details.get("status")
    opening = f"{url} answered with status {status}" if status else head
    body = body.strip("\n")
    return f"{opening}:\n\n{fenced(body)}" if body and body != "(no body)" else f"{opening} and no text."


def _searched(wish: Wish, result: Message) -> str:
    rows = result.details.get("results")
    if not rows:
        return result.text
    lines = [
        f"{n}. [{row['title'] or row['url']}]({row['url']})\n   {row['snippet'][:240]}"
        for n, row in enumerate(rows, 1)
    ]
    return f"For “{result.details['query']}” I found:\n\n" + "\n".join(lines)


def _page(wish: Wish, result: Message) -> str:
    """What stands on a page, as text: its own markup is nobody's answer."""
    head, _, body = result.text.partition("\n\n")
    if not result.details.get("url"):
        return result.text
    status = result.details.get("status", 200)
    failed = f" answered with status {status}" if status >= 400 else ""
    facts = "\n".join(line for line in head.split("\n")[1:] if line != result.details["url"])
    shown_title = result.details.get("title") or result.details["url"]
    return f"{shown_title}{failed}" + (f"\n{facts}" if facts else "") + (f":\n\n{fenced(body)}" if body else ".")


def _fields(wish: Wish, result: Message) -> str:
    pages = result.details.get("pages")
    if not pages or "fields" not in pages[0]:
        return result.text
    found = [f"- {value}" for page in pages for values in page["fields"].values() for value in values]
    what = ", ".join(pages[0]["fields"])
    where = pages[0]["url"]
    return f"The {what} of {where}:\n\n" + "\n".join(found) if found else f"I found no {what} on {where}."


TELLERS: Mapping[str, Callable[[Wish, Message], str]] = {
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
    "git": tellers_git.told,
    "http_request": _answered,
    "web_search": _searched,
    "web_fetch": _page,
    "scrape": _fields,
    **remembered.TELLERS,
    **dict.fromkeys(
        ("write_file", "edit_file", "edit_lines", "apply_patch", "move_file", "delete_file", "create_dir"), _change
    ),
}
