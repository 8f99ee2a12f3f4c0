"""PowerShell and cmd, judged by their own rules: token by token, and whatever calculates is asked."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from ankita_desktop.safety.shell import where
from ankita_desktop.safety.shell.args import Call
from ankita_desktop.safety.shell.reading import reads_only
from ankita_desktop.safety.shell.script import Simple
from ankita_desktop.safety.shell.tables import names
from ankita_desktop.safety.shell.verdict import Level, Part, Verdict
from ankita_desktop.safety.shell.words import Word

# What the shell replaces, calculates, or sends elsewhere. In double quotes the first three still count.
ACTIVE = re.compile(r"[$`@(){}\[\]<>,#]|--%")
TOKEN = re.compile(r"'(?:[^']|'')*'|\"(?:[^\"`]|`.|\"\")*\"|[^\s'\";|&]+|;|\|\||&&|\||&|\n|['\"]", re.DOTALL)
SEPARATORS = (";", "|", "&&", "||", "&", "\n")
LOOSE = re.compile(r"[\s,(){}\[\]'\"=]+")

DELETES = names("remove-item ri rm del erase rd rmdir clear-content clc remove-itemproperty rp")
STARTS = names("start-process saps start invoke-item ii explorer explorer.exe mshta mshta.exe rundll32")
RUNS_TEXT = names("invoke-expression iex invoke-command icm add-type")
SYSTEM = names("""
    format-volume clear-disk initialize-disk remove-partition stop-computer restart-computer set-executionpolicy
    diskpart vssadmin bcdedit cipher takeown icacls wevtutil clear-eventlog remove-computer remove-localuser
    disable-netadapter set-mppreference schtasks reg format shutdown
""")
READS = names("""
    get-content gc cat type get-childitem gci ls dir get-location gl pwd write-output echo write write-host
    select-string sls get-item gi test-path resolve-path rvpa measure-object measure select-object select
    sort-object sort get-process gps ps get-service gsv get-date get-command gcm get-help format-table ft
    format-list fl out-string oss get-filehash get-itemproperty gp split-path join-path compare-object get-host
    whoami hostname findstr where.exe group-object get-unique
""")
NAMES_ONLY = names("get-childitem gci ls dir test-path get-item gi resolve-path rvpa")
WRITING = re.compile(
    r"-(outfile|filepath|out|append|passthru|computername|cn|session|asjob|credential)", re.IGNORECASE
)
ADDRESS = re.compile(r"(?i)(?:https?|ftp|file|ms-\w+)://|www\.")
DELETED = "It deletes without asking back."


def judge_powershell(command: str, folder: Path | None = None) -> Verdict:
    """Judge a line of PowerShell. Never raises for bad text."""
    parts = tuple(_judged(command, (folder or Path.cwd(),)))
    if not parts:
        return Verdict("ask", (), "There is nothing in it that could be judged.")
    return Verdict.over(parts)


def judge_cmd(text: str) -> Verdict:
    """Judge what ``cmd /c`` is given. Nothing of it is called safe."""
    pieces = [piece.split() for piece in re.split(r"[&|\n]+", text.strip("'\" "))]
    parts = [Part(" ".join(piece), *_cmd(piece)) for piece in pieces if piece]
    return Verdict.over(tuple(parts)) if parts else Verdict("ask", (), "There is nothing in it.")


def _cmd(words: list[str]) -> tuple[Level, str]:
    name, rest = words[0].lower().lstrip("@("), [word.lower() for word in words[1:]]
    if name in ("del", "erase") and any(word in ("/f", "/s", "/q") for word in rest):
        return "dangerous", DELETED
    if name in ("rd", "rmdir") and "/s" in rest and "/q" in rest:
        return "dangerous", "It deletes a folder with all that is in it, without asking back."
    return _harm(name, rest) or ("ask", f"{name} isn't known to only read.")


def inside(call: Call) -> Verdict | None:
    """What ``powershell -Command …`` or ``cmd /c …`` would do, None for another program."""
    name = call.name.lower().removesuffix(".exe")
    if name == "cmd":
        at = next((i for i, text in enumerate(call.texts) if text.lower() in ("/c", "/r", "/k")), None)
        return judge_cmd(" ".join(call.texts[at + 1 :])) if at is not None else None
    return _powershell(call) if name in ("powershell", "pwsh") else None


def _powershell(call: Call) -> Verdict:
    at = 0
    texts = call.texts
    while at < len(texts) and texts[at].lower() in ("-nologo", "-noprofile", "-noninteractive", "-nop", "-noni"):
        at += 1
    option = texts[at].lower() if at < len(texts) else ""
    if option.startswith(("-e", "/e")) and not option.startswith(("-ex", "/ex")):
        return Verdict("dangerous", (), "It hides what it runs in an encoded text.")
    if option in ("-command", "-c", "/c"):
        at += 1
    elif option.startswith(("-", "/")) or not option:
        return Verdict("ask", (), "It runs a script, or something that isn't understood.")
    return judge_powershell(" ".join(texts[at:]), call.folders[0] if call.folders else Path("/"))


def _judged(command: str, folders: tuple[Path, ...]) -> Iterator[Part]:
    whole = re.fullmatch(r"\(([^()]*)\)", command.strip())
    command = whole[1] if whole else command
    piece: list[str] = []
    odd = ""
    for token in [*TOKEN.findall(command), ";"]:
        if token in SEPARATORS:
            odd = odd or ("Its parts depend on each other." if token in ("&&", "||", "&") else "")
            if piece:
                yield _part(piece, folders)
            piece = []
        else:
            odd = odd or ("Its quotes don't match." if token in ("'", '"') else "")
            piece.append(token)
    found = _anywhere(command)
    if found:
        yield Part(command, *found)
    elif odd:
        yield Part(command, "ask", odd)


def _anywhere(command: str) -> tuple[Level, str] | None:
    """Harm inside brackets and blocks, where the tokens above don't reach."""
    for piece in re.split(r"[;|&\n{}]+|\(", command):
        words = [word.lower() for word in LOOSE.split(piece) if word]
        for at, word in enumerate(words):
            found = _harm(word, words[at + 1 :])
            if found:
                return found
    return None


