"""Imports one tool file on its first use, under a private name, from its path alone."""

from __future__ import annotations

import hashlib
import importlib.util
import sys
import threading
import traceback
from pathlib import Path
from types import ModuleType

from ankita_desktop.errors import ToolError
from ankita_desktop.protocol import ToolSpec
from ankita_desktop.toolkit.services import LoadedTool

# What a file may raise while it is imported, other than asking the process to end.
BROKEN = (
    ArithmeticError,
    AssertionError,
    AttributeError,
    ImportError,
    LookupError,
    NameError,
    OSError,
    RuntimeError,
    SyntaxError,
    TypeError,
    ValueError,
)


class Loader:
    """Each file is imported once, also when several threads ask for it at the same time."""

    def __init__(self) -> None:
        self._lock = threading.RLock()
        self._loaded: dict[Path, LoadedTool] = {}

    def load(self, spec: ToolSpec, path: Path) -> LoadedTool:
        """The tool's functions. Raises ``ToolError`` naming file and line when the file is broken."""
        with self._lock:
            tool = self._loaded.get(path)
            if tool is None:
                tool = self._loaded[path] = _tool(spec, _import(path))
            return tool


def _import(path: Path) -> ModuleType:
    name = f"_ankita_tool_{path.stem}_{hashlib.sha256(str(path).encode()).hexdigest()[:8]}"
    spec = importlib.util.spec_from_file_location(name, path)
    if spec is None or spec.loader is None:
        raise ToolError(f"{path} is not a Python file.")
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module  # dataclasses and pickling look their module up by name
    try:
        spec.loader.exec_module(module)
    except BROKEN as error:
        sys.modules.pop(name, None)
        raise ToolError(f"{_place(path, error)}: the tool can't be loaded ({error}).") from error
    return module


def _place(path: Path, error: BaseException) -> str:
    if isinstance(error, SyntaxError):
        return f"{error.filename or path}:{error.lineno or 1}"
    lines = [frame.lineno for frame in traceback.extract_tb(error.__traceback__) if frame.filename == str(path)]
    return f"{path}:{lines[-1] if lines else 1}"


def _tool(spec: ToolSpec, module: ModuleType) -> LoadedTool:
    run = getattr(module, "run", None)
    if not callable(run):
        raise ToolError(f"{module.__file__}: the tool has no function run(args, ctx).")
    return LoadedTool(
        spec=spec,
        run=run,
        preview=getattr(module, "preview", None),
        approval_for=getattr(module, "approval_for", None),
    )
