"""The golden set: what is read, checked, sampled, counted and written."""

import json
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kgsynth.base.errors import ConfigError, InputError
from kgsynth.base.records import Claim, Document, Heading, Item, PlacedText, Rejection, SourcePlace, Span, Turn
from kgsynth.base.shares import apportion
from kgsynth.golden.dataset import Dataset, load, write, write_rejected
from kgsynth.golden.item_json import from_json, to_json

LINE = (
    '{"id":"q-1","question":"谁 leads?","golden_answers":["Ada","Ada Low"],"question_type":"simple",'
    '"subtype":"factoid",'
    '"difficulty":"hard","language":"en","answerable":true,"evidence":[[{"doc":"a.md","start":0,"end":3,"text":"Ada"}]],'
    '"hard_negatives":[{"doc":"b.md","start":1,"end":2,"text":"x"}],"derivation":{"operator":"lookup","steps":[]},'
    '"metadata":{"difficulty":"hard","category":"people","source":"kgsynth","writer":"rules","persona":null,"style":null,'
    '"keywords":["lead"],"scores":{"quality":0.5},"signature":"s","note":"mine"}}\n'
)
HUMAN = '{"id": "h-1", "question": "Who?", "golden_answers": ["Ada"], "metadata": {"source": "human"}}'

WITH = '{"id": "q", "question": "Q?", "golden_answers": ["A"], %s}'


def item(name: str = "q-1", kind: str = "simple", **fields: Any) -> Item:
    return Item(name, f"{name}?", ("Ada",), kind, "factoid", "en", ((Span("a.md", 0, 3, "Ada"),),), **fields)


def file(folder: Path, text: str) -> Path:
    path = folder / "golden.jsonl"
    path.write_text(text, encoding="utf-8")
    return path


def test_a_line_is_written_as_it_was_read(tmp_path: Path) -> None:
    path = file(tmp_path, LINE)
    load(path).save(tmp_path / "again.jsonl")
    assert (tmp_path / "again.jsonl").read_bytes() == path.read_bytes() == LINE.encode()


def test_claims_and_earlier_turns_follow_the_evidence() -> None:
    talk = item(
        answer_kind="composed",
        claims=(Claim("Ada leads.", (0,)),),
        history=(Turn("Who led before?", "Bea"),),
        standalone="Who leads?",
    )
    written = to_json(talk)
    assert list(written)[8:14] == ["evidence", "answer_kind", "claims", "history", "standalone", "hard_negatives"]
    assert written["claims"] == [{"text": "Ada leads.", "groups": [0]}]
    assert replace(from_json(written), metadata={}) == talk
    assert not {"claims", "history", "standalone"} & to_json(item()).keys()


def test_missing_metadata_is_written_with_its_default() -> None:
    found = to_json(item(difficulty="easy", metadata={"extra": 1, "writer": "llm"}))["metadata"]
    assert list(found) == "difficulty category source writer persona style keywords scores signature extra".split()
    assert (found["difficulty"], found["writer"], found["keywords"], found["scores"]) == ("easy", "llm", [], {})


def test_both_difficulties_of_an_item_are_written_the_same() -> None:
    assert (
        to_json(replace(item(), difficulty="hard", metadata={"difficulty": "easy"}))["metadata"]["difficulty"] == "hard"
    )


@pytest.mark.parametrize(
    ("place", "written"),
    [
        (SourcePlace(page=3, bbox=(72.0, 90.5, 300.0, 101.25)), {"page": 3, "bbox": [72.0, 90.5, 300.0, 101.25]}),
        (SourcePlace(sheet="Plans", cell="C7"), {"sheet": "Plans", "cell": "C7"}),
        (SourcePlace(slide=4), {"slide": 4}),
        (None, {}),
    ],
)
def test_a_span_says_where_it_stands_in_a_file_that_is_not_text(
    place: SourcePlace | None, written: dict[str, Any]
) -> None:
    item = Item("q-1", "How big?", ("2 GB",), "simple", "cell", "en", ((Span("a.pdf", 4, 8, "2 GB", place),),))
    line = json.loads(json.dumps(to_json(item)))
    assert line["evidence"] == [[{"doc": "a.pdf", "start": 4, "end": 8, "text": "2 GB"} | written]]
    assert from_json(line).evidence[0][0].place == place


