"""Conversations from elsewhere, and the end of all of them."""

from __future__ import annotations

import argparse
import shutil
import sys
from pathlib import Path

from ankita_desktop import paths
from ankita_desktop.errors import UsageError
from ankita_desktop.protocol import dump
from ankita_desktop.store.database import Store
from ankita_desktop.store.importing import read_export
from ankita_desktop.terminal.screen import is_person, say, show_json

ALL = (
    "This deletes for good: every conversation, all that is remembered, projects, reminders, routines, watches, "
    "what you allowed for longer, the undo store, what was seen on GitHub and the logs. Settings, keys, and your "
    "own tools and skills stay."
)


def import_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("file", type=Path, help="an export of ChatGPT or Claude (.json, .zip), or our own JSON")


def import_file(store: Store, args: argparse.Namespace) -> None:
    """Add the conversations of an export; those that are here already are passed over."""
    if not args.file.is_file():
        raise UsageError(f"There is no file {args.file}.")
    done = store.import_conversations(read_export(args.file), cwd=str(paths.default_folder()))
    if args.json:
        show_json(dump(done))
        return
    print(f"Added {done.added:,} conversation{'' if done.added == 1 else 's'}.")
    for count, text in (
        (done.partly, "of these came without parts that can't be read"),
        (done.known, "were here already"),
        (done.empty, "were empty"),
        (done.broken, "can't be read"),
    ):
        if count:
            print(f"{count:,} {text}.")


def forget_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--yes", action="store_true", help="don't ask")


def forget_everything(store: Store, args: argparse.Namespace) -> None:
    """Delete all that was said and remembered, after a question."""
    if not args.yes:
        _agree()
    store.forget_everything()
    kept = [paths.data() / name for name in ("checkpoints", "github")]
    for folder in (*kept, paths.state() / "logs", paths.cache()):
        shutil.rmtree(folder, ignore_errors=True)
    if args.json:
        show_json({"forgotten": True})
    else:
        print("Everything is forgotten.")


def _agree() -> None:
    if not is_person(sys.stdin):
        raise UsageError(f"{ALL} Nobody is there to be asked: add --yes if that is meant.")
    say(ALL)
    say("`ankita memory export FILE` takes it along first. Type forget to go on:")
    if sys.stdin.readline().strip().lower() != "forget":
        raise UsageError("Nothing was deleted.")
