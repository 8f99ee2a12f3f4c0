"""git, run so that nothing in a repository decides what is executed while it is only looked at.

A repository is somebody else's until shown otherwise: its configuration and its attributes can name programs
(file system monitor, external diff, text conversion, filters, pager, hooks, signature check, ssh). Reading
switches all of them off. Changing lets those run that belong to the change (hooks, filters, signing, ssh):
``programs`` names them beforehand, for the person who is asked.
"""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path
from types import MappingProxyType

from ankita_desktop.errors import ToolError
from ankita_desktop.toolkit.cancel import Cancel
from ankita_desktop.toolkit.limits import Limits, Outcome, Program, run_program

READ_SECONDS = 30.0
CHANGE_SECONDS = 300.0
MAX_OUT = 4 << 20
NOWHERE = os.devnull
OLDEST = (2, 31)

# In force for everything; the command line's scope beats every file.
ALWAYS = {
    "core.fsmonitor": "false",
    "core.pager": "cat",
    "core.quotePath": "false",
    "color.ui": "false",
    "color.diff": "false",
    "color.status": "false",
    "safe.bareRepository": "explicit",
    "submodule.recurse": "false",
    "status.submoduleSummary": "false",
    "advice.detachedHead": "false",
    "maintenance.auto": "false",
    "gc.auto": "0",
}
# Besides, while only looking.
READING = {
    "core.hooksPath": NOWHERE,
    "log.showSignature": "false",
    "diff.external": "",
    "diff.trustExitCode": "false",
}

# Of our environment only what says who the person is and how they reach servers.
KEPT = re.compile(
    r"GIT_(AUTHOR|COMMITTER)_\w+|GIT_SSH\w*|GIT_SSL\w*|GIT_CONFIG_(GLOBAL|SYSTEM|NOSYSTEM)|GIT_EXEC_PATH"
)
QUIET = {
    "GIT_TERMINAL_PROMPT": "0",
    "GIT_ASKPASS": "",
    "SSH_ASKPASS": "",
    "GIT_PAGER": "cat",
    "PAGER": "cat",
    "GIT_EDITOR": ":",
    "GIT_SEQUENCE_EDITOR": ":",
    "GIT_MERGE_AUTOEDIT": "no",
    "LC_ALL": "C.UTF-8",
}
SERVERS = "file:git:http:https:ssh"

FILTER = re.compile(r"filter\.(.*)\.(clean|smudge|process|required)", re.DOTALL | re.IGNORECASE)
# Keys that name a program which a change may run.
NAMING = re.compile(
    r"filter\..*\.(clean|smudge|process)|merge\..*\.driver|core\.(sshcommand|gitproxy|alternaterefscommand)"
    r"|gpg\.(.+\.)?program|gpg\.ssh\.defaultkeycommand|credential\.(.+\.)?helper|remote\..+\.(uploadpack|receivepack|vcs)",
    re.DOTALL | re.IGNORECASE,
)
OWN = ("local", "worktree")
CREDENTIALS = re.compile(r"(\w{2,10}://)[^/\s@]{1,500}@")


def as_environment(settings: Mapping[str, str]) -> dict[str, str]:
    """Settings in the form that git reads from its environment: strongest, and handed on to its own children."""
    env = {"GIT_CONFIG_COUNT": str(len(settings))}
    for number, (key, value) in enumerate(settings.items()):
        env |= {f"GIT_CONFIG_KEY_{number}": key, f"GIT_CONFIG_VALUE_{number}": value}
    return env


PLAIN: Mapping[str, str] = MappingProxyType(as_environment(ALWAYS))
BRIEF = Limits(READ_SECONDS)


@dataclass(frozen=True, slots=True)
class Setting:
    """One line of git's configuration; ``scope`` is system, global, local, worktree or command."""

    scope: str
    key: str
    value: str


