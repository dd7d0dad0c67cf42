"""The ranker: features, weights in a file, fitting with whole folders left out, and the promise of a set."""

from __future__ import annotations

import math
import random
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner

from kgsynth.auditing import page
from kgsynth.auditing.flow import check_set
from kgsynth.base.errors import ConfigError, InputError
from kgsynth.base.records import Block, Document, Item, Section, Span
from kgsynth.cli import main
from kgsynth.evidence.vectors import TextVectors
from kgsynth.golden.dataset import Dataset, write
from kgsynth.language import LANGUAGES
from kgsynth.ranking import model
from kgsynth.ranking.features import Surroundings, features, search_features
from kgsynth.ranking.fitting import calibration, fit, left_out, table_of
from kgsynth.ranking.grades import LETTERS, GradedRow, read_grades, read_rows, read_table, write_table
from kgsynth.ranking.model import Feature, Fitted, Ranker, Rankers, own_ranker, shipped
from kgsynth.ranking.promise import promise, promise_lines, promised

TEXT = "# Keys\n\n## Rotating keys\n\nRun the tool. It makes a new key (see below).\n"
START = TEXT.index("Run")
END = len(TEXT) - 1
PAGE = Document(
    "a.md",
    TEXT,
    "Keys",
    "md",
    "",
    (Block("paragraph", START, END, TEXT[START:END], ((0, START),), section=1),),
    (
        Section("s0", "a.md", "Keys", 0, ("Keys",), 0, len(TEXT)),
        Section("s1", "a.md", "Rotating keys", 2, ("Keys", "Rotating keys"), 8, len(TEXT)),
    ),
)
ITEM = Item(
    "q-1",
    "How do you rotate keys in Lantern keys?",
    ("Run the tool. It makes a new key (see below).",),
    "simple",
    "page_question",
    "en",
    ((Span("a.md", START, END, TEXT[START:END]),),),
    metadata={"scores": {"rank": 4.0, "margin": -0.1, "overlap": 0.25}},
)
AROUND = Surroundings({"a.md": PAGE})


def test_features_say_what_is_planted() -> None:
    found = features(ITEM, AROUND)
    assert found["question.words"] == 8.0
    assert (found["question.names"], found["question.repeated"]) == (1.0, 1.0), "Lantern; keys twice"
    assert (found["opening.how do"], found["kind.page_question"], found["question.second_person"]) == (1, 1, 1)
    assert (found["form.scope_in"], found["form.scope_words"]) == (1.0, 2.0)
    assert (found["answer.pointers"], found["answer.opens_command"], found["answer.ends_sentence"]) == (2, 1, 1)
    assert (found["place.title_in_question"], found["place.title_run"]) == (1.0, 1.0)
    assert (found["place.heading_in_question"], found["place.heading_run"], found["place.level"]) == (1.0, 0.5, 2.0)
    assert (found["scores.rank"], found["scores.margin"], found["scores.overlap"]) == (2.0, -0.1, 0.25)
    assert not any(name.startswith("encoder.") for name in found), "without vectors"


def test_features_of_a_foreign_item_without_documents_are_fewer_and_still_ranked() -> None:
    bare = replace(ITEM, evidence=(), metadata={}, subtype="")
    found = features(bare, Surroundings({}))
    assert not {name.partition(".")[0] for name in found} & {"place", "scores", "kind", "encoder"}
    assert 0 < Rankers().of("en").keep(found) < 1
    assert 0 < Rankers().of("en").keep({}) < 1, "every feature missing"


def test_the_view_of_the_encoder_is_the_cosine_of_each_pair() -> None:
    def encode(texts: object) -> object:
        return np.array(
            [[1.0, 0.0] if "rotate" in text or text == "Keys" else [0.0, 1.0] for text in texts], np.float32
        )  # type: ignore[attr-defined]

    found = features(ITEM, AROUND, TextVectors(encode))  # type: ignore[arg-type]
    assert (found["encoder.title"], found["encoder.answer"], found["encoder.heading"]) == (1.0, 0.0, 0.0)


