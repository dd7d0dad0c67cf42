"""Quantities in English prose: dates, durations, measures, money, shares and counts, read so that two can be compared.

Reading is strict: what cannot be read whole and without doubt is None ("3 to 5 days", "two weeks ago",
"version 3.12", "12/03/2019", "several people"). Number words are read by text2num. Left out: ordinals, clock times,
dates without a year, and languages other than English.
"""

from __future__ import annotations

import datetime
import re
import unicodedata
from dataclasses import dataclass, replace

from text_to_num import text2num

from kgsynth.evidence.units import CALENDAR, UNITS, lemma

_MONTH_NAMES = "january february march april may june july august september october november december".split()
_MONTHS = {name[:length]: n for n, name in enumerate(_MONTH_NAMES, 1) for length in (3, len(name))} | {"sept": 9}
_MONTH = "(?P<month>" + "|".join(sorted(_MONTHS, key=len, reverse=True)) + r")\b\.?"
_YEAR = r"(?P<year>[12]\d{3})"
_DAY = r"(?P<day>\d{1,2})(?:st|nd|rd|th)?"
_WEEKDAY = r"(?:(?:mon|tues|wednes|thurs|fri|satur|sun)day,? (?:the )?)?"
_PART = r"(?:(?:early|mid|late)[- ])?"
_DATES = tuple(
    re.compile(pattern)
    for pattern in (
        rf"{_WEEKDAY}(?:the )?{_DAY}(?: of)? {_MONTH},? {_YEAR}",
        rf"{_WEEKDAY}{_MONTH} {_DAY},? {_YEAR}",
        rf"{_YEAR}-(?P<digits>\d\d)-(?P<day>\d\d)",
        rf"{_PART}{_MONTH},?(?: of)? {_YEAR}",
        rf"{_PART}(?:the year )?{_YEAR}",
    )
)
_DATE_LEADS = {
    "": " in on since from during of",
    "at most": "by until till no_later_than",
    "less than": "before prior_to",
    "more than": "after",
}
_LEADS = {
    "about": "about around approximately roughly nearly almost some circa ca. c. approx. ~ ≈",
    "at least": "at_least no_less_than no_fewer_than not_less_than a_minimum_of from >= ≥",
    "at most": "at_most up_to no_more_than not_more_than a_maximum_of within <= ≤",
    "more than": "more_than over above greater_than exceeding >",
    "less than": "less_than fewer_than under below <",
    "": "for in at on by of to with after during only just exactly the a_total_of",
}
_PER = r"(?:per|an?|each|every)"
_SYMBOL = re.compile(r"([a-z]{3}(?=[ \d])|[a-z]{0,2}[€$£¥₹])\s*(?=\d)")
_DIGITS = re.compile(r"[+-]?(?:\d{1,3}(?:[, ]\d{3})+|\d+)(?:\.\d+)?(?![\d.,/:⁄–-]*\d)")
_VULGAR = re.compile(r"(?:(\d+)\s+)?(\d)⁄([1-9])")
_SCALES = {"dozen": 12.0, "hundred": 1e2, "thousand": 1e3, "million": 1e6, "billion": 1e9, "trillion": 1e12}
_SCALE = re.compile(rf"[ -]({'|'.join(_SCALES)})\b")
_SUFFIXES = {"k": 1e3, "m": 1e6, "mn": 1e6, "bn": 1e9, "b": 1e9}
_OR_MORE = re.compile(r"\s+or (more|over|less|fewer|under)\b")
_MODIFIER = re.compile(r"\s+(?:of|in|at|on|for|with|across|among|worldwide|overall|who|that|which)\b")
_ADVERBS = {
    "annually": "year",
    "yearly": "year",
    "monthly": "month",
    "weekly": "week",
    "daily": "day",
    "hourly": "hour",
}
_RATE = re.compile(rf"\s*(?:\s{_PER}\s+|/\s*)([a-z]+)\b|\s+({'|'.join(_ADVERBS)})\b")
_ASPECTS = frozenset("long wide tall high deep thick old apart away".split())
_WHOLE = frozenset("calendar full consecutive whole additional extra".split())
_VAGUE = frozenset(
    "or and to by from into out off more few fewer less ago later earlier than half before after the a an this is are "
    "was were be been will would can should has have had not as when where if how it its we they he she you".split()
)
_RANGE = re.compile(r"\d\s*(?:-|–|to|or)\s*\d")
_OFFSETS = {"degree Celsius": 273.15, "degree Fahrenheit": 459.67 * 5 / 9}


