"""Tables whose rows are looked up, and lists whose lead-in stands alone: near misses on planted pages."""

from __future__ import annotations

import networkx as nx
import numpy as np
import pytest
from test_writing_structure import asked

from kgsynth.base.records import Analysis
from kgsynth.documents.assembly import assemble
from kgsynth.documents.readers.html import read
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
