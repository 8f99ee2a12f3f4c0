"""Ends a process and everything it started."""

import getpass
import os
from datetime import datetime

from ankita_desktop.toolkit import Level, Preview, ToolContext, ToolError, ToolResult, proc_info
from ankita_desktop.toolkit.listeners import listeners
from ankita_desktop.toolkit.proc_info import ProcessInfo

name = "kill_process"
description = "End a process (by pid, or whoever listens on port) and its children. force kills what won't end."
parameters = {
    "type": "object",
    "properties": {
        "pid": {"type": "integer", "minimum": 1},
        "port": {"type": "integer", "minimum": 1, "maximum": 65535},
        "force": {"type": "boolean"},
    },
}
approval = "ask"
keywords = ["kill", "terminate", "stop process", "end process", "free port", "hangs"]

GRACE = 3.0
COMMAND = 160


def approval_for(args: dict, ctx: ToolContext) -> Level:
    return "always" if _danger(_trees(args)) else "ask"


def preview(args: dict, ctx: ToolContext) -> Preview:
    trees = _trees(args)
    count = sum(map(len, trees))
    how = "End, by force if need be," if args.get("force") else "End"
    return Preview(
        kind="text",
        question=f"{how} {count} process{'es' if count > 1 else ''}?",
        text="\n".join(_line(info, tree[0]) for tree in trees for info in tree),
        danger=_danger(trees),
    )


def run(args: dict, ctx: ToolContext) -> ToolResult:
    trees = _trees(args)
    _check_agreed(trees, ctx)
    seen = [info for tree in trees for info in tree]
    alive = proc_info.ask_to_end(seen, GRACE, force=args.get("force", False))
    ended = [info for info in seen if info not in alive]
    details = {"ended": [info.pid for info in ended], "alive": [info.pid for info in alive]}
    lines = [f"Ended {info.name} (pid {info.pid})." for info in ended]
    lines += [f"{info.name} (pid {info.pid}) still runs: {_hint(info, args)}." for info in alive]
    return ToolResult("\n".join(lines), details, ok=not alive)


def _trees(args: dict) -> list[list[ProcessInfo]]:
    """What would be ended: one list for each process named, itself first."""
    if ("pid" in args) == ("port" in args):
        raise ToolError("Give either pid or port.")
    pids = [args["pid"]] if "pid" in args else _on_port(args["port"])
    trees = [tree for pid in pids if (tree := proc_info.tree(pid))]
    if not trees:
        raise ToolError(f"There is no process {args['pid']}." if "pid" in args else "The listener has just ended.")
    _refuse({info.pid for tree in trees for info in tree})
    inner = {info.pid for tree in trees for info in tree[1:]}
    return [tree for tree in trees if tree[0].pid not in inner]


def _on_port(port: int) -> list[int]:
    found = listeners(port)
    if not found:
        raise ToolError(f"Nothing listens on port {port}.")
    pids = sorted({row.process.pid for row in found if row.process})
    if not pids:
        raise ToolError(
            f"What listens on port {port} belongs to another user and can't be seen or ended from here."
        )
    return pids


def _refuse(pids: set[int]) -> None:
    if pids & {0, 1, 2}:
        raise ToolError("The system's first processes are never ended.")
    if pids & proc_info.lineage():
        raise ToolError("That is this assistant itself or a process it runs under; it is never ended from here.")


def _danger(trees: list[list[ProcessInfo]]) -> str:
    roots = [tree[0] for tree in trees]
    infos = [info for tree in trees for info in tree]
    others = sorted({info.user or "another user" for info in infos if info.user != _me()})
    if others:
        return f"Belongs to {', '.join(others)}, not to you."
    services = [info.name for info in roots if proc_info.is_service(info.pid)]
    return f"{', '.join(services)} is run by the system as a service." if services else ""


def _me() -> str:
    me = proc_info.find(os.getpid())
    return me.user if me else getpass.getuser()


def _check_agreed(trees: list[list[ProcessInfo]], ctx: ToolContext) -> None:
    """The yes was for these processes, not for whoever has their numbers now."""
    if ctx.approved is None:
        return
    agreed = ctx.approved.preview.text.splitlines()
    if any(_line(tree[0], tree[0]) not in agreed for tree in trees):
        raise ToolError("The process has changed since it was approved. Look again and repeat the call.")


def _line(info: ProcessInfo, root: ProcessInfo) -> str:
    started = datetime.fromtimestamp(info.created).astimezone().strftime("%Y-%m-%d %H:%M:%S")
    command = info.command or info.name
    short = command if len(command) <= COMMAND else command[: COMMAND - 1] + "…"
    return f"{'' if info == root else '  '}{info.pid}  since {started}  {info.user}  {short}"


def _hint(info: ProcessInfo, args: dict) -> str:
    if info.user != _me():
        return f"it belongs to {info.user or 'another user'}"
    return "it can't be ended" if args.get("force") else "call again with force: true"
