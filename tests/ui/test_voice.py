"""Voice in the window: hold and talk, see what was heard, hear the answer; and what is said where it can't be."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QWidget

from ankita_desktop.errors import VoiceError
from ankita_desktop.ui.mic import MicButton
from ankita_desktop.voice.listen import Recogniser
from tests.ui.conftest import Desk, settle, wait
from tests.voice import rig
from tests.voice.conftest import _server, recogniser, sound  # noqa: F401
from tests.voice.rig import SoundServer

Open = Callable[..., Desk]
TRIES = 3  # a busy machine can keep the sound server from opening a device in time
QUESTION = "how much is one hundred divided by four"


def set_voice(there: Desk, **values: str) -> None:
    for key, value in values.items():
        there.application.assembly.settings.set(f"voice.{key}", value)


def hear(there: Desk, text: str) -> None:
    """What the recogniser says it heard."""
    there.window.voicing.dictation.hears.text.emit(text)


def strip(there: Desk) -> str:
    text: str = there.window.centre.voice.text()
    return text


def ask(there: Desk, server: SoundServer, question: str = QUESTION) -> bool:
    """Hold the button, speak, let go. False when a notice says that it didn't work: one tries again."""
    mic, notice = there.find("micButton"), there.find("noticeBar")
    notice.hide()
    QTest.mousePress(mic, Qt.MouseButton.LeftButton)
    wait(lambda: "Listening" in strip(there) or notice.isVisible())
    server.speak(rig.said(question))
    QTest.mouseRelease(mic, Qt.MouseButton.LeftButton)
    wait(lambda: user_messages(there) or notice.isVisible(), 40)
    return bool(user_messages(there))


def user_messages(there: Desk) -> list[tuple[str, str]]:
    session = there.window.conversation.current
    if not session:
        return []
    messages = there.application.assembly.store.messages(session)
    return [(each.text, each.source) for each in messages if each.role == "user" and each.source != "note"]


@pytest.mark.usefixtures("recogniser")
def test_held_button_speech_and_release_become_a_spoken_question_and_a_spoken_answer(
    sound: SoundServer,  # noqa: F811
    desk: Open,
) -> None:
    there = desk()
    set_voice(there, recogniser="whisper", confirm_seconds="0.2")
    mic = there.find("micButton")
    levels: list[float] = []
    there.window.voicing.dictation.hears.level.connect(levels.append)
    with sound.recording() as speaker:
        assert any(ask(there, sound) for _ in range(TRIES)), "what was said is sent"
        wait(lambda: "Speaking" in strip(there), 20, "the answer sounds")
        wait(lambda: not strip(there), 30, f"it is over, not: {strip(there)}")
    assert user_messages(there)[0][1] == "voice"
    assert "25" in there.chat()
    assert max(levels, default=0) > 0.01, "the ring showed how loud it was"
    assert mic.level < 0 and any(speaker)


def test_what_was_heard_can_be_seen_before_it_is_sent(desk: Open) -> None:
    there = desk("Fine.")
    set_voice(there, confirm_seconds="0.3", answers="never")
    hear(there, "tell me something")
    assert there.find("composer").toPlainText() == "tell me something" and "Heard" in strip(there)
    wait(lambda: user_messages(there) == [("tell me something", "voice")])
    wait(lambda: not strip(there), what="the strip goes with the end of the turn")


def test_escape_takes_back_what_was_heard(desk: Open) -> None:
    there = desk("Fine.")
    set_voice(there, confirm_seconds="30")
    hear(there, "send this to nobody")
    QTest.keyClick(there.window, Qt.Key.Key_Escape)
    assert there.find("composer").toPlainText() == "" and not strip(there)
    there.say("typed")
    there.until_idle()
    assert user_messages(there) == [("typed", "typed")]


def test_who_types_into_what_was_heard_sends_it_themselves(desk: Open) -> None:
    there = desk("Fine.")
    set_voice(there, confirm_seconds="0.4", answers="never")
    there.find("composer").setFocus()
    wait(there.find("composer").hasFocus)
    hear(there, "remind me")
    QTest.keyClicks(there.find("composer"), " tomorrow")
    assert not strip(there)
    QTest.qWait(600)
    assert not user_messages(there), "nothing goes by itself any more"
    QTest.keyClick(there.find("composer"), Qt.Key.Key_Return)
    wait(lambda: user_messages(there) == [("remind me tomorrow", "voice")])


