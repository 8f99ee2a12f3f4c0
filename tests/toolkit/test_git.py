"""A repository that wants its own programs run while it is only looked at."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from ankita_desktop.toolkit import Cancel, ToolContext, ToolError, git
from ankita_desktop.toolkit.git import Repository, plain, without_credentials
from ankita_desktop.toolkit.process import Jobs
from tests.tools.calls import call

PERSON = {
    "GIT_AUTHOR_NAME": "A",
    "GIT_AUTHOR_EMAIL": "a@example.org",
    "GIT_COMMITTER_NAME": "A",
    "GIT_COMMITTER_EMAIL": "a@example.org",
}
READS = (
    {"action": "status"},
    {"action": "status", "paths": ["a.txt"]},
    {"action": "diff"},
    {"action": "diff", "ref": "HEAD"},
    {"action": "diff", "staged": True},
    {"action": "diff", "ref": "HEAD~1..HEAD"},
    {"action": "log", "all": True},
    {"action": "log", "paths": ["a.txt"]},
    {"action": "show"},
    {"action": "show", "ref": "HEAD:a.txt"},
    {"action": "show", "ref": "signed"},
    {"action": "blame", "paths": ["a.txt"]},
    {"action": "branch", "all": True},
    {"action": "tag"},
    {"action": "stash", "op": "list"},
    {"action": "stash", "op": "show"},
)
SIGNED = "gpgsig -----BEGIN PGP SIGNATURE-----\n \n iQ\n -----END PGP SIGNATURE-----\n"

Shell = Callable[[str], str]


@pytest.fixture
def repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for key, value in PERSON.items():
        monkeypatch.setenv(key, value)
    monkeypatch.setenv("GIT_CONFIG_NOSYSTEM", "1")
    folder = tmp_path / "repository"
    folder.mkdir()
    shell = in_folder(folder)
    shell("git init -q -b main && echo one >a.txt && echo x >b.bin && git add . && git commit -qm First")
    shell("echo two >a.txt && git commit -qam Second && echo three >a.txt && git stash -q")
    signed = shell("git cat-file commit HEAD").replace("\n\n", "\n" + SIGNED + "\n", 1)
    made = subprocess.run(
        ["git", "hash-object", "-t", "commit", "-w", "--stdin"],
        cwd=folder,
        input=signed,
        text=True,
        capture_output=True,
        check=True,
    )
    shell(f"git branch signed {made.stdout.strip()}")
    shell("echo four >a.txt && echo y >b.bin && git add b.bin && echo new >c.txt")
    return folder


def in_folder(folder: Path) -> Shell:
    def shell(command: str) -> str:
        done = subprocess.run(command, shell=True, cwd=folder, capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
        return done.stdout

    return shell


@pytest.fixture
def trap(tmp_path: Path) -> Path:
    """A program that leaves a mark when it is run, and otherwise passes its input on."""
    script = tmp_path / "trap"
    script.write_text(f'#!/bin/sh\necho "$0 $*" >>{tmp_path}/sprung\n[ $# -gt 0 ] || cat\nexit 0\n')
    script.chmod(0o755)
    return script


def sprung(trap: Path) -> str:
    mark = trap.with_name("sprung")
    return mark.read_text() if mark.exists() else ""


def look_at_everything(folder: Path) -> list[str]:
    ctx = ToolContext(folder, Jobs())
    return [call("git", ctx, **args).text for args in READS]


def settings(trap: Path) -> dict[str, list[str]]:
    """Hostile configuration, by what it abuses. {trap} leaves the mark."""
    attributes = "printf '* {what}=evil\\n' >.git/info/attributes"
    return {
        "fsmonitor": [f"git config core.fsmonitor {trap}"],
        "pager": [
            f"git config core.pager {trap}",
            f"git config pager.log {trap}",
            f"git config pager.diff {trap}",
        ],
        "external diff": [f"git config diff.external {trap}"],
        "diff driver": [f"git config diff.evil.command {trap}", attributes.format(what="diff")],
        "textconv": [f"git config diff.evil.textconv {trap}", attributes.format(what="diff")],
        "clean filter": [
            f"git config filter.evil.clean {trap}",
            f"git config filter.evil.smudge {trap}",
            "git config filter.evil.required true",
            attributes.format(what="filter"),
        ],
        "process filter": [f"git config filter.evil.process {trap}", attributes.format(what="filter")],
        "filter without a name": [
            f"printf '[filter \"\"]\\n\\tclean = {trap}\\n' >>.git/config",
            "printf '* filter=\\n' >.git/info/attributes",
        ],
        "filter whose name is no text": [
            f"printf '[filter \"\\377\"]\\n\\tclean = {trap}\\n' >>.git/config",
            "printf '* filter=\\377\\n' >.git/info/attributes",
        ],
        "filter in other letters": [
            f"printf '[FILTER \"eViL\"]\\n\\tCLEAN = {trap}\\n' >>.git/config",
            "printf '* filter=eViL\\n' >.git/info/attributes",
        ],
        "filter with dots": [
            f"git config filter.a.b.clean {trap}",
            "printf '* filter=a.b\\n' >.git/info/attributes",
        ],
        "filter in the worktree's configuration": [
            "git config extensions.worktreeConfig true",
            f"git config --worktree filter.evil.clean {trap}",
            attributes.format(what="filter"),
        ],
        "filter in an included file": [
            f"printf '[filter \"evil\"]\\n\\tclean = {trap}\\n' >.git/more",
            "git config include.path more",
            attributes.format(what="filter"),
        ],
        "attributes that come with the files": [
            f"git config filter.evil.clean {trap}",
            f"git config diff.evil.textconv {trap}",
            "printf '* filter=evil diff=evil\\n' >.gitattributes",
        ],
        "signature check": [
            "git config log.showSignature true",
            f"git config gpg.program {trap}",
            f"git config gpg.openpgp.program {trap}",
        ],
        "hooks": [
            f"for hook in post-index-change reference-transaction pre-auto-gc; do cp {trap} .git/hooks/$hook; done"
        ],
        "hooks elsewhere": [f"mkdir h && cp {trap} h/post-index-change && git config core.hooksPath $PWD/h"],
        "editor": [f"git config core.editor {trap}", f"git config sequence.editor {trap}"],
        "alias": [f"git config alias.status '!{trap}'", f"git config alias.log '!{trap}'"],
        "missing objects of a promised remote": [
            "git config extensions.partialClone origin",
            "git config remote.origin.promisor true",
            f"git config remote.origin.url 'ext::{trap} %S'",
            "git config protocol.ext.allow always",
            "rm -f .git/objects/$(git rev-parse HEAD~1:a.txt | sed 's,..,&/,')",
        ],
        "missing objects behind ssh": [
            "git config extensions.partialClone origin",
            "git config remote.origin.promisor true",
            "git config remote.origin.url ssh://127.0.0.1/x",
            f"git config core.sshCommand {trap}",
            "rm -f .git/objects/$(git rev-parse HEAD~1:a.txt | sed 's,..,&/,')",
        ],
        "missing objects behind a program of the remote": [
            "git config extensions.partialClone origin",
            "git config remote.origin.promisor true",
            "git config remote.origin.url $PWD",
            f"git config remote.origin.uploadpack {trap}",
            "rm -f .git/objects/$(git rev-parse HEAD~1:a.txt | sed 's,..,&/,')",
        ],
    }


@pytest.mark.parametrize("way", settings(Path("x")))
def test_looking_runs_nothing_of_the_repository(repository: Path, trap: Path, way: str) -> None:
    shell = in_folder(repository)
    for line in settings(trap)[way]:
        shell(line)
    trap.with_name("sprung").unlink(missing_ok=True)
    ctx = ToolContext(repository, Jobs())
    for args in READS:
        try:
            call("git", ctx, **args)
        except ToolError:
            assert "missing objects" in way, f"{args} failed"
    assert sprung(trap) == ""


@pytest.mark.parametrize("way", sorted(set(settings(Path("x"))) - {"pager", "editor", "alias"}))
def test_the_traps_do_spring_under_plain_git(repository: Path, trap: Path, way: str) -> None:
    """So that the test above can fail."""
    shell = in_folder(repository)
    for line in settings(trap)[way]:
        shell(line)
    subprocess.run(
        "git status; git diff; git show signed; git log -p", shell=True, cwd=repository, capture_output=True
    )
    assert sprung(trap)


def test_looking_into_a_submodule_from_outside_runs_nothing_of_it(
    repository: Path, trap: Path, tmp_path: Path
) -> None:
    outer = tmp_path / "outer"
    outer.mkdir()
    shell = in_folder(outer)
    shell(f"git init -q -b main && git -c protocol.file.allow=always submodule --quiet add {repository} sub")
    shell("git commit -qm With && git branch signed && echo x >a.txt && git add a.txt && git commit -qm a")
    shell("echo y >a.txt && git stash -q && echo z >sub/a.txt && echo q >a.txt")
    in_folder(outer / "sub")(f"git config core.fsmonitor {trap} && git config diff.external {trap}")
    shell("git config diff.submodule diff && git config status.submoduleSummary true")
    trap.with_name("sprung").unlink(missing_ok=True)
    look_at_everything(outer)
    assert sprung(trap) == ""


def test_looking_writes_nothing_into_the_repository(repository: Path) -> None:
    os.utime(repository / "a.txt", (1, 1))
    before = {path: path.stat().st_mtime_ns for path in (repository / ".git").rglob("*")}
    look_at_everything(repository)
    assert {path: path.stat().st_mtime_ns for path in (repository / ".git").rglob("*")} == before


def test_a_filter_of_the_persons_own_configuration_still_counts(
    repository: Path, ankita_home: Path, trap: Path
) -> None:
    """Else every file that git-lfs keeps would show as changed."""
    shell = in_folder(repository)
    shell("git config --global filter.upper.clean 'tr a-z A-Z'")
    shell(f"printf 'u.txt filter=upper\\n' >.gitattributes && git config filter.upper.clean {trap}")
    shell("git config --unset filter.upper.clean && echo word >u.txt && git add u.txt .gitattributes")
    shell(f"git config filter.upper.clean {trap} && touch -d @1 u.txt")
    trap.with_name("sprung").unlink(missing_ok=True)
    facts = call("git", ToolContext(repository, Jobs()), action="status").details
    assert "u.txt" not in [row["path"] for row in facts["unstaged"]]
    assert sprung(trap) == ""


def test_a_folder_made_to_look_like_a_bare_repository_is_not_used(repository: Path, trap: Path) -> None:
    """Such a folder comes with an ordinary clone, and its configuration with it."""
    in_folder(repository)("git init -q --bare evil && mkdir evil/work")
    (repository / "evil" / "config").write_text(
        f'[core]\n\tbare = false\n\tworktree = "work"\n\tfsmonitor = "{trap}"\n\trepositoryformatversion = 0\n'
    )
    with pytest.raises(ToolError):
        call("git", ToolContext(repository / "evil", Jobs()), action="status")
    assert sprung(trap) == ""


def test_a_repository_whose_files_are_said_to_be_elsewhere_is_not_used(repository: Path, tmp_path: Path) -> None:
    in_folder(repository)(f"git config core.worktree {tmp_path}")
    with pytest.raises(ToolError, match="isn't used from here"):
        Repository(repository, Cancel())


def test_variables_left_over_from_a_hook_do_not_lead_elsewhere(
    repository: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GIT_DIR", str(tmp_path / "nowhere"))
    monkeypatch.setenv("GIT_INDEX_FILE", str(tmp_path / "index"))
    monkeypatch.setenv("GIT_EXTERNAL_DIFF", "false")
    assert "Second" in call("git", ToolContext(repository, Jobs()), action="log").text


def test_a_change_names_the_repositorys_own_programs_beforehand(repository: Path, trap: Path) -> None:
    shell = in_folder(repository)
    shell(f"git config filter.evil.clean {trap} && git config credential.helper '!{trap}'")
    shell(f"cp {trap} .git/hooks/pre-commit")
    named = Repository(repository, Cancel()).programs(("pre-commit", "post-commit"))
    assert named == ("hook pre-commit", f"filter.evil.clean = {trap}", f"credential.helper = !{trap}")


@pytest.mark.parametrize("name", ["-x", "--output=x", "--upload-pack=evil", "", "a\nb"])
def test_a_name_that_git_could_take_for_an_option_is_refused(name: str) -> None:
    with pytest.raises(ToolError, match="not a usable branch"):
        plain(name, "branch")


def test_names_and_passwords_in_addresses_are_left_out() -> None:
    assert (
        without_credentials("to https://me:secret@host/x and ssh://git@host") == "to https://host/x and ssh://host"
    )


def test_a_git_too_old_to_be_told_what_not_to_run_is_not_used(
    repository: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    old = tmp_path / "bin" / "git"
    old.parent.mkdir()
    old.write_text("#!/bin/sh\necho git version 2.25.1\n")
    old.chmod(0o755)
    monkeypatch.setenv("PATH", str(old.parent))
    git._git.cache_clear()
    try:
        with pytest.raises(ToolError, match=r"git 2\.31 or newer is needed"):
            Repository(repository, Cancel())
    finally:
        git._git.cache_clear()


def test_a_configuration_too_large_to_be_looked_through_is_not_used(repository: Path, trap: Path) -> None:
    """Else what stands behind the limit would go unseen."""
    shell = in_folder(repository)
    with (repository / ".git" / "config").open("a") as file:
        file.write("[x]\n" + f"\ty = {'z' * 1000}\n" * 9_000 + f'[filter "evil"]\n\tclean = {trap}\n')
    shell("printf '* filter=evil\\n' >.git/info/attributes")
    with pytest.raises(ToolError, match="too large"):
        call("git", ToolContext(repository, Jobs()), action="status")
    assert sprung(trap) == ""
