"""Questions on tables, terms and lists: each form asked for, and each that is left out, on planted pages."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import replace

import pytest
from planted import knowledge_of

from kgsynth.base.records import Answer, Item
from kgsynth.evidence.derivation import recompute
from kgsynth.evidence.knowledge import Knowledge
from kgsynth.generation.evolutions import EVOLUTIONS
from kgsynth.generation.writing import compose
from kgsynth.golden.item_json import from_json, to_json
from kgsynth.scoring.metrics import METRICS, ScoredCase

Move = Callable[[str, float], None]

PLANS = """# Plans

| Plan | Price | Max file size | Owner | Required | Status |
|---|---|---|---|---|---|
| Team | $5 | 2 GB | Ada Lind | Yes | Active |
| Pro | $9 | 8 GB | Bo Falk | No | Active |
| Max | $20 | 50 GB | Cy Berg | Yes | Closed |
| Solo | $2 | 1 GB | Di Holm | No | Closed |
"""


def items(kind: str, text: str) -> list[Item]:
    found = knowledge(text)
    made = [candidate.item for candidate in compose(EVOLUTIONS[kind](found), found)]
    for item in made:
        assert recompute(item.derivation, found.documents) == item.golden_answers
    return made


def knowledge(text: str) -> Knowledge:
    return knowledge_of({"guide.md": text})


def asked(kind: str, text: str) -> dict[str, str]:
    return {item.question: item.golden_answers[0] for item in items(kind, text)}


# ---- tables ----------------------------------------------------------------------------------------


def test_a_cell_is_asked_for_by_what_its_row_is_and_its_head_needs() -> None:
    found = asked("look_up", PLANS)
    assert found["What is the maximum file size on the Team plan?"] == "2 GB"
    assert found["Who is the owner of the Pro plan?"] == "Bo Falk"


@pytest.mark.parametrize(
    "table",
    [
        "| Resource | Use |\n|---|---|\n| Mid-year checklist | Steps of the review |\n| Final checklist | Last steps |\n",  # noqa: E501
        "| Attack | Targets |\n|---|---|\n| Malware | x |\n| Jamming | x |\n",
        "| Plan | Unsigned |\n|---|---|\n| Team | u8 |\n| Pro | u16 |\n",
        "| Action | Owner |\n|---|---|\n| Supervisor signs the form | Ada |\n| Agency files it | Bo |\n",
        "| Time stamp | Count |\n|---|---|\n| 11:00 | 4 |\n| 12:00 | 9 |\n",
    ],
    ids=["documents", "marks", "adjective", "sentences", "numbers"],
)
def test_tables_that_nobody_looks_things_up_in_give_no_question(table: str) -> None:
    assert not asked("look_up", f"# Notes\n\n{table}")


def test_a_table_of_features_is_asked_by_its_columns() -> None:
    text = "# Sheets\n\n| | Tock timesheet | HRLinks report |\n|---|---|---|\n| Cadence | Weekly | Monthly |\n| Level | A | B |\n"  # noqa: E501
    assert asked("look_up", text)["What is the cadence of the HRLinks report?"] == "Monthly"


# ---- terms -----------------------------------------------------------------------------------------


def test_options_are_asked_by_their_kind() -> None:
    text = "# Options\n\n- `--force`: Removes the lock first.\n- `max_size`: The largest file that is read. Defaults to 12.\n"  # noqa: E501
    found = asked("term", text)
    assert found["What does the --force option do?"] == "Removes the lock first."
    assert "What does the max_size option specify?" in found
    assert found["What is the default value of the max_size option?"] == "12"


def test_only_definitions_make_terms() -> None:
    text = (
        "# Terms\n\n- **Access token**: A short-lived key for one client.\n"
        "- **Make introductions**: At the start of each meeting, say who you are.\n"
        "- **Medium**: Annoyance or inconsistent experience.\n- **`limit`**: with a value of 10\n"
        "- **Attacks**: Attacks causing high costs through loops.\n"
    )
    assert asked("term", text) == {"What is an access token?": "A short-lived key for one client."}


# ---- lists -----------------------------------------------------------------------------------------


def test_a_list_answers_what_leads_into_it_with_short_members() -> None:
    long = "that runs for as long as the pump has water in it and the valve is open, " * 2
    text = f"# Pumps\n\nThere are two ways to stop a pump:\n\n- Valve: close it, {long}ok.\n- Switch: press it, {long}ok.\n"  # noqa: E501
    (item,) = items("listing", text)
    assert (item.question, item.golden_answers) == ("What are the two ways to stop a pump?", ("Valve; Switch",))
    assert item.answer_kind == "list"


def test_steps_keep_their_numbers() -> None:
    (item,) = items("listing", "# Pumps\n\nTo stop a cold pump, follow these steps:\n\n1. Close it.\n2. Wait.\n")
    assert (item.question, item.golden_answers) == ("How do you stop a cold pump?", ("1. Close it. 2. Wait.",))
    assert item.answer_kind == "steps"


@pytest.mark.parametrize(
    "text",
    [
        "There are three ways to stop a pump:\n\n- Wait.\n- Close it.\n",
        "To be clear about pumps:\n\n- Wait.\n- Close it.\n",
        "There are two ways to stop a pump:\n\n- Wait, see the next section.\n- Close it.\n",
        "There are two ways to stop a pump:\n\n- Run this.\n\n  ```\n  stop\n  ```\n\n- Close it.\n",
        "There are two ways to stop a pump:\n\n- [Wait](a.md)\n- [Close](b.md)\n",
        "The pump generally has options as one of two valves:\n\n- Left\n- Right\n",
    ],
    ids=["number", "phrase", "pointer", "code", "links", "statement"],
)
def test_lists_that_are_no_answer(text: str) -> None:
    assert not items("listing", f"# Pumps\n\n{text}")


def test_the_kind_of_an_answer_is_written_only_if_it_has_members() -> None:
    bare = Item("q-1", "Which?", ("a; b",), "simple", "listing", "en", ())
    assert "answer_kind" not in to_json(bare)
    kept = replace(bare, answer_kind="list")
    keys = list(to_json(kept))
    assert keys[keys.index("evidence") + 1] == "answer_kind"
    assert from_json(to_json(kept)).answer_kind == "list"


def test_member_recall_counts_the_members_found() -> None:
    item = Item(
        "q-1", "What do you need?", ("a passport; two photos; the fee",), "simple", "", "en", (), answer_kind="list"
    )
    case = ScoredCase(item, Answer("q-1", "A passport and two photos."), None, None)
    assert METRICS["member_recall"].compute(case, 0) == pytest.approx(2 / 3)


# ---- limits ----------------------------------------------------------------------------------------

LONG_LIST = "# Pumps\n\nThere are two ways to stop a pump:\n\n- Valve: close it well.\n- Switch: press it. It clicks.\n"


def test_short_tables_and_long_cells_are_not_looked_up(move: Move) -> None:
    before = asked("look_up", PLANS)
    move("cell_max_words", 1)
    assert set(asked("look_up", PLANS).values()) < set(before.values()), "two words are too many"
    move("table_min_rows", 5)
    assert not asked("look_up", PLANS)


def test_long_members_are_cut_to_their_head_or_first_sentence(move: Move) -> None:
    move("list_brief_words", 3)
    move("member_head_words", 0)
    assert set(asked("listing", LONG_LIST).values()) == {"Valve: close it well; Switch: press it. It clicks"}
    move("member_max_words", 4)
    assert set(asked("listing", LONG_LIST).values()) == {"Valve: close it well; Switch: press it"}


def test_a_list_of_too_many_members_is_no_answer(move: Move) -> None:
    move("list_max_members", 1)
    assert not asked("listing", LONG_LIST)


def test_a_member_may_be_found_by_fewer_of_its_words(move: Move) -> None:
    item = Item("q-1", "What?", ("two photos; the fee",), "simple", "", "en", (), answer_kind="list")
    case = ScoredCase(item, Answer("q-1", "Some photos."), None, None)
    assert METRICS["member_recall"].compute(case, 0) == 0
    move("member_found_share", 0.5)
    assert METRICS["member_recall"].compute(case, 0) == 0.5


# ---- why nothing is asked ----------------------------------------------------------------------------

LINKS = "# Team\n\n## What we read:\n\n- https://a.org\n- https://b.org\n"
EXAMPLE = "# Plans\n\nAn example:\n\n| Plan | Price |\n|---|---|\n| Team | $5 |\n| Pro | $9 |\n"
MARKS = "# Spies\n\n| Attack | Targets |\n|---|---|\n| Malware | x |\n| Jamming | x |\n"
DENIAL = "# The Oslo depot\n\nThe Pike pump was not calibrated by Ada Lovelace.\n"
ORDER = "# The Oslo depot\n\nA team lead may approve an order of up to 500 euros.\n"
TIMES = "# Notes\n\n| Time stamp | Count |\n|---|---|\n| 11:00 | 4 |\n| 12:00 | 9 |\n"


@pytest.mark.parametrize(
    ("kind", "text", "reasons"),
    [
        ("look_up", EXAMPLE, {"only an example": 2}),
        ("look_up", MARKS, {"the cell has no value to ask for": 2}),
        ("look_up", TIMES, {"the row has no name to ask by": 2}),
        ("listing", LINKS, {"it points to what is said elsewhere": 1}),
        (
            "listing",
            "# Team\n\n## Overview\n\n- Ada Lind\n- Bo Falk\n",
            {"no question form fits the heading or lead-in": 1},
        ),
        ("factoid", DENIAL, {"the sentence says what is not so": 2}),
        (
            "factoid",
            ORDER,
            {"not about a named thing or the topic of the page": 1, "other answers would be as right": 1},
        ),
    ],
)
def test_what_no_writer_took_up_is_counted_by_reason(kind: str, text: str, reasons: dict[str, int]) -> None:
    found, unwritten = knowledge(text), Counter[tuple[str, str]]()
    scenarios = list(EVOLUTIONS[kind](found))
    assert list(compose(scenarios, found, unwritten=unwritten)) == []
    assert {str(why): number for (_, why), number in unwritten.items()} == reasons
    assert unwritten.total() == len(scenarios), "each of them once"


def test_only_scenarios_without_a_candidate_are_counted_by_reason() -> None:
    found, unwritten = knowledge(PLANS), Counter[tuple[str, str]]()
    scenarios = list(EVOLUTIONS["look_up"](found))
    asked = {id(candidate.scenario) for candidate in compose(scenarios, found, unwritten=unwritten)}
    assert asked and len(asked) + unwritten.total() == len(scenarios)
    again = Counter[tuple[str, str]]()
    list(compose([*scenarios, *scenarios], found, unwritten=again))
    assert again["simple", "another scenario has the same question"] == len(asked)
