"""What a watch sees: a page, a part of it, a feed, a file, a folder, a command's output. Every failure is a
``ToolError``; a pattern that takes too long is one."""

from __future__ import annotations

import json
import unicodedata
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ankita_desktop.automation import feeds
from ankita_desktop.errors import ToolError
from ankita_desktop.toolkit.addresses import read_address
from ankita_desktop.toolkit.automation import Watch, WatchKind
from ankita_desktop.toolkit.cancel import Cancel

if TYPE_CHECKING:
    from ankita_desktop.toolkit.web import Visit

KEPT = 64_000  # characters that are compared
FILE = 256_000  # bytes of a file whose text is compared; larger ones by their hash
ENTRIES = 1_000
PATTERN_SECONDS = 1.0
COMMAND_SECONDS = 60.0
ABSENT = "(not there)"
HIDDEN = "//script|//style|//noscript|//template|//head|//svg|//*[@hidden]|//*[@aria-hidden='true']"


@dataclass(frozen=True, slots=True)
class Seen:
    """What is there now. ``same``: the server says that nothing changed, ``value`` is then empty."""

    value: str
    number: float | None = None
    kind: WatchKind = "page"
    etag: str = ""
    modified: str = ""
    same: bool = False


class Absent(ToolError):
    """What is watched isn't there."""


def look(watch: Watch, cancel: Cancel, *, fresh: bool = False) -> Seen:
    """Look once. ``fresh``: past every cache. Raises ``ToolError``."""
    if watch.kind == "command":
        return _picked(watch, _output(watch, cancel), "command")
    if watch.kind == "file":
        return _picked(watch, _file(Path(watch.target)), "file")
    return _page(watch, cancel, fresh)


def check_pick(selector: str, regex: str) -> None:
    """Whether JSON path and pattern can be used at all. Raises ``ToolError``."""
    if selector.startswith("$"):
        _steps(selector)
    if regex:
        _compiled(regex)


# --- the web --------------------------------------------------------------------------------


def _page(watch: Watch, cancel: Cancel, fresh: bool) -> Seen:
    from ankita_desktop.toolkit import net, web

    request = net.Outgoing("GET", read_address(watch.target), _headers(watch, fresh))
    answer = net.fetch(request, cancel, net.Rules(private=watch.private, seconds=30))
    if answer.status == 304:
        return Seen("", kind=watch.kind, etag=watch.etag, modified=watch.modified, same=True)
    if answer.status in (404, 410):
        raise Absent(f"HTTP {answer.status} {answer.reason}".strip())
    if answer.status >= 400:
        raise ToolError(f"HTTP {answer.status} {answer.reason}".strip())
    seen = _read(watch, web.Visit(answer.status, answer.headers, answer.body, answer.address), cancel)
    etag, modified = answer.headers.get("etag", ""), answer.headers.get("last-modified", "")
    return replace(seen, etag=etag, modified=modified)


def _headers(watch: Watch, fresh: bool) -> dict[str, str]:
    if fresh:
        return {"cache-control": "no-cache", "pragma": "no-cache"}
    asked = {"if-none-match": watch.etag, "if-modified-since": watch.modified}
    return {name: value for name, value in asked.items() if value}


def _read(watch: Watch, visit: Visit, cancel: Cancel) -> Seen:
    from ankita_desktop.toolkit import web_page

    kind = web_page.kind_of(visit)
    if not watch.selector and kind == "feed":
        return _picked(watch, feeds.lines(visit.body), "feed")
    if watch.selector.startswith("$"):
        return _picked(watch, _json_value(web_page.decoded(visit), watch.selector), "page")
    if watch.selector:
        return _picked(watch, _selected(visit, watch.selector, cancel), "page")
    if kind == "pdf":
        return _picked(watch, web_page.read(visit).text, "page")
    text = web_page.decoded(visit)
    return _picked(watch, _visible(text) if kind == "html" or text.lstrip()[:1] == "<" else text, "page")


def _visible(text: str) -> str:
    """A page's text as a person reads it."""
    from ankita_desktop.toolkit.web_page import parsed

    tree = parsed(text)
    for node in tree.xpath(HIDDEN):
        node.drop_tree()
    return "\n".join(tree.itertext())


def _selected(visit: Visit, selector: str, cancel: Cancel) -> str:
    """A selector runs in a child: one that takes for ever must not hold the window."""
    from ankita_desktop.toolkit import web_crawl, web_page

    pages = [{"url": visit.address.url, "html": web_page.decoded(visit)}]
    (found,) = web_crawl.choose({"pages": pages, "selectors": {"it": selector}, "item": ""}, cancel)
    if not found["it"]:
        raise Absent(f"Nothing on the page matches {selector!r}.")
    return "\n".join(found["it"])


