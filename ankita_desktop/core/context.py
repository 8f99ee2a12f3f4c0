"""What is sent this round: the prompt, the schemas within their budget, the history that fits."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from ankita_desktop.core.ports import EngineSettings
from ankita_desktop.core.prompts import system_prompt
from ankita_desktop.core.repair import repaired
from ankita_desktop.core.session import active_groups, is_asking
from ankita_desktop.protocol import Abilities, Message, ModelRequest, SessionInfo, ToolSpec
from ankita_desktop.toolkit.services import Catalogue

BYTES_PER_TOKEN = 4
_OUTPUT_RESERVE = 4_096
_OLD_RESULT = 2_000
DROPPED_NOTE = "(Earlier parts of this conversation no longer fit and were left out.)"


@dataclass(frozen=True, slots=True)
class Offer:
    """The tools of one request, in their stable order, and the active groups that did not fit."""

    tools: tuple[ToolSpec, ...]
    dropped: tuple[str, ...] = ()

    def schema_bytes(self) -> int:
        return sum(spec.schema_bytes() for spec in self.tools)


def offer(
    messages: Sequence[Message], catalogue: Catalogue, settings: EngineSettings, abilities: Abilities
) -> Offer:
    """Always-sent tools first, then whole groups in order of activation while they fit."""
    tools = [spec for spec in catalogue.specs() if spec.always_on]
    wanted = _all_deferred(catalogue) if settings.deferral == "off" else active_groups(messages)
    room = settings.schema_tokens * BYTES_PER_TOKEN - sum(spec.schema_bytes() for spec in tools)
    dropped = []
    for group in wanted:
        specs = list(catalogue.in_group(group))
        size = sum(spec.schema_bytes() for spec in specs)
        if size > room or len(tools) + len(specs) > abilities.max_tools:
            dropped.append(group)
            continue
        room -= size
        tools.extend(specs)
    return Offer(tuple(tools), tuple(dropped))


def _all_deferred(catalogue: Catalogue) -> tuple[str, ...]:
    return tuple(g.name for g in catalogue.groups() if not g.always and not g.planned)


def build_request(
    messages: Sequence[Message], info: SessionInfo, tools: tuple[ToolSpec, ...], abilities: Abilities
) -> ModelRequest:
    """A request that every wire accepts and the model's window holds."""
    system = system_prompt(cwd=info.cwd, started=info.created)
    reserve = len(system.encode()) + sum(spec.schema_bytes() for spec in tools)
    room = (abilities.context_tokens - _OUTPUT_RESERVE) * BYTES_PER_TOKEN - reserve
    return ModelRequest(system, _fitting(repaired(messages), max(room, 0)), tools, info.id)


def _fitting(messages: tuple[Message, ...], room: int) -> tuple[Message, ...]:
    """Drop whole turns from the front, then shorten old results; the newest turn always stays."""
    if _size(messages) <= room:
        return messages
    starts = [index for index, message in enumerate(messages) if is_asking(message)]
    for start in starts[1:]:
        if _size(messages[start:]) <= room:
            return (Message("user", DROPPED_NOTE, id="dropped", source="note", created=0.0), *messages[start:])
    newest = messages[starts[-1] if starts else 0 :]
    kept = tuple(_shortened(message) for message in newest[:-1]) + newest[-1:]
    return (Message("user", DROPPED_NOTE, id="dropped", source="note", created=0.0), *kept)


def _size(messages: Sequence[Message]) -> int:
    return sum(len(m.text) + sum(len(str(c.arguments)) + 40 for c in m.calls) + 20 for m in messages)


def _shortened(message: Message) -> Message:
    if message.role != "tool" or len(message.text) <= _OLD_RESULT:
        return message
    half = _OLD_RESULT // 2
    return replace(message, text=f"{message.text[:half]}\n[… shortened …]\n{message.text[-half:]}")
