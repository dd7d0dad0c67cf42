"""Citations and steps: planted answers whose values are worked out by hand."""

from __future__ import annotations

import json
import re
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from kgsynth.base.records import Answer, Citation, Claim, Document, Item, Passage, RetrievalStep, Span
from kgsynth.scoring.flow import score
from kgsynth.scoring.metrics.citations import cited_statements
from kgsynth.scoring.metrics.scores import Scores
from kgsynth.scoring.systems.reply_reader import ReplyPaths, from_json, to_answer, to_json

PRICE, VESTS, TEAM = "A canoe costs 18 euros.", "Life jackets are free.", "The Linnet team repairs paddles."


def document(name: str, text: str) -> Document:
    return Document(name, text, name, "text", f"sha-{name}", (), ())


DOCUMENTS = [document("price.md", PRICE), document("vests.md", VESTS), document("team.md", TEAM)]


def evidence(doc: str, text: str) -> tuple[Span, ...]:
    return (Span(doc, 0, len(text), text),)


RENTAL = Item(
    "q-1",
    "What does a rental cost?",
    (f"{PRICE} {VESTS}",),
    "multi_context",
    "difference",
    "en",
    (evidence("price.md", PRICE), evidence("vests.md", VESTS)),
    answer_kind="composed",
    claims=(Claim(PRICE, (0,)), Claim(VESTS, (1,))),
)
PASSAGES = [{"doc": "price.md", "text": PRICE, "id": "p"}, {"doc": "team.md", "text": TEAM, "id": "t"}]
PASSAGES += [{"doc": "vests.md", "text": VESTS, "id": "v"}]
"""The first has the first evidence group, the second has none, the third has the second group."""


def scored(reply: object, item: Item = RENTAL) -> Scores:
    return score([item], lambda question: reply, docs=DOCUMENTS)


def values(scores: Scores, *names: str) -> list[float | None]:
    return [scores.metrics[name].value for name in names]


CITATIONS = ("citation_precision", "citation_recall", "citation_support")


@pytest.mark.parametrize(
    ("said", "expected"),
    [
        (f"{PRICE[:-1]} [1]. {VESTS[:-1]} [3].", [1, 1, 1]),
        (f"{PRICE} [1] {VESTS} [3]", [1, 1, 1]),  # a mark belongs to the sentence before it
        (f"[1] {PRICE}\n[3] {VESTS}", [1, 1, 1]),  # at the start of a line, to the one after it
        (f"- **{PRICE}**[1]\n- **{VESTS}**[3]", [1, 1, 1]),
        (f"{PRICE}【1】 {VESTS}【3】", [1, 1, 1]),
        (f"{PRICE}［1］ {VESTS}［3］", [1, 1, 1]),
        (f"{PRICE} [3] {VESTS} [1]", [1, 1, 0]),  # the right passages at the wrong sentences
        (f"{PRICE} [1, 2] {VESTS}", [1 / 2, 1 / 2, 1 / 2]),  # one of two passages, one of two groups and sentences
        (f"{PRICE} [1、2，3] {VESTS}", [2 / 3, 1, 1 / 2]),
        (f"{PRICE} [1][8] {VESTS} [3]", [2 / 3, 1, 1]),  # there is no passage 8
        ("Nobody knows the price of canoes [2].", [0, 0, None]),  # no sentence states a claim
    ],
)
def test_marks_are_scored_by_the_evidence_of_the_passages_they_number(said: str, expected: list[float | None]) -> None:
    scores = scored({"answer": said, "retrieved": PASSAGES})
    assert values(scores, *CITATIONS) == pytest.approx(expected, abs=1e-6)


