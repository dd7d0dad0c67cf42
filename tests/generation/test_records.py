"""Questions over records: what is asked, what is computed, and the near misses that must not be asked."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest
from planted import knowledge_of

from kgsynth.base.records import Item
from kgsynth.evidence.derivation import recompute
from kgsynth.evidence.derivation_steps import DerivationError
from kgsynth.generation.evolutions import EVOLUTIONS
from kgsynth.generation.writing import compose
from kgsynth.language.figures import amount_of, change

REPORT_2023 = """
# Marlow Pumps Annual Report 2023

Marlow Pumps makes pumps for waterworks.

## Statements of operations

In millions of dollars.

| | 2023 | 2022 |
|---|---|---|
| Net sales | $ 4,512 | $ 4,201 |
| Operating margin | 14.9% | 12.8% |
| Interest expense | (41) | (38) |
| Europe | 12 | 11 |
"""
REPORT_2021 = """
# Marlow Pumps Annual Report 2021

## Statements of operations

In millions of dollars.

| | 2021 | 2020 |
|---|---|---|
| Net sales | $ 3,870 | $ 3,544 |
"""
PLANS = """
# Plans of Foghorn

Foghorn has four plans. In Foghorn, every plan has a price. People use Foghorn daily.

## Plans

| Plan | Price | Storage limit | Owner |
|---|---|---|---|
| Solo | $10 | 5 GB | Ada Lund |
| Team | $25 | 50 GB | Ada Lund |
| Studio | $25 | 100 GB | Jonas Berg |
| Enterprise | $90 | 2 TB | Jonas Berg |
"""


def asked(kind: str, **pages: str) -> dict[str, Item]:
    knowledge = knowledge_of({f"{name}.md": text for name, text in pages.items()})
    found = compose(EVOLUTIONS[kind](knowledge), knowledge)
    return {candidate.item.question: candidate.item for candidate in found}


def test_a_figure_is_asked_with_whose_it_is_and_its_unit_and_scale() -> None:
    items = asked("figure", a=REPORT_2023)
    assert {question: item.golden_answers[0] for question, item in items.items()} == {
        "What were Marlow Pumps’ net sales in 2023?": "$4,512 million",
        "What were Marlow Pumps’ net sales in 2022?": "$4,201 million",
        "What was Marlow Pumps’ operating margin in 2023?": "14.9%",
        "What was Marlow Pumps’ operating margin in 2022?": "12.8%",
    }, "a figure below zero and a place are not asked for"


def test_the_evidence_of_a_figure_says_its_unit_and_shows_which_column_its_year_heads() -> None:
    page = REPORT_2023.replace("$ ", "").replace("In millions of dollars.\n\n| |", "| $ million |")
    item = asked("figure", a=page)["What were Marlow Pumps’ net sales in 2022?"]
    assert item.golden_answers[0] == "$4,201 million"
    (group,) = item.evidence
    assert group[0].text.startswith("| $ million | 2023 | 2022")
    assert group[0].text.endswith("4,201 |")


def test_a_figure_that_a_later_report_restates_is_not_asked_for() -> None:
    row = "| Net sales (restated) | $ 3,871 |"
    later = REPORT_2023.replace("| 2023 | 2022 |\n|---|---|---|", "| 2021 |\n|---|---|").replace(
        "| Net sales | $ 4,512 | $ 4,201 |", row
    )
    alone = asked("figure", b=REPORT_2021)
    assert "What were Marlow Pumps’ net sales in 2021?" in alone
    both = asked("figure", a=later, b=REPORT_2021)
    assert "What were Marlow Pumps’ net sales in 2021?" not in both
    assert "What were Marlow Pumps’ net sales in 2020?" in both


def test_columns_of_half_years_and_figures_without_a_currency_are_not_asked_for() -> None:
    half = REPORT_2023.replace("Statements of operations", "Statements for the six months ended June 30")
    assert not asked("figure", a=half)
    bare = REPORT_2023.replace("In millions of dollars.", "In millions.").replace("$ ", "")
    assert not [question for question in asked("figure", a=bare) if "net sales" in question], "million of what"


def test_two_tables_that_disagree_on_a_year_give_no_figure_of_it() -> None:
    restated = REPORT_2023.replace("2023 | 2022", "2022 | 2021").replace("4,512", "4,199").replace("4,201", "3,870")
    questions = asked("figure", a=REPORT_2023, b=restated)
    assert "What were Marlow Pumps’ net sales in 2022?" not in questions
    assert {"What were Marlow Pumps’ net sales in 2023?", "What were Marlow Pumps’ net sales in 2021?"} <= set(
        questions
    )


def test_the_change_is_computed_within_a_table_and_between_two_reports() -> None:
    items = asked("change", a=REPORT_2023, b=REPORT_2021)
    shown = {question: (item.question_type, item.golden_answers[0]) for question, item in items.items()}
    assert shown["By how much did Marlow Pumps’ net sales increase from 2022 to 2023?"] == ("reasoning", "$311 million")
    long = "By how much did Marlow Pumps’ net sales increase from 2020 to 2023?"
    assert shown[long] == ("multi_context", "$968 million"), "4,512 - 3,544"
    assert {span.doc for group in items[long].evidence for span in group} == {"a.md", "b.md"}
    margin = "By how much did Marlow Pumps’ operating margin increase from 2022 to 2023?"
    assert shown[margin] == ("reasoning", "2.1 percentage points")


def test_a_share_of_something_is_written_and_changes_without_a_second_blank() -> None:
    first, last = (amount_of(text, "% of revenue") for text in ("12.8", "14.9"))
    assert first and last
    assert last.shown(last.value) == "14.9% of revenue"
    assert change(first, last) == "2.1 percentage points of revenue", "14.9 - 12.8"


@pytest.mark.parametrize(("new", "why"), [("€ 4,201", "another unit"), ("$ 4,512", "no change"), ("n/a", "no figure")])
def test_no_change_without_two_figures_of_one_unit_that_differ(new: str, why: str) -> None:
    questions = asked("change", a=REPORT_2023.replace("$ 4,201", new))
    assert not [question for question in questions if "net sales" in question], why


def test_members_are_all_records_with_a_value_and_only_those() -> None:
    items = asked("members", a=PLANS)
    assert {question: item.golden_answers[0] for question, item in items.items()} == {
        "In Foghorn, which plans have a price of $25?": "Team; Studio",
        "Which plans does Ada Lund own?": "Solo; Team",
        "Which plans does Jonas Berg own?": "Studio; Enterprise",
    }


def test_a_class_in_two_tables_is_asked_as_one() -> None:
    row = "| Studio | $25 | 100 GB | Jonas Berg |"
    head = "| Plan | Price | Storage limit | Owner |\n|---|---|---|---|\n"
    rest = f"# Later plans\n\nFoghorn has more.\n\n## Plans\n\n{head}"
    items = asked("members", a=PLANS.replace(f"{row}\n", ""), b=f"{rest}{row}\n")
    item = items["In Foghorn, which plans have a price of $25?"]
    assert (item.question_type, item.golden_answers[0]) == ("multi_context", "Team; Studio")


def tampered(item: Item, **changes: Any) -> Mapping[str, Any]:
    first, *others = item.derivation["steps"]
    return {**item.derivation, "steps": [{**first, **changes}, *others]}


def test_the_audit_finds_a_record_that_does_not_belong() -> None:
    knowledge = knowledge_of({"a.md": PLANS, "b.md": REPORT_2023})
    documents = knowledge.documents
    by_kind = {
        kind: next(iter(compose(EVOLUTIONS[kind](knowledge), knowledge))).item
        for kind in ("members", "change", "figure")
    }
    cells = {(fact.subject.text, fact.heads[0].text): fact.id for fact in knowledge.structure if fact.heads}
    for item in by_kind.values():
        assert recompute(item.derivation, documents) == item.golden_answers[:1]
    wrong = {
        "members": ("Enterprise", "Price"),
        "change": ("Operating margin", "2022"),
        "figure": ("Interest expense", "2023"),
    }
    for kind, cell in wrong.items():
        with pytest.raises(DerivationError):
            recompute(tampered(by_kind[kind], fact=cells[cell]), documents)
