"""The verdict over a whole command line: the worst of its parts."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from ankita_desktop.safety.shell import danger, powershell, where
from ankita_desktop.safety.shell.args import Call
from ankita_desktop.safety.shell.parse import parse
from ankita_desktop.safety.shell.read_table import HARMLESS_VARIABLES
from ankita_desktop.safety.shell.reading import reads_only
from ankita_desktop.safety.shell.script import Script, Simple
from ankita_desktop.safety.shell.tables import names
from ankita_desktop.safety.shell.verdict import ORDER, Level, Part, Verdict
from ankita_desktop.safety.shell.words import UNKNOWN, Word, texts
from ankita_desktop.safety.shell.wrappers import Started, started

MAX_DEPTH = 6
# Set in front of a command they change nothing about what runs.
HARMLESS_NAMES = re.compile(r"LANG|LANGUAGE|LC_\w+|TZ|NO_COLOR|CLICOLOR|COLUMNS|LINES|FORCE_COLOR|[a-z][a-z0-9_]*")
# Lower case, yet something listens to them.
HEARD = names("path cdpath fpath histchars http_proxy https_proxy all_proxy ftp_proxy no_proxy prompt")


def judge(command: str, folder: Path) -> Verdict:
    """Judge a command line as it would run in ``folder``. Never raises for bad text; runs nothing."""
    parts = tuple(_Judge((where.real(".", folder),)).script(command, 0))
    if not parts:
        return Verdict("ask", (), "There is nothing in it that could be judged.")
    return Verdict.over(parts)


class _Judge:
    """Judges in the order of the line, since a ``cd`` counts for what follows."""

    def __init__(self, folders: tuple[Path, ...]) -> None:
        self._folders = folders

    def script(self, text: str, depth: int, *, outer: bool = True) -> Iterator[Part]:
        if depth > MAX_DEPTH:
            yield Part(text, "ask", "It is nested too deeply to be looked through.", outer=outer)
            return
        script = parse(text)
        for simple in script.parts:
            yield from self._part(Call(simple, self._folders), depth, outer)
            self._move(simple)
        yield from self._whole(text, script, outer)

    def _whole(self, text: str, script: Script, outer: bool) -> Iterator[Part]:
        """What isn't the matter of one program."""
        for source in script.functions.values():
            bomb = danger.fork_bomb(source)
            yield Part(source, "dangerous" if bomb else "ask", bomb or "It defines a function.", outer=outer)
        for name in script.variables:
            if not _harmless(name):
                yield Part(text, "ask", f"It sets {name}, which other programs listen to.", outer=outer)
        if script.unclear:
            yield Part(text, "ask", script.unclear, outer=outer)
        elif script.variables and not script.parts:
            yield Part(text, "safe", outer=outer)

    def _move(self, simple: Simple) -> None:
        if simple.name in ("cd", "pushd", "popd"):
            target = simple.words[1] if len(simple.words) == 2 else Word(UNKNOWN)
            if len(simple.words) == 1:
                target = Word(str(Path.home()))
            if simple.name == "popd" or not target.literal or target.text == "-":
                self._folders = ()
            else:
                moved = (where.real(target.text, folder) for folder in self._folders)
                self._folders = tuple(dict.fromkeys((*self._folders, *moved)))

    def _part(self, call: Call, depth: int, outer: bool) -> Iterator[Part]:
        level, reason = self._own(call)
        inner = [part for start in started(call) for part in self._started(call, start, depth)]
        if (windows := powershell.inside(call)) is not None:
            inner.append(Part(call.part.source, windows.verdict, windows.reason, outer=False))
        if inner and level in ("safe", "ask") and call.name != "find":
            worst = max(inner, key=lambda part: ORDER.index(part.level))
            level, reason = worst.level, worst.reason
            if level == "safe" and (more := self._around(call)):
                level, reason = "ask", more
        simple = call.part
        yield Part(simple.source, level, reason, tuple(texts(simple.words)), outer, _plain(call))
        yield from inner

    def _started(self, call: Call, start: Started, depth: int) -> Iterator[Part]:
        if start.call is not None:
            yield from self._part(start.call, depth + 1, False)
        if start.text is not None:
            yield from self.script(start.text.replace(UNKNOWN, "$_"), depth + 1, outer=False)
        if start.unseen:
            yield Part(call.part.source, "ask", "What it runs is only known when it runs.", outer=False)
        if start.plus:
            yield Part(call.part.source, "ask", start.plus, outer=False)

    def _own(self, call: Call) -> tuple[Level, str]:
        """The verdict on the program itself, whatever it starts."""
        if found := danger.blocked(call):
            return "blocked", found
        if found := danger.danger(call):
            return "dangerous", found
        if more := self._around(call):
            return "ask", more
        if not call.part.words:
            return "safe", ""
        if not call.part.name:
            return "ask", "Which program it starts is only known when it runs."
        problem = reads_only(call)
        return ("ask", problem) if problem else ("safe", "")

    def _around(self, call: Call) -> str:
        """What the redirects, variables and given text of a command do."""
        given = call.part.input
        if given is not None and not HARMLESS_VARIABLES.issuperset(given.variables):
            return "It shows the value of a variable, which may be a key."
        for name, word in call.part.assigned:
            if not _harmless(name) or not word.known:
                return f"It sets {name}, which other programs listen to."
        for redirect in call.part.redirects:
            if redirect.harmless:
                continue
            if not redirect.reads:
                return f"It writes to {redirect.target.text.replace(UNKNOWN, '…')}."
            if not redirect.target.literal or not call.folders:
                return "What it reads is only known when it runs."
            if problem := where.unreadable(redirect.target.text, call.folders):
                return problem
        return ""


def _harmless(name: str) -> bool:
    return bool(HARMLESS_NAMES.fullmatch(name)) and name not in HEARD


def _plain(call: Call) -> bool:
    """Whether its words say all that the part does, so that they may be allowed as they stand. A value that is
    only known at run time could be anything, which matters where some words do harm."""
    simple = call.part
    redirected = not all(redirect.harmless for redirect in simple.redirects)
    open_ended = danger.has_rule(call.name) and not all(word.literal for word in call.words)
    return bool(simple.name) and not (redirected or simple.assigned or open_ended)
