"""Schemas are paid for on every request: what is sent, when it changes, and what the model is told of it."""

from __future__ import annotations

from pathlib import Path

from ankita_desktop.core.deferral import (
    CALL_TOOL,
    DROPPED,
    PROMPT_RESERVE,
    Deferral,
    active_tools,
    shape_of,
    small_servers,
    unwrapped,
)
from ankita_desktop.core.tokens import OUTPUT_RESERVE
from ankita_desktop.models.scripted import ScriptedModel
from ankita_desktop.protocol import Abilities, Attachment, Message, ToolCall, ToolSpec
from ankita_desktop.toolkit.services import Group
from tests.core.house import Limits, call, house


class Shelf:
    """Groups a to d of two tools each, 1,000 bytes of schema a group, beside one always-sent tool."""

    def __init__(self, groups: str = "abcd") -> None:
        pad = "x" * 380
        self._specs = [ToolSpec("base", "b", {}, "core", always_on=True)]
        self._specs += [ToolSpec(f"{g}{n}", pad, {}, g) for g in groups for n in (1, 2)]

    def specs(self) -> list[ToolSpec]:
        return self._specs

    def spec(self, name: str) -> ToolSpec | None:
        return next((s for s in self._specs if s.name == name), None)

    def in_group(self, group: str) -> list[ToolSpec]:
        return [s for s in self._specs if s.group == group]

    def groups(self) -> list[Group]:
        return [Group("core", "", always=True), *[Group(g, "") for g in "abcd"], Group("later", "", planned=True)]


def deferral(tokens: int = 16_000, *, setting: str = "attach", abilities: Abilities | None = None) -> Deferral:
    limits = Limits(deferral=setting, schema_tokens=tokens)
    return Deferral(Shelf(), limits, abilities or Abilities())  # type: ignore[arg-type]


def found(*groups: str) -> Message:
    tools = [f"{g}{n}" for g in groups for n in (1, 2)]
    return Message("tool", name="find_tools", details={"groups": list(groups), "tools": tools})


def used(name: str) -> Message:
    return Message("assistant", calls=(ToolCall("c", name),))


def noted(*groups: str) -> Message:
    return Message("user", source="note", details={DROPPED: list(groups)})


def names(messages: list[Message], tokens: int = 16_000) -> list[str]:
    return [spec.name for spec in deferral(tokens).offer(messages).tools]


ROOM_FOR_TWO = 620


def test_groups_come_in_the_order_in_which_they_were_found() -> None:
    assert names([found("b"), found("a")]) == ["base", "b1", "b2", "a1", "a2"]
    assert names([found("b"), found("a"), found("b")]) == ["base", "b1", "b2", "a1", "a2"]


def test_more_tools_of_a_large_group_are_appended_at_the_end() -> None:
    one = Message("tool", name="find_tools", details={"groups": ["a"], "tools": ["a1"]})
    two = Message("tool", name="find_tools", details={"groups": ["a"], "tools": ["a2"]})
    assert names([one, found("b"), two]) == ["base", "a1", "b1", "b2", "a2"]


def test_the_least_recently_used_group_makes_room_whole() -> None:
    offer = deferral(ROOM_FOR_TWO).offer([found("a"), found("b"), used("a1"), found("c")])
    assert [s.name for s in offer.tools] == ["base", "a1", "a2", "c1", "c2"]
    assert offer.dropped == ("b",) and "b" in offer.note


def test_a_group_set_aside_stays_aside_while_there_is_just_room() -> None:
    history = [found("a"), found("b"), found("c"), noted("a")]
    tight = deferral(ROOM_FOR_TWO).offer(history)
    assert tight.dropped == ("a",) and tight.note == ""
    assert deferral(760).offer(history).dropped == ("a",)
    roomy = deferral(1200).offer(history)
    assert roomy.dropped == () and "at hand again" in roomy.note


def test_finding_it_again_brings_a_group_back_to_its_old_place() -> None:
    history = [found("a"), found("b"), found("c"), noted("a"), found("a")]
    offer = deferral(ROOM_FOR_TWO).offer(history)
    assert [s.name for s in offer.tools] == ["base", "a1", "a2", "c1", "c2"]
    assert offer.dropped == ("b",)


