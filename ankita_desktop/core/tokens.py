"""Rough sizes of what is sent, on the safe side: English and JSON take between 4 and 5 bytes a token."""

from __future__ import annotations

from collections.abc import Sequence

from ankita_desktop.protocol import Message

BYTES_PER_TOKEN = 4
OUTPUT_RESERVE = 4_096  # tokens kept free for the answer
_IMAGE = 6_000  # bytes' worth of an attached picture


def tokens(size: int) -> int:
    """Bytes -> tokens, rounded up."""
    return -(-size // BYTES_PER_TOKEN)


def size_of(messages: Sequence[Message]) -> int:
    """Bytes of messages as sent, about."""
    return sum(_size(message) for message in messages)


def _size(message: Message) -> int:
    calls = sum(len(str(call.arguments)) + 40 for call in message.calls)
    return len(message.text.encode()) + calls + _IMAGE * len(message.attachments) + 20
