"""Programs that start another one: what they start, as a call of its own or as a text for a shell."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

from ankita_desktop.safety.shell import where
from ankita_desktop.safety.shell.args import Call
from ankita_desktop.safety.shell.danger import SHELLS
from ankita_desktop.safety.shell.script import Simple
from ankita_desktop.safety.shell.tables import names
from ankita_desktop.safety.shell.words import UNKNOWN, Word

# Options with a value of their own, per wrapper.
VALUED: dict[str, str] = {
    "sudo": "-u -g -h -p -C -D -R -T -U -r -t --user --group --host --chdir",
    "doas": "-u -C",
    "env": "-u -C -S --unset --chdir --split-string",
    "timeout": "-k -s --kill-after --signal",
    "nice": "-n --adjustment",
    "ionice": "-c -n -p --class --classdata",
    "stdbuf": "-i -o -e --input --output --error",
    "chrt": "-p",
    "taskset": "-p",
    "xargs": "-I -i -J -L -l -n -P -s -d -E -a --max-args --max-procs --delimiter --arg-file --max-lines",
    "parallel": "-j -N -I -S -a -d --jobs --max-args --arg-file --sshlogin --delimiter --colsep --joblog",
    "watch": "-n -d --interval",
    "flock": "-w -E --wait --timeout",
    "strace": "-e -o -p -s -u",
    "su": "-s -g -G --shell",
    "runuser": "-u -g -G",
    "setpriv": "--reuid --regid",
    "time": "-f -o --format --output",
    "chroot": "",
    "unshare": "",
    "exec": "-a",
}
# These only pass on what they are given, unless an option says more.
PLAIN: dict[str, tuple[str, ...]] = {
    "timeout": ("-k", "-s", "--kill-after", "--signal", "--foreground", "--preserve-status", "-v"),
    "nice": ("-n", "--adjustment"),
    "ionice": ("-c", "-n"),
    "nohup": (),
    "time": ("-p",),
    "stdbuf": ("-i", "-o", "-e", "-oL", "-o0", "-eL", "-e0", "-iL"),
    "command": ("-p",),
    "builtin": (),
    "setsid": ("-w", "--wait", "-f", "--fork"),
    "env": (),
    "coproc": (),
}
# More happens with these than what they start.
ALSO: dict[str, str] = {
    "sudo": "It runs with the rights of the administrator.",
    "doas": "It runs with the rights of the administrator.",
    "pkexec": "It runs with the rights of the administrator.",
    "su": "It runs as another user.",
    "runuser": "It runs as another user.",
    "chroot": "It runs in another system folder.",
    "unshare": "It runs in another system folder.",
    "exec": "It replaces the shell.",
    "watch": "It goes on until it is stopped.",
    "strace": "It looks into a running program.",
    "ltrace": "It looks into a running program.",
    "flock": "It holds a lock.",
    "busybox": "It runs a program under another name.",
    "toybox": "It runs a program under another name.",
    "taskset": "It changes how the program is run.",
    "chrt": "It changes how the program is run.",
    "caffeinate": "It keeps the computer awake.",
    "proxychains": "It reaches the net in another way.",
    "script": "It writes a record.",
    "then": "It isn't understood.",
    "do": "It isn't understood.",
}
# What may get any names of this folder without doing more than read; the second kind shows what is inside.
COUNTS = names("wc ls stat du file basename dirname echo md5sum sha1sum sha256sum")
SHOWS = names("cat head tail grep egrep fgrep")
# Stands for a name that a list of this folder gave.
FOUND = Word("./found")
XARGS_FINE = re.compile(r"-0|-r|-t|-n\d*|-P\d*|-L\d*|-I|-I\{\}|--null|--no-run-if-empty")


@dataclass(frozen=True, slots=True)
class Started:
    """What a wrapper starts: a call, or a text that a shell reads. ``plus``: what the wrapper adds to it."""

    call: Call | None = None
    text: str | None = None
    plus: str = ""
    unseen: bool = False


def started(call: Call) -> Iterator[Started]:
    """Everything the call starts besides itself. Nothing when it isn't a wrapper."""
    name = call.name
    if name == "command" and call.texts[:1] in (["-v"], ["-V"]):
        return
    if name in SHELLS:
        yield from _shell(call)
    elif name == "eval":
        yield Started(text=_joined(call.words), unseen=not all(word.known for word in call.words))
    elif name == "env":
        yield from _env(call)
    elif name in ("xargs", "parallel"):
        yield from _xargs(call)
    elif name == "find":
        yield from _find(call)
    elif name == "trap":
        yield Started(text=call.first(), plus="It runs when the shell ends.")
    elif name in ("su", "runuser", "script", "watch", "flock", "ssh"):
        yield from _texts(call)
    elif name in PLAIN or name in ALSO:
        yield from _plain(call)


