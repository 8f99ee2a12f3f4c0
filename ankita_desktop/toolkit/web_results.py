"""What is searched for, what is found, and the answers of several engines made one list."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from urllib.parse import parse_qsl, urlencode

from ankita_desktop.errors import ToolError
from ankita_desktop.toolkit.addresses import read_address

_TRACKING = re.compile(r"(utm_\w+|gclid|fbclid|msclkid|mc_eid|igshid|ref_src)")


@dataclass(frozen=True, slots=True)
class Wanted:
    """A search. ``recency`` is "", day, week, month or year; ``site`` a domain that results must be of."""

    query: str
    count: int = 8
    recency: str = ""
    site: str = ""

    @property
    def words(self) -> str:
        return f"{self.query} site:{self.site}" if self.site else self.query


@dataclass(frozen=True, slots=True)
class Hit:
    """One result; ``engines`` are those that found it."""

    title: str
    url: str
    snippet: str = ""
    date: str = ""
    engines: tuple[str, ...] = ()


def fused(answers: Mapping[str, Sequence[Hit]], wanted: Wanted) -> list[Hit]:
    """The answers of several engines as one list: what many of them rank high comes first, each page once."""
    best: dict[str, Hit] = {}
    weight: dict[str, float] = {}
    for engine, hits in answers.items():
        for rank, hit in enumerate(hit for hit in hits if _fits(hit, wanted.site)):
            key = same_page(hit.url)
            known = best.get(key)
            engines = (*(known.engines if known else ()), engine)
            fuller = hit if known is None or len(hit.snippet) > len(known.snippet) else known
            if known is None or engine not in known.engines:
                weight[key] = weight.get(key, 0.0) + 1 / (20 + rank)
                best[key] = replace(fuller, engines=engines)
    return [best[key] for key in sorted(best, key=lambda key: -weight[key])]


def same_page(url: str) -> str:
    """What two addresses of one page have in common: no scheme, www, tracking, fragment or final slash."""
    place, _, query = url.partition("#")[0].partition("?")
    place = re.sub(r"^https?://(www\.|m\.|amp\.)?", "", place.lower(), count=1).rstrip("/")
    kept = [(k, v) for k, v in parse_qsl(query, keep_blank_values=True) if not _TRACKING.fullmatch(k)]
    return f"{place}?{urlencode(sorted(kept))}" if kept else place


def _fits(hit: Hit, site: str) -> bool:
    """Whether a result can be used: a web address, and of the site that was asked for."""
    try:
        host = read_address(hit.url).host
    except ToolError:
        return False
    site = re.sub(r"^(https?://)?(www\.)?", "", site.lower()).partition("/")[0]
    return not site or host == site or host.endswith(f".{site}")
