"""Conversations from elsewhere: exports of ChatGPT and Claude, and our own.

Each conversation gets an id that is made from its own, so that importing a file twice adds nothing twice.
"""

from __future__ import annotations

import hashlib
import json
import re
import zipfile
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path
from typing import Any

from ankita_desktop.errors import UsageError
from ankita_desktop.protocol import Message, Role, load
from ankita_desktop.store.messages import INDEXED
from ankita_desktop.store.sessions import Sessions
from ankita_desktop.store.text import clean, fold, to_json

LONGEST_FILE = 2_000_000_000
LATEST = 32_503_680_000.0  # the year 3000: what lies after it is no time
FORMS = (
    "an export of ChatGPT or Claude (conversations.json or the .zip), or of `ankita sessions export --format json`"
)


_OUR_ID = re.compile(r"[0-9a-f]{8,64}\Z")


@dataclass(frozen=True, slots=True)
class Foreign:
    """A conversation to be imported. ``messages`` in order, each with the id of the one before it ("" = first);
    ``head`` is the id of the last message of the branch that was shown; ``partly``: some of it can't be read."""

    id: str
    title: str
    created: float
    updated: float
    messages: tuple[tuple[Message, str], ...]
    head: str
    partly: bool = False


@dataclass(frozen=True, slots=True)
class Imported:
    """How many conversations were added (of these, how many without what couldn't be read), were there already,
    had nothing in them, or couldn't be read."""

    added: int = 0
    partly: int = 0
    known: int = 0
    empty: int = 0
    broken: int = 0


class Importing(Sessions):
    """Adds foreign conversations."""

    def import_conversations(self, conversations: Iterable[Foreign | None], *, cwd: str) -> Imported:
        """Add each; None stands for one that could not be read. ``cwd`` is the folder they will be in."""
        counts = {"added": 0, "partly": 0, "known": 0, "empty": 0, "broken": 0}
        for one in conversations:
            done = self._import(one, cwd) if one else "broken"
            counts[done] += 1
            counts["partly"] += done == "added" and one is not None and one.partly
        return Imported(**counts)

    def _import(self, one: Foreign, cwd: str) -> str:
        if not one.messages:
            return "empty"
        if self.row("SELECT 1 FROM sessions WHERE id = ?", (one.id,)):
            return "known"
        with self.write() as connection:
            connection.execute(
                """INSERT INTO sessions (id, title, cwd, mode, model, created, updated)
                   VALUES (?, ?, ?, 'ask', '', ?, ?)""",
                (one.id, clean(one.title), cwd, one.created, one.updated),
            )
            seqs: dict[str, int | None] = {"": None}
            for message, parent in one.messages:
                seqs[message.id] = connection.execute(
                    "INSERT INTO messages (session, id, parent, created, body) VALUES (?, ?, ?, ?, ?)",
                    (one.id, message.id, seqs[parent], message.created, to_json(message)),
                ).lastrowid
                if message.text and message.source != "note":
                    words = (seqs[message.id], fold(message.text[:INDEXED]))
                    connection.execute("INSERT INTO search (rowid, body) VALUES (?, ?)", words)
            connection.execute("UPDATE sessions SET head = ? WHERE id = ?", (seqs[one.head], one.id))
        return "added"


def read_export(file: Path) -> Iterator[Foreign | None]:
    """The conversations of a file, one after the other; None for each that can't be read. Raises ``UsageError``
    when the file is none of the known forms."""
    found = False
    for content in _contents(file):
        for item in _items(content):
            found = True
            yield _read(item)
    if not found:
        raise UsageError(f"{file} holds no conversations. It takes {FORMS}.")


def _contents(file: Path) -> Iterator[Any]:
    try:
        if zipfile.is_zipfile(file):
            with zipfile.ZipFile(file) as archive:
                names = [name for name in archive.namelist() if Path(name).match("conversations*.json")]
                for name in sorted(names):
                    if archive.getinfo(name).file_size > LONGEST_FILE:
                        raise UsageError(f"{name} in {file} is larger than 2 GB.")
                    yield json.loads(archive.read(name))
        else:
            yield json.loads(file.read_bytes())
    except (OSError, zipfile.BadZipFile, RuntimeError, NotImplementedError) as error:
        # RecursionError is a RuntimeError, as is an archive with a password.
        raise UsageError(f"{file} can't be read: {error}.") from error
    except ValueError as error:
        raise UsageError(f"{file} is no JSON ({error}). It takes {FORMS}.") from error


def _items(content: Any) -> list[Any]:
    if isinstance(content, dict):
        content = content.get("conversations") or [content]
    if not isinstance(content, list):
        return []
    kinds = ("mapping", "chat_messages", "messages")
    return content if any(isinstance(one, dict) and any(k in one for k in kinds) for one in content) else []


def _read(item: Any) -> Foreign | None:
    try:
        if "mapping" in item:
            return _chatgpt(item)
        return _claude(item) if "chat_messages" in item else _own(item)
    except (AttributeError, IndexError, KeyError, OverflowError, TypeError, ValueError, RecursionError):
        return None


# --- ChatGPT --------------------------------------------------------------------------------


def _chatgpt(item: dict[str, Any]) -> Foreign:
    """A tree of nodes; those without words of a person or the assistant are passed over."""
    nodes: dict[str, Any] = {key: node for key, node in item["mapping"].items() if isinstance(node, dict)}
    created = _moment(item.get("create_time"), 0.0)
    said: dict[str, Message] = {}
    for key, node in nodes.items():
        if message := _chatgpt_message(key, node.get("message"), created):
            said[key] = message
    order = [key for key in _from_the_root(nodes) if key in said]
    parents = {key: _said_before(nodes, key, said) for key in order}
    head = item.get("current_node") or ""
    head = head if head in said else _said_before(nodes, head, said) if head in nodes else ""
    return Foreign(
        _own_id("chatgpt", item.get("conversation_id") or item.get("id") or json.dumps(sorted(nodes))),
        str(item.get("title") or "Imported from ChatGPT"),
        created,
        _moment(item.get("update_time"), created),
        tuple((said[key], parents[key]) for key in order),
        head or (order[-1] if order else ""),
        partly=len(nodes) < len(item["mapping"]),
    )


