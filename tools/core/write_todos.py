"""The agent's plan for the task at hand, shown to the person."""

from ankita_desktop.toolkit import ToolContext, ToolError, ToolResult

name = "write_todos"
description = "Replace your plan for a task of several steps; keep it current. The user sees it."
parameters = {
    "type": "object",
    "properties": {
        "todos": {
            "type": "array",
            "items": {
                "type": "object",
                "properties": {
                    "content": {"type": "string"},
                    "status": {"enum": ["pending", "in_progress", "done"]},
                },
                "required": ["content", "status"],
            },
        }
    },
    "required": ["todos"],
}
approval = "never"

MARKS = {"pending": "[ ]", "in_progress": "[>]", "done": "[x]"}
MOST = 100


def run(args: dict, ctx: ToolContext) -> ToolResult:
    todos = [{"content": todo["content"].strip(), "status": todo["status"]} for todo in args["todos"]]
    if any(not todo["content"] for todo in todos):
        raise ToolError("Each todo needs a content that says what to do.")
    if len(todos) > MOST:
        raise ToolError(f"A plan of {len(todos)} steps can't be followed: write at most {MOST}, coarser ones.")
    lines = [f"{MARKS[todo['status']]} {todo['content']}" for todo in todos]
    return ToolResult("\n".join(lines) or "The plan is empty.", {"todos": todos})
