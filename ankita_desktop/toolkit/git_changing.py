"""What a change by git would do, said before it is done: the command, who must be asked, what could be lost."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ankita_desktop.errors import ToolError
from ankita_desktop.protocol import Effect, Level
from ankita_desktop.toolkit.git import Repository, decode, files, plain
from ankita_desktop.toolkit.git_advice import refuse_markers
from ankita_desktop.toolkit.git_reading import state

COMMITTING = ("pre-commit", "prepare-commit-msg", "commit-msg", "post-commit")
ALWAYS_HOOKS = ("post-index-change", "reference-transaction")


@dataclass(frozen=True, slots=True)
class Plan:
    """One git command. ``danger`` says what it can lose (then it is asked every time); ``losing`` selects the
    difference (arguments of ``git diff``) and ``dropping`` the commits (of ``git log``) that would be gone;
    ``showing`` and ``sending`` select what is shown beside the question."""

    argv: tuple[str, ...]
    stdin: str = ""
    effect: Effect = "run"
    danger: str = ""
    losing: tuple[str, ...] | None = None
    dropping: tuple[str, ...] | None = None
    showing: tuple[str, ...] | None = None
    sending: tuple[str, ...] | None = None
    remote: str = ""
    hooks: tuple[str, ...] = ()

    @property
    def level(self) -> Level:
        return "always" if self.danger else "ask"


Args = Mapping[str, Any]


def plan(repository: Repository, args: Args) -> Plan:
    """The command that the arguments mean. Raises ``ToolError`` when they don't mean one."""
    return PLANS[args["action"]](repository, args)


def _checkout(_repository: Repository, args: Args) -> Plan:
    if args.get("paths"):
        return _restore(_repository, args)
    ref = _needed(args, "branch or commit")
    hooks = ("post-checkout",)
    if args.get("create"):
        return Plan(("checkout", "-b", ref, *_from(args)), hooks=hooks)
    if args.get("force"):
        danger = "Changes that aren't committed are thrown away."
        return Plan(("checkout", "--force", ref, "--"), danger=danger, losing=("HEAD",), hooks=hooks)
    return Plan(("checkout", ref, "--"), hooks=hooks)


def _stage(_repository: Repository, args: Args) -> Plan:
    return Plan(("add", *_all_or_paths(args, "--all")))


def _unstage(_repository: Repository, args: Args) -> Plan:
    return Plan(("reset", "--quiet", *_all_or_paths(args)))


def _commit(repository: Repository, args: Args) -> Plan:
    message = args.get("message", "").strip()
    if not message:
        raise ToolError("A commit needs a message.")
    refuse_markers(repository, state(repository), force=args.get("force", False))
    paths = args.get("paths", ())
    everything = args.get("all", False) and not paths
    flags = [*(["--all"] if everything else []), *(["--amend"] if args.get("amend") else [])]
    base = _base(repository)
    showing = (base, *(files(paths) or ["--"])) if everything or paths else ("--cached",)
    return Plan(
        ("commit", *flags, "--file=-", *files(paths)),
        stdin=message + "\n",
        danger="The last commit is replaced by a new one." if args.get("amend") else "",
        dropping=("--max-count=1", "HEAD") if args.get("amend") else None,
        showing=showing,
        hooks=(*COMMITTING, *(["post-rewrite"] if args.get("amend") else [])),
    )


def _base(repository: Repository) -> str:
    """HEAD, or what a first commit is compared with."""
    unborn = repository.read("rev-parse", "--verify", "--quiet", "HEAD").code != 0
    return "--cached" if unborn else "HEAD"


