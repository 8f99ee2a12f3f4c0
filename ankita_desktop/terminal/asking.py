"""A question in the terminal: what would happen is shown whole, and a person answers."""

from __future__ import annotations

import select
import sys
from collections.abc import Callable

from ankita_desktop.protocol import ApprovalRequest, Decision, FileChange
from ankita_desktop.terminal.options import somebody_is_there
from ankita_desktop.terminal.screen import painted, shown
from ankita_desktop.toolkit.diff import unified

_LOOK = 0.3  # seconds between looks whether somebody else has answered
NO = ("n", "no", "deny")
YES = ("y", "yes", "allow")
BOXED = ("b", "box", "boxed")


def ask(request: ApprovalRequest, is_open: Callable[[], bool] = lambda: True) -> Decision | None:
    """Show the request on standard error and read the answer. None when nobody is there any more, or when it
    was answered elsewhere (``is_open`` says no)."""
    if not somebody_is_there():
        return None
    print(drawn(request), file=sys.stderr)
    _forget_typed_ahead()
    prompt = _prompt(request)
    while True:
        print(prompt, end=" ", file=sys.stderr, flush=True)
        line = _typed(is_open)
        if not line:
            print("" if is_open() else "(answered elsewhere)", file=sys.stderr)
            return None
        decision = understood(line, request)
        if decision is not None:
            return _with_reason(decision, is_open)
        print("Please answer with one of the letters; after n you may say why.", file=sys.stderr)


def _typed(is_open: Callable[[], bool]) -> str:
    """A typed line; empty at the end of the input, and when the question is closed meanwhile."""
    while sys.platform != "win32" and not select.select([sys.stdin], [], [], _LOOK)[0]:
        if not is_open():
            return ""
    return sys.stdin.readline()


def understood(line: str, request: ApprovalRequest) -> Decision | None:
    """What an answer means, None when it isn't one: "y", "n", "n because …", "b", "s", "a"."""
    word, _, reason = line.strip().partition(" ")
    word = word.lower().rstrip(",.:")
    if word in NO:
        return Decision(False, reason=reason.strip())
    if reason:
        return None
    if word in YES:
        return Decision(True)
    if request.preview.boxable and word in BOXED:
        return Decision(True, boxed=True)
    if can_be_remembered(request) and word in ("s", "session"):
        return Decision(True, scope="session")
    if can_be_remembered(request) and word in ("a", "always"):
        return Decision(True, scope="always")
    return None


def can_be_remembered(request: ApprovalRequest) -> bool:
    return request.level == "ask" and bool(request.preview.grant_key)


def drawn(request: ApprovalRequest) -> str:
    """The whole preview as text: the question, where, the danger, and all that will happen."""
    preview = request.preview
    lines = ["", painted(shown(preview.question), "bold", sys.stderr)]
    if request.news:
        lines.append(painted(f"! {request.news}", "red", sys.stderr))
    if preview.where:
        lines.append(painted(f"in {shown(preview.where)}", "dim", sys.stderr))
    if request.why:
        lines.append(painted(f"for: {' '.join(shown(request.why).split())[:200]}", "dim", sys.stderr))
    if preview.danger:
        lines.append(painted(f"! {shown(preview.danger)}", "red", sys.stderr))
    if preview.text:
        lines += ["", *(f"  {line}" for line in shown(preview.text).splitlines())]
    for change in preview.changes:
        lines += ["", *_change(change)]
    return "\n".join(lines)


def _change(change: FileChange) -> list[str]:
    head = f"{change.action} {shown(change.path)}"
    if change.destination:
        head += f" -> {shown(change.destination)}"
    lines = [painted(head + (f"  ({change.facts})" if change.facts else ""), "bold", sys.stderr)]
    if change.before is not None or change.after is not None:
        diff = unified(change.before, change.after, change.path).removesuffix("\n").split("\n")[2:]
        ends = "\r" if all(_is_crlf(text) for text in (change.before, change.after) if text) else ""
        lines += [_row(line.removesuffix(ends)) for line in diff]
    return lines


def _is_crlf(text: str) -> bool:
    """Whether all its lines end alike with CR LF, which says nothing of a change then."""
    return text.count("\r") == text.count("\r\n") == text.count("\n")


def _row(line: str) -> str:
    colour = {"+": "green", "-": "red", "@": "blue"}.get(line[:1])
    return painted(shown(line), colour, sys.stderr) if colour else shown(line)


def _prompt(request: ApprovalRequest) -> str:
    first = "Allow? [y]es, [n]o, "
    first += "in a closed [b]ox, " if request.preview.boxable else ""
    if not can_be_remembered(request):
        return f"{first.removesuffix(', ')}:"
    label = shown(request.preview.grant_label or request.preview.grant_key)
    return f"{first}for this [s]ession or [a]lways ({label}):"


def _with_reason(decision: Decision, is_open: Callable[[], bool]) -> Decision:
    if decision.allow or decision.reason:
        return decision
    print("Why not? The model reads it (Enter: no reason):", end=" ", file=sys.stderr, flush=True)
    return Decision(False, reason=_typed(is_open).strip())


def _forget_typed_ahead() -> None:
    """What was typed before the question was there is no answer to it."""
    try:
        import termios
    except ImportError:  # not on Windows
        return
    try:
        termios.tcflush(sys.stdin.fileno(), termios.TCIFLUSH)
    except (termios.error, ValueError, OSError):
        return
