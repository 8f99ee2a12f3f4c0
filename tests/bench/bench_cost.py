"""What a conversation costs with everything loaded and with each shape of deferral, beside the automatic choice.

The real deferral, catalogue and find_tools make real requests over generated conversations; the caches of services
are simulated. Costs are in tokens of new input: cached ones count a tenth, output five or eight times.

python -m tests.bench cost
"""

from __future__ import annotations

import random
import statistics
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path
from typing import Any

from ankita_desktop.assembly import OPENAI, abilities_at
from ankita_desktop.catalog import ToolCatalogue, open_catalogue
from ankita_desktop.core.context import build_request
from ankita_desktop.core.deferral import DROPPED, Deferral, shape_of
from ankita_desktop.core.session import note
from ankita_desktop.models.chat_request import messages as wire_messages
from ankita_desktop.models.native_deferral import found_tools, openai_tools
from ankita_desktop.protocol import (
    Abilities,
    Message,
    ModelRequest,
    SessionInfo,
    ToolCall,
    ToolResult,
    ToolSpec,
    compact_json,
)
from ankita_desktop.toolkit import ToolContext
from ankita_desktop.toolkit.services import Services
from tests.bench.caches import CACHES, Cache, Parts, Prompt
from tests.catalog.bm25 import read_queries, read_tools
from tests.conftest import SHARED
from tests.core.house import Limits

DATA = SHARED / "tool_retrieval"
SERVERS = ("metatool_single", "bfcl_multiple", "bfcl_live_multiple")
SHAPES = ("off", "attach", "dispatch", "native")
NAMES = {"off": "everything"}
ROUND, PAUSE, LONG_PAUSE = 8.0, 60.0, 1_200.0  # seconds
INFO = SessionInfo("bench", "", "/home/someone/project", created=0.0)


# --- conversations ----------------------------------------------------------------------------


@dataclass(frozen=True)
class Turn:
    """What happens in one turn, whatever the shape: ``looks`` are results of core calls, ``wants`` deferred tools
    that are needed, each with its result."""

    said: str
    looks: tuple[str, ...]
    wants: tuple[tuple[str, str], ...]
    answer: str
    pause: float


def conversation(dice: random.Random, turns: int, needs: Sequence[int], tools: Sequence[str]) -> list[Turn]:
    """``needs`` are the turns in which a tool is needed for the first time; later ones may need it again."""
    said = texts()
    chosen = dict(zip(sorted(needs), dice.sample(tools, len(needs)), strict=True))
    known: list[str] = []
    made = []
    for number in range(turns):
        wants = [chosen[number]] if number in chosen else []
        if known and dice.random() < 0.3:
            wants.append(dice.choice(known))
        known += [tool for tool in wants if tool not in known]
        looks = tuple(prose(dice, 60, 700) for _ in range(dice.choice((0, 0, 1, 1, 2, 3))))
        pause = LONG_PAUSE if dice.random() < 0.05 else dice.expovariate(1 / PAUSE)
        results = tuple((tool, prose(dice, 30, 250)) for tool in dict.fromkeys(wants))
        made.append(Turn(dice.choice(said), looks, results, prose(dice, 20, 160), pause))
    return made


@cache
def texts() -> list[str]:
    return [query for name in SERVERS for query, _ in read_queries(DATA / name / "queries.jsonl")[:300]]


def prose(dice: random.Random, least: int, most: int) -> str:
    """So many words of what people wrote."""
    words: list[str] = []
    while len(words) < most:
        words += dice.choice(texts()).split()
    return " ".join(words[: dice.randint(least, most)])


When = Callable[[random.Random, int], list[int]]


def early(dice: random.Random, turns: int) -> list[int]:
    return list(range(min(2, turns)))


