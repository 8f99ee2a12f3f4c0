"""Microphones come and go: each trouble is said in words, with what helps, and never a traceback."""

from __future__ import annotations

import subprocess
import sys

import pytest

from ankita_desktop.errors import VoiceError
from ankita_desktop.voice import devices, pulse
from ankita_desktop.voice.recorder import Recorder
from ankita_desktop.voice.sound import FRAME_BYTES, level
from tests.voice import rig
from tests.voice.rig import SOUND, SoundServer, wait_until


class Ears:
    def __init__(self) -> None:
        self.frames: list[bytes] = []
        self.problems: list[VoiceError] = []
        self.notices: list[str] = []
        self.recorder = Recorder(
            self.frames.append, on_problem=self.problems.append, on_notice=self.notices.append
        )


def test_the_microphone_gives_whole_frames(sound: SoundServer) -> None:
    ears = Ears()
    ears.recorder.open()
    wait_until(lambda: len(ears.frames) > 5, 10, "it records")
    sound.speak(rig.said("hello there"))
    # What was played is still on its way through the sound server.
    wait_until(lambda: max(map(level, ears.frames)) > SOUND, 10, "it hears")
    ears.recorder.close()
    assert {len(frame) for frame in ears.frames} == {FRAME_BYTES}


def test_a_device_is_chosen_by_its_name(sound: SoundServer) -> None:
    names = [one.id for one in devices.devices("input")]
    assert names[0] == ""
    assert f"{pulse.PREFIX}virtmic" in names
    ears = Ears()
    ears.recorder.open("pulse:virtmic")
    wait_until(lambda: ears.frames, 10, "it records")
    ears.recorder.close()


def test_a_microphone_that_is_removed_is_said_and_the_default_goes_on(sound: SoundServer) -> None:
    sound.pactl("load-module", "module-null-sink", "sink_name=usb_sink", "channels=1")
    made = sound.pactl("load-module", "module-remap-source", "source_name=usb", "master=usb_sink.monitor").stdout
    ears = Ears()
    ears.recorder.open("pulse:usb")
    wait_until(lambda: ears.frames, 10, "it records")
    sound.pactl("unload-module", made.strip())
    count = len(ears.frames)
    wait_until(lambda: len(ears.frames) > count + 40, 15, "recording goes on with another one")
    ears.recorder.close()
    assert not ears.problems


@pytest.mark.sound
def test_when_the_last_microphone_goes_recording_ends_with_the_reason() -> None:
    rig.need_programs()
    rig.need_modules("sounddevice")
    server = rig.SoundServer()
    try:
        with rig.in_environment(server):
            ears = Ears()
            ears.recorder.open()
            wait_until(lambda: ears.frames, 10, "it records")
            server.close()
            wait_until(lambda: ears.problems, 20, "it is said")
            assert "microphone" in str(ears.problems[0]).lower()
            assert not ears.recorder.is_open
            ears.recorder.close()
    finally:
        server.close()


@pytest.mark.parametrize(
    ("number", "text", "kind", "fix"),
    [
        (-9985, "Device unavailable", "busy", "another program"),
        (-9999, "Permission denied", "permission", "group audio"),
        (-9996, "Invalid device", "gone", "choose another"),
    ],
)
def test_each_trouble_has_its_words(sound: SoundServer, number: int, text: str, kind: str, fix: str) -> None:
    problem = devices.explain(RuntimeError(text, number), "input", "desk mic")
    assert problem.kind == kind
    assert fix in str(problem)
    assert "desk mic" in str(problem)


def test_a_name_that_is_not_there_is_said(sound: SoundServer) -> None:
    with pytest.raises(VoiceError, match="not there"):
        Recorder(lambda _: None).open("a microphone that nobody has")


ALONE = """
import sys
{before}
from ankita_desktop.errors import VoiceError
from ankita_desktop.voice.recorder import Recorder
try:
    Recorder(print).open()
except VoiceError as problem:
    print(problem.kind, problem)
"""
NO_LIBRARY = "sys.modules['sounddevice'] = None"
NO_PORTAUDIO = """
import importlib.abc
class Broken(importlib.abc.MetaPathFinder):
    def find_spec(self, name, *_):
        if name == "sounddevice":
            raise OSError("PortAudio library not found")
sys.meta_path.insert(0, Broken())
"""


def alone(before: str, **environ: str) -> str:
    done = subprocess.run(
        [sys.executable, "-c", ALONE.format(before=before)],
        capture_output=True,
        text=True,
        timeout=60,
        env={"PATH": "/usr/bin:/bin", "HOME": "/nowhere", **environ},
    )
    assert "Traceback" not in done.stderr, done.stderr
    return done.stdout


def test_without_the_python_package_the_extra_is_named() -> None:
    assert 'the extra "voice"' in alone(NO_LIBRARY)


def test_without_portaudio_the_package_is_named() -> None:
    told = alone(NO_PORTAUDIO)
    assert told.startswith("library ")
    assert "portaudio" in told.lower()
