"""What an answer cost, from prices kept as data with a date. The person's own file goes before ours."""

from __future__ import annotations

import tomllib
from collections.abc import Sequence
from functools import cached_property
from pathlib import Path

from ankita_desktop.errors import ConfigError
from ankita_desktop.protocol import Usage

MILLION = 1_000_000


class Prices:
    """Reads ``prices.toml`` files on first use, later ones over earlier ones. Thread-safe.

    A file that can't be read costs nobody an answer: it is left out and named in ``problems``.
    """

    def __init__(self, files: Sequence[Path]) -> None:
        self._files = [file for file in files if file.is_file()]
        self.problems: list[str] = []

    @cached_property
    def _rows(self) -> dict[str, tuple[float, float, float]]:
        rows: dict[str, tuple[float, float, float]] = {}
        for file in self._files:
            try:
                rows |= _read(file)
            except ConfigError as error:
                self.problems.append(str(error))
        return rows

    def cost(self, model: str, usage: Usage) -> float | None:
        """USD of one answer; what the service said if it did; None for a model without a price. Cached tokens are
        part of ``usage.input`` and are billed once, at their own price."""
        if usage.cost is not None:
            return usage.cost
        name = model.rpartition("/")[2].lower()
        fits = [known for known in self._rows if name.startswith(known)]
        if not fits or not (usage.input or usage.output):
            return None
        new, cached, output = self._rows[max(fits, key=len)]
        total = (usage.input - usage.cached) * new + usage.cached * cached + usage.output * output
        return total / MILLION


def _read(file: Path) -> dict[str, tuple[float, float, float]]:
    try:
        models = tomllib.loads(file.read_text("utf-8")).get("models", {})
        return {name.lower(): (float(row[0]), float(row[1]), float(row[2])) for name, row in models.items()}
    except (OSError, ValueError, TypeError, IndexError, AttributeError) as error:
        raise ConfigError(f"The prices in {file} can't be read: {error}") from error