# ---- fitting -----------------------------------------------------------------------------------------


def planted_rows(count: int = 240, folders: int = 4) -> list[GradedRow]:
    """Rows in which "question.good" makes W likelier and "question.bad" V less likely."""
    rng, rows = random.Random(5), []
    for number in range(count):
        good, bad = rng.random() < 0.5, rng.random() < 0.5
        letters = dict.fromkeys(LETTERS, True)
        letters["W"] = rng.random() < (0.9 if good else 0.3)
        letters["V"] = rng.random() < (0.3 if bad else 0.9)
        found = {"question.good": float(good), "question.bad": float(bad), "question.noise": rng.random()}
        rows.append(GradedRow(f"q-{number}", f"folder {number % folders}", "term", "r", letters, 3, found))
    return rows


def test_fitting_recovers_the_planted_signs_and_is_calibrated() -> None:
    ranker = fit(planted_rows())
    assert ranker.features["question.good"].weights["W"] > 0.05
    assert ranker.features["question.bad"].weights["V"] < -0.05
    assert abs(ranker.features["question.noise"].weights["W"]) < ranker.features["question.good"].weights["W"] / 3
    best, worst = (ranker.keep({"question.good": g, "question.bad": 1 - g}) for g in (1.0, 0.0))
    assert best == pytest.approx(0.81, abs=0.12) and worst == pytest.approx(0.09, abs=0.12)
    assert ranker.fitted.questions == 240 and ranker.fitted.folders == 4 and ranker.fitted.auc > 0.72


def test_what_does_worse_than_chance_keeps_its_order_and_says_the_share_kept() -> None:
    kept = np.array([0.0, 1.0, 1.0, 1.0])
    assert calibration(np.array([2.0, -1.0, -1.0, 0.0]), kept) == (0.0, pytest.approx(1.0986, abs=1e-4)), "ln(3 / 1)"
    assert calibration(np.array([-2.0, 1.0, 1.0, 0.0]), kept)[0] > 0


def test_no_fold_mixes_a_folder() -> None:
    folders = ["a", "b", "c", "b", "a", "c", "c"]
    seen = []
    for others, own in left_out(folders):
        assert not {folders[n] for n in np.flatnonzero(others)} & {folders[n] for n in np.flatnonzero(own)}
        assert (others | own).all() and len({folders[n] for n in np.flatnonzero(own)}) == 1
        seen += list(np.flatnonzero(own))
    assert sorted(seen) == list(range(len(folders)))


def test_too_few_grades_or_folders_are_refused() -> None:
    with pytest.raises(InputError, match="59 graded questions are too few"):
        table_of(planted_rows(59))
    with pytest.raises(InputError, match="all graded questions come from the folder 'folder 0'"):
        table_of(planted_rows(folders=1))


def test_a_missing_feature_counts_as_its_mean() -> None:
    feature = Feature(0.5, 0.25, {"W": 1.0})
    ranker = Ranker({"question.good": feature, "kind.term": feature}, {"W": 0.0}, 1.0, 0.0, Fitted(9, 2, 0.5, 0.7, 0.1))
    assert ranker.keep({}) == 0.5
    assert ranker.keep({"question.good": 1.0}) == pytest.approx(0.8808, abs=1e-4), "1 / (1 + e^-2)"
    assert ranker.keep({"kind.listing": 1.0}) == pytest.approx(0.1192, abs=1e-4), "of another kind: 0, not the mean"
    assert ranker.keep({"question.good": 1e9}) == pytest.approx(0.982, abs=1e-4), "cut off at 4 deviations"


# ---- files -------------------------------------------------------------------------------------------


def test_weights_survive_their_file_with_the_same_bytes(tmp_path: Path) -> None:
    first, second = tmp_path / "a.json", tmp_path / "b.json"
    ranker = fit(planted_rows())
    ranker.save(first)
    Rankers(first).of("en").save(second)
    assert first.read_bytes() == second.read_bytes()
    found = {"question.good": 1.0, "question.noise": 0.3}
    assert Rankers(first).of("en").keep(found) == ranker.keep(found)


