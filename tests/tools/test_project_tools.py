"""Projects: what holds for them is kept, names that fit several are refused, a brief tells known from unknown."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from ankita_desktop.store.database import Store
from ankita_desktop.toolkit import ToolContext, ToolError
from ankita_desktop.toolkit.process import Jobs
from ankita_desktop.toolkit.services import Services
from tests.tools.calls import call, tool


@pytest.fixture
def store() -> Iterator[Store]:
    store = Store()
    yield store
    store.close()


@pytest.fixture
def ctx(store: Store, tmp_path: Path) -> ToolContext:
    session = store.create_session(cwd=str(tmp_path), mode="ask", model="").id
    return ToolContext(tmp_path, Jobs(), session=session, services=Services(projects=store, memory=store))


def project(ctx: ToolContext, action: str, **args: object) -> str:
    return call("project", ctx, action=action, **args).text


def memory(ctx: ToolContext, action: str, **args: object) -> str:
    return call("project_memory", ctx, action=action, **args).text


def test_a_project_keeps_what_holds_for_it(ctx: ToolContext) -> None:
    project(
        ctx, "add", name="Harbour site", kind="client", about="Booking pages", contacts=["Ines, ines@example.org"]
    )
    project(ctx, "update", conventions=["two spaces"], links=["https://example.org/wiki"])
    project(ctx, "update", conventions=["British spelling"], environments=["staging: login in HARBOUR_STAGING"])
    shown = project(ctx, "show", project="harbour site")
    for part in ("Booking pages", "Ines", "two spaces", "British spelling", "example.org/wiki", "HARBOUR_STAGING"):
        assert part in shown
    project(ctx, "update", remove=["two spaces"])
    assert "two spaces" not in project(ctx, "show")


def test_a_folder_is_kept_as_a_whole_path_and_found_from_inside(ctx: ToolContext, tmp_path: Path) -> None:
    inner = tmp_path / "shop" / "src"
    inner.mkdir(parents=True)
    project(ctx, "add", name="Shop", kind="folder", place="shop")
    project(ctx, "add", name="Other")
    assert "Other (in use)" in project(ctx, "list"), "what was used last in the conversation comes first"
    elsewhere = replace(ctx, session="", cwd=inner)
    assert str(tmp_path / "shop") in project(elsewhere, "show")


def test_a_name_that_fits_several_is_refused_with_the_candidates(ctx: ToolContext) -> None:
    for name in ("Harbour site", "Harbour app", "Mill"):
        project(ctx, "add", name=name)
    with pytest.raises(ToolError, match=r"several projects.*\n- Harbour app.*\n- Harbour site"):
        project(ctx, "show", project="harbour")
    with pytest.raises(ToolError, match=r"several projects"):
        memory(ctx, "note", text="x", project="harbour")
    assert "Mill" in project(ctx, "show", project="mil")
    with pytest.raises(ToolError, match=r"no project 'boat'. There are: .*Mill"):
        project(ctx, "use", project="boat")


def test_without_a_project_the_call_says_which_there_are(ctx: ToolContext, store: Store) -> None:
    with pytest.raises(ToolError, match=r"No project is in use here.*none yet"):
        project(ctx, "show")
    with pytest.raises(ToolError, match="action=add"):
        memory(ctx, "note", text="x")
    store.add_project("Mill")
    assert "Noted for Mill" in memory(ctx, "note", text="x"), "the only one there is can't be mistaken"
    store.add_project("Barn")
    with pytest.raises(ToolError, match="There are: Barn, Mill"):
        memory(ctx, "note", text="x")


def test_names_are_kept_once(ctx: ToolContext) -> None:
    project(ctx, "add", name="Mill")
    project(ctx, "add", name="Barn")
    with pytest.raises(ToolError, match="already"):
        project(ctx, "add", name="MILL")
    with pytest.raises(ToolError, match="already"):
        project(ctx, "rename", project="Barn", name="mill")
    assert "Barn is now Granary" in project(ctx, "rename", project="Barn", name="Granary")
    assert "barn is now" not in project(ctx, "rename", project="Granary", name="GRANARY")


def test_an_archived_project_is_out_of_the_way_and_comes_back_when_used(ctx: ToolContext) -> None:
    project(ctx, "add", name="Mill")
    project(ctx, "archive")
    assert project(ctx, "list") == "Archived: Mill"
    project(ctx, "use", project="Mill")
    assert "Mill (in use)" in project(ctx, "list")


def test_forgetting_a_project_is_asked_with_what_goes_and_leaves_nothing(ctx: ToolContext, store: Store) -> None:
    project(ctx, "add", name="Mill")
    memory(ctx, "note", text="the wheel is broken")
    module = tool("project")
    args = {"action": "forget", "project": "Mill"}
    assert module.approval_for(args, ctx) == "ask"
    assert "1 notes" in module.preview(args, ctx).text
    assert all(module.approval_for({"action": action}, ctx) == "never" for action in ("add", "update", "list"))
    project(ctx, "forget", project="Mill")
    assert store.recall("wheel") == []
    assert project(ctx, "list") == "There are no projects yet."


@pytest.mark.parametrize(
    "text",
    [
        "password: hunter2",
        "staging: DB_PASSWORD=hunter2",
        "dbPassword = hunter2",
        "client_secret: abcdef",
        "the access key is abcdef",
        "Kennwort: hunter2",
        "API key = sk-abcdefghijklmnopqrstuvwxyz",
        "postgres://root:s3cret@db.example.org/main",
        "token ghp_abcdefghijklmnopqrstuvwxyz012345",
    ],
)
def test_values_of_credentials_are_refused_everywhere(ctx: ToolContext, text: str) -> None:
    project(ctx, "add", name="Mill")
    for attempt in (
        lambda: project(ctx, "update", environments=[text]),
        lambda: project(ctx, "update", about=text),
        lambda: memory(ctx, "note", text=text),
        lambda: call("remember", ctx, action="add", text=text),
    ):
        with pytest.raises(ToolError, match=r"key or (a )?password"):
            attempt()


@pytest.mark.parametrize(
    "text",
    [
        "staging: password in the keyring",
        "key HARBOUR_KEY, see wiki",
        "the token is kept in 1Password",
        "deploys with DB_PASSWORD from the vault",
        "password: DB_PASSWORD",
        "the hairpin: in the drawer",
    ],
)
def test_saying_where_a_credential_is_kept_is_fine(ctx: ToolContext, text: str) -> None:
    project(ctx, "add", name="Mill", environments=[text])
    assert text in project(ctx, "show")


def test_todos_are_listed_by_date_and_finished_by_their_words(ctx: ToolContext) -> None:
    project(ctx, "add", name="Mill")
    memory(ctx, "todo", text="Order new belts", due="2030-05-01")
    memory(ctx, "todo", text="Grease the axle", due="2001-01-01")
    memory(ctx, "todo", text="Paint the door")
    memory(ctx, "todo", text="Paint the gate")
    brief = memory(ctx, "brief")
    places = [brief.index(text) for text in ("axle", "belts", "door", "gate")]
    assert places == sorted(places)
    assert "LATE" in brief
    with pytest.raises(ToolError, match=r"several todos.*\n.*door.*\n.*gate"):
        memory(ctx, "done", text="paint")
    assert memory(ctx, "done", text="paint the door") == "Done: Paint the door"
    with pytest.raises(ToolError, match=r"No open todo of Mill fits 'paint the door'"):
        memory(ctx, "done", text="paint the door")
    assert "door" not in memory(ctx, "brief")


@pytest.mark.parametrize("due", ["tomorrow", "2026-13-01", "01.12.2026", "2026-12-1"])
def test_a_date_that_is_none_is_refused_with_the_form(ctx: ToolContext, due: str) -> None:
    project(ctx, "add", name="Mill")
    with pytest.raises(ToolError, match="is no date: due takes one such as"):
        memory(ctx, "todo", text="x", due=due)


def test_a_brief_tells_recorded_confirmed_and_unknown_apart(ctx: ToolContext, tmp_path: Path) -> None:
    shop = tmp_path / "shop"
    (shop / ".git").mkdir(parents=True)
    (shop / ".git" / "HEAD").write_text("ref: refs/heads/main\n")
    (shop / "README.md").write_text("x")
    project(ctx, "add", name="Shop", kind="folder", place="shop", conventions=["tabs"])
    memory(ctx, "decide", text="Prices are in euros")
    recorded, confirmed, unknown = memory(ctx, "brief").split("\n\n")[1:]
    assert "tabs" in recorded and "Prices are in euros" in recorded
    assert "is there" in confirmed and "on main" in confirmed and "README.md" in confirmed
    assert "contacts: nothing recorded" in unknown and "open todos: none" in unknown
    (shop / "README.md").unlink()
    (shop / ".git" / "HEAD").unlink()
    (shop / ".git").rmdir()
    shop.rmdir()
    brief = memory(ctx, "brief")
    assert "Confirmed" not in brief
    assert "isn't there" in brief.split("Unknown:")[1]


def test_notes_decisions_and_todos_are_recalled_with_their_project_and_date(ctx: ToolContext) -> None:
    project(ctx, "add", name="Mill")
    memory(ctx, "decide", text="The millstone is granite")
    memory(ctx, "todo", text="Sharpen the millstone")
    found = call("recall", ctx, query="millstone")
    assert "(decision, project Mill, 20" in found.text
    assert "(todo, project Mill, 20" in found.text


def test_the_log_tells_what_happened_newest_first(ctx: ToolContext) -> None:
    project(ctx, "add", name="Mill")
    assert "Nothing is noted" in memory(ctx, "log")
    for text in ("first run", "second run"):
        memory(ctx, "log", text=text)
    log = memory(ctx, "log")
    assert log.index("second") < log.index("first")


@pytest.mark.parametrize("action", ["note", "decide", "todo", "done"])
def test_a_missing_text_is_said(ctx: ToolContext, action: str) -> None:
    project(ctx, "add", name="Mill")
    with pytest.raises(ToolError, match=f"{action} needs"):
        memory(ctx, action)
