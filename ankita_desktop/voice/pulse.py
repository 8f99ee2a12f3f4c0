"""Sources and sinks by name where PulseAudio or PipeWire runs. PortAudio sees only one device for all of them;
which one that is, the variables PULSE_SOURCE and PULSE_SINK of the process say when a stream is opened."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import threading
from collections.abc import Iterator
from contextlib import contextmanager

PREFIX = "pulse:"
_lock = threading.Lock()


def named(kind: str) -> list[tuple[str, str]]:
    """(name, description) of every "sources" or "sinks"; empty where there is no such server."""
    pactl = shutil.which("pactl")
    if pactl is None:
        return []
    try:
        done = subprocess.run(
            [pactl, "-f", "json", "list", kind], capture_output=True, timeout=3, stdin=subprocess.DEVNULL
        )
        found = json.loads(done.stdout or b"[]")
    except (OSError, ValueError, subprocess.TimeoutExpired):
        return []
    rows = [(str(row.get("name", "")), str(row.get("description", ""))) for row in found]
    return [(name, words or name) for name, words in rows if name and not _is_inner(name)]


def _is_inner(name: str) -> bool:
    """Nothing a person would choose: what a loudspeaker plays, and our own canceller."""
    return name.endswith(".monitor") or name.startswith((MICROPHONE, VOICE))


@contextmanager
def routed(variable: str, device: str) -> Iterator[str]:
    """What to open for a choice: for "pulse:NAME" the variable is set while the stream opens, and "pulse" is
    opened; any other choice is opened as it is."""
    if not device.startswith(PREFIX):
        yield device
        return
    with _lock:
        before = os.environ.get(variable)
        os.environ[variable] = device.removeprefix(PREFIX)
        try:
            yield "pulse"
        finally:
            if before is None:
                del os.environ[variable]
            else:
                os.environ[variable] = before


class EchoCancel:
    """The sound server's echo canceller between our voice and the microphone, while hands-free talk is on."""

    def __init__(self, module: str, source: str, sink: str) -> None:
        self._module, self.source, self.sink = module, f"{PREFIX}{source}", f"{PREFIX}{sink}"

    def close(self) -> None:
        _pactl("unload-module", self._module)


# The canceller's own gain control turns the person's microphone down, and leaves it so.
AS_LOUD_AS_IT_IS = 'aec_args="analog_gain_control=0 digital_gain_control=0"'
MICROPHONE, VOICE = "ankita_mic_", "ankita_voice_"
"""Our devices on the server; what follows is the process that made them."""


def cancel_echo() -> EchoCancel | None:
    """Start it. None where the server has none, or there is no server."""
    unload_left_over()
    names = f"{MICROPHONE}{os.getpid()}", f"{VOICE}{os.getpid()}"
    named = f"source_name={names[0]}", f"sink_name={names[1]}"
    with _defaults_kept():
        made = _pactl("load-module", "module-echo-cancel", *named, "aec_method=webrtc", AS_LOUD_AS_IT_IS)
    return EchoCancel(made, *names) if made.isdigit() else None


def unload_left_over() -> None:
    """Take away what a process of ours that was killed left on the server."""
    import psutil

    for row in _pactl("list", "short", "modules").splitlines():
        owner = re.search(rf"\bsource_name={MICROPHONE}(\d+)", row)
        if owner and not psutil.pid_exists(int(owner[1])):
            _pactl("unload-module", row.split()[0])


@contextmanager
def _defaults_kept() -> Iterator[None]:
    """New devices must not become those of every other program."""
    kinds = "source", "sink"
    before = {kind: _pactl(f"get-default-{kind}") for kind in kinds}
    yield
    for kind, name in before.items():
        if name and _pactl(f"get-default-{kind}") != name:
            _pactl(f"set-default-{kind}", name)


def _pactl(*words: str) -> str:
    pactl = shutil.which("pactl")
    if pactl is None:
        return ""
    try:
        done = subprocess.run([pactl, *words], capture_output=True, timeout=5, stdin=subprocess.DEVNULL, text=True)
    except (OSError, subprocess.TimeoutExpired):
        return ""
    return done.stdout.strip() if done.returncode == 0 else ""