def _stash(_repository: Repository, args: Args) -> Plan:
    op = args.get("op", "push")
    if op == "push":
        message = ["--message", args["message"]] if args.get("message") else []
        untracked = ["--include-untracked"] if args.get("all") else []
        paths = args.get("paths", ())
        return Plan(("stash", "push", *message, *untracked, *files(paths)))
    if op == "clear":
        return Plan(
            ("stash", "clear"), danger="Every stash is deleted.", dropping=("--walk-reflogs", "refs/stash")
        )
    name = plain(args.get("ref", "stash@{0}"), "stash")
    if op == "drop":
        dropping = ("--walk-reflogs", "--max-count=1", name)
        return Plan(("stash", "drop", name), danger=f"{name} is deleted.", dropping=dropping)
    if op in ("pop", "apply"):
        return Plan(("stash", op, name), hooks=("post-checkout",))
    raise ToolError(f"stash has no op {op!r}. It has push, list, show, pop, apply, drop, clear.")


def _restore(_repository: Repository, args: Args) -> Plan:
    paths = args.get("paths", ())
    if not paths:
        raise ToolError("Name the files in paths ('.' means all of the folder).")
    source = [f"--source={plain(args['ref'], 'revision')}"] if "ref" in args else []
    if args.get("staged"):
        return Plan(("restore", "--staged", *source, *files(paths)))
    danger = "Changes in these files that aren't committed or staged are thrown away."
    return Plan(("restore", "--worktree", *source, *files(paths)), danger=danger, losing=tuple(files(paths)))


def _push(repository: Repository, args: Args) -> Plan:
    branch = _current(repository)
    remote = _remote(repository, args)
    ref = plain(args.get("ref") or branch or "", "branch (none is checked out: name one in ref)")
    tracked = args.get("ref") or _setting(repository, f"branch.{branch}.merge")
    forced, deleted = args.get("force") or ref.startswith("+"), args.get("delete") or ref.startswith(":")
    ours = ref.strip("+").partition(":")[0]
    theirs = f"refs/remotes/{remote}/{ref.strip('+:').rpartition(':')[2]}"
    known = repository.read("rev-parse", "--verify", "--quiet", theirs).code == 0
    flags = [
        *(["--force-with-lease"] if args.get("force") else []),
        *(["--delete"] if args.get("delete") else []),
        *([] if tracked or deleted else ["--set-upstream"]),
    ]
    danger = f"Commits on {remote} that your branch lacks are thrown away." if forced else ""
    return Plan(
        ("push", "--no-recurse-submodules", *flags, "--", remote, ref),
        effect="send",
        danger=f"{ref.strip(':')} is deleted on {remote}." if deleted else danger,
        dropping=(theirs, "--not", ours or "HEAD") if known and (forced or deleted) else None,
        sending=None if deleted else (ours, "--not", f"--remotes={remote}"),
        remote=remote,
        hooks=("pre-push",),
    )


def _pull(repository: Repository, args: Args) -> Plan:
    how = {"ff": "--ff-only", "merge": "--no-rebase", "rebase": "--rebase"}
    op = args.get("op", "ff")
    if op not in how:
        raise ToolError(f"pull has no op {op!r}. It has ff (the default), merge, rebase.")
    hooks = ("post-merge", "pre-merge-commit", *COMMITTING, "post-checkout", "pre-rebase", "post-rewrite")
    argv = ("pull", "--no-recurse-submodules", how[op], "--", *_remote_and_ref(args))
    danger = "Your commits that aren't pushed are written anew on top of theirs." if op == "rebase" else ""
    dropping = ("@{upstream}..HEAD",) if op == "rebase" else None
    return Plan(argv, danger=danger, dropping=dropping, hooks=hooks, remote=_remote(repository, args))


def _fetch(repository: Repository, args: Args) -> Plan:
    words = _remote_and_ref(args)
    if any(":" in word or word.startswith("+") for word in words[1:]):
        raise ToolError("fetch takes one branch or tag in ref, not a mapping of branches.")
    return Plan(("fetch", "--no-recurse-submodules", "--", *words), remote=_remote(repository, args))


def _merge(repository: Repository, args: Args) -> Plan:
    if "op" in args:
        return _going_on(repository, args, ("abort", "continue"))
    ref = _needed(args, "branch or commit")
    message = ["-m", args["message"]] if args.get("message") else ["--no-edit"]
    return Plan(("merge", *message, "--", ref), hooks=("pre-merge-commit", "post-merge", *COMMITTING))


