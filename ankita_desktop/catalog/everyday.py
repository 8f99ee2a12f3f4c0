"""Words of everyday use, read once from ``everyday.txt``."""

from __future__ import annotations

from functools import cache
from importlib import resources


@cache
def everyday(kind: str) -> frozenset[str]:
    """The words under "stop", "generic" or "plain"."""
    lines = data("everyday.txt")
    return frozenset(word for line in lines if line.startswith(f"{kind}:") for word in line.split()[1:])


def data(name: str) -> list[str]:
    """The lines of a data file of this package."""
    return resources.files("ankita_desktop.catalog").joinpath(name).read_text(encoding="utf-8").splitlines()
