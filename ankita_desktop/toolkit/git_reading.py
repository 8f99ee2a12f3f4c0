"""What git knows, in few words for the model and as data for the person. Nothing here changes or runs anything."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from ankita_desktop.errors import ToolError
from ankita_desktop.protocol import ToolResult
from ankita_desktop.toolkit.git import Repository, checked, decode, files, plain, without_credentials

SHOWN = 24_000
NAMES = 60
LIMIT = 20
# What a repository says about how differences are made is left out, and so are its submodules' files.
DIFF = (
    *(
        "--no-ext-diff",
        "--no-textconv",
        "--no-color",
        "--no-relative",
        "--submodule=short",
        "--ignore-submodules=dirty",
    ),
    *("--src-prefix=a/", "--dst-prefix=b/"),
)
STATES = {
    "rebase-merge": "a rebase is under way",
    "rebase-apply": "a rebase is under way",
    "MERGE_HEAD": "a merge is under way",
    "CHERRY_PICK_HEAD": "a cherry-pick is under way",
    "REVERT_HEAD": "a revert is under way",
    "BISECT_LOG": "a bisect is under way",
}

Args = Mapping[str, Any]


def status(repository: Repository, args: Args) -> ToolResult:
    facts = status_facts(repository, args.get("paths", ()))
    lines = [_branch_line(facts)]
    for title, key in (("Conflicts", "conflicts"), ("Staged", "staged"), ("Not staged", "unstaged")):
        lines += _listing(title, [f"{row['change']} {_renamed(row)}" for row in facts[key]])
    lines += _listing("Untracked", facts["untracked"])
    if not any(facts[key] for key in ("conflicts", "staged", "unstaged", "untracked")):
        lines.append("Nothing to commit, the working tree is clean.")
    if repository.neutralized:
        names = ", ".join(repository.neutralized)
        lines.append(
            f"[the repository's own filters ({names}) were not run; files under them may show as changed]"
        )
    return ToolResult("\n".join(lines), facts)


def status_facts(repository: Repository, paths: Sequence[str] = ()) -> dict[str, Any]:
    """branch (None: detached), head, upstream, ahead, behind, state, and the lists staged, unstaged,
    conflicts ({path, change, from}) and untracked (paths)."""
    options = ("--porcelain=v2", "--branch", "-z", "--untracked-files=normal", "--ignore-submodules=dirty")
    fields = iter(repository.text("status", *options, *files(paths)).split("\0"))
    facts: dict[str, Any] = {
        **dict.fromkeys(("branch", "head", "upstream")),
        **dict.fromkeys(("ahead", "behind"), 0),
        **{key: [] for key in ("staged", "unstaged", "conflicts", "untracked")},
        "upstream_gone": False,
        "state": state(repository),
    }
    for field in fields:
        _take(facts, field, fields)
    return facts


def _take(facts: dict[str, Any], field: str, rest: Iterator[str]) -> None:
    kind, _, body = field.partition(" ")
    if kind == "#":
        _header(facts, body)
    elif kind == "?":
        facts["untracked"].append(body)
    elif kind == "1":
        _changed(facts, body[:2], body.split(" ", 7)[7], None)
    elif kind == "2":
        _changed(facts, body[:2], body.split(" ", 8)[8], next(rest, None))
    elif kind == "u":
        facts["conflicts"].append({"path": body.split(" ", 9)[9], "change": body[:2], "from": None})


def _header(facts: dict[str, Any], body: str) -> None:
    name, _, value = body.partition(" ")
    if name == "branch.head":
        facts["branch"] = None if value == "(detached)" else value
    elif name == "branch.oid":
        facts["head"] = None if value == "(initial)" else value
    elif name == "branch.upstream":
        facts |= {"upstream": value, "upstream_gone": True}  # unless how far apart they are comes after it
    elif name == "branch.ab":
        ahead, behind = value.split()
        facts |= {"ahead": int(ahead), "behind": -int(behind), "upstream_gone": False}


def _changed(facts: dict[str, Any], codes: str, path: str, origin: str | None) -> None:
    for code, key in zip(codes, ("staged", "unstaged"), strict=True):
        if code != ".":
            facts[key].append({"path": path, "change": code, "from": origin})


def state(repository: Repository) -> str:
    """What is under way, in words; "" for nothing."""
    return next((words for name, words in STATES.items() if (repository.git_dir / name).exists()), "")


def _branch_line(facts: dict[str, Any]) -> str:
    where = f"On branch {facts['branch']}" if facts["branch"] else f"Detached at {(facts['head'] or '')[:10]}"
    parts = [where if facts["head"] else f"{where}, no commits yet"]
    if facts["upstream_gone"]:
        parts.append(f"{facts['upstream']} isn't there yet or any more: push makes it")
    elif facts["upstream"]:
        apart = [f"{facts[key]} {key}" for key in ("ahead", "behind") if facts[key]]
        of = " of" if apart == [f"{facts['ahead']} ahead"] else ""
        parts.append(f"{' and '.join(apart) or 'level with'}{of} {facts['upstream']}")
    parts += [facts["state"]] if facts["state"] else []
    return ", ".join(parts) + "."


def _renamed(row: Mapping[str, Any]) -> str:
    return f"{row['from']} -> {row['path']}" if row["from"] else str(row["path"])


def _listing(title: str, names: Sequence[str]) -> list[str]:
    if not names:
        return []
    more = [f"  … and {len(names) - NAMES} more"] if len(names) > NAMES else []
    return [f"{title} ({len(names)}):", *(f"  {name}" for name in names[:NAMES]), *more]


def diff(repository: Repository, args: Args) -> ToolResult:
    what = [*(["--cached"] if args.get("staged") else []), *_revision(args), *_files(args)]
    changed = changed_files(repository, what)
    patch = repository.text("diff", *DIFF, *what)
    counts = [f"{row['path']} +{row['added']} -{row['removed']}" for row in changed]
    text = _cut(patch, "\n".join(counts)) if patch else "No differences."
    return ToolResult(text, {"files": changed})


def changed_files(repository: Repository, selection: Sequence[str]) -> list[dict[str, Any]]:
    """{path, added, removed} of a difference; the counts are None for binary files."""
    out = repository.text("diff", *DIFF, "--numstat", "--no-renames", "-z", *selection)
    rows = [row.split("\t", 2) for row in out.split("\0") if row.count("\t") == 2]
    return [{"path": path, "added": _count(added), "removed": _count(removed)} for added, removed, path in rows]


def _count(text: str) -> int | None:
    return int(text) if text.isdigit() else None


def log(repository: Repository, args: Args) -> ToolResult:
    limit = args.get("limit", LIMIT)
    shape = ["-z", "--no-color", "--no-patch", "--encoding=UTF-8", "--format=%H%x1f%h%x1f%an%x1f%aI%x1f%D%x1f%s"]
    everything = ["--all"] if args.get("all") else []
    selection = [f"--max-count={limit}", *everything, *_revision(args), *_files(args)]
    rows = [row.split("\x1f") for row in repository.text("log", *shape, *selection).split("\0") if row]
    keys = ("hash", "short", "author", "date", "refs", "subject")
    commits = [dict(zip(keys, row, strict=True)) for row in rows if len(row) == len(keys)]
    lines = [_commit_line(commit) for commit in commits]
    if len(commits) == limit:
        lines.append(f"[the first {limit}; raise limit for more]")
    return ToolResult("\n".join(lines) or "No commits.", {"commits": commits})


def _commit_line(commit: Mapping[str, str]) -> str:
    refs = f" ({commit['refs']})" if commit["refs"] else ""
    return f"{commit['short']} {commit['date'][:10]} {commit['author']}{refs}: {commit['subject']}"


def show(repository: Repository, args: Args) -> ToolResult:
    ref = plain(args.get("ref", "HEAD"), "revision")
    shape = ["--no-color", "--encoding=UTF-8", "--format=medium", "--stat", "--patch", *DIFF]
    raw = checked(repository.read("show", *shape, "--end-of-options", ref, *_files(args))).out
    if b"\0" in raw[:8000]:
        raise ToolError(f"{ref} is a binary file of {len(raw)} bytes.")
    return ToolResult(_cut(decode(raw)), {"ref": ref})


def blame(repository: Repository, args: Args) -> ToolResult:
    paths = args.get("paths", ())
    if len(paths) != 1:
        raise ToolError("blame takes one file in paths.")
    lines = [f"-L{_range(args['lines'])}"] if "lines" in args else []
    revision = [plain(args["ref"], "revision")] if "ref" in args else []
    text = repository.text("blame", "--no-textconv", "--date=short", *lines, *revision, "--", *paths)
    return ToolResult(_cut(text), {"path": paths[0]})


def _range(text: str) -> str:
    if not all(part.isdigit() for part in text.split(",")):
        raise ToolError(f"lines is {text!r}; write first,last as in 10,20.")
    return text


def branches(repository: Repository, args: Args) -> ToolResult:
    parts = ("HEAD", "refname:short", "objectname:short", "upstream:short", "upstream:track,nobracket")
    places = ["refs/heads", *(["refs/remotes"] if args.get("all") else [])]
    keys = ("current", "name", "commit", "upstream", "track", "subject")
    rows = _refs(repository, (*parts, "contents:subject"), keys, ["--sort=-committerdate", *places])
    lines = [f"{row['current']} {row['name']} {row['commit']}{_tracking(row)}: {row['subject']}" for row in rows]
    details = [{**row, "current": row["current"] == "*"} for row in rows]
    return ToolResult("\n".join(lines) or "No branches yet.", {"branches": details})


def _tracking(row: Mapping[str, str]) -> str:
    if not row["upstream"]:
        return ""
    return f" [{row['upstream']}{': ' if row['track'] else ''}{row['track']}]"


def tags(repository: Repository, args: Args) -> ToolResult:
    parts = ("refname:short", "objectname:short", "creatordate:short", "contents:subject")
    keys = ("name", "commit", "date", "subject")
    limit = args.get("limit", 100)
    rows = _refs(repository, parts, keys, [f"--count={limit}", "--sort=-creatordate", "refs/tags"])
    return ToolResult("\n".join(" ".join(row.values()) for row in rows) or "No tags.", {"tags": rows})


def _refs(
    repository: Repository, parts: Sequence[str], keys: Sequence[str], selection: Sequence[str]
) -> list[dict[str, str]]:
    shape = "%1f".join(f"%({part})" for part in parts)
    out = repository.text("for-each-ref", f"--format={shape}", *selection)
    rows = [line.split("\x1f") for line in out.splitlines()]
    return [dict(zip(keys, row, strict=True)) for row in rows if len(row) == len(keys)]


def stashes(repository: Repository, args: Args) -> ToolResult:
    out = repository.text("stash", "list", "-z", "--no-color", "--no-patch", "--format=%gd%x1f%aI%x1f%gs")
    rows = [row.split("\x1f") for row in out.split("\0") if row.count("\x1f") == 2]
    lines = [f"{name} {date[:10]} {subject}" for name, date, subject in rows]
    details = [{"name": name, "date": date, "subject": subject} for name, date, subject in rows]
    return ToolResult("\n".join(lines) or "No stashes.", {"stashes": details})


def stash_show(repository: Repository, args: Args) -> ToolResult:
    name = plain(args.get("ref", "stash@{0}"), "stash")
    return ToolResult(_cut(repository.text("stash", "show", "--patch", *DIFF, name)), {"name": name})


def _files(args: Args) -> list[str]:
    return files(args.get("paths", ())) or ["--"]


def _revision(args: Args) -> list[str]:
    return ["--end-of-options", plain(args["ref"], "revision")] if "ref" in args else []


def _cut(text: str, summary: str = "") -> str:
    """As much as an answer may have, by whole lines, and how to see the rest."""
    text = without_credentials(text)
    if len(text) <= SHOWN:
        return text
    end = text.rfind("\n", 0, SHOWN) + 1 or SHOWN
    head = f"{summary[: SHOWN // 4]}\n\n" if summary else ""
    return f"{head}{text[:end]}[{len(text) - end} characters cut; name paths to see less at once]"