def late(dice: random.Random, turns: int) -> list[int]:
    return list(range(max(0, turns - max(2, turns // 10)), turns))[:2]


def many(dice: random.Random, turns: int) -> list[int]:
    return dice.sample(range(turns), min(8, turns))


def uniform(dice: random.Random, turns: int) -> list[int]:
    return dice.sample(range(turns), dice.randint(0, min(6, turns)))


# --- playing one ------------------------------------------------------------------------------


@dataclass
class Asked:
    """One request: when, what, how many tokens the answer took, whether tools had just been found."""

    time: float
    prompt: Prompt
    output: int
    activated: bool


@dataclass
class Stage:
    """A conversation in one shape. ``parts`` is shared, so that equal texts are counted once."""

    shape: str
    catalogue: ToolCatalogue
    parts: Parts
    time: float = 0.0
    messages: list[Message] = field(default_factory=list)
    asked: list[Asked] = field(default_factory=list)
    _wire: list[Any] = field(default_factory=list)
    _numbers: list[int] = field(default_factory=list)
    _entries: dict[str, int] = field(default_factory=dict)
    _calls: int = 0
    _found: bool = False

    def __post_init__(self) -> None:
        self.abilities = Abilities(
            max_tools=10_000 if self.shape == "off" else 128,
            context_tokens=4_000_000,
            deferral="native" if self.shape == "native" else "attach",
        )
        self.deferral = Deferral(self.catalogue, Limits(deferral=self.shape), self.abilities)

    def play(self, turns: Sequence[Turn]) -> list[Asked]:
        for turn in turns:
            self.messages.append(Message("user", turn.said))
            for number, look in enumerate(turn.looks):
                self.answer("read_file", {"path": f"src/part_{number}.py"}, lambda look=look: ToolResult(look))
            for tool, result in turn.wants:
                if not self.callable(tool):
                    self.answer("find_tools", {"query": tool}, lambda tool=tool: self.find(tool))
                    self._found = True
                self.answer(tool, self.arguments(tool), lambda result=result: ToolResult(result))
            self.ask(Message("assistant", turn.answer))
            self.time += turn.pause
        return self.asked

    def callable(self, tool: str) -> bool:
        """Whether the model can call the tool now: it is sent, or was found in this conversation."""
        if self.shape in ("off", "attach"):
            return any(spec.name == tool for spec in self.deferral.offer(self.messages).tools)
        return any(tool in message.details.get("tools", ()) for message in self.messages)

    def arguments(self, tool: str) -> dict[str, Any]:
        spec = self.catalogue.spec(tool)
        return dict.fromkeys(list((spec.parameters if spec else {}).get("properties", {}))[:3], "some value")

    def find(self, tool: str) -> ToolResult:
        ctx = ToolContext(cwd=Path(), jobs=None, services=Services(catalogue=self.catalogue))  # type: ignore[arg-type]
        found = self.catalogue.load("find_tools").run({"query": tool}, ctx)
        assert isinstance(found, ToolResult) and tool in found.details["tools"], tool
        return self.deferral.announce(found, self.messages)

    def answer(self, tool: str, arguments: dict[str, Any], result: Callable[[], ToolResult]) -> None:
        """The model calls a tool, and the result comes."""
        self._calls += 1
        spec = self.catalogue.spec(tool)
        via = "call_tool" if self.shape == "dispatch" and spec and not spec.always_on else ""
        call = ToolCall(f"call_{self._calls:08}", tool, arguments, via=via)
        self.ask(Message("assistant", calls=(call,)))
        done = result()
        self.messages.append(Message("tool", done.text, call_id=call.id, name=tool, details=done.details))

    def ask(self, answer: Message) -> None:
        """One request, answered."""
        offer = self.deferral.offer(self.messages)
        if offer.note:
            self.messages.append(note(offer.note, **{DROPPED: list(offer.dropped)}))
        request = build_request(self.messages, INFO, offer, self.abilities)
        prompt = self.prompt(request)
        said = wire_messages(replace(request, system="", messages=(answer,)), vision=False)
        output = self.parts.total([self.parts.number(compact_json(said[0]))])
        self.asked.append(Asked(self.time, prompt, output, self._found))
        self._found = False
        self.messages.append(answer)
        self.time += ROUND

    def prompt(self, request: ModelRequest) -> Prompt:
        """The request as a service reads it."""
        if request.deferred:
            tools = [self.parts.number(compact_json(entry)) for entry in openai_tools(request)]
        else:
            tools = [self.entry(spec) for spec in request.tools]
        system, *wire = wire_messages(request, vision=False)
        if wire[: len(self._wire)] != self._wire:
            self._wire, self._numbers = [], []
        fresh = zip(wire[len(self._wire) :], request.messages[len(self._wire) :], strict=True)
        self._numbers += [self.parts.number(self.written(request, *each)) for each in fresh]
        self._wire = wire
        parts = (*tools, self.parts.number(compact_json(system)), *self._numbers)
        return Prompt(parts, (len(tools), len(tools) + 1, len(parts)))

    def entry(self, spec: ToolSpec) -> int:
        if spec.name not in self._entries:
            self._entries[spec.name] = self.parts.number(compact_json(spec.entry()))
        return self._entries[spec.name]

    def written(self, request: ModelRequest, wire: Any, message: Message) -> str:
        """A message as it is read; a service that defers by itself shows schemas where tools were found."""
        schemas = [spec.entry() for spec in found_tools(request, message)]
        return compact_json(wire) + (compact_json(schemas) if schemas else "")


# --- billing ----------------------------------------------------------------------------------


@dataclass(frozen=True)
class Bill:
    """``cost`` in tokens of new input; ``again`` what each activation made the service read anew."""

    cost: float
    again: tuple[int, ...]


def bill(asked: Sequence[Asked], kept: Cache, parts: Parts) -> Bill:
    cost, before, at, again = 0.0, 0, -1e9, []
    rates = kept.rates
    for one in asked:
        size, cached = parts.total(one.prompt.parts), kept.cached(one.prompt, one.time)
        cost += cached * rates.cached + (size - cached) * rates.written + one.output * rates.output
        if one.activated and one.time - at < kept.life:
            lost = before - cached
            again.append(lost if lost >= kept.step else 0)
        before, at = size, one.time
    return Bill(cost, tuple(again))


# --- tables -----------------------------------------------------------------------------------


@dataclass(frozen=True)
class Case:
    """Costs of one conversation: service -> shape -> bill."""

    bills: dict[str, dict[str, Bill]]


def case(catalogue: ToolCatalogue, tools: Sequence[str], seed: int, turns: int, when: When) -> Case:
    dice = random.Random(seed)
    script = conversation(dice, turns, when(dice, turns), tools)
    parts = Parts()
    bills: dict[str, dict[str, Bill]] = {service: {} for service in CACHES}
    for shape in SHAPES:
        asked = Stage(shape, catalogue, parts).play(script)
        for service, kind in CACHES.items():
            bills[service][shape] = bill(asked, kind(parts), parts)
    return Case(bills)


def catalogues() -> Iterator[tuple[str, ToolCatalogue, list[str]]]:
    """Built-ins alone, and beside three large servers; with the deferred tools that may be needed."""
    own = open_catalogue()
    built = [group for group in own.groups() if not group.always and not group.planned]
    yield "built-ins", own, [tool for group in built for tool in group.tools]
    large = open_catalogue()
    for name in SERVERS:
        tools = read_tools(DATA / name / "tools.jsonl")
        large.register(name, [replace(spec, name=f"{name[:4]}_{spec.name}"[:64]) for spec in tools])
    served = [spec.name for spec in large.specs() if spec.source.startswith("server:")]
    yield f"3 servers ({len(served)} tools)", large, random.Random(1).sample(served, 60)


def main() -> None:
    if not DATA.is_dir():
        print(f"{DATA} is not here: no conversations to generate")
        return
    cases: list[Case] = []
    print("cost in thousand tokens of new input; in brackets: tokens read anew per activation")
    for title, catalogue, tools in catalogues():
        for turns, seeds in ((5, 4), (40, 2), (200, 1)):
            for when in (early, late, many):
                found = [case(catalogue, tools, seed, turns, when) for seed in range(seeds)]
                cases += found
                row(f"{title}, {turns} turns, {when.__name__}", found)
        dice = random.Random(2)
        lengths = [round(5 * 40 ** dice.random()) for _ in range(8)]
        found = [case(catalogue, tools, 100 + n, turns, uniform) for n, turns in enumerate(lengths)]
        cases += found
        row(f"{title}, 5 to 200 turns, uniform", found)
    print()
    for shapes in (("off", "attach", "dispatch"), SHAPES):
        judged(cases, shapes)


def row(title: str, cases: Sequence[Case]) -> None:
    for service in CACHES:
        cells = []
        for shape in SHAPES:
            bills = [each.bills[service][shape] for each in cases]
            again = [count for one in bills for count in one.again]
            lost = f" ({statistics.fmean(again):,.0f})" if again else ""
            cells.append(
                f"{NAMES.get(shape, shape)} {statistics.fmean(one.cost for one in bills) / 1000:.1f}{lost}"
            )
        print(f"{title:<40} {service:<10} " + "   ".join(cells), flush=True)


def judged(cases: Sequence[Case], shapes: Sequence[str]) -> None:
    """The automatic choice, which knows the service alone, beside the best of the shapes for each conversation."""
    chosen = automatic(shapes)
    print(f"where a service has {', '.join(NAMES.get(s, s) for s in shapes)}; automatic: {chosen}")
    for service in CACHES:
        for shape in shapes:
            over = above(cases, service, shape, shapes)
            mark = "  <- automatic" if shape == chosen else ""
            figures = f"{statistics.fmean(over):>6.1%} on average, {max(over):>6.1%} at worst"
            print(f"  {service:<10} {NAMES.get(shape, shape):<11} above the best: {figures}{mark}")


def automatic(shapes: Sequence[str]) -> str:
    """What is chosen for a service on the internet that has these shapes."""
    return shape_of("auto", Abilities(deferral="native") if "native" in shapes else abilities_at(OPENAI))


def above(cases: Sequence[Case], service: str, shape: str, shapes: Sequence[str]) -> list[float]:
    """Of each conversation: how much more the shape cost than the best of the shapes (0.0: it was the best)."""
    best = [min(one.bills[service][each].cost for each in shapes) for one in cases]
    return [one.bills[service][shape].cost / least - 1 for one, least in zip(cases, best, strict=True)]


if __name__ == "__main__":
    main()