def _leads(table: dict[str, str]) -> tuple[dict[str, str], re.Pattern[str]]:
    kinds = {words.replace("_", " "): kind for kind, line in table.items() for words in line.split()}
    ordered = "|".join(re.escape(words) for words in sorted(kinds, key=len, reverse=True))
    return kinds, re.compile(rf"({ordered})(?:\s+|(?<=\W))")


_DATE_LEAD, _QUANTITY_LEAD = _leads(_DATE_LEADS), _leads(_LEADS)


@dataclass(frozen=True, slots=True)
class Quantity:
    """A quantity read from text.

    ``value`` is in the base unit of ``dimension``: the proleptic ordinal day for "date" (the first day of a month or
    year), seconds for "duration", metres, kilograms, square metres, litres, kelvins, bytes, watts, percent, the
    currency of "money:EUR", pieces of "count:person" ("count:" for a bare number). A rate has its denominator
    after a stroke, "money:EUR/duration", and is per second then. ``unit`` is the unit as named, ``bound`` "" or about,
    at least, at most, more than, less than; ``aspect`` is an adjective of measure such as "long".
    """

    value: float
    dimension: str
    unit: str
    text: str
    bound: str = ""
    aspect: str = ""


def parse(text: str) -> Quantity | None:
    """Return the one quantity that ``text`` states, or None when it states none, several, or a vague one.

    Example:
        >>> parse("about two weeks")
        Quantity(value=1209600.0, dimension='duration', unit='week', text='about two weeks', bound='about', aspect='')
        >>> parse("38 people in Leeds").dimension
        'count:person'
        >>> parse("€3.5 million").value
        3500000.0
        >>> parse("three to five days") is None
        True
    """
    if re.search(r"\d\s*[KMG]b\b|^[^$€£¥₹]*\d\s*M\b", text):  # bits or bytes, mega or million: nobody can tell
        return None
    folded = _fold(text)
    found = _date(folded) or _measure(folded)
    return replace(found, text=text) if found else None


def comparable(a: Quantity, b: Quantity) -> bool:
    """Say whether it is certain which of two quantities is the greater, or that they are equal.

    Refused are other dimensions or aspects, bounds of different kinds, dates of which one holds the other, and values
    too close for their precision: within a fifth when one of them is "about", within a tenth when a calendar
    month is set against fixed days.

    Example:
        >>> comparable(parse("14 months"), parse("two years"))
        True
        >>> comparable(parse("up to 5 GB"), parse("at least 3 GB"))
        False
    """
    if a.dimension != b.dimension or (a.aspect and b.aspect and a.aspect != b.aspect):
        return False
    if a.bound != b.bound and {a.bound, b.bound} != {"", "about"}:
        return False
    if a.dimension == "date" and a.unit != b.unit:
        return a.value >= b.value + _days(b) or b.value >= a.value + _days(a)
    margin = 0.2 if a.bound != b.bound else 0.0
    if a.dimension.endswith("duration") and (_last(a) in CALENDAR) != (_last(b) in CALENDAR):
        margin = max(margin, 0.1)
    return margin == 0.0 or abs(a.value - b.value) > margin * max(abs(a.value), abs(b.value))


