"""Versions of sets: what diff finds changed between two planted sets, and what merge keeps of several."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest
from bs4 import BeautifulSoup
from click.testing import CliRunner

from kgsynth.base.errors import ConfigError
from kgsynth.base.records import Item, Span, Turn
from kgsynth.cli import main
from kgsynth.evidence.question_checks import names_and_numbers
from kgsynth.golden.dataset import Dataset, load
from kgsynth.golden.metadata import set_id, with_origin
from kgsynth.reviewing.annotation import Annotation
from kgsynth.reviewing.reviewed_set import edited_item
from kgsynth.versions.difference import SetDifference, diff
from kgsynth.versions.matching import NamedSet, match
from kgsynth.versions.merging import MergedSet, merge
from kgsynth.versions.report import merge_text, page, terminal, word_changes

LEADS = "Ada Low leads the depot in Leeds since 2019."
HOLDS = "The Linnet kiln holds ninety plates."


def item(name: str, question: str, answer: str, text: str = "", at: int = 0, doc: str = "a.md") -> Item:
    evidence = ((Span(doc, at, at + len(text), text),),) if text else ()
    return Item(name, question, (answer,) if answer else (), "simple", "factoid", "en", evidence)


def compared(old: list[Item], new: list[Item]) -> SetDifference:
    return diff(NamedSet("old", Dataset(old)), NamedSet("new", Dataset(new)))


def merged(*sets: list[Item], keep_first: bool = False) -> MergedSet:
    named = [NamedSet(name, Dataset(items)) for name, items in zip("ABC", sets, strict=False)]
    return merge(named, keep_first=keep_first)


def kinds(found: SetDifference) -> list[tuple[str, str | None, str | None]]:
    return [(each.kind, each.old and each.old.id, each.new and each.new.id) for each in found.changes]


# ---- diff: what is one item ------------------------------------------------------------------------


def test_each_kind_of_change_is_told_from_the_others() -> None:
    old = [
        item("gone", "Who sold the mill?", "Bea", "Bea sold the mill."),
        item("said", "How many plates does the Linnet kiln hold?", "ninety", HOLDS),
        item("word", "Who leads the depot in Leeds?", "Ada Low", LEADS),
        item("text", "What weighs 40 grams?", "the Pike", "The Pike weighs 40 grams."),
        item("move", "Who burns beech?", "Cy", "Cy burns beech."),
        item("meta", "Who cuts oak?", "Di", "Di cuts oak."),
        item("same", "Who saws elm?", "Ed", "Ed saws elm."),
    ]
    new = [
        old[6],
        replace(old[5], metadata={"category": "wood"}),
        replace(old[4], evidence=((Span("b.md", 9, 24, "Cy burns beech."),),)),
        item("text2", "What weighs 40 grams?", "the Pike", "A Pike has a weight of 40 grams."),
        item("word2", "By whom is the Leeds depot led?", "Ada Low", LEADS),
        item("said2", "How many plates does the Linnet kiln hold?", "eighty", HOLDS),
        item("new", "Who planes ash?", "Flo", "Flo planes ash."),
    ]
    found = compared(old, new)
    assert kinds(found) == [
        ("added", None, "new"),
        ("gone", "gone", None),
        ("answer changed", "said", "said2"),
        ("reworded", "word", "word2"),
        ("evidence changed", "text", "text2"),
        ("re-anchored", "move", "move"),
        ("metadata only", "meta", "meta"),
        ("unchanged", "same", "same"),
    ]
    assert [each.matched_by for each in found.changes] == [
        *("", "", "question", "evidence", "question", "id", "id", "id"),
    ]
    assert set(found.counts.values()) == {1}


def test_items_renumbered_by_row_are_paired_by_what_they_ask() -> None:
    """A question put first gives every later row the id of the one before."""
    asked = [("Who sold the mill?", "Bea"), ("Who cuts oak?", "Di"), ("Who saws elm?", "Ed")]
    old = [item(str(row), *each, f"{each[1]} did.") for row, each in enumerate(asked, 1)]
    new = [item(str(row), *each, f"{each[1]} did.") for row, each in enumerate([("Who planes ash?", "Flo"), *asked], 1)]
    assert [(each.kind, each.item.question) for each in compared(old, new).changes] == [
        ("added", "Who planes ash?"),
        *(("unchanged", question) for question, _ in asked),
    ]


def test_one_sentence_with_two_questions_is_not_one_item() -> None:
    """The evidence is the same, but neither the answer nor the words of the question."""
    found = compared([item("a", "Who leads the depot?", "Ada Low", LEADS)], [item("b", "Since when?", "2019", LEADS)])
    assert [each.kind for each in found.changes] == ["added", "gone"]


def test_nearly_the_same_words_about_another_number_are_another_question() -> None:
    asked = "How many plates does the oven in the north hall of the mill hold when it is fired {}?"
    found = compared([item("a", asked.format(3), "ninety")], [item("b", asked.format(5), "ninety")])
    assert [each.kind for each in found.changes] == ["added", "gone"]
    found = compared([item("a", asked.format(3), "ninety")], [item("b", asked.format("3 now"), "ninety")])
    assert [(each.kind, each.matched_by) for each in found.changes] == [("reworded", "wording")]


def test_the_pronoun_for_the_asker_is_no_name() -> None:
    one, other = (
        item("a", "How do I reset a badge?", "Ada"),
        item("b", "how does a user reset a badge in Leeds?", "Ada"),
    )
    assert (names_and_numbers(one), names_and_numbers(other)) == (frozenset(), frozenset({"Leeds"}))


def test_no_item_is_paired_twice_and_order_decides_between_equals() -> None:
    old = [item("a", "Who leads?", "Ada"), item("b", "Who leads?", "Bea")]
    new = [item("c", "Who leads?", "Bea"), item("d", "Who leads?", "Cy"), item("e", "Who leads?", "Di")]
    found = match(old, new)
    assert [(pair.old.id, pair.new.id) for pair in found.pairs] == [("b", "c"), ("a", "d")]
    assert [each.id for each in found.added] == ["e"] and not found.gone


def test_an_id_of_ones_own_pairs_items_that_share_nothing_else() -> None:
    found = compared([item("h-1", "Who leads?", "Ada")], [item("h-1", "Which person is in charge?", "Bea")])
    assert [(each.kind, each.parts) for each in found.changes] == [("answer changed", ("answers", "question"))]


def test_later_turns_of_a_conversation_are_paired_as_they_are_understood() -> None:
    turn = replace(
        item("a", "And in York?", "Di"), history=(Turn("Who leads Leeds?", "Ada"),), standalone="Who leads York?"
    )
    other = replace(turn, id="b", golden_answers=("Ed",), standalone="Who leads Hull?")
    assert [each.kind for each in compared([turn], [other]).changes] == ["added", "gone"]


def test_the_origin_is_no_change() -> None:
    one = item("a", "Who leads?", "Ada")
    before, after = with_origin([one], "0.1.0"), with_origin([one], "0.2.0")
    assert before != after and not compared(before, after).changed


# ---- diff: how it is shown -------------------------------------------------------------------------

LONG = "In the year in which the mill in the north of the county was sold to the depot, who led the depot in {}?"


def test_the_table_counts_and_the_items_follow_old_beside_new() -> None:
    old = [item("a", LONG.format("Leeds"), "Ada", LEADS), item("b", "Who saws elm?", "Ed")]
    new = [item("a", LONG.format("York"), "Ada", LEADS), item("b", "Who saws elm?", "Ed")]
    lines = terminal(compared(old, new)).splitlines()
    assert lines[0] == "0 items added, 0 gone, 1 changed and 1 unchanged from old to new"
    assert "reworded          1      another question" in lines
    shown = lines[lines.index("reworded: 1") + 1 :]
    assert shown[1].split() == ["old", "new"]
    assert "Leeds?" in shown[2] and "York?" in shown[2], "the difference is in what is left of a long text"


def test_changed_words_are_marked_in_both_versions() -> None:
    old, new = word_changes("负责人是谁？", "新负责人是哪位？")
    assert [piece.text for piece in old if piece.mark] == ["谁"]
    assert [piece.text for piece in new if piece.mark] == ["新", "哪位"]
    assert [piece.mark for pieces in word_changes("a b", "a b") for piece in pieces] == ["", ""]


def test_the_page_shows_both_versions_as_text() -> None:
    old, new = item("a", "Who leads <b>Leeds</b>?", "Ada", LEADS), item("a", "Who runs <b>Leeds</b>?", "Ada", LEADS)
    html = BeautifulSoup(page(compared([old], [new])).html, "html.parser")
    row = html.find(attrs={"data-change": "reworded"})
    assert [mark.get_text() for mark in row.find_all("mark")] == ["leads", "runs"]
    assert not row.find("b") and "Who runs <b>Leeds</b>?" in row.get_text()


# ---- merge -----------------------------------------------------------------------------------------


def test_of_several_sets_each_question_is_kept_once_from_the_first() -> None:
    asked = "Who was the first to lead the large depot in the old harbour of Leeds?"
    one = [item("a", asked, "Ada Low", LEADS), item("b", "Who saws elm?", "Ed")]
    two = [
        replace(one[0], metadata={"category": "people"}),
        item("c", asked.replace("Leeds", "Leeds then"), "Ada Low", LEADS),
        item("d", asked.replace("Leeds", "York"), "Ada Low"),
        item("e", "Who planes ash?", "Flo"),
    ]
    made = merged(one, two)
    assert [each.id for each in made.dataset] == ["a", "b", "d", "e"], "York is another place"
    assert [(each.dropped.item.id, each.reason, each.other.item.id) for each in made.dropped] == [
        ("a", "duplicate", "a"),
        ("c", "near_duplicate", "a"),
    ]
    assert made.counts == {"A": (2, 2), "B": (4, 2)}
    assert not made.dataset["a"].metadata.get("category"), "the first set wins"


def test_conflicting_answers_are_left_out_or_those_of_the_first_set_are_kept() -> None:
    one = [item("a", "Who leads?", "Ada"), item("b", "Who saws?", "Ed")]
    two, three = [item("c", "Who leads?", "Bea")], [item("d", "who leads", "Ada")]
    made = merged(one, two, three)
    assert [each.id for each in made.dataset] == ["b"]
    assert [(each.dropped.item.id, each.reason, each.other.item.id) for each in made.dropped] == [
        ("a", "conflict", "c"),
        ("c", "conflict", "a"),
        ("d", "conflict", "c"),
    ]
    assert "conflict: Who leads?\n  A: a  Ada\n  B: c  Bea\n  C: d  Ada" in merge_text(made)
    made = merged(one, two, three, keep_first=True)
    assert [each.id for each in made.dataset] == ["a", "b"]
    assert [(each.dropped.item.id, each.reason) for each in made.dropped] == [("c", "conflict"), ("d", "duplicate")]


def test_a_question_with_passages_only_contradicts_no_answer() -> None:
    bare = replace(item("r", "Who leads?", "", LEADS), answerable=True)
    made = merged([item("a", "Who leads?", "Ada")], [bare])
    assert [each.reason for each in made.dropped] == ["duplicate"]
    none = replace(item("u", "Who leads?", ""), answerable=False)
    assert [each.reason for each in merged([item("a", "Who leads?", "Ada")], [none]).dropped] == ["conflict"] * 2


def test_what_is_wrong_within_one_set_stays() -> None:
    one = [item("a", "Who leads?", "Ada"), item("b", "Who leads?", "Bea")]
    made = merged(one, [item("c", "Who saws?", "Ed")])
    assert [each.id for each in made.dataset] == ["a", "b", "c"] and not made.dropped


def test_items_with_one_id_get_two_and_one_set_cannot_be_given_twice() -> None:
    made = merged([item("1", "Who leads?", "Ada")], [item("1", "Who saws?", "Ed")])
    assert [each.id for each in made.dataset] == ["1", "1-2"] and made.renamed == 1
    twice = NamedSet("a.jsonl", made.dataset)
    with pytest.raises(ConfigError, match=r"a\.jsonl is given twice"):
        merge([twice, twice])


# ---- origin ----------------------------------------------------------------------------------------


def test_an_origin_names_the_set_by_its_content_and_stays() -> None:
    items = [item("a", "Who leads?", "Ada"), item("b", "Who saws?", "Ed")]
    stamped = with_origin(items, "0.1.0")
    origin = {"set": set_id(items), "kgsynth": "0.1.0"}
    assert [each.metadata["origin"] for each in stamped] == [origin, origin]
    assert set_id(reversed(items)) == set_id(items) != set_id(items[:1])
    made = merged(stamped, [item("c", "Who planes?", "Flo")])
    assert [each.metadata["origin"] for each in made.dataset] == [
        *(origin, origin),
        {"set": set_id([item("c", "Who planes?", "Flo")])},
    ]
    edited = edited_item(stamped[0], Annotation("edit", question="Who is in charge?"), {})
    assert edited.id != "a" and edited.metadata["origin"] == origin


# ---- the commands ----------------------------------------------------------------------------------


@pytest.fixture
def files(tmp_path: Path) -> tuple[Path, Path]:
    one = [item("a", "Who leads?", "Ada", LEADS), item("b", "Who saws?", "Ed")]
    two = [item("a", "Who leads?", "Bea", LEADS), item("c", "Who planes?", "Flo")]
    paths = tmp_path / "one.jsonl", tmp_path / "two.jsonl"
    for path, items in zip(paths, (one, two), strict=True):
        Dataset(items).save(path)
    return paths


def run(*arguments: object) -> tuple[int, str, str]:
    done = CliRunner().invoke(main, [*map(str, arguments)])
    return done.exit_code, done.stdout, done.stderr


def test_diff_fails_only_if_asked_to(files: tuple[Path, Path], tmp_path: Path) -> None:
    one, two = files
    code, out, _ = run("diff", one, two, "-o", tmp_path / "diff", "--json")
    found = json.loads(out)
    assert code == 0 and found["counts"]["answer changed"] == 1
    assert [(each["kind"], each["parts"]) for each in found["changes"]] == [
        ("added", []),
        ("gone", []),
        ("answer changed", ["answers"]),
    ]
    assert json.loads((tmp_path / "diff" / "diff.json").read_text(encoding="utf-8")) == found
    assert (tmp_path / "diff" / "report.html").is_file() and (tmp_path / "diff" / "diff.txt").is_file()
    assert run("diff", one, two, "--fail-if", "answers")[0] == 1
    assert run("diff", one, one, "--fail-if", "any")[0] == 0


def test_diff_reads_sets_of_other_tools(files: tuple[Path, Path], tmp_path: Path) -> None:
    table = tmp_path / "table.csv"
    table.write_text("question,answer\nWho leads?,Ada\nWho saws?,Ed\n", encoding="utf-8")
    code, out, err = run("diff", files[0], table, "--json")
    assert code == 0 and "give the documents with --docs" in err
    assert json.loads(out)["counts"]["answer changed"] == json.loads(out)["counts"]["gone"] == 0


def test_merge_writes_the_set_and_what_it_left_out(files: tuple[Path, Path], tmp_path: Path) -> None:
    one, two = files
    out = tmp_path / "all.jsonl"
    assert run("merge", one, two, "-o", out)[0] == 0
    assert [each.id for each in load(out)] == ["b", "c"]
    rows = [json.loads(line) for line in (tmp_path / "all.dropped.jsonl").read_text(encoding="utf-8").splitlines()]
    assert [(row["id"], row["golden_answers"], row["dropped"]["reason"]) for row in rows] == [
        ("a", ["Ada"], "conflict"),
        ("a", ["Bea"], "conflict"),
    ]
    first = out.read_bytes()
    assert run("merge", one, two, "-o", out)[0] == 0 and out.read_bytes() == first
    assert run("merge", one, two, "-o", out, "--conflicts", "first")[0] == 0
    assert [each.golden_answers for each in load(out)] == [("Ada",), ("Ed",), ("Flo",)]


def test_merge_does_not_overwrite_a_set(files: tuple[Path, Path]) -> None:
    code, _, err = run("merge", *files, "-o", files[0])
    assert code == 2 and "would overwrite the set" in err
