"""What may stand in a slot of a sentence."""

from __future__ import annotations

import re
import shlex
from collections.abc import Callable, Mapping
from typing import Any

_WORDS = {
    "zero": 0, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9,
    "ten": 10, "eleven": 11, "twelve": 12, "thirteen": 13, "fourteen": 14, "fifteen": 15, "sixteen": 16,
    "seventeen": 17, "eighteen": 18, "nineteen": 19, "twenty": 20, "thirty": 30, "forty": 40, "fifty": 50,
    "first": 1, "second": 2, "third": 3, "fourth": 4, "fifth": 5, "sixth": 6, "seventh": 7, "eighth": 8,
    "ninth": 9, "tenth": 10, "a": 1, "an": 1, "couple": 2, "a couple of": 2, "few": 3, "a few": 3,
    "dozen": 12, "a dozen": 12, "hundred": 100, "a hundred": 100,
}  # fmt: skip
_NUMBER = re.compile(r"[#:]?(\d{1,9})(?:st|nd|rd|th)?")
_EXTENSION = re.compile(r"\.\w{1,10}$")
_URL = re.compile(r"(?:https?://)?(?:localhost|[\w-]+(?:\.[\w-]+)+|\[[0-9a-f:]+\])(?::\d+)?(?:[/?#]\S*)?", re.I)
_NOT_IN_PATHS = re.compile(
    r"(?:^|\s)(?:and|with|to|from|of|for|the|is|are|my|all|lines?|that|by|as|after|before|then|an|called|named|it|in)"
    r"(?=\s|$)|^(?:a|up|out|me|file|folder)\s",
    re.I,
)
POINTERS = frozenset(
    (
        *("it", "that", "this", "them", "those", "that one", "this one", "the same", "the same one"),
        *("that file", "this file", "the file", "same file", "the same file", "that folder", "the folder"),
    )
)
THERE = frozenset(("here", "there", "this folder", "the current folder", "current folder", "this directory"))
HERE = "."


class Pointer(str):
    """Something said as "it" or "that file": the history knows which is meant. ``about`` is path or branch."""

    about = "path"


class BranchPointer(Pointer):
    about = "branch"


# What names no one file: nothing is done to "everything" because a person said it of something.
_MANY = re.compile(r"(?:everything|anything|all|any|every|each|both|some|most)(?:\s|\Z)", re.I)


def path(said: str, *, quoted: bool) -> str | None:
    """A file or folder name. Unquoted ones may hold spaces only when they end like a file name."""
    if quoted:
        return said or None
    low = said.lower()
    if low in POINTERS:
        return Pointer(said)
    if low in THERE:
        return HERE
    if "://" in said or said.startswith("-") or _MANY.match(said):
        return None
    if not re.search(r"\s", said):
        return said
    if _EXTENSION.search(said) and not re.search(r"[\n*]", said) and not _NOT_IN_PATHS.search(said):
        return said
    return None


def alone(said: str, *, quoted: bool) -> str | None:
    """A file's name and nothing else: "notes.txt" typed by itself."""
    is_name = _EXTENSION.search(said) and not re.search(r"\s|[*?<>|]", said)
    return path(said, quoted=quoted) if is_name else None


_DOCUMENT = re.compile(r"\.(?:pdf|docx|xlsx|pptx|odt|ods|odp|epub|ipynb)$", re.I)
_ARCHIVE = re.compile(r"\.(?:zip|tar|tgz|tbz2|txz|tar\.gz|tar\.bz2|tar\.xz|gz|bz2|xz)$", re.I)


def document(said: str, *, quoted: bool) -> str | None:
    """A path that is plainly a document's."""
    return path(said, quoted=quoted) if _DOCUMENT.search(said) else None


def archive(said: str, *, quoted: bool) -> str | None:
    """A path that is plainly an archive's."""
    return path(said, quoted=quoted) if _ARCHIVE.search(said) else None


_KNOWN_FILES = frozenset(
    (
        "makefile",
        "dockerfile",
        "readme",
        "license",
        "changelog",
        "todo",
        "notes",
        "gemfile",
        "procfile",
        "justfile",
    )
)


def file(said: str, *, quoted: bool) -> str | None:
    """A path that plainly is a file's: by its ending, its folder, a leading dot, or a usual name."""
    low = said.lower()
    plain = quoted or "/" in said or said[:1] in (".", "~") or low in _KNOWN_FILES or low in POINTERS
    return path(said, quoted=quoted) if plain or _EXTENSION.search(said) else None


def folder(said: str, *, quoted: bool) -> str | None:
    """A folder's name; "this" is the one we work in."""
    if not quoted and said.lower() in ("this", "the", "current", "the current", "this current", "my"):
        return HERE
    return None if "*" in said and not quoted else path(said, quoted=quoted)


