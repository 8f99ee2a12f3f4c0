"""Phrases that say how often: "every other Tuesday", "first Monday of the month", "hourly"."""

from __future__ import annotations

import re

from ankita_desktop.automation.clock import minutes_said
from ankita_desktop.automation.phrases import AND, DAY_LIST, EACH, PART, SPANS, WORKDAY, Phrases
from ankita_desktop.automation.said import Said, SentenceError, spans
from ankita_desktop.automation.words import MONTH, ORDINAL, SECONDS, UNIT, WEEKDAY, month, ordinal, unit, weekday

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
OF_HOUR = r"(?:half|quarter|\d{1,2})"
OF_MONTHS = (
    r"(?: (?:of|in) (?:the |each |every |a )?month| (?:each|every) month| monthly"
    rf"| (?:of|in) (?P<months>{MONTH}(?:{AND}{MONTH})*))"
)

phrase = Phrases()


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


@phrase(
    rf"(?:{EACH} |the )?(?P<nth>{ORDINAL}(?:{AND}{ORDINAL})*)"
    rf"(?: (?P<what>{WORKDAY}|day|{DAY_LIST}))?(?P<of>{OF_MONTHS})?"
)
def _nth_of_month(said: Said, found: re.Match[str]) -> object:
    if not found["of"] and not (said.every and said.every[1] == "month" and found["what"]):
        return False
    if found["months"] and not found["what"] and re.fullmatch(r"[1-5]..", found["nth"]):
        return False  # "1st of January" is a date
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


@phrase(rf"{EACH} (?P<nth>first|last) {WORKDAY}")
def _every_workday(said: Said, found: re.Match[str]) -> None:
    said.recurring, said.workday = True, ordinal(found["nth"])


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


@phrase(
    r"(?:(?P<word>once|twice|thrice)|(?P<digits>[1-9]\d?) ?(?:x|times)) "
    rf"(?:(?:an?|per|{EACH}|in an?) )?(?P<unit>{UNIT}|daily|hourly)"
)
def _times_a(said: Said, found: re.Match[str]) -> None:
    """ "twice a day": how many times; which ones is said elsewhere, or chosen."""
    count = {"once": 1, "twice": 2, "thrice": 3}.get(found["word"]) or int(found["digits"])
    each, name = {"daily": (1, "day"), "hourly": (1, "hour")}.get(found["unit"]) or unit(found["unit"])
    if name in SECONDS and SECONDS[name] <= SECONDS["hour"]:
        said.repeat(each / count, name)
    else:
        said.repeat(each, name)
        said.count = count if count > 1 else 0


@phrase(rf"{EACH} hour on the hour|(?:{EACH} hour )?on the hour|hourly on the hour")
def _on_the_hour(said: Said, found: re.Match[str]) -> None:
    said.recurring, said.aligned = True, 0


@phrase(
    rf"(?:at )?(?P<word>{OF_HOUR})(?: (?:minutes?|mins?))? (?P<side>past|after|to|before)"
    rf"(?: {EACH})?(?: the)? hour"
    rf"|(?:(?:hourly|{EACH} hour) )?(?:at|on)(?: the)? (?::(?P<colon>\d\d)(?!\d)|(?P<half>half)[- ]hour"
    rf"|(?P<late>{OF_HOUR})(?: (?:minutes?|mins?))? (?P<side2>past|to)(?! (?:the|\d|noon|mid)))"
)
def _past_the_hour(said: Said, found: re.Match[str]) -> None:
    word = found["word"] or found["colon"] or found["late"] or found["half"]
    minute = minutes_said(word)
    if minute > 59:
        raise SentenceError(f"an hour has no minute {minute}", "every hour at :30")
    early = (found["side"] or found["side2"]) in ("to", "before")
    said.recurring, said.aligned = True, 60 - minute if early else minute


@phrase(rf"(?:(?P<hour>{EACH} hour|hourly) )?(?:at|on) the quarter[- ]hour")
def _quarter_hour(said: Said, found: re.Match[str]) -> None:
    if found["hour"]:
        raise SentenceError(f'"{found[0]}" may mean two things', "every hour at :15", "on the quarter hour")
    said.recurring, said.aligned, said.every = True, 0, (0.25, "hour")


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
        said.in_part("night")
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


@phrase(
    rf"(?:{EACH} |on |during )?(?:weekdays|{WORKDAY}s|weekends)|{EACH} (?:{WORKDAY}|weekend)"
    rf"|(?:on )?(?:{WORKDAY}|weekend)(?= {PART}s)"
)
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
    said.in_part(found["part"] or "")
    said.add_days(found["days"])


@phrase(rf"{EACH} (?P<parts>{PART}(?:{AND}(?:{EACH} )?{PART})*)|(?P<plural>(?:morning|evening|night)s)")
def _every_part(said: Said, found: re.Match[str]) -> None:
    said.repeat(1, "day")
    for part in re.findall(PART, found["parts"] or found["plural"]):
        said.in_part(part)
