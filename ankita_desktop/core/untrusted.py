"""What a conversation that has read words from outside may not do without a fresh question.

Results carry ``details["untrusted"]`` (see ``toolkit.untrusted``): pages, servers, strangers' documents. Files of
the folder that the person works in are theirs, a README among them: they chose the folder, and marking it would
make every command of ordinary work a question. The same README fetched from the web is somebody else's.

Pure functions over messages and calls. Visiting an address that stood in the person's words or in what was read
tells nobody anything, since it was written before. One that the model made up may carry what it knows: it is asked
about as soon as the conversation has seen anything of the person's own, such as a file or what a command printed.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path, PurePath
from typing import Any

from ankita_desktop import paths
from ankita_desktop.errors import ToolError
from ankita_desktop.protocol import ApprovalRequest, Message, Preview, ToolCall
from ankita_desktop.toolkit.addresses import Address, listed, read_address

READ = "This conversation has read"
RUN = 24  # characters in a row that are no coincidence

_URL = re.compile(r"https?://[^\s<>\"'`|\\^{}]+", re.I)
_EMAIL = re.compile(r"[\w.+-]+@[\w-]+(?:\.[\w-]+)+")
_NAME = re.compile(r"(?<![\w./@-])(?:[a-z0-9](?:[a-z0-9-]*[a-z0-9])?\.)+[a-z]{2,}(?![\w-])", re.I)
_IP = re.compile(r"(?<![\w.])\d{1,3}(?:\.\d{1,3}){3}(?![\w.])")
_AT = re.compile(r"(?<=@)[\w-]+(?:\.[\w-]+)+")
_PATH = re.compile(
    r"(?<![\w:/.~$-])(?:~|\$\{?HOME\}?|\.{1,2}|[A-Za-z]:)?(?:[\w.@+-]*[/\\])+[\w.@+-]+|(?<![\w./\\])\.[a-z]\w+",
    re.I,
)
_BARE = re.compile(r"(?<![\w./:@-])(?:[a-z0-9-]+\.)+[a-z]{2,}(?::\d+)?(?:/[^\s<>\"'`]*)?", re.I)
_HOME = re.compile(r"^(?:\$\{?HOME\}?|/home/[^/]+|/Users/[^/]+|/root)(?=/)")
# Endings that are files far more often than countries.
_FILES = frozenset(
    "py sh md rs pl js ts json txt toml yaml yml html css cfg ini lock log csv xml go c h cpp java rb so".split()
)
_PROSE = frozenset({".md", ".txt", ".rst", ".html", ".csv", ".org", ".tex"})
_REACHES = re.compile(
    r"\b(curl|wget|nc|ncat|netcat|socat|ssh|scp|sftp|ftp|rsync|telnet|dig|nslookup|host|ping|openssl|mail|sendmail|"
    r"getent|aria2c|lynx|w3m|rclone|gsutil|s3cmd|smbclient|tftp|twine|msmtp|mutt|xdg-open|aws\s+s3|docker\s+push|"
    r"npm\s+publish|gh\s+(api|gist|issue|pr|release)|git\s+(push|fetch|pull|clone|remote|ls-remote|submodule)|urllib|requests|httpx?|aiohttp|socket|fetch|Invoke-\w+|iwr|irm)\b|/dev/(tcp|udp)/",
    re.I,
)
_ADDRESSES = ("url", "urls", "target", "uri", "href", "link")
_HARMLESS = frozenset({"accept", "accept-language", "user-agent"})
_SHOWS_NOTHING = frozenset(
    {"find_tools", "write_todos", "write_file", "create_dir", "job_stop", "notify", "speak"}
)
_WRITING = frozenset({"write_file", "edit_file", "edit_lines", "apply_patch"})
# What is remembered and noted is told to later conversations, in their prompt or when they look for it.
_STANDING = frozenset({"schedule", "watch", "mcp_manage", "connect_app", "remember", "project", "project_memory"})
_LOOKING = frozenset({"list", "show", "history", "search", "check", "status", "use", "brief"})
_INSTRUCTIONS = frozenset({"AGENTS.md", "CLAUDE.md", "SKILL.md", "mcp.json"})


@dataclass(frozen=True, slots=True)
class Heard:
    """``texts`` are (source, text) from outside, oldest first; ``said`` is what the person said; ``agreed`` names
    the places they let something be sent to; ``own`` are hosts that they listed as theirs; ``written`` went into
    files other than prose since the first of ``texts``; ``private``: something of the person's own was seen."""

    texts: tuple[tuple[str, str], ...] = ()
    said: str = ""
    agreed: frozenset[str] = frozenset()
    own: tuple[str, ...] = ()
    written: tuple[str, ...] = ()
    private: bool = False

    @property
    def sources(self) -> str:
        """The newest source, and how many there are besides."""
        names = list(dict.fromkeys(source for source, _ in reversed(self.texts)))
        more = f" and {len(names) - 1} more" if len(names) > 1 else ""
        return f"{names[0]}{more}" if names else ""


