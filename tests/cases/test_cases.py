"""Folder cases: ``<tool>/<case>/call.json`` says what is called and what must come of it.

- ``arguments``; ``before``: calls that are made first, ``[{"name", "arguments"}]``
- ``text``, ``without``: expressions that the result matches, and doesn't; ``details``: what it has
- ``error``: expressions that the refusal matches; nothing is changed then
- ``asks``: the questions that were put, in order
- ``keys`` (environment), ``settings``, ``clipboard``; ``screen.png`` is what a picture of the screen shows
- ``requests``: what the site was asked, ``"GET /path"``; ``desktop``: what was done on it

``input/`` is the working folder before, ``expected/`` after it (left out: it stays as it was), byte for byte;
undo brings ``input/`` back. ``site/`` and ``site.json`` are a web site, see ``scene.serve``. {site} and {work}
stand for where they are.
"""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path
from typing import Any

import pytest

from ankita_desktop import paths
from ankita_desktop.protocol import ToolResult, dump
from ankita_desktop.safety.checkpoints import CheckpointStore
from tests.cases.scene import Stage, filled, holds, patterns, stage

HERE = Path(__file__).parent
CASES = sorted(path.parent.relative_to(HERE).as_posix() for path in HERE.glob("*/*/call.json"))


def tree(folder: Path) -> dict[str, bytes]:
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


@pytest.mark.parametrize("case", CASES)
def test_the_call_gives_what_the_folder_says(case: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    facts = json.loads((HERE / case / "call.json").read_text())
    work = tmp_path / "work"
    work.mkdir()
    if (HERE / case / "input").exists():  # an empty one is not kept by git
        shutil.copytree(HERE / case / "input", work, dirs_exist_ok=True)
    monkeypatch.chdir(work)
    with stage(HERE / case, work, facts, monkeypatch) as there:
        for first in facts.get("before", ()):
            done = there.run(first["name"], filled(first["arguments"], there.site, work))
            assert done.ok, done.text
        there.questions.clear()
        before = tree(work)
        result = there.run(case.split("/")[0], filled(facts["arguments"], there.site, work))
        assert result.ok is ("error" not in facts), result.text
        _said(result, facts, there, work)
        _done(facts, there, work)
        expected = HERE / case / "expected"
        assert tree(work) == (tree(expected) if expected.exists() and "error" not in facts else before)
        if result.details.get("checkpoint"):
            CheckpointStore(paths.data() / "checkpoints").restore(result.details["checkpoint"])
            assert tree(work) == before


def _said(result: ToolResult, facts: dict[str, Any], there: Stage, work: Path) -> None:
    for wanted in patterns(facts.get("error", facts.get("text", [])), there.site, work):
        assert re.search(wanted, result.text, re.M), f"no {wanted!r} in:\n{result.text}"
    for unwanted in patterns(facts.get("without", []), there.site, work):
        assert not re.search(unwanted, result.text, re.M), f"{unwanted!r} in:\n{result.text}"
    details = dump(result)["details"]
    assert holds(details, filled(facts.get("details", {}), there.site, work)), details


def _done(facts: dict[str, Any], there: Stage, work: Path) -> None:
    if "asks" in facts:
        assert len(there.questions) == len(facts["asks"]), there.questions
        for said, wanted in zip(there.questions, patterns(facts["asks"], there.site, work), strict=True):
            assert re.search(wanted, said), said
    asked = [f"{method} {path}" for method, path, _, _ in there.site.seen]
    for wanted in facts.get("requests", []):
        assert wanted in asked, asked
    assert there.desktop.seen == filled(facts.get("desktop", []), there.site, work)


def test_every_tool_has_a_folder_case() -> None:
    tools = {path.stem for path in paths.bundled("tools").glob("*/*.py")}
    cases = {case.split("/")[0] for case in CASES} | {case.parts[-3] for case in HERE.glob("known/*/*/call.json")}
    assert tools - cases == set()
    assert cases <= tools, "a case of a tool that there isn't"
