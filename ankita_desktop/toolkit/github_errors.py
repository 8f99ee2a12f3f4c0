"""What GitHub says when it says no: limits that are kept to, and reasons that help."""

from __future__ import annotations

import json
import time
from datetime import datetime
from typing import Any

from ankita_desktop.errors import ToolError
from ankita_desktop.toolkit.addresses import Address
from ankita_desktop.toolkit.net import Incoming

# Until when (epoch seconds) which account may not ask for which kind of thing.
_waits: dict[tuple[str, str], float] = {}
SECONDARY = 60  # seconds to wait when a refusal names no time


def kind_of(address: Address) -> str:
    """GitHub counts searches apart from the rest."""
    path = address.target.partition("?")[0]
    if path.endswith("/search/code"):
        return "code search"
    return "search" if "/search/" in path else "requests"


def wait(account: str, kind: str) -> None:
    """Raise ``ToolError`` while GitHub wants to be left alone: asking all the same makes it longer."""
    for limited in (kind, "everything"):
        until = _waits.get((account, limited), 0.0)
        if until > time.time():
            raise ToolError(
                f"GitHub's limit is used up; {_when(until)} Nothing was asked. Go on without, or wait."
            )


def remember(answer: Incoming, account: str, kind: str) -> None:
    """Keep what the answer says about the limit."""
    if until := _limited(answer):
        _waits[account, "everything" if "retry-after" in answer.headers else kind] = until


def _limited(answer: Incoming) -> float:
    """Until when nothing may be asked; 0 when the answer isn't about a limit."""
    if answer.status not in (403, 429):
        return 0.0
    after, reset = answer.headers.get("retry-after", ""), answer.headers.get("x-ratelimit-reset", "")
    if after.isdigit():
        return time.time() + int(after)
    if answer.headers.get("x-ratelimit-remaining") == "0" and reset.isdigit():
        return max(float(reset), time.time() + 1)
    if answer.status == 429 or "rate limit" in _message(answer).lower():
        return time.time() + SECONDARY
    return 0.0


def _when(until: float) -> str:
    seconds = max(1, round(until - time.time()))
    span = f"{seconds} seconds" if seconds < 90 else f"{round(seconds / 60)} minutes"
    return f"it may be asked again at {datetime.fromtimestamp(until):%H:%M:%S} (in {span})."


def unsure(text: str) -> str:
    """A change that may have arrived although no answer came."""
    if "can't be reached" in text or "was not found" in text:
        return f"{text} Nothing was changed."
    return f"{text} It may have been done all the same: look before you repeat it."


def told(answer: Incoming, *, known: bool) -> str:
    """Why GitHub refused, and what helps. ``known``: a token was sent."""
    host, said = answer.address.netloc, _message(answer)
    if until := _limited(answer):
        more = "" if known else " A token (gh auth login, or GITHUB_TOKEN) raises the limit a lot."
        return f"{host} allows no more {kind_of(answer.address)} for now; {_when(until)}{more}"
    if answer.status == 401:
        new = "Ask the person for a new one: gh auth login, or GITHUB_TOKEN."
        return f"{host} does not accept the token ({said}). {new}"
    if answer.status == 403:
        sso = answer.headers.get("x-github-sso", "").partition("url=")[2]
        help_ = (
            f"The organisation wants the token to be authorised: {sso}" if sso else "The token may lack a scope."
        )
        return f"{host} refused: {said} {help_}"
    if answer.status == 404:
        private = "or the token can't see it" if known else "or it is private, and no token is stored"
        return f"{host} has no {_path(answer)}: it doesn't exist, {private}. Check owner, name and number."
    if 300 <= answer.status < 400:
        return f"{_path(answer)} has moved on {host}. Nothing was changed. Find its new name with github_search."
    if answer.status >= 500:
        return f"{host} has trouble of its own (status {answer.status}). Try again in a minute."
    return f"{host} refused (status {answer.status}): {said}"


def _path(answer: Incoming) -> str:
    return answer.address.target.partition("?")[0]


def _message(answer: Incoming) -> str:
    """GitHub's own words, with what it says about single fields."""
    try:
        data = json.loads(answer.body)
    except ValueError:
        data = None
    if not isinstance(data, dict):
        return answer.reason or f"status {answer.status}"
    errors = data.get("errors")
    details = [_problem(each) for each in errors] if isinstance(errors, list) else []
    return "; ".join([str(data.get("message") or answer.reason), *filter(None, details)])[:600]


def _problem(error: Any) -> str:
    if not isinstance(error, dict):
        return str(error)
    return str(error.get("message") or " ".join(str(error[key]) for key in ("field", "code") if key in error))
