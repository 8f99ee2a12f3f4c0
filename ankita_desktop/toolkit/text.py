"""Text as it is in files: lines with their own ends, encodings that go back to the very same bytes."""

from __future__ import annotations

import codecs
import re
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from io import StringIO
from unicodedata import category

from ankita_desktop.errors import ToolError
from ankita_desktop.toolkit.align import blocks

_BOMS = (
    (codecs.BOM_UTF32_LE, "utf-32-le"),  # before UTF-16, whose mark it begins with
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
# Stray bytes of an otherwise good UTF-8 file travel as private characters: safe in JSON, back as they came.
_STRAY = {0xDC00 + byte: 0xEF00 + byte for byte in range(0x80, 0x100)}
_UNSTRAY = {private: lone for lone, private in _STRAY.items()}
_SAMPLE = 65_536
_COMMON = (
    *("gb18030", "big5", "cp932", "euc_jp", "cp949", "euc_kr", "cp1251", "koi8_r", "cp866", "cp1250"),
    *("iso8859_2", "cp1253", "cp1254", "cp1255", "cp1256", "cp1257", "iso8859_7", "tis_620"),
)
_NAMES = {"cp932": "Shift JIS", "gb18030": "GBK", "cp949": "EUC-KR", "latin-1": "Latin-1"}
_ENDS = {"\n": "LF", "\r\n": "CRLF", "\r": "CR"}
_CONTROLS = bytes(set(range(32)) - {8, 9, 10, 12, 13, 27})


def whole(text: str) -> str:
    """Text that can be written as UTF-8: what stands for a byte of a name that isn't text becomes U+FFFD."""
    return text if text.isascii() else text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")


@dataclass(frozen=True, slots=True)
class Form:
    """How a text sits in bytes. ``stray``: it is UTF-8 with single bytes that are not."""

    encoding: str = "utf-8"
    bom: bytes = b""
    stray: bool = False

    @property
    def name(self) -> str:
        """For people: "UTF-8", "UTF-16 with BOM", "cp1252"."""
        plain = self.encoding.upper() if self.encoding.startswith("utf") else self.encoding
        extra = " with BOM" if self.bom else " with stray bytes" if self.stray else ""
        return _NAMES.get(self.encoding, plain.removesuffix("-LE").removesuffix("-BE")) + extra


class NotText(ToolError):
    """The bytes are not text, or can't be turned back into the same bytes."""


def decode(data: bytes) -> tuple[str, Form]:
    """The text and the form that ``encode`` turns back into exactly ``data``. Raises ``NotText``."""
    for bom, encoding in _BOMS:
        if data.startswith(bom) and (text := _faithful(data, Form(encoding, bom))) is not None:
            return text, Form(encoding, bom)
    for form in _guesses(data):
        if (text := _faithful(data, form)) is not None:
            return text, form
    raise NotText("This is not text, or its encoding can't be kept byte for byte.")


def shown(raw: bytes, form: Form) -> str:
    """A piece of a file in its form, for reading only: what was cut off at an end becomes U+FFFD."""
    if form.stray:
        return raw.decode("utf-8", "surrogateescape").translate(_STRAY)
    return raw.decode(form.encoding, "replace")


def printable(name: str) -> str:
    """A name on one line: control characters as they are written in quotes, bytes that aren't text likewise."""
    text = name.encode(errors="backslashreplace").decode()
    return text if text.isprintable() else "".join(_visible(char) for char in text)


def _visible(char: str) -> str:
    return repr(char)[1:-1] if category(char) in ("Cc", "Zl", "Zp") else char


def encode(text: str, form: Form) -> bytes:
    """The bytes of ``text`` in ``form``. Raises ``ToolError`` naming the first character it can't hold."""
    try:
        if form.stray:
            return form.bom + text.translate(_UNSTRAY).encode("utf-8", "surrogateescape")
        return form.bom + text.encode(form.encoding)
    except UnicodeEncodeError as error:
        bad = text[error.start]
        raise ToolError(
            f"The file is {form.name}, which has no {bad!r} (U+{ord(bad):04X}). "
            "Use characters it has, or ask whether to convert the file to UTF-8 first."
        ) from error


def _faithful(data: bytes, form: Form) -> str | None:
    try:
        body = data[len(form.bom) :]
        if form.stray:
            text = body.decode("utf-8", "surrogateescape")
            text = text.translate(_STRAY)
        else:
            text = body.decode(form.encoding)
        return text if encode(text, form) == data else None
    except (UnicodeError, ToolError):
        return None


def _guesses(data: bytes) -> list[Form]:
    """Forms to try for data without a mark, best first."""
    if b"\0" in data:
        return [Form(encoding) for encoding in _wide(data) if _readable(data, encoding)]
    forms = [Form()]
    if data.isascii() or _faithful(data, Form()) is not None:
        return forms
    if len(data) > 4 and len(data.translate(None, _CONTROLS)) < 0.9 * len(data):
        return []
    decoded = data.decode("utf-8", "surrogateescape")
    strays = len(re.findall("[\udc80-\udcff]", decoded))
    good = len(decoded) - len(decoded.encode("ascii", "ignore")) - strays
    if good > strays:
        forms.append(Form(stray=True))
    return [*forms, *(Form(name) for name in _legacy(data)), Form(stray=True), Form("latin-1")]


def _wide(data: bytes) -> list[str]:
    """UTF-16 or UTF-32 without a mark shows by where its zero bytes stand."""
    sample = data[:_SAMPLE]
    zeros = [sample[place::4].count(0) / max(1, len(sample[place::4])) for place in range(4)]
    if len(data) % 4 == 0 and zeros[3] > 0.9 and zeros[2] > 0.9 and zeros[0] < 0.1:
        return ["utf-32-le"]
    if len(data) % 4 == 0 and zeros[0] > 0.9 and zeros[1] > 0.9 and zeros[3] < 0.1:
        return ["utf-32-be"]
    if len(data) % 2 or len(data) < 4:
        return []
    even, odd = (zeros[0] + zeros[2]) / 2, (zeros[1] + zeros[3]) / 2
    return ["utf-16-le"] if odd > 0.4 and even < 0.05 else ["utf-16-be"] if even > 0.4 and odd < 0.05 else []


def _readable(data: bytes, encoding: str) -> bool:
    """Whether what looks like wide characters decodes to words rather than to controls and holes."""
    text = data[:_SAMPLE].decode(encoding, "replace")
    return not any(category(char) in ("Cc", "Cn", "Co", "Cs") and char not in "\t\n\r\f" for char in text)


def _legacy(data: bytes) -> list[str]:
    """Encodings from before Unicode. Few, lone high bytes are Western; dense ones are judged by their pattern."""
    high = [place for place, byte in enumerate(data[:_SAMPLE]) if byte > 0x7F]
    sample = data[:_SAMPLE]
    lone = sum(not (sample[p - 1 : p] > b"\x7f" or sample[p + 1 : p + 2] > b"\x7f") for p in high)
    if high and lone >= 0.7 * len(high) and len(high) <= max(2, 0.3 * len(sample)):
        return ["cp1252", "latin-1"]
    from charset_normalizer import from_bytes

    found = [match.encoding for match in from_bytes(sample) if match.encoding in _COMMON]
    if "cp949" in found and "gb18030" in found:
        first = "cp949" if _korean(sample) else "gb18030"
        found.sort(key=lambda name: name != first)
    return [*found, "cp1252"]


def _korean(data: bytes) -> bool:
    """Hangul lead bytes end at C8, those of common Chinese characters go on to D7."""
    leads: list[bytes] = [lead for lead, _ in re.findall(rb"([\x81-\xfe])([\x40-\xfe])", data)]
    return sum(lead > b"\xc8" for lead in leads) <= 0.1 * len(leads)


# --- lines ----------------------------------------------------------------------------------


def split_lines(text: str) -> list[str]:
    """Lines with their ends. A lone CR ends a line only in a text that has no LF at all, so that numbers
    agree with editors and with ripgrep; form feeds and Unicode separators never do."""
    return StringIO(text, newline="\n" if "\n" in text else "\r").readlines() if text else []


def any_lines(text: str) -> list[str]:
    """Lines with their ends where every CR, LF and CRLF is one: for texts that mix all three."""
    return re.findall(r"[^\r\n]*(?:\r\n|\n|\r)|[^\r\n]+", text)


def end_of(line: str) -> str:
    """The line's own end: "\\n", "\\r\\n", "\\r" or ""."""
    return "\r\n" if line.endswith("\r\n") else line[-1:] if line.endswith(("\n", "\r")) else ""


def bare(line: str) -> str:
    """The line without its end."""
    return line[: len(line) - len(end_of(line))]


def main_end(text: str) -> str:
    """The line end most lines of ``text`` have; LF when there is none."""
    ends = Counter(map(end_of, split_lines(text)))
    del ends[""]
    return ends.most_common(1)[0][0] if ends else "\n"


def ends_name(text: str) -> str:
    """For people: "LF", "CRLF", "CR", "mixed line ends" or "" (no line end)."""
    ends = {end_of(line) for line in split_lines(text)} - {""}
    return "mixed line ends" if len(ends) > 1 else "".join(_ENDS[end] for end in ends)


def plain(text: str, like: str | None = None) -> str:
    """The text with LF ends only, as models write it. ``like``: the text whose idea of a line end counts (a
    lone CR is one only in a text without LF)."""
    text = text.replace("\r\n", "\n")
    return text if "\n" in (text if like is None else like) else text.replace("\r", "\n")


def with_ends_of(old: str, new: str, end: str, split: Callable[[str], list[str]] = split_lines) -> str:
    """``new`` (LF ends) with the line ends of ``old``: a line that both have or that replaces another keeps
    its end, an added one takes the end of the line above it, or ``end``. The final newline stays as in
    ``new``."""
    before, after = split(old), StringIO(new.replace("\r\n", "\n"), newline="\n").readlines()
    known = [end_of(line) or end for line in before]
    ends = _ends(before, after, known, end) if set(known) - {end} else [end] * len(after)
    return "".join(_with_end(line, own) for line, own in zip(after, ends, strict=True))


def _with_end(line: str, end: str) -> str:
    return line[:-1] + end if line.endswith("\n") else line


def _ends(before: list[str], after: list[str], known: list[str], end: str) -> list[str]:
    """The end of each line of ``after``, by which line of ``before`` it is or replaces."""
    ends = [""] * len(after)
    i = j = 0
    size = (len(before), len(before), len(after), len(after))
    for i1, i2, j1, j2 in [*blocks(list(map(bare, before)), [line.removesuffix("\n") for line in after]), size]:
        ends[j:j1] = known[i:i1]
        above = known[i1 - 1] if i1 else known[0] if known else end
        for place in range(j1, j2):
            ends[place] = known[min(i1 + place - j1, i2 - 1)] if i2 > i1 else above
        i, j = i2, j2
    return ends
