import json
from collections.abc import Iterable
from dataclasses import replace
from typing import Any

import pytest
from planted import document

from kgsynth.auditing import coverage
from kgsynth.auditing.case import AuditCase
from kgsynth.auditing.checks import CHECKS
from kgsynth.auditing.flow import check_set
from kgsynth.auditing.report import AuditReport
from kgsynth.base.records import Document, Finding, Item, Span, item_id
from kgsynth.golden.dataset import Dataset

ADA = "Ada Low leads the Borealis team in Leeds."
ROOMS = "The Leeds site has nine storerooms."
PAGES = {
    "a.md": document("a.md", ADA),
    "b.md": document("b.md", f"Intro. {ROOMS} {'Padding. ' * 200}York has 38 storerooms."),
}


def span(text: str, doc: str = "a.md") -> Span:
    start = PAGES[doc].text.index(text)
    return Span(doc, start, start + len(text), text)


def item(question: str = "Who leads the Borealis team?", answer: str = "Ada Low", **fields: Any) -> Item:
    evidence = fields.pop("evidence", ((span(ADA),),))
    answers = fields.pop("golden_answers", (answer,))
    kind = fields.pop("question_type", "simple")
    subtype = fields.pop("subtype", "factoid")
    name = fields.pop("id", item_id(question, answers, evidence))
    return Item(name, question, answers, kind, subtype, fields.pop("language", "en"), evidence, **fields)


def lookup(text: str, doc: str = "a.md") -> dict[str, Any]:
    found = span(text, doc)
    return {
        "operator": "lookup",
        "steps": [{"fact": "f", "find": {"doc": doc, "start": found.start, "end": found.end}}],
    }


def found(code: str, *items: Item, documents: dict[str, Document] = PAGES) -> list[Finding]:
    """The findings of one check, all under its own code."""
    findings = list(CHECKS[code].find(AuditCase(Dataset(items), documents)))
    assert all(finding.code == code for finding in findings)
    return findings


def messages(findings: Iterable[Finding]) -> list[str]:
    return [f"{finding.severity} {finding.message}" for finding in findings]


def test_a_sound_item_has_no_finding() -> None:
    sound = item(derivation=lookup("Ada Low"), metadata={"source": "kgsynth"})
    assert check_set(Dataset([sound]), {"a.md": PAGES["a.md"]}).findings == ()


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"question": " "}, "error the question is empty"),
        ({"golden_answers": ("Ada", "")}, "error a golden answer is empty"),
        (
            {"golden_answers": ("Ada", "re:Ada (")},
            "error the golden answer 're:Ada (' is not a valid regular expression: missing ), unterminated subpattern",
        ),
        ({"golden_answers": ()}, "error the item is answerable but has no golden answer"),
        ({"evidence": ()}, "error the item is answerable but has no evidence"),
        ({"evidence": ((span(ADA),), ())}, "error an evidence group is empty"),
        ({"question_type": "unanswerable"}, "error answerable is true but question_type is 'unanswerable'"),
        ({"question_type": "odd"}, "warning unknown question_type 'odd'"),
        ({"difficulty": "brutal"}, "warning unknown difficulty 'brutal'"),
        (
            {"answerable": False, "question_type": "unanswerable"},
            "error the item is not answerable but has an answer or evidence",
        ),
    ],
)
def test_schema(fields: dict[str, Any], message: str) -> None:
    assert messages(found("schema", item(**fields))) == [message]


def test_an_id_must_be_that_of_the_content() -> None:
    ours = item(metadata={"source": "kgsynth"})
    assert found("id", ours, item(id="h-1", metadata={"source": "human"})) == []
    (finding,) = found("id", replace(ours, question="Who leads it now?"))
    assert "changed after the id was given" in finding.message and finding.severity == "error"
    assert len(found("id", replace(ours, evidence=((replace(span(ADA), text="Ada"),),)))) == 1
    moved = replace(ours, evidence=((replace(span(ADA), start=1),),))
    assert found("id", moved) == [], "where the evidence is does not matter"


