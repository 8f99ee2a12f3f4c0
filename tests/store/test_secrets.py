"""Keys are kept where they are secret, and nowhere else."""

from __future__ import annotations

import json
import stat
from pathlib import Path
from typing import Any

import pytest

from ankita_desktop import paths
from ankita_desktop.errors import ConfigError
from ankita_desktop.store.secrets import SERVICE, Keyring, Secrets, is_secret, system_keyring


class MemoryKeyring:
    """A keyring as the system's, kept in memory; ``broken`` names what fails."""

    def __init__(self, *broken: str) -> None:
        self.kept: dict[tuple[str, str], str] = {}
        self.broken = set(broken)
        self.writes = 0

    def _may(self, what: str) -> None:
        if what in self.broken:
            raise RuntimeError("the collection is locked")

    def get_password(self, service: str, username: str, /) -> str | None:
        self._may("read")
        return self.kept.get((service, username))

    def set_password(self, service: str, username: str, password: str, /) -> None:
        self._may("write")
        self.writes += 1
        if "forgetful" not in self.broken:
            self.kept[service, username] = password

    def delete_password(self, service: str, username: str, /) -> None:
        self._may("delete")
        del self.kept[service, username]


def secrets_with(keyring: Keyring | None, **environ: str) -> Secrets:
    return Secrets(environ=environ, find_keyring=lambda: keyring)


def everything_on_disk() -> bytes:
    folder = paths.data().parent
    return b"".join(file.read_bytes() for file in folder.rglob("*") if file.is_file())


def test_a_key_is_kept_in_the_keyring_and_in_no_file() -> None:
    keyring = MemoryKeyring()
    assert secrets_with(keyring).set("OPENAI_API_KEY", "sk-1") == "keyring"
    assert keyring.kept == {(SERVICE, "OPENAI_API_KEY"): "sk-1"}, "the probe is gone again"
    assert secrets_with(keyring).get("OPENAI_API_KEY") == "sk-1"
    assert b"sk-1" not in everything_on_disk()


@pytest.mark.parametrize(
    "broken", [("write",), ("read",), ("delete",), ("forgetful",), ("read", "write", "delete")]
)
def test_a_keyring_that_fails_its_probe_is_not_trusted(broken: tuple[str, ...]) -> None:
    secrets = secrets_with(MemoryKeyring(*broken))
    assert secrets.set("OPENAI_API_KEY", "sk-1") == "file"
    assert stat.S_IMODE(secrets.path.stat().st_mode) == 0o600
    assert str(secrets.path) in secrets.notices[0]
    assert secrets_with(MemoryKeyring(*broken)).get("OPENAI_API_KEY") == "sk-1"


def test_when_the_keyring_works_again_the_file_ends() -> None:
    secrets_with(None).set("OPENAI_API_KEY", "newer")
    secrets_with(None).set("GITHUB_TOKEN", "token")
    keyring = MemoryKeyring()
    keyring.kept[SERVICE, "OPENAI_API_KEY"] = "older"
    secrets = secrets_with(keyring)
    assert secrets.get("OPENAI_API_KEY") == "newer"
    assert keyring.kept[SERVICE, "OPENAI_API_KEY"] == "newer"
    assert json.loads(secrets.path.read_text()) == {"GITHUB_TOKEN": "token"}
    assert secrets.get("GITHUB_TOKEN") == "token"
    assert not secrets.path.exists()


def test_a_key_set_in_the_keyring_is_not_shadowed_by_the_file() -> None:
    secrets_with(None).set("OPENAI_API_KEY", "older")
    keyring = MemoryKeyring()
    secrets = secrets_with(keyring)
    secrets.set("OPENAI_API_KEY", "newer")
    assert secrets.get("OPENAI_API_KEY") == "newer"
    assert not secrets.path.exists()


def test_the_environment_counts_when_nothing_is_stored_and_is_never_written_down() -> None:
    keyring = MemoryKeyring()
    secrets = secrets_with(keyring, OPENAI_API_KEY="sk-env", HOME_MADE="x")
    assert secrets.get("OPENAI_API_KEY") == "sk-env"
    assert secrets.get("HOME_MADE") is None, "only the variables that are documented"
    assert keyring.kept == {}
    assert b"sk-env" not in everything_on_disk()
    secrets.set("OPENAI_API_KEY", "sk-stored")
    assert secrets.get("OPENAI_API_KEY") == "sk-stored"


def test_reading_a_key_writes_nothing_to_a_keyring() -> None:
    keyring = MemoryKeyring()
    assert secrets_with(keyring).get("OPENAI_API_KEY") is None
    assert keyring.writes == 0


def test_a_deleted_key_is_gone_everywhere() -> None:
    keyring = MemoryKeyring()
    secrets_with(keyring).set("OPENAI_API_KEY", "a")
    secrets_with(None).set("OPENAI_API_KEY", "b")
    secrets = secrets_with(keyring)
    secrets.delete("OPENAI_API_KEY")
    secrets.delete("OPENAI_API_KEY")
    assert secrets.get("OPENAI_API_KEY") is None
    assert keyring.kept == {}


def test_an_empty_key_is_refused() -> None:
    with pytest.raises(ConfigError, match="empty"):
        secrets_with(None).set("OPENAI_API_KEY", "  ")


@pytest.mark.parametrize("content", ['["a"]', '{"a": 1}', "{", "\x00"])
def test_a_broken_file_of_secrets_is_set_aside_and_reported(content: str) -> None:
    secrets = secrets_with(None)
    secrets.path.write_text(content)
    assert secrets.get("OPENAI_API_KEY") is None
    (aside,) = secrets.path.parent.glob("secrets.json.broken-*")
    assert aside.read_text() == content
    assert str(aside) in secrets.notices[0]


def test_a_keyring_that_waits_for_ever_is_left_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    import threading

    forever = threading.Event()
    monkeypatch.setattr("ankita_desktop.store.secrets.PATIENCE", 0.05)

    class Locked(MemoryKeyring):
        def get_password(self, service: str, username: str, /) -> str | None:
            forever.wait()
            return None

    try:
        assert secrets_with(Locked(), OPENAI_API_KEY="sk-env").get("OPENAI_API_KEY") == "sk-env"
    finally:
        forever.set()


def backend(module: str, name: str) -> Any:
    return type(name, (), {"__module__": module})()


@pytest.mark.parametrize(
    ("module", "name", "accepted"),
    [
        ("keyring.backends.SecretService", "Keyring", True),
        ("keyring.backends.kwallet", "DBusKeyring", True),
        ("keyring.backends.macOS", "Keyring", True),
        ("keyring.backends.Windows", "WinVaultKeyring", True),
        ("keyrings.alt.file", "PlaintextKeyring", False),
        ("keyrings.alt.file", "EncryptedKeyring", False),
        ("keyring.backends.null", "Keyring", False),
        ("keyring.backends.fail", "Keyring", False),
        ("somewhere", "PlainTextKeyring", False),
    ],
)
def test_only_backends_that_keep_secrets_count(module: str, name: str, accepted: bool) -> None:
    assert is_secret(backend(module, name)) is accepted


def test_the_null_keyring_of_a_headless_machine_is_none() -> None:
    assert system_keyring() is None
    secrets = Secrets()
    assert secrets.set("GITHUB_TOKEN", "t") == "file"
    assert Path(secrets.path).exists()
