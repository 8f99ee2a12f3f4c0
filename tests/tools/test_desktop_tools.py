"""The desktop's tools: what they ask, what they refuse, and that they really reach the programs of a desktop."""

from __future__ import annotations

import os
import stat
from pathlib import Path
from typing import Any

import pytest

from ankita_desktop.terminal.desktop import ProgramDesktop
from ankita_desktop.toolkit import ToolContext, ToolError
from ankita_desktop.toolkit.desktop_apps import argv, find
from ankita_desktop.toolkit.process import Jobs
from ankita_desktop.toolkit.services import Services
from ankita_desktop.toolkit.untrusted import unframed
from tests.tools.agreed import level, preview
from tests.tools.calls import call, until


@pytest.fixture
def bins(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A desktop whose programs are ours to write; beside them only the system's own."""
    folder = tmp_path / "bin"
    folder.mkdir()
    monkeypatch.setenv("PATH", f"{folder}:/usr/bin:/bin")
    monkeypatch.setenv("DISPLAY", ":77")
    monkeypatch.delenv("WAYLAND_DISPLAY", raising=False)
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "share"))
    monkeypatch.setenv("XDG_DATA_DIRS", str(tmp_path / "none"))
    return folder


def program(bins: Path, name: str, body: str) -> None:
    (bins / name).write_text(f"#!/bin/sh\n{body}\n")
    (bins / name).chmod(0o755)


def on_desktop(folder: Path) -> ToolContext:
    return ToolContext(folder, Jobs(), services=Services(desktop=ProgramDesktop()))


def use(name: str, folder: Path, /, **args: Any) -> Any:
    return call(name, on_desktop(folder), **args)


def clipboard_programs(bins: Path, tmp_path: Path) -> None:
    kept = tmp_path / "kept"
    program(bins, "xclip", f'case "$*" in *-in*) cat > {kept};; *) cat {kept} || exit 1;; esac')


def test_what_is_put_on_the_clipboard_can_be_read_from_it(bins: Path, tmp_path: Path) -> None:
    clipboard_programs(bins, tmp_path)
    said = "Grüße,\nzwei Zeilen"
    assert "18 characters" in use("clipboard", tmp_path, action="write", text=said).text
    result = use("clipboard", tmp_path, action="read")
    assert unframed(result.text) == said
    assert result.details["untrusted"] == {"source": "the clipboard"}


def test_an_empty_clipboard_is_said_to_be_empty(bins: Path, tmp_path: Path) -> None:
    clipboard_programs(bins, tmp_path)
    assert use("clipboard", tmp_path, action="read").text == "There is no text on the clipboard."


def test_reading_the_clipboard_and_the_screen_asks_and_filling_the_clipboard_does_not(tmp_path: Path) -> None:
    assert level("clipboard", tmp_path, action="read") == "ask"
    assert level("clipboard", tmp_path, action="write", text="x") == "never"
    assert level("screenshot", tmp_path) == "ask"
    assert preview("screenshot", tmp_path).grant_key


@pytest.mark.parametrize(
    "args", [{"action": "write"}, {"action": "write", "text": ""}, {"action": "read", "text": "x"}]
)
def test_a_wrong_call_of_the_clipboard_says_what_it_takes(tmp_path: Path, args: dict[str, Any]) -> None:
    with pytest.raises(ToolError, match="text"):
        use("clipboard", tmp_path, **args)


