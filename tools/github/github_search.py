"""Search GitHub."""

from __future__ import annotations

from typing import Any

from ankita_desktop.toolkit import ToolContext, ToolError, ToolResult

name = "github_search"
description = "Search GitHub for issues, pull requests, repositories or code, in GitHub's search syntax."
parameters = {
    "type": "object",
    "properties": {
        "query": {"type": "string"},
        "kind": {"enum": ["issues", "prs", "repos", "code"]},
        "sort": {"enum": ["created", "updated", "comments", "stars"]},
        "limit": {"type": "integer", "minimum": 1, "maximum": 100},
    },
    "required": ["query", "kind"],
    "additionalProperties": False,
}
approval = "never"
read_only = True
keywords = ["search github", "find repositories", "search issues", "search pull requests", "code search"]

WHERE = {"issues": "issues", "prs": "issues", "repos": "repositories", "code": "code"}
ONLY = {"issues": " is:issue", "prs": " is:pr", "repos": "", "code": ""}


def run(args: dict[str, Any], ctx: ToolContext) -> ToolResult:
    from ankita_desktop.toolkit.github import GitHub, web_url
    from ankita_desktop.toolkit.untrusted import outside

    kind, query = args["kind"], " ".join(args["query"].split())
    if not query:
        raise ToolError("query is empty: say what to search for.")
    github = GitHub(ctx)
    if kind == "code":
        github.need_token("Searching code")
    found = github.pages(
        f"/search/{WHERE[kind]}", most=args.get("limit", 20), q=query + ONLY[kind], sort=args.get("sort")
    )
    lines = [
        _repo(row) if kind == "repos" else _code(row) if kind == "code" else _issue(row) for row in found.rows
    ]
    rows = [{"title": _title(row), "url": row.get("html_url", "")} for row in found.rows]
    text = "\n".join(lines) or "Nothing was found. Try other or fewer words."
    more = "\n[there are more; raise limit or narrow the query]" if found.more else ""
    return outside(text + more, f"{web_url(ctx)}/search", results=rows, count=len(rows), more=found.more)


def _title(row: dict[str, Any]) -> str:
    return str(row.get("title") or row.get("full_name") or row.get("path") or "")


def _issue(row: dict[str, Any]) -> str:
    from ankita_desktop.toolkit.github_text import issue_line

    repo = "/".join(str(row.get("repository_url") or "").split("/")[-2:])
    return f"{issue_line(row, repo)}\n  {row.get('html_url', '')}"


def _repo(row: dict[str, Any]) -> str:
    facts = [
        f"{row.get('stargazers_count', 0):,} stars",
        row.get("language"),
        "archived" * bool(row.get("archived")),
    ]
    about = " ".join(str(row.get("description") or "").split())[:300]
    head = f"- {row.get('full_name')} ({', '.join(filter(None, facts))}) {row.get('html_url', '')}"
    return f"{head}\n  {about}" if about else head


def _code(row: dict[str, Any]) -> str:
    repo = (row.get("repository") or {}).get("full_name", "?")
    return f"- {repo}: {row.get('path')}\n  {row.get('html_url', '')}"
