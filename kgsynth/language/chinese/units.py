"""The units of Chinese quantities, currencies and measure words: dimension, name, factor to the base unit.

Calendar units have their mean length (a year is 365.25 days, a month a twelfth of it); data sizes are decimal unless
named KiB, MiB and so on. Left out: units with two meanings (度, 分, 两,).
"""

from __future__ import annotations

_HOUR, _DAY_S = 3600.0, 86400.0
_YEAR_S = 365.25 * _DAY_S
_MEASURES: dict[str, dict[str, tuple[float, str]]] = {
    "duration": {
        "nanosecond": (1e-9, "纳秒 ns"), "microsecond": (1e-6, "微秒 µs us"), "millisecond": (1e-3, "毫秒 ms"),
        "second": (1, "秒 秒钟 s"), "minute": (60, "分钟 min"), "hour": (_HOUR, "小时 个小时 钟头 个钟头 h"),
        "day": (_DAY_S, "天"), "week": (7 * _DAY_S, "周 星期 个星期 礼拜 个礼拜"), "month": (_YEAR_S / 12, "个月"),
        "quarter": (_YEAR_S / 4, "个季度"), "year": (_YEAR_S, "年"), "century": (100 * _YEAR_S, "世纪 个世纪"),
    },
    "length": {
        "nanometre": (1e-9, "纳米 nm"), "micrometre": (1e-6, "微米 µm"), "millimetre": (1e-3, "毫米 mm"),
        "centimetre": (1e-2, "厘米 公分 cm"), "decimetre": (0.1, "分米 dm"), "metre": (1, "米 公尺 m"),
        "kilometre": (1e3, "公里 千米 km"), "li": (500, "华里"), "inch": (0.0254, "英寸 英吋"),
        "foot": (0.3048, "英尺 英呎"), "mile": (1609.344, "英里"), "nautical mile": (1852, "海里"),
    },
    "mass": {
        "milligram": (1e-6, "毫克 mg"), "gram": (1e-3, "克 g"), "kilogram": (1, "公斤 千克 kg"), "jin": (0.5, "市斤"),
        "tonne": (1e3, "吨 公吨"), "pound": (0.45359237, "磅"), "ounce": (0.028349523125, "盎司"),
    },
    "area": {
        "square centimetre": (1e-4, "平方厘米 cm2"), "square metre": (1, "平方米 平方公尺 平米 m2"),
        "square kilometre": (1e6, "平方公里 平方千米 km2"), "hectare": (1e4, "公顷"), "mu": (10000 / 15, "亩"),
    },
    "volume": {
        "millilitre": (1e-3, "毫升 ml"), "litre": (1, "升 公升 l"), "cubic metre": (1e3, "立方米 立方公尺 m3"),
    },
    "temperature": {
        "degree Celsius": (1, "摄氏度 °c"), "degree Fahrenheit": (5 / 9, "华氏度 °f"), "kelvin": (1, "开尔文"),
    },
    "data": {
        "bit": (0.125, "比特"), "byte": (1, "字节"), "kilobyte": (1e3, "kb 千字节"), "megabyte": (1e6, "mb 兆字节"),
        "gigabyte": (1e9, "gb 吉字节"), "terabyte": (1e12, "tb 太字节"), "petabyte": (1e15, "pb"),
        "kibibyte": (2**10, "kib"), "mebibyte": (2**20, "mib"), "gibibyte": (2**30, "gib"), "tebibyte": (2**40, "tib"),
    },
    "power": {"watt": (1, "瓦 瓦特 w"), "kilowatt": (1e3, "千瓦 kw"), "megawatt": (1e6, "兆瓦 mw")},
    "sound level": {"decibel": (1, "分贝 db")},
    "percentage": {"percent": (1, "%"), "permille": (0.1, "‰")},
    "percentage point": {"percentage point": (1, "个百分点")},
    "money:CNY": {"CNY": (1, "元 块 块钱 元人民币 人民币 cny rmb")},
    "money:USD": {"USD": (1, "美元 美金 usd")},
    "money:EUR": {"EUR": (1, "欧元 eur")},
    "money:GBP": {"GBP": (1, "英镑 gbp")},
    "money:JPY": {"JPY": (1, "日元 日圆 jpy")},
    "money:HKD": {"HKD": (1, "港元 港币 hkd")},
    "money:TWD": {"TWD": (1, "新台币 台币 元新台币 twd")},
    "money:KRW": {"KRW": (1, "韩元 韩圆 krw")},
    "money:AUD": {"AUD": (1, "澳元 澳大利亚元 aud")},
    "money:CAD": {"CAD": (1, "加元 加拿大元 cad")},
    "money:CHF": {"CHF": (1, "瑞士法郎 chf")},
    "money:RUB": {"RUB": (1, "卢布 rub")},
}  # fmt: skip
CURRENCIES = {
    "¥": "元", "人民币": "元", "rmb": "元", "cny": "元", "us$": "美元", "$": "美元", "美元": "美元", "usd": "美元",
    "€": "欧元", "欧元": "欧元", "£": "英镑", "hk$": "港元", "港币": "港元", "港元": "港元", "nt$": "新台币",
    "新台币": "新台币", "台币": "新台币",
}  # fmt: skip
"""What stands before a sum of money -> the unit that stands after one."""


def _table() -> dict[str, tuple[str, str, float]]:
    return {
        name: (dimension, unit, factor)
        for dimension, units in _MEASURES.items()
        for unit, (factor, names) in units.items()
        for name in names.split()
    }


UNITS = _table()
"""Name in simplified characters and lower case -> dimension, unit, factor to the base unit."""