def _from_the_root(nodes: dict[str, Any]) -> list[str]:
    """The keys, parents before children; a circle is cut."""
    order: dict[str, None] = {}
    waiting = [key for key, node in nodes.items() if not node.get("parent") or node["parent"] not in nodes][::-1]
    while waiting:
        key = waiting.pop()
        if key not in order and key in nodes:
            order[key] = None
            waiting += reversed(nodes[key].get("children") or [])
    return list(order)


def _said_before(nodes: dict[str, Any], key: str, said: dict[str, Message]) -> str:
    seen = {key}
    parent = nodes[key].get("parent")
    while parent in nodes and parent not in said and parent not in seen:
        seen.add(parent)
        parent = nodes[parent].get("parent")
    return parent if parent in said and parent != key else ""


def _chatgpt_message(key: str, message: Any, created: float) -> Message | None:
    if not isinstance(message, dict) or _part(message, "metadata").get("is_visually_hidden_from_conversation"):
        return None
    role, to_all = _part(message, "author").get("role"), message.get("recipient") in (None, "all")
    text = _parts(_part(message, "content"))
    if role not in ("user", "assistant") or not to_all or not text:
        return None
    return _message(role, text, key, _moment(message.get("create_time"), created))


def _part(whole: dict[str, Any], name: str) -> dict[str, Any]:
    found = whole.get(name)
    return found if isinstance(found, dict) else {}


def _parts(content: dict[str, Any]) -> str:
    parts = content.get("parts") or [content.get("text") or ""]
    texts = [part if isinstance(part, str) else _other_part(part) for part in parts]
    return "\n\n".join(text.strip() for text in texts if text and text.strip())


def _other_part(part: Any) -> str:
    if not isinstance(part, dict):
        return ""
    kind = str(part.get("content_type", ""))
    return str(part.get("text") or "") or ("[image]" if "image" in kind else "[audio]" if "audio" in kind else "")


# --- Claude ---------------------------------------------------------------------------------


def _claude(item: dict[str, Any]) -> Foreign:
    created = _moment(item.get("created_at"), 0.0)
    times = (created, _moment(item.get("updated_at"), created))
    said = [_claude_message(str(n), one, created) for n, one in enumerate(item["chat_messages"] or ())]
    identity = item.get("uuid") or json.dumps(item, sort_keys=True)
    title = str(item.get("name") or "Imported from Claude")
    found = _in_a_row(_own_id("claude", identity), title, [one for one in said if one and one.text], times)
    return replace(found, partly=None in said)


def _claude_message(number: str, one: Any, created: float) -> Message | None:
    """A message, perhaps without words; None when it can't be read."""
    roles: dict[Any, Role] = {"human": "user", "user": "user", "assistant": "assistant"}
    role = roles.get(one.get("sender")) if isinstance(one, dict) else None
    if not role:
        return None
    return _message(
        role, _claude_text(one), str(one.get("uuid") or number), _moment(one.get("created_at"), created)
    )


def _claude_text(one: dict[str, Any]) -> str:
    content = [block for block in one.get("content") or [] if isinstance(block, dict)]
    blocks = [str(block.get("text") or "").strip() for block in content if block.get("type") == "text"]
    text = "\n\n".join(block for block in blocks if block) or str(one.get("text") or "").strip()
    files = [*(one.get("attachments") or []), *(one.get("files") or [])]
    names = [str(file.get("file_name") or "a file") for file in files if isinstance(file, dict)]
    return "\n".join([text, *(f"[attached: {name}]" for name in names)]).strip()


# --- our own --------------------------------------------------------------------------------


def _own(item: dict[str, Any]) -> Foreign:
    session = item["session"]
    messages = [load(Message, one) for one in item["messages"]]
    messages = [replace(one, created=_moment(one.created, 0.0)) for one in messages]
    times = (_moment(session.get("created"), 0.0), _moment(session.get("updated"), 0.0))
    identity = str(session["id"])
    identity = identity if _OUR_ID.match(identity) else _own_id("own", identity)
    return _in_a_row(identity, str(session.get("title") or ""), messages, times)


def _in_a_row(identity: str, title: str, messages: Sequence[Message], times: tuple[float, float]) -> Foreign:
    kept: dict[str, Message] = {}
    for message in messages:
        key = message.id if message.id not in kept else f"{message.id}-{len(kept)}"
        kept[key] = replace(message, id=key)
    parents = ["", *kept]
    rows = tuple(zip(kept.values(), parents, strict=False))
    return Foreign(identity, title, *times, rows, parents[-1])


def _message(role: Role, text: str, key: str, created: float) -> Message:
    return Message(role, clean(text), id=key[:64], created=created)


def _own_id(source: str, identity: Any) -> str:
    return hashlib.sha256(f"{source}:{identity}".encode("utf-8", "replace")).hexdigest()[:16]


def _moment(value: Any, default: float) -> float:
    """A time as seconds or in ISO 8601; ``default`` when there is none that can be."""
    try:
        is_number = isinstance(value, (int, float)) and not isinstance(value, bool)
        moment = (
            float(value) if is_number else datetime.fromisoformat(str(value).replace("Z", "+00:00")).timestamp()
        )
    except (ValueError, OverflowError):
        return default
    return moment if 0 <= moment <= LATEST else default