def test_a_place_of_another_form_is_refused() -> None:
    span = {"doc": "a.pdf", "start": 0, "end": 1, "text": "a", "page": "three"}
    with pytest.raises(InputError, match=re.escape("the place of a span of 'evidence' is {'page': 'three'}")):
        from_json({"id": "q-1", "question": "Who?", "golden_answers": ["a"], "evidence": [[span]]})


def test_a_span_over_several_cells_names_the_first_and_the_last_of_its_sheet() -> None:
    cells = [("Plans", "A2"), ("Plans", "B2"), ("Prices", "A1")]
    places = tuple(
        PlacedText(n * 3, n * 3 + 2, SourcePlace(sheet=sheet, cell=cell)) for n, (sheet, cell) in enumerate(cells)
    )
    document = Document("p.xlsx", "aa bb cc", "", "xlsx", "", (), (), places=places)
    assert document.span(0, 2).place == SourcePlace(sheet="Plans", cell="A2")
    assert document.span(1, 8).place == SourcePlace(sheet="Plans", cell="A2:B2")
    assert document.span(2, 3).place is None  # the blank between two cells


def test_items_with_required_keys_only_get_defaults(tmp_path: Path) -> None:
    unanswerable = '{"id": "h-2", "question": "谁？", "golden_answers": [], "question_type": null}'
    first, second = load(file(tmp_path, f"\ufeff{HUMAN}\n\n{unanswerable}"))
    assert (first.question_type, first.difficulty, first.language, first.answerable) == (
        "unknown",
        "medium",
        "en",
        True,
    )
    assert first.metadata == {"source": "human"} and first.evidence == () and first.derivation == {}
    assert (second.question_type, second.language, second.answerable) == ("unanswerable", "zh", False)


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("{", "line 2: not JSON"),
        (WITH % '"evidence": [[]]', "line 2: 'evidence' has an empty group"),
        (WITH % '"metadata": {"keywords": ["a", 5]}', "line 2: 'metadata.keywords' is "),
        (
            WITH % '"metadata": {"scores": {"rank": [1]}}',
            "line 2: 'metadata.scores' is {'rank': [1]} and must be an obj",
        ),
        (WITH % '"metadata": {"scores": [1]}', "line 2: 'metadata.scores' is [1] and must be an object of numbers"),
        (WITH % '"metadata": {"difficulty": ["hard"]}', "line 2: 'metadata.difficulty' is "),
        (WITH % '"metadata": {"review": 5}', "line 2: 'metadata.review' is 5 and must be an object"),
        (WITH % '"metadata": {"review": {"was": "it"}}', "line 2: 'metadata.review' is {'was': 'it'} and must be an"),
        (WITH % '"metadata": {"review": {"decisions": ["accept"]}}', "line 2: 'metadata.review' is {'decisions': "),
        ("[]", "line 2: '[]' is not an object"),
        ('{"id": "q", "question": "Q?"}', "line 2: the key 'golden_answers' is missing"),
        ('{"id": 7, "question": "Q?", "golden_answers": []}', "'id' is '7' and must be text"),
        ('{"id": null, "question": "Q?", "golden_answers": []}', "'id' is 'None' and must be text"),
        ('{"id": "q", "question": "Q?", "golden_answers": "Ada"}', "'golden_answers' is 'Ada' and must be a list"),
        ('{"id": "q", "question": "Q?", "golden_answers": [1]}', "must be a list of texts"),
        ('{"id": "q", "question": "Q?", "golden_answers": [], "answerable": 1}', "must be true or false"),
        ('{"id": "q", "question": "Q?", "golden_answers": [], "evidence": [{}]}', "each a list of spans"),
        (
            '{"id": "q", "question": "Q?", "golden_answers": [], "evidence": [[{"doc": "a"}]]}',
            "must have doc, start, end",
        ),
        (
            '{"id": "q", "question": "Q?", "golden_answers": [], "hard_negatives": '
            '[{"doc": "a", "start": true, "end": 1, "text": "x"}]}',
            "a span of 'hard_negatives'",
        ),
        (HUMAN, "the id 'h-1' is also on line 1"),
        (WITH % '"claims": [{"text": "It is Ada."}]', "must have a text and a list of groups"),
        (WITH % '"claims": [{"text": "It is Ada.", "groups": [0]}]', "are [0], but the item has 0 evidence groups"),
        (WITH % '"history": [{"question": "Who?"}]', "must have a question and an answer"),
        (WITH % '"standalone": 3', "'standalone' is '3' and must be text"),
    ],
)
def test_an_invalid_line_is_named(tmp_path: Path, line: str, reason: str) -> None:
    path = file(tmp_path, f"{HUMAN}\n{line}\n")
    with pytest.raises(InputError, match=re.escape(reason)) as caught:
        load(path)
    assert str(caught.value).startswith(f"{path}, line 2: ")


