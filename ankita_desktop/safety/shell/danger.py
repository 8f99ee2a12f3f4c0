"""Commands whose harm can't be taken back, or that hand something away: each with its reason in plain words."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from pathlib import Path

from ankita_desktop.safety.shell import git, where
from ankita_desktop.safety.shell.args import Call
from ankita_desktop.safety.shell.parse import Redirect
from ankita_desktop.safety.shell.words import Word

SHELLS = frozenset(["sh", "bash", "dash", "zsh", "ksh", "mksh", "ash", "fish", "csh", "tcsh"])
INTERPRETERS = frozenset(
    [
        "python",
        "python2",
        "python3",
        "pypy",
        "node",
        "deno",
        "bun",
        "ruby",
        "perl",
        "php",
        "lua",
        "tclsh",
        "osascript",
        "R",
        "Rscript",
        "powershell",
        "pwsh",
    ]
)
DISK = re.compile(
    r"mkfs(\..+)?|mke2fs|fdisk|sfdisk|cfdisk|gdisk|sgdisk|parted|wipefs|blkdiscard|mkswap|badblocks|hdparm|nvme"
    r"|cryptsetup|lvremove|vgremove|pvremove|mdadm|zpool|diskutil|format|format\.com|diskpart"
)
POWER = frozenset(["shutdown", "reboot", "halt", "poweroff", "telinit"])
# Programs that copy, print or send the files they are told.
OPENERS = frozenset(
    [
        "cat",
        "tac",
        "less",
        "more",
        "head",
        "tail",
        "nl",
        "od",
        "xxd",
        "hexdump",
        "strings",
        "base64",
        "base32",
        "grep",
        "egrep",
        "fgrep",
        "rg",
        "sed",
        "awk",
        "cut",
        "sort",
        "uniq",
        "cp",
        "mv",
        "scp",
        "rsync",
        "curl",
        "wget",
        "nc",
        "ncat",
        "tar",
        "zip",
        "gzip",
        "gpg",
        "openssl",
        "tee",
        "dd",
        "ftp",
        "sftp",
        "aws",
        "gsutil",
        "rclone",
        "http",
        "https",
        "mail",
        "sendmail",
        "mutt",
        "xclip",
        "xsel",
        "pbcopy",
        "wl-copy",
        "python",
        "python3",
        "node",
        "ruby",
        "perl",
        "install",
        "ln",
        "strings",
        "bat",
        "view",
        "vi",
        "vim",
        "nano",
        "jq",
        "yq",
        "diff",
        "cmp",
        "comm",
        "paste",
        "split",
        "csplit",
        "xargs",
        "rev",
        "fold",
        "fmt",
        "source",
        ".",
        "split",
        "7z",
        "rar",
        "socat",
        "telnet",
    ]
)
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
VERBS = re.compile(
    r"(?i)(?:.*[-_:])?(?:delete|destroy|purge|drop|prune|remove|rm|rdelete|del|unregister|terminate|revoke|disable"
    r"|unsubscribe|flushall|flushdb|wipe|deprovision|rb|rollback|forget|compact|sync)(?:[-_].*)?"
)
REMOTE = re.compile(
    r"aws|gcloud|gsutil|az|kubectl|oc|helm|terraform|tofu|pulumi|vault|doppler|op|gh|glab|hub|velero|nats|rabbitmqctl"
    r"|rabbitmqadmin|kafka-[\w-]+(\.sh)?|circleci|gitlab-runner|heroku|fly|flyctl|vercel|netlify|firebase|supabase"
    r"|wrangler|doctl|linode-cli|hcloud|s3cmd|mc|restic|borg|rclone|consul|etcdctl|redis-cli|mongosh|influx|docker"
    r"|podman|nerdctl|crictl|virsh|vagrant|multipass|cf|railway|planetscale|pscale|argocd|flux|eksctl|kops|bq"
)
PACKAGES = {
    "npm": ("install", "i", "ci", "add", "exec", "x", "update", "create", "init", "rebuild"),
    "pnpm": ("install", "i", "add", "dlx", "update", "create"),
    "yarn": ("install", "add", "dlx", "create"),
    "bun": ("install", "i", "add", "x", "create"),
    "pip": ("install",),
    "pip3": ("install",),
    "pipx": ("install", "run"),
    "uv": ("add", "sync", "tool"),
    "poetry": ("install", "add"),
    "gem": ("install",),
    "cargo": ("install",),
    "go": ("install", "get"),
    "composer": ("install", "require", "update"),
    "brew": ("install", "upgrade"),
}
RUNS_PACKAGES = frozenset({"npx", "bunx", "uvx", "pnpx"})
SQL = re.compile(r"(?i)\b(drop\s+(table|database|schema|index)|truncate\s+table|truncate\s+\w+|delete\s+from)\b")
CODE_DELETES = re.compile(
    r"(?i)rmtree|rm\s+-\w*[rf]|unlink|removedirs|os\.remove|rmSync|FileUtils\.rm|deltree|rimraf"
)
CODE_STARTS = re.compile(r"(?i)subprocess|os\.system|os\.popen|child_process|exec\(|popen|pty\.spawn|`|\bsystem\b")
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
    if REMOTE.fullmatch(name) and _deletes_remotely(call):
        return "It deletes or replaces something on a service, which may be for good."
    return ""


def _runs_input(call: Call) -> bool:
    """A shell or interpreter that gets its program from a pipe or from another command's output."""
    if any(word.file for word in call.words):
        return True
    takes = not call.operands or call.texts[:1] == ["-"] or (call.has("-s") and call.name in SHELLS)
    return call.part.fed and takes and call.part.input is None