def difference(lesser: Quantity, greater: Quantity) -> str | None:
    """Return by how much two exact quantities of one unit differ, in the greater's words; None when nobody can say.

    Dates give whole years, months or days, whichever both are told in.

    Example:
        >>> difference(parse("14 months"), parse("30 months")), difference(parse("1987"), parse("1998"))
        ('16 months', '11 years')
        >>> difference(parse("€80"), parse("€1,480")), difference(parse("14 months"), parse("two years"))
        ('€1,400', None)
    """
    exact = not (lesser.bound or greater.bound or lesser.aspect or greater.aspect)
    alike = (lesser.dimension, lesser.unit) == (greater.dimension, greater.unit)
    if not exact or not alike or "/" in lesser.unit or lesser.dimension.startswith("percent"):
        return None
    if lesser.dimension == "date":
        one, two = (datetime.date.fromordinal(int(q.value)) for q in (lesser, greater))
        months = 12 * (two.year - one.year) + two.month - one.month
        passed = {"year": two.year - one.year, "month": months, "day": (two - one).days}[lesser.unit]
        return f"{passed:,} {lesser.unit}{'s' if passed != 1 else ''}"
    _, _, factor = UNITS.get(lesser.unit.casefold(), ("", "", 1.0))
    count = round((greater.value - lesser.value) / factor, 6)
    shape = re.fullmatch(r"([^\w\s]*)(\d[\d,.]*)((?:[ %°-].*)?)", greater.text)
    words = greater.text.split()
    _, used = _spelled(words)
    if count <= 0 or (not shape and not used):
        return None
    before, after = (shape[1], shape[3]) if shape else ("", "".join(f" {word}" for word in words[used:]))
    after = _SCALE.sub("", after)
    if count == 1 and re.fullmatch(r" \w+", after):
        after = f" {lemma(after.strip())}"
    return f"{before}{count:,.0f}{after}" if count == int(count) else f"{before}{count:,g}{after}"


def digits(text: str) -> str:
    """Return ``text`` with its numbers as plain digits; the rest stays.

    Example:
        >>> digits("twenty-four hours, 1,200 people, two million")
        '24 hours, 1200 people, 2000000'
    """
    tokens = re.sub(r"(?<=\d),(?=\d{3}\b)", "", text).split()
    out, index = [], 0
    while index < len(tokens):
        value, used = _spelled(tokens[index:])
        last = tokens[index + max(used, 1) - 1]
        tail = last[len(last.rstrip(".,;:!?)")) :]
        out.append(tokens[index] if value is None else f"{value:.0f}{tail}")
        index += max(used, 1)
    scaled = r"\b(\d+(?:\.\d+)?)" + _SCALE.pattern
    return re.sub(scaled, lambda m: f"{float(m[1]) * _SCALES[m[2].lower()]:.0f}", " ".join(out), flags=re.IGNORECASE)


def _last(quantity: Quantity) -> str:
    return quantity.unit.rsplit("/", 1)[-1]


def _fold(text: str) -> str:
    text = unicodedata.normalize("NFKC", re.sub(r"(?<=\d)(?=[½¼¾⅓⅔])", " ", text)).casefold()
    text = " ".join(text.replace("−", "-").replace("“", "").replace("”", "").strip(" \"'.,;:").split())
    return re.sub(r"(?<=\d)\s+(?=[%°])", "", text)


# ---- dates -----------------------------------------------------------------------------------------


def _date(text: str) -> Quantity | None:
    kinds, pattern = _DATE_LEAD
    lead = pattern.match(text)
    bound, text = (kinds[lead[1]], text[lead.end() :]) if lead else ("", text)
    match = next((found for found in (date.fullmatch(text) for date in _DATES) if found), None)
    if match is None:
        return None
    named = match.groupdict()
    month = _MONTHS.get(named.get("month") or "") or int(named.get("digits") or 0)
    try:
        day = datetime.date(int(named["year"]), month or 1, int(named.get("day") or 1))
    except ValueError:
        return None
    unit = "day" if named.get("day") else "month" if month else "year"
    return Quantity(float(day.toordinal()), "date", unit, text, bound)


