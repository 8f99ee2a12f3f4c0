"""Keys and tokens: in the system's keyring, or in a private file when there is none, or from the environment.

A secret is named like the environment variable that may carry it. The file is only ever written when the
keyring refused, so what is in it is newer than the keyring's value: as soon as the keyring works again the file's
secrets move there and the file ends.
"""

from __future__ import annotations

import json
import os
import threading
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Literal, Protocol, TypeVar

from ankita_desktop import paths
from ankita_desktop.errors import ConfigError
from ankita_desktop.protocol import new_id
from ankita_desktop.store.disk import exclusive, set_aside, write_atomically
from ankita_desktop.toolkit.placeholder import PLACEHOLDER

SERVICE = "ankita-desktop"
FROM_ENVIRONMENT = (
    "OPENAI_API_KEY",
    "OPENAI_BASE_URL",
    "ANTHROPIC_API_KEY",
    "GITHUB_TOKEN",
    "GH_TOKEN",
    "OLLAMA_HOST",
    "UNSPLASH_ACCESS_KEY",
    "PIXABAY_API_KEY",
    "BRAVE_API_KEY",
    "TAVILY_API_KEY",
    "VOICE_API_KEY",
)
NO_SECRETS = ("OPENAI_BASE_URL", "OLLAMA_HOST")  # of these variables
PATIENCE = 8.0  # seconds for a keyring that may be asking the person for a password

T = TypeVar("T")


class Keyring(Protocol):
    """What we need of the ``keyring`` package's backends."""

    def get_password(self, service: str, username: str, /) -> str | None: ...
    def set_password(self, service: str, username: str, password: str, /) -> None: ...
    def delete_password(self, service: str, username: str, /) -> None: ...


class Secrets:
    """Thread-safe. May wait for the keyring up to eight seconds: never call it on a window's main thread."""

    def __init__(
        self,
        path: Path | None = None,
        *,
        environ: Mapping[str, str] = os.environ,
        find_keyring: Callable[[], Keyring | None] | None = None,
    ) -> None:
        self.path = path or paths.data() / "secrets.json"
        self.notices: tuple[str, ...] = ()
        self._environ = environ
        self._find_keyring = find_keyring or system_keyring
        self._lock = threading.RLock()
        self._keyring: Keyring | None = None
        self._looked = False
        self._works: bool | None = None
        self.version = 0
        """Counts what was stored and deleted by this process."""

    def get(self, name: str) -> str | None:
        """The secret, from the keyring, the private file or the environment, in this order."""
        with self._lock:
            stored = self._stored(name)
        value = stored or (self._environ.get(name) if name in FROM_ENVIRONMENT else None) or None
        return None if value and PLACEHOLDER.search(value) else value

    def known(self) -> dict[str, str]:
        """Every secret we can read, by name. Asks the keyring for all of them at once."""
        with self._lock:
            file, keyring = self._file(), self._backend()
            names = [name for name in FROM_ENVIRONMENT if name not in NO_SECRETS]
            asked = dict.fromkeys([*names, *self._names()])

            def read() -> dict[str, str]:
                assert keyring is not None
                found = {name: keyring.get_password(SERVICE, name) for name in asked}
                return {name: value for name, value in found.items() if value}

            kept = (_ask(read) if keyring is not None else None) or {}
        ours = {name: self._environ[name] for name in names if self._environ.get(name)}
        return {**ours, **kept, **file}

    def set(self, name: str, value: str) -> Literal["keyring", "file"]:
        """Store a secret; says where it went. "file" comes with a notice for the person."""
        if not value.strip():
            raise ConfigError(f"An empty {name} can't be stored. Delete it instead.")
        if PLACEHOLDER.search(value):
            raise ConfigError(f"{value.strip()} only stands for the key. Enter the key itself as {name}.")
        with self._lock:
            self.version += 1
            if self.keyring_works() and self._put(name, value):
                self._change_file(name, None)
                self._remember(name)
                return "keyring"
            self._change_file(name, value)
            self._notify(f"No usable keyring: {name} is kept in the private file {self.path}.")
            return "file"

    def delete(self, name: str) -> None:
        """Forget a stored secret (the environment is not ours to change)."""
        with self._lock:
            self.version += 1
            self._change_file(name, None)
            keyring = self._backend()
            if keyring is not None and _ask(lambda: keyring.get_password(SERVICE, name)) is not None:
                keyring.delete_password(SERVICE, name)

    def keyring_works(self) -> bool:
        """Whether the keyring passes a real write, read and delete. Looked at once."""
        with self._lock:
            if self._works is None:
                keyring = self._backend()
                self._works = keyring is not None and _ask(lambda: _probe(keyring)) is True
            return self._works

    def _backend(self) -> Keyring | None:
        if not self._looked:
            self._keyring, self._looked = _ask(self._find_keyring), True
        return self._keyring

    def _stored(self, name: str) -> str | None:
        newer = self._file().get(name)
        if newer is not None:
            if self.keyring_works() and self._put(name, newer):
                self._change_file(name, None)
            return newer
        keyring = self._backend()
        return None if keyring is None else _ask(lambda: keyring.get_password(SERVICE, name))

    def _put(self, name: str, value: str) -> bool:
        keyring = self._backend()
        if keyring is None:
            return False
        return _ask(lambda: _write_and_read(keyring, name, value)) is True

    def _names(self) -> list[str]:
        """Which names were ever put into the keyring: it can't be asked for them."""
        try:
            names = json.loads(self._names_path().read_bytes())
        except (OSError, ValueError):
            return []
        return [name for name in names if isinstance(name, str)] if isinstance(names, list) else []

    def _names_path(self) -> Path:
        return self.path.with_name("secret-names.json")

    def _remember(self, name: str) -> None:
        names = self._names()
        if name not in names and name not in FROM_ENVIRONMENT:
            write_atomically(self._names_path(), json.dumps([*names, name]), mode=0o600)

    def _file(self) -> dict[str, str]:
        try:
            data = json.loads(self.path.read_bytes())
        except FileNotFoundError:
            return {}
        except OSError as error:
            raise ConfigError(f"The file of secrets {self.path} can't be opened ({error}).") from error
        except ValueError:
            data = None
        if isinstance(data, dict) and all(isinstance(value, str) for value in data.values()):
            return data
        aside = set_aside(self.path)
        self._notify(f"The file of secrets could not be read. It was set aside as {aside}; enter the keys again.")
        return {}

    def _change_file(self, name: str, value: str | None) -> None:
        if value is None and not self.path.exists():
            return
        with exclusive(self.path.with_name(f"{self.path.name}.lock")):
            secrets = self._file()
            secrets.pop(name, None)
            if value is not None:
                secrets[name] = value
            if secrets:
                write_atomically(self.path, json.dumps(secrets, indent=1), mode=0o600)
            else:
                self.path.unlink(missing_ok=True)

    def _notify(self, text: str) -> None:
        if text not in self.notices:
            self.notices += (text,)


