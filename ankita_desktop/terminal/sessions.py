"""`ankita sessions`: the conversations that are stored."""

from __future__ import annotations

import argparse
import time
from collections.abc import Sequence

from ankita_desktop.errors import SessionBusy
from ankita_desktop.protocol import Message, SessionInfo, compact_json, dump
from ankita_desktop.store.database import Store
from ankita_desktop.terminal.coming_going import forget_everything, forget_options, import_file, import_options
from ankita_desktop.terminal.options import Parser
from ankita_desktop.terminal.screen import one_line, safe, say, show_json
from ankita_desktop.terminal.stored import over_the_store
from ankita_desktop.toolkit.scrub import scrub, scrubbed

ONE = ("show", "export", "delete")
MORE_OPTIONS = {"import": import_options, "forget-everything": forget_options}


def main(argv: list[str]) -> int:
    """Run `ankita sessions …`. Returns the exit code."""
    return over_the_store(parser().parse_args(argv))


def parser() -> argparse.ArgumentParser:
    """The options of `ankita sessions`. A session is named by its id or the beginning of it."""
    parser = Parser(prog="ankita sessions", description="Stored conversations.")
    commands = parser.add_subparsers(
        required=True,
        metavar="list | show | search | export | import | delete | forget-everything",
        parser_class=Parser,
    )
    made = {
        "list": (_list, "all conversations, the last one first"),
        "show": (_show, "what was said in one"),
        "search": (_search, "messages that hold all words; after -- anything is a word"),
        "export": (_export, "a whole conversation on standard output"),
        "import": (import_file, "add conversations of ChatGPT, Claude or another Ankita"),
        "delete": (_delete, "remove one for good"),
        "forget-everything": (forget_everything, "remove all that was said and is remembered"),
    }
    for name, (run, about) in made.items():
        command = commands.add_parser(name, help=about)
        command.add_argument("--json", action="store_true", help="JSON on standard output")
        command.set_defaults(run=run)
        if name == "search":
            command.add_argument("text", nargs="+")
            command.add_argument("--limit", type=int, default=50)
        elif name in ONE:
            command.add_argument("id")
        elif name in MORE_OPTIONS:
            MORE_OPTIONS[name](command)
        if name == "export":
            command.add_argument("--format", choices=("md", "json"), default="md")
    return parser


def _list(store: Store, args: argparse.Namespace) -> None:
    sessions = store.sessions()
    if args.json:
        show_json([dump(info) for info in sessions])
        return
    for info in sessions:
        print(f"{info.id}  {day(info.updated)}  {_mark(info)}{one_line(info.title or '(no title)', 60)}")
    if not sessions:
        say("There is no conversation yet.")


def _mark(info: SessionInfo) -> str:
    return "" if info.state == "idle" else f"[{info.state}] "


def _show(store: Store, args: argparse.Namespace) -> None:
    info = store.find_session(args.id)
    messages = store.messages(info.id)
    if args.json:
        show_json({"session": dump(info), "messages": [dump(message) for message in messages]})
    else:
        print(safe(as_markdown(info, messages)))


def _search(store: Store, args: argparse.Namespace) -> None:
    hits = store.search(" ".join(args.text), args.limit)
    if args.json:
        show_json([dump(hit) for hit in hits])
        return
    for hit in hits:
        print(f"{hit.session}  {day(hit.time)}  {one_line(hit.snippet, 140)}")
    if not hits:
        say("Nothing found.")


def _export(store: Store, args: argparse.Namespace) -> None:
    info = store.find_session(args.id)
    if args.json or args.format == "json":
        show_json(scrubbed(store.export(info.id)))
    else:
        print(safe(scrub(as_markdown(info, store.messages(info.id)))))


def _delete(store: Store, args: argparse.Namespace) -> None:
    info = store.find_session(args.id)
    if owner := store.leased_by(info.id):
        raise SessionBusy(info.id, owner)
    store.delete_session(info.id)
    if args.json:
        show_json({"deleted": info.id})
    else:
        print(f"Deleted {info.id} ({one_line(info.title or 'no title', 60)}) for good.")


def day(moment: float) -> str:
    return time.strftime("%Y-%m-%d %H:%M", time.localtime(moment))


def as_markdown(info: SessionInfo, messages: Sequence[Message]) -> str:
    """A conversation as a text to read: who said what, and what was done."""
    parts = [f"# {info.title or 'Conversation'}", f"{day(info.created)} · {info.cwd}"]
    for message in messages:
        parts += _told(message)
    return "\n\n".join(parts)


def _told(message: Message) -> list[str]:
    if message.source == "note":
        return []
    if message.role == "tool":
        mark = "" if message.ok else " (failed)"
        fence = "`" * max(3, _longest_run(message.text) + 1)
        return [f"{message.name}{mark}:\n\n{fence}\n{message.text}\n{fence}"]
    who = "## You" if message.role == "user" else "## Ankita"
    calls = [f"- {call.name} {call.raw or compact_json(call.arguments)}" for call in message.calls]
    files = [f"- attached: {attached.name or attached.path}" for attached in message.attachments]
    return [part for part in (who, message.text, "\n".join(files + calls)) if part]


def _longest_run(text: str) -> int:
    longest = run = 0
    for char in text:
        run = run + 1 if char == "`" else 0
        longest = max(longest, run)
    return longest
