"""Programs that start another one: what they start, as a call of its own or as a text for a shell."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

from ankita_desktop.safety.shell.args import Call
from ankita_desktop.safety.shell.danger import SHELLS
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
    "xargs": "-I -i -J -L -l -n -P -s -d -E -a --max-args --max-procs --delimiter --arg-file --replace --max-lines",
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
# What may get names from a list without being able to do more than read them.
TAKES_NAMES = frozenset("cat wc grep egrep fgrep head tail ls stat du file basename dirname echo md5sum sha256sum".split())
LISTS = frozenset({"find", "ls", "rg", "grep", "fd", "git", "sort", "uniq", "head", "tail", "echo", "printf"})


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
    odd = fine is not None and any(option.partition("=")[0] not in fine and not _number(option) for option in options)
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
        yield Started(text=glued or (call.words[call.words.index(split) + 1 :] or (Word(""),))[0].text, plus="It is split.")
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
        yield from (Started(text=word.text, plus="It is run by parallel.") for word in tails if call.name == "parallel")
        return
    marks = [options[i].lstrip("-I") or call.texts[call.texts.index("-I") + 1] for i, o in enumerate(options) if o[:2] == "-I"]
    marks += ["{}"]
    for tail in tails:
        yield Started(call.inner(_filled(words, tail, marks)), plus=_names_plus(call, words, options))


def _filled(words: tuple[Word, ...], tail: Word, marks: list[str]) -> tuple[Word, ...]:
    mark = next((mark for mark in marks if mark and any(mark in word.text for word in words)), "")
    if not mark:
        return (*words, tail)
    return tuple(replace(word, text=word.text.replace(mark, tail.text)) for word in words)


def _names_plus(call: Call, words: tuple[Word, ...], options: list[str]) -> str:
    return "What it is told is only known when it runs."


def only_reads_names(call: Call) -> bool:
    """``find … | xargs wc -l``: names from a list of this folder, to a program that can only read them."""
    words, options = _skip(call, VALUED["xargs"].split())
    feeder = call.part.feeder
    fine = all(re.fullmatch(r"-0|-r|-n\d*|-P\d*|-I|-I\{\}|-L\d*|-t|--null|--no-run-if-empty", option) for option in options)
    if call.name != "xargs" or feeder is None or not fine:
        return False
    name = words[0].text if words else "echo"
    return name in TAKES_NAMES and feeder.name in LISTS and all(word.literal for word in words)


def _find(call: Call) -> Iterator[Started]:
    for at, word in enumerate(call.words):
        if word.text in ("-exec", "-execdir", "-ok", "-okdir"):
            rest = call.words[at + 1 :]
            end = next((i for i, item in enumerate(rest) if item.text in (";", "+")), len(rest))
            words = tuple(Word(UNKNOWN) if "{}" in item.text else item for item in rest[:end])
            if words:
                yield Started(call.inner(words), plus="It is run for every file that is found.")


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


