"""A closed box for commands on Linux: everything may be read, only the working folder changed, no network.

Needs bubblewrap. Pure but for looking at what exists and, once, whether a box can be made.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
from collections.abc import Iterable
from functools import cache
from pathlib import Path

from ankita_desktop import paths
from ankita_desktop.errors import ToolError

# Keys and passwords: not even to be read. Sockets under /run would lead out of the box.
HIDDEN = (
    *(".ssh", ".gnupg", ".aws", ".azure", ".kube", ".password-store", ".docker", ".config/gh", ".config/gcloud"),
    *(".mozilla", ".config/google-chrome", ".config/chromium", ".local/share/keyrings"),
)
MISSING = (
    "Commands are to run in a closed box, and bubblewrap isn't installed. Tell the person: install bubblewrap, "
    "or set approvals.sandbox to off."
)


def box_argv(folder: Path, *, network: bool = False, hidden: Iterable[Path] = ()) -> list[str]:
    """The words in front of a command that box it into ``folder``. ``hidden`` folders are empty in there."""
    argv = ["bwrap", "--ro-bind", "/", "/", "--dev", "/dev", "--proc", "/proc"]
    for place in (Path("/tmp"), Path("/run"), *hidden):
        argv += ["--tmpfs", str(place)]
    if network and Path("/run/systemd/resolve").is_dir():
        argv += ["--ro-bind", "/run/systemd/resolve", "/run/systemd/resolve"]
    argv += ["--bind", str(folder), str(folder), "--chdir", str(folder)]
    argv += ["--unshare-pid", "--unshare-ipc", "--unshare-uts", "--die-with-parent"]
    return [*argv, *([] if network else ["--unshare-net"]), "--"]


def can_box() -> bool:
    """Whether a box can be made here."""
    return sys.platform == "linux" and shutil.which("bwrap") is not None and _allowed()


@cache
def _allowed() -> bool:
    """Bubblewrap may be there and yet not be let, as in a container. Tried once a process; takes milliseconds."""
    try:
        done = subprocess.run([*box_argv(Path("/tmp")), "true"], capture_output=True, timeout=5)
    except (OSError, subprocess.TimeoutExpired):
        return False
    return done.returncode == 0


def box_for(folder: Path, *, network: bool = False) -> list[str]:
    """``box_argv`` for this machine. Raises ``ToolError`` where it can't be had."""
    if sys.platform != "linux":
        raise ToolError("Commands can be boxed on Linux only. Tell the person: set approvals.sandbox to off.")
    if shutil.which("bwrap") is None:
        raise ToolError(MISSING)
    return box_argv(folder, network=network, hidden=[place for place in _secrets() if place.is_dir()])


def _secrets() -> list[Path]:
    return [Path.home() / place for place in HIDDEN] + [paths.config(), paths.data(), paths.state()]
