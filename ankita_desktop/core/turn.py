"""One turn: ask the model, run its calls, repeat until it answers in text.

A turn is a function of what is stored: every step looks at the messages and decides what comes next, so a
process that takes over after a crash goes on where the last one stood.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from ankita_desktop.core.calls import Calls, Row, Scene
from ankita_desktop.core.context import build_request
from ankita_desktop.core.deferral import DROPPED, Deferral, Offer, group_bytes, unwrapped
from ankita_desktop.core.ports import EngineSettings, Store
from ankita_desktop.core.prompts import LIMIT_NOTE
from ankita_desktop.core.repair import open_calls
from ankita_desktop.core.session import Session, note, this_turn, was_denied
from ankita_desktop.core.veil import Veil
from ankita_desktop.errors import Cancelled, ModelError
from ankita_desktop.events import Event, RoundEnded, TextDelta, TextReset, TurnEnded
from ankita_desktop.protocol import (
    Answer,
    Message,
    Mode,
    Model,
    ReasoningPart,
    Restarted,
    Round,
    SessionInfo,
    Status,
    TextPart,
    ToolCall,
    ToolResult,
    Usage,
    compact_json,
)
from ankita_desktop.toolkit.services import Catalogue

NO_TOOLS = Offer(())
SAME_ROUNDS = 3
SAME_FAILURES = 2


@dataclass(frozen=True, slots=True)
class Desk:
    """What every turn works with."""

    store: Store
    catalogue: Catalogue
    calls: Calls
    settings: EngineSettings
    emit: Callable[[Event], None]
    price: Callable[[str, Usage], float | None]
    mode_for: Callable[[SessionInfo], Mode]
    veil: Veil


@dataclass(frozen=True, slots=True)
class Ending:
    """How a turn ended, before its text and its denials are looked up."""

    status: Status
    reason: str = ""
    can_continue: bool = False


class Turn:
    """Runs on the session's lane. ``take_queued`` gives what the person has said meanwhile."""

    def __init__(
        self,
        turn: str,
        desk: Desk,
        session: Session,
        *,
        model_for: Callable[[SessionInfo], Model],
        scene: Scene,
        take_queued: Callable[[], list[Message]],
    ) -> None:
        self.id = turn
        self._desk = desk
        self._session = session
        self._model_for = model_for
        self._scene = scene
        self._take_queued = take_queued

    def run(self, rows: dict[str, Row]) -> TurnEnded:
        """Go on until there is nothing left to do. ``rows`` are approval rows of calls that were open when the
        lane started. Raises ``Closing`` when the process ends while a question waits."""
        try:
            self._take_over(rows)
            ending = self._rounds()
        except Cancelled:
            self._stop_open_calls()
            ending = Ending("cancelled", "Stopped.")
        except ModelError as error:
            self._keep_partial(error.partial)
            ending = Ending("error", str(error), can_continue=True)
        return self.ended(ending)

    def ended(self, ending: Ending) -> TurnEnded:
        """The one event that ends this turn."""
        messages = this_turn(self._session.messages)
        text = next((m.text for m in reversed(messages) if m.role == "assistant" and m.text), "")
        status = ending.status
        if status == "done" and was_denied(self._session.messages):
            status = "denied"
        return TurnEnded(self._session.id, self.id, status, text, ending.reason, ending.can_continue)

    @property
    def _model(self) -> Model:
        """The session's model now: a person may change it during a turn."""
        return self._model_for(self._session.info)

    # --- steps ------------------------------------------------------------------------------

    def _take_over(self, rows: dict[str, Row]) -> None:
        """Close what a former process left open: calls with a question go on, the others were cut off."""
        for call in open_calls(self._session.messages):
            self._desk.calls.continue_open(self._scene, call, rows.get(call.id), self._keep)

    def _rounds(self) -> Ending:
        while True:
            self._scene.cancel.check()
            for message in self._take_queued():
                self._session.say(message)
            if self._session.messages[-1].role == "assistant":
                return Ending("done")
            turn = this_turn(self._session.messages)
            if reason := going_in_circles(turn, self._desk.catalogue):
                return Ending("limit", reason, can_continue=True)
            if sum(m.role == "assistant" for m in turn) >= self._desk.settings.max_rounds:
                return self._last_words()
            if ending := self._round():
                return ending

    def _round(self) -> Ending | None:
        """One request and its calls. None: go on."""
        info = self._session.info
        offered = self._deferral().offer(self._session.messages)
        if offered.note:
            self._session.add(note(offered.note, **{DROPPED: list(offered.dropped)}))
        answer = self._ask(offered)
        message = replace(answer.message, calls=tuple(unwrapped(call) for call in answer.message.calls))
        if not message.calls and not message.text:
            return Ending("error", f"{self._model.id} sent an empty answer.", can_continue=True)
        message = self._session.add(message)
        if message.calls:
            scene = replace(self._scene, mode=self._desk.mode_for(info), why=self._session.why())
            self._desk.calls.run(scene, message.calls, self._keep)
            return None
        if answer.finish == "length":
            return Ending("limit", "The answer reached the model's length limit and was cut.", can_continue=True)
        return None

    def _last_words(self) -> Ending:
        """The limit is reached: one answer without tools that says what is done and what is open."""
        self._session.add(note(LIMIT_NOTE))
        answer = self._ask(NO_TOOLS)
        if answer.message.text:
            self._session.add(replace(answer.message, calls=()))
        limit = self._desk.settings.max_rounds
        return Ending("limit", f"Stopped after {limit} rounds of tool calls.", can_continue=True)

    def _ask(self, offer: Offer) -> Answer:
        """One request, its stream told as deltas. A stop keeps the text that had come."""
        request = build_request(self._session.messages, self._session.info, offer, self._model.abilities)
        said: list[str] = []
        try:
            answer = self._read(self._model.stream(request, self._scene.cancel), said)
        except Cancelled:
            self._keep_partial("".join(said))
            raise
        usage = replace(answer.usage, cost=self._desk.price(self._model.id, answer.usage))
        sizes = group_bytes(offer.tools)
        round_ = Round(len(offer.tools), sum(sizes.values()), usage, offer.dropped, sizes)
        self._desk.store.add_round(self._session.id, self.id, round_)
        self._desk.emit(RoundEnded(self._session.id, round_))
        return answer

    def _read(self, parts: Any, said: list[str]) -> Answer:
        """To the end of a stream. What may be the beginning of a secret is told once it turns out to be none."""
        spoken, thought = self._desk.veil.pieces(), self._desk.veil.pieces()
        for part in parts:
            match part:
                case TextPart(text):
                    said.append(text)
                    self._tell(spoken.take(text))
                case ReasoningPart(text):
                    self._tell(thought.take(text), reasoning=True)
                case Restarted(reason, wait):
                    said.clear()
                    spoken, thought = self._desk.veil.pieces(), self._desk.veil.pieces()
                    self._desk.emit(TextReset(self._session.id, reason, wait))
                case Answer():
                    self._tell(thought.rest(), reasoning=True)
                    self._tell(spoken.rest())
                    return part
        text = f"{self._model.id} ended its answer without finishing it."
        raise ModelError(text, kind="empty", partial="".join(said))

    def _tell(self, text: str, *, reasoning: bool = False) -> None:
        if text:
            self._desk.emit(TextDelta(self._session.id, text, reasoning))

    # --- keeping ----------------------------------------------------------------------------

    def _deferral(self) -> Deferral:
        return Deferral(self._desk.catalogue, self._desk.settings, self._model.abilities)

    def _keep(self, call: ToolCall, result: ToolResult) -> None:
        if call.name == "find_tools":
            result = self._deferral().announce(result, self._session.messages)
            if missed := result.details.get("missed"):
                self._desk.store.add_miss(self._session.id, str(missed))
        self._session.add(
            Message(
                "tool",
                result.text,
                call_id=call.id,
                name=call.name,
                ok=result.ok,
                details=result.details,
                attachments=result.attachments,
            )
        )

    def _keep_partial(self, text: str) -> None:
        if text:
            self._session.add(Message("assistant", text, details={"partial": True}))

    def _stop_open_calls(self) -> None:
        for call in open_calls(self._session.messages):
            self._keep(call, ToolResult("Not run: the person pressed Stop first.", {"cancelled": True}, ok=False))


