"""Whole conversations: the offline model with the real tools on real files."""

from __future__ import annotations

import socket
import threading
from collections.abc import Iterator
from dataclasses import replace
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from ankita_desktop.protocol import Decision, Message, Preview, ToolCall, ToolSpec
from tests.models.offline.conftest import Starter
from tests.models.offline.talk import Talk, no


def names(talk: Talk) -> list[str]:
    return [call.name for call in talk.calls]


# --- looking --------------------------------------------------------------------------------


def test_a_folder_is_listed_with_counts_and_sizes(talk: Talk) -> None:
    said = talk.say("what's in this folder")
    assert "1 folder and 1 file (29 bytes)" in said
    assert "notes.txt (29 bytes)" in said
    assert "1 hidden entry not shown" in said
    assert talk.asked == []


def test_hidden_files_can_be_asked_for_afterwards(talk: Talk) -> None:
    talk.say("what's in this folder")
    assert ".hidden" in talk.say("and hidden ones too")
    assert talk.calls[-1].arguments == {"path": ".", "hidden": True}


def test_the_same_can_be_asked_of_another_folder(talk: Talk) -> None:
    talk.say("what's in this folder")
    assert "main.py" in talk.say("and in src?")
    assert "main.py" in talk.say("what about src")


def test_a_file_asked_for_as_a_folder_is_read_and_a_folder_read_is_listed(talk: Talk) -> None:
    assert "main.py" in talk.say("read src")
    (talk.folder / "LICENSE").write_text("Do what you like.\n")
    assert "Do what you like." in talk.say("what's in LICENSE")


def test_the_last_lines_are_found_by_the_length_of_the_file(talk: Talk) -> None:
    said = talk.say("show the last 2 lines of notes.txt")
    assert "three TODO\nfour" in said and "two" not in said
    assert "lines 3–4 of 4" in said


def test_reading_goes_on_where_it_stopped(talk: Talk) -> None:
    (talk.folder / "long.txt").write_text("".join(f"row {n}\n" for n in range(1, 31)))
    assert "row 10\n" in talk.say("show the first 10 lines of long.txt")
    assert "row 11\n" in talk.say("read on")
    assert "row 21\n" in talk.say("more")
    assert "That was all" in talk.say("more")


def test_searching_counts_lines_and_files(talk: Talk) -> None:
    said = talk.say("search for TODO in all files")
    assert "3 lines of 2 files" in said
    assert "src/main.py:1:" in said


def test_nothing_found_is_said(talk: Talk) -> None:
    assert "in none of the files" in talk.say("search for unicorns")
    assert "no file that matches" in talk.say("find files named unicorn")
    assert "No, there is no unicorn.txt" in talk.say("does unicorn.txt exist?")


def test_files_are_found_by_kind_and_counted(talk: Talk) -> None:
    assert "src/main.py" in talk.say("find all Python files")
    assert "There is 1 py file here" in talk.say("how many python files are there?")
    assert "There is 1 file here, beside 1 folder." in talk.say("how many files are here?")


def test_the_biggest_file_comes_first(talk: Talk) -> None:
    (talk.folder / "big.bin").write_bytes(b"x" * 5000)
    said = talk.say("what are the 2 biggest files?")
    assert said.index("big.bin (5.0 kB)") < said.index("notes.txt")
    assert "main.py" not in said


def test_a_fence_in_a_file_does_not_end_the_block(talk: Talk) -> None:
    (talk.folder / "a.md").write_text("```\ncode\n```\n")
    assert talk.say("read a.md").count("````") == 2


# --- changing -------------------------------------------------------------------------------


def test_a_replacement_is_asked_about_and_made(talk: Talk) -> None:
    assert "2 lines added and 2 lines removed" in talk.say("replace TODO with DONE in notes.txt")
    assert (talk.folder / "notes.txt").read_text() == "one DONE\ntwo\nthree DONE\nfour\n"
    assert talk.asked == ["edit_file"]


def test_only_the_first_is_replaced_when_that_is_said(talk: Talk) -> None:
    talk.say("replace the first TODO with DONE in notes.txt")
    assert (talk.folder / "notes.txt").read_text() == "one DONE\ntwo\nthree TODO\nfour\n"


def test_a_no_is_taken_calmly_and_nothing_changes(start: Starter) -> None:
    talk = start(no)
    said = talk.say("replace TODO with DONE in notes.txt")
    assert said == "All right, I left it as it was: nothing was done."
    assert "TODO" in (talk.folder / "notes.txt").read_text()


