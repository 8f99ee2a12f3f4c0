"""Reads a SKILL.md: front matter and text, in the form of the Agent Skills specification.

Reading is lenient, since many files in use break the rules: a header that is no YAML is read line by line. Effect
is strict: what a broken header seems to allow counts for nothing.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

LONGEST_HEADER = 16_000
LONGEST_FILE = 2_000_000
NAME, DESCRIPTION, COMPATIBILITY = 64, 1024, 500

FIELDS = ("name", "description", "license", "compatibility", "metadata", "allowed-tools", "suggested-tools")
_FENCE = re.compile(r"\A\s*---[ \t]*\n(?P<header>.*?)\n?^---[ \t]*(?:\n|\Z)", re.S | re.M)
_KEY = re.compile(r"^(?P<key>[A-Za-z][\w-]*)[ \t]*:[ \t]*(?P<value>.*)$")
_NAME = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*\Z")


@dataclass(frozen=True, slots=True)
class Skill:
    """One skill: what its header says and where it stands. ``source``: bundled, own, agents or project.

    ``problems`` are where it departs from the specification; ``broken``: its header had to be guessed.
    """

    name: str
    description: str
    file: Path
    source: str = "own"
    license: str = ""
    compatibility: str = ""
    metadata: dict[str, str] = field(default_factory=dict)
    allowed_tools: tuple[str, ...] = ()
    suggested_tools: tuple[str, ...] = ()
    problems: tuple[str, ...] = ()
    broken: bool = False

    @property
    def folder(self) -> Path:
        return self.file.parent


def read_skill(file: Path, source: str = "own") -> Skill:
    """The skill in ``file``. Raises ``OSError`` when it can't be read; any text makes a skill."""
    header, body = split(text_of(file))
    fields, problems = ({}, ["it has no front matter"]) if header is None else _fields(header)
    broken = bool(problems)
    name = " ".join(_text(fields.get("name")).split())[: 2 * NAME] or file.parent.name
    description = " ".join(_text(fields.get("description")).split())
    return Skill(
        name=name,
        description=description or _first_words(body),
        file=file,
        source=source,
        license=_text(fields.get("license")),
        compatibility=_text(fields.get("compatibility")),
        metadata=_mapping(fields.get("metadata")),
        allowed_tools=() if broken else _names(fields.get("allowed-tools")),
        suggested_tools=() if broken else _names(fields.get("suggested-tools")),
        problems=tuple(problems + _departures(fields, file)),
        broken=broken,
    )


def text_of(file: Path) -> str:
    """A file's text with plain line ends, whatever its encoding."""
    with file.open("rb") as opened:
        content = opened.read(LONGEST_FILE)
    text = content.decode("utf-8-sig", "replace")
    return text.replace("\r\n", "\n").replace("\r", "\n")


def split(text: str) -> tuple[str | None, str]:
    """Front matter (None: there is none) and the text after it."""
    found = _FENCE.match(text)
    if found is None:
        return None, text.strip()
    return found["header"][:LONGEST_HEADER], text[found.end() :].strip()


def _fields(header: str) -> tuple[dict[str, Any], list[str]]:
    import yaml  # type: ignore[import-untyped]

    try:
        fields = yaml.load(header, getattr(yaml, "CSafeLoader", yaml.SafeLoader))
    except (yaml.YAMLError, ValueError, RecursionError) as error:
        what = str(getattr(error, "problem", None) or error).partition("\n")[0]
        return _by_lines(header), [f"its front matter is not valid YAML ({what}); quote values that hold a colon"]
    if not isinstance(fields, dict):
        return {}, ["its front matter is no list of names with values"]
    return {str(key): value for key, value in fields.items()}, []


def _by_lines(header: str) -> dict[str, Any]:
    """``key: the rest of the line``, with indented lines that go on; what a person meant who wrote no YAML."""
    fields: dict[str, Any] = {}
    key = ""
    for line in header.split("\n"):
        found = _KEY.match(line)
        if found:
            key = found["key"]
            fields[key] = found["value"].strip().strip("\"'|>").strip()
        elif key and line[:1] in (" ", "\t"):
            fields[key] = f"{fields[key]} {line.strip()}".strip()
    return fields


def _departures(fields: dict[str, Any], file: Path) -> list[str]:
    """Where a header departs from the specification, one sentence each."""
    name, description = _text(fields.get("name")), _text(fields.get("description"))
    unknown = sorted(set(fields) - set(FIELDS))
    metadata = fields.get("metadata")
    checks = (
        (not name, "name is missing"),
        (bool(name) and not _NAME.match(name), "name has other characters than a-z, 0-9 and single hyphens"),
        (len(name) > NAME, f"name is longer than {NAME} characters"),
        (bool(name) and name != file.parent.name, f"name is {name}, but its folder is {file.parent.name}"),
        (not description, "description is missing"),
        (len(description) > DESCRIPTION, f"description is longer than {DESCRIPTION} characters"),
        (
            len(_text(fields.get("compatibility"))) > COMPATIBILITY,
            f"compatibility is over {COMPATIBILITY} characters",
        ),
        (bool(metadata) and not isinstance(metadata, dict), "metadata is no list of names with values"),
        (bool(unknown), f"unknown fields: {', '.join(unknown)}"),
    )
    return [text for wrong, text in checks if wrong]


def _text(value: Any) -> str:
    return "" if value is None or isinstance(value, dict) else str(value).strip()


def _mapping(value: Any) -> dict[str, str]:
    return {str(key): _text(one) for key, one in value.items()} if isinstance(value, dict) else {}


def _names(value: Any) -> tuple[str, ...]:
    """Tool names as a list or as one text, apart by spaces or commas; rules in brackets stay with their name."""
    if isinstance(value, list):
        return tuple(_text(one) for one in value if _text(one))
    return tuple(re.findall(r"[^\s,(]+(?:\([^)]*\))?", _text(value)))


def _first_words(body: str) -> str:
    lines = (line.strip().lstrip("#").strip() for line in body.split("\n"))
    return next((line for line in lines if line), "")[:200]
