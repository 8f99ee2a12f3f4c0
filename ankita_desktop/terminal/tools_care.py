"""`ankita tools audit` and `review`: what tools cost and whether they are used; whether every one is found.

Both look after the catalogue: `audit` reads the stored conversations, `review` the headers alone.
"""

from __future__ import annotations

import argparse
from dataclasses import asdict, replace
from pathlib import Path
from typing import TYPE_CHECKING

from ankita_desktop.catalog import open_catalogue
from ankita_desktop.terminal.screen import safe, say, show_json

if TYPE_CHECKING:
    from ankita_desktop.catalog import ToolCatalogue


def audit(args: argparse.Namespace) -> int:
    """Print what is always sent and what of it was used; with ``clear_misses`` forget the vain searches."""
    from ankita_desktop.catalog.costs import audit, audit_text
    from ankita_desktop.core.deferral import CALL_TOOL
    from ankita_desktop.store.database import Store

    store = Store()
    try:
        if args.clear_misses:
            return _cleared(store.clear_misses(), args)
        catalogue = open_catalogue()
        specs = [*catalogue.specs(), replace(CALL_TOOL, always_on=True)]
        found = audit(specs, store.calls_per_tool(), misses=store.misses(), lines=_lines(catalogue))
    finally:
        store.close()
    if args.json:
        show_json(asdict(found))
    else:
        print(safe(audit_text(found)))
    return 0


def _cleared(count: int, args: argparse.Namespace) -> int:
    if args.json:
        show_json({"cleared": count})
    else:
        print(f"{count} searches are forgotten." if count != 1 else "1 search is forgotten.")
    return 0


def _lines(catalogue: ToolCatalogue) -> dict[str, str]:
    """What every request tells of groups and skills, for a conversation in this folder."""
    from ankita_desktop.assembly import skill_shelf
    from ankita_desktop.core.briefing import skill_lines
    from ankita_desktop.store.settings import Settings

    skills = skill_shelf(Settings()).skills(Path.cwd())
    return {"groups": catalogue.groups_line, "skills": skill_lines(skills)}


def review(args: argparse.Namespace) -> int:
    """Print the candidates as a diff and what must be settled. Returns 1 when something must be."""
    from ankita_desktop.catalog.keywords import as_diff, problems, review

    catalogue = open_catalogue([Path(args.folder)] if args.folder else None)
    found = review(catalogue)
    diff, open_points = as_diff(found, catalogue), problems(found)
    if args.json:
        show_json({"ok": found.ok(), **asdict(found), "diff": diff})
        return 0 if found.ok() else 1
    print(safe(diff), end="")
    for point in open_points:
        say(point)
    if not open_points:
        say("Every tool is found by its own words, and no phrase is fought over.")
    if diff:
        say("Keep the words that tell this kind of request from others, then: git apply --recount")
    return 0 if found.ok() else 1
