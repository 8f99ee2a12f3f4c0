"""One call of a tool by hand: validated, approved and run as a model's call is, but in no conversation."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from ankita_desktop.assembly import Assembly, Options, assemble
from ankita_desktop.core.approvals import Approvals
from ankita_desktop.core.calls import Calls, Scene
from ankita_desktop.errors import UsageError
from ankita_desktop.events import Event
from ankita_desktop.protocol import ApprovalRequest, Decision, Grant, Mode, ToolCall, ToolResult, dump, new_id
from ankita_desktop.store.database import Store
from ankita_desktop.terminal.asking import ask
from ankita_desktop.terminal.desktop import ProgramDesktop
from ankita_desktop.terminal.options import somebody_is_there
from ankita_desktop.terminal.screen import safe, show_json
from ankita_desktop.toolkit.cancel import Cancel
from ankita_desktop.toolkit.process import Jobs


class _Here(Approvals):
    """Questions are asked in this terminal at once; "always" is remembered, nothing else is stored."""

    def __init__(self, store: Store) -> None:
        super().__init__(store, _unheard)
        self._grants = store

    def ask(self, request: ApprovalRequest, cancel: Cancel, *, stored: bool = False) -> Decision:
        decision = ask(request) or Decision(False, reason="nobody was there to answer")
        if decision.allow and decision.scope == "always":
            preview = request.preview
            self._grants.add_grant(Grant(new_id(), preview.grant_key, preview.grant_label or preview.grant_key))
        return decision


def call_by_hand(args: argparse.Namespace, arguments: dict[str, Any]) -> int:
    """Run the call, print its result. Returns 0, 1 when it failed, 3 when nobody could allow it."""
    cwd = Path(args.cwd or ".").expanduser().resolve()
    if not cwd.is_dir():
        raise UsageError(f"There is no folder {args.cwd}.")
    app, jobs, cancel = assemble(Options(cwd=args.cwd), ProgramDesktop()), Jobs(), Cancel()
    try:
        scene = Scene("", cwd, _mode(args), "", jobs, cancel, attended=somebody_is_there())
        result = _run(app, scene, ToolCall("by-hand", args.name, arguments))
    finally:
        cancel.set()
        jobs.close()
        app.close()
    if args.json:
        show_json({"ok": result.ok, "text": result.text, "details": dump(result)["details"]})
    else:
        print(safe(result.text))
    return 0 if result.ok else 3 if result.details.get("denied") == "nobody" else 1


def _mode(args: argparse.Namespace) -> Mode:
    return "all" if args.yes else "ask" if somebody_is_there() else "never"


def _run(app: Assembly, scene: Scene, call: ToolCall) -> ToolResult:
    calls = Calls(
        catalogue=app.catalogue,
        approvals=_Here(app.store),
        services=app.services,
        settings=app.settings,
        emit=_unheard,
    )
    results: list[ToolResult] = []
    calls.run(scene, [call], lambda _, result: results.append(result))
    return results[0]


def _unheard(_event: Event) -> None: ...
