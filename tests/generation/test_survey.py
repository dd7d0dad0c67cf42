"""Which documents are drawn, and what is found in those that were not."""

from __future__ import annotations

import json
import math
import random
import re
from collections.abc import Callable, Container, Sequence
from itertools import islice, pairwise
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kgsynth.base.config import Config
from kgsynth.base.progress import silent
from kgsynth.base.records import Document, Item, Span
from kgsynth.base.thresholds import LIMITS
from kgsynth.documents import read_folder
from kgsynth.evidence.knowledge import Knowledge
from kgsynth.evidence.passage_index import LikePassage, PassageIndex
from kgsynth.generation import survey
from kgsynth.generation.corpus import Corpus, encode
from kgsynth.generation.filters.context import FilterContext
from kgsynth.generation.flow import generate
from kgsynth.generation.renewal.preview import preview
from kgsynth.generation.run import Run
from kgsynth.generation.selection import Shortage
from kgsynth.generation.survey import Draw, Survey, draws

Move = Callable[[str, float], None]


def pages(lengths: Sequence[int], name: str = "page") -> list[Document]:
    return [Document(f"{name}{n}.md", "word " * size, "", "md", "", (), ()) for n, size in enumerate(lengths)]


def names(drawn: Draw) -> set[str]:
    return {document.id for document in drawn.documents}


@given(st.lists(st.integers(1, 9000), min_size=40, max_size=90), st.integers(0, 99))
def test_each_draw_has_the_documents_of_the_one_before_and_the_last_has_all(lengths: list[int], seed: int) -> None:
    documents = pages(lengths)
    found = list(draws(documents, Config(n=20, seed=seed)))
    for before, after in pairwise(found):
        assert names(before) < names(after)
        assert names(before) | {each.id for each in before.others} == {each.id for each in documents}
    assert names(found[-1]) == {each.id for each in documents}
    assert not found[-1].others


def test_documents_that_are_added_do_not_change_which_of_the_others_are_drawn() -> None:
    old, new = pages([1000] * 1000), pages([1000] * 100, "new")
    before, after = (next(draws(documents, Config(n=60))) for documents in (old, [*old, *new]))
    assert before.scale == after.scale
    assert names(before) == {name for name in names(after) if not name.startswith("new")}
    assert 0 < len(names(after)) - len(names(before)) < 15  # of 100 pages one in 16 is drawn


def test_a_renewed_run_keeps_its_documents_however_many_pages_are_added() -> None:
    """A fresh draw has half as many documents where the scale doubles, all of them drawn before; a renewal has all."""
    scales = []
    for number in range(600, 1000, 100):
        old, every = pages([900] * number), pages([900] * (number + 100))
        before = next(draws(old, Config(n=60)))
        fresh, renewed = (next(draws(every, Config(n=60), scale=scale)) for scale in (math.inf, before.scale))
        added = {each.id for each in every[number:]}
        assert names(before) == names(renewed) - added
        assert names(fresh) - added <= names(before)
        scales.append((before.scale, fresh.scale))
    assert any(before < fresh for before, fresh in scales), "the case where the scale doubles is among them"


def test_a_larger_set_and_a_resumed_run_draw_the_same_documents_and_more() -> None:
    documents = pages([500, 4000] * 300)
    small, large = (next(draws(documents, Config(n=n))) for n in (60, 200))
    assert names(small) < names(large)
    resumed = next(draws(documents, Config(n=60), scale=large.scale))
    assert (names(resumed), resumed.scale) == (names(large), large.scale)
    assert next(draws(documents, Config(n=60, seed=1))).documents != small.documents


def test_kept_documents_are_drawn_and_a_topic_leaves_out_what_does_not_name_it() -> None:
    documents = pages([1000] * 300)
    kept = {f"page{n}.md" for n in range(9)}
    assert kept <= names(next(draws(documents, Config(n=20), kept)))
    topical = Document("t.md", "About storks. " + "word " * 30, "", "md", "", (), ())
    on_topic = next(draws([*documents, topical], Config(n=20, topic="the stork")))
    assert names(on_topic) == {"t.md"}


def test_few_documents_are_all_taken() -> None:
    few = pages([1000] * 60)
    assert [len(each.documents) for each in draws(few, Config(n=20))] == [60]


def test_the_chances_estimate_a_total_over_all_documents() -> None:
    """Horvitz and Thompson: the sum of value / chance over the drawn is unbiased, and its variance is known."""
    rng = random.Random(7)
    documents = pages([rng.randint(50, 6000) for _ in range(200)])
    value = {each.id: rng.random() for each in documents}
    truth, estimates, variance = sum(value.values()), [], 0.0
    for seed in range(300):
        drawn = next(islice(draws(documents, Config(n=20, seed=seed)), 1, None))
        estimates.append(sum(value[name] / drawn.chances[name] for name in names(drawn)))
        variance = sum(value[name] ** 2 * (1 / chance - 1) for name, chance in drawn.chances.items())
    assert math.isclose(sum(estimates) / 300, truth, abs_tol=4 * math.sqrt(variance / 300))
    within = sum(abs(each - truth) < 1.96 * math.sqrt(variance) for each in estimates) / 300
    assert 0.91 <= within <= 0.99


