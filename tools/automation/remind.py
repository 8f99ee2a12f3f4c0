"""The person's reminders and list."""

from typing import Any

from ankita_desktop.toolkit import Level, Preview, ToolContext, ToolError, ToolResult, need

name = "remind"
description = (
    "The person's reminders and to-do list. add with when makes a reminder (a notification, needs no model); "
    "without when an item of their list. list shows both."
)
parameters = {
    "type": "object",
    "properties": {
        "action": {"type": "string", "enum": ["add", "list", "done", "snooze", "cancel"]},
        "text": {"type": "string", "description": "What, or which one (words or id); cancel *: the list"},
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


ALL = "*"


def approval_for(args: dict[str, Any], ctx: ToolContext) -> Level:
    return "ask" if args["action"] == "cancel" and args.get("text") == ALL else "never"


def preview(args: dict[str, Any], ctx: ToolContext) -> Preview:
    items = need(ctx.services.reminders, "The list of reminders").list()
    listed = "\n".join(f"- {one.text}" for one in items if _is_item(one)) or "(it is empty)"
    return Preview("text", "Clear the whole list? Reminders with a time stay.", text=listed)


def run(args: dict[str, Any], ctx: ToolContext) -> ToolResult:
    reminders = need(ctx.services.reminders, "The list of reminders")
    action, text, when = args["action"], args.get("text", ""), args.get("when", "")
    if action == "list":
        return _listed(reminders)
    if action == "add":
        made = reminders.add(text, when)
        text = f"Reminder: {made.text}. {reminders.receipt(made)}" if made.due else f"On the list: {made.text}."
        return _result(text, made)
    if action == "snooze":
        moved = reminders.snooze(text, when)
        return _result(f"Snoozed: {moved.text}. {reminders.receipt(moved)}", moved)
    if action == "done":
        ended = reminders.done(text)
        following = f" {reminders.receipt(ended)}" if ended.due is not None else ""
        return _result(f"Done: {ended.text}.{following}", ended)
    if not text:
        raise ToolError("Say which one: text takes its words or its id; list shows all.")
    if text == ALL:
        gone = [reminders.cancel(one.id) for one in reminders.list() if _is_item(one)]
        return ToolResult(f"The list is empty; {len(gone)} removed.", {"reminders": [_facts(one) for one in gone]})
    one = reminders.cancel(text)
    return _result(f"Removed: {one.text}.", one)


def _is_item(one: Any) -> bool:
    return one.due is None and one.rang is None


def _listed(reminders: Any) -> ToolResult:
    found = reminders.list()
    lines = [f"- {one.text}" if _is_item(one) else f"- {_ringing(one)}: {reminders.receipt(one)}" for one in found]
    text = "\n".join(lines) or "No reminders, and the list is empty."
    return ToolResult(text, {"reminders": [_facts(one) for one in found]})


def _ringing(one: Any) -> str:
    return f"RINGS NOW {one.text}" if one.rang is not None else str(one.text)


def _result(text: str, reminder: Any) -> ToolResult:
    return ToolResult(text, {"reminder": _facts(reminder)})


def _facts(one: Any) -> dict[str, Any]:
    return {"id": one.id, "text": one.text, "when": one.when, "due": one.due, "rang": one.rang, "done": one.done}