class Repository:
    """The repository that ``folder`` lies in. Raises ``ToolError`` when there is none, or when its
    working tree isn't where its ``.git`` is."""

    def __init__(self, folder: Path, cancel: Cancel) -> None:
        self.folder = folder
        self._cancel = cancel
        if not folder.is_dir():
            is_file = folder.is_file()
            raise ToolError(
                f"{folder} is a file: name it in paths." if is_file else f"There is no folder {folder}."
            )
        self.root = self._root()

    def read(self, *args: str, size: int = MAX_OUT) -> Outcome:
        """Run a reading subcommand. Nothing but git runs; nothing is written, not even the index."""
        settings = {**ALWAYS, **READING, **self._neutral_filters}
        env = {"GIT_OPTIONAL_LOCKS": "0", "GIT_ALLOW_PROTOCOL": "none", "GIT_NO_LAZY_FETCH": "1"}
        return self._run(args, {**as_environment(settings), **env}, limits=Limits(READ_SECONDS, size))

    def text(self, *args: str, size: int = MAX_OUT) -> str:
        """What a reading subcommand prints. Raises ``ToolError`` with git's complaint."""
        return decode(checked(self.read(*args, size=size)).out)

    def change(self, *args: str, stdin: str = "") -> Outcome:
        """Run a changing subcommand, with the repository's hooks and filters."""
        env = {**PLAIN, **_reaching(self.settings)}
        return self._run(args, env, limits=Limits(CHANGE_SECONDS), stdin=stdin.encode())

    @cached_property
    def settings(self) -> tuple[Setting, ...]:
        """All of git's configuration that counts here, weakest first. Reading it runs nothing.

        Names that are no text are kept byte for byte; what can't be read to its end isn't trusted at all.
        """
        outcome = checked(self._run(["config", "--list", "--show-scope", "-z"]))
        if outcome.cut:
            raise ToolError("The repository's configuration is too large to be looked through; it isn't used.")
        fields = os.fsdecode(outcome.out).split("\0")
        pairs = zip(fields[::2], fields[1::2], strict=False)
        return tuple(Setting(scope, *_key_value(line)) for scope, line in pairs)

    def programs(self, hooks: Iterable[str] = ()) -> tuple[str, ...]:
        """What the repository itself would have a change run, a line each: its hooks, programs its own
        configuration names."""
        own = [s for s in self.settings if s.scope in OWN and NAMING.fullmatch(s.key) and s.value]
        where = self._run(["rev-parse", "--git-path", "hooks"]).out
        folder = self.folder / decode(where).strip()
        present = [hook for hook in hooks if os.access(folder / hook, os.X_OK)]
        return tuple([f"hook {hook}" for hook in present] + [f"{s.key} = {s.value}" for s in own])

    @cached_property
    def git_dir(self) -> Path:
        return Path(self.text("rev-parse", "--absolute-git-dir").strip())

    @cached_property
    def neutralized(self) -> tuple[str, ...]:
        """Names of the repository's own filters, which reading doesn't run."""
        return tuple(dict.fromkeys(found[1] for key in self._own_filters if (found := FILTER.fullmatch(key))))

    @cached_property
    def _own_filters(self) -> list[str]:
        return [s.key for s in self.settings if s.scope in OWN and FILTER.fullmatch(s.key)]

    @cached_property
    def _neutral_filters(self) -> dict[str, str]:
        """git can't be told to leave filters out, so each setting of the repository's own filters is given
        back what the person's or the system's configuration says, or nothing."""
        trusted = {s.key: s.value for s in self.settings if s.scope not in OWN}
        neutral = {key: trusted.get(key, "") for key in self._own_filters}
        missing = {key.rpartition(".")[0] for key, value in neutral.items() if not value}
        return neutral | {f"{filter_}.required": "false" for filter_ in missing}

    def _root(self) -> Path:
        outcome = self._run(["rev-parse", "--show-toplevel"])
        if outcome.code != 0:
            raise ToolError(_no_repository(self.folder, outcome.complaint))
        root = Path(decode(outcome.out).rstrip("\n"))
        here = next((folder for folder in (self.folder, *self.folder.parents) if (folder / ".git").exists()), None)
        if here is None or root.resolve() != here.resolve():
            raise ToolError(
                f"The repository's configuration says its files are in {root}; it isn't used from here."
            )
        return root

    def _run(
        self, args: Iterable[str], env: Mapping[str, str] = PLAIN, *, limits: Limits = BRIEF, stdin: bytes = b""
    ) -> Outcome:
        argv = [_git(), "--no-pager", *args]
        return run_program(Program(argv, str(self.folder), {**_environment(), **env}, stdin), self._cancel, limits)


def checked(outcome: Outcome, *, fine: tuple[int, ...] = (0,)) -> Outcome:
    """The outcome, or a ``ToolError`` that says why git refused."""
    if outcome.cut == "time":
        raise ToolError("git took too long and was stopped. It may wait for a server, a lock or a password.")
    if outcome.code not in fine and not outcome.cut:
        said = "\n".join(part for part in (decode(outcome.out).strip(), outcome.complaint) if part)
        raise ToolError(without_credentials(said[-4000:]) or f"git ended with exit code {outcome.code}.")
    return outcome


def decode(raw: bytes) -> str:
    return raw.decode("utf-8", "replace")


def without_credentials(text: str) -> str:
    """Text with user names and passwords in addresses left out."""
    return CREDENTIALS.sub(r"\1", text)


def files(paths: Iterable[str]) -> list[str]:
    """The end of a command line that names files, each taken literally. Not by git's environment variable,
    which hooks would inherit."""
    named = [f":(literal){path}" for path in paths]
    return ["--", *named] if named else []


def plain(name: str, what: str) -> str:
    """A revision, branch or remote that can't be taken for an option. Raises ``ToolError``."""
    if not name or name.startswith("-") or any(ord(char) < 32 for char in name):
        raise ToolError(f"{name!r} is not a usable {what}.")
    return name


@cache
def _git() -> str:
    """The program. Older ones don't read settings from the environment, so nothing would be switched off."""
    program = shutil.which("git")
    if program is None:
        raise ToolError("git isn't installed.")
    said = run_program(Program([program, "version"], os.path.sep, _environment()), Cancel(), Limits(READ_SECONDS))
    found = re.search(r"(\d+)\.(\d+)", decode(said.out))
    if not found or (int(found[1]), int(found[2])) < OLDEST:
        raise ToolError(
            f"git {'.'.join(map(str, OLDEST))} or newer is needed; here is: {decode(said.out).strip()}."
        )
    return program


def _environment() -> dict[str, str]:
    kept = {key: value for key, value in os.environ.items() if not key.startswith("GIT_") or KEPT.fullmatch(key)}
    return {**kept, **QUIET}


def _reaching(settings: Iterable[Setting]) -> dict[str, str]:
    """Only the usual ways to a server, and an ssh that never asks; a person's own ssh command stays."""
    chosen = {"GIT_SSH", "GIT_SSH_COMMAND"} & set(os.environ) or any(s.key == "core.sshcommand" for s in settings)
    ssh = {} if chosen else {"GIT_SSH_COMMAND": "ssh -oBatchMode=yes"}
    return {"GIT_ALLOW_PROTOCOL": SERVERS, **ssh}


def _key_value(line: str) -> tuple[str, str]:
    """A key alone stands for true."""
    key, newline, value = line.partition("\n")
    return key, value if newline else "true"


def _no_repository(folder: Path, complaint: str) -> str:
    if "not a git repository" in complaint:
        return f"{folder} is not in a git repository. Name one with path."
    return complaint or f"git can't use the repository at {folder}."
