"""Issues, pull requests and what is said about them, as lines of text."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

WORDS = 6_000  # characters of one body or comment
SHOWN = 40_000  # characters of everything

Row = Mapping[str, Any]


def when(text: Any) -> str:
    """ "2026-11-30 14:32" of GitHub's time, in UTC."""
    return str(text or "")[:16].replace("T", " ")


def who(row: Row, key: str = "user") -> str:
    return str((row.get(key) or {}).get("login") or "somebody")


def state(row: Row) -> str:
    """open, draft, closed, merged, or closed with its reason."""
    if row.get("merged_at") or (row.get("pull_request") or {}).get("merged_at"):
        return "merged"
    if row.get("draft") and row.get("state") == "open":
        return "draft"
    reason = str(row.get("state_reason") or "") if row.get("state") == "closed" else ""
    return "closed as not planned" if reason == "not_planned" else str(row.get("state") or "")


def issue_line(row: Row, repo: str = "") -> str:
    """One line of a list."""
    labels = ", ".join(str(label.get("name")) for label in row.get("labels") or () if isinstance(label, Mapping))
    said = row.get("comments")
    facts = [
        f"by {who(row)}",
        labels and f"labels: {labels}",
        f"{said} comments" if isinstance(said, int) and said else "",
        f"updated {when(row.get('updated_at'))}",
    ]
    return f"- {repo}#{row.get('number')} [{state(row)}] {row.get('title')} ({'; '.join(filter(None, facts))})"


def head(row: Row, repo: str) -> str:
    """What it is, and what its author wrote."""
    people = ", ".join(str(one.get("login")) for one in row.get("assignees") or ())
    lines = [
        issue_line(row, repo).removeprefix("- "),
        str(row.get("html_url") or ""),
        f"opened {when(row.get('created_at'))}" + (f", assigned to {people}" if people else ""),
    ]
    return "\n".join(lines) + f"\n\n{cut(str(row.get('body') or '(no description)'))}"


def remarks(rows: Iterable[Row], word: str = "comment") -> list[str]:
    """Comments and reviews, one part each."""
    said = []
    for row in rows:
        at = when(row.get("created_at") or row.get("submitted_at"))
        place = (
            f" on {row['path']}:{row.get('line') or row.get('original_line') or '?'}" if row.get("path") else ""
        )
        verdict = f" {str(row['state']).lower().replace('_', ' ')}" if row.get("state") else ""
        body = cut(str(row.get("body") or "")).strip()
        if body or verdict not in ("", " commented"):
            said.append(f"--- {word} by {who(row)}{verdict}{place}, {at}\n{body}".rstrip())
    return said


def cut(text: str, most: int = WORDS) -> str:
    text = text.replace("\r\n", "\n")
    return text if len(text) <= most else f"{text[:most]}\n[cut after {most:,} of {len(text):,} characters]"


def joined(parts: Iterable[str]) -> str:
    """Parts with a line between them, within bounds; the newest stay, after the first."""
    first, *rest = parts
    left, kept = SHOWN - len(first), list[str]()
    for part in reversed(rest):
        left -= len(part)
        if left < 0:
            kept.append(f"[{len(rest) - len(kept)} older ones are left out]")
            break
        kept.append(part)
    return "\n\n".join([first, *reversed(kept)])
