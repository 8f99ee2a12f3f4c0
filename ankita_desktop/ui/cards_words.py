"""How a call reads in the chat: the one table of words per tool, and the facts at a card's right end."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from ankita_desktop.protocol import ToolCall


@dataclass(frozen=True, slots=True)
class Words:
    """``wish`` "read", ``done`` "Read", ``doing`` "Reading"; ``what`` names the arguments that say of what, in
    order. ``looks``: it only looks, so many in a row fold into one line."""

    wish: str
    done: str
    doing: str
    what: tuple[str, ...] = ()
    looks: bool = False


WORDS: dict[str, Words] = {
    "read_file": Words("read", "Read", "Reading", ("path",), looks=True),
    "list_dir": Words("list", "Listed", "Listing", ("path",), looks=True),
    "search_files": Words("search for", "Searched for", "Searching for", ("pattern", "path"), looks=True),
    "glob": Words("look for", "Looked for", "Looking for", ("pattern", "path"), looks=True),
    "recall": Words("recall", "Recalled", "Recalling", ("query",), looks=True),
    "job_status": Words("check job", "Checked job", "Checking job", ("job_id",), looks=True),
    "job_wait": Words("wait for job", "Waited for job", "Waiting for job", ("job_id",), looks=True),
    "port_status": Words("check port", "Checked port", "Checking port", ("port",), looks=True),
    "find_tools": Words("find tools", "Found tools", "Finding tools", ("query",)),
    "skill": Words("open skill", "Opened skill", "Opening skill", ("name",), looks=True),
    "write_file": Words("write", "Wrote", "Writing", ("path",)),
    "edit_file": Words("edit", "Edited", "Editing", ("path",)),
    "edit_lines": Words("edit", "Edited", "Editing", ("path",)),
    "apply_patch": Words("patch", "Patched", "Patching"),
    "move_file": Words("move", "Moved", "Moving", ("source", "destination")),
    "delete_file": Words("delete", "Deleted", "Deleting", ("path",)),
    "create_dir": Words("create folder", "Created folder", "Creating folder", ("path",)),
    "run_command": Words("run", "Ran", "Running", ("command",)),
    "job_input": Words("type into job", "Typed into job", "Typing into job", ("job_id",)),
    "job_stop": Words("stop job", "Stopped job", "Stopping job", ("job_id",)),
    "kill_process": Words("stop", "Stopped", "Stopping", ("port", "pid")),
    "write_todos": Words("update the plan", "Updated the plan", "Updating the plan"),
    "http_request": Words("request", "Requested", "Requesting", ("method", "url")),
    "remember": Words("remember", "Remembered", "Remembering", ("text",)),
    "remember forget": Words("forget", "Forgot", "Forgetting", ("text", "id")),
    "remember update": Words("correct what is known", "Corrected", "Correcting", ("text",)),
    "remember pin": Words("pin", "Pinned", "Pinning", ("text", "id")),
    "remember unpin": Words("unpin", "Unpinned", "Unpinning", ("text", "id")),
    "remember list": Words("look at memory", "Looked at memory", "Looking at memory", looks=True),
    "project": Words(
        "change the project", "Changed the project", "Changing the project", ("action", "project", "name")
    ),
    "project_memory": Words("note for the project", "Noted", "Noting", ("action", "text")),
    "project_memory brief": Words(
        "read the brief", "Read the brief", "Reading the brief", ("project",), looks=True
    ),
    "git": Words("run git", "Ran git", "Running git", ("action", "args")),
    "remind": Words("set a reminder", "Set a reminder", "Setting a reminder", ("text", "when")),
    "schedule": Words("change the routines", "Changed the routines", "Changing the routines", ("action", "name")),
    "watch": Words(
        "change the watches", "Changed the watches", "Changing the watches", ("action", "url", "path", "command")
    ),
    "web_search": Words(
        "search the web for", "Searched the web for", "Searching the web for", ("query",), looks=True
    ),
    "web_fetch": Words("fetch", "Fetched", "Fetching", ("url",), looks=True),
    "scrape": Words("read out", "Read out", "Reading out", ("url", "urls")),
    "archive": Words("work on archive", "Worked on archive", "Working on archive", ("action", "path")),
    "read_document": Words("read", "Read", "Reading", ("path",), looks=True),
    "file_info": Words("look at", "Looked at", "Looking at", ("path",), looks=True),
    "disk_usage": Words("measure", "Measured", "Measuring", ("path",), looks=True),
    "find_file": Words("look for", "Looked for", "Looking for", ("name", "root"), looks=True),
    "system_info": Words("look at the machine", "Looked at the machine", "Looking at the machine", looks=True),
    "screenshot": Words("picture the screen", "Pictured the screen", "Picturing the screen", ("path",)),
    "notify": Words("notify", "Notified", "Notifying", ("text",)),
    "clipboard": Words("use the clipboard", "Used the clipboard", "Using the clipboard", ("action",)),
    "open": Words("open", "Opened", "Opening", ("target", "app")),
    "speak": Words("say", "Said", "Saying", ("text",)),
    "transcribe": Words("transcribe", "Transcribed", "Transcribing", ("path",)),
    "listen": Words("listen", "Listened", "Listening", ()),
    "github_notifications": Words(
        "look after GitHub notifications",
        "Looked after GitHub notifications",
        "Looking after GitHub notifications",
        ("action", "bucket"),
    ),
    "github_search": Words(
        "search GitHub for", "Searched GitHub for", "Searching GitHub for", ("query",), looks=True
    ),
    "github_issue": Words(
        "work on GitHub issues",
        "Worked on GitHub issues",
        "Working on GitHub issues",
        ("action", "repo", "number", "title"),
    ),
    "github_pr": Words(
        "work on pull requests",
        "Worked on pull requests",
        "Working on pull requests",
        ("action", "repo", "number", "title"),
    ),
    "image_generate": Words("draw", "Drew", "Drawing", ("prompt",)),
    "unsplash_search": Words("search Unsplash for", "Searched Unsplash for", "Searching Unsplash for", ("query",)),
    "pixabay_search": Words("search Pixabay for", "Searched Pixabay for", "Searching Pixabay for", ("query",)),
    "image_download": Words("download", "Downloaded", "Downloading", ("url",)),
    "mcp_manage": Words("change servers", "Changed servers", "Changing servers", ("action", "name")),
    "connect_app": Words("connect", "Connected", "Connecting", ("app", "action")),
}

STATES = {"waiting": "Will {wish}", "asking": "Wants to {wish}", "running": "{doing}", "denied": "{wish}"}

LONGEST = 300


def words(call: ToolCall) -> Words:
    """The words of the call's tool; a tool that isn't in the table is named as it is."""
    return _known(call) or Words("use", "Used", "Using")


def _known(call: ToolCall) -> Words | None:
    """Some tools do quite different things by their action."""
    return WORDS.get(f"{call.name} {call.arguments.get('action')}") or WORDS.get(call.name)


def verb(call: ToolCall, state: str) -> str:
    """What happens to the call, for its state: waiting, asking, running, denied; else what was done."""
    said = words(call)
    return STATES.get(state, "{done}").format(wish=said.wish, doing=said.doing, done=said.done)


def what(call: ToolCall) -> str:
    """What the call is about, on one line."""
    known = _known(call)
    values = [call.arguments[key] for key in known.what if key in call.arguments] if known else [call.name]
    if not known:
        values += [value for value in call.arguments.values() if isinstance(value, str | int)][:1]
    return " ".join(" ".join(_text(value) for value in values).split())[:LONGEST]


def facts(call: ToolCall, details: Mapping[str, Any], seconds: float | None) -> list[str]:
    """Short facts of a finished call, such as "exit 0", "1.4 s", "+2 −1"."""
    found = [*_outcome(details), *_counts(details)]
    if call.name == "find_tools" and "tools" in details:
        found.append(_many(len(details["tools"]), "tool"))
    taken = details.get("seconds", seconds)
    if isinstance(taken, int | float) and taken >= 0.05:
        found.append(duration(float(taken)))
    return found


def duration(seconds: float) -> str:
    """ "0.3 s", "1.4 s", "2 min 5 s" """
    if seconds < 60:
        return f"{seconds:.1f} s"
    return f"{int(seconds // 60)} min {int(seconds % 60)} s"


def size(count: int) -> str:
    """ "812 B", "1.2 KB" """
    if count < 1000:
        return f"{count} B"
    return f"{count / 1000:.1f} KB" if count < 1_000_000 else f"{count / 1_000_000:.1f} MB"


def looked(calls: list[ToolCall], *, running: bool) -> str:
    """One line for many calls that only looked: "Looked at 7 files"."""
    files = all(call.name in ("read_file", "read_document") for call in calls)
    return f"{'Looking' if running else 'Looked'} at {len(calls)} {'files' if files else 'things'}"


def _text(value: Any) -> str:
    return " ".join(map(str, value)) if isinstance(value, list) else str(value)


def _outcome(details: Mapping[str, Any]) -> list[str]:
    if details.get("timed_out"):
        return ["timed out"]
    if "exit_code" in details:
        return ["still running"] if details["exit_code"] is None else [f"exit {details['exit_code']}"]
    return []


def _counts(details: Mapping[str, Any]) -> list[str]:
    added, removed = details.get("added"), details.get("removed")
    if isinstance(added, int) and isinstance(removed, int):
        return [" ".join([f"+{added}"] * bool(added) + [f"−{removed}"] * bool(removed)) or "no lines changed"]
    if isinstance(details.get("count"), int):
        return [f"{details['count']} found"]
    if isinstance(details.get("size"), int) and "exit_code" not in details:
        return [size(details["size"])]
    return []


def _many(count: int, noun: str) -> str:
    return f"{count} {noun}{'' if count == 1 else 's'}"