def _deletes_remotely(call: Call) -> bool:
    dry = any(text in ("--dry-run", "--dryrun", "-n", "--dry-run=client") for text in call.texts)
    verbs = [text for text in call.texts[:6] if not text.startswith("-")]
    names = call.has("--delete", "--remove", "--purge", "--prune", "--delete-config", "--delete-during")
    if call.name in ("docker", "podman", "nerdctl"):
        return any(pair in " ".join(verbs) for pair in ("prune", "volume rm", "system reset"))
    return not dry and (
        names or any(VERBS.fullmatch(verb) for verb in verbs if "/" not in verb and "." not in verb)
    )


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
    return ""


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


def _tee(call: Call) -> str:
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


def _curl(call: Call) -> str:
    texts = call.texts
    method = next(
        (
            after
            for at, text in enumerate(texts[:-1])
            if text in ("-X", "--request", "--method")
            for after in [texts[at + 1]]
        ),
        "",
    )
    method = (
        method
        or next((t[2:] for t in texts if re.fullmatch(r"-X\w+", t)), "")
        or next((t.partition("=")[2] for t in texts if t.startswith(("--request=", "--method="))), "")
    )
    if method.upper() == "DELETE":
        return "It deletes something on a server."
    if any(re.search(r"(?i)/(do)?delete\b", text) for text in texts):
        return "It deletes something on a server."
    return _sends(call)


def _sends(call: Call) -> str:
    """Files or another command's output as the body of a request."""
    for at, text in enumerate(call.texts):
        following = call.texts[at + 1] if at + 1 < len(call.texts) else ""
        short = re.fullmatch(r"-\w*[dF](.*)", text, re.DOTALL)
        value = ""
        if re.match(r"--(?:data|form|json|url-q|post-file|body-file|upload)", text):
            value = text.partition("=")[2] or following
        elif short:
            value = short[1] or following
        shown = call.part.input is not None and call.part.input.known
        if re.search(r"(?:^|=)@(?!-$)", value) or (re.search(r"(?:^|=)@-$", value) and not shown):
            return "It sends a file or another command's output to a server."
        if re.match(r"-\w*T|--upload-file|--post-file|--body-file", text):
            return "It sends a file to a server."
    return ""


def _netcat(call: Call) -> str:
    sends = (
        call.part.fed or any(r.reads for r in call.part.redirects) or call.has("-e", "-c", "--exec", "--sh-exec")
    )
    return "It sends data to another computer, or lets it in." if sends else ""


def _rsync(call: Call) -> str:
    if call.has("-n", "--dry-run"):
        return ""
    deletes = any(text.startswith(("--del", "--remove-s")) for text in call.texts)
    return "It deletes files at the target." if deletes else ""


def _sql(call: Call) -> str:
    if any(SQL.search(text) for text in call.texts) or (call.part.input and SQL.search(call.part.input.text)):
        return "It deletes data from a database."
    return "It deletes a database." if call.name.startswith("drop") else ""