def test_a_file_that_cannot_be_read_is_named(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"none\.jsonl cannot be read \(No such file"):
        load(tmp_path / "none.jsonl")
    (tmp_path / "latin.jsonl").write_bytes(b'{"id": "caf\xe9"}')
    with pytest.raises(InputError, match="is not UTF-8"):
        load(tmp_path / "latin.jsonl")
    file(tmp_path, HUMAN)
    assert len(load(tmp_path)) == 1, "a run folder means its golden.jsonl"


def test_lines_end_at_line_feeds_only(tmp_path: Path) -> None:
    write([replace(item(), question="A\u2028B\x85C")], tmp_path / "g.jsonl")
    assert load(tmp_path / "g.jsonl")["q-1"].question == "A\u2028B\x85C"
    assert (tmp_path / "g.jsonl").read_bytes().count(b"\n") == 1


def test_a_write_that_fails_keeps_the_old_file(tmp_path: Path) -> None:
    path = file(tmp_path, LINE)
    with pytest.raises(ValueError, match="not JSON compliant"):
        write([item(), item("q-2", metadata={"scores": {"quality": float("nan")}})], path)
    assert path.read_text(encoding="utf-8") == LINE
    assert [entry.name for entry in tmp_path.iterdir()] == ["golden.jsonl"]


def test_a_rejected_candidate_has_its_rejection(tmp_path: Path) -> None:
    write_rejected([(item(), Rejection("leaking", "holds ada", 0.9, 0.5))], tmp_path / "rejected.jsonl")
    found = json.loads((tmp_path / "rejected.jsonl").read_text(encoding="utf-8"))
    assert list(found)[-1] == "rejected"
    assert found.pop("rejected") == {"rule": "leaking", "score": 0.9, "threshold": 0.5, "detail": "holds ada"}
    assert from_json(found).id == "q-1"


def test_items_are_accessed_by_index_slice_and_id() -> None:
    dataset = Dataset([item("a"), item("b"), item("c")])
    assert (dataset[0].id, dataset[-1].id, dataset["b"].id, len(dataset)) == ("a", "c", "b", 3)
    assert dataset[1:].questions == ["b?", "c?"] and "b" in dataset and "z" not in dataset
    assert dataset.golden_answers == [("Ada",)] * 3
    with pytest.raises(InputError, match="two items have the id 'a'"):
        Dataset([item("a"), item("a")])