def heard(messages: Sequence[Message], allowed: Sequence[ApprovalRequest] = (), own: Sequence[str] = ()) -> Heard:
    """What a conversation has read and agreed to. ``allowed`` are the questions its person said yes to."""
    texts = [(_source(m), m.text) for m in messages if _source(m)]
    if not texts:
        return Heard()
    first = next(n for n, m in enumerate(messages) if _source(m))
    said = "\n".join(m.text for m in messages if m.role == "user" and m.source != "note")
    agreed = {
        place for request in allowed if _was_sending(request) for place in _places(request.call, request.preview)
    }
    written = [text for m in messages[first:] for call in m.calls for text in _code(call)]
    talked = {address.netloc for m in messages if _is_own(m) and (address := _address(_source(m)))}
    private = any(m.role == "tool" and not _source(m) and m.name not in _SHOWS_NOTHING for m in messages)
    return Heard(tuple(texts), said, frozenset(agreed | talked), tuple(own), tuple(written), private)


def _source(message: Message) -> str:
    mark = message.details.get("untrusted")
    return str(mark.get("source", "")) if message.role == "tool" and isinstance(mark, Mapping) else ""


def _is_own(message: Message) -> bool:
    """Whether it is the answer of a service on the person's machine or network that they let us talk to: what it
    asks for isn't theirs, but it may be answered."""
    mark = message.details.get("untrusted")
    return isinstance(mark, Mapping) and bool(mark.get("own"))


def blind(known: Heard, call: ToolCall) -> str:
    """Why not even a name may be looked up before the question: it is one that the model made up, and a name
    server hears it. Empty when nothing is against it."""
    if not known.texts or not known.private:
        return ""
    for address in _addresses(call):
        if address.ip is None and not _expected(known, address) and address.host not in _hosts_read(known):
            return _sending(known, address.netloc)
    return ""


def taint(known: Heard, call: ToolCall, preview: Preview | None, *, server: bool = False) -> str:
    """Why the call needs a fresh question, in words for the person; empty when it doesn't. ``preview`` is None for
    a call that by itself needs no yes, such as a command that only reads. ``server``: the tool is a server's and
    changes something there."""
    if not known.texts:
        return ""
    reason = _standing(known, call, preview)
    if not reason and preview is not None:
        reason = _command(known, call) or _handed_over(known, call, preview, server)
    return reason or _sent(known, call)


# --- what stays -----------------------------------------------------------------------------


def _standing(known: Heard, call: ToolCall, preview: Preview | None) -> str:
    """Rules, routines, memory, servers, instructions: they go on when the conversation is over."""
    action = str(call.arguments.get("action", ""))
    changes = call.name in _STANDING and action not in _LOOKING
    files = [change.path for change in preview.changes] if preview else []
    if changes or any(map(_lasting, files)) or _touches_us(_text_of(call)):
        return f"{READ} {known.sources}, and this would change what happens from now on, without a question."
    return ""


def _lasting(path: str) -> bool:
    file = Path(path)
    return file.name in _INSTRUCTIONS or file.is_relative_to(paths.config()) or file.is_relative_to(paths.data())


def _touches_us(command: str) -> bool:
    ours = (_settled(str(paths.config())), _settled(str(paths.data())))
    return bool(re.search(r"\bankita\s+\w", command)) or any(place in _settled(command) for place in ours)


