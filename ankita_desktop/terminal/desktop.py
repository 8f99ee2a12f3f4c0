"""The person's desktop without a window: by the command-line programs that a desktop brings."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
import threading
from collections.abc import Sequence
from pathlib import Path

from ankita_desktop.errors import ToolError
from ankita_desktop.toolkit.cancel import Cancel
from ankita_desktop.toolkit.desktop_apps import command_for
from ankita_desktop.toolkit.launch import encoded, own_group
from ankita_desktop.toolkit.limits import Limits, Outcome, Program, run_program

SECONDS = 8.0
PICTURE = 64 * 1024 * 1024
NO_DESKTOP = "there is no desktop (DISPLAY and WAYLAND_DISPLAY are empty). Go on without it."
_WINDOW = "or use the window (`ankita`), which needs none"
_PASTE = (
    ("WAYLAND_DISPLAY", ("wl-paste", "--no-newline", "--type", "text")),
    ("DISPLAY", ("xclip", "-selection", "clipboard", "-out")),
    ("DISPLAY", ("xsel", "--clipboard", "--output")),
)
_COPY = (
    ("WAYLAND_DISPLAY", ("wl-copy", "--type", "text/plain;charset=utf-8")),
    ("DISPLAY", ("xclip", "-selection", "clipboard", "-in")),
    ("DISPLAY", ("xsel", "--clipboard", "--input")),
)
# {} is the file that the picture goes to.
_SHOTS = (
    ("WAYLAND_DISPLAY", ("grim", "{}")),
    ("WAYLAND_DISPLAY", ("gnome-screenshot", "-f", "{}")),
    ("WAYLAND_DISPLAY", ("spectacle", "-b", "-n", "-f", "-o", "{}")),
    ("DISPLAY", ("maim", "{}")),
    ("DISPLAY", ("scrot", "-z", "-o", "{}")),
    ("DISPLAY", ("gnome-screenshot", "-f", "{}")),
    ("DISPLAY", ("spectacle", "-b", "-n", "-f", "-o", "{}")),
    ("DISPLAY", ("import", "-silent", "-window", "root", "{}")),
)
_GRAB = (
    "Add-Type -AssemblyName System.Windows.Forms,System.Drawing;"
    "$b=[Windows.Forms.SystemInformation]::VirtualScreen;"
    "$i=New-Object Drawing.Bitmap $b.Width,$b.Height;$g=[Drawing.Graphics]::FromImage($i);"
    "$g.CopyFromScreen($b.Location,[Drawing.Point]::Empty,$b.Size);$i.Save('{}')"
)


class ProgramDesktop:
    """Safe to use from any thread."""

    def read_clipboard(self) -> str:
        outcome = _run(self._clipboard(_PASTE, ("pbpaste",), "Get-Clipboard -Raw", "wl-clipboard or xclip"))
        if outcome.code and outcome.out == b"":
            return ""  # nothing was copied yet: each of the programs calls that an error
        return outcome.out.decode("utf-8", "replace")

    def write_clipboard(self, text: str) -> None:
        argv = self._clipboard(
            _COPY, ("pbcopy",), "Set-Clipboard -Value ([Console]::In.ReadToEnd())", "wl-clipboard"
        )
        outcome = _run(argv, text.encode())
        if outcome.code and outcome.cut != "time":
            raise ToolError(f"The clipboard can't be written: {outcome.complaint or argv[0] + ' failed'}.")

    def notify(self, title: str, text: str) -> None:
        """By the notification service; nothing tells whether the person saw it."""
        if sys.platform == "darwin":
            said = "on run {a, b}\ndisplay notification b with title a\nend run"
            argv = ["osascript", "-e", said, title, text]
        elif sys.platform.startswith("linux") and (program := shutil.which("notify-send")):
            argv = [program, "--app-name=Ankita", "--", title, text]
        else:
            _by_service(title, text)
            return
        outcome = _run(argv)
        if outcome.code:
            raise ToolError(f"The notification can't be shown: {outcome.complaint}.")

    def open(self, target: str, app: str = "") -> None:
        if sys.platform == "win32" and not app:
            os.startfile(target)
            return
        argv = command_for(target, app)
        if not shutil.which(argv[0]):
            raise ToolError(f"{argv[0]} isn't installed, so nothing can be opened. Install xdg-utils {_WINDOW}.")
        if sys.platform.startswith("linux") and not _on_a_desktop():
            raise ToolError(f"Nothing can be opened from here: {NO_DESKTOP}")
        start(argv)

    def screenshot(self) -> bytes:
        if os.environ.get("WAYLAND_DISPLAY"):
            from ankita_desktop.terminal import desktop_portal

            if picture := desktop_portal.screenshot():
                return picture
        with tempfile.TemporaryDirectory(prefix="ankita-") as folder:
            file = Path(folder) / "screen.png"
            _take(str(file))
            if not file.is_file() or not file.stat().st_size:
                raise ToolError("No picture of the screen was made; the desktop may have refused it.")
            return file.read_bytes()

    def _clipboard(
        self, linux: Sequence[tuple[str, tuple[str, ...]]], mac: tuple[str, ...], windows: str, package: str
    ) -> Sequence[str]:
        if sys.platform == "darwin":
            return mac
        if sys.platform == "win32":
            return ("powershell", "-NoProfile", "-NonInteractive", "-EncodedCommand", encoded(windows))
        return _available(linux, "The clipboard can't be reached from here", package)


def start(argv: Sequence[str]) -> None:
    """Start a program that goes on by itself. Raises ``ToolError`` when it can't be or ends at once in failure."""
    quiet = subprocess.DEVNULL
    # A file, not a pipe: a program that complains once nobody reads a pipe any more is ended for it.
    with tempfile.TemporaryFile() as complaints:
        try:
            process = subprocess.Popen(argv, stdin=quiet, stdout=quiet, stderr=complaints, **own_group())
        except OSError as error:
            raise ToolError(f"{argv[0]} can't be started: {error.strerror}.") from error
        try:
            code = process.wait(1.0)
        except subprocess.TimeoutExpired:  # it runs; somebody has to take note of its end
            threading.Thread(target=process.wait, name="opened", daemon=True).start()
            return
        complaints.seek(0)
        words = complaints.read().decode("utf-8", "replace").strip()[-300:]
    if code:
        raise ToolError(f"{Path(argv[0]).name} could not open it (exit {code}). {words}".rstrip())