BIRDS = "Albatross Bittern Curlew Dunlin Egret Fieldfare Gannet Heron Ibis Jackdaw Kestrel Lapwing".split()


@pytest.fixture
def folder(tmp_path: Path, move: Move) -> Path:
    """Twelve pages of which about half are drawn, each with a figure that nothing else has."""
    move("least_words", 90)
    move("words_per_question", 1)
    move("words_per_question_of_a_type", 1)
    move("most_words_per_question", 1)
    move("drawn_documents", 4)
    docs = tmp_path / "docs"
    docs.mkdir()
    for number, bird in enumerate(BIRDS):
        (docs / f"{bird.lower()}.md").write_text(page(bird, 410 + 7 * number), encoding="utf-8")
    return docs


def page(bird: str, weight: int) -> str:
    return (
        f"# {bird} 4 scale\n\nThe {bird} 4 is a scale for parcels.\n\n"
        f"The {bird} 4 weighs {weight} grams. Its housing consists of aluminium.\n"
    )


def run(docs: Path, out: Path) -> tuple[dict[str, dict[str, object]], dict[str, str], set[str]]:
    """Return the items by question, the details of rejections, and the drawn documents."""
    made = generate(docs, out, config=Config(n=40, min_keep=0.0, processes=1))
    items = {item["question"]: item for item in map(json.loads, (out / "golden.jsonl").read_text().splitlines())}
    rejected = {item.question: rejection.detail for item, rejection in made.rejected}
    return items, rejected, set(json.loads((out / "drawn.json").read_text())["documents"])


@pytest.mark.usefixtures("hashed")
def test_what_other_documents_say_rejects_a_question_or_becomes_its_evidence(folder: Path, tmp_path: Path) -> None:
    items, _, drawn = run(folder, tmp_path / "out")
    assert 0 < len(drawn) < len(BIRDS)
    weights = [question for question in items if "weigh" in question and items[question]["question_type"] == "simple"]
    assert len(weights) >= 2, items.keys()
    asked = [next(bird for bird in BIRDS if bird in question) for question in weights]
    number = 410 + 7 * BIRDS.index(asked[1])
    planted = {
        "zebra.md": f"# Freight\n\nThe {asked[0]} 4 weighs 999 grams.\n",
        "zone.md": f"# Freight\n\nThe {asked[1]} 4 weighs {number} grams.\n",
        "zealot.md": f"# Freight\n\nWho lifts the {asked[1]} 4 asks how much it will weigh before a journey.\n",
    }
    for name, text in planted.items():
        (folder / name).write_text(text, encoding="utf-8")
    after, rejected, drawn_now = run(folder, tmp_path / "other")
    assert drawn_now == drawn
    assert weights[0] not in after
    assert "zebra.md" in rejected[weights[0]] and "999 grams" in rejected[weights[0]]
    group = after[weights[1]]["evidence"][0]  # type: ignore[index]
    assert "zone.md" in {span["doc"] for span in group}
    hard = [span["doc"] for question, item in after.items() if asked[1] in question for span in item["hard_negatives"]]  # type: ignore[attr-defined]
    assert "zealot.md" in hard, after[weights[1]]
    chances = [item["metadata"]["scores"]["drawn"] for item in after.values()]  # type: ignore[index]
    assert all(0 < chance < 1 for chance in chances)


@pytest.mark.usefixtures("hashed")
def test_rivals_and_copies_are_found_by_the_words_of_the_evidence(folder: Path, tmp_path: Path) -> None:
    """A definition has one word to search for, which many short notes have; a parser sees no fact in the rival."""
    items, _, _ = run(folder, tmp_path / "out")
    asked = [question for question in items if re.fullmatch(r"What is the \w+ 4\?", question)]
    assert len(asked) >= 2, items.keys()
    birds = [next(bird for bird in BIRDS if bird in question) for question in asked[:2]]
    for number, bird in enumerate(birds * 8):
        (folder / f"yard{number}.md").write_text(f"# Yard {number}\n\nSee {bird} 4.\n", encoding="utf-8")
    sentence = "The {} 4 is {}.\n"
    (folder / "zebra.md").write_text(
        "# Freight\n\n" + sentence.format(birds[0], "because trade grew"), encoding="utf-8"
    )
    (folder / "zone.md").write_text(
        "# Freight\n\n" + sentence.format(birds[1], "a scale for parcels"), encoding="utf-8"
    )
    after, rejected, drawn = run(folder, tmp_path / "other")
    assert not drawn & {"zebra.md", "zone.md"}
    assert rejected[asked[0]].endswith("but zebra.md says 'because trade grew'")
    assert "zone.md" in {span["doc"] for span in after[asked[1]]["evidence"][0]}  # type: ignore[index]