def test_a_changed_document_is_reported_once_and_not_as_a_failed_derivation() -> None:
    gone = item(evidence=((Span("z.md", 0, 8, "Tim Quok"), Span("z.md", 9, 11, "Zz")),), derivation=lookup("Ada Low"))
    assert found("derivation", gone) == []
    assert [(f.code, f.message) for f in check_set(Dataset([gone]), PAGES).at_least("error")] == [
        (
            "vanished",
            "z.md is gone, and 'Tim Quok' is in no document (it was at z.md [0, 8)); the same for 1 more span",
        )
    ]


def test_a_context_that_was_not_found_is_reported_once() -> None:
    lost = [{"context": "Ada Low led " * 20, "why": "it stands in no document"}, {"context": "x", "why": "…"}]
    (finding,) = found("not_found", item(evidence=(), metadata={"not_found": lost}, question_type="multi_context"))
    assert (finding.severity, finding.message) == (
        "error",
        "the context 'Ada Low led Ada Low led Ada Low led Ada Low led Ada Low led …' was not found: it stands in no "
        "document; not found either: 1 more context",
    )
    one_hop = item(evidence=((span(ADA),),), metadata={"not_found": lost}, question_type="multi_context")
    assert found("hops", one_hop) == [], "the missing hop has the same cause"
    assert found("schema", item(evidence=(), metadata={"not_found": lost})) == []
    no_context = [
        item(evidence=(), id=f"q{n}", metadata={"not_found": [{"answer": "Ada", "why": "it is short"}]}) for n in "123"
    ]
    (all_of_them,) = found("not_found", *no_context)
    assert all_of_them.message.endswith("it is short; the same for 2 more items: q2, q3"), "one finding, not three"
    (mild,) = found("not_found", item(evidence=(), metadata={"not_found": [{"answer": "Ada", "why": "it is short"}]}))
    assert (mild.severity, mild.message) == ("warning", "'Who leads the Borealis team?': it is short")


def test_a_set_for_retrieval_alone_needs_no_answers() -> None:
    assert found("schema", item(golden_answers=(), metadata={"retrieval_only": True})) == []


def test_derivations_are_recomputed() -> None:
    (other,) = found("derivation", item(answer="Tim", derivation=lookup("Ada Low")))
    assert other.message == "the derivation yields 'Ada Low', the golden answer is 'Tim'"
    (broken,) = found("derivation", item(derivation={"operator": "guess", "steps": []}))
    assert broken.message.startswith("the derivation fails: operator 'guess'")
    nine = item(
        "How many?", "9 storerooms", evidence=((span(ROOMS, "b.md"),),), derivation=lookup("nine storerooms", "b.md")
    )
    assert found("derivation", nine) == [], "written numbers are numbers"


def test_derivations_stay_within_the_evidence() -> None:
    (finding,) = found("derivation", item(evidence=((span("in Leeds."),),), derivation=lookup("Ada Low")))
    assert finding.message == "the derivation uses a.md [0, 7), which is outside the evidence"


def test_evidence_without_a_derivation_contains_the_answer() -> None:
    assert found("evidence", item(golden_answers=("nobody", "ada low"))) == []
    assert found("evidence", item(answer="a woman called Ada Low, who leads the team in Leeds")) == []
    assert messages(found("evidence", item(answer="whoever happens to be in charge there"))) == [
        "warning no golden answer is in the evidence: 'whoever happens to be in charge there'"
    ]
    assert len(found("evidence", item(answer="Leed"))) == 1, "half a word is no answer"
    assert found("evidence", item(answer="re:(ada )?low")) == []
    assert len(found("evidence", item(golden_answers=("re:nobody", "re:low (")))) == 1
    assert found("evidence", item(answer="x", derivation=lookup("Ada Low"))) == []


FAR, NEAR_BY = span("York has 38 storerooms.", "b.md"), span("Intro.", "b.md")
CLOSE = "warning all evidence groups are within 42 characters of one document"


