"""Commands that need nothing but the store: opened for them, its notices said, closed whatever happens."""

from __future__ import annotations

import argparse
from collections.abc import Callable

from ankita_desktop.store.database import Store
from ankita_desktop.terminal.screen import say


def over_the_store(args: argparse.Namespace) -> int:
    """Run ``args.run(store, args)``. Returns the exit code."""
    command: Callable[[Store, argparse.Namespace], None] = args.run
    store = Store()
    try:
        for notice in store.notices:
            say(notice)
        command(store, args)
    finally:
        store.close()
    return 0
