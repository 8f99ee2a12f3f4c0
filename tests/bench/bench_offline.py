"""What the offline model costs: importing it, reading its sentences, understanding one, answering a round."""

from __future__ import annotations

import statistics
import subprocess
import sys
import time
from collections.abc import Callable

from ankita_desktop import paths
from ankita_desktop.catalog.catalogue import ToolCatalogue, open_catalogue
from ankita_desktop.models.offline import OfflineModel
from ankita_desktop.protocol import Message, ModelRequest
from ankita_desktop.toolkit.cancel import Cancel
from tests.models.offline.table import CALLS

IMPORT = "import time; t = time.perf_counter(); import {0}; print((time.perf_counter() - t) * 1000)"


def main() -> None:
    shelf = open_catalogue([paths.bundled("tools")])
    sentences = [said for *_, several in CALLS for said in several]
    row("import the model (ms)", imported("ankita_desktop.models.offline"))
    row("import protocol alone, which it needs (ms)", imported("ankita_desktop.protocol"))
    row("import hassil, on the first sentence (ms)", imported("hassil.recognize"))
    model = offline(shelf)
    row(f"read the sentences of {len(model.families)} families (ms)", read_once(shelf))
    every = [timed(lambda said=said: model.understand(said)) for said in sentences]
    row(f"understand a sentence, median of {len(every)} (ms)", statistics.median(every))
    row("understand a sentence, slowest (ms)", max(every))
    row("reference: the catalogue's match of one, median (ms)", reference(shelf, sentences))
    row("a whole round, history of 200 messages (ms)", a_round(model, shelf))


def row(what: str, milliseconds: float) -> None:
    print(f"{what:<62} {milliseconds:>9.2f}")


def timed(work: Callable[[], object]) -> float:
    began = time.perf_counter()
    work()
    return (time.perf_counter() - began) * 1000


def imported(module: str) -> float:
    command = [sys.executable, "-c", IMPORT.format(module)]
    runs = [float(subprocess.run(command, capture_output=True, text=True, check=True).stdout) for _ in range(3)]
    return min(runs)


def offline(shelf: ToolCatalogue) -> OfflineModel:
    return OfflineModel(match=shelf.match, intents_dirs=[paths.bundled("assets") / "intents"])


def read_once(shelf: ToolCatalogue) -> float:
    return min(timed(lambda: offline(shelf).families) for _ in range(3))


def reference(shelf: ToolCatalogue, sentences: list[str]) -> float:
    return statistics.median(timed(lambda said=said: shelf.match(said)) for said in sentences[:200])


def a_round(model: OfflineModel, shelf: ToolCatalogue) -> float:
    talk = [Message("user", "hello"), Message("assistant", "Hello!")] * 100
    request = ModelRequest("", (*talk, Message("user", "what's in this folder")), tuple(shelf.specs()))
    return min(timed(lambda: list(model.stream(request, Cancel()))) for _ in range(5))


if __name__ == "__main__":
    main()
