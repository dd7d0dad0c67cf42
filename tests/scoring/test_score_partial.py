"""What only a part of the questions shows: passages known by document, replies without a list, questions left out."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner

from kgsynth.base.records import Document, Item, Span
from kgsynth.cli import main
from kgsynth.golden.dataset import write
from kgsynth.scoring.flow import score
from kgsynth.scoring.junit import junit
from kgsynth.scoring.metrics.scores import Scores

LINES = [f"Depot number {n} is led by Person {n} of the northern district office." for n in range(8)]
TEXT = "\n\n".join(LINES)
DOCS = [Document("depots.md", TEXT, "", "md", "1", (), ())]


def item(n: int) -> Item:
    start = TEXT.index(LINES[n])
    span = Span("depots.md", start, start + len(LINES[n]), LINES[n])
    return Item(f"q{n}", f"Who leads depot number {n}?", (f"Person {n}",), "simple", "factoid", "en", ((span,),))


ITEMS = [item(n) for n in range(8)]


def number(question: str) -> int:
    return int(question[-2])


# ---- passages known by document only ---------------------------------------------------------------


def by_document(question: str) -> object:
    return [{"doc": "depots.md"}]


def wrong_text(question: str) -> object:
    return [{"doc": "depots.md", "text": f"Something of another kind, about elephants and {question[::-1]}"}]


@pytest.mark.parametrize("system", [by_document, wrong_text])
def test_a_document_alone_passes_no_question(system: Callable[[str], object]) -> None:
    found = score(ITEMS, system, docs=DOCS, gates=["pass_rate>=0.1"])
    assert {each.state for each in found.items} == {"not checked"}
    assert found.metrics["file_recall"].value == 1.0
    assert not found.passed and not found.gates[0].passed
    assert not any("a question passes if" in note for note in found.notes)
    why = "only their documents are known of their passages, and there is no answer to compare"
    assert found.notes[-1] == f"8 of 8 questions were not checked: {why}"


def test_a_document_that_was_not_retrieved_fails_and_a_right_answer_passes() -> None:
    missed = score(ITEMS, lambda question: [{"doc": "other.md"}], docs=[*DOCS, replace(DOCS[0], id="other.md")])
    assert {str(each.cause) for each in missed.items} == {"not retrieved: 1 of 1 documents (depots.md)"}
    right = score(ITEMS, lambda q: {"answer": f"Person {number(q)}", "retrieved": [{"doc": "depots.md"}]}, docs=DOCS)
    assert right.n_passed == 8


def test_a_gate_on_documents_can_pass_where_only_documents_are_known(tmp_path: Path) -> None:
    found = score(ITEMS, by_document, docs=DOCS, gates=["file_recall>=0.9"])
    assert (found.passed, found.n_checked) == (True, 0)
    assert 'failures="0"' in junit(found)
    write(ITEMS, tmp_path / "golden.jsonl")
    (tmp_path / "depots.md").write_text(TEXT, encoding="utf-8")
    (tmp_path / "rag.py").write_text("def ask(question):\n    return [{'doc': 'depots.md'}]\n", encoding="utf-8")
    line = ["score", str(tmp_path / "golden.jsonl"), "--rag", f"{tmp_path / 'rag.py'}:ask", "--docs", str(tmp_path)]
    codes = [CliRunner().invoke(main, [*line, *gate]).exit_code for gate in ([], ["--gate", "file_recall>=0.9"])]
    assert codes == [1, 0], "without a gate nothing was checked"


def test_a_pass_rate_of_a_few_checked_questions_fails_its_gate(move: Callable[[str, float], None]) -> None:
    others = [replace(each, evidence=(), golden_answers=()) for each in ITEMS[2:]]  # nothing to compare with

    def right() -> Scores:
        return score([*ITEMS[:2], *others], lambda q: [LINES[number(q)]], docs=DOCS, gates=["pass_rate>=0.9"])

    (gate,) = right().gates
    assert (gate.passed, gate.why) == (False, "only 2 of 8 answerable questions could be checked")
    move("left_out_share", 0.8)
    assert right().gates[0].passed


# ---- replies without a list of passages ------------------------------------------------------------


def test_a_reply_without_a_list_counts_by_its_answer_and_not_as_an_empty_search() -> None:
    def sometimes(question: str) -> object:
        n = number(question)
        return f"Person {n}" if n < 6 else {"answer": f"Person {n}", "retrieved": [LINES[n] if n == 6 else "Nothing"]}

    found = score(ITEMS, sometimes, docs=DOCS)
    assert [each.state for each in found.items] == ["passed"] * 7 + ["failed"]
    recall, files = found.metrics["recall@5"], found.metrics["file_recall"]
    assert (recall.value, recall.n_scored, files.n_scored) == (0.5, 2, 2)
    for name in ("passages_returned", "retrieved_words"):
        assert found.metrics[name].n_scored == 2, name
    assert found.items[0].group_ranks == ()
    note = (
        "6 of 8 replies have an answer but no list of passages: they are checked by their answers alone, and retrieval "
    )
    assert any(each.startswith(f"{note}is measured on the others") for each in found.notes)


def test_an_empty_list_and_no_answer_at_all_are_still_failures_of_retrieval() -> None:
    def mixed(question: str) -> object:
        n = number(question)
        return {"answer": f"Person {n}", "retrieved": [] if n < 6 else [LINES[n]]}

    found = score(ITEMS, mixed, docs=DOCS)
    assert found.causes == {"nothing retrieved": 6}
    assert (found.metrics["recall@5"].value, found.metrics["recall@5"].n_scored) == (0.25, 8)


def test_a_wrong_answer_without_a_list_fails_as_a_wrong_answer() -> None:
    found = score(
        ITEMS, lambda q: "nobody" if number(q) else {"answer": "Person 0", "retrieved": [LINES[0]]}, docs=DOCS
    )
    assert found.causes == {"wrong answer": 7}


# ---- questions left out ----------------------------------------------------------------------------


def changed(*gone: int) -> list[Document]:
    return [replace(DOCS[0], text="\n\n".join(line for n, line in enumerate(LINES) if n not in gone))]


def right(question: str) -> object:
    return {"answer": f"Person {number(question)}", "retrieved": [LINES[number(question)]]}


def test_the_first_line_says_how_many_questions_were_asked_and_gates_fail_if_many_were_not(
    move: Callable[[str, float], None],
) -> None:
    gates = ["pass_rate>=0.9", "recall@5>=0.9", "latency_p95<=60"]
    found = score(ITEMS, right, docs=changed(1, 4), gates=gates)
    assert found.result == "6 of 8 questions were asked; 6 of 6 questions passed, 0 failed"
    why = "only 6 of 8 questions were asked, since the evidence of the others is not in the documents"
    assert [(each.passed, each.why) for each in found.gates] == [(False, why), (False, why), (True, None)]
    assert not found.passed
    move("left_out_share", 0.3)
    assert score(ITEMS, right, docs=changed(1, 4), gates=gates).passed


def test_a_threshold_fails_too_and_without_changes_nothing_is_said() -> None:
    levels = {
        each.metric: each.level for each in score(ITEMS, right, docs=changed(1, 4), thresholds="standard").thresholds
    }
    assert (levels["pass_rate"], levels["recall@5"], levels["refusal"]) == ("failed", "failed", "not assessed")
    whole = score(ITEMS, right, docs=DOCS, gates=["pass_rate>=0.9"])
    assert (whole.result, whole.passed) == ("8 of 8 questions passed, 0 failed", True)


def test_a_run_without_gates_in_which_many_questions_were_left_out_has_not_passed() -> None:
    assert not score(ITEMS, right, docs=changed(1, 4)).passed
    assert score(ITEMS, right, docs=DOCS).passed
