"""What a review came to, and the set made of it: figures worked out by hand, and the rule for every kind of vote."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from reviewing import DOCUMENTS, ITEMS, MARKED, said

from kgsynth.auditing.flow import check_set
from kgsynth.base.errors import ConfigError
from kgsynth.base.records import Answer, Finding, Item, item_id
from kgsynth.golden.dataset import Dataset, load
from kgsynth.reviewing.edits import edited, findings
from kgsynth.reviewing.judgement import Judgement
from kgsynth.reviewing.results import results
from kgsynth.reviewing.reviewed_set import Settled, apply, rejected_of, settle
from kgsynth.reviewing.store import Said
from kgsynth.reviewing.subject import Subject
from kgsynth.reviewing.text import applied, terminal
from kgsynth.statistics.unpaired_tests import wilson

SUBJECT = Subject(Path("golden.jsonl"), ITEMS, DOCUMENTS)
IDS = [item.id for item in ITEMS[:5]]
SAID = [
    said("Ada", 0, "accept", fluency=5, accuracy=4),
    said("Ada", 1, "accept", fluency=4),
    said("Ada", 2, "reject", "vague", fluency=2),
    said("Ada", 3, "edit", question="Which?", fluency=3),
    said("Bo", 0, "accept", fluency=4, accuracy=4),
    said("Bo", 1, "reject", fluency=4),
    said("Bo", 2, "reject", fluency=1),
    said("Bo", 3, "accept", fluency=5),
    said("Bo", 4, "", "later"),
]


# ---- results -----------------------------------------------------------------------------------------


def test_decisions_are_counted_and_shared_out_by_item() -> None:
    found = results(SUBJECT, IDS, SAID)
    assert (found.items, found.decided, found.decided_twice) == (5, 4, 4)
    assert found.decisions == {"accept": 4, "reject": 3, "edit": 1}
    assert found.good is not None and (found.good.value, found.good.items) == ((1 + 0.5 + 0 + 1) / 4, 4)
    assert found.good.ci95 is not None and found.good.ci95[0] < 0.625 < found.good.ci95[1]


def test_of_one_annotator_the_interval_is_wilsons() -> None:
    found = results(SUBJECT, IDS, [each for each in SAID if each.annotator == "Ada"])
    assert found.good is not None and found.good.ci95 == pytest.approx(wilson(0.75, 4))
    assert found.alpha_nominal is None, "nobody else has judged"


def test_alpha_of_the_decisions_is_worked_out_by_hand() -> None:
    """Pairs: aa, ar, rr, ea. Seen: 2 of 4 units differ. Chance: 8 ratings, 4 a, 3 r, 1 e: 2(12 + 4 + 3) / 56."""
    assert results(SUBJECT, IDS, SAID).alpha_nominal == pytest.approx(1 - 0.5 / (38 / 56))


def test_grades_have_mean_spread_counts_and_agreement() -> None:
    fluency = results(SUBJECT, IDS, SAID).grades["fluency"]
    assert (fluency.n, fluency.items, fluency.mean, fluency.counts) == (8, 4, 3.5, (1, 1, 1, 3, 2))
    assert fluency.sd == pytest.approx((14 / 7) ** 0.5)
    # pairs 5-4, 4-4, 2-1, 3-5: seen 2(1 + 0 + 1 + 4) / 8; chance: twice the variance with n - 1
    assert fluency.alpha_interval == pytest.approx(1 - 1.5 / 4)
    assert "coherence" not in results(SUBJECT, IDS, SAID).grades, "nobody graded it"


def test_bias_is_the_mean_difference_from_the_others_on_the_same_items() -> None:
    found = results(SUBJECT, IDS, SAID).annotators
    assert found["Ada"].bias == {"fluency": (1 + 0 + 1 - 2) / 4, "accuracy": 0.0, "all": 0.0}
    strict = results(SUBJECT, IDS, [*SAID, said("Cy", 0, "reject", fluency=1)]).annotators["Cy"]
    assert strict.bias["fluency"] == 1 - (5 + 4) / 2
    assert strict.decisions == {"accept": 0, "reject": 1, "edit": 0}


def test_what_is_in_dispute_is_listed_with_what_each_says() -> None:
    first, second = results(SUBJECT, IDS, SAID).disputes
    assert (first.item, first.decisions) == (ITEMS[1].id, {"Ada": "accept", "Bo": "reject"})
    assert (second.item, second.grades["fluency"]) == (ITEMS[3].id, {"Ada": 3, "Bo": 5})
    text = terminal(results(SUBJECT, IDS, SAID))
    assert "Ada: edit, Bo: accept" in text and "fluency: Ada 3, Bo 5" in text


def test_edits_in_other_words_are_a_dispute() -> None:
    both = [said("Ada", 0, "edit", question="Which?"), said("Bo", 0, "edit", question="What?")]
    (found,) = results(SUBJECT, IDS, both).disputes
    assert found.words == {"Ada": ("Which?",), "Bo": ("What?",)}
    assert "Ada would say: Which?" in terminal(results(SUBJECT, IDS, both))


def test_before_anything_is_said_it_says_so() -> None:
    assert "nothing is judged yet" in terminal(results(SUBJECT, IDS, []))


# ---- edits -------------------------------------------------------------------------------------------


def errors(item: Item) -> list[Finding]:
    return [finding for finding in findings(item, ITEMS[1:], DOCUMENTS) if finding.severity == "error"]


def test_new_words_for_the_question_keep_the_proof() -> None:
    new = edited(ITEMS[0], Judgement("edit", question="How many barrels does Depot 0 keep?"), DOCUMENTS)
    assert new.derivation == ITEMS[0].derivation and new.golden_answers == ITEMS[0].golden_answers
    assert new.id == item_id(new.question, new.golden_answers, new.evidence) != ITEMS[0].id
    assert errors(new) == []


def test_an_answer_the_derivation_does_not_yield_leaves_it_out() -> None:
    new = edited(ITEMS[0], Judgement("edit", answers=("a red boat",)), DOCUMENTS)
    assert new.derivation == {}
    assert "evidence" in {finding.code for finding in findings(new, ITEMS[1:], DOCUMENTS)}


def test_another_way_to_say_the_answer_beside_the_old_one_keeps_it() -> None:
    new = edited(ITEMS[0], Judgement("edit", answers=("40 barrels", "forty barrels")), DOCUMENTS)
    assert new.derivation == ITEMS[0].derivation


def test_an_edit_in_the_words_of_another_question_is_a_duplicate() -> None:
    words = Judgement("edit", question=ITEMS[7].question, answers=ITEMS[7].golden_answers)
    found = {finding.code: finding.message for finding in errors(edited(ITEMS[0], words, DOCUMENTS))}
    assert ITEMS[7].id in found["duplicate"]


def test_without_documents_that_they_are_missing_is_no_fault() -> None:
    new = edited(ITEMS[0], Judgement("edit", question="What is in Depot 0?"), {})
    assert "vanished" in {finding.code for finding in check_set(Dataset([new]), {}).findings}
    assert "document" not in {finding.code for finding in findings(new, (), {})}


# ---- the reviewed set --------------------------------------------------------------------------------


def of(votes: list[Said], on_tie: str = "drop") -> Settled:
    """What becomes of question 0."""
    return settle(SUBJECT, votes, on_tie)[0]


def test_what_most_keep_stays_and_what_most_reject_goes_with_who_and_why() -> None:
    kept = of([said("Ada", 0, "accept"), said("Bo", 0, "accept"), said("Cy", 0, "reject")])
    assert (kept.why, kept.decided, kept.tie) == ("", True, False)
    gone = of([said("Ada", 0, "accept"), said("Bo", 0, "reject", "vague"), said("Cy", 0, "reject")])
    assert gone.why == "rejected by Bo and Cy, kept by Ada (Bo: vague)"


@pytest.mark.parametrize(("on_tie", "stays"), [("drop", False), ("keep", True)])
def test_a_tie_is_settled_as_asked_and_told(on_tie: str, stays: bool) -> None:
    found = of([said("Ada", 0, "accept"), said("Bo", 0, "reject")], on_tie)
    assert found.tie and (found.why == "") is stays
    assert f"tie, {'kept' if stays else 'left out'}: {ITEMS[0].id}" in applied([found], on_tie)


def test_words_most_gave_hold_and_among_equals_the_first_by_name() -> None:
    votes = [said("Ada", 0, "edit", question="Which?"), said("Bo", 0, "edit", question="What of Depot 0?")]
    assert of(votes).item.question == "Which?"
    assert of([*votes, said("Cy", 0, "edit", question="What of Depot 0?")]).item.question == "What of Depot 0?"
    kept = of([votes[0], said("Bo", 0, "accept"), said("Cy", 0, "accept")])
    assert kept.item.question == ITEMS[0].question, "more accept it than edit it"


def test_who_decided_what_and_what_was_before_stand_in_the_metadata() -> None:
    found = of([said("Ada", 0, "edit", "short", question="Which?", fluency=4), said("Bo", 0, "accept")]).item
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


def test_a_proof_that_was_left_out_is_kept_in_what_was_before() -> None:
    found = of([said("Ada", 0, "edit", answers=("forty in all",))]).item
    assert found.derivation == {} and found.metadata["review"]["was"]["derivation"] == ITEMS[0].derivation


def test_an_edit_with_an_error_of_its_own_is_not_applied_and_told() -> None:
    found = of([said("Ada", 0, "edit", question=ITEMS[7].question, answers=ITEMS[7].golden_answers)])
    assert found.item.question == ITEMS[0].question and not found.edited
    assert "edit not applied" in applied([found], "drop") and "duplicate" in applied([found], "drop")


def test_two_edits_that_come_to_the_same_question_do_not_both_pass() -> None:
    answers = ITEMS[0].golden_answers
    votes = [said("Ada", number, "edit", question="What is in that hall?", answers=answers) for number in (0, 1)]
    first, second, *_ = settle(SUBJECT, votes)
    assert first.edited and not second.edited and "duplicate" in {fault.code for fault in second.faults}


def test_the_words_of_an_item_that_was_turned_away_are_free() -> None:
    found = settle(SUBJECT, [said("Ada", 1, "reject"), said("Ada", 2, "edit", question=ITEMS[1].question)])
    assert found[1].why == "rejected by Ada" and found[2].edited and found[2].item.question == ITEMS[1].question


def test_what_nobody_decided_stays_as_it_is() -> None:
    settled = settle(SUBJECT, [said("Ada", 0, "", "later", fluency=3)])
    assert [each.item for each in settled[1:]] == list(ITEMS[1:])
    assert settled[0].item.metadata["review"]["decisions"][0]["comment"] == "later" and not settled[0].decided


def test_the_reviewed_set_passes_the_audit_and_nothing_vanishes(tmp_path: Path) -> None:
    out, golden = tmp_path / "reviewed.jsonl", tmp_path / "golden.jsonl"
    votes = [
        said("Ada", 0, "reject", "too plain"),
        said("Ada", 1, "edit", question="How many barrels stand in hall B?"),
        said("Ada", 12, "accept"),
    ]
    apply(settle(SUBJECT, votes), out, golden)
    kept, gone = load(out), load(rejected_of(out))
    assert len(kept) == 19 and [item.id for item in gone] == [ITEMS[0].id]
    assert '"rejected":{"rule":"review"' in rejected_of(out).read_text("utf-8")
    assert "too plain" in rejected_of(out).read_text("utf-8")
    assert kept[0].question == "How many barrels stand in hall B?" and kept[0].id != ITEMS[1].id
    before, after = (check_set(Dataset(items), DOCUMENTS).findings for items in (ITEMS[1:], kept))
    assert {each.code for each in after} <= {each.code for each in before}
    assert not [each for each in after if each.severity == "error"]


def test_the_set_under_review_is_not_written_over(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="would write over the set under review"):
        apply([], tmp_path / "golden.jsonl", tmp_path / "golden.jsonl")


def test_answers_make_no_set() -> None:
    with pytest.raises(ConfigError, match="makes no golden set"):
        settle(replace(SUBJECT, answers={ITEMS[0].id: Answer(ITEMS[0].id, "x")}), [])


def test_the_planted_set_is_what_it_seems() -> None:
    assert "<script>" in MARKED.text
    assert not check_set(Dataset(ITEMS), DOCUMENTS).at_least("error")
