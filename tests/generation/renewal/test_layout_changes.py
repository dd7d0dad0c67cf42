"""Items on tables, lists and terms after their documents changed: moved with their layout, or answered otherwise."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import pytest
from planted import read_markdown

from kgsynth.auditing.fix import updated_item
from kgsynth.base.records import Document, Item, Span, StructureFact, fitting_id
from kgsynth.documents.structure import structure
from kgsynth.evidence.derivation import recompute
from kgsynth.evidence.statements import Statements
from kgsynth.generation.renewal.beginning import Earlier, compare
from kgsynth.generation.renewal.standing import stand
from kgsynth.golden.dataset import Dataset
from kgsynth.golden.span_tracking import SpanTracker

PLANS = """# Plans

## Prices of Ledgerly

| Plan | Price | Storage |
|---|---|---|
| Solo | 5 euros | 10 GB |
| Team | 20 euros | 100 GB |

## Parameters of `connect()`

- `dial_timeout`: How long to wait. Defaults to 30.
- `dial_retries`: How often it tries again. Defaults to 5.
"""


def pages(**texts: str) -> dict[str, Document]:
    return {f"{name}.md": read_markdown(f"{name}.md", text) for name, text in texts.items()}


def fact(documents: Mapping[str, Document], subject: str, value: str) -> StructureFact:
    (found,) = (
        fact
        for page in documents.values()
        for fact in structure(page)
        if fact.subject.text == subject and fact.values[0].text == value
    )
    return found


def item(documents: Mapping[str, Document], question: str, told: StructureFact, answer: str = "") -> Item:
    """An item on a fact of the layout, with a group of evidence for each of its excerpts."""
    groups = tuple((documents[told.doc].span(part.start, part.end),) for part in told.excerpts)
    derivation = {"operator": "said", "steps": [{"fact": told.id, "doc": told.doc}]}
    made = Item("", question, (answer or told.values[0].text,), "simple", "look_up", "en", groups, derivation)
    return replace(made, id=fitting_id(made))


def row(documents: Mapping[str, Document], question: str, told: StructureFact) -> Item:
    """An item on a cell, with its table down to its row as evidence, as the generator writes it."""
    whole: Span = documents[told.doc].span(told.heads[0].start, told.values[0].end)
    return replace(item(documents, question, told), evidence=((whole,),))


# ---- moved -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "now",
    [
        {"plans": f"Kept by the archive.\n\n{PLANS}"},
        {"prices": PLANS},
        {"prices": f"Kept by the archive.\n\n{PLANS}"},
        {"plans": PLANS.replace("| Solo | 5 euros |", "|  Solo  |  5 euros  |")},
    ],
    ids=["text above", "renamed", "renamed with text above", "white space"],
)
def test_a_derivation_from_the_layout_moves_with_its_evidence(now: Mapping[str, str]) -> None:
    before, after = pages(plans=PLANS), pages(**now)
    old = row(before, "What is the price of the Team plan?", fact(before, "Team", "20 euros"))
    moved = updated_item(old, SpanTracker([old], after))
    (step,) = moved.derivation["steps"]
    told = fact(after, "Team", "20 euros")
    assert (step["fact"], step["doc"]) == (told.id, told.doc) and step["fact"] != old.derivation["steps"][0]["fact"]
    assert recompute(moved.derivation, after) == ("20 euros",)


# ---- answered otherwise ------------------------------------------------------------------------------


def reasons(item: Item, before: Mapping[str, Document], now: Mapping[str, Document]) -> list[str]:
    """Why the item leaves a set when its documents change; none if it stays."""
    hashes = [{name: page.text for name, page in pages.items()} for pages in (before, now)]
    changes = compare(*hashes)
    changed = {name: page for name, page in before.items() if name in {*changes.changed, *changes.removed}}
    standing = stand(Earlier(Dataset([item]), changes, changed), Statements(now.values(), ()))
    return [rejection.detail for _, rejection in standing.left]


def price(documents: Mapping[str, Document]) -> Item:
    return row(documents, "What is the price of the Team plan?", fact(documents, "Team", "20 euros"))


def default(documents: Mapping[str, Document]) -> Item:
    question = "What is the default value of the dial_timeout parameter of connect()?"
    return item(documents, question, fact(documents, "dial_timeout", "30"))


BEFORE = {"plans": PLANS, "other": "# Other\n\nIt is quiet here.\n"}


def after(text: str) -> dict[str, Document]:
    return pages(plans=PLANS, other=f"{BEFORE['other']}\n{text}")


def test_another_table_with_another_value_for_the_same_row_and_column() -> None:
    now = after("| Plan | Price |\n|---|---|\n| Team | 25 euros |\n| Solo | 5 euros |\n")
    (why,) = reasons(price(pages(**BEFORE)), pages(**BEFORE), now)
    place = now["other.md"].text.index("| Team | 25 euros |")
    assert why == (
        f"the answer to 'What is the price of the Team plan?' is '20 euros', but other.md [{place}, {place + 19}), "
        "under 'Other', says '25 euros'"
    )
    turned = after("| Plan | Solo | Team |\n|---|---|---|\n| Price | 5 euros | 25 euros |\n")
    assert len(reasons(price(pages(**BEFORE)), pages(**BEFORE), turned)) == 1, "rows and columns exchanged"


@pytest.mark.parametrize(
    "text",
    [
        "| Plan | Price |\n|---|---|\n| Firm | 80 euros |\n| School | 2 euros |\n",
        "| Plan | Seats |\n|---|---|\n| Team | 10 |\n| Solo | 1 |\n",
        "| Plan | Price |\n|---|---|\n| Team | 20 euros |\n| Solo | 7 euros |\n",
        "| Plan | Price |\n|---|---|\n| Team | 20 euros per month |\n| Solo | 7 euros |\n",
        "| Plan | Price |\n|---|---|\n| Team | — |\n| Solo | 7 euros |\n",
    ],
    ids=["another row", "another column", "the same value", "the same value with more words", "no value"],
)
def test_tables_that_give_no_other_answer(text: str) -> None:
    assert reasons(price(pages(**BEFORE)), pages(**BEFORE), after(text)) == []


def test_what_was_in_the_documents_before_makes_nothing_leave() -> None:
    table = "| Plan | Price |\n|---|---|\n| Team | 25 euros |\n| Solo | 5 euros |\n"
    before = after(table)
    assert reasons(price(before), before, after(f"{table}\nIt is kept.\n")) == []
    moved = pages(plans=PLANS, other=BEFORE["other"], more=f"# More\n\n{table}")
    assert reasons(price(before), before, moved) == []


def test_a_default_that_is_changed_in_a_second_place() -> None:
    same, other = (
        f"## Parameters of `connect()`\n\n- `dial_timeout`: How long to wait. Defaults to {value}.\n"
        "- `dial_retries`: How often it tries again. Defaults to 5.\n"
        for value in ("30", "60")
    )
    before = after(same)
    (told,) = (each for each in structure(before["plans.md"]) if each.values[0].text == "30")
    asked = item(before, default(pages(**BEFORE)).question, told)
    assert reasons(asked, before, after(f"{same}\nIt is kept.\n")) == []
    (why,) = reasons(asked, before, after(other))
    assert "other.md [" in why and why.endswith("under 'Parameters of connect()', says '60'")
    settings = other.replace("Parameters", "Settings")
    assert len(reasons(asked, before, after(settings))) == 1, "the noun for what it is may be another one"
    elsewhere = other.replace("connect()", "listen()")
    assert reasons(asked, before, after(elsewhere)) == [], "it is a parameter of something else"


def test_lists_are_compared_by_their_members() -> None:
    lead, members = "The reports of Ledgerly are:", ("balance", "income", "cash")

    def listed(*members: str) -> str:
        return f"{lead}\n\n" + "".join(f"- {member}\n" for member in members)

    before = pages(plans=f"# Reports\n\n{listed(*members)}", other=BEFORE["other"])
    (told,) = (each for each in structure(before["plans.md"]) if each.kind == "member")
    asked = item(before, "What are the reports of Ledgerly?", told, answer="balance; income; cash")
    asked = replace(asked, derivation={**asked.derivation, "operator": "in_short"})

    def when(*members: str) -> list[str]:
        other = f"{BEFORE['other']}\n{listed(*members)}"
        return reasons(asked, before, pages(plans=before["plans.md"].text, other=other))

    assert when("cash", "income", "balance") == []
    (why,) = when("balance", "income", "cash", "tax")
    assert why.endswith("says 'balance; income; cash; tax'")


@pytest.mark.parametrize(
    ("detail", "leaves"),
    [
        ("A paper that proves a booking, kept for ten years.", False),
        ("See Booking.", False),
        ("A document that proves a booking, for 8 years.", True),
        ("Money off for guests of the canteen.", True),
    ],
    ids=["reworded", "points on", "another figure", "another thing"],
)
def test_a_definition_that_says_something_else(detail: str, leaves: bool) -> None:
    terms = "- **Voucher**: {}\n- **Ledger**: A book of all accounts.\n"
    said = "A document that proves a booking, for ten years."
    own = terms.format(said)
    before = pages(plans=f"# Terms\n\n{own}", other=BEFORE["other"])
    asked = item(before, "What is a voucher?", fact(before, "Voucher", said))
    now = pages(plans=f"# Terms\n\n{own}", other=f"{BEFORE['other']}\n{terms.format(detail)}")
    assert bool(reasons(asked, before, now)) == leaves


def test_an_item_without_a_derivation_is_found_by_its_evidence() -> None:
    table = "| Plan | Price |\n|---|---|\n| Team | 25 euros |\n| Solo | 5 euros |\n"
    before = pages(**BEFORE)
    written = replace(price(before), derivation={})
    assert len(reasons(written, before, after(table))) == 1
    assert reasons(replace(written, question="What is the price?"), before, after(table)) == [], "of which plan?"
    assert reasons(replace(written, golden_answers=("dear",)), before, after(table)) == [], "no cell says so"