@pytest.mark.parametrize(
    ("citations", "expected"),
    [
        ([{"start": 0, "end": 23, "passages": [0]}, {"start": 24, "end": 46, "passages": [2]}], [1, 1, 1]),
        ([{"start": 2, "end": 7, "passages": ["p"]}, {"text": "free", "passages": ["v"]}], [1, 1, 1]),
        ([{"text": PRICE, "passages": [0, 1]}], [1 / 2, 1 / 2, 1 / 2]),
        ([{"passages": [0, 2]}], [1, 1, 1]),  # the whole answer cites both
        ([{"start": 0, "end": 46, "passages": [0]}], [1, 1 / 2, 1 / 2]),  # both sentences cite the first passage
        ([{"text": PRICE, "passages": [0, "lost"]}], [1 / 2, 1 / 2, 1 / 2]),  # no passage has this id
        ([], [None, None, None]),
    ],
)
def test_citations_beside_the_answer_count_positions_from_0_or_name_ids(
    citations: list[object], expected: list[float | None]
) -> None:
    scores = scored({"answer": f"{PRICE} {VESTS}", "retrieved": PASSAGES, "citations": citations})
    assert values(scores, *CITATIONS) == pytest.approx(expected, abs=1e-6)
    if not citations:
        assert {scores.metrics[name].why for name in CITATIONS} == {"no answer cites a passage"}


def test_marks_do_not_count_beside_citations_and_thoughts_do_not_move_them() -> None:
    said = f"<think>Is it 18?</think>{PRICE} [2]"
    start = said.index(PRICE)
    place = {"start": start, "end": start + len(PRICE), "passages": [0]}
    scores = scored({"answer": said, "retrieved": PASSAGES, "citations": [place]})
    assert values(scores, *CITATIONS) == [1.0, 0.5, 1.0]


def test_a_chinese_answer_cites_by_marks_after_its_full_stops() -> None:
    lent, free = "独木舟每天租金18欧元。", "救生衣免费提供。"
    item = Item(
        "z", "租金多少？", (lent + free,), "multi_context", "difference", "zh",
        (evidence("a.md", lent), evidence("b.md", free)),
        answer_kind="composed", claims=(Claim(lent, (0,)), Claim(free, (1,))),
    )  # fmt: skip
    passages = [{"doc": "b.md", "text": free}, {"doc": "a.md", "text": lent}]
    reply = {"answer": f"{lent}【2】{free}【2】", "retrieved": passages}
    scores = score([item], lambda question: reply, docs=[document("a.md", lent), document("b.md", free)])
    assert values(scores, *CITATIONS) == [1.0, 0.5, 0.5], "the second sentence cites the passage of the first"


def test_an_uncited_answer_counts_0_if_others_cite_and_a_declined_one_not_at_all() -> None:
    items = [RENTAL, *(replace(RENTAL, id=f"q-{n}", question=f"Cost {n}?") for n in (2, 3))]
    answers = {"q-1": f"{PRICE} [1] {VESTS} [3]", "q-2": PRICE, "q-3": "I don't know."}
    by_question = {item.question: {"answer": answers[item.id], "retrieved": PASSAGES} for item in items}
    metrics = score(items, by_question.__getitem__, docs=DOCUMENTS).metrics
    assert [(metrics[name].value, metrics[name].n_scored) for name in CITATIONS] == [(1.0, 1), (0.5, 2), (0.5, 2)]


