"""Pictures of the real window's main states: ``python -m tests.screenshots out/screenshots``.

A real engine works on real files; the model is a scripted server. Starts an X server of its own.
"""

from __future__ import annotations

import dataclasses
import os
import shutil
import sqlite3
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from tests import wire
from tests.ui.screen import x_server

DAY = 86_400.0
DATES = '''import dateparser


def parse(text):
    return dateparser.parse(text)


def to_iso(value):
    return value.strftime("%Y-%m-%d")


def week_of(value):
    """The ISO week, from 1 to 53."""
    return value.isocalendar().week


def ago(value, now):
    return (now - value).days
'''
OLD = "    return dateparser.parse(text)\n"
NEW = """    # ISO first; the locale must not decide
    return dateparser.parse(text, settings={"DATE_ORDER": "YMD"})
"""
OLD_WEEK = "    return value.isocalendar().week\n"
NEW_WEEK = "    return value.date().isocalendar().week\n"
ANSWER = """Port 3000 is free. The test fails because the parser reads `03/04` as 3 April in some locales,
so I pinned the order:

```python
def parse(text):
    # ISO first; the locale must not decide
    return dateparser.parse(text, settings={"DATE_ORDER": "YMD"})
```

| test | before | after |
|---|---|---|
| test_iso_first | failed | passed |
| test_locale_free | passed | passed |

Two things to know:

1. **Dates without a year** still take the current one.
2. The order is only set here; [the docs](https://dateparser.readthedocs.io) list the others.
"""
LIST_JOB = 'for i in 1 2 3 4 5 6 7 8; do echo "line $i: building"; sleep 0.05; done; sleep 30'


def usage(tokens: int, cached: int) -> dict[str, Any]:
    return {"prompt_tokens": tokens, "completion_tokens": 80, "prompt_tokens_details": {"cached_tokens": cached}}


