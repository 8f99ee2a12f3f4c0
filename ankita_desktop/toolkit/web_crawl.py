"""Several pages of the web: those that were named, and those they link to, within bounds."""

from __future__ import annotations

import json
import sys
import time
from collections import deque
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from ankita_desktop.errors import ToolError
from ankita_desktop.toolkit import web, web_page
from ankita_desktop.toolkit.addresses import Address, read_address
from ankita_desktop.toolkit.cancel import Cancel
from ankita_desktop.toolkit.context import ToolContext
from ankita_desktop.toolkit.limits import Limits, Program, run_program

ROBOT = "ankita-desktop"
LONGEST_DELAY = 2.0  # seconds between two pages of a site that asks for more
SELECTING = 20.0  # seconds for all selectors


@dataclass(frozen=True, slots=True)
class Bounds:
    """``depth`` in links from a start, ``seconds`` for everything; ``follow``: what a followed address holds."""

    depth: int = 0
    pages: int = 10
    seconds: float = 60.0
    follow: str = ""


@dataclass(slots=True)
class Crawl:
    """``got`` are (visit, page) in the order of their fetching; ``skipped`` says of an address why not."""

    got: list[tuple[web.Visit, web_page.Page]] = field(default_factory=list)
    skipped: dict[str, str] = field(default_factory=dict)
    left: int = 0
    why: str = ""


def crawl(starts: Sequence[Address], bounds: Bounds, ctx: ToolContext) -> Crawl:
    """Visit the starts and what they link to on the same site, as far as robots.txt and the bounds allow."""
    done, robots = Crawl(), _Robots(ctx)
    deadline = time.monotonic() + bounds.seconds
    waiting = deque((start, 0) for start in starts)
    known = {start.url for start in starts}
    while waiting:
        ctx.cancel.check()
        if len(done.got) >= bounds.pages or time.monotonic() > deadline:
            done.left = len(waiting)
            done.why = (
                f"{bounds.pages} pages" if len(done.got) >= bounds.pages else f"{bounds.seconds:.0f} seconds"
            )
            break
        address, depth = waiting.popleft()
        ctx.progress(f"{len(done.got) + 1}: {address.url}")
        page = _visited(address, depth, done, robots, ctx)
        if page is None or depth >= bounds.depth:
            continue
        for onward in _onward(address, page, bounds.follow):
            if onward.url not in known:
                known.add(onward.url)
                waiting.append((onward, depth + 1))
    return done


def _visited(address: Address, depth: int, done: Crawl, robots: _Robots, ctx: ToolContext) -> web_page.Page | None:
    """The page, noted in ``done`` with what became of it. Robots rules are for what nobody named."""
    if depth and not robots.allow(address):
        done.skipped[address.url] = "robots.txt asks robots not to"
        return None
    try:
        visit = web.visit(address, ctx)
        page = web_page.read(visit)
    except ToolError as error:
        if not depth and not done.got:
            raise
        done.skipped[address.url] = str(error)
        return None
    if visit.status >= 400:
        done.skipped[address.url] = f"status {visit.status}"
        return None
    done.got.append((visit, page))
    return page


def _onward(start: Address, page: web_page.Page, follow: str) -> list[Address]:
    found = []
    for url, _ in page.links:
        try:
            address = read_address(url)
        except ToolError:
            continue
        if same_site(start, address) and follow in address.url:
            found.append(address)
    return found


def same_site(one: Address, other: Address) -> bool:
    """Whether two addresses are of one site: the same host and port, with or without www."""
    return (one.host.removeprefix("www."), one.port) == (other.host.removeprefix("www."), other.port)


class _Robots:
    """What sites ask of robots, each asked once."""

    def __init__(self, ctx: ToolContext) -> None:
        self._ctx = ctx
        self._rules: dict[str, Any] = {}

    def allow(self, address: Address) -> bool:
        """Whether the page may be fetched; waits as long as the site asks for between two pages."""
        if address.origin not in self._rules:
            self._rules[address.origin] = self._read(address)
        rules = self._rules[address.origin]
        if isinstance(rules, bool):
            return rules
        self._ctx.cancel.wait(min(LONGEST_DELAY, rules.crawl_delay(ROBOT) or 0.0))
        self._ctx.cancel.check()
        return bool(rules.can_fetch(address.url, ROBOT))

    def _read(self, address: Address) -> Any:
        from protego import Protego

        try:
            visit = web.visit(f"{address.origin}/robots.txt", self._ctx, seconds=10)
        except ToolError:
            return False
        if visit.status >= 500:
            return False
        return Protego.parse(web_page.decoded(visit)) if visit.status < 400 else True


# --- fields ---------------------------------------------------------------------------------


def fields(
    got: Sequence[tuple[web.Visit, web_page.Page]], selectors: Mapping[str, str], item: str, ctx: ToolContext
) -> list[Any]:
    """What the selectors choose on each page. Raises ``ToolError`` on a selector that isn't one."""
    pages = [{"url": visit.address.url, "html": web_page.decoded(visit)} for visit, _ in got]
    return choose({"pages": pages, "selectors": dict(selectors), "item": item}, ctx.cancel)


def choose(wanted: Mapping[str, Any], cancel: Cancel) -> list[Any]:
    """What ``web_select`` makes of ``wanted``, in a process of its own with a time limit."""
    if getattr(sys, "frozen", False):  # there is no interpreter to run it with
        return _here(wanted)
    argv = [sys.executable, "-I", str(Path(__file__).with_name("web_select.py"))]
    program = Program(argv, str(Path.home()), stdin=json.dumps(wanted).encode())
    outcome = run_program(program, cancel, Limits(seconds=SELECTING, size=32 << 20))
    if outcome.cut or outcome.code == 2:
        why = outcome.complaint or "The selectors take too long on these pages. Use simpler ones."
        raise ToolError(why)
    if outcome.code:
        raise ToolError(f"The fields could not be read: {outcome.complaint[-300:]}")
    found: list[Any] = json.loads(outcome.out)
    return found


def _here(wanted: Mapping[str, Any]) -> list[Any]:
    from ankita_desktop.toolkit.web_select import BadSelector, select

    try:
        return [select(p["html"], p["url"], wanted["selectors"], wanted["item"]) for p in wanted["pages"]]
    except BadSelector as error:
        raise ToolError(str(error)) from error
