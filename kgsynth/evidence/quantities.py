"""Compare quantities; the language packages read them from text."""

from __future__ import annotations

import datetime

from kgsynth.base.quantity import UNEVEN, Quantity, TimeUnit
from kgsynth.base.thresholds import LIMITS


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