def test_a_sentence_keeps_its_citation_whatever_its_markup() -> None:
    passages = tuple(Passage(text=text) for text in "abc")
    said = "# Costs [1]\n\n1. A **canoe [2]** costs `18`.\n2. [Vests](http://v.org) [3]\n"
    found = cited_statements(Answer("q", said, passages))
    assert [(text, "".join(each.text or "" for each in cited)) for text, cited in found or ()] == [
        ("Costs", "a"), ("A canoe costs 18.", "b"), ("Vests", "c"),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("key", "value", "reason"),
    [
        ("citations", "p. 3", "citations is 'p. 3': give a list"),
        ("citations", [3], "citations.0 is 3: give an object with named parts"),
        ("citations", [{"start": 0, "end": 4}], "citations.0.passages is {'start': 0, 'end': 4}: field required"),
        ("citations", [{"passages": [-1]}], "citations.0.passages.0 is -1: input should be greater than or equal to 0"),
        (
            "citations",
            [{"passages": [0]}, {"passages": [0], "start": 3, "end": 99}],
            "a citation goes from 3 to 99 in an answer of 3 characters",
        ),
        ("citations", [{"passages": [0], "start": 3}], "a citation goes from 3 to None in an answer of 3 characters"),
        (
            "citations",
            [{"passages": [0], "text": "Bo"}],
            "the text 'Bo' of a citation is not in the answer: give a part of it",
        ),
        ("steps", {"query": "x"}, "steps is {'query': 'x'}: give a list"),
        ("steps", [{"query": 5}], "steps.0.query is 5: give a text"),
        (
            "steps",
            [{"query": "x"}, {"retrieved": [5]}],
            "steps.1.retrieved.0 is 5: give an object with named parts, or for a passage its text",
        ),
    ],
)
def test_a_wrong_shape_is_one_sentence_with_the_line(key: str, value: object, reason: str, tmp_path: Path) -> None:
    row = {"id": "q-1", "answer": "Ada", "retrieved": ["Ada leads it."], key: value}
    with pytest.raises(ValueError, match=f"^{re.escape(reason)}"):
        to_answer("q-1", row)
    file = tmp_path / "answers.jsonl"
    file.write_text("\n" + json.dumps(row), encoding="utf-8")
    fine = replace(RENTAL, id="q-2", question="Which?")
    file.write_text(f"{file.read_text()}\n{json.dumps({'id': 'q-2', 'answer': 'x'})}\n", encoding="utf-8")
    cause = str(score([RENTAL, fine], str(file), docs=DOCUMENTS).items[0].cause)
    assert cause.startswith(f"error: wrong shape: {reason}") and cause.endswith(f"(line 2 of {file})")


def test_lists_of_names_are_no_citations_and_no_steps() -> None:
    """Some services return the URLs of their sources, or the names of the nodes of a graph, under these keys."""
    found = to_answer("q", {"answer": "Ada", "citations": ["https://a.org"], "steps": ["retrieve", "answer"]})
    assert (found.citations, found.steps, found.unused_keys) == ((), (), ("citations", "steps"))


def test_citations_and_steps_are_read_by_expressions_and_saved() -> None:
    reply = {
        "out": "It is Ada.",
        "refs": [{"text": "Ada", "passages": [0]}],
        "log": [{"query": "who", "context": [{"body": "Ada leads it."}]}, {"query": "calculate"}],
    }
    paths = ReplyPaths({"answer": "out", "citations": "refs", "steps": "log", "text": "body"})
    answer = paths.read("q-1", reply)
    ada = Passage(text="Ada leads it.")
    assert answer.citations == (Citation((0,), 6, 9),)
    assert answer.steps == (RetrievalStep("who", (ada,)), RetrievalStep("calculate"))
    assert answer.retrieved == (ada,), "without a list of passages, those of the steps count"
    assert from_json(json.loads(json.dumps(to_json(answer)))) == answer


# ---- steps -----------------------------------------------------------------------------------------

HIT_1, HIT_2, MISS = PASSAGES[0], PASSAGES[2], PASSAGES[1]
STEPS = ("step_recall@1", "step_recall@3", "step_count", "repeated_retrieval")


def step(query: str, *passages: object) -> dict[str, object]:
    return {"query": query, "retrieved": list(passages)}


def test_step_recall_is_that_of_the_first_passages_of_all_steps() -> None:
    """The second group is at rank 2 of the second step, and one of the two passages of later steps is a repeat."""
    scores = scored({"answer": PRICE, "steps": [step("cost", HIT_1), step("vests", HIT_1, HIT_2)]})
    assert values(scores, *STEPS) == [0.5, 1.0, 2.0, 0.5]
    assert scores.metrics["context_recall"].value == 1.0
    assert [hop._asdict() for hop in scores.items[0].hops] == [{"found": True, "step": 1}, {"found": True, "step": 2}]


