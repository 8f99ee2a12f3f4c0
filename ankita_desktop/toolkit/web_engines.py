"""Public search engines, asked side by side without a key."""

from __future__ import annotations

import queue
import threading
import time
from typing import Any

from ankita_desktop.toolkit.cancel import Cancel
from ankita_desktop.toolkit.web_results import Hit, Wanted

# Indexes of their own, so that two of them are two opinions; the last two lend Google's and Bing's.
ENGINES = ("duckduckgo", "brave", "mojeek", "startpage", "yahoo")
PATIENCE = 8.0  # seconds for all of them
ENOUGH = 3  # engines that answered, after which the slow ones aren't waited for

_Answer = tuple[str, list[Hit], str]


def ask_all(wanted: Wanted, cancel: Cancel) -> tuple[dict[str, list[Hit]], dict[str, str]]:
    """What each engine found, and why the others found nothing. Raises ``Cancelled`` at once on Stop.

    A daemon thread each: a pool would hold the process at exit for as long as an engine is silent.
    """
    box: queue.SimpleQueue[_Answer | None] = queue.SimpleQueue()
    for name in ENGINES:
        threading.Thread(target=_ask, args=(name, wanted, box), name=f"search-{name}", daemon=True).start()
    forget = cancel.on_set(lambda: box.put(None))
    try:
        return _collect(box, cancel)
    finally:
        forget()


def _collect(
    box: queue.SimpleQueue[_Answer | None], cancel: Cancel
) -> tuple[dict[str, list[Hit]], dict[str, str]]:
    answers: dict[str, list[Hit]] = {}
    failed: dict[str, str] = {}
    deadline = time.monotonic() + PATIENCE
    while len(answers) + len(failed) < len(ENGINES) and len(answers) < ENOUGH:
        try:
            answer = box.get(timeout=max(0.0, deadline - time.monotonic()))
        except queue.Empty:
            slow = [name for name in ENGINES if name not in answers and name not in failed]
            return answers, failed | dict.fromkeys(slow, "no answer in time")
        cancel.check()
        if answer is not None:
            name, hits, trouble = answer
            if trouble:
                failed[name] = trouble
            else:
                answers[name] = hits
    return answers, failed


def _ask(name: str, wanted: Wanted, box: queue.SimpleQueue[_Answer | None]) -> None:
    from ddgs.exceptions import DDGSException
    from lxml.etree import LxmlError

    try:
        rows = _engine(name).search(wanted.words, region="us-en", timelimit=wanted.recency[:1] or None)
    except DDGSException as error:
        box.put((name, [], _reason(error)))
    except (ValueError, LookupError, AttributeError, TypeError, LxmlError) as error:  # its page has changed
        box.put((name, [], f"its answer could not be read ({type(error).__name__})"))
    else:
        hits = [Hit(row.title, row.href, row.body) for row in rows or () if row.href]
        box.put((name, hits, "" if rows is not None else "refused"))


def _engine(name: str) -> Any:
    from ddgs.engines import ENGINES as KNOWN

    return KNOWN["text"][name](timeout=int(PATIENCE))


def _reason(error: Exception) -> str:
    text = str(error).lower()
    if "dns" in text or "connect" in text or "resolve" in text:
        return "can't be reached"
    return "no answer in time" if "timed out" in text or "timeout" in text else "refused"
