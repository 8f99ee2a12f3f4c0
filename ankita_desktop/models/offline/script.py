"""A request being done: a generator that wishes for calls, is sent their results, and says things.

Since a model is asked anew every round, a script is replayed from its beginning over the results that the
messages hold until it wishes for a call that has none yet. Scripts must therefore be deterministic.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Mapping
from dataclasses import dataclass, field
from typing import Any

from ankita_desktop.models.offline.grammar import Grammar, Reading
from ankita_desktop.models.offline.past import Exchange
from ankita_desktop.protocol import Message
from ankita_desktop.toolkit.services import Match


@dataclass(frozen=True, slots=True)
class Wish:
    """A call the script needs."""

    tool: str
    arguments: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Say:
    """Words for the person."""

    text: str


Script = Generator["Wish | Say", Message, bool]
"""Returns True when the request was done, False when it ended early (and said why)."""


@dataclass
class Scene:
    """What scripts may look at. ``offered`` are the request's tools, ``found`` those that ``find_tools`` named;
    ``focus`` is what "it" means by kind (path, branch); it moves with each call."""

    grammar: Grammar
    match: Callable[[str], Match]
    understand: Callable[[str], tuple[Reading, ...]]
    recipes: Mapping[str, Recipe]
    offered: frozenset[str] = frozenset()
    found: frozenset[str] = frozenset()
    before: tuple[Exchange, ...] = ()
    focus: dict[str, str] = field(default_factory=dict)
    added: list[dict[str, str]] = field(default_factory=list)
    """Items that this request has put on the list so far."""

    def has(self, tool: str) -> bool:
        """Whether the tool is at hand or can be found; pure, from what is offered and the catalogue's match."""
        return tool in self.offered or tool in self.match(search_words(tool)).tools


_SEARCH = {
    "archive": "unzip an archive",
    "clipboard": "what is on the clipboard",
    "create_dir": "create a folder",
    "disk_usage": "how big is a folder",
    "file_info": "file details",
    "find_file": "find a file anywhere on my computer",
    "notify": "show a desktop notification",
    "open": "open a file in the default app",
    "read_document": "read a pdf",
    "screenshot": "take a screenshot",
    "system_info": "system info",
    "kill_process": "kill a process",
    "port_status": "what is listening on a port",
    "remind": "remind me",
    "schedule": "routines that run on a schedule",
    "watch": "watch this page for changes",
    "scrape": "scrape a web page",
    "web_fetch": "read a web page",
    "web_search": "search the web",
}


def search_words(tool: str) -> str:
    """What to ask ``find_tools`` for when this tool is needed."""
    return _SEARCH.get(tool, tool.replace("_", " "))


Recipe = Callable[[Reading, Scene], Script]
"""Does a reading whose "it" is settled, in steps."""
