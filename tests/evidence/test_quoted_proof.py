"""The proof of an answer by quotes: figures, names and computations, and where a quote stands."""

from __future__ import annotations

import re
from typing import Any

import pytest
from planted import document

from kgsynth.base.records import Document
from kgsynth.documents.assembly import assemble
from kgsynth.documents.readers import markdown
from kgsynth.evidence.derivation import recompute
from kgsynth.evidence.derivation_steps import DerivationError
from kgsynth.evidence.quoted_proof import computed_values, evaluated, unproved
from kgsynth.generation.asking.proof import around_quote, find_quote

LEAVE = "Staff have 25 days of leave. Ten of them may be carried over, says Ada Low."
PAGE = document("leave.md", LEAVE, [("Leave in Norway", 1, 0)])


@pytest.mark.parametrize(
    ("answer", "missing"),
    [
        ("They have 25 days.", ""),
        ("They have twenty-five days.", ""),
        ("They have 26 days.", "26"),
        ("They have twenty-six days.", "26"),
        ("They differ in two ways.", ""),
        ("It is said by Ada Low.", ""),
        ("It is said by Bea Low.", "Bea"),
        ("Use `carry_over` for it.", "`carry_over`"),
        ("In Norway they have 25 days.", "Norway"),
        ("Ten may be carried over.", ""),
    ],
)
def test_figures_and_names_must_be_in_a_source(answer: str, missing: str) -> None:
    assert unproved(answer, [LEAVE], "en") == missing


def test_thousands_are_one_figure_however_they_are_written() -> None:
    assert unproved("It costs 1200 euros.", ["It costs 1,200 euros."], "en") == ""
    assert unproved("Version 3.1.2 does.", ["Version 3.1 does."], "en") == "3.1.2"


def test_chinese_text_needs_its_figures_and_latin_names() -> None:
    assert unproved("员工有25天假期。", ["员工每年有 25 天假期"], "zh") == ""
    assert unproved("员工有26天假期。", ["员工每年有 25 天假期"], "zh") == "26"
    assert unproved("使用 OpenAI 的接口。", ["使用接口"], "zh") == "OpenAI"


def derivation(answer: str, quotes: list[str], **more: Any) -> dict[str, Any]:
    places = [{"doc": PAGE.id, "start": LEAVE.index(each), "end": LEAVE.index(each) + len(each)} for each in quotes]
    steps = [{"claim": n, "quote": place} for n, place in enumerate(places)]
    return {"operator": "quoted", "answer": answer, "steps": steps, **more}


def test_a_derivation_yields_its_answer_if_quotes_and_headings_hold_all_of_it() -> None:
    told = derivation("In Norway, staff have 25 days.", ["Staff have 25 days"])
    assert recompute(told, {PAGE.id: PAGE}) == ("In Norway, staff have 25 days.",)


def test_a_figure_may_come_from_the_question() -> None:
    answer = "After 5 years they have 25 days."
    with pytest.raises(DerivationError, match="'5' of the answer is in none of its quotes"):
        recompute(derivation(answer, ["25 days"]), {PAGE.id: PAGE})
    given = derivation(answer, ["25 days"], given=["What have staff after 5 years?"])
    assert recompute(given, {PAGE.id: PAGE}) == (answer,)


def test_a_computed_figure_is_computed_again() -> None:
    quotes, computation = ["25 days", "Ten of them"], {"value": "15", "expression": "25 - 10"}
    assert recompute(derivation("15 lapse.", quotes, computed=[computation]), {PAGE.id: PAGE}) == ("15 lapse.",)
    with pytest.raises(DerivationError, match="'25 - 10' is 15, not '16'"):
        recompute(derivation("16 lapse.", quotes, computed=[{**computation, "value": "16"}]), {PAGE.id: PAGE})
    with pytest.raises(DerivationError, match="'9' of the computation '25 - 9' is in none of its quotes"):
        recompute(derivation("16 lapse.", quotes, computed=[{"value": "16", "expression": "25 - 9"}]), {PAGE.id: PAGE})


