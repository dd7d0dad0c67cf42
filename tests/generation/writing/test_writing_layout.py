"""Tables whose rows are looked up, and lists whose lead-in stands alone: near misses on planted pages."""

from __future__ import annotations

import networkx as nx
import numpy as np
import pytest
from planted import knowledge_of
from test_writing_structure import asked

from kgsynth.base.records import Analysis
from kgsynth.documents.assembly import assemble
from kgsynth.documents.readers.html import read
from kgsynth.evidence.citing import with_headings
from kgsynth.evidence.knowledge import Knowledge
from kgsynth.generation.evolutions import EVOLUTIONS
from kgsynth.generation.writing import compose
from kgsynth.language.english.forms import cell_question, is_askable, lead_in_question

RATES = "| Plan | Rate |\n|---|---|\n| Team | 10% |\n| Solo | 5% |\n"
CHECKS = (
    "# Rules\n\n| Constraint type | Description |\n|---|---|\n"
    "| edge_clearance | Checks the room between a track and the edge. Holes have none. |\n"
    "| via_count | Counts the vias of each net. Others are left out. |\n"
)

# ---- tables ----------------------------------------------------------------------------------------


def test_a_table_of_examples_is_not_looked_up() -> None:
    assert "What is the rate on the Team plan?" in asked("look_up", f"# Taxes\n\nThese are the plans.\n\n{RATES}")
    assert not asked("look_up", f"# Taxes\n\nFor example, a shop has these plans:\n\n{RATES}")
    assert not asked("look_up", f"# Sample tax tables\n\n{RATES}")


@pytest.mark.parametrize(
    ("head", "question"),
    [
        ("Percentage or Amount", ""),
        ("File Save", ""),
        ("Availability", ""),
        ("MIME type", "What is the MIME type of the Pike protocol?"),
        ("Location of processing", "What is the location of processing of the Pike protocol?"),
    ],
)
def test_a_head_is_asked_for_if_it_is_a_noun_of_which_a_thing_has_one(head: str, question: str) -> None:
    assert cell_question(head, "the Pike protocol", ["text/plain", "text/html"], kind="protocol") == question


@pytest.mark.parametrize("value", ["N/A [b]", "(none)", "Depends on packaging [a]"])
def test_a_cell_with_a_footnote_or_without_a_value_is_no_answer(value: str) -> None:
    assert not is_askable(value)


MEALS = "| Meal | Limit | Condition |\n|---|---|---|\n| Breakfast | £9.50 | none |\n| Evening meal | £24.00 | none |\n"
MEAL = "For expenses from 2024, what is the limit for evening meal?"


def test_a_row_without_a_name_is_asked_in_the_scope_of_its_page() -> None:
    assert asked("look_up", f"# Expenses from 2024\n\n{MEALS}")[MEAL] == "£24.00"


def test_the_page_tells_apart_two_tables_that_ask_alike_and_otherwise_neither_is_asked() -> None:
    def questions(title: str) -> set[str]:
        pages = {"a.md": f"# Expenses from 2024\n\n{MEALS}", "b.md": f"# {title}\n\n{MEALS.replace('24.00', '19.00')}"}
        found = knowledge_of(pages)
        return {each.item.question for each in compose(EVOLUTIONS["look_up"](found), found)}

    assert {MEAL, MEAL.replace("2024", "2023")} <= questions("Expenses from 2023")
    assert not questions("Expenses from 2024"), "one question would have two answers"


def test_a_named_row_is_asked_in_its_page_if_another_page_has_it_with_the_same_attribute() -> None:
    pages = {f"{year}.md": f"# Terms of {year}\n\n{RATES.replace('5%', f'{year - 2020}%')}" for year in (2023, 2024)}
    found = knowledge_of(pages)
    plans = {(year, plan) for year in (2023, 2024) for plan in ("Solo", "Team")}
    questions = {each.item.question for each in compose(EVOLUTIONS["look_up"](found), found)}
    assert questions == {f"For terms of {year}, what is the rate for the {plan} plan?" for year, plan in plans}


def test_the_evidence_of_a_cell_has_the_heads_of_its_column_and_row_and_the_title_that_it_is_asked_in() -> None:
    found = knowledge_of({"a.md": f"# Expenses from 2024\n\n{MEALS}"})
    made = [each.item for each in compose(EVOLUTIONS["look_up"](found), found)]
    item = with_headings(next(item for item in made if item.question == MEAL), found.documents)
    said = " ".join(span.text for group in item.evidence for span in group)
    assert "| Meal | Limit |" in said and "| Evening meal | £24.00" in said
    assert {span.heading.text for group in item.evidence for span in group if span.heading} == {"Expenses from 2024"}


