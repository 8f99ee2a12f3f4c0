"""Outside tasks over a file system, several requests each: a scripted model emits their calls through the loop,
and the files must end as the task says."""

from __future__ import annotations

import json
import shlex
from collections.abc import Iterator
from pathlib import Path, PurePosixPath
from typing import Any

import pytest

from tests.conftest import SHARED, shared
from tests.core.house import house

TASKS = SHARED / "bfcl_fs" / "tasks.jsonl"
MOST_REQUESTS = 60
Tree = dict[str, Any]


def tasks() -> list[Any]:
    if not TASKS.exists():
        return [pytest.param(None, id="absent")]
    rows = [json.loads(line) for line in TASKS.read_text("utf-8").splitlines()]
    return [pytest.param(row, id=row["id"]) for row in rows]


def build(tree: Tree, folder: Path) -> None:
    for name, inside in tree.items():
        if isinstance(inside, dict):
            (folder / name).mkdir()
            build(inside, folder / name)
        else:
            (folder / name).write_text(inside, "utf-8")


def read(folder: Path) -> Tree:
    return {p.name: read(p) if p.is_dir() else p.read_text("utf-8") for p in folder.iterdir()}


class Shell:
    """Says the tasks' commands as calls of our tools; remembers the folder they stand in."""

    def __init__(self, root: Path) -> None:
        self._root = root
        self._here = PurePosixPath(".")

    def say(self, command: str, args: dict[str, Any]) -> dict[str, Any] | None:
        match command:
            case "cd":
                self._go(args["folder"])
                return None
            case "mkdir":
                return self._call("create_dir", path=self._at(args["dir_name"]))
            case "touch" if (self._root / self._at(args["file_name"])).exists():
                return None
            case "touch" | "echo":
                return self._call("write_file", path=self._at(args["file_name"]), content=args.get("content", ""))
            case "mv":
                return self._call("move_file", source=self._at(args["source"]), destination=self._target(args))
            case "cat" | "tail":
                return self._call("read_file", path=self._at(args["file_name"]))
            case "grep":
                return self._call("search_files", pattern=args["pattern"], path=self._at(args["file_name"]))
            case "ls":
                return self._call("list_dir", path=str(self._here))
            case "find":
                return self._call("glob", pattern=f"**/*{args['name']}*", path=self._at(args["path"]))
            case "rm" | "rmdir":
                path = self._at(args.get("file_name") or args["dir_name"])
                return self._call("delete_file", path=path, recursive=True)
            case "cp":
                words = ["cp", "-r", self._at(args["source"]), self._target(args)]
            case "wc" | "sort":
                words = [command, self._at(args["file_name"])]
            case "diff":
                words = ["diff", self._at(args["file_name1"]), self._at(args["file_name2"])]
            case "du":
                words = ["du", "-sb", str(self._here)]
            case _:
                raise AssertionError(f"a command this test can't say: {command}")
        return self._call("run_command", command=shlex.join(words), yield_ms=20_000)

    def _go(self, folder: str) -> None:
        self._here = self._here.parent if folder == ".." else PurePosixPath(self._at(folder))

    def _at(self, name: str) -> str:
        return str(self._here / name)

    def _target(self, args: dict[str, Any]) -> str:
        target = self._at(args["destination"])
        return f"{target}/{PurePosixPath(args['source']).name}" if (self._root / target).is_dir() else target

    def _call(self, tool: str, **arguments: Any) -> dict[str, Any]:
        return {"calls": [{"name": tool, "arguments": arguments}]}


@pytest.mark.parametrize("task", tasks())
def test_the_files_end_as_the_task_says(tmp_path: Path, task: dict[str, Any] | None) -> None:
    if task is None:
        shared("bfcl_fs")
        return
    work = tmp_path / "work"
    work.mkdir()
    build(task["initial_tree"], work)
    spoken = answers(task, Shell(work))
    with house(tmp_path, [lambda _: next(spoken)] * MOST_REQUESTS, mode="all") as h:
        for turn in task["turns"]:
            assert h.say(turn["user"]).status == "done"
    assert read(work) == task["final_tree"]


def answers(task: dict[str, Any], shell: Shell) -> Iterator[dict[str, Any] | str]:
    """What the model says, made while it is asked: a command's meaning depends on the files as they are."""
    for turn in task["turns"]:
        for call in turn["calls"]:
            step = shell.say(call["call"], call["args"])
            if step:
                yield step
        yield "Done."