@pytest.mark.parametrize(
    ("steps", "lost"),
    [
        ([step("cost", HIT_1), step("team?", MISS)], "hop 2 was lost at step 2 of 2 ('team?')"),
        ([step("cost", HIT_1)], "hop 2 was lost since no step followed step 1"),
        ([step("team?", MISS), step("vests", HIT_2)], "hop 1 was lost at step 1 of 2 ('team?')"),
        ([step("team?", MISS), step("cost", HIT_1), {"retrieved": []}], "hop 2 was lost at step 3 of 3"),
    ],
)
def test_the_cause_names_the_lost_hop_and_its_step(steps: list[object], lost: str) -> None:
    scores = scored({"answer": "No idea what it is.", "steps": steps})
    assert str(scores.items[0].cause).startswith("not retrieved: 1 of 2 evidence groups (")
    assert str(scores.items[0].cause).endswith(f"; {lost}")


def test_evidence_that_a_step_found_and_the_final_passages_lack_was_not_kept() -> None:
    steps = [step("cost", HIT_1), step("vests", HIT_2)]
    scores = scored({"answer": PRICE, "retrieved": [HIT_2], "steps": steps})
    assert str(scores.items[0].cause) == "found but not kept: evidence 1 (price.md) of step 1"


def test_hops_are_counted_over_the_run(tmp_path: Path) -> None:
    items = [RENTAL, *(replace(RENTAL, id=f"q-{n}", question=f"Cost {n}?") for n in (2, 3))]
    steps = {
        "q-1": [step("cost", HIT_1), step("vests", HIT_2)],
        "q-2": [step("cost", HIT_1), step("vests", MISS)],
        "q-3": [step("cost", HIT_1)],
    }
    by_question = {item.question: {"answer": PRICE, "steps": steps[item.id]} for item in items}
    scores = score(items, by_question.__getitem__, docs=DOCUMENTS, out=tmp_path)
    first = {"hop": 1, "questions": 3, "found": 3, "lost": 0, "found_at": {"1": 3}, "lost_at": {}}
    second = {"hop": 2, "questions": 3, "found": 1, "lost": 2, "found_at": {"2": 1}, "lost_at": {"0": 1, "2": 1}}
    assert json.loads((tmp_path / "scores.json").read_text())["hops"] == [first, second]
    lines = [json.loads(line) for line in (tmp_path / "items.jsonl").read_text().splitlines()]
    assert [line["hops"][1] for line in lines] == [
        {"found": True, "step": 2},
        {"found": False, "step": 2},
        {"found": False, "step": None},
    ]
    assert "no step followed: 1, 2: 1" in (tmp_path / "scores.md").read_text()
    page = (tmp_path / "report.html").read_text()
    assert "Hops of questions with several evidence groups" in page and "lost hop 2" in page
    assert scores.metrics["step_recall@3"].value == pytest.approx(2 / 3, abs=1e-6)


def test_a_system_without_steps_has_hops_but_no_metrics_of_steps() -> None:
    scores = scored({"answer": PRICE, "retrieved": [HIT_1]})
    assert {scores.metrics[name].why for name in STEPS} == {"the system returns no steps"}
    assert [count.to_json() for count in scores.hops] == [
        {"hop": 1, "questions": 1, "found": 1, "lost": 0},
        {"hop": 2, "questions": 1, "found": 0, "lost": 1},
    ]
    assert str(scores.items[0].cause) == "not retrieved: 1 of 2 evidence groups (vests.md)"


def test_a_note_says_how_many_citations_name_no_passage() -> None:
    citations = [{"text": PRICE, "passages": [0, 3]}, {"text": VESTS, "passages": ["lost"]}]
    scores = scored({"answer": f"{PRICE} {VESTS}", "retrieved": PASSAGES, "citations": citations})
    note = "2 of 3 citations name no retrieved passage: numbers in citations count from 0, in marks such as [1] from 1"
    assert note in scores.notes


def test_a_process_cites_and_has_steps(tmp_path: Path) -> None:
    program = tmp_path / "rag.py"
    reply = {"answer": PRICE, "citations": [{"passages": [0]}], "steps": [step("cost", HIT_1)]}
    program.write_text(f"import sys\nfor line in sys.stdin:\n    print({json.dumps(json.dumps(reply))}, flush=True)\n")
    scores = score([RENTAL], f"exec:{sys.executable} {program}", docs=DOCUMENTS)
    assert values(scores, *CITATIONS, "step_recall@1") == [1.0, 0.5, 1.0, 0.5]
