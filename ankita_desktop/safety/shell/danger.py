"""Commands whose harm can't be taken back, or that hand something away: each with its reason in plain words."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from pathlib import Path

from ankita_desktop.safety.shell import git, where
from ankita_desktop.safety.shell.args import Call
from ankita_desktop.safety.shell.danger_reach import INTERPRETERS, REACHING, REMOTE, deletes_remotely
from ankita_desktop.safety.shell.loss import beyond_undo
from ankita_desktop.safety.shell.script import Redirect
from ankita_desktop.safety.shell.tables import names
from ankita_desktop.safety.shell.words import Word

SHELLS = names("sh bash dash zsh ksh mksh ash fish csh tcsh")
DISK = re.compile(
    r"mkfs(\..+)?|mke2fs|fdisk|sfdisk|cfdisk|gdisk|sgdisk|parted|wipefs|blkdiscard|mkswap|badblocks|hdparm|nvme"
    r"|cryptsetup|lvremove|vgremove|pvremove|mdadm|zpool|diskutil|format|format\.com|diskpart"
)
POWER = names("shutdown reboot halt poweroff telinit")
# Programs that copy, print or send the files they are told.
OPENERS = names("""
    cat tac less more head tail nl od xxd hexdump strings base64 base32 grep egrep fgrep rg sed awk cut sort
    uniq cp mv scp rsync curl wget nc ncat tar zip gzip gpg openssl tee dd ftp sftp aws gsutil rclone http
    https mail sendmail mutt xclip xsel pbcopy wl-copy python python3 node ruby perl install ln strings bat
    view vi vim nano jq yq diff cmp comm paste split csplit xargs rev fold fmt source . split 7z rar socat
    telnet
""")
# Only look at names or use a key for what it is for.
NAMES_ONLY = frozenset(
    [
        "ls",
        "stat",
        "test",
        "[",
        "[[",
        "file",
        "ssh",
        "ssh-add",
        "ssh-keygen",
        "mkdir",
        "touch",
        "chmod",
        "echo",
        "printf",
        "find",
        "git",
        "true",
        "dirname",
        "basename",
        "cd",
    ]
)
FORKS = re.compile(r"^\s*(?:function\s+)?([\w:.]+)\s*(?:\(\s*\))?\s*\{\s*\1\s*\|\s*\1\s*&\s*;?\s*\}")


def danger(call: Call) -> str:
    """Why the call is dangerous, in words; "" when nothing is known against it."""
    for redirect in call.part.redirects:
        found = written(redirect, call.folders)
        if found:
            return found
    if not call.part.words:
        return ""
    rule = RULES.get(call.name)
    return (rule(call) if rule else "") or _by_kind(call) or _secrets(call)


def blocked(call: Call) -> str:
    """Why the call is never run."""
    if call.name == "rm" and call.has("--no-preserve-root") and "/" in call.texts:
        return "It deletes everything on this computer."
    return ""


def has_rule(name: str) -> bool:
    """Whether some words behind this program do harm."""
    return name in RULES or name in SHELLS or bool(DISK.fullmatch(name) or REMOTE.fullmatch(name))


def fork_bomb(source: str) -> str:
    return "It starts copies of itself until the computer stands still." if FORKS.match(source) else ""


def written(redirect: Redirect, folders: Iterable[Path]) -> str:
    """Why writing there is dangerous."""
    if redirect.reads or redirect.harmless or redirect.operator.startswith("<<"):
        return ""
    return _overwrites(redirect.target, folders)


def _overwrites(target: Word, folders: Iterable[Path]) -> str:
    if not target.known:
        return ""
    for folder in folders:
        path = where.real(target.text, folder)
        if where.is_started(path):
            return f"It changes {target.text}, which decides what runs later or who may log in."
        if str(path).startswith("/dev/"):
            return f"It writes to the device {target.text}."
        if where.is_system(path):
            return f"It changes {target.text}, which belongs to the system."
    return ""


def _by_kind(call: Call) -> str:
    name = call.name
    if DISK.fullmatch(name):
        return f"{name} changes disks; what was on them is lost."
    if name in POWER:
        return "It switches the computer off or restarts it."
    if name in SHELLS | INTERPRETERS and _runs_input(call):
        return "It runs what another command hands it, unseen."
    if REMOTE.fullmatch(name) and deletes_remotely(call):
        return "It deletes or replaces something on a service, which may be for good."
    return ""


def _runs_input(call: Call) -> bool:
    """A shell or interpreter that gets its program from a pipe or from another command's output."""
    if any(word.file for word in call.words):
        return True
    takes = not call.operands or call.texts[:1] == ["-"] or (call.has("-s") and call.name in SHELLS)
    return call.part.fed and takes and call.part.input is None


def _secrets(call: Call) -> str:
    """Keys and passwords as operands of what opens, copies or sends files."""
    if call.name in NAMES_ONLY or call.name not in OPENERS:
        return ""
    for text in [*call.texts, *(r.target.text for r in call.part.redirects if r.reads)]:
        for piece in {text, text.partition("=")[2], text.lstrip("@"), text.partition("@")[2]}:
            if piece and not piece.startswith("-") and where.is_secret(piece):
                return f"It opens {piece}, where keys, passwords or private history may be kept."
    return ""


def _rm(call: Call) -> str:
    recursive = call.has("-r", "-R", "--recursive")
    forced = call.has("-f", "--force")
    for word in call.operands:
        found = _lost(word, call.folders, deep=recursive, forced=forced)
        if found:
            return found
    if recursive and call.part.fed and not call.operands:
        return "It deletes folders that another command names."
    return ""


