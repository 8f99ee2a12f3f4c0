"""What is sent this round: the prompt, the tools, and the history that fits."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from ankita_desktop.core.briefing import start_of
from ankita_desktop.core.deferral import Offer
from ankita_desktop.core.prompts import system_prompt
from ankita_desktop.core.repair import repaired
from ankita_desktop.core.session import is_asking
from ankita_desktop.core.tokens import BYTES_PER_TOKEN, OUTPUT_RESERVE, size_of
from ankita_desktop.protocol import Abilities, Message, ModelRequest, SessionInfo

_OLD_RESULT = 2_000
DROPPED_NOTE = "(Earlier parts of this conversation no longer fit and were left out.)"


def build_request(
    messages: Sequence[Message], info: SessionInfo, offer: Offer, abilities: Abilities
) -> ModelRequest:
    """A request that every wire accepts and the model's window holds."""
    known, messages = start_of(messages)
    system = system_prompt(cwd=info.cwd, started=info.created, known=known)
    reserve = len(system.encode()) + offer.schema_bytes()
    room = (abilities.context_tokens - OUTPUT_RESERVE) * BYTES_PER_TOKEN - reserve
    return ModelRequest(system, _fitting(repaired(messages), max(room, 0)), offer.tools, info.id, offer.deferred)


def _fitting(messages: tuple[Message, ...], room: int) -> tuple[Message, ...]:
    """Drop whole turns from the front, then shorten old results; the newest turn always stays."""
    if size_of(messages) <= room:
        return messages
    starts = [index for index, message in enumerate(messages) if is_asking(message)]
    for start in starts[1:]:
        if size_of(messages[start:]) <= room:
            return (Message("user", DROPPED_NOTE, id="dropped", source="note", created=0.0), *messages[start:])
    newest = messages[starts[-1] if starts else 0 :]
    kept = tuple(_shortened(message) for message in newest[:-1]) + newest[-1:]
    return (Message("user", DROPPED_NOTE, id="dropped", source="note", created=0.0), *kept)


def _shortened(message: Message) -> Message:
    if message.role != "tool" or len(message.text) <= _OLD_RESULT:
        return message
    half = _OLD_RESULT // 2
    return replace(message, text=f"{message.text[:half]}\n[… shortened …]\n{message.text[-half:]}")
