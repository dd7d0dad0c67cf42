"""Planted controls and the order of a review: every defect is real, and nothing shows or keeps a control."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from pathlib import Path

import pytest
from annotated import DOCUMENTS, ITEMS, saved
from click.testing import CliRunner

from kgsynth.base.errors import ConfigError
from kgsynth.base.records import Answer
from kgsynth.base.records_json import to_json
from kgsynth.cli import main
from kgsynth.golden.dataset import load, write
from kgsynth.reviewing.annotation import Annotation
from kgsynth.reviewing.api import ReviewApi
from kgsynth.reviewing.page import page
from kgsynth.reviewing.results import results, terminal
from kgsynth.reviewing.reviewed_set import apply_decisions
from kgsynth.reviewing.store import ReviewStore, SavedAnnotation, plant, uncertain_first
from kgsynth.reviewing.subject import Subject

SUBJECT = Subject(Path("golden.jsonl"), ITEMS, DOCUMENTS)
IDS = [item.id for item in ITEMS]


def test_each_defect_is_planted_and_is_one() -> None:
    planted = plant(SUBJECT, IDS[:14], 6, 0)
    assert sorted(each.defect for each in planted) == sorted(
        2 * ["a pronoun for the name", "the answers of another item", "the evidence of another section"]
    )
    by_id = {item.id: item for item in ITEMS}
    for each in planted:
        made, source = each.item, by_id[each.source]
        assert each.source not in IDS[:14], "the six items that are not under review are used first"
        assert made.id not in by_id and made.derivation == {}
        text = " ".join(span.text for group in made.evidence for span in group)
        if each.defect == "a pronoun for the name":
            assert made.question == "What does it keep in its hall?"
        elif each.defect == "the answers of another item":
            assert made.question == source.question and made.golden_answers[0] not in text
            assert made.golden_answers != source.golden_answers
        else:
            assert made.question == source.question and source.golden_answers[0] not in text
            assert {span.doc for group in made.evidence for span in group} == {"depots.md"}, "the other section"


def test_controls_depend_on_the_seed_alone() -> None:
    first, again, other = (plant(SUBJECT, IDS, 4, seed) for seed in (1, 1, 2))
    assert first == again != other


@pytest.mark.parametrize(
    ("subject", "count", "problem"),
    [
        (SUBJECT, 21, "--controls 21 is more than the 20 that"),
        (replace(SUBJECT, answers={IDS[0]: Answer(IDS[0], "x")}), 1, "not possible in a review of answers"),
    ],
)
def test_controls_that_are_not_possible_are_refused(subject: Subject, count: int, problem: str) -> None:
    with pytest.raises(ConfigError, match=problem):
        plant(subject, IDS, count, 0)


@pytest.fixture
def begun(tmp_path: Path) -> tuple[Subject, tuple[str, ...], ReviewStore]:
    """A review of ten items and three controls."""
    store = ReviewStore(tmp_path / "golden.review.sqlite")
    ids = store.begin(SUBJECT, "10", controls=3)
    return replace(SUBJECT, controls=store.controls()), ids, store


Begun = tuple[Subject, tuple[str, ...], ReviewStore]


def test_controls_are_mixed_in_and_stored(begun: Begun) -> None:
    subject, ids, store = begun
    planted = {control.item.id for control in subject.controls}
    assert len(ids) == 13 and len(planted) == 3 and planted < set(ids)
    assert set(ids[-3:]) != planted, "they do not stand together at the end"
    assert store.begin(SUBJECT) == ids == store.begin(SUBJECT, controls=3)
    with pytest.raises(ConfigError, match="began with --controls 3, not 2"):
        store.begin(SUBJECT, controls=2)


def test_the_page_does_not_show_which_items_are_controls(begun: Begun) -> None:
    subject, ids, _ = begun
    shown = page(subject, ids)
    assert (
        shown.count("<article") == 13
        and 'class="path"' not in shown
        and "operand" not in re.findall(r"<article.*</article>", shown, re.S)[0]
    )
    assert not any(control.defect in shown for control in subject.controls)
    data = json.loads(re.findall(r'id="data">(.*?)</script>', shown)[0])
    assert {tuple(sorted(item)) for item in data["items"]} == {("answers", "id", "question")}


def test_the_summary_counts_caught_controls_and_nothing_else_counts_them(begun: Begun) -> None:
    subject, ids, _ = begun
    first, second, third = (control.item.id for control in subject.controls)
    votes = [SavedAnnotation("Ada", item, Annotation("accept")) for item in ids if item not in (first, second)]
    votes += [SavedAnnotation("Ada", first, Annotation("reject"))]
    votes += [SavedAnnotation("Ada", second, Annotation("edit", question="Which?"))]
    votes += [SavedAnnotation("Bo", third, Annotation("reject", reasons=("C",)))]
    found = results(subject, ids, votes)
    assert found.controls == {"Ada": {"decided": 3, "caught": 2}, "Bo": {"decided": 1, "caught": 1}}
    assert (found.items, found.decided, found.disputes) == (10, 10, ())
    assert found.decisions == {"accept": 10, "reject": 0, "edit": 0} and not any(found.reasons.values())
    assert "planted controls: Ada caught 2 of 3 decided" in terminal(found)
    kept = apply_decisions(subject, votes)
    assert [each.item.id for each in kept] == IDS


def test_an_edit_of_a_control_is_not_a_duplicate_of_its_source(begun: Begun) -> None:
    subject, ids, store = begun
    control = next(each for each in subject.controls if each.defect == "the answers of another item")
    source = next(item for item in ITEMS if item.id == control.source)
    store.save("Ada", [(control.item.id, Annotation("edit", answers=source.golden_answers))])
    found = ReviewApi(subject, ids, store).findings("Ada", control.item.id)["findings"]
    assert "duplicate" not in {each["code"] for each in found}


def test_controls_on_the_command_line_are_not_in_the_reviewed_set(tmp_path: Path) -> None:
    golden = tmp_path / "golden.jsonl"
    write(ITEMS, golden)
    lines = (to_json(document) + "\n" for document in DOCUMENTS.values())
    (tmp_path / "documents.jsonl").write_text("".join(lines), encoding="utf-8")
    sent = CliRunner().invoke(main, ["review", str(golden), "--controls", "3", "--form", str(tmp_path / "form.csv")])
    assert sent.exit_code == 0 and "23 questions to review" in sent.output, sent.output
    applied = CliRunner().invoke(main, ["review", str(golden), "--apply", str(tmp_path / "reviewed.jsonl")])
    assert applied.exit_code == 0 and [item.id for item in load(tmp_path / "reviewed.jsonl")] == IDS


# ---- the order -----------------------------------------------------------------------------------------


def test_disputed_items_come_first_then_those_near_a_threshold() -> None:
    """Relative distances: answerable 0.66 of 0.6 is 0.1; leaking 0.3 of 0.5 is 0.4; answered 0.55 of 0.55 is 0."""
    scores = ({"leaking": 0.3}, {"answerable": 0.66, "leaking": 0.0}, {"quality": 0.5}, {}, {"answered": 0.55})
    items = tuple(replace(item, metadata={"scores": own}) for item, own in zip(ITEMS, scores, strict=False))
    votes = [saved("Ada", 3, "accept"), saved("Bo", 3, "reject"), saved("Ada", 2, "accept"), saved("Bo", 2, "accept")]
    subject = replace(SUBJECT, items=items)
    assert [IDS.index(each) for each in uncertain_first(subject, IDS[:5], votes)] == [3, 4, 1, 0, 2]
    assert [IDS.index(each) for each in uncertain_first(subject, IDS[:5], [])] == [4, 1, 0, 2, 3]


def test_controls_keep_their_places_in_the_order(begun: Begun) -> None:
    subject, ids, _ = begun
    planted = {control.item.id for control in subject.controls}
    ordered = uncertain_first(subject, ids, [])
    assert sorted(ordered) == sorted(ids)
    assert [key in planted for key in ordered] == [key in planted for key in ids]
