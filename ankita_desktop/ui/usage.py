"""What a conversation cost: bars per round, the cached share, the schemas sent. Main thread only."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from ankita_desktop.protocol import Round, Usage
from ankita_desktop.ui.parts import label, margins, name
from ankita_desktop.ui.theme import theme

CHART_HEIGHT = 54
MAX_BARS = 24
FEWEST_BARS = 7
MOST_GROUPS = 6
KILO = 1000


def tokens(count: int) -> str:
    """14.2k for 14,210: as short as a meter can be."""
    return f"{count / KILO:.1f}k" if count >= KILO else str(count)


def kilobytes(count: int) -> str:
    return f"{count / KILO:.1f} KB"


def cost(usd: float | None) -> str:
    """In cents; "" when it isn't known."""
    if usd is None:
        return ""
    return f"${usd:.2f}" if usd >= 0.01 or usd == 0 else "< $0.01"


def midnight() -> float:
    """When today began here (epoch seconds)."""
    return datetime.now().astimezone().replace(hour=0, minute=0, second=0, microsecond=0).timestamp()


def total(rounds: Sequence[Round]) -> Usage:
    """The sum; the cost is known only when some round's is."""
    costs = [each.usage.cost for each in rounds if each.usage.cost is not None]
    return Usage(
        sum(each.usage.input for each in rounds),
        sum(each.usage.cached for each in rounds),
        sum(each.usage.output for each in rounds),
        sum(costs) if costs else None,
    )


def meter(rounds: Sequence[Round]) -> str:
    """14.2k in · 11.9k cached · $0.02; "" when nothing was counted."""
    usage = total(rounds)
    if not usage.input:
        return ""
    parts = [f"{tokens(usage.input)} in"]
    if usage.cached:
        parts.append(f"{tokens(usage.cached)} cached")
    if usage.cost is not None:
        parts.append(cost(usage.cost))
    return " · ".join(parts)


@dataclass(frozen=True, slots=True)
class Schemas:
    """How much the catalogue would be if all of it were sent."""

    tools: int = 0
    schema_bytes: int = 0


class Bars(QWidget):
    """One bar per round: new tokens below, cached ones above, the largest round full height."""

    def __init__(self) -> None:
        super().__init__()
        self.setFixedHeight(CHART_HEIGHT)
        self._rounds: Sequence[Round] = ()
        theme().changed.connect(self.update)

    def show_rounds(self, rounds: Sequence[Round]) -> None:
        self._rounds = rounds[-MAX_BARS:]
        self.setAccessibleName(f"Tokens per round, the last {len(self._rounds)} rounds")
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        highest = max((each.usage.input for each in self._rounds), default=0) or 1
        count = max(len(self._rounds), 1)
        gap = 3.0
        width = (self.width() + gap) / max(count, FEWEST_BARS) - gap
        for number, each in enumerate(self._rounds):
            left = number * (width + gap)
            self._bar(painter, QRectF(left, 0, width, self.height()), each.usage, highest)

    def _bar(self, painter: QPainter, box: QRectF, usage: Usage, highest: int) -> None:
        painter.fillRect(box, theme().color("track"))
        full = box.height() * usage.input / highest
        fresh = box.height() * (usage.input - usage.cached) / highest
        painter.fillRect(QRectF(box.left(), box.bottom() - full, box.width(), full), theme().color("accent"))
        painter.fillRect(QRectF(box.left(), box.bottom() - fresh, box.width(), fresh), theme().color("attention"))


class Share(QWidget):
    """A thin line filled to a share with the accent, beyond the whole with what draws attention; the rest in
    another token."""

    def __init__(self, rest: str = "track") -> None:
        super().__init__()
        self.setFixedHeight(6)
        self._share = 0.0
        self._rest = rest
        theme().changed.connect(self.update)

    def show_share(self, share: float) -> None:
        """Without any share there is only the track."""
        self._share = max(share, 0.0)
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        box = QRectF(self.rect())
        painter.setBrush(theme().color(self._rest if self._share else "track"))
        painter.drawRoundedRect(box, 3, 3)
        painter.setBrush(theme().color("attention" if self._share > 1 else "accent"))
        if self._share:
            painter.drawRoundedRect(QRectF(0, 0, box.width() * min(self._share, 1.0), box.height()), 3, 3)


class Fact(QWidget):
    """Words at the left, a value at the right."""

    def __init__(self, words: str) -> None:
        super().__init__()
        self._words = words
        self._value = label("", "meta", tone="dim")
        row = QHBoxLayout(self)
        margins(row, 4, 0)
        row.addWidget(label(words, "meta"))
        row.addStretch(1)
        row.addWidget(self._value)

    def show_value(self, value: str) -> None:
        self._value.setText(value)
        self.setAccessibleName(f"{self._words}: {value}")