def test_parts_that_were_declined_are_mentioned(start: Starter, folder: Path) -> None:
    (folder / "notes.txt").write_text("TODO\n" + "x\n" * 20 + "TODO\n")

    def first_only(_call: ToolCall, preview: Preview) -> Decision:
        return Decision(True, hunks={preview.changes[0].path: (0,)})

    assert "Only the parts you accepted" in start(first_only).say("replace TODO with DONE in notes.txt")
    assert (folder / "notes.txt").read_text().startswith("DONE\n")
    assert (folder / "notes.txt").read_text().endswith("TODO\n")


def test_a_line_is_appended_and_a_missing_file_made(talk: Talk) -> None:
    talk.say('append "five" to notes.txt')
    assert (talk.folder / "notes.txt").read_text().endswith("four\nfive\n")
    talk.say('append "first" to new.txt')
    assert (talk.folder / "new.txt").read_text() == "first\n"


@pytest.mark.parametrize(
    ("said", "text"),
    [
        ("delete line 2 of notes.txt", "one TODO\nthree TODO\nfour\n"),
        ("delete lines 1 to 3 of notes.txt", "four\n"),
        ("insert 'new' after line 1 of notes.txt", "one TODO\nnew\ntwo\nthree TODO\nfour\n"),
        ("insert 'new' before line 1 of notes.txt", "new\none TODO\ntwo\nthree TODO\nfour\n"),
        ("replace line 4 of notes.txt with last", "one TODO\ntwo\nthree TODO\nlast\n"),
        ("add Title at the top of notes.txt", "Title\none TODO\ntwo\nthree TODO\nfour\n"),
        ("remove the word TODO from notes.txt", "one \ntwo\nthree \nfour\n"),
    ],
)
def test_lines_are_edited_by_number(talk: Talk, said: str, text: str) -> None:
    talk.say(said)
    assert (talk.folder / "notes.txt").read_text() == text


def test_files_are_moved_copied_and_kept_safe(talk: Talk) -> None:
    assert talk.say("rename notes.txt to list.txt") == "notes.txt is now list.txt."
    talk.say("copy list.txt to 'my copy.txt'")
    talk.say("make a backup of 'my copy.txt'")
    kept = (talk.folder / "list.txt").read_text()
    assert (talk.folder / "my copy.txt").read_text() == kept
    assert (talk.folder / "my copy.txt.bak").read_text() == kept


def test_deleting_goes_to_the_trash_and_for_good_only_when_said(talk: Talk) -> None:
    assert "trash" in talk.say("delete notes.txt")
    assert talk.calls[-1].arguments == {"path": "notes.txt"}
    assert talk.say("permanently delete src/main.py") == "Deleted main.py."
    assert not (talk.folder / "notes.txt").exists() and not (talk.folder / "src/main.py").exists()


def test_an_error_is_said_plainly_with_what_is_near(talk: Talk) -> None:
    said = talk.say("read note.txt")
    assert "There is no file note.txt" in said and "notes.txt" in said


# --- several steps --------------------------------------------------------------------------


def test_and_then_does_one_after_the_other_and_it_means_the_last_file(talk: Talk) -> None:
    said = talk.say('create a folder called drafts and then create drafts/a.txt with "hi there" and then read it')
    assert (talk.folder / "drafts/a.txt").read_text() == "hi there\n"
    assert names(talk)[-2:] == ["write_file", "read_file"]
    assert "drafts" in said and "hi there" in said


def test_a_found_file_is_what_it_means(talk: Talk) -> None:
    assert 'print("TODO")' in talk.say("find the file main.py and then read it")


def test_it_without_anything_before_is_asked_back(talk: Talk) -> None:
    assert "Which one do you mean?" in talk.say("read it")
    assert talk.calls == []


def test_after_a_failure_the_rest_is_not_tried_and_continue_takes_it_up(talk: Talk) -> None:
    said = talk.say("read later.txt and then delete notes.txt")
    assert "did not go on to “delete notes.txt”" in said
    assert (talk.folder / "notes.txt").exists()
    (talk.folder / "later.txt").write_text("here now\n")
    assert "here now" in talk.say("yes, continue")
    assert names(talk) == ["read_file", "read_file", "delete_file"]


