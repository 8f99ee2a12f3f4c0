"""Written text → words that sound right: markdown marks, code, addresses, dates, units, symbols.

Markdown's marks go in every language; what depends on words (dates, units, symbols) is done for English.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from urllib.parse import urlsplit

LONG_CODE = 60  # characters of inline code that are still read out
MONTHS = "January February March April May June July August September October November December".split()
DAYS = "Monday Tuesday Wednesday Thursday Friday Saturday Sunday".split()
_SHORT_DAY, _SHORT_MONTH = ("|".join(name[:3] for name in names) for names in (DAYS, MONTHS))
_CONTINENTS = "Africa|America|Antarctica|Arctic|Asia|Atlantic|Australia|Europe|Indian|Pacific|Etc"

_Rule = tuple[re.Pattern[str], str | Callable[[re.Match[str]], str]]


def speakable(text: str, language: str = "en") -> str:
    """One line of words for a piece of markdown that is no code block, table or list."""
    for pattern, put in _MARKS:
        text = pattern.sub(put, text)
    if language.startswith("en"):
        for pattern, put in _ENGLISH:
            text = pattern.sub(put, text)
    text = _UNSPOKEN.sub(" ", text)
    return re.sub(r"\s+([.,;:!?])", r"\1", " ".join(text.split()))


def _link(found: re.Match[str]) -> str:
    return found[1] or _address(found[2])


def _url(found: re.Match[str]) -> str:
    end = found[0][len(found[0].rstrip(".,;:!?)")) :]
    return _address(found[0].rstrip(".,;:!?)")) + end


def _address(url: str) -> str:
    host = (urlsplit(url).hostname or url).removeprefix("www.")
    return f"a link to {host.replace('.', ' dot ')}"


def _code(found: re.Match[str]) -> str:
    code = found[2].strip()
    return code if len(code) <= LONG_CODE else "the code on screen"


def _date(found: re.Match[str]) -> str:
    month, day = int(found[2]), int(found[3])
    if not (1 <= month <= 12 and 1 <= day <= 31):
        return found[0]
    return f"{MONTHS[month - 1]} {ordinal(day)}, {found[1]}"


def _day(found: re.Match[str]) -> str:
    """ "Mon 30 Nov 2026" as it is said."""
    day = next(name for name in DAYS if name.startswith(found[1]))
    month = next(name for name in MONTHS if name.startswith(found[3]))
    return f"{day}, {month} {ordinal(int(found[2]))}" + (f", {found[4]}," if found[4] else "")


def _zone(found: re.Match[str]) -> str:
    place = found[2].replace("_", " ")
    return place if found[1] == "Etc" else f"{place} time"


def ordinal(number: int) -> str:
    """1st, 2nd, 3rd, 4th ..."""
    ending = "th" if 10 <= number % 100 <= 20 else {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
    return f"{number}{ending}"


def _clock(found: re.Match[str]) -> str:
    hour, minute = int(found[1]), int(found[2])
    if hour > 23 or minute > 59:
        return found[0]
    half = "" if found[3] else (" a.m." if hour < 12 else " p.m.")
    said = f" {found[3].lower()}.m." if found[3] else half
    shown = (hour - 1) % 12 + 1
    if minute == 0:
        return f"{shown}{said}"
    return f"{shown} {minute}{said}" if minute > 9 else f"{shown} oh {minute}{said}"


def _money(found: re.Match[str]) -> str:
    one, many = {"$": ("dollar", "dollars"), "€": ("euro", "euros"), "£": ("pound", "pounds")}.get(
        found[1], ("rupee", "rupees")
    )
    amount = found[2]
    whole, _, cents = amount.partition(".")
    name = one if amount == "1" else many
    if len(cents) == 2:
        return f"{whole} {one if whole == '1' else many} {int(cents)}" if int(cents) else f"{whole} {name}"
    return f"{amount} {name}"


_UNITS = {
    "km": "kilometre", "m": "metre", "cm": "centimetre", "mm": "millimetre", "kg": "kilogram", "g": "gram",
    "KB": "kilobyte", "kB": "kilobyte", "MB": "megabyte", "GB": "gigabyte", "TB": "terabyte", "KiB": "kibibyte",
    "MiB": "mebibyte", "GiB": "gibibyte", "B": "byte", "ms": "millisecond", "s": "second", "sec": "second",
    "min": "minute", "h": "hour", "MHz": "megahertz", "GHz": "gigahertz", "kHz": "kilohertz", "Hz": "hertz",
    "W": "watt", "kW": "kilowatt", "kWh": "kilowatt hour", "V": "volt", "mAh": "milliampere hour",
    "km/h": "kilometre per hour", "mph": "mile per hour", "°C": "degree Celsius", "°F": "degree Fahrenheit",
    "°": "degree", "l": "litre", "ml": "millilitre", "px": "pixel", "fps": "frame per second",
    "MB/s": "megabyte per second", "Mbit/s": "megabit per second",
}  # fmt: skip


def _unit(found: re.Match[str]) -> str:
    first, space, rest = _UNITS[found[2]].partition(" ")
    if found[1] != "1" and not first.endswith("hertz"):
        if rest and first.startswith(("kilowatt", "milliampere")):
            rest += "s"
        else:
            first += "s"
    return f"{found[1]} {first}{space}{rest}"


def _version(found: re.Match[str]) -> str:
    return "version " + found[1].replace(".", " point ")


def _path(found: re.Match[str]) -> str:
    """A path as one would say it: its last two parts; a dot is said in a name's ending."""
    parts = [part for part in re.split(r"[/\\]", found[0]) if part not in ("", ".", "..", "~")]
    if not parts:
        return found[0]
    name = re.sub(r"\.(?=\w)", " dot ", parts[-1]).strip()
    return f"{name} in {parts[-2]}" if len(parts) > 1 else name