def _plain(call: Call) -> Iterator[Started]:
    words, options = _skip(call, VALUED.get(call.name, "").split())
    if call.name in ("timeout", "flock", "chroot", "taskset", "chrt"):
        words = words[1:]
    while words and call.name in ("sudo", "doas") and re.match(r"\w+=", words[0].text):
        words = words[1:]
    fine = PLAIN.get(call.name)
    odd = fine is not None and any(
        option.partition("=")[0] not in fine and not _number(option) for option in options
    )
    plus = ALSO.get(call.name, "") or ("Its options aren't all known to be harmless." if odd else "")
    if words:
        yield Started(call.inner(words), plus=plus)
    elif call.name not in ("time", "nice", "coproc"):
        yield Started(plus=plus or "It starts nothing that is known.")


def _number(option: str) -> bool:
    return bool(re.fullmatch(r"-[ncks]?\d+\w?", option))


def _skip(call: Call, valued: list[str]) -> tuple[tuple[Word, ...], list[str]]:
    """The words behind a wrapper's own options, and those options."""
    words, at = call.words, 0
    options: list[str] = []
    while at < len(words) and words[at].text.startswith("-"):
        text = words[at].text
        at += 1
        if text == "--":
            break
        options.append(text)
        at += text in valued
    return words[at:], options


def _env(call: Call) -> Iterator[Started]:
    words, options = _skip(call, VALUED["env"].split())
    split = next((word for word in call.words if re.match(r"-\w*S|--split", word.text)), None)
    if split is not None:
        glued = re.sub(r"^(-\w*S|--split-string=?)", "", split.text)
        yield Started(
            text=glued or (call.words[call.words.index(split) + 1 :] or (Word(""),))[0].text, plus="It is split."
        )
        return
    sets = False
    while words and re.match(r"[^=]*=", words[0].text):
        words, sets = words[1:], True
    if words:
        plus = "It changes the variables the program sees." if sets or options else ""
        yield Started(call.inner(words), plus=plus)
    else:
        yield Started(plus="It shows the environment, which may hold keys.")


def _shell(call: Call) -> Iterator[Started]:
    """sh -c TEXT, also in -lc, with the words behind it as $0, $1 and so on; or a text on its input."""
    words, options = _skip(call, ["-o", "+o", "-O", "+O", "--rcfile", "--init-file"])
    reads_text = any(re.fullmatch(r"-\w*c\w*", option) for option in options)
    interactive = any(re.fullmatch(r"-\w*[il]\w*|--login|--rcfile.*|--init-file.*", option) for option in options)
    if not reads_text and words and "--" in call.texts and words[0].text == "-c":
        reads_text, words = True, words[1:]
    plus = "It reads the person's own start files." if interactive else ""
    if reads_text and words:
        yield Started(text=words[0].text, plus=plus, unseen=UNKNOWN in words[0].text or words[0].glob)
    elif call.part.input is not None and not words:
        yield Started(text=call.part.input.text, plus=plus, unseen=not call.part.input.known)
    elif options != ["--version"] or words:
        yield Started(plus="It runs a script.")


def _xargs(call: Call) -> Iterator[Started]:
    words, options = _skip(call, VALUED[call.name].split())
    given = [word.text for word in words]
    tails: tuple[Word, ...] = (Word(UNKNOWN),)
    if call.name == "parallel" and any(text.startswith(":::") for text in given):
        at = next(i for i, text in enumerate(given) if text.startswith(":::"))
        tails, words = words[at + 1 :], words[:at]
    if not words:
        yield from (
            Started(text=word.text, plus="It is run by parallel.") for word in tails if call.name == "parallel"
        )
        return
    named = _reads_names(call, words, options)
    for tail in (FOUND,) if named else tails:
        inner = call.inner(_filled(words, tail, _marks(call, options)))
        yield Started(inner, plus="" if named else "What it is told is only known when it runs.")