@pytest.mark.parametrize(
    ("evidence", "expected"),
    [
        (((span(ADA),), (span(ROOMS, "b.md"),)), []),
        (((FAR,), (span(ROOMS, "b.md"),)), []),
        (((span(ADA),),), ["error a multi_context question with 1 evidence group"]),
        (((span(ADA),), (span("leads"),)), ["error two evidence groups overlap, so they are one hop"]),
        (((span(ROOMS, "b.md"),), (NEAR_BY,)), [CLOSE]),
        (((FAR, span(ROOMS, "b.md")), (NEAR_BY,)), [CLOSE]),
    ],
)
def test_hops_are_needed(evidence: tuple[tuple[Span, ...], ...], expected: list[str]) -> None:
    assert messages(found("hops", item(question_type="multi_context", evidence=evidence))) == expected
    assert found("hops", item(evidence=evidence)) == [], "other types may have one group"


def test_duplicates() -> None:
    same, other = item(id="b", question="who leads the borealis team"), item(id="c", answer="Tim")
    items = (item(id="a"), same, other, item(id="d", question="?"), item(id="e", question="!"))
    (again,) = found("duplicate", *items)
    assert again.item == "b" and again.message.startswith("asks the same as a: ")
    (conflict,) = found("at_odds", *items)
    assert (conflict.item, conflict.severity) == ("c", "error")
    message = "asks the same as a, 'Who leads the Borealis team?', but the answer is 'Tim' instead of 'Ada Low'"
    assert conflict.message == message


def test_near_duplicates() -> None:
    long = "Which of the sites in the north of the country holds the greatest number of storerooms of all"
    first, near = item(long, id="a"), item(f"{long} then", id="b")
    far, same = item("Who leads the Borealis team?", id="c"), item(f"{long}?", id="d")
    (finding,) = found("near_duplicate", first, near, far)
    # 17 word pairs, all of them among the 18 of the other
    assert finding.item == "b" and finding.message.endswith("of a (0.94)")
    assert found("near_duplicate", first, same) == [], "an exact copy is reported by the check duplicate"


@pytest.mark.parametrize(
    ("question", "answer", "fields", "leaks"),
    [
        ("What does the Borealis team lead?", "the Borealis teams", {}, True),
        ("Who leads the Borealis team?", "Ada Low", {}, False),
        ("Which has more rooms, Leeds or York?", "York", {"subtype": "comparison"}, False),
        ("Is it true that no one leads it?", "No", {}, False),
        ("丙烯颜料溶于汽油吗？", "溶于汽油。", {"language": "zh"}, True),
        ("丙烯颜料溶于什么？", "汽油", {"language": "zh"}, False),
        ("谁？", "", {"language": "zh"}, False),
    ],
)
def test_leaking(question: str, answer: str, fields: dict[str, Any], leaks: bool) -> None:
    assert bool(found("leaking", item(question, answer, **fields))) is leaks


def page(doc: str, words: int, language: str = "en") -> Document:
    return replace(document(doc, "word " * words), language=language)


def test_coverage_counts_long_documents() -> None:
    pages = {doc: page(doc, words) for doc, words in (("a.md", 150), ("c.md", 150), ("d.md", 149), ("e.md", 400))}
    (finding,) = found("coverage", item(), documents=pages)
    assert finding.item == "" and finding.severity == "warning"
    assert finding.message == "2 of 3 documents of 150 words or more (67 %) have no question: c.md, e.md"
    assert finding.advice == "generate more questions, or write some about them"
    case = AuditCase(Dataset([item()]), pages, found_no_more=True)
    (finding,) = coverage.coverage(case)
    assert finding.advice == "write questions about them: the run found no more to ask, and its report.html says why"
    assert found("coverage", item(), documents={"a.md": page("a.md", 999)}) == []
    code = replace(pages["c.md"], blocks=tuple(replace(block, kind="code") for block in pages["c.md"].blocks))
    assert found("coverage", item(), documents={"c.md": code}) == [], "code holds no prose to ask about"
    cells = replace(pages["c.md"], blocks=tuple(replace(block, kind="cell") for block in pages["c.md"].blocks))
    assert len(found("coverage", item(), documents={"c.md": cells})) == 1, "the words of a table count"


