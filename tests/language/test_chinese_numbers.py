"""Numbers, dates and quantities in Chinese text."""

from __future__ import annotations

import datetime

import pytest

from kgsynth.base.quantity import Quantity
from kgsynth.language.chinese import digits, quantity

DAY = 86_400.0


def read(text: str) -> Quantity:
    found = quantity(text)
    assert found is not None, text
    return found


@pytest.mark.parametrize(
    ("text", "plain"),
    [
        ("二〇一八年", "2018年"),
        ("二零一八年三月五日", "2018年3月5日"),
        ("三百二十人", "320人"),
        ("一万二千元", "12000元"),
        ("3万", "30000"),
        ("1.5亿", "150000000"),
        ("1亿5000万元", "150000000元"),
        ("1,200人", "1200人"),
        ("百分之五", "5%"),
        ("百分之三点五", "3.5%"),
        ("三分之二", "2/3"),
        ("第三季度", "第3季度"),
        ("两周内", "2周内"),
        ("３８名員工", "38名员工"),
        ("三万臺", "30000台"),
        ("一点五倍", "1.5倍"),
    ],
)
def test_numbers_become_digits(text: str, plain: str) -> None:
    assert digits(text) == plain


@pytest.mark.parametrize(
    "text",
    ["三亚", "统一天下", "十分重要", "万一", "一般", "几十个", "十几人", "五四运动", "三四天", "一个港口", "二氧化碳"],
)
def test_characters_of_a_word_are_no_number(text: str) -> None:
    assert digits(text) == text


def test_a_character_before_a_unit_of_length_is_no_scale() -> None:
    assert digits("三千米") == "3千米"
    assert read("3千米").value == read("三公里").value == 3000


@pytest.mark.parametrize(
    ("text", "dimension", "value", "bound"),
    [
        ("两周内", "duration", 14 * DAY, "at most"),
        ("半年", "duration", 365.25 * DAY / 2, ""),
        ("两年半", "duration", 365.25 * DAY * 2.5, ""),
        ("一个半小时", "duration", 5400, ""),
        ("两小时三十分", "duration", 9000, ""),
        ("约3公里", "length", 3000, "about"),
        ("至少3天", "duration", 3 * DAY, "at least"),
        ("50米以上", "length", 50, "at least"),
        ("不到三小时", "duration", 10_800, "less than"),
        ("超过1800个", "count:", 1800, "more than"),
        ("3天左右", "duration", 3 * DAY, "about"),
        ("3.5万元人民币", "money:CNY", 35_000, ""),
        ("￥300", "money:CNY", 300, ""),
        ("300美元", "money:USD", 300, ""),
        ("五名员工", "count:员工", 5, ""),
        ("38人", "count:人", 38, ""),
        ("5个工作日", "count:工作日", 5, ""),
        ("百分之五", "percentage", 5, ""),
        ("3个百分点", "percentage point", 3, ""),
        ("零下5摄氏度", "temperature", 268.15, ""),
        ("每小时60公里", "length/duration", 60_000 / 3600, ""),
        ("60公里/小时", "length/duration", 60_000 / 3600, ""),
        ("4GB", "data", 4e9, ""),
    ],
)
def test_a_quantity_is_read_with_dimension_and_bound(text: str, dimension: str, value: float, bound: str) -> None:
    found = read(text)
    assert (found.dimension, found.bound, found.text) == (dimension, bound, text)
    assert found.value == pytest.approx(value)


@pytest.mark.parametrize(
    "text",
    [
        "三到五天",
        "3-5天",
        "3至5天",
        "3~5天",
        "3、4天",
        "几十个",
        "三十多人",
        "两周前",
        "3日",
        "第3次",
        "3.1.2",
        "版本3",
        "第三季度",
    ],
)
def test_what_is_vague_or_several_is_no_quantity(text: str) -> None:
    assert quantity(text) is None


@pytest.mark.parametrize(
    ("text", "first", "unit", "bound"),
    [
        ("2018年3月5日", datetime.date(2018, 3, 5), "day", ""),
        ("2018年3月5号星期一", datetime.date(2018, 3, 5), "day", ""),
        ("2018-03-05", datetime.date(2018, 3, 5), "day", ""),
        ("２０１８年３月", datetime.date(2018, 3, 1), "month", ""),
        ("二〇一八年", datetime.date(2018, 1, 1), "year", ""),
        ("2018年第三季度", datetime.date(2018, 7, 1), "quarter", ""),
        ("2018年底", datetime.date(2018, 1, 1), "year", ""),
        ("2018年以前", datetime.date(2018, 1, 1), "year", "less than"),
        ("截至2018年", datetime.date(2018, 1, 1), "year", "at most"),
        ("公元618年", datetime.date(618, 1, 1), "year", ""),
    ],
)
def test_a_date_is_read_with_its_unit(text: str, first: datetime.date, unit: str, bound: str) -> None:
    found = read(text)
    assert (found.dimension, found.unit, found.bound) == ("date", unit, bound)
    assert datetime.date.fromordinal(int(found.value)) == first


def test_a_date_without_a_year_or_with_an_impossible_day_is_none() -> None:
    assert quantity("3月5日") is None
    assert quantity("2018年2月30日") is None
