"""What a person may rely on when the agent replaces text in their files."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from ankita_desktop.errors import ToolError
from ankita_desktop.protocol import Decision
from ankita_desktop.safety.checkpoints import CheckpointStore
from tests.tools.agreed import agreed, preview

ENDS = ["\n", "\r\n", "\r"]
FORMS = [
    ("utf-8", b""),
    ("utf-8", b"\xef\xbb\xbf"),
    ("utf-16-le", b"\xff\xfe"),
    ("utf-16-be", b"\xfe\xff"),
    ("utf-32-le", b"\xff\xfe\x00\x00"),
    ("cp1252", b""),
]
WORDS = st.text(st.sampled_from("abc éü\t{}") | st.sampled_from("xyz"), max_size=12)
LINES = st.lists(st.tuples(WORDS, st.sampled_from(ENDS[:2])), min_size=1, max_size=12)


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(LINES, WORDS, st.sampled_from(FORMS), st.data(), st.booleans())
def test_every_byte_outside_the_change_stays(
    tmp_path: Path,
    lines: list[tuple[str, str]],
    last: str,
    form: tuple[str, bytes],
    data: st.DataObject,
    several: bool,
) -> None:
    """Random text, encoding, mark and mixed line ends; one marked line is replaced by one or two."""
    encoding, bom = form
    place = data.draw(st.integers(0, len(lines)))
    end = data.draw(st.sampled_from(ENDS[:2]))
    above = "".join(text + own for text, own in lines[:place])
    below = "".join(text + own for text, own in lines[place:]) + last
    file = tmp_path / "f.txt"
    file.write_bytes(bom + f"{above}MARK{end}{below}".encode(encoding))
    agreed(
        "edit_file", tmp_path, path="f.txt", old_string="MARK\n", new_string="NEW\nTWO\n" if several else "NEW\n"
    )
    new = f"NEW{end}TWO{end}" if several else f"NEW{end}"
    assert file.read_bytes() == bom + f"{above}{new}{below}".encode(encoding)


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.binary(max_size=200), st.binary(max_size=200))
def test_random_bytes_around_the_change_stay_or_the_edit_is_refused(
    tmp_path: Path, before: bytes, after: bytes
) -> None:
    file = tmp_path / "f.bin"
    original = before + b"MARK-7319" + after
    file.write_bytes(original)
    try:
        agreed("edit_file", tmp_path, path="f.bin", old_string="MARK-7319", new_string="new words")
    except ToolError:
        assert file.read_bytes() == original
    else:
        assert file.read_bytes() == before + b"new words" + after


def test_mode_bits_stay(tmp_path: Path) -> None:
    file = tmp_path / "run.sh"
    file.write_text("echo a\n")
    file.chmod(0o4751)
    agreed("edit_file", tmp_path, path="run.sh", old_string="a", new_string="b")
    assert file.stat().st_mode & 0o7777 == 0o4751


def test_text_that_occurs_twice_is_refused_naming_the_lines(tmp_path: Path) -> None:
    (tmp_path / "f").write_text("x = 1\ny = 2\nx = 1\n")
    with pytest.raises(ToolError, match=r"2 times \(lines 1, 3\)"):
        agreed("edit_file", tmp_path, path="f", old_string="x = 1", new_string="x = 2")
    result = agreed("edit_file", tmp_path, path="f", old_string="x = 1", new_string="x = 2", replace_all=True)
    assert (tmp_path / "f").read_text() == "x = 2\ny = 2\nx = 2\n"
    assert (result.details["added"], result.details["removed"]) == (2, 2)


def test_a_miss_shows_the_nearest_text_with_its_lines(tmp_path: Path) -> None:
    (tmp_path / "f").write_text("import os\n\ndef main(argv):\n    return run(argv)\n")
    with pytest.raises(ToolError, match=r"lines 3-4:\n3\tdef main\(argv\):\n4\t    return run"):
        agreed("edit_file", tmp_path, path="f", old_string="def main(args):\n    return run(args)", new_string="")


def test_a_miss_says_when_the_new_text_is_already_there(tmp_path: Path) -> None:
    (tmp_path / "f").write_text("a\nalready changed line\n")
    with pytest.raises(ToolError, match="already stands at line 2"):
        agreed("edit_file", tmp_path, path="f", old_string="old line", new_string="already changed line")


def test_several_edits_are_made_all_or_none(tmp_path: Path) -> None:
    (tmp_path / "f").write_text("one\ntwo\n")
    good, bad = {"old_string": "one", "new_string": "1"}, {"old_string": "three", "new_string": "3"}
    with pytest.raises(ToolError, match=r"Edit 2 of 2: .* No edit was made"):
        agreed("edit_file", tmp_path, path="f", edits=[good, bad])
    assert (tmp_path / "f").read_text() == "one\ntwo\n"
    agreed("edit_file", tmp_path, path="f", edits=[good, {"old_string": "two", "new_string": "2"}])
    assert (tmp_path / "f").read_text() == "1\n2\n"


def test_spaces_at_line_ends_are_forgiven_and_untouched_lines_keep_theirs(tmp_path: Path) -> None:
    (tmp_path / "f").write_bytes(b"keep  \r\nold\t\r\nrest\r\n")
    result = agreed("edit_file", tmp_path, path="f", old_string="keep\nold\n", new_string="keep\nnew\n")
    assert (tmp_path / "f").read_bytes() == b"keep  \r\nnew\r\nrest\r\n"
    assert "ignoring spaces at line ends" in result.text


@pytest.mark.parametrize(
    ("have", "old", "new", "want"),
    [
        (
            "class A:\n    def f(self):\n        x()\n",
            "def f(self):\n    x()\n",
            "def f(self):\n    y()\n    z()\n",
            "class A:\n    def f(self):\n        y()\n        z()\n",
        ),
        (
            "if a:\n\tb()\n\tif c:\n\t\td()\n",
            "    if c:\n        d()\n",
            "    if c:\n        e()\n",
            "if a:\n\tb()\n\tif c:\n\t\te()\n",
        ),
        ("a:\n  b: 1\n  c: 2\n", "    b: 1\n    c: 2", "    b: 1\n    c: 3", "a:\n  b: 1\n  c: 3\n"),
    ],
)
def test_indentation_is_forgiven_and_the_files_own_is_used(
    tmp_path: Path, have: str, old: str, new: str, want: str
) -> None:
    (tmp_path / "f").write_text(have)
    result = agreed("edit_file", tmp_path, path="f", old_string=old, new_string=new)
    assert (tmp_path / "f").read_text() == want
    assert "indentation" in result.text


def test_a_character_the_encoding_lacks_is_refused(tmp_path: Path) -> None:
    (tmp_path / "f").write_bytes("prix élevé: 3 \x80\n".encode("latin-1"))
    original = (tmp_path / "f").read_bytes()
    with pytest.raises(ToolError, match=r"cp1252.*U\+2705"):
        agreed("edit_file", tmp_path, path="f", old_string="3", new_string="✅")
    assert (tmp_path / "f").read_bytes() == original


def test_a_file_that_changed_after_the_yes_is_not_written(tmp_path: Path) -> None:
    file = tmp_path / "f"
    file.write_text("one\n")
    args = {"path": "f", "old_string": "one", "new_string": "1"}
    for theirs in ("one!\n", "something else\n"):
        file.write_text("one\n")
        with pytest.raises(ToolError, match=r"changed after.*Nothing was written"):
            agreed("edit_file", tmp_path, meanwhile=lambda text=theirs: file.write_text(text), **args)
        assert file.read_text() == theirs


def test_only_accepted_hunks_are_written_and_the_model_is_told(tmp_path: Path) -> None:
    file = tmp_path / "f"
    file.write_text("".join(f"line {number}\n" for number in range(40)))
    edits = [{"old_string": f"line {n}\n", "new_string": f"LINE {n}\n"} for n in (5, 35)]
    answer = Decision(True, hunks={str(file): (0,)})
    result = agreed("edit_file", tmp_path, path="f", edits=edits, answer=answer)
    assert "LINE 5\n" in file.read_text() and "line 35\n" in file.read_text()
    assert "accepted 1 of 2 hunks" in result.text and "+LINE 35" in result.text
    assert (result.details["added"], result.details["removed"]) == (1, 1)


def test_no_hunk_accepted_leaves_the_file_alone(tmp_path: Path) -> None:
    file = tmp_path / "f"
    file.write_text("one\n")
    none = Decision(True, hunks={str(file): ()})
    result = agreed("edit_file", tmp_path, path="f", old_string="one", new_string="1", answer=none)
    assert file.read_text() == "one\n"
    assert "Not applied" in result.text and "Changed" not in result.text


def test_what_the_person_edited_is_what_is_written(tmp_path: Path) -> None:
    file = tmp_path / "f"
    file.write_bytes(b"one\r\ntwo\nthree\r\n")
    answer = Decision(True, edited={str(file): "uno\ntwo\nthree\n"})
    result = agreed("edit_file", tmp_path, path="f", old_string="one", new_string="1", answer=answer)
    assert file.read_bytes() == b"uno\r\ntwo\nthree\r\n", "an editor shows no line ends: they stay"
    assert "The person edited f" in result.text and "+uno" in result.text


def test_the_question_shows_the_whole_change_and_what_a_grant_would_cover(tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_bytes(b"\xef\xbb\xbfTODO\r\n")
    shown = preview("edit_file", tmp_path, path="notes.txt", old_string="TODO", new_string="DONE")
    (change,) = shown.changes
    assert shown.question == "Change notes.txt?"
    assert (change.before, change.after) == ("TODO\r\n", "DONE\r\n")
    assert change.facts.startswith("UTF-8 with BOM, CRLF, mode 6")
    assert shown.grant_key == f"edit:{tmp_path / 'notes.txt'}"
    assert shown.inside and shown.effect == "edit" and not shown.danger


def test_an_edit_can_be_undone_byte_for_byte(tmp_path: Path) -> None:
    work = tmp_path / "work"
    work.mkdir()
    original = b"\xff\xfe" + "ünï\r\ncode\n".encode("utf-16-le")
    (work / "f").write_bytes(original)
    store = CheckpointStore(tmp_path / "undo")
    result = agreed("edit_file", work, path="f", old_string="code", new_string="changed", checkpoints=store)
    assert (work / "f").read_bytes() != original
    store.restore(result.details["checkpoint"])
    assert (work / "f").read_bytes() == original


@pytest.mark.parametrize(
    "args",
    [
        {"path": "f"},
        {"path": "f", "old_string": "a"},
        {"path": "f", "old_string": "", "new_string": "x"},
        {"path": "f", "old_string": "a", "new_string": "a"},
        {"path": "f", "old_string": "a", "new_string": "b", "edits": [{"old_string": "a", "new_string": "b"}]},
        {"path": "missing", "old_string": "a", "new_string": "b"},
        {"path": ".", "old_string": "a", "new_string": "b"},
        {"path": "", "old_string": "a", "new_string": "b"},
        {"path": "f\x00", "old_string": "a", "new_string": "b"},
        {"path": "\ud800", "old_string": "a", "new_string": "b"},
        {"path": "f", "old_string": "a", "new_string": "\ud800"},
        {"path": "f/x", "old_string": "a", "new_string": "b"},
        {"path": "~nobody-of-this-name/x", "old_string": "a", "new_string": "b"},
        {"path": "x" * 5000, "old_string": "a", "new_string": "b"},
    ],
)
def test_a_wrong_call_is_answered_with_how_to_correct_it(tmp_path: Path, args: dict[str, object]) -> None:
    (tmp_path / "f").write_text("a\n")
    with pytest.raises(ToolError):
        agreed("edit_file", tmp_path, **args)
    assert (tmp_path / "f").read_text() == "a\n"
