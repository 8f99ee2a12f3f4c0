"""What stands for a secret in everything a model reads: «secret:NAME». It is never a value itself."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from ankita_desktop.errors import ToolError

PLACEHOLDER = re.compile(r"«secret:([\w.-]+)»")

HINT = (
    "which only stands for a secret you can't see. Nothing was done. Leave the line with the secret as it is "
    "(edit around it), or name the variable it is read from."
)


def placeholder(name: str) -> str:
    """What is shown instead of the secret of this name."""
    return f"«secret:{re.sub(r'[^A-Za-z0-9_.-]', '_', name)}»"


def refuse_placeholders(what: str, value: Any, *, known: str = "") -> None:
    """Raise ``ToolError`` when a text, or any text in a value, holds a placeholder: written to a file or sent
    somewhere it would be taken for the secret. One that literally stands in ``known`` may stay."""
    for text in _texts(value):
        for found in PLACEHOLDER.finditer(text):
            if found[0] not in known:
                raise ToolError(f"{what} holds {found[0]}, {HINT}")


def _texts(value: Any) -> list[str]:
    if isinstance(value, str):
        return [value]
    if isinstance(value, Mapping):
        return [text for part in (*value.keys(), *value.values()) for text in _texts(part)]
    if isinstance(value, list | tuple):
        return [text for part in value for text in _texts(part)]
    return []
