import datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import constants

from kgsynth.base.quantity import Quantity
from kgsynth.language.english.morphology import singular
from kgsynth.language.english.number_words import digits
from kgsynth.language.english.quantities import quantity
from kgsynth.language.english.units import UNITS


def read(text: str) -> Quantity:
    found = quantity(text)
    assert found is not None, text
    return found


@pytest.mark.parametrize(
    ("text", "unit", "day"),
    [
        ("12 March 2019", "day", (2019, 3, 12)),
        ("on Tuesday, 12th of March 2019", "day", (2019, 3, 12)),
        ("March 12, 2019", "day", (2019, 3, 12)),
        ("2019-03-12", "day", (2019, 3, 12)),
        ("Mar. 2019", "month", (2019, 3, 1)),
        ("since March 2019", "month", (2019, 3, 1)),
        ("in 2019", "year", (2019, 1, 1)),
        ("2019", "year", (2019, 1, 1)),
        ("by 2019", "year", (2019, 1, 1)),
    ],
)
def test_dates_are_ordinal_days(text: str, unit: str, day: tuple[int, int, int]) -> None:
    found = read(text)
    assert (found.dimension, found.unit, found.value) == ("date", unit, datetime.date(*day).toordinal())
    assert found.text == text


@given(st.dates(min_value=datetime.date(1000, 1, 1), max_value=datetime.date(2999, 12, 31)))
def test_every_spelling_of_a_date_is_the_same_day(day: datetime.date) -> None:
    month = datetime.date(2000, day.month, 1).strftime("%B")
    for text in (day.isoformat(), f"{day.day} {month} {day.year}", f"{month} {day.day}, {day.year}"):
        assert read(text).value == day.toordinal()


@pytest.mark.parametrize(
    ("text", "seconds"),
    [
        ("14 months", 14 * 365.25 * 86400 / 12),
        ("two weeks", 14 * 86400),
        ("90 minutes", 5400),
        ("a year", 365.25 * 86400),
        ("half an hour", 1800),
        ("one and a half hours", 5400),
        ("2½ hours", 9000),
        ("2 hours and 30 minutes", 9000),
        ("twenty-four hours", 86400),
        ("200ms", 0.2),
        ("a 14-month probation", 14 * 365.25 * 86400 / 12),
        ("5 calendar days", 5 * 86400),
    ],
)
def test_durations_are_seconds(text: str, seconds: float) -> None:
    found = read(text)
    assert found.dimension == "duration"
    assert found.value == pytest.approx(seconds)


@pytest.mark.parametrize(
    ("unit", "factor"),
    [
        ("mile", constants.mile),
        ("yard", constants.yard),
        ("foot", constants.foot),
        ("inch", constants.inch),
        ("pound", constants.pound),
        ("ounce", constants.ounce),
        ("stone", constants.stone),
        ("tonne", 1000),
        ("acre", constants.acre),
        ("hectare", constants.hectare),
        ("mph", constants.mph),
        ("kph", constants.kmh),
        ("week", constants.week),
        ("year", constants.Julian_year),
        ("litre", constants.liter * 1000),
        ("gibibyte", constants.gibi),
        ("gigabyte", constants.giga),
    ],
)
def test_factors_agree_with_scipy(unit: str, factor: float) -> None:
    assert UNITS[unit][2] == pytest.approx(factor, rel=1e-9)


@pytest.mark.parametrize(
    ("celsius", "fahrenheit"), [("20 °C", "68°F"), ("-40 degrees Celsius", "−40 °F"), ("0 °C", "32 °F")]
)
def test_temperatures_meet_where_the_scales_do(celsius: str, fahrenheit: str) -> None:
    assert read(celsius).value == pytest.approx(read(fahrenheit).value)


