"""git, one action a call: reading runs nothing of the repository's own, changing asks and says what it runs."""

import hashlib
import shlex

from ankita_desktop.toolkit import Level, Preview, ToolContext, ToolResult, recording
from ankita_desktop.toolkit import git_reading as reading
from ankita_desktop.toolkit.git import Repository, decode, without_credentials
from ankita_desktop.toolkit.git_advice import accepted, said
from ankita_desktop.toolkit.git_changing import ALWAYS_HOOKS, Plan, plan

name = "git"
description = (
    "Work with a git repository. branch and tag list without ref. "
    "restore, and checkout with paths, throw changes away."
)
parameters = {
    "type": "object",
    "properties": {
        "action": {
            "type": "string",
            "enum": [
                "status",
                "diff",
                "log",
                "show",
                "blame",
                "branch",
                "checkout",
                "stage",
                "unstage",
                "commit",
                "stash",
                "restore",
                "push",
                "pull",
                "fetch",
                "merge",
                "rebase",
                "tag",
            ],
        },
        "path": {"type": "string", "description": "Folder in the repository; default: working folder"},
        "paths": {"type": "array", "items": {"type": "string"}, "description": "Files, literal, relative to path"},
        "ref": {
            "type": "string",
            "description": "Commit, range (a..b), commit:file, branch, tag or stash acted on; restore: source",
        },
        "from": {"type": "string", "description": "Start of a new branch or tag"},
        "message": {"type": "string", "description": "Of a commit, merge, stash or annotated tag"},
        "remote": {"type": "string"},
        "op": {
            "type": "string",
            "enum": [
                "push",
                "list",
                "show",
                "pop",
                "apply",
                "drop",
                "clear",
                "abort",
                "continue",
                "skip",
                "ff",
                "merge",
                "rebase",
            ],
            "description": "stash: push…clear; merge, rebase: abort, continue, skip; pull: ff, merge, rebase",
        },
        "all": {"type": "boolean", "description": "All changes, branches or refs; stash: untracked too"},
        "staged": {"type": "boolean", "description": "diff, restore: the index"},
        "create": {"type": "boolean", "description": "checkout: new branch"},
        "delete": {"type": "boolean"},
        "force": {"type": "boolean"},
        "amend": {"type": "boolean"},
        "lines": {"type": "string", "description": "blame: 10,20"},
        "limit": {"type": "integer", "minimum": 1, "maximum": 1000},
    },
    "required": ["action"],
}
approval = "ask"
keywords = ["git", "commit", "branch", "diff", "staged", "stash", "merge", "rebase", "blame", "push", "pull"]

READS = {
    "status": reading.status,
    "diff": reading.diff,
    "log": reading.log,
    "show": reading.show,
    "blame": reading.blame,
}
LISTS = {"branch": reading.branches, "tag": reading.tags}
STASH = {"list": reading.stashes, "show": reading.stash_show}
FILES = 40
COMMITS = 20


def approval_for(args: dict, ctx: ToolContext) -> Level:
    if _reader(args):
        return ctx.files.read_level(args.get("path", "."))
    return plan(_repository(args, ctx), args).level


def preview(args: dict, ctx: ToolContext) -> Preview:
    if _reader(args):
        return ctx.files.read_preview(args.get("path", "."))
    repository = _repository(args, ctx)
    planned = plan(repository, args)
    programs = repository.programs((*planned.hooks, *ALWAYS_HOOKS))
    address = _address(repository, planned.remote)
    return Preview(
        kind="text",
        question=f"Run git {planned.argv[0]} in {repository.root.name}?",
        effect=planned.effect,
        text="\n\n".join([*_shown(repository, planned), *address, *_run_by(programs)]),
        where=str(repository.root),
        grant_key="" if planned.danger else _grant_key(args["action"], repository, (*address, *programs)),
        grant_label=f"git {args['action']} in {repository.root}",
        danger=_danger(repository, planned),
    )


