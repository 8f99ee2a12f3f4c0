"""Conversations from elsewhere come over whole, once, and what can't be read is counted, not guessed."""

from __future__ import annotations

import json
import zipfile
from pathlib import Path
from typing import Any

import pytest

from ankita_desktop.errors import UsageError
from ankita_desktop.protocol import Message, dump
from ankita_desktop.store.database import Store
from ankita_desktop.store.importing import Imported, read_export
from ankita_desktop.terminal.sessions import day


def node(parent: str | None, role: str = "", text: Any = "", **more: Any) -> dict[str, Any]:
    parts = text if isinstance(text, list) else [text]
    content = {"content_type": "text", "parts": parts}
    said = {"author": {"role": role}, "content": content, "create_time": 1_700_000_000.5, **more} if role else None
    return {"parent": parent, "children": [], "message": said}


def chatgpt(nodes: dict[str, Any], current: str, title: str = "A talk") -> dict[str, Any]:
    for key, one in nodes.items():
        if one["parent"] in nodes:
            nodes[one["parent"]]["children"].append(key)
    return {
        "title": title,
        "create_time": 1_699_999_999.0,
        "update_time": 1_700_000_100.0,
        "conversation_id": title,
        "mapping": nodes,
        "current_node": current,
    }


def branched() -> dict[str, Any]:
    nodes = {
        "root": node(None),
        "sys": node("root", "system", "be nice"),
        "u1": node("sys", "user", "What is a heron?"),
        "a1": node("u1", "assistant", "A bird."),
        "call": node("u1", "assistant", "search()", recipient="browser"),
        "tool": node("call", "tool", "results"),
        "a2": node("tool", "assistant", ["A wading bird.", {"content_type": "image_asset_pointer"}]),
        "u2": node("a2", "user", "Thanks"),
    }
    return chatgpt(nodes, "u2")


CLAUDE = {
    "uuid": "c-1",
    "name": "Ponds",
    "created_at": "2024-05-01T10:00:00.000000Z",
    "updated_at": "2024-05-01T10:05:00Z",
    "chat_messages": [
        {
            "uuid": "m1",
            "sender": "human",
            "text": "old form",
            "content": [{"type": "text", "text": "Dig a pond?"}],
            "created_at": "2024-05-01T10:00:01Z",
            "attachments": [{"file_name": "plan.pdf"}],
        },
        {"uuid": "m2", "sender": "assistant", "text": "Yes.", "content": [{"type": "tool_use", "name": "x"}]},
        {"uuid": "m3", "sender": "human", "text": "", "content": []},
    ],
}


def written(tmp_path: Path, content: Any, name: str = "conversations.json") -> Path:
    file = tmp_path / name
    file.write_text(json.dumps(content), "utf-8")
    return file


def brought(store: Store, file: Path) -> Imported:
    return store.import_conversations(read_export(file), cwd="/somewhere")


def test_a_chatgpt_export_comes_with_its_branches_and_times(store: Store, tmp_path: Path) -> None:
    assert brought(store, written(tmp_path, [branched()])) == Imported(added=1)
    (info,) = store.sessions()
    assert (info.title, info.created, info.cwd) == ("A talk", 1_699_999_999.0, "/somewhere")
    said = store.messages(info.id)
    assert [(m.role, m.text) for m in said] == [
        ("user", "What is a heron?"),
        ("assistant", "A wading bird.\n\n[image]"),
        ("user", "Thanks"),
    ]
    assert said[0].created == 1_700_000_000.5
    store.move_head(info.id, "a1")
    assert [m.text for m in store.messages(info.id)] == ["What is a heron?", "A bird."]


def test_a_claude_export_comes_with_files_named_and_times(store: Store, tmp_path: Path) -> None:
    assert brought(store, written(tmp_path, [CLAUDE])) == Imported(added=1)
    (info,) = store.sessions()
    assert (info.title, info.created) == ("Ponds", 1_714_557_600.0)
    assert [(m.role, m.text) for m in store.messages(info.id)] == [
        ("user", "Dig a pond?\n[attached: plan.pdf]"),
        ("assistant", "Yes."),
    ]


def test_our_own_export_comes_back_as_it_was(store: Store, tmp_path: Path) -> None:
    session = store.create_session(cwd="/", mode="ask", model="", title="Mine").id
    for message in (Message("user", "hello"), Message("assistant", "hi", reasoning="hm")):
        store.add_message(session, message)
    before, file = store.messages(session), written(tmp_path, store.export(session), "one.json")
    assert brought(store, file) == Imported(known=1)
    store.delete_session(session)
    assert brought(store, file) == Imported(added=1)
    assert [dump(m) for m in store.messages(session)] == [dump(m) for m in before]


def test_a_zip_is_read_as_it_was_downloaded(store: Store, tmp_path: Path) -> None:
    file = tmp_path / "export.zip"
    with zipfile.ZipFile(file, "w") as archive:
        archive.writestr("user.json", "{}")
        archive.writestr("conversations.json", json.dumps([branched(), CLAUDE]))
    assert brought(store, file) == Imported(added=2)


