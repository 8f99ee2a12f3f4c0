"""The entries of a conversation and their widgets: only those near what is shown exist."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import QPoint
from PySide6.QtWidgets import QWidget

from ankita_desktop.protocol import JobInfo, Message, ToolCall
from ankita_desktop.ui.blocks import Stack
from ankita_desktop.ui.blocks_select import Selection
from ankita_desktop.ui.cards import CallGroup, ToolCard
from ankita_desktop.ui.chat_entries import Called, Entry, entries
from ankita_desktop.ui.chat_items import AssistantItem, LineItem, UserItem

if TYPE_CHECKING:
    from ankita_desktop.ui.chat import ChatView

BATCH = 12  # entries built at once when scrolling up


class Page:
    """Turns entries into widgets of the column, from the end upwards."""

    def __init__(self, column: Stack, selection: Selection, view: ChatView) -> None:
        self._column, self._selection, self._view = column, selection, view
        self.clear()

    def clear(self) -> None:
        for item in self._column.items:
            self._column.drop(item)
        self._above: list[Entry] = []
        self._unpainted: list[AssistantItem] = []
        self._cards: dict[str, ToolCard] = {}
        self._jobs: dict[str, JobInfo] = {}
        self._undone: set[str] = set()

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

    def said_at(self, global_point: QPoint) -> Message | None:
        """What a person or the assistant said under the point."""
        for item in self._column.items:
            if item.rect().contains(item.mapFromGlobal(global_point)) and isinstance(item, _SPOKEN):
                return item.message
        return None

    def last_answer(self) -> str:
        """The id of the last thing that was said; "" while nothing is."""
        found = [item for item in self._column.items if isinstance(item, _SPOKEN)]
        return _message(found[-1]) if found else ""

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
                card.attach(one.result.attachments)
                self._follow_job(card)
                if card.checkpoint in self._undone:
                    card.mark_undone(True)
        return cards[0] if len(cards) == 1 else self._group(cards)

    def _assistant(self) -> AssistantItem:
        item = AssistantItem(self._selection)
        item.linkActivated.connect(self._view.linkActivated)
        return item

    def _make_card(self, call: ToolCall) -> ToolCard:
        card = ToolCard(call)
        card.undoRequested.connect(self._view.undoRequested)
        card.stopRequested.connect(self._view.stopRequested)
        card.jobStopRequested.connect(self._view.jobStopRequested)
        self._cards[call.id] = card
        return card

    def _group(self, cards: Sequence[ToolCard]) -> CallGroup:
        group = CallGroup()
        for card in cards:
            group.take_in(card)
        return group

    def _follow_job(self, card: ToolCard) -> None:
        info = self._jobs.get(str(card.details.get("job_id")))
        if info is not None:
            card.job(info)

    def job(self, info: JobInfo) -> None:
        self._jobs[info.id] = info
        for card in self._cards.values():
            card.job(info)

    def mark_undone(self, checkpoint: str, *, undone: bool) -> None:
        (self._undone.add if undone else self._undone.discard)(checkpoint)
        for card in self._cards.values():
            if card.checkpoint == checkpoint:
                card.mark_undone(undone)

    def change_at(self, global_point: QPoint) -> tuple[str, str]:
        """Under the point, or before it: (the checkpoint of a change, a message of the same turn)."""
        checkpoint = message = ""
        for item in self._column.items:
            if item.mapFromGlobal(global_point).y() < 0:
                break
            message = _message(item) or message
            here = isinstance(item, ToolCard) and item.rect().contains(item.mapFromGlobal(global_point))
            checkpoint = item.checkpoint if here and isinstance(item, ToolCard) else ""
        return checkpoint, message

    def _append(self, item: QWidget) -> None:
        self._column.add(item)


_SAID = (UserItem, AssistantItem, LineItem)
_SPOKEN = (UserItem, AssistantItem)


def _text(item: QWidget) -> str:
    return item.toPlainText() if isinstance(item, (*_SAID, ToolCard, CallGroup)) else ""


def _message(item: QWidget) -> str:
    said = item.message if isinstance(item, UserItem | AssistantItem) else None
    return said.id if said is not None else ""


def _note(text: str) -> str:
    """Words of the product to the model, as one line."""
    line = " ".join(text.split())
    return line if len(line) <= 160 else line[:160] + "…"
