"""What tools cost in every request, and what of it was ever used: the data behind ``ankita tools audit``."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from ankita_desktop.catalog.counting import counted_by, token_count
from ankita_desktop.protocol import ToolSpec, compact_json

NEEDED = ("find_tools", "call_tool")  # what finds and runs the others can't wait to be found itself


@dataclass(frozen=True, slots=True)
class Cost:
    """One tool's schema: bytes and tokens of its entry, ``share`` of all that is always sent (0.0 to 1.0; 0.0 for
    a deferred one), and ``used``: its calls in the stored conversations."""

    tool: str
    group: str
    bytes: int
    tokens: int
    share: float
    used: int


@dataclass(frozen=True, slots=True)
class Audit:
    """``always`` and ``deferred`` dearest first. ``bytes``/``tokens`` are those of the always-sent array as it
    goes over the wire, ``full_*`` of everything sent at once. ``counted`` is the token table's name or "estimate".
    ``lines`` are tokens of what the prompt says of groups and skills. ``deferrable`` were never used although
    others were. ``misses`` are (search that found nothing, how often)."""

    always: tuple[Cost, ...]
    deferred: tuple[Cost, ...]
    bytes: int
    tokens: int
    full_bytes: int
    full_tokens: int
    counted: str
    lines: Mapping[str, int]
    deferrable: tuple[str, ...]
    misses: tuple[tuple[str, int], ...]


def audit(
    specs: Iterable[ToolSpec],
    used: Mapping[str, int],
    *,
    misses: Sequence[tuple[str, int]] = (),
    lines: Mapping[str, str] | None = None,
) -> Audit:
    """What is always sent, what it costs and what of it was used. ``used`` counts calls per tool name; ``lines``
    are the texts that tell of groups and skills in every request."""
    every = list(specs)
    sent = [spec for spec in every if spec.always_on]
    array, full = (compact_json([spec.entry() for spec in each]) for each in (sent, every))
    size = len(array.encode())
    always = _dearest(_cost(spec, size, used) for spec in sent)
    return Audit(
        always=always,
        deferred=_dearest(_cost(spec, 0, used) for spec in every if not spec.always_on),
        bytes=size,
        tokens=token_count(array),
        full_bytes=len(full.encode()),
        full_tokens=token_count(full),
        counted=counted_by(),
        lines={name: token_count(text) if text else 0 for name, text in (lines or {}).items()},
        deferrable=tuple(cost.tool for cost in always if used and not cost.used and cost.tool not in NEEDED),
        misses=tuple(misses),
    )


def _cost(spec: ToolSpec, total: int, used: Mapping[str, int]) -> Cost:
    entry = compact_json(spec.entry())
    size = len(entry.encode())
    share = round(size / total, 3) if total else 0.0
    return Cost(spec.name, spec.group, size, token_count(entry), share, used.get(spec.name, 0))


def _dearest(costs: Iterable[Cost]) -> tuple[Cost, ...]:
    return tuple(sorted(costs, key=lambda cost: (-cost.bytes, cost.tool)))


def audit_text(found: Audit) -> str:
    """The audit as a table and a few sentences."""
    about = "" if found.counted != "estimate" else "about "
    lines = [f"{'tool':<16}{'bytes':>7}{'tokens':>8}{'share':>8}{'used':>7}"]
    lines += [
        f"{cost.tool:<16}{cost.bytes:>7}{cost.tokens:>8}{cost.share:>8.1%}{cost.used:>7}" for cost in found.always
    ]
    lines += [
        f"Always sent: {found.bytes:,} bytes, {about}{found.tokens:,} tokens in every request.",
        f"Everything at once would be {found.full_bytes:,} bytes, {about}{found.full_tokens:,} tokens.",
    ]
    lines += [
        f"Of each request, {about}{count} tokens tell which {name} there are." for name, count in _told(found)
    ]
    if about:
        lines.append("Tokens are estimated from bytes; with the package bpe-openai they are counted.")
    if needed := [f"{cost.tool} ({cost.used})" for cost in found.deferred if cost.used]:
        lines.append(f"Deferred and used: {', '.join(needed)}.")
    if found.deferrable:
        lines.append(f"Never used so far, could be deferred: {', '.join(found.deferrable)}.")
    if found.misses:
        lines.append("Searches that found nothing (--clear-misses forgets them):")
        lines += [f"  {query}" + (f"  ({count} times)" if count > 1 else "") for query, count in found.misses]
    return "\n".join(lines)


def _told(found: Audit) -> list[tuple[str, int]]:
    return [(name, count) for name, count in found.lines.items() if count]
