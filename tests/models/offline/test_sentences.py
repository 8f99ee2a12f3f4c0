"""Plain sentences become the right calls, with the right arguments, in many ways of saying them."""

from __future__ import annotations

import json
from typing import Any

import pytest

from ankita_desktop.catalog.catalogue import ToolCatalogue
from ankita_desktop.models.offline import OfflineModel
from ankita_desktop.models.offline.model import PATIENCE_MS
from ankita_desktop.protocol import Message, ModelRequest, ToolCall
from ankita_desktop.toolkit.cancel import Cancel
from tests.conftest import shared
from tests.models.offline import table
from tests.models.offline.talk import catalogue, offline, valid

ROWS = [(tool, arguments, said) for tool, arguments, sentences in table.CALLS for said in sentences]
CHATTER = [(family, part, said) for family, part, sentences in table.TALK for said in sentences]


@pytest.fixture(scope="module")
def shelf() -> ToolCatalogue:
    return catalogue()


@pytest.fixture(scope="module")
def model(shelf: ToolCatalogue) -> OfflineModel:
    return offline(shelf)


def answer(model: OfflineModel, shelf: ToolCatalogue, said: str) -> Message:
    request = ModelRequest("", (Message("user", said),), tuple(shelf.specs()))
    return list(model.stream(request, Cancel()))[-1].message  # type: ignore[union-attr]


def plain(call: ToolCall) -> dict[str, Any]:
    """What a call was asked to do, without how long its answer is waited for."""
    return {key: value for key, value in call.arguments.items() if key not in ("yield_ms", "stdin")}


def test_a_command_is_waited_for_and_finds_no_input_but_what_runs_in_the_background_is_not(
    model: OfflineModel, shelf: ToolCatalogue
) -> None:
    (call,) = answer(model, shelf, "run make test").calls
    assert (call.arguments["yield_ms"], call.arguments["stdin"]) == (PATIENCE_MS, "")
    (call,) = answer(model, shelf, "run make test in the background").calls
    assert call.arguments == {"command": "make test", "background": True}


@pytest.mark.parametrize(("tool", "arguments", "said"), ROWS, ids=[row[2] for row in ROWS])
def test_a_sentence_becomes_its_call(
    model: OfflineModel, shelf: ToolCatalogue, tool: str, arguments: dict[str, Any], said: str
) -> None:
    wanted = {key: value for key, value in arguments.items() if key != "purpose"}
    assert [(call.name, plain(call)) for call in answer(model, shelf, said).calls] == [(tool, wanted)]


@pytest.mark.parametrize(("family", "part", "said"), CHATTER, ids=[row[2] for row in CHATTER])
def test_small_talk_is_answered_without_any_call(
    model: OfflineModel, shelf: ToolCatalogue, family: str, part: str, said: str
) -> None:
    message = answer(model, shelf, said)
    assert not message.calls
    assert part.lower() in message.text.lower()
    assert [reading.family.name for reading in model.understand(said)] == [family]


def test_the_table_covers_sixty_families_in_five_ways_each() -> None:
    groups = [sentences for *_, sentences in table.CALLS] + [sentences for *_, sentences in table.TALK]
    assert len(groups) >= 60
    assert min(map(len, groups)) >= 5
    assert sum(map(len, groups)) >= 300


def test_every_call_of_the_table_fits_the_schema_of_its_tool(shelf: ToolCatalogue) -> None:
    for tool, arguments, _ in table.CALLS:
        spec = shelf.spec(tool)
        assert spec is not None, f"there is no tool {tool}"
        wanted = {key: value for key, value in arguments.items() if key != "purpose"}
        assert valid(spec, wanted) == [], tool


def test_every_example_that_the_help_gives_is_understood(model: OfflineModel) -> None:
    examples = [family.example for family in model.families.values() if family.example]
    assert len(examples) > 30
    assert [example for example in examples if len(model.understand(example)) != 1] == []


def test_every_family_that_calls_is_in_the_table(model: OfflineModel) -> None:
    sentences = [said for *_, said in ROWS] + [said for *_, said in CHATTER]
    seen = {reading.family.name for said in sentences for reading in model.understand(said)}
    backward = {
        name for name in model.families if name.startswith("vary") or name in ("again", "continue", "undo")
    }
    told_elsewhere = {"read_on", "todo_done", "git_commit_all", "run_tests", "backup", "git_other", "forget_all"}
    told_elsewhere |= {"download", "mail_unknown", "mail_colon", "run_typed"}
    assert set(model.families) - seen - backward - told_elsewhere == set()


NONSENSE = [
    "tell me a story about elephants",
    "who painted the Mona Lisa",
    "make me a sandwich",
    "translate hello to French",
    "why is the sky blue?",
    "colourless green ideas sleep furiously",
    "asdf",
    "¿qué hora es?",
    "ファイルを一覧にして",
]


@pytest.mark.parametrize("said", NONSENSE)
def test_what_is_not_understood_is_said_with_three_things_that_are(
    model: OfflineModel, shelf: ToolCatalogue, said: str
) -> None:
    message = answer(model, shelf, said)
    assert not message.calls
    assert message.text.startswith("I did not understand")
    assert sum(line.startswith("- ") for line in message.text.splitlines()) == 3
    assert "connect a model" in message.text


def test_the_nearest_things_offered_are_near(model: OfflineModel, shelf: ToolCatalogue) -> None:
    assert "commit with message" in answer(model, shelf, "the commit is such a mess today").text
    assert "port 3000" in answer(model, shelf, "ugh, port port port").text


