"""What a folder case happens in: the whole product, a web site, a desktop, and somebody who agrees."""

from __future__ import annotations

import json
import mimetypes
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from ankita_desktop.assembly import Assembly, Options, assemble
from ankita_desktop.core.approvals import Approvals
from ankita_desktop.core.calls import Calls, Scene
from ankita_desktop.protocol import ApprovalRequest, Decision, ToolCall, ToolResult
from ankita_desktop.toolkit import stock
from ankita_desktop.toolkit.cancel import Cancel
from ankita_desktop.toolkit.process import Jobs
from tests.tools.site import PUBLIC, Answer, Site, public, serving

NAMES = ("site.example", "other.example")


@dataclass
class Desktop:
    """A desktop of which only the surface is ours: what is on it can be seen afterwards."""

    clipboard: str = ""
    screen: bytes = b""
    seen: list[str] = field(default_factory=list)

    def read_clipboard(self) -> str:
        return self.clipboard

    def write_clipboard(self, text: str) -> None:
        self.clipboard = text
        self.seen.append(f"clipboard: {text}")

    def notify(self, title: str, text: str) -> None:
        self.seen.append(f"notify: {title}: {text}")

    def open(self, target: str, app: str = "") -> None:
        self.seen.append(f"open: {target}{f' with {app}' if app else ''}")

    def screenshot(self) -> bytes:
        return self.screen


class Agreeing(Approvals):
    """Somebody who says yes; ``questions`` is what they were asked."""

    def __init__(self, app: Assembly) -> None:
        super().__init__(app.store, lambda _event: None)
        self.questions: list[str] = []

    def ask(self, request: ApprovalRequest, cancel: Cancel, *, stored: bool = False) -> Decision:
        self.questions.append(request.preview.question)
        return Decision(True)


@dataclass
class Stage:
    """``run`` makes one call as a model's is made."""

    run: Callable[[str, dict[str, Any]], ToolResult]
    app: Assembly
    desktop: Desktop
    questions: list[str]
    site: Site


@contextmanager
def stage(case: Path, work: Path, facts: dict[str, Any], monkeypatch: pytest.MonkeyPatch) -> Iterator[Stage]:
    """Everything a case may need. ``facts`` is its ``call.json``."""
    public(monkeypatch, *NAMES)
    with serving(PUBLIC) as site:
        serve(case / "site", site)
        monkeypatch.setattr(stock, "UNSPLASH", site.url)
        monkeypatch.setattr(stock, "PIXABAY", f"{site.url}/api/")
        for name, value in facts.get("keys", {}).items():
            monkeypatch.setenv(name, value)
        screen = case / "screen.png"
        desktop = Desktop(facts.get("clipboard", ""), screen.read_bytes() if screen.exists() else b"")
        app, jobs = assemble(Options(cwd=str(work), provider="offline"), desktop), Jobs()
        for name, value in facts.get("settings", {}).items():
            app.settings.set(name, filled(value, site, work))
        try:
            agreeing = Agreeing(app)
            yield Stage(_caller(app, agreeing, jobs, work), app, desktop, agreeing.questions, site)
        finally:
            jobs.close()
            app.close()


def _caller(
    app: Assembly, agreeing: Agreeing, jobs: Jobs, work: Path
) -> Callable[[str, dict[str, Any]], ToolResult]:
    calls = Calls(
        catalogue=app.catalogue,
        approvals=agreeing,
        services=app.services,
        settings=app.settings,
        emit=lambda _event: None,
    )
    session = app.new_session().id
    scene = Scene(session, work, "ask", "", jobs, Cancel())

    def run(name: str, arguments: dict[str, Any]) -> ToolResult:
        results: list[ToolResult] = []
        calls.run(scene, [ToolCall(f"c-{name}", name, arguments)], lambda _, result: results.append(result))
        return results[0]

    return run


def serve(folder: Path, site: Site) -> None:
    """Each file of ``site/`` at its own path. ``site.json`` says more of a path: status, headers, or the file that
    is there (so that a path may have a query, or no ending)."""
    for file in sorted(folder.rglob("*")):
        if file.is_file():
            kind = mimetypes.guess_type(file.name)[0] or "text/plain"
            site.page(f"/{file.relative_to(folder).as_posix()}", _text(file, site), kind)
    special = folder.parent / "site.json"
    for path, facts in json.loads(special.read_text()).items() if special.exists() else ():
        site.pages[path] = _special(path, facts, folder, site)


def _text(file: Path, site: Site) -> bytes:
    return file.read_bytes().replace(b"{site}", site.url.encode())


def _special(path: str, facts: dict[str, Any], folder: Path, site: Site) -> Answer:
    file = folder / facts.get("file", path.lstrip("/"))
    body = _text(file, site) if file.is_file() else b""
    kind = {"content-type": mimetypes.guess_type(file.name)[0] or "text/html"} if body else {}
    headers = {name.lower(): value.replace("{site}", site.url) for name, value in facts.get("headers", {}).items()}
    return facts.get("status", 200), {**kind, **headers}, body


def filled(value: Any, site: Site, work: Path) -> Any:
    """The same with {site} and {work} replaced by where they are."""
    if isinstance(value, str):
        return value.replace("{site}", site.url).replace("{work}", str(work))
    if isinstance(value, list):
        return [filled(each, site, work) for each in value]
    if isinstance(value, dict):
        return {key: filled(each, site, work) for key, each in value.items()}
    return value


def patterns(value: str | list[str], site: Site, work: Path) -> list[str]:
    """Expressions with {site} and {work} as plain text in them."""
    texts = [value] if isinstance(value, str) else value
    return [t.replace("{site}", re.escape(site.url)).replace("{work}", re.escape(str(work))) for t in texts]


def holds(whole: Any, part: Any) -> bool:
    """Whether ``whole`` has all of ``part``: the named fields of an object, the items of a list in order."""
    if isinstance(part, dict):
        return isinstance(whole, dict) and all(name in whole and holds(whole[name], part[name]) for name in part)
    if isinstance(part, list):
        same = isinstance(whole, list | tuple) and len(whole) == len(part)
        return same and all(holds(a, b) for a, b in zip(whole, part, strict=True))
    return bool(whole == part)
