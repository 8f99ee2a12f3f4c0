"""Watches: something is looked at again and again, and told about when it changed."""

from typing import Any

from ankita_desktop.toolkit import Level, Preview, ToolContext, ToolError, ToolResult, need

name = "watch"
description = (
    "Tell the person when a page, a part or number of it, a JSON value, a feed, GitHub releases, a file, a folder "
    "or a command's output changes. Needs no model."
)
parameters = {
    "type": "object",
    "properties": {
        "action": {"type": "string", "enum": ["add", "list", "check", "pause", "resume", "remove", "history"]},
        "name": {"type": "string", "description": "Its name or id"},
        "url": {"type": "string"},
        "path": {"type": "string"},
        "command": {"type": "string", "description": "Run each time; the person allows it once"},
        "selector": {"type": "string", "description": "CSS, or a JSON path such as $.items[0].price"},
        "regex": {"type": "string", "description": "Its first group counts, such as a price"},
        "every": {"type": "string", "description": "30s, 5m, 2h, 1d; default 15m, shortest 15s"},
        "cooldown": {"type": "string", "description": "After telling, nothing more for so long: 1h"},
        "above": {"type": "number", "description": "Tell only when it rises above"},
        "below": {"type": "number"},
    },
    "required": ["action"],
    "additionalProperties": False,
}
approval = "ask"
keywords = ["watch", "monitor", "changes", "alert", "feed", "rss", "price"]

DRAFTED = ("name", "url", "path", "command", "selector", "regex", "every", "cooldown", "above", "below")
LEVELS: dict[str, Level] = {"safe": "ask", "ask": "ask", "dangerous": "always"}


def approval_for(args: dict[str, Any], ctx: ToolContext) -> Level:
    if args["action"] == "remove":
        return "ask"
    if args["action"] != "add":
        return "never"
    watch = _draft(args, ctx)
    if watch.kind == "command":
        return LEVELS.get(_judged(watch.target, ctx)[0], "always")
    if watch.kind == "file":
        return ctx.files.read_level(watch.target)
    return "ask" if watch.private else "never"


def preview(args: dict[str, Any], ctx: ToolContext) -> Preview:
    watches = need(ctx.services.watches, "The list of watches")
    if args["action"] == "remove":
        found = watches.find(_named(args))
        return Preview("text", "Remove this watch and its history?", text=f"{found.name}: {found.target}")
    watch = _draft(args, ctx)
    verdict, reason = _judged(watch.target, ctx) if watch.kind == "command" else ("ask", "")
    questions = {"command": "Run this command again and again?", "file": "Look at this file again and again?"}
    return Preview(
        "command" if watch.kind == "command" else "text",
        questions.get(watch.kind, "Ask this address again and again?"),
        effect="run" if watch.kind == "command" else "read" if watch.kind == "file" else "send",
        text=f"{watch.target}\n\nevery {watch.every:g} s, until the watch is removed",
        where=str(ctx.cwd),
        danger=reason if verdict == "dangerous" else "",
    )


def run(args: dict[str, Any], ctx: ToolContext) -> ToolResult:
    watches = need(ctx.services.watches, "The list of watches")
    action = args["action"]
    if action == "list":
        found = watches.list()
        text = "\n".join(f"- {watches.receipt(one)}" for one in found) or "Nothing is watched."
        return ToolResult(text, {"watches": [_facts(one) for one in found]})
    if action == "add":
        watch, made = watches.add(_draft(args, ctx), ctx.cancel)
        first = "Watching" if made else "This is watched already:"
        return ToolResult(f"{first} {watches.receipt(watch)}", {"watch": _facts(watch), "made": made})
    name = _named(args)
    if action == "check":
        return ToolResult(watches.check(name, ctx.cancel))
    if action == "history":
        return _history(watches, name)
    if action == "remove":
        gone = watches.remove(name)
        return ToolResult(f"Removed the watch {gone.name!r}.", {"watch": _facts(gone)})
    return ToolResult(watches.receipt(watches.pause(name, action == "pause")))


def _draft(args: dict[str, Any], ctx: ToolContext) -> Any:
    from ankita_desktop.toolkit import net
    from ankita_desktop.toolkit.addresses import read_address

    watches = need(ctx.services.watches, "The list of watches")
    private = bool(args.get("url")) and bool(net.reach(read_address(args["url"]), ctx.cancel))
    fields = {key: args[key] for key in DRAFTED if key in args}
    return watches.draft(**fields, cwd=str(ctx.cwd), private=private)


def _judged(command: str, ctx: ToolContext) -> tuple[str, str]:
    if ctx.services.risk is None:
        return "ask", ""
    verdict, reason = ctx.services.risk.judge(command, ctx.cwd)
    if verdict == "blocked":
        raise ToolError(f"This command is never run: {reason}")
    return verdict, reason


def _named(args: dict[str, Any]) -> str:
    if not args.get("name"):
        raise ToolError(f"{args['action']} needs name: a watch's name or id; list shows them.")
    return args["name"]


def _history(watches: Any, name: str) -> ToolResult:
    readings = watches.history(name)
    details = {"readings": [{"time": one.time, "value": one.value, "number": one.number} for one in readings]}
    lines = [watches.chart(readings), *(f"- {watches.told(one)}" for one in readings)]
    return ToolResult("\n".join(filter(None, lines)), details)


def _facts(one: Any) -> dict[str, Any]:
    return {"id": one.id, "name": one.name, "kind": one.kind, "target": one.target, "value": one.value}
