"""The checks that compare a question with its evidence, with other questions, and with the documents."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from doubles import HashingEncoder
from planted import SPACY_MODEL, document, read_markdown

from kgsynth.auditing.case import AuditCase
from kgsynth.auditing.checks import CHECKS, DRIFT, Check
from kgsynth.auditing.flow import check_set
from kgsynth.auditing.resources import NEEDS, Resources
from kgsynth.base.records import Analysis, Document, Finding, Item, Span
from kgsynth.golden.dataset import Dataset
from kgsynth.golden.span_tracking import ADVICE
from kgsynth.language import language
from kgsynth.models.llm import BudgetError, Failure

LEAVE = """
# Leave

## Norway

Full-time employees have 27 working days of paid holiday a year. A doctor's note is asked for after five days.

## Canada

Full-time employees have 20 working days of paid holiday a year.

## Desks

The desk in Halifax was founded by Ada Low in 2004. Its 1,200 seats are green. The desk in York opened in 2015.
"""


def parse(text: Document) -> Analysis:
    return language("en").analyse(text, SPACY_MODEL)


PAGES = {"leave.md": read_markdown("leave.md", LEAVE)}
HALIFAX = "The desk in Halifax was founded by Ada Low in 2004."
YORK = "The desk in York opened in 2015."
SEATS = "Its 1,200 seats are green."
NORWAY = "Full-time employees have 27 working days of paid holiday a year."


def item(question: str, answer: str | Sequence[str], *texts: str, **fields: Any) -> Item:
    """An item with one evidence group for each text, at its first occurrence."""
    text = PAGES["leave.md"].text
    groups = tuple((Span("leave.md", text.index(each), text.index(each) + len(each), each),) for each in texts)
    answers = (answer,) if isinstance(answer, str) else tuple(answer)
    kind, ident = fields.pop("question_type", "simple"), fields.pop("id", question)
    return Item(ident, question, answers, kind, fields.pop("subtype", ""), "en", groups, **fields)


def found(code: str, *items: Item, resources: Resources | None = None) -> list[Finding]:
    findings = list(CHECKS[code].find(AuditCase(Dataset(items), PAGES, resources)))
    assert all(finding.code == code for finding in findings)
    return findings


@pytest.mark.parametrize(
    ("question", "answer", "texts", "expected"),
    [
        ("Who founded the desk?", "Tim Ray", (HALIFAX,), "error the answer is 'Tim Ray'"),
        ("Who founded the desk?", "Ada Ray-Low", (HALIFAX,), ""),  # part of a name is enough
        ("When was it founded?", "in 2005", (HALIFAX,), "error the answer is 'in 2005', but '2005' is not in"),
        ("How many seats are there?", "1200 seats", (SEATS,), ""),
        ("How many seats are there?", "1.3 thousand", (SEATS,), "warning no golden answer"),  # may be right
        ("How many years apart?", "eleven years", (HALIFAX, YORK), ""),  # 2015 - 2004
        ("How many years apart?", "twelve years", (HALIFAX, YORK), "error"),
        ("How many desks were opened?", "two desks", (HALIFAX, YORK), ""),  # one for each group
        ("How many bears were opened?", "two lions", (HALIFAX, YORK), "error"),
        ("Is it green?", "Yes", (SEATS,), ""),
        ("Which is green, the desk or the chair?", "the chair", (SEATS,), ""),  # named in the question
        ("Why is it so?", "because nobody minded much", (SEATS,), "warning no golden answer"),
        ("Who founded the desk?", ("nobody", "Ada Low"), (HALIFAX,), ""),
    ],
)
def test_answers_must_be_supported(question: str, answer: str, texts: tuple[str, ...], expected: str) -> None:
    (message, *_) = [
        f"{each.severity} {each.message}" for each in found("evidence", item(question, answer, *texts))
    ] or [""]
    assert message.startswith(expected) and bool(message) == bool(expected)


def test_an_unsupported_language_has_no_findings_of_words_or_facts() -> None:
    page = replace(document("a.md", "若中离，四分钟内不得进行配对。"), language="zh")
    asked = Item("q", "多少分钟内不得进行配对？", ("4分钟",), "simple", "", "zh", ((page.span(0, 15),),))
    case = AuditCase(Dataset([asked]), {"a.md": page}, Resources(HashingEncoder().encode, parse))
    assert {code for code, check in CHECKS.items() if list(check.find(case))} == set()
    english = replace(asked, question="After how many minutes?", language="en")
    case = AuditCase(Dataset([english]), {"a.md": page}, Resources(HashingEncoder().encode, parse))
    assert list(CHECKS["ambiguous"].find(case)) == [], "a document in an unsupported language is not parsed"


def test_an_answer_that_its_evidence_denies_is_reported() -> None:
    text = "Ada Low does not lead the desk in Halifax. Tim Ray leads it, and Bo Ek no longer does."
    pages = {"n.md": document("n.md", text)}

    def denied(answer: str, *spans: Span) -> list[Finding]:
        asked = Item("q", "Who leads the desk in Halifax?", (answer,), "simple", "", "en", (spans,))
        return list(CHECKS["denied"].find(AuditCase(Dataset([asked]), pages)))

    whole = pages["n.md"].span(0, len(text))
    (finding,) = denied("Ada Low", whole)
    assert (finding.code, finding.severity) == ("denied", "warning") and finding.message == (
        "'Who leads the desk in Halifax?' is answered with 'Ada Low', but the evidence denies it: "
        "'Ada Low does not lead the desk in Halifax.'"
    )
    assert denied("Ada Low", pages["n.md"].span(0, 7)) != [], "the sentence around the span counts"
    assert denied("Tim Ray", whole) == [] and denied("Bo Ek", whole) != [] and denied("Low", whole) != []
    assert denied("Zoe", whole) == [], "not there at all: for the check evidence"


def test_an_answer_must_be_of_the_kind_asked_for() -> None:
    assert found("kind", item("How many seats are there?", "1,200", SEATS), item("When?", "2004", HALIFAX)) == []
    (finding,) = found("kind", item("How many seats are there?", "green", SEATS))
    assert finding.message == "'How many seats are there?' asks for a number, the answer is 'green'"
    assert found("kind", item("How many seats are there?", ("green", "1,200"), SEATS)) == []


@pytest.mark.parametrize(
    ("question", "pointing"),
    [
        ("According to the text, who founded the desk?", "According to the"),
        ("What is green in this section?", "in this section"),
        ("When did it open?", "it"),
        ("Who founded the desk in Halifax?", ""),
    ],
)
def test_questions_must_be_self_contained(question: str, pointing: str) -> None:
    findings = found("self_contained", item(question, "Ada Low", HALIFAX))
    assert [finding.message.rpartition(": ")[2] for finding in findings] == (
        [f"{pointing!r} refers to something outside the question"] if pointing else []
    )


def test_copied_words() -> None:
    turned = item("The desk in Halifax was founded by whom?", "Ada Low in 2004", HALIFAX)
    (finding,) = found("copied", turned)
    assert finding.message.startswith("7 of the 8 words of"), "all but whom"
    assert found("copied", item("By whom was the Halifax desk founded in 2004?", "Ada Low", HALIFAX)) == []
    many = [replace(turned, id=str(n), question="Was the desk in Halifax founded in 2004?") for n in range(20)]
    assert found("copied", *many)[-1].item == "", "the set as a whole: all words are in the evidence"


def test_another_answer_under_another_heading() -> None:
    asked = item(
        "How many working days of paid holiday a year do full-time employees have?",
        "27 working days of paid holiday a year",
        NORWAY,
    )
    scoped = replace(asked, id="s", question=f"In Norway, {asked.question[:1].lower()}{asked.question[1:]}")
    (finding,) = found("ambiguous", asked, scoped, resources=Resources(parse=parse))
    assert finding.item == asked.id and "under 'Canada', says '20 working days" in finding.message


def test_paraphrases_have_an_answer_in_common() -> None:
    one, other = item("Who founded the desk?", "Ada Low", HALIFAX), item("The desk: who founded?", "Ada Low", HALIFAX)
    resources = Resources(encode=HashingEncoder().encode)
    assert found("near_duplicate", one, other)[0].message.endswith("(1.00)"), "by content words"
    assert found("paraphrase", one, other, resources=resources) == [], "already reported"
    apart = replace(other, evidence=item("", "", SEATS).evidence)
    (finding,) = found("paraphrase", one, apart, resources=resources)
    message = "'The desk: who founded?' means the same as 'Who founded the desk?' of Who founded the desk? (1.00)"
    assert finding.message == message
    assert found("paraphrase", one, replace(apart, golden_answers=("Tim",)), resources=resources) == []


def test_questions_about_different_names_are_no_duplicates() -> None:
    asked = "In which of the many years before the great war and the long peace did she open the desk in Halifax?"
    one = item(asked, "2004", HALIFAX)
    other = item(one.question.replace("Halifax", "York"), "2015", YORK)
    assert found("near_duplicate", one, other) == []
    assert len(found("near_duplicate", one, replace(other, golden_answers=("2004",)))) == 1


def test_contamination_in_every_form() -> None:
    train = Dataset([item("Who founded the desk in Halifax?", "Ada Low", HALIFAX, id="t")])
    same, reworded = (
        item("who founded the desk in Halifax", "Ada Low", HALIFAX),
        item("Can you say who founded the desk in Halifax?", "Ada Low", HALIFAX),
    )
    fact, free = item("Whose idea was it?", "Ada Low", HALIFAX), item("What is green?", "Its 1,200 seats", SEATS)
    findings = found("contamination", same, reworded, fact, free, resources=Resources(against=train))
    assert [(each.item, each.severity) for each in findings] == [
        (same.id, "error"), (reworded.id, "warning"), (fact.id, "warning"),
    ]  # fmt: skip
    assert "is also in the other set" in findings[0].message
    assert "has the answer and evidence of one in the other set" in findings[2].message


def test_hopeless_by_rank() -> None:
    pages = {"0.md": document("0.md", "alpha beta")}
    pages |= {f"{n}.md": document(f"{n}.md", f"gamma delta n{n}") for n in range(1, 120)}
    evidence = ((pages["0.md"].span(0, 5),),)
    found = Item("a", "Which alpha beta?", ("x",), "simple", "", "en", evidence)
    lost = replace(found, id="b", question="Which gamma delta?")
    case = AuditCase(Dataset([found, lost]), pages, Resources(encode=HashingEncoder(4096).encode))
    (finding,) = CHECKS["hopeless"].find(case)
    assert finding.message == "the evidence of 'Which gamma delta?' has rank 120 of 120 chunks by embedding"
    assert list(CHECKS["hopeless"].find(AuditCase(Dataset([lost]), pages))) == [], "without vectors nothing is ranked"
    loose = replace(lost, question="Which gamma epsilon zeta eta theta?")
    (finding,) = CHECKS["hopeless"].find(AuditCase(Dataset([loose]), dict(list(pages.items())[:20]), case.resources))
    assert finding.message.endswith("has rank 20 of 20 chunks by embedding and holds 0 % of its words")


def test_a_set_whose_evidence_is_always_found_first_is_too_easy() -> None:
    """30 pages whose one word is in their question, beside 30 other pages."""
    pages = {f"{n}.md": document(f"{n}.md", f"word{n} alpha beta gamma delta") for n in range(60)}
    items = [
        Item(f"q{n}", f"Which alpha beta gamma delta is at word{n}?", ("x",), "simple", "", "en",
             ((pages[f"{n}.md"].span(0, 5),),))
        for n in range(30)
    ]  # fmt: skip
    encode = HashingEncoder(4096).encode
    (finding,) = CHECKS["too_easy"].find(AuditCase(Dataset(items), pages, Resources(encode=encode)))
    assert (finding.item, finding.severity) == ("", "warning")
    assert finding.message == (
        "the embedding model has the evidence of 30 of 30 questions in its first 5 chunks (30 at rank 1), and a "
        "difference below 8 questions is often missed, so retrievers at least as good cannot be told apart at 5"
    )
    assert finding.advice == "make a harder set (generate says how)"
    others = replace(items[0], question="Which alpha beta gamma delta is at word30 word31 word32 word33 word34 word35?")
    lost = [replace(others, id=each.id) if n < 15 else each for n, each in enumerate(items)]
    case = AuditCase(Dataset([replace(each, evidence=items[n].evidence) for n, each in enumerate(lost)]), pages,
                     Resources(encode=encode))  # fmt: skip
    assert list(CHECKS["too_easy"].find(case)) == [], "15 have rank 7"


class FixedReply:
    """An LLM that gives one fixed reply, and whose budget may be spent."""

    name = "fixed"

    def __init__(self, reply: object, spent: bool = False) -> None:
        self.reply, self.spent = reply, spent

    def ask_all(self, prompts: Sequence[Any], shape: type) -> Any:
        yield 0, self.reply if isinstance(self.reply, Failure) else shape(self.reply)
        if self.spent:
            raise BudgetError("2 calls are spent")

    def close(self) -> None:
        pass


def test_closed_book() -> None:
    items = item("Who founded the desk?", "Ada Low", HALIFAX), item("When did York open?", "2015", YORK)
    resources = Resources(model=FixedReply(("Ada Low", "")))
    (finding,) = found("closed_book", *items, resources=resources)
    assert finding.message == "without the documents the LLM answers 'Who founded the desk?' with 'Ada Low'"
    assert found("closed_book", *items, resources=Resources(model=FixedReply(Failure("no")))) == []
    known = [replace(each, metadata={"scores": {"closed_book": 1.0}}) for each in items]
    again = found("closed_book", *known, resources=Resources(model=FixedReply(Failure("no"))))
    assert again == [], "a score from generation does not count"
    report = check_set(Dataset(items), PAGES, resources=Resources(model=FixedReply(("Ada Low", ""), spent=True)))
    assert report.counts["closed_book"] == 1 and report.skipped["closed_book"] == "in part: 2 calls are spent"


def test_a_report_lists_skipped_checks() -> None:
    resources = Resources(unavailable={"vectors": "no model"})
    report = check_set(Dataset([item("Who founded the desk?", "Ada Low", HALIFAX)]), PAGES, resources=resources)
    assert report.skipped == {"paraphrase": "no model", "too_easy": "no model", "hopeless": "no model"}
    assert report.to_text().endswith("not checked: paraphrase, too_easy, hopeless (no model)")
    assert report.stats["rank"] is None and "contamination" not in report.titles


def rows_of(code: str, check: Check) -> list[str]:
    """The rows of a check in the table of docs/audit.md, one per code."""
    titles = check.codes or {code: check.title}
    return [f"| `{each}` | {check.severity} | {title} | {NEEDS[check.needs]} |" for each, title in titles.items()]


def test_the_table_in_the_docs_has_all_checks() -> None:
    text = (Path(__file__).parents[2] / "docs" / "audit.md").read_text(encoding="utf-8")
    table = re.search(r"^\| code \|.*\n\|[-|]+\n((?:\|.*\n)+)", text, re.MULTILINE)
    rows = [row for code, check in CHECKS.items() for row in rows_of(code, check)]
    assert table and table[1].splitlines() == rows, "\n".join(rows)
    assert DRIFT.keys() == ADVICE.keys()
