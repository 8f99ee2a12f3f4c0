"""The git tool on real repositories."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Callable, Iterable
from dataclasses import replace
from pathlib import Path

import pytest

from ankita_desktop.protocol import Preview
from ankita_desktop.safety.checkpoints import CheckpointStore
from ankita_desktop.toolkit import ToolContext, ToolError, ToolResult
from ankita_desktop.toolkit.process import Jobs
from ankita_desktop.toolkit.services import Services
from tests.tools.calls import call, tool

Git = Callable[..., ToolResult]
IDENTITY = ("AUTHOR_NAME", "AUTHOR_EMAIL", "COMMITTER_NAME", "COMMITTER_EMAIL")


@pytest.fixture(scope="module")
def template(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A repository with two commits and a server; made once, copied for each test."""
    folder = tmp_path_factory.mktemp("template")
    script = """
        git init -q --bare -b main server.git && git init -q -b main work && cd work
        echo one >a.txt && git add . && git commit -qm First && echo two >a.txt && git commit -qam Second
        git remote add origin ../server.git && git push -qu origin main
    """
    env = {**os.environ, **{f"GIT_{part}": "a@example.org" for part in IDENTITY}}
    subprocess.run(["sh", "-ec", script], cwd=folder, env=env, check=True)
    return folder


