"""The README tells of every tool that there is, and of no other."""

from __future__ import annotations

import fnmatch
import re
from pathlib import Path

from ankita_desktop import paths

README = Path(__file__).resolve().parents[2] / "README.md"


def table() -> dict[str, list[str]]:
    """{group: tools} as the README's table has them."""
    rows = re.findall(r"^\| *(\w+)[^|]* \| ([^|]+) \| [^|]+ \|$", README.read_text("utf-8"), re.M)
    return {group: tools.split() for group, tools in rows if group != "group"}


def there() -> dict[str, set[str]]:
    found: dict[str, set[str]] = {}
    for path in paths.bundled("tools").glob("*/*.py"):
        found.setdefault(path.parent.name, set()).add(path.stem)
    return found


def test_every_group_and_every_tool_stands_in_the_table() -> None:
    told = table()
    assert set(told) == set(there())
    for group, tools in there().items():
        missing = {tool for tool in tools if not any(fnmatch.fnmatch(tool, name) for name in told[group])}
        assert not missing, f"{group} in README.md lacks {missing}"


def test_the_table_names_nothing_that_is_not_there() -> None:
    for group, names in table().items():
        for name in names:
            assert fnmatch.filter(there()[group], name), f"README.md: {group} has no {name}"