def _file(found: re.Match[str]) -> str:
    return found[0].replace(".", " dot ")


def _units_pattern() -> str:
    names = sorted(_UNITS, key=len, reverse=True)
    return "|".join(re.escape(name) for name in names)


def _rule(pattern: str, put: str | Callable[[re.Match[str]], str], flags: int = 0) -> _Rule:
    return re.compile(pattern, flags), put


_MARKS: tuple[_Rule, ...] = (
    _rule(r"<!--.*?-->", " ", re.DOTALL),
    _rule(r"!\[([^\]\n]{0,300})\]\([^)\n]{0,2000}\)", r"\1"),
    _rule(r"\[([^\]\n]{0,500})\]\(([^)\s]{0,2000})[^)\n]{0,200}\)", _link),
    _rule(r"(`+)([^`\n]{1,2000})\1", _code),
    _rule(r"<?\bhttps?://[^\s<>\"]{1,2000}>?", _url),
    _rule(r"</?[a-zA-Z][^<>\n]{0,300}>", " "),
    _rule(r"(?<=[\d)])\s*\*\*\s*(?=\d)", "^"),
    _rule(r"(\*\*\*|\*\*|__|~~)(?=\S)", ""),
    _rule(r"(?<=\S)(\*\*\*|\*\*|__|~~)", ""),
    _rule(r"(?<!\w)[*_](?=\S)([^*_\n]{1,500})(?<=\S)[*_](?!\w)", r"\1"),
    _rule(r"^\s{0,3}#{1,6}\s+(.*?)\s*#*\s*$", r"\1.", re.MULTILINE),
    _rule(r"^\s*>+\s?", "", re.MULTILINE),
    _rule(r"\\([\\`*_{}\[\]()#+\-.!|>~])", r"\1"),
    _rule(r"&nbsp;", " "),
    _rule(r"&amp;", "&"),
    _rule(r"&lt;", "<"),
    _rule(r"&gt;", ">"),
)