@pytest.fixture
def ctx(template: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> ToolContext:
    for part in IDENTITY:
        monkeypatch.setenv(f"GIT_{part}", "a@example.org")
    monkeypatch.setenv("GIT_CONFIG_NOSYSTEM", "1")
    shutil.copytree(template, tmp_path, dirs_exist_ok=True)
    return ToolContext(tmp_path / "work", Jobs())


def sh(ctx: ToolContext, command: str) -> str:
    done = subprocess.run(command, shell=True, cwd=ctx.cwd, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout


def git(ctx: ToolContext, action: str, **args: object) -> ToolResult:
    return call("git", ctx, action=action, **args)


def level(ctx: ToolContext, action: str, **args: object) -> str:
    return str(tool("git").approval_for({"action": action, **args}, ctx))


def preview(ctx: ToolContext, action: str, **args: object) -> Preview:
    shown = tool("git").preview({"action": action, **args}, ctx)
    assert isinstance(shown, Preview)
    return shown


def write(ctx: ToolContext, name: str, text: str) -> None:
    (ctx.cwd / name).write_text(text)


# --- looking --------------------------------------------------------------------------------


def test_status_tells_staged_changed_and_untracked_files_apart(ctx: ToolContext) -> None:
    sh(ctx, "echo 3 >a.txt && echo s >staged.txt && git add staged.txt && echo 'new' >'ünter wegs.txt'")
    result = git(ctx, "status")
    facts = result.details
    assert (facts["branch"], facts["upstream"], facts["ahead"], facts["behind"]) == ("main", "origin/main", 0, 0)
    assert facts["staged"] == [{"path": "staged.txt", "change": "A", "from": None}]
    assert facts["unstaged"] == [{"path": "a.txt", "change": "M", "from": None}]
    assert facts["untracked"] == ["ünter wegs.txt"]
    assert result.text.startswith("On branch main, level with origin/main.")


def test_status_knows_renames_ahead_and_behind(ctx: ToolContext) -> None:
    sh(ctx, "git mv a.txt b.txt && git commit -qm Move && git mv b.txt 'c d.txt'")
    sh(ctx, "git update-ref refs/remotes/origin/main $(git commit-tree -p HEAD~1 -m theirs HEAD^{tree})")
    result = git(ctx, "status")
    assert "ahead" in result.text
    assert (result.details["ahead"], result.details["behind"]) == (1, 1)
    assert result.details["staged"] == [{"path": "c d.txt", "change": "R", "from": "b.txt"}]
    assert "R b.txt -> c d.txt" in result.text


def test_a_clean_tree_is_said_to_be_clean(ctx: ToolContext) -> None:
    assert "Nothing to commit" in git(ctx, "status").text


def test_diff_shows_the_index_or_the_files(ctx: ToolContext) -> None:
    sh(ctx, "echo staged >a.txt && git add a.txt && echo later >a.txt")
    assert "+later" in git(ctx, "diff").text
    assert "+staged" in git(ctx, "diff", staged=True).text
    assert "+two" in git(ctx, "diff", ref="HEAD~1..HEAD").text
    assert git(ctx, "diff", paths=["nothing"]).text == "No differences."
    assert git(ctx, "diff").details["files"] == [{"path": "a.txt", "added": 1, "removed": 1}]


def test_a_very_long_diff_is_cut_after_its_counts(ctx: ToolContext) -> None:
    write(ctx, "a.txt", "line\n" * 20_000)
    text = git(ctx, "diff").text
    assert text.startswith("a.txt +20000 -1")
    assert "characters cut; name paths" in text
    assert len(text) < 26_000


def test_the_persons_look_of_diffs_does_not_change_ours(ctx: ToolContext) -> None:
    sh(ctx, "git config color.ui always && git config diff.noprefix true && git config diff.mnemonicPrefix true")
    write(ctx, "a.txt", "3\n")
    text = git(ctx, "diff").text
    assert "--- a/a.txt\n+++ b/a.txt" in text
    assert "\x1b" not in text + git(ctx, "log").text + git(ctx, "status").text + git(ctx, "branch", all=True).text


def test_log_lists_commits_newest_first_up_to_a_limit(ctx: ToolContext) -> None:
    commits = git(ctx, "log").details["commits"]
    assert [commit["subject"] for commit in commits] == ["Second", "First"]
    assert "raise limit" in git(ctx, "log", limit=1).text
    assert len(git(ctx, "log", ref="HEAD~1..HEAD").details["commits"]) == 1


def test_show_gives_a_commit_or_a_file_as_it_was(ctx: ToolContext) -> None:
    assert "+two" in git(ctx, "show").text
    assert git(ctx, "show", ref="HEAD~1:a.txt").text == "one\n"


def test_blame_names_who_wrote_each_line(ctx: ToolContext) -> None:
    assert "two" in git(ctx, "blame", paths=["a.txt"], lines="1,1").text
    with pytest.raises(ToolError, match="first,last"):
        git(ctx, "blame", paths=["a.txt"], lines="1;2")
    with pytest.raises(ToolError, match="name it in paths"):
        git(ctx, "blame", path="a.txt")


@pytest.mark.parametrize("action", ["status", "diff", "log", "show", "branch", "tag"])
def test_looking_never_asks_inside_the_folder_and_asks_outside(ctx: ToolContext, action: str) -> None:
    assert level(ctx, action) == "never"
    assert level(ctx, action, path="..") == "ask"


def test_a_file_name_with_wild_cards_means_that_file_alone(ctx: ToolContext) -> None:
    write(ctx, "*.txt", "x")
    write(ctx, "b.txt", "x")
    git(ctx, "stage", paths=["*.txt"])
    assert [row["path"] for row in git(ctx, "status").details["staged"]] == ["*.txt"]


@pytest.mark.parametrize(
    "args",
    [
        {"action": "log", "ref": "--output=pwned"},
        {"action": "diff", "ref": "--output=pwned"},
        {"action": "show", "ref": "--output=pwned"},
        {"action": "blame", "ref": "--contents=x", "paths": ["a.txt"]},
        {"action": "checkout", "ref": "--force"},
        {"action": "fetch", "remote": "--upload-pack=touch pwned"},
        {"action": "push", "remote": "--receive-pack=touch pwned"},
        {"action": "pull", "remote": "origin", "ref": "--upload-pack=touch pwned"},
        {"action": "rebase", "ref": "--exec=touch pwned"},
        {"action": "merge", "ref": "--strategy=x"},
        {"action": "tag", "ref": "-d"},
        {"action": "branch", "ref": "x", "from": "--force"},
        {"action": "stash", "op": "drop", "ref": "--all"},
        {"action": "restore", "ref": "--staged", "paths": ["a.txt"]},
    ],
)
def test_no_argument_becomes_an_option(ctx: ToolContext, args: dict[str, object]) -> None:
    with pytest.raises(ToolError, match="not a usable"):
        call("git", ctx, **args)
    assert not (ctx.cwd / "pwned").exists()


def test_a_file_that_looks_like_an_option_is_a_file(ctx: ToolContext) -> None:
    write(ctx, "--output=pwned", "x")
    git(ctx, "stage", paths=["--output=pwned"])
    assert "--output=pwned" in git(ctx, "diff", staged=True, paths=["--output=pwned"]).text
    assert not (ctx.cwd / "pwned").exists()


@pytest.mark.parametrize("remote", ["ext::touch pwned", "ext::sh -c touch% pwned"])
def test_an_address_that_is_a_program_is_refused(ctx: ToolContext, remote: str) -> None:
    sh(ctx, "git config protocol.ext.allow always")
    for action in ("fetch", "push", "pull"):
        with pytest.raises(ToolError, match="not allowed"):
            git(ctx, action, remote=remote)
    assert not (ctx.cwd / "pwned").exists()


def test_a_folder_without_a_repository_says_so(ctx: ToolContext) -> None:
    with pytest.raises(ToolError, match="not in a git repository"):
        git(ctx, "status", path="..")


# --- changing -------------------------------------------------------------------------------


def test_stage_unstage_and_commit(ctx: ToolContext) -> None:
    write(ctx, "a.txt", "three\n")
    write(ctx, "b.txt", "b\n")
    assert level(ctx, "stage", all=True) == "ask"
    git(ctx, "stage", all=True)
    git(ctx, "unstage", paths=["b.txt"])
    result = git(ctx, "commit", message="Third\n\n# not a comment")
    assert sh(ctx, "git log -1 --format=%B").strip() == "Third\n\n# not a comment"
    assert result.details["status"]["untracked"] == ["b.txt"]
    assert result.details["status"]["ahead"] == 1


def test_a_commit_shows_its_message_and_what_it_would_hold(ctx: ToolContext) -> None:
    sh(ctx, "echo staged >a.txt && git add a.txt && echo x >b.txt && git add b.txt && echo later >a.txt")
    shown = preview(ctx, "commit", message="My words")
    assert "My words" in shown.text
    assert "a.txt  +1 -1" in shown.text
    assert "b.txt  +1 -0" in shown.text
    assert shown.where == str(ctx.cwd)


def test_a_yes_to_a_commit_counts_for_these_contents_alone(ctx: ToolContext) -> None:
    sh(ctx, "echo aaa >a.txt && git add a.txt")
    before = preview(ctx, "commit", message="m").fingerprint()
    assert preview(ctx, "commit", message="m").fingerprint() == before
    sh(ctx, "echo bbb >a.txt && git add a.txt")
    assert preview(ctx, "commit", message="m").fingerprint() != before


def test_a_first_commit_can_be_previewed_and_made(ctx: ToolContext) -> None:
    sh(ctx, "mkdir new && cd new && git init -q -b main && echo x >x.txt && git add .")
    assert "x.txt  +1 -0" in preview(ctx, "commit", path="new", message="m", all=True).text
    assert "no commits yet" in git(ctx, "status", path="new").text
    git(ctx, "commit", path="new", message="m")
    assert len(git(ctx, "log", path="new").details["commits"]) == 1


def test_a_commit_without_a_message_or_without_changes_is_refused(ctx: ToolContext) -> None:
    with pytest.raises(ToolError, match="needs a message"):
        git(ctx, "commit", message="  ")
    with pytest.raises(ToolError, match="nothing to commit"):
        git(ctx, "commit", message="m")


def test_hooks_run_with_a_change_and_are_named_before(ctx: ToolContext) -> None:
    hook = ctx.cwd / ".git/hooks/pre-commit"
    hook.write_text("#!/bin/sh\necho checked >>hooked\ngit diff --cached --name-only -- '*.txt' >>hooked\n")
    hook.chmod(0o755)
    sh(ctx, "echo x >a.txt && git add a.txt")
    assert "hook pre-commit" in preview(ctx, "commit", message="m").text
    git(ctx, "commit", message="m")
    assert (ctx.cwd / "hooked").read_text() == "checked\na.txt\n"


def test_a_yes_is_not_kept_when_the_repository_runs_something_else(ctx: ToolContext) -> None:
    before = preview(ctx, "commit", message="m").grant_key
    sh(ctx, "git config filter.x.clean cat")
    assert preview(ctx, "commit", message="m").grant_key != before


def test_branches_are_made_changed_listed_and_deleted(ctx: ToolContext) -> None:
    git(ctx, "checkout", ref="topic", create=True)
    sh(ctx, "echo t >t.txt && git add . && git commit -qm Topic")
    git(ctx, "checkout", ref="main")
    listed = git(ctx, "branch").details["branches"]
    assert {row["name"]: row["current"] for row in listed} == {"main": True, "topic": False}
    with pytest.raises(ToolError, match="not fully merged"):
        git(ctx, "branch", ref="topic", delete=True)
    danger = preview(ctx, "branch", ref="topic", delete=True, force=True).danger
    assert "Topic" in danger
    git(ctx, "branch", ref="topic", delete=True, force=True)
    assert len(git(ctx, "branch").details["branches"]) == 1


def test_checking_out_a_branch_of_the_server_follows_it(ctx: ToolContext) -> None:
    sh(ctx, "git branch far && git push -q origin far && git branch -D far")
    git(ctx, "checkout", ref="far")
    assert git(ctx, "status").details["upstream"] == "origin/far"


def test_a_merge_conflict_names_the_files_and_the_ways_on(ctx: ToolContext) -> None:
    sh(ctx, "git checkout -qb topic HEAD~1 && echo t >a.txt && git commit -qam Topic && git checkout -q main")
    with pytest.raises(ToolError, match=r"Conflicts in a\.txt.*op: abort"):
        git(ctx, "merge", ref="topic")
    assert "a merge is under way" in git(ctx, "status").text
    assert level(ctx, "merge", op="abort") == "always"
    write(ctx, "a.txt", "both\n")
    git(ctx, "stage", paths=["a.txt"])
    git(ctx, "merge", op="continue")
    assert git(ctx, "status").details["state"] == ""


def conflicting(ctx: ToolContext) -> None:
    """The branch ``topic`` says something else of a.txt than main does."""
    sh(ctx, "git checkout -qb topic HEAD~1 && echo t >a.txt && git commit -qam Topic && git checkout -q main")


def other(ctx: ToolContext) -> None:
    """Another person's checkout of the same server, with a commit that is pushed."""
    sh(ctx, "git clone -q ../server.git ../other")
    sh(ctx, "cd ../other && echo theirs >theirs.txt && git add . && git commit -qm Theirs && git push -q")


def test_markers_of_a_conflict_are_not_committed_unless_they_are_meant(ctx: ToolContext) -> None:
    conflicting(ctx)
    with pytest.raises(ToolError, match="Conflicts"):
        git(ctx, "merge", ref="topic")
    git(ctx, "stage", all=True)
    for action, args in (("merge", {"op": "continue"}), ("commit", {"message": "Both"})):
        with pytest.raises(ToolError, match=r"markers still stand at a\.txt:1.*force: true"):
            preview(ctx, action, **args)
        with pytest.raises(ToolError, match="markers still stand"):
            git(ctx, action, **args)
    git(ctx, "commit", message="Both", force=True)
    assert "<<<<<<<" in sh(ctx, "git show HEAD:a.txt")


def test_text_that_only_looks_like_a_conflict_is_committed_where_none_is_under_way(ctx: ToolContext) -> None:
    write(ctx, "guide.txt", "<<<<<<< HEAD\nours\n=======\ntheirs\n>>>>>>> topic\n")
    git(ctx, "stage", all=True)
    assert "guide.txt" in git(ctx, "commit", message="How conflicts look").text


def test_a_rebase_is_resolved_and_gone_on_with(ctx: ToolContext) -> None:
    conflicting(ctx)
    sh(ctx, "git checkout -q topic")
    with pytest.raises(ToolError, match=r"Conflicts in a\.txt.*rebase with op: continue, op: skip.*op: abort"):
        git(ctx, "rebase", ref="main")
    with pytest.raises(ToolError, match="markers still stand"):
        git(ctx, "rebase", op="continue")
    write(ctx, "a.txt", "both\n")
    git(ctx, "stage", paths=["a.txt"])
    told = git(ctx, "rebase", op="continue").text
    assert "Successfully rebased" in told and "\x1b" not in told and "\r" not in told
    assert sh(ctx, "git show HEAD:a.txt") == "both\n"


@pytest.mark.parametrize("op", ["merge", "rebase"])
def test_a_push_that_is_behind_is_told_to_pull_first_and_then_goes(ctx: ToolContext, op: str) -> None:
    other(ctx)
    sh(ctx, "echo ours >ours.txt && git add . && git commit -qm Ours")
    with pytest.raises(ToolError, match="Pull first") as refused:
        git(ctx, "push")
    assert "hint:" not in str(refused.value)
    with pytest.raises(ToolError, match="op: merge or op: rebase"):
        git(ctx, "pull")
    told = git(ctx, "pull", op=op).text
    assert "\x1b" not in told and "\r" not in told
    git(ctx, "push")
    assert git(ctx, "status").text.startswith("On branch main, level with origin/main.")


def test_what_stands_in_the_way_is_said_also_while_a_conflict_is_open(ctx: ToolContext) -> None:
    other(ctx)
    conflicting(ctx)
    sh(ctx, "echo ours >ours.txt && git add . && git commit -qm Ours")
    with pytest.raises(ToolError, match="Conflicts"):
        git(ctx, "merge", ref="topic")
    with pytest.raises(ToolError, match=r"(?s)Pulling is not possible.*Conflicts in a\.txt"):
        git(ctx, "pull")
    with pytest.raises(ToolError, match=r"(?s)rejected.*Conflicts in a\.txt"):
        git(ctx, "push")
    with pytest.raises(ToolError, match=r"(?s)resolve your current index.*Conflicts in a\.txt"):
        git(ctx, "checkout", ref="topic")


def test_a_branch_the_server_lacks_is_not_called_level(ctx: ToolContext) -> None:
    sh(ctx, "git init -q --bare -b main ../empty.git && git clone -q ../empty.git ../fresh 2>&1")
    fresh = replace(ctx, cwd=ctx.cwd.parent / "fresh")
    for action, said in (("push", "no commit yet"), ("pull", "no such branch yet")):
        with pytest.raises(ToolError, match=said):
            git(fresh, action)
    sh(fresh, "echo x >x && git add x && git commit -qm X")
    assert "origin/main isn't there yet" in git(fresh, "status").text
    git(fresh, "push")
    sh(fresh, "echo y >x && git commit -qam Y")
    assert git(fresh, "status").text.startswith("On branch main, 1 ahead of origin/main.")


def test_a_server_that_is_gone_is_explained(ctx: ToolContext) -> None:
    shutil.rmtree(ctx.cwd.parent / "server.git")
    for action in ("push", "pull", "fetch"):
        with pytest.raises(ToolError, match="Check the remote's name and address"):
            git(ctx, action)


def test_stash_keeps_shows_and_gives_back(ctx: ToolContext) -> None:
    write(ctx, "a.txt", "unfinished\n")
    git(ctx, "stash", message="wip")
    assert "wip" in git(ctx, "stash", op="list").text
    assert "+unfinished" in git(ctx, "stash", op="show").text
    assert [level(ctx, "stash", op=op) for op in ("list", "show", "pop", "drop", "clear")] == [
        *("never", "never", "ask", "always", "always")
    ]
    assert "wip" in preview(ctx, "stash", op="drop").danger
    git(ctx, "stash", op="pop")
    assert (ctx.cwd / "a.txt").read_text() == "unfinished\n"


def test_push_pull_and_fetch_reach_a_server(ctx: ToolContext) -> None:
    sh(
        ctx,
        "git clone -q ../server.git ../other && cd ../other && echo o >o.txt && git add . && git commit -qm Other",
    )
    sh(ctx, "cd ../other && git push -q")
    git(ctx, "fetch")
    assert git(ctx, "status").details["behind"] == 1
    git(ctx, "pull")
    assert (ctx.cwd / "o.txt").exists()
    sh(ctx, "git checkout -qb topic && echo t >t.txt && git add . && git commit -qm Topic")
    shown = preview(ctx, "push")
    assert shown.effect == "send"
    assert "Topic" in shown.text
    assert "Other" not in shown.text
    assert "../server.git" in shown.text
    git(ctx, "push")
    assert git(ctx, "status").details["upstream"] == "origin/topic"


def test_a_yes_to_push_here_does_not_cover_another_server(ctx: ToolContext) -> None:
    assert preview(ctx, "push").grant_key != preview(ctx, "push", remote="https://example.org/x.git").grant_key
    before = preview(ctx, "push").grant_key
    sh(ctx, "git remote set-url origin https://example.org/x.git")
    assert preview(ctx, "push").grant_key != before


def test_a_diverged_pull_says_so_and_leaves_everything(ctx: ToolContext) -> None:
    sh(
        ctx,
        "git clone -q ../server.git ../other && cd ../other && echo o >o.txt && git add . && git commit -qm Other",
    )
    sh(ctx, "cd ../other && git push -q && cd ../work && echo m >m.txt && git add . && git commit -qm Mine")
    with pytest.raises(ToolError, match=r"fast-forward"):
        git(ctx, "pull")
    git(ctx, "pull", op="rebase")
    assert [row["subject"] for row in git(ctx, "log", limit=2).details["commits"]] == ["Mine", "Other"]


def test_tags_are_made_listed_and_deleted(ctx: ToolContext) -> None:
    git(ctx, "tag", ref="v1", message="Release")
    assert git(ctx, "tag").details["tags"][0]["subject"] == "Release"
    git(ctx, "tag", ref="v1", delete=True)
    assert git(ctx, "tag").text == "No tags."


LOSING: Iterable[dict[str, object]] = (
    {"action": "restore", "paths": ["a.txt"]},
    {"action": "checkout", "paths": ["a.txt"]},
    {"action": "checkout", "ref": "main", "force": True},
    {"action": "push", "force": True},
    {"action": "push", "ref": "+main"},
    {"action": "push", "ref": ":main"},
    {"action": "push", "ref": "main", "delete": True},
    {"action": "commit", "message": "m", "amend": True},
    {"action": "rebase", "ref": "main"},
    {"action": "rebase", "op": "abort"},
    {"action": "rebase", "op": "skip"},
    {"action": "merge", "op": "abort"},
    {"action": "pull", "op": "rebase"},
    {"action": "stash", "op": "drop"},
    {"action": "stash", "op": "clear"},
    {"action": "branch", "ref": "x", "delete": True, "force": True},
    {"action": "branch", "ref": "x", "force": True},
    {"action": "tag", "ref": "x", "delete": True},
    {"action": "tag", "ref": "x", "force": True},
)


@pytest.mark.parametrize("args", LOSING)
def test_what_can_lose_work_is_asked_every_time_and_says_what(ctx: ToolContext, args: dict[str, object]) -> None:
    assert tool("git").approval_for(args, ctx) == "always"
    shown = tool("git").preview(args, ctx)
    assert shown.danger
    assert shown.grant_key == ""


def test_what_a_restore_would_throw_away_is_named_and_kept_for_undo(ctx: ToolContext, tmp_path: Path) -> None:
    store = CheckpointStore(tmp_path / "undo")
    write(ctx, "a.txt", "precious\n")
    keeping = replace(ctx, services=Services(checkpoints=store))
    assert "a.txt  +1 -1" in preview(keeping, "restore", paths=["a.txt"]).danger
    result = git(keeping, "restore", paths=["a.txt"])
    assert (ctx.cwd / "a.txt").read_text() == "two\n"
    store.restore(result.details["checkpoint"])
    assert (ctx.cwd / "a.txt").read_text() == "precious\n"


def test_a_server_that_wants_a_password_does_not_hang(ctx: ToolContext) -> None:
    """Nobody sits at a terminal: git must fail instead of asking."""
    sh(ctx, "git config core.askPass 'touch asked' && git config credential.helper ''")
    from http.server import BaseHTTPRequestHandler, HTTPServer
    from threading import Thread

    class Locked(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(401)
            self.send_header("WWW-Authenticate", "Basic")
            self.end_headers()

        def log_message(self, *args: object) -> None: ...

    server = HTTPServer(("127.0.0.1", 0), Locked)
    Thread(target=server.serve_forever, daemon=True).start()
    try:
        with pytest.raises(ToolError, match=r"could not read Username|Authentication failed"):
            git(ctx, "fetch", remote=f"http://127.0.0.1:{server.server_port}/x.git")
    finally:
        server.shutdown()
        server.server_close()
    assert not (ctx.cwd / "asked").exists()
