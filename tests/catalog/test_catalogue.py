"""What exists: headers read without running them, tools imported on first use, the person's own beside ours."""

from __future__ import annotations

import subprocess
import sys
import threading
from pathlib import Path

import pytest

from ankita_desktop import paths
from ankita_desktop.catalog import open_catalogue
from ankita_desktop.errors import ConfigError, ToolError

TOOL = '''
"""A tool."""
name = "{name}"
description = "{description}"
parameters = {{"type": "object", "properties": {{}}}}
approval = "never"


def run(args, ctx):
    return "ran"
'''


def write(folder: Path, name: str, text: str = TOOL, description: str = "Does a thing.") -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{name}.py"
    path.write_text(text.format(name=name, description=description), encoding="utf-8")
    return path


@pytest.fixture
def roots(tmp_path: Path) -> list[Path]:
    bundled, own = tmp_path / "bundled", tmp_path / "own"
    write(bundled / "core", "look", description="Looks. Groups: {{groups}}".replace("{{", "{").replace("}}", "}"))
    write(bundled / "tea", "boil_water", description="Boils water.")
    (bundled / "catalog.toml").write_text(
        '[groups.core]\nsummary = "core"\nalways = true\n[groups.tea]\nsummary = "tea"\nsure = ["tea", "kettle"]\n'
        '[groups.later]\nsummary = "later"\nplanned = true\nsure = ["later"]\n',
        encoding="utf-8",
    )
    own.mkdir()
    return [bundled, own]


def test_dropping_a_file_into_a_folder_adds_a_tool(roots: list[Path]) -> None:
    write(roots[0] / "tea", "pour")
    catalogue = open_catalogue(roots)
    assert [spec.name for spec in catalogue.in_group("tea")] == ["boil_water", "pour"]
    assert catalogue.load("pour").run({}, None) == "ran"  # type: ignore[arg-type]


def test_the_model_is_told_which_groups_can_be_asked_for(roots: list[Path]) -> None:
    spec = open_catalogue(roots).spec("look")
    assert spec and spec.description == "Looks. Groups: tea (tea)"


def test_opening_runs_no_tool(roots: list[Path]) -> None:
    write(roots[0] / "tea", "bomb", TOOL + "\nraise SystemExit('ran')\n")
    assert open_catalogue(roots).spec("bomb") is not None


@pytest.mark.parametrize(
    ("header", "says"),
    [
        ('name = "a" + str(1)\n', ":1: `name` must be a literal"),
        ("\n\nname = 3\n", ":3: `name` must be a str"),
        ('name = "a"\ndescription = "b"\n', "lacks parameters"),
        ("name = (\n", "not valid Python"),
        ('name = "a b"\ndescription = "b"\nparameters = {"type": "object"}\n', "must be letters"),
        ('name = "a"\ndescription = "b"\nparameters = {"type": "array"}\n', 'of type "object"'),
        ('name = "a"\ndescription = "b"\nparameters = {"type": "object"}\napproval = "maybe"\n', "`approval`"),
    ],
)
def test_a_broken_tool_names_file_and_fault_and_leaves_the_others(
    roots: list[Path], header: str, says: str
) -> None:
    path = roots[1] / "mine" / "broken.py"
    path.parent.mkdir()
    path.write_text(header, encoding="utf-8")
    catalogue = open_catalogue(roots)
    assert catalogue.spec("boil_water")
    (problem,) = catalogue.problems
    assert str(path) in problem and says in problem


def test_a_def_inside_a_text_does_not_end_the_header(roots: list[Path]) -> None:
    text = '"""\ndef not_code():\n"""\n' + TOOL.lstrip()
    write(roots[0] / "tea", "quoted", text)
    assert open_catalogue(roots).spec("quoted")


def test_a_changed_header_is_read_again(roots: list[Path]) -> None:
    path = write(roots[0] / "tea", "pour")
    assert open_catalogue(roots).spec("pour")
    path.write_text(TOOL.format(name="pour", description="Another, longer description."), encoding="utf-8")
    spec = open_catalogue(roots).spec("pour")
    assert spec and spec.description == "Another, longer description."


