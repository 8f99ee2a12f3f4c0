"""Whether a program only reads: by the table, by rules of its own, and by what it opens."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from itertools import dropwhile, takewhile
from pathlib import Path

from ankita_desktop.safety.shell import git, where
from ankita_desktop.safety.shell.args import Call, matches
from ankita_desktop.safety.shell.read_table import (
    CHOOSERS,
    HARMLESS_VARIABLES,
    LIST_BY_OPTION,
    LOOK_OPTIONS,
    LOOKS,
    PROGRAMS,
    VERSION,
    VERSION_ALSO,
    VERSIONED,
    Reads,
)
from ankita_desktop.safety.shell.tables import names
from ankita_desktop.safety.shell.words import Word

PRINTS = names("test printf : echo false true")
NO_FILES = names("cd find printf test ps date ss ip command set read exit return break continue")
PLACES = tuple(map(Path, ["/bin", "/usr/bin", "/usr/local/bin", "/sbin", "/usr/sbin", "/opt/homebrew/bin"]))

FIND_NEVER = names("-delete -exec -execdir -ok -okdir -fls -fprint -fprint0 -fprintf -files0-from")
SED_PRINT = re.compile(r"(?:(?:\d+|\$)(?:,(?:\d+|\$))?)?p(?:;(?:(?:\d+|\$)(?:,(?:\d+|\$))?)?p)*|\d*q")
SED_RANGE = re.compile(r"(?:\d+|\$|/[^/\n;{}]*/)(?:,(?:\d+|\$|/[^/\n;{}]*/))?[pd]")
SED_REPLACE = re.compile(r"s([/|#,@!])(?:(?!\1)[^\n\\]|\\[^\n])*\1(?:(?!\1)[^\n\\]|\\[^\n])*\1[gpiI0-9]*")
AWK_MORE = re.compile(r"system|getline|[|>@`]|ENVIRON|ARGV|SYMTAB|PROCINFO")
NAMES_ONLY = re.compile(r"-[A-Za-z]*[lcqL][A-Za-z]*|--(files-with-matches|files-without-match|count|quiet|files)")
VALUE_NEXT = re.compile(r"-\w*[A-DdefgMmt]|--[^=]+")
JQ_MORE = re.compile(r"\benv\b|\$ENV|\bimport\b|\binclude\b|\$__|input_filename|\bmodulemeta\b|\bgetpath\b.*env")


def reads_only(call: Call) -> str:
    """ "" when the call is known to only read, else in words why it isn't."""
    if not _trusted(call.part.name):
        return f"{call.part.name} isn't one of the system's own programs."
    problem = _words(call)
    if problem:
        return problem
    name = call.name
    if _asks_version(name, call):
        return ""
    special = SPECIAL.get(name)
    if special is not None:
        return special(call) or ("" if name in NO_FILES else _opened(call, _files(call, name)))
    if _looks(call):
        return _opened(call, call.operands)
    rule = PROGRAMS.get(name)
    if rule is None:
        return f"{name} isn't known to only read."
    return _by_rule(call, rule)


def _trusted(program: str) -> bool:
    return "/" not in program or Path(program).parent in PLACES


def _words(call: Call) -> str:
    """Words only the run shows may be anything: an option, a secret."""
    for word in call.words:
        if word.known:
            continue
        printed = call.name in PRINTS and HARMLESS_VARIABLES.issuperset(word.variables)
        if not printed or word.glob:
            return "What it is told is only known when it runs."
    return ""


def _asks_version(name: str, call: Call) -> bool:
    if (
        len(call.texts) != 1
        or name not in VERSIONED
        or call.texts[0] not in VERSION | VERSION_ALSO.get(name, frozenset())
    ):
        return False
    places = [place for folder in call.folders for place in (folder, *folder.parents)]
    return not any(where.exists(place / chooser) for place in places for chooser in CHOOSERS.get(name, ()))


def _by_rule(call: Call, rule: Reads) -> str:
    for word in call.options:
        if any(matches(word.text, option) for option in rule.never):
            return f"With {word.text}, {call.name} does more than read."
        if rule.only is not None and word.text.partition("=")[0] not in rule.only:
            return f"With {word.text}, {call.name} may do more than read."
    if len(call.operands) > rule.most:
        return f"With so many names, {call.name} may write."
    if not rule.opens:
        return ""
    named = _without_pattern(call) if rule.first else call.operands
    files = _values(call.options) + named
    if rule.opens == "names":
        return _listed(call, files)
    return _opened(call, files) or (_deep(call, named) if _goes_deep(call, rule) else "")