def system_keyring() -> Keyring | None:
    """The person's keyring, None when there is none that keeps secrets secret."""
    import keyring
    from keyring.backends import chainer

    chosen: Any = keyring.get_keyring()
    candidates = chosen.backends if isinstance(chosen, chainer.ChainerBackend) else [chosen]
    return next((backend for backend in candidates if is_secret(backend)), None)


def is_secret(backend: object) -> bool:
    """Whether a backend really keeps secrets: not one that stores plain text, nothing, or asks on a terminal."""
    kind = type(backend)
    origin = f"{kind.__module__}.{kind.__qualname__}".lower()
    useless = ("keyring.backends.null.", "keyring.backends.fail.", "keyring.backends.chainer.")
    return not origin.startswith(("keyrings.", *useless)) and "plain" not in origin


def _probe(keyring: Keyring) -> bool:
    name = f"probe-{new_id()}"
    worked = _write_and_read(keyring, name, new_id())
    keyring.delete_password(SERVICE, name)
    return worked and keyring.get_password(SERVICE, name) is None


def _write_and_read(keyring: Keyring, name: str, value: str) -> bool:
    keyring.set_password(SERVICE, name, value)
    return keyring.get_password(SERVICE, name) == value


def _ask(question: Callable[[], T]) -> T | None:
    """The answer of a keyring; None when it fails in whatever way, or is silent for too long."""
    answers: list[T] = []
    thread = threading.Thread(target=_quietly, args=(question, answers), daemon=True, name="keyring")
    thread.start()
    thread.join(PATIENCE)
    return answers[0] if answers else None


def _quietly(question: Callable[[], T], answers: list[T]) -> None:
    try:
        answers.append(question())
    except Exception:  # noqa: BLE001  backends of other packages raise anything when they can't be reached
        return
