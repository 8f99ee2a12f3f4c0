"""The person's settings: one TOML file, read live, changed key by key, never lost.

Comments and keys we don't know stay as they are. A value that is wrong counts as not set and is reported; a
file that isn't TOML is set aside and reported.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, get_args, get_origin

from ankita_desktop import paths
from ankita_desktop.errors import ConfigError, UsageError
from ankita_desktop.store.disk import exclusive, set_aside, write_atomically

if TYPE_CHECKING:
    from pydantic import ValidationError
    from pydantic.fields import FieldInfo
    from tomlkit import TOMLDocument

    from ankita_desktop.store.schema import Values

TRUE, FALSE = ("true", "yes", "on", "1"), ("false", "no", "off", "0")


@dataclass(frozen=True, slots=True)
class Setting:
    """One setting as people meet it. ``choices`` is empty when the value is free."""

    key: str
    kind: Literal["text", "number", "switch", "choice", "list"]
    description: str
    default: Any
    choices: tuple[str, ...] = ()


class Settings:
    """Live and thread-safe: a change of the file, here or by another process, counts at the next read.

    Implements ``core.ports.EngineSettings``. ``notices`` is what the person should know of the file.
    """

    def __init__(self, path: Path | None = None) -> None:
        self.path = path or paths.config() / "settings.toml"
        self._lock = threading.RLock()
        self._seen: tuple[int, int, int] | None = (-1, -1, -1)
        self._values: Values
        self._broken: tuple[str, ...] = ()
        self._notices: tuple[str, ...] = ()
        self._refresh()

    @property
    def values(self) -> Values:
        """All settings as they are now; a frozen value."""
        with self._lock:
            self._refresh()
            return self._values

    @property
    def notices(self) -> tuple[str, ...]:
        """What is wrong with the file, in lines for the person."""
        with self._lock:
            self._refresh()
            return self._broken + self._notices

    # --- the core's view ---

    @property
    def max_rounds(self) -> int:
        return self.values.agent.max_rounds

    @property
    def deferral(self) -> str:
        return self.values.agent.deferral

    @property
    def schema_tokens(self) -> int:
        return self.values.agent.schema_tokens

    def as_dict(self) -> Mapping[str, object]:
        """All settings as nested dicts."""
        return self.values.model_dump()

    # --- single settings ---

    def get(self, key: str) -> Any:
        """The value of a setting ("agent.max_rounds"). Raises ``UsageError`` for a key that doesn't exist."""
        find(key)
        part, name = key.split(".")
        return getattr(getattr(self.values, part), name)

    def set(self, key: str, text: str) -> None:
        """Change a setting to what ``text`` says. Raises ``UsageError`` that lists what is valid."""
        value = _checked(find(key), text)
        part, name = key.split(".")
        with self._lock, exclusive(self.path.with_name(f"{self.path.name}.lock")):
            document = self._read()
            _table(document, part)[name] = value
            write_atomically(self.path, document.as_string())
            self._refresh()

    # --- the file ---

    def _refresh(self) -> None:
        stamp = _stamp(self.path)
        if stamp == self._seen:
            return
        document = self._read()
        self._values, self._notices = _validated(document.unwrap(), self.path)
        self._seen = _stamp(self.path)

    def _read(self) -> TOMLDocument:
        import tomlkit
        from tomlkit.exceptions import TOMLKitError

        try:
            return tomlkit.parse(self.path.read_text("utf-8"))
        except FileNotFoundError:
            return tomlkit.document()
        except (TOMLKitError, UnicodeDecodeError) as error:
            aside = set_aside(self.path)
            self._broken = (f"The settings could not be read ({error}). They were set aside as {aside}.",)
            return tomlkit.document()
        except OSError as error:
            raise ConfigError(f"The settings {self.path} can't be opened ({error}). Check its rights.") from error


def all_settings() -> Sequence[Setting]:
    """Every setting, in the order of the file's parts."""
    from ankita_desktop.store.schema import Values

    found = []
    for part, info in Values.model_fields.items():
        fields: dict[str, FieldInfo] = getattr(info.annotation, "model_fields", {})
        found += [_setting(f"{part}.{name}", field) for name, field in fields.items()]
    return found


def find(key: str) -> Setting:
    """The setting of that name. Raises ``UsageError`` naming the nearest ones."""
    known = {setting.key: setting for setting in all_settings()}
    if key in known:
        return known[key]
    near = get_close_matches(key, known, n=3, cutoff=0.5) or [name for name in known if key and key in name][:3]
    hint = f"Did you mean {' or '.join(near)}?" if near else f"There are: {', '.join(known)}."
    raise UsageError(f"There is no setting {key!r}. {hint}")