@pytest.mark.parametrize(
    ("text", "why"), [("{", "is not a ranker"), ("[]", "is not a ranker"), ('{"format": 9}', "its format is 9, not 1")]
)
def test_a_wrong_file_is_refused_in_one_sentence(tmp_path: Path, text: str, why: str) -> None:
    path = tmp_path / "r.json"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(ConfigError, match=why):
        Rankers(path).of("en")
    with pytest.raises(ConfigError, match="cannot be read"):
        Rankers(tmp_path / "none.json").of("en")


def test_the_table_of_features_survives_its_file(tmp_path: Path) -> None:
    rows = sorted(planted_rows(12), key=lambda row: (row.corpus, row.id))
    write_table(rows, tmp_path / "t.csv")
    read = read_table(tmp_path / "t.csv")
    assert [(row.key, row.letters, row.kept) for row in read] == [(row.key, row.letters, row.kept) for row in rows]
    assert read[0].features == pytest.approx(rows[0].features, rel=1e-5)


def test_grades_follow_from_a_review(tmp_path: Path) -> None:
    decisions = [
        {"annotator": "ada", "decision": "accept"},
        {"annotator": "bo", "decision": "reject", "reasons": ["C"]},
        {"annotator": "cy", "decision": "edit"},
    ]
    review = {"decisions": decisions, "was": {"question": "What is rotated?", "golden_answers": ["keys"]}}
    write([replace(ITEM, metadata={"review": review}), replace(ITEM, id="q-2", metadata={})], tmp_path / "r.jsonl")
    found = read_grades(tmp_path / "r.jsonl")
    assert [(each.reader, "".join(k for k in LETTERS if not each.letters[k])) for each in found] == [
        ("ada", ""),
        ("bo", "C"),
        ("cy", "W"),
    ]
    assert {each.item.question for each in found} == {"What is rotated?"}, "as it was graded"
    assert {each.corpus for each in found} == {"a.md"}, "the document is what is left out"


def test_a_wrong_grade_is_named_with_its_line(tmp_path: Path) -> None:
    path = tmp_path / "g.jsonl"
    path.write_text('\n{"grade": {"W": "y"}, "item": {}}\n', encoding="utf-8")
    with pytest.raises(InputError, match=r"g\.jsonl, line 2: 'grade' must have the letters WSACUTV"):
        read_grades(path)


def test_documents_of_graded_questions_must_be_there(tmp_path: Path) -> None:
    (tmp_path / "other.md").write_text("# Other\n\nSomething else.\n", encoding="utf-8")
    review = {"decisions": [{"annotator": "ada", "decision": "accept"}]}
    write([replace(ITEM, metadata={"review": review})], tmp_path / "r.jsonl")
    with pytest.raises(InputError, match="has no document of the graded questions"):
        list(
            read_rows(read_grades(tmp_path / "r.jsonl"), [tmp_path], lambda texts: np.ones((len(texts), 2), np.float32))
        )


def test_rank_refuses_a_missing_file_in_one_sentence(tmp_path: Path) -> None:
    done = CliRunner().invoke(main, ["rank", str(tmp_path), "--fit", str(tmp_path / "no.jsonl"), "-o", "x.json"])
    assert done.exit_code == 3 and "no.jsonl cannot be read" in done.output


# ---- what a set is worth -----------------------------------------------------------------------------


def of_rules(number: int, keep: float = 0.5, **changes: Any) -> list[Item]:
    """Questions that rules wrote, each with the probability that it is kept."""
    metadata = {"source": "kgsynth", "writer": "rules", "scores": {"keep": keep}}
    return [replace(ITEM, id=f"q-{n}", metadata=metadata, **changes) for n in range(number)]