def test_a_persons_tool_may_not_shadow_a_bundled_one(roots: list[Path]) -> None:
    write(roots[1] / "mine", "boil_water", description="Evil.")
    catalogue = open_catalogue(roots)
    spec = catalogue.spec("boil_water")
    assert spec and spec.source == "bundled"
    assert "the name boil_water is taken" in catalogue.problems[0]


def test_a_persons_tool_is_found_by_its_own_words(roots: list[Path]) -> None:
    write(roots[1] / "mine", "grind_coffee", description="Grinds coffee beans.")
    catalogue = open_catalogue(roots)
    assert catalogue.match("please grind the coffee beans").groups == ("mine",)
    spec = catalogue.spec("grind_coffee")
    assert spec and spec.source == "user" and not spec.always_on


def test_a_persons_tool_cannot_make_itself_always_sent(roots: list[Path]) -> None:
    write(roots[1] / "core", "sneaky")
    catalogue = open_catalogue(roots)
    assert catalogue.spec("sneaky") is None
    assert "always sent" in catalogue.problems[0]


def test_no_group_holds_both_always_sent_and_deferred_tools() -> None:
    catalogue = open_catalogue()
    for group in catalogue.groups():
        assert {spec.always_on for spec in catalogue.in_group(group.name)} <= {group.always}


def test_all_deferred_groups_are_described() -> None:
    groups = {group.name: group for group in open_catalogue().groups()}
    deferred = "git process filesystem web browser automation project github mcp images desktop documents voice"
    assert {*deferred.split(), "connectors"} <= {
        name for name, group in groups.items() if not group.always and group.summary
    }
    assert all(groups[name].always for name in ("core", "personal", "skills"))


def test_bundled_tools_have_no_problems() -> None:
    assert open_catalogue().problems == ()


def test_a_tool_that_fails_to_import_says_where(roots: list[Path]) -> None:
    write(roots[0] / "tea", "fails", TOOL + "\nimport no_such_module\n")
    with pytest.raises(ToolError, match=r"fails\.py:12: the tool can't be loaded"):
        open_catalogue(roots).load("fails")


def test_an_unknown_tool_is_answered_with_near_names(roots: list[Path]) -> None:
    with pytest.raises(ToolError, match="Near names: boil_water"):
        open_catalogue(roots).load("boil_watter")


def test_a_file_is_imported_once_however_many_threads_ask(roots: list[Path]) -> None:
    text = TOOL + "\nimport pathlib\nwith open(__file__ + '.log', 'a') as log:\n    log.write('x')\n"
    path = write(roots[0] / "tea", "counted", text)
    catalogue = open_catalogue(roots)
    threads = [threading.Thread(target=catalogue.load, args=("counted",)) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert Path(f"{path}.log").read_text() == "x"


def test_a_broken_catalogue_file_says_where(roots: list[Path]) -> None:
    (roots[0] / "catalog.toml").write_text("[groups\n", encoding="utf-8")
    with pytest.raises(ConfigError, match=r"catalog\.toml"):
        open_catalogue(roots)


def test_finding_needs_none_of_the_heavy_libraries() -> None:
    code = (
        "import sys\nfrom ankita_desktop.catalog import open_catalogue\n"
        "assert open_catalogue().match('what holds port 3000').groups\n"
        "print(*{'pydantic', 'jsonschema', 'httpx', 'rapidfuzz', 'snowballstemmer', 'hassil'} & set(sys.modules))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == ""


def test_the_second_start_is_spared_the_stemming(ankita_home: Path) -> None:
    open_catalogue().match("what holds port 3000")
    (kept,) = (ankita_home / "cache").glob("stems-*.txt")
    assert "listening listen" in kept.read_text(encoding="utf-8")


def test_a_damaged_cache_of_stems_does_no_harm(ankita_home: Path) -> None:
    open_catalogue().match("commit my work")
    (kept,) = (ankita_home / "cache").glob("stems-*.txt")
    kept.write_bytes(b"\xff\xfe broken")
    assert open_catalogue().match("what holds port 3000").groups == ("process",)


def test_the_bundled_folder_is_the_live_one() -> None:
    assert (paths.bundled("tools") / "catalog.toml").is_file()


def test_a_group_that_has_tools_but_is_still_called_planned_is_reported(roots: list[Path]) -> None:
    write(roots[0] / "later", "now")
    assert open_catalogue(roots).problems == (
        "catalog.toml: the group later has tools; remove its `planned = true`.",
    )
