"""The catalogue the rest of the product holds: what exists, what a sentence means, and a tool's functions."""

from __future__ import annotations

import hashlib
import threading
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Any

from ankita_desktop import paths
from ankita_desktop.catalog.loader import Loader
from ankita_desktop.catalog.match import Matcher, Verdict, choose
from ankita_desktop.catalog.names import NameIndex
from ankita_desktop.catalog.outside import MOST_TOOLS, Found, Source, best_groups, stems_of
from ankita_desktop.catalog.scan import Shelf, scan
from ankita_desktop.catalog.words import keep_stems, parts, recall_stems
from ankita_desktop.errors import ToolError
from ankita_desktop.protocol import ToolSpec
from ankita_desktop.toolkit.services import Group, LoadedTool, Match

Load = Callable[[ToolSpec], LoadedTool]

BY_NAME = 3.0
LONGEST = 2_000  # characters of a query that are read: what is wanted stands at the beginning


def open_catalogue(roots: Sequence[Path] | None = None) -> ToolCatalogue:
    """The bundled tools and the person's own (``config/tools/<group>/``), or the given folders instead.

    Reads headers only. The first root is the bundled one. Raises ``ConfigError`` when its ``catalog.toml``
    can't be read; a broken tool file is named in ``problems``.
    """
    return ToolCatalogue(scan(roots if roots is not None else [paths.bundled("tools"), paths.config() / "tools"]))


@dataclass(frozen=True, slots=True)
class _View:
    """What exists at one moment: replaced as a whole when a server comes or goes. ``loads`` has the servers that
    are connected; the tools of one that isn't stay listed, so that a request still begins as the one before."""

    specs: Mapping[str, ToolSpec]
    groups: Mapping[str, Group]
    sources: Mapping[str, Source] = field(default_factory=dict)
    names: NameIndex = field(default_factory=lambda: NameIndex(()))
    loads: Mapping[str, Load | None] = field(default_factory=dict)


class ToolCatalogue:
    """Implements ``toolkit.services.Catalogue``. Thread-safe."""

    def __init__(self, shelf: Shelf) -> None:
        self._shelf = shelf
        self._loader = Loader()
        self._lock = threading.Lock()
        self._view = _View(shelf.specs, shelf.groups, names=_names(shelf.specs, shelf.groups))

    @property
    def problems(self) -> tuple[str, ...]:
        """What could not be used, one sentence each, naming file and line."""
        return tuple(self._shelf.problems)

    @property
    def groups_line(self) -> str:
        """What the model is told of the groups it can ask for, in every request."""
        return self._shelf.groups_line

    @property
    def file(self) -> Path | None:
        """The bundled ``catalog.toml``, for a person who edits it."""
        return self._shelf.catalog

    def specs(self) -> Sequence[ToolSpec]:
        return tuple(self._view.specs.values())

    def groups(self) -> Sequence[Group]:
        return tuple(self._view.groups.values())

    def spec(self, name: str) -> ToolSpec | None:
        return self._view.specs.get(name)

    def in_group(self, group: str) -> Sequence[ToolSpec]:
        return tuple(spec for spec in self._view.specs.values() if spec.group == group)

    def load(self, name: str) -> LoadedTool:
        """The tool's functions; imports its file on first use. Raises ``ToolError``, also for a tool of a server
        that isn't connected."""
        served = self._view.specs.get(name)
        if served and served.source.startswith("server:"):
            return _served(served, self._view)
        spec = self._shelf.specs.get(name)
        if spec is None:
            near = ", ".join(self.near(name))
            raise ToolError(f"There is no tool named {name}." + (f" Near names: {near}." if near else ""))
        return self._loader.load(spec, self._shelf.files[name])

    def near(self, name: str) -> Sequence[str]:
        """Up to five names like ``name``, nearest first."""
        from rapidfuzz import process

        found = process.extract(name, list(self._view.specs), limit=5, score_cutoff=60)
        return tuple(name for name, *_ in found)

    def register(self, name: str, specs: Iterable[ToolSpec], load: Load | None = None) -> tuple[str, ...]:
        """Add or replace the tools of the server ``name``, as one group found by its own words; ``load`` gives a
        tool's functions. The server counts as connected.

        Bundled and own tools can't be shadowed: a tool of a taken name is left out. Returns what was left out,
        one sentence each. Takes up to two seconds for 10,000 tools: call it off the start path.
        """
        with self._lock:
            view = _without(self._view, name)
            group = name if name not in view.groups else f"{name}_server"
            source = f"server:{name}"
            fresh = {spec.name: replace(spec, group=group, source=source, always_on=False) for spec in specs}
            taken = [tool for tool in fresh if tool in view.specs]
            kept = {tool: spec for tool, spec in fresh.items() if tool not in view.specs}
            groups = {**view.groups, group: Group(group, "", tuple(kept))}
            sources = {**view.sources, name: Source(kept.values())}
            merged = {**view.specs, **kept}
            self._view = _View(merged, groups, sources, _names(merged, groups), {**view.loads, name: load})
        return tuple(f"The server {name} offers {tool}, which is another tool's name." for tool in taken)

    def disconnect(self, name: str) -> None:
        """The server is gone for now: its tools stay listed and found, and fail when they are called."""
        with self._lock:
            loads = {server: load for server, load in self._view.loads.items() if server != name}
            self._view = replace(self._view, loads=loads)

    def unregister(self, name: str) -> None:
        """Forget the server's tools; nothing happens when there are none."""
        with self._lock:
            self._view = _without(self._view, name)

    # --- matching -----------------------------------------------------------------------------

    @cached_property
    def _matcher(self) -> Matcher:
        settings = with_keywords(self._shelf.settings, self._shelf.specs.values())
        known = paths.cache() / f"stems-{digest(settings)}.txt"
        recall_stems(known)
        matcher = Matcher(settings)
        if not known.exists():
            keep_stems(known, matcher.book.stem_of)
        return matcher

    @cached_property
    def _own(self) -> Source:
        """Tools without curated words: the person's, and bundled groups that ``catalog.toml`` doesn't know."""
        curated = self._shelf.settings.get("groups", {})
        specs = self._shelf.specs.values()
        return Source(spec for spec in specs if not spec.always_on and _uncurated(spec, curated))

    def match(self, query: str, *, planned: bool = False) -> Match:
        """The deferred groups that ``query`` asks for, best first; none for chit-chat and core work."""
        view, query = self._view, query[:LONGEST]
        by_name = self._by_name(view, query)
        if by_name:
            return by_name
        verdict = self._matcher.judge(query)
        known = [group for group in choose(verdict.scores) if group in view.groups]
        groups = [group for group in known if _offered(view.groups[group], planned)]
        found = self._outside(view, query, verdict, beside=bool(known))
        tools = [tool for group in groups for tool in self._tools(view, group, query)]
        tools += [tool for one in found for tool in one.tools]
        return Match(
            query,
            tuple(dict.fromkeys([*groups, *(one.group for one in found)])),
            tuple(dict.fromkeys(tools)),
            {one.group: round(one.score, 2) for one in found} | {group: verdict.scores[group] for group in groups},
            {one.group: one.why for one in found} | {group: verdict.why[group] for group in groups},
        )

    def phrases(self) -> Sequence[str]:
        """Every curated phrase that decides by itself."""
        return self._matcher.phrases()

    def knows(self, word: str) -> bool:
        """Whether ``catalog.toml`` or a header's keywords have this word already, alone or as part of a phrase."""
        return self._matcher.knows(word)

    def _outside(self, view: _View, query: str, verdict: Verdict, *, beside: bool) -> list[Found]:
        sources = [source for source in (self._own, *view.sources.values()) if source.index.specs]
        if not sources or verdict.claimed:
            return []
        text = " ".join(part for part in parts(query) if part[0] not in "<.,:")
        said = stems_of(text)
        return best_groups(one for source in sources for one in source.find(text, said, beside=beside))

    def _by_name(self, view: _View, query: str) -> Match | None:
        found = view.names.find(query)
        if not found:
            return None
        groups = tuple(dict.fromkeys(view.specs[name].group for name in found))
        tools = [*found[:MOST_TOOLS], *(tool for group in groups for tool in self._tools(view, group, query))]
        why = {group: tuple(name for name in found if view.specs[name].group == group) for group in groups}
        return Match(query, groups, tuple(dict.fromkeys(tools)), dict.fromkeys(groups, BY_NAME), why)

    def _tools(self, view: _View, group: str, query: str) -> Sequence[str]:
        """The group's tools, those that share words with the query first; of a large one of a server the best."""
        tools = view.groups[group].tools
        if len(tools) < 2:
            return tools
        source = view.sources.get(view.specs[tools[0]].source.partition(":")[2])
        if source:
            return source.best(group, query)
        said = set(stems_of(query))
        return sorted(tools, key=lambda tool: -len(said & _own_words(view.specs[tool].description, tool)))