# --- commands -------------------------------------------------------------------------------


def _text_of(call: ToolCall) -> str:
    """What a shell gets to read: a command with what is handed to it."""
    if call.name == "job_input":
        return str(call.arguments.get("text", ""))
    if call.name != "run_command":
        return ""
    given = (call.arguments.get(name) for name in ("command", "stdin", "env"))
    return "\n".join(leaf for value in given for leaf in _leaves(value))


def _command(known: Heard, call: ToolCall) -> str:
    """A command that carries something from outside, or reaches somewhere that nobody agreed to."""
    command = _text_of(call)
    if not command or command in known.agreed:
        return ""
    # A shell takes quotes out of a name, wherever they stand in it.
    plain = re.sub(r"[\"'\\]", "", command)
    return _reaching(known, command) or (_reaching(known, plain) if plain != command else "")


def _reaching(known: Heard, command: str) -> str:
    for source, text in reversed(known.texts):
        if found := carried(command, text, known.said):
            return f"{READ} {source}, and this command carries “{found}” from there."
    for written in known.written:
        for source, text in reversed(known.texts):
            if found := _named(written, text, known.said):
                return f"{READ} {source}, and this command may run a file that now names “{found}” from there."
    hosts = hosts_in(command)
    named = frozenset() if known.private else hosts_in(known.said)
    if _REACHES.search(command) and not (hosts and hosts <= known.agreed | named):
        return _sending(known, ", ".join(sorted(hosts)) or "another machine")
    return ""


def carried(command: str, text: str, said: str = "") -> str:
    """What ``command`` has from ``text``: a host, an e-mail address, a path or a run of characters; empty when
    nothing, or only what was in ``said``, too."""
    if found := _named(command, text, said):
        return found
    plain = _settled(text)
    for match in _PATH.finditer(command):
        path = _HOME.sub("~", match[0])
        if len(path) > 3 and path in plain and path not in _settled(said):
            return match[0]
    return _run(command, text, said)


def _named(command: str, text: str, said: str) -> str:
    """A host or an e-mail address that both have."""
    ours = hosts_in(command) | {mail.lower() for mail in _EMAIL.findall(command)}
    theirs = _read_names(text)
    return next((name for name in sorted(ours & theirs) if name not in said.lower()), "")


def _settled(text: str) -> str:
    """The text with one name for the home folder."""
    return re.sub(r"\$\{?HOME\}?(?=/)|/home/\w+(?=/)|/Users/\w+(?=/)|/root(?=/)", "~", text)


def _run(command: str, text: str, said: str) -> str:
    one, other, own = (" ".join(part.split()) for part in (command, text, said))
    every = dict.fromkeys(one[n : n + RUN] for n in range(len(one) - RUN + 1))
    pieces = [piece for piece in every if piece not in own]
    if len(pieces) > RUN * 10:  # a long script: one look at each place of the text is cheaper
        there = {other[n : n + RUN] for n in range(len(other) - RUN + 1)}
        return next((piece for piece in pieces if piece in there), "")
    return next((piece for piece in pieces if piece in other), "")


def hosts_in(text: str) -> set[str]:
    """The hosts that a text names, lower case, without ports."""
    found = {address.host for url in _URL.findall(text) if (address := _address(url))}
    found |= {match.lower() for match in (*_AT.findall(text), *_IP.findall(text))}
    names = {name.lower() for name in _NAME.findall(text)}
    return found | {name for name in names if name.rpartition(".")[2] not in _FILES}


@lru_cache(maxsize=512)
def _read_names(text: str) -> frozenset[str]:
    return frozenset(hosts_in(text) | {mail.lower() for mail in _EMAIL.findall(text)})


# --- sending --------------------------------------------------------------------------------


def _sent(known: Heard, call: ToolCall) -> str:
    """A call that tells the host of an address something."""
    carries = _carries(call)
    for address in _addresses(call):
        if not (_agreed(known, address) if carries else _expected(known, address)):
            return _sending(known, address.netloc)
    return ""