class Studio:
    """One window, one script, pictures in both themes."""

    def __init__(self, out: Path, steps: list[wire.Scripted], *, seed: bool = True, size: tuple[int, int]) -> None:
        from ankita_desktop.app import build

        self.out = out
        self.home = Path(tempfile.mkdtemp(prefix="ankita-pictures-"))
        os.environ["ANKITA_HOME"] = str(self.home / "ankita")
        os.environ["HOME"] = str(self.home)
        self.folder = self.home / "code" / "zumba"
        (self.folder / "src").mkdir(parents=True)
        (self.folder / "src" / "dates.py").write_text(DATES)
        (self.folder / "README.md").write_text("# Zumba\n")
        (self.folder / ".git").mkdir()
        (self.folder / ".git" / "HEAD").write_text("ref: refs/heads/main\n")
        self.server = wire.WireServer(steps)
        self.server.__enter__()
        words = ["ankita", "--cwd", str(self.folder)]
        if steps:
            words += ["--base-url", self.server.base_url, "--api-key", "sk-x", "--model", "gpt-5-mini"]
        if seed:
            self._seed()
        self.application = build(words)
        self.window = self.application.window
        self.ended = 0
        self.application.engine.subscribe(self._count)
        self.window.resize(*size)
        self.window.show()
        self.window.activateWindow()
        self.spin(0.4)

    def _count(self, event: Any) -> None:
        self.ended += type(event).__name__ == "TurnEnded"

    def _seed(self) -> None:
        """Conversations of the last days, so that the list looks as it does in use."""
        from ankita_desktop.protocol import Round, Usage
        from ankita_desktop.store.database import Store
        from ankita_desktop.store.settings import Settings

        Settings().set("agent.daily_budget", "5")
        now, store = time.time(), Store()
        elsewhere = str(self.home / "Documents" / "Ankita")
        rows = [
            ("Release notes 2.4", str(self.folder), 3_000.0, False),
            ("Why is CI slow", str(self.folder), 3 * DAY, False),
            ("Morning briefing", elsewhere, 1_200.0, True),
            ("Pricing page watch", elsewhere, 7_200.0, False),
            ("Flight to Pune", elsewhere, 9 * DAY, False),
            ("Sort my photos", elsewhere, 11 * DAY, False),
        ]
        with sqlite3.connect(store.path) as database:
            for title, cwd, ago, unread in rows:
                row = store.create_session(cwd=cwd, mode="ask", model="", title=title)
                store.update_session(row.id, unread=unread)
                store.add_round(row.id, "earlier", Round(21, 7_900, Usage(40_000, 30_000, 900, 0.05)))
                database.execute("UPDATE sessions SET updated = ? WHERE id = ?", (now - ago, row.id))
                database.commit()
        database.close()
        store.close()

    def spin(self, seconds: float) -> None:
        self.until(lambda: False, seconds)

    def until(self, condition: Callable[[], Any], seconds: float = 15.0) -> Any:
        end = time.monotonic() + seconds
        while not (found := condition()) and time.monotonic() < end:
            self.application.qt.processEvents()
            time.sleep(0.005)
        return found

    def find(self, name: str) -> Any:
        from PySide6.QtWidgets import QWidget

        return self.window.findChild(QWidget, name)

    def say(self, text: str) -> None:
        from PySide6.QtCore import Qt
        from PySide6.QtTest import QTest

        self.find("composer").setPlainText(text)
        QTest.keyClick(self.find("composer"), Qt.Key.Key_Return)

    def dialog(self) -> Any:
        """The next approval dialog, past its first moment."""
        found = self.until(lambda: self.window.questions.dialog)
        self.spin(0.9)
        return found

    def idle(self) -> None:
        self.until(lambda: self.ended > 0)
        self.until(lambda: not self.find("stopButton").isVisible())
        self.spin(0.4)

    def shoot(self, name: str, widget: Any = None) -> None:
        """The window (or a dialog) as it is now, light and dark."""
        from ankita_desktop.ui.theme import theme

        for look in ("light", "dark"):
            theme().prefer(look)
            self.spin(0.25)
            (widget or self.window).grab().save(str(self.out / f"{name}-{look}.png"))
            print(self.out / f"{name}-{look}.png", flush=True)
        theme().prefer("light")
        self.spin(0.1)

    def close(self) -> None:
        self.application.close()
        self.server.__exit__(None, None, None)
        shutil.rmtree(self.home, ignore_errors=True)


@contextmanager
def studio(out: Path, steps: list[wire.Scripted], **fields: Any) -> Iterator[Studio]:
    made = Studio(out, steps, **{"size": (1280, 820), **fields})
    try:
        yield made
    finally:
        made.close()


def first_start(out: Path) -> None:
    with studio(out, [], seed=False) as room:
        room.shoot("first-start")
        room.application.show_settings()
        room.spin(0.3)
        room.shoot("settings", room.find("settingsDialog"))


def empty_chat(out: Path) -> None:
    with studio(out, ["Hi."]) as room:
        room.shoot("empty-chat")


def work(out: Path) -> None:
    """Cards, an edit that is approved, an answer with code and table, the panel beside it."""
    from PySide6.QtWidgets import QAbstractButton

    edits = [{"old_string": OLD, "new_string": NEW}, {"old_string": OLD_WEEK, "new_string": NEW_WEEK}]
    steps: list[wire.Scripted] = [
        wire.calls(("find_tools", {"query": "what listens on a port"}), usage=usage(4200, 0)),
        wire.calls(("port_status", {"port": 3000}), usage=usage(5300, 4100)),
        wire.calls(("read_file", {"path": "src/dates.py"}), usage=usage(5900, 5300)),
        wire.calls(("edit_file", {"path": "src/dates.py", "edits": edits}), usage=usage(7700, 5900)),
        wire.calls(("run_command", {"command": "python3 -c 'print(2, 3)'"}), usage=usage(8600, 7700)),
        wire.text(ANSWER, usage=usage(9400, 8600)),
    ]
    with studio(out, steps) as room:
        room.say("Something is on port 3000, free it. Then make the date test pass.")
        dialog = room.dialog()
        dialog.resize(1080, 640)
        both_forms(room, dialog)
        dialog.findChild(QAbstractButton, "approveButton").click()
        dialog = room.dialog()
        room.shoot("approval-command", dialog)
        dialog.findChild(QAbstractButton, "approveButton").click()
        room.idle()
        room.shoot("answer")
        unfold(room)
        room.shoot("cards-open")


