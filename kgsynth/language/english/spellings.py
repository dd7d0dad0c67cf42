"""One spelling for what English texts write in several ways: signs, ranges, dates, times of day, frequencies.

Left out: numeric dates whose day and month may be exchanged ("03/04/2026"), and times without "am", "pm" or minutes.
"""

from __future__ import annotations

import re
from calendar import monthrange
from collections.abc import Callable
from functools import lru_cache

from kgsynth.language.english.dates import MONTHS
from kgsynth.language.english.morphology import inflected
from kgsynth.language.english.number_words import digits, spelled_number
from kgsynth.language.words import unaccented

_MONTH = "(" + "|".join(sorted(MONTHS, key=len, reverse=True)) + r")\b\.?"
_MONTH_NAMES = {number: name for name, number in MONTHS.items() if len(name) > len("sept") or name in ("may", "june")}
_MONTH_NAMES |= {7: "july"}
_NAMED_MONTH = _MONTH.replace("(", "(?P<month>", 1)
_NUMBER = r"\d[\d,]{0,30}(?:\.\d{1,30})?"  # bounded, so that the time stays linear in "1,1,1,1,…"
_PERIOD = r"(second|minute|hour|day|week|month|quarter|year)"
_ADVERBS = {
    "hourly": "hour",
    "daily": "day",
    "weekly": "week",
    "monthly": "month",
    "quarterly": "quarter",
    "yearly": "year",
    "annually": "year",
}


def _date(day: str, month: str, year: str) -> str:
    return f"{int(day)} {_MONTH_NAMES[int(month)].capitalize()} {year}"


def _numeric_date(match: re.Match[str]) -> str:
    one, other, year = match["one"], match["other"], match["year"]
    if (12 < int(one) <= 31 and 1 <= int(other) <= 12) or (one == other and 1 <= int(one) <= 12):
        return _date(one, other, year)
    return _date(other, one, year) if 12 < int(other) <= 31 and 1 <= int(one) <= 12 else match[0]


def _iso_date(match: re.Match[str]) -> str:
    return _date(match[3], match[2], match[1]) if 1 <= int(match[2]) <= 12 else match[0]


def _month_named(match: re.Match[str]) -> str:
    return f"{int(match['day'])} {_in_full(match['month'])}"


def _in_full(month: str) -> str:
    return _MONTH_NAMES[MONTHS[month.lower()]].capitalize()


def _year(match: re.Match[str]) -> str:
    first, last = (spelled_number(part.split())[0] for part in match.groups())
    return f"{first:.0f}{last:02.0f}" if first and last else match[0]


def _time(match: re.Match[str]) -> str:
    hour = int(match[1]) % 12 + (12 if match[3].lower() == "p" else 0)
    return f"{hour}:{match[2] or '00'}" if 1 <= int(match[1]) <= 12 else match[0]


def _slashed_month(match: re.Match[str]) -> str:
    return f"{_MONTH_NAMES[int(match[1])].capitalize()} {match[2]}"


def _last_day(match: re.Match[str]) -> str:
    month, year = MONTHS[(match["month"] or "december").lower()], int(match["year"])
    return _date(str(monthrange(year, month)[1]), str(month), match["year"])


def _spoken_time(match: re.Match[str]) -> str:
    hour = digits(match[1])
    return f"{hour}:{match[2] or '00'} {'am' if match[5] else 'pm'}" if hour.isdigit() else match[0]


def _plural(noun: str) -> str:
    return inflected(noun.lower(), "NNS")


