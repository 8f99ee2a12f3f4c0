"""Whether a text holds what should not be written down: keys, tokens, passwords with their values."""

from __future__ import annotations

import re

_KNOWN = re.compile(
    r"\b(?:sk-[A-Za-z0-9_-]{16,}|gh[pousr]_[A-Za-z0-9]{20,}|github_pat_\w{20,}|glpat-[\w-]{16,}|xox[abprs]-[\w-]{10,}"
    r"|AKIA[0-9A-Z]{16}|AIza[\w-]{30,}|eyJ[\w-]{10,}\.[\w-]{10,}\.[\w-]+)|-----BEGIN [A-Z ]*PRIVATE KEY-----"
)
_SAID = re.compile(
    r"(?:\b|_|(?<=[a-z])(?=[A-Z]))(?:password|passwort|kennwort|passphrase|passcode|passwd|pwd|pin|api[ _-]?key"
    r"|(?:access|private)[ _-]?key|secret|token|contraseña|senha|mot de passe)\b"
    r"(?:\s+\w+){0,4}?\s*(?:\bis\b|[:=])\s*(?P<value>\S+)",
    re.I,
)
_URL = re.compile(r"\b[a-z][a-z0-9+.-]*://[^\s/:@]+:[^\s/@]+@", re.I)
# What may stand behind "password is": where it is kept, or that there is one.
_PLACE = re.compile(
    r"^(?:in|kept|stored|at|not|the|a|an|under|called|named|with|on|set|from|saved|required|needed|\$?[A-Z][A-Z0-9_]{2,})\b",
)


def looks_secret(text: str) -> bool:
    """True for a known form of key, a password inside an address, or "password is VALUE"."""
    if _KNOWN.search(text) or _URL.search(text):
        return True
    return any(not _PLACE.match(found["value"]) for found in _SAID.finditer(text))
