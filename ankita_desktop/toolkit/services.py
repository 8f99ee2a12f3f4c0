"""What a tool may ask of the rest of the product: narrow protocols, handed in through ``ctx.services``.

A service that isn't there (no window, extra not installed) is None; ``need`` turns that into a ``ToolError``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal, Protocol, TypeVar

from ankita_desktop.errors import ToolError
from ankita_desktop.protocol import Level, Preview, ToolResult, ToolSpec
from ankita_desktop.toolkit.automation import Reminders, Routines, Watches
from ankita_desktop.toolkit.cancel import Cancel
from ankita_desktop.toolkit.projects import Projects
from ankita_desktop.toolkit.remembering import Memory
from ankita_desktop.toolkit.skill_text import Skill

S = TypeVar("S")


@dataclass(frozen=True, slots=True)
class Group:
    """A folder of tools. ``planned`` groups are described but not built: matched, never offered."""

    name: str
    summary: str
    tools: tuple[str, ...] = ()
    always: bool = False
    planned: bool = False


@dataclass(frozen=True, slots=True)
class Match:
    """What a sentence means to the catalogue: groups and tools, best first. ``why`` names per group what
    spoke for it."""

    query: str
    groups: tuple[str, ...] = ()
    tools: tuple[str, ...] = ()
    scores: dict[str, float] = field(default_factory=dict)
    why: dict[str, tuple[str, ...]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class LoadedTool:
    """An imported tool file: its header and its functions, each of (arguments, ``ToolContext``)."""

    spec: ToolSpec
    run: Callable[[dict[str, Any], Any], ToolResult | str]
    preview: Callable[[dict[str, Any], Any], Preview] | None = None
    approval_for: Callable[[dict[str, Any], Any], Level] | None = None


class Catalogue(Protocol):
    """Which tools exist and which a sentence means. Thread-safe."""

    def specs(self) -> Sequence[ToolSpec]: ...
    def groups(self) -> Sequence[Group]: ...
    def spec(self, name: str) -> ToolSpec | None: ...
    def in_group(self, group: str) -> Sequence[ToolSpec]: ...
    def match(self, query: str, *, planned: bool = False) -> Match: ...
    def near(self, name: str) -> Sequence[str]: ...
    def load(self, name: str) -> LoadedTool: ...


class Checkpoints(Protocol):
    """The undo store. ``before`` is told what will change and keeps it; it returns the checkpoint's id ("" =
    nothing kept). ``around`` keeps a whole folder, within limits, before something that may change anything in
    it. ``after`` is told that the change is made: what stands there now may be undone, what somebody changes
    later is a conflict; false: nothing had changed."""

    def before(self, paths: Iterable[Path], *, session: str, call_id: str, label: str) -> str: ...
    def around(self, folder: Path, *, session: str, call_id: str, label: str, cancel: Cancel) -> str: ...
    def after(self, checkpoint: str) -> bool: ...


class Risk(Protocol):
    """Judges a shell command: verdict "safe", "ask", "dangerous" or "blocked", and why."""

    def judge(self, command: str, cwd: Path) -> tuple[str, str]: ...
    def needing(self, command: str, cwd: Path) -> Sequence[str] | None:
        """The programs of the command that need a yes, each as a command of its own. None when one of them
        can't stand alone: it writes by ``>``, depends on what is only known when it runs, or isn't understood."""
        ...


@dataclass(frozen=True, slots=True)
class Ruling:
    """What the person's rules say of a call, and the rule that says it; no effect: nothing."""

    effect: Literal["", "allow", "ask", "deny"] = ""
    rule: str = ""


NO_RULING = Ruling()


class Policy(Protocol):
    """The person's rules, weighed in one place for every call."""

    def ruling(self, tool: str, arguments: Mapping[str, Any], cwd: Path) -> Ruling: ...


class Desktop(Protocol):
    """The person's desktop, by a window or by command-line programs. Every method blocks for some seconds at most
    and raises ``ToolError`` with what is missing where it can't be done."""

    def read_clipboard(self) -> str: ...
    def write_clipboard(self, text: str) -> None: ...
    def notify(self, title: str, text: str) -> None: ...
    def open(self, target: str, app: str = "") -> None:
        """Show a file, a folder or an address with its usual program, or with ``app``; without a target start
        ``app`` alone. The target is a real path or an address that was checked."""
        ...

    def screenshot(self) -> bytes:
        """The whole screen as PNG."""
        ...


class Secrets(Protocol):
    """Keys and tokens, named like the environment variable that may carry them. May take seconds."""

    def get(self, name: str) -> str | None: ...


class Voice(Protocol):
    """The person's microphone and loudspeaker. Every method blocks; ``cancel`` ends it. Raises ``VoiceError``."""

    def say(self, text: str, cancel: Cancel) -> None: ...
    def recogniser_host(self) -> str:
        """Where sound goes to be recognised; "" when it stays on this machine."""
        ...

    def transcribe(self, path: Path, cancel: Cancel) -> Sequence[tuple[float, float, str]]:
        """(start, end, text) of each stretch of speech, times in seconds; empty when there is none."""
        ...

    def listen(self, seconds: float, cancel: Cancel, progress: Callable[[str], None]) -> str:
        """What the person says next, within so many seconds; "" when they say nothing."""
        ...


class Skills(Protocol):
    """Instructions for recurring work, as they can be used in a folder. Thread-safe; reads the disk anew."""

    def skills(self, cwd: Path) -> Sequence[Skill]: ...
    def skill(self, name: str, cwd: Path) -> Skill | None: ...
    def fitting(self, query: str, cwd: Path) -> Sequence[Skill]: ...
    def untrusted(self, cwd: Path) -> Path | None: ...


@dataclass(frozen=True, slots=True)
class Services:
    """Everything a tool can reach besides its own working folder. None: not there."""

    catalogue: Catalogue | None = None
    checkpoints: Checkpoints | None = None
    risk: Risk | None = None
    policy: Policy | None = None
    desktop: Desktop | None = None
    reminders: Reminders | None = None
    routines: Routines | None = None
    watches: Watches | None = None
    secrets: Secrets | None = None
    memory: Memory | None = None
    skills: Skills | None = None
    projects: Projects | None = None
    voice: Voice | None = None


def need(service: S | None, what: str) -> S:
    """The service, or a ``ToolError`` that says what is missing."""
    if service is None:
        raise ToolError(f"{what} is not available here.")
    return service
