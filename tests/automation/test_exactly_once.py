"""A time is run at most once, whoever races for it and whoever is killed meanwhile."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from ankita_desktop.store.database import Store
from ankita_desktop.toolkit.automation import Allowed
from tests.automation.office import FakeTime, moment, office
from tests.automation.racing import PHASES, SLOTS
from tests.core.house import house

ROOT = Path(__file__).resolve().parents[2]


def process(*words: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-m", "tests.automation.racing", *words],
        cwd=ROOT,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def prepared(file: Path) -> str:
    """A routine that may carve, due at nine, in a fresh database."""
    (file.parent / "work").mkdir(exist_ok=True)
    store = Store(file)
    desk = office(store)
    routine, _ = desk.automation.routines.add(
        "Carver", "carve", "every day at 9", cwd=str(file.parent / "work"), allowed=(Allowed("carve", "carving"),)
    )
    store.close()
    return routine.id


def test_two_processes_that_race_for_a_thousand_times_run_each_exactly_once(tmp_path: Path) -> None:
    file = tmp_path / "ankita.db"
    routine = prepared(file)
    racers = [process("race", str(file), routine) for _ in range(2)]
    for racer in racers:  # both are ready when they read
        assert racer.stdin
        racer.stdin.write("go\n")
        racer.stdin.flush()
    won = []
    for racer in racers:
        out, err = racer.communicate(timeout=100)
        assert racer.returncode == 0, err
        won.append([int(line) for line in out.split()])
    assert sorted(won[0] + won[1]) == list(range(1, SLOTS + 1))


@pytest.mark.parametrize("phase", PHASES)
def test_killed_at_any_moment_it_ran_at_most_once_and_the_person_hears_of_it(tmp_path: Path, phase: str) -> None:
    file = tmp_path / "ankita.db"
    prepared(file)
    now = moment("2026-03-02 09:00")
    with process("die", str(file), phase, str(now)) as killed:
        _, err = killed.communicate(timeout=60)
    assert killed.returncode == -9, err
    stone = tmp_path / "work" / "stone.txt"
    with house(tmp_path, [{"calls": [{"name": "carve", "arguments": {"text": "x"}}]}, "carved"]) as made:
        desk = office(made.store, time=FakeTime(now + 120), turns=made.engine)
        routine = desk.automation.routines.list()[0].id
        desk.tick()
        runs = desk.ended(routine)
        desk.time.wait(600)
        desk.tick()
        carved = stone.read_text() if stone.exists() else ""
        never = phase in ("after the claim", "while the model is asked", "between the answer and the tool")
        assert carved == ("" if never else "x"), "what was begun is neither lost nor done twice"
        assert len(desk.runs(routine)) == 1
        expected = "done" if phase in ("before the claim", "after it was told") else "interrupted"
        assert runs[0].status == expected
        assert len(desk.notes) == 1
