"""`ankita approvals`: questions that wait, and what was allowed for longer."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from ankita_desktop.errors import StoreError, UsageError
from ankita_desktop.protocol import ApprovalRequest, Decision, Grant
from ankita_desktop.store.database import Store
from ankita_desktop.terminal.asking import drawn
from ankita_desktop.terminal.checking import check, check_options
from ankita_desktop.terminal.options import Parser, approval_options, assembled, mode_here, model_options
from ankita_desktop.terminal.ruling import rules, rules_options
from ankita_desktop.terminal.run import one_turn, output_options
from ankita_desktop.terminal.screen import one_line, say, show_json
from ankita_desktop.terminal.sessions import day

if TYPE_CHECKING:
    from ankita_desktop.assembly import Assembly


def main(argv: list[str]) -> int:
    """Run `ankita approvals …`. Returns the exit code."""
    args = parser().parse_args(argv)
    command: Callable[[argparse.Namespace], int] = args.run
    return command(args)


def parser() -> argparse.ArgumentParser:
    """The options of `ankita approvals`."""
    parser = Parser(
        prog="ankita approvals", description="Questions that wait for you, and what you allowed for longer."
    )
    commands = parser.add_subparsers(
        required=True, metavar="list | answer | check | rules | revoke", parser_class=Parser
    )
    listing = commands.add_parser("list", help="what waits, and what was allowed for longer")
    listing.add_argument("--json", action="store_true", help="JSON on standard output")
    answering = commands.add_parser("answer", help="answer a question; its turn goes on here")
    answering.add_argument("id")
    answering.add_argument("answer", choices=("allow", "deny"))
    answering.add_argument("reason", nargs="*", help="why not; the model reads it")
    output_options(answering)
    approval_options(answering)
    model_options(answering)
    revoking = commands.add_parser("revoke", help="take back what was allowed for longer")
    revoking.add_argument("id")
    revoking.add_argument("--json", action="store_true", help="JSON on standard output")
    checking = commands.add_parser("check", help="what would happen to a command, without running it")
    check_options(checking)
    ruling = commands.add_parser("rules", help="what is always allowed, asked or denied")
    rules_options(ruling)
    own = ((listing, _list), (answering, _answer), (revoking, _revoke), (checking, check), (ruling, rules))
    for command, run in own:
        command.set_defaults(run=run)
    return parser


def _list(args: argparse.Namespace) -> int:
    store = Store()
    try:
        waiting = [request for request, _, _ in store.approvals()]
        grants = store.all_grants()
    finally:
        store.close()
    if args.json:
        show_json([_asked(request) for request in waiting] + [_granted(grant) for grant in grants])
        return 0
    for request in waiting:
        print(f"{request.id}  waits since {day(request.created)}{drawn(request)}\n")
    for grant in grants:
        scope = f"in session {grant.session}" if grant.session else "always"
        print(f"{grant.id}  allowed {scope}: {one_line(grant.label)}")
    if not waiting and not grants:
        say("Nothing waits, and nothing was allowed for longer.")
    return 0


def _asked(request: ApprovalRequest) -> dict[str, Any]:
    preview = request.preview
    return {
        "id": request.id,
        "state": "pending",
        "session": request.session,
        "tool": request.call.name,
        "arguments": request.call.arguments,
        "level": request.level,
        "kind": preview.kind,
        "question": preview.question,
        "where": preview.where,
        "danger": preview.danger,
        "why": request.why,
        "again": request.again,
        "preview": drawn(request).strip(),
        "created": request.created,
    }


def _granted(grant: Grant) -> dict[str, Any]:
    return {
        "id": grant.id,
        "state": "granted",
        "session": grant.session,
        "key": grant.key,
        "label": grant.label,
        "created": grant.created,
    }


def _answer(args: argparse.Namespace) -> int:
    """Answer. A live process goes on with the answer itself; else the turn goes on here."""
    app = assembled(args, only=mode_here(args))
    try:
        request = _waiting(app.store, args.id)
        decision = Decision(args.answer == "allow", reason=" ".join(args.reason))
        if owner := app.store.leased_by(request.session):
            return _answer_for(app, request, decision, owner, as_json=args.json)
        info = app.store.session(request.session)

        def start() -> None:
            if not app.engine.answer(request.id, decision):
                raise StoreError(_too_late(app.store, request))

        return one_turn(app, info, args, start)
    finally:
        app.close()


def _answer_for(app: Assembly, request: ApprovalRequest, decision: Decision, owner: str, *, as_json: bool) -> int:
    if not app.engine.approvals.answer(request.id, decision):
        raise StoreError(_too_late(app.store, request))
    if as_json:
        show_json({"ok": True, "answered": request.id, "session": request.session, "by": owner})
    else:
        print(f"Answered. {owner} goes on with it.")
    return 0


def _too_late(store: Store, request: ApprovalRequest) -> str:
    return f"The question {request.id} is not open any more: it was {store.approval(request.id)[1]} a moment ago."


def _waiting(store: Store, prefix: str) -> ApprovalRequest:
    """The one pending request whose id starts with ``prefix``."""
    found = [row for row in store.approvals(outcome=None) if row[0].id.startswith(prefix)]
    pending = [request for request, outcome, _ in found if outcome == "pending"]
    if len(pending) == 1:
        return pending[0]
    if len(pending) > 1:
        raise UsageError(f"{len(pending)} questions start with {prefix}: give more of the id.")
    if found:
        raise StoreError(f"The question {found[-1][0].id} is not open any more: it was {found[-1][1]}.")
    raise UsageError(f"There is no question {prefix}. `ankita approvals list` shows what waits.")


def _revoke(args: argparse.Namespace) -> int:
    store = Store()
    try:
        found = [grant for grant in store.all_grants() if grant.id.startswith(args.id)]
        if len(found) != 1 or not store.revoke_grant(found[0].id):
            raise UsageError(f"Nothing was allowed under {args.id}. `ankita approvals list` shows what was.")
    finally:
        store.close()
    if args.json:
        show_json({"revoked": found[0].id})
    else:
        print(f"Taken back: {one_line(found[0].label)}. It will be asked again.")
    return 0
