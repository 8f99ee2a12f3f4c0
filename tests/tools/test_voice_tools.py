"""Speaking, transcribing and listening as tools."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from ankita_desktop.errors import VoiceError
from ankita_desktop.toolkit import ToolContext, ToolError
from ankita_desktop.toolkit.cancel import Cancel
from ankita_desktop.toolkit.process import Jobs
from ankita_desktop.toolkit.services import Services
from tests.tools.calls import call, tool


class Voice:
    """The person's ears and mouth, on paper."""

    def __init__(self, parts: Sequence[tuple[float, float, str]] = (), host: str = "", problem: str = "") -> None:
        self.parts, self.host, self.problem = parts, host, problem
        self.said: list[str] = []

    def say(self, text: str, cancel: Cancel) -> None:
        self._work()
        self.said.append(text)

    def recogniser_host(self) -> str:
        return self.host

    def transcribe(self, path: Path, cancel: Cancel) -> Sequence[tuple[float, float, str]]:
        self._work()
        return self.parts

    def listen(self, seconds: float, cancel: Cancel, progress: Callable[[str], None]) -> str:
        self._work()
        return "buy milk"

    def _work(self) -> None:
        if self.problem:
            raise VoiceError(self.problem)


@pytest.fixture
def ctx(tmp_path: Path) -> ToolContext:
    return ToolContext(cwd=tmp_path, jobs=Jobs())


def having(ctx: ToolContext, voice: Voice) -> ToolContext:
    return replace(ctx, services=Services(voice=voice))


def test_a_text_is_said(ctx: ToolContext) -> None:
    voice = Voice()
    assert call("speak", having(ctx, voice), text="Good morning").text == "Said aloud."
    assert voice.said == ["Good morning"]


def test_a_recording_becomes_text_with_times(ctx: ToolContext) -> None:
    (ctx.cwd / "a.wav").write_bytes(b"x")
    voice = Voice([(0.0, 1.5, "Hello."), (61.0, 63.0, "And goodbye.")])
    result = call("transcribe", having(ctx, voice), path="a.wav")
    assert result.text == "[0:00.0 – 0:01.5] Hello.\n[1:01.0 – 1:03.0] And goodbye."


def test_a_recording_without_words_is_said(ctx: ToolContext) -> None:
    (ctx.cwd / "a.wav").write_bytes(b"x")
    assert "no words" in call("transcribe", having(ctx, Voice()), path="a.wav").text


def test_a_file_that_is_not_there_is_said(ctx: ToolContext) -> None:
    with pytest.raises(ToolError, match="no file"):
        call("transcribe", having(ctx, Voice()), path="nowhere.wav")


def test_sound_that_leaves_the_machine_is_asked_for_and_its_goal_is_named(ctx: ToolContext) -> None:
    (ctx.cwd / "a.wav").write_bytes(b"x")
    away = having(ctx, Voice(host="api.example.org"))
    assert tool("transcribe").approval_for({"path": "a.wav"}, away) == "ask"
    shown = tool("transcribe").preview({"path": "a.wav"}, away)
    assert "api.example.org" in shown.question
    assert shown.effect == "send"
    assert shown.grant_key == ""
    assert tool("transcribe").approval_for({"path": "a.wav"}, having(ctx, Voice())) == "never"


def test_the_microphone_is_turned_on_only_after_a_yes(ctx: ToolContext) -> None:
    assert tool("listen").approval == "ask"
    assert "microphone" in tool("listen").preview({}, having(ctx, Voice())).question
    assert call("listen", having(ctx, Voice())).text == "buy milk"


@pytest.mark.parametrize(("name", "args"), [("speak", {"text": "x"}), ("listen", {})])
def test_trouble_with_sound_reaches_the_model_in_words(ctx: ToolContext, name: str, args: dict[str, str]) -> None:
    with pytest.raises(ToolError, match="There is no microphone"):
        call(name, having(ctx, Voice(problem="There is no microphone.")), **args)


def test_without_the_extra_the_tools_say_so(ctx: ToolContext) -> None:
    with pytest.raises(ToolError, match="not available"):
        call("speak", ctx, text="x")
