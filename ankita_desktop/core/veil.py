"""Secrets never enter a conversation: each is replaced once, where words become a message, an event or a question,
so that the model, the store and the screen see the same text."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import fields, is_dataclass, replace
from typing import Any, TypeVar, cast

from ankita_desktop.core.ports import Redactor
from ankita_desktop.protocol import Attachment, Decision

T = TypeVar("T")


class NoSecrets:
    """Implements ``core.ports.Redactor`` where nothing is known to be secret."""

    def hide(self, text: str) -> str:
        return text

    def hide_printed(self, text: str, asked: str) -> str:
        return text

    def show(self, text: str) -> str:
        return text

    def held(self, text: str) -> int:
        return 0


class Veil:
    """Over any value of the protocol. Thread-safe."""

    def __init__(self, redactor: Redactor) -> None:
        self._redactor = redactor

    def over(self, value: T) -> T:
        """The value with every known secret in its texts replaced; itself when there is none."""
        return cast(T, _over(value, self._redactor.hide))

    def printed(self, value: T, asked: str) -> T:
        """As ``over``, of what a call brought (``asked`` is the call): it may be cut, or old, or anything."""
        return cast(T, _over(value, lambda text: self._redactor.hide_printed(text, asked)))

    def lifted(self, decision: Decision) -> Decision:
        """The person's own texts with their secrets in them again: they edited what they were shown."""
        edited = {path: self._redactor.show(text) for path, text in decision.edited.items()}
        return replace(decision, edited=edited) if edited != decision.edited else decision

    def pieces(self) -> Pieces:
        """For a text that comes piece by piece."""
        return Pieces(self._redactor)


def _over(value: Any, hide: Callable[[str], str]) -> Any:
    if isinstance(value, str):
        return hide(value)
    if isinstance(value, Mapping):
        parts = {key: _over(part, hide) for key, part in value.items()}
        return parts if any(parts[key] is not part for key, part in value.items()) else value
    if isinstance(value, list | tuple):
        found = [_over(part, hide) for part in value]
        changed = any(new is not old for new, old in zip(found, value, strict=True))
        return type(value)(found) if changed else value
    if is_dataclass(value) and not isinstance(value, type | Attachment):
        return _over_fields(value, hide)
    return value


def _over_fields(value: Any, hide: Callable[[str], str]) -> Any:
    changed = {}
    for part in fields(value):
        old = getattr(value, part.name)
        new = _over(old, hide)
        if new is not old:
            changed[part.name] = new
    return replace(value, **changed) if changed else value


class Pieces:
    """Holds back the end of what has come while it may be the beginning of a secret. One thread."""

    def __init__(self, redactor: Redactor) -> None:
        self._redactor = redactor
        self._waiting = ""

    def take(self, text: str) -> str:
        """What can be shown now."""
        whole = self._waiting + text
        held = self._redactor.held(whole)
        self._waiting = whole[len(whole) - held :]
        return self._redactor.hide(whole[: len(whole) - held])

    def rest(self) -> str:
        """What was held back, at the end."""
        rest, self._waiting = self._waiting, ""
        return self._redactor.hide(rest)
