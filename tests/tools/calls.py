"""Tool files as the core calls them, with real jobs and a real folder."""

from __future__ import annotations

import importlib.util
import time
from collections.abc import Callable
from functools import cache
from types import ModuleType
from typing import Any

import jsonschema

from ankita_desktop import paths
from ankita_desktop.toolkit import ToolContext, ToolResult


@cache
def tool(name: str) -> ModuleType:
    """The tool file of this name, imported by path."""
    file = next(paths.bundled("tools").glob(f"*/{name}.py"))
    spec = importlib.util.spec_from_file_location(f"tool_{name}", file)
    assert spec and spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def call(name: str, ctx: ToolContext, /, **args: Any) -> ToolResult:
    """Validate the arguments as the core does, and run."""
    module = tool(name)
    jsonschema.validate(args, module.parameters)
    result = module.run(args, ctx)
    return result if isinstance(result, ToolResult) else ToolResult(result)


def until(true: Callable[[], Any], seconds: float = 10.0) -> None:
    """Wait for something to become true; fail when it doesn't."""
    deadline = time.monotonic() + seconds
    while not true():
        assert time.monotonic() < deadline, "it never became true"
        time.sleep(0.005)
