"""Pull requests on GitHub."""

from __future__ import annotations

from typing import Any

from ankita_desktop.toolkit import Level, Preview, ToolContext, ToolError, ToolResult

name = "github_pr"
description = "GitHub pull requests: list, show with comments and reviews, diff, checks, create, comment, review."
parameters = {
    "type": "object",
    "properties": {
        "action": {"enum": ["list", "show", "diff", "checks", "create", "comment", "review"]},
        "repo": {"type": "string", "description": "owner/name or address; default: the working folder's"},
        "number": {"type": "integer", "minimum": 1},
        "title": {"type": "string"},
        "body": {"type": "string", "description": "Markdown"},
        "head": {"type": "string", "description": "create: branch with the changes, or owner:branch"},
        "base": {"type": "string", "description": "create: branch to change; default: the repository's"},
        "draft": {"type": "boolean"},
        "verdict": {"enum": ["approve", "request_changes", "comment"], "description": "review"},
        "state": {"enum": ["open", "closed", "all"]},
        "offset": {"type": "integer", "minimum": 0, "description": "diff: character to start at"},
        "limit": {"type": "integer", "minimum": 1, "maximum": 200},
    },
    "required": ["action"],
    "additionalProperties": False,
}
approval = "ask"
keywords = ["pull request", "pull requests", "review a pr", "pr diff", "ci checks of a pr", "open a pull request"]

READS = ("list", "show", "diff", "checks")
QUESTIONS = {
    "create": "Open a pull request in {repo}?",
    "comment": "Comment on {repo}#{number}?",
    "review": "{verdict} {repo}#{number}?",
}
VERDICTS = {"approve": "Approve", "request_changes": "Request changes in", "comment": "Send a review of"}
SHOWN = 30_000  # characters of a diff


def approval_for(args: dict[str, Any], ctx: ToolContext) -> Level:
    return "never" if args["action"] in READS else "ask"


def preview(args: dict[str, Any], ctx: ToolContext) -> Preview:
    from ankita_desktop.toolkit.github import place, web_url

    _check(args)
    at = place(args, ctx, numbered=args["action"] != "create")
    verdict = VERDICTS.get(args.get("verdict", ""), "Review")
    branches = f"{args.get('head')} → {args.get('base') or 'the default branch'}" if args.get("head") else ""
    lines = [args.get("title", ""), branches, "Draft" * bool(args.get("draft"))]
    return Preview(
        "text",
        QUESTIONS[args["action"]].format(repo=at.repo, number=at.number, verdict=verdict),
        effect="send",
        text="\n\n".join(filter(None, ["\n".join(filter(None, lines)), args.get("body", "")])),
        where=f"{web_url(ctx)}/{at.repo}",
    )


def run(args: dict[str, Any], ctx: ToolContext) -> ToolResult:
    from ankita_desktop.toolkit.github import GitHub, place

    github, action = GitHub(ctx), args["action"]
    at = place(args, ctx, numbered=action not in ("list", "create"))
    if action not in READS:
        _check(args)
        github.need_token("Changing pull requests")
    return DEEDS[action](args, github, at)


def _check(args: dict[str, Any]) -> None:
    action = args["action"]
    needed = {"create": ("title", "head"), "comment": ("body",), "review": ("verdict",)}[action]
    if missing := [key for key in needed if not args.get(key, "").strip()]:
        raise ToolError(f"{action} needs {' and '.join(missing)}.")
    if action == "review" and args["verdict"] != "approve" and not args.get("body", "").strip():
        raise ToolError(f"A review with the verdict {args['verdict']} needs a body that says why.")


# --- reading --------------------------------------------------------------------------------


def _list(args: dict[str, Any], github: Any, at: Any) -> ToolResult:
    from ankita_desktop.toolkit.github_text import issue_line
    from ankita_desktop.toolkit.untrusted import outside

    found = github.pages(f"{at.path}/pulls", most=args.get("limit", 30), state=args.get("state", "open"))
    rows = [{"number": r.get("number"), "title": r.get("title"), "url": r.get("html_url")} for r in found.rows]
    text = "\n".join(issue_line(row, at.repo) for row in found.rows) or "There are no such pull requests."
    note = "\n[there are more; raise limit]" if found.more else ""
    return outside(text + note, f"pull requests of {at.repo}", results=rows, count=len(rows), more=found.more)