def _harm(name: str, rest: list[str]) -> tuple[Level, str] | None:
    if name in DELETES and any(re.fullmatch(r"-(f|fo|for|forc|force|r|re|rec\w*)(:.*)?", word) for word in rest):
        return "dangerous", DELETED
    if name in STARTS and any(ADDRESS.search(word) for word in rest):
        return "dangerous", "It opens an address in another program."
    if name in RUNS_TEXT:
        return "dangerous", "It runs a text as a program."
    if name.removesuffix(".exe").removesuffix(".com") in SYSTEM:
        return "dangerous", f"{name} changes the system itself."
    return None


def _part(tokens: list[str], folders: tuple[Path, ...]) -> Part:
    text = " ".join(tokens)
    name, words = _bare(tokens[0]).lower(), [_bare(token) for token in tokens[1:]]
    if found := _harm(name, [word.lower() for word in words]):
        return Part(text, *found)
    if tokens[0][0] in "'\"" or any(map(_active, tokens)):
        return Part(text, "ask", "What it does is only known when it runs.")
    if name in ("git", "git.exe", "rg", "rg.exe"):
        problem = reads_only(Call(Simple(tuple(map(Word, [name.removesuffix(".exe"), *words])), text), folders))
        return Part(text, "ask" if problem else "safe", problem)
    return Part(text, *_reading(name, words, folders))


def _reading(name: str, words: list[str], folders: tuple[Path, ...]) -> tuple[Level, str]:
    if name not in READS or any(map(WRITING.match, words)):
        return "ask", f"{name} isn't known to only read."
    for word in words:
        if re.match(r"\w+:|\\\\|~", word) and not re.match(r"\w+:\d", word):
            return "ask", f"It looks outside the working folder, at {word}."
        problem = "" if word.startswith("-") else where.unreadable(word.replace("\\", "/"), folders)
        if problem and not (name in NAMES_ONLY and problem.startswith("It opens")):
            return "ask", problem
    return "safe", ""


def _active(token: str) -> bool:
    if token.startswith("'"):
        return False
    return bool(re.search(r"[$`]", token) if token.startswith('"') else ACTIVE.search(token))


def _bare(token: str) -> str:
    return token[1:-1] if token[:1] in "'\"" and len(token) > 1 else token