def test_languages() -> None:
    pages = {"a.md": page("a.md", 9), "c.md": page("c.md", 9, "zh")}
    (none,) = found("language", item(), documents=pages)
    assert none.message == "no question is in 'zh', the language of 1 of 2 documents"
    (script, _) = found("language", item(language="zh"), documents=pages)
    assert script.message == "the language is 'zh', but 'Who leads the Borealis team?' is in another script"
    (across, _) = found("language", item("Ada 是谁？", language="zh"), documents={"a.md": page("a.md", 9)})
    assert across.message == "the question is in 'zh', its evidence in en"


def test_balance() -> None:
    items = [item(id=f"s{n}") for n in range(8)] + [item(id=f"r{n}", question_type="reasoning") for n in range(2)]
    mix = {"simple": 0.5, "reasoning": 0.5}
    findings = list(coverage.balance(AuditCase(Dataset(items), PAGES, mix=mix)))
    assert messages(findings) == [
        "warning 2 items of type reasoning, but the mix asks for 5",
        "warning 8 items of type simple, but the mix asks for 5",
    ]
    near = {"simple": 0.7, "reasoning": 0.3}
    assert list(coverage.balance(AuditCase(Dataset(items), PAGES, mix=near))) == [], "one item off is chance"
    assert "balance" in check_set(Dataset(items), PAGES, mix=mix).counts
    assert "balance" not in check_set(Dataset(items), PAGES).counts


def test_the_report_has_counts_and_examples() -> None:
    findings = (
        Finding("span", "error", "q-1", "gone", "look"),
        Finding("span", "error", "q-2", "gone too", "look"),
        Finding("coverage", "warning", "", "1 of 2 documents"),
    )
    report = AuditReport(findings, Dataset([item()]).stats() | {"documents_long": 2, "documents_asked": 1})
    assert report.counts == {"span": 2, "coverage": 1}
    assert report.at_least("error") == findings[:2] and report.at_least("warning") == findings
    plain = json.loads(report.dumps())
    assert (plain["errors"], plain["warnings"], plain["findings"][0]["advice"]) == (2, 1, "look")
    text = report.to_text()
    assert "2 errors, 1 warning\n" in text and "1 of 2" in text
    assert "error span: 2\n  e.g. q-1: gone\n  what to do: look" in text
    assert "warning coverage: 1\n  1 of 2 documents" in text


def test_the_terminal_shows_what_one_decides_by() -> None:
    """Ten checks found something, the last two of them errors."""
    codes = [f"w{at}" for at in range(8)] + ["e0", "e1"]
    findings = [
        Finding(code, "error" if code[0] == "e" else "warning", f"q-{n}", f"no {code}", f"mend {code}")
        for code in codes
        for n in range(3)
    ]
    report = AuditReport((*findings,), Dataset([item()]).stats() | {"documents_long": 2, "documents_asked": 1})
    lines = report.to_text(short=True).splitlines()
    assert len(lines) <= 25 and lines[0] == "6 errors, 24 warnings"
    start = lines.index("error e0: 3")
    assert lines[start:] == [
        "error e0: 3", "  e.g. q-0: no e0", "  what to do: mend e0",
        "error e1: 3", "  e.g. q-0: no e1", "  what to do: mend e1",
        "warning w0: 3", "  e.g. q-0: no w0", "  what to do: mend w0",
        *(f"warning w{at}: 3" for at in range(1, 8)),
    ]  # fmt: skip
    assert "  what to do: mend w7" in report.to_text().splitlines()


def test_an_empty_set_is_audited() -> None:
    report = check_set(Dataset([]), {})
    assert [(each.code, each.severity, each.message) for each in report.findings] == [
        ("schema", "error", "the set has no items")
    ]
    assert "0 items" in report.to_text()
