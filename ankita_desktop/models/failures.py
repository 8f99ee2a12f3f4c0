"""What went wrong on the wire, as an error a person can act on; and whether and when to try again. Pure."""

from __future__ import annotations

import json
import random
import time
from collections.abc import Mapping
from dataclasses import dataclass
from email.utils import parsedate_to_datetime
from typing import Any, Literal

from ankita_desktop.errors import ModelError, ModelErrorKind

PASSING = frozenset({408, 429, 500, 502, 503, 504, 529})
_BUDGET = {"busy": 4, "cut": 2}
_FIRST_WAIT = {"busy": 0.5, "cut": 0.2}  # seconds, four times as long each time
LONGEST_WAIT = 60.0  # seconds; a server that asks for more is reported instead of waited for

_OVERFLOW = ("context_length", "context length", "maximum context", "too many tokens", "prompt is too long",
             "context window", "context size", "context_size", "token limit")  # fmt: skip
_SPENT = ("insufficient_quota", "exceeded your current quota", "billing", "credit", "payment")


# What can fail besides the server's own word: the connection breaks, can't be made or stays silent; the answer
# is empty or all thought; the key can't be one.
Fault = Literal["", "cut", "unreachable", "silent", "empty", "thought", "key"]


@dataclass(frozen=True, slots=True)
class Failure:
    """One failed try. ``status`` is 0 when there was none; ``retry_after`` in seconds if the server named it."""

    status: int = 0
    message: str = ""
    code: str = ""
    retry_after: float | None = None
    fault: Fault = ""

    @property
    def passing(self) -> bool:
        """True when the same request may well work a moment later."""
        return self.fault in ("cut", "empty") or (self.status in PASSING and not self.spent)

    @property
    def spent(self) -> bool:
        """True when money is the reason, which no waiting brings back."""
        return self.status == 402 or (self.status == 429 and self._says(_SPENT))

    @property
    def kind(self) -> ModelErrorKind:
        if self.fault:
            return _KIND_OF_FAULT[self.fault]
        if self._says(_OVERFLOW) or self.status == 413:
            return "overflow"
        if self.code in ("content_filter", "content_policy_violation"):
            return "refused"
        by_status: dict[int, ModelErrorKind] = {401: "auth", 402: "limit", 403: "auth", 429: "limit"}
        return by_status.get(self.status, "bad_request" if 300 <= self.status < 500 else "server")

    def _says(self, words: tuple[str, ...]) -> bool:
        said = f"{self.code} {self.message}".lower()
        return any(word in said for word in words)

    def about(self, *words: str) -> bool:
        """True when the server refuses the request and names one of ``words`` as the reason."""
        return self.status in (400, 422) and self._says(words)


class Broken(Exception):
    """Carries a ``Failure`` from where it is seen to the loop that tries again."""

    def __init__(self, failure: Failure) -> None:
        super().__init__(failure.message)
        self.failure = failure


def from_response(status: int, headers: Mapping[str, str], content: bytes) -> Failure:
    """The failure that an HTTP answer other than 2xx tells of."""
    try:
        payload = json.loads(content)
    except ValueError:
        payload = None
    if isinstance(payload, list) and payload:  # Gemini wraps its error in a list
        payload = payload[0]
    message, code = _said(payload if payload is not None else content.decode("utf-8", "replace"))
    return Failure(status, message, code, retry_after(headers))


def in_stream(chunk: Mapping[str, Any]) -> Failure | None:
    """The failure that a chunk of a stream tells of, or None."""
    error = chunk.get("error")
    if not error and chunk.get("object") == "error":
        error = chunk
    choices = chunk.get("choices")
    if not error and isinstance(choices, list) and choices and isinstance(choices[0], dict):
        error = choices[0].get("error")
    if not error:
        return None
    message, code = _said({"error": error})
    words = f"{code} {message}".lower()
    status = int(code) if code.isdigit() else 0
    if not status:
        status = 429 if "rate" in words and "limit" in words else 400 if "invalid" in words else 500
    return Failure(status, message, code)


def _said(payload: Any) -> tuple[str, str]:
    """Message and code of an error in any of the shapes servers use."""
    error = payload.get("error", payload) if isinstance(payload, dict) else payload
    if isinstance(error, dict):
        message = error.get("message") or error.get("detail") or error.get("error") or ""
        code = error.get("code") or error.get("type") or ""
        return _short(message if isinstance(message, str) else json.dumps(message)), str(code)
    text = str(error or "")
    return ("" if "<html" in text.lower() else _short(text)), ""