def test_importing_again_adds_only_what_is_new(store: Store, tmp_path: Path) -> None:
    brought(store, written(tmp_path, [branched()]))
    assert brought(store, written(tmp_path, [branched(), CLAUDE])) == Imported(added=1, known=1)


def test_imported_words_are_found_and_recalled_and_can_be_talked_on(store: Store, tmp_path: Path) -> None:
    brought(store, written(tmp_path, [branched(), CLAUDE]))
    assert [hit.message for hit in store.search("heron")] == ["u1"]
    (found,) = store.recall("heron")
    assert "A talk" in found.source
    session = store.search("heron")[0].session
    store.add_message(session, Message("user", "go on"))
    assert store.messages(session)[-1].text == "go on"


@pytest.mark.parametrize(
    "item",
    [
        {"mapping": []},
        {"chat_messages": 3},
        {"session": {}, "messages": []},
        {"session": {"id": "x"}, "messages": [{"role": "nobody"}]},
    ],
)
def test_a_broken_conversation_is_counted_and_the_others_come(store: Store, tmp_path: Path, item: Any) -> None:
    done = brought(store, written(tmp_path, [item, CLAUDE]))
    assert (done.added, done.broken) == (1, 1)
    assert len(store.sessions()) == 1


@pytest.mark.parametrize(
    "messages",
    [
        ["text", None, 5],
        [{"text": "nobody said it"}],
        [{"sender": "narrator", "text": "Once upon a time"}],
    ],
)
def test_what_cannot_be_read_of_a_conversation_does_not_keep_the_rest_out(
    store: Store, tmp_path: Path, messages: list[Any]
) -> None:
    talk = {
        "name": "no id",
        "chat_messages": [*messages, {"sender": "human", "content": ["x", None], "text": "Hi"}],
    }
    tree = chatgpt({"a": node(None, "user", "Hi")}, "a")
    tree["mapping"]["b"] = "nothing"
    done = brought(store, written(tmp_path, [talk, tree, CLAUDE]))
    assert done == Imported(added=3, partly=2)
    assert [m.text for m in store.messages(store.sessions()[-1].id)]
    assert brought(store, written(tmp_path, [talk, tree])) == Imported(known=2)


@pytest.mark.parametrize("moment", [float("inf"), float("nan"), -5, 1e30, 10**400, "9999-99-99", True, [], "soon"])
def test_a_time_that_cannot_be_leaves_a_conversation_that_can_be_listed_and_exported(
    store: Store, tmp_path: Path, moment: Any
) -> None:
    tree = chatgpt({"a": node(None, "user", "Hi", create_time=moment)}, "a")
    own = {"session": {"id": "5", "created": moment, "updated": moment}, "messages": []}
    own["messages"] = [dump(Message("user", "Hi", created=1.0)) | {"created": moment}] if moment != [] else []
    talks = [{**tree, "create_time": moment}, {**CLAUDE, "created_at": moment, "updated_at": moment}, own]
    brought(store, written(tmp_path, talks))
    assert len(store.sessions()) >= 2
    for info in store.sessions():
        assert day(info.created) and day(info.updated)
        assert json.dumps(store.export(info.id), allow_nan=False)


def test_an_id_from_outside_is_never_taken_as_it_is(store: Store, tmp_path: Path) -> None:
    own = {"session": {"id": "../../x"}, "messages": [dump(Message("user", "Hi"))]}
    assert brought(store, written(tmp_path, own)).added == 1
    assert store.sessions()[0].id.isalnum()


def test_a_file_nested_without_end_is_refused(store: Store, tmp_path: Path) -> None:
    file = tmp_path / "x.json"
    file.write_text("[" * 100_000 + "]" * 100_000)
    with pytest.raises(UsageError, match=r"can't be read"):
        brought(store, file)


def test_circles_and_orphans_in_a_tree_end(store: Store, tmp_path: Path) -> None:
    nodes = {"a": node("b", "user", "x"), "b": node("a", "assistant", "y"), "c": node("gone", "user", "alone")}
    done = brought(store, written(tmp_path, [chatgpt(nodes, "c", "circle"), chatgpt({}, "", "nothing")]))
    assert (done.added, done.empty) == (1, 1)
    assert [m.text for m in store.messages(store.sessions()[0].id)] == ["alone"]


@pytest.mark.parametrize("text", ["no json", "[]", '{"a": 1}', "[1, 2]", "null", ""])
def test_a_file_of_another_form_is_refused_with_those_that_are_known(
    store: Store, tmp_path: Path, text: str
) -> None:
    file = tmp_path / "x.json"
    file.write_text(text)
    with pytest.raises(UsageError, match=r"ChatGPT or Claude"):
        brought(store, file)


def test_a_thousand_conversations_come_over(store: Store, tmp_path: Path) -> None:
    many = [{**CLAUDE, "uuid": f"c-{number}"} for number in range(1_000)]
    assert brought(store, written(tmp_path, many)) == Imported(added=1_000)
