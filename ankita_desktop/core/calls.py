"""The one path of a call: find, validate, approve, run, result. Nothing runs a tool in any other way."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import groupby
from pathlib import Path
from typing import Any, TypeVar

from ankita_desktop.core import untrusted
from ankita_desktop.core.approvals import EXPIRED, NEVER, NOBODY, Approvals, Expired, verdict
from ankita_desktop.core.arguments import read_arguments
from ankita_desktop.core.beside import Beside
from ankita_desktop.core.deferral import CALL_TOOL
from ankita_desktop.core.ports import EngineSettings
from ankita_desktop.core.repair import INTERRUPTED
from ankita_desktop.core.veil import NoSecrets, Veil
from ankita_desktop.errors import Cancelled, ToolError
from ankita_desktop.events import CallEnded, CallProgress, CallStarted, Event
from ankita_desktop.protocol import (
    ApprovalRequest,
    Approved,
    Decision,
    Level,
    Message,
    Mode,
    Outcome,
    Preview,
    ToolCall,
    ToolResult,
    compact_json,
    new_id,
)
from ankita_desktop.toolkit.attachments import handed_over
from ankita_desktop.toolkit.cancel import Cancel
from ankita_desktop.toolkit.context import ToolContext
from ankita_desktop.toolkit.process import Jobs
from ankita_desktop.toolkit.services import NO_RULING, Catalogue, LoadedTool, Services
from ankita_desktop.toolkit.text import whole
from ankita_desktop.toolkit.untrusted import framed

T = TypeVar("T")
Row = tuple[ApprovalRequest, Outcome, Decision | None]

SIDE_BY_SIDE = 8
MAX_RESULT = 60_000
DENIED_BY_RULE = "Denied: the person's rule “{}” forbids this. Don't try it in another way; go on without."
STOPPED = "Stopped by the person. If it had begun, it may be partly done."
_ASK_AGAIN = 3


@dataclass(frozen=True, slots=True)
class Scene:
    """Where the calls of a turn happen. ``messages`` are the conversation so far. ``attended`` is false when
    nobody could answer a question; ``patience`` is seconds that a question waits for its answer (None: as long as
    it takes)."""

    session: str
    cwd: Path
    mode: Mode
    why: str
    jobs: Jobs
    cancel: Cancel
    attended: bool = True
    messages: Callable[[], Sequence[Message]] = tuple
    patience: float | None = None


class _Denied(Exception):
    """A call that may not run: the text for the model, and who said no."""

    def __init__(self, text: str, by: str) -> None:
        super().__init__(text)
        self.by = by


class Calls:
    """Runs calls for every session. Thread-safe; methods block the lane that calls them."""

    def __init__(
        self,
        *,
        catalogue: Catalogue,
        approvals: Approvals,
        services: Services,
        settings: EngineSettings,
        emit: Callable[[Event], None],
        veil: Veil | None = None,
    ) -> None:
        self._veil = veil or Veil(NoSecrets())
        self._catalogue = catalogue
        self._approvals = approvals
        self._services = services
        self._settings = settings
        self._emit = emit

    def run(self, scene: Scene, calls: Sequence[ToolCall], done: Callable[[ToolCall, ToolResult], None]) -> None:
        """Run a round's calls in order, neighbouring read-only ones side by side, and hand each its one result.

        Raises ``Closing`` when the process ends while a question waits (that call stays open), ``Cancelled``
        when calls are left that had not begun.
        """
        for alone, batch in groupby(calls, key=self._is_barrier):
            members = list(batch)
            width = 1 if alone else SIDE_BY_SIDE
            for start in range(0, len(members), width):
                scene.cancel.check()
                self._side_by_side(scene, members[start : start + width], done)

    def continue_open(
        self, scene: Scene, call: ToolCall, row: Row | None, done: Callable[[ToolCall, ToolResult], None]
    ) -> None:
        """A call that was open when the last process ended: go on from its approval row, or say it was cut off."""
        if row is None:
            self._finish(scene, call, ToolResult(INTERRUPTED, ok=False), 0.0, done)
            return
        self._emit(CallStarted(scene.session, call))
        self._collect(scene, call, Beside(lambda: self._perform(scene, call, row), f"call-{call.name}"), done)

    def _is_barrier(self, call: ToolCall) -> bool:
        spec = self._catalogue.spec(call.name)
        return spec is None or not spec.read_only

    def _side_by_side(
        self, scene: Scene, calls: list[ToolCall], done: Callable[[ToolCall, ToolResult], None]
    ) -> None:
        running = []
        for call in calls:
            self._emit(CallStarted(scene.session, call))
            running.append((call, Beside(partial(self._perform, scene, call), f"call-{call.name}")))
        for call, beside in running:
            self._collect(scene, call, beside, done)

    def _collect(
        self, scene: Scene, call: ToolCall, beside: Beside, done: Callable[[ToolCall, ToolResult], None]
    ) -> None:
        began = time.monotonic()
        try:
            result = beside.result(scene.cancel)
            assert isinstance(result, ToolResult)
        except Cancelled:
            result = ToolResult(STOPPED, {"cancelled": True}, ok=False)
        self._finish(scene, call, result, time.monotonic() - began, done)

    def _finish(
        self,
        scene: Scene,
        call: ToolCall,
        result: ToolResult,
        seconds: float,
        done: Callable[[ToolCall, ToolResult], None],
    ) -> None:
        result = self._veil.printed(result, _asked(call, result))
        result = replace(result, text=bounded(whole(result.text)))
        self._emit(CallEnded(scene.session, call, result, seconds))
        done(call, result)

    def _perform(self, scene: Scene, call: ToolCall, row: Row | None = None) -> ToolResult:
        """One call, start to end, on its own thread. Every expected outcome is a result."""
        try:
            scene.cancel.check()
            tool = self._find(call)
            arguments = self._arguments(tool, call)
            approved = self._agreed(scene, call, tool, arguments, row)
            scene.cancel.check()
            context = self._context(scene, call, approved)
            outcome = _tool_code(tool, lambda: tool.run(arguments, context))
        except _Denied as denied:
            return ToolResult(str(denied), {"denied": denied.by}, ok=False)
        except Expired:
            return ToolResult(EXPIRED, {"denied": "nobody"}, ok=False)
        except ToolError as error:
            return ToolResult(str(error), {"error": str(error)}, ok=False)
        return self._marked(call, outcome if isinstance(outcome, ToolResult) else ToolResult(outcome))

    def _find(self, call: ToolCall) -> LoadedTool:
        if call.name == CALL_TOOL.name:
            raise ToolError('call_tool takes {"name": a tool\'s name, "arguments": an object with its arguments}.')
        if self._catalogue.spec(call.name) is None:
            near = ", ".join(self._catalogue.near(call.name))
            hint = f" Did you mean: {near}?" if near else ""
            raise ToolError(f"No tool is named {call.name!r}.{hint} find_tools finds more by plain words.")
        return self._catalogue.load(call.name)

    def _arguments(self, tool: LoadedTool, call: ToolCall) -> dict[str, Any]:
        if call.raw is not None:
            shown = call.raw if len(call.raw) <= 400 else call.raw[:400] + "…"
            raise ToolError(
                f"The arguments of {call.name} were not one complete JSON object, so it was not run. They came as:"
                f"\n{shown}\nSend the whole call again; it takes: {compact_json(tool.spec.parameters)}"
            )
        arguments, problem = read_arguments(tool.spec, call.arguments)
        if problem:
            raise ToolError(problem)
        return arguments

    def _agreed(
        self, scene: Scene, call: ToolCall, tool: LoadedTool, arguments: dict[str, Any], row: Row | None
    ) -> Approved | None:
        """What the person agreed to, None when nothing needs their yes. They are asked, and answer, with secrets
        replaced; the call then goes on with what is really there. Raises ``_Denied``."""
        scene, level = self._ruled(scene, call, arguments, self._level(scene, call, tool, arguments), row)
        level, preview = self._cautious(scene, call, tool, arguments, level)
        if preview is None:
            return None
        for time_asked in range(_ASK_AGAIN):
            hidden = self._veil.over(preview)
            decision, asked = self._decision(scene, call, level, hidden, row, again=time_asked > 0)
            if not decision.allow:
                reason = f" They said: {decision.reason}" if decision.reason else ""
                raise _Denied(f"The person said no to this call.{reason} Don't repeat it as it is.", "person")
            _, fresh = self._cautious(scene, call, tool, arguments, level)
            if fresh is not None and self._veil.over(fresh).fingerprint() == asked.fingerprint():
                return Approved(fresh, self._veil.lifted(decision))
            preview, row = fresh or preview, None
        raise ToolError("What this call would do kept changing while it was being approved. Nothing was done.")

    def _cautious(
        self, scene: Scene, call: ToolCall, tool: LoadedTool, arguments: dict[str, Any], level: Level
    ) -> tuple[Level, Preview | None]:
        """The level and what the person is shown, once it counts what the conversation has read from outside."""
        known, call = self._heard(scene, call), replace(call, arguments=arguments)
        preview = None if level == "never" else self._preview(scene, call, tool, arguments)
        if level == "ask" and preview is not None and handed_over(preview, scene.messages()):
            level, preview = "never", None
        server = tool.spec.source.startswith("server:") and not tool.spec.read_only
        reason = untrusted.blind(known, call) or untrusted.taint(known, call, preview, server=server)
        if not reason:
            return level, preview
        preview = preview or self._preview(scene, call, tool, arguments)
        return "always", replace(preview, danger=" ".join(filter(None, [reason, preview.danger])))

    def _heard(self, scene: Scene, call: ToolCall) -> untrusted.Heard:
        messages = scene.messages()
        if not any("untrusted" in message.details for message in messages):
            return untrusted.Heard()
        web = self._settings.as_dict().get("web")
        own = web.get("allowed_hosts", ()) if isinstance(web, dict) else ()
        # The yes to this very call must not change what it was given for.
        allowed = [request for request in self._approvals.allowed(scene.session) if request.call.id != call.id]
        return untrusted.heard(messages, allowed, own)

    def _marked(self, call: ToolCall, result: ToolResult) -> ToolResult:
        """A result with whose words it holds, where that follows from the tool: a server's answer, and what
        find_tools tells of a server's tools."""
        if "untrusted" in result.details:
            return result
        named = (
            [call.name, *map(str, result.details.get("tools", []))] if call.name == "find_tools" else [call.name]
        )
        specs = [spec for name in named if (spec := self._catalogue.spec(name))]
        source = next((spec.source for spec in specs if spec.source.startswith("server:")), "")
        if not source:
            return result
        text = result.text if call.name == "find_tools" else framed(result.text, source)
        return replace(result, text=text, details={**result.details, "untrusted": {"source": source}})

    def _ruled(
        self, scene: Scene, call: ToolCall, arguments: dict[str, Any], level: Level, row: Row | None
    ) -> tuple[Scene, Level]:
        """What the person's rules make of a call: where they ask, no mode or grant passes it; where they allow,
        it passes as if the mode did. Raises ``_Denied``."""
        policy = self._services.policy
        ruling = policy.ruling(call.name, arguments, scene.cwd) if policy is not None else NO_RULING
        if ruling.effect == "deny":
            if row is not None and row[1] == "pending":
                self._approvals.close(row[0].id, "closed")
            raise _Denied(DENIED_BY_RULE.format(ruling.rule), "rule")
        if ruling.effect == "ask":
            return scene, "always"
        passes = ruling.effect == "allow" and scene.mode != "never"
        return (replace(scene, mode="all") if passes else scene), level

    def _decision(
        self, scene: Scene, call: ToolCall, level: Level, preview: Preview, row: Row | None, *, again: bool
    ) -> tuple[Decision, Preview]:
        """The answer, and what it was given for. ``row`` is the question a former process left behind; ``again``:
        they said yes to something else."""
        if row is not None:
            request, outcome, decision = row
            if outcome == "pending" and not scene.attended:
                self._approvals.close(request.id, "expired")
                raise _Denied(NOBODY, "nobody")
            if outcome == "pending":
                decision = self._approvals.ask(request, scene.cancel, stored=True)
            if decision is None:
                closed = "The question was closed before anybody answered, so nothing was done."
                raise _Denied(EXPIRED if outcome == "expired" else closed, "nobody")
            return decision, request.preview
        passes = verdict(level, preview, scene.mode)
        if passes == "run" or (passes == "ask" and self._approvals.granted(scene.session, level, preview)):
            return Decision(True), preview
        if passes == "deny" or not scene.attended:
            why = f" {preview.danger}" if preview.danger.startswith(untrusted.READ) else ""
            raise _Denied((NEVER if passes == "deny" else NOBODY) + why, "nobody")
        now = time.time()
        expires = now + scene.patience if scene.patience is not None else None
        request = ApprovalRequest(new_id(), scene.session, call, level, preview, scene.why, now, expires, again)
        return self._approvals.ask(request, scene.cancel), preview

    def _level(self, scene: Scene, call: ToolCall, tool: LoadedTool, arguments: dict[str, Any]) -> Level:
        judge = tool.approval_for
        if untrusted.blind(self._heard(scene, call), replace(call, arguments=arguments)):
            return "always"
        if judge is None:
            return tool.spec.approval
        try:
            return _tool_code(tool, lambda: judge(arguments, self._context(scene, call, None)))
        except _Broken:
            return "always"

    def _preview(self, scene: Scene, call: ToolCall, tool: LoadedTool, arguments: dict[str, Any]) -> Preview:
        show = tool.preview
        if show is None or untrusted.blind(self._heard(scene, call), replace(call, arguments=arguments)):
            text = f"{call.name} {compact_json(arguments)}"
            return Preview("text", f"Allow {call.name}?", text=text, where=str(scene.cwd))
        return _tool_code(tool, lambda: show(arguments, self._context(scene, call, None)))

    def _context(self, scene: Scene, call: ToolCall, approved: Approved | None) -> ToolContext:
        return ToolContext(
            cwd=scene.cwd,
            jobs=scene.jobs,
            session=scene.session,
            call_id=call.id,
            cancel=scene.cancel,
            settings=self._settings.as_dict(),
            services=self._services,
            approved=approved,
            progress=lambda text: self._emit(
                CallProgress(scene.session, call.id, self._veil.printed(text, _asked(call)))
            ),
        )


class _Broken(ToolError):
    """A tool's own code failed in a way its author did not expect."""


def _tool_code(tool: LoadedTool, run: Callable[[], T]) -> T:
    """Run a tool's function; whatever it raises becomes an error result, never the end of a turn."""
    try:
        return run()
    except (ToolError, Cancelled):
        raise
    except Exception as error:
        raise _Broken(f"{tool.spec.name} failed unexpectedly ({type(error).__name__}: {error}).") from error


def _asked(call: ToolCall, result: ToolResult | None = None) -> str:
    """What a result answers: the call, and the command of an earlier one whose output it tells."""
    command = result.details.get("command", "") if result is not None else ""
    return f"{call.name} {compact_json(call.arguments)} {command}"


def bounded(text: str) -> str:
    """A result's text, cut in the middle when it would crowd out the conversation."""
    if len(text) <= MAX_RESULT:
        return text
    half = MAX_RESULT // 2
    cut = len(text) - 2 * half
    return f"{text[:half]}\n[… {cut:,} characters left out; ask for a part …]\n{text[-half:]}"
