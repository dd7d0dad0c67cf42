"""What the audit can tell of a wrong subject and a denied yes, and what it says it cannot see."""

from __future__ import annotations

from dataclasses import replace

import pytest
from planted import document

from kgsynth.auditing.case import AuditCase
from kgsynth.auditing.checks import CHECKS
from kgsynth.auditing.fix import settle
from kgsynth.auditing.flow import check_set
from kgsynth.base.records import Document, Finding, Item, Span, item_id
from kgsynth.golden.dataset import Dataset
from kgsynth.language.text_words import says_yes

PUMP_A = "# Aurex A1\n\nThe pump is assembled in Oslo.\n\nWeight | 62 kg\n"
PUMP_B = "# Borel B2\n\nThe pump is assembled in Lisbon.\n\nWeight | 75 kg\n"
RULES = (
    "# Rules\n\nUsed devices are not taken back unless they are defective. The guard may smoke, but visitors may not.\n"
)
PAGES = {
    doc: document(doc, text) for doc, text in {"pump-a.md": PUMP_A, "pump-b.md": PUMP_B, "rules.md": RULES}.items()
}


def item(question: str, answer: str, doc: str, text: str, source: str = "people") -> Item:
    start = PAGES[doc].text.index(text)
    evidence = ((Span(doc, start, start + len(text), text),),)
    name = item_id(question, (answer,), evidence)
    return Item(name, question, (answer,), "simple", "factoid", "en", evidence, metadata={"source": source})


def found(code: str, asked: Item, documents: dict[str, Document] = PAGES) -> list[Finding]:
    return list(CHECKS[code].find(AuditCase(Dataset([asked]), documents)))


SWAPPED = item("What is the weight of the Aurex A1?", "75 kg", "pump-b.md", "Weight | 75 kg")
RIGHT = item("What is the weight of the Aurex A1?", "62 kg", "pump-a.md", "Weight | 62 kg")


def test_a_question_about_what_only_another_document_has_is_reported() -> None:
    (finding,) = found("names", SWAPPED)
    assert (finding.code, finding.severity) == ("subject", "warning")
    assert finding.message == (
        "'What is the weight of the Aurex A1?' names 'Aurex A1', which pump-b.md does not mention, but pump-a.md does"
    )
    assert found("names", RIGHT) == [], "the heading has it, though the evidence does not"


@pytest.mark.parametrize(
    "question",
    [
        "What does the Aurex A1's data sheet give as weight?",
        "Aurex A1: what is its weight?",
        "What is the Weight of the pump?",
        "What is the weight of the old Aurex?",
    ],
    ids=["possessive", "at the start", "a common word", "a part of the name"],
)
def test_no_name_is_missed_that_is_there(question: str) -> None:
    assert found("names", replace(RIGHT, question=question)) == []


def test_a_name_that_much_of_the_folder_has_need_not_be_on_each_page() -> None:
    more = {f"p{n}.md": document(f"p{n}.md", f"Part {n} of the Aurex A1.") for n in range(4)}
    assert found("names", SWAPPED, {**PAGES, **more}) == []


def test_a_name_in_no_document_is_an_error_only_where_every_name_came_from_the_documents() -> None:
    renamed = {**PAGES, "pump-a.md": document("pump-a.md", PUMP_A.replace("Aurex A1", "Zebra Z9"))}
    for source, severity in (("people", "warning"), ("kgsynth", "error")):
        asked = item("What is the weight of the Aurex A1?", "62 kg", "pump-a.md", "Weight | 62 kg", source)
        (finding,) = found("names", asked, renamed)
        assert (finding.code, finding.severity) == ("unknown_name", severity)
        assert finding.message.endswith("names 'Aurex A1', which is in no document")


def test_fix_leaves_out_or_points_at_a_question_whose_subject_is_gone() -> None:
    text = PUMP_A.replace("Aurex A1", "Zebra Z9")
    renamed = {**PAGES, "pump-a.md": document("pump-a.md", text)}
    ours = item("What is the weight of the Aurex A1?", "62 kg", "pump-a.md", "Weight | 62 kg", "kgsynth")
    theirs = item("How heavy is the Aurex A1?", "62 kg", "pump-a.md", "Weight | 62 kg")
    made = settle(check_set(Dataset([ours, theirs]), renamed), lambda fixed: check_set(fixed, renamed))
    ((left, why),) = made.left_out
    assert left.question == ours.question and why.endswith("names 'Aurex A1', which is in no document")
    assert [(each.code, each.item) for each in made.new] == [("unknown_name", theirs.id)]


# ---- yes and no ------------------------------------------------------------------------------------

NOT_TAKEN = "Used devices are not taken back unless they are defective."
SMOKE = "The guard may smoke, but visitors may not."


@pytest.mark.parametrize(
    ("question", "answer", "text", "denied"),
    [
        ("Are used devices taken back?", "yes", NOT_TAKEN, True),
        ("Are used devices taken back?", "Yes, always.", NOT_TAKEN, True),
        ("Are used devices taken back?", "no", NOT_TAKEN, False),
        ("Are devices that are not defective kept?", "yes", NOT_TAKEN, False),
        ("May the guard smoke?", "yes", SMOKE, False),
        ("Is the harbour open on Sundays?", "yes", NOT_TAKEN, False),
    ],
)
def test_a_yes_that_the_evidence_denies_in_the_words_of_the_question_is_reported(
    question: str, answer: str, text: str, denied: bool
) -> None:
    assert [each.code for each in found("denied", item(question, answer, "rules.md", text))] == ["denied"] * denied


def test_a_report_says_what_it_cannot_see() -> None:
    asked = item("May the guard smoke?", "yes", "rules.md", SMOKE)
    shown = check_set(Dataset([asked, RIGHT]), PAGES).to_text()
    assert "1 answer of yes or no: no rule sees whether the evidence says so, unless it denies a yes" in shown
    foreign = replace(check_set(Dataset([RIGHT]), PAGES), converted=True).to_text()
    assert "No estimate of the share that a strict reader would keep: rules wrote none of the questions" in foreign
    assert "no rule sees that a passage says the answer of something else" in foreign and "yes or no" not in foreign


def test_yes_is_told_from_no() -> None:
    assert [says_yes(each) for each in ("Yes.", "true", "对", "no", "Yesterday")] == [True, True, True, False, False]