_ENDINGS = "py|js|ts|md|txt|json|toml|yaml|yml|html|css|sh|c|h|rs|go|java|csv|pdf|png|jpg|log|wav|mp3"
_NUMBER = r"(?<![\w.,])(\d[\d,]*(?:\.\d+)?)"

_ENGLISH: tuple[_Rule, ...] = (
    _rule(r"\b(\d{4})-(\d{2})-(\d{2})(?:T(?=\d{2}:))?", _date),
    _rule(rf"\b({_SHORT_DAY}),? (\d{{1,2}}) ({_SHORT_MONTH})\b(?: (\d{{4}})\b)?", _day),
    _rule(rf"\(?\b({_CONTINENTS})/(\w+)(?![\w./-]\w)\)?", _zone),
    _rule(r"(?<![\d:])(\d{1,2}):(\d{2})(?::\d{2})?(?![\d:])(?:\s*([ap])\.?m\.?\b)?", _clock),
    _rule(r"([$€£₹])\s?(\d[\d,]*(?:\.\d+)?)", _money),
    _rule(r"\bv(\d+(?:\.\d+)+)\b", _version),
    _rule(rf"{_NUMBER}\s?({_units_pattern()})(?![\w/])", _unit),
    _rule(r"\b(?=[0-9a-f]*\d)(?=[0-9a-f]*[a-f])[0-9a-f]{12,64}\b", "a long code"),
    _rule(r"(?<![\w/])(?:~|\.{1,2})?(?:/[\w.@+-]{1,100}){1,30}/?", _path),
    _rule(r"(?<![\w/])[\w.@+-]{1,100}(?:/[\w.@+-]{1,100}){0,30}/[\w@+-]{1,80}\.\w{1,8}\b", _path),
    _rule(rf"\b[\w-]{{1,80}}\.(?:{_ENDINGS})\b", _file),
    _rule(r"(?<=\d)\s*[–—-]\s*(?=\d)", " to "),
    _rule(r"(?<=\d)\s?%", " percent"),
    _rule(r"\be\.\s?g\.,?", "for example,"),
    _rule(r"\bi\.\s?e\.,?", "that is,"),
    _rule(r"\betc\.", "and so on"),
    _rule(r"\bvs\.?(?=\s)", "versus"),
    _rule(r"\^2\b(?!\.)", " squared"),
    _rule(r"\^(?=\d)", " to the power of "),
    _rule(r"(?<=\d)\*(?=\d)|(?<=[\w)])\s+\*\s+(?=[\w(])|(?<=\d)\s*×\s*(?=\d)", " times "),
    _rule(r"(?<=[\d)])\s*[÷]\s*(?=[\d(])|(?<=[\d)])\s+/\s+(?=[\d(])", " divided by "),
    _rule(r"(?<=[\d)])\s+[-−]\s+(?=[\d(])", " minus "),
    _rule(r"(?<=\s)[-−](?=\d)", "minus "),
    _rule(r"\s*(?:==|=)\s*", " equals "),
    _rule(r"\s*≥\s*", " at least "),
    _rule(r"\s*≤\s*", " at most "),
    _rule(r"\s*(?:->|→|⇒)\s*", " to "),
    _rule(r"(?<=\s)&(?=\s)", "and"),
    _rule(r"(?<![\w~])~(?=\d)", "about "),
    _rule(r"(?<=\s)\+(?=\s)", "plus"),
    _rule(r"#(?=\d)", "number "),
    _rule(r"\s[–—]\s", ", "),
)  # fmt: skip

# Pictures, arrows, boxes, leftover marks: nothing that has a sound.
_UNSPOKEN = re.compile(
    "[\U0001f000-\U0001faff\u2190-\u21ff\u2300-\u23ff\u2500-\u27bf\u2b00-\u2bff\ufe0f\u200b-\u200f\u20e3]"
    "|[*_`|<>{}\\[\\]^\\\\]|(?<!\\w)#"
)
