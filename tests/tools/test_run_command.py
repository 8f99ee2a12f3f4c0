"""run_command and the job tools."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from ankita_desktop.toolkit import ToolContext, ToolError
from ankita_desktop.toolkit.process import Jobs
from ankita_desktop.toolkit.services import Services
from tests.tools.calls import call, tool, until


class Verdict:
    def __init__(self, verdict: str) -> None:
        self._verdict = verdict

    def judge(self, command: str, cwd: Path) -> tuple[str, str]:
        return self._verdict, f"because {command}"

    def needing(self, command: str, cwd: Path) -> None:
        return None


@pytest.fixture
def ctx(tmp_path: Path) -> Iterator[ToolContext]:
    jobs = Jobs()
    yield ToolContext(tmp_path, jobs)
    jobs.close()


def judged(ctx: ToolContext, verdict: str) -> ToolContext:
    return replace(ctx, services=Services(risk=Verdict(verdict)))


def level(ctx: ToolContext, **args: object) -> str:
    return str(tool("run_command").approval_for(args, ctx))


def test_a_command_gives_its_output_and_its_facts(ctx: ToolContext) -> None:
    result = call("run_command", ctx, command="echo hello")
    assert result.text == "hello\n"
    assert result.ok
    assert result.details["exit_code"] == 0
    assert result.details["output"] == "hello\n"
    assert result.details["cwd"] == str(ctx.cwd)


def test_a_failing_command_says_its_exit_code(ctx: ToolContext) -> None:
    result = call("run_command", ctx, command="echo bad; exit 7", yield_ms=20_000)
    assert result.text == "bad\n[exit code 7]"
    assert not result.ok


def test_silence_is_said(ctx: ToolContext) -> None:
    assert call("run_command", ctx, command="true", yield_ms=20_000).text == "[exit code 0, no output]"


def test_what_runs_on_in_the_background_is_said(ctx: ToolContext) -> None:
    text = call("run_command", ctx, command="sleep 60 & echo up", yield_ms=20_000).text
    assert text == "up\n[exit code 0; what it started in the background runs on, job_stop j1 ends it]"
    assert "anything it left running has been stopped" in call("job_stop", ctx, job_id="j1").text


def test_a_slow_command_comes_back_as_a_job_that_can_be_followed_to_its_end(ctx: ToolContext) -> None:
    first = call("run_command", ctx, command="echo one; sleep 0.5; echo two", yield_ms=100)
    assert "one" in first.text
    assert "still running as job j1" in first.text
    assert first.details["exit_code"] is None
    rest = call("job_wait", ctx, job_id="j1", cursor=4)
    assert rest.text == "two\n"
    assert call("job_status", ctx, job_id="j1").text == "one\ntwo\n"


def test_a_background_command_takes_input_later(ctx: ToolContext) -> None:
    call("run_command", ctx, command="read name; echo hello $name; cat", background=True)
    assert "hello Jo" in call("job_input", ctx, job_id="j1", text="Jo\n").text
    end = call("job_input", ctx, job_id="j1", text="bye\n", close=True)
    assert end.text == "bye\n"
    assert end.details["exit_code"] == 0


def test_a_command_that_asks_after_a_while_can_be_answered(ctx: ToolContext) -> None:
    first = call("run_command", ctx, command="printf 'sure? '; read x; echo got $x", yield_ms=300)
    assert first.text.startswith("sure? \n[still running")
    assert "got yes" in call("job_input", ctx, job_id="j1", text="yes\n").text


def test_a_time_out_stops_it_and_is_said(ctx: ToolContext) -> None:
    result = call("run_command", ctx, command="echo a; sleep 60", timeout_ms=200, yield_ms=20_000)
    assert result.text == "a\n[stopped after its time-out of 0.2 s]"
    assert not result.ok


def test_long_output_is_cut_in_the_middle_and_the_rest_can_be_read(ctx: ToolContext) -> None:
    result = call("run_command", ctx, command="seq 1 20000", yield_ms=30_000)
    assert result.text.startswith("1\n2\n")
    assert result.text.endswith("20000\n")
    assert len(result.text) < 13_000
    assert '[96894 bytes cut; job_status with job_id "j1" and cursor 4000 shows them]' in result.text
    rest = call("job_status", ctx, job_id="j1", cursor=4000)
    assert rest.text.endswith("[92894 more bytes; go on with cursor 16000]")


def test_live_output_is_shown_while_the_call_waits(ctx: ToolContext) -> None:
    shown: list[str] = []
    call("run_command", replace(ctx, progress=shown.append), command="echo early; sleep 0.4", yield_ms=30_000)
    assert shown[0] == "early\n"


def test_jobs_are_listed_with_their_state(ctx: ToolContext) -> None:
    assert call("job_status", ctx).text == "No jobs in this session."
    call("run_command", ctx, command="true")
    call("run_command", ctx, command="sleep 60", yield_ms=0)
    text = call("job_status", ctx).text
    assert "j1: exit code 0" in text
    assert "j2: running" in text


def test_a_stopped_job_is_over(ctx: ToolContext) -> None:
    call("run_command", ctx, command="sleep 60", yield_ms=0)
    assert call("job_stop", ctx, job_id="j1").ok
    assert "signal SIGTERM" in call("job_status", ctx, job_id="j1").text


@pytest.mark.parametrize("name", ["job_status", "job_wait", "job_stop"])
def test_an_unknown_job_is_answered_with_those_there_are(ctx: ToolContext, name: str) -> None:
    call("run_command", ctx, command="true")
    with pytest.raises(ToolError, match=r"Known: j1"):
        call(name, ctx, job_id="j9")


def test_the_folder_counts_and_must_be_one(ctx: ToolContext) -> None:
    (ctx.cwd / "sub").mkdir()
    assert call("run_command", ctx, command="pwd", cwd="sub", yield_ms=20_000).text.strip().endswith("/sub")
    with pytest.raises(ToolError, match="not a folder"):
        call("run_command", ctx, command="pwd", cwd="nowhere")


# --- who is asked, and what is shown ---------------------------------------------------------


@pytest.mark.parametrize(("verdict", "expected"), [("safe", "never"), ("ask", "ask"), ("dangerous", "always")])
def test_the_verdict_on_a_command_decides_who_is_asked(ctx: ToolContext, verdict: str, expected: str) -> None:
    assert level(judged(ctx, verdict), command="ls") == expected


def test_without_a_judge_every_command_asks(ctx: ToolContext) -> None:
    assert level(ctx, command="ls") == "ask"


def test_a_harmless_command_asks_when_its_variables_or_folder_are_not_the_usual(ctx: ToolContext) -> None:
    safe = judged(ctx, "safe")
    assert level(safe, command="ls", env={"LD_PRELOAD": "./x.so"}) == "ask"
    assert level(safe, command="ls", cwd="/") == "ask"


def test_a_blocked_command_never_runs(ctx: ToolContext) -> None:
    blocked = judged(ctx, "blocked")
    for step in ("approval_for", "preview", "run"):
        with pytest.raises(ToolError, match="never run"):
            getattr(tool("run_command"), step)({"command": "touch x"}, blocked)
    assert not (ctx.cwd / "x").exists()


def test_the_question_shows_the_whole_command_its_input_its_variables_and_where(ctx: ToolContext) -> None:
    command = "cat; " + "echo x; " * 500
    shown = tool("run_command").preview({"command": command, "stdin": "secret in", "env": {"A": "b"}}, ctx)
    assert (shown.kind, shown.effect, shown.where) == ("command", "run", str(ctx.cwd))
    assert command in shown.text
    assert "secret in" in shown.text
    assert "A=b" in shown.text


def test_a_dangerous_command_says_why(ctx: ToolContext) -> None:
    shown = tool("run_command").preview({"command": "rm -rf x"}, judged(ctx, "dangerous"))
    assert shown.danger == "because rm -rf x"


def key(ctx: ToolContext, **args: object) -> str:
    return str(tool("run_command").preview(args, ctx).grant_key)


@pytest.mark.parametrize(
    ("command", "expected"),
    [
        ("ls -la", "run:ls"),
        ("git status -s", "run:git status"),
        ("npm test", "run:npm test"),
        ("npm run build --if-present", "run:npm run build"),
        ("git commit -m 'two words'", "run:git commit"),
    ],
)
def test_a_yes_to_a_plain_command_covers_its_kind(ctx: ToolContext, command: str, expected: str) -> None:
    assert key(ctx, command=command) == expected


@pytest.mark.parametrize(
    "command",
    [
        *("ls && rm x", "ls; rm x", "ls | sh", "ls > x", "ls $(rm x)", "ls `rm x`", "ls &", "ls\nrm x", "ls $X"),
        *(
            "sh -c ls",
            "bash x",
            "python -c 1",
            "python3.11 -c 1",
            "env ls",
            "sudo ls",
            "xargs ls",
            "find . -delete",
        ),
        *(
            "A=1 ls",
            "./x",
            "/bin/ls",
            "~/x",
            "git -c alias.x=!sh x",
            "git push --force",
            "rm x",
            "'ls x' y",
            "ls 'x",
        ),
        *("npm run", "docker run x", "curl x", "node x.js", "(ls)", "{ ls; }", "!ls", "ls \\\nrm", "npx x"),
    ],
)
def test_a_yes_to_what_can_do_anything_covers_only_the_same_again(ctx: ToolContext, command: str) -> None:
    assert key(ctx, command=command) == f"run:={command}"


@pytest.mark.parametrize(
    "path",
    ["/etc/shadow", "~/.ssh/id", "..", "../x", "a/../../x", "--file=/etc/x", "-f/etc/x", "-C..", "ssh://h/x"],
)
def test_a_yes_to_a_kind_of_command_does_not_reach_out_of_the_folder(ctx: ToolContext, path: str) -> None:
    assert key(ctx, command=f"cat {path}") == f"run:=cat {path}"
    assert key(ctx, command="cat src/a..b") == "run:cat"


def test_a_yes_does_not_carry_over_to_other_variables_input_or_folder(ctx: ToolContext) -> None:
    keys = {
        key(ctx, command="ls"),
        key(ctx, command="ls", env={"A": "b"}),
        key(ctx, command="ls", env={"A": "c"}),
        key(ctx, command="ls", stdin="x"),
        key(ctx, command="ls", cwd="/"),
    }
    assert len(keys) == 5


def test_input_for_a_job_asks_and_shows_the_text(ctx: ToolContext) -> None:
    call("run_command", ctx, command="cat", background=True)
    shown = tool("job_input").preview({"job_id": "j1", "text": "rm -rf /\n"}, ctx)
    assert tool("job_input").approval == "ask"
    assert "rm -rf /" in shown.text
    assert "cat" in shown.question
    until(lambda: ctx.jobs.list()[0].exit_code is None)
