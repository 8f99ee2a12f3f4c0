"""`ankita chat`: a conversation in a terminal, or on a pipe."""

from __future__ import annotations

from pathlib import Path

from ankita_desktop.store.database import Store
from tests.terminal.shell import at, terminal
from tests.terminal.shell import inside as ankita
from tests.wire import WireServer, calls, silent, status


def test_a_conversation_on_a_pipe_goes_line_by_line(tmp_path: Path) -> None:
    with WireServer(["One.", "Two."]) as server:
        done = ankita("chat", *at(server), stdin="first\n\nsecond\n/quit\nnever\n", cwd=tmp_path)
        said = [message["content"] for message in server.requests[1]["messages"] if message["role"] != "system"]
    assert (done.code, done.out) == (0, "One.\nTwo.\n")
    assert said == ["first", "One.", "second"]


def test_on_a_pipe_nobody_can_answer(tmp_path: Path) -> None:
    with WireServer([calls(("write_file", {"path": "a", "content": "x"})), "No."]) as server:
        done = ankita("chat", *at(server), stdin="write\n", cwd=tmp_path)
    assert done.out == "No.\n"
    assert not (tmp_path / "a").exists()


def test_commands_work_without_a_model(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("x")
    lines = ["/help", "/tols", "/mode", "/mode edits", "/mode odd", "/model", "/find port 3000", "/tools", "/jobs"]
    lines += ["/job j9", "/stop", "/retry", "/continue", "/approve", "/attach a.txt", "/attach gone", "/attach"]
    with WireServer([]) as server:
        done = ankita("chat", *at(server), stdin="\n".join(lines), cwd=tmp_path)
        assert server.requests == []
    assert done.code == 0
    for expected in ("/export [FILE]", "ask\nedits\nscripted", "process: ", "read_file", "No commands have run."):
        assert expected in done.out, expected
    for expected in ("Did you mean /tools", "no mode 'odd'", "nothing to ask again", "Nothing waits", "j9"):
        assert expected in done.err, expected
    assert "a.txt goes with the next message" in done.err
    assert "no file gone" in done.err


def test_retry_asks_the_last_question_again(tmp_path: Path) -> None:
    with WireServer(["One.", "Two.", "Again."]) as server:
        done = ankita("chat", *at(server), stdin="first\nsecond\n/retry\n", cwd=tmp_path)
        said = [message["content"] for message in server.requests[2]["messages"] if message["role"] != "system"]
    assert done.out == "One.\nTwo.\nAgain.\n"
    assert said == ["first", "One.", "second"]


def test_a_new_conversation_knows_nothing_of_the_old_one(tmp_path: Path) -> None:
    with WireServer(["One.", "Two."]) as server:
        ankita("chat", *at(server), stdin="first\n/new\nsecond\n", cwd=tmp_path)
        said = [message["content"] for message in server.requests[1]["messages"] if message["role"] != "system"]
    assert said == ["second"]
    store = Store()
    assert len(store.sessions()) == 2
    store.close()


def test_export_writes_a_file_and_never_over_one(tmp_path: Path) -> None:
    (tmp_path / "there.md").write_text("mine")
    with WireServer(["One."]) as server:
        done = ankita(
            "chat", *at(server), stdin="first\n/export talk.md\n/export there.md\n/export\n", cwd=tmp_path
        )
    assert "## You\n\nfirst" in (tmp_path / "talk.md").read_text()
    assert (tmp_path / "there.md").read_text() == "mine"
    assert "Nothing was written" in done.err
    assert "## Ankita\n\nOne." in done.out


def test_an_error_ends_the_turn_and_not_the_conversation(tmp_path: Path) -> None:
    with WireServer([status(401, "bad key"), "Better."]) as server:
        done = ankita("chat", *at(server), stdin="first\n/retry\n", cwd=tmp_path)
    assert done.out == "Better.\n"
    assert "/retry asks again" in done.err


def test_in_a_terminal_questions_are_asked_and_answers_count(tmp_path: Path) -> None:
    script = [calls(("write_file", {"path": "a.txt", "content": "x"})), "Written."]
    with WireServer(script) as server, terminal("chat", *at(server), cwd=tmp_path) as shown:
        shown.expect("> ")
        shown.send("write it\n")
        shown.expect("Allow?")
        shown.send("y\n")
        shown.expect("Written.")
        shown.expect("> ")
        shown.send("/quit\n")
        assert shown.end() == 0
    assert (tmp_path / "a.txt").read_text() == "x"


def test_ctrl_c_stops_the_answer_and_the_conversation_goes_on(tmp_path: Path) -> None:
    with (
        WireServer([silent(60, "Well"), "Second."]) as server,
        terminal("chat", *at(server), cwd=tmp_path) as shown,
    ):
        shown.expect("> ")
        shown.send("first\n")
        shown.expect("Well")
        shown.interrupt()
        shown.expect("Stopped.")
        shown.expect("> ")
        shown.send("second\n")
        shown.expect("Second.")
        shown.expect("> ")
        shown.send("\x04")
        assert shown.end() == 0


def test_stop_can_be_typed_while_an_answer_comes(tmp_path: Path) -> None:
    with WireServer([silent(60, "Well")]) as server, terminal("chat", *at(server), cwd=tmp_path) as shown:
        shown.expect("> ")
        shown.send("first\n")
        shown.expect("Well")
        shown.send("/stop\n")
        shown.expect("Stopped.")
        shown.expect("> ")


def test_commands_are_completed_with_tab(tmp_path: Path) -> None:
    with WireServer([]) as server, terminal("chat", *at(server), cwd=tmp_path) as shown:
        shown.expect("> ")
        shown.send("/hel\t\n")
        shown.expect("/export [FILE]")


def test_a_waiting_question_is_asked_when_its_conversation_is_opened_again(tmp_path: Path) -> None:
    script = [calls(("write_file", {"path": "a.txt", "content": "x"})), "Written after all."]
    with WireServer(script) as server:
        with terminal("chat", *at(server), cwd=tmp_path) as shown:
            shown.expect("> ")
            shown.send("write it\n")
            shown.expect("Allow?")
            shown.kill()
        with terminal("chat", "--continue", *at(server), cwd=tmp_path) as again:
            again.expect("Allow?")
            again.send("y\n")
            again.expect("Written after all.")
    assert (tmp_path / "a.txt").read_text() == "x"


def test_what_the_conversation_sent_and_cost_is_told(tmp_path: Path) -> None:
    with WireServer(["One."]) as server:
        done = ankita("chat", *at(server), stdin="/usage\nfirst\n/usage\n", cwd=tmp_path)
    assert done.out.startswith("No round has been counted yet.")
    assert "1 round: " in done.out
