"""Folder cases of the tools that work on what is kept: ``known/<tool>/<case>/`` holds ``call.json``, and perhaps
the working folder in ``input/``.

``call.json`` has ``arguments``; ``before``: calls made first; ``shown``: what the question shows, for calls that
ask; ``text`` or ``error``: what the result or the refusal must match; ``kept``: all that is kept afterwards.
"""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from ankita_desktop import paths
from ankita_desktop.errors import ToolError
from ankita_desktop.store.database import Store
from ankita_desktop.toolkit import ToolContext, ToolResult
from ankita_desktop.toolkit.process import Jobs
from ankita_desktop.toolkit.projects import LISTS, Note, Project
from ankita_desktop.toolkit.services import Services
from ankita_desktop.toolkit.skills import SkillShelf
from tests.cases.test_cases import tree
from tests.tools.calls import call, tool

HERE = Path(__file__).parent / "known"
CASES = sorted(path.parent.relative_to(HERE).as_posix() for path in HERE.glob("*/*/call.json"))
GROUPS = ("personal", "skills", "project")


@pytest.fixture
def store() -> Iterator[Store]:
    store = Store()
    yield store
    store.close()


@pytest.fixture
def ctx(store: Store, tmp_path: Path) -> ToolContext:
    work = tmp_path / "work"
    work.mkdir()
    shelf = SkillShelf(bundled=paths.bundled("skills"), own=tmp_path / "own", trusted=lambda: [str(work)])
    session = store.create_session(cwd=str(work), mode="ask", model="").id
    services = Services(memory=store, projects=store, skills=shelf)
    return ToolContext(work, Jobs(), session=session, services=services)


def kept(store: Store) -> list[str]:
    facts = [f"{'pinned' if fact.pinned else 'fact'} {fact.text}" for fact in store.facts()]
    projects = [*store.projects(), *store.projects(archived=True)]
    notes = [_noted(note) for one in projects for note in store.notes(one.id)]
    return facts + [_project(one) for one in projects] + notes


def _project(one: Project) -> str:
    head = f"{'archived' if one.archived else 'project'} {one.name} {one.kind} {one.about}".strip()
    return "; ".join([head, *(f"{key} {', '.join(getattr(one, key))}" for key in LISTS if getattr(one, key))])


def _noted(note: Note) -> str:
    return f"{note.kind} {note.text}{f' due {note.due}' if note.due else ''}"


@pytest.mark.parametrize("case", CASES)
def test_the_call_says_and_keeps_what_is_expected(case: str, ctx: ToolContext, store: Store) -> None:
    made = json.loads((HERE / case / "call.json").read_text())
    if (HERE / case / "input").exists():
        shutil.copytree(HERE / case / "input", ctx.cwd, dirs_exist_ok=True)
    for name, arguments in made.get("before", []):
        call(name, ctx, **arguments)
    files, before = tree(ctx.cwd), kept(store)
    if "error" in made:
        with pytest.raises(ToolError, match=made["error"]):
            call(case.split("/")[0], ctx, **made["arguments"])
        assert kept(store) == before
    else:
        assert re.search(made["text"], _asked(case.split("/")[0], ctx, made).text)
        assert kept(store) == made.get("kept", [])
    assert tree(ctx.cwd) == files


def _asked(name: str, ctx: ToolContext, made: dict[str, Any]) -> ToolResult:
    module, arguments = tool(name), made["arguments"]
    level = module.approval_for(arguments, ctx) if hasattr(module, "approval_for") else module.approval
    assert level == ("ask" if "shown" in made else "never")
    if "shown" in made:
        assert re.search(made["shown"], module.preview(arguments, ctx).text)
    return call(name, ctx, **arguments)


@pytest.mark.parametrize("case", [case for case in CASES if case.startswith("remember/")])
def test_what_a_save_did_is_taken_back_by_its_undo(case: str, ctx: ToolContext, store: Store) -> None:
    made = json.loads((HERE / case / "call.json").read_text())
    for name, arguments in made.get("before", []):
        call(name, ctx, **arguments)
    before = kept(store)
    if "error" not in made:
        result = call("remember", ctx, **made["arguments"])
        assert "undo" not in result.details or store.undo_fact(result.details["undo"])
        assert kept(store) == before or made["arguments"]["action"] == "forget"


def test_every_tool_of_these_groups_has_cases() -> None:
    tools = {file.stem for group in GROUPS for file in paths.bundled("tools").glob(f"{group}/*.py")}
    assert tools == {case.split("/")[0] for case in CASES}