def _handed_over(known: Heard, call: ToolCall, preview: Preview, server: bool) -> str:
    """A call that sends without naming an address, such as a push, or a server's tool."""
    sends = server or (preview.effect == "send" and not _addresses(call))
    if not sends or _place(call, preview) in known.agreed:
        return ""
    return _sending(known, call.name if server else preview.where or call.name)


def _sending(known: Heard, place: str) -> str:
    return f"{READ} {known.sources}, and this could send what it knows to {place}. Nobody has agreed to that here."


def _addresses(call: ToolCall) -> list[Address]:
    """The web addresses among the arguments; those without a scheme as the web tools read them."""
    found = []
    for name in _ADDRESSES:
        values = call.arguments.get(name)
        for value in values if isinstance(values, list) else [values]:
            if not isinstance(value, str) or (name not in ("url", "urls") and "://" not in value):
                continue
            if address := _address(value if "://" in value[:12] else f"https://{value}"):
                found.append(address)
    return found


def _carries(call: ToolCall) -> bool:
    """Whether more than an address is sent."""
    given = call.arguments
    method = str(given.get("method", "GET")).upper()
    headers = given.get("headers")
    names = {str(name).lower() for name in headers} if isinstance(headers, dict) else set()
    return (
        method not in ("GET", "HEAD")
        or any(k in given for k in ("json", "form", "body"))
        or not names <= _HARMLESS
    )


def _agreed(known: Heard, address: Address) -> bool:
    return address.netloc in known.agreed or listed(address, "", known.own)


def _expected(known: Heard, address: Address) -> bool:
    """Whether visiting the address tells nothing: it was there before, or its place was agreed to."""
    if address.user or address.password:
        return _agreed(known, address)
    if not known.private or _agreed(known, address) or address.url in _said_urls(known.said):
        return True
    read = [_read_urls(text) for _, text in known.texts]
    if any(address.url in urls for urls in read):
        return True
    return address.target == "/" and address.host in _hosts_read(known)


def _hosts_read(known: Heard) -> frozenset[str]:
    urls = [_said_urls(known.said), *(_read_urls(text) for _, text in known.texts)]
    return frozenset(read_address(url).host for group in urls for url in group)


@lru_cache(maxsize=512)
def _read_urls(text: str) -> frozenset[str]:
    return frozenset(address.url for raw in _URL.findall(text) for address in _variants(raw))


@lru_cache(maxsize=64)
def _said_urls(text: str) -> frozenset[str]:
    """Also what people write without http, by either scheme."""
    bare = {f"{scheme}://{raw}" for raw in _BARE.findall(_URL.sub(" ", text)) for scheme in ("http", "https")}
    return _read_urls(text) | {address.url for raw in bare for address in _variants(raw)}


def _variants(raw: str) -> Iterator[Address]:
    """An address in running text may end before the signs that follow it."""
    for text in {raw, raw.rstrip(".,;:!?*_)]'\""), raw.partition(")")[0], raw.partition("]")[0]}:
        if address := _address(text):
            yield address


def _address(text: str) -> Address | None:
    try:
        return read_address(text)
    except ToolError:
        return None


# --- what was agreed to ---------------------------------------------------------------------


def _was_sending(request: ApprovalRequest) -> bool:
    """A yes to reading a page is none to sending to its host."""
    return READ in request.preview.danger or _carries(request.call) or bool(_text_of(request.call))


def _places(call: ToolCall, preview: Preview) -> set[str]:
    command = _text_of(call)
    if command:
        return {command, *hosts_in(command)} if _REACHES.search(command) else {command}
    return {_place(call, preview), *(address.netloc for address in _addresses(call))}


def _place(call: ToolCall, preview: Preview) -> str:
    return f"{call.name} {preview.where}"


def _code(call: ToolCall) -> Iterator[str]:
    """What a call wrote into a file that could be run."""
    if call.name in _WRITING and PurePath(str(call.arguments.get("path", ""))).suffix.lower() not in _PROSE:
        yield "\n".join(_leaves(call.arguments))


def _leaves(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict | list):
        for inner in value.values() if isinstance(value, dict) else value:
            yield from _leaves(inner)
