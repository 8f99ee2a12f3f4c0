"""What looks like a secret, taken out of texts that leave the conversation: logs, exports, notifications.

A guess by form, not by value: keys of known services, private keys, passwords in addresses, long random values
behind a telling word. Every pattern runs in time proportional to the text.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from typing import Any, TypeVar, cast

T = TypeVar("T")

HIDDEN = "«hidden»"

KEYS = re.compile(
    r"\b(?:sk-(?:ant-|proj-|or-)?[\w-]{16,}|(?:gh[pousr]|gho)_\w{20,}|github_pat_\w{20,}|glpat-[\w-]{16,}"
    r"|xox[abeoprs]-[\w-]{10,}|(?:AKIA|ASIA)[0-9A-Z]{16}|AIza[\w-]{30,}|ya29\.[\w-]{20,}|npm_\w{30,}|pypi-[\w-]{30,}"
    r"|hf_\w{20,}|SG\.[\w-]{16,}\.[\w-]{16,}|(?:sk|rk|pk)_(?:live|test)_\w{16,}|whsec_\w{16,}|dop_v1_\w{30,}"
    r"|eyJ[\w-]{8,}\.[\w-]{8,}\.[\w-]{8,})"
)
_PRIVATE = re.compile(
    r"(-----BEGIN [A-Z ]{0,30}PRIVATE KEY-----)[^-]{0,20000}(?:-----END [A-Z ]{0,30}PRIVATE KEY-----)?"
)
_USER = re.compile(r"(\b[a-z][a-z0-9+.-]{0,20}://)[^\s/:@'\"<>]{1,200}(?::[^\s/@'\"<>]{0,500})?@", re.I)
_QUERY = re.compile(
    r"([?&;](?:api[_-]?key|key|(?:access|auth|id|refresh)?[_-]?token|secret|client[_-]?secret|password|passwd|pwd|sig"
    r"|signature|code|auth|credential|x-amz-[a-z-]{1,30})=)[^&#\s'\"<>]{1,4000}",
    re.I,
)
_BEARER = re.compile(r"(\b(?:bearer|basic|token)\s+)[\w+/=.~-]{12,}", re.I)
_LABELLED = re.compile(
    r"(\b[\w-]{0,40}(?:key|token|secret|password|passwd|passphrase|pwd|credential)[\w-]{0,20}[\"']?\s{0,4}[:=]\s{0,4}[\"']?)"
    r"([^\s\"',;<>]{8,4000})",
    re.I,
)


def scrub(text: str) -> str:
    """The text with everything that looks like a secret replaced by «hidden»."""
    text = _PRIVATE.sub(rf"\1 {HIDDEN}", text)
    text = KEYS.sub(HIDDEN, text)
    text = _USER.sub(rf"\1{HIDDEN}@", text)
    text = _QUERY.sub(rf"\1{HIDDEN}", text)
    text = _BEARER.sub(rf"\1{HIDDEN}", text)
    return _LABELLED.sub(_labelled, text)


def scrubbed(value: T) -> T:
    """As ``scrub``, of every text in JSON data."""
    found: Any = value
    if isinstance(found, str):
        found = scrub(found)
    elif isinstance(found, dict):
        found = {key: scrubbed(part) for key, part in found.items()}
    elif isinstance(found, list | tuple):
        found = [scrubbed(part) for part in found]
    return cast(T, found)


def entropy(text: str) -> float:
    """Bits per character."""
    counts = Counter(text).values()
    return -sum(count / len(text) * math.log2(count / len(text)) for count in counts) if text else 0.0


def _labelled(found: re.Match[str]) -> str:
    value = found[2]
    named = HIDDEN in value or value.startswith(("«", "$", "{", "<", "(", "[")) or "(" in value
    mixed = bool(re.search(r"\d", value)) and bool(re.search(r"[A-Za-z]", value))
    return found[0] if named or not mixed or entropy(value) < 2.8 else found[1] + HIDDEN
