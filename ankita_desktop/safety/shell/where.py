"""Which places a command names: the working folder, what everybody may read, and what holds secrets."""

from __future__ import annotations

import os
import re
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from pathlib import Path


def _places(text: str) -> tuple[Path, ...]:
    return tuple(map(Path, text.split()))


# Readable by every program anyway, and nobody's own.
PUBLIC = _places("""
    /usr /bin /sbin /lib /lib64 /etc /opt /tmp /var/tmp /var/log /sys /Library /System /Applications
    /private/etc /private/tmp /proc/cpuinfo /proc/meminfo /proc/version /proc/uptime /proc/loadavg /proc/mounts
    /dev/null /dev/fd /dev/stdin
""")
SYSTEM = _places("/usr /bin /sbin /lib /lib64 /etc /boot /dev /proc /sys /var /System /Library")
# Places where keys and passwords are kept, as parts of a path; compared without case.
STORES = re.compile(
    r"""(?xi) (?:^|/) (?:
        \.ssh | \.gnupg | \.aws | \.azure | \.kube | \.password-store | \.oci | \.mozilla | \.thunderbird
        | keychains
        | \.config/(?:gh|gcloud|hub|doctl|op|google-chrome|chromium|ankita[^/]*) | \.local/share/keyrings
        | \.docker/config\.json | \.terraform\.d | \.vault-token | \.fly | \.gem/credentials
    ) (?:/|$)
    | (?:^|/) (?:
        \.netrc | _netrc | \.git-credentials | \.pgpass | \.my\.cnf | \.npmrc | \.pypirc | \.htpasswd | \.s3cfg
        | \.boto | \.?rclone\.conf | \.cargo/credentials(?:\.toml)? | \.[a-z]*sh_history | \.python_history
        | \.psql_history | \.mysql_history | \.node_repl_history | id_(?:rsa|dsa|ecdsa|ed25519)(?:_sk)?
        | g?shadow-? | sudoers | master\.passwd | ssh_host_\w+_key | krb5\.keytab | login\.keychain[^/]*
        | \.?credentials(?:\.json|\.toml|\.ya?ml)? | service[-_]?account[\w-]*\.json | wallet\.dat | secret_key
        | secrets?\.(?:json|ya?ml|toml|env) | api[-_]?keys?(?:\.txt)? | \.pass(?:word|wd)s?
        | passwords?\.(?:txt|csv|json) | [^/]+\.(?:pem|p12|pfx|jks|keystore|kdbx|ppk|key|gpg|asc)
        | \.env(?:rc)? | [^/]+\.env | \.env\.(?!(?:example|sample|template|dist|defaults?|schema|test)$)[^/]+
    ) $
    | ^/proc/[^/]+/(?:environ|mem|maps|fd|root|cwd|cmdline) | ^/root(?:/|$) | ^/etc/NetworkManager/system-conn
    | ^/etc/(?:ssl/private|sudoers\.d)(?:/|$) | ^/dev/(?!null$|zero$|u?random$|std(?:in|out|err)$|tty$|fd/)
    """
)
# Opening one of these decides what runs later, or who may log in.
STARTED = re.compile(
    r"""(?xi) (?:^|/) (?:
        \.(?:ba|z|k|c|tc|fi)?sh(?:rc|env) | \.bash_(?:profile|login|logout|aliases) | \.profile | \.zprofile
        | \.ssh/.* | \.gitconfig | \.git/(?:hooks/.*|config) | \.config/(?:autostart|systemd|fish|git)/.*
        | authorized_keys | crontab | launchagents/.* | \.xprofile | \.xinitrc | \.pam_environment | \.envrc
        | \.zlogin
    ) $"""
)
MOST_NAMES = 2000
MOST_SEEN = 20_000
INSTALLED = frozenset({".git", "node_modules", ".venv", "venv", "__pycache__"})
MOST_STEPS = 3


def is_secret(text: str) -> bool:
    """Whether a path, as written, leads to keys, passwords or what somebody typed before."""
    return bool(STORES.search(text.replace("\\", "/").rstrip("/"))) and not text.endswith(".pub")