def _json_value(text: str, path: str) -> str:
    try:
        value: Any = json.loads(text)
    except ValueError as error:
        raise ToolError(f"The answer is not JSON: {error}") from error
    for step in _steps(path):
        try:
            value = value[int(step)] if isinstance(value, list) else value[step]
        except (KeyError, IndexError, ValueError, TypeError):
            raise Absent(f"There is no {step!r} of {path} in the answer.") from None
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, indent=1, sort_keys=True)


def _steps(path: str) -> list[str]:
    """The steps of ``$.items[0].price`` or ``$["a key"]``."""
    import re

    part = r"\.([\w-]+)|\[(-?\d+)\]|\[\"([^\"]*)\"\]|\['([^']*)'\]"
    if not re.fullmatch(rf"\$(?:{part})*", path):
        raise ToolError(f'A JSON path is written like $.items[0].price or $["a key"], not {path!r}.')
    return [next(filter(None, found), "") for found in re.findall(part, path)]


# --- files and commands ---------------------------------------------------------------------


def _file(path: Path) -> str:
    try:
        if path.is_dir():
            names = sorted(f"{entry.name}/" if entry.is_dir() else _entry(entry) for entry in path.iterdir())
            more = [f"and {len(names) - ENTRIES} more"] if len(names) > ENTRIES else []
            return "\n".join([*names[:ENTRIES], *more])
        return _text_of(path)
    except FileNotFoundError:
        raise Absent(ABSENT) from None
    except OSError as error:
        raise ToolError(f"{path} can't be read: {error.strerror}.") from error


def _entry(path: Path) -> str:
    status = path.lstat()
    return f"{path.name} ({status.st_size:,} bytes)"


def _text_of(path: Path) -> str:
    import hashlib

    size = path.stat().st_size
    if size <= FILE:
        data = path.read_bytes()
        if b"\0" not in data:
            return data.decode("utf-8", "replace")
    with path.open("rb") as file:
        return f"{size:,} bytes, SHA-256 {hashlib.file_digest(file, 'sha256').hexdigest()[:16]}"


def _output(watch: Watch, cancel: Cancel) -> str:
    from ankita_desktop.toolkit import job_text
    from ankita_desktop.toolkit.process import Jobs

    jobs = Jobs()
    try:
        job = jobs.start(watch.target, watch.cwd, timeout=COMMAND_SECONDS, stdin="")
        info = jobs.wait(job.id, COMMAND_SECONDS + 5, cancel)
        cancel.check()
        if job.timed_out or info.exit_code is None:
            raise ToolError(f"The command took longer than {COMMAND_SECONDS:.0f} s.")
        code = f"\n(exit code {info.exit_code})" if info.exit_code else ""
        return job_text.whole(job) + code
    finally:
        jobs.close()


# --- what counts of it ----------------------------------------------------------------------


def _picked(watch: Watch, text: str, kind: WatchKind) -> Seen:
    value = _matched(text, watch.regex) if watch.regex else plain(text)
    exact = bool(watch.regex or watch.selector)
    return Seen(value[:KEPT], number_in(value) if exact or len(value) < 40 else None, kind)


def _matched(text: str, pattern: str) -> str:
    try:
        found = _compiled(pattern).search(text, timeout=PATTERN_SECONDS)
    except TimeoutError:
        raise ToolError(f"The pattern {pattern!r} takes too long on this text: make it simpler.") from None
    if found is None:
        raise Absent(f"Nothing matches {pattern!r}.")
    return plain(next((group for group in found.groups() if group), found[0]))


def _compiled(pattern: str) -> Any:
    import regex

    try:
        return regex.compile(pattern, regex.MULTILINE)
    except regex.error as error:
        raise ToolError(f"{pattern!r} is no pattern: {error}") from error


def plain(text: str) -> str:
    """Text as it is compared: one form of each character, no spaces that can't be seen, no empty lines."""
    wide = unicodedata.normalize("NFC", text)
    shown = "".join(char for char in wide if unicodedata.category(char) != "Cf")
    lines = (" ".join(line.split()) for line in shown.splitlines())
    return "\n".join(line for line in lines if line)


def number_in(text: str) -> float | None:
    """The number a short text is, with its unit left out: "€ 1,299.50", "-3 °C", "1.299,50"."""
    import re

    found = re.findall(r"[-−+]?\d[\d.,'\u202f\u00a0 ]*", text.strip())
    if len(found) != 1:
        return None
    digits = re.sub(r"['\u202f\u00a0 ]", "", found[0]).replace("−", "-").rstrip(".,")
    return _float(digits)


def _float(digits: str) -> float | None:
    """Of "." and "," the last one is the decimal point, unless it groups thousands."""
    import re

    last = max(digits.rfind("."), digits.rfind(","))
    if last >= 0:
        mark, other = digits[last], "," if digits[last] == "." else "."
        groups = digits.count(mark) > 1 or (
            mark == "," and other not in digits and bool(re.fullmatch(r"[-+]?\d{1,3},\d{3}", digits))
        )
        digits = digits.replace(other, "")
        digits = digits.replace(mark, "" if groups else ".")
    try:
        return float(digits)
    except ValueError:
        return None
