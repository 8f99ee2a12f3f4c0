"""All that is stored about a person can be taken along, and can be forgotten."""

from __future__ import annotations

import io
import json
import os
import subprocess
import sys

import pytest

from ankita_desktop import paths
from ankita_desktop.errors import SessionBusy
from ankita_desktop.protocol import Grant, Message
from ankita_desktop.store.database import Store
from ankita_desktop.store.exporting import INDEXES


def filled(store: Store) -> str:
    session = store.create_session(cwd="/", mode="ask", model="", title="Zeppelins").id
    store.add_message(session, Message("user", "the zeppelin Hindenburg landed"))
    store.add_fact("The user collects zeppelins")
    project = store.add_project("Zeppelin hangar", conventions=["helium only"])
    store.add_note(project.id, "todo", "repair the zeppelin")
    store.use_project(session, project.id)
    store.add_grant(Grant("g1", "run zeppelin", "zeppelin"))
    return session


def exported(store: Store) -> dict[str, list[dict[str, object]]]:
    out = io.StringIO()
    count = store.export_everything(out)
    content: dict[str, list[dict[str, object]]] = json.loads(out.getvalue())
    assert sum(map(len, content.values())) == count
    return content


def test_the_export_holds_every_table_of_the_person_as_readable_data(store: Store) -> None:
    filled(store)
    content = exported(store)
    names = {row["name"] for row in store.rows("SELECT name FROM sqlite_master WHERE type = 'table'")}
    inner = {name for name in names if name.startswith((*(f"{i}_" for i in INDEXES), "sqlite_", *INDEXES))}
    inner |= {name for name in names if name.endswith("_vocabulary")}
    assert set(content) == names - inner - {"leases", "duties", "memory_salt"}
    (message,) = content["messages"]
    assert message["body"]["text"] == "the zeppelin Hindenburg landed"  # type: ignore[index]
    (project,) = content["projects"]
    assert project["lists"]["conventions"] == ["helium only"]  # type: ignore[index]


def test_the_export_of_an_empty_store_is_json(store: Store) -> None:
    assert all(rows == [] for rows in exported(store).values())


def test_forgetting_everything_leaves_no_word_in_any_file(store: Store) -> None:
    session = filled(store)
    store.delete_session(session)
    store.forget_project("p1")
    filled(store)
    store.forget_fact(store.facts()[0].id)
    store.forget_everything()
    assert all(rows == [] for rows in exported(store).values())
    store.close()
    content = b"".join(file.read_bytes() for file in paths.data().iterdir() if file.is_file()).lower()
    for word in (b"zeppelin", b"hindenburg", b"helium", b"eppeli"):
        assert word not in content


def test_everything_works_on_after_forgetting(store: Store) -> None:
    filled(store)
    store.forget_everything()
    filled(store)
    assert len(store.recall("zeppelin")) == 3
    assert store.search("zeppelin")


def test_nothing_is_forgotten_while_another_process_works(store: Store) -> None:
    session = filled(store)
    child = subprocess.Popen([sys.executable, "-c", "import sys; sys.stdin.read()"], stdin=subprocess.PIPE)
    try:
        store.lease(session, f"{child.pid} window")
        with pytest.raises(SessionBusy, match="window"):
            store.forget_everything()
        assert store.facts()
    finally:
        child.communicate()
    store.forget_everything()
    assert store.facts() == []
    store.lease(store.create_session(cwd="/", mode="ask", model="").id, f"{os.getpid()} test")
