"""The person's reminders and list."""

from typing import Any

from ankita_desktop.toolkit import ToolContext, ToolError, ToolResult, need

name = "remind"
description = (
    "The person's reminders and to-do list. add with when makes a reminder (a notification, needs no model); "
    "without when an item of their list. list shows both."
)
parameters = {
    "type": "object",
    "properties": {
        "action": {"type": "string", "enum": ["add", "list", "done", "snooze", "cancel"]},
        "text": {"type": "string", "description": "What to be reminded of; or which one, by words or id"},
        "when": {
            "type": "string",
            "description": "As the person said it: in 20 minutes, tomorrow 9am, every weekday at 8",
        },
    },
    "required": ["action"],
    "additionalProperties": False,
}
approval = "never"
keywords = ["remind", "reminder", "todo", "list", "snooze"]


def run(args: dict[str, Any], ctx: ToolContext) -> ToolResult:
    reminders = need(ctx.services.reminders, "The list of reminders")
    action, text, when = args["action"], args.get("text", ""), args.get("when", "")
    if action == "list":
        return _listed(reminders)
    if action == "add":
        made = reminders.add(text, when)
        kind = "Reminder" if made.due is not None else "Item"
        return _result(f"{kind} {made.text!r} ({made.id}). {reminders.receipt(made)}", made)
    if action == "snooze":
        moved = reminders.snooze(text, when)
        return _result(f"Snoozed {moved.text!r}. {reminders.receipt(moved)}", moved)
    if action == "done":
        ended = reminders.done(text)
        following = f" {reminders.receipt(ended)}" if ended.due is not None else ""
        return _result(f"Done: {ended.text}.{following}", ended)
    if not text:
        raise ToolError("Say which one: text takes its words or its id; list shows all.")
    gone = reminders.cancel(text)
    return _result(f"Removed {gone.text!r}.", gone)


def _listed(reminders: Any) -> ToolResult:
    found = reminders.list()
    lines = [
        f"- {one.text} ({one.id}): {'RINGS NOW. ' if one.rang is not None else ''}{reminders.receipt(one)}"
        for one in found
    ]
    text = "\n".join(lines) or "No reminders, and the list is empty."
    return ToolResult(text, {"reminders": [_facts(one) for one in found]})


def _result(text: str, reminder: Any) -> ToolResult:
    return ToolResult(text, {"reminder": _facts(reminder)})


def _facts(one: Any) -> dict[str, Any]:
    return {"id": one.id, "text": one.text, "when": one.when, "due": one.due, "rang": one.rang, "done": one.done}
