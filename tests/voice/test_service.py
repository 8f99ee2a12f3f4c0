"""All of it together, as the composition root hands it out: hands-free in real time, check, and what tools see."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from ankita_desktop.assembly import Assembly, Options, assemble, open_voice
from ankita_desktop.errors import VoiceError
from ankita_desktop.events import Event, TurnEnded
from ankita_desktop.store.schema import VoicePart
from ankita_desktop.store.secrets import Secrets
from ankita_desktop.store.settings import Settings
from ankita_desktop.toolkit.cancel import Cancel
from ankita_desktop.voice import devices
from ankita_desktop.voice.hands_free import Conversation, Watcher
from ankita_desktop.voice.service import VoiceService
from ankita_desktop.voice.sound import as_wav, silence
from tests.voice import rig
from tests.voice.rig import SoundServer, wait_until


def service(tmp_path: Path, **settings: object) -> VoiceService:
    values = VoicePart(**settings)  # type: ignore[arg-type]
    return VoiceService(lambda: values, models=tmp_path)


@pytest.fixture
def app(sound: SoundServer, recogniser: object, tmp_path: Path) -> Iterator[Assembly]:
    made = assemble(Options(cwd=str(tmp_path), provider="offline", mode="all"))
    made.settings.set("voice.echo_cancel", "false")
    made.settings.set("voice.rate", "220")
    yield made
    made.close()


def test_hands_free_answers_aloud_and_is_interrupted_by_speech(sound: SoundServer, app: Assembly) -> None:
    session = app.new_session().id
    submitted: list[str] = []
    states: list[str] = []
    ended: list[TurnEnded] = []

    def submit(text: str) -> None:
        submitted.append(text)
        app.engine.submit(session, text, source="voice")

    def sink(event: Event) -> None:
        if isinstance(event, TurnEnded):
            ended.append(event)

    to = Conversation(session, submit, lambda: app.engine.cancel(session), app.engine.answer)
    talk = app.voice.hands_free(to, Watcher(on_state=states.append))
    app.engine.subscribe(talk.sink)
    app.engine.subscribe(sink)
    wait_until(lambda: talk.state == "listening", 10, "it listens")
    sound.speak(silence(0.2) + rig.said("who are you") + silence(0.2))
    wait_until(lambda: talk.state == "speaking", 30, "it answers")
    assert len(submitted) == 1
    sound.speak(silence(1.0) + rig.said("what is two plus two"))
    wait_until(lambda: len(submitted) == 2, 30, "the interruption is a turn")
    wait_until(lambda: len(ended) == 2, 30, "it is answered")
    assert ended[-1].text == "2 + 2 = 4"
    app.voice.end_talk()
    wait_until(lambda: talk.state == "off", 10, "it ends")
    assert states[:3] == ["listening", "thinking", "speaking"]


def test_pressing_the_key_ends_hands_free_talk(sound: SoundServer, app: Assembly) -> None:
    from ankita_desktop.voice.push_to_talk import Ear

    talk = app.voice.hands_free(Conversation("s", print, lambda: None, lambda *_: None), Watcher())
    button = app.voice.push_to_talk(Ear())
    button.press()
    wait_until(lambda: talk.state == "off", 10, "it ends")
    button.close()


def test_the_servers_echo_canceller_is_used_and_let_go(sound: SoundServer, app: Assembly) -> None:
    app.settings.set("voice.echo_cancel", "true")
    app.voice.hands_free(Conversation("s", print, lambda: None, lambda *_: None), Watcher())
    if "ankita_mic" not in sound.pactl("list", "short", "sources").stdout:
        pytest.skip("this sound server has no echo canceller")
    assert app.voice.manner().output == f"pulse:ankita_voice_{os.getpid()}"
    app.voice.end_talk()
    assert "ankita_mic" not in sound.pactl("list", "short", "sources").stdout
    assert app.voice.manner().output == ""


def test_talk_with_the_echo_canceller_leaves_the_microphone_as_loud_as_it_was(
    sound: SoundServer, app: Assembly
) -> None:
    app.settings.set("voice.echo_cancel", "true")
    before = sound.volume("virtmic")
    app.voice.hands_free(Conversation("s", print, lambda: None, lambda *_: None), Watcher())
    if "ankita_mic" not in sound.pactl("list", "short", "sources").stdout:
        pytest.skip("this sound server has no echo canceller")
    for _ in range(2):
        sound.speak(rig.said("somebody speaks loudly and goes on for quite a while without any pause"))
    app.voice.end_talk()
    assert sound.volume("virtmic") == before


def modules(sound: SoundServer) -> list[str]:
    """The echo cancellers on the server."""
    return [row for row in sound.pactl("list", "short", "modules").stdout.splitlines() if "echo-cancel" in row]


def killed_in_talk() -> None:
    """Another process begins to talk hands-free, and is killed."""
    code = (
        "import os, signal\nfrom ankita_desktop.voice import pulse\n"
        "pulse.cancel_echo()\nos.kill(os.getpid(), signal.SIGKILL)"
    )
    assert subprocess.run([sys.executable, "-c", code], timeout=30).returncode == -signal.SIGKILL


def test_what_a_killed_process_left_at_the_sound_server_goes_at_the_next_start(
    sound: SoundServer, app: Assembly
) -> None:
    killed_in_talk()
    if not modules(sound):
        pytest.skip("this sound server has no echo canceller")
    sound.pactl("set-default-source", modules(sound)[0].split("source_name=")[1].split()[0])
    app.settings.set("voice.echo_cancel", "true")
    app.voice.tidy()
    assert modules(sound) == []
    assert "ankita" not in sound.pactl("get-default-source").stdout
    sound.pactl("set-default-source", "virtmic")


def test_a_talk_after_a_kill_has_its_own_canceller_and_only_that(sound: SoundServer, app: Assembly) -> None:
    app.settings.set("voice.echo_cancel", "true")
    killed_in_talk()
    app.voice.hands_free(Conversation("s", print, lambda: None, lambda *_: None), Watcher())
    if not modules(sound):
        pytest.skip("this sound server has no echo canceller")
    assert len(modules(sound)) == 1 and f"ankita_mic_{os.getpid()}" in modules(sound)[0]
    app.voice.tidy()
    assert len(modules(sound)) == 1, "that of a process that lives stays"
    assert sound.pactl("get-default-source").stdout.strip() == "virtmic"
    assert not any("ankita" in device.id for device in devices.devices("input")), "nobody is to choose it"
    app.voice.end_talk()
    assert modules(sound) == []


def test_check_says_what_hears_and_speaks(sound: SoundServer, recogniser: object, tmp_path: Path) -> None:
    found = service(tmp_path).check()
    assert found.problems == ()
    assert all((found.input, found.output, found.recogniser, found.voice))


def test_check_names_a_device_that_is_gone(sound: SoundServer, tmp_path: Path) -> None:
    found = service(tmp_path, input="pulse:old_headset").check()
    assert found.input == ""
    assert any("old_headset" in problem and "virtmic" in problem for problem in found.problems)


def test_the_next_thing_that_is_said_is_heard(sound: SoundServer, app: Assembly) -> None:
    import threading

    partials: list[str] = []
    heard: list[str] = []
    work = threading.Thread(target=lambda: heard.append(app.voice.listen(10, Cancel(), partials.append)))
    work.start()
    sound.speak(silence(0.5) + rig.said("what is two plus two") + silence(1.5))
    work.join(30)
    assert rig.words(heard[0]) == ["what", "is", "2", "plus", "2"]


def test_the_name_of_a_project_is_heard_as_it_is_written(app: Assembly, tmp_path: Path) -> None:
    spoken = tmp_path / "spoken.wav"
    spoken.write_bytes(as_wav(rig.said("open project kestrel")))
    app.store.add_project("Kestrel")
    app.store.add_project("Thesis")
    heard = " ".join(text for _, _, text in app.voice.transcribe(spoken, Cancel()))
    assert "Kestrel" in heard


def test_when_nobody_speaks_listening_ends(sound: SoundServer, app: Assembly) -> None:
    assert app.voice.listen(1, Cancel(), lambda _: None) == ""


def test_settings_count_from_the_next_sentence_on(tmp_path: Path) -> None:
    values = [VoicePart(rate=100, volume=50, voice="en-us")]
    voice = VoiceService(lambda: values[0], models=tmp_path)
    assert (voice.manner().rate, voice.manner().volume, voice.manner().voice) == (100, 0.5, "en-us")
    values[0] = VoicePart(rate=300)
    assert voice.manner().rate == 300


def test_a_key_of_the_chat_service_goes_to_no_other_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-chat")
    settings = Settings()
    settings.set("voice.engine", "service")
    settings.set("voice.service_url", "http://127.0.0.1:9/v1")
    voice = open_voice(settings, Secrets())
    assert voice.manner().service["key"] == ""
    settings.set("voice.service_url", "https://api.openai.com/v1")
    assert voice.manner().service["key"] == "sk-chat"


def test_the_key_for_speech_comes_from_the_environment_and_goes_before_the_chats(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-chat")
    monkeypatch.setenv("VOICE_API_KEY", "sk-voice")
    settings = Settings()
    settings.set("voice.engine", "service")
    for url in ("http://127.0.0.1:9/v1", "https://api.openai.com/v1"):
        settings.set("voice.service_url", url)
        assert open_voice(settings, Secrets()).manner().service["key"] == "sk-voice"


def test_without_any_recogniser_talk_does_not_begin_and_says_why(sound: SoundServer, tmp_path: Path) -> None:
    voice = service(tmp_path, recogniser="vosk")
    with pytest.raises(VoiceError) as failure:
        voice.hands_free(Conversation("s", print, lambda: None, lambda *_: None), Watcher())
    assert "vosk" in str(failure.value)
    voice.close()
