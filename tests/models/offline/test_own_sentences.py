"""A person's own sentences: a file in a folder, no code."""

from __future__ import annotations

from pathlib import Path

import pytest

from ankita_desktop import paths
from ankita_desktop.models.offline import OfflineModel
from ankita_desktop.protocol import Answer, Message, ModelRequest, ToolCall, ToolSpec
from ankita_desktop.toolkit.cancel import Cancel
from ankita_desktop.toolkit.services import Match

OWN = """
slots:
  city: text
families:
  weather:
    can: tell the weather
    example: weather in Rome
    do: {http_request: {url: "https://weather.test/{city}"}}
    tell: "In {city}: {line}"
    sentences:
      - "[what's] [the] weather (in|at|for) {city}"
  greet_boss:
    say: "Good day, {city|boss}!"
    sentences: ["greet the boss [of {city}]"]
"""


def model_with(folder: Path, text: str) -> OfflineModel:
    (folder / "mine.yaml").write_text(text, encoding="utf-8")
    return OfflineModel(match=Match, intents_dirs=[paths.bundled("assets") / "intents", folder])


def reply(model: OfflineModel, *messages: Message, tools: tuple[str, ...] = ()) -> Message:
    specs = tuple(ToolSpec(name, "", {}, "core", always_on=True) for name in tools)
    last = list(model.stream(ModelRequest("", messages, specs), Cancel()))[-1]
    assert isinstance(last, Answer)
    return last.message


def test_own_sentences_call_tools_and_word_their_results(tmp_path: Path) -> None:
    model = model_with(tmp_path, OWN)
    asked = Message("user", "what's the weather in New York, please?")
    message = reply(model, asked, tools=("http_request",))
    assert [call.arguments for call in message.calls] == [{"url": "https://weather.test/New York"}]
    result = Message("tool", "Sunny.\nAll day.", call_id=message.calls[0].id, name="http_request")
    assert reply(model, asked, message, result, tools=("http_request",)).text == "In New York: Sunny."


def test_own_sentences_may_just_answer(tmp_path: Path) -> None:
    model = model_with(tmp_path, OWN)
    assert reply(model, Message("user", "greet the boss of Rome")).text == "Good day, Rome!"
    assert reply(model, Message("user", "Greet the boss!")).text == "Good day, boss!"


def test_own_sentences_stand_beside_the_bundled_ones_and_may_replace_them(tmp_path: Path) -> None:
    model = model_with(tmp_path, "families: {thanks: {say: 'My pleasure.', sentences: ['thanks']}}")
    assert reply(model, Message("user", "thanks")).text == "My pleasure."
    assert "Hello" in reply(model, Message("user", "hello")).text


def test_the_tool_of_a_reminder_is_used_as_soon_as_it_is_there(tmp_path: Path) -> None:
    model = model_with(tmp_path, "families: {}")
    asked = Message("user", "add buy milk to my list")
    assert [call.name for call in reply(model, asked, tools=("write_todos",)).calls] == ["write_todos"]
    calls = reply(model, asked, tools=("write_todos", "remind")).calls
    assert [(call.name, call.arguments) for call in calls] == [("remind", {"action": "add", "text": "buy milk"})]


def test_a_reminder_that_can_only_be_found_is_looked_for(tmp_path: Path) -> None:
    (tmp_path / "mine.yaml").write_text("families: {}")
    folders = [paths.bundled("assets") / "intents", tmp_path]
    model = OfflineModel(match=lambda query: Match(query, ("automation",), ("remind",)), intents_dirs=folders)
    (call,) = reply(model, Message("user", "remind me to sleep"), tools=("find_tools", "write_todos")).calls
    assert (call.name, call.arguments) == ("find_tools", {"query": "remind me"})


BASE = """
slots: {text: text}
families:
  hello: {recipe: hello, sentences: [hello]}
  help: {recipe: help, sentences: [help]}
"""

BROKEN = [
    ("families: [", "can't be read"),
    ("- a list", "must hold keys"),
    ("families: {x: {say: hi}}", "needs sentences, a list"),
    ("families: {x: {sentences: [hi], colour: red}}", "unknown key: colour"),
    ("families: {x: {say: hi, sentences: ['hi {nowhere}']}}", "nowhere"),
    ("families: {x: {say: hi, sentences: ['(hi']}}", "can't be used"),
    ("families: {x: {say: hi, sentences: ['hi <norule>']}}", "can't be used"),
    ("families: {no: {sentences: [hi]}}", "in quotes"),
    ("families: {x: {sentences: ['hi {text}'], kinds: {text: colour}}}", "unknown kind of slot: colour"),
    ("slots: {x: colour}", "unknown kind of slot: colour"),
    ("families: {x: {sentences: [hi], recipe: souffle}}", "no recipe named souffle"),
    ("families: {x: {sentences: [hi]}}", "does nothing"),
    ("families: nothing", "must be"),
    ("colours: {}", "must be one of families"),
]


@pytest.mark.parametrize(("text", "complaint"), BROKEN, ids=[row[1] for row in BROKEN])
def test_a_broken_file_is_left_out_and_named_and_the_others_count(
    tmp_path: Path, text: str, complaint: str
) -> None:
    (tmp_path / "base.yaml").write_text(BASE)
    (tmp_path / "mine.yaml").write_text(text, encoding="utf-8")
    model = OfflineModel(match=Match, intents_dirs=[tmp_path])
    assert "Hello" in reply(model, Message("user", "hello")).text
    (problem,) = model.problems
    assert "mine.yaml is left out" in problem and complaint in problem
    assert problem in reply(model, Message("user", "help")).text


def test_a_result_that_came_for_an_unknown_call_is_left_alone(tmp_path: Path) -> None:
    model = model_with(tmp_path, OWN)
    asked = Message("user", "list the files")
    other = Message("assistant", calls=(ToolCall("c1", "web_search", {}),))
    result = Message("tool", "?", call_id="c1", name="web_search")
    assert [call.name for call in reply(model, asked, other, result, tools=("list_dir",)).calls] == ["list_dir"]
