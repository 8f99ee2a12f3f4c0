"""What a turn did, as `ankita -p --json` prints it. Read back from the store, so a turn that began in another
process is told whole."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ankita_desktop.assembly import Assembly
from ankita_desktop.core.session import is_asking, this_turn
from ankita_desktop.events import TurnEnded
from ankita_desktop.protocol import Message, Round, Usage

EXIT = {"done": 0, "error": 1, "limit": 1, "denied": 3, "cancelled": 130}


def report(app: Assembly, ended: TurnEnded) -> dict[str, Any]:
    """The JSON document of a turn."""
    messages = list(app.store.messages(ended.session))
    began = next((m.created for m in reversed(messages) if is_asking(m)), 0.0)
    rounds = [one for _, _, one, time in app.store.rounds(ended.session) if time >= began]
    return {
        "ok": ended.status == "done",
        "status": ended.status,
        "session": ended.session,
        "text": ended.text,
        "error": ended.reason or ended.status if ended.status == "error" else None,
        "reason": ended.reason or None,
        "groups": list(app.engine.active_groups(ended.session)),
        "calls": _calls(messages),
        "rounds": [round_facts(one) for one in rounds],
        "usage": usage_facts(rounds),
    }


def failure(text: str) -> dict[str, Any]:
    """The same document for a turn that could not begin."""
    nothing: dict[str, Any] = {"groups": [], "calls": [], "rounds": [], "usage": usage_facts([])}
    return {"ok": False, "status": "error", "session": None, "text": "", "error": text, "reason": text, **nothing}


def _calls(messages: list[Message]) -> list[dict[str, Any]]:
    turn = this_turn(messages)
    results = {m.call_id: m for m in turn if m.role == "tool"}
    return [
        {
            "id": call.id,
            "name": call.name,
            "arguments": call.arguments,
            "ok": call.id in results and results[call.id].ok,
            "text": results[call.id].text if call.id in results else "",
        }
        for message in turn
        for call in message.calls
    ]


def round_facts(one: Round) -> dict[str, Any]:
    """One request, without what it cost."""
    return {
        "tools": one.tools,
        "schema_bytes": one.schema_bytes,
        "input": one.usage.input,
        "cached": one.usage.cached,
        "output": one.usage.output,
        "dropped_groups": list(one.dropped_groups),
    }


def usage_facts(rounds: Sequence[Round]) -> dict[str, Any]:
    """The sum of some rounds; the cost is that of those whose cost is known, null when none is."""
    used: list[Usage] = [one.usage for one in rounds]
    costs = [one.cost for one in used if one.cost is not None]
    return {
        "input": sum(one.input for one in used),
        "cached": sum(one.cached for one in used),
        "output": sum(one.output for one in used),
        "cost": sum(costs) if costs else None,
    }
