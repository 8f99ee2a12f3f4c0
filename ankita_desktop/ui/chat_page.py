"""The entries of a conversation and their widgets: only those near what is shown exist."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import QPoint
from PySide6.QtWidgets import QWidget

from ankita_desktop.events import TurnEnded
from ankita_desktop.protocol import ApprovalRequest, JobInfo, Message, Outcome, ToolCall, ToolResult
from ankita_desktop.ui.blocks import Stack
from ankita_desktop.ui.blocks_select import Selection
from ankita_desktop.ui.cards import CallGroup, ToolCard
from ankita_desktop.ui.cards_words import words
from ankita_desktop.ui.chat_entries import FOLD, Called, Entry, entries, of_message
from ankita_desktop.ui.chat_items import AssistantItem, LineItem, UserItem

if TYPE_CHECKING:
    from ankita_desktop.ui.chat import ChatView

BATCH = 12  # entries built at once when scrolling up
_OUTCOMES = {"allowed": "approved", "denied": "", "expired": "nobody answered", "closed": ""}
_ENDINGS = {"cancelled": "Stopped.", "denied": "", "done": ""}


class Page:
    """Turns entries into widgets of the column, from the end upwards."""

    def __init__(self, column: Stack, selection: Selection, view: ChatView) -> None:
        self._column, self._selection, self._view = column, selection, view
        self.clear()

    def clear(self) -> None:
        for item in self._column.items:
            self._column.drop(item)
        self._above: list[Entry] = []
        self._live: AssistantItem | None = None
        self._unpainted: list[AssistantItem] = []
        self._cards: dict[str, ToolCard] = {}
        self._requests: dict[str, str] = {}
        self._jobs: dict[str, JobInfo] = {}

    # --- stored messages ---

    def show(self, messages: Sequence[Message]) -> None:
        self._above = entries(messages)

    @property
    def more(self) -> bool:
        """There are entries above that aren't built."""
        return bool(self._above)

    def earlier(self) -> None:
        """Build some entries above the first."""
        batch, self._above = self._above[-BATCH:], self._above[:-BATCH]
        for place, entry in enumerate(batch):
            self._column.insert(place, self._build(entry))

    def toPlainText(self) -> str:
        above = [entry.plain() for entry in self._above]
        return "\n".join([*above, *(_text(item) for item in self._column.items)])

    def source_at(self, global_point: QPoint) -> str:
        """The message under the point, as it was written."""
        for item in self._column.items:
            if item.rect().contains(item.mapFromGlobal(global_point)) and isinstance(item, _SAID):
                return item.source()
        return ""

    def _build(self, entry: Entry) -> QWidget:
        if entry.kind == "calls":
            return self._build_calls(entry.calls)
        assert entry.message is not None
        if entry.kind == "user":
            return UserItem(entry.message, self._selection)
        if entry.kind == "note":
            return LineItem(_note(entry.message.text))
        item = self._assistant()
        item.finish(entry.message)
        if item.paint():
            self._unpainted.append(item)
        return item

    def _build_calls(self, calls: Sequence[Called]) -> QWidget:
        cards = [self._make_card(one.call) for one in calls]
        for card, one in zip(cards, calls, strict=True):
            if one.result is not None:
                card.finish(one.result.text, one.result.details, ok=one.result.ok)
                self._follow_job(card)
        return cards[0] if len(cards) == 1 else self._group(cards)

    def _assistant(self) -> AssistantItem:
        item = AssistantItem(self._selection)
        item.linkActivated.connect(self._view.linkActivated)
        return item

    # --- what happens now ---

    def delta(self, text: str, *, reasoning: bool) -> None:
        if self._live is None:
            self._live = self._assistant()
            self._append(self._live)
        if reasoning:
            self._live.add_reasoning(text)
        else:
            self._live.add_text(text)

    def paint(self) -> bool:
        """Show text that has arrived, for some milliseconds. True: some is left to paint."""
        live = [self._live] if self._live is not None else []
        for item in self._unpainted or live:
            if item.paint():
                return True
            if item in self._unpainted:
                self._unpainted.remove(item)
                return True
        return False

    @property
    def unpainted(self) -> bool:
        return bool(self._unpainted)

    def reset(self) -> None:
        """What streamed since the last message is void."""
        if self._live is not None:
            self._column.drop(self._live)
            self._live = None

    def message(self, message: Message) -> None:
        if message.role == "tool":
            self._result(message)
            return
        for entry in of_message(message):
            if entry.kind == "assistant" and self._live is not None:
                self._live.finish(message)
                self._unpainted.append(self._live)
                self._live = None
            elif entry.kind == "calls":
                self.card(entry.calls[0].call)
            else:
                self._append(self._build(entry))
        if message.role == "assistant":
            self.reset()

    def _result(self, message: Message) -> None:
        card = self._cards.get(message.call_id)
        if card is not None:
            card.finish(message.text, message.details, ok=message.ok)
            self._refresh_group(card)

    def card(self, call: ToolCall) -> ToolCard:
        """The call's card, made when it isn't there."""
        if call.id not in self._cards:
            self._place_card(self._make_card(call))
        return self._cards[call.id]

    def progress(self, call_id: str, text: str) -> None:
        if call_id in self._cards:
            self._cards[call_id].progress(text)

    def ended(self, call: ToolCall, result: ToolResult, seconds: float) -> None:
        card = self.card(call)
        card.finish(result.text, result.details, ok=result.ok, seconds=seconds)
        self._refresh_group(card)

    def asked(self, request: ApprovalRequest) -> None:
        self._requests[request.id] = request.call.id
        self.card(request.call).ask()

    def answered(self, request: str, outcome: Outcome) -> None:
        card = self._cards.get(self._requests.pop(request, ""))
        if card is not None:
            card.note(_OUTCOMES.get(outcome, ""))
            if card.state == "asking":
                card.start()

    def job(self, info: JobInfo) -> None:
        self._jobs[info.id] = info
        for card in self._cards.values():
            card.job(info)

    def mark_undone(self, checkpoint: str, *, undone: bool) -> None:
        for card in self._cards.values():
            if card.details.get("checkpoint") == checkpoint:
                card.mark_undone(undone)

    def _follow_job(self, card: ToolCard) -> None:
        info = self._jobs.get(str(card.details.get("job_id")))
        if info is not None:
            card.job(info)

    def turn_ended(self, event: TurnEnded) -> None:
        """Say why a turn ended unless it is plain to see; offer to go on."""
        self.reset()
        text = event.reason or _ENDINGS.get(event.status, "")
        if event.status in ("done", "denied") or not text:
            return
        tone = "danger" if event.status == "error" else "dim"
        item = LineItem(text, tone=tone, action="Continue" if event.can_continue else "")
        if item.button is not None:
            item.button.clicked.connect(self._view.continueRequested)
            item.button.clicked.connect(item.button.hide)
        self._append(item)

    # --- cards ---

    def _make_card(self, call: ToolCall) -> ToolCard:
        card = ToolCard(call)
        card.undoRequested.connect(self._view.undoRequested)
        card.stopRequested.connect(self._view.stopRequested)
        card.jobStopRequested.connect(self._view.jobStopRequested)
        self._cards[call.id] = card
        return card

    def _place_card(self, card: ToolCard) -> None:
        """At the end: into the group there, or making one of the cards there when they become many."""
        last = self._column.items[-1] if self._column.items else None
        looks = words(card.call).looks
        if looks and isinstance(last, CallGroup):
            last.take_in(card)
            return
        run = self._looking_run() if looks else []
        if len(run) < FOLD:
            self._append(card)
            return
        for one in run:
            self._column.take(one)
        self._append(self._group([*run, card]))

    def _looking_run(self) -> list[ToolCard]:
        """The cards at the end that only look."""
        run: list[ToolCard] = []
        for item in reversed(self._column.items):
            if not isinstance(item, ToolCard) or not words(item.call).looks or item.state in ("failed", "denied"):
                break
            run.insert(0, item)
        return run

    def _group(self, cards: Sequence[ToolCard]) -> CallGroup:
        group = CallGroup()
        for card in cards:
            group.take_in(card)
        return group

    def _refresh_group(self, card: ToolCard) -> None:
        for item in reversed(self._column.items):
            if isinstance(item, CallGroup) and card in item.cards:
                item.refresh()

    def _append(self, item: QWidget) -> None:
        self._column.add(item)


_SAID = (UserItem, AssistantItem, LineItem)


def _text(item: QWidget) -> str:
    return item.toPlainText() if isinstance(item, (*_SAID, ToolCard, CallGroup)) else ""


def _note(text: str) -> str:
    """Words of the product to the model, as one line."""
    line = " ".join(text.split())
    return line if len(line) <= 160 else line[:160] + "…"