def _days(date: Quantity) -> int:
    """Return how many days a day, month or year has."""
    first = datetime.date.fromordinal(int(date.value))
    if date.unit == "day":
        return 1
    year, month = (first.year + 1, 1) if date.unit == "year" or first.month == 12 else (first.year, first.month + 1)
    return datetime.date(year, month, 1).toordinal() - first.toordinal()


# ---- measures, money, counts -----------------------------------------------------------------------


def _measure(text: str) -> Quantity | None:
    bound, rest = _bound(text)
    symbol = _SYMBOL.match(rest)
    currency = UNITS.get(symbol[1]) if symbol else None
    if symbol and not (currency and currency[0].startswith("money")):
        return None
    opening = rest[symbol.end() :] if symbol else rest
    value, rest = _number(opening, money=currency is not None)
    if value is None or bound is None or re.match(r"[12]\d{3}s\b", opening):  # "the 1970s"
        return None
    if more := _OR_MORE.search(rest) or re.match(r"\+()", rest):
        bound = "at least" if more[1] in ("more", "over", "") else "at most"
        rest = rest[: more.start()] + rest[more.end() :]
    dimension, unit, factor, rest = (*currency, rest) if currency else _unit(rest)
    if not dimension or (unit == "quarter" and rest.startswith(" of")):
        return None
    if dimension.startswith("count:") and re.match(rf"[12]\d{{3}} (?:.* )?{re.escape(unit)}\b", opening):
        return None  # "the 2006 conflict": a year, since the noun is in the singular
    quantity = Quantity(value * factor + _OFFSETS.get(unit, 0.0), dimension, unit, text, bound)
    return _finish(quantity, rest)


def _bound(text: str) -> tuple[str | None, str]:
    """Return the bound the text opens with and what is left; None when it opens with two of different kinds."""
    bound: str | None = ""
    kinds, pattern = _QUANTITY_LEAD
    while match := pattern.match(text):
        kind = kinds[match[1]]
        bound = None if bound is None or (bound and kind and bound != kind) else bound or kind
        text = text[match.end() :]
    return bound, text


def _number(text: str, money: bool = False) -> tuple[float | None, str]:
    """Return the number the text opens with, or None, and what is left."""
    value: float | None
    text = re.sub(r"^an? (?=\w+-[a-z])", "", text)  # "a 14-month probation"
    if match := _VULGAR.match(text):
        value, rest = int(match[1] or 0) + int(match[2]) / int(match[3]), text[match.end() :]
    elif match := _DIGITS.match(text):
        value, rest = float(re.sub("[, ]", "", match.group())), text[match.end() :]
    else:
        tokens = text.split(" ")
        value, used = _article(tokens) or _spelled(tokens)
        rest = "".join(" " + token for token in tokens[used:])
        if value is None and (match := re.match(r"([a-z]+)(?=-)", text)):  # "two-week"
            value, rest = _spelled([match[1]])[0], text[match.end() :]
    if value is None:
        return None, text
    if money and (match := re.match(r"(mn|bn|[kmb])\b", rest)):
        value, rest = value * _SUFFIXES[match[1]], rest[match.end() :]
    while match := _SCALE.match(rest):
        value, rest = value * _SCALES[match[1]], rest[match.end() :]
    if match := re.match(r" and a half\b", rest):
        value, rest = value + 0.5, rest[match.end() :]
    return value, rest


def _article(tokens: list[str]) -> tuple[float, int] | None:
    """Read "a year", "half an hour", "a hundred": an article that stands for a number."""
    first, second = (*tokens, "", "")[:2]
    if first == "half" and second in ("a", "an"):
        return 0.5, 2
    if first in ("a", "an") and second in _SCALES:
        return _SCALES[second], 2
    dimension = UNITS.get(second, ("", "", 0.0))[0]
    return (1.0, 1) if first in ("a", "an") and dimension.startswith(("duration", "money")) else None