def is_started(path: Path) -> bool:
    """Whether what stands at ``path`` runs by itself or opens doors."""
    return bool(STARTED.search(str(path)))


def is_system(path: Path) -> bool:
    return path == Path("/") or (
        any(_within(path, place) for place in SYSTEM) and not _within(path, Path("/var/tmp"))
    )


def inside(path: Path, folder: Path) -> bool:
    """Whether a real path lies in the working folder. The root and the home folder are no working folders."""
    return folder not in (Path("/"), Path.home()) and _within(path, folder)


def real(text: str, folder: Path) -> Path:
    """Where a path as written really leads; an impossible one leads to the root."""
    try:
        return (folder / text).resolve()
    except (OSError, RuntimeError, ValueError):
        return Path("/")


def unreadable(text: str, folders: Sequence[Path]) -> str:
    """Why reading ``text`` needs a yes, in words; "" when it is in the first folder, which is the working folder,
    or public. The others are where a relative path may start."""
    for folder in folders:
        path = real(text, folder)
        named = "" if text.startswith("/") else text
        if is_secret(named) or is_secret(_below(path, folders[0])):
            return f"It opens {text}, where keys, passwords or private history may be kept."
        if not (_within(path, folders[0]) or _is_public(path)):
            return f"It looks outside the working folder, at {text}."
    return ""


def exists(path: Path) -> bool:
    """Whether something is there; what can't be looked at isn't."""
    try:
        return path.exists()
    except (OSError, ValueError):
        return False


def _is_public(path: Path) -> bool:
    """A home is nobody else's, wherever it lies."""
    return any(_within(path, place) for place in PUBLIC) and not _within(path, Path.home())


def expanded(pattern: str, folders: Iterable[Path]) -> list[str] | None:
    """The names that a pattern stands for now; None when there are too many to look at, or they aren't here."""
    if pattern.startswith("/") or ".." in pattern or len(re.findall(r"[*?\[][^/]*", pattern)) > MOST_STEPS:
        return None
    found: list[str] = []
    for folder in folders:
        names = list(islice(_matches(pattern, folder), MOST_NAMES))
        if len(names) == MOST_NAMES:
            return None
        found.extend(names)
    return found


def holds_secrets(folder: Path, *, hidden: bool = True, follows: bool = False) -> str:
    """The name of a secret that lies in a folder or below it, or of a link out of it that is followed; "" without
    one. What is installed there by others isn't looked at; what is too large to look through may hold one."""
    for seen, name in enumerate(_below_all(folder, hidden)):
        if is_secret(name) or (follows and not _within(real(name, folder), folder.resolve())):
            return name
        if seen == MOST_SEEN:
            return "more than can be looked through" if hidden else ""
    return ""


def _below_all(folder: Path, hidden: bool) -> Iterator[str]:
    """The names of all that lies in a folder, as paths from there, what lies nearest first."""
    waiting = deque([""])
    while waiting:
        above = waiting.popleft()
        try:
            with os.scandir(folder / above) as entries:
                for entry in entries:
                    if hidden or entry.name[0] != ".":
                        yield f"{above}{entry.name}"
                        if entry.is_dir(follow_symlinks=False) and entry.name not in INSTALLED:
                            waiting.append(f"{above}{entry.name}/")
        except OSError:
            continue


def _matches(pattern: str, folder: Path) -> Iterator[str]:
    import glob

    return glob.iglob(  # noqa: PTH207 - a pattern may be absolute, which pathlib refuses
        pattern, root_dir=folder, include_hidden=pattern.rpartition("/")[2].startswith(".")
    )


def _below(path: Path, folder: Path) -> str:
    """The path as it matters for names: what lies above the working folder says nothing of what is in it."""
    return str(path.relative_to(folder)) if path != folder and _within(path, folder) else str(path)


def _within(path: Path, folder: Path) -> bool:
    return path == folder or folder in path.parents
