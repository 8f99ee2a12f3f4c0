"""A folder with a few files, and somebody to talk to."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.models.offline.talk import Answerer, Talk, catalogue, yes

Starter = Callable[..., Talk]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    place = tmp_path / "project"
    (place / "src").mkdir(parents=True)
    (place / "notes.txt").write_text("one TODO\ntwo\nthree TODO\nfour\n")
    (place / "src" / "main.py").write_text('print("TODO")\n')
    (place / ".hidden").write_text("secret\n")
    return place


@pytest.fixture
def start(folder: Path) -> Iterator[Starter]:
    """Start a conversation in the folder: ``start()`` where everything is allowed, or ``start(no)``."""
    talks: list[Talk] = []

    def begin(answer: Answerer = yes) -> Talk:
        talks.append(Talk(folder, catalogue(), answer))
        return talks[-1]

    yield begin
    for talk in talks:
        talk.close()


@pytest.fixture
def talk(start: Starter) -> Talk:
    return start()


@pytest.fixture
def repository(folder: Path) -> Path:
    """The folder as a git repository with one commit."""
    if shutil.which("git") is None:
        pytest.skip("git is not installed")
    person = {f"GIT_{who}_{what}": f"a@b.{what}" for who in ("AUTHOR", "COMMITTER") for what in ("NAME", "EMAIL")}
    commands = (
        ["init", "-q", "-b", "main"],
        ["config", "user.name", "A Person"],
        ["config", "user.email", "a@example.org"],
        ["add", "-A"],
        ["commit", "-qm", "First"],
    )
    for command in commands:
        subprocess.run(["git", *command], cwd=folder, check=True, env={**os.environ, **person})
    return folder
