"""What somebody may be allowed beforehand: calls given as examples, judged and shown as they would be."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ankita_desktop.errors import ToolError
from ankita_desktop.toolkit.automation import Allowed
from ankita_desktop.toolkit.context import ToolContext
from ankita_desktop.toolkit.services import LoadedTool, need


def allowed_by(calls: Sequence[Mapping[str, Any]], ctx: ToolContext) -> tuple[Allowed, ...]:
    """The grants that a yes to these calls for good would give; calls that need no yes give none. Raises
    ``ToolError`` for a call that has to be asked about every time."""
    found: dict[str, Allowed] = {}
    for call in calls:
        one = _allowed(str(call["tool"]), dict(call["arguments"]), ctx)
        if one is not None:
            found[one.key] = one
    return tuple(found.values())


def _allowed(name: str, arguments: dict[str, Any], ctx: ToolContext) -> Allowed | None:
    catalogue = need(ctx.services.catalogue, "The list of tools")
    if catalogue.spec(name) is None:
        raise ToolError(
            f"allow: there is no tool {name!r}. Did you mean {', '.join(catalogue.near(name)) or 'none'}?"
        )
    tool = catalogue.load(name)
    _check(tool, arguments)
    level = tool.approval_for(arguments, ctx) if tool.approval_for else tool.spec.approval
    if level == "never":
        return None
    preview = tool.preview(arguments, ctx) if tool.preview else None
    if level == "always" or preview is None or not preview.grant_key:
        raise ToolError(f"allow: {name} with these arguments is asked about every time; leave it out.")
    return Allowed(preview.grant_key, preview.grant_label or preview.grant_key)


def _check(tool: LoadedTool, arguments: dict[str, Any]) -> None:
    import jsonschema

    try:
        jsonschema.validate(arguments, tool.spec.parameters)
    except jsonschema.ValidationError as error:
        raise ToolError(f"allow: the arguments for {tool.spec.name} are not valid: {error.message}.") from error
