"""What git commands do: which only read, and which lose work or rewrite what others have."""

from __future__ import annotations

from collections.abc import Callable

from ankita_desktop.safety.shell.args import Call
from ankita_desktop.safety.shell.tables import names
from ankita_desktop.safety.shell.words import Word

READING = names("""
    status log diff show blame annotate rev-parse ls-files ls-tree cat-file describe shortlog reflog
    rev-list for-each-ref count-objects diff-tree diff-index diff-files merge-base name-rev grep
    check-ignore check-attr whatchanged range-diff cherry show-ref show-branch version help branch tag
    remote stash worktree var notes symbolic-ref bisect get-tar-commit-id verify-pack merge-tree
""")
# Global options that change nothing about what is read and by whom.
HARMLESS = names("""
    --no-pager -P --no-optional-locks --literal-pathspecs --glob-pathspecs --icase-pathspecs
""")
WITH_VALUE = names("-C -c --git-dir --work-tree --namespace --exec-path --super-prefix --config-env")
# These write, page, or start programs that a repository may have chosen.
NEVER = (
    *("--output", "--ext-diff", "--textconv", "--open-files-in-pager", "--show-signature", "--paginate"),
    *("--upload-pack", "--filters", "--exec", "--web", "--edit", "--editor", "--contents"),
    # These look into files that git doesn't keep, such as a .env.
    *("--no-index", "--untracked", "--no-exclude-standard"),
)
LISTING: dict[str, tuple[str, ...]] = {
    "branch": ("-a", "-r", "-v", "-vv", "-avv", "-av", "-rv", "--list", "-l", "--all", "--remotes", "--verbose",
               "--show-current", "--no-color", "--no-column", "--column", "--color"),
    "tag": ("-l", "--list", "-n", "--no-color", "--column", "--color"),
    "remote": ("-v", "--verbose"),
    "stash": (),
    "worktree": (),
    "notes": (),
    "reflog": (),
    "bisect": (),
}  # fmt: skip
LIST_VALUED = ("--sort", "--contains", "--no-contains", "--merged", "--no-merged", "--points-at", "--format")
SUBREADS: dict[str, tuple[str, ...]] = {
    "remote": ("get-url",),
    "stash": ("list", "show"),
    "worktree": ("list",),
    "notes": ("list", "show"),
    "reflog": ("show", "exists"),
    "bisect": ("log",),
}


def split(call: Call) -> tuple[list[Word], Call]:
    """The global options, and the subcommand with what follows."""
    words = call.words
    at = 0
    while at < len(words) and words[at].text.startswith("-"):
        at += 2 if words[at].text in WITH_VALUE else 1
    return list(words[:at]), call.inner(words[at:])


def reads(call: Call) -> bool:
    """Whether it only looks at the repository of the working folder."""
    options, command = split(call)
    if not command.part.words:
        return [word.text for word in options] in (["--version"], ["--help"], ["-h"], ["-v"])
    name = command.part.name
    if name not in READING or any(word.text not in HARMLESS for word in options):
        return False
    if name == "help":
        return not command.options
    if name in ("branch", "tag"):
        return _lists(name, command)
    if command.has(*NEVER) or any("%G" in text for text in command.texts):
        return False
    if name == "symbolic-ref":
        return len(command.operands) == 1 and not command.has("-d", "--delete", "-m")
    if name == "var":
        return not command.has("-l")
    if name == "grep":
        return not any(word.text.startswith("-O") for word in command.options)
    if name in SUBREADS:
        return _reads_part(name, command)
    return not (name == "bisect" or (name == "merge-tree" and command.has("--write-tree")))


def _lists(name: str, command: Call) -> bool:
    """branch and tag list with the right options and change things without."""
    listing = command.has("--list") or "-l" in command.texts
    values = 0
    for word in command.options:
        valued = word.text.partition("=")[0] in LIST_VALUED
        if not (valued or word.text in LISTING[name] or (name == "tag" and word.text[:2] == "-n")):
            return False
        values += valued and "=" not in word.text
    return listing or len(command.operands) <= values


def _reads_part(name: str, command: Call) -> bool:
    if not command.operands:
        listing = LISTING[name]
        return name in ("remote", "reflog", "notes") and all(
            word.text in listing or (name == "reflog" and word.text[1:].isdigit()) for word in command.options
        )
    return command.first() in SUBREADS[name] and not command.has("-c")