@pytest.mark.parametrize(
    ("text", "value", "dimension"),
    [
        ("3 feet 6 inches", 42 * 0.0254, "length"),
        ("5 km", 5000, "length"),
        ("512MB", 512e6, "data"),
        ("4 GiB", 4 * 2**30, "data"),
        ("10 Mbps", 1.25e6, "data/duration"),
        ("10 MB/s", 1e7, "data/duration"),
        ("60 km/h", 60 / 3.6, "length/duration"),
        ("15%", 15, "percentage"),
        ("fifteen per cent of staff", 15, "percentage"),
        ("2 percentage points", 2, "percentage point"),
        ("€1,200", 1200, "money:EUR"),
        ("£3.5 million", 3.5e6, "money:GBP"),
        ("$5k", 5000, "money:USD"),
        ("EUR 300", 300, "money:EUR"),
        ("50 pence", 0.5, "money:GBP"),
        ("€12 per user", 12, "money:EUR/user"),
        ("38 people", 38, "count:person"),
        ("one person", 1, "count:person"),
        ("nine storerooms", 9, "count:storeroom"),
        ("the 2006 storerooms", 2006, "count:storeroom"),
        ("1500 people", 1500, "count:person"),
        ("one hundred and twenty full-time people in Leeds", 120, "count:person"),
        ("10 000 members of staff", 10000, "count:member"),
        ("5 working days", 5, "count:working day"),
        ("38", 38, "count:"),
        ("two million", 2e6, "count:"),
    ],
)
def test_measures_money_and_counts(text: str, value: float, dimension: str) -> None:
    found = read(text)
    assert (found.value, found.dimension) == (pytest.approx(value), dimension)


def test_rates_per_time_are_brought_to_one_time() -> None:
    assert read("€10 a month").value == pytest.approx(read("120 euros per year").value)
    assert read("€10 a month").dimension == "money:EUR/duration"


@pytest.mark.parametrize(
    ("text", "bound"),
    [
        ("about 38 people", "about"),
        ("roughly two weeks", "about"),
        ("at least 38 people", "at least"),
        ("up to 5 GB", "at most"),
        ("no more than 5 GB", "at most"),
        ("within two weeks", "at most"),
        ("more than 300 employees", "more than"),
        ("fewer than ten staff", "less than"),
        ("5+ years", "at least"),
        ("two years or more", "at least"),
        ("before 2019", "less than"),
        ("by 12 March 2019", "at most"),
        ("38 people", ""),
    ],
)
def test_bounds(text: str, bound: str) -> None:
    assert read(text).bound == bound


@pytest.mark.parametrize(
    "text",
    [
        "",
        "%",
        "€",
        "a",
        "half",
        "3 to 5 days",
        "3-5 days",
        "3–5 days",
        "between 3 and 5 days",
        "3 or 4 days",
        "two weeks ago",
        "14 months after signing",
        "the first two weeks",
        "version 3.12",
        "3.12.1",
        "Python 3",
        "several people",
        "hundreds of people",
        "a person",
        "38 people and dogs",
        "9 of the storerooms",
        "third floor",
        "2nd floor",
        "a second attempt",
        "a quarter of the staff",
        "12/03/2019",
        "31 February 2019",
        "24/7",
        "3:30",
        "1/2",
        "5 times faster",
        "at least about 5 days",
        "3,5 kg",
        "10 Mb",
        "5m",
        "10 m/s2",
        "300 K",
        "12 March",
        "the 1970s",
        "7 M",
        "3 will be",
        "the 2006 Leeds conflict",
    ],
)
def test_doubtful_text_is_not_read(text: str) -> None:
    assert quantity(text) is None


@given(st.text(max_size=40))
def test_any_text_is_read_or_refused(text: str) -> None:
    found = quantity(text)
    assert found is None or found.text == text
    digits(text)


@given(st.text(alphabet="0123456789 .,-/:½€%°kmthousand", max_size=20))
def test_numbers_in_disorder_are_read_or_refused(text: str) -> None:
    found = quantity(text)
    assert found is None or found.value == found.value


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Nine storerooms", "9 storerooms"),
        ("two million euros", "2000000 euros"),
        ("2 million", "2000000"),
        ("1,200", "1200"),
        ("a second attempt", "a second attempt"),
        ("ninety-nine, then", "99, then"),
    ],
)
def test_digits(text: str, expected: str) -> None:
    assert digits(text) == expected


@pytest.mark.parametrize(
    "pair",
    [
        ("person", "people"),
        ("storeroom", "storerooms"),
        ("company", "companies"),
        ("class", "classes"),
        ("box", "boxes"),
        ("branch", "branches"),
        ("woman", "women"),
        ("bus", "bus"),
        ("analysis", "analysis"),
    ],
)
def test_both_numbers_of_a_noun_have_one_lemma(pair: tuple[str, str]) -> None:
    assert singular(pair[0]) == singular(pair[1])
