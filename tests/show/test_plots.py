"""Plots: the data are in the SVG and the CSV, the colours are those of the page, the bytes are always the same."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable

import pytest
from bs4 import BeautifulSoup

from kgsynth.show.pages import Report
from kgsynth.show.plots import Plot, bars, columns, funnel, histogram, matrix, scatter, whiskers

LABEL = "a label <b> & more $x$ than has room in it"
DRAWINGS: dict[str, Callable[[], Plot]] = {
    "bars": lambda: bars("p", "T", {"simple": 24, LABEL: 12}, wanted={"simple": 24, LABEL: 14}, axis="questions"),
    "funnel": lambda: funnel("p", "T", [("candidates", 9), ("style", -5), ("valid", 4)]),
    "whiskers": lambda: whiskers("p", "T", [("recall@5", 0.5, (0.4, 0.7)), ("mrr", 0.1, None)], zero=True),
    "scatter": lambda: scatter("p", "T", [(0.0, 1.0, "q-1"), (0.0, 1.0, "q-2")], axes=("A", "B"), diagonal=True),
    "histogram": lambda: histogram("p", "T", [1, 1, 2, 7], axis="words"),
    "matrix": lambda: matrix("p", "T", ["simple"], ["easy", "hard"], [[1.0, None]]),
    "nothing": lambda: bars("p", "T", {}),
}


def words(plot: Plot) -> list[str]:
    return [text.get_text() for text in BeautifulSoup(plot.svg, "html.parser").find_all("text")]


def table(plot: Plot) -> list[list[str]]:
    return list(csv.reader(io.StringIO(plot.csv)))


@pytest.mark.parametrize("name", DRAWINGS)
def test_the_same_data_give_the_same_bytes_in_the_colours_of_the_page(name: str) -> None:
    plot, again = DRAWINGS[name](), DRAWINGS[name]()
    assert (plot.svg, plot.png, plot.csv) == (again.svg, again.png, again.csv)
    assert plot.png.startswith(b"\x89PNG")
    assert "#1d2327" not in plot.svg and "font-family" not in plot.svg
    assert "<metadata" not in plot.svg and "<?xml" not in plot.svg


def test_a_bar_has_its_number_the_wanted_number_and_a_text_label() -> None:
    drawn = words(DRAWINGS["bars"]())
    assert {"simple", "24", "12 of 14", "questions"} <= set(drawn)
    assert "a label <b> & …as room in it" in drawn, "shortened in the middle, and not read as a formula"


def test_a_label_in_chinese_leaves_room_for_its_bar_and_its_csv_opens_in_excel() -> None:
    label = "产品/" + "农业物联网土壤传感器安装维护" * 3 + ".md"
    plot = bars("p", "T", {label: 3})
    (shown,) = (word for word in words(plot) if "…" in word)
    assert shown == "产品/农业物联…器安装维护.md", "two places for each character: 13 before the dots, 13 behind"
    assert dict(Report("", (plot,)).files())["plots/p.csv"].startswith(b"\xef\xbb\xbf")
    assert not dict(Report("", (DRAWINGS["funnel"](),)).files())["plots/p.csv"].startswith(b"\xef")


def test_a_loss_is_drawn_with_its_number() -> None:
    assert {"candidates", "9", "−5", "4"} <= set(words(DRAWINGS["funnel"]()))


def test_the_csv_has_the_intervals_and_empty_cells_without_one() -> None:
    plot = DRAWINGS["whiskers"]()
    assert table(plot)[1:] == [["recall@5", "0.5", "0.4", "0.7"], ["mrr", "0.1", "", ""]]
    assert {"+0.500", "+0.100"} <= set(words(plot))
    assert "var(--good)" in plot.svg, "an interval above zero"


def test_a_histogram_counts_every_value() -> None:
    assert sum(int(count) for _, _, count in table(DRAWINGS["histogram"]())[1:]) == 4


def test_two_plots_of_one_page_have_no_common_id() -> None:
    one, other = (whiskers(name, "T", [("mrr", 0.5, (0.4, 0.6))]).svg for name in ("one", "two"))
    ids = [{tag["id"] for tag in BeautifulSoup(svg, "html.parser").find_all(id=True)} for svg in (one, other)]
    assert ids[0] and not ids[0] & ids[1]


def tips(name: str) -> list[str]:
    marks = BeautifulSoup(DRAWINGS[name]().svg, "html.parser").select("g.mark > title")
    return [mark.get_text() for mark in marks]


def test_every_mark_has_a_tooltip_with_its_whole_label() -> None:
    assert tips("bars") == ["simple: 24, wanted 24", f"{LABEL}: 12, wanted 14"]
    assert tips("funnel") == ["candidates: 9", "style: −5, 4 are left", "valid: 4"]
    assert tips("whiskers") == ["recall@5: +0.500, 95 % interval 0.400 to 0.700", "mrr: +0.100"]
    assert tips("scatter") == ["A 0, B 1: q-1, q-2"]
    assert tips("histogram")[0] == "1 to 2: 2" and len(tips("histogram")) == 6
    assert tips("matrix") == ["simple, easy: 1"]
    assert columns("p", "T", {"4": 2, "5": 1}).svg.count('class="mark"') == 2


def test_control_characters_of_a_label_are_symbols() -> None:
    plot = bars("a", "Documents", {"a\x1b[31mb\u202e.md": 2})
    assert "a␛[31mb«U+202E».md" in plot.svg and "\x1b" not in plot.svg and "\u202e" not in plot.svg


def test_a_label_cannot_leave_its_tooltip() -> None:
    svg = bars("p", "T", {'"><script>alert(1)</script>': 1}).svg
    assert BeautifulSoup(svg, "html.parser").script is None
