"""Says which process listens on a port."""

from ankita_desktop.toolkit import ToolContext, ToolResult
from ankita_desktop.toolkit.listeners import Listener, listeners

name = "port_status"
description = "Which process listens on a port (TCP and UDP); without port, all listening ports."
parameters = {
    "type": "object",
    "properties": {"port": {"type": "integer", "minimum": 1, "maximum": 65535}},
}
approval = "never"
read_only = True
keywords = ["listening", "port in use", "address already in use", "occupies port", "localhost"]

COMMAND = 200


def run(args: dict, ctx: ToolContext) -> ToolResult:
    port = args.get("port")
    rows = listeners(port)
    details = {"port": port, "free": not rows, "listeners": [_row(row) for row in rows]}
    if rows:
        return ToolResult("\n".join(_line(row) for row in rows), details)
    return ToolResult("Nothing listens on " + (f"port {port}." if port else "any port."), details)


def _line(row: Listener) -> str:
    where = f"[{row.address}]:{row.port}" if ":" in row.address else f"{row.address}:{row.port}"
    owner = row.process
    if owner is None:
        return f"{row.protocol} {where}: owner not visible (another user's process)"
    command = owner.command if len(owner.command) <= COMMAND else owner.command[: COMMAND - 1] + "…"
    return f"{row.protocol} {where}: {owner.name} (pid {owner.pid}, user {owner.user}): {command}"


def _row(row: Listener) -> dict:
    owner = row.process
    facts = {"protocol": row.protocol, "address": row.address, "port": row.port, "pid": None}
    if owner is None:
        return facts
    return facts | {"pid": owner.pid, "name": owner.name, "command": owner.command, "user": owner.user}
