"""A conversation with the offline model and the real tools, in a real folder, without the engine."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

from jsonschema import Draft202012Validator

from ankita_desktop import paths
from ankita_desktop.automation.automation import Automation
from ankita_desktop.catalog.catalogue import ToolCatalogue, open_catalogue
from ankita_desktop.errors import ToolError
from ankita_desktop.models.offline import OfflineModel
from ankita_desktop.protocol import (
    Approved,
    Decision,
    Message,
    ModelRequest,
    Preview,
    TextPart,
    ToolCall,
    ToolResult,
    ToolSpec,
)
from ankita_desktop.store.database import Store
from ankita_desktop.store.schema import Values
from ankita_desktop.toolkit.cancel import Cancel
from ankita_desktop.toolkit.context import ToolContext
from ankita_desktop.toolkit.process import Jobs
from ankita_desktop.toolkit.services import Services
from ankita_desktop.toolkit.skills import SkillShelf

Answerer = Callable[[ToolCall, Preview], Decision]
ROUNDS = 20


@cache
def catalogue() -> ToolCatalogue:
    return open_catalogue([paths.bundled("tools")])


@cache
def offline(shelf: ToolCatalogue, *more: Path) -> OfflineModel:
    return OfflineModel(match=shelf.match, intents_dirs=[paths.bundled("assets") / "intents", *more])


def yes(_call: ToolCall, _preview: Preview) -> Decision:
    return Decision(allow=True)


def no(_call: ToolCall, _preview: Preview) -> Decision:
    return Decision(allow=False)


class Talk:
    """Say something, get the answer; ``calls`` are all calls so far, ``asked`` those that needed a yes."""

    def __init__(self, folder: Path, shelf: ToolCatalogue, answer: Answerer = yes) -> None:
        self.folder, self.shelf, self.answer = folder, shelf, answer
        self.model = offline(shelf)
        self.messages: list[Message] = []
        self.calls: list[ToolCall] = []
        self.asked: list[str] = []
        self.jobs = Jobs()
        self.store = Store()
        automation = Automation(self.store, lambda: Values().automation)
        self.services = Services(
            catalogue=shelf,
            reminders=automation.reminders,
            routines=automation.routines,
            watches=automation.watches,
            memory=self.store,
            projects=self.store,
            skills=SkillShelf(bundled=paths.bundled("skills"), own=paths.config() / "skills", trusted=list),
        )
        self._groups: list[str] = []

    def close(self) -> None:
        self.jobs.close()
        self.store.close()

    def say(self, text: str) -> str:
        self.messages.append(Message("user", text))
        for _ in range(ROUNDS):
            message = self.round(self.tools())
            self.messages.append(message)
            if not message.calls:
                return message.text
            for call in message.calls:
                self.messages.append(self.result(call))
        raise AssertionError(f"no end to {text!r}: {[call.name for call in self.calls]}")

    def round(self, tools: tuple[ToolSpec, ...]) -> Message:
        *parts, answer = self.model.stream(ModelRequest("", tuple(self.messages), tools), Cancel())
        assert "".join(part.text for part in parts if isinstance(part, TextPart)) == answer.message.text
        return answer.message

    def tools(self) -> tuple[ToolSpec, ...]:
        always = tuple(spec for spec in self.shelf.specs() if spec.always_on)
        return always + tuple(spec for group in self._groups for spec in self.shelf.in_group(group))

    def result(self, call: ToolCall) -> Message:
        self.calls.append(call)
        spec = self.shelf.spec(call.name)
        assert spec is not None and spec in self.tools(), f"{call.name} was not offered"
        assert valid(spec, call.arguments) == []
        try:
            result = self._run(call)
        except ToolError as error:
            result = ToolResult(str(error), {"error": str(error)}, ok=False)
        if call.name == "find_tools":
            self._groups += [group for group in result.details["groups"] if group not in self._groups]
        return Message("tool", result.text, call_id=call.id, name=call.name, ok=result.ok, details=result.details)

    def _run(self, call: ToolCall) -> ToolResult:
        tool = self.shelf.load(call.name)
        context = ToolContext(cwd=self.folder, jobs=self.jobs, call_id=call.id, services=self.services)
        level = tool.approval_for(call.arguments, context) if tool.approval_for else tool.spec.approval
        if level != "never":
            self.asked.append(call.name)
            shown = tool.preview(call.arguments, context) if tool.preview else Preview("text", call.name)
            decision = self.answer(call, shown)
            if not decision.allow:
                return ToolResult("The person said no to this call.", {"denied": "person"}, ok=False)
            context = replace(context, approved=Approved(shown, decision))
        outcome = tool.run(call.arguments, context)
        return outcome if isinstance(outcome, ToolResult) else ToolResult(outcome)


def valid(spec: ToolSpec, arguments: dict[str, Any]) -> list[str]:
    """What the tool's schema has against the arguments, unknown ones included."""
    schema = {"additionalProperties": False, **spec.parameters}
    return [error.message for error in Draft202012Validator(schema).iter_errors(arguments)]
