"""Routines: prompts that run themselves at their times."""

from typing import Any

from ankita_desktop.toolkit import Level, Preview, ToolContext, ToolError, ToolResult, need
from ankita_desktop.toolkit.allow import allowed_by

name = "schedule"
description = (
    "Routines: a prompt that runs by itself at given times, in a conversation of its own, and tells its result. "
    "list is also the status. For a plain reminder use remind; to wait for a change use watch."
)
parameters = {
    "type": "object",
    "properties": {
        "action": {
            "type": "string",
            "enum": ["add", "list", "show", "update", "pause", "resume", "remove", "run", "history"],
        },
        "name": {"type": "string", "description": "Its name or id"},
        "when": {"type": "string", "description": "As said: every weekday at 8, every 2 hours, 0 8 * * 1-5"},
        "prompt": {
            "type": "string",
            "description": "What it does each time; it sees nothing of this conversation",
        },
        "allow": {
            "type": "array",
            "description": "Calls it will need, as examples: the person's yes allows their kind for all runs",
            "items": {
                "type": "object",
                "properties": {"tool": {"type": "string"}, "arguments": {"type": "object"}},
                "required": ["tool", "arguments"],
                "additionalProperties": False,
            },
        },
        "late": {"type": "string", "enum": ["once", "skip", "all"], "description": "Times missed while off"},
        "model": {"type": "string"},
        "project": {"type": "string", "description": "Whose notes every run knows; default: the one in use"},
        "limit_minutes": {"type": "number", "exclusiveMinimum": 0},
        "runs_per_day": {"type": "integer", "minimum": 0},
        "tokens_per_day": {"type": "integer", "minimum": 0},
        "new_name": {"type": "string"},
    },
    "required": ["action"],
    "additionalProperties": False,
}
approval = "ask"
keywords = ["schedule", "routine", "every", "daily", "cron"]

LATE = {"once": "run once, up to {} late", "skip": "told, not run", "all": "run one after another, ten at most"}
LOOKS = ("list", "show", "history", "pause")


def approval_for(args: dict[str, Any], ctx: ToolContext) -> Level:
    return "never" if args["action"] in LOOKS else "ask"


def preview(args: dict[str, Any], ctx: ToolContext) -> Preview:
    routines = need(ctx.services.routines, "The list of routines")
    action = args["action"]
    if action == "add":
        return _new(args, ctx, routines)
    found = routines.find(_named(args))
    text = f"{found.name}: {found.when}\n\n{found.prompt}"
    runs = routines.running(found.id) is not None
    if action == "update":
        text += "\n\nChanged:\n" + "\n".join(f"{key}: {value}" for key, value in _changes(args).items())
        if args.get("when"):
            words, times = routines.plan(args["when"])
            text += f"\n{words}{_next(times)}"
        text += f"\n\n{_may(found.allowed)}"
    questions = {"update": "Change this routine?", "remove": "Remove this routine and its history?"}
    questions |= {"resume": "Let this routine run again?", "run": "Run this routine now?"}
    danger = "It runs right now: its result will be lost." if runs and action == "remove" else ""
    return Preview("text", questions[action], text=text, danger=danger)


def run(args: dict[str, Any], ctx: ToolContext) -> ToolResult:
    routines = need(ctx.services.routines, "The list of routines")
    action = args["action"]
    if action == "list":
        found = routines.list()
        text = "\n".join(_line(routines, one) for one in found) or "There are no routines."
        return ToolResult(text, {"routines": [_facts(one) for one in found]})
    if action == "add":
        return _add(args, ctx, routines)
    name = _named(args)
    if action == "history":
        return _history(routines, name)
    if action == "update":
        routine = routines.update(name, **_changes(args))
    elif action in ("pause", "resume"):
        routine = routines.pause(name, action == "pause")
    elif action == "remove":
        routine = routines.remove(name)
        return ToolResult(f"Removed the routine {routine.name!r}.", {"routine": _facts(routine)})
    elif action == "run":
        routine = routines.want(name)
        return ToolResult(f"{routine.name} was asked to run now; history shows how it ends.")
    else:
        routine = routines.find(name)
        return ToolResult(_shown(routines, routine), {"routine": _facts(routine)})
    return ToolResult(routines.receipt(routine), {"routine": _facts(routine)})