def danger(call: Call) -> str:
    """Why a git command may lose something for good, in words; "" when it doesn't."""
    _, command = split(call)
    rule = DANGERS.get(command.part.name.lower())
    return rule(command) if rule else ""


def _push(call: Call) -> str:
    kind = "It overwrites or deletes what others may already have on the server."
    refs = call.operands
    if any(ref.text.startswith((":", "+")) for ref in refs) or call.has("--mirror", "--delete", "-d", "--prune"):
        return kind
    lease = any(word.text.startswith("--force-w") for word in call.options)
    forced = call.has("-f") or any(matches_force(word.text) for word in call.options)
    return kind if forced and not lease else ""


def matches_force(text: str) -> bool:
    return len(text) > 3 and "--force".startswith(text)


def _reset(call: Call) -> str:
    lossy = call.has("--hard", "--merge", "--keep")
    return "It throws away changes that aren't committed." if lossy else ""


def _clean(call: Call) -> str:
    if call.has("-n", "--dry-run") or not call.has("-f", "--force"):
        return ""
    return "It deletes files that git doesn't know, for good."


def _checkout(call: Call) -> str:
    creates = call.has("-b", "-B", "--orphan")
    paths = "--" in call.texts or any(word.text in (".", "*", ":/") for word in call.operands)
    by_file = call.has("--pathspec-from-file", "--ours", "--theirs") or call.has("-p", "--patch")
    if call.has("--force") or any(_short(word.text, "f") for word in call.options):
        return "It throws away changes that aren't committed."
    if not creates and (paths or by_file):
        return "It puts files back and throws away their changes."
    return ""


def _short(text: str, letter: str) -> bool:
    """A letter in a bundle, but not in the name behind -b."""
    return (
        text.startswith("-")
        and not text.startswith("--")
        and letter in text[1:].partition("b")[0].partition("B")[0]
    )


def _restore(call: Call) -> str:
    if call.has("--help", "-h") or (call.has("--staged", "-S") and not call.has("--worktree", "-W")):
        return ""
    return "It puts files back and throws away their changes."


def _switch(call: Call) -> str:
    forced = call.has("-f", "--force", "--discard-changes", "-C", "--force-create")
    return "It throws away changes that aren't committed." if forced else ""


def _branch(call: Call) -> str:
    deletes = call.has("-D") or (call.has("-d", "--delete") and call.has("-f", "--force"))
    return "It deletes a branch even when its work is nowhere else." if deletes else ""


def _stash(call: Call) -> str:
    return "It deletes work that was put aside." if call.first() in ("drop", "clear") else ""


def _reflog(call: Call) -> str:
    lossy = call.first() in ("expire", "delete")
    return "It deletes the record that lost work could be found by." if lossy else ""


def _gc(call: Call) -> str:
    pruned = any(text.startswith("--prune") for text in call.texts)
    return "It deletes what lost work could be found by." if pruned else ""


def _update_ref(call: Call) -> str:
    return "It deletes a branch or tag." if call.has("-d", "--delete", "--stdin") else ""


def _remove(call: Call) -> str:
    forced = call.has("-f", "--force") and not call.has("--cached")
    return "It deletes files with changes that aren't committed." if forced else ""


def _worktree(call: Call) -> str:
    lossy = call.first() == "remove" and call.has("-f", "--force")
    return "It deletes a working tree with changes that aren't committed." if lossy else ""


def _history(_call: Call) -> str:
    return "It rewrites the history of the repository."


def _tag(call: Call) -> str:
    return "It moves or deletes a tag." if call.has("-f", "--force", "-d", "--delete") else ""


DANGERS: dict[str, Callable[[Call], str]] = {
    "push": _push,
    "reset": _reset,
    "clean": _clean,
    "checkout": _checkout,
    "restore": _restore,
    "switch": _switch,
    "branch": _branch,
    "stash": _stash,
    "reflog": _reflog,
    "gc": _gc,
    "prune": _history,
    "update-ref": _update_ref,
    "rm": _remove,
    "worktree": _worktree,
    "filter-branch": _history,
    "filter-repo": _history,
    "replace": _history,
    "tag": _tag,
}