def set_off(argv: Sequence[str]) -> None:
    """Start a program that goes on by itself and complains where we do. Raises ``ToolError`` when it can't be."""
    quiet = subprocess.DEVNULL
    try:
        process = subprocess.Popen(argv, stdin=quiet, stdout=quiet, **own_group())
    except OSError as error:
        raise ToolError(f"{argv[0]} can't be started: {error.strerror}.") from error
    threading.Thread(target=process.wait, name="opened", daemon=True).start()


def _available(programs: Sequence[tuple[str, tuple[str, ...]]], what: str, packages: str) -> tuple[str, ...]:
    """The first program that is installed and whose desktop is there. ``what`` can't be done without one."""
    if not _on_a_desktop():
        raise ToolError(f"{what}: {NO_DESKTOP}")
    for variable, argv in programs:
        if os.environ.get(variable) and shutil.which(argv[0]):
            return argv
    raise ToolError(f"{what}: install {packages}, {_WINDOW}.")


def _on_a_desktop() -> bool:
    return bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))


def _run(argv: Sequence[str], stdin: bytes = b"") -> Outcome:
    return run_program(Program(argv, tempfile.gettempdir(), stdin=stdin), Cancel(), Limits(SECONDS, PICTURE))


def _take(file: str) -> None:
    if sys.platform == "darwin":
        _run(["screencapture", "-x", file])
    elif sys.platform == "win32":
        _run(
            ["powershell", "-NoProfile", "-NonInteractive", "-EncodedCommand", encoded(_GRAB.replace("{}", file))]
        )
    else:
        what, packages = "The screen can't be pictured from here", "grim (Wayland) or maim (X11)"
        _run([word.replace("{}", file) for word in _available(_SHOTS, what, packages)])


def _by_service(title: str, text: str) -> None:
    from ankita_desktop.automation.notify import Note, send

    if not send(Note(title, text)):
        raise ToolError(f"No notification service answers here; install libnotify-bin, {_WINDOW}.")
