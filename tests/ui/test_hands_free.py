"""A whole talk without hands through the window: heard, answered aloud, interrupted, steered, ended."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable

import pytest
from PySide6.QtGui import QAction

from ankita_desktop.voice.listen import Recogniser
from ankita_desktop.voice.sound import silence
from tests import wire
from tests.ui.conftest import Desk, wait
from tests.voice import rig
from tests.voice.conftest import _server, recogniser, sound  # noqa: F401
from tests.voice.rig import SoundServer
from tests.wire import Scripted

Open = Callable[..., Desk]


class Visitor:
    """Somebody who speaks into the microphone and watches the strip and the tray's state."""

    def __init__(self, there: Desk, server: SoundServer) -> None:
        self.there, self._server = there, server
        self.states: list[str] = []
        there.window.voicing.stateChanged.connect(self.states.append)

    def begins(self) -> None:
        self.there.window.findChild(QAction, "hands-freeAction").trigger()
        self.until("Listening", 30)

    def until(self, state: str, seconds: float = 40.0) -> None:
        wait(lambda: self.strip().startswith(state), seconds, f"{state}, not {self.strip()!r} {self.states}")

    def strip(self) -> str:
        text: str = self.there.window.centre.voice.text()
        return text

    def says(self, text: str) -> None:
        """Speak while the window goes on."""
        work = threading.Thread(target=self._server.speak, args=(silence(0.3) + rig.said(text) + silence(0.3),))
        work.start()
        wait(lambda: not work.is_alive(), 30)

    def asked(self) -> list[str]:
        session = self.there.window.conversation.current
        messages = self.there.application.assembly.store.messages(session) if session else []
        return [" ".join(rig.words(each.text)) for each in messages if each.source == "voice"]


@pytest.fixture
def visit(
    recogniser: Recogniser,  # noqa: F811
    sound: SoundServer,  # noqa: F811
    desk: Open,
) -> Callable[..., Visitor]:
    """``visit(*steps)``: somebody before a window whose model answers with the steps; without steps, offline."""

    def come(*steps: Scripted) -> Visitor:
        there = desk(*steps)
        for key, value in (("recogniser", "whisper"), ("rate", "170")):
            there.application.assembly.settings.set(f"voice.{key}", value)
        return Visitor(there, sound)

    return come


def test_a_talk_is_shown_answered_aloud_interrupted_and_ended_by_word(
    visit: Callable[..., Visitor],
    sound: SoundServer,  # noqa: F811
    recogniser: Recogniser,  # noqa: F811
) -> None:
    visitor = visit()
    there = visitor.there
    visitor.begins()
    with sound.recording() as heard:
        visitor.says("how much is one hundred divided by four")
        visitor.until("Speaking")
        visitor.until("Listening")
    assert visitor.asked() == ["how much is 100 divided by 4"]
    assert visitor.states[-4:] == ["listening", "thinking", "speaking", "listening"]
    assert "25" in rig.words(recogniser.transcribe(bytes(heard)).text), "the answer could be heard"
    visitor.says("who are you")
    visitor.until("Speaking")
    visitor.says("what is two plus two")
    wait(lambda: len(visitor.asked()) == 3, 40, f"the interruption is a turn, not {visitor.asked()}")
    wait(lambda: "2 + 2 = 4" in there.chat(), 20)
    visitor.until("Listening")
    visitor.says("goodbye")
    wait(lambda: not visitor.strip(), 30, "the strip goes")
    assert visitor.states[-1] == "" and not there.window.voicing.talking.is_on
    assert len(visitor.asked()) == 3, "what steers isn't asked"


def test_words_steer_the_talk_and_nothing_of_them_is_asked(
    visit: Callable[..., Visitor],
) -> None:
    visitor = visit()
    speaker = visitor.there.application.assembly.voice.speaker
    visitor.begins()
    visitor.says("what is two plus two")
    visitor.until("Speaking")
    visitor.until("Listening")
    for words, faster in (("repeat", 1.0), ("speak slower", 0.8)):
        visitor.says(words)
        visitor.until("Speaking")
        assert speaker._pace == pytest.approx(faster)
        visitor.until("Listening")
    visitor.says("who are you")
    visitor.until("Speaking")
    visitor.says("stop")
    visitor.until("Listening")
    assert not speaker.is_speaking
    assert len(visitor.asked()) == 2, "what steers is not asked"
    visitor.says("stop listening")
    wait(lambda: not visitor.strip(), 30, "the strip goes")


def test_a_yes_counts_once_the_question_was_read_out_and_a_no_carries_its_reason(
    visit: Callable[..., Visitor],
    sound: SoundServer,  # noqa: F811
    recogniser: Recogniser,  # noqa: F811
) -> None:
    first = wire.calls(("run_command", {"command": "touch made.txt"}))
    second = wire.calls(("run_command", {"command": "touch other.txt"}))
    visitor = visit(first, second, "All done.")
    there = visitor.there
    visitor.begins()
    with sound.recording() as heard:
        visitor.says("what is two plus two")
        visitor.until("Speaking")
        there.dialog()
        visitor.until("Listening")
    assert "yes or no" in " ".join(rig.words(recogniser.transcribe(bytes(heard)).text)), "it was read out"
    assert not (there.folder / "made.txt").exists()
    visitor.says("yes")
    wait(lambda: (there.folder / "made.txt").exists(), 30, f"it is done after a yes; {visitor.strip()}")
    visitor.until("Speaking")
    visitor.until("Listening")
    visitor.says("no, because it is the wrong folder")
    wait(lambda: "All done." in there.chat(), 30, "the turn goes on without it")
    assert not (there.folder / "other.txt").exists()
    assert "wrong folder" in json.dumps(there.server.requests[-1] if there.server else {})
    wait(lambda: there.window.questions.dialog is None, what="no question is left on the screen")


def test_what_is_always_asked_is_never_allowed_by_voice(visit: Callable[..., Visitor]) -> None:
    visitor = visit(wire.calls(("run_command", {"command": "git clean -fdx; rm -rf precious"})), "Well.")
    there = visitor.there
    (there.folder / "precious").mkdir()
    visitor.begins()
    visitor.says("what is two plus two")
    visitor.until("Speaking")
    visitor.until("Listening")
    for _ in range(2):
        visitor.says("yes")
        visitor.until("Speaking")
        visitor.until("Listening")
    assert (there.folder / "precious").is_dir() and there.window.questions.dialog is not None
    there.click("denyButton", there.dialog())
    wait(lambda: "Well." in there.chat(), 20)
    assert (there.folder / "precious").is_dir()
