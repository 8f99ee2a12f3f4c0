"""Projects: what is worked on over weeks, with what holds for it."""

import json
import time
from dataclasses import asdict
from pathlib import Path

from ankita_desktop.toolkit import Preview, ToolContext, ToolError, ToolResult, need
from ankita_desktop.toolkit.projects import LISTS, SCALARS, Project, Projects
from ankita_desktop.toolkit.secrets_text import looks_secret

name = "project"
description = "Keep projects (a folder, client or server) with conventions, contacts, links and environments."
parameters = {
    "type": "object",
    "properties": {
        "action": {"enum": ["add", "list", "show", "use", "rename", "update", "archive", "forget"]},
        "project": {"type": "string", "description": "name or id; default: the current one"},
        "name": {"type": "string", "description": "for add and rename"},
        "kind": {"enum": ["folder", "client", "server", "other"]},
        "place": {"type": "string", "description": "folder, host or address"},
        "about": {"type": "string", "description": "what it is, in a sentence"},
        "conventions": {"type": "array", "items": {"type": "string"}, "description": "added to what is there"},
        "contacts": {"type": "array", "items": {"type": "string"}, "description": "name, role, address"},
        "links": {"type": "array", "items": {"type": "string"}, "description": "address and what is there"},
        "environments": {
            "type": "array",
            "items": {"type": "string"},
            "description": "each with the names of its credentials, never their values",
        },
        "remove": {"type": "array", "items": {"type": "string"}, "description": "entries of these lists to drop"},
    },
    "required": ["action"],
    "additionalProperties": False,
}
approval = "never"
keywords = ["project", "projects", "client", "current project", "which project"]

ENTRY, ENTRIES = 300, 40


def approval_for(args: dict, ctx: ToolContext) -> str:
    return "ask" if args["action"] == "forget" else "never"


def preview(args: dict, ctx: ToolContext) -> Preview:
    if args["action"] != "forget":
        return Preview(
            "text", "Change what is kept for a project?", text=json.dumps(args, ensure_ascii=False, indent=1)
        )
    found = _meant(args, ctx)
    notes = len(_service(ctx).notes(found.id, limit=10_000))
    text = f"{found.name}\nIts conventions, contacts, links and {notes} notes are deleted. Files are not touched."
    return Preview("text", f"Forget the project {found.name} for good?", text=text)


def run(args: dict, ctx: ToolContext) -> ToolResult:
    return _ACTIONS[args["action"]](args, ctx)


def _service(ctx: ToolContext) -> Projects:
    return need(ctx.services.projects, "The list of projects")


def _meant(args: dict, ctx: ToolContext) -> Project:
    """The project that is named, else the current one. Several or none is an error that shows what there is."""
    service, reference = _service(ctx), args.get("project", "").strip()
    if not reference:
        current = service.current_project(ctx.session, str(ctx.cwd)) or service.only_project()
        if current is None:
            raise ToolError(f"No project is in use here: name one. {_names(service.projects())}")
        return current
    found = service.find_projects(reference)
    if not found:
        raise ToolError(f"There is no project {reference!r}. {_names(service.projects())}")
    if len(found) > 1:
        lines = "\n".join(f"- {one.name} ({one.id})" for one in found[:10])
        raise ToolError(f"{reference!r} could be several projects; say which:\n{lines}")
    return found[0]


def _names(projects: list[Project]) -> str:
    return (
        f"There are: {', '.join(one.name for one in projects[:30])}."
        if projects
        else "There is none yet; add one."
    )


def _add(args: dict, ctx: ToolContext) -> ToolResult:
    service, name = _service(ctx), " ".join((args.get("name") or args.get("project") or "").split())
    if not name:
        raise ToolError("add needs a name.")
    same = [one for one in service.find_projects(name) if one.name.casefold() == name.casefold()]
    if same:
        raise ToolError(f"There is a project {same[0].name} already; use update to change it.")
    fields = {**_scalars(args, ctx), **_lists(args, None)}
    fields.pop("name", None)
    if fields.get("place") and "kind" not in fields and Path(fields["place"]).is_dir():
        fields["kind"] = "folder"
    made = service.add_project(name, **fields)
    if ctx.session:
        service.use_project(ctx.session, made.id)
    return _told(f"Added and in use: {made.name} ({made.id}).", made)


def _list(args: dict, ctx: ToolContext) -> ToolResult:
    service = _service(ctx)
    current = service.current_project(ctx.session, str(ctx.cwd))
    lines = [_line(one, current) for one in service.projects()]
    put_away = service.projects(archived=True)
    if put_away:
        lines.append(f"Archived: {', '.join(one.name for one in put_away)}")
    text = "\n".join(lines) or "There are no projects yet."
    return ToolResult(text, {"projects": [asdict(one) for one in service.projects()]})