def _rebase(repository: Repository, args: Args) -> Plan:
    if "op" in args:
        return _going_on(repository, args, ("abort", "continue", "skip"))
    ref = _needed(args, "branch or commit to rebase onto")
    danger = "Commits of the current branch are written anew; the old ones are only in the reflog."
    hooks = ("pre-rebase", "post-rewrite", "post-checkout", *COMMITTING)
    return Plan(("rebase", "--no-autostash", ref), danger=danger, dropping=(f"{ref}..HEAD",), hooks=hooks)


def _going_on(repository: Repository, args: Args, ops: Sequence[str]) -> Plan:
    action, op = args["action"], args["op"]
    if op not in ops:
        raise ToolError(f"{action} has no op {op!r}. It has {', '.join(ops)}.")
    if op == "continue":
        refuse_markers(repository, state(repository), force=args.get("force", False))
    rewrites = "Commits are written anew." if action == "rebase" else ""
    danger = rewrites if op == "continue" else "What was resolved or changed since it began is thrown away."
    losing = None if op == "continue" else ("HEAD",)
    return Plan(
        (action, f"--{op}"), danger=danger, losing=losing, hooks=(*COMMITTING, "post-rewrite", "post-merge")
    )


def _tag(_repository: Repository, args: Args) -> Plan:
    name = _needed(args, "tag")
    if args.get("delete"):
        return Plan(("tag", "--delete", name), danger=f"The tag {name} is deleted.")
    danger = f"The tag {name} is moved if it exists." if args.get("force") else ""
    force = ["--force"] if danger else []
    annotated = ["--annotate", "--file=-"] if args.get("message") else []
    return Plan(("tag", *force, *annotated, name, *_from(args)), stdin=args.get("message", ""), danger=danger)


def _branch(_repository: Repository, args: Args) -> Plan:
    name = _needed(args, "branch")
    if not args.get("delete"):
        if args.get("force"):
            danger = f"The branch {name} is moved; commits only it has are lost."
            return Plan(("branch", "--force", name, *_from(args)), danger=danger)
        return Plan(("branch", name, *_from(args)))
    if not args.get("force"):
        return Plan(("branch", "--delete", name))
    danger = f"The branch {name} is deleted; commits only it has are lost."
    return Plan(("branch", "-D", name), danger=danger, dropping=(f"refs/heads/{name}", "--not", "HEAD"))


def _needed(args: Args, what: str) -> str:
    if "ref" not in args:
        raise ToolError(f"{args['action']} needs ref: a {what}.")
    return plain(args["ref"], what)


def _from(args: Args) -> list[str]:
    return [plain(args["from"], "revision")] if "from" in args else []


def _all_or_paths(args: Args, everything: str = "") -> list[str]:
    paths = args.get("paths", ())
    if not paths and not args.get("all"):
        raise ToolError("Name files in paths, or set all: true.")
    return files(paths) or ([everything] if everything else [])


def _remote_and_ref(args: Args) -> list[str]:
    if "ref" in args and "remote" not in args:
        raise ToolError("Name the remote too.")
    return [plain(args[key], key) for key in ("remote", "ref") if key in args]


def _remote(repository: Repository, args: Args) -> str:
    """The remote that git would take by itself."""
    own = _setting(repository, f"branch.{_current(repository)}.remote")
    return plain(args.get("remote") or own or "origin", "remote")


def _current(repository: Repository) -> str:
    """The branch that is checked out, or nothing."""
    return decode(repository.read("symbolic-ref", "--quiet", "--short", "HEAD").out).strip()


def _setting(repository: Repository, key: str) -> str:
    return next((s.value for s in reversed(repository.settings) if s.key == key), "")


PLANS: dict[str, Callable[[Repository, Args], Plan]] = {
    "branch": _branch,
    "checkout": _checkout,
    "stage": _stage,
    "unstage": _unstage,
    "commit": _commit,
    "stash": _stash,
    "restore": _restore,
    "push": _push,
    "pull": _pull,
    "fetch": _fetch,
    "merge": _merge,
    "rebase": _rebase,
    "tag": _tag,
}
