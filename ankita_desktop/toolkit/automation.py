"""What happens by itself, as values, and the faces through which tools and front ends reach it.

Times are seconds since the epoch (float, UTC). A face raises ``ToolError`` whose text a person can read, too.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, Protocol

if TYPE_CHECKING:
    from ankita_desktop.toolkit.cancel import Cancel

Late = Literal["once", "skip", "all"]
RunStatus = Literal["running", "done", "denied", "limit", "error", "cancelled", "interrupted", "missed"]
WatchKind = Literal["page", "feed", "file", "command"]

MINUTE, HOUR, DAY = 60.0, 3600.0, 86_400.0


@dataclass(frozen=True, slots=True)
class Reminder:
    """Something to tell the person. Without ``when`` it is an item of their own list.

    ``due`` is when it rings next (None: never), ``rang`` since when it rings and nobody has answered,
    ``done`` when the person was through with it. ``schedule`` is the stored form of ``when``.
    """

    id: str
    text: str
    created: float
    when: str = ""
    schedule: str = ""
    due: float | None = None
    rang: float | None = None
    done: float | None = None


@dataclass(frozen=True, slots=True)
class Allowed:
    """What a routine may do unasked: the key its calls' previews are compared with, and the words for it."""

    key: str
    label: str


@dataclass(frozen=True, slots=True)
class Routine:
    """A prompt that submits itself.

    ``late``: what happens with a time that passed while nothing ran: run once if it is no older than ``grace``
    seconds, skip and tell, or run all (bounded). ``limit`` is seconds of one run; ``tokens`` and ``runs`` are
    what one day may use (0: no bound). ``project`` is the id of the project it works for ("": the one its folder
    lies in). ``session`` is empty until the first run. ``wanted``: somebody asked to run it now.
    """

    id: str
    name: str
    prompt: str
    when: str
    schedule: str
    cwd: str
    created: float
    model: str = ""
    late: Late = "once"
    grace: float = 30 * MINUTE
    limit: float = 30 * MINUTE
    tokens: int = 500_000
    runs: int = 200
    allowed: tuple[Allowed, ...] = ()
    session: str = ""
    due: float | None = None
    paused: bool = False
    wanted: float | None = None
    project: str = ""


@dataclass(frozen=True, slots=True)
class Run:
    """One run, or one time that was missed. ``slot`` is the time it was due (None: run by hand); ``message`` the
    last message of its branch; ``undone`` what it wanted and nobody allowed."""

    id: str
    routine: str
    slot: float | None
    started: float
    owner: str
    status: RunStatus = "running"
    ended: float | None = None
    session: str = ""
    message: str = ""
    text: str = ""
    reason: str = ""
    undone: tuple[str, ...] = ()
    tokens: int = 0
    cost: float | None = None


@dataclass(frozen=True, slots=True)
class Watch:
    """Something that is looked at every ``every`` seconds, and told about when it visibly changed.

    ``target`` is an address, a path or a command. ``selector`` (CSS, or a JSON path that begins with $) and
    ``regex`` (its first group, else the whole match) say which part counts. ``value`` is what was seen last,
    ``told`` what the person knows. ``above`` and ``below`` make a number worth telling only when it crosses them.
    ``patience`` misses in a row mean "gone".
    """

    id: str
    name: str
    kind: WatchKind
    target: str
    created: float
    every: float
    selector: str = ""
    regex: str = ""
    cwd: str = ""
    private: bool = False
    above: float | None = None
    below: float | None = None
    cooldown: float = 0.0
    patience: int = 3
    paused: bool = False
    due: float | None = None
    value: str | None = None
    told: str | None = None
    told_at: float = 0.0
    etag: str = ""
    modified: str = ""
    misses: int = 0
    checked: float | None = None
    problem: str = ""


@dataclass(frozen=True, slots=True)
class Reading:
    """What a watch saw at a moment; ``number`` is set where the value is one."""

    time: float
    value: str
    number: float | None = None