def _show(args: dict[str, Any], github: Any, at: Any) -> ToolResult:
    from ankita_desktop.toolkit import github_text as said
    from ankita_desktop.toolkit.untrusted import outside

    path = f"{at.path}/pulls/{at.number}"
    pr = github.get(path).data
    comments = github.pages(f"{at.path}/issues/{at.number}/comments", most=200).rows
    reviews = github.pages(f"{path}/reviews", most=200).rows
    remarks = github.pages(f"{path}/comments", most=200).rows if pr.get("review_comments") else []
    size = f"{pr.get('changed_files', '?')} files, +{pr.get('additions', '?')} −{pr.get('deletions', '?')}"
    branches = f"{(pr.get('head') or {}).get('label')} → {(pr.get('base') or {}).get('ref')}; {size}"
    parts = [said.remarks(comments), said.remarks(reviews, "review"), said.remarks(remarks, "remark")]
    text = said.joined([f"{said.head(pr, at.repo)}\n\n{branches}", *(each for part in parts for each in part)])
    details = {"number": at.number, "state": said.state(pr), "url": pr.get("html_url"), "reviews": len(reviews)}
    return outside(text, f"{at.repo}#{at.number}", **details)


def _diff(args: dict[str, Any], github: Any, at: Any) -> ToolResult:
    from ankita_desktop.toolkit.github import DIFF
    from ankita_desktop.toolkit.untrusted import outside

    diff = github.get(f"{at.path}/pulls/{at.number}", accept=DIFF).text
    begin = args.get("offset", 0)
    end = min(len(diff), begin + SHOWN)
    if end < len(diff):
        end = diff.rfind("\n", begin, end) + 1 or end
    if begin >= len(diff) > 0:
        raise ToolError(f"offset {begin:,} is past the end: the diff has {len(diff):,} characters.")
    more = f"\n[characters {begin:,}–{end:,} of {len(diff):,}; go on with offset={end}]" if end < len(diff) else ""
    text = (diff[begin:end] or "It changes nothing.") + more
    return outside(text, f"diff of {at.repo}#{at.number}", characters=len(diff))


def _checks(args: dict[str, Any], github: Any, at: Any) -> ToolResult:
    from ankita_desktop.toolkit.untrusted import outside

    sha = ((github.get(f"{at.path}/pulls/{at.number}").data.get("head")) or {}).get("sha", "")
    runs = github.pages(f"{at.path}/commits/{sha}/check-runs", most=200).rows
    statuses = github.pages(f"{at.path}/commits/{sha}/status", most=100).rows
    rows = [(_outcome(run), run.get("name"), run.get("html_url")) for run in runs]
    rows += [(str(one.get("state")), one.get("context"), one.get("target_url")) for one in statuses]
    rows.sort(key=lambda row: ORDER.index(row[0]) if row[0] in ORDER else 2)
    names = dict.fromkeys(row[0] for row in rows)
    summary = ", ".join(f"{sum(row[0] == name for row in rows)} {name}" for name in names)
    lines = [f"- {outcome}: {title} {url or ''}".rstrip() for outcome, title, url in rows]
    text = "\n".join([f"Checks of {sha[:9]}: {summary}", *lines]) if rows else f"No checks ran on {sha[:9]}."
    details = {"checks": [{"name": row[1], "state": row[0]} for row in rows], "sha": sha}
    return outside(text, f"checks of {at.repo}#{at.number}", **details)


ORDER = ["failure", "error", "", "in_progress", "queued", "pending", "success"]


def _outcome(run: dict[str, Any]) -> str:
    return str(run.get("conclusion") or run.get("status") or "pending")


# --- changing -------------------------------------------------------------------------------


def _create(args: dict[str, Any], github: Any, at: Any) -> ToolResult:
    base = args.get("base") or github.get(at.path).data.get("default_branch", "main")
    body = {"title": args["title"], "head": args["head"], "base": base, "body": args.get("body", "")}
    made = github.send("POST", f"{at.path}/pulls", {**body, "draft": args.get("draft", False)}) or {}
    details = {"number": made.get("number"), "url": made.get("html_url")}
    return ToolResult(f"Opened {at.repo}#{made.get('number')} into {base}: {made.get('html_url')}", details)


def _comment(args: dict[str, Any], github: Any, at: Any) -> ToolResult:
    made = github.send("POST", f"{at.path}/issues/{at.number}/comments", {"body": args["body"]}) or {}
    return ToolResult(f"Commented: {made.get('html_url')}", {"url": made.get("html_url")})


def _review(args: dict[str, Any], github: Any, at: Any) -> ToolResult:
    body = {"event": args["verdict"].upper(), "body": args.get("body", "")}
    made = github.send("POST", f"{at.path}/pulls/{at.number}/reviews", body) or {}
    return ToolResult(
        f"Sent the review of {at.repo}#{at.number}: {made.get('html_url')}", {"url": made.get("html_url")}
    )


DEEDS = {
    "list": _list,
    "show": _show,
    "diff": _diff,
    "checks": _checks,
    "create": _create,
    "comment": _comment,
    "review": _review,
}