def _short(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= 500 else line[:500] + "…"


def retry_after(headers: Mapping[str, str]) -> float | None:
    """Seconds the server asks to wait: ``retry-after-ms``, or ``Retry-After`` as seconds or as a date."""
    try:
        if "retry-after-ms" in headers:
            return max(0.0, float(headers["retry-after-ms"]) / 1000)
        value = headers.get("retry-after", "").strip()
        if not value:
            return None
        if value.replace(".", "", 1).isdigit():
            return float(value)
        return max(0.0, parsedate_to_datetime(value).timestamp() - time.time())
    except (ValueError, TypeError, OverflowError):
        return None


class Retries:
    """How often and how long one request waits for better times. Bounded, whatever fails in between."""

    def __init__(self) -> None:
        self._used = {"busy": 0, "cut": 0}

    def wait(self, failure: Failure) -> float | None:
        """Seconds until the next try, or None when there should be none."""
        budget = "cut" if failure.fault else "busy"
        used = self._used[budget]
        if not failure.passing or used >= _BUDGET[budget]:
            return None
        self._used[budget] = used + 1
        if failure.retry_after is not None:
            return max(0.01, failure.retry_after) if failure.retry_after <= LONGEST_WAIT else None
        return min(8.0, _FIRST_WAIT[budget] * 4.0**used) * random.uniform(0.8, 1.2)


def nothing_said(finish: str) -> Failure:
    """The failure of an answer with neither text nor calls."""
    if finish == "content_filter":
        return Failure(400, code="content_filter")
    return Failure(fault="thought" if finish == "length" else "empty")


def reason_for(failure: Failure, host: str) -> str:
    """Why it is tried again, in a few words."""
    if failure.fault:
        return "The answer was empty." if failure.fault == "empty" else f"The answer from {host} broke off."
    return f"{host} is busy." if failure.status == 429 else f"{host} has trouble (HTTP {failure.status})."


def error_for(failure: Failure, *, model: str, host: str, partial: str = "") -> ModelError:
    """The final error: what happened at ``host`` and what the person can do."""
    text = _explained(failure).format(
        host=host,
        model=model,
        status=failure.status,
        message=failure.message,
        wait=f"in {failure.retry_after:.0f} seconds" if failure.retry_after else "in a while",
    )
    if failure.message and failure.message not in text:
        text = f"{text} The server says: {failure.message}"
    status = failure.status or None
    return ModelError(text, kind=failure.kind, status=status, retry_after=failure.retry_after, partial=partial)


def _explained(failure: Failure) -> str:
    if failure.fault:
        return _TEXT_OF_FAULT[failure.fault]
    if failure.kind in ("overflow", "refused"):
        return _TEXT_OF_KIND[failure.kind]
    if failure.spent:
        return _TEXT_OF_STATUS[402]
    if failure.status in _TEXT_OF_STATUS:
        return _TEXT_OF_STATUS[failure.status]
    if failure.status >= 500:
        return "{host} has trouble at the moment (HTTP {status}). Try again in a while, or choose another model."
    if 300 <= failure.status < 400:
        return "{host} sends requests on to another address. Set the base URL to the final one."
    return "{host} can't use this request (HTTP {status})." if failure.status else "{host} failed while answering."


_KIND_OF_FAULT: dict[str, ModelErrorKind] = {
    "cut": "network",
    "unreachable": "network",
    "silent": "network",
    "empty": "empty",
    "thought": "overflow",
    "key": "auth",
}
_TEXT_OF_FAULT = {
    "cut": "The answer from {host} broke off again and again. Check the connection, then choose Continue.",
    "unreachable": "{host} can't be reached ({message}). If the model runs on this machine, start its server; "
    "otherwise check the connection, and the base URL in Settings → Models.",
    "silent": "{host} has sent nothing for minutes. Choose Continue to ask again.",
    "empty": "{model} answered with nothing. Choose Continue to ask again, or put it in other words.",
    "thought": "{model} used its whole answer for thinking. Ask for less at once, or allow it longer answers.",
    "key": "The API key for {host} holds characters no key has. Copy it again and set it in Settings → Models.",
}
_TEXT_OF_KIND = {
    "overflow": "The conversation is longer than {model} can read. Start a new chat or use /compact.",
    "refused": "{host} refuses this request because of its content rules. Put it in other words.",
}
_TEXT_OF_STATUS = {
    401: "{host} does not accept the API key. Set the right one in Settings → Models, with OPENAI_API_KEY or "
    "with --api-key.",
    402: "The account at {host} has no credit left. Add credit there, or choose another model.",
    403: "{host} does not allow this key to use {model}. Check the key's rights, or choose another model.",
    404: "{host} knows no model “{model}” at this address. Check the model's name, and the base URL, which "
    "usually ends in /v1.",
    429: "{host} takes no more requests for now (rate limit). Try again {wait}, or choose another model.",
}
