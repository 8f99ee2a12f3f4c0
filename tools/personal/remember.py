"""Facts about the person, kept across conversations."""

from dataclasses import asdict, replace

from ankita_desktop.toolkit import Preview, ToolContext, ToolError, ToolResult, need
from ankita_desktop.toolkit.remembering import FACT_LENGTH, PINS, Fact, Memory, Saved
from ankita_desktop.toolkit.secrets_text import looks_secret

name = "remember"
description = "Long-term memory: facts and preferences, one sentence each. Pinned ones you always see."
parameters = {
    "type": "object",
    "properties": {
        "action": {"enum": ["add", "list", "update", "forget", "pin", "unpin"]},
        "text": {"type": "string"},
        "id": {"type": "string", "description": "such as m12"},
    },
    "required": ["action"],
    "additionalProperties": False,
}
approval = "never"

SHOWN = 100
DONE = {
    "added": "Remembered",
    "merged": "Known already, renewed",
    "replaced": "Replaced",
    "pinned": "Pinned",
    "unpinned": "Unpinned",
}


def approval_for(args: dict, ctx: ToolContext) -> str:
    return "ask" if args["action"] == "forget" else "never"


def preview(args: dict, ctx: ToolContext) -> Preview:
    if args["action"] == "forget":
        fact = _meant(need(ctx.services.memory, "Memory"), args)
        return Preview("text", "Forget this for good?", text=fact.text)
    words = [args["action"], args.get("id", ""), args.get("text", "")]
    return Preview("text", "Change what is remembered about you?", text=" ".join(word for word in words if word))


def run(args: dict, ctx: ToolContext) -> ToolResult:
    memory = need(ctx.services.memory, "Memory")
    match args["action"]:
        case "list":
            return _listed(memory.facts())
        case "add":
            return _saved(memory.add_fact(_text(args), session=ctx.session))
        case "update":
            if not args.get("id"):
                raise ToolError("update needs the id of the fact (recall and list show ids) and its new text.")
            return _saved(memory.change_fact(_meant(memory, args).id, _text(args)))
        case "forget":
            return _forgotten(memory, _meant(memory, args))
        case _:
            return _pinned(memory, args)


def _text(args: dict) -> str:
    text = " ".join(args.get("text", "").split())
    if not text:
        raise ToolError(f"{args['action']} needs text: one sentence that is still true in a year.")
    if len(text) > FACT_LENGTH:
        raise ToolError(f"A fact has at most {FACT_LENGTH} characters, this has {len(text)}: keep what matters.")
    if looks_secret(text):
        raise ToolError("That looks like a key or password: it doesn't belong in memory. Say only where it is.")
    return text


def _meant(memory: Memory, args: dict) -> Fact:
    """The fact that id or text names. Several or none is an error that shows the candidates."""
    if args.get("id"):
        fact = memory.fact(args["id"])
        if fact is None:
            raise ToolError(f"There is no fact {args['id']}. The action list shows all with their ids.")
        return fact
    if not args.get("text", "").strip():
        raise ToolError(f"{args['action']} needs the id of a fact, or its text.")
    found = memory.find_facts(args["text"])
    if not found:
        raise ToolError("Nothing like that is remembered. The action list shows all facts.")
    if len(found) > 1:
        lines = "\n".join(_line(fact) for fact in found[:10])
        raise ToolError(f"That could be several facts; give the id of the one that is meant:\n{lines}")
    return found[0]


def _saved(saved: Saved) -> ToolResult:
    fact, before = saved.fact, saved.before
    lines = [f"{DONE[saved.how]}: {_line(fact)}"]
    if before and before.text != fact.text:
        lines.append(f"Before: {before.text}")
    if saved.similar:
        lines.append("Similar facts; update or forget what is no longer true:")
        lines += [_line(one) for one in saved.similar]
    undo = {"fact": fact.id, "after": fact.text, "before": asdict(before) if before else None}
    return ToolResult("\n".join(lines), {"how": saved.how, "fact": asdict(fact), "undo": undo})


def _pinned(memory: Memory, args: dict) -> ToolResult:
    pinned = args["action"] == "pin"
    known = args.get("id") or not pinned or memory.find_facts(args.get("text", ""), whole=True)
    fact = _meant(memory, args) if known else None
    if pinned and not (fact and fact.pinned) and len(memory.pins()) >= PINS:
        raise ToolError(f"{PINS} facts are pinned already, which is the most: unpin one first.")
    if fact:
        return _saved(memory.pin_fact(fact.id, pinned))
    made = memory.add_fact(_text(args))
    return _saved(replace(memory.pin_fact(made.fact.id), before=made.before))


def _forgotten(memory: Memory, fact: Fact) -> ToolResult:
    memory.forget_fact(fact.id)
    return ToolResult("Forgotten. Don't mention it again.", {"how": "forgotten", "id": fact.id})


def _listed(facts: list[Fact]) -> ToolResult:
    lines = [_line(fact) for fact in facts[:SHOWN]]
    if len(facts) > SHOWN:
        lines.append(f"… and {len(facts) - SHOWN:,} more; recall finds them by words.")
    shown = [asdict(fact) for fact in facts[:SHOWN]]
    return ToolResult("\n".join(lines) or "Nothing is remembered yet.", {"facts": shown})


def _line(fact: Fact) -> str:
    return f"[{fact.id}] {fact.text}{' (pinned)' if fact.pinned else ''}"
