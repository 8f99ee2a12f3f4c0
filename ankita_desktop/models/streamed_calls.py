"""Which piece belongs to which tool call of an answer, and what their arguments are. Pure."""

from __future__ import annotations

import json
import uuid
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from ankita_desktop.protocol import ToolCall, compact_json


@dataclass
class _Call:
    id: str
    index: int | None
    name: str = ""
    arguments: list[str] = field(default_factory=list)
    extra: dict[str, Any] = field(default_factory=dict)

    def text(self) -> str:
        self.arguments[:] = ["".join(self.arguments)]
        return self.arguments[0]

    def whole(self) -> bool:
        """True when the arguments that came are one JSON object already."""
        text = self.text().strip()
        return text.endswith("}") and isinstance(_parsed(text), dict)


@dataclass(frozen=True)
class _Piece:
    id: str
    index: int | None
    name: str
    arguments: Any
    extra: Any

    @classmethod
    def of(cls, entry: Mapping[str, Any]) -> _Piece:
        function = entry.get("function")
        inner: Mapping[str, Any] = function if isinstance(function, dict) else entry
        name, given = inner.get("name"), entry.get("id")
        return cls(
            id="" if given is None else str(given),
            index=_number(entry.get("index")),
            name=name if isinstance(name, str) else "",
            arguments=inner.get("arguments"),
            extra=entry.get("extra_content"),
        )


class StreamedCalls:
    """The calls of one answer in the order they began."""

    def __init__(self) -> None:
        self._calls: list[_Call] = []

    def __bool__(self) -> bool:
        return bool(self._calls)

    def feed(self, delta: Mapping[str, Any]) -> None:
        """Take the ``tool_calls`` (or the old ``function_call``) of one delta or message."""
        entries = delta.get("tool_calls")
        for entry in entries if isinstance(entries, list) else ():
            if isinstance(entry, dict):
                self._add(_Piece.of(entry))
        if isinstance(old := delta.get("function_call"), dict):
            self._add(_Piece.of(old))

    def finish(self) -> tuple[tuple[ToolCall, ...], dict[str, dict[str, Any]]]:
        """The calls with ids of their own, and per id what the server wants to see again."""
        used: set[str] = set()
        calls, extras = [], {}
        for call in self._calls:
            if not call.name and not call.text():
                continue  # a server's empty opening piece
            call_id = call.id if call.id and call.id not in used else _new_call_id()
            used.add(call_id)
            calls.append(_tool_call(call_id, call))
            if call.extra:
                extras[call_id] = call.extra
        return tuple(calls), extras

    def _add(self, piece: _Piece) -> None:
        call = self._owner(piece)
        if call is None:
            call = _Call(piece.id, piece.index)
            self._calls.append(call)
        call.id = call.id or piece.id
        call.name = _joined_name(call, piece.name)
        if isinstance(piece.arguments, str):
            call.arguments.append(piece.arguments)
        elif piece.arguments is not None:
            call.arguments[:] = [compact_json(piece.arguments)]
        if isinstance(piece.extra, dict):
            call.extra.update(piece.extra)

    def _owner(self, piece: _Piece) -> _Call | None:
        """The call a piece continues; None: it begins a new one."""
        by_id = self._latest(lambda call: call.id == piece.id) if piece.id else None
        if by_id is not None:
            return None if _reuses_id(by_id, piece) else by_id
        if piece.index is not None:
            owner = self._latest(lambda call: call.index == piece.index)
        else:
            owner = self._calls[-1] if self._calls else None
        if owner is None or (piece.id and piece.index is None):
            return None
        return None if _begins_another(owner, piece) else owner

    def _latest(self, matches: Any) -> _Call | None:
        return next((call for call in reversed(self._calls) if matches(call)), None)


def _reuses_id(call: _Call, piece: _Piece) -> bool:
    """A server gives several calls one id: another index or none, a name, and the first call is complete."""
    another = piece.index != call.index or (piece.index is None and _is_more(call, piece))
    return bool(piece.name) and another and call.whole()


def _begins_another(owner: _Call, piece: _Piece) -> bool:
    """An index is used again. A new id means a new call, unless the piece is only more arguments of an
    unfinished one (some servers make up an id per chunk). Without an id, a name after complete arguments."""
    if piece.id and owner.id and piece.id != owner.id:
        return bool(piece.name) or owner.whole()
    return bool(piece.name) and _is_more(owner, piece) and owner.whole()


def _is_more(call: _Call, piece: _Piece) -> bool:
    """False for a closing piece that only says the call's name again."""
    return bool(piece.arguments) or piece.name != call.name


def _joined_name(call: _Call, piece: str) -> str:
    """Names come whole, whole again with every chunk, or in pieces before the arguments."""
    if not piece or piece == call.name:
        return call.name
    if piece.startswith(call.name) or call.text():
        return piece
    return call.name + piece


def _tool_call(call_id: str, call: _Call) -> ToolCall:
    text = whole_characters(call.text()).strip()
    arguments = _parsed(text)
    if isinstance(arguments, str):  # an object encoded twice
        arguments = _parsed(arguments)
    if arguments is None and text in ("", "null", '""'):
        arguments = {}
    name = call.name.strip()
    return ToolCall(call_id, name, arguments) if isinstance(arguments, dict) else ToolCall(call_id, name, {}, text)


def _parsed(text: str) -> Any:
    """The JSON value of ``text`` with all characters whole, or None."""
    try:
        value = json.loads(text, strict=False, parse_constant=_refuse)
        return json.loads(whole_characters(compact_json(value)))
    except (ValueError, RecursionError):
        return None


def _refuse(constant: str) -> Any:
    raise ValueError(f"{constant} is not JSON")


def _number(value: Any) -> int | None:
    if isinstance(value, str) and value.isdigit():
        return int(value)
    return value if isinstance(value, int) and not isinstance(value, bool) else None


def _new_call_id() -> str:
    return "call_" + uuid.uuid4().hex[:16]


def whole_characters(text: str) -> str:
    """``text`` with escaped surrogate pairs joined and lone halves replaced, so that it can be encoded."""
    if text.isascii():
        return text
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
