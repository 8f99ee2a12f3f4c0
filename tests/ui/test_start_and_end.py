"""How the window starts, starts twice, hides and ends."""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtWidgets import QApplication

from ankita_desktop.app import parse
from ankita_desktop.cli import run
from ankita_desktop.protocol import ApprovalRequest, Preview, ToolCall
from ankita_desktop.ui.single import Single
from ankita_desktop.ui.starting import why
from tests import wire
from tests.ui.conftest import Desk, wait

Open = Callable[..., Desk]
PROGRAM = "import sys; from ankita_desktop.app import main; sys.exit(main(['ankita', *sys.argv[1:]]))"


def start(*words: str) -> subprocess.Popen[str]:
    return subprocess.Popen([sys.executable, "-c", PROGRAM, *words], stdout=subprocess.PIPE, text=True)


def test_a_second_start_raises_the_first_and_ends(qt: QApplication) -> None:
    told: list[str] = []
    first = Single()
    first.told.connect(told.append)
    assert first.listen()
    second = start()
    wait(lambda: second.poll() is not None, 20)
    assert second.returncode == 0
    assert told == ["show"]
    third = start("--toggle")
    wait(lambda: third.poll() is not None, 20)
    assert told == ["show", "toggle"]
    first.close()
    for each in (second, third):
        each.communicate()


def test_a_start_for_a_conversation_names_it_to_the_window_that_runs(qt: QApplication) -> None:
    told: list[str] = []
    first = Single()
    first.told.connect(told.append)
    assert first.listen()
    second = start("--session", "c0ffee")
    wait(lambda: second.poll() is not None, 20)
    assert (second.returncode, told) == (0, ["session c0ffee"])
    first.close()
    second.communicate()


def test_the_window_shows_the_conversation_it_is_started_for(desk: Open) -> None:
    there = desk()
    session = there.engine.new_session(cwd=str(there.folder), title="Briefing").id
    there.application.close()
    shown = "from ankita_desktop.app import Application, main; import sys, time\n"
    shown += "def run(self):\n"
    shown += " end = time.monotonic() + 20\n"
    shown += " while not self.window.conversation.current and time.monotonic() < end: self.qt.processEvents()\n"
    shown += " print(self.window.conversation.current); self.close(); return 0\n"
    shown += "Application.run = run; sys.exit(main(['ankita', '--session', sys.argv[1]]))"
    done = subprocess.run([sys.executable, "-c", shown, session[:6]], capture_output=True, text=True, timeout=60)
    assert done.stdout.strip() == session, done.stderr


def test_a_conversation_that_is_gone_is_said_and_the_open_one_stays(desk: Open) -> None:
    there = desk()
    there.application._told("session 0123456789")
    wait(lambda: "0123456789" in there.window.centre.notice.text())
    assert there.window.conversation.current == ""


def test_a_question_of_another_process_comes_up_with_its_conversation(desk: Open) -> None:
    there = desk()
    session = there.engine.new_session(cwd=str(there.folder)).id
    asked = ApprovalRequest("r1", session, ToolCall("c1", "run_command", {}), "ask", Preview("text", "Run it?"))
    there.engine.store.add_approval(asked)
    there.application._told(f"session {session}")
    assert there.dialog().isVisible()
    wait(lambda: [each.id for each in there.window.questions.pending] == ["r1"])


def test_an_address_left_by_a_crash_is_taken_over(qt: QApplication) -> None:
    code = "import os; from ankita_desktop.ui.single import Single; from PySide6.QtCore import QCoreApplication; "
    code += "app = QCoreApplication([]); assert Single().listen() or True; s = Single(); s.listen(); os._exit(9)"
    subprocess.run([sys.executable, "-c", code], check=False)
    mine = Single()
    assert mine.listen()
    mine.close()


def test_the_self_check_opens_everything_and_ends_well() -> None:
    done = start("--self-check")
    out, _ = done.communicate(timeout=30)
    assert done.returncode == 0
    assert out.startswith("ok")


def test_without_a_tray_the_closed_window_is_the_end_not_a_hidden_process(desk: Open) -> None:
    """teams-for-linux#615: hidden to a tray that doesn't exist."""
    there = desk()
    assert not there.application.tray.there
    there.window.close()
    wait(lambda: there.application.closed)


def test_an_end_with_a_hung_server_and_a_running_command_takes_less_than_four_seconds(desk: Open) -> None:
    run = wire.calls(("run_command", {"command": "sleep 60", "yield_ms": 100}))
    there = desk(run, wire.silent(60.0))
    there.window.sending.choose_mode("all")
    there.say("run it")
    assert there.server
    wait(lambda: len(there.server.requests) == 2)
    wait(lambda: there.window.panel.jobs.running() == 1)
    before = time.monotonic()
    there.application.close()
    assert time.monotonic() - before < 4.0


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["--deferral", "sometimes"], "sometimes"),
        (["--provider", "nobody"], "There are: auto, offline, openai"),
        (["--cwd", "/no/such/folder"], "no folder /no/such/folder"),
        (["--bogus"], "--bogus"),
    ],
)
def test_a_wrong_option_of_the_window_is_told_as_any_other(
    words: list[str], told: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["ankita", *words]) == 2
    assert told in capsys.readouterr().err
    assert not Path("/no/such/folder").exists()


def test_a_window_where_there_is_no_display_is_refused_in_words(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for name in ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM"):
        monkeypatch.delenv(name, raising=False)
    done = subprocess.run(
        [sys.executable, "-m", "ankita_desktop", "--self-check"], capture_output=True, text=True, timeout=30
    )
    assert done.returncode == 2
    assert "no display" in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize(
    ("variable", "value", "said"),
    [
        ("DISPLAY", ":987", "no display answers (DISPLAY=:987)"),
        ("WAYLAND_DISPLAY", "wayland-987", "no display answers (WAYLAND_DISPLAY=wayland-987)"),
        ("QT_QPA_PLATFORM", "nonsense", "QT_QPA_PLATFORM=nonsense is unknown to Qt"),
    ],
)
def test_a_display_that_does_not_answer_is_one_line_with_the_way_on_and_no_crash(
    monkeypatch: pytest.MonkeyPatch, variable: str, value: str, said: str
) -> None:
    for name in ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv(variable, value)
    words = [sys.executable, "-m", "ankita_desktop"]
    done = subprocess.run(words, capture_output=True, text=True, timeout=60)
    assert done.returncode == 2
    (line,) = [line for line in done.stderr.splitlines() if line.startswith("ankita: ")]
    assert said in line and "`ankita chat`" in line
    assert "qt.qpa" not in done.stderr


@pytest.mark.parametrize(
    ("words", "meant"),
    [
        ("qt.qpa.xcb: could not connect to display :1", "no display answers"),
        ("Failed to create wl_display (No such file or directory)", "no display answers"),
        ('Could not find the Qt platform plugin "x" in ""', "is unknown to Qt"),
        ('Could not load the Qt platform plugin "xcb" in "" even though it was found.', "`ankita doctor`"),
    ],
)
def test_what_keeps_qt_from_starting_is_told_in_words(words: str, meant: str) -> None:
    assert meant in why([words, "This application failed to start"])


def test_an_address_alone_chooses_the_service(tmp_path: Path) -> None:
    options = parse(["ankita", "--base-url", "http://127.0.0.1:1/v1", "--cwd", str(tmp_path)]).options
    assert (options.provider, options.front, options.cwd) == ("openai", "window", str(tmp_path))