def test_the_list_is_byte_identical_when_a_dropped_group_returns() -> None:
    before = [s.entry() for s in deferral().offer([found("a"), found("b")]).tools]
    after = [s.entry() for s in deferral().offer([found("a"), found("b"), noted("a"), found("a")]).tools]
    assert before == after


def test_never_more_tools_than_the_service_takes() -> None:
    offer = deferral(abilities=Abilities(max_tools=3)).offer([found("a"), found("b")])
    assert [s.name for s in offer.tools] == ["base", "b1", "b2"] and offer.dropped == ("a",)


def test_dispatch_never_changes_the_tools() -> None:
    dispatch = deferral(setting="dispatch")
    first, second = dispatch.offer([]), dispatch.offer([found("a"), found("b")])
    assert first == second and first.tools[-1] == CALL_TOOL


def test_off_sends_everything_that_is_built() -> None:
    everything = deferral(setting="off")
    assert len(everything.offer([]).tools) == 9
    assert everything.groups([]) == ("a", "b", "c", "d")


def test_what_suits_the_model_is_chosen_unless_the_person_says_otherwise() -> None:
    assert shape_of("auto", Abilities(deferral="attach")) == "attach"
    assert shape_of("auto", Abilities(deferral="dispatch")) == "dispatch"
    assert shape_of("native", Abilities()) == "dispatch"
    assert shape_of("off", Abilities(deferral="dispatch")) == "off"


def test_a_failed_search_activates_nothing() -> None:
    assert active_tools([Message("tool", name="find_tools", ok=False, details={"groups": ["a"]})]) == {}


def test_find_tools_never_promises_what_will_not_be_sent(tmp_path: Path) -> None:
    with house(tmp_path, [call("find_tools", query="port_status"), "ok"]) as h:
        h.limits.schema_tokens = 0
        h.say("port?")
        assert "no room" in h.results()[0].text and "can be called" not in h.results()[0].text


def test_dispatch_runs_the_inner_call_with_full_validation(tmp_path: Path) -> None:
    inner = call("call_tool", name="peek", arguments={"text": "x"})
    wrong = call("call_tool", name="peek", arguments={"colour": "x"})
    model = ScriptedModel([call("find_tools", query="port_status"), inner, wrong, "ok"])
    with house(tmp_path, model) as h:
        h.limits.deferral = "dispatch"
        h.say("go")
        finding, ran, refused = h.results()
        assert "port_status {" in finding.text and "call_tool" in finding.text
        assert (ran.name, ran.text) == ("peek", "saw x")
        assert "colour" in refused.text and not refused.ok
        tools = [[s.name for s in request.tools] for request in model.requests]
        assert all(each == tools[0] for each in tools)


def test_call_tool_without_a_name_says_what_it_takes(tmp_path: Path) -> None:
    with house(tmp_path, [call("call_tool", tool="peek"), "ok"]) as h:
        h.limits.deferral = "dispatch"
        h.say("go")
        assert "call_tool takes" in h.results()[0].text


def test_arguments_as_json_text_are_read() -> None:
    wrapped = ToolCall("1", "call_tool", {"name": "peek", "arguments": '{"text": "x"}'})
    assert unwrapped(wrapped) == ToolCall("1", "peek", {"text": "x"}, via="call_tool")


def test_a_known_tool_runs_before_its_schema_was_sent(tmp_path: Path) -> None:
    with house(tmp_path, [call("port_status", port=1), "ok"]) as h:
        h.say("go")
        assert h.results()[0].ok


def test_a_search_that_finds_nothing_is_kept_for_whoever_looks_after_the_keywords(tmp_path: Path) -> None:
    steps = [call("find_tools", query="fold my laundry"), call("find_tools", query="read_file"), "ok"]
    with house(tmp_path, [*steps]) as h:
        h.say("go")
        assert h.store.misses() == [("fold my laundry", 1)]
        assert "always at hand" in h.results()[1].text