def test_continue_does_not_repeat_what_is_done(start: Starter) -> None:
    allowed: list[bool] = [True, False]

    def answer(_call: ToolCall, _preview: Preview) -> Decision:
        return Decision(allow=allowed.pop(0) if allowed else True)

    talk = start(answer)
    talk.say("create a.txt with hi and then delete notes.txt")
    assert (talk.folder / "notes.txt").exists()
    talk.say("continue")
    assert names(talk) == ["write_file", "delete_file", "delete_file"]
    assert not (talk.folder / "notes.txt").exists()


def test_continue_with_nothing_open_says_so(talk: Talk) -> None:
    talk.say("list the files")
    assert "Nothing is left open" in talk.say("continue")


def test_do_it_again_repeats_the_last_request(talk: Talk) -> None:
    talk.say("how many lines are in notes.txt")
    (talk.folder / "notes.txt").write_text("one\n")
    talk.say("thanks")
    assert talk.say("do it again") == "notes.txt has 1 line."


def test_its_size_is_that_of_the_last_file(talk: Talk) -> None:
    talk.say("read src/main.py")
    assert "src/main.py takes up" in talk.say("and its size")


# --- undoing --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "said",
    [
        "replace TODO with DONE in notes.txt",
        "delete line 2 of notes.txt",
        'append "five" to notes.txt',
        "rename notes.txt to other.txt",
        "delete notes.txt",
        "permanently delete notes.txt",
        'create new.txt with "x"',
        "create notes.txt with other words",
        "create an empty file called notes.txt",
        "delete lines 1 to 2 of notes.txt and then rename notes.txt to b.txt",
    ],
)
def test_undo_brings_back_what_was(talk: Talk, said: str) -> None:
    def tree() -> dict[str, bytes]:
        return {str(path): path.read_bytes() for path in talk.folder.rglob("*") if path.is_file()}

    before = tree()
    talk.say(said)
    assert tree() != before
    assert talk.say("undo that").startswith("Undone")
    assert tree() == before


def test_undo_twice_goes_two_requests_back(talk: Talk) -> None:
    talk.say("replace one with 1 in notes.txt")
    talk.say("replace two with 2 in notes.txt")
    talk.say("undo")
    assert (talk.folder / "notes.txt").read_text().startswith("1 TODO\ntwo\n")
    talk.say("how big is notes.txt")
    talk.say("undo that")
    assert (talk.folder / "notes.txt").read_text() == "one TODO\ntwo\nthree TODO\nfour\n"
    assert "nothing to undo" in talk.say("undo")


def test_undo_keeps_windows_line_ends_and_a_missing_last_newline(talk: Talk) -> None:
    raw = b"one\r\ntwo\r\nthree"
    (talk.folder / "dos.txt").write_bytes(raw)
    talk.say("replace three with 3 in dos.txt")
    assert (talk.folder / "dos.txt").read_bytes() == b"one\r\ntwo\r\n3"
    talk.say("undo that")
    assert (talk.folder / "dos.txt").read_bytes() == raw


def test_what_a_command_did_is_not_pretended_to_be_undone(talk: Talk) -> None:
    talk.say("run touch made.txt")
    assert "can't take back" in talk.say("undo that")


# --- commands -------------------------------------------------------------------------------


def test_a_command_shows_its_output_and_its_failure(talk: Talk) -> None:
    assert "```\nhello\n```" in talk.say("run echo hello")
    assert "exit code 3" in talk.say("run 'exit 3'")


def test_a_job_is_followed_answered_and_stopped(talk: Talk) -> None:
    assert "running as job" in talk.say("run 'read line; echo got $line; sleep 60' in the background")
    assert "got yes" in talk.say("send yes to the job")
    assert "running as job" in talk.say("how is the job?")
    assert "stopped" in talk.say("stop the job")
    assert [call.name for call in talk.calls[1:]] == ["job_input", "job_status", "job_stop"]


def test_what_is_said_about_programs_is_true(talk: Talk) -> None:
    assert "sh is here" in talk.say("is sh installed?") or "version" in talk.say("is sh installed?")
    assert "not installed" in talk.say("is no-such-program installed?")


def test_equal_files_are_the_same_and_others_are_shown(talk: Talk) -> None:
    talk.say("copy notes.txt to b.txt")
    assert "are the same" in talk.say("compare notes.txt with b.txt")
    talk.say("delete line 1 of b.txt")
    assert "-one TODO" in talk.say("compare notes.txt with b.txt")


def test_the_tests_of_a_project_are_run_the_way_it_has(talk: Talk) -> None:
    assert "say the command" in talk.say("run the tests")
    (talk.folder / "Makefile").write_text("test:\n\t@echo all is well\n")
    said = talk.say("run the tests")
    assert talk.calls[-1].arguments["command"] == "make test"
    assert "all is well" in said or "not found" in said


