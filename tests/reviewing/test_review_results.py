"""The results of a review and the reviewed set: values worked out by hand, and the rule for every kind of vote."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from annotated import DOCUMENTS, ITEMS, MARKED, saved

from kgsynth.auditing.flow import check_set
from kgsynth.base.errors import ConfigError
from kgsynth.base.records import Answer, Finding, Item, item_id
from kgsynth.golden.dataset import Dataset, load
from kgsynth.reviewing.annotation import Annotation
from kgsynth.reviewing.results import applied, results, terminal
from kgsynth.reviewing.reviewed_set import (
    ReviewedItem,
    apply_decisions,
    edit_findings,
    edited_item,
    rejected_path,
    write_reviewed_set,
)
from kgsynth.reviewing.store import SavedAnnotation
from kgsynth.reviewing.subject import Subject
from kgsynth.statistics.rates import wilson

SUBJECT = Subject(Path("golden.jsonl"), ITEMS, DOCUMENTS)
IDS = [item.id for item in ITEMS[:5]]
SAVED = [
    saved("Ada", 0, "accept", fluency=5, accuracy=4),
    saved("Ada", 1, "accept", fluency=4),
    saved("Ada", 2, "reject", "vague", fluency=2),
    saved("Ada", 3, "edit", question="Which?", fluency=3),
    saved("Bo", 0, "accept", fluency=4, accuracy=4),
    saved("Bo", 1, "reject", fluency=4),
    saved("Bo", 2, "reject", fluency=1),
    saved("Bo", 3, "accept", fluency=5),
    saved("Bo", 4, "", "later"),
]


# ---- results -----------------------------------------------------------------------------------------


def test_decisions_are_counted_and_averaged_by_item() -> None:
    found = results(SUBJECT, IDS, SAVED)
    assert (found.items, found.decided, found.decided_twice) == (5, 4, 4)
    assert found.decisions == {"accept": 4, "reject": 3, "edit": 1}
    assert found.good is not None and (found.good.value, found.good.items) == ((1 + 0.5 + 0 + 1) / 4, 4)
    assert found.good.ci95 is not None and found.good.ci95[0] < 0.625 < found.good.ci95[1]


def test_reasons_for_rejection_are_counted_listed_and_exported() -> None:
    votes = [
        saved("Ada", 0, "reject", "the depot?", reasons=("S", "V")),
        saved("Ada", 1, "reject", reasons=("S",)),
        saved("Bo", 0, "reject"),
    ]
    found = results(SUBJECT, IDS, votes)
    assert found.reasons == {"W": 0, "S": 2, "A": 0, "C": 0, "U": 0, "T": 0, "V": 1}
    assert "rejected 2 times as S: not self-contained" in terminal(found) and " as W" not in terminal(found)
    gone = of(votes)
    assert gone.rejected == "rejected by Ada and Bo (Ada: not self-contained, not worth asking, the depot?)"
    assert gone.item.metadata["review"]["decisions"] == [
        {"annotator": "Ada", "decision": "reject", "reasons": ["S", "V"], "comment": "the depot?"},
        {"annotator": "Bo", "decision": "reject"},
    ]


def test_the_median_time_is_of_decisions_whose_time_was_measured() -> None:
    votes = [saved("Ada", n, "accept", seconds=s) for n, s in enumerate((4.0, 30.0, 10.0, 0.0))]
    votes += [saved("Bo", 0, "accept", seconds=2.0), saved("Bo", 1, "", "later", seconds=90.0)]
    found = results(SUBJECT, IDS, votes)
    assert (found.seconds, found.annotators["Ada"].seconds, found.annotators["Bo"].seconds) == (7.0, 10.0, 2.0)
    assert "time per item: median 7.0 s" in terminal(found)
    assert results(SUBJECT, IDS, SAVED).seconds is None and "time per item" not in terminal(
        results(SUBJECT, IDS, SAVED)
    )
    assert "seconds" not in of(votes).item.metadata["review"]["decisions"][0], "times are not written into the set"


def test_with_one_annotator_the_interval_is_wilsons() -> None:
    found = results(SUBJECT, IDS, [each for each in SAVED if each.annotator == "Ada"])
    assert found.good is not None and found.good.ci95 == pytest.approx(wilson(0.75, 4))
    assert found.alpha_nominal is None, "there is only one annotator"


def test_alpha_of_the_decisions_by_hand() -> None:
    """Pairs: aa, ar, rr, ea. Observed: 2 of 4 units differ. Expected: 8 ratings, 4 a, 3 r, 1 e: 2(12 + 4 + 3) / 56."""
    assert results(SUBJECT, IDS, SAVED).alpha_nominal == pytest.approx(1 - 0.5 / (38 / 56))


def test_grades_have_mean_deviation_counts_and_agreement() -> None:
    fluency = results(SUBJECT, IDS, SAVED).grades["fluency"]
    assert (fluency.n, fluency.items, fluency.mean, fluency.counts) == (8, 4, 3.5, (1, 1, 1, 3, 2))
    assert fluency.sd == pytest.approx((14 / 7) ** 0.5)
    # pairs 5-4, 4-4, 2-1, 3-5: observed 2(1 + 0 + 1 + 4) / 8; expected: twice the variance with n - 1
    assert fluency.alpha_interval == pytest.approx(1 - 1.5 / 4)
    assert "coherence" not in results(SUBJECT, IDS, SAVED).grades, "nobody graded it"


def test_bias_is_the_mean_difference_from_the_others_on_the_same_items() -> None:
    found = results(SUBJECT, IDS, SAVED).annotators
    assert found["Ada"].bias == {"fluency": (1 + 0 + 1 - 2) / 4, "accuracy": 0.0, "all": 0.0}
    strict = results(SUBJECT, IDS, [*SAVED, saved("Cy", 0, "reject", fluency=1)]).annotators["Cy"]
    assert strict.bias["fluency"] == 1 - (5 + 4) / 2
    assert strict.decisions == {"accept": 0, "reject": 1, "edit": 0}


def test_disputed_items_are_listed_with_what_each_annotator_says() -> None:
    first, second = results(SUBJECT, IDS, SAVED).disputes
    assert (first.item, first.decisions) == (ITEMS[1].id, {"Ada": "accept", "Bo": "reject"})
    assert (second.item, second.grades["fluency"]) == (ITEMS[3].id, {"Ada": 3, "Bo": 5})
    text = terminal(results(SUBJECT, IDS, SAVED))
    assert "Ada: edit, Bo: accept" in text and "fluency: Ada 3, Bo 5" in text


def test_different_edits_are_a_dispute() -> None:
    both = [saved("Ada", 0, "edit", question="Which?"), saved("Bo", 0, "edit", question="What?")]
    (found,) = results(SUBJECT, IDS, both).disputes
    assert found.words == {"Ada": ("Which?",), "Bo": ("What?",)}
    assert "edit by Ada: Which?" in terminal(results(SUBJECT, IDS, both))


def test_without_annotations_the_text_says_so() -> None:
    assert "no annotations yet" in terminal(results(SUBJECT, IDS, []))


# ---- edits -------------------------------------------------------------------------------------------


def errors(item: Item) -> list[Finding]:
    return [finding for finding in edit_findings(item, ITEMS[1:], DOCUMENTS) if finding.severity == "error"]


def test_an_edited_question_keeps_the_derivation() -> None:
    new = edited_item(ITEMS[0], Annotation("edit", question="How many barrels does Depot 0 keep?"), DOCUMENTS)
    assert new.derivation == ITEMS[0].derivation and new.golden_answers == ITEMS[0].golden_answers
    assert new.id == item_id(new.question, new.golden_answers, new.evidence) != ITEMS[0].id
    assert errors(new) == []


def test_a_derivation_that_does_not_yield_the_new_answer_is_removed() -> None:
    new = edited_item(ITEMS[0], Annotation("edit", answers=("a red boat",)), DOCUMENTS)
    assert new.derivation == {}
    assert "evidence" in {finding.code for finding in edit_findings(new, ITEMS[1:], DOCUMENTS)}


def test_an_additional_form_of_the_answer_keeps_the_derivation() -> None:
    new = edited_item(ITEMS[0], Annotation("edit", answers=("40 barrels", "forty barrels")), DOCUMENTS)
    assert new.derivation == ITEMS[0].derivation


def test_an_edit_to_the_words_of_another_question_is_a_duplicate() -> None:
    words = Annotation("edit", question=ITEMS[7].question, answers=ITEMS[7].golden_answers)
    found = {finding.code: finding.message for finding in errors(edited_item(ITEMS[0], words, DOCUMENTS))}
    assert ITEMS[7].id in found["duplicate"]


def test_without_documents_their_absence_is_not_a_finding() -> None:
    new = edited_item(ITEMS[0], Annotation("edit", question="What is in Depot 0?"), {})
    assert "vanished" in {finding.code for finding in check_set(Dataset([new]), {}).findings}
    assert "document" not in {finding.code for finding in edit_findings(new, (), {})}


# ---- the reviewed set --------------------------------------------------------------------------------


def of(votes: list[SavedAnnotation], on_tie: str = "drop") -> ReviewedItem:
    """Question 0 after the review."""
    return apply_decisions(SUBJECT, votes, on_tie)[0]


def test_the_majority_keeps_or_rejects_an_item_with_names_and_reasons() -> None:
    kept = of([saved("Ada", 0, "accept"), saved("Bo", 0, "accept"), saved("Cy", 0, "reject")])
    assert (kept.rejected, kept.decided, kept.tie) == ("", True, False)
    gone = of([saved("Ada", 0, "accept"), saved("Bo", 0, "reject", "vague"), saved("Cy", 0, "reject")])
    assert gone.rejected == "rejected by Bo and Cy, kept by Ada (Bo: vague)"


@pytest.mark.parametrize(("on_tie", "stays"), [("drop", False), ("keep", True)])
def test_a_tie_is_decided_by_the_option_and_reported(on_tie: str, stays: bool) -> None:
    found = of([saved("Ada", 0, "accept"), saved("Bo", 0, "reject")], on_tie)
    assert found.tie and (found.rejected == "") is stays
    assert f"tie, {'kept' if stays else 'left out'}: {ITEMS[0].id}" in applied([found], on_tie)


def test_the_most_frequent_edit_is_used_and_among_equals_the_first_by_name() -> None:
    votes = [saved("Ada", 0, "edit", question="Which?"), saved("Bo", 0, "edit", question="What of Depot 0?")]
    assert of(votes).item.question == "Which?"
    assert of([*votes, saved("Cy", 0, "edit", question="What of Depot 0?")]).item.question == "What of Depot 0?"
    kept = of([votes[0], saved("Bo", 0, "accept"), saved("Cy", 0, "accept")])
    assert kept.item.question == ITEMS[0].question, "more accept it than edit it"


def test_the_metadata_has_all_decisions_and_what_was_before() -> None:
    found = of([saved("Ada", 0, "edit", "short", question="Which?", fluency=4), saved("Bo", 0, "accept")]).item
    assert found.metadata["source"] == "kgsynth"
    assert found.metadata["review"] == {
        "decisions": [
            {
                "annotator": "Ada",
                "decision": "edit",
                "grades": {"fluency": 4},
                "comment": "short",
                "question": "Which?",
            },
            {"annotator": "Bo", "decision": "accept"},
        ],
        "was": {"id": ITEMS[0].id, "question": ITEMS[0].question, "golden_answers": ["40 barrels"]},
    }


def test_tags_that_anyone_added_stay_and_those_that_anyone_took_away_go() -> None:
    tagged = replace(ITEMS[0], metadata={"tags": ["must", "old"]})
    votes = [saved("Ada", 0, "accept", tags=("must", "sales")), saved("Bo", 0, "accept")]
    votes.append(saved("Cy", 0, "accept", tags=("must", "old", "legal")))
    (found, *_) = apply_decisions(Subject(Path("golden.jsonl"), (tagged,), DOCUMENTS), votes)
    assert found.item.tags == ("must", "legal", "sales"), "Ada took old away, and Bo said nothing of tags"
    (found, *_) = apply_decisions(Subject(Path("golden.jsonl"), (tagged,), DOCUMENTS), [saved("Bo", 0, "accept")])
    assert found.item.tags == ("must", "old")


def test_the_reviewed_set_says_who_decided_and_on_which_day() -> None:
    vote = replace(saved("Ada", 0, "accept"), at="2026-03-01")
    assert of([vote]).item.metadata["review"]["decisions"] == [
        {"annotator": "Ada", "decision": "accept", "at": "2026-03-01"}
    ]


def test_a_removed_derivation_is_kept_in_the_metadata() -> None:
    found = of([saved("Ada", 0, "edit", answers=("forty in all",))]).item
    assert found.derivation == {} and found.metadata["review"]["was"]["derivation"] == ITEMS[0].derivation


def test_an_edit_with_a_new_error_is_not_applied_and_is_reported() -> None:
    found = of([saved("Ada", 0, "edit", question=ITEMS[7].question, answers=ITEMS[7].golden_answers)])
    assert found.item.question == ITEMS[0].question and not found.edited
    assert "edit not applied" in applied([found], "drop") and "duplicate" in applied([found], "drop")


def test_two_edits_that_give_the_same_question_are_not_both_applied() -> None:
    answers = ITEMS[0].golden_answers
    votes = [saved("Ada", number, "edit", question="What is in that hall?", answers=answers) for number in (0, 1)]
    first, second, *_ = apply_decisions(SUBJECT, votes)
    assert first.edited and not second.edited and "duplicate" in {error.code for error in second.errors}


def test_an_edit_may_use_the_words_of_a_rejected_item() -> None:
    found = apply_decisions(SUBJECT, [saved("Ada", 1, "reject"), saved("Ada", 2, "edit", question=ITEMS[1].question)])
    assert found[1].rejected == "rejected by Ada" and found[2].edited and found[2].item.question == ITEMS[1].question


def test_undecided_items_stay_unchanged() -> None:
    reviewed = apply_decisions(SUBJECT, [saved("Ada", 0, "", "later", fluency=3)])
    assert [each.item for each in reviewed[1:]] == list(ITEMS[1:])
    assert reviewed[0].item.metadata["review"]["decisions"][0]["comment"] == "later" and not reviewed[0].decided


def test_the_reviewed_set_passes_the_audit_and_no_item_is_lost(tmp_path: Path) -> None:
    out, golden = tmp_path / "reviewed.jsonl", tmp_path / "golden.jsonl"
    votes = [
        saved("Ada", 0, "reject", "too plain"),
        saved("Ada", 1, "edit", question="How many barrels stand in hall B?"),
        saved("Ada", 12, "accept"),
    ]
    write_reviewed_set(apply_decisions(SUBJECT, votes), out, golden)
    kept, gone = load(out), load(rejected_path(out))
    assert len(kept) == 19 and [item.id for item in gone] == [ITEMS[0].id]
    assert '"rejected":{"rule":"review"' in rejected_path(out).read_text("utf-8")
    assert "too plain" in rejected_path(out).read_text("utf-8")
    assert kept[0].question == "How many barrels stand in hall B?" and kept[0].id != ITEMS[1].id
    before, after = (check_set(Dataset(items), DOCUMENTS).findings for items in (ITEMS[1:], kept))
    assert {each.code for each in after} <= {each.code for each in before}
    assert not [each for each in after if each.severity == "error"]


def test_the_set_under_review_is_not_overwritten(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="would overwrite the set under review"):
        write_reviewed_set([], tmp_path / "golden.jsonl", tmp_path / "golden.jsonl")


def test_a_review_of_answers_makes_no_golden_set() -> None:
    with pytest.raises(ConfigError, match="makes no golden set"):
        apply_decisions(replace(SUBJECT, answers={ITEMS[0].id: Answer(ITEMS[0].id, "x")}), [])


def test_the_planted_set_is_valid() -> None:
    assert "<script>" in MARKED.text
    assert not check_set(Dataset(ITEMS), DOCUMENTS).at_least("error")