class Served(Shelf):
    """The shelf with a server's tools beside it, each of about ``size`` bytes."""

    def __init__(self, *names: str, size: int = 300) -> None:
        super().__init__()
        self._specs += [ToolSpec(name, "y" * (size - 90), {}, "maps", source="server:maps") for name in names]

    def groups(self) -> list[Group]:
        return [*super().groups(), Group("maps", "")]


def with_server(shelf: Served, setting: str) -> Deferral:
    return Deferral(shelf, Limits(deferral=setting), Abilities())  # type: ignore[arg-type]


def test_a_small_server_is_sent_whole_where_finding_it_would_cost_more() -> None:
    small = with_server(Served("map_b", "map_a"), "attach")
    assert [s.name for s in small.offer([]).tools] == ["base", "map_a", "map_b"]
    assert small.groups([]) == ("maps",)
    again = Message("tool", name="find_tools", details={"groups": ["maps"], "tools": ["map_a", "map_b"]})
    assert [s.name for s in small.offer([again, found("a")]).tools] == ["base", "map_a", "map_b", "a1", "a2"]


def test_a_larger_server_waits_to_be_found_and_so_does_any_where_the_tools_never_change() -> None:
    large = with_server(Served(*(f"map_{n}" for n in range(9))), "attach")
    assert [s.name for s in large.offer([]).tools] == ["base"]
    dispatch = with_server(Served("map_a"), "dispatch")
    assert [s.name for s in dispatch.offer([]).tools] == ["base", "call_tool"]


def test_of_a_large_group_only_the_tools_that_were_found_are_sent() -> None:
    large = with_server(Served(*(f"map_{n:02}" for n in range(40))), "attach")
    some = Message("tool", name="find_tools", details={"groups": ["maps"], "tools": ["map_07", "map_03"]})
    more = Message("tool", name="find_tools", details={"groups": ["maps"], "tools": ["map_03", "map_31"]})
    assert [s.name for s in large.offer([some]).tools] == ["base", "map_07", "map_03"]
    assert [s.name for s in large.offer([some, more]).tools] == ["base", "map_07", "map_03", "map_31"]
    renamed = Message("tool", name="find_tools", details={"groups": ["maps"], "tools": ["old_name"]})
    assert [s.name for s in large.offer([renamed]).tools] == ["base"]


def test_a_service_that_defers_by_itself_is_told_what_there_is_and_called_directly(tmp_path: Path) -> None:
    steps = [call("find_tools", query="port_status"), call("port_status", port=1), "ok"]
    model = ScriptedModel([*steps], abilities=Abilities(deferral="native"))
    with house(tmp_path, model) as h:
        h.say("port?")
        finding, ran = h.results()
        assert "from your next step on" in finding.text and "call_tool" not in finding.text
        assert ran.ok and h.engine.active_groups(h.session) == ("process",)
    assert len({tuple(s.name for s in request.tools) for request in model.requests}) == 1
    assert "call_tool" not in [s.name for s in model.requests[0].tools]
    assert {"port_status", "git"} <= {s.name for s in model.requests[0].deferred}


def test_a_small_window_keeps_room_for_the_question_the_answer_and_what_was_told_at_the_start() -> None:
    small = deferral(abilities=Abilities(context_tokens=OUTPUT_RESERVE + PROMPT_RESERVE + 600))
    history = [found("a"), Message("user", "short")]
    assert small.offer(history).dropped == ()
    long = Message("user", "x" * 2_000)
    assert small.offer([found("a"), long]).dropped == ("a",)
    told = Message("user", "Pinned. " * 250, source="note", details={"briefing": {"pins": "1"}})
    assert small.offer([told, *history]).dropped == ("a",)
    picture = Message("user", "see", attachments=(Attachment("/p.png", "image/png"),))
    assert small.offer([found("a"), picture]).dropped == ("a",)


def test_ten_thousand_server_tools_are_not_measured_one_by_one() -> None:
    class Unmeasured(ToolSpec):
        def schema_bytes(self) -> int:
            raise AssertionError("measured")

    many = [Unmeasured(f"t{n}", "", {}, "s", source="server:s") for n in range(10_000)]
    assert small_servers(many) == ()
