"""Reads a call's arguments against the tool's schema: mends what is plainly meant, explains the rest."""

from __future__ import annotations

import json
from typing import Any

from ankita_desktop.protocol import ToolSpec, compact_json

_MAX_PROBLEMS = 5
_TYPES: dict[str, tuple[type, ...]] = {
    "integer": (int,),
    "number": (int, float),
    "boolean": (bool,),
    "array": (list,),
    "object": (dict,),
}


def read_arguments(spec: ToolSpec, arguments: dict[str, Any]) -> tuple[dict[str, Any], str]:
    """Returns the arguments to run with, and a text for the model ("" when they are valid)."""
    mended = mend(arguments, spec.parameters)
    problems = _problems(mended, spec.parameters)
    if not problems:
        return mended, ""
    wanted = compact_json(spec.parameters)
    return mended, f"Invalid arguments for {spec.name}: {'; '.join(problems)}. It takes: {wanted}"


def mend(arguments: dict[str, Any], schema: dict[str, Any]) -> dict[str, Any]:
    """What models often send but mean otherwise: null for "not given", "5" for 5, a list as JSON text."""
    properties = schema.get("properties", {})
    required = schema.get("required", [])
    mended = {}
    for name, value in arguments.items():
        known = properties.get(name, {})
        if value is None and name not in required and not _takes_null(known):
            continue
        mended[name] = _as(known.get("type"), value)
    return mended


def _takes_null(schema: dict[str, Any]) -> bool:
    if "enum" in schema:
        return None in schema["enum"]
    wanted = schema.get("type")
    return wanted is None or "null" in wanted


def _as(wanted: object, value: Any) -> Any:
    if not isinstance(value, str) or wanted in (None, "string") or not isinstance(wanted, str):
        return value
    try:
        parsed = json.loads(value)
    except ValueError:
        return value
    return parsed if isinstance(parsed, _TYPES.get(wanted, ())) else value


def _problems(arguments: dict[str, Any], schema: dict[str, Any]) -> list[str]:
    from jsonschema import Draft202012Validator

    errors = sorted(
        Draft202012Validator(schema).iter_errors(arguments), key=lambda error: list(map(str, error.path))
    )
    return [_in_words(error.json_path, error.message) for error in errors[:_MAX_PROBLEMS]]


def _in_words(path: str, message: str) -> str:
    where = path.removeprefix("$").removeprefix(".")
    short = message if len(message) <= 200 else message[:197] + "..."
    return f"{where}: {short}" if where else short