JOINED = [
    ("create a folder called a and then create a/b.txt with the text hi", ["make_folder", "write"]),
    ("read notes.txt, then delete it", ["read", "delete"]),
    ("stage everything and then commit with message x and then push", ["git_stage", "git_commit", "git_push"]),
    ("list the files; then what time is it?", ["list", "time"]),
    ("list the files. After that, show me the hidden files.", ["list", "list"]),
    ("show hidden files and tell me the time", ["list", "time"]),
    ("commit with message fix the bug and push", ["git_commit", "git_push"]),
    ("read a.txt and b.txt", ["read", "read"]),
    ("delete a.txt, and then please list the files, thanks", ["delete", "list"]),
    ("stage a.py and b.py and commit with message x", ["git_stage", "git_stage", "git_commit"]),
]


@pytest.mark.parametrize(("said", "families"), JOINED, ids=[row[0] for row in JOINED])
def test_two_requests_in_one_sentence_are_both_understood(
    model: OfflineModel, said: str, families: list[str]
) -> None:
    assert [reading.family.name for reading in model.understand(said)] == families


def test_a_git_command_that_no_family_knows_is_run_as_it_stands(model: OfflineModel, shelf: ToolCatalogue) -> None:
    (call,) = answer(model, shelf, "git remote -v").calls
    assert (call.name, plain(call)) == ("run_command", {"command": "git remote -v"})


WHOLE = [
    ("search for foo and bar", {"text": "foo and bar"}),
    ("add milk and eggs to my list", {"text": "milk and eggs"}),
    ("create a.txt with text hello and bye", {"path": "a.txt", "text": "hello and bye"}),
    ('create a.txt with the text "one and then two"', {"path": "a.txt", "text": "one and then two"}),
    ("replace a and b with c in notes.txt", {"old": "a and b", "new": "c", "path": "notes.txt"}),
    ("commit with message 'tidy up, and then some'", {"text": "tidy up, and then some"}),
]


@pytest.mark.parametrize(("said", "values"), WHOLE, ids=[row[0] for row in WHOLE])
def test_an_and_inside_a_persons_words_joins_nothing(
    model: OfflineModel, said: str, values: dict[str, str]
) -> None:
    (reading,) = model.understand(said)
    assert reading.values == values


KEPT = [
    ("create Notes.TXT with Hello World, it's ME", "Notes.TXT", "Hello World, it's ME"),
    ('create a.txt with "say \\"hi\\" - OK?"', "a.txt", 'say "hi" - OK?'),
    ("create a-b_c.txt with x_y-z", "a-b_c.txt", "x_y-z"),
    ("create a.txt with ‘smart quotes’", "a.txt", "smart quotes"),
    ("create a.txt with `code = {1: 'x'}`", "a.txt", "code = {1: 'x'}"),
    ("create a.py with:\n```python\nprint('hi')\n\nx = 1```", "a.py", "print('hi')\n\nx = 1"),
    ("create größe.txt with Grüße aus Köln", "größe.txt", "Grüße aus Köln"),
    ("create 'a b/c d.txt' with tabs\tand  two spaces", "a b/c d.txt", "tabs\tand  two spaces"),
]


@pytest.mark.parametrize(("said", "path", "text"), KEPT, ids=[row[1] + row[2][:12] for row in KEPT])
def test_case_punctuation_and_spaces_of_a_persons_words_are_kept(
    model: OfflineModel, said: str, path: str, text: str
) -> None:
    (reading,) = model.understand(said)
    assert (reading.values["path"], reading.values["text"]) == (path, text)


def test_a_file_name_can_not_become_a_shell_command(model: OfflineModel, shelf: ToolCatalogue) -> None:
    (call,) = answer(model, shelf, "how many lines are in 'a; rm -rf x.txt'").calls
    assert call.arguments["command"] == "wc -l -- 'a; rm -rf x.txt'"


@pytest.mark.parametrize(
    "said",
    [
        "read " + " " * 19_000 + "x",
        "list and " * 40,
        "and then ".join(["list files "] * 60),
        "," * 15_000,
        "the quick and the dead " * 50,
        "replace " + "a with b in c " * 60,
        "x" * 300_000,
    ],
    ids=["spaces", "ands", "thens", "commas", "prose", "withs", "long"],
)
def test_a_strange_text_is_answered_all_the_same(model: OfflineModel, shelf: ToolCatalogue, said: str) -> None:
    message = answer(model, shelf, said)
    assert message.text or message.calls


def test_sentences_about_other_things_hardly_ever_lead_to_a_call(model: OfflineModel) -> None:
    lines = (shared("tool_retrieval") / "clinc_oos_queries.jsonl").read_text(encoding="utf-8").splitlines()
    asked = [json.loads(line)["query"] for line in lines]
    readings = {said: model.understand(said) for said in asked}
    acting = {said: found for said, found in readings.items() if any(not one.family.talk for one in found)}
    looked_up = {
        said
        for said, found in acting.items()
        if [one.family.name for one in found] in (["web_search"], ["world_facts"])
        and ("look up" in said or "population" in said)
    }
    assert len(acting) - len(looked_up) <= len(asked) // 50, acting
    harmful = {"delete", "run", "run_typed", "download", "schedule_add", "kill_pid", "kill_port", "move"}
    harmful |= {"git_other", "write", "append", "replace"}
    assert not [said for said, found in acting.items() if any(one.family.name in harmful for one in found)]