def both_forms(room: Studio, dialog: Any) -> None:
    """The diff in one column and in two."""
    from PySide6.QtWidgets import QAbstractButton

    for words in ("Unified", "Side by side"):
        next(each for each in dialog.findChildren(QAbstractButton) if each.text() == words).click()
        room.spin(0.3)
        room.shoot(f"approval-diff-{words.lower().replace(' ', '-')}", dialog)


def unfold(room: Studio) -> None:
    """An edit's diff and a command's output, in view."""
    from PySide6.QtWidgets import QScrollArea

    from ankita_desktop.ui.cards import ToolCard

    cards = room.window.findChildren(ToolCard)
    for card in cards[-2:]:
        card.unfold(True)
    room.spin(0.3)
    for area in room.find("chatView").findChildren(QScrollArea)[:1]:
        area.verticalScrollBar().setValue(0)
    room.spin(0.4)


def streaming(out: Path) -> None:
    half = ANSWER[: ANSWER.index("Two things")]
    steps: list[wire.Scripted] = [wire.silent(60.0, half)]
    with studio(out, steps) as room:
        room.say("Make the date test pass.")
        room.until(lambda: "test_locale_free" in room.find("chatView").toPlainText())
        room.say("And say what else depends on the locale")
        room.spin(0.4)
        room.find("composer").setPlainText("then write it down in")
        room.window.centre.notice.tell("The connection was lost for a moment; trying again.")
        room.shoot("streaming")
        room.window.sending.stop()
        room.idle()


def danger(out: Path) -> None:
    steps: list[wire.Scripted] = [
        wire.calls(("run_command", {"command": "rm -rf build dist && git clean -fdx"})),
        "ok",
    ]
    with studio(out, steps) as room:
        room.say("Clean everything up")
        dialog = room.dialog()
        room.shoot("approval-danger", dialog)
        dialog.close()
        room.spin(0.4)
        room.window.waiting.show()
        room.spin(0.3)
        room.shoot("inbox", room.find("approvalsInbox"))
        room.find("approvalsInbox").close()
        room.shoot("waiting")
        room.window.sending.stop()
        room.idle()


HIDDEN = (
    "name = 'admin'\u202e\u2066 # then\u2069\u2066'\r\nif user\u200b == name:\t \r\n    allow()   \r\nprint('x')"
)


def diffs(out: Path) -> None:
    """A file of 20,000 lines, and characters that can't be seen."""
    from PySide6.QtWidgets import QAbstractButton

    long = "".join(f"    row {number}: {number * 7 % 1000}\n" for number in range(20_000))
    new = long.replace("row 7:", "row seven:").replace("row 12000:", "row twelve thousand:")
    steps: list[wire.Scripted] = [
        wire.calls(("write_file", {"path": "long.txt", "content": new})),
        wire.calls(("write_file", {"path": "login.py", "content": HIDDEN})),
        wire.text("Fine."),
    ]
    with studio(out, steps) as room:
        (room.folder / "long.txt").write_text(long)
        (room.folder / "login.py").write_text("name = 'admin'\nif user == name:\n    allow()\nprint('x')\n")
        room.say("Tidy both up")
        for name in ("approval-20000-lines", "approval-hidden-characters"):
            dialog = room.dialog()
            dialog.resize(1080, 640)
            room.spin(0.6)
            room.shoot(name, dialog)
            dialog.findChild(QAbstractButton, "denyButton").click()
            room.until(lambda: room.window.questions.dialog is None)
        room.idle()


