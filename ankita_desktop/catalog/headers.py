"""Reads the header of a tool file without importing it.

A header is literals that stand before the first top-level ``def`` or ``class``: the text is cut there and
parsed. Read headers are kept by path, size and time of change for the life of the process.
"""

from __future__ import annotations

import ast
import re
import threading
from pathlib import Path
from typing import Any

from ankita_desktop.errors import ConfigError
from ankita_desktop.protocol import ToolSpec

FIELDS: dict[str, type] = {
    "name": str,
    "description": str,
    "parameters": dict,
    "approval": str,
    "read_only": bool,
    "keywords": list,
}
REQUIRED = ("name", "description", "parameters")
LEVELS = ("never", "ask", "always")
_END = re.compile(r"^(?:async\s+def|def|class|@)", re.MULTILINE)
_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_-]{0,63}")

_lock = threading.Lock()
_read: dict[Path, tuple[tuple[int, int], dict[str, Any]]] = {}


def read_header(path: Path, *, group: str, always_on: bool = False, source: str = "bundled") -> ToolSpec:
    """The file's header as a ``ToolSpec``. Raises ``ConfigError`` that names the file and the line."""
    fields = _fields(path)
    return ToolSpec(
        name=fields["name"],
        description=fields["description"],
        parameters=fields["parameters"],
        group=group,
        always_on=always_on,
        approval=fields.get("approval", "ask"),
        read_only=fields.get("read_only", False),
        keywords=tuple(fields.get("keywords", ())),
        source=source,
    )


def _fields(path: Path) -> dict[str, Any]:
    try:
        stat = path.stat()
        stamp = (stat.st_mtime_ns, stat.st_size)
        with _lock:
            known = _read.get(path)
        if known and known[0] == stamp:
            return known[1]
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigError(f"{path}: the tool file can't be read ({error}).") from error
    fields = _literals(path, text)
    _check(path, fields)
    with _lock:
        _read[path] = (stamp, fields)
    return fields


def _parse(path: Path, text: str) -> ast.Module:
    """The header alone; the whole file when the cut fell inside a string."""
    end = _END.search(text)
    try:
        return ast.parse(text[: end.start()] if end else text)
    except SyntaxError:
        pass
    try:
        return ast.parse(text)
    except (SyntaxError, ValueError) as error:
        line = getattr(error, "lineno", None) or 1
        raise ConfigError(f"{path}:{line}: not valid Python ({error}).") from error


def _literals(path: Path, text: str) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for statement in _parse(path, text).body:
        if isinstance(statement, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            break
        target, value = _assigned(statement)
        if target in FIELDS and value is not None:
            found[target] = _literal(path, target, value)
    return found


def _assigned(statement: ast.stmt) -> tuple[str, ast.expr | None]:
    if isinstance(statement, ast.Assign) and len(statement.targets) == 1:
        target: ast.expr = statement.targets[0]
    elif isinstance(statement, ast.AnnAssign):
        target = statement.target
    else:
        return "", None
    return (target.id if isinstance(target, ast.Name) else ""), statement.value


def _literal(path: Path, field: str, value: ast.expr) -> Any:
    try:
        result = ast.literal_eval(value)
    except (ValueError, TypeError, SyntaxError, MemoryError, RecursionError) as error:
        text = f"{path}:{value.lineno}: `{field}` must be a literal, since headers are read without running them."
        raise ConfigError(text) from error
    if not isinstance(result, FIELDS[field]):
        raise ConfigError(f"{path}:{value.lineno}: `{field}` must be a {FIELDS[field].__name__}.")
    return result


def _check(path: Path, fields: dict[str, Any]) -> None:
    missing = [field for field in REQUIRED if not fields.get(field)]
    if missing:
        text = f"{path}:1: the header lacks {', '.join(missing)} (before the first def or class)."
        raise ConfigError(text)
    if not _NAME.fullmatch(fields["name"]):
        raise ConfigError(f"{path}:1: the name {fields['name']!r} must be letters, digits, _ or -, 64 at most.")
    if fields["parameters"].get("type") != "object":
        raise ConfigError(f'{path}:1: `parameters` must be a JSON schema of type "object".')
    if fields.get("approval", "ask") not in LEVELS:
        raise ConfigError(f"{path}:1: `approval` must be one of {', '.join(LEVELS)}.")
    if not all(isinstance(word, str) for word in fields.get("keywords", ())):
        raise ConfigError(f"{path}:1: `keywords` must be a list of strings.")