# --- ports ----------------------------------------------------------------------------------


def test_what_listens_on_a_port_is_found_by_way_of_find_tools(talk: Talk) -> None:
    with socket.socket() as server:
        server.bind(("127.0.0.1", 0))
        server.listen()
        port = server.getsockname()[1]
        said = talk.say(f"what is listening on port {port}?")
    assert names(talk) == ["find_tools", "port_status"]
    assert f"Port {port} is in use" in said and "process" in said
    assert f"Port {port} is free" in talk.say(f"is port {port} free?")
    assert names(talk) == ["find_tools", "port_status", "port_status"]


# --- the web --------------------------------------------------------------------------------


class _Page(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        self.send_response(200 if self.path == "/" else 404)
        self.send_header("X-Flavour", "mint")
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(b"welcome" if self.path == "/" else b"nothing here")

    def do_HEAD(self) -> None:
        self.do_GET()

    def do_POST(self) -> None:
        self.send_response(200)
        self.end_headers()
        self.wfile.write(b"got " + self.rfile.read(int(self.headers["Content-Length"])))

    def log_message(self, *_args: object) -> None: ...


@pytest.fixture
def site() -> Iterator[str]:
    server = ThreadingHTTPServer(("127.0.0.1", 0), _Page)
    thread = threading.Thread(target=server.serve_forever, args=(0.01,))
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    thread.join()
    server.server_close()


def test_an_address_is_fetched_checked_and_its_headers_shown(talk: Talk, site: str) -> None:
    said = talk.say(f"fetch {site}/")
    assert "answered with status 200" in said and "welcome" in said
    assert "is up (status 200)" in talk.say(f"is {site}/ up?")
    assert "x-flavour: mint" in talk.say(f"show the headers of {site}/").lower()
    assert "got hello" in talk.say(f"post hello to {site}/say")


def test_a_page_that_is_not_there_is_told_from_a_server_that_is_not(talk: Talk, site: str) -> None:
    assert "answers, but with an error (status 404)" in talk.say(f"is {site}/missing up?")
    assert "answered with status 404" in talk.say(f"fetch {site}/missing")
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        port = unused.getsockname()[1]
        assert "can't be reached" in talk.say(f"is http://127.0.0.1:{port}/ up?")


# --- git ------------------------------------------------------------------------------------


def test_a_day_with_git(repository: Path, talk: Talk) -> None:
    assert "clean" in talk.say("git status")
    talk.say("create a branch called work and then switch to it")
    talk.say("replace TODO with DONE in notes.txt")
    assert "1 file changed, 2 lines added and 2 removed" in talk.say("show the diff")
    assert "Ready to commit (1 file): notes.txt" in talk.say("stage notes.txt")
    assert "Nothing is staged" in talk.say("undo that")
    said = talk.say("stage everything and commit with message 'Do what was to do'")
    assert "Committed “Do what was to do” on work" in said
    assert "Do what was to do" in talk.say("show the last commit")
    assert "You are on work. 2 branches" in talk.say("which branch am I on?")
    assert "clean" in talk.say("do I have uncommitted changes?")
    assert names(talk).count("find_tools") == 1


def test_changes_are_stashed_and_taken_back(repository: Path, talk: Talk) -> None:
    talk.say("delete line 1 of notes.txt")
    talk.say("stash my changes")
    assert (repository / "notes.txt").read_text().startswith("one")
    talk.say("undo that")
    assert (repository / "notes.txt").read_text().startswith("two")
    assert "As before the changes" in talk.say("discard the changes in notes.txt")
    assert (repository / "notes.txt").read_text().startswith("one")


def test_outside_a_repository_git_says_so(talk: Talk) -> None:
    assert "not in a git repository" in talk.say("git status")


# --- lists ----------------------------------------------------------------------------------


def test_a_persons_list_grows_is_ticked_off_and_cleared(talk: Talk) -> None:
    assert "On the list: buy milk." in talk.say("add buy milk to my list")
    talk.say("add walk the dog to my list and then add sleep to my list")
    assert talk.say("what's on my list?").split("\n") == ["- buy milk", "- walk the dog", "- sleep"]
    assert "Done: buy milk." in talk.say("buy milk is done")
    assert talk.say("show my list").split("\n") == ["- walk the dog", "- sleep"]
    talk.say("clear my list")
    assert talk.asked == ["remind"], "everything at once is asked about"
    assert "empty" in talk.say("show my list")


def test_a_reminder_is_set_in_plain_words_and_snoozed(talk: Talk) -> None:
    assert "Reminder: stretch. Rings" in talk.say("remind me in 20 minutes to stretch")
    assert "- stretch: Rings" in talk.say("what reminders do I have?")
    assert "Removed: stretch." in talk.say("cancel the reminder to stretch")


def test_an_unknown_item_is_not_ticked_off(talk: Talk) -> None:
    talk.say("add buy milk to my list")
    assert "There is no reminder 'buy bread'. There are: 'buy milk'." in talk.say("mark buy bread as done")


# --- where the turn stands ------------------------------------------------------------------


def test_the_answer_depends_on_the_messages_alone(talk: Talk) -> None:
    talk.say("read notes.txt and then how many lines does it have?")
    for end in range(1, len(talk.messages)):
        told = talk.messages[end]
        if told.role == "assistant":
            fresh = Talk(talk.folder, talk.shelf)
            fresh.messages = talk.messages[:end]
            again = fresh.round(talk.tools())
            fresh.close()
            assert (again.text, again.calls) == (told.text, told.calls)


def test_without_tools_the_last_round_says_what_is_done_and_what_is_open(talk: Talk) -> None:
    talk.messages.append(Message("user", "list the files and then read notes.txt"))
    message = talk.round(talk.tools())
    result = talk.result(message.calls[0])
    talk.messages += [message, result]
    last = talk.round(())
    assert not last.calls
    assert "This folder holds" in last.text and "continue" in last.text
    talk.messages.append(last)
    assert "one TODO" in talk.say("continue")
    assert names(talk) == ["list_dir", "read_file"]


def test_a_request_that_comes_while_another_runs_leaves_no_result_unsaid(talk: Talk) -> None:
    talk.messages.append(Message("user", "list the files"))
    message = talk.round(talk.tools())
    talk.messages += [message, talk.result(message.calls[0])]
    said = talk.say("how many lines are in notes.txt?")
    assert "This folder holds" in said and "notes.txt has 4 lines" in said


def test_a_note_of_the_product_is_nobodys_request(talk: Talk) -> None:
    talk.messages.append(Message("user", "list the files"))
    talk.messages.append(Message("user", "Please stop everything.", source="note"))
    assert [call.name for call in talk.round(talk.tools()).calls] == ["list_dir"]


def test_a_tool_that_is_nowhere_is_named_and_the_turn_ends(talk: Talk) -> None:
    tools = tuple(spec for spec in talk.tools() if spec.name != "read_file")
    talk.messages.append(Message("user", "read notes.txt"))
    looking = talk.round(tools)
    assert [call.name for call in looking.calls] == ["find_tools"]
    talk.messages += [looking, talk.result(looking.calls[0])]
    assert "`read_file`" in talk.round(tools).text


def test_where_found_tools_are_run_through_call_tool_that_is_done(talk: Talk) -> None:
    always = tuple(spec for spec in talk.tools() if spec.always_on)
    through = (*always, ToolSpec("call_tool", "", {}, "core", always_on=True))
    talk.messages.append(Message("user", "is port 9 free? And then is port 9 free?"))
    looking = talk.round(through)
    talk.messages += [looking, talk.result(looking.calls[0])]
    first = talk.round(through)
    (call,) = first.calls
    assert (call.name, call.arguments) == ("call_tool", {"name": "port_status", "arguments": {"port": 9}})
    result = Message("tool", "Nothing listens on port 9.", call_id=call.id, name="call_tool")
    result = replace(result, details={"port": 9, "free": True, "listeners": []})
    talk.messages += [first, result]
    second = talk.round(through)
    assert second.calls[0].id != call.id
    talk.messages += [second, replace(result, call_id=second.calls[0].id)]
    assert talk.round(through).text.count("Port 9 is free") == 2


def test_continue_on_the_button_makes_failed_calls_anew(talk: Talk) -> None:
    talk.say("read later.txt and then delete notes.txt")
    (talk.folder / "later.txt").write_text("here now\n")
    talk.messages.append(Message("user", "Go on.", source="note", details={"continue": True}))
    assert [call.name for call in talk.round(talk.tools()).calls] == ["read_file"]


def test_hidden_ones_after_something_else_means_this_folders(talk: Talk) -> None:
    talk.say("how many lines are in notes.txt")
    assert ".hidden" in talk.say("and hidden ones too")
