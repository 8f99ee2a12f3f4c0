"""Issues on GitHub."""

from __future__ import annotations

from typing import Any

from ankita_desktop.toolkit import Level, Preview, ToolContext, ToolError, ToolResult

name = "github_issue"
description = "GitHub issues: list, show with comments, create, comment, close, reopen."
parameters = {
    "type": "object",
    "properties": {
        "action": {"enum": ["list", "show", "create", "comment", "close", "reopen"]},
        "repo": {"type": "string", "description": "owner/name or address; default: the working folder's"},
        "number": {"type": "integer", "minimum": 1},
        "title": {"type": "string"},
        "body": {"type": "string", "description": "Markdown, of a new issue or comment; with close: said first"},
        "labels": {"type": "array", "items": {"type": "string"}, "description": "of a new issue; list: with all"},
        "assignee": {"type": "string", "description": "login; list: * for any"},
        "state": {"enum": ["open", "closed", "all"]},
        "reason": {"enum": ["completed", "not_planned"], "description": "close"},
        "limit": {"type": "integer", "minimum": 1, "maximum": 200},
    },
    "required": ["action"],
    "additionalProperties": False,
}
approval = "ask"
keywords = ["github issue", "open an issue", "issues of a repository", "comment on an issue", "close the issue"]

READS = ("list", "show")
QUESTIONS = {
    "create": "Open an issue in {repo}?",
    "comment": "Comment on {repo}#{number}?",
    "close": "Close {repo}#{number}?",
    "reopen": "Reopen {repo}#{number}?",
}


def approval_for(args: dict[str, Any], ctx: ToolContext) -> Level:
    return "never" if args["action"] in READS else "ask"


def preview(args: dict[str, Any], ctx: ToolContext) -> Preview:
    from ankita_desktop.toolkit.github import place, web_url

    _check(args)
    at = place(args, ctx, numbered=args["action"] != "create")
    facts = {
        "Labels": ", ".join(args.get("labels", [])),
        "Assignee": args.get("assignee", ""),
        "Reason": args.get("reason", "").replace("_", " ") if args["action"] == "close" else "",
    }
    lines = [args.get("title", ""), *(f"{name}: {value}" for name, value in facts.items() if value)]
    return Preview(
        "text",
        QUESTIONS[args["action"]].format(repo=at.repo, number=at.number),
        effect="send",
        text="\n\n".join(filter(None, ["\n".join(filter(None, lines)), args.get("body", "")])),
        where=f"{web_url(ctx)}/{at.repo}",
    )


def run(args: dict[str, Any], ctx: ToolContext) -> ToolResult:
    from ankita_desktop.toolkit.github import GitHub, place

    github, action = GitHub(ctx), args["action"]
    at = place(args, ctx, numbered=action not in ("list", "create"))
    if action == "list":
        return _list(args, github, at)
    if action == "show":
        return _show(github, at)
    _check(args)
    github.need_token("Changing issues")
    return _create(args, github, at) if action == "create" else _change(args, github, at)


def _check(args: dict[str, Any]) -> None:
    action = args["action"]
    if action == "create" and not args.get("title", "").strip():
        raise ToolError("create needs a title.")
    if action == "comment" and not args.get("body", "").strip():
        raise ToolError("comment needs a body.")


def _list(args: dict[str, Any], github: Any, at: Any) -> ToolResult:
    from ankita_desktop.toolkit.github_text import issue_line
    from ankita_desktop.toolkit.untrusted import outside

    limit = args.get("limit", 30)
    found = github.pages(
        f"{at.path}/issues",
        most=min(300, limit * 3),  # pull requests come along and are left out
        state=args.get("state", "open"),
        labels=",".join(args.get("labels", [])),
        assignee=args.get("assignee"),
    )
    every = [row for row in found.rows if "pull_request" not in row]
    issues, more = every[:limit], found.more or len(every) > limit
    rows = [{"number": r.get("number"), "title": r.get("title"), "url": r.get("html_url")} for r in issues]
    text = "\n".join(issue_line(row, at.repo) for row in issues) or "There are no such issues."
    note = "\n[there are more; raise limit]" if more else ""
    return outside(text + note, f"issues of {at.repo}", results=rows, count=len(rows), more=more)


def _show(github: Any, at: Any) -> ToolResult:
    from ankita_desktop.toolkit import github_text as said
    from ankita_desktop.toolkit.untrusted import outside

    path = f"{at.path}/issues/{at.number}"
    issue = github.get(path).data
    comments = github.pages(f"{path}/comments", most=300).rows if issue.get("comments") else []
    note = ["It is a pull request: github_pr knows more."] if "pull_request" in issue else []
    text = said.joined([said.head(issue, at.repo), *said.remarks(comments), *note])
    details = {"number": at.number, "state": said.state(issue), "url": issue.get("html_url")}
    return outside(text, f"{at.repo}#{at.number}", comments=len(comments), **details)


def _create(args: dict[str, Any], github: Any, at: Any) -> ToolResult:
    given = {"title": args["title"], "body": args.get("body"), "labels": args.get("labels")}
    people = [args["assignee"]] if args.get("assignee") else None
    body = {key: value for key, value in {**given, "assignees": people}.items() if value}
    made = github.send("POST", f"{at.path}/issues", body) or {}
    details = {"number": made.get("number"), "url": made.get("html_url")}
    return ToolResult(f"Opened {at.repo}#{made.get('number')}: {made.get('html_url')}", details)


def _change(args: dict[str, Any], github: Any, at: Any) -> ToolResult:
    path, done, url = f"{at.path}/issues/{at.number}", [], ""
    if args.get("body", "").strip():
        made = github.send("POST", f"{path}/comments", {"body": args["body"]}) or {}
        done, url = ["Commented"], made.get("html_url", "")
    if args["action"] in ("close", "reopen"):
        closing = args["action"] == "close"
        reason = {"state_reason": args.get("reason", "completed")} if closing else {}
        now = github.send("PATCH", path, {"state": "closed" if closing else "open", **reason}) or {}
        done, url = [*done, "Closed" if closing else "Reopened"], url or now.get("html_url", "")
    return ToolResult(f"{' and '.join(done)}: {at.repo}#{at.number} {url}".strip(), {"url": url})
