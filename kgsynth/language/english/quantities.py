"""Quantities in English prose: dates, durations, measures, money, shares and counts.

Reading is strict: a text that cannot be read completely and without doubt is not a quantity ("3 to 5 days", "two weeks
ago", "version 3.12", "several people"). Left out: ordinals and clock times.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import replace

from kgsynth.base.quantity import Quantity
from kgsynth.base.thresholds import LIMITS
from kgsynth.language.english.dates import MONTHS, bound_words, read_date
from kgsynth.language.english.lexicon import WORDS
from kgsynth.language.english.morphology import singular
from kgsynth.language.english.number_words import leading_number
from kgsynth.language.english.units import UNITS

_BOUNDS, _OPENING = bound_words(
    {
        "about": "about around approximately roughly nearly almost some circa ca. c. approx. ~ ≈",
        "at least": "at_least no_less_than no_fewer_than not_less_than a_minimum_of from >= ≥",
        "at most": "at_most up_to no_more_than not_more_than a_maximum_of within <= ≤",
        "more than": "more_than over above greater_than exceeding >",
        "less than": "less_than fewer_than under below <",
        "": "for in at on by of to with after during only just exactly the a_total_of",
    }
)
_BITS_OR_BYTES = re.compile(r"\d\s*[KMG]b\b|^[^$€£¥₹]*\d\s*M\b")
"""Bits or bytes, mega or million: the text does not say."""
_CURRENCY_SIGN = re.compile(r"([a-z]{3}(?=[ \d])|[a-z]{0,2}[€$£¥₹])\s*(?=\d)")
_OR_MORE = re.compile(r"\s+or (more|over|less|fewer|under)\b")
_MODIFIER = re.compile(r"\s+(?:of|in|at|on|for|with|across|among|worldwide|overall|who|that|which)\b")
_RATE_ADVERBS = {
    "annually": "year",
    "yearly": "year",
    "monthly": "month",
    "weekly": "week",
    "daily": "day",
    "hourly": "hour",
}
_RATE = re.compile(rf"\s*(?:\s(?:per|an?|each|every)\s+|/\s*)([a-z]+)\b|\s+({'|'.join(_RATE_ADVERBS)})\b")
_RANGE = re.compile(r"\d\s*(?:-|–|to|or)\s*\d")
_ZERO_POINTS = {"degree Celsius": 273.15, "degree Fahrenheit": 459.67 * 5 / 9}
_UnitReading = tuple[str, str, float, str]  # dimension ("" for none), name, factor to the base unit, rest of the text


def quantity(text: str) -> Quantity | None:
    """Return the one quantity that ``text`` states, or None when it states none, several, or a vague one.

    Example:
        >>> quantity("about two weeks")
        Quantity(value=1209600.0, dimension='duration', unit='week', text='about two weeks', bound='about', aspect='')
        >>> quantity("38 people in Leeds").dimension
        'count:person'
        >>> quantity("€3.5 million").value
        3500000.0
        >>> quantity("three to five days") is None
        True
    """
    if _BITS_OR_BYTES.search(text):
        return None
    folded = _folded(text)
    found = read_date(folded) or _measure(folded)
    return replace(found, text=text) if found else None


def _folded(text: str) -> str:
    text = unicodedata.normalize("NFKC", re.sub(r"(?<=\d)(?=[½¼¾⅓⅔])", " ", text)).casefold()
    text = " ".join(text.replace("−", "-").replace("“", "").replace("”", "").strip(" \"'.,;:").split())
    return re.sub(r"(?<=\d)\s+(?=[%°])", "", text)


# ---- measures, money, counts -----------------------------------------------------------------------


def _measure(text: str) -> Quantity | None:
    bound, rest = _bound(text)
    sign = _CURRENCY_SIGN.match(rest)
    currency = UNITS.get(sign[1]) if sign else None
    if sign and not (currency and currency[0].startswith("money")):
        return None
    opening = rest[sign.end() :] if sign else rest
    value, rest = leading_number(opening, money=currency is not None)
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
    found = Quantity(value * factor + _ZERO_POINTS.get(unit, 0.0), dimension, unit, text, bound)
    return _with_ending(found, rest)


def _bound(text: str) -> tuple[str | None, str]:
    """Return the bound the text opens with and the rest; None when it opens with two different bounds."""
    bound: str | None = ""
    while match := _OPENING.match(text):
        opened = _BOUNDS[match[1]]
        bound = None if bound is None or (bound and opened and bound != opened) else bound or opened
        text = text[match.end() :]
    return bound, text


def _unit(rest: str) -> _UnitReading:
    """Return the unit of what follows a number, and the rest; the dimension is "" for none."""
    if match := re.match(r"-([a-z]+)(?:[ -].*|$)", rest):  # "a 14-month probation": what is measured does not matter
        return (*UNITS.get(singular(match[1]), ("", "", 0.0)), "")
    if match := re.match(r"(?:%|°[cf]\b|[a-zµ]+[23]?)", rest):  # "4gb"; "5m" may be metres, minutes or millions
        return (*UNITS.get("" if match.group() == "m" else match.group(), ("", "", 0.0)), rest[match.end() :])
    for words in (2, 1):
        if match := re.match(rf"(?: [a-z°%µ]+[23]?\b){{{words}}}(?!-)", rest):
            name = match.group().strip()
            known = UNITS.get(name) or UNITS.get(" ".join(singular(word) for word in name.split()))
            if known:
                return (*known, rest[match.end() :])
    return _counted(rest)


def _counted(rest: str) -> _UnitReading:
    """Return the thing that is counted as a unit of its own: "count:person"."""
    nothing = ("", "", 0.0, "")
    stop = min((m.start() for m in (_MODIFIER.search(rest), _RATE.search(rest)) if m), default=len(rest))
    noun, rest = rest[:stop].split(), rest[stop:]
    if not noun:
        return nothing if rest.startswith(" of") else ("count:", "", 1.0, rest)
    if len(noun) > LIMITS.counted_noun_words or not all(re.fullmatch(r"[a-z][a-z'’-]+", word) for word in noun):
        return nothing
    if WORDS["not_counted"] & set(noun):
        return nothing
    if ("times" in noun and len(noun) > 1) or MONTHS.keys() & set(noun):  # "5 times faster", "12 March"
        return nothing
    head = singular(noun[-1])
    if head not in UNITS or len(noun) == 1:
        return f"count:{head}", head, 1.0, rest
    if set(noun[:-1]) <= WORDS["complete"]:
        return (*UNITS[head], rest)
    return f"count:{' '.join([*noun[:-1], head])}", head, 1.0, rest  # working days are counted, not measured


def _with_ending(found: Quantity, rest: str) -> Quantity | None:
    """Read what follows the unit: an aspect, a rate, a second part ("and 30 minutes"), an idle modifier."""
    if rest.strip() in WORDS["aspects"]:
        return replace(found, aspect=rest.strip())
    if rate := _RATE.match(rest):
        return _with_ending(_per(found, _RATE_ADVERBS.get(rate[2] or "") or singular(rate[1])), rest[rate.end() :])
    if part := re.match(r"(?:,? and|,)? (\d.*|[a-z-]+ .+)", rest):
        value, after = leading_number(part[1])
        dimension, _, factor, after = _unit(after) if value is not None else ("", "", 0.0, "")
        if value is not None and dimension == found.dimension and value * factor < found.value and not after:
            return replace(found, value=found.value + value * factor)
    idle = _MODIFIER.match(rest) and not _RANGE.search(rest)
    return found if not rest.strip() or idle else None


def _per(found: Quantity, denominator: str) -> Quantity:
    """Return a quantity as a rate: per second for a unit of time, else per thing counted."""
    dimension, unit, factor = UNITS.get(denominator, ("", denominator, 1.0))
    if dimension != "duration":
        dimension, unit, factor = denominator, denominator, 1.0
    named = f"{found.unit}/{unit}"
    return replace(found, value=found.value / factor, dimension=f"{found.dimension}/{dimension}", unit=named)
