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


def page(title: str, owner: str) -> str:
    return (
        f"---\ntitle: {title}\nowner: {owner}\n---\n\n# {title}\n\nEverybody reads this page about {title.lower()}.\n"
    )


def test_pages_with_fields_are_records_of_their_folder() -> None:
    owners = {"Leave": "Ada Lund", "Travel": "Jonas Berg", "Expenses": "Ada Lund", "Devices": "Nora Vik"}
    knowledge = knowledge_of({f"policies/{title.lower()}.md": page(title, owner) for title, owner in owners.items()})
    (found,) = compose(EVOLUTIONS["members"](knowledge), knowledge)
    assert found.item.question == "Which policies does Ada Lund own?"
    assert (found.item.question_type, found.item.golden_answers[0]) == ("multi_context", "Expenses; Leave")
    assert {span.doc for group in found.item.evidence for span in group} == {
        "policies/expenses.md",
        "policies/leave.md",
    }


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


SEGMENTS = (
    "# Marlow Pumps Annual Report 2023\n\n## Segments (£ million)\n\n<table>"
    "<tr><th></th><th colspan=2>Revenue</th></tr><tr><th>Segment</th><th>2023</th><th>2022</th></tr>"
    "<tr><th>Water</th><td>131.7</td><td>118.9</td></tr><tr><th>Service</th><td>36.3</td><td>31.4</td></tr>"
    "<tr><th>Group</th><td>168.0</td><td>150.3</td></tr></table>"
)


def test_a_head_above_the_years_says_what_is_measured_of_each_row() -> None:
    found = {question: item.golden_answers[0] for question, item in asked("figure", a=SEGMENTS).items()}
    assert found["What was Marlow Pumps’ revenue in the Service segment in 2022?"] == "£31.4 million"
    assert not any("Group" in question for question in found), "a sum is no segment"
    changes = asked("change", a=SEGMENTS)
    grown = "By how much did Marlow Pumps’ revenue in the Water segment increase from 2022 to 2023?"
    assert changes[grown].golden_answers == ("£12.8 million",), "131.7 - 118.9"
    assert recompute(changes[grown].derivation, knowledge_of({"a.md": SEGMENTS}).documents) == ("£12.8 million",)


def test_halves_quarters_and_restated_years_are_periods_of_their_own() -> None:
    page = REPORT_2023.replace("2023 | 2022 |", "H1 2023 | 2022 (restated) |")
    questions = asked("figure", a=page)
    assert (
        questions["What were Marlow Pumps’ net sales in the first half of 2023?"].golden_answers[0] == "$4,512 million"
    )
    assert "What were Marlow Pumps’ net sales in 2022 (restated)?" in questions
    assert "What were Marlow Pumps’ net sales in 2022?" not in asked("figure", a=page, b=REPORT_2023), "which of two"
    assert not asked("change", a=page), "a half is not compared with a year"


def test_a_name_that_a_table_or_two_reports_give_several_figures_is_not_asked_for() -> None:
    current, later = "| Lease liabilities | $ 10 | $ 9 |\n", "| Lease liabilities | $ 31 | $ 30 |\n"
    leases = f"| **Current** | | |\n{current}| **Non-current** | | |\n{later}"
    twice = asked("figure", a=REPORT_2023.replace("| Interest", f"{leases}| Interest"))
    assert not [question for question in twice if "lease" in question]
    other = REPORT_2023.replace("Statements of operations", "Ratios").replace("14.9%", "14.7%")
    questions = asked("figure", a=REPORT_2023, b=other.replace("Report 2023", "Report 2024"))
    assert "What was Marlow Pumps’ operating margin in 2023?" not in questions, "14.9 in one report, 14.7 in the other"
    assert "What was Marlow Pumps’ operating margin in 2022?" in questions


def test_people_are_counted_in_the_place_of_their_row_with_the_title_as_evidence() -> None:
    rows = "| Country | 2023 | 2022 |\n|---|---|---|\n| Norway | 1,502 | 1,480 |\n| United States | 218 | 198 |\n"
    page = f"# Marlow Pumps Annual Report 2023\n\n## Employees\n\n{rows}"
    items = asked("figure", a=page)
    item = items["How many employees did Marlow Pumps have in the United States in 2022?"]
    assert item.golden_answers[0] == "198"
    assert item.evidence[0][0].text.startswith("## Employees"), "no row says what is counted"
    assert not asked("figure", a=page.replace("## Employees\n", "## Employees\n\nIn millions of dollars.\n"))


def test_a_report_without_a_name_is_of_the_company_that_other_reports_name() -> None:
    half = REPORT_2021.replace("Marlow Pumps Annual Report 2021", "Half ended 30 June 2021").replace(
        "## Statements", "Marlow sold its yard to Bolt AG.\n\n## Statements"
    )
    assert "What were Marlow Pumps’ net sales in 2021?" in asked("figure", a=REPORT_2023, b=half)
