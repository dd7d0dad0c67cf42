"""Items on tables, lists and terms after their documents changed: moved with their layout, or answered otherwise."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import pytest

from kgsynth.auditing.fix import updated_item
from kgsynth.base.records import Document, Item, Span, StructureFact, fitting_id
from kgsynth.documents.structure import structure
from kgsynth.evidence.derivation import recompute
from kgsynth.golden.span_tracking import SpanTracker
from tests.test_structure import document

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
    return {f"{name}.md": replace(document(text), id=f"{name}.md") for name, text in texts.items()}


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