def digest(settings: Mapping[str, Any]) -> str:
    """A short name for one state of the catalogue's data."""
    return hashlib.sha256(repr(settings).encode()).hexdigest()[:12]


@lru_cache(maxsize=1024)
def _own_words(description: str, name: str) -> frozenset[str]:
    return frozenset(stems_of(f"{name} {description}"))


def _names(specs: Mapping[str, ToolSpec], groups: Mapping[str, Group]) -> NameIndex:
    """The deferred tools that can be asked for by name."""
    return NameIndex(name for name, spec in specs.items() if not spec.always_on and not groups[spec.group].planned)


def _offered(group: Group, planned: bool) -> bool:
    return not group.always and (planned or (bool(group.tools) and not group.planned))


def _without(view: _View, name: str) -> _View:
    source = f"server:{name}"
    specs = {tool: spec for tool, spec in view.specs.items() if spec.source != source}
    gone = {spec.group for spec in view.specs.values() if spec.source == source}
    groups = {group: about for group, about in view.groups.items() if group not in gone}
    sources = {other: found for other, found in view.sources.items() if other != name}
    loads = {server: load for server, load in view.loads.items() if server != name}
    return _View(specs, groups, sources, _names(specs, groups), loads)


def _served(spec: ToolSpec, view: _View) -> LoadedTool:
    server = spec.source.removeprefix("server:")
    load = view.loads.get(server)
    if load is None:
        why = "can't be called from here" if server in view.loads else "is not connected now"
        raise ToolError(f"{spec.name} is a tool of the server {server}, which {why}. Go on without it, or say so.")
    return load(spec)


def _uncurated(spec: ToolSpec, curated: Mapping[str, Any]) -> bool:
    return spec.source != "bundled" or "sure" not in curated.get(spec.group, {})


def with_keywords(settings: Mapping[str, Any], specs: Iterable[ToolSpec]) -> Mapping[str, Any]:
    """``catalog.toml`` with the keywords of the tools' own headers: beside curated words they need company."""
    groups = {name: dict(about) for name, about in settings.get("groups", {}).items()}
    for spec in specs:
        about = groups.get(spec.group)
        if about is not None and spec.source == "bundled" and not about.get("always"):
            about["maybe"] = [*about.get("maybe", ()), *spec.keywords]
    return {**settings, "groups": groups}