@pytest.mark.parametrize(
    ("page", "question", "answer"),
    [
        (
            "# Annual leave\n\n| Continuous service at 1 April | Days (5-day week) |\n|---|---|\n"
            "| Less than 2 years | 25 |\n| 2 years but less than 5 | 27 |\n",
            "For annual leave, how many days (5-day week) are there for continuous service of less than 2 years?",
            "25",
        ),
        (
            "# How to buy something\n\n| Value | Who runs it |\n|---|---|\n"
            "| £2,500 – £25,000 | you |\n| £25,000 – £90,000 | Procurement |\n",
            "When you buy something, who runs it for £25,000 to £90,000?",
            "Procurement",
        ),
        (
            "# Discipline\n\n| Outcome | Who can give it |\n|---|---|\n| Warning | grade F |\n| Dismissal | HR |\n",
            "For discipline, who can give dismissal?",
            "HR",
        ),
        (
            "# Special leave\n\n| For | Approved by |\n|---|---|\n| Jury service | the manager |\n| Moving | HR |\n",
            "Who approves special leave for jury service?",
            "the manager",
        ),
        (
            "# Alcohol\n\n## Limits\n\n| Group | Breath, µg/100 ml | Blood, mg/100 ml |\n|---|---|---|\n"
            "| Bus drivers | 22 | 50 |\n| All other staff | 35 | 80 |\n",
            "For alcohol, what is the limit for bus drivers (blood, mg/100 ml)?",
            "50",
        ),
        (
            "# Purchasing cards\n\n| Card type | Who usually has one |\n|---|---|\n| Blue | crew |\n| Gold | Heads |\n",
            "Who usually has the Gold purchasing card?",
            "Heads",
        ),
        (
            "# Prices\n\n| Plan | Support hours |\n|---|---|\n| Harbour | weekdays |\n| Ocean | always |\n",
            "For prices, what are the support hours for the Harbour plan?",
            "weekdays",
        ),
        (
            "# Error codes\n\n| Code | Usual cause |\n|---|---|\n| E101 | no network |\n| E118 | two servers |\n",
            "What is the usual cause for error code E118?",
            "two servers",
        ),
    ],
    ids=["count", "range", "who", "by", "measure", "kind", "plan", "code"],
)
def test_a_form_asks_for_a_cell_by_its_head_and_by_what_its_row_is(page: str, question: str, answer: str) -> None:
    assert asked("look_up", page)[question] == answer


@pytest.mark.parametrize(
    "table",
    [
        "| Situation | Say |\n|---|---|\n| Strike | because of a dispute |\n| Crash | an incident |\n",
        "| | Starter | Qualified |\n|---|---|---|\n| Bus driver | £14.62 | £16.18 |\n| Fitter | £17.30 | £19.64 |\n",
        "| Who asks | Who approves |\n|---|---|\n| Police | CCTV unit |\n| Insurer | Claims |\n",
        "| Step | Target |\n|---|---|\n| Review | customer has 12 months |\n",
        "| Area | Weight |\n|---|---|\n| Small part | 3.5 |\n| Large part | 4.5 |\n",
        "| Case | Gift limit |\n|---|---|\n| Give | £15 |\n| Receive, in total | £20 |\n| On leave | £25 |\n",
    ],
    ids=["verb", "grid of cases", "of what", "no figure", "no unit", "rows that are no names"],
)
def test_a_cell_that_no_form_fits_is_not_asked_in_the_scope_of_its_page(table: str) -> None:
    plain = "| Step | Target |\n|---|---|\n| First answer | 5 days |\n| Second answer | 9 days |\n"
    text = f"{plain}{table.partition('|---|---|')[2].lstrip()}" if "Target" in table else table
    found = asked("look_up", f"# Handling complaints\n\n{text}")
    assert set(found.values()) <= {"5 days", "9 days"}


# ---- lists -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("lead", "question"),
    [
        ("There are two other view modes:", ""),
        ("Proper symbol designing requires:", ""),
        ("Running the other tools from Pike has some advantages:", ""),
        ("The object has the following fields:", ""),
        ("To select rows either:", "How do you select rows?"),
        ("The following parameters are now supported by Mailbox:", "Which parameters are supported by Mailbox?"),
    ],
)
def test_a_lead_in_that_leans_on_the_text_before_it_gives_no_question(lead: str, question: str) -> None:
    assert lead_in_question(lead) == question


def test_members_that_are_terms_with_their_details_are_no_list() -> None:
    def questions(*members: str) -> list[str]:
        page = read(
            "<p>The pump has two delivery modes:</p><ul>" + "".join(f"<li>{each}</li>" for each in members) + "</ul>"
        )
        document = assemble(page, id="pike.html", format="html", sha256="")
        found = Knowledge(nx.MultiDiGraph(), [document], [], [Analysis(document.id, (), (), ())], [], np.zeros((0, 1)))
        return [candidate.item.question for candidate in compose(EVOLUTIONS["listing"](found), found)]

    assert questions("Slow mode", "Fast mode") == ["Which two delivery modes does the pump have?"]
    assert not questions("<dl><dt>Slow mode<dd>It waits.</dl>", "<dl><dt>Fast mode<dd>It runs.</dl>")


def test_it_in_a_question_on_who_does_something_is_the_topic_of_the_page() -> None:
    rows = "|---|---|\n| S1 | the director |\n| S2 | the duty manager |\n"
    process = f"# Incident process\n\n| Level | Led by |\n{rows}"
    assert asked("look_up", process)["Who leads the incident process for level S2?"] == "the duty manager"
    turned = "# Incidents\n\n| | Severe | Death |\n|---|---|---|\n| Reviewed by | the matron | the director |\n"
    assert not asked("look_up", turned), "'who reviews incidents for Severe' is no question"


def test_a_row_of_a_policy_without_a_full_name_is_asked_under_its_rules() -> None:
    rule = "You must keep records for ten years. Managers must destroy them in time. Staff may ask in writing."
    table = "| Record | Period |\n|---|---|\n| CCTV depot | 31 days |\n| RIDDOR reports | 6 years |\n"
    found = asked("look_up", f"# Data retention schedule\n\n{rule}\n\n{table}")
    assert found["Under the data retention schedule, what is the period of CCTV depot?"] == "31 days"


def test_a_value_that_other_columns_have_too_is_no_attribute_of_records() -> None:
    rows = (
        "| Reboot | all | own site |\n| Report | own site | own site |\n| Audit | all | none |\n| Log | all | none |\n"
    )
    table = f"| Permission | Admin | Operator |\n|---|---|---|\n{rows}"
    page = f"# Foghorn\n\nIn Foghorn all is well.\n\n## Permissions\n\n{table}"
    assert not [question for question in asked("members", page) if "own site" in question]
