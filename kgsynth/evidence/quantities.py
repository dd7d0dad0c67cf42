"""Compare and subtract quantities; the language packages read them from text."""

from __future__ import annotations

import datetime

from kgsynth.base.quantity import UNEVEN, Quantity, TimeUnit
from kgsynth.base.thresholds import LIMITS
from kgsynth.language import nearest_language


def comparable(a: Quantity, b: Quantity) -> bool:
    """Check whether it is certain which of two quantities is greater, or that they are equal.

    It is not for different dimensions or aspects, different bounds, dates that contain each other, and values that are
    too close for their precision: one is "about", or months are compared with days.

    Example:
        >>> from kgsynth.language import language
        >>> read = language("en").quantity
        >>> comparable(read("14 months"), read("two years"))
        True
        >>> comparable(read("up to 5 GB"), read("at least 3 GB"))
        False
    """
    if a.dimension != b.dimension or (a.aspect and b.aspect and a.aspect != b.aspect):
        return False
    if a.bound != b.bound and {a.bound, b.bound} != {"", "about"}:
        return False
    if a.dimension == "date" and a.unit != b.unit:
        return a.value >= b.value + _days(b) or b.value >= a.value + _days(a)
    margin = LIMITS.about_margin if a.bound != b.bound else 0.0
    if a.dimension.endswith("duration") and (_last_unit(a) in UNEVEN) != (_last_unit(b) in UNEVEN):
        margin = max(margin, LIMITS.uneven_month_margin)
    return margin == 0.0 or abs(a.value - b.value) > margin * max(abs(a.value), abs(b.value))


def difference(lesser: Quantity, greater: Quantity, code: str) -> str | None:
    """Return the difference of two exact quantities of one unit, worded like the greater; None if it is uncertain.

    ``code`` is the language of the answer. Dates differ by years, months or days, the unit in which both are given.

    Example:
        >>> from kgsynth.language import language
        >>> read = language("en").quantity
        >>> difference(read("14 months"), read("30 months"), "en"), difference(read("1987"), read("1998"), "en")
        ('16 months', '11 years')
        >>> difference(read("€80"), read("€1,480"), "en"), difference(read("14 months"), read("two years"), "en")
        ('€1,400', None)
    """
    exact = not (lesser.bound or greater.bound or lesser.aspect or greater.aspect)
    comparable_units = (lesser.dimension, lesser.unit) == (greater.dimension, greater.unit)
    if not exact or not comparable_units or "/" in lesser.unit or lesser.dimension.startswith("percentage"):
        return None
    if lesser.dimension == "date":
        return nearest_language(code).amount(_time_between(lesser, greater), greater)
    return nearest_language(code).amount(greater.value - lesser.value, greater)


def _time_between(lesser: Quantity, greater: Quantity) -> int:
    """Return the years, months or days between two dates that are given in this unit."""
    first, second = (datetime.date.fromordinal(int(date.value)) for date in (lesser, greater))
    if greater.unit == TimeUnit.DAY:
        return (second - first).days
    years = second.year - first.year
    return years if greater.unit == TimeUnit.YEAR else 12 * years + second.month - first.month


def _last_unit(quantity: Quantity) -> str:
    return quantity.unit.rsplit("/", 1)[-1]


def _days(date: Quantity) -> int:
    """Return the number of days in a day, month or year."""
    first = datetime.date.fromordinal(int(date.value))
    if date.unit == TimeUnit.DAY:
        return 1
    through_december = date.unit == TimeUnit.YEAR or first.month == 12
    year, month = (first.year + 1, 1) if through_december else (first.year, first.month + 1)
    return datetime.date(year, month, 1).toordinal() - first.toordinal()
