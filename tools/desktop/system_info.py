"""The machine: system, processor, memory, disks, battery, how long it runs."""

from __future__ import annotations

from typing import Any

from ankita_desktop.toolkit import ToolContext, ToolResult

name = "system_info"
description = "Facts of this machine: system, processor, memory, disks, network, battery, uptime."
parameters = {
    "type": "object",
    "properties": {
        "about": {"enum": ["all", "system", "processor", "memory", "disks", "network", "battery"]},
    },
    "additionalProperties": False,
}
approval = "never"
read_only = True
keywords = ["system info", "operating system", "cpu", "ram", "memory", "disk space", "battery", "uptime"]


def run(args: dict[str, Any], ctx: ToolContext) -> ToolResult:
    from ankita_desktop.toolkit.machine import FACTS

    about = args.get("about", "all")
    wanted = list(FACTS) if about == "all" else [about]
    found = {part: FACTS[part]() for part in wanted}
    blocks = []
    for part, facts in found.items():
        rows = [f"{key}: {value}" for key, value in facts.items()] or ["none"]
        blocks.append("\n".join([part.capitalize(), *rows]))
    return ToolResult("\n\n".join(blocks), {"facts": found})
