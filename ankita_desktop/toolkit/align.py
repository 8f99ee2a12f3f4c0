"""Which items of two sequences belong together: the engine below `toolkit.diff`.

Patience first: items that occur once on both sides are sure landmarks and keep a repetitive file readable.
Between landmarks Myers' greedy search finds a short script, bounded so that two unlike texts stay cheap.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Hashable, Sequence
from itertools import pairwise

Pair = tuple[int, int]
Span = tuple[int, int, int, int]  # a[i1:i2] against b[j1:j2]

# The greedy search costs the square of the number of differences; past this many it settles for the best
# path so far and starts anew from there.
MOST_DIFFERENCES = 256


def blocks(a: Sequence[Hashable], b: Sequence[Hashable]) -> list[Span]:
    """The maximal changed regions in order: ``a[i1:i2]`` became ``b[j1:j2]``; all outside them is equal."""
    return _gaps(matches(a, b), len(a), len(b))


def matches(a: Sequence[Hashable], b: Sequence[Hashable]) -> list[Pair]:
    """Index pairs of equal items, rising on both sides."""
    left, right = _numbered(a, b)
    found: list[Pair] = []
    work: list[Span] = [(0, len(left), 0, len(right))]
    while work:
        lo_a, hi_a, lo_b, hi_b = work.pop()
        while lo_a < hi_a and lo_b < hi_b and left[lo_a] == right[lo_b]:
            found.append((lo_a, lo_b))
            lo_a, lo_b = lo_a + 1, lo_b + 1
        while lo_a < hi_a and lo_b < hi_b and left[hi_a - 1] == right[hi_b - 1]:
            hi_a, hi_b = hi_a - 1, hi_b - 1
            found.append((hi_a, hi_b))
        if lo_a == hi_a or lo_b == hi_b:
            continue
        span = (lo_a, hi_a, lo_b, hi_b)
        marks = _landmarks(left, right, span)
        if marks:
            found += marks
            work += _between(marks, span)
        else:
            found += _shortest(left, right, span)
    return sorted(found)


def _numbered(a: Sequence[Hashable], b: Sequence[Hashable]) -> tuple[list[int], list[int]]:
    """Items as small integers: comparing long lines again and again would be slow."""
    numbers: dict[Hashable, int] = {}
    left = [numbers.setdefault(item, len(numbers)) for item in a]
    return left, [numbers.setdefault(item, len(numbers)) for item in b]


def _once(items: list[int], lo: int, hi: int) -> dict[int, int]:
    """Where each item stands that occurs exactly once in ``items[lo:hi]``."""
    seen: dict[int, int] = {}
    for index in range(lo, hi):
        item = items[index]
        seen[item] = -1 if item in seen else index
    return {item: index for item, index in seen.items() if index >= 0}


def _landmarks(left: list[int], right: list[int], span: Span) -> list[Pair]:
    """The longest rising chain of items that are unique on both sides."""
    lo_a, hi_a, lo_b, hi_b = span
    once_b = _once(right, lo_b, hi_b)
    once_a = _once(left, lo_a, hi_a)
    return _rising([(index, once_b[item]) for item, index in once_a.items() if item in once_b])


def _rising(pairs: list[Pair]) -> list[Pair]:
    """The longest subsequence of ``pairs`` (sorted by their first) whose second rises too."""
    tails: list[int] = []
    ends: list[int] = []
    before: list[int] = []
    for index, (_, second) in enumerate(pairs):
        place = bisect_left(tails, second)
        before.append(ends[place - 1] if place else -1)
        tails[place : place + 1] = [second]
        ends[place : place + 1] = [index]
    chain: list[Pair] = []
    at = ends[-1] if ends else -1
    while at >= 0:
        chain.append(pairs[at])
        at = before[at]
    return chain[::-1]


def _between(marks: list[Pair], span: Span) -> list[Span]:
    lo_a, hi_a, lo_b, hi_b = span
    edges = [(lo_a - 1, lo_b - 1), *marks, (hi_a, hi_b)]
    steps = pairwise(edges)
    return [(a1 + 1, a2, b1 + 1, b2) for (a1, b1), (a2, b2) in steps if a2 > a1 + 1 and b2 > b1 + 1]


def _shortest(left: list[int], right: list[int], span: Span) -> list[Pair]:
    """A short edit script inside ``span``; items that only one side has can't match and are left out."""
    lo_a, hi_a, lo_b, hi_b = span
    common = set(left[lo_a:hi_a]) & set(right[lo_b:hi_b])
    keep_a = [index for index in range(lo_a, hi_a) if left[index] in common]
    keep_b = [index for index in range(lo_b, hi_b) if right[index] in common]
    a, b = [left[index] for index in keep_a], [right[index] for index in keep_b]
    found: list[Pair] = []
    x = y = 0
    while x < len(a) and y < len(b):
        run, (x, y) = _greedy(a, b, (x, y))
        found += run
    return [(keep_a[i], keep_b[j]) for i, j in found]


def _greedy(a: list[int], b: list[int], start: Pair) -> tuple[list[Pair], Pair]:
    """Myers' search from ``start``: matched pairs, and where it got to (the end, or the bound's best)."""
    x0, y0 = start
    n, m = len(a), len(b)
    reach = {1: x0}
    trail: list[dict[int, int]] = []
    for d in range(MOST_DIFFERENCES + 1):
        trail.append(dict(reach))
        for k in range(-d, d + 1, 2):
            down = k == -d or (k != d and reach.get(k - 1, -1) < reach.get(k + 1, -1))
            x = reach[k + 1] if down else reach[k - 1] + 1
            y = y0 + (x - x0) - k
            while x < n and y < m and a[x] == b[y]:
                x, y = x + 1, y + 1
            reach[k] = x
            if x >= n and y >= m:
                return _walk_back(trail, start, (x, y)), (n, m)
    last = [(reach[k], y0 + (reach[k] - x0) - k) for k in range(-d, d + 1, 2)]
    end = max((point for point in last if point[0] <= n and point[1] <= m), key=sum)
    return _walk_back(trail, start, end), end


def _walk_back(trail: list[dict[int, int]], start: Pair, end: Pair) -> list[Pair]:
    x0, y0 = start
    x, y = end
    found: list[Pair] = []
    for d in range(len(trail) - 1, -1, -1):
        reach = trail[d]
        k = (x - x0) - (y - y0)
        down = k == -d or (k != d and reach.get(k - 1, -1) < reach.get(k + 1, -1))
        from_k = k + 1 if down else k - 1
        from_x = reach[from_k] if d else x0
        from_y = y0 + (from_x - x0) - from_k if d else y0
        while x > from_x and y > from_y:
            x, y = x - 1, y - 1
            found.append((x, y))
        x, y = from_x, from_y
    return found[::-1]


def _gaps(pairs: list[Pair], size_a: int, size_b: int) -> list[Span]:
    gaps: list[Span] = []
    i = j = 0
    for a, b in [*pairs, (size_a, size_b)]:
        if a > i or b > j:
            gaps.append((i, a, j, b))
        i, j = a + 1, b + 1
    return gaps