def run(args: dict, ctx: ToolContext) -> ToolResult:
    repository = _repository(args, ctx)
    reader = _reader(args)
    if reader:
        return reader(repository, args)
    planned = plan(repository, args)
    kept = _keep(repository, planned, ctx)
    try:
        outcome = repository.change(*planned.argv, stdin=planned.stdin)
    finally:
        checkpoint = recording.end(ctx, kept)
    ctx.cancel.check()
    facts = reading.status_facts(repository)
    accepted(outcome, facts)
    return ToolResult(
        said(outcome) or "Done.", {"action": args["action"], "status": facts, "checkpoint": checkpoint}
    )


def _reader(args: dict):
    """What answers a call that only looks, or None."""
    action = args["action"]
    if action == "stash":
        return STASH.get(args.get("op", "push"))
    if action in LISTS and "ref" not in args and not args.get("delete"):
        return LISTS[action]
    return READS.get(action)


def _repository(args: dict, ctx: ToolContext) -> Repository:
    return Repository(ctx.files.resolve(args.get("path", ".")), ctx.cancel)


def _grant_key(action: str, repository: Repository, bound: tuple[str, ...]) -> str:
    """A yes counts for this action here, while the server it talks to and what it runs stay the same."""
    digest = hashlib.sha256("\n".join(bound).encode()).hexdigest()[:12] if bound else ""
    return f"git:{action}:{repository.root}:{digest}".rstrip(":")


def _shown(repository: Repository, planned: Plan) -> list[str]:
    parts = ["git " + shlex.join(planned.argv).replace(":(literal)", "")]
    if planned.stdin:
        parts.append(planned.stdin.strip())
    if planned.showing is not None:
        parts.append(_stat(repository, planned.showing))
    if planned.sending is not None:
        parts.append("Commits sent:\n" + (_commits(repository, planned.sending) or "(none)"))
    return parts


def _run_by(programs: tuple[str, ...]) -> list[str]:
    lines = "\n".join(f"  {line}" for line in programs)
    return [f"The repository's own programs that may run:\n{lines}"] if programs else []


def _address(repository: Repository, remote: str) -> list[str]:
    if not remote:
        return []
    url = decode(repository.read("remote", "get-url", "--push", "--", remote).out).strip()
    return [f"Server: {remote} {without_credentials(url)}".strip()]


def _stat(repository: Repository, selection: tuple[str, ...]) -> str:
    """Files with their counts; the digest binds the yes to these very contents."""
    files = reading.changed_files(repository, selection)
    patch = repository.read("diff", *reading.DIFF, "--binary", *selection).out
    rows = [f"{row['path']}  +{row['added']} -{row['removed']}" for row in files[:FILES]]
    if len(files) > FILES:
        rows.append(f"… and {len(files) - FILES} more files")
    return "\n".join([*(rows or ["(no changes)"]), f"contents {hashlib.sha256(patch).hexdigest()[:12]}"])


def _danger(repository: Repository, planned: Plan) -> str:
    if not planned.danger:
        return ""
    parts = [planned.danger]
    if planned.losing is not None:
        parts.append("Changed files:\n" + _stat(repository, planned.losing))
    if planned.dropping is not None and (commits := _commits(repository, planned.dropping)):
        parts.append("Concerned:\n" + commits)
    return "\n".join(parts)


def _commits(repository: Repository, selection: tuple[str, ...]) -> str:
    shape = ("--no-color", "--no-patch", "--format=%h %s", f"--max-count={COMMITS}")
    return decode(repository.read("log", *shape, *selection, "--").out).strip()


def _keep(repository: Repository, planned: Plan, ctx: ToolContext) -> str:
    """What would be lost goes into the undo store first; what git keeps itself is git's to bring back."""
    if planned.losing is None or ctx.services.checkpoints is None:
        return ""
    files = reading.changed_files(repository, planned.losing)
    paths = [repository.root / row["path"] for row in files]
    label = f"git {planned.argv[0]}"
    return ctx.services.checkpoints.before(paths, session=ctx.session, call_id=ctx.call_id, label=label)
