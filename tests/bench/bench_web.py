"""What web_fetch adds to the bare extractor, and what the look at words from outside costs a call.

Run: python -m tests.bench.bench_web
"""

from __future__ import annotations

import os
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from ankita_desktop.core.untrusted import heard, taint
from ankita_desktop.protocol import Message, Preview, ToolCall
from ankita_desktop.toolkit import web_page
from ankita_desktop.toolkit.addresses import read_address
from ankita_desktop.toolkit.untrusted import framed
from ankita_desktop.toolkit.web import Visit

ROUNDS = 15


def page(paragraphs: int) -> str:
    """A page of plain paragraphs, a list of links beside them."""
    body = "".join(
        f"<p>Paragraph {n} says <a href='/p{n}'>something of its own</a> in a sentence of usual length, and then "
        "some more of it, so that it is taken for prose.</p>"
        for n in range(paragraphs)
    )
    links = "".join(f"<li><a href='/l{n}'>Link {n}</a></li>" for n in range(paragraphs // 2))
    return f"<html><title>T</title><body><ul>{links}</ul><article><h1>H</h1>{body}</article></body></html>"


def milliseconds(work: Callable[[], object], rounds: int = ROUNDS) -> float:
    """The best: what else the machine does only ever adds."""
    times = []
    for _ in range(rounds):
        before = time.perf_counter()
        work()
        times.append((time.perf_counter() - before) * 1000)
    return min(times)


def reading() -> None:
    import trafilatura

    print(f"{'page':>10} {'trafilatura':>14} {'web_fetch':>12} {'times':>7}")
    for paragraphs in (20, 200, 1000):
        source = page(paragraphs)
        visit = Visit(200, {"content-type": "text/html"}, source.encode(), read_address("https://a.example/"))
        options = {
            "output_format": "markdown",
            "include_links": True,
            "include_images": True,
            "favor_recall": True,
        }
        bare = milliseconds(lambda s=source, o=options: trafilatura.extract(s, url="https://a.example/", **o))
        ours = milliseconds(lambda v=visit: web_page.read(v))
        print(f"{len(source) / 1000:>7.0f} kB {bare:>11.1f} ms {ours:>9.1f} ms {ours / bare:>7.2f}")


def judging() -> None:
    print(f"\n{'pages read':>10} {'a command':>14} {'an address':>12} {'a long script':>14}")
    command = ToolCall(
        "c", "run_command", {"command": "python3 -m pytest -q tests/core && git commit -m 'Add soup'"}
    )
    script = ToolCall(
        "c", "run_command", {"command": "python3 -", "stdin": "".join(f"value_{n} = {n}\n" for n in range(1_000))}
    )
    address = ToolCall("c", "web_fetch", {"url": "https://b.example/made-up"})
    preview = Preview("command", "Run?", effect="run")
    for pages in (0, 1, 20):
        text = framed(f"{'words of a page ' * 1_500}https://a.example/x", "https://a.example/")
        mark = {"untrusted": {"source": "https://a.example/"}}
        messages = [Message("user", "hi"), Message("tool", "x", name="read_file")]
        messages += [Message("tool", f"{n} {text}", name="web_fetch", details=mark) for n in range(pages)]
        times = [
            milliseconds(lambda c=call, p=shown, m=messages: taint(heard(m), c, p), 5)
            for call, shown in ((command, preview), (address, None), (script, preview))
        ]
        print(f"{pages:>10} {times[0]:>11.2f} ms {times[1]:>9.2f} ms {times[2]:>11.2f} ms")


def main() -> None:
    with tempfile.TemporaryDirectory() as home:
        os.environ["ANKITA_HOME"] = str(Path(home))
        reading()
        judging()


if __name__ == "__main__":
    main()
