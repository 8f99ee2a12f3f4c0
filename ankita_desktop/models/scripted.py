"""A model that plays a script: for tests, and for showing the product without an account."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from ankita_desktop.errors import ConfigError, ModelError, ModelErrorKind
from ankita_desktop.protocol import (
    Abilities,
    Answer,
    Message,
    ModelPart,
    ModelRequest,
    ReasoningPart,
    Restarted,
    TextPart,
    ToolCall,
    Usage,
)
from ankita_desktop.toolkit.cancel import Cancel

PIECE = 8  # characters per part: small, so that whoever shows them is really tested


@dataclass(frozen=True, slots=True)
class Step:
    """One answer. ``delay`` is in seconds before it begins. With ``error`` it ends in a ``ModelError`` after its
    text; with ``restart`` its text is said once in vain first."""

    text: str = ""
    calls: tuple[ToolCall, ...] = ()
    reasoning: str = ""
    delay: float = 0.0
    error: str = ""
    kind: ModelErrorKind = "server"
    restart: str = ""
    usage: Usage = field(default_factory=Usage)


Scripted = Step | str | Mapping[str, Any] | Callable[[ModelRequest], "Scripted"]


class ScriptedModel:
    """A ``protocol.Model`` that answers the n-th request with the n-th step, whichever session asks.

    A step is a ``Step``, a text, the JSON form (``step_of``), or a function of the request that returns one.
    ``requests`` keeps what was asked. Thread-safe.
    """

    def __init__(
        self, steps: Sequence[Scripted], *, model: str = "scripted", abilities: Abilities | None = None
    ) -> None:
        self.requests: list[ModelRequest] = []
        self._steps = list(steps)
        self._id = model
        self._abilities = abilities or Abilities()
        self._lock = threading.Lock()

    @classmethod
    def from_file(cls, path: Path) -> ScriptedModel:
        """A script as a JSON list of steps. Raises ``ConfigError`` naming the file and the step."""
        try:
            data = json.loads(path.read_text("utf-8"))
        except (OSError, ValueError) as error:
            raise ConfigError(f"The script {path} can't be read: {error}") from error
        if not isinstance(data, list):
            raise ConfigError(f"The script {path} must be a JSON list of steps.")
        try:
            return cls([step_of(step) for step in data])
        except ConfigError as error:
            raise ConfigError(f"{path}: {error}") from error

    @property
    def id(self) -> str:
        return self._id

    @property
    def abilities(self) -> Abilities:
        return self._abilities

    def stream(self, request: ModelRequest, cancel: Cancel) -> Iterator[ModelPart]:
        """See ``protocol.Model``."""
        cancel.check()
        step = self._next(request)
        cancel.wait(step.delay)
        if step.restart:
            yield from _pieces(step, cancel)
            yield Restarted(step.restart)
        yield from _pieces(step, cancel)
        cancel.check()
        if step.error:
            raise ModelError(step.error, kind=step.kind, partial=step.text)
        message = Message("assistant", step.text, calls=step.calls, reasoning=step.reasoning)
        yield Answer(message, step.usage, "tool_calls" if step.calls else "stop")

    def _next(self, request: ModelRequest) -> Step:
        with self._lock:
            position = len(self.requests)
            self.requests.append(request)
        if position >= len(self._steps):
            raise ModelError(
                f"The script has {len(self._steps)} steps; this is request {position + 1}.", kind="empty"
            )
        step = self._steps[position]
        while callable(step):
            step = step(request)
        return step if isinstance(step, Step) else step_of(step, f"call_{position + 1}")


def step_of(data: str | Mapping[str, Any], prefix: str = "call") -> Step:
    """A step from its JSON form: a text, or an object with the fields of ``Step``, where ``calls`` is a list of
    {name, arguments, id} and ``usage`` an object {input, cached, output}."""
    if isinstance(data, str):
        return Step(data)
    try:
        fields = dict(data)
        fields["calls"] = tuple(_call(call, f"{prefix}_{n}") for n, call in enumerate(fields.get("calls", ())))
        fields["usage"] = Usage(**fields.get("usage", {}))
        return Step(**fields)
    except (TypeError, ValueError, KeyError) as error:
        raise ConfigError(f"A step of a script can't be understood: {data!r} ({error})") from error


def _call(data: ToolCall | Mapping[str, Any], call_id: str) -> ToolCall:
    if isinstance(data, ToolCall):
        return data
    return ToolCall(str(data.get("id") or call_id), data["name"], dict(data.get("arguments", {})))


def _pieces(step: Step, cancel: Cancel) -> Iterator[ModelPart]:
    for kind, text in ((ReasoningPart, step.reasoning), (TextPart, step.text)):
        for begin in range(0, len(text), PIECE):
            cancel.check()
            yield kind(text[begin : begin + PIECE])
