"""The sentences the offline model understands: families read from YAML, matched by hassil.

The format of the files is described at the top of ``assets/intents/en.yaml``.
"""

from __future__ import annotations

import threading
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ankita_desktop.errors import ConfigError
from ankita_desktop.models.offline import slots
from ankita_desktop.models.offline.hearing import Heard

if TYPE_CHECKING:
    from hassil.intents import Intents
    from hassil.models import MatchEntity

Step = Mapping[str, Mapping[str, Any]]


@dataclass(frozen=True, slots=True)
class Family:
    """Sentences that mean the same, and what is done about them.

    ``do`` are the calls in order, ``instead`` those used when the first tool isn't there; ``recipe`` names a
    function of ``recipes`` that does it in steps; ``say`` is a spoken answer; ``tell`` words a result;
    ``looks``: its commands change nothing; ``talk``: small talk.
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


@dataclass(frozen=True, slots=True)
class Reading:
    """One way to understand a sentence. ``score`` is the length of what matched word for word."""

    family: Family
    values: Mapping[str, Any]
    score: int
    said: str
    fit: int = 0

    @property
    def rank(self) -> tuple[int, int, int]:
        return self.score, self.fit, -len(self.values)


class Grammar:
    """All families of some files. Parsed on first use; thread-safe."""

    def __init__(self, files: Sequence[Path]) -> None:
        self._files = files
        self._lock = threading.Lock()
        self._families: dict[str, Family] = {}
        self._kinds: dict[str, str] = {}
        self._intents: Intents | None = None

    @property
    def families(self) -> Mapping[str, Family]:
        """By name, in the order of the files. Raises ``ConfigError`` on a file that can't be read."""
        self._parsed()
        return self._families

    def read(self, heard: Heard) -> Reading | None:
        """The best way to understand the sentence, None when there is none."""
        return max(self._readings(heard), key=lambda reading: reading.rank, default=None)

    def _readings(self, heard: Heard) -> Iterable[Reading]:
        from hassil.recognize import recognize_all

        if not heard.tokens:
            return
        for result in recognize_all(heard.masked, self._parsed()):
            family = self._families[result.intent.name]
            spans = {entity.name: entity.text_span for entity in result.entities_list}
            fixed = {e.name: self._fixed(family, e) for e in result.entities_list if not e.is_wildcard}
            values = self._values(heard, family, {k: s for k, s in spans.items() if s and k not in fixed})
            if values is not None:
                fit = sum(slots.fits(self._kind(family, name), value) for name, value in values.items())
                yield Reading(family, {**fixed, **values}, result.text_chunks_matched, heard.words, fit)

    def _kind(self, family: Family, slot: str) -> str:
        return family.kinds.get(slot) or self._kinds.get(slot) or "text"

    def _fixed(self, family: Family, entity: MatchEntity) -> Any:
        """A value that the file sets; "it" for a path is the file that came up last, as if it were said."""
        if self._kind(family, entity.name) in ("path", "folder") and isinstance(entity.value, str):
            return slots.path(entity.value, quoted=False)
        return entity.value

    def _values(self, heard: Heard, family: Family, spans: Mapping[str, tuple[int, int]]) -> dict[str, Any] | None:
        values: dict[str, Any] = {}
        for name, (start, end) in spans.items():
            covered = heard.covered(start, end)
            said = heard.said(covered)
            quoted = len(covered) == 1 and covered[0].quoted is not None
            value = slots.KINDS[self._kind(family, name)](said, quoted=quoted)
            if value is None:
                return None
            names = name.split("_and_")
            values.update(zip(names, value, strict=True) if len(names) == 2 else [(name, value)])
        return values

    def _parsed(self) -> Intents:
        with self._lock:
            if self._intents is None:
                self._intents = self._parse()
            return self._intents

    def _parse(self) -> Intents:
        from hassil.errors import HassilError
        from hassil.intents import Intents
        from hassil.parser import ParseError

        data: dict[str, Any] = {"language": "en", "intents": {}, "expansion_rules": {}, "lists": {}}
        for file in self._files:
            content = _load(file)
            self._kinds.update(content.get("slots", {}))
            data["expansion_rules"].update(content.get("rules", {}))
            for name, about in content.get("families", {}).items():
                self._families[name] = _family(file, name, about)
                blocks = [{"sentences": about["sentences"], "slots": about.get("fixed", {})}]
                blocks += [{"sentences": one["sentences"], "slots": one["fixed"]} for one in about.get("also", ())]
                data["intents"][name] = {"data": blocks}
        data["lists"] = {slot: {"wildcard": True} for slot in self._kinds}
        try:
            intents = Intents.from_dict(data)
            self._check(intents)
        except (
            HassilError,
            ParseError,
            ValueError,
            LookupError,
            TypeError,
            AttributeError,
            AssertionError,
        ) as error:
            raise ConfigError(f"A sentence in {self._named()} can't be used: {error}") from error
        return intents

    def _check(self, intents: Intents) -> None:
        """Parse every template now, so that a mistake is named when the file is read, not at some sentence."""
        for name, intent in intents.intents.items():
            for block in intent.data:
                for sentence in block.sentences:
                    unknown = set(sentence.list_names(intents.expansion_rules)) - set(self._kinds)
                    if unknown:
                        raise ConfigError(
                            f"Family {name}: no slot named {', '.join(sorted(unknown))} is declared."
                        )

    def _named(self) -> str:
        return ", ".join(str(file) for file in self._files)


def _load(file: Path) -> dict[str, Any]:
    from yaml import YAMLError, safe_load  # type: ignore[import-untyped]

    try:
        content = safe_load(file.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, YAMLError) as error:
        raise ConfigError(f"The sentences in {file} can't be read: {error}") from error
    if not isinstance(content, dict):
        raise ConfigError(f"{file} must hold keys such as families, slots and rules; see assets/intents/en.yaml.")
    return content


_KEYS = frozenset(Family.__dataclass_fields__) - {"name"} | {"sentences", "fixed", "also"}


def _family(file: Path, name: str, about: Any) -> Family:
    if not isinstance(name, str):
        raise ConfigError(f"{file}: the family name {name} must be in quotes, since YAML reads it as a value.")
    if not isinstance(about, dict) or not about.get("sentences"):
        raise ConfigError(f"{file}: the family {name} needs sentences.")
    unknown = set(about) - _KEYS
    if unknown:
        raise ConfigError(f"{file}: the family {name} has an unknown key: {', '.join(sorted(unknown))}.")
    parts = {key: value for key, value in about.items() if key in Family.__dataclass_fields__}
    parts["do"], parts["instead"] = _steps(about.get("do")), _steps(about.get("instead"))
    family = Family(name=name, **parts)
    wrong = sorted(set(family.kinds.values()) - set(slots.KINDS))
    if wrong:
        raise ConfigError(f"{file}: the family {name} uses an unknown kind of slot: {', '.join(wrong)}.")
    return family


def _steps(written: Any) -> tuple[Step, ...]:
    if not written:
        return ()
    return tuple(written) if isinstance(written, list) else (written,)
