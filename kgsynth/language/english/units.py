"""The units of English quantities: their names, their dimension, and the factor to the base unit of the dimension.

Calendar units have their mean length (a year is 365.25 days, a month a twelfth of it); data sizes are decimal unless
named kibi, mebi and so on. Left out: units whose name has two meanings (gallon, ton, cent, cup).
"""

from __future__ import annotations

_HOUR, _DAY_S = 3600.0, 86400.0
_YEAR_S = 365.25 * _DAY_S
_MEASURES: dict[str, dict[str, tuple[float, str]]] = {
    "duration": {
        "nanosecond": (1e-9, "ns"), "microsecond": (1e-6, "µs us"), "millisecond": (1e-3, "ms"),
        "second": (1, "sec s"), "minute": (60, "min"), "hour": (_HOUR, "hr hrs h"), "day": (_DAY_S, ""),
        "week": (7 * _DAY_S, ""), "fortnight": (14 * _DAY_S, ""), "month": (_YEAR_S / 12, ""),
        "quarter": (_YEAR_S / 4, ""), "year": (_YEAR_S, "yr"), "decade": (10 * _YEAR_S, ""),
        "century": (100 * _YEAR_S, ""),
    },
    "length": {
        "millimetre": (1e-3, "millimeter mm"), "centimetre": (1e-2, "centimeter cm"), "metre": (1, "meter m"),
        "kilometre": (1e3, "kilometer km"), "inch": (0.0254, ""), "foot": (0.3048, "ft"), "yard": (0.9144, "yd"),
        "mile": (1609.344, "mi"),
    },
    "mass": {
        "milligram": (1e-6, "milligramme mg"), "gram": (1e-3, "gramme g"), "kilogram": (1, "kilogramme kilo kg"),
        "tonne": (1e3, "metric_ton"), "ounce": (0.028349523125, "oz"), "pound": (0.45359237, "lb"),
        "stone": (6.35029318, ""),
    },
    "area": {
        "square metre": (1, "square_meter sqm m2"), "square kilometre": (1e6, "square_kilometer km2"),
        "hectare": (1e4, "ha"), "square foot": (0.09290304, ""), "acre": (4046.8564224, ""),
        "square mile": (2589988.110336, ""),
    },
    "volume": {
        "millilitre": (1e-3, "milliliter ml"), "litre": (1, "liter l"), "cubic metre": (1e3, "cubic_meter m3"),
    },
    "temperature": {
        "degree Celsius": (1, "degree_centigrade degree_c deg_c °c"),
        "degree Fahrenheit": (5 / 9, "degree_f deg_f °f"), "kelvin": (1, ""),
    },
    "data": {
        "bit": (0.125, ""), "kilobit": (125, "kbit"), "megabit": (125e3, "mbit"), "gigabit": (125e6, "gbit"),
        "byte": (1, ""), "kilobyte": (1e3, "kb"), "megabyte": (1e6, "mb"), "gigabyte": (1e9, "gb"),
        "terabyte": (1e12, "tb"), "petabyte": (1e15, "pb"), "kibibyte": (2**10, "kib"), "mebibyte": (2**20, "mib"),
        "gibibyte": (2**30, "gib"), "tebibyte": (2**40, "tib"),
    },
    "power": {"watt": (1, "w"), "kilowatt": (1e3, "kw"), "megawatt": (1e6, "mw"), "gigawatt": (1e9, "gw")},
    "sound level": {"decibel": (1, "db")},
    "percentage": {"percent": (1, "% per_cent pct")},
}  # fmt: skip
_CURRENCIES = {
    "EUR": "€ eur euro", "USD": "us$ $ usd dollar us_dollar", "GBP": "£ gbp pound_sterling sterling",
    "CNY": "cny rmb yuan", "JPY": "¥ jpy yen", "CHF": "chf swiss_franc", "INR": "₹ inr rupee",
    "AUD": "a$ aud australian_dollar",
    "CAD": "c$ cad canadian_dollar", "SEK": "sek swedish_krona",
    "NOK": "nok norwegian_krone", "DKK": "dkk danish_krone", "ISK": "isk", "krone": "kr krone kroner krona kronor",
    "PLN": "pln zł zloty zlotys złoty", "CZK": "czk kč koruna", "BRL": "brl r$", "KRW": "krw ₩ won",
}  # fmt: skip
KRONER = frozenset(f"money:{code}" for code in ("krone", "SEK", "NOK", "DKK", "ISK"))
"""The currencies that a text may call kroner."""
_SPECIAL: dict[str, tuple[str, str, float]] = {
    "pence": ("money:GBP", "GBP", 0.01),
    "mph": ("length/duration", "mile/hour", 0.44704),
    "kph": ("length/duration", "kilometre/hour", 1 / 3.6),
    "kbps": ("data/duration", "kilobit/second", 125.0),
    "mbps": ("data/duration", "megabit/second", 125e3),
    "gbps": ("data/duration", "gigabit/second", 125e6),
    "percentage point": ("percentage point", "percentage point", 1.0),
}


def _table() -> dict[str, tuple[str, str, float]]:
    table = {}
    for dimension, units in _MEASURES.items():
        for unit, (factor, names) in units.items():
            for name in (unit, *names.split()):
                table[name.replace("_", " ").casefold()] = (dimension, unit, factor)
    for code, names in _CURRENCIES.items():
        for name in names.split():
            table[name.replace("_", " ")] = (f"money:{code}", code, 1.0)
    return table | _SPECIAL


UNITS = _table()
"""Name, lower-cased and singular -> dimension, unit, factor to the base unit."""