@pytest.mark.parametrize(
    ("changed", "reason"),
    [
        ({"answer": 3}, "the answer of the operator 'quoted' is 3, not a text"),
        ({"steps": [{"claim": 0, "quote": {"doc": "b.md", "start": 0, "end": 3}}]}, "the document 'b.md' of a quote"),
        ({"steps": [{"claim": 0, "quote": {"doc": "leave.md", "start": 0, "end": 999}}]}, r"a quote is \[0, 999\)"),
        ({"steps": [{"claim": 0}]}, "the quote is None, not a span"),
        ({"steps": []}, "has 0 steps and needs 1 or more"),
        ({"given": "5"}, "'given' is '5', not a list of texts"),
        ({"computed": ["25"]}, "not a list of objects"),
    ],
)
def test_a_malformed_derivation_says_why(changed: dict[str, Any], reason: str) -> None:
    with pytest.raises(DerivationError, match=reason):
        recompute({**derivation("Staff have 25 days.", ["25 days"]), **changed}, {PAGE.id: PAGE})


@pytest.mark.parametrize("expression", ["__import__('os')", "25 days", "1 / 0", "2 ** 9", "", "(" * 200])
def test_only_arithmetic_is_computed(expression: str) -> None:
    with pytest.raises(DerivationError, match="is not a computation with numbers"):
        evaluated(expression)


def test_a_computation_may_use_an_earlier_one() -> None:
    steps = [{"value": "15", "expression": "25 - 10"}, {"value": "30 days", "expression": "15 * 2"}]
    with pytest.raises(DerivationError, match="'2' of the computation"):
        computed_values(steps, [LEAVE], "en")
    assert computed_values(steps, [LEAVE, "twice, or 2 times"], "en") == ["15", "30 days"]


# ---- where a quote stands ----------------------------------------------------------------------------

TEXT = (
    "# Leave\n\nStaff have **25 days** of [paid leave](pay.md) – “a lot”.\n\n- one day\n  more\n\nLong " + "word " * 80
)


def page() -> Document:
    return assemble(markdown.read(TEXT), id="leave.md", format=".md", sha256="0")


@pytest.mark.parametrize(
    ("quote", "found"),
    [
        ("have **25 days** of", "have **25 days** of"),
        ("have 25 days of paid leave", "have **25 days** of [paid leave"),
        ('leave](pay.md) - "a lot"', "leave](pay.md) – “a lot”"),
        ("one day more", "one day\n  more"),
        ('"Staff have"', "Staff have"),
    ],
)
def test_blanks_markup_and_kinds_of_quotation_marks_do_not_matter(quote: str, found: str) -> None:
    document = page()
    assert [span.text for span in find_quote(quote, document.span(0, len(TEXT)), document)] == [found]


@pytest.mark.parametrize("quote", ["have 26 days", "STAFF have", "", "…", "Staff ... of"])
def test_anything_else_must_be_there_letter_by_letter(quote: str) -> None:
    document = page()
    assert find_quote(quote, document.span(0, len(TEXT)), document) == []


def test_both_sides_of_an_elision_must_be_there() -> None:
    document = page()
    passage = document.span(0, len(TEXT))
    assert [span.text for span in find_quote("Staff have … one day more", passage, document)] == [
        "Staff have",
        "one day\n  more",
    ]
    assert find_quote("Staff have … two days more", passage, document) == []


def test_an_ellipsis_of_the_passage_itself_is_part_of_a_quote() -> None:
    text = "Call config(SIZE, ...) and read on.\n"
    document = assemble(markdown.read(text), id="a.md", format=".md", sha256="0")
    assert [span.text for span in find_quote("config(SIZE, ...)", document.span(0, len(text)), document)] == [
        "config(SIZE, ...)"
    ]


def test_a_quote_outside_the_passage_is_not_found() -> None:
    document = page()
    assert find_quote("one day", document.span(0, TEXT.index("- one")), document) == []


def test_the_evidence_of_a_quote_is_its_block_or_the_sentences_of_a_long_one() -> None:
    long = "# A\n\n" + "Some words stand here. " * 20 + "The last has 25 days. And then another."
    document = assemble(markdown.read(long), id="a.md", format=".md", sha256="0")
    (span,) = find_quote("25 days", document.span(0, len(long)), document)
    start, end = around_quote(span, document)
    assert long[start:end] == "The last has 25 days."
    short = page()
    (span,) = find_quote("25 days", short.span(0, len(TEXT)), short)
    assert re.match(r"Staff have .* “a lot”\.$", TEXT[slice(*around_quote(span, short))])
