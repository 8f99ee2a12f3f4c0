"""The scripted model keeps to its script."""

from __future__ import annotations

import json
import threading
import time
from pathlib import Path

import pytest

from ankita_desktop.errors import Cancelled, ConfigError, ModelError
from ankita_desktop.models.scripted import ScriptedModel, Step
from ankita_desktop.protocol import Answer, Message, ModelPart, ModelRequest, Restarted, TextPart, ToolCall, Usage
from ankita_desktop.toolkit import Cancel

REQUEST = ModelRequest("", (Message("user", "hi"),))


def play(model: ScriptedModel) -> list[ModelPart]:
    return list(model.stream(REQUEST, Cancel()))


def last(model: ScriptedModel) -> Answer:
    parts = play(model)
    assert isinstance(parts[-1], Answer)
    return parts[-1]


def test_the_nth_request_gets_the_nth_step_in_small_parts() -> None:
    model = ScriptedModel(["Hello there, friend.", Step(calls=(ToolCall("c", "look"),))])
    parts = play(model)
    assert "".join(part.text for part in parts if isinstance(part, TextPart)) == "Hello there, friend."
    assert len(parts) > 3
    assert last(model).message.calls == (ToolCall("c", "look"),)
    assert model.requests == [REQUEST, REQUEST]


def test_a_script_file_holds_texts_and_steps(tmp_path: Path) -> None:
    path = tmp_path / "script.json"
    step = {
        "text": "Looking.",
        "calls": [{"name": "a", "arguments": {"x": 1}}, {"name": "b"}],
        "usage": {"input": 5},
    }
    path.write_text(json.dumps(["Hi", step]), "utf-8")
    model = ScriptedModel.from_file(path)
    assert last(model).message.text == "Hi"
    answer = last(model)
    assert [(call.name, call.arguments) for call in answer.message.calls] == [("a", {"x": 1}), ("b", {})]
    assert len({call.id for call in answer.message.calls}) == 2
    assert answer.usage == Usage(5)


@pytest.mark.parametrize("content", ["{", "{}", '[{"txt": "x"}]', '[{"calls": [{}]}]', "[7]"])
def test_a_script_that_can_not_be_played_is_named(tmp_path: Path, content: str) -> None:
    path = tmp_path / "script.json"
    path.write_text(content, "utf-8")
    with pytest.raises(ConfigError, match=r"script\.json"):
        ScriptedModel.from_file(path)


def test_a_step_may_depend_on_what_was_asked() -> None:
    model = ScriptedModel([lambda request: f"You said {request.messages[-1].text}."])
    assert last(model).message.text == "You said hi."


def test_a_step_may_fail_after_its_text() -> None:
    with pytest.raises(ModelError) as error:
        play(ScriptedModel([Step("half", error="no more", kind="limit")]))
    assert (str(error.value), error.value.kind, error.value.partial) == ("no more", "limit", "half")


def test_a_step_may_begin_again() -> None:
    parts = play(ScriptedModel([Step("word", restart="broke off")]))
    assert parts[:3] == [TextPart("word"), Restarted("broke off"), TextPart("word")]


def test_the_end_of_the_script_is_an_error_that_says_so() -> None:
    with pytest.raises(ModelError, match="0 steps; this is request 1"):
        play(ScriptedModel([]))


def test_stop_ends_a_delay_at_once() -> None:
    cancel = Cancel()
    threading.Timer(0.05, cancel.set).start()
    began = time.monotonic()
    with pytest.raises(Cancelled):
        list(ScriptedModel([Step("late", delay=60)]).stream(REQUEST, cancel))
    assert time.monotonic() - began < 5