def test_a_sample_has_the_proportions_of_the_set() -> None:
    dataset = Dataset([item(f"s{n:02}") for n in range(60)] + [item(f"r{n:02}", "reasoning") for n in range(40)])
    drawn = dataset.sample(10, seed=3)
    assert drawn.stats()["question_type"] == {"reasoning": 4, "simple": 6}
    assert [each.id for each in drawn] == [each.id for each in dataset if each.id in drawn], "in the order of the set"
    assert drawn.questions == dataset.sample(10, seed=3).questions != dataset.sample(10, seed=4).questions
    assert len(dataset.sample(100)) == 100
    with pytest.raises(ConfigError, match="cannot sample 101 of 100"):
        dataset.sample(101)


def test_a_sample_by_metadata() -> None:
    items = [item(f"i{n}", metadata={"category": "ab"[n % 2]}) for n in range(8)]
    assert Dataset(items).sample(4, by="category").stats()["category"] == {"a": 2, "b": 2}


def test_stats_are_counts() -> None:
    other = replace(item("u", "unanswerable"), answerable=False, golden_answers=(), evidence=())
    stats = Dataset([item("a"), item("b"), other]).stats()
    assert (stats["items"], stats["answerable"], stats["documents"]) == (3, 2, 1)
    assert stats["groups_per_item"] == {0: 1, 1: 2}
    assert stats["question_type"] == {"simple": 2, "unanswerable": 1}


@given(st.integers(0, 500), st.dictionaries(st.text(max_size=3), st.floats(0.01, 10), min_size=1, max_size=6))
def test_apportion_uses_all_and_is_off_by_less_than_one(n: int, weights: dict[str, float]) -> None:
    shares = apportion(n, weights)
    assert sum(shares.values()) == n
    for name, share in shares.items():
        assert abs(share - n * weights[name] / sum(weights.values())) < 1 + 1e-6


def test_apportion_with_ties_and_without_weights() -> None:
    assert apportion(1, {"b": 1, "a": 1}) == {"b": 0, "a": 1}
    assert apportion(7, {"a": 0.4, "b": 0.2, "c": 0.25, "d": 0.15}) == {"a": 3, "b": 1, "c": 2, "d": 1}
    assert apportion(3, {}) == {} and apportion(3, {"a": 0.0}) == {"a": 0}


TEXT = st.text(max_size=8)
SPANS = st.builds(Span, TEXT, st.integers(0, 9), st.integers(0, 9), TEXT)


@given(
    st.builds(
        Item,
        id=TEXT,
        question=TEXT,
        golden_answers=st.lists(TEXT, max_size=3).map(tuple),
        question_type=TEXT,
        subtype=TEXT,
        language=TEXT,
        evidence=st.lists(st.lists(SPANS, min_size=1, max_size=2).map(tuple), max_size=3).map(tuple),
        hard_negatives=st.lists(SPANS, max_size=2).map(tuple),
        difficulty=st.sampled_from(["easy", "hard"]),
        answerable=st.booleans(),
    )
)
def test_any_item_can_be_written_and_read_as_json(original: Item) -> None:
    again = from_json(json.loads(json.dumps(to_json(original))))
    assert replace(again, metadata={}) == original
    assert to_json(again) == to_json(original)


def test_a_span_keeps_its_heading_and_a_heading_must_be_one() -> None:
    headed = Span("a.md", 9, 13, "100%", heading=Heading(2, 8, "Dental"))
    item = Item("q-1", "How much?", ("100%",), "simple", "factoid", "en", ((headed,),))
    written = to_json(item)["evidence"][0][0]
    assert written == {
        "doc": "a.md", "start": 9, "end": 13, "text": "100%", "heading": {"start": 2, "end": 8, "text": "Dental"},
    }  # fmt: skip
    assert from_json(to_json(item)).evidence == item.evidence
    with pytest.raises(InputError, match="the heading of a span of 'evidence' is Dental and must have start, end"):
        from_json({**to_json(item), "evidence": [[{**written, "heading": "Dental"}]]})
