"""What the parts of the product say to each other: messages, tools, approvals, models.

Everything here is a frozen value: safe to share between threads, to store as JSON (``dump``/``load``)
and to compare. Times are seconds since the epoch (float, UTC); paths are absolute strings.
"""

from __future__ import annotations

import hashlib
import json
import time
import uuid
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, field
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Literal, Protocol, TypeVar

if TYPE_CHECKING:
    from ankita_desktop.toolkit.cancel import Cancel

Role = Literal["user", "assistant", "tool"]
Source = Literal["typed", "voice", "routine", "note"]
Level = Literal["never", "ask", "always"]
Mode = Literal["never", "reads", "ask", "edits", "all"]
Scope = Literal["once", "session", "always"]
Effect = Literal["read", "edit", "run", "send", "other"]
Status = Literal["done", "cancelled", "limit", "denied", "error"]
Outcome = Literal["pending", "allowed", "denied", "expired", "closed"]

T = TypeVar("T")


def new_id() -> str:
    """A short random identifier (16 hex digits)."""
    return uuid.uuid4().hex[:16]


# --- messages -------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Attachment:
    """A file that belongs to a message; ``path`` is where its bytes are."""

    path: str
    mime: str
    name: str = ""


@dataclass(frozen=True, slots=True)
class ToolCall:
    """The model's wish. ``raw`` is set when the arguments as they came were not one JSON object;
    such a call is answered with an error and never run, ``arguments`` is then ``{}``. ``via`` names the tool
    through which it came ("call_tool", arguments {name, arguments}); a wire shows it to the model that way."""

    id: str
    name: str
    arguments: dict[str, Any] = field(default_factory=dict)
    raw: str | None = None
    via: str = ""


@dataclass(frozen=True, slots=True)
class ToolResult:
    """The outcome of a call: ``text`` for the model, ``details`` (JSON) for the person."""

    text: str
    details: dict[str, Any] = field(default_factory=dict)
    attachments: tuple[Attachment, ...] = ()
    ok: bool = True


@dataclass(frozen=True, slots=True)
class Message:
    """One thing that was said or returned.

    role "assistant" may carry ``calls``; role "tool" answers ``call_id``. ``source`` "note" on a user
    message marks words of the product to the model: front ends never show them as anybody's speech.
    ``provider`` keeps the wire's own fields (reasoning content, signatures) for replay, even when empty.
    """

    role: Role
    text: str = ""
    id: str = field(default_factory=new_id)
    calls: tuple[ToolCall, ...] = ()
    call_id: str = ""
    name: str = ""
    ok: bool = True
    details: dict[str, Any] = field(default_factory=dict)
    attachments: tuple[Attachment, ...] = ()
    source: Source = "typed"
    reasoning: str = ""
    provider: dict[str, Any] = field(default_factory=dict)
    created: float = field(default_factory=time.time)


# --- tools ----------------------------------------------------------------------------------


# Limits that are checked before a tool runs and that nobody who fills in a call would break.
UNSAID = (("additionalProperties", False), ("minItems", 1), ("minimum", 0), ("minimum", 1))


@dataclass(frozen=True, slots=True)
class ToolSpec:
    """A tool's header. ``source`` says where it comes from: "bundled", "user", "server:NAME"."""

    name: str
    description: str
    parameters: dict[str, Any]
    group: str
    always_on: bool = False
    approval: Level = "ask"
    read_only: bool = False
    keywords: tuple[str, ...] = ()
    source: str = "bundled"

    def entry(self) -> dict[str, Any]:
        """The tool as it goes over the wire in ``tools`` (OpenAI form), without ``UNSAID`` limits: nobody pays for
        saying them."""
        function = {"name": self.name, "description": self.description, "parameters": _said(self.parameters)}
        return {"type": "function", "function": function}

    def schema_bytes(self) -> int:
        """UTF-8 bytes of ``entry()`` as compact JSON: what one request pays for this tool."""
        return len(compact_json(self.entry()).encode())


