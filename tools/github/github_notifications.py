"""GitHub's notifications: what waits for the person, and marking it."""

from __future__ import annotations

from dataclasses import asdict, replace
from typing import Any

from ankita_desktop.toolkit import Level, Preview, ToolContext, ToolError, ToolResult

name = "github_notifications"
description = "GitHub notifications by what they ask: list, or mark as read, done or muted."
parameters = {
    "type": "object",
    "properties": {
        "action": {"enum": ["list", "read", "done", "mute"]},
        "ids": {
            "type": "array",
            "items": {"type": "string"},
            "minItems": 1,
            "description": "of threads, from list; to mark",
        },
        "bucket": {
            "enum": ["review_requested", "mentioned", "assigned", "ci", "other", "all"],
            "description": "list only these; or mark all of these that were listed",
        },
        "repo": {"type": "string", "description": "owner/name"},
        "new": {"type": "boolean", "description": "only what is new since the last look"},
        "all": {"type": "boolean", "description": "also what is read"},
    },
    "required": ["action"],
    "additionalProperties": False,
}
approval = "ask"
keywords = ["github notifications", "review requests", "github inbox", "mentions of me", "mark notifications read"]

MOST = 200  # threads that are looked at
WORDS = {
    "review_requested": "Review requested",
    "mentioned": "Mentioned",
    "assigned": "Assigned",
    "ci": "CI",
    "other": "Other",
}
DEEDS = {"read": "Mark as read", "done": "Mark as done", "mute": "Mute"}
DONE = {"read": "Marked as read", "done": "Marked as done", "mute": "Muted and marked as read"}


def approval_for(args: dict[str, Any], ctx: ToolContext) -> Level:
    return "never" if args["action"] == "list" else "ask"


def preview(args: dict[str, Any], ctx: ToolContext) -> Preview:
    from ankita_desktop.toolkit.github import GitHub, web_url

    threads = _meant(args, GitHub(ctx))
    deed, action = DEEDS[args["action"]], args["action"]
    what = threads[0].title if len(threads) == 1 else f"{len(threads)} notifications"
    return Preview(
        "text",
        f"{deed}: {what}?",
        effect="send",
        text="\n".join(f"{thread.repo}: {thread.title}" for thread in threads),
        where=web_url(ctx),
        grant_key=f"github:notifications:{action}:{web_url(ctx)}",
        grant_label=f"{deed} notifications of {web_url(ctx)}",
    )


def run(args: dict[str, Any], ctx: ToolContext) -> ToolResult:
    from ankita_desktop.toolkit.github import GitHub

    github = GitHub(ctx)
    github.need_token("Reading notifications")
    return _list(args, ctx, github) if args["action"] == "list" else _mark(args, ctx, github)


def _list(args: dict[str, Any], ctx: ToolContext, github: Any) -> ToolResult:
    from ankita_desktop.toolkit import github_inbox as inbox
    from ankita_desktop.toolkit.github import place, web_url
    from ankita_desktop.toolkit.untrusted import outside

    web = web_url(ctx)
    found = github.pages("/notifications", most=MOST, per_page=50, all=args.get("all", False))
    memory = inbox.load(github.account)
    threads = [inbox.read_thread(row, web) for row in found.rows]
    waiting = [replace(t, new=memory.news(t)) for t in threads if memory.open(t) or args.get("all")]
    repo = place(args, ctx).repo.lower() if args.get("repo") else ""
    shown = [thread for thread in waiting if _wanted(thread, args, repo)]
    inbox.save(github.account, inbox.looked(memory, waiting, shown, found.date))
    rows = [asdict(thread) for thread in shown]
    details = {
        "notifications": rows,
        "count": len(rows),
        "new": sum(t.new for t in shown),
        "changed": found.changed,
    }
    text = "\n\n".join(filter(None, [_told(shown), f"There are more than {MOST}." * found.more, memory.broken]))
    return outside(text or _nothing(args), f"{web}/notifications", **details)


def _wanted(thread: Any, args: dict[str, Any], repo: str) -> bool:
    bucket = args.get("bucket", "all")
    fits = bucket in ("all", thread.bucket) and (not repo or thread.repo.lower() == repo)
    return fits and (thread.new or not args.get("new"))


def _nothing(args: dict[str, Any]) -> str:
    return "Nothing new since the last look." if args.get("new") else "No notifications wait."


def _told(threads: list[Any]) -> str:
    parts = []
    for bucket, words in WORDS.items():
        lines = [_line(thread) for thread in threads if thread.bucket == bucket]
        if lines:
            parts.append(f"{words} ({len(lines)})\n" + "\n".join(lines))
    return "\n\n".join(parts)


def _line(thread: Any) -> str:
    marks = [word for word, on in (("new", thread.new), ("read", not thread.unread)) if on]
    reason = [thread.reason.replace("_", " ")] if thread.bucket == "other" and thread.reason else []
    about = ", ".join([thread.kind, *reason, thread.updated[:16].replace("T", " "), *marks])
    return f"- {thread.repo}: {thread.title} ({about}) id {thread.id}\n  {thread.url}"


def _meant(args: dict[str, Any], github: Any) -> list[Any]:
    """The listed threads that are to be marked."""
    from ankita_desktop.toolkit import github_inbox as inbox

    known = {thread.id: thread for thread in inbox.load(github.account).shown}
    ids, bucket = args.get("ids"), args.get("bucket")
    if ids:
        if missing := [each for each in ids if each not in known]:
            raise ToolError(f"No listed notification has the id {', '.join(missing)}. Use action list first.")
        return [known[each] for each in dict.fromkeys(ids)]
    if not bucket:
        raise ToolError(f"Give ids (from list), or a bucket, to say which to mark as {args['action']}.")
    found = [thread for thread in known.values() if bucket in ("all", thread.bucket)]
    if not found:
        raise ToolError("None of those were in the last list. Use action list first.")
    return found


def _mark(args: dict[str, Any], ctx: ToolContext, github: Any) -> ToolResult:
    from ankita_desktop.toolkit import github_inbox as inbox

    threads, done = _meant(args, github), []
    try:
        for thread in threads:
            _send(github, args["action"], thread.id)
            done.append(thread)
    except ToolError as error:
        raise ToolError(f"{error} {len(done)} of {len(threads)} were marked.") from error
    finally:
        if done:
            inbox.save(github.account, inbox.handled(inbox.load(github.account), done))
    titles = "\n".join(f"- {thread.repo}: {thread.title}" for thread in done)
    return ToolResult(f"{DONE[args['action']]}:\n{titles}", {"ids": [thread.id for thread in done]})


def _send(github: Any, action: str, thread: str) -> None:
    path = f"/notifications/threads/{thread}"
    if action == "mute":
        github.send("PUT", f"{path}/subscription", {"ignored": True})
    github.send("DELETE" if action == "done" else "PATCH", path)
