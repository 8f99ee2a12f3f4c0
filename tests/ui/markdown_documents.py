"""Random documents of markdown: everything it knows, in quotes and lists within each other."""

from __future__ import annotations

import random

_WORDS = (
    "alpha beta *gam* **d e** `f g` [x](http://h.io/a) word2 [lab] <b> end. ![i](http://p.io/q) mid|dle".split(" ")
)


def document(dice: random.Random) -> str:
    """Some blocks, up to three containers deep."""
    return "\n".join(_blocks(dice, 3))


def _blocks(dice: random.Random, depth: int) -> list[str]:
    lines: list[str] = []
    for _ in range(dice.randint(1, 4)):
        kind = dice.choice(["leaf", "leaf", "quote", "list", "numbers"]) if depth else "leaf"
        if kind == "leaf":
            lines += _leaf(dice)
        elif kind == "quote":
            lines += [f"> {line}" for line in _blocks(dice, depth - 1)]
        else:
            lines += _list(dice, depth, kind)
        lines += [""] * dice.choice([1, 1, 1, 2])
    return lines


def _list(dice: random.Random, depth: int, kind: str) -> list[str]:
    lines: list[str] = []
    for number in range(dice.randint(1, 4)):
        mark = "- " if kind == "list" else f"{dice.choice([1, number + 1, 9])}{dice.choice('..)')} "
        inside = _blocks(dice, depth - 1) if dice.random() < 0.6 else [_words(dice)]
        lines += [mark + inside[0], *(" " * len(mark) + line if line else "" for line in inside[1:])]
        lines += [""] if dice.random() < 0.3 else []
    return lines


def _leaf(dice: random.Random) -> list[str]:
    some = [_words(dice) for _ in range(dice.randint(1, 8))]
    kind = dice.choice(
        [
            "words",
            "words",
            "lines",
            "fence",
            "table",
            "indented",
            "heading",
            "underlined",
            "rule",
            "html",
            "definition",
        ]
    )
    if kind == "lines":
        return some
    if kind == "fence":
        return [
            "```py",
            *(f"{'  ' * dice.randint(0, 2)}{line}" if dice.random() < 0.8 else "" for line in some),
            "```",
        ]
    if kind == "table":
        return ["| a | b |", "|---|:-:|", *(f"| {dice.randint(0, 9)} | `w` {dice.randint(0, 99)} |" for _ in some)]
    if kind == "indented":
        return [f"    {line}" if dice.random() < 0.8 else "" for line in [*some, "end"]]
    if kind == "heading":
        return [f"{'#' * dice.randint(1, 7)} {some[0]}{dice.choice(['', ' #', '#'])}"]
    if kind == "underlined":
        return [some[0], dice.choice(["---", "==="])]
    if kind == "rule":
        return [dice.choice(["***", "---", "- - -", "__ _"])]
    if kind == "html":
        return ["<div onclick=x>", *some, "</div>"]
    if kind == "definition":
        return [f"[lab{dice.choice(['', '1'])}]: http://q.io/z", *(['"title"'] if dice.random() < 0.3 else [])]
    return [" ".join(some)]


def _words(dice: random.Random) -> str:
    return " ".join(dice.choice(_WORDS) for _ in range(dice.randint(1, 6)))
