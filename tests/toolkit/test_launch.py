"""How a command is started, on the platforms we aren't on too."""

import base64

from ankita_desktop.toolkit import launch


def script(argv: list[str]) -> str:
    return base64.b64decode(argv[argv.index("-EncodedCommand") + 1]).decode("utf-16-le")


def test_on_windows_the_command_reaches_powershell_whatever_its_quotes() -> None:
    command = """Write-Output "it's 100% ""quoted"" | & ; $x `n äß" """
    argv = launch.shell_argv(command, "win32")
    assert argv[0] == "powershell"
    assert "-NonInteractive" in argv
    assert command in script(argv)
    assert command not in " ".join(argv)


def test_on_windows_output_is_utf8_and_the_exit_code_of_a_program_is_ours() -> None:
    text = script(launch.shell_argv("tool.exe", "win32"))
    assert "[Text.UTF8Encoding]" in text
    assert text.index("OutputEncoding") < text.index("tool.exe") < text.index("exit $LASTEXITCODE")


def test_on_windows_a_command_has_a_group_of_its_own_and_no_console_window() -> None:
    assert launch.own_group("win32") == {"creationflags": 0x0200 | 0x0800_0000}


def test_elsewhere_a_command_is_one_argument_of_a_shell_in_a_session_of_its_own() -> None:
    argv = launch.shell_argv("a 'b c' && d", "linux")
    assert argv[1:] == ["-c", "a 'b c' && d"]
    assert launch.own_group("linux") == {"start_new_session": True}


def test_the_callers_variables_win_but_the_mark_stays() -> None:
    env = launch.environment("m1", {"TERM": "xterm", launch.MARK: "other", "A": "b"})
    assert (env["TERM"], env["A"], env[launch.MARK]) == ("xterm", "b", "m1")
    assert env["PAGER"] == "cat"
