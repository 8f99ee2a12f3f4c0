"""The catalogue the rest of the product holds: what exists, what a sentence means, and a tool's functions."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from pathlib import Path

from ankita_desktop import paths
from ankita_desktop.catalog.loader import Loader
from ankita_desktop.catalog.match import Matcher, choose
from ankita_desktop.catalog.scan import Shelf, scan
from ankita_desktop.errors import ToolError
from ankita_desktop.protocol import ToolSpec
from ankita_desktop.toolkit.services import Group, LoadedTool, Match


def open_catalogue(roots: Sequence[Path] | None = None) -> ToolCatalogue:
    """The bundled tools and the person's own (``config/tools/<group>/``), or the given folders instead.

    Reads headers only. The first root is the bundled one. Raises ``ConfigError`` when its ``catalog.toml``
    can't be read; a broken tool file is named in ``problems``.
    """
    return ToolCatalogue(scan(roots if roots is not None else [paths.bundled("tools"), paths.config() / "tools"]))


class ToolCatalogue:
    """Implements ``toolkit.services.Catalogue``. Thread-safe."""

    def __init__(self, shelf: Shelf) -> None:
        self._shelf = shelf
        self._loader = Loader()

    @property
    def problems(self) -> tuple[str, ...]:
        """What could not be used, one sentence each, naming file and line."""
        return tuple(self._shelf.problems)

    def specs(self) -> Sequence[ToolSpec]:
        return tuple(self._shelf.specs.values())

    def groups(self) -> Sequence[Group]:
        return tuple(self._shelf.groups.values())

    def spec(self, name: str) -> ToolSpec | None:
        return self._shelf.specs.get(name)

    def in_group(self, group: str) -> Sequence[ToolSpec]:
        return tuple(spec for spec in self._shelf.specs.values() if spec.group == group)

    def load(self, name: str) -> LoadedTool:
        """The tool's functions; imports its file on first use."""
        spec = self._shelf.specs.get(name)
        if spec is None:
            near = ", ".join(self.near(name))
            raise ToolError(f"There is no tool named {name}." + (f" Near names: {near}." if near else ""))
        return self._loader.load(spec, self._shelf.files[name])

    def near(self, name: str) -> Sequence[str]:
        """Up to five names like ``name``, nearest first."""
        from rapidfuzz import process

        return tuple(
            found[0] for found in process.extract(name, list(self._shelf.specs), limit=5, score_cutoff=60)
        )

    @cached_property
    def _matcher(self) -> Matcher:
        return Matcher(self._shelf.settings)

    def match(self, query: str, *, planned: bool = False) -> Match:
        """The deferred groups that ``query`` asks for, best first; none for chit-chat and core work."""
        scores, why = self._matcher.scores(query)
        shelf = self._shelf.groups
        groups = tuple(
            group
            for group in choose(scores)
            if not shelf[group].always and (planned or (shelf[group].tools and not shelf[group].planned))
        )
        tools = tuple(tool for group in groups for tool in shelf[group].tools)
        return Match(
            query, groups, tools, {group: scores[group] for group in groups}, {group: why[group] for group in groups}
        )
