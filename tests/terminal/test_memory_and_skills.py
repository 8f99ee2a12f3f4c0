"""`ankita memory`, `skills`, and conversations that come and go: for people, and as JSON for scripts."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from ankita_desktop import paths
from ankita_desktop.protocol import Message
from ankita_desktop.store.database import Store
from tests.terminal.shell import inside as ankita
from tests.terminal.shell import terminal


def talk(text: str) -> str:
    store = Store()
    session = store.create_session(cwd="/", mode="ask", model="", title=text).id
    store.add_message(session, Message("user", text))
    store.close()
    return session


def test_facts_are_added_listed_pinned_changed_and_forgotten() -> None:
    added = ankita("memory", "add", "I", "play", "the cello", "--json").json
    assert (added["text"], added["how"]) == ("I play the cello", "added")
    fact = added["id"]
    assert ankita("memory", "pin", fact, "--json").json["pinned"]
    assert "[pinned] I play the cello" in ankita("memory", "list").out
    assert ankita("memory", "update", fact, "I play the viola", "--json").json["text"] == "I play the viola"
    assert not ankita("memory", "unpin", fact, "--json").json["pinned"]
    assert ankita("memory", "forget", fact, "--json").json == {"forgotten": fact}
    assert ankita("memory", "list", "--json").json == []
    assert "Nothing is remembered" in ankita("memory", "list").err


def test_recall_shows_kind_day_and_source() -> None:
    talk("the heron stood in the pond")
    ankita("memory", "add", "My pond has a heron")
    found = ankita("memory", "recall", "heron", "--json").json
    assert [one["kind"] for one in found] == ["fact", "said"]
    assert "the heron stood" in ankita("memory", "recall", "heron").out
    assert "Nothing" in ankita("memory", "recall", "whales").err


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["memory", "forget", "m99"], "no fact m99"),
        (["memory", "add", ""], "between 1 and"),
        (["memory", "add", "password: hunter2"], "doesn't belong in memory"),
        (["memory"], "required"),
        (["skills", "show", "nope"], "no skill 'nope'"),
        (["skills", "check", "nowhere"], "no SKILL.md"),
        (["sessions", "import", "nowhere.json"], "no file nowhere.json"),
        (["sessions", "forget-everything"], "--yes"),
    ],
)
def test_a_wrong_call_says_what_is_wrong(words: list[str], says: str) -> None:
    done = ankita(*words)
    assert done.code == 2
    assert says in done.err


def test_all_that_is_stored_is_written_to_a_file_only_its_person_can_read(tmp_path: Path) -> None:
    talk("a heron")
    file = tmp_path / "mine.json"
    done = ankita("memory", "export", str(file), "--json").json
    assert done["file"] == str(file)
    assert file.stat().st_mode & 0o777 == 0o600
    assert json.loads(file.read_text("utf-8"))["sessions"][0]["title"] == "a heron"
    assert ankita("memory", "export", str(file)).code == 2, "a file that is there isn't overwritten"
    assert json.loads(ankita("memory", "export").out)["messages"]


def test_a_conversation_goes_out_and_comes_back(tmp_path: Path) -> None:
    session = talk("a heron")
    file = tmp_path / "one.json"
    file.write_text(ankita("sessions", "export", session, "--format", "json").out, "utf-8")
    ankita("sessions", "delete", session)
    assert ankita("sessions", "import", str(file), "--json").json["added"] == 1
    assert "1 were here already" in ankita("sessions", "import", str(file)).out
    assert "a heron" in ankita("sessions", "show", session).out


def test_forgetting_everything_needs_the_word_and_takes_the_undo_store_along() -> None:
    talk("a heron")
    kept = paths.data() / "checkpoints" / "old"
    kept.mkdir(parents=True)
    with terminal("sessions", "forget-everything") as shown:
        shown.expect("Type forget")
        shown.send("yes\n")
        shown.expect("Nothing was deleted")
        assert shown.end() == 2
    assert kept.exists()
    with terminal("sessions", "forget-everything") as shown:
        shown.expect("Type forget")
        shown.send("forget\n")
        shown.expect("Everything is forgotten")
        assert shown.end() == 0
    assert not kept.exists()
    assert ankita("sessions", "list", "--json").json == []


def test_the_shipped_skills_are_listed_shown_and_pass_the_check() -> None:
    names = {skill["name"] for skill in ankita("skills", "list", "--json").json}
    assert len(names) >= 9
    assert "release-notes" in ankita("skills", "list").out
    assert "# Release notes" in ankita("skills", "show", "release-notes").out
    done = ankita("skills", "check")
    assert (done.code, done.out.count("ok")) == (0, len(names))


def test_check_names_what_is_wrong_with_each_file(tmp_path: Path) -> None:
    for name, text in (
        ("good", "---\nname: good\ndescription: Fine.\n---\n"),
        ("bad", "---\nname: bad: x\n---\n"),
    ):
        (tmp_path / name).mkdir()
        (tmp_path / name / "SKILL.md").write_text(text)
    done = ankita("skills", "check", str(tmp_path))
    assert done.code == 1
    assert "broken" in done.out and "quote values that hold a colon" in done.out
    states = {one["name"]: one["broken"] for one in ankita("skills", "check", str(tmp_path), "--json").json}
    assert states["good"] is False


def test_skills_of_a_folder_that_is_not_trusted_are_named_but_not_used(tmp_path: Path) -> None:
    folder = tmp_path / ".agents" / "skills" / "tidy"
    folder.mkdir(parents=True)
    (folder / "SKILL.md").write_text("---\nname: tidy\ndescription: Tidy.\n---\n")
    done = ankita("skills", "list", "--cwd", str(tmp_path))
    assert "tidy" not in done.out
    assert "not trusted" in done.err
    ankita("config", "set", "folders.trusted", str(tmp_path))
    assert "tidy" in ankita("skills", "list", "--cwd", str(tmp_path)).out


def chatted(*lines: str, cwd: Path) -> str:
    done = ankita("chat", "--provider", "offline", "--plain", stdin="\n".join(lines) + "\n", cwd=cwd)
    assert done.code == 0, done.err
    return done.out + done.err


def test_slash_commands_tell_what_is_known_without_a_model(tmp_path: Path) -> None:
    ankita("memory", "add", "I play the cello")
    shown = chatted("/memory", "/memory whales", "/skills", "/project", "/project Mill", cwd=tmp_path)
    for part in (
        "I play the cello",
        "remembered about that",
        "commit-review",
        "no projects yet",
        "no such project",
    ):
        assert part in shown, part
    store = Store()
    store.add_project("Mill site")
    store.close()
    assert "* Mill site" in chatted("/project mill", cwd=tmp_path)


def test_going_back_in_a_chat_keeps_what_was_said_before(tmp_path: Path) -> None:
    shown = chatted(
        "/edit x", "/branch", "what is 2 + 3", "/edit what is 2 + 4", "/retry", "/branch", cwd=tmp_path
    )
    assert "nothing to change yet" in shown and "nothing to branch from" in shown
    assert shown.count("6") >= 2
    store = Store()
    branch, first = sorted(store.sessions(), key=lambda info: "(branch)" not in info.title)
    texts = [m.text for m in store.messages(first.id) if m.role == "user" and m.source != "note"]
    assert texts == ["what is 2 + 4"]
    assert [m.id for m in store.messages(branch.id)] == [m.id for m in store.messages(first.id)]
    store.close()