def _marks(call: Call, options: list[str]) -> list[str]:
    """What stands for the names: {}, or what -I says."""
    following = [call.texts[at + 1] for at, text in enumerate(call.texts[:-1]) if text == "-I"]
    return [option[2:] for option in options if option[:2] == "-I"] + following + ["{}"]


def _filled(words: tuple[Word, ...], tail: Word, marks: list[str]) -> tuple[Word, ...]:
    mark = next((mark for mark in marks if mark and any(mark in word.text for word in words)), "")
    if not mark:
        return (*words, tail)
    return tuple(replace(word, text=word.text.replace(mark, tail.text)) for word in words)


def _reads_names(call: Call, words: tuple[Word, ...], options: list[str]) -> bool:
    """``find … | xargs wc -l``: names from a list of this folder, to a program that can only read them."""
    fine = call.name == "xargs" and all(XARGS_FINE.fullmatch(option) for option in options)
    return fine and _may_read(call, words) and _lists_names(call.part.feeder)


def _may_read(call: Call, words: tuple[Word, ...]) -> bool:
    name = words[0].text
    shows = name in SHOWS and not any(where.holds_secrets(folder) for folder in call.folders)
    return (name in COUNTS or shows) and bool(call.folders) and all(word.literal for word in words)


def _lists_names(feeder: Simple | None) -> bool:
    """Whether a command prints nothing but names of files in this folder."""
    while feeder is not None and feeder.name in ("sort", "uniq", "head", "tail"):
        feeder = feeder.feeder
    if feeder is None or not all(word.known and _is_here(word.text) for word in feeder.words):
        return False
    given = {word.text for word in feeder.words}
    listing = {
        "find": not given & {"-printf", "-L", "-follow", "-H"},
        "rg": bool(given & {"-l", "--files", "--files-with-matches"}),
        "grep": bool(given & {"-l", "-rl", "-lr", "-rln", "-L"}),
        "git": "ls-files" in given or "--name-only" in given,
        "ls": not given & {"-l", "-la", "-al"},
    }
    return listing.get(feeder.name, False)


def _is_here(text: str) -> bool:
    return not (text.startswith(("/", "~")) or ".." in text or where.is_secret(text))


def _find(call: Call) -> Iterator[Started]:
    for at, word in enumerate(call.words):
        if word.text in ("-exec", "-execdir", "-ok", "-okdir"):
            rest = call.words[at + 1 :]
            end = next((i for i, item in enumerate(rest) if item.text in (";", "+")), len(rest))
            if end:
                yield _for_each(call, rest[:end], reads=word.text == "-exec")


def _for_each(call: Call, words: tuple[Word, ...], *, reads: bool) -> Started:
    """What find starts for every file."""
    named = reads and _may_read(call, words) and _lists_names(call.part)
    found = FOUND if named else Word(UNKNOWN)
    inner = tuple(found if "{}" in word.text else word for word in words)
    return Started(call.inner(inner), plus="" if named else "It is run for every file that is found.")


def _texts(call: Call) -> Iterator[Started]:
    """Wrappers that hand a text to a shell, or words."""
    plus = ALSO.get(call.name, "It runs on another computer.")
    at = next((i for i, text in enumerate(call.texts) if text in ("-c", "--command")), None)
    if at is not None and at + 1 < len(call.words):
        yield Started(text=call.texts[at + 1], plus=plus)
        return
    words, _ = _skip(call, VALUED.get(call.name, "-p -i -l -o -F -J -L -R -D -b -c -E -m -W").split())
    if call.name in ("ssh", "flock", "su", "runuser"):
        words = words[1:]
    yield Started(text=_joined(words), plus=plus) if words else Started(plus=plus)


def _joined(words: tuple[Word, ...]) -> str:
    return " ".join(word.text for word in words)
