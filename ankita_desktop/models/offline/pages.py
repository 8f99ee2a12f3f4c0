"""What takes a look at a page of the web before something can be said of it."""

from __future__ import annotations

import re
from collections.abc import Mapping

from ankita_desktop.models.offline import words
from ankita_desktop.models.offline.grammar import Reading
from ankita_desktop.models.offline.script import Recipe, Say, Scene, Script, Wish

_SENTENCES = 3
_HEADINGS = 12


def gist(reading: Reading, scene: Scene) -> Script:
    """How a page begins and what its parts are called: a summary without a language model."""
    wish = Wish("web_fetch", {"url": reading.values["url"]})
    result = yield wish
    if not result.ok:
        yield Say(words.failure(wish, result))
        return False
    body = result.text.partition("\n\n")[2]
    title = result.details.get("title") or reading.values["url"]
    parts = [f"{title} ({result.details.get('url', reading.values['url'])})"]
    parts += [" ".join(_first_sentences(body)) or str(result.details.get("note") or "There is no text on it.")]
    if headings := re.findall(r"(?m)^#{2,4} (.+)$", body)[:_HEADINGS]:
        parts.append("Its parts:\n" + "\n".join(f"- {heading}" for heading in headings))
    parts.append("That is how it begins, in its own words; a connected model could really sum it up.")
    yield Say("\n\n".join(parts))
    return True


def _first_sentences(body: str) -> list[str]:
    """Of the first paragraphs that are prose: no headings, lists, tables or code."""
    prose = [p for p in body.split("\n\n") if re.match(r"[\w“\"'(]", p) and len(p.split()) > 5]
    return re.split(r"(?<=[.!?])\s+", " ".join(" ".join(prose[:3]).split()))[:_SENTENCES]


RECIPES: Mapping[str, Recipe] = {"page_gist": gist}