def _goes_deep(call: Call, rule: Reads) -> bool:
    """Whether it shows what is in all files of a folder, and not only their names."""
    return bool(rule.deep) and not _names_only(call) and ("*" in rule.deep or call.has(*rule.deep))


def _names_only(call: Call) -> bool:
    """Whether it says which files, and nothing that is in them. A word behind an option may be its value."""
    if call.name == "diff":
        return call.has("-q", "--brief")
    before = ""
    for word in call.words:
        if word.text in ("--", "-"):
            return False
        if NAMES_ONLY.fullmatch(word.text) and not VALUE_NEXT.fullmatch(before):
            return True
        before = word.text
    return False


def _without_pattern(call: Call) -> list[Word]:
    """The files; the pattern before them counts only when it looks like a secret, as an option's value may."""
    given = call.has("-e", "--regexp") or any(word.text.startswith("--files") for word in call.options)
    skipped = 0 if given or (call.operands and where.is_secret(call.operands[0].text)) else 1
    return call.operands[skipped:]


def _values(options: Iterable[Word]) -> list[Word]:
    """What stands behind = in options, and what is glued to short ones."""
    found = [Word(word.text.partition("=")[2], word.glob) for word in options if "=" in word.text]
    return found + [Word(word.text[2:], word.glob) for word in options if re.match(r"-\w[./~]", word.text)]


def _files(call: Call, name: str) -> list[Word]:
    return _values(call.options) + (call.operands[1:] if name in ("sed", "awk", "jq") else call.operands)


def _opened(call: Call, files: Iterable[Word]) -> str:
    """Why a file that is opened needs a yes; "" when none does."""
    if not call.folders:
        return "Nobody knows in which folder it runs."
    for word in files:
        if word.file or word.text == "-":
            continue
        problem = _pattern(call, word) if word.glob else where.unreadable(_path(word.text), call.folders)
        if problem:
            return problem
    return ""


def _path(text: str) -> str:
    """git names a file of an older state behind a colon."""
    return text.partition(":")[2] or text if re.match(r"[\w~^@{}./-]*:[^/\\]", text) else text


def _pattern(call: Call, word: Word) -> str:
    names = where.expanded(word.text, call.folders)
    if names is None:
        return f"{word.text} stands for too many files to look at."
    for name in [re.sub(r"[*?\[\]]", "", word.text), *names]:
        if name.startswith("-"):
            return f"The file {name} would be taken for an option."
        problem = where.unreadable(name, call.folders) if name else ""
        if problem:
            return problem
    return ""


def _listed(call: Call, files: Iterable[Word]) -> str:
    """Listing shows names and sizes, never what is inside."""
    if not call.folders:
        return "Nobody knows in which folder it runs."
    for word in files:
        for name in (where.expanded(word.text, call.folders) or []) if word.glob else []:
            if name.startswith("-"):
                return f"The file {name} would be taken for an option."
        fixed = re.split(r"[*?\[]", word.text)[0] if word.glob else word.text
        problem = where.unreadable(fixed or ".", call.folders)
        if problem.startswith("It looks outside"):
            return problem
    return ""


def _deep(call: Call, files: Iterable[Word]) -> str:
    """Reading a whole folder shows the secrets that lie in it."""
    folders = [where.real(word.text, folder) for word in files for folder in call.folders] or list(call.folders)
    for folder in folders:
        follows = call.has("-R", "--dereference-recursive")
        secret = where.holds_secrets(folder, hidden=call.name != "rg", follows=follows)
        if secret:
            return f"It reads the whole folder, with {secret} in it."
    return ""


def _looks(call: Call) -> bool:
    options = [word.text for word in call.options]
    by_option = LIST_BY_OPTION.get(call.name, ())
    if by_option and len(options) == 1 and options[0] in by_option:
        return True
    return call.first() in LOOKS.get(call.name, ()) and set(options) <= LOOK_OPTIONS


def _ip(call: Call) -> str:
    fine = {"addr", "address", "a", "link", "route", "r", "show", "-4", "-6", "-c", "-br", "-brief", "-j", "-s"}
    return "" if set(call.texts) <= fine else "ip may change the network with this."


def _ss(call: Call) -> str:
    only = not call.operands and all(re.fullmatch(r"-[altunpsw46eor]+", text) for text in call.texts)
    return "" if only else "ss may do more than list with this."


def _tar(call: Call) -> str:
    """-t and the letters that go with it, also without a dash. An archive with a colon is on another machine."""
    first, *rest = call.texts or [""]
    letters = first.lstrip("-") if not first.startswith("--") else ""
    listing = first == "--list" or ("t" in letters and set(letters) <= set("tvfzjJa"))
    fine = ("-v", "-f", "-z", "-j", "-J", "--verbose", "--gzip")
    only = all(text in fine for text in rest if text.startswith("-")) and not any(":" in text for text in rest)
    return "" if listing and only else "tar may write files with this."


