"""Questions on what to do in a case that a sentence names: which sentences say so, and how they are asked."""

from __future__ import annotations

import networkx as nx
import numpy as np
import pytest

from kgsynth.base.records import Analysis, Sentence
from kgsynth.documents.assembly import assemble
from kgsynth.documents.chunking import chunk
from kgsynth.documents.readers.markdown import read
from kgsynth.evidence.derivation import recompute
from kgsynth.evidence.knowledge import Knowledge
from kgsynth.generation.evolutions import EVOLUTIONS
from kgsynth.generation.writing import Candidate, compose
from kgsynth.golden.answer_members import answer_members
from kgsynth.language.english.advice import advice
from kgsynth.language.sentence_ends import sentence_spans


def planted(**texts: str) -> Knowledge:
    """Return a corpus of Markdown documents, with their sentences but no facts."""
    pages = [assemble(read(text), id=f"{name}.md", format="md", sha256="") for name, text in sorted(texts.items())]
    chunks = [part for page in pages for part in chunk(page, strategy="recursive", size=200, overlap=0)]
    analyses = []
    for page in pages:
        told = [block for block in page.blocks if block.kind in ("paragraph", "item")]
        places = [(block, span) for block in told for span in sentence_spans(block.text)]
        sentences = [
            Sentence(page.id, block.section, *block.locate(*span), block.text[slice(*span)], ())
            for block, span in places
        ]
        analyses.append(Analysis(page.id, tuple(sentences), (), ()))
    return Knowledge(nx.MultiDiGraph(), pages, chunks, analyses, [], np.zeros((len(chunks), 2), np.float32))


def candidates(subtype: str, **texts: str) -> tuple[list[Candidate], Knowledge]:
    known = planted(**texts)
    return list(compose(EVOLUTIONS[subtype](known), known)), known


@pytest.mark.parametrize(
    ("sentence", "question", "answer"),
    [
        (
            "If you lose your depot badge, call the harbour guard at once.",
            "What should you do if you lose your depot badge?",
            "call the harbour guard at once",
        ),
        (
            "When a member of the press writes to you, please forward the letter to Ada.",
            "What should you do when a member of the press writes to you?",
            "forward the letter to Ada",
        ),
        (
            "If you’ve lost pens, paper or lamps, then you must tell the harbour guard.",
            "What must you do if you’ve lost pens, paper or lamps?",
            "tell the harbour guard",
        ),
        (
            "If your bill is more than $500, call the harbour guard at once.",
            "What should you do if your bill is more than $500?",
            "call the harbour guard at once",
        ),
        (
            "If the main pump stops, you need to open the brass valve by hand.",
            "What do you need to do if the main pump stops?",
            "open the brass valve by hand",
        ),
        (
            "Call the harbour guard at once if you lose your depot badge.",
            "What should you do if you lose your depot badge?",
            "call the harbour guard at once",
        ),
    ],
)
def test_a_sentence_that_says_what_to_do_in_a_case_is_asked_for_that(sentence: str, question: str, answer: str) -> None:
    found = advice(sentence)
    assert found is not None
    case, done = sentence[slice(*found.case)], sentence[slice(*found.done)]
    assert (f"{found.opening} {case[0].lower()}{case[1:]}?", done[0].lower() + done[1:].rstrip(".")) == (
        question,
        answer,
    )


@pytest.mark.parametrize(
    ("sentence", "reason"),
    [
        ("If this fails, call the harbour guard at once.", "which failure?"),
        ("If it rains on the depot, close the brass valve.", "what rains, but 'it' may refer to anything"),
        ("If you want to leave the depot, call the harbour guard.", "a wish is asked with 'how'"),
        ("If you lose your depot badge, see the guide for guards.", "points elsewhere"),
        ("If you lose your depot badge, the harbour guard is angry.", "nothing to do"),
        ("If you lose your badge, follow these steps:", "leads into a list, which is read with it"),
        ("If you do not already have one, ask the harbour guard for it.", "one what?"),
        ("If you lose your depot badge, follow the new guide for guards.", "points to a page"),
        ("If you have a red depot badge, you can open the gate.", "one of many things that are possible"),
        ("When a boat comes to the pier, Ada will ring a bell, open the gate and wait.", "a story"),
        ("If necessary, call the harbour guard at once.", "names no case"),
        ("Ask the harbour guard if the lamps are lit.", "whether the lamps are lit"),
        ("If the brass valve won't shut for hours, for being stuck you can open it.", "no order"),
    ],
)
def test_a_sentence_without_a_clear_case_or_advice_is_not_asked_about(sentence: str, reason: str) -> None:
    assert advice(sentence) is None, reason


PAGE = "# Salt depot\n\nThe depot keeps salt.\n\n## Losses\n\n{}\n"


def test_advice_goes_on_in_the_orders_after_it() -> None:
    text = PAGE.format(
        "If you lose your salt depot badge, call the harbour guard. Do not enter the depot alone. Badges are blue."
    )
    (found,), known = candidates("advice", a=text)
    assert found.item.question == "What should you do if you lose your salt depot badge?"
    assert found.item.golden_answers == ("call the harbour guard. Do not enter the depot alone",)
    assert recompute(found.item.derivation, known.documents)[0].startswith("call the harbour guard. Do not enter")
    assert [group[0].text for group in found.item.evidence] == [
        "If you lose your salt depot badge, call the harbour guard. Do not enter the depot alone"
    ]


def test_steps_that_a_case_leads_into_are_its_answer() -> None:
    text = PAGE.format(
        "If you lose your salt depot badge, follow these steps:\n\n"
        "1. Call the harbour guard.\n2. Fill in the red form.\n3. Wait for Ada."
    )
    (found,), known = candidates("advice", a=text)
    assert found.item.question == "What should you do if you lose your salt depot badge?"
    assert found.item.answer_kind == "steps"
    assert answer_members(found.item.golden_answers[0]) == (
        "Call the harbour guard.",
        "Fill in the red form.",
        "Wait for Ada.",
    )
    assert recompute(found.item.derivation, known.documents) == found.item.golden_answers


def test_a_case_that_only_its_page_makes_clear_is_not_asked_about_without_it() -> None:
    text = PAGE.format("If you lose the key, call the guard at once.").replace("# Salt depot", "# Notes")
    assert candidates("advice", a=text)[0] == []


def test_a_case_with_advice_in_two_places_is_not_asked_about() -> None:
    text = "# Salt depot\n\nIf you lose your salt depot badge, call the harbour guard.\n"
    other = text.replace("call the harbour guard", "fill in the red form")
    assert len(candidates("advice", a=text)[0]) == 1
    assert candidates("advice", a=text, b=other)[0] == [], "each answers only in part"


@pytest.mark.parametrize(
    ("heading", "asked"),
    [
        ("Balancing salt accounts", False),  # one of many accounts
        ("The salt account", True),
    ],
)
def test_a_definite_noun_is_clear_if_a_heading_names_that_one_thing(heading: str, asked: bool) -> None:
    text = f"# Salt\n\nSalt is sold.\n\n## {heading}\n\nIf you get a yearly bill for the account, balance it by hand.\n"
    found, _ = candidates("advice", a=text)
    assert bool(found) == asked