def _spelled(tokens: list[str]) -> tuple[float | None, int]:
    """Return the number the first tokens spell, and how many they are: the longest run that is one."""
    for used in range(min(len(tokens), 8), 0, -1):
        run = " ".join(tokens[:used]).casefold().rstrip(".,;:!?)")
        if re.fullmatch(r"[a-z]+(?:[ -][a-z]+)*", run) and run not in _SCALES:
            try:
                return float(text2num(run, "en")), used
            except ValueError:
                continue
    return None, 0


def _unit(rest: str) -> tuple[str, str, float, str]:
    """Return dimension, unit and factor of what follows a number, and what is left; the dimension is "" for none."""
    if match := re.match(r"-([a-z]+)(?:[ -].*|$)", rest):  # "a 14-month probation": what is measured does not matter
        return (*UNITS.get(lemma(match[1]), ("", "", 0.0)), "")
    if match := re.match(r"(?:%|°[cf]\b|[a-zµ]+[23]?)", rest):  # "4gb"; "5m" may be metres, minutes or millions
        return (*UNITS.get("" if match.group() == "m" else match.group(), ("", "", 0.0)), rest[match.end() :])
    for words in (2, 1):
        if match := re.match(rf"(?: [a-z°%µ]+[23]?\b){{{words}}}(?!-)", rest):
            name = match.group().strip()
            known = UNITS.get(name) or UNITS.get(" ".join(lemma(word) for word in name.split()))
            if known:
                return (*known, rest[match.end() :])
    return _count(rest)


def _count(rest: str) -> tuple[str, str, float, str]:
    nothing = ("", "", 0.0, "")
    stop = min((m.start() for m in (_MODIFIER.search(rest), _RATE.search(rest)) if m), default=len(rest))
    noun, rest = rest[:stop].split(), rest[stop:]
    if not noun:
        return nothing if rest.startswith(" of") else ("count:", "", 1.0, rest)
    if len(noun) > 4 or not all(re.fullmatch(r"[a-z][a-z'’-]+", word) for word in noun) or _VAGUE & set(noun):
        return nothing
    if ("times" in noun and len(noun) > 1) or _MONTHS.keys() & set(noun):  # "5 times faster", "12 March"
        return nothing
    head = lemma(noun[-1])
    if head not in UNITS or len(noun) == 1:
        return f"count:{head}", head, 1.0, rest
    if set(noun[:-1]) <= _WHOLE:
        return (*UNITS[head], rest)
    return f"count:{' '.join([*noun[:-1], head])}", head, 1.0, rest  # a working day is no day


def _finish(quantity: Quantity, rest: str) -> Quantity | None:
    """Read what stands after the unit: an aspect, a rate, a second part ("and 30 minutes"), an idle modifier."""
    if rest.strip() in _ASPECTS:
        return replace(quantity, aspect=rest.strip())
    if rate := _RATE.match(rest):
        below = _ADVERBS.get(rate[2] or "") or lemma(rate[1])
        kind, unit, factor = UNITS.get(below, ("", below, 1.0))
        over, factor = ("duration", factor) if kind == "duration" else (below, 1.0)
        dimension, named = f"{quantity.dimension}/{over}", f"{quantity.unit}/{unit if kind == 'duration' else below}"
        return _finish(
            replace(quantity, value=quantity.value / factor, dimension=dimension, unit=named), rest[rate.end() :]
        )
    if part := re.match(r"(?:,? and|,)? (\d.*|[a-z-]+ .+)", rest):
        value, after = _number(part[1])
        kind, _, factor, after = _unit(after) if value is not None else ("", "", 0.0, "")
        if value is not None and kind == quantity.dimension and value * factor < quantity.value and not after:
            return replace(quantity, value=quantity.value + value * factor)
    idle = _MODIFIER.match(rest) and not _RANGE.search(rest)
    return quantity if not rest.strip() or idle else None
