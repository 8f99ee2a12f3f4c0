"""The process that speaks: ``python -m ankita_desktop.voice.child``. It is killed to be silent at once.

One JSON object a line comes in: ``{"id", "text", "manner": {…}}``. One goes out for each thing that happens:
``{"event": "ready"}``, ``{"event": "sound", "id", "levels", "seconds"}`` when a text begins to sound (levels of
each 32 ms), ``{"event": "done", "id"}`` when it has sounded, ``{"event": "error", "id", "text", "kind"}``.
The end of its input ends it, after what it still has to say.
"""

from __future__ import annotations

import json
import os
import queue
import sys
import threading
from dataclasses import dataclass
from typing import Any, TextIO

from ankita_desktop.errors import VoiceError
from ankita_desktop.voice import synth
from ankita_desktop.voice.player import Player, louder
from ankita_desktop.voice.sound import levels

AHEAD = 2  # texts that are made while one sounds


@dataclass(frozen=True, slots=True)
class _Made:
    id: int
    sound: bytes = b""
    rate: int = 0
    output: str = ""
    error: VoiceError | None = None


_out: TextIO = sys.stdout


def main() -> None:
    global _out
    _out = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)  # libraries that print must not reach whoever reads our lines
    made: queue.Queue[_Made | None] = queue.Queue(AHEAD)
    threading.Thread(target=_make_all, args=(made,), name="synth", daemon=True).start()
    player = Player()
    _tell("ready")
    while (text := _next(made, player)) is not None:
        _sound(text, player, made)
    player.drain()


def _next(made: queue.Queue[_Made | None], player: Player) -> _Made | None:
    """The next text; while none is there, the loudspeaker is let go."""
    try:
        return made.get_nowait()
    except queue.Empty:
        player.drain()
        return made.get()


def _make_all(made: queue.Queue[_Made | None]) -> None:
    synths: dict[str, synth.Synth] = {}
    for line in sys.stdin:
        order = json.loads(line)
        made.put(_make(order, synths))
    made.put(None)


def _make(order: dict[str, Any], synths: dict[str, synth.Synth]) -> _Made:
    manner = synth.Manner(**order["manner"])
    try:
        engine = synths.get(manner.engine) or synth.choose(manner)
        synths[manner.engine] = engine
        sound, rate = engine.make(order["text"], manner)
    except VoiceError as error:
        return _Made(order["id"], error=error)
    return _Made(order["id"], louder(sound, manner.volume), rate, manner.output)


def _sound(text: _Made, player: Player, made: queue.Queue[_Made | None]) -> None:
    if text.error is not None:
        _tell("error", id=text.id, text=str(text.error), kind=text.error.kind)
        return
    loud = [round(one, 4) for one in levels(text.sound, text.rate)]
    long = round(len(text.sound) / 2 / text.rate, 3)
    try:
        player.play(
            text.sound, text.rate, text.output, lambda: _tell("sound", id=text.id, levels=loud, seconds=long)
        )
        if made.empty():
            player.drain()
    except VoiceError as error:
        _tell("error", id=text.id, text=str(error), kind=error.kind)
        return
    _tell("done", id=text.id)


def _tell(event: str, **more: Any) -> None:
    _out.write(json.dumps({"event": event, **more}) + "\n")
    _out.flush()


if __name__ == "__main__":
    main()