def going_in_circles(turn: Sequence[Message], catalogue: Catalogue) -> str:
    """Why a turn should stop and ask: the same calls with the same arguments and the same results again
    and again ("" when it gets somewhere). Different results, or reading many files, are no circle."""
    rounds = _signatures(turn)
    if len(rounds) >= SAME_ROUNDS and len(set(rounds[-SAME_ROUNDS:])) == 1:
        return f"{_names(rounds[-1])} gave the same result {SAME_ROUNDS} times in a row."
    failing = len(rounds) >= SAME_FAILURES and len(set(rounds[-SAME_FAILURES:])) == 1
    if failing and all(not ok and _changes(name, catalogue) for name, _, _, ok in rounds[-1]):
        return f"{_names(rounds[-1])} failed twice in the same way."
    return ""


_Signature = tuple[tuple[str, str, str, bool], ...]


def _signatures(turn: Sequence[Message]) -> list[_Signature]:
    """Of the newest rounds with calls: (name, arguments, result, ok) of each call."""
    begins = [n for n, message in enumerate(turn) if message.calls][-SAME_ROUNDS:]
    turn = turn[begins[0] :] if begins else ()
    results = {m.call_id: m for m in turn if m.role == "tool"}
    rounds = []
    for message in turn:
        answered = [(call, results[call.id]) for call in message.calls if call.id in results]
        if answered:
            rounds.append(
                tuple((call.name, call.raw or compact_json(call.arguments), m.text, m.ok) for call, m in answered)
            )
    return rounds


def _names(signature: _Signature) -> str:
    return ", ".join(dict.fromkeys(name for name, *_ in signature))


def _changes(name: str, catalogue: Catalogue) -> bool:
    spec = catalogue.spec(name)
    return spec is not None and not spec.read_only