@dataclass(frozen=True, slots=True)
class Telling:
    """Something the person has to hear. ``about`` names what it is of ("reminder/ID", "run/ID", "watch/ID"),
    ``late`` that its time passed while nothing ran."""

    about: str
    title: str
    text: str = ""
    late: bool = False
    created: float = 0.0
    told: float | None = None
    seq: int = 0


class Reminders(Protocol):
    """Reminders and the person's list. A reminder is named by its id, the beginning of it, or its words."""

    def add(self, text: str, when: str = "") -> Reminder:
        """Keep it; the same text for the same time is kept once."""
        ...

    def list(self, *, done: bool = False) -> Sequence[Reminder]:
        """What rings first, then what is due next, then the list; ``done`` adds what is over."""
        ...

    def find(self, name: str) -> Reminder: ...
    def done(self, name: str) -> Reminder: ...
    def snooze(self, name: str, when: str = "") -> Reminder:
        """Ring again at ``when`` (empty: in 10 minutes). An empty name means the one that rang last."""
        ...

    def cancel(self, name: str) -> Reminder: ...
    def receipt(self, reminder: Reminder) -> str:
        """When it will ring, in the person's zone, and what could keep it from ringing."""
        ...


class Routines(Protocol):
    """Routines, named by id, the beginning of it, or name."""

    def add(self, name: str, prompt: str, when: str, **fields: object) -> tuple[Routine, bool]:
        """Make one; the same prompt at the same times is made once (False: it was there). ``fields`` are those
        of ``Routine``: cwd, model, project, late, grace, limit, tokens, runs, allowed."""
        ...

    def plan(self, when: str) -> tuple[str, Sequence[str]]:
        """How ``when`` is understood, and its next five times in the person's zone (none when they are counted
        from the moment it is made)."""
        ...

    def list(self) -> Sequence[Routine]: ...
    def find(self, name: str) -> Routine: ...
    def update(self, name: str, /, **fields: object) -> Routine:
        """Change it; a paused one stays paused."""
        ...

    def pause(self, name: str, paused: bool = True) -> Routine: ...
    def remove(self, name: str) -> Routine: ...
    def want(self, name: str) -> Routine:
        """Have it run now by whatever process runs routines."""
        ...

    def history(self, name: str, limit: int = 20) -> Sequence[Run]:
        """Its runs, the latest first."""
        ...

    def told(self, run: Run) -> str:
        """A run in one line."""
        ...

    def running(self, routine: str) -> Run | None: ...
    def project_of(self, routine: Routine) -> str:
        """The name of the project it works for; "" for the one its folder lies in."""
        ...

    def receipt(self, routine: Routine) -> str: ...


class Watches(Protocol):
    """Watches, named by id, the beginning of it, or name."""

    def add(self, watch: Watch, cancel: Cancel) -> tuple[Watch, bool]:
        """Look, and keep it with what it sees; the same look is kept once (False: it was there). Raises
        ``ToolError`` when it can't be seen: then nothing is kept."""
        ...

    def draft(self, **fields: object) -> Watch:
        """A watch of these fields, checked and named, not kept."""
        ...

    def list(self) -> Sequence[Watch]: ...
    def find(self, name: str) -> Watch: ...
    def check(self, name: str, cancel: Cancel) -> str:
        """Look now, past every cache; what is new is told here and kept."""
        ...

    def pause(self, name: str, paused: bool = True) -> Watch: ...
    def remove(self, name: str) -> Watch: ...
    def history(self, name: str, limit: int = 50) -> Sequence[Reading]:
        """What it saw whenever that changed, the latest first."""
        ...

    def told(self, reading: Reading) -> str:
        """A reading in one line."""
        ...

    def chart(self, readings: Sequence[Reading]) -> str:
        """The numbers of readings (latest first) as a line of bars, oldest first; "" for less than two."""
        ...

    def receipt(self, watch: Watch) -> str: ...