def _setting(key: str, field: FieldInfo) -> Setting:
    kind: Literal["text", "number", "switch", "choice", "list"] = "text"
    choices: tuple[str, ...] = ()
    if get_origin(field.annotation) is Literal:
        kind, choices = "choice", get_args(field.annotation)
    elif field.annotation is bool:
        kind, choices = "switch", ("true", "false")
    elif field.annotation in (int, float):
        kind = "number"
    elif get_origin(field.annotation) is tuple:
        kind = "list"
    return Setting(key, kind, field.description or "", field.default, choices)


def _checked(setting: Setting, text: str) -> Any:
    """What ``text`` means for the setting, in TOML's types."""
    from pydantic import ValidationError

    from ankita_desktop.store.schema import Values

    part, name = setting.key.split(".")
    try:
        values = Values.model_validate({part: {name: _meant(setting, text)}})
    except ValidationError as error:
        raise UsageError(f"{setting.key} can't be {text!r}: {_problem(setting, error)}") from None
    value = getattr(getattr(values, part), name)
    return list(value) if isinstance(value, tuple) else value


def _meant(setting: Setting, text: str) -> Any:
    text = text.strip()
    if setting.kind == "switch" and text.lower() in TRUE + FALSE:
        return text.lower() in TRUE
    if setting.kind == "list":
        return _items(text)
    return text


def _problem(setting: Setting, error: ValidationError) -> str:
    if setting.choices:
        return f"valid are {', '.join(setting.choices)}."
    return error.errors()[0]["msg"].removeprefix("Value error, ") + "."


def _table(document: TOMLDocument, part: str) -> Any:
    import tomlkit

    if not isinstance(document.get(part), Mapping):
        document[part] = tomlkit.table()
    return document[part]


def _validated(data: dict[str, Any], path: Path) -> tuple[Values, tuple[str, ...]]:
    """The settings in ``data``: wrong values are left out and reported, unknown keys reported."""
    from pydantic import ValidationError

    from ankita_desktop.store.schema import Values

    notices = [f"{path.name}: {key} is not a setting of this version; it is kept." for key in _unknown(data)]
    try:
        return Values.model_validate(data), tuple(notices)
    except ValidationError as error:
        wrong = error.errors()
    # From the end, so that the numbers of list items stay true.
    left = [f"{path.name}: {_left_out(data, problem['loc'])} ({problem['msg']})." for problem in reversed(wrong)]
    notices += reversed(left)
    return Values.model_validate(data), tuple(notices)


def _items(text: str) -> list[str]:
    """One item a line, or the list as it stands in the file and is shown: ["a", "b"]."""
    if text.strip().startswith("["):
        try:
            found = json.loads(text)
        except ValueError:
            found = None
        if isinstance(found, list) and all(isinstance(item, str) for item in found):
            return found
    return [line.strip() for line in text.split("\n") if line.strip()]


def _unknown(data: Mapping[str, Any]) -> list[str]:
    known = {setting.key for setting in all_settings()}
    parts = {key.split(".")[0] for key in known}
    found = [part for part in data if part not in parts]
    for part in parts & data.keys():
        if isinstance(data[part], Mapping):
            found += [f"{part}.{name}" for name in data[part] if f"{part}.{name}" not in known]
    return sorted(found)


def _left_out(data: dict[str, Any], loc: tuple[int | str, ...]) -> str:
    """Take a wrong value out, of a list only the wrong item, and say so."""
    place = [str(step) for step in loc[:2]]
    name = ".".join(place)
    if len(loc) == 3 and isinstance(loc[2], int):
        items = data[place[0]][place[1]]
        wrong = items[loc[2]]
        data[place[0]][place[1]] = [item for item in items if item is not wrong]
        return f"{wrong!r} in {name} is not valid and is left out"
    _drop(data, place)
    return f"{name} is not valid; the default counts"


def _drop(data: dict[str, Any], place: list[str]) -> None:
    inner: Any = data
    for step in place[:-1]:
        inner = inner.get(step, {})
    inner.pop(place[-1], None)


def _stamp(path: Path) -> tuple[int, int, int] | None:
    try:
        status = path.stat()
    except OSError:
        return None
    return status.st_mtime_ns, status.st_size, status.st_ino