def test_the_promise_is_the_mean_with_the_error_of_folders() -> None:
    exact, wide = Fitted(700, 12, 0.3, 0.7, 0.0), Fitted(700, 12, 0.3, 0.7, 0.1)
    certain = promise([(1.0, exact), (0.0, exact)] * 10)
    assert (certain.share, certain.low, certain.high) == (0.5, 0.5, 0.5), "without error"
    far = promise([(1.0, wide), (0.0, wide)] * 10)
    assert (far.low, far.high) == (0.304, 0.696)
    both = promise([(1.0, exact), (0.0, wide)] * 10)
    assert (both.low, both.high) == (0.402, 0.598), "half of the error: 1.96 * 0.05 = 0.098"


def test_fewer_than_twenty_questions_have_no_figure_and_it_says_why() -> None:
    exact = Fitted(700, 12, 0.3, 0.7, 0.0)
    few = promise([(1.0, exact)] * 19)
    assert (few.share, few.low, few.high, few.questions) == (None, None, None, 19)
    assert few.why == "19 questions are fewer than 20"
    found = promised(of_rules(9), Rankers()).to_json()
    assert found["share"] is None and found["questions"] == 9
    assert promise_lines(found) == [
        "No estimate of the share that a strict reader would keep: 9 questions are fewer than 20"
    ]


def test_a_set_promises_by_type_and_a_type_of_few_questions_has_no_figure() -> None:
    unanswerable = replace(ITEM, question_type="unanswerable", answerable=False, metadata={"scores": {}})
    items = [*of_rules(20, 0.6), *of_rules(5, 0.2, question_type="reasoning"), unanswerable]
    found = promised(items, Rankers()).to_json()
    assert (found["share"], found["questions"]) == (0.52, 25), "(20 * 0.6 + 5 * 0.2) / 25"
    assert found["types"]["simple"]["share"] == 0.6
    assert (found["types"]["reasoning"]["share"], found["types"]["reasoning"]["why"]) == (
        None,
        "5 questions are fewer than 20",
    )
    assert promise_lines(found)[1] == "  simple 60 %; no figure under 20 questions: reasoning (5)"
    assert promised([unanswerable], Rankers()).to_json()["why"] == "no question has an answer"


@pytest.mark.parametrize(
    "metadata",
    [{}, {"source": "people"}, {"source": "kgsynth", "writer": "llm:m", "scores": {"keep": 0.9}}],
    ids=["another tool", "people", "a language model"],
)
def test_what_rules_did_not_write_has_no_estimate_anywhere(metadata: dict[str, Any]) -> None:
    others = [replace(ITEM, id=f"q-{n}", subtype="multi_hop", metadata=metadata) for n in range(30)]
    report = check_set(Dataset(others), {"a.md": PAGE})
    estimate, why = (
        report.stats["keep"],
        "rules wrote none of the questions, and the estimate is fitted only to questions of rules",
    )
    assert (estimate["share"], estimate["low"], estimate["high"], estimate["why"]) == (None, None, None, why)
    said = f"No estimate of the share that a strict reader would keep: {why}"
    assert said in report.to_text().splitlines()
    assert said in " ".join(page.page(report.to_json(), report.dataset, report.documents).html.split())
    assert promise_lines(promised(others, Rankers()).to_json()) == [said]


def test_only_the_part_of_a_set_that_rules_wrote_is_estimated() -> None:
    edited = replace(ITEM, id="q-e", metadata={**of_rules(1)[0].metadata, "review": {"was": {"question": "?"}}})
    mixed = [*of_rules(20, 0.25), replace(ITEM, id="q-p", metadata={}), edited]
    found = promised(mixed, Rankers()).to_json()
    assert (found["share"], found["questions"], found["others"]) == (0.25, 20, 2)
    line = promise_lines(found)[0]
    assert line.startswith("A strict reader would keep an estimated 25 % of the 20 questions that rules wrote (95 %")
    assert line.endswith("; there is no estimate for the other 2"), "a person's, and one that a person edited"