def undo(out: Path) -> None:
    """A whole turn, to be looked at before it is undone."""
    edits = [{"old_string": OLD, "new_string": NEW}]
    steps: list[wire.Scripted] = [
        wire.calls(("edit_file", {"path": "src/dates.py", "edits": edits})),
        wire.calls(("run_command", {"command": "mv README.md NOTES.md; echo done > built.txt"})),
        wire.text("Done."),
    ]
    with studio(out, steps) as room:
        room.window.sending.choose_mode("all")
        room.say("Fix the dates and rename the readme")
        room.idle()
        message = room.application.assembly.store.messages(room.window.conversation.current)[-1]
        room.window.undoing.look_at_turn(message.id)
        dialog = room.until(lambda: room.window.undoing.dialog)
        room.spin(0.4)
        room.shoot("undo-turn", dialog)
        dialog.reject()


def jobs(out: Path) -> None:
    from ankita_desktop.ui.jobs import JobCard

    steps: list[wire.Scripted] = [
        wire.calls(
            ("run_command", {"command": LIST_JOB, "yield_ms": 300}),
            ("run_command", {"command": "echo one; exit 3", "yield_ms": 300}),
            usage=usage(4200, 0),
        ),
        wire.text("The build runs; its output is in the panel. The other command failed with code 3."),
    ]
    with studio(out, steps) as room:
        room.window.sending.choose_mode("all")
        room.say("Start the build and look at the other one")
        room.idle()
        room.window.panel.open(room.window.panel.jobs)
        room.window.panel.jobs.findChildren(JobCard)[0].toggle()
        room.spin(1.0)
        room.shoot("jobs")


def narrow(out: Path) -> None:
    with studio(out, ["Fine."], size=(620, 560)) as room:
        room.say("A rather long first sentence so that the title of this conversation has to be cut somewhere")
        room.idle()
        room.shoot("narrow")


def routines(out: Path) -> None:
    """What happens by itself: the tab, the editor with its next times, the history of a routine."""
    from ankita_desktop.toolkit.cancel import Cancel
    from ankita_desktop.ui.routine_words import TEMPLATES

    with studio(out, ["Two pull requests wait for your review; nothing else is due."]) as room:
        automation, store = room.application.assembly.automation, room.application.assembly.store
        briefing = TEMPLATES[0]
        first = automation.routines.add(briefing.name, briefing.prompt, briefing.when, cwd=str(room.folder))[0]
        automation.routines.pause(
            automation.routines.add("Weekly review", "Review", "every Friday at 16:00")[0].id
        )
        watch = automation.watches.draft(path=str(room.folder / "README.md"), every="5m", name="README")
        automation.watches.add(watch, Cancel())
        tea = automation.reminders.add("Take the tea out", "in 1 hour")
        automation.reminders.add("Call the garage", "tomorrow at 9")
        store.update_reminder(tea.id, rang=time.time() - 120, due=None)
        room.until(lambda: automation.running)
        automation.routines.want(first.id)
        room.until(lambda: (run := automation.routines.last(first.id)) and run.status == "done")
        room.window.show_view(room.window.panel.routines)
        room.until(lambda: any(each.last.startswith("Done") for each in room.window.automating.agenda.routines))
        room.spin(0.5)
        room.shoot("routines")
        room.window.panel.routines.editAsked.emit(first.id)
        room.until(lambda: room.find("routineTimes") and room.find("routineTimes").isVisible())
        room.spin(0.5)
        room.shoot("routine-editor", room.find("routineDialog"))
        room.find("routineDialog").close()
        room.window.panel.routines.historyAsked.emit(first.id)
        room.until(lambda: room.find("routineHistory"))
        room.spin(0.3)
        room.shoot("routine-history", room.find("routineHistory"))
        room.find("routineHistory").close()


