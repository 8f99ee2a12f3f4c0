"""What is noted for a project: notes, decisions, todos, a log, and a brief that tells known from unknown."""

import re
import time
from dataclasses import asdict
from datetime import date
from pathlib import Path

from ankita_desktop.toolkit import Preview, ToolContext, ToolError, ToolResult, need
from ankita_desktop.toolkit.projects import LISTS, Note, Project, Projects
from ankita_desktop.toolkit.secrets_text import looks_secret

name = "project_memory"
description = "Note, decide, add or finish todos for a project; log: what happened lately; brief: what is known."
parameters = {
    "type": "object",
    "properties": {
        "action": {"enum": ["note", "decide", "todo", "done", "log", "brief"]},
        "text": {"type": "string", "description": "log without it reads the log; done: the todo's id or words"},
        "project": {"type": "string", "description": "name or id; default: the current one"},
        "due": {"type": "string", "description": "a todo's date, 2026-12-01"},
    },
    "required": ["action"],
    "additionalProperties": False,
}
approval = "never"
keywords = ["project notes", "project todo", "project brief", "decision", "what did we decide"]

LONGEST = 2_000
SHOWN = 10
KINDS = {"note": "note", "decide": "decision", "todo": "todo", "log": "log"}
_DATE = re.compile(r"\d{4}-\d{2}-\d{2}\Z")


def preview(args: dict, ctx: ToolContext) -> Preview:
    words = [args["action"], args.get("text", ""), args.get("due", "")]
    return Preview("text", "Note this for a project?", text=" ".join(word for word in words if word))


def run(args: dict, ctx: ToolContext) -> ToolResult:
    service = need(ctx.services.projects, "The list of projects")
    found = _meant(service, args, ctx)
    text = " ".join(args.get("text", "").split())
    match args["action"]:
        case "brief":
            return _brief(service, found)
        case "done":
            return _done(service, found, text)
        case "log" if not text:
            return _log(service, found)
        case action:
            return _noted(service, found, action, text, _due(args))


def _meant(service: Projects, args: dict, ctx: ToolContext) -> Project:
    reference = args.get("project", "").strip()
    if reference:
        found = service.find_projects(reference)
    else:
        current = service.current_project(ctx.session, str(ctx.cwd)) or service.only_project()
        found = [current] if current else []
    if len(found) == 1:
        return found[0]
    if found:
        lines = "\n".join(f"- {one.name} ({one.id})" for one in found[:10])
        raise ToolError(f"{reference!r} could be several projects; say which:\n{lines}")
    names = ", ".join(one.name for one in service.projects()[:30])
    what = f"There is no project {reference!r}." if reference else "No project is in use here: name one."
    raise ToolError(f"{what} " + (f"There are: {names}." if names else "project(action=add) makes one."))


def _due(args: dict) -> str:
    due = args.get("due", "").strip()
    if not due:
        return ""
    try:
        return date.fromisoformat(due).isoformat() if _DATE.match(due) else _no_date(due)
    except ValueError:
        return _no_date(due)


def _no_date(due: str) -> str:
    raise ToolError(f"{due!r} is no date: due takes one such as {date.today().isoformat()}.")


def _noted(service: Projects, found: Project, action: str, text: str, due: str) -> ToolResult:
    if not text:
        raise ToolError(f"{action} needs text.")
    if len(text) > LONGEST:
        raise ToolError(
            f"A note has at most {LONGEST} characters; write long texts into a file and note where it is."
        )
    if looks_secret(text):
        raise ToolError("That holds a key or a password. Note the name of the credential, never its value.")
    note = service.add_note(found.id, KINDS[action], text, due=due if action == "todo" else "")
    return ToolResult(f"Noted for {found.name}: {_line(note)}", {"note": asdict(note), "project": found.name})


def _done(service: Projects, found: Project, text: str) -> ToolResult:
    if not text:
        raise ToolError("done needs the todo's id or its words in text.")
    fitting = service.find_notes(found.id, text)
    if not fitting:
        todos = "\n".join(_line(note) for note in service.notes(found.id, "todo", limit=SHOWN))
        raise ToolError(f"No open todo of {found.name} fits {text!r}." + (f" Open are:\n{todos}" if todos else ""))
    if len(fitting) > 1:
        lines = "\n".join(_line(note) for note in fitting[:SHOWN])
        raise ToolError(f"That could be several todos; give the id:\n{lines}")
    note = service.finish_note(fitting[0].id)
    return ToolResult(f"Done: {note.text}", {"note": asdict(note), "project": found.name})


def _log(service: Projects, found: Project) -> ToolResult:
    notes = service.notes(found.id, limit=2 * SHOWN)
    text = "\n".join(_line(note) for note in notes) or f"Nothing is noted for {found.name} yet."
    return ToolResult(text, {"notes": [asdict(note) for note in notes]})


def _brief(service: Projects, found: Project) -> ToolResult:
    recorded, unknown = _recorded(service, found)
    confirmed, doubtful = _looked(found)
    kind = f"{found.kind}, archived" if found.archived else found.kind
    parts = [
        f"{found.name} ({kind}){': ' + found.about if found.about else ''}",
        _part("Recorded", recorded),
        _part("Confirmed just now", confirmed),
        _part("Unknown", [*doubtful, *unknown]),
    ]
    return ToolResult("\n\n".join(part for part in parts if part), {"project": asdict(found)})


def _part(title: str, lines: list[str]) -> str:
    return "\n".join([f"{title}:", *(f"- {line}" for line in lines)]) if lines else ""


def _recorded(service: Projects, found: Project) -> tuple[list[str], list[str]]:
    lines, unknown = [], []
    for key in LISTS:
        entries = getattr(found, key)
        lines += [f"{key}: {'; '.join(entries[:SHOWN])}"] if entries else []
        unknown += [] if entries else [f"{key}: nothing recorded"]
    for kind, title in (("decision", "decisions"), ("todo", "open todos"), ("note", "notes"), ("log", "log")):
        notes = service.notes(found.id, kind, limit=SHOWN)
        lines += [_line(note) for note in notes]
        unknown += [] if notes or kind == "log" else [f"{title}: none recorded"]
    return lines, unknown


def _looked(found: Project) -> tuple[list[str], list[str]]:
    """What a look at the disk confirms, and what it doesn't."""
    if not found.place:
        return [], ["where it is: no place recorded"]
    folder = Path(found.place)
    if found.kind != "folder" and not folder.is_absolute():
        return [], [f"whether {found.place} is as recorded: not looked at"]
    if not folder.is_dir():
        return [], [f"the folder {found.place}: recorded, but it isn't there"]
    lines = [f"the folder {found.place} is there"]
    lines += [f"it has {name}" for name in ("README.md", "AGENTS.md") if (folder / name).is_file()]
    head = folder / ".git" / "HEAD"
    if head.is_file():
        branch = head.read_text("utf-8", "replace").strip().removeprefix("ref: refs/heads/")[:80]
        lines.append(f"it is a git repository, on {branch}")
    return lines, []


def _line(note: Note) -> str:
    day = time.strftime("%Y-%m-%d", time.localtime(note.created))
    late = " LATE" if note.due and not note.done and note.due < date.today().isoformat() else ""
    due = f", due {note.due}{late}" if note.due else ""
    return f"[{note.id}] {note.kind}, {day}{due}: {note.text}"
