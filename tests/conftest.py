"""What every test gets: a home of its own, no outside network, no desktop of the person who runs it."""

from __future__ import annotations

import os
import socket
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import settings

SHARED = Path(__file__).resolve().parents[2] / "shared" / "data"
LOOPBACK = ("127.", "::1", "localhost", "0.0.0.0")
PERSONAL = ("OPENAI_", "ANTHROPIC_", "GITHUB_", "GH_", "OLLAMA_", "UNSPLASH_", "PIXABAY_", "VOICE_API_", "ANKITA_")

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

# A busy machine is no failure of the code: no example is timed.
settings.register_profile("suite", deadline=None)
settings.load_profile("suite")


@pytest.fixture(autouse=True)
def ankita_home(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Every test has its own empty home; keys of the person who runs the tests are out of reach."""
    for name in list(os.environ):
        if name.startswith(PERSONAL):
            monkeypatch.delenv(name)
    home = tmp_path_factory.mktemp("home")
    monkeypatch.setenv("ANKITA_HOME", str(home))
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.setenv("PYTHON_KEYRING_BACKEND", "keyring.backends.null.Keyring")
    for kind in ("CONFIG", "DATA", "STATE", "CACHE"):
        monkeypatch.delenv(f"XDG_{kind}_HOME", raising=False)
    return home


@pytest.fixture(autouse=True)
def no_outside_network(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A connection to anywhere but this machine fails the test that made it."""
    connect = socket.socket.connect

    def guarded(self: socket.socket, address: Any) -> None:
        inet = self.family in (socket.AF_INET, socket.AF_INET6)
        if inet and not str(address[0]).startswith(LOOPBACK):
            raise AssertionError(f"a test tried to reach {address}")
        connect(self, address)

    monkeypatch.setattr(socket.socket, "connect", guarded)
    yield


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Sound plays and is recorded in real time: its tests can be run while nothing else keeps the machine busy."""
    for item in items:
        if "sound" in getattr(item, "fixturenames", ()):
            item.add_marker(pytest.mark.sound)
        if item.get_closest_marker("sound"):  # a slow machine takes its time to recognise speech
            item.add_marker(pytest.mark.timeout(400))


def shared(name: str) -> Path:
    """A set of outside test data, or a skip that says what is absent."""
    path = SHARED / name
    if not path.exists():
        pytest.skip(f"the outside test data {name} is not here")
    return path