def voice(out: Path) -> None:
    """Each state of the voice: listening with its ring, heard, thinking, speaking, nothing to hear with."""
    with studio(out, [wire.silent(60.0, "")]) as room:
        voicing, heard = room.window.voicing, room.window.voicing.dictation.hears
        room.application.assembly.settings.set("voice.confirm_seconds", "30")
        heard.state.emit("recording")
        heard.level.emit(0.09)
        heard.partial.emit("remind me in ten minutes")
        room.shoot("voice-listening")
        heard.state.emit("recognising")
        room.shoot("voice-understanding")
        heard.state.emit("off")
        heard.text.emit("Remind me in ten minutes to stretch.")
        room.shoot("voice-heard")
        voicing.dictation.send()
        room.until(lambda: room.find("stopButton").isVisible())
        room.shoot("voice-thinking")
        voicing.sounds.began.emit("I'll remind you at 14:35 to stretch.")
        room.shoot("voice-speaking")
        voicing.leave()
        room.window.sending.stop()
        room.idle()
        room.application.assembly.settings.set("voice.recogniser", "vosk")
        voicing.dictation.press()
        room.until(lambda: room.find("noticeBar").isVisible())
        room.shoot("voice-set-up")
        setting_up(room)


def setting_up(room: Studio) -> None:
    """Half of the model is there; then a file that isn't it."""
    from ankita_desktop.voice import setup
    from tests.voice.test_setup import Server

    server, megabytes = Server(), 1_000_000
    server.content, server.hold = bytes(setup.ENGLISH.size), 24 * megabytes
    setup.ENGLISH = dataclasses.replace(setup.ENGLISH, url=server.url)
    fetching = room.window.voicing.setup
    fetching.start()
    room.until(lambda: room.window.centre.voice.words.startswith(("23 of", "24 of")))
    room.shoot("voice-setting-up")
    server.resume()
    room.until(lambda: room.find("noticeBar").isVisible())
    room.spin(0.3)
    room.shoot("voice-set-up-failed")
    server.close()


def knowledge(out: Path) -> None:
    """What is remembered, the project of the folder, the skills; and a text that takes another's place."""
    with studio(out, ["It rains in Pune all week."]) as room:
        store, panel = room.application.assembly.store, room.window.panel
        store.pin_fact(store.add_fact("I work from Pune, Monday to Thursday").fact.id)
        store.add_fact("My sister's birthday is on 4 May")
        store.add_fact("Write answers in short sentences, without headings")
        project = store.add_project("Zumba", kind="folder", place=str(room.folder), about="The date library")
        store.add_project("Garden", about="What is planted where")
        store.add_note(project.id, "todo", "Release 2.4", due="2026-12-04")
        store.add_note(project.id, "todo", "Ask about the locale of the test server")
        store.add_note(project.id, "decision", "ISO dates first; the locale never decides")
        room.say("What is the weather like?")
        room.idle()
        for name, page in (("memory", panel.memory), ("project", panel.project), ("skills", panel.skills)):
            panel.open(page)
            room.spin(0.4)
            room.shoot(f"panel-{name}")
        from ankita_desktop.ui.chat_items import UserItem

        message = room.window.findChildren(UserItem)[0].message
        room.window.rewriting.edit(message.id, message.text)
        room.spin(0.3)
        room.shoot("rewriting")


SCENES = {
    scene.__name__: scene
    for scene in (
        first_start,
        empty_chat,
        work,
        streaming,
        danger,
        diffs,
        undo,
        jobs,
        narrow,
        routines,
        voice,
        knowledge,
    )
}


def main(argv: list[str]) -> int:
    """All scenes, or those named, into a folder; one process each, so that none leans on another."""
    if "--scene" in argv:
        SCENES[argv[argv.index("--scene") + 1]](Path(argv[1]))
        return 0
    out = Path(argv[1] if len(argv) > 1 else "out/screenshots").absolute()
    out.mkdir(parents=True, exist_ok=True)
    (out / "double").mkdir(exist_ok=True)
    names = argv[2:] or [*SCENES, "double"]
    failed = 0
    with x_server() as display:
        for name in names:
            double = name == "double"
            scene, place = ("empty_chat", out / "double") if double else (name, out)
            screen = {"DISPLAY": display, "QT_QPA_PLATFORM": "xcb", "QT_SCALE_FACTOR": "2" if double else "1"}
            command = [sys.executable, "-m", "tests.screenshots", str(place), "--scene", scene]
            failed += subprocess.run(command, env={**os.environ, **screen}, check=False).returncode != 0
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv))
