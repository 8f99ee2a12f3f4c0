"""A call as the core makes it when somebody must agree: level, preview, answer, run."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import jsonschema

from ankita_desktop.protocol import Approved, Decision, Preview
from ankita_desktop.toolkit import Level, ToolContext, ToolResult
from ankita_desktop.toolkit.process import Jobs
from ankita_desktop.toolkit.services import Checkpoints, Services
from tests.tools.calls import tool

YES = Decision(allow=True)


def context(cwd: Path, *, approved: Approved | None = None, checkpoints: Checkpoints | None = None) -> ToolContext:
    services = Services(checkpoints=checkpoints)
    return ToolContext(cwd, Jobs(), session="s", call_id="c", services=services, approved=approved)


def level(name: str, cwd: Path, /, **args: Any) -> Level:
    answer: Level = tool(name).approval_for(args, context(cwd))
    return answer


def preview(name: str, cwd: Path, /, **args: Any) -> Preview:
    shown: Preview = tool(name).preview(args, context(cwd))
    assert shown.fingerprint() == tool(name).preview(args, context(cwd)).fingerprint()
    return shown


def agreed(
    name: str,
    cwd: Path,
    *,
    answer: Decision = YES,
    meanwhile: Callable[[], object] = lambda: None,
    checkpoints: Checkpoints | None = None,
    **args: Any,
) -> ToolResult:
    """Ask, let ``meanwhile`` happen, answer, run."""
    jsonschema.validate(args, tool(name).parameters)
    asked = level(name, cwd, **args) != "never"
    approved = Approved(preview(name, cwd, **args), answer) if asked else None
    meanwhile()
    result: ToolResult = tool(name).run(args, context(cwd, approved=approved, checkpoints=checkpoints))
    return result
