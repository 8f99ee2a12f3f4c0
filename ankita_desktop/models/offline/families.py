"""Families of sentences, as files describe them. The format stands at the top of ``assets/intents/en.yaml``."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from ankita_desktop.errors import ConfigError
from ankita_desktop.models.offline import slots

Step = Mapping[str, Mapping[str, Any]]


@dataclass(frozen=True, slots=True)
class Family:
    """Sentences that mean the same, and what is done about them.

    ``do`` are the calls in order, ``instead`` those used when the first tool isn't there; ``recipe`` names a
    function of ``recipes`` that does it in steps; ``say`` is a spoken answer; ``tell`` words a result,
    ``nothing`` an empty one. ``looks``: its commands change nothing. ``talk``: small talk.
    """

    name: str
    can: str = ""
    example: str = ""
    do: tuple[Step, ...] = ()
    instead: tuple[Step, ...] = ()
    recipe: str = ""
    say: str = ""
    tell: str = ""
    nothing: str = ""
    kinds: Mapping[str, str] = field(default_factory=dict)
    looks: bool = False
    talk: bool = False


_KEYS = frozenset(Family.__dataclass_fields__) - {"name"} | {"sentences", "fixed", "also"}
_PARTS = {"slots": dict, "rules": dict, "families": dict}


@dataclass(frozen=True, slots=True)
class Sentences:
    """One file: kinds of slots by name, rules by name, families, and per family the blocks for hassil."""

    kinds: Mapping[str, str]
    rules: Mapping[str, str]
    families: Mapping[str, Family]
    blocks: Mapping[str, list[dict[str, Any]]]


def load(file: Path, recipes: Collection[str]) -> Sentences:
    """Read a file. Raises ``ConfigError`` that says what is wrong and how it should be."""
    content = _content(file)
    families = {name: _family(name, about, recipes) for name, about in content.get("families", {}).items()}
    blocks = {name: _blocks(name, about) for name, about in content.get("families", {}).items()}
    _check_kinds(content.get("slots", {}))
    return Sentences(content.get("slots", {}), content.get("rules", {}), families, blocks)


def _content(file: Path) -> dict[str, Any]:
    import yaml  # type: ignore[import-untyped]

    try:
        content = yaml.load(file.read_text(encoding="utf-8"), getattr(yaml, "CSafeLoader", yaml.SafeLoader))
    except (OSError, UnicodeDecodeError, yaml.YAMLError) as error:
        raise ConfigError(f"it can't be read: {error}") from error
    if not isinstance(content, dict):
        raise ConfigError("it must hold keys such as families, slots and rules; see assets/intents/en.yaml.")
    for key, value in content.items():
        if not isinstance(value, _PARTS.get(key, ())):
            raise ConfigError(f"its key {key} must be one of families, slots, rules, and hold names with values.")
    return content


def _family(name: Any, about: Any, recipes: Collection[str]) -> Family:
    if not isinstance(name, str):
        raise ConfigError(f"the family name {name} must be in quotes, since YAML reads it as a value.")
    if not isinstance(about, dict) or not isinstance(about.get("sentences"), list):
        raise ConfigError(f"the family {name} needs sentences, a list.")
    unknown = set(about) - _KEYS
    if unknown:
        raise ConfigError(f"the family {name} has an unknown key: {', '.join(sorted(unknown))}.")
    parts = {key: value for key, value in about.items() if key in Family.__dataclass_fields__}
    steps = {key: _steps(name, about.get(key)) for key in ("do", "instead")}
    family = Family(**{**parts, **steps, "name": name})
    _check_kinds(family.kinds)
    if family.recipe and family.recipe not in recipes:
        raise ConfigError(f"the family {name}: there is no recipe named {family.recipe}.")
    if not (family.do or family.recipe or family.say):
        raise ConfigError(f"the family {name} does nothing: give it do, say or recipe.")
    return family


def _steps(name: str, written: Any) -> tuple[Step, ...]:
    steps = tuple(written) if isinstance(written, list) else (written,) if written else ()
    for step in steps:
        if not isinstance(step, dict) or len(step) != 1 or not isinstance(next(iter(step.values())), dict):
            raise ConfigError(f"the family {name}: a call is written {{TOOL: {{ARGUMENT: VALUE}}}}.")
    return steps


def _blocks(name: str, about: Mapping[str, Any]) -> list[dict[str, Any]]:
    blocks = [about, *about.get("also", ())]
    for block in blocks:
        sentences = block.get("sentences")
        if not isinstance(sentences, list) or not all(isinstance(text, str) for text in sentences):
            raise ConfigError(f"the family {name}: sentences is a list of texts.")
    return [{"sentences": block["sentences"], "slots": block.get("fixed", {})} for block in blocks]


def _check_kinds(kinds: Mapping[str, str]) -> None:
    wrong = sorted({str(kind) for kind in kinds.values()} - set(slots.KINDS))
    if wrong:
        raise ConfigError(f"unknown kind of slot: {', '.join(wrong)}. Kinds are {', '.join(slots.KINDS)}.")
