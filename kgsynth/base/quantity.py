"""A quantity as a language package reads it from text: a value in base units, and how exactly it is given."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class TimeUnit(StrEnum):
    """The units of time that dates are given in; the names are the same in every language."""

    DAY = "day"
    MONTH = "month"
    QUARTER = "quarter"
    YEAR = "year"


@dataclass(frozen=True, slots=True)
class Quantity:
    """A quantity read from text.

    ``value`` is in the base unit of ``dimension``: the proleptic ordinal day for "date" (the first day of a month or
    year), seconds for "duration", metres, kilograms, square metres, litres, kelvins, bytes, watts, percent, the
    currency of "money:EUR", pieces of "count:person" ("count:" for a bare number). A rate has its denominator
    after a slash, "money:EUR/duration", and is per second then. ``unit`` is the name of the unit in the text, the same
    for all its spellings; ``bound`` is "" or about, at least, at most, more than, less than; ``aspect`` is an adjective
    of measure such as "long".
    """

    value: float
    dimension: str
    unit: str
    text: str
    bound: str = ""
    aspect: str = ""