def _said(schema: Any) -> Any:
    """A schema without what need not be said. Values that aren't schemas (enum, default) stay as they are."""
    if not isinstance(schema, dict):
        return schema
    said = {key: value for key, value in schema.items() if (key, value) not in UNSAID}
    if isinstance(properties := said.get("properties"), dict):
        said["properties"] = {name: _said(each) for name, each in properties.items()}
    if "items" in said:
        said["items"] = _said(said["items"])
    return said


def compact_json(value: Any) -> str:
    """JSON without spaces, Unicode kept: the form that goes over the wire and is counted."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


# --- approvals ------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class FileChange:
    """One file as it is and as it would be.

    ``before``/``after`` are text (None: the file isn't there, or isn't text). ``before_hash`` is the
    SHA-256 of the bytes on disk (None: no such file). ``facts`` is a line such as "UTF-8, CRLF, mode 644".
    """

    path: str
    action: Literal["create", "modify", "delete", "move", "mkdir"]
    before: str | None = None
    after: str | None = None
    before_hash: str | None = None
    destination: str | None = None
    facts: str = ""


@dataclass(frozen=True, slots=True)
class Preview:
    """What a person is shown before a call runs, and what their yes would cover.

    ``grant_key`` is the key stored for "this session" or "always" (empty: can't be remembered);
    ``covered_by`` are further keys that already allow this call (such as a parent folder);
    ``covered_by_all`` are keys that only allow it together (one for each program of a command line).
    ``inside`` is true when every effect stays in the working folder and off protected paths.
    ``danger`` says in words what could be lost (empty: nothing unusual). ``boxable``: the person may have it run
    in a closed box instead (``Decision.boxed``).
    """

    kind: Literal["diff", "command", "text"]
    question: str
    effect: Effect = "other"
    text: str = ""
    where: str = ""
    changes: tuple[FileChange, ...] = ()
    grant_key: str = ""
    grant_label: str = ""
    covered_by: tuple[str, ...] = ()
    covered_by_all: tuple[str, ...] = ()
    inside: bool = False
    danger: str = ""
    boxable: bool = False

    def fingerprint(self) -> str:
        """SHA-256 over everything shown: a yes counts for exactly this."""
        return hashlib.sha256(compact_json(asdict(self)).encode()).hexdigest()


@dataclass(frozen=True, slots=True)
class ApprovalRequest:
    """A question that waits for a person. ``why`` is the request it serves, in the person's words; ``again``: they
    said yes before, and what would happen is another thing since."""

    id: str
    session: str
    call: ToolCall
    level: Level
    preview: Preview
    why: str = ""
    created: float = field(default_factory=time.time)
    expires: float | None = None
    again: bool = False

    @property
    def news(self) -> str:
        """What a person is told first: why they are asked a second time. Empty the first time."""
        if not self.again:
            return ""
        many = "files" if len(self.preview.changes) > 1 else "file"
        what = f"The {many} changed" if self.preview.changes else "What this would do changed"
        return f"{what} since you were asked; this is what would happen now."


@dataclass(frozen=True, slots=True)
class Decision:
    """A person's answer. ``hunks`` maps a path to the accepted hunk numbers (from 0, as
    ``toolkit.diff.hunks`` counts them; a path not named is accepted whole); ``edited`` maps a path to the
    text the person wants instead; ``boxed``: the command runs in a closed box, if not all do."""

    allow: bool
    scope: Scope = "once"
    reason: str = ""
    hunks: dict[str, tuple[int, ...]] = field(default_factory=dict)
    edited: dict[str, str] = field(default_factory=dict)
    boxed: bool = False


@dataclass(frozen=True, slots=True)
class Approved:
    """What was agreed to: handed to the tool's context, enforced by ``toolkit.files``."""

    preview: Preview
    decision: Decision


