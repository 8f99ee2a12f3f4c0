"""Phrases that say which day: "tomorrow", "next Friday", "on 3 March", "24.12.2026", "in 2 weeks"."""

from __future__ import annotations

import re
from datetime import timedelta

from ankita_desktop.automation.phrases import AND, DAY_LIST, EACH, NTH, PART, SPANS, YEAR, Phrases
from ankita_desktop.automation.said import Said, SentenceError, spans
from ankita_desktop.automation.words import MONTH, MONTHS, WEEKDAY, month, weekday

phrase = Phrases()


@phrase(rf"(?:in|after) (?P<spans>{SPANS})|(?P<now>{SPANS}) (?:from now|later)")
def _span(said: Said, found: re.Match[str]) -> object:
    if said.recurring:
        return False
    said.span = spans(found["spans"] or found["now"])
    return True


@phrase(
    rf"(?P<the>day after tomorrow|today|tonight|tomorrow|tmrw|yesterday)(?: (?P<part>{PART}))?"
    r"|this (?P<this>morning|afternoon|evening)"
)
def _near_day(said: Said, found: re.Match[str]) -> None:
    days = {"day after tomorrow": 2, "tomorrow": 1, "tmrw": 1, "yesterday": -1}.get(found["the"] or "", 0)
    said.on(said.today + timedelta(days=days))
    said.in_part(found["part"] or found["this"] or ("night" if found["the"] == "tonight" else ""))


@phrase(rf"(?:day before yesterday|(?P<spans>{SPANS}) (?:ago|earlier|before now))")
def _ago(said: Said, found: re.Match[str]) -> None:
    """What has passed is read to its end, so that the refusal can say which moment that was."""
    said.shift += [(-count, name) for count, name in spans(found["spans"] or "2 days")]
    said.on(said.today)


@phrase(
    rf"(?:last|past|previous) (?:(?P<day>{WEEKDAY})(?: (?P<part>{PART}))?"
    r"|(?P<night>night)|(?P<unit>week|month|year))"
)
def _last(said: Said, found: re.Match[str]) -> object:
    if said.recurring:
        return False
    if found["unit"]:
        said.shift.append((-1, found["unit"]))
    back = (said.today.weekday() - weekday(found["day"])) % 7 or 7 if found["day"] else found["night"] is not None
    said.on(said.today - timedelta(days=back))
    said.in_part(found["part"] or found["night"] or "")
    return True


@phrase(rf"(?P<day>{WEEKDAY}) (?:of )?next week|next week(?: on)? (?P<late>{WEEKDAY})")
def _weekday_next_week(said: Said, found: re.Match[str]) -> None:
    monday = said.today - timedelta(days=said.today.weekday()) + timedelta(weeks=1)
    said.on(monday + timedelta(days=weekday(found["day"] or found["late"])))


@phrase(r"next (?P<unit>week|month|year)")
def _next_unit(said: Said, found: re.Match[str]) -> None:
    from dateutil.relativedelta import relativedelta

    said.on(said.today + relativedelta(**{f"{found['unit']}s": 1}))  # type: ignore[arg-type]
    said.following = found["unit"] if found["unit"] != "week" else ""
    said.notes.append(f'"{found[0]}" was read as one {found["unit"]} from today.')


@phrase(r"(?:(?:over|during) )?(?:this |next |the |coming )*weekend(?! (?:morning|afternoon|evening|night)s)")
def _weekend(said: Said, found: re.Match[str]) -> None:
    if said.recurring or re.search(rf"\b(?:{EACH}|hourly|daily|twice|times)\b", found.string[found.end() :]):
        said.weekdays += (5, 6)
        return
    said.on(said.today + timedelta(days=(5 - said.today.weekday()) % 7))
    said.notes.append(f'"{found[0]}" was read as the coming Saturday.')


@phrase(rf"(?P<next>next |this |coming )?(?P<days>{DAY_LIST})(?: (?P<part>{PART}))?")
def _weekday(said: Said, found: re.Match[str]) -> None:
    said.in_part(found["part"] or "")
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
    r"(?P<y>\d{4})(?P<sign>[-/])(?P<m>\d\d?)(?P=sign)(?P<d>\d\d?)|(?P<d2>\d\d?)\.(?P<m2>\d\d?)\.(?P<y2>\d{4})|(?P<d3>\d\d?)(?P<cut>[/-])(?P<m3>\d\d?)(?P=cut)(?P<y3>\d{4})"
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
    if not (1 <= first <= 12 and 1 <= second <= 31):
        raise SentenceError(f"no calendar shows {found[0]}", f"{said.today.year + 1}-01-31 at 9")
    said.year, said.months, said.monthdays = year, [first], [second]


@phrase(rf"(?:in )?(?P<months>{MONTH}(?:{AND}{MONTH})*)")
def _months(said: Said, found: re.Match[str]) -> None:
    said.months += [month(word) for word in re.findall(MONTH, found["months"])]
