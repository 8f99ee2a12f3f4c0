"""What the chat shows, without Qt: messages as entries, one per thing on the page."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Literal

from ankita_desktop.core.briefing import BRIEFING
from ankita_desktop.protocol import Message, ToolCall
from ankita_desktop.ui.cards_words import facts, looked, what, words
from ankita_desktop.ui.markdown import plain
from ankita_desktop.ui.markdown_stream import parse

FOLD = 4  # more calls in a row that only look than this become one line


@dataclass(slots=True)
class Called:
    """A call with its result, once there is one."""

    call: ToolCall
    result: Message | None = None

    @property
    def looks(self) -> bool:
        return words(self.call).looks and (self.result is None or self.result.ok)


@dataclass(slots=True)
class Entry:
    """``message`` for what somebody said, ``calls`` for cards (one, or many that only looked)."""

    kind: Literal["user", "assistant", "note", "calls"]
    message: Message | None = None
    calls: list[Called] = field(default_factory=list)

    def plain(self) -> str:
        """The entry as text, the same whether its widget exists or not."""
        if self.kind == "calls":
            return _calls_plain(self.calls)
        assert self.message is not None
        return plain(parse(self.message.text)) if self.kind == "assistant" else self.message.text


def entries(messages: Iterable[Message]) -> list[Entry]:
    """The page from top to bottom; neighbouring calls that only look are folded together."""
    found: list[Entry] = []
    open_calls: dict[str, Called] = {}
    for message in messages:
        if message.role == "tool":
            if message.call_id in open_calls:
                open_calls.pop(message.call_id).result = message
            continue
        for entry in of_message(message):
            found.append(entry)
            open_calls.update({one.call.id: one for one in entry.calls})
    return list(_folded(found))


def of_message(message: Message) -> Iterator[Entry]:
    """What one message puts on the page."""
    if BRIEFING in message.details:
        return  # for the model alone
    if message.role == "user":
        yield Entry("note" if message.source == "note" else "user", message)
        return
    if message.text.strip() or message.reasoning:
        yield Entry("assistant", message)
    for call in message.calls:
        yield Entry("calls", calls=[Called(call)])


def _folded(found: list[Entry]) -> Iterator[Entry]:
    run: list[Entry] = []
    for entry in [*found, None]:
        if entry is not None and entry.kind == "calls" and entry.calls[0].looks:
            run.append(entry)
            continue
        if len(run) > FOLD:
            yield Entry("calls", calls=[one for each in run for one in each.calls])
        else:
            yield from run
        run = []
        if entry is not None:
            yield entry


def _calls_plain(calls: list[Called]) -> str:
    if len(calls) > 1:
        return looked([one.call for one in calls], running=False)
    one = calls[0]
    lines = [f"{words(one.call).done} {what(one.call)}".strip()]
    if one.result is not None:
        lines[0] = " · ".join([lines[0], *facts(one.call, one.result.details, None)])
        lines.append(str(one.result.details.get("diff") or ""))
        lines += [each.name or each.path for each in one.result.attachments]
    return "\n".join(filter(None, lines))
