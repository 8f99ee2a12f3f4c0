"""One spelling for the many ways to write a sentence about time: what the phrases expect."""

from __future__ import annotations

import re

from ankita_desktop.automation.words import MONTH, UNIT, WEEKDAY, nth_said

_UP_TO_NINETEEN = (
    "zero one two three four five six seven eight nine ten eleven twelve"
    " thirteen fourteen fifteen sixteen seventeen eighteen nineteen"
)
NUMBERS = {word: number for number, word in enumerate(_UP_TO_NINETEEN.split())}
NUMBERS |= {"twenty": 20, "thirty": 30, "forty": 40, "fifty": 50, "sixty": 60, "ninety": 90}
_TENS = "twenty|thirty|forty|fifty"
_ONES = "one|two|three|four|five|six|seven|eight|nine"
_EARLY = dict(zip("first second third fourth fifth".split(), range(1, 6), strict=True))
_NTHS = _EARLY | dict(zip("sixth seventh eighth ninth tenth eleventh twelfth".split(), range(6, 13), strict=True))
_NTHS |= {f"{name}teenth": n for n, name in enumerate("thir four fif six seven eigh nine".split(), 13)}
_NTHS |= {"twentieth": 20, "thirtieth": 30}
_LATE = "|".join(word for word, nth in _NTHS.items() if nth > 5)
_NTH = "|".join(_NTHS)
_REWRITTEN = tuple(
    (re.compile(pattern), words)
    for pattern, words in (
        (r"^(?:please )?(?:remind me |wake me(?: up)? )?|(?: please)?[.!]*$", ""),
        (r"\b(?:every single|each and every|each single)\b", "every"),
        (r"\beveryday\b", "every day"),
        (r"\bm ?- ?f\b", "mon-fri"),
        (r"\bm/w/f\b|\bmwf\b", "mon, wed, fri"),
        (r"\bt/th\b|\btth\b", "tue, thu"),
        (r"(?<=[\dm]) ?-?ish\b", ""),
        (r"\bno later than\b", "by"),
        (r"\b(?:(?:at|on) )?(?:the )?top of (?:the|every|each) hour\b", "on the hour"),
        (r"\b(?:(?:at|on) )?(?:the )?bottom of (?:the|every|each) hour\b", "on the half hour"),
        (
            r"\b(?:at )?(?:this|(?:the )?same) time tomorrow\b|\btomorrow,? (?:at )?(?:the )?same time\b",
            "in 1 day",
        ),
        (r"\b(?:at )?(?:this|(?:the )?same) time next (week|month|year)\b", r"in 1 \1"),
        (r"\bonce (?=(?:every|each)\b)", ""),
        (r"\blater (?=(?:today|tonight|this)\b)", ""),
        (r"\b(?:(?:every|on) )?alternat(?:e|ing)\b", "every other"),
        (rf"\b({WEEKDAY}|today|tomorrow) week(?= |,|$)", r"a week from \1"),
        (rf"\b(?:the )?({WEEKDAY}) after next\b", r"a week from next \1"),
        (r"\b(?:the )?(week|month|year) after next\b", r"a \1 from next \1"),
        (r"\b(?:(?:apart|aside) from|other than|excluding|excepting|but not|except for)\b", "except"),
        (r"\b(?:a|1) couple (?:of )?|\bcouple of ", "2 "),
        (r"\b(?:3 quarters|3/4) of an hour\b|\b3/4 hour\b", "45 minutes"),
        (r"\b(?:(?:a|1) )?quarter of an hour\b", "15 minutes"),
        (r"\b(an?|\d+) and a half(?= )", r"\1.5"),
        (r"\ban?\.5", "1.5"),
        (r"(\d) ?(?:1/2|½)|(\d)\.5(?=\.5)", r"\1.5"),
        (r"½", "half"),
        (r"\b(in|after|every|each) (?:about|around|roughly|approximately)(?= (?:\d|an? |half))", r"\1"),
        (r"\b(?:at )?(?:about|around|roughly|approximately|circa)(?= (?:\d|noon|mid|half|quarter))", "at"),
        (r"\bfirst day of (?=(?:this|next) month|(?:the|this|next|each|every) (?:quarter|year))", "start of "),
        (r"\blast day of (?=(?:this|next) month|(?:the|this|next|each|every) (?:quarter|year))", "end of "),
        (r"\b(minute|hour|day|week|fortnight|month|year)(?:'s|s'|s) time\b", r"\1s"),
        (r"\bat the latest\b", ""),
        (r"\bhalf (\d{1,2})\b(?![:.]|(?: ?/ ?\d)| ?(?:" + UNIT + r"))", r"half past \1"),
    )
)


def plain(text: str) -> str:
    """Lower case, single spaces, numbers as digits, no polite frame, and one word for what has several."""
    found = " ".join(text.lower().replace("’", "'").replace("–", "-").replace("—", "-").split())
    found = re.sub(rf"\b({_TENS})[- ]({_ONES})\b", lambda m: str(NUMBERS[m[1]] + NUMBERS[m[2]]), found)
    found = _nths(found)
    found = re.sub(rf"\b(?:{'|'.join(NUMBERS)})\b", lambda m: str(NUMBERS[m[0]]), found)
    for pattern, words in _REWRITTEN:
        found = pattern.sub(words, found)
    return " ".join(found.split())


def _nths(text: str) -> str:
    """Days of the month in digits: "march third", "the twenty-first". "first Monday" keeps its word."""
    found = re.sub(rf"\b(twenty|thirty)[- ]({_NTH})\b", lambda m: nth_said(NUMBERS[m[1]] + _NTHS[m[2]]), text)
    found = re.sub(rf"\b({_NTH})(?= (?:of )?{MONTH})", lambda m: nth_said(_NTHS[m[1]]), found)
    found = re.sub(
        rf"\b({MONTH} (?:the )?)({_NTH})\b(?! (?:{WEEKDAY}|day|week))",
        lambda m: m[1] + nth_said(_NTHS[m[2]]),
        found,
    )
    found = re.sub(rf"\b((?:on|by) the )({_NTH})(?= at|,|$)", lambda m: m[1] + nth_said(_NTHS[m[2]]), found)
    return re.sub(rf"\b({_LATE})\b", lambda m: nth_said(_NTHS[m[1]]), found)
