"""The person's own rules: what they allow, ask and deny, and what they never cover."""

from __future__ import annotations

from pathlib import Path

import pytest

from ankita_desktop.safety.rules import Rules
from ankita_desktop.toolkit.rule_text import parse_rule


def effect(tmp_path: Path, rules: list[str], tool: str, **arguments: object) -> str:
    return Rules(lambda: rules).ruling(tool, arguments, tmp_path).effect


def run(tmp_path: Path, rules: list[str], command: str, **more: object) -> str:
    return effect(tmp_path, rules, "run_command", command=command, **more)


def test_no_rules_say_nothing(tmp_path: Path) -> None:
    assert run(tmp_path, [], "git push") == ""
    assert run(tmp_path, ["deny edit_file"], "git push") == ""


@pytest.mark.parametrize(
    "command",
    ["git fetch", "git fetch origin", "git  fetch   origin", "git fetch && ls", "git fetch; git fetch --all"],
)
def test_an_allowed_command_passes_also_in_a_chain_of_allowed_and_reading_ones(
    tmp_path: Path, command: str
) -> None:
    assert run(tmp_path, ["allow run_command(git fetch *)"], command) == "allow"


@pytest.mark.parametrize(
    "command",
    [
        *(
            "git fetch && npm test",
            "git fetch; npm test",
            "git fetch | sh",
            "git fetch & npm test",
            "npm test || git fetch",
        ),
        *(
            "git fetch\nnpm test",
            "git fetch $(npm test)",
            "git fetch `npm test`",
            "git fetch > log",
            "git fetch < $x",
        ),
        *(
            "X=1 git fetch",
            "GIT_SSH_COMMAND=x git fetch",
            "(git fetch)",
            "git fetcher",
            "'git fetch'",
            "sudo git fetch",
        ),
        *(
            "bash -c 'git fetch'",
            "env git fetch",
            "git -c a=b fetch",
            "f() { git fetch; }; f",
            "git fetch $X",
            "/x/git fetch",
        ),
        *(
            "git fetch --upload-pack $(cat x)",
            "git fetch '",
            "eval git fetch",
            "git push",
            "git fetch <(npm test)",
        ),
    ],
)
def test_an_allowed_command_covers_nothing_that_only_stands_beside_it(tmp_path: Path, command: str) -> None:
    assert run(tmp_path, ["allow run_command(git fetch *)"], command) == ""


def test_an_allowed_command_is_not_allowed_with_other_variables_input_or_folder(tmp_path: Path) -> None:
    rules = ["allow run_command(git fetch *)"]
    (tmp_path / "sub").mkdir()
    assert run(tmp_path, rules, "git fetch", env={"GIT_SSH_COMMAND": "x"}) == ""
    assert run(tmp_path, rules, "git fetch", stdin="x") == ""
    assert run(tmp_path, rules, "git fetch", cwd="sub") == ""


@pytest.mark.parametrize(
    "command",
    ["git push", "git push origin main", "ls && git push", "ls | git push", "$(git push)", "sudo git push",
     "env X=1 git push", "bash -c 'git push'", "timeout 5 git push", "/usr/bin/git push", "git 'push'",
     "X=1 git push", "echo a; (git push)", "find . -exec git push \\;", "if true; then git push; fi",
     "git push > log", "f() { git push; }"],
)  # fmt: skip
def test_a_denied_command_is_denied_wherever_it_hides(tmp_path: Path, command: str) -> None:
    assert run(tmp_path, ["allow run_command(git *)", "deny run_command(git push *)"], command) == "deny"


def test_deny_wins_and_then_the_rule_that_says_most(tmp_path: Path) -> None:
    rules = [
        "allow run_command(npm *)",
        "ask run_command(npm publish *)",
        "allow run_command(npm publish --dry-run)",
    ]
    assert run(tmp_path, rules, "npm test") == "allow"
    assert run(tmp_path, rules, "npm publish") == "ask"
    assert run(tmp_path, rules, "npm publish --dry-run") == "allow"
    assert run(tmp_path, [*rules, "deny run_command"], "npm test") == "deny"
    assert run(tmp_path, ["allow run_command(npm test)", "ask run_command(npm test)"], "npm test") == "ask"


def test_one_part_that_is_to_be_asked_makes_the_whole_line_asked(tmp_path: Path) -> None:
    rules = ["allow run_command(npm *)", "ask run_command(ls *)"]
    assert run(tmp_path, rules, "npm test && ls") == "ask"


@pytest.mark.parametrize(
    ("path", "said"),
    [
        *(
            ("src/a.py", "allow"),
            ("./src/a.py", "allow"),
            ("src/deep/a.py", "allow"),
            ("src/../b.py", ""),
            ("b.py", ""),
        ),
        *(("src/secrets/a", "deny"), ("SRC/a.py", ""), ("src", ""), ("link/a.py", ""), ("src/door/x", "")),
    ],
)
def test_a_rule_about_files_means_where_a_path_really_leads(tmp_path: Path, path: str, said: str) -> None:
    (tmp_path / "src").mkdir()
    (tmp_path / "link").symlink_to(tmp_path)
    (tmp_path / "src" / "door").symlink_to("/var")
    rules = ["allow edit_file(src/**)", "deny edit_file(src/secrets/**)"]
    assert effect(tmp_path, rules, "edit_file", path=path, old_string="a", new_string="b") == said


