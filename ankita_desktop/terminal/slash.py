"""The commands that begin with a slash: their names and words, and how a line is read as one."""

from __future__ import annotations

from dataclasses import dataclass
from difflib import get_close_matches

from ankita_desktop.errors import UsageError


@dataclass(frozen=True, slots=True)
class Slash:
    """A command: what comes after its name, and what it does."""

    name: str
    takes: str
    about: str


COMMANDS = {
    command.name: command
    for command in (
        Slash("help", "", "these commands"),
        Slash("new", "", "start another conversation in the same folder"),
        Slash("model", "[NAME]", "show or change the model of this conversation"),
        Slash("mode", "[never|reads|ask|edits|all]", "show or change what passes without a question"),
        Slash("approve", "", "answer the questions that wait in this conversation"),
        Slash("tools", "", "what the assistant can do"),
        Slash("find", "WORDS", "which tools a sentence finds"),
        Slash("usage", "", "what this conversation sent and cost, round by round"),
        Slash("memory", "[WORDS]", "what is remembered, or what is found about words"),
        Slash("skills", "", "instructions for kinds of work"),
        Slash("project", "[NAME]", "the projects; with a name, use that one here"),
        Slash(
            "remind",
            "[WHAT WHEN]",
            "reminders; with words, make one: in 20 minutes to stretch (done, snooze, cancel)",
        ),
        Slash("routines", "[NAME]", "what runs by itself; run, pause, resume or history NAME"),
        Slash("retry", "", "ask the last question again"),
        Slash("edit", "WORDS", "say something else in place of the last question"),
        Slash("branch", "", "go on in a copy of this conversation"),
        Slash("continue", "", "go on after a limit or an error"),
        Slash("undo", "[redo]", "take back the last change of files, or bring it back"),
        Slash("attach", "FILE", "send a file with the next message"),
        Slash("jobs", "", "commands that run or ran"),
        Slash("job", "ID", "the output of one"),
        Slash("stop", "[ID]", "stop the answer, or one job"),
        Slash("export", "[FILE]", "the conversation as Markdown"),
        Slash("doctor", "", "what this machine has and lacks"),
        Slash("quit", "", "leave"),
    )
}


def read(line: str) -> tuple[str, str] | None:
    """A line as (command, rest); None when it is something to say. Raises ``UsageError`` with what was meant.

    A path is no command: "/etc/hosts says what?" is something to say.
    """
    word, _, rest = line.strip().partition(" ")
    if not word.startswith("/") or "/" in word[1:] or len(word) == 1:
        return None
    name = word[1:].lower()
    if name in COMMANDS:
        return name, rest.strip()
    near = get_close_matches(name, COMMANDS, n=2, cutoff=0.5)
    hint = f"Did you mean {' or '.join('/' + one for one in near)}?" if near else "/help lists them."
    raise UsageError(f"There is no command /{name}. {hint}")


def completions(text: str) -> list[str]:
    """The commands that begin like ``text`` ("/to")."""
    return [f"/{name} " for name in COMMANDS if text and f"/{name}".startswith(text)]


def help_text() -> str:
    rows = [(f"/{one.name} {one.takes}".strip(), one.about) for one in COMMANDS.values()]
    width = max(len(left) for left, _ in rows)
    return "\n".join(f"{left:<{width}}  {right}" for left, right in rows)
