"""How results look in a person's words: sizes, counts, blocks of code."""

from __future__ import annotations

import re
from pathlib import PurePath

from ankita_desktop.protocol import Message

_OUTPUT = 6_000  # characters of output that are shown


def fenced(text: str, kind: str = "") -> str:
    """The text as a block of code, whatever it holds; long output cut in the middle."""
    if len(text) > _OUTPUT:
        half = _OUTPUT // 2
        text = f"{text[:half]}\n… {len(text) - _OUTPUT:,} characters left out …\n{text[-half:]}"
    longest = max((len(run) for run in re.findall(r"`+", text)), default=0)
    fence = "`" * max(3, longest + 1)
    return f"{fence}{kind}\n{text}\n{fence}"


def output_of(result: Message) -> str:
    output = result.details.get("output")
    return output if isinstance(output, str) else result.text


def running(result: Message) -> bool:
    return (
        "exit_code" in result.details
        and result.details["exit_code"] is None
        and not result.details.get("timed_out")
    )


def plural(number: int, one: str, many: str = "") -> str:
    return f"{number:,} {one if number == 1 else many or one + 's'}"


def size(count: float) -> str:
    """Bytes for people: ``1.5 kB``."""
    if count < 1000:
        return plural(int(count), "byte")
    for unit in ("kB", "MB", "GB", "TB"):
        count /= 1000
        if count < 1000 or unit == "TB":
            break
    return f"{count:.1f} {unit}"


def name(path: str) -> str:
    return PurePath(path).name or path