def test_without_any_program_for_it_the_text_says_what_to_install(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setenv("DISPLAY", ":77")
    with pytest.raises(ToolError, match="install wl-clipboard or xclip, or use the window"):
        use("clipboard", tmp_path, action="read")
    with pytest.raises(ToolError, match="install grim"):
        use("screenshot", tmp_path)
    (tmp_path / "f.txt").touch()
    with pytest.raises(ToolError, match="xdg-utils"):
        use("open", tmp_path, target="f.txt")


def test_where_there_is_no_desktop_at_all_a_tool_says_so(tmp_path: Path) -> None:
    with pytest.raises(ToolError, match="A desktop is not available here"):
        call("clipboard", ToolContext(tmp_path, Jobs()), action="read")


PNG = b"\x89PNG\r\n\x1a\npicture"


def test_a_picture_of_the_screen_is_attached_and_only_the_persons_to_read(bins: Path, tmp_path: Path) -> None:
    (tmp_path / "real.png").write_bytes(PNG)
    program(bins, "maim", f'cp {tmp_path / "real.png"} "$1"')
    result = use("screenshot", tmp_path)
    (item,) = result.attachments
    assert Path(item.path).read_bytes() == PNG
    assert item.mime == "image/png"
    assert stat.S_IMODE(Path(item.path).stat().st_mode) == 0o600
    assert result.details["untrusted"] == {"source": "the screen"}


def test_a_picture_of_the_screen_is_saved_where_it_was_asked_for_and_never_over_a_file(
    bins: Path, tmp_path: Path
) -> None:
    (tmp_path / "real.png").write_bytes(PNG)
    program(bins, "maim", f'cp {tmp_path / "real.png"} "$1"')
    use("screenshot", tmp_path, path="shots/one.png")
    assert (tmp_path / "shots" / "one.png").read_bytes() == PNG
    with pytest.raises(ToolError, match="exists already"):
        use("screenshot", tmp_path, path="shots/one.png")
    with pytest.raises(ToolError, match=r"ends in \.png"):
        use("screenshot", tmp_path, path="one.jpg")


def test_a_screen_that_may_not_be_seen_is_an_error_in_words(bins: Path, tmp_path: Path) -> None:
    program(bins, "maim", "exit 1")
    with pytest.raises(ToolError, match="may have refused"):
        use("screenshot", tmp_path)


def opened(bins: Path, tmp_path: Path, name: str = "xdg-open") -> Path:
    """Where the program of this name writes what it was started with, a line for each argument."""
    told = tmp_path / "told"
    program(bins, name, f'for a in "$@"; do printf "%s\\n" "$a" >> {told}; done')
    return told


def test_files_folders_and_addresses_are_opened_with_their_usual_program(bins: Path, tmp_path: Path) -> None:
    told = opened(bins, tmp_path)
    (tmp_path / "a b.txt").touch()
    use("open", tmp_path, target="a b.txt")
    use("open", tmp_path, target=".")
    use("open", tmp_path, target="https://example.org/a?b=c")
    use("open", tmp_path, target=(tmp_path / "a b.txt").as_uri())
    until(lambda: told.exists() and len(told.read_text().splitlines()) == 4)
    a = str(tmp_path / "a b.txt")
    assert told.read_text().splitlines() == [a, str(tmp_path), "https://example.org/a?b=c", a]


@pytest.mark.parametrize(
    "target",
    [
        "javascript:alert(1)",
        "smb://host/share",
        "vscode://x",
        "data:text/html,hi",
        "ssh://host",
        "ms-msdt:/id",
        "nope.txt",
    ],
)
def test_other_schemes_and_what_is_not_there_are_refused(tmp_path: Path, target: str) -> None:
    with pytest.raises(ToolError):
        preview("open", tmp_path, target=target)


def test_what_may_be_a_program_is_always_asked_with_the_reason(tmp_path: Path) -> None:
    (tmp_path / "setup.desktop").touch()
    (tmp_path / "run").touch()
    (tmp_path / "run").chmod(0o755)
    (tmp_path / "notes.txt").touch()
    assert level("open", tmp_path, target="setup.desktop") == "always"
    assert level("open", tmp_path, target="run") == "always"
    assert level("open", tmp_path, target="notes.txt") == "ask"
    shown = preview("open", tmp_path, target="run")
    assert "may be a program" in shown.danger
    assert not shown.grant_key


def test_opening_an_address_counts_as_sending(tmp_path: Path) -> None:
    assert preview("open", tmp_path, target="https://example.org/").effect == "send"


def menu(tmp_path: Path, name: str, command: str, *, more: str = "") -> None:
    folder = tmp_path / "share" / "applications"
    folder.mkdir(parents=True, exist_ok=True)
    text = f"[Desktop Entry]\nType=Application\nName={name}\nExec={command}\n{more}"
    (folder / f"org.{name.replace(' ', '')}.desktop").write_text(text)


def test_a_program_is_started_by_the_name_that_menus_show(bins: Path, tmp_path: Path) -> None:
    told = opened(bins, tmp_path, "editor-bin")
    menu(tmp_path, "Text Editor", f"{bins / 'editor-bin'} --new %F")
    (tmp_path / "a; rm -rf x.txt").touch()
    use("open", tmp_path, target="a; rm -rf x.txt", app="text editor")
    until(lambda: told.exists() and len(told.read_text().splitlines()) == 2)
    assert told.read_text().splitlines() == ["--new", str(tmp_path / "a; rm -rf x.txt")]
    assert "Started Text Editor" in use("open", tmp_path, app="Text Editor").text


def test_a_name_that_fits_several_programs_or_none_says_which_there_are(bins: Path, tmp_path: Path) -> None:
    menu(tmp_path, "Web Mail", "webmail %u")
    menu(tmp_path, "Web Browser", "browser %u")
    menu(tmp_path, "Hidden Web", "secret", more="NoDisplay=true\n")
    with pytest.raises(ToolError, match="Web Browser, Web Mail"):
        find("web")
    with pytest.raises(ToolError, match="Did you mean Web Browser"):
        find("web brwser")
    assert argv(find("web mail"), "") == ["webmail"]
    assert argv(find("browser"), "https://x.org") == ["browser", "https://x.org"]


def test_a_program_that_fails_at_once_is_told(bins: Path, tmp_path: Path) -> None:
    program(bins, "xdg-open", "echo no handler >&2; exit 3")
    (tmp_path / "f.txt").touch()
    with pytest.raises(ToolError, match=r"exit 3\). no handler"):
        use("open", tmp_path, target="f.txt")


def test_a_program_that_complains_later_lives_on(bins: Path, tmp_path: Path) -> None:
    program(bins, "xdg-open", f"sleep 1.3; echo a warning >&2; touch {tmp_path / 'alive'}")
    (tmp_path / "f.txt").touch()
    use("open", tmp_path, target="f.txt")
    until((tmp_path / "alive").exists)


@pytest.mark.parametrize(
    ("name", "args"), [("clipboard", {"action": "read"}), ("screenshot", {}), ("open", {"target": "."})]
)
def test_on_a_machine_without_a_screen_nothing_is_to_be_installed(
    bins: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, args: dict[str, Any]
) -> None:
    monkeypatch.delenv("DISPLAY")
    program(bins, "xdg-open", "exit 0")
    with pytest.raises(ToolError, match="there is no desktop") as told:
        use(name, tmp_path, **args)
    assert "install" not in str(told.value)


def test_open_without_anything_to_open_says_what_it_takes(tmp_path: Path) -> None:
    for args in ({}, {"target": " "}, {"app": "--evil"}):
        with pytest.raises(ToolError, match="Give target"):
            use("open", tmp_path, **args)


def test_a_notification_is_handed_to_the_desktop_as_it_is(bins: Path, tmp_path: Path) -> None:
    told = opened(bins, tmp_path, "notify-send")
    use("notify", tmp_path, text="--tea is ready", title="Kitchen")
    assert told.read_text().splitlines() == ["--app-name=Ankita", "--", "Kitchen", "--tea is ready"]
    with pytest.raises(ToolError, match="empty"):
        use("notify", tmp_path, text="  ")


def test_the_machine_tells_about_itself_without_asking(tmp_path: Path) -> None:
    facts = call("system_info", ToolContext(tmp_path, Jobs())).details["facts"]
    assert set(facts) == {"system", "processor", "memory", "disks", "network", "battery"}
    assert "free of" in facts["memory"]["memory"]
    assert facts["system"]["kernel"].split()[1] == os.uname().release
    only = call("system_info", ToolContext(tmp_path, Jobs()), about="memory")
    assert set(only.details["facts"]) == {"memory"}
    assert only.text.startswith("Memory\nmemory: ")
