"""Markdown without its decoration, line by line, so that it can be printed while it comes."""

from __future__ import annotations

import re

_FENCE = re.compile(r"\s{0,3}(```|~~~)")
_HEADING = re.compile(r"(\s{0,3})#{1,6}\s+(.*?)(?:\s+#+)?\s*$")
_LINK = re.compile(r"!?\[([^\]]*)\]\(<?([^)\s>]+)>?(?:\s+\"[^\"]*\")?\)")
_STRONG = re.compile(r"(\*\*|__)(?=\S)(.+?)(?<=\S)\1")
_EMPHASIS = re.compile(r"(?<![\w*])\*(?=[^\s*])([^*]+?)(?<=\S)\*(?![\w*])")
_CODE = re.compile(r"(`+)\s?(.+?)\s?\1(?!`)")
_RULE = re.compile(r"\s{0,3}([-*_])(\s*\1){2,}\s*$")


class Plain:
    """Feed pieces of markdown; whole lines come out plain. Code blocks keep every character."""

    def __init__(self) -> None:
        self._line = ""
        self._in_code = False

    def feed(self, piece: str) -> str:
        *lines, self._line = (self._line + piece).split("\n")
        return "".join(self._plain(line, "\n") for line in lines)

    def end(self) -> str:
        line, self._line = self._line, ""
        return self._plain(line, "")

    def _plain(self, line: str, end: str) -> str:
        if _FENCE.match(line):
            self._in_code = not self._in_code
            return ""
        if self._in_code:
            return line + end
        if _RULE.match(line):
            return end
        heading = _HEADING.match(line)
        return _inline(heading[1] + heading[2] if heading else line) + end


def _inline(line: str) -> str:
    """A line's words. Inline code is taken out first: nothing in it is decoration."""
    parts: list[str] = []
    at = 0
    for code in _CODE.finditer(line):
        parts += [_words(line[at : code.start()]), code[2]]
        at = code.end()
    return "".join([*parts, _words(line[at:])])


def _words(text: str) -> str:
    text = _LINK.sub(lambda link: link[1] if link[1] == link[2] else f"{link[1]} ({link[2]})", text)
    return _EMPHASIS.sub(r"\1", _STRONG.sub(r"\2", text))