def pair(said: str, *, quoted: bool) -> tuple[str, str] | None:
    """Two names in a row, either of them in quotes."""
    try:
        names = shlex.split(said) if not quoted else []
    except ValueError:
        return None
    return (names[0], names[1]) if len(names) == 2 else None


def number(said: str, *, quoted: bool) -> int | None:
    found = _NUMBER.fullmatch(said)
    return int(found[1]) if found else _WORDS.get(said.lower())


# Endings of files that no address of a site has.
_FILES_ONLY = re.compile(
    r"\.(?:pdf|docx?|xlsx?|pptx?|od[tsp]|epub|ipynb|csv|tsv|txt|log|jsonl?|html?|xml|ya?ml|toml|ini|css|js|ts|java|cpp|png|jpe?g"
    r"|gif|webp|svg|mp3|mp4|wav|zip|tar|gz|tgz|bz2|xz|patch|diff)$",
    re.I,
)


def url(said: str, *, quoted: bool) -> str | None:
    """An address; ``https://`` (``http://`` for this machine) is put in front where it is absent."""
    if not _URL.fullmatch(said):
        return None
    if "://" in said:
        return said
    if _FILES_ONLY.search(said) and "/" not in said:
        return None
    local = re.match(r"localhost|127\.|\[|10\.|192\.168\.", said)
    return ("http://" if local else "https://") + said


_REPOSITORY = re.compile(r"(?:https?://[\w.-]+/)?[\w-][\w.-]*/[\w.-]+?(?:\.git)?/?")


def repository(said: str, *, quoted: bool) -> str | None:
    """A repository as owner/name, or its address."""
    return said if _REPOSITORY.fullmatch(said) else None


def titled(said: str, *, quoted: bool) -> tuple[str, str] | None:
    """A repository and what is said of it, with a colon between: "octocat/hello-world: It fails"."""
    name, colon, rest = said.partition(": ")
    found = repository(name.strip(), quoted=False)
    return (found, rest.strip()) if colon and found and rest.strip() else None


_IMAGES = "{png,jpg,jpeg,gif,webp,svg}"


def extension(said: str, *, quoted: bool) -> str | None:
    """A file ending, or the name of a kind of file: ``py`` for "*.py", ".py", "py" and "Python"."""
    low = said.lower().removeprefix("*").removeprefix(".")
    kinds = {
        "python": "py", "markdown": "md", "text": "txt", "javascript": "js", "typescript": "ts", "rust": "rs",
        "yaml": "yaml", "shell": "sh", "word": "docx", "excel": "xlsx", "image": _IMAGES, "picture": _IMAGES,
        "photo": _IMAGES, "images": _IMAGES, "pictures": _IMAGES, "photos": _IMAGES,
    }  # fmt: skip
    if low in kinds:
        return kinds[low]
    if low.endswith("s") and low[:-1] in _COMMON_ENDINGS:  # "my pdfs"
        return low[:-1]
    return low if re.fullmatch(r"[\w.+-]{1,12}", low) else None


_COMMON_ENDINGS = frozenset(
    (
        *("c", "cpp", "css", "csv", "docx", "go", "h", "html", "java", "jpeg", "jpg", "js", "json", "log", "md"),
        *("pdf", "png", "py", "rs", "sh", "svg", "toml", "ts", "txt", "xlsx", "xml", "yaml", "yml"),
    )
)


def file_type(said: str, *, quoted: bool) -> str | None:
    """A file ending that is said to be one: ".py", "*.py", or a kind such as "Python"; not any word."""
    ending = extension(said, quoted=quoted)
    if ending is None:
        return None
    return ending if said.startswith((".", "*.")) or ending in {*_COMMON_ENDINGS, _IMAGES} else None


def named(said: str, *, quoted: bool) -> tuple[str, str] | None:
    """Whose it is and what is said of it: "Garden: the fence is wet"; "this project" is no name."""
    found = None if quoted else re.fullmatch(r"(?P<name>[^:\n]{1,40}):\s+(?P<text>.+)", said, re.S)
    name = found["name"].strip() if found else ""
    is_pointed = name.lower() in (
        "",
        "project",
        "this",
        "it",
        "me",
        "later",
        "this project",
        "the project",
        "my project",
    )
    return None if found is None or is_pointed else (name, found["text"].strip())


def word(said: str, *, quoted: bool) -> str | None:
    """One word without spaces, such as a branch, a commit or a job."""
    return said if said and (quoted or not re.search(r"\s", said)) else None


def branch(said: str, *, quoted: bool) -> str | None:
    return (
        BranchPointer(said)
        if said.lower() in ("it", "that", "that branch", "there")
        else word(said, quoted=quoted)
    )


def text(said: str, *, quoted: bool) -> str | None:
    """Anything at all."""
    return said if quoted else (said.strip() or None)


def time(said: str, *, quoted: bool) -> str | None:
    """A time in words, such as "tomorrow at 9" or "10 minutes"."""
    from ankita_desktop.models.offline.times import is_time

    return said if is_time(said.split()) else None