def _lost(word: Word, folders: tuple[Path, ...], *, deep: bool, forced: bool) -> str:
    """Why deleting this is dangerous."""
    if not word.known:
        return "What it deletes is only known when it runs." if deep else ""
    if deep and word.glob and re.fullmatch(r"(?:\./)?(?:\*|\.\*|\.\[.*|\{.*)", word.text):
        return "It deletes everything in the folder."
    if not folders and deep:
        return "Nobody knows in which folder it deletes."
    fixed = re.split(r"[*?\[]", word.text)[0] if word.glob else word.text
    for folder in folders:
        path = where.real(fixed or ".", folder)
        if path in (folder, folders[0], *folder.parents, *folders[0].parents):
            return "It deletes the working folder or what is around it." if deep else ""
        if not where.inside(path, folders[0]) and (deep or forced or where.is_system(path)):
            return f"It deletes {word.text}, which is outside the working folder."
        if ".git" in path.parts and deep:
            return "It deletes the history of the repository."
        if where.inside(path, folders[0]) and (lost := _unkept(word, folder, path, deep)):
            return lost
    return ""


def _unkept(word: Word, folder: Path, path: Path, deep: bool) -> str:
    """Why undo would not bring back what is deleted inside the working folder."""
    if not word.glob:
        return beyond_undo(path, deep=deep)
    return "" if Path(word.text).is_absolute() else beyond_undo(folder, word.text, deep=deep)


def _find(call: Call) -> str:
    outside = [w for w in call.words if w.text[:1] in ("/", "~") or w.text.startswith("..")][:1]
    if "-delete" in call.texts:
        found = next((_lost(word, call.folders, deep=True, forced=True) for word in outside), "")
        return found or ("It deletes every file below the folder." if len(call.words) <= 2 else "")
    return ""


def _dd(call: Call) -> str:
    for text in call.texts:
        if text.startswith("of="):
            target = text[3:]
            found = _overwrites(Word(target), call.folders or (Path("/"),))
            if found:
                return found
    return ""


def _written_to(call: Call) -> str:
    return next((found for word in call.operands if (found := _overwrites(word, call.folders))), "")


def _copied(call: Call) -> str:
    if not call.operands:
        return ""
    if call.name == "mv" and any(
        where.is_system(where.real(w.text, Path("/"))) for w in call.operands[:-1] if w.text[:1] == "/"
    ):
        return "It moves away something that belongs to the system."
    return _overwrites(call.operands[-1], call.folders)


def _shred(_call: Call) -> str:
    return "It destroys files so that nothing brings them back."


def _chmod(call: Call) -> str:
    open_to_all = any(
        re.fullmatch(r"[0-7]?[0-7]?[0-7]?[2367]|(?:[ugo]*[oa]|)\+[rxst]*w[rwxst]*|[ugo]*s", text)
        for text in call.texts[:3]
    )
    recursive = call.has("-R", "--recursive")
    if any(re.fullmatch(r"[ug]?\+[rwx]*s[rwx]*|[2467][0-7]{3}", text) for text in call.texts):
        return "It lets a program run with its owner's rights."
    if recursive and (open_to_all or any(text in ("000", "0000", "0") for text in call.texts)):
        return "It changes who may change or open everything below a folder."
    return _reaches_out(call) if recursive else ""


def _chown(call: Call) -> str:
    if call.has("-R", "--recursive"):
        return "It changes the owner of everything below a folder."
    return _reaches_out(call)


def _reaches_out(call: Call) -> str:
    for word in call.operands[1:]:
        if any(not where.inside(where.real(word.text, folder), call.folders[0]) for folder in call.folders):
            return f"It changes rights outside the working folder, at {word.text}."
    return ""


def _kill(call: Call) -> str:
    everything = (
        "-1" in call.texts[1:] or (call.texts[-1:] == ["-1"] and len(call.texts) > 1) or call.texts == ["-1"]
    )
    if everything or call.texts[-1:] in (["1"], ["0"]):
        return "It ends every program at once."
    return ""


def _crontab(call: Call) -> str:
    if call.has("-r"):
        return "It deletes everything that is planned to run."
    return "It changes what runs by itself." if call.operands or call.part.fed else ""


def _history(call: Call) -> str:
    return "It deletes the record of what was typed." if call.has("-c", "-d", "-w") else ""


def _firewall(call: Call) -> str:
    lossy = call.first() in ("flush", "-F") or call.has("-F", "--flush", "-X", "-P")
    return "It changes the firewall of this computer." if lossy else ""


def _service(call: Call) -> str:
    off = call.first() in ("poweroff", "reboot", "halt", "suspend", "hibernate", "isolate", "rescue", "emergency")
    if off:
        return "It switches the computer off or restarts it."
    return (
        "It switches off a service of the system." if call.first() in ("stop", "disable", "mask", "kill") else ""
    )


def _init(call: Call) -> str:
    return "It switches the computer off or restarts it." if call.first() in ("0", "6", "1") else ""


def _users(_call: Call) -> str:
    return "It changes who may use this computer."


RULES: dict[str, Callable[[Call], str]] = {
    "rm": _rm,
    "find": _find,
    "dd": _dd,
    "git": git.danger,
    "kill": _kill,
    "crontab": _crontab,
    "history": _history,
    "init": _init,
    "chmod": _chmod,
    **dict.fromkeys(("srm", "shred"), _shred),
    **dict.fromkeys(("tee", "truncate"), _written_to),
    **dict.fromkeys(("cp", "mv", "install", "ln"), _copied),
    **dict.fromkeys(("chown", "chgrp"), _chown),
    **dict.fromkeys(("iptables", "nft", "ufw"), _firewall),
    **dict.fromkeys(("systemctl", "launchctl"), _service),
    **dict.fromkeys(("userdel", "useradd", "usermod", "passwd", "visudo", "groupdel"), _users),
    **REACHING,
}