def _line(one: Project, current: Project | None) -> str:
    facts = ", ".join(part for part in (one.kind, one.place) if part)
    mark = " (in use)" if current and current.id == one.id else ""
    return f"- {one.name}{mark} [{one.id}] {facts}{': ' + one.about if one.about else ''}"


def _show(args: dict, ctx: ToolContext) -> ToolResult:
    return _told("", _meant(args, ctx))


def _use(args: dict, ctx: ToolContext) -> ToolResult:
    found = _meant(args, ctx)
    if not ctx.session:
        raise ToolError("A project is used in a conversation; there is none here.")
    if found.archived:
        found = _service(ctx).update_project(found.id, archived=False)
    _service(ctx).use_project(ctx.session, found.id)
    return _told(f"In use now: {found.name}.", found)


def _rename(args: dict, ctx: ToolContext) -> ToolResult:
    name = " ".join(args.get("name", "").split())
    if not name:
        raise ToolError("rename needs the new name.")
    found = _meant(args, ctx)
    others = [one for one in _service(ctx).find_projects(name) if one.name.casefold() == name.casefold()]
    if any(one.id != found.id for one in others):
        raise ToolError(f"There is a project {others[0].name} already; choose another name.")
    return _told(f"{found.name} is now {name}.", _service(ctx).update_project(found.id, name=name))


def _update(args: dict, ctx: ToolContext) -> ToolResult:
    found = _meant(args, ctx)
    fields = {**_scalars(args, ctx), **_lists(args, found)}
    fields.pop("name", None)
    if not fields:
        raise ToolError(f"update needs something to change: {', '.join([*SCALARS[1:], *LISTS])} or remove.")
    return _told("Updated.", _service(ctx).update_project(found.id, **fields))


def _archive(args: dict, ctx: ToolContext) -> ToolResult:
    found = _service(ctx).update_project(_meant(args, ctx).id, archived=True)
    return ToolResult(f"{found.name} is archived; use brings it back.", {"project": asdict(found)})


def _forget(args: dict, ctx: ToolContext) -> ToolResult:
    found = _meant(args, ctx)
    _service(ctx).forget_project(found.id)
    return ToolResult(f"The project {found.name} is forgotten.", {"forgotten": found.id})


def _scalars(args: dict, ctx: ToolContext) -> dict:
    fields = {key: " ".join(args[key].split())[:1_000] for key in SCALARS if args.get(key)}
    for text in fields.values():
        _refuse_secret(text)
    if fields.get("kind") == "folder" or fields.get("place", "").startswith((".", "~")):
        place = Path(fields.get("place", ".")).expanduser()
        fields["place"] = str((ctx.cwd / place).resolve())
    return fields


def _lists(args: dict, before: Project | None) -> dict:
    """The lists with what is new added and what is to go taken out."""
    gone = [text.strip().casefold() for text in args.get("remove", ()) if text.strip()]
    fields = {}
    for key in LISTS:
        old = list(getattr(before, key)) if before else []
        kept = [text for text in old if not any(one in text.casefold() for one in gone)]
        fresh = [" ".join(text.split())[:ENTRY] for text in args.get(key, ()) if text.strip()]
        for text in fresh:
            _refuse_secret(text)
        if fresh or kept != old:
            fields[key] = list(dict.fromkeys([*kept, *fresh]))[:ENTRIES]
    if gone and not fields:
        raise ToolError(
            f"None of {', '.join(args['remove'])} is in the lists of {before.name if before else 'it'}."
        )
    return fields


def _refuse_secret(text: str) -> None:
    if looks_secret(text):
        raise ToolError("That holds a key or a password. Keep the name of the credential here, never its value.")


def _told(first: str, one: Project) -> ToolResult:
    day = time.strftime("%Y-%m-%d", time.localtime(one.created))
    head = f"{one.name} [{one.id}] {one.kind}{', ' + one.place if one.place else ''}, since {day}"
    lines = [first, head, one.about]
    for key in LISTS:
        entries = getattr(one, key)
        if entries:
            lines.append(f"{key.capitalize()}:")
            lines += [f"- {text}" for text in entries]
    return ToolResult("\n".join(line for line in lines if line), {"project": asdict(one)})


_ACTIONS = {
    "add": _add,
    "list": _list,
    "show": _show,
    "use": _use,
    "rename": _rename,
    "update": _update,
    "archive": _archive,
    "forget": _forget,
}
