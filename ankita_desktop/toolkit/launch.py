"""How a shell command is started on each platform. Pure: nothing here runs anything."""

from __future__ import annotations

import base64
import os
import shutil
import sys
from collections.abc import Mapping
from typing import Any

MARK = "ANKITA_JOB"
# Programs must not page, colour or open an editor where nobody sits at a terminal.
PLAIN = {"PAGER": "cat", "GIT_PAGER": "cat", "TERM": "dumb", "GIT_TERMINAL_PROMPT": "0"}
# From the Windows API: CREATE_NEW_PROCESS_GROUP, CREATE_NO_WINDOW.
NEW_GROUP, NO_WINDOW = 0x0200, 0x0800_0000

UTF8 = "[Console]::OutputEncoding=[Console]::InputEncoding=$OutputEncoding=[Text.UTF8Encoding]::new($false);"
# A failed cmdlet leaves $LASTEXITCODE alone, a failed program sets it: either counts.
EXIT = "\nif ($?) { exit 0 } elseif ($LASTEXITCODE) { exit $LASTEXITCODE } else { exit 1 }"


def shell_argv(command: str, platform: str = sys.platform) -> list[str]:
    """The argument vector that has the platform's shell run ``command``."""
    if platform == "win32":
        return ["powershell", "-NoProfile", "-NonInteractive", "-EncodedCommand", encoded(command)]
    return [shutil.which("bash") or "/bin/sh", "-c", command]


def encoded(command: str) -> str:
    """A command as PowerShell's ``-EncodedCommand`` takes it: no quoting rule can change it."""
    script = f"{UTF8}$ProgressPreference='SilentlyContinue'\n{command}{EXIT}"
    return base64.b64encode(script.encode("utf-16-le")).decode("ascii")


def own_group(platform: str = sys.platform) -> dict[str, Any]:
    """What ``Popen`` needs so that the command and its children can be ended as one."""
    if platform == "win32":
        return {"creationflags": NEW_GROUP | NO_WINDOW}
    return {"start_new_session": True}


def environment(mark: str, extra: Mapping[str, str] | None = None) -> dict[str, str]:
    """Our environment with the plain settings, the caller's own, and the mark that finds stray children."""
    return {**os.environ, **PLAIN, **(extra or {}), MARK: mark}
