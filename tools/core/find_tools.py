"""Finds tools that are not loaded yet and activates their groups."""

from collections.abc import Iterable
from dataclasses import replace

from ankita_desktop.toolkit import ToolContext, ToolResult, need
from ankita_desktop.toolkit.services import Catalogue, Group, Match

name = "find_tools"
description = "Find and activate more of your own tools. Groups: {groups}"
parameters = {
    "type": "object",
    "properties": {"query": {"type": "string", "description": "what to do, in plain words, or a tool's name"}},
    "required": ["query"],
}
approval = "never"
read_only = True

LINE = 160
NAMES = 60


def run(args: dict, ctx: ToolContext) -> ToolResult:
    catalogue = need(ctx.services.catalogue, "The catalogue of tools")
    match = catalogue.match(args["query"])
    found = _found(catalogue, match) if match.groups else _nothing(catalogue, args["query"])
    skills = _skills(args["query"], ctx)
    return replace(found, text=f"{found.text}\n{skills}") if skills else found


def _skills(query: str, ctx: ToolContext) -> str:
    """The skills that a query speaks of: how to do a thing, beside what to do it with."""
    if ctx.services.skills is None:
        return ""
    lines = [
        f"- {skill.name}: {_line(skill.description)}" for skill in ctx.services.skills.fitting(query, ctx.cwd)
    ]
    return "\n".join(["Skills that may fit, read with skill(name):", *lines]) if lines else ""


def availability(left_out: list[str]) -> str:
    """What is promised about the tools listed: whether they are sent is decided later, by the schema budget."""
    text = "They are activated: their schemas come with the next step if there is room for them."
    if left_out:
        more = ", ".join(left_out[:NAMES]) + (", …" if len(left_out) > NAMES else "")
        text += f"\nNot activated, find them by name or purpose: {more}"
    return text


def _found(catalogue: Catalogue, match: Match) -> ToolResult:
    lines: list[str] = []
    left_out: list[str] = []
    for group in match.groups:
        tools = {spec.name: spec for spec in catalogue.in_group(group)}
        chosen = [tools[name] for name in match.tools if name in tools]
        left_out += [name for name in tools if name not in match.tools]
        lines.append(group if len(chosen) == len(tools) else f"{group} ({len(chosen)} of {len(tools)} tools)")
        lines += [f"- {spec.name}: {_line(spec.description)}" for spec in chosen]
    text = "\n".join([*lines, availability(left_out)])
    return ToolResult(text, {"groups": list(match.groups), "tools": list(match.tools)})


def _nothing(catalogue: Catalogue, query: str) -> ToolResult:
    nothing: dict = {"groups": [], "tools": []}
    spec = catalogue.spec(query.strip())
    if spec and spec.always_on:
        return ToolResult(f"{spec.name} is always at hand: call it directly.", nothing)
    near = ", ".join(catalogue.near(query))
    exists = "; ".join(f"{group.name} ({group.summary})" for group in _offered(catalogue.groups()))
    parts = [
        "No further tool matches. Tools you already have may do it.",
        f"Nearest names: {near}." if near else "",
        f"Groups that exist: {exists}." if exists else "",
    ]
    return ToolResult("\n".join(part for part in parts if part), nothing | {"missed": query})


def _offered(groups: Iterable[Group]) -> list[Group]:
    return [group for group in groups if not group.always and not group.planned and group.tools]


def _line(text: str) -> str:
    first = text.strip().partition("\n")[0]
    return first if len(first) <= LINE else first[: LINE - 1] + "…"
