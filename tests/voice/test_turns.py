"""When a person has finished speaking."""

from __future__ import annotations

from ankita_desktop.voice.sound import FRAME_SECONDS, frames, silence
from ankita_desktop.voice.turns import LONGEST, SHORTEST, Turns
from ankita_desktop.voice.vad import make_vad
from tests.voice import rig


def silence_until_end(turns: Turns, text: str = "") -> float:
    for count in range(1, 200):
        if turns.hear(0.0, text) == "ended":
            return count * FRAME_SECONDS
    raise AssertionError("the turn never ended")


def spoken(turns: Turns, seconds: float, text: str = "") -> None:
    for _ in range(round(seconds / FRAME_SECONDS)):
        turns.hear(0.9, text)


def test_a_click_is_no_beginning() -> None:
    turns = Turns()
    assert [turns.hear(0.9), turns.hear(0.9), *(turns.hear(0.0) for _ in range(20))] == ["quiet"] * 22


def test_speech_begins_once_and_ends_once() -> None:
    turns = Turns()
    phases = [turns.hear(0.9) for _ in range(30)] + [turns.hear(0.0) for _ in range(60)]
    assert phases.count("begun") == 1
    assert phases.count("ended") == 1


def test_a_finished_sentence_ends_sooner_than_one_that_breaks_off() -> None:
    finished, broken = Turns(), Turns()
    spoken(finished, 1.0)
    spoken(broken, 1.0)
    soon = silence_until_end(finished, "List the files.")
    late = silence_until_end(broken, "List the files in the")
    assert SHORTEST <= soon < late <= LONGEST + FRAME_SECONDS


def test_somebody_who_pauses_is_given_longer() -> None:
    slow, fluent = Turns(), Turns()
    spoken(fluent, 2.0)
    spoken(slow, 1.0)
    for _ in range(17):  # half a second to think
        assert slow.hear(0.0) == "speaking"
    spoken(slow, 1.0)
    assert silence_until_end(slow) > silence_until_end(fluent)


def test_an_utterance_that_never_ends_is_ended() -> None:
    turns = Turns()
    assert "ended" in [turns.hear(0.9) for _ in range(round(62 / FRAME_SECONDS))]


def test_a_real_sentence_is_one_turn() -> None:
    rig.need_programs()
    sound = silence(0.5) + rig.said("remind me in ten minutes to stretch") + silence(1.5)
    vad, turns = make_vad(), Turns()
    phases = [turns.hear(vad.probability(frame)) for frame in frames(sound)]
    assert phases.count("begun") == phases.count("ended") == 1