def _code(call: Call) -> str:
    """Code given on the command line that deletes, or hides another command."""
    given = " ".join(call.texts) + (call.part.input.text if call.part.input else "")
    if not (call.has("-c", "-e", "-r", "-E", "--eval", "-p") or call.part.input):
        return ""
    if CODE_DELETES.search(given):
        return "The code in it deletes files."
    return "The code in it starts other commands." if CODE_STARTS.search(given) and "rm" in given else ""


def _git(call: Call) -> str:
    return git.danger(call)


def _truncate(call: Call) -> str:
    return next((found for word in call.operands if (found := _overwrites(word, call.folders))), "")


def _history(call: Call) -> str:
    return "It deletes the record of what was typed." if call.has("-c", "-d", "-w") else ""


def _sysrq(call: Call) -> str:
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


def _packages(call: Call) -> str:
    lossy = call.first() in ("remove", "purge", "autoremove", "erase", "uninstall") or call.has(
        "--purge", "-P", "-r"
    )
    return "It removes programs from the system." if lossy and call.name not in ("brew",) else ""


def _install(call: Call) -> str:
    """A package brings programs of its own that run while it is installed."""
    if call.first() not in PACKAGES.get(call.name, ()) and call.name not in RUNS_PACKAGES:
        if call.first() in ("publish", "unpublish", "yank"):
            return "It publishes something for everybody, or takes it away."
        return "It removes a program." if call.first() == "uninstall" and call.has("-g", "--global") else ""
    local = any(re.match(r"\.{0,2}/|\.$", text) for text in call.texts) or call.has("-r", "--requirement", "-e")
    if call.name in RUNS_PACKAGES:
        known = any((folder / "node_modules" / ".bin" / call.first()).exists() for folder in call.folders)
        return "" if known or not call.operands else f"It fetches {call.first()} and runs it."
    if len(call.operands) < 2 or local:
        return ""
    return f"It installs {call.operands[1].text}, whose own scripts may run."


def _pass(call: Call) -> str:
    return (
        "It reads keys or passwords."
        if call.first()
        in ("show", "", "-c", "find-generic-password", "lookup", "dump-keychain", "find-internet-password")
        or call.name == "pass"
        else ""
    )


def _gpg(call: Call) -> str:
    return (
        "It takes secret keys out."
        if any("export-secret" in text or "delete" in text for text in call.texts)
        else ""
    )


def _gh(call: Call) -> str:
    if call.texts[:2] == ["auth", "token"]:
        return "It shows the key to your account."
    words = [text.upper() for text in call.texts]
    return "It deletes something on the server." if call.first() == "api" and "DELETE" in words else ""


RULES: dict[str, Callable[[Call], str]] = {
    "rm": _rm,
    "srm": _shred,
    "shred": _shred,
    "find": _find,
    "dd": _dd,
    "tee": _tee,
    "truncate": _truncate,
    "cp": _copied,
    "mv": _copied,
    "install": _copied,
    "ln": _copied,
    "chmod": _chmod,
    "chown": _chown,
    "chgrp": _chown,
    "kill": _kill,
    "crontab": _crontab,
    "curl": _curl,
    "wget": _curl,
    "http": _curl,
    "https": _curl,
    "java": _curl,
    "nc": _netcat,
    "ncat": _netcat,
    "netcat": _netcat,
    "socat": _netcat,
    "telnet": _netcat,
    "rsync": _rsync,
    "git": _git,
    "history": _history,
    "iptables": _sysrq,
    "nft": _sysrq,
    "ufw": _sysrq,
    "systemctl": _service,
    "launchctl": _service,
    "init": _init,
    "userdel": _users,
    "useradd": _users,
    "usermod": _users,
    "passwd": _users,
    "visudo": _users,
    "groupdel": _users,
    "security": _pass,
    "pass": _pass,
    "secret-tool": _pass,
    "gpg": _gpg,
    "gh": _gh,
    **dict.fromkeys(("psql", "mysql", "mariadb", "sqlite3", "dropdb", "sqlcmd", "clickhouse-client"), _sql),
    **dict.fromkeys(INTERPRETERS, _code),
    **dict.fromkeys(
        ("apt", "apt-get", "dnf", "yum", "zypper", "pacman", "dpkg", "rpm", "snap", "flatpak"), _packages
    ),
    **dict.fromkeys((*PACKAGES, *RUNS_PACKAGES), _install),
}
