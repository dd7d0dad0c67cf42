"""score(): planted sets whose metrics are calculated by hand, what is written, and errors."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner

from kgsynth.base import records_json
from kgsynth.base.errors import ConfigError, InputError, SystemUnreachableError
from kgsynth.base.records import Answer, Document, Item, Passage, Span
from kgsynth.cli import main
from kgsynth.golden.dataset import write
from kgsynth.scoring.flow import score
from kgsynth.scoring.metrics import METRICS, RUN_METRICS
from kgsynth.scoring.metrics.answer_match import WORD_BY_WORD
from kgsynth.scoring.metrics.lookup import full_names
from kgsynth.scoring.systems.reply_reader import to_answer
from kgsynth.scoring.text import markdown, terminal

LEAVE = Document("leave.md", "Staff have 25 days of leave. Five days may be carried over.", "Leave", "md", "1", (), ())
TEAMS = Document("teams.md", "Priya leads the team. The team sits in Halifax.", "Teams", "md", "2", (), ())
DOCS = (LEAVE, TEAMS)


def span(document: Document, text: str) -> Span:
    start = document.text.index(text)
    return document.span(start, start + len(text))


DAYS, OVER = span(LEAVE, "25 days of leave"), span(LEAVE, "Five days may be carried over.")
LEADS, SITS = span(TEAMS, "Priya leads the team."), span(TEAMS, "The team sits in Halifax.")
ITEMS = [
    Item("q1", "How many days?", ("25 days",), "simple", "factoid", "en", ((DAYS,),), difficulty="easy"),
    Item("q2", "Where does Priya's team sit?", ("Halifax",), "multi_context", "difference", "en", ((LEADS,), (SITS,))),
    Item("q3", "How many carried over?", ("five",), "simple", "factoid", "en", ((OVER,),)),
    Item("q4", "Who leads Mars?", (), "unanswerable", "swapped_entity", "en", (), answerable=False),
]


def passage(found: Span) -> Passage:
    return Passage(found.doc, found.start, found.end)


class CannedSystem:
    """A system with a prepared answer for each id, in any shape that a system may return."""

    name, signature = "canned", "canned|1"

    def __init__(self, answers: Mapping[str, object]) -> None:
        self._answers = answers

    def ask(self, item: Item) -> Answer:
        raw = self._answers.get(item.id, LookupError("no prepared answer"))
        return (
            Answer(item.id, None, error=f"LookupError: {raw}")
            if isinstance(raw, Exception)
            else to_answer(item.id, raw)
        )

    def close(self) -> None: ...


GOOD = {
    "q1": ("25 days.", [passage(DAYS)]),
    "q2": ("In Halifax", [passage(LEADS), passage(OVER), passage(SITS)]),
    "q3": ("ten", [passage(DAYS)]),
    "q4": ("I don't know.", [passage(LEADS)]),
}


def test_every_metric_of_a_small_set_by_hand() -> None:
    scores = score(ITEMS, CannedSystem(GOOD), k=(1, 3))
    found = {name: value.value for name, value in scores.metrics.items()}
    expected = {
        "precision@1": 2 / 3,  # q1 and q2 open with evidence, q3 does not
        "precision@3": (1 / 3 + 2 / 3 + 0) / 3,
        "recall@1": (1 + 1 / 2 + 0) / 3,
        "recall@3": 2 / 3,
        "hit@1": 2 / 3,
        "map": (1 + (1 + 2 / 3) / 2 + 0) / 3,
        "mrr": 2 / 3,
        "context_precision": (1 + (1 + 2 / 3) / 2 + 0) / 3,
        "context_recall": 2 / 3,
        "file_recall": 1.0,  # q3 got the right file, not the right place
        "em": 1 / 3,
        "sub_em": 2 / 3,
        "token_precision": (1 + 1 / 2 + 0) / 3,
        "token_recall": 2 / 3,
        "token_f1": (1 + 2 / 3 + 0) / 3,
        "answer_length": (2 + 2 + 1 + 3) / 4,
        "refusal": 1.0,
    }
    assert {name: found[name] for name in expected} == pytest.approx(expected, abs=1e-6)
    assert scores.refusals == {
        "answerable": {"answered": 3, "refused": 0},
        "unanswerable": {"answered": 0, "refused": 1},
    }


def test_unanswerable_questions_are_left_out_of_means_and_counted() -> None:
    scores = score(ITEMS, CannedSystem(GOOD))
    assert (scores.metrics["recall@5"].n_scored, scores.metrics["recall@5"].n_total) == (3, 4)
    assert (scores.metrics["em"].n_scored, scores.metrics["refusal"].n_scored) == (3, 1)
    alone = scores.by["question_type"]["unanswerable"]["recall@5"]
    assert alone.to_json() == {
        "value": None,
        "n_scored": 0,
        "n_total": 1,
        "why": "no answerable question has evidence",
    }


def test_failures_count_0_are_counted_and_do_not_stop_the_run() -> None:
    scores = score(ITEMS, CannedSystem({"q1": GOOD["q1"]}))
    assert (scores.n_errors, scores.missing) == (3, ())
    assert scores.metrics["recall@5"].value == pytest.approx(1 / 3, abs=1e-6)
    assert scores.metrics["em"].value == pytest.approx(1 / 3, abs=1e-6)
    assert scores.metrics["refusal"].value == 0.0  # a failure is not a refusal
    assert scores.metrics["answer_length"].n_scored == 1  # a failed question has no length


def test_a_missing_record_counts_0_and_is_listed(tmp_path: Path) -> None:
    path = tmp_path / "answers.jsonl"
    path.write_text('{"id": "q1", "answer": "25 days", "retrieved": []}\n', encoding="utf-8")
    scores = score(ITEMS, str(path))
    assert (scores.n_errors, scores.missing) == (0, ("q2", "q3", "q4"))
    assert (scores.metrics["em"].value, scores.metrics["em"].n_scored) == (pytest.approx(1 / 3, abs=1e-6), 3)


def test_metrics_of_missing_answers_or_passages_are_null_with_the_reason() -> None:
    no_answers = score(ITEMS, CannedSystem({item.id: (None, [passage(DAYS)]) for item in ITEMS}))
    assert (no_answers.metrics["em"].value, no_answers.metrics["em"].why) == (None, "the system gives no answers")
    assert no_answers.metrics["refusal"].why == "the system gives no answers"
    assert no_answers.refusals is None
    no_passages = score(ITEMS, CannedSystem(dict.fromkeys("q1 q2 q3 q4".split(), "25 days")))
    assert no_passages.metrics["mrr"].why == "the system returns no passages"
    assert no_passages.metrics["em"].value == pytest.approx(1 / 3, abs=1e-6)


def test_texts_are_placed_in_the_documents_and_without_documents_in_the_evidence() -> None:
    texts = {item.id: (None, ["Staff have 25 days of leave."]) for item in ITEMS}
    scores = score(ITEMS, CannedSystem(texts), docs=DOCS)
    assert {method: count for method, count in scores.matched.items() if count} == {"text": 4}
    assert scores.metrics["recall@5"].value == pytest.approx(1 / 3, abs=1e-6)
    blind = score(ITEMS, CannedSystem(texts))
    assert {method: count for method, count in blind.matched.items() if count} == {"evidence text": 1, "nothing": 3}
    assert blind.metrics["recall@5"].value == scores.metrics["recall@5"].value
    names = score(ITEMS, CannedSystem({item.id: (None, [Passage(id="c17")]) for item in ITEMS}))
    assert (names.metrics["recall@5"].value, names.metrics["recall@5"].why) == (
        None,
        "no passage could be placed in a document; give the documents with --docs",
    )


def test_gates_and_breakdowns() -> None:
    scores = score(ITEMS, CannedSystem(GOOD), gates=["recall@3>=0.6", "em>=0.5", "ndcg@7>0"])
    assert [verdict.passed for verdict in scores.gates] == [True, False, True]
    assert not scores.passed
    assert "recall@7" in scores.metrics  # a gate adds its cut-off
    assert {field: list(slices) for field, slices in scores.by.items()} == {
        "question_type": ["multi_context", "simple", "unanswerable"],
        "subtype": ["difference", "factoid", "swapped_entity"],
        "difficulty": ["easy", "medium"],
    }
    assert scores.by["question_type"]["simple"]["recall@3"].value == 0.5


def test_the_gain_of_a_reranker_needs_both_rankings() -> None:
    first = [passage(OVER), passage(DAYS)]
    said = {
        "q1": {"answer": "25 days", "before": first, "retrieved": first[::-1]},  # the evidence from rank 2 to 1
        "q2": {"answer": "Halifax", "before": [passage(LEADS)], "retrieved": [passage(LEADS)]},
        "q3": ("five", [passage(OVER)]),
    }
    found = score(ITEMS, CannedSystem(said), k=(1,)).metrics
    assert (found["mrr_gain"].value, found["mrr_gain"].n_scored) == (0.25, 2)
    assert (found["ndcg_gain@1"].value, found["ndcg_gain@1"].n_scored) == (0.5, 2)
    assert (
        score(ITEMS, CannedSystem(GOOD)).metrics["mrr_gain"].why
        == "no answerable questions with passages before reranking (before)"
    )


def test_returned_passages_are_counted_and_searched_for_key_words() -> None:
    items = [replace(item, metadata={"keywords": ["staff", "leave", "team"]}) for item in ITEMS]
    whole = Passage("leave.md", 0, len(LEAVE.text), score=3.0)
    said = {**GOOD, "q1": ("25 days", [whole, Passage(text="A team", score=1.0)]), "q2": RuntimeError("boom")}
    found = score(items, CannedSystem(said), docs=DOCS).metrics
    # q1 has all three, q2 failed, q3 got "25 days of leave"; q4 cannot be answered
    assert found["keyword_coverage"].value == pytest.approx((1 + 0 + 1 / 3) / 3, abs=1e-6)
    assert (found["retriever_score"].value, found["retriever_score"].n_scored) == (2.0, 1)
    assert (found["passages_returned"].value, found["passages_returned"].n_scored) == (
        pytest.approx(4 / 3, abs=1e-6),
        3,
    )
    offsets = score(items, CannedSystem({"q1": ("25 days", [Passage("leave.md", 0, 28)])}))
    assert offsets.metrics["keyword_coverage"].n_scored == 2, "without the documents what q1 got cannot be read"


def test_a_golden_answer_that_is_a_pattern_counts_only_for_exact_match() -> None:
    items = [replace(ITEMS[0], golden_answers=("re:25 (working )?days",)), replace(ITEMS[2], golden_answers=("ten",))]
    found = score(items, CannedSystem(GOOD)).metrics
    assert (found["em"].value, found["em"].n_scored) == (1.0, 2)
    assert (found["token_f1"].n_scored, found["bleu"].n_scored, found["rougeL"].n_scored) == (1, 1, 1)
    broken = [replace(ITEMS[0], golden_answers=("25", "re:(25"))]
    with pytest.raises(
        InputError, match=r"question q1: the golden answer 're:\(25' is not a valid regular expression: missing \)"
    ):
        score(broken, CannedSystem(GOOD))


def test_semantic_metrics_need_a_model(hashed: None) -> None:
    plain = score(ITEMS, CannedSystem(GOOD))
    assert plain.metrics["bertscore"].why == "not requested: give --semantic"
    assert plain.signatures["bertscore"].endswith("|model:none|v:0.1.0")
    scores = score(ITEMS, CannedSystem(GOOD), semantic="hashing")
    found = scores.metrics
    assert (found["semantic_similarity"].n_scored, found["answer_relevancy_cosine"].n_scored) == (3, 3)
    assert found["semantic_similarity"].value == pytest.approx((1 + 1 / 2**0.5 + 0) / 3, abs=1e-3)
    assert "|model:hashing|sha256:none|dim:256|max_tokens:256|" in scores.signatures["bertscore"]
    no_answers = score(ITEMS, CannedSystem({"q1": (None, [passage(DAYS)])}), semantic="hashing")
    assert no_answers.metrics["bertscore"].why == "the system gives no answers"


def test_overlap_and_facts_of_the_answers_are_measured() -> None:
    found = score(ITEMS, CannedSystem(GOOD)).metrics
    assert found["rouge1"].value == pytest.approx((1 + 2 / 3 + 0) / 3, abs=1e-6)
    assert found["meteor"].value == pytest.approx(((1 - 0.5 / 8) + 0.5 * 0.5 / (0.9 * 0.5 + 0.1) + 0) / 3, abs=1e-6)
    # "25 days" and "Halifax" are found, "five" is not in "ten"
    assert (found["factual_overlap"].value, found["factual_overlap"].n_scored) == (pytest.approx(2 / 3, abs=1e-6), 3)


# ---- what is written -------------------------------------------------------------------------------


def golden(folder: Path, items: Sequence[Item] = ITEMS) -> Path:
    write(items, folder / "golden.jsonl")
    return folder / "golden.jsonl"


def test_the_same_input_gives_the_same_bytes_and_the_documented_keys(tmp_path: Path) -> None:
    for name in ("one", "two"):
        score(golden(tmp_path), CannedSystem(GOOD), out=tmp_path / name, gates=["recall@5>=0.5"])
    for file in ("scores.json", "scores.md", "items.jsonl", "answers.jsonl"):
        assert (tmp_path / "one" / file).read_bytes() == (tmp_path / "two" / file).read_bytes(), file
    written = json.loads((tmp_path / "one" / "scores.json").read_text(encoding="utf-8"))
    first = ["golden", "system", "signature", "n_items", "n_errors", "metrics", "by", "gates"]
    assert list(written)[:8] == first
    assert list(written["metrics"]) == [*full_names([1, 3, 5, 10]), "corpus_bleu", "document_coverage"]
    assert set(written["metrics"]["recall@5"]) == {"value", "n_scored", "n_total", "ci95"}
    assert written["gates"] == [{"gate": "recall@5>=0.5", "passed": True, "value": 0.666667}]
    assert "NaN" not in (tmp_path / "one" / "scores.json").read_text(encoding="utf-8")
    assert list(written["signatures"]) == [*METRICS, *RUN_METRICS], "every metric has its signature"
    assert written["signatures"]["recall"] == "recall|order:rank|repeats:first|cover:0.5|v:0.1.0"


def test_only_the_resources_depend_on_time(tmp_path: Path) -> None:
    class Slow(CannedSystem):
        def __init__(self, seconds: float) -> None:
            super().__init__(GOOD)
            self._seconds = seconds

        def ask(self, item: Item) -> Answer:
            return replace(super().ask(item), latency_s=self._seconds)

    written = []
    for seconds in (0.5, 2.0):
        scores = score(ITEMS, Slow(seconds), out=tmp_path / str(seconds), gates=["latency_p95<=1", "availability>=1"])
        assert [verdict.passed for verdict in scores.gates] == [seconds < 1, True]
        written.append(json.loads((tmp_path / str(seconds) / "scores.json").read_text(encoding="utf-8")))
    first, second = (line.pop("resources") for line in written)
    assert first["latency_p50"] == {"value": 0.5, "n_scored": 4, "n_total": 4}
    assert second["throughput"]["value"] == 0.5
    assert first["error_rate"] == second["error_rate"]
    gates = [line.pop("gates") for line in written]
    assert gates[0][0]["value"] == 0.5, "except for a gate on time"
    assert written[0] == written[1]
    lines = [(tmp_path / seconds / "items.jsonl").read_bytes() for seconds in ("0.5", "2.0")]
    assert lines[0] == lines[1]


def test_items_have_every_metric_and_the_cause_of_a_failure(tmp_path: Path) -> None:
    said = {**GOOD, "q2": ("In Oslo", [passage(LEADS)]), "q4": "Elon", "q3": RuntimeError("boom")}
    score(ITEMS, CannedSystem(said), out=tmp_path)
    lines = [json.loads(line) for line in (tmp_path / "items.jsonl").read_text(encoding="utf-8").splitlines()]
    assert [line["cause"] for line in lines] == [
        None,
        "not retrieved: 1 of 2 evidence groups (teams.md)",
        "error: LookupError: boom",
        "answered though unanswerable",
    ]
    assert [line["actual"] for line in lines] == ["25 days.", "In Oslo", None, "Elon"]
    assert lines[0]["expected"] == ["25 days"] and lines[0]["try"] is None
    assert lines[1]["try"].startswith("retrieve more passages")
    assert lines[1]["group_ranks"] == [1, None]
    assert (lines[1]["metrics"]["recall@5"], lines[3]["metrics"]["recall@5"]) == (0.5, None)
    assert [line["cluster"] for line in lines] == ["leave.md", "teams.md", "leave.md", "q4"]
    assert [len(line["evidence"]) for line in lines] == [len(item.evidence) for item in ITEMS]
    span = ITEMS[0].evidence[0][0]
    written = {"doc": span.doc, "start": span.start, "end": span.end, "text": span.text}
    assert lines[0]["evidence"][0][0] == written, "compare marks it in the passages"


def test_an_answer_with_all_words_of_a_golden_answer_is_not_wrong(tmp_path: Path) -> None:
    both = replace(ITEMS[0], golden_answers=("2012 and every Wednesday",))
    for answer, cause in (("every Wednesday, and since 2012", None), ("2012", "wrong answer")):
        (found,) = score([both], lambda _, said=answer: said).items
        assert (found.cause and str(found.cause)) == cause


def test_scoring_saved_answers_again_gives_the_same_metrics(tmp_path: Path) -> None:
    first = score(golden(tmp_path), CannedSystem(GOOD), out=tmp_path / "run")
    again = score(golden(tmp_path), str(tmp_path / "run" / "answers.jsonl"))
    assert again.metrics == first.metrics
    assert again.golden == first.golden


def test_a_changed_golden_set_has_another_hash(tmp_path: Path) -> None:
    first = score(golden(tmp_path), CannedSystem(GOOD)).golden
    assert first.startswith("sha256:")
    assert score(golden(tmp_path, ITEMS[:3]), CannedSystem(GOOD)).golden != first
    assert score(ITEMS, CannedSystem(GOOD)).golden != score(ITEMS[:3], CannedSystem(GOOD)).golden


def test_markdown_has_gates_metrics_and_reasons_and_escapes_table_cells(tmp_path: Path) -> None:
    items = [replace(ITEMS[0], subtype="a|b"), *ITEMS[1:]]
    score(items, CannedSystem(GOOD), out=tmp_path, gates=["em>=0.5"])
    text = (tmp_path / "scores.md").read_text(encoding="utf-8")
    assert "| em>=0.5 | FAILED | 0.333 |" in text
    assert "| a\\|b | 1 |" in text
    tables = [line for line in text.splitlines() if line.startswith("|")]
    assert all(line.endswith("|") for line in tables)


# ---- errors -------------------------------------------------------------------------------


def fails(error: type[Exception], match: str) -> Callable[..., None]:
    def check(*args: object, **options: object) -> None:
        with pytest.raises(error, match=match):
            score(*args, **options)  # type: ignore[arg-type]

    return check


def test_invalid_options_are_reported_before_anything_is_asked() -> None:
    class Never(CannedSystem):
        def ask(self, item: Item) -> Answer:
            raise AssertionError("asked")

    never = Never({})
    fails(ConfigError, "'glory' is not a metric")(ITEMS, never, gates=["glory>=1"])
    fails(ConfigError, "-k 0 is not a valid cut-off")(ITEMS, never, k=(0, 5))
    fails(ConfigError, "--cover 2 is out of range")(ITEMS, never, cover=2)
    fails(InputError, "has no questions")([], never)
    fails(InputError, "two questions with the id q1")([ITEMS[0], ITEMS[0]], never)
    fails(ConfigError, "'oracle' is not a system")(ITEMS, "oracle")


def test_a_system_that_fails_on_every_question_is_unreachable_and_its_answers_are_asked_again(tmp_path: Path) -> None:
    fails(SystemUnreachableError, "canned failed on all 4 questions, first with: LookupError")(
        ITEMS, CannedSystem({}), out=tmp_path
    )
    assert score(ITEMS, CannedSystem(GOOD), out=tmp_path).n_errors == 0


def test_a_file_of_answers_for_another_set_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "a.jsonl").write_text('{"id": "other", "answer": "x"}\n', encoding="utf-8")
    fails(InputError, "a.jsonl has no record for any of the 4 questions")(ITEMS, str(tmp_path / "a.jsonl"))


def test_missing_and_changed_documents_are_reported() -> None:
    other = Document("other.md", "Nothing.", "Other", "md", "3", (), ())
    fails(
        InputError,
        "2 of the 2 documents of the evidence, such as leave.md, are not among the 1 given, and the evidence of 3 of 3 "
        "questions is not in them: give --docs the folder of the golden set",
    )(ITEMS, CannedSystem(GOOD), docs=(other,))
    scores = score(ITEMS, CannedSystem(GOOD), docs=(LEAVE, other))
    assert scores.notes == (
        "the documents changed since the set was made: 0 spans found at another place, 2 not found "
        "(kgsynth audit --fix renews the set)",
        "1 question without evidence in the documents left out: q2",
        WORD_BY_WORD,
    )
    why = "its evidence 'Priya leads the team.' (teams.md [0, 21)) is not in the documents"
    assert (scores.excluded, scores.n_items) == ({"q2": why}, 3)


def test_evidence_that_moved_is_found_where_it_is_now() -> None:
    longer = replace(LEAVE, text="Everything about leave. " + LEAVE.text)
    plain = {"q1": ("25 days", [Passage("leave.md", text="Staff have 25 days of leave.")]), "q4": "I don't know."}
    scores = score(ITEMS, CannedSystem({**GOOD, **plain}), docs=(longer, TEAMS))
    assert scores.items[0].group_ranks == (1,), "24 letters further down"
    note, words = scores.notes
    assert words == WORD_BY_WORD
    assert note == (
        "the documents changed since the set was made: 2 spans found at another place, 0 not found "
        "(kgsynth audit --fix renews the set)"
    )
    before = score(ITEMS, CannedSystem(GOOD), docs=DOCS)
    assert scores.golden == before.golden and scores.documents != before.documents
    assert score(ITEMS, CannedSystem(GOOD), docs=DOCS[::-1]).documents == before.documents


def test_other_documents_of_the_same_names_are_not_scored(move: Callable[[str, float], None]) -> None:
    others = [replace(each, text="Nothing of this is in the set, and it goes on and on.") for each in DOCS]
    problem = (
        r"other texts than those of the evidence, such as leave.md \[11, 27\), and the evidence of 3 of 3 questions"
    )
    fails(InputError, problem)(ITEMS, CannedSystem(GOOD), docs=others)
    half = [replace(LEAVE, text=LEAVE.text[:28]), TEAMS]  # q3 is gone: one of three
    assert list(score(ITEMS, CannedSystem(GOOD), docs=half).excluded) == ["q3"]
    move("gone_evidence_share", 0.3)
    fails(InputError, "the evidence of 1 of 3 questions")(ITEMS, CannedSystem(GOOD), docs=half)


def test_a_run_folder_means_its_golden_set_and_a_function_is_a_system(tmp_path: Path) -> None:
    write(ITEMS, tmp_path / "run" / "golden.jsonl")

    def halifax(question: str) -> str:
        return "Halifax" if "sit" in question else "I do not know."

    scores = score(tmp_path / "run", halifax, out=tmp_path / "scores")
    assert scores.golden == score(tmp_path / "run" / "golden.jsonl", halifax).golden, "the hash is that of the file"
    assert scores.metrics["em"].value == pytest.approx(1 / 3), "one of three answerable questions"
    assert scores.system.endswith("halifax") and scores.signature.startswith("python|")
    score(tmp_path / "run", lambda question: "Halifax", out=tmp_path / "scores")
    assert len(list((tmp_path / "scores").glob("answers-*.jsonl"))) == 1, "another function, other answers"


# ---- what is known of the passages -----------------------------------------------------------------


TEXT_AND_NAME = {
    "q1": ("said", [Passage("leave.md", text="Staff have 25 days of leave.")]),
    "q2": ("said", [Passage("teams.md", text="Priya leads the team.")]),
    "q3": ("said", [Passage("leave.md", text="Staff have 25 days of leave.")]),
    "q4": ("said", []),
}


def test_passages_that_name_only_documents_are_measured_as_files() -> None:
    named = {key: (None, [Passage(each.doc) for each in found]) for key, (_, found) in TEXT_AND_NAME.items()}
    for docs in ((), DOCS):
        scores = score(ITEMS, CannedSystem(named), docs=docs)
        assert scores.matched["document"] == 3
        assert scores.metrics["recall@5"].value is None and scores.metrics["ndcg@5"].value is None
        assert scores.metrics["file_recall"].value == 1
        assert terminal(scores).splitlines()[0] == (
            "canned: none of 4 questions could be checked, so nothing passed – passages came without text or offsets, "
            "so they were matched by document: file_recall is the share of the needed documents that were retrieved, "
            "and nothing is known of the place in them"
        )
        assert not any(each.cause for each in scores.items), "retrieval is not blamed for what is not known"


def test_without_the_documents_texts_are_compared_with_those_of_the_evidence() -> None:
    scores = score(ITEMS, CannedSystem(TEXT_AND_NAME))
    assert (scores.matched["evidence text"], scores.matched["document"], scores.caveat) == (2, 1, "")
    assert scores.metrics["recall@5"].value == pytest.approx((1 + 1 / 2 + 0) / 3), "q2 has one of two, q3 another place"
    assert scores.metrics["file_recall"].value == 1, "the names are those of the evidence"
    assert scores.items[2].cause and scores.items[2].cause.kind == "not retrieved"


def test_texts_without_names_say_nothing_of_files_without_the_documents() -> None:
    texts = {key: (None, [each.text for each in found]) for key, (_, found) in TEXT_AND_NAME.items()}
    scores = score(ITEMS, CannedSystem(texts))
    assert scores.metrics["recall@5"].value == pytest.approx(1 / 2)
    assert (scores.metrics["file_recall"].value, scores.metrics["document_coverage"].value) == (None, None)
    assert score(ITEMS, CannedSystem(texts), docs=DOCS).metrics["file_recall"].value == 1


def test_what_cannot_be_compared_is_not_measured_and_the_first_line_says_so() -> None:
    def first_line(passage: object, **options: object) -> tuple[str, float | None, float | None]:
        scores = score(ITEMS, CannedSystem({item.id: (None, [passage]) for item in ITEMS}), **options)  # type: ignore[arg-type]
        found = (scores.metrics[name].value for name in ("recall@5", "file_recall"))
        return (terminal(scores).splitlines()[0].partition(" – ")[2], *found)  # type: ignore[return-value]

    assert first_line(Passage("9a7f.pdf")) == (
        "none of the 1 document names that passages came with, such as '9a7f.pdf', is among the documents of the "
        "evidence, so retrieval is not measured: return the text of passages, or give --docs",
        None,
        None,
    )
    half = {"q1": (None, [Passage("leave.md")]), "q2": (None, [Passage("teams.pdf")])}
    caveat = score(ITEMS, CannedSystem(half), docs=DOCS).caveat
    assert caveat.endswith("; 1 of 2 passages name a document that is not among those given, such as 'teams.pdf'")
    assert first_line(Passage(id="c17"))[0].startswith("passages came without text, offsets or documents")
    assert first_line(Passage(text="Quite another corpus, which has other words."), docs=DOCS) == (
        "none of the 4 passages was found in the documents, so recall is not measured: give --docs the documents that "
        "the system searches",
        None,
        None,
    )
    line, recall, files = first_line(Passage(text="Quite another corpus, which has other words."))
    assert line.startswith("none of the 4 passages holds any evidence") and (recall, files) == (0, None)
    line, recall, files = first_line(Passage("elsewhere/leave.md", 0, 40))
    assert line.startswith("none of the 4 passages holds any evidence") and (recall, files) == (0, None)


def test_passages_under_the_name_of_another_document_are_counted() -> None:
    said = {"q1": ("said", [Passage("teams.md", text=DAYS.text), Passage("teams.md", text=LEADS.text)])}
    scores = score(ITEMS[:1], CannedSystem(said), docs=DOCS)
    assert (scores.metrics["recall@5"].value, scores.metrics["file_recall"].value) == (1, 1)
    assert (
        "1 of 2 passages name another document than the one that holds their text, such as 'teams.md' for leave.md; "
        "they were matched by their text" in scores.notes
    )


def test_a_large_share_of_uncertain_matches_is_in_the_first_line(move: Callable[[str, float], None]) -> None:
    nearly = Passage(text="Staff had 25 days of leave, five days may be carried over!")
    said = {**TEXT_AND_NAME, "q1": ("said", [nearly])}
    line = "1 of 3 passages were not found exactly (similar text 1), so recall may be too high or too low"
    move("retrieved_corpus_share", 1.0)
    assert score(ITEMS, CannedSystem(said), docs=DOCS).caveat == line
    move("uncertain_match_share", 0.34)
    assert score(ITEMS, CannedSystem(said), docs=DOCS).caveat == ""


def test_the_size_of_passages_is_told_and_whole_documents_are_noted(move: Callable[[str, float], None]) -> None:
    whole = [Passage(each.id, 0, len(each.text)) for each in DOCS]
    dump = score(ITEMS, CannedSystem({item.id: (None, whole) for item in ITEMS}), docs=DOCS)
    assert dump.metrics["recall@5"].value == 1
    assert dump.metrics["retrieved_words"].value == 21, "12 words in one document, 9 in the other"
    assert "Passages: 2 per question, 10 words on average (21 in all)." in markdown(dump)
    everything = (
        "the passages of a question hold 100 % of the text of all documents on average, so recall says little: "
    )
    assert dump.caveat == everything + "see retrieved_words"
    one = {item.id: (None, whole[:1]) for item in ITEMS}  # 59 of 59 letters, of 106 in all
    move("retrieved_corpus_share", 0.6)
    assert score(ITEMS, CannedSystem(one), docs=DOCS).notes[0] == (
        "a passage holds 100 % of the document it is from on average, so recall says little more than file_recall: "
        "see retrieved_words"
    )
    move("whole_document_share", 1.0)
    assert not any("on average" in note for note in score(ITEMS, CannedSystem(one), docs=DOCS).notes)
    assert score(ITEMS, CannedSystem(one)).metrics["retrieved_words"].value is None, "their texts are not known"


def test_the_overall_score_is_that_of_the_system_alone() -> None:
    """Retrieving anything from each document covers all of them, and says nothing of whether it is right."""
    wrong = {item.id: (None, [Passage("leave.md", 0, 5), Passage("teams.md", 0, 3)]) for item in ITEMS}
    scores = score(ITEMS, CannedSystem(wrong))
    assert scores.metrics["document_coverage"].value == 1.0
    assert scores.overall and scores.overall.value == 0.0


def test_the_documents_of_the_run_are_used_without_docs(tmp_path: Path) -> None:
    run = tmp_path / "run"
    write(ITEMS, run / "golden.jsonl")
    (run / "documents.jsonl").write_text(
        "".join(f"{line}\n" for line in map(records_json.to_json, DOCS)), encoding="utf-8"
    )
    scores = score(run, CannedSystem(TEXT_AND_NAME))
    assert scores.matched["text"] == 3
    assert scores.metrics["recall@5"].value == pytest.approx((1 + 1 / 2 + 0) / 3), "q2 has one of two, q3 another place"
    assert scores.metrics == score(ITEMS, CannedSystem(TEXT_AND_NAME), docs=DOCS).metrics
    answers = tmp_path / "answers.jsonl"
    answers.write_text('{"id": "q1", "answer": null, "retrieved": [{"text": "Staff have 25 days of leave."}]}\n')
    result = CliRunner().invoke(main, ["score", str(run), "--rag", str(answers), "--json"])
    assert json.loads(result.stdout)["matched"]["text"] == 1, "the command has the documents of the run too"


# ---- tags ------------------------------------------------------------------------------------------


def tagged(tags: Mapping[str, list[str]]) -> list[Item]:
    return [replace(item, metadata={"tags": tags[item.id]}) if item.id in tags else item for item in ITEMS]


def test_only_the_questions_with_a_tag_are_asked() -> None:
    items = tagged({"q1": ["smoke", "hr"], "q3": ["hr"]})
    scores = score(items, CannedSystem(GOOD), docs=DOCS, only=["smoke"])
    assert [each.id for each in scores.items] == ["q1"] and scores.items[0].tags == ("smoke", "hr")
    assert "only the 1 of 4 questions with the tag smoke count" in scores.notes
    both = score(items, CannedSystem(GOOD), docs=DOCS, only=["smoke", "hr"])
    assert [each.id for each in both.items] == ["q1", "q3"]
    assert scores.golden != both.golden, "their means are of other questions"
    with pytest.raises(ConfigError, match="no question has the tag sales: the tags are hr and smoke"):
        score(items, CannedSystem(GOOD), docs=DOCS, only=["sales"])


def test_a_gate_on_a_tag_is_checked_on_its_questions() -> None:
    items = tagged({"q1": ["smoke"], "q2": ["smoke"], "q3": ["late"]})
    system = CannedSystem({**GOOD, "q3": ("six", [passage(DAYS)])})
    gates = [
        "smoke:pass_rate>=1",
        "late:pass_rate>=1",
        "late:recall@5>=0.5",
        "none:pass_rate>=0",
        "smoke:error_rate<=0",
    ]
    scores = score(items, system, docs=DOCS, gates=gates)
    assert [gate.text for gate in scores.gates] == gates
    assert [gate.passed for gate in scores.gates] == [True, False, False, False, False]
    assert [gate.value for gate in scores.gates] == [1.0, 0.0, 0.0, None, None]
    assert scores.gates[3].why == "no question has the tag none"
    assert scores.gates[4].why == "it is not measured for single questions"
    assert scores.by["tag"]["late"]["recall@5"].value == 0.0 and set(scores.by["tag"]) == {"late", "smoke"}
