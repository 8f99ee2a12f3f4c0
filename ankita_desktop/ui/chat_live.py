"""The end of the page, where things happen: text that arrives, cards of running calls, endings."""

from __future__ import annotations

from ankita_desktop.events import TurnEnded
from ankita_desktop.protocol import ApprovalRequest, Message, Outcome, ToolCall, ToolResult
from ankita_desktop.ui.cards import CallGroup, ToolCard
from ankita_desktop.ui.cards_words import words
from ankita_desktop.ui.chat_entries import FOLD, of_message
from ankita_desktop.ui.chat_items import AssistantItem, LineItem
from ankita_desktop.ui.chat_page import Page

_OUTCOMES = {"allowed": "approved", "denied": "", "expired": "nobody answered", "closed": ""}
_ENDINGS = {"cancelled": "Stopped.", "denied": "", "done": ""}


class LivePage(Page):
    """A page that follows a turn."""

    def clear(self) -> None:
        super().clear()
        self._live: AssistantItem | None = None
        self._requests: dict[str, str] = {}

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
            card.attach(message.attachments)
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
        card.attach(result.attachments)
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

    def _refresh_group(self, card: ToolCard) -> None:
        for item in reversed(self._column.items):
            if isinstance(item, CallGroup) and card in item.cards:
                item.refresh()