@dataclass(frozen=True, slots=True)
class Grant:
    """A remembered yes. ``session`` is empty for "always"."""

    id: str
    key: str
    label: str
    session: str = ""
    created: float = field(default_factory=time.time)


# --- models ---------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Usage:
    """Tokens of one round; ``input`` includes ``cached``. ``cost`` in USD, None when unknown."""

    input: int = 0
    cached: int = 0
    output: int = 0
    cost: float | None = None


@dataclass(frozen=True, slots=True)
class Abilities:
    """What a model and its wire can do."""

    vision: bool = False
    max_tools: int = 128
    context_tokens: int = 128_000
    deferral: Literal["attach", "dispatch", "native"] = "attach"


@dataclass(frozen=True, slots=True)
class ModelRequest:
    """One request. ``messages`` are valid (every call answered); no tools means: answer in text. ``deferred``
    tools are for a wire that can announce tools without sending their schemas ("native"): a result of find_tools
    names those found in ``details["tools"]``."""

    system: str
    messages: tuple[Message, ...]
    tools: tuple[ToolSpec, ...] = ()
    session: str = ""
    deferred: tuple[ToolSpec, ...] = ()


@dataclass(frozen=True, slots=True)
class TextPart:
    text: str


@dataclass(frozen=True, slots=True)
class ReasoningPart:
    text: str


@dataclass(frozen=True, slots=True)
class Restarted:
    """The stream broke and is tried again: what came so far is void. ``wait`` in seconds."""

    reason: str
    wait: float = 0.0


@dataclass(frozen=True, slots=True)
class Answer:
    """The end of a stream: the whole assistant message. ``finish`` is the wire's own word."""

    message: Message
    usage: Usage = Usage()
    finish: str = "stop"


ModelPart = TextPart | ReasoningPart | Restarted | Answer


class Model(Protocol):
    """A way to ask a model. ``stream`` is called on a session's lane; it yields parts, ends with exactly
    one ``Answer``, raises ``ModelError`` or ``Cancelled``, and returns within 100 ms of ``cancel``."""

    @property
    def id(self) -> str: ...
    @property
    def abilities(self) -> Abilities: ...
    def stream(self, request: ModelRequest, cancel: Cancel) -> Iterator[ModelPart]: ...


# --- sessions -------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class SessionInfo:
    """A conversation's row. ``state``: idle, running, or waiting (an approval is pending)."""

    id: str
    title: str
    cwd: str
    mode: Mode = "ask"
    model: str = ""
    state: Literal["idle", "running", "waiting"] = "idle"
    unread: bool = False
    created: float = 0.0
    updated: float = 0.0


@dataclass(frozen=True, slots=True)
class Round:
    """What one request to the model carried and cost. ``group_bytes`` says how ``schema_bytes`` fall to groups."""

    tools: int
    schema_bytes: int
    usage: Usage = Usage()
    dropped_groups: tuple[str, ...] = ()
    group_bytes: dict[str, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class JobInfo:
    """A command that runs or ran. ``exit_code`` is None while it runs; ``size`` is bytes of output."""

    id: str
    command: str
    cwd: str
    pid: int
    started: float
    exit_code: int | None = None
    size: int = 0


# --- storage form ---------------------------------------------------------------------------


@lru_cache
def _adapter(kind: Any) -> Any:
    from pydantic import TypeAdapter

    return TypeAdapter(kind)


def dump(value: Any) -> dict[str, Any]:
    """A value of this module as JSON-ready data."""
    return asdict(value)


def load(kind: type[T], data: Mapping[str, Any] | str) -> T:
    """The reverse of ``dump`` (or of its JSON text). Raises ``ValueError`` on data of another shape."""
    hashable: Any = kind
    adapter = _adapter(hashable)
    value: T = adapter.validate_json(data) if isinstance(data, str) else adapter.validate_python(data)
    return value
