"""How slots fill the arguments of a call, and the words about its result."""

from __future__ import annotations

import re
import shlex
from collections.abc import Mapping
from typing import Any
from urllib.parse import quote

_HOLE = re.compile(r"\{(?P<name>\w+)(?::(?P<form>\w+))?(?:\|(?P<default>[^}]*))?\}")
MISSING = object()


def fill(template: Any, values: Mapping[str, Any]) -> Any:
    """The template with its holes filled; ``MISSING`` when a slot in it has no value and no default.

    ``{name}`` alone keeps the value's type; ``{name|.}`` has a default; ``{name:q}`` is quoted for a shell,
    ``{name:re}`` escaped for a regular expression, ``{name:url}`` for an address. Keys whose value is missing are
    left out of mappings, and so are lists of which nothing is left.
    """
    if isinstance(template, Mapping):
        filled = {key: fill(value, values) for key, value in template.items()}
        return {key: value for key, value in filled.items() if value is not MISSING}
    if isinstance(template, list):
        items = [item for item in (fill(part, values) for part in template) if item is not MISSING]
        return items if items or not template else MISSING
    if not isinstance(template, str):
        return template
    whole = _HOLE.fullmatch(template)
    if whole:
        return _value(whole, values)
    parts = {hole: _value(hole, values) for hole in _HOLE.finditer(template)}
    if any(part is MISSING for part in parts.values()):
        return MISSING
    filled_parts = iter(parts.values())
    return _HOLE.sub(lambda _hole: str(next(filled_parts)), template)


def _value(hole: re.Match[str], values: Mapping[str, Any]) -> Any:
    value = values.get(hole["name"], MISSING)
    if value is MISSING:
        default = hole["default"]
        return MISSING if default is None else int(default) if default.isdigit() else default
    if hole["form"] == "q":
        return shlex.quote(str(value))
    if hole["form"] == "url":
        return quote(str(value), safe="@,")
    if hole["form"] == "re":
        return re.escape(str(value)).replace(r"\ ", " ")
    return str(value) if isinstance(value, str) else value
