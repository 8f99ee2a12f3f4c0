"""Situations with sound that people reported of other assistants."""

from __future__ import annotations

import os
import subprocess
import sys

from ankita_desktop.voice import wake
from ankita_desktop.voice.sound import FRAME_SECONDS, silence
from tests.voice import rig
from tests.voice.test_hands_free import LONG, Room


def without_sound(code: str, home: str) -> subprocess.CompletedProcess[str]:
    """Run code on a machine with no sound server and no device."""
    environ = {"PATH": os.environ["PATH"], "HOME": home, "ANKITA_HOME": home, "PULSE_SERVER": "unix:/nowhere"}
    command = [sys.executable, *code.split()] if code.startswith("-m") else [sys.executable, "-c", code]
    return subprocess.run(command, capture_output=True, text=True, timeout=60, env=environ)


def test_a_machine_without_any_device_says_so_instead_of_a_traceback(ankita_home: object) -> None:
    """py-gpt#86: no device: traceback."""
    rig.need_modules("sounddevice")
    code = (
        "from ankita_desktop.voice.recorder import Recorder\nfrom ankita_desktop.errors import VoiceError\n"
        "try: Recorder(print).open()\nexcept VoiceError as problem: print('said:', problem)"
    )
    done = without_sound(code, str(ankita_home))
    assert "Traceback" not in done.stderr
    assert done.stdout.startswith("said: ")
    assert "microphone" in done.stdout


def test_voice_commands_work_through_without_any_device(ankita_home: object) -> None:
    """py-gpt#58: starting the voice without a device raised an error."""
    rig.need_modules("sounddevice")
    checked = without_sound("-m ankita_desktop voice check", str(ankita_home))
    assert "Traceback" not in checked.stderr
    assert "microphone" in checked.stdout
    said = without_sound("-m ankita_desktop voice say hello", str(ankita_home))
    assert said.returncode == 1
    assert "Traceback" not in said.stderr
    assert said.stderr.startswith("ankita: ")


def test_a_minute_of_its_own_voice_in_the_microphone_is_not_one_turn() -> None:
    """hermes-agent#75780: its own speech heard as the user, seven turns in a row."""
    room = Room(["the weather today is mostly sunny with a light wind"] * 50, echo=0.7)
    for _ in range(4):
        room.answer(LONG)
        room.until_silent(30)
    assert room.clock.now - 100 > 40
    assert room.submitted == []


def test_one_wake_word_is_one_waking() -> None:
    """openWakeWord#157: repeated detections of one saying."""
    once = wake.Once(0.5)
    scores = [0.1] * 10 + [0.6, 0.9, 0.99, 0.9, 0.6, 0.3, 0.8, 0.7, 0.2] + [0.0] * 100
    assert sum(once.score(score) for score in scores) == 1


def test_one_call_by_name_is_one_turn() -> None:
    """openWakeWord#157, by name: what follows in the same breath is sent once."""
    room = Room(["Hey Ankita, list the files."], wake_word="name")
    room.say("hey ankita list the files")
    for _ in range(round(5 / FRAME_SECONDS)):
        room.pass_time(silence(FRAME_SECONDS))
    assert room.submitted == ["list the files."]
