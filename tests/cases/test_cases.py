"""Folder cases: ``<tool>/<case>/`` holds ``input/``, ``call.json`` and ``expected/``, compared byte for byte.

``call.json`` has ``arguments``, and perhaps ``error`` or ``text``: what the refusal or the result must match.
"""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path

import pytest

from ankita_desktop.errors import ToolError
from ankita_desktop.safety.checkpoints import CheckpointStore
from tests.tools.agreed import agreed

HERE = Path(__file__).parent
CASES = sorted(path.parent.relative_to(HERE).as_posix() for path in HERE.glob("*/*/call.json"))


def tree(folder: Path) -> dict[str, bytes]:
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


@pytest.mark.parametrize("case", CASES)
def test_the_files_end_as_expected_and_undo_brings_them_back(case: str, tmp_path: Path) -> None:
    call = json.loads((HERE / case / "call.json").read_text())
    work = tmp_path / "work"
    work.mkdir()
    if (HERE / case / "input").exists():  # an empty one is not kept by git
        shutil.copytree(HERE / case / "input", work, dirs_exist_ok=True)
    before = tree(work)
    store = CheckpointStore(tmp_path / "undo")
    name = case.split("/")[0]
    if "error" in call:
        with pytest.raises(ToolError, match=call["error"]):
            agreed(name, work, checkpoints=store, **call["arguments"])
        assert tree(work) == before
        return
    result = agreed(name, work, checkpoints=store, **call["arguments"])
    assert re.search(call.get("text", ""), result.text)
    assert tree(work) == tree(HERE / case / "expected")
    store.restore(result.details["checkpoint"])
    assert tree(work) == before