_Replacement = str | Callable[[re.Match[str]], str]
_SPELLINGS: tuple[tuple[re.Pattern[str], _Replacement], ...] = tuple(
    (re.compile(pattern, re.I), spelling)
    for pattern, spelling in (
        (r"[−‒]", "-"),
        (r"[’‘]", "'"),
        (r"\bplus\s*(?:[/-]|\bor\b)\s*minus\s+|\+\s*/\s*[-–]\s*|\+-(?=\d)|±\s+", "±"),
        (rf"\b(?:minus|negative)\s+(?={_NUMBER})", "-"),
        (rf"(?<![\w-])(?:\bplus\s+|\+)(?={_NUMBER})", ""),
        (rf"(?<![\w-])({_NUMBER}\s?[^\s,;.]{{0,30}}(?:\s(?:celsius|fahrenheit))?)\s+below\s+(?:zero|freezing)", r"-\1"),
        (r"(?<![\d,.])(\d{1,3}),(\d\d?)(?=\s?(?:%|°|per\b))", r"\1.\2"),
        (r"(?<![\w,.])\d{1,3}(?:[ \u202f]\d{3})+(?![\w,.]*\d)", lambda found: re.sub(r"\s", "", found[0])),
        (r"(?<![\w.-])(\d+(?:\.\d+)?)k\b", lambda found: f"{float(found[1]) * 1000:.0f}"),
        # dates and times of day
        (r"\b(eighteen|nineteen|twenty)[ -]((?:(?:twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety)(?:[ -]\w+)?"
         r"|ten|eleven|twelve|\w+teen)\b)(?!-)", _year),
        (r"(?<!\w)'([0-4]\d)\b(?!')", r"20\1"),
        (r"(?<!\w)'([5-9]\d)\b(?!['s])", r"19\1"),
        (r"\b([12]\d{3})-(\d\d)-(\d\d)\b", _iso_date),
        (r"(?<![\d./-])(?P<one>\d{1,2})(?P<mark>[./-])(?P<other>\d{1,2})(?P=mark)(?P<year>[12]\d{3})\b", _numeric_date),
        (rf"\b(?:the\s+)?(?P<day>\d{{1,2}})(?:st|nd|rd|th)?(?:\s+of)?\s+{_NAMED_MONTH}", _month_named),
        (rf"\b{_NAMED_MONTH}\s+(?:the\s+)?(?P<day>\d{{1,2}})(?:st|nd|rd|th)?\b(?!:)", _month_named),
        (rf"\b{_MONTH}(?:(?<=\.)|(?=,?\s+(?:of\s+)?[12]\d{{3}}\b))", lambda found: _in_full(found[1])),
        (r"(?<![\d./-])(0?[1-9]|1[0-2])/([12]\d{3})\b", _slashed_month),
        (rf"\b(?:the\s+)?(?:end|last\s+day)\s+of\s+(?:{_NAMED_MONTH}\s+)?(?P<year>[12]\d{{3}})\b", _last_day),
        (r"\b(\w+)(?::(\d\d))?(?:\s+o'?clock)?\s+in\s+the\s+(?:(a)fternoon|(e)vening|(m)orning)\b", _spoken_time),
        (r"(?<![\w:])(\d{1,2})(?:[:.](\d\d))?\s*([ap])\.?\s?m\b\.?", _time),
        (r"(?<![\w:])(\d{1,2})(?:h|\s?hrs?\b|\.)(\d\d)\b(?![.%\d])(?=\s*(?:$|[,;)]|\bo'?clock))", r"\1:\2"),
        (r"(?<![\w:])0(\d:\d\d)\b", r"\1"),
        (r"\b(?:twelve\s+)?noon\b|\bmidday\b", "12:00"),
        # ranges and tolerances
        (rf"\bbetween\s+(-?{_NUMBER}[^,;.]{{0,20}}?)\s+and\s+(?=-?{_NUMBER})", r"\1 to "),
        (r"(?<=[\d°CF%])(?:\s+up\s+to\s+|\s*\.\.+\s*)(?=-?\d)", " to "),
        (r"(?<=[\d°CF%])\s*[–—]\s*(?=-?\d)|(?<=[\d°CF%])\s+-\s+(?=\d)", " to "),
        (rf"(?<![\w.-])(-?{_NUMBER})-(?={_NUMBER}(?![\d-]))", r"\1 to "),
        # frequencies
        (rf"\b(?:at|in)\s+(\w+)[- ]{_PERIOD}\s+intervals\b", lambda found: f"every {found[1]} {_plural(found[2])}"),
        (r"\b(?:biennially|every\s+second\s+year)\b", "every 2 years"),
        (r"\bone\s+time\s+(?=(?:an?|each|every|per)\s)", "once "),
        (r"(?<=\d)\s+nightly\b", " per night"),
        (rf"\b(?:once\s+)?(?:every|each|per)\s+other\s+{_PERIOD}\b", lambda found: f"every 2 {_plural(found[1])}"),
        (rf"\b(?:(twice)|(three|four)\s+times)\s+(?:an?|each|every|per)\s+{_PERIOD}\b", lambda found: _part(found)),
        (rf"\bonce\s+(?:in\s+)?(?:an?|each|every|per)\s+{_PERIOD}\b", r"every 1 \1"),
        (r"\bonce\s+(?=(?:every|in)\s)", ""),
        (rf"\b(?:every|each)\s+{_PERIOD}\b", r"every 1 \1"),
        (rf"\b({'|'.join(_ADVERBS)})(?=\s*(?:$|[,.;!?)]))", lambda found: f"every 1 {_ADVERBS[found[1].lower()]}"),
        (r"\b(?:one\s+|an?\s+)(\w+)\s+and\s+a\s+half\b", lambda found: f"1.5 {_plural(found[1])}"),
    )
)  # fmt: skip
_SMALLER = {"year": (12, "months"), "day": (24, "hours"), "hour": (60, "minutes"), "minute": (60, "seconds")}


def _part(match: re.Match[str]) -> str:
    """Return "every 6 months" for "twice a year"."""
    times = 2 if match[1] else {"three": 3, "four": 4}[match[2].lower()]
    if match[3].lower() not in _SMALLER:
        return match[0]
    count, unit = _SMALLER[match[3].lower()]
    return f"every {count // times} {unit}"


@lru_cache(maxsize=1 << 14)
def spelled_alike(text: str) -> str:
    """Return a text with one spelling for what is written in several ways, and without accents.

    Example:
        >>> spelled_alike("from minus 30 to plus 60 °C, +/- 0.5"), spelled_alike("until Dec. 31st, 2026 at 2 p.m.")
        ('from -30 to 60 °C, ±0.5', 'until 31 December, 2026 at 14:00')
        >>> spelled_alike("once a year"), spelled_alike("Beatriz Falcão"), spelled_alike("31/12/2026")
        ('every 1 year', 'Beatriz Falcao', '31 December 2026')
    """
    text = unaccented(text)
    for pattern, spelling in _SPELLINGS:
        text = pattern.sub(spelling, text)
    return text