def test_the_audit_estimates_a_set_of_rules_and_says_what_it_rests_on() -> None:
    report = check_set(Dataset(of_rules(20)), {"a.md": PAGE})
    estimate, fitted = report.stats["keep"], Rankers().of("en").fitted
    assert 0 <= estimate["low"] <= estimate["share"] <= estimate["high"] <= 1
    (line,) = (line for line in report.to_text().splitlines() if "strict reader would keep" in line)
    assert line.endswith(f"fitted to {fitted.questions:,} graded questions of {fitted.folders} folders)")
    german = of_rules(20, language="de", question="Wer verwaltet die Schlüssel?")
    assert check_set(Dataset(german), {"a.md": PAGE}).stats["keep"]["why"] == "no ranker knows the language de"


# ---- languages ---------------------------------------------------------------------------------------

CHINESE = of_rules(20, language="zh", question="谁管理钥匙？")


@pytest.fixture
def only_english(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(model, "own_ranker", lambda code: own_ranker(code) if code == "en" else None)


def test_every_file_of_weights_is_of_a_known_language_and_fitted_to_it() -> None:
    codes = sorted(path.stem for path in (Path(model.__file__).parent / "weights").iterdir())
    codes.remove("found")
    assert "en" in codes and set(codes) <= set(LANGUAGES)
    for code in codes:
        ranker = own_ranker(code)
        assert ranker is not None and ranker.fitted.languages == (code,)
        assert Rankers().of(code) is ranker


def test_a_language_without_weights_goes_by_those_for_english_and_says_so(only_english: None) -> None:
    fitted = Rankers().of("zh").fitted
    assert fitted == Rankers().of("en").fitted
    rests_on = f"{fitted.questions:,} graded questions of {fitted.folders} folders, all in English and none in Chinese"
    found = promised(CHINESE, Rankers()).to_json()
    assert found["rankers"]["zh"]["languages"] == ["en"]
    assert promise_lines(found)[0].endswith(f"; fitted to {rests_on})")
    audit = check_set(Dataset(CHINESE), {"a.md": PAGE})
    (line,) = (line for line in audit.to_text().splitlines() if "strict reader would keep" in line)
    assert line.endswith(f"; fitted to {rests_on})")


def test_each_question_goes_by_the_ranker_for_its_language(monkeypatch: pytest.MonkeyPatch) -> None:
    always = Ranker({}, {"W": 30.0}, 1.0, 0.0, Fitted(300, 4, 0.5, 0.6, 0.2, ("zh",)))
    monkeypatch.setattr(model, "own_ranker", lambda code: always if code == "zh" else own_ranker(code))
    report = check_set(Dataset(CHINESE), {"a.md": PAGE})
    assert report.stats["keep"]["share"] == 1.0
    (line,) = (line for line in report.to_text().splitlines() if "strict reader would keep" in line)
    assert line.endswith("fitted to 300 graded questions of 4 folders)"), "its own language"
    both = [*of_rules(1), *(replace(item, id=f"z{item.id}") for item in CHINESE)]
    text = check_set(Dataset(both), {"a.md": PAGE}).to_text()
    assert "folders (English) and 300 graded questions of 4 folders (Chinese))" in text


def test_a_file_of_weights_is_for_questions_in_any_language(tmp_path: Path) -> None:
    fit([replace(row, language="zh") for row in planted_rows()]).save(tmp_path / "own.json")
    rankers = Rankers(tmp_path / "own.json")
    assert rankers.of("en") is rankers.of("zh")
    assert rankers.of("en").fitted.languages == ("zh",), "the language of its grades"


def test_a_table_of_features_has_the_language_of_each_row(tmp_path: Path) -> None:
    rows = [replace(row, language="zh") if row.id == "q-1" else row for row in planted_rows(3)]
    write_table(rows, tmp_path / "t.csv")
    assert {row.id: row.language for row in read_table(tmp_path / "t.csv")} == {"q-0": "en", "q-1": "zh", "q-2": "en"}
    older = (tmp_path / "t.csv").read_text().replace(",language,", ",x,")
    (tmp_path / "t.csv").write_text(older)
    assert {row.language for row in read_table(tmp_path / "t.csv")} == {"en"}


def test_the_shipped_ranker_prefers_a_question_to_a_broken_one() -> None:
    ranker = Rankers().of("en")
    good = replace(ITEM, question="How do you rotate keys?", golden_answers=("Run the tool. It makes a new key.",))
    bad = replace(
        ITEM, question="How do you example of the use of thing in Keys keys?", golden_answers=("As follows:",)
    )
    assert ranker.keep(features(good, AROUND)) > ranker.keep(features(bad, AROUND))


def test_a_thousand_questions_are_ranked_in_seconds() -> None:
    ranker, began = Rankers().of("en"), time.process_time()
    keeps = {ranker.keep(features(replace(ITEM, id=f"q-{n}"), AROUND)) for n in range(300)}
    assert time.process_time() - began < 3, "0.3 s on an idle machine"
    assert len(keeps) == 1, "the same question, the same number"


# ---- how probably its evidence is found ------------------------------------------------------------


def test_what_tells_how_probably_evidence_is_found() -> None:
    """The cosines have the deviation 0.2416; one of seven chunks has a word of the question."""
    cosines, lexical = np.array([0.9, 0.5, 0.5, 0.4, 0.3, 0.2, 0.1], np.float32), np.array([2.0, *[0.0] * 6])
    found = search_features([[0]], cosines, lexical)
    assert found["dense.rank"] == found["lexical.rank"] == 0, "the logarithm of 1"
    assert found["dense.margin"] == pytest.approx((0.9 - 0.2) / 0.2416, abs=1e-3), "over the fifth of the others"
    assert found["dense.rivals"] == found["lexical.rivals"] == 0, "none is within half a deviation"
    assert found["chunks"] == math.log2(7)
    both = search_features([[0, 6], [3]], cosines, lexical)
    assert both["dense.rank"] == 2, "chunk 3 is found last, as the fourth"
    assert both["dense.margin"] == pytest.approx((0.4 - 0.1) / 0.2416, abs=1e-3), "over the last: four others are left"
    assert both["dense.rivals"] == pytest.approx(math.log(1 + 3)), "0.5, 0.5 and 0.3"
    assert both["lexical.rank"] == 1, "only chunk 0 comes before the six without a word"
    assert both["lexical.rivals"] == pytest.approx(math.log(1 + 4)), "the four others"


def test_chunks_without_a_vector_are_no_rivals() -> None:
    cosines, lexical = np.array([0.5, 0.4, 0.1], np.float32), np.array([2.0, 1.0, 0.0])
    less = search_features([[0]], cosines, lexical)
    more = search_features([[0]], np.append(cosines, np.full(5, -1, np.float32)), np.append(lexical, np.zeros(5)))
    dense = {name for name in less if name.startswith("dense.")}
    assert {name: more[name] for name in dense} == {name: less[name] for name in dense}
    assert (less["chunks"], more["chunks"]) == (math.log2(3), 3.0)


def test_the_weights_of_found_point_the_right_way() -> None:
    weights = {name: each.weights["found"] for name, each in shipped("found").features.items()}
    assert weights.pop("dense.margin") > 0
    assert sorted(weights) == ["chunks", "dense.rank", "dense.rivals", "lexical.rank", "lexical.rivals"]
    assert all(weight < 0 for weight in weights.values())


@pytest.mark.parametrize(("writer", "found"), [("rules", 1.0), (None, 0.0), ("llm:small", None)], ids=str)
def test_a_question_of_a_model_does_not_count_as_one_of_earlier_rules(writer: str | None, found: float | None) -> None:
    item = Item("q", "Who leads the crew?", ("Ada",), "simple", "factoid", "en", (), metadata={"writer": writer})
    assert features(item, Surroundings({})).get("rules.current") == found