def test_a_draft_is_never_sent_by_voice(desk: Open) -> None:
    there = desk("Fine.")
    set_voice(there, confirm_seconds="0")
    there.find("composer").setPlainText("Dear Ana,")
    hear(there, "thanks")
    QTest.qWait(100)
    assert there.find("composer").toPlainText() == "Dear Ana, thanks" and not user_messages(there)


@pytest.mark.parametrize("begin", ["micButton", "key", "hands-free"])
def test_without_a_microphone_it_is_explained_in_words(desk: Open, begin: str) -> None:
    there = desk()
    set_voice(there, input="no such microphone", recogniser="auto")
    if begin == "micButton":
        QTest.mousePress(there.find("micButton"), Qt.MouseButton.LeftButton)
    elif begin == "key":
        there.window.voicing.dictation.hold()
    else:
        there.window.voicing.talking.toggle()
    notice = there.find("noticeBar")
    wait(notice.isVisible, 20, "an explanation")
    assert "microphone" in notice.text().lower() or "portaudio" in notice.text().lower()
    assert not strip(there) and there.find("micButton").level < 0
    QTest.mouseRelease(there.find("micButton"), Qt.MouseButton.LeftButton)
    settle()


def test_without_a_recogniser_the_button_offers_to_set_it_up_and_says_how_big_it_is(desk: Open) -> None:
    there = desk()
    set_voice(there, recogniser="vosk")
    there.window.voicing.dictation.press()
    notice = there.find("noticeBar")
    wait(notice.isVisible)
    assert "Set up (41 MB)" in [each.text() for each in notice.findChildren(QWidget) if hasattr(each, "text")]


def test_letting_go_of_the_key_ends_the_talk_wherever_the_focus_is(desk: Open) -> None:
    there = desk()
    ended: list[bool] = []
    key = there.window.voicing.dictation.key
    key._released = lambda: ended.append(True)
    key.hold()
    QTest.keyClick(there.find("sessionSearch"), Qt.Key.Key_A)
    assert not ended
    QTest.keyRelease(there.find("sessionSearch"), Qt.Key.Key_M)
    assert ended == [True] and not key.held


def test_a_problem_of_the_voice_never_hides_the_answer(desk: Open) -> None:
    there = desk("It is Monday.")
    set_voice(there, confirm_seconds="0", answers="never")
    hear(there, "what day is it")
    wait(lambda: "It is Monday." in there.chat())
    there.window.voicing.sounds.problem.emit(VoiceError("The loudspeaker is gone.", "gone"))
    assert there.find("noticeBar").text() == "The loudspeaker is gone."


@pytest.mark.usefixtures("sound")
def test_the_microphone_is_chosen_from_those_there_are(desk: Open) -> None:
    there = desk()
    mic = there.find("micButton")
    mic._menu.aboutToShow.emit()
    wait(lambda: mic._devices.actions(), what="the list")
    default, other = mic._devices.actions()[:2]
    assert default.text() == "The system's default" and default.isChecked()
    other.trigger()
    wait(lambda: there.application.assembly.settings.values.voice.input == "pulse:virtmic")
    mic._menu.aboutToShow.emit()
    wait(lambda: mic._devices.actions()[1].isChecked() and not mic._devices.actions()[0].isChecked())


@pytest.mark.usefixtures("recogniser")
def test_a_reminder_is_spoken_set_and_confirmed_aloud_with_nothing_but_this_machine(
    sound: SoundServer,  # noqa: F811
    desk: Open,
    recogniser: Recogniser,  # noqa: F811
) -> None:
    there = desk()
    set_voice(there, recogniser="whisper", confirm_seconds="0.2")
    with sound.recording() as speaker:
        assert ask(there, sound, "remind me in ten minutes to stretch")
        wait(lambda: "Speaking" in strip(there), 20, "the answer sounds")
        wait(lambda: not strip(there), 30, "it is over")
    (reminder,) = there.application.assembly.store.reminders()
    assert reminder.due is not None and reminder.due - reminder.created == pytest.approx(600, abs=2)
    said = recogniser.transcribe(bytes(speaker)).text
    assert len(rig.words(said)) > 5, f"it is confirmed aloud: {said}"


def test_the_ring_grows_with_the_voice(qt: object) -> None:
    button = MicButton()
    button.show()

    def ring(level: float) -> bytes:
        button.show_level(level)
        return bytes(button.grab().toImage().constBits())

    assert len({ring(-1.0), ring(0.0), ring(0.05), ring(0.15)}) == 4
    button.close()
    button.deleteLater()