def test_the_chance_of_an_unanswerable_question_is_that_of_the_document_it_was_written_from(
    move: Move, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("kgsynth.generation.selection.choose", lambda items, *_: (items, Shortage(1, ())))
    move("passages_compared", 0)
    written_from = Span("page.md", 0, 4, "word")
    item = Item("q-1", "Who?", (), "unanswerable", "", "en", (), hard_negatives=(written_from,), answerable=False)
    drawn = Draw((), {"page.md": 0.25}, pages([9]))
    context = cast(FilterContext, SimpleNamespace(thresholds={"absent": 0.5}))
    knowledge = cast(Knowledge, SimpleNamespace(beside=lambda others, analyses: None, documents={}))
    folder = cast(Run, SimpleNamespace(config=Config(n=1), stage=silent))
    survey_of = Survey(drawn, cast(Corpus, SimpleNamespace(analyses=())), knowledge, folder, lambda: PassageIndex(()))
    (checked,), _, _ = survey_of.choose([item], context)
    assert checked.scores["drawn"] == 0.25


@pytest.mark.usefixtures("hashed")
def test_other_documents_are_searched_only_when_no_more_are_drawn(
    folder: Path, tmp_path: Path, move: Move, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Sixty questions are never found; the second draw has words enough for it."""
    documents = [found for found in read_folder(folder) if isinstance(found, Document)]
    first, second = islice(draws(documents, Config(n=60)), 2)
    move("most_words_per_question", second.words / 60)
    indexed, searched = [], set()

    class Counted(PassageIndex):
        def __init__(self, documents: Sequence[Document], **settings: Any) -> None:
            indexed.append(len(documents))
            super().__init__(documents, **settings)

        def like(self, question: str, code: str, without: Container[str] = ()) -> list[LikePassage]:
            found = super().like(question, code, without)
            assert not [each.document.id for each in found if each.document.id in without]
            searched.add(frozenset(without))  # type: ignore[arg-type]
            return found

    monkeypatch.setattr(survey, "PassageIndex", Counted)
    made = generate(folder, tmp_path / "out", config=Config(n=60, min_keep=0.0, processes=1))
    assert names(first) < names(second) == set(made.drawn) and second.others
    assert indexed == [len(BIRDS)] and searched == {frozenset(made.drawn)}


@pytest.mark.usefixtures("hashed")
def test_of_drawn_documents_only_the_chunks_near_a_question_are_embedded(
    folder: Path, tmp_path: Path, move: Move, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each page has a section that no question is asked about, and shares only "the" and "of" with the others."""
    move("near_chunks", 1)
    for number, bird in enumerate(BIRDS):
        with (folder / f"{bird.lower()}.md").open("a", encoding="utf-8") as file:
            file.write(f"\n## Rhyme {number}\n\n" + "Hush, the moon of June, so soon. " * 20 + "\n")
    embedded: set[str] = set()

    def noted(texts: Sequence[str], run: Run) -> Any:
        embedded.update(texts)
        return encode(texts, run)

    monkeypatch.setattr("kgsynth.generation.filters.context.encode", noted)
    items, _, drawn = run(folder, tmp_path / "out")
    weights = [question for question in items if "weigh" in question]
    assert weights and not (tmp_path / "out" / "embeddings.npy").exists()
    chunks = list(map(json.loads, (tmp_path / "out" / "chunks.jsonl").read_text().splitlines()))
    told = {chunk["doc"] for chunk in chunks if any(chunk["text"] in text for text in embedded)}
    rhymes = [chunk for chunk in chunks if "Hush" in chunk["text"]]
    assert len(rhymes) == len(drawn) == len(told)
    assert not [chunk for chunk in rhymes if any(chunk["text"] in text for text in embedded)]
    ranks = [items[question]["metadata"]["scores"]["rank"] for question in weights]  # type: ignore[index]
    assert set(ranks) == {1.0}


@pytest.mark.usefixtures("hashed")
def test_a_finished_run_and_one_with_more_questions_use_what_was_parsed(folder: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    run(folder, out)
    before = (out / "golden.jsonl").read_bytes()
    changed = (out / "analysis.jsonl").stat().st_mtime_ns
    config = Config(n=40, min_keep=0.0, processes=1)
    assert not preview(folder, out, config).changes
    (folder / "zephyr.md").write_text("# Winds\n\nA zephyr is a wind.\n", encoding="utf-8")
    assert preview(folder, out, config).changes
    (folder / "zephyr.md").unlink()
    run(folder, out)
    assert (out / "golden.jsonl").read_bytes() == before
    assert (out / "analysis.jsonl").stat().st_mtime_ns == changed
    generate(folder, out, config=Config(n=400, min_keep=0.0, processes=1))
    assert (out / "golden.jsonl").read_bytes().startswith(before[: before.index(b"\n")])
    fresh = tmp_path / "fresh"
    generate(folder, fresh, config=Config(n=400, min_keep=0.0, processes=1))
    assert not (fresh / "drawn.json").exists() and not (out / "drawn.json").exists()
    assert (fresh / "analysis.jsonl").read_bytes() == (out / "analysis.jsonl").read_bytes()
    assert LIMITS.least_words == 90
