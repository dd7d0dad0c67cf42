"""Exports to other tools: what they need is there, what they cannot hold is said, and it is read back."""

import csv
import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import yaml
from click.testing import CliRunner
from export_sets import AT_LEADS, AT_ROOMS, COPY, FORMULA, ITEMS, LEADS, PAGES, PRICE, ROOMS, TEXTS, read_back, span
from hypothesis import given, settings
from hypothesis import strategies as st

from kgsynth.base.choices import EXPORT_CHOICES
from kgsynth.base.errors import ConfigError, InputError
from kgsynth.base.records import Item, Span, Turn
from kgsynth.cli import main
from kgsynth.golden.dataset import Dataset, line_of, write
from kgsynth.golden.exchange import read
from kgsynth.golden.export import EXPORT_FORMATS, Exported, default_place, export
from kgsynth.golden.item_json import from_json, to_json

WHOLE = ("deepeval", "promptfoo", "langsmith", "hf", "parquet")
"""The formats that keep everything of every question."""
BY_ID = {item.id: item for item in ITEMS}
NEEDS_ARROW = {"parquet": "pyarrow"}


def made(tmp_path: Path, form: str, items: Any = ITEMS, pages: Any = PAGES, **options: Any) -> Exported:
    if form in NEEDS_ARROW:
        pytest.importorskip(NEEDS_ARROW[form])
    out = tmp_path / f"out{EXPORT_FORMATS[form].suffix}"
    return export(items, out, form, pages.values(), **options)


def lines(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def same(one: Item, other: Item) -> bool:
    return to_json(one) == to_json(other)


# ---- reading back ----------------------------------------------------------------------------------


@pytest.mark.parametrize("form", WHOLE)
@pytest.mark.parametrize("pages", [PAGES, {}], ids=["with documents", "without"])
def test_formats_with_metadata_lose_nothing(tmp_path: Path, form: str, pages: Any) -> None:
    done = made(tmp_path, form)
    assert (done.written, done.left_out, done.not_kept) == (len(ITEMS), {}, {})
    found = read_back(done.out, pages)
    assert found.findings == () and [line_of(item) for item in found.dataset] == [line_of(item) for item in ITEMS]


@pytest.mark.parametrize("form", ["csv", "xlsx"])
def test_tables_for_people_lose_what_they_say(tmp_path: Path, form: str) -> None:
    done = made(tmp_path, form)
    assert done.not_kept == {"claims": 1, "hard_negatives": 2, "derivation": 1, "metadata": len(ITEMS)}
    found = read_back(done.out)
    bare = [replace(item, claims=(), hard_negatives=(), derivation={}, metadata={}) for item in ITEMS]
    assert found.findings == () and all(map(same, found.dataset, bare))


def test_ragas_and_llamaindex_keep_question_answer_and_contexts(tmp_path: Path) -> None:
    for form in ("ragas", "llamaindex"):
        found = read_back(made(tmp_path, form).out)
        assert found.findings == () and read(tmp_path / f"out{EXPORT_FORMATS[form].suffix}").format == form
        for item, back in zip(ITEMS, found.dataset, strict=True):
            assert (back.question, back.answerable) == (item.full_question, item.answerable)
            assert back.golden_answers == item.golden_answers[:1]
            assert [group[0] for group in back.evidence] == [group[0] for group in item.evidence]
            assert form == "llamaindex" or back.question_type == item.question_type


def test_beir_restores_the_items_if_their_documents_are_given(tmp_path: Path) -> None:
    done = made(tmp_path, "beir")
    assert done.left_out == {"unanswerable, so that no passage is relevant": ("q-none",)} and done.not_kept == {}
    assert all(map(same, read_back(done.out).dataset, [item for item in ITEMS if item.answerable]))
    source = read(done.out)
    folder = tmp_path / "passages"
    assert source.write_documents(folder) == len(lines(done.out / "corpus.jsonl"))
    from kgsynth.golden.exchange.open_set import open_set

    opened = open_set(done.out)
    assert all(item.evidence and item.golden_answers for item in opened.dataset) and opened.notes == ()


def test_trec_keeps_questions_and_relevant_passages(tmp_path: Path) -> None:
    done = made(tmp_path, "trec")
    assert done.not_kept["answers"] == done.written == len(ITEMS) - 1
    found = read_back(done.out)
    assert [item.question for item in found.dataset] == [
        " ".join(item.full_question.split()) for item in ITEMS if item.answerable
    ]
    by_id = {item.metadata["original_id"]: item for item in found.dataset}
    text = " ".join(each.text for group in by_id["q-hops"].evidence for each in group)
    assert LEADS in text and ROOMS in text


def test_squad_keeps_answers_at_their_places(tmp_path: Path) -> None:
    done = made(tmp_path, "squad")
    assert done.left_out == {
        "with evidence in several documents": ("q-hops", "q-long"),
        "whose answer is not in the evidence word for word": ("q-list",),
    }
    found = {item.metadata["original_id"]: item for item in read_back(done.out).dataset}
    assert found["q-plain"].golden_answers == ("Ada Low", "Low")
    assert [each.text for each in found["q-plain"].evidence[0]] == ["Ada Low", "Low"]
    assert [each.text for each in found["q-zh"].evidence[0]] == ["300元"]
    assert not found["q-none"].answerable and ROOMS in found["q-none"].hard_negatives[0].text
    assert found["q-turn"].question == BY_ID["q-turn"].standalone


TEXT = st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=12).filter(lambda text: text.strip())
ANSWERS = st.lists(TEXT.filter(lambda text: not text.startswith("re:")), min_size=1, max_size=3, unique=True)