class Sizes(QWidget):
    """A line for each group whose schemas the last round sent; many small ones are summed up."""

    def __init__(self) -> None:
        super().__init__()
        self._column = QVBoxLayout(self)
        margins(self._column, 0, gap=0)

    def show_sizes(self, sizes: Mapping[str, int]) -> None:
        while item := self._column.takeAt(0):
            if widget := item.widget():
                widget.deleteLater()
        for words, size in shortened(sizes).items():
            line = Fact(words)
            line.show_value(kilobytes(size))
            self._column.addWidget(line)


def shortened(sizes: Mapping[str, int]) -> dict[str, int]:
    """The first groups as they are, in the order of the request, the rest as one line."""
    named = dict(list(sizes.items())[:MOST_GROUPS])
    rest = [size for group, size in sizes.items() if group not in named]
    return named | ({f"{len(rest)} more": sum(rest)} if rest else {})


class Today(QWidget):
    """What all conversations of today cost, against the budget if there is one."""

    def __init__(self) -> None:
        super().__init__()
        self._fact, self._share = Fact("Today"), Share()
        column = QVBoxLayout(self)
        margins(column, 0, gap=4)
        column.addWidget(self._fact)
        column.addWidget(self._share)
        self.show_cost(None, 0.0)

    def show_cost(self, spent: float | None, budget: float) -> None:
        """USD; nothing is shown while no cost is known and none is planned."""
        self.setVisible(spent is not None or budget > 0)
        said = cost(spent or 0.0)
        self._fact.show_value(f"{said} of {cost(budget)}" if budget else said)
        self._share.setVisible(budget > 0)
        self._share.show_share((spent or 0.0) / budget if budget else 0.0)


class UsagePanel(QWidget):
    """The Usage tab of one conversation."""

    def __init__(self, everything: Schemas) -> None:
        super().__init__()
        name(self, "usagePanel", "Usage")
        self._everything = everything
        self._rounds: list[Round] = []
        self._bars, self._share = Bars(), Share("attention")
        self._count = Fact("This conversation")
        self._cached = Fact("Cached")
        self._output = Fact("Written by the model")
        self._cost = Fact("Cost")
        self._schemas = Fact("Schemas sent")
        self._sizes = Sizes()
        self._today = Today()
        self._saved = Fact("Not loaded")
        self._free = label("The built-in assistant uses no tokens and costs nothing.", "meta", tone="dim")
        self._free.setWordWrap(True)
        self._empty = label("What each round sends and costs will be counted here.", "meta", tone="dim")
        self._empty.setWordWrap(True)
        self._build()
        self.show_rounds(())

    @property
    def rounds(self) -> Sequence[Round]:
        return tuple(self._rounds)

    def add_round(self, each: Round) -> None:
        self.show_rounds([*self._rounds, each])

    def show_today(self, spent: float | None, budget: float) -> None:
        """What today cost in USD (None: not known), and the budget (0: none)."""
        self._today.show_cost(spent, budget)

    def show_rounds(self, rounds: Sequence[Round]) -> None:
        self._rounds = list(rounds)
        self._inside.setVisible(bool(rounds))
        self._empty.setVisible(not rounds)
        if rounds:
            self._show_usage()
            self._show_schemas(rounds[-1])

    def _build(self) -> None:
        self._inside = QWidget()
        column = QVBoxLayout(self._inside)
        margins(column, 0, gap=0)
        column.addWidget(self._count)
        column.addWidget(self._free)
        column.addWidget(self._counted())
        column.addSpacing(12)
        for part in (self._schemas, self._sizes, self._saved):
            column.addWidget(part)
        column.addSpacing(12)
        outside = QVBoxLayout(self)
        margins(outside, 12, 16)
        self._empty.setContentsMargins(0, 0, 0, 12)
        outside.addWidget(self._empty)
        outside.addWidget(self._inside)
        outside.addWidget(self._today)
        outside.addStretch(1)

    def _counted(self) -> QWidget:
        self._tokens = QWidget()
        column = QVBoxLayout(self._tokens)
        margins(column, 4, 0, 0, 0, gap=4)
        for part in (self._bars, self._cached, self._share, self._output, self._cost):
            column.addWidget(part)
        return self._tokens

    def _show_usage(self) -> None:
        usage = total(self._rounds)
        count = len(self._rounds)
        self._bars.show_rounds(self._rounds)
        self._count.show_value("1 round" if count == 1 else f"{count} rounds")
        share = usage.cached / usage.input if usage.input else 0.0
        self._cached.show_value(f"{share:.0%}".replace("%", " %"))
        self._share.show_share(share)
        self._tokens.setVisible(usage.input > 0)
        self._free.setVisible(usage.input == 0)
        self._output.show_value(f"{tokens(usage.output)} tokens")
        self._cost.show_value(cost(usage.cost) or "not known")

    def _show_schemas(self, last: Round) -> None:
        of = f" of {self._everything.tools}" if self._everything.tools >= last.tools else ""
        self._schemas.show_value(f"{last.tools}{of} tools")
        self._sizes.show_sizes(last.group_bytes or {"all groups": last.schema_bytes})
        saved = self._everything.schema_bytes - last.schema_bytes
        self._saved.setVisible(saved > 0)
        self._saved.show_value(f"{kilobytes(saved)} saved a round")
