"""A sentence about time, read phrase by phrase from left to right into what was said.

Every word must belong to a phrase: a word that doesn't is an error that names it, never skipped.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import date, timedelta

from ankita_desktop.automation.clock import DIGITS, MARKED, clock
from ankita_desktop.automation.said import SPAN, Said, SentenceError, spans
from ankita_desktop.automation.words import (
    MONTH,
    MONTHS,
    ORDINAL,
    SECONDS,
    UNIT,
    WEEKDAY,
    month,
    ordinal,
    unit,
    weekday,
)

ONE = rf"(?:{MARKED}|{DIGITS}(?! ?(?:{UNIT}|st\b|nd\b|rd\b|th\b)| (?:of )?{MONTH}))"
HOUR = rf"(?:{MARKED}|\d{{1,2}})"  # where two times are framed, a number alone is one
AND = r"(?: ?, ?and |, ?| and | & |/(?=[a-z]))"
SPANS = rf"{SPAN}(?:{AND}?\s?{SPAN})*"
DAY_LIST = rf"{WEEKDAY}(?:(?:{AND}| or ){WEEKDAY})*"
NTH = r"\d{1,2}(?:st|nd|rd|th)"
YEAR = r"(?:19|20|21)\d\d"
WORKDAY = r"(?:weekday|working day|work day|workday|business day)"
EACH = r"(?:every|each)"
PART = r"(?:morning|afternoon|evening|night)"
ADVERBS = {
    "daily": (1, "day"),
    "nightly": (1, "day"),
    "weekly": (1, "week"),
    "biweekly": (2, "week"),
    "fortnightly": (2, "week"),
    "monthly": (1, "month"),
    "quarterly": (3, "month"),
    "yearly": (1, "year"),
    "annually": (1, "year"),
}

_GLUE = re.compile(r"(?:,|and\b|at\b|on\b|the\b|of\b|in\b|by\b)")
Take = Callable[[Said, "re.Match[str]"], object]
PHRASES: list[tuple[re.Pattern[str], Take]] = []


def scan(text: str, today: date) -> Said:
    """Read a whole plain text. SentenceError when a part of it belongs to no phrase."""
    said = Said(today)
    rest, glue = text, False
    while rest:
        length = _take(said, rest)
        glue = length == 0
        if glue:
            found = _GLUE.match(rest)
            if not found:
                raise SentenceError(f'"{rest.split(",")[0][:40]}" is nothing that says when')
            length = found.end()
        rest = rest[length:].lstrip()
    if glue or not text:
        raise SentenceError("the sentence isn't complete")
    return said


def _take(said: Said, rest: str) -> int:
    """Read the first phrase of the rest into ``said``: its length, 0 when there is none."""
    for pattern, take in PHRASES:
        found = pattern.match(rest)
        if found and take(said, found) is not False:
            said.ordered()
            return found.end()
    return 0


def phrase(pattern: str) -> Callable[[Take], Take]:
    """Make a function read what ``pattern`` matches; earlier ones are tried first."""

    def register(take: Take) -> Take:
        PHRASES.append((re.compile(rf"(?:{pattern})(?!\w)"), take))
        return take

    return register


@phrase(rf"(?:in|after) (?P<spans>{SPANS})|(?P<now>{SPANS}) (?:from now|later)")
def _span(said: Said, found: re.Match[str]) -> object:
    if said.recurring:
        return False
    said.span = spans(found["spans"] or found["now"])
    return True


@phrase(rf"{EACH} (?:{ORDINAL}|other) (?:minute|hour|day|week|month|year)")
def _every_other(said: Said, found: re.Match[str]) -> None:
    _, word, name = found[0].split()
    count = 2 if word == "other" else ordinal(word)
    if count < 1:
        raise SentenceError(f'"{found[0]}" is no distance', f"every {name}", f"every 2 {name}s")
    said.repeat(count, name)


@phrase(rf"{EACH} (?:other|2nd|second) (?P<days>{DAY_LIST})(?! (?:of|in))")
def _every_other_weekday(said: Said, found: re.Match[str]) -> None:
    if " other " not in found[0]:
        said.notes.append(f'"{found[0]}" was read as every 2 weeks.')
    said.repeat(2, "week")
    said.add_days(found["days"])


OF_MONTHS = (
    r"(?: (?:of|in) (?:the |each |every |a )?month| (?:each|every) month| monthly"
    rf"| (?:of|in) (?P<months>{MONTH}(?:{AND}{MONTH})*))"
)


@phrase(
    rf"(?:{EACH} |the )?(?P<nth>{ORDINAL}(?:{AND}{ORDINAL})*)"
    rf"(?: (?P<what>{WORKDAY}|day|{DAY_LIST}))?(?P<of>{OF_MONTHS})?"
)
def _nth_of_month(said: Said, found: re.Match[str]) -> object:
    if not found["of"] and not (said.every and said.every[1] == "month" and found["what"]):
        return False
    which = [ordinal(word) for word in re.findall(ORDINAL, found["nth"])]
    said.recurring = True
    said.months += [month(word) for word in re.findall(MONTH, found["months"] or "")]
    if found["what"] in (None, "day"):
        said.monthdays += which
    elif re.fullmatch(WORKDAY, found["what"]):
        if which not in ([1], [-1]):
            raise SentenceError(
                f'"{found[0]}" can\'t be kept', "first weekday of the month", "last weekday of the month"
            )
        said.workday = which[0]
    else:
        said.nth += which
        said.add_days(found["what"])
    return True


@phrase(rf"{EACH} (?P<nth>{ORDINAL}) (?P<day>{WEEKDAY})")
def _every_nth(said: Said, found: re.Match[str]) -> None:
    """ "every third Friday": of the month, or every three weeks? Only the first and the last are clear."""
    which, day = ordinal(found["nth"]), found["day"].title()
    if which not in (1, -1):
        both = f"every {which} weeks on {day}", f"{found['nth']} {day} of the month"
        raise SentenceError(f'"{found[0]}" may mean two things', *both)
    said.recurring = True
    said.nth.append(which)
    said.add_days(found["day"])


@phrase(rf"(?:{EACH} |the )?(?P<nth>{ORDINAL}(?:{AND}(?:the )?{ORDINAL})+) (?P<days>{DAY_LIST})(?! (?:of|in))")
def _several_nth(said: Said, found: re.Match[str]) -> None:
    """ "every 2nd and 4th Friday": two of them can only be of the month."""
    said.recurring = True
    said.nth += [ordinal(word) for word in re.findall(ORDINAL, found["nth"])]
    said.add_days(found["days"])


@phrase(rf"{EACH} hour on the hour|(?:{EACH} hour )?on the hour|hourly on the hour")
def _on_the_hour(said: Said, found: re.Match[str]) -> None:
    said.recurring, said.aligned = True, 0


@phrase(
    rf"(?:at )?(?P<word>half|quarter|\d{{1,2}})(?: (?:minutes?|mins?))? past(?: {EACH})?(?: the)? hour"
    rf"|(?:hourly|{EACH} hour) at (?::(?P<colon>\d\d)|(?P<late>\d{{1,2}}|half|quarter) (?:minutes? )?past)"
)
def _past_the_hour(said: Said, found: re.Match[str]) -> None:
    word = found["word"] or found["colon"] or found["late"]
    minute = {"half": 30, "quarter": 15}.get(word) or int(word)
    if minute > 59:
        raise SentenceError(f"an hour has no minute {minute}", "every hour at :30")
    said.recurring, said.aligned = True, minute


@phrase(r"half[- ]hourly|hourly")
def _hourly(said: Said, found: re.Match[str]) -> None:
    said.recurring, said.aligned = True, 0
    said.every = (0.5, "hour") if found[0].startswith("half") else (1, "hour")


@phrase(r"daily|nightly|weekly|bi-?weekly|fortnightly|monthly|quarterly|yearly|annually")
def _adverb(said: Said, found: re.Match[str]) -> None:
    word = found[0].replace("-", "")
    if word == "biweekly":
        said.notes.append('"biweekly" was read as every 2 weeks.')
    if word == "nightly":
        said.part = "night"
    said.repeat(*ADVERBS[word])


@phrase(rf"{EACH} (?:hour and a half|quarter(?: of an)? hour|half(?: an)? hour|{SPANS})")
def _every_span(said: Said, found: re.Match[str]) -> None:
    text = found[0].split(" ", 1)[1]
    for short, long in (("hour and a half", "1.5 hour"), ("half an hour", "0.5 hour"), ("half hour", "0.5 hour")):
        text = long if text == short else text
    text = "15 minutes" if text.startswith("quarter") and text.endswith("hour") else text
    whole = spans(text)
    if len(whole) == 1:
        said.repeat(*whole[0])
    elif all(name in SECONDS for _, name in whole):
        said.repeat(sum(count * SECONDS[name] for count, name in whole) / 60, "minute")
    else:
        raise SentenceError(f'"{found[0]}" mixes months with other units', "every 2 months")


@phrase(rf"(?:{EACH}|once an?|once every) {UNIT}")
def _every_unit(said: Said, found: re.Match[str]) -> None:
    said.repeat(*unit(found[0].split()[-1]))


@phrase(rf"(?:{EACH} |on |during )?(?:weekdays|{WORKDAY}s|weekends?)|{EACH} {WORKDAY}")
def _weekdays(said: Said, found: re.Match[str]) -> None:
    said.recurring = True
    said.weekdays += (5, 6) if "weekend" in found[0] else range(5)


@phrase(rf"(?:{EACH} |from |on )?(?P<a>{WEEKDAY})(?: ?- ?| to | through | till )(?P<b>{WEEKDAY})")
def _day_range(said: Said, found: re.Match[str]) -> None:
    first, last = weekday(found["a"]), weekday(found["b"])
    said.recurring = True
    said.weekdays += [(first + n) % 7 for n in range((last - first) % 7 + 1)]


@phrase(rf"{EACH} (?P<days>{DAY_LIST})(?: (?P<part>{PART})s?)?")
def _every_weekday(said: Said, found: re.Match[str]) -> None:
    said.recurring = True
    said.part = found["part"] or said.part
    said.add_days(found["days"])


@phrase(rf"{EACH} (?P<part>{PART})|(?P<plural>morning|evening|night)s")
def _every_part(said: Said, found: re.Match[str]) -> None:
    said.repeat(1, "day")
    said.part = found["part"] or found["plural"]


@phrase(rf"(?P<from>between |from )?(?P<a>{HOUR})(?P<to> and | to | till | until | ?- ?)(?P<b>{HOUR})")
def _window(said: Said, found: re.Match[str]) -> object:
    if not found["from"] and (not said.recurring or found["to"] == " and "):
        return False
    said.window = [clock(found["a"]), clock(found["b"])]
    return True


@phrase(
    rf"(?P<the>day after tomorrow|today|tonight|tomorrow|tmrw|yesterday)(?: (?P<part>{PART}))?"
    r"|this (?P<this>morning|afternoon|evening)"
)
def _near_day(said: Said, found: re.Match[str]) -> None:
    if found["the"] == "yesterday":
        raise SentenceError("yesterday has passed", "tomorrow at 9")
    days = {"day after tomorrow": 2, "tomorrow": 1, "tmrw": 1}.get(found["the"] or "", 0)
    said.on(said.today + timedelta(days=days))
    said.part = found["part"] or found["this"] or ("night" if found["the"] == "tonight" else said.part)


@phrase(rf"(?P<day>{WEEKDAY}) (?:of )?next week|next week(?: on)? (?P<late>{WEEKDAY})")
def _weekday_next_week(said: Said, found: re.Match[str]) -> None:
    monday = said.today - timedelta(days=said.today.weekday()) + timedelta(weeks=1)
    said.on(monday + timedelta(days=weekday(found["day"] or found["late"])))


@phrase(r"next (?P<unit>week|month|year)")
def _next_unit(said: Said, found: re.Match[str]) -> None:
    from dateutil.relativedelta import relativedelta

    said.on(said.today + relativedelta(**{f"{found['unit']}s": 1}))  # type: ignore[arg-type]
    said.notes.append(f'"{found[0]}" was read as one {found["unit"]} from today.')


@phrase(rf"(?P<next>next |this |coming )?(?P<days>{DAY_LIST})(?: (?P<part>{PART}))?")
def _weekday(said: Said, found: re.Match[str]) -> None:
    said.part = found["part"] or said.part
    days = re.findall(WEEKDAY, found["days"])
    plural = all(day.rstrip(".").endswith("s") and len(day) > 4 and "day" in day for day in days)
    if said.recurring or plural or len(days) > 1:
        if not said.recurring and not plural:
            said.notes.append(f'"{found["days"]}" was read as every week.')
        said.recurring = True
        said.add_days(found["days"])
        return
    ahead = (weekday(days[0]) - said.today.weekday()) % 7
    if found["next"] == "next ":
        ahead = ahead or 7
        said.notes.append(f'"{found[0]}" was read as the coming one.')
    said.weekdays = [weekday(days[0])]
    said.on(said.today + timedelta(days=ahead))


@phrase(
    rf"(?:{EACH} )?(?:the )?(?P<nth>{NTH}(?:{AND}(?:the )?{NTH})*)"
    rf"(?! ?(?:of )?{MONTH})(?P<of> (?:day )?(?:of|in) (?:the |each |every |a )?month| (?:each|every) month)?"
)
def _monthdays(said: Said, found: re.Match[str]) -> None:
    days = [int(digits) for digits in re.findall(r"\d+", found["nth"])]
    if not all(1 <= day <= 31 for day in days):
        raise SentenceError(f'no month has a day "{found["nth"]}"', "on the 15th of every month")
    said.monthdays += days
    said.recurring = said.recurring or bool(found["of"]) or bool(re.match(EACH, found[0])) or len(days) > 1


@phrase(
    rf"(?:{EACH} )?(?P<d>\d{{1,2}})(?:st|nd|rd|th)?(?: of)? ?(?P<m>{MONTH})(?:,? (?P<y>{YEAR}))?"
    rf"|(?:{EACH} )?(?P<m2>{MONTH}) (?:the )?(?P<d2>\d{{1,2}})(?:st|nd|rd|th)?(?![\d:.]\d)(?! ?[ap]m)"
    rf"(?:,? (?P<y2>{YEAR}))?"
)
def _date(said: Said, found: re.Match[str]) -> None:
    said.recurring = said.recurring or bool(re.match(EACH, found[0]))
    said.months.append(month(found["m"] or found["m2"]))
    said.monthdays.append(int(found["d"] or found["d2"]))
    said.year = int(found["y"] or found["y2"] or 0)


@phrase(
    r"(?P<y>\d{4})-(?P<m>\d\d?)-(?P<d>\d\d?)|(?P<d2>\d\d?)\.(?P<m2>\d\d?)\.(?P<y2>\d{4})|(?P<d3>\d\d?)/(?P<m3>\d\d?)/(?P<y3>\d{4})"
)
def _digits(said: Said, found: re.Match[str]) -> None:
    year, first, second = (int(found[k] or found[f"{k}2"] or found[f"{k}3"]) for k in "ymd")
    if found["d3"] and first != second:
        if first <= 12 and second <= 12:
            raise SentenceError(
                f'"{found[0]}" may mean two days',
                f"{second} {MONTHS[first - 1]} {year}",
                f"{year}-{first:02}-{second:02}",
            )
        first, second = (second, first) if first > 12 else (first, second)
    said.year, said.months, said.monthdays = year, [first], [second]


@phrase(rf"(?:in )?(?P<months>{MONTH}(?:{AND}{MONTH})*)")
def _months(said: Said, found: re.Match[str]) -> None:
    said.months += [month(word) for word in re.findall(MONTH, found["months"])]


@phrase(rf"(?:at |@ ?)(?P<list>{ONE}(?:{AND}(?:at )?{ONE})*)|(?P<marked>{MARKED}(?:{AND}(?:at )?{ONE})*)")
def _times(said: Said, found: re.Match[str]) -> None:
    said.times += [clock(one) for one in re.findall(ONE, found["list"] or found["marked"])]


@phrase(r"(?:in the )?(?P<part>morning|afternoon|evening)s?|at night")
def _part(said: Said, found: re.Match[str]) -> None:
    said.part = found["part"] or "night"


@phrase(rf"{DIGITS}")
def _bare_time(said: Said, found: re.Match[str]) -> object:
    """ "tomorrow 9": a number alone is a time only behind a day."""
    if said.times or not (said.recurring or said.date or said.monthdays):
        return False
    said.times.append(clock(found[0]))
    return True