@pytest.mark.parametrize("form", ["deepeval", "promptfoo", "langsmith", "hf", "csv", "xlsx", "beir"])
@settings(max_examples=25, deadline=None)
@given(question=TEXT, answers=ANSWERS, turns=st.lists(st.tuples(TEXT, TEXT), max_size=2), evidence=TEXT)
def test_any_text_is_read_back(
    tmp_path_factory: pytest.TempPathFactory,
    form: str,
    question: str,
    answers: list[str],
    turns: list[tuple[str, str]],
    evidence: str,
) -> None:
    groups = ((Span("a.md", 0, len(evidence), evidence),), (AT_ROOMS, AT_LEADS))
    history = tuple(Turn(*turn) for turn in turns)
    item = Item("q-1", question, tuple(answers), "simple", "", "en", groups, history=history)
    item = replace(item, standalone="What then?") if turns else item
    done = made(tmp_path_factory.mktemp("any"), form, [item], {})
    (back,) = read(done.out).locate({"a.md": PAGES["sites.md"]}).dataset
    bare = replace(back, metadata={}) if form in ("csv", "xlsx") else back
    assert to_json(bare) == to_json(item)


def test_halves_of_characters_are_replaced(tmp_path: Path) -> None:
    item = replace(ITEMS[0], question="Who \ud83d?", golden_answers=("Ada\udc00",), metadata={"\ud83d": "\ud83d"})
    for form in EXPORT_FORMATS:
        if form not in (*NEEDS_ARROW, "squad"):
            done = made(tmp_path / form, form, [item, ITEMS[2]])
            contents = [path.read_bytes() for path in done.files]
            assert all(content.decode("utf-8", "strict") for content in contents if form != "xlsx")
            assert all(b"\\ud83d" not in content.lower() for content in contents)
            assert next(iter(read_back(done.out).dataset)).question == "Who \ufffd?"


def test_what_was_changed_in_the_other_tool_counts(tmp_path: Path) -> None:
    done = made(tmp_path, "deepeval")
    goldens = json.loads(done.out.read_text(encoding="utf-8"))
    goldens[0]["input"] = "Who is at the head of Borealis?"
    goldens[1]["expected_output"] = "9"
    goldens[2]["context"] = [ROOMS]
    done.out.write_text(json.dumps(goldens), encoding="utf-8")
    first, second, third, *others = read_back(done.out).dataset
    assert first == replace(BY_ID["q-plain"], question="Who is at the head of Borealis?", metadata=first.metadata)
    assert (second.golden_answers, second.id) == (("9",), "q-hops")
    assert (third.evidence, third.golden_answers) == (((AT_ROOMS,),), ("300元",)), "found by its text"
    assert all(map(same, others, ITEMS[3:]))