def test_a_link_is_denied_by_its_name_and_by_its_target(tmp_path: Path) -> None:
    (tmp_path / "secrets").mkdir()
    (tmp_path / "door").symlink_to(tmp_path / "secrets")
    rules = ["deny *(secrets/**)"]
    assert effect(tmp_path, rules, "read_file", path="door/key") == "deny"
    assert effect(tmp_path, rules, "read_file", path=str(tmp_path / "secrets" / "key")) == "deny"
    assert effect(tmp_path, ["deny read_file(door/*)"], "read_file", path="door/key") == "deny"


def test_a_star_stays_in_its_folder_and_two_go_below(tmp_path: Path) -> None:
    assert effect(tmp_path, ["allow write_file(docs/*)"], "write_file", path="docs/a.md") == "allow"
    assert effect(tmp_path, ["allow write_file(docs/*)"], "write_file", path="docs/b/a.md") == ""
    assert effect(tmp_path, ["allow write_file(**/*.md)"], "write_file", path="docs/b/a.md") == "allow"
    assert effect(tmp_path, ["allow write_file(**/*.md)"], "write_file", path="a.md") == "allow"
    assert effect(tmp_path, ["allow write_file(**/*.md)"], "write_file", path="/var/a.md") == ""


PATCH = "*** Begin Patch\n*** Add File: {}\n+x\n*** Add File: {}\n+x\n*** End Patch"


def test_a_patch_is_allowed_only_when_every_file_of_it_is(tmp_path: Path) -> None:
    rules = ["allow apply_patch(src/**)", "deny apply_patch(src/secrets/**)"]
    assert effect(tmp_path, rules, "apply_patch", patch=PATCH.format("src/a", "src/b")) == "allow"
    assert effect(tmp_path, rules, "apply_patch", patch=PATCH.format("src/a", "b")) == ""
    assert effect(tmp_path, rules, "apply_patch", patch=PATCH.format("b", "src/secrets/x")) == "deny"


def test_a_move_is_allowed_only_when_both_ends_are(tmp_path: Path) -> None:
    rules = ["allow move_file(src/**)"]
    assert effect(tmp_path, rules, "move_file", source="src/a", destination="src/b") == "allow"
    assert effect(tmp_path, rules, "move_file", source="src/a", destination="b") == ""


@pytest.mark.parametrize(
    "url",
    [
        *(
            "https://api.example.com@evil.example/v1/x",
            "https://api.example.com.evil.example/v1/",
            "http://api.example.com/v1/x",
        ),
        *(
            "https://api.example.com/v1/../admin",
            "https://api.example.com/v1/%2e%2e/admin",
            "https://api.example.com:8443/v1/x",
        ),
        *("https://user:pw@api.example.com/v1/x", "https://api.example.com/v2", "nonsense"),
    ],
)
def test_an_allowed_address_covers_no_other_however_it_is_spelt(tmp_path: Path, url: str) -> None:
    rules = ["allow http_request(GET https://api.example.com/v1/**)"]
    assert effect(tmp_path, rules, "http_request", url=url) == ""
    assert effect(tmp_path, rules, "http_request", url="https://API.example.com/v1/x?q=1") == "allow"
    assert effect(tmp_path, rules, "http_request", url="https://api.example.com/v1/x", method="delete") == ""
    assert effect(tmp_path, rules, "http_request", url="https://api.example.com/v1/x", body="x") == ""


def test_other_tools_are_named_by_their_action(tmp_path: Path) -> None:
    assert effect(tmp_path, ["allow git(commit *)"], "git", action="commit", message="x") == "allow"
    assert effect(tmp_path, ["deny git(push *)"], "git", action="push") == "deny"


@pytest.mark.parametrize(
    ("text", "word"),
    [
        *(("", "allow, ask or deny"), ("permit run_command", "allow, ask or deny"), ("allow", "tool's name")),
        *(("allow run_command(", "tool's name"), ("deny edit_file()", "empty"), ("allow *", "everything")),
        *(
            ("allow run_command(*)", "everything"),
            ("allow run_command", "everything"),
            ("deny a b", "tool's name"),
        ),
    ],
)
def test_what_is_no_rule_is_refused_in_words(text: str, word: str) -> None:
    with pytest.raises(ValueError, match=r".") as caught:
        parse_rule(text)
    assert word in str(caught.value)


def test_a_rule_reads_the_same_after_it_was_read(tmp_path: Path) -> None:
    for text in (
        "allow run_command(git status *)",
        "deny *(secrets/**)",
        "ask http_request",
        "deny run_command(a (b) c)",
    ):
        assert parse_rule(text).text == text == parse_rule(f"  {text} ").text


def test_several_rules_on_one_line_are_refused_and_not_taken_for_one_that_never_applies() -> None:
    for between in (", ", "; ", " "):
        with pytest.raises(ValueError, match="one line"):
            parse_rule(f"allow run_command(npm test *){between}deny run_command(npm test --all *)")
    assert parse_rule("allow run_command(echo (deny x) *)").pattern == "echo (deny x) *"