def _ps(call: Call) -> str:
    shows = any(re.fullmatch(r"[a-zA-Z]*e[a-zA-Z]*", text) for text in call.texts) or call.has("-E", "--env")
    shows = shows or any("environ" in text for text in call.texts)
    return "ps shows the environment of programs with this." if shows else ""


def _date(call: Call) -> str:
    valued = False
    for text in call.texts:
        if not (
            valued
            or re.fullmatch(r"\+.*|-u|-R|-I\w*|--utc|--iso-8601(=\w+)?|--rfc-3339=\w+|-d|--date(=.*)?", text)
        ):
            return "date may set the clock with this."
        valued = text in ("-d", "--date")
    return ""


def _printed(call: Call) -> str:
    """printf and test can evaluate a text that names an array."""
    risky = any("[" in text[1:] and ("$" in text or "`" in text) for text in call.texts)
    if risky or (call.name == "printf" and call.has("-v")):
        return "It may start a command that is hidden in a text."
    return ""


def _find(call: Call) -> str:
    bad = next((text for text in call.texts if text in FIND_NEVER and text != "-exec"), "")
    if bad:
        return f"With {bad}, find does more than read."
    rest = dropwhile(lambda word: word.text in ("-L", "-P", "-H"), call.words)
    return _listed(call, takewhile(lambda word: word.text[:1] not in ("-", "(", "!"), rest))


def _sed(call: Call) -> str:
    if any(word.text not in ("-n", "-E", "-r", "--quiet", "-nE", "-En", "-nr", "-e") for word in call.options):
        return "With these options, sed may do more than read."
    given = list(call.operands)
    script = given[0].text if given else ""
    if call.has("-e") and len(call.options) != 1 + call.has("-n"):
        return "With these options, sed may do more than read."
    fine = SED_PRINT.fullmatch(script) or SED_RANGE.fullmatch(script) or SED_REPLACE.fullmatch(script)
    return "" if fine else "sed may write or start programs with this."


def _awk(call: Call) -> str:
    for word in call.options:
        if not re.fullmatch(r"-F.{0,3}", word.text):
            return "With these options, awk may do more than read."
    given = call.operands[1:] if any(word.text == "-F" for word in call.options) else call.operands
    program = given[0].text if given else ""
    return (
        "awk may write or start programs with this."
        if not program or AWK_MORE.search(program.replace("||", ""))
        else ""
    )


def _jq(call: Call) -> str:
    rule = PROGRAMS["jq"]
    if any(matches(word.text, option) for word in call.options for option in rule.never):
        return "With these options, jq may do more than read."
    return "jq may show the environment with this." if any(map(JQ_MORE.search, call.texts)) else ""


def _git(call: Call) -> str:
    if not git.reads(call):
        return "git does more than read with this."
    # Outside a repository, or with one folder outside, it compares whatever lies in two folders.
    folders = [word for word in call.operands if any((folder / word.text).is_dir() for folder in call.folders)]
    return _deep(call, folders) if call.first() == "diff" and len(folders) > 1 else ""


def _cd(call: Call) -> str:
    if len(call.words) != 1 or not call.words[0].literal or call.texts == ["-"]:
        return "It goes to an unknown folder."
    return _listed(call, call.words)


def _command(call: Call) -> str:
    looks = call.texts[:1] in (["-v"], ["-V"])
    return "" if looks else "command starts another program."


def _set(call: Call) -> str:
    """The shell's own switches; without any, set prints every variable."""
    fine = call.words and all(re.fullmatch(r"[-+][euxo]+|pipefail|[-+]o", text) for text in call.texts)
    return "" if fine else "It shows or changes the shell's variables."


def _read(call: Call) -> str:
    return (
        "" if all(re.fullmatch(r"-r|-d|[a-z][a-z0-9_]*|", text) for text in call.texts) else "It sets a variable."
    )


def _exit(call: Call) -> str:
    return "" if all(re.fullmatch(r"\d+", text) for text in call.texts) else "It isn't understood."


SPECIAL: dict[str, Callable[[Call], str]] = {
    "find": _find,
    "tar": _tar,
    "ip": _ip,
    "ss": _ss,
    "ps": _ps,
    "date": _date,
    "printf": _printed,
    "test": _printed,
    "sed": _sed,
    "awk": _awk,
    "gawk": _awk,
    "mawk": _awk,
    "jq": _jq,
    "git": _git,
    "cd": _cd,
    "command": _command,
    "set": _set,
    "read": _read,
    "exit": _exit,
    "return": _exit,
    "break": _exit,
    "continue": _exit,
}
