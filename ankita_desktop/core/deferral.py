"""Which schemas a request carries. Schemas are paid for on every request, so most tools wait to be found.

*attach* appends the schemas of found groups to the request's tools; *dispatch* never changes the tools (what a
service has cached of the conversation stays good): schemas come in the result of find_tools and ``call_tool`` runs
them; *native* leaves it to a service that shows the schemas of found tools itself; *off* sends everything. What is
active is read back from the stored messages.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

from ankita_desktop.core.briefing import start_of
from ankita_desktop.core.ports import EngineSettings
from ankita_desktop.core.tokens import BYTES_PER_TOKEN, OUTPUT_RESERVE, size_of, tokens
from ankita_desktop.protocol import Abilities, Message, ToolCall, ToolResult, ToolSpec, compact_json
from ankita_desktop.toolkit.services import Catalogue

Shape = Literal["attach", "dispatch", "native", "off"]

SERVER = "server:"
MARGIN = 0.1  # a group that was set aside comes back only when this share of the budget stays free
DROPPED = "dropped_groups"
# Tokens up to which all servers' tools together are attached from the start: finding them later would make the
# service read the whole conversation anew, once for each group, and take a round of its own.
SMALL_SERVERS = 400
LEAST_BYTES = 90  # of any schema: many tools needn't be measured
PROMPT_RESERVE = 400  # tokens of the system prompt, without what a conversation was told at its start

CALL_TOOL = ToolSpec(
    "call_tool",
    "Run a tool that find_tools described.",
    {
        "type": "object",
        "properties": {"name": {"type": "string"}, "arguments": {"type": "object"}},
        "required": ["name", "arguments"],
    },
    group="core",
)


@dataclass(frozen=True, slots=True)
class Offer:
    """The tools of one request in stable order, the active groups left out, what to tell the model of a change in
    that ("" when nothing changed), and the tools that the service itself shows once they are found."""

    tools: tuple[ToolSpec, ...]
    dropped: tuple[str, ...] = ()
    note: str = ""
    deferred: tuple[ToolSpec, ...] = ()

    def schema_bytes(self) -> int:
        return sum(spec.schema_bytes() for spec in self.tools)


def shape_of(setting: str, abilities: Abilities) -> Shape:
    """The shape for a model: what the settings say, else what suits the model best. A wire without native
    deferral gets dispatch for it, the other shape that never changes the tools."""
    match abilities.deferral if setting == "auto" else setting:
        case "off":
            return "off"
        case "attach":
            return "attach"
        case "native" if abilities.deferral == "native":
            return "native"
        case _:
            return "dispatch"


def active_tools(messages: Sequence[Message]) -> dict[str, list[str]]:
    """Group -> its tools that find_tools has loaded, both in order of first activation."""
    active: dict[str, list[str]] = {}
    for message in messages:
        if message.role == "tool" and message.name == "find_tools" and message.ok:
            found = [str(tool) for tool in message.details.get("tools", [])]
            for group in message.details.get("groups", []):
                active.setdefault(str(group), [])
            for group in active:
                active[group] += (
                    [t for t in found if t not in active[group]] if group in message.details["groups"] else []
                )
    return active


class Deferral:
    """Decides for one conversation; pure over its messages."""

    def __init__(self, catalogue: Catalogue, settings: EngineSettings, abilities: Abilities) -> None:
        self._catalogue = catalogue
        self._abilities = abilities
        self._budget = settings.schema_tokens
        self.shape = shape_of(settings.deferral, abilities)
        self._always = tuple(spec for spec in catalogue.specs() if spec.always_on)
        if self.shape == "attach":
            self._always += small_servers(catalogue.specs())

    def groups(self, messages: Sequence[Message]) -> tuple[str, ...]:
        """The deferred groups that can be called now."""
        if self.shape == "off":
            return tuple(g.name for g in self._catalogue.groups() if not g.always and not g.planned)
        small = {spec.group: None for spec in self._always if spec.source.startswith(SERVER)}
        return tuple(small | dict.fromkeys(active_tools(messages)))

    def _built(self) -> tuple[ToolSpec, ...]:
        """Every deferred tool that exists."""
        groups = {group.name for group in self._catalogue.groups() if not group.always and not group.planned}
        return tuple(spec for spec in self._catalogue.specs() if spec.group in groups)

    def offer(self, messages: Sequence[Message]) -> Offer:
        """What the next request carries."""
        if self.shape == "dispatch":
            return Offer((*self._always, CALL_TOOL))
        if self.shape == "native":
            return Offer(self._always, deferred=self._built())
        if self.shape == "off":
            return Offer((*self._always, *self._built())[: self._abilities.max_tools])
        active = {group: self._specs(group, names) for group, names in active_tools(messages).items()}
        before = _set_aside(messages)
        dropped = self._dropped(messages, active, before)
        order = _activation_order(messages)
        kept = [spec for group, specs in active.items() if group not in dropped for spec in specs]
        tools = (*self._always, *sorted(kept, key=lambda spec: order.index(spec.name)))
        return Offer(tools, tuple(dropped), _change(before, dropped))

    def announce(self, result: ToolResult, messages: Sequence[Message]) -> ToolResult:
        """A result of find_tools with what is true of the tools it names: how and when they can be called."""
        names = [str(name) for name in result.details.get("tools", [])]
        if not names:
            return result
        return replace(result, text=f"{result.text}\n{self._availability(result, names, messages)}")

    def _availability(self, result: ToolResult, names: list[str], messages: Sequence[Message]) -> str:
        specs = [spec for name in names if (spec := self._catalogue.spec(name))]
        if self.shape == "dispatch":
            schemas = "\n".join(f"{spec.name} {compact_json(spec.parameters)}" for spec in specs)
            return f"Run them with call_tool(name, arguments). Their arguments:\n{schemas}"
        found = Message("tool", name="find_tools", details=result.details)
        dropped = set(self.offer([*messages, found]).dropped) & {spec.group for spec in specs}
        if dropped:
            return (
                f"There is no room for the schemas of {', '.join(sorted(dropped))} now; ask for one tool by name."
            )
        return "They can be called from your next step on."

    def _specs(self, group: str, names: Sequence[str]) -> list[ToolSpec]:
        offered = {spec.name: spec for spec in self._catalogue.in_group(group) if spec not in self._always}
        return [offered[name] for name in names if name in offered]

    def _room(self, messages: Sequence[Message]) -> int:
        """Bytes for schemas besides the always-sent ones: the budget, or what the model's window leaves beside
        the prompt with what was told at the start, the last question with its attachments, and the answer."""
        last = next((m for m in reversed(messages) if m.role == "user"), None)
        taken = size_of([last] if last else []) + len(start_of(messages)[0].encode())
        window = self._abilities.context_tokens - OUTPUT_RESERVE - PROMPT_RESERVE - tokens(taken)
        always = sum(spec.schema_bytes() for spec in self._always)
        return min(self._budget, window) * BYTES_PER_TOKEN - always

    def _dropped(
        self, messages: Sequence[Message], active: dict[str, list[ToolSpec]], before: frozenset[str]
    ) -> list[str]:
        """Groups that don't fit. The least recently used goes first; one set aside comes back when it is found
        again, or when there is room with a margin."""
        used = _last_use(messages, active)
        aside = {group for group in before if group in active and used[group] <= _note_position(messages)}
        sizes = {group: sum(spec.schema_bytes() for spec in specs) for group, specs in active.items()}
        room, places = self._room(messages), self._abilities.max_tools - len(self._always)
        kept: list[str] = []
        for group in sorted(active, key=lambda g: (g in aside, -used[g])):
            margin = int(self._budget * BYTES_PER_TOKEN * MARGIN) if group in aside else 0
            if sizes[group] + margin <= room and len(active[group]) <= places:
                kept.append(group)
                room -= sizes[group]
                places -= len(active[group])
        return [group for group in active if group not in kept]


def small_servers(specs: Sequence[ToolSpec]) -> tuple[ToolSpec, ...]:
    """All tools of servers by name, if they are so few that sending them is cheaper than finding them."""
    served = [spec for spec in specs if spec.source.startswith(SERVER)]
    room = SMALL_SERVERS * BYTES_PER_TOKEN
    if len(served) * LEAST_BYTES > room or sum(spec.schema_bytes() for spec in served) > room:
        return ()
    return tuple(sorted(served, key=lambda spec: spec.name))


def group_bytes(tools: Sequence[ToolSpec]) -> dict[str, int]:
    """Group -> bytes of its schemas in one request, in the order of the request."""
    sizes: dict[str, int] = {}
    for spec in tools:
        sizes[spec.group] = sizes.get(spec.group, 0) + spec.schema_bytes()
    return sizes


def unwrapped(call: ToolCall) -> ToolCall:
    """The call that ``call_tool`` means; the wire shows it to the model as it came (``via``)."""
    if call.name != CALL_TOOL.name or call.raw is not None:
        return call
    name, arguments = call.arguments.get("name"), _object(call.arguments.get("arguments"))
    if not isinstance(name, str) or not name or arguments is None:
        return call
    return replace(call, name=name, arguments=arguments, via=CALL_TOOL.name)


def _object(value: Any) -> dict[str, Any] | None:
    if isinstance(value, str):
        try:
            value = json.loads(value)
        except ValueError:
            return None
    return value if isinstance(value, dict) else {} if value is None else None


def _activation_order(messages: Sequence[Message]) -> list[str]:
    seen: dict[str, None] = {}
    for message in messages:
        if message.role == "tool" and message.name == "find_tools" and message.ok:
            seen.update(dict.fromkeys(str(tool) for tool in message.details.get("tools", [])))
    return list(seen)


def _last_use(messages: Sequence[Message], active: dict[str, list[ToolSpec]]) -> dict[str, int]:
    """Group -> position of the newest message that called one of its tools or found it."""
    group_of = {spec.name: group for group, specs in active.items() for spec in specs}
    used = dict.fromkeys(active, 0)
    for position, message in enumerate(messages):
        for call in message.calls:
            if call.name in group_of:
                used[group_of[call.name]] = position
        if message.role == "tool" and message.name == "find_tools":
            used.update({str(g): position for g in message.details.get("groups", []) if g in used})
    return used


def _note_position(messages: Sequence[Message]) -> int:
    return next((n for n in range(len(messages) - 1, -1, -1) if DROPPED in messages[n].details), -1)


def _set_aside(messages: Sequence[Message]) -> frozenset[str]:
    position = _note_position(messages)
    return frozenset(messages[position].details[DROPPED]) if position >= 0 else frozenset()


def _change(before: frozenset[str], dropped: Sequence[str]) -> str:
    gone, back = sorted(set(dropped) - before), sorted(before - set(dropped))
    parts = []
    if gone:
        parts.append(f"To make room, the tools of {', '.join(gone)} are set aside; find_tools brings them back.")
    if back:
        parts.append(f"The tools of {', '.join(back)} are at hand again.")
    return " ".join(parts)
