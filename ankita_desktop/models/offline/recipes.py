"""What takes more than one call, or a look at what was done before. Named in the files of sentences.

A recipe gets a reading whose "it" is settled, and the scene; it yields wishes and words (see ``script``).
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from ankita_desktop.models.offline import tellers, wording, words
from ankita_desktop.models.offline.grammar import Reading
from ankita_desktop.models.offline.script import Recipe, Say, Scene, Script, Wish


def one(tool: str, arguments: Mapping[str, Any], reading: Reading) -> Script:
    """A single call and its result in words."""
    wish = Wish(tool, arguments)
    result = yield wish
    yield Say(words.told(reading, wish, result))
    return result.ok


# --- reading --------------------------------------------------------------------------------


def last_lines(reading: Reading, scene: Scene) -> Script:
    """Learn how long the file is, then read its end."""
    path, count = reading.values["path"], reading.values.get("n", 10)
    look = Wish("read_file", {"path": path, "limit": 1})
    result = yield look
    if not result.ok:
        yield Say(words.failure(look, result))
        return False
    total = result.details.get("lines", 0)
    if total <= 1:
        yield Say(words.shown(look, result))
        return True
    return (
        yield from one("read_file", {"path": path, "offset": max(1, total - count + 1), "limit": count}, reading)
    )


def read_on(reading: Reading, scene: Scene) -> Script:
    """The lines after those that were read last."""
    for exchange in reversed(scene.before):
        for done in reversed(exchange.done):
            if done.call.name == "read_file" and done.result.ok and "end" in done.result.details:
                return (yield from _onward(reading, done.call.arguments["path"], done.result.details))
    yield Say("No file has been read yet. Say for example “read notes.txt”.")
    return False


def _onward(reading: Reading, path: str, details: Mapping[str, Any]) -> Script:
    if details["end"] >= details["lines"] >= 0:
        yield Say(f"That was all: {path} ends at line {details['end']}.")
        return True
    arguments = {"path": path, "offset": details["end"] + 1}
    if "n" in reading.values:
        arguments["limit"] = reading.values["n"]
    elif details["end"] - details["start"] < 500:
        arguments["limit"] = details["end"] - details["start"] + 1
    return (yield from one("read_file", arguments, reading))


_SHOWN = 10


def ranked(reading: Reading, scene: Scene) -> Script:
    """The biggest or the newest files."""
    folder, count = reading.values.get("folder", "."), reading.values.get("n", _SHOWN)
    if reading.values["by"] == "time":
        wish = Wish("glob", {"pattern": "**/*", "path": folder, "sort": "time"})
        result = yield wish
        yield Say(_newest(result.text, count) if result.ok else words.failure(wish, result))
        return result.ok
    wish = Wish("list_dir", {"path": folder, "recursive": True})
    result = yield wish
    yield Say(_biggest(result.details, count) if result.ok else words.failure(wish, result))
    return result.ok


def _newest(text: str, count: int) -> str:
    rows = [line for line in text.split("\n") if line and not line.startswith("[incomplete")][:count]
    return "The files that changed last, newest first:\n\n" + "\n".join(f"- {row}" for row in rows)


def _biggest(details: Mapping[str, Any], count: int) -> str:
    files = [entry for entry in details.get("entries", ()) if entry["kind"] == "file"]
    if not files:
        return "There are no files here."
    top = sorted(files, key=lambda entry: -entry["size"])[:count]
    rows = "\n".join(f"- {entry['name']} ({wording.size(entry['size'])})" for entry in top)
    among = f" among the {len(files)} looked at" if details.get("truncated") else ""
    return f"The biggest files{among}:\n\n{rows}"


def count_files(reading: Reading, scene: Scene) -> Script:
    """How many files there are, in a folder or of a kind."""
    folder = reading.values.get("folder", ".")
    where = "here" if folder == "." else f"in {folder}"
    if "kind" in reading.values:
        pattern = f"**/*.{reading.values['kind']}"
        wish = Wish("glob", {"pattern": pattern, "path": folder})
        result = yield wish
        count = result.details.get("count", 0)
        what = f"{reading.values['kind']} file"
        said = f"There {'is' if count == 1 else 'are'} {wording.plural(count, what)} {where}, subfolders included."
    else:
        wish = Wish("list_dir", {"path": folder})
        result = yield wish
        entries = result.details.get("entries", ())
        files = sum(entry["kind"] == "file" for entry in entries)
        folders = sum(entry["kind"] == "folder" for entry in entries)
        said = f"There {'is' if files == 1 else 'are'} {wording.plural(files, 'file')} {where}"
        said += f", beside {wording.plural(folders, 'folder')}." if folders else "."
    yield Say(said if result.ok else words.failure(wish, result))
    return result.ok


def search(reading: Reading, scene: Scene) -> Script:
    """Text in files: taken literally, in one folder or kind of file if named."""
    values = reading.values
    arguments = {"pattern": values["text"], "literal": True}
    if "folder" in values:
        arguments["path"] = values["folder"]
    if "kind" in values:
        arguments["include"] = f"*.{values['kind']}"
    if values.get("anycase"):
        arguments["ignore_case"] = True
    return (yield from one("search_files", arguments, reading))


# --- changing -------------------------------------------------------------------------------


def replace_text(reading: Reading, scene: Scene) -> Script:
    """Exact text for other text, everywhere in the file unless only the first was meant; the diff shows it all."""
    values = reading.values
    if values.get("once"):
        return (yield from _first_only(reading))
    arguments = {"path": values["path"], "old_string": values["old"], "new_string": values["new"]}
    return (yield from one("edit_file", {**arguments, "replace_all": True}, reading))


def _first_only(reading: Reading) -> Script:
    """Find the line where the text stands first, and change only that line."""
    path, old, new = (reading.values[key] for key in ("path", "old", "new"))
    look = Wish("search_files", {"pattern": old, "path": path, "literal": True, "limit": 1})
    result = yield look
    matches = result.details.get("matches") or ()
    if not result.ok or not matches:
        yield Say(words.shown(look, result) if result.ok else words.failure(look, result))
        return False
    line, text = matches[0]["line"], matches[0]["text"]
    edit = {"start_line": line, "end_line": line, "mode": "replace", "content": text.replace(old, new, 1)}
    return (yield from one("edit_lines", {"path": path, "edits": [edit]}, reading))


def append(reading: Reading, scene: Scene) -> Script:
    """A line at the end: after the last one, or a new file when there is none."""
    path, text = reading.values["path"], reading.values["text"]
    look = Wish("read_file", {"path": path, "limit": 1})
    result = yield look
    absent = not result.ok and result.text.startswith("There is no file")
    if not result.ok and not absent:
        yield Say(words.failure(look, result))
        return False
    last = result.details.get("lines", 0)
    if absent or last == 0:
        return (yield from one("write_file", {"path": path, "content": f"{text}\n"}, reading))
    edit = {"start_line": last, "end_line": last, "mode": "insert_after", "content": text}
    return (yield from one("edit_lines", {"path": path, "edits": [edit]}, reading))


_TEST_COMMANDS = {
    "Makefile": "make test",
    "pyproject.toml": "python -m pytest",
    "package.json": "npm test",
    "Cargo.toml": "cargo test",
    "go.mod": "go test ./...",
}


def run_tests(reading: Reading, scene: Scene) -> Script:
    """The tests, by the command that the kind of project has."""
    look = Wish("list_dir", {"path": "."})
    result = yield look
    names = {entry["name"] for entry in result.details.get("entries", ())}
    command = next((command for name, command in _TEST_COMMANDS.items() if name in names), None)
    if command is None:
        yield Say("I don't see how this project runs its tests. Please say the command, such as “run make test”.")
        return False
    return (yield from one("run_command", {"command": command}, reading))


# --- lists ----------------------------------------------------------------------------------


def _todos(scene: Scene) -> list[dict[str, str]]:
    """The list as it was written last."""
    for exchange in reversed(scene.before):
        for done in reversed(exchange.done):
            if done.call.name == "write_todos" and done.result.ok:
                return [dict(todo) for todo in done.call.arguments.get("todos", ())]
    return []


def todo_add(reading: Reading, scene: Scene) -> Script:
    todos = [*_todos(scene), *scene.added, {"content": reading.values["text"], "status": "pending"}]
    scene.added.append(todos[-1])
    return (yield from one("write_todos", {"todos": todos}, reading))


def todo_show(reading: Reading, scene: Scene) -> Script:
    yield Say(tellers.todo_list([*_todos(scene), *scene.added]))
    return True


def todo_done(reading: Reading, scene: Scene) -> Script:
    todos, wanted = _todos(scene), reading.values["text"].lower()
    hits = [todo for todo in todos if wanted in todo["content"].lower()]
    if not hits:
        yield Say(f"“{reading.values['text']}” is not on your list.\n\n{tellers.todo_list(todos)}")
        return False
    hits[0]["status"] = "done"
    return (yield from one("write_todos", {"todos": todos}, reading))


def todo_clear(reading: Reading, scene: Scene) -> Script:
    return (yield from one("write_todos", {"todos": []}, reading))


_BETWEEN_STEPS = re.compile(
    r"\s*(?:[,;]\s*)?\b(?:and\s+)?(?:then|first(?:ly)?|second(?:ly)?|third(?:ly)?|next|finally|after\s+that)\b[,:]?\s*"
    r"|\s*[,;]\s*(?:and\s+)?|\s+and\s+",
    re.IGNORECASE,
)


def plan(reading: Reading, scene: Scene) -> Script:
    """The steps of a plan, as they were named."""
    steps = [step for step in _BETWEEN_STEPS.split(reading.values["text"]) if step.strip()]
    todos = [{"content": step.strip(), "status": "pending"} for step in steps]
    return (yield from one("write_todos", {"todos": todos}, reading))


# --- the web --------------------------------------------------------------------------------


def site_up(reading: Reading, scene: Scene) -> Script:
    wish = Wish("http_request", {"url": reading.values["url"], "method": "HEAD"})
    result = yield wish
    status, url = result.details.get("status"), reading.values["url"]
    if status is not None:
        works = "is up" if int(status) < 400 else "answers, but with an error"
        yield Say(f"{url} {works} (status {status}).")
        return True
    unreached = "error" in result.details
    yield Say(f"{url} can't be reached: {result.text.strip()}" if unreached else words.failure(wish, result))
    return unreached


def headers(reading: Reading, scene: Scene) -> Script:
    wish = Wish("http_request", {"url": reading.values["url"], "method": "HEAD"})
    result = yield wish
    found = result.details.get("headers")
    if not isinstance(found, Mapping):
        yield Say(words.shown(wish, result) if result.ok else words.failure(wish, result))
        return result.ok
    rows = "\n".join(f"{key}: {value}" for key, value in found.items())
    yield Say(f"{reading.values['url']} (status {result.details.get('status')}):\n\n{wording.fenced(rows)}")
    return True


# --- talk -----------------------------------------------------------------------------------


def sum_(reading: Reading, scene: Scene) -> Script:
    from ankita_desktop.models.offline.sums import SumError, symbols, work_out

    try:
        yield Say(f"{symbols(reading.values['sum'])} = {work_out(reading.values['sum'])}")
    except SumError as error:
        yield Say(str(error))
        return False
    return True


def hello(reading: Reading, scene: Scene) -> Script:
    yield Say(words.GREETING)
    return True


def help_(reading: Reading, scene: Scene) -> Script:
    topic = reading.values.get("topic")
    if topic:
        near = "\n".join(f"- {family.can}: “{family.example}”" for family in words.near(topic, scene))
        yield Say(f"The nearest I can do about “{topic}”:\n\n{near}" if near else words.lost(reading.said, scene))
        return True
    rows = [f"- {f.can}: “{f.example}”" for f in scene.grammar.families.values() if f.can and f.example]
    yield Say(
        "I understand plain requests about your files, commands, git, ports and the web, and I ask before I "
        "change anything. Join two with “and then”. I can:\n\n" + "\n".join(rows) + words.left_out(scene)
    )
    return True


def connect(reading: Reading, scene: Scene) -> Script:
    yield Say(
        "You are talking to the built-in offline model: it needs no account and no network, and understands plain "
        f"requests only.\n\n{words.CONNECT}"
    )
    return True


RECIPES: Mapping[str, Recipe] = {
    "last_lines": last_lines,
    "read_on": read_on,
    "ranked": ranked,
    "count_files": count_files,
    "search": search,
    "replace": replace_text,
    "append": append,
    "run_tests": run_tests,
    "todo_add": todo_add,
    "todo_show": todo_show,
    "todo_done": todo_done,
    "todo_clear": todo_clear,
    "plan": plan,
    "site_up": site_up,
    "headers": headers,
    "sum": sum_,
    "hello": hello,
    "help": help_,
    "connect": connect,
}
