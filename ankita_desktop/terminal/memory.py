"""`ankita memory`: what is remembered about the person."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from ankita_desktop.errors import UsageError
from ankita_desktop.protocol import dump
from ankita_desktop.store.database import Store
from ankita_desktop.terminal.options import Parser
from ankita_desktop.terminal.screen import one_line, say, show_json
from ankita_desktop.terminal.sessions import day
from ankita_desktop.terminal.stored import over_the_store
from ankita_desktop.toolkit.remembering import FACT_LENGTH, Fact
from ankita_desktop.toolkit.scrub import scrubbed
from ankita_desktop.toolkit.secrets_text import looks_secret


def main(argv: list[str]) -> int:
    """Run `ankita memory …`. Returns the exit code."""
    return over_the_store(parser().parse_args(argv))


def parser() -> argparse.ArgumentParser:
    """The options of `ankita memory`. A fact is named by its id, such as m12."""
    parser = Parser(prog="ankita memory", description="What is remembered about you, and where it is found.")
    commands = parser.add_subparsers(
        required=True, metavar="list | add | update | forget | pin | unpin | recall | export", parser_class=Parser
    )
    made = {
        "list": (_list, "all facts, the pinned ones first", ()),
        "add": (_add, "remember a fact", ("text",)),
        "update": (_update, "put another text in a fact's place", ("id", "text")),
        "forget": (_forget, "delete a fact, and keep old conversations from teaching it again", ("id",)),
        "pin": (_pin, "have a fact in every conversation", ("id",)),
        "unpin": (_unpin, "not in every conversation any more", ("id",)),
        "recall": (_recall, "search facts, notes of projects and conversations", ("text",)),
        "export": (_export, "all that is stored about you, as JSON", ("file",)),
    }
    for name, (run, about, takes) in made.items():
        command = commands.add_parser(name, help=about)
        command.add_argument("--json", action="store_true", help="JSON on standard output")
        for word in takes:
            extra = {"nargs": "+"} if word == "text" else {"nargs": "?", "type": Path} if word == "file" else {}
            command.add_argument(word, **extra)
        command.set_defaults(run=run)
    return parser


def _list(store: Store, args: argparse.Namespace) -> None:
    facts = store.facts()
    if args.json:
        show_json([dump(fact) for fact in facts])
        return
    for fact in facts:
        print(_line(fact))
    if not facts:
        say("Nothing is remembered yet.")


def _add(store: Store, args: argparse.Namespace) -> None:
    saved = store.add_fact(_text(args))
    _tell(saved.fact, args, {"how": saved.how})


def _update(store: Store, args: argparse.Namespace) -> None:
    _tell(store.change_fact(_known(store, args.id).id, _text(args)).fact, args)


def _text(args: argparse.Namespace) -> str:
    text = " ".join(" ".join(args.text).split())
    if not text or len(text) > FACT_LENGTH:
        raise UsageError(f"A fact has between 1 and {FACT_LENGTH} characters.")
    if looks_secret(text):
        raise UsageError("That looks like a key or a password: it doesn't belong in memory. Say only where it is.")
    return text


def _forget(store: Store, args: argparse.Namespace) -> None:
    fact = _known(store, args.id)
    store.forget_fact(fact.id)
    if args.json:
        show_json({"forgotten": fact.id})
    else:
        print(f"Forgotten: {one_line(fact.text, 140)}")


def _pin(store: Store, args: argparse.Namespace) -> None:
    _tell(store.pin_fact(_known(store, args.id).id).fact, args)


def _unpin(store: Store, args: argparse.Namespace) -> None:
    _tell(store.pin_fact(_known(store, args.id).id, False).fact, args)


def _recall(store: Store, args: argparse.Namespace) -> None:
    found = store.recall(" ".join(args.text), limit=20)
    if args.json:
        show_json([dump(one) for one in found])
        return
    for one in found:
        print(f"{day(one.time)}  {one.kind:<8}  {one_line(one.text, 120)}  ({one_line(one.source, 60)})")
    if not found:
        say("Nothing is remembered about that.")


def _export(store: Store, args: argparse.Namespace) -> None:
    if args.file is None:
        store.export_everything(sys.stdout, scrubbed)
        return
    if args.file.exists():
        raise UsageError(f"{args.file} is there already: choose another name.")
    with args.file.open("w", encoding="utf-8") as out:
        args.file.chmod(0o600)
        count = store.export_everything(out, scrubbed)
    if args.json:
        show_json({"file": str(args.file), "rows": count})
    else:
        print(f"Wrote {count:,} rows to {args.file}. Keys and settings are not in it.")


def _known(store: Store, fact: str) -> Fact:
    found = store.fact(fact)
    if found is None:
        raise UsageError(f"There is no fact {fact}. `ankita memory list` shows all.")
    return found


def _tell(fact: Fact, args: argparse.Namespace, more: dict[str, str] | None = None) -> None:
    if args.json:
        show_json({**dump(fact), **(more or {})})
    else:
        print(_line(fact))


def _line(fact: Fact) -> str:
    return f"{fact.id:<6} {day(fact.updated)}  {'[pinned] ' if fact.pinned else ''}{one_line(fact.text, 160)}"