def timed(said: str, *, quoted: bool) -> tuple[str, str] | None:
    """What and when, in either order."""
    from ankita_desktop.models.offline.times import split

    return None if quoted else split(said)


def repeated(said: str, *, quoted: bool) -> tuple[str, str] | None:
    """What and how often, in either order."""
    from ankita_desktop.models.offline.times import split_repeating

    return None if quoted else split_repeating(said)


_PROGRAMS = frozenset(
    (
        *(
            "apt",
            "apt-get",
            "awk",
            "bash",
            "brew",
            "bun",
            "cargo",
            "cat",
            "cmake",
            "composer",
            "cp",
            "curl",
            "deno",
        ),
        *("df", "diff", "dnf", "docker", "docker-compose", "dotnet", "du", "echo", "flatpak", "gcc", "gh", "go"),
        *("gradle", "grep", "head", "java", "jq", "kubectl", "ls", "make", "mvn", "mypy", "node", "npm", "npx"),
        *("pip", "pip3", "pnpm", "podman", "poetry", "ps", "pytest", "python", "python3", "rg", "rsync", "ruby"),
        *(
            "ruff",
            "scp",
            "sed",
            "sh",
            "snap",
            "sort",
            "ssh",
            "sudo",
            "systemctl",
            "tail",
            "tar",
            "terraform",
            "tox",
        ),
        *("uname", "uv", "wc", "wget", "winget", "yarn", "zsh"),
    )
)
_OPTION_OR_PATH = re.compile(r"-|[\w./~-]*[./=~][\w./~-]*$")
_USUAL = frozenset(
    "install build test tests run start update upgrade list ls status dev check clean up ps".split()
)


def shell(said: str, *, quoted: bool) -> str | None:
    """A command as it is typed into a terminal: a program's name, then a usual verb, or an option or a path."""
    program, *rest = said.split()
    is_typed = rest and (rest[0] in _USUAL or any(_OPTION_OR_PATH.match(word) for word in rest))
    return said if program in _PROGRAMS and is_typed and not quoted else None


def mail(said: str, *, quoted: bool) -> str | None:
    """A mail address."""
    return said if re.fullmatch(r"[\w.+-]+@[\w-]+(?:\.[\w-]+)+", said) else None


def mailed(said: str, *, quoted: bool) -> tuple[str, str] | None:
    """An address and what is written to it: "ann@example.com: See you"."""
    name, colon, rest = said.partition(": ")
    return (name, rest.strip()) if colon and mail(name, quoted=False) and rest.strip() else None


_APPS = frozenset(
    (
        *("browser", "web browser", "calculator", "calendar", "camera", "chrome", "chromium", "code", "editor"),
        *("email", "excel", "firefox", "gimp", "inkscape", "libreoffice", "mail", "mail program", "maps"),
        *("music player", "notepad", "outlook", "paint", "photos", "safari", "settings", "slack", "spotify"),
        *("spreadsheet", "steam", "system settings", "task manager", "terminal", "text editor", "thunderbird"),
        *("video player", "vlc", "vs code", "vscode", "word", "zoom"),
    )
)


def app(said: str, *, quoted: bool) -> str | None:
    """A program of the desktop that most people know by its name."""
    return said if said.lower() in _APPS else None


def sum_(said: str, *, quoted: bool) -> str | None:
    from ankita_desktop.models.offline.sums import looks_like_sum

    return said if looks_like_sum(said) else None


KINDS: Mapping[str, Callable[..., Any]] = {
    "path": path,
    "file": file,
    "folder": folder,
    "document": document,
    "archive": archive,
    "alone": alone,
    "pair": pair,
    "number": number,
    "url": url,
    "repository": repository,
    "titled": titled,
    "extension": extension,
    "type": file_type,
    "named": named,
    "word": word,
    "branch": branch,
    "text": text,
    "sum": sum_,
    "shell": shell,
    "app": app,
    "mail": mail,
    "mailed": mailed,
    "time": time,
    "timed": timed,
    "repeated": repeated,
}

_SITE = re.compile(
    r"://|^localhost|\.(?:com|org|net|edu|gov|io|dev|app|ai|co|de|uk|fr|in|eu|info|me)(?:$|[/:?#])", re.I
)


def fits(kind: str, value: object) -> int:
    """How much a value looks like its kind, where a sentence alone leaves open which one is meant."""
    if kind == "url":
        return 2 if _SITE.search(str(value).removeprefix("https://")) or "://" in str(value)[8:] else 0
    if kind in ("document", "archive", "mail", "app"):
        return 2
    if kind in ("type", "time", "named"):
        return 1
    if kind in ("path", "file", "alone"):
        return int(bool(_EXTENSION.search(str(value))))
    return int(kind == "folder" and not _EXTENSION.search(str(value)))
