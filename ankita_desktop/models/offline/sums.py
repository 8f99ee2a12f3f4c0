"""Arithmetic a person may ask for: numbers and operators only, with bounds, never ``eval``."""

from __future__ import annotations

import ast
import operator
import re
from collections.abc import Callable

Number = int | float

_SPOKEN = (
    (r"\bplus\b|\badded to\b", "+"),
    (r"\bminus\b", "-"),
    (r"\btimes\b|\bmultiplied by\b|×|·|(?<=\d)\s*x\s*(?=\d)", "*"),
    (r"\bdivided by\b|\bover\b|÷", "/"),
    (r"\bto the power of\b|\^", "**"),
    (r"\bmod(?:ulo)?\b", "%"),
    (r"\bsquared\b", "**2"),
    (r"\bcubed\b", "**3"),
    (r"(\d+(?:\.\d+)?)\s*(?:%|percent)\s+of\s+", r"\1/100*"),
    (r"\b(?:the )?square root of\s+(\d+(?:\.\d+)?)", r"\1**0.5"),
)
_THOUSANDS = re.compile(r"(?<=\d),(?=\d{3}\b)")
_BINARY: dict[type[ast.operator], Callable[[Number, Number], Number]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
    ast.FloorDiv: operator.floordiv,
    ast.Mod: operator.mod,
}
_LONGEST = 200
_LARGEST_BITS = 4096


class SumError(ValueError):
    """The text is no sum, or one we won't work out; says which."""


def symbols(text: str) -> str:
    """ "17 times 23" as ``17 * 23``."""
    written = _THOUSANDS.sub("", text.lower())
    for spoken, sign in _SPOKEN:
        written = re.sub(spoken, sign, written)
    return written.strip(" =?")


def looks_like_sum(text: str) -> bool:
    """True for numbers with at least one operator between them and nothing else."""
    written = symbols(text) if len(text) <= _LONGEST else ""
    if not re.fullmatch(r"[\d\s.+\-*/%()]+", written):
        return False
    try:
        tree = ast.parse(written, mode="eval")
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False
    return any(isinstance(node, ast.BinOp) for node in ast.walk(tree))


def work_out(text: str) -> str:
    """The result as text. Raises ``SumError`` for what is no sum, divides by zero, or is too large."""
    if not looks_like_sum(text):
        raise SumError("I can work out sums of numbers such as 17 * 23 or (4 + 5) / 3.")
    try:
        value = _value(ast.parse(symbols(text), mode="eval").body)
    except ZeroDivisionError:
        raise SumError("That divides by zero, which has no result.") from None
    except OverflowError:
        raise SumError("That number is too large for me.") from None
    return _shown(value)


def _value(node: ast.AST) -> Number:
    if isinstance(node, ast.Constant) and isinstance(node.value, int | float):
        return node.value
    if isinstance(node, ast.UnaryOp):
        value = _value(node.operand)
        return -value if isinstance(node.op, ast.USub) else value
    if isinstance(node, ast.BinOp):
        left, right = _value(node.left), _value(node.right)
        if isinstance(node.op, ast.Pow):
            return _power(left, right)
        return _BINARY[type(node.op)](left, right)
    raise SumError("I can work out sums of numbers only.")


def _power(base: Number, exponent: Number) -> Number:
    if isinstance(base, int) and max(base.bit_length(), 1) * abs(exponent) > _LARGEST_BITS:
        raise SumError("That number is too large for me.")
    value = base**exponent
    if isinstance(value, complex):
        raise SumError("That has no real result.")
    return value if isinstance(value, int) else float(value)


def _shown(value: Number) -> str:
    if isinstance(value, float) and value.is_integer() and abs(value) < 1e15:
        value = int(value)
    return (
        f"{value:,}"
        if isinstance(value, int) and abs(value) >= 10_000
        else f"{value:.12g}"
        if isinstance(value, float)
        else str(value)
    )