def _add(args: dict[str, Any], ctx: ToolContext, routines: Any) -> ToolResult:
    _complete(args)
    allowed = allowed_by(args.get("allow", []), ctx)
    fields = {**_changes(args), "project": _project(args, ctx), "cwd": str(ctx.cwd), "allowed": allowed}
    for key in ("name", "prompt", "when"):
        fields.pop(key, None)
    routine, made = routines.add(args.get("name", ""), args["prompt"], args["when"], **fields)
    first = "Made the routine" if made else "This routine was there already:"
    return ToolResult(f"{first} {routines.receipt(routine)}", {"routine": _facts(routine), "made": made})


def _new(args: dict[str, Any], ctx: ToolContext, routines: Any) -> Preview:
    _complete(args)
    words, times = routines.plan(args["when"])
    allowed = allowed_by(args.get("allow", []), ctx)
    project = _project(args, ctx)
    text = (
        f"{words}{_next(times)}\n\n{args['prompt']}\n\n{f'For the project {project}.' if project else ''}\n"
        f"{_may(allowed)}\nWhat else needs a yes is asked by notification, and denied when nobody answers."
    ).replace("\n\n\n", "\n\n")
    question = f"Make the routine {args.get('name') or args['prompt'][:60]!r}?"
    return Preview("text", question, text=text, where=str(ctx.cwd))


def _may(allowed: Any) -> str:
    listed = "\n".join(f"- {one.label}" for one in allowed) or "- nothing that needs a yes"
    return f"Without asking it may:\n{listed}"


def _project(args: dict[str, Any], ctx: ToolContext) -> str:
    """The project by its words: the one named, else the one this conversation works for; "" for none."""
    projects = ctx.services.projects
    if "project" in args or projects is None:
        return str(args.get("project", ""))
    current = projects.current_project(ctx.session, str(ctx.cwd))
    return current.name if current else ""


def _next(times: Any) -> str:
    return f"\nNext: {'; '.join(times)}" if times else ""


def _complete(args: dict[str, Any]) -> None:
    for key in ("prompt", "when"):
        if not args.get(key, "").strip():
            raise ToolError(f"add needs {key}.")


def _named(args: dict[str, Any]) -> str:
    if not args.get("name"):
        raise ToolError(f"{args['action']} needs name: a routine's name or id; list shows them.")
    return args["name"]


def _changes(args: dict[str, Any]) -> dict[str, Any]:
    """The fields of a routine that the arguments set."""
    found = {key: args[key] for key in ("when", "prompt", "late", "model", "project") if key in args}
    if "limit_minutes" in args:
        found["limit"] = args["limit_minutes"] * 60
    for key, field in (("runs_per_day", "runs"), ("tokens_per_day", "tokens"), ("new_name", "name")):
        if key in args:
            found[field] = args[key]
    return found


def _line(routines: Any, one: Any) -> str:
    last = next(iter(routines.history(one.id, 1)), None)
    said = f" Last: {last.status}" + (f" ({last.reason})" if last.reason else "") + "." if last else ""
    return f"- {routines.receipt(one)}{' Runs now.' if routines.running(one.id) else ''}{said}"


def _shown(routines: Any, one: Any) -> str:
    may = ", ".join(each.label for each in one.allowed) or "nothing that needs a yes"
    day = f"{one.runs or 'any number of'} runs and {f'{one.tokens:,}' if one.tokens else 'any number of'} tokens"
    limits = f"A run stops after {one.limit / 60:g} min; a day has {day}."
    project = routines.project_of(one) or "the one of its folder, if any"
    lines = [_line(routines, one), f"Prompt: {one.prompt}", f"Folder: {one.cwd}", f"May unasked: {may}"]
    lines.append(f"Project: {project}")
    late = LATE[one.late].format(f"{one.grace / 60:g} min")
    return "\n".join([*lines, f"Times missed while nothing ran: {late}. {limits}"])


def _history(routines: Any, name: str) -> ToolResult:
    runs = routines.history(name)
    lines = [f"- {routines.told(one)}" for one in runs]
    return ToolResult("\n".join(lines) or "It has not run yet.", {"runs": [one.id for one in runs]})


def _facts(one: Any) -> dict[str, Any]:
    return {"id": one.id, "name": one.name, "when": one.when, "due": one.due, "paused": one.paused}
