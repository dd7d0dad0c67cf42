"""A reranker behind a system: an order or scores, both rankings kept, and errors."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from kgsynth.base.errors import ConfigError
from kgsynth.base.records import Answer, Item, Passage
from kgsynth.documents.assembly import assemble
from kgsynth.documents.readers.markdown import read
from kgsynth.scoring.flow import score
from kgsynth.scoring.systems import open_system
from kgsynth.scoring.systems.reply_reader import from_json, to_json
from kgsynth.scoring.systems.reranker import RerankedSystem, reordered

A, B, C = (Passage(text=name, score=value) for name, value in (("a", 3.0), ("b", 2.0), ("c", 1.0)))
ITEM = Item("q", "Which?", ("c",), "simple", "factoid", "en", ())


class Retriever:
    """A system that returns a, b, c, or fails."""

    name, signature = "abc", "abc|1"

    def __init__(self, error: str | None = None) -> None:
        self.error, self.closed = error, False

    def ask(self, item: Item) -> Answer:
        return Answer(item.id, None, () if self.error else (A, B, C), 0.5, self.error)

    def close(self) -> None:
        self.closed = True


def texts(passages: tuple[Passage, ...]) -> str:
    return "".join(str(passage.text) for passage in passages)


@pytest.mark.parametrize(
    ("returned", "order"),
    [
        ([C, A, B], "cab"),
        ([C], "c"),
        ([], ""),
        ([0.1, 0.9, 0.1], "bac"),  # equal scores keep their order
        ((1, 2, 3), "cba"),
        (np.array([0.5, 0.1, 0.9], dtype=np.float32), "cab"),
    ],
)
def test_a_reranker_may_return_an_order_or_scores(returned: object, order: str) -> None:
    assert texts(reordered([A, B, C], returned)) == order


def test_scores_replace_those_of_the_retriever_and_an_order_keeps_them() -> None:
    assert [passage.score for passage in reordered([A, B, C], [0.5, 0.1, 0.9])] == [0.9, 0.5, 0.1]
    assert [passage.score for passage in reordered([A, B, C], [C, B, A])] == [1.0, 2.0, 3.0]


@pytest.mark.parametrize(
    ("returned", "reason"),
    [
        (None, "it returned a NoneType, neither passages nor a list of scores"),
        ("cba", "it returned a str, neither"),
        ([1.0, 2.0], "it returned 2 values for 3 passages: return one score for each"),
        (["c", "b", "a"], "it returned 3 values for 3 passages: return one score for each"),
        ([1.0, float("nan"), 2.0], "the score of a passage is nan, not a finite number"),
        ([A, A, B], "text='a'.* more often than it was given it"),
        ([Passage(text="z")], "text='z'.* more often than it was given it"),
    ],
)
def test_another_return_value_is_an_error(returned: object, reason: str) -> None:
    with pytest.raises(ValueError, match=reason):
        reordered([A, B, C], returned)


def test_both_rankings_are_kept_and_saved() -> None:
    answer = RerankedSystem(Retriever(), lambda question, passages: passages[::-1], "flip", b"").ask(ITEM)
    assert (texts(answer.retrieved), texts(answer.before)) == ("cba", "abc")
    assert answer.latency_s is not None and answer.latency_s >= 0.5
    assert from_json(to_json(answer)) == answer
    assert "before" not in to_json(Retriever().ask(ITEM))


def test_what_the_system_says_of_itself_holds_behind_a_reranker_too_but_it_is_asked_one_by_one() -> None:
    inner = Retriever()
    inner.notes, inner.takes_history, inner.at_once = ("it was started again",), False, 8  # type: ignore[attr-defined]
    system = RerankedSystem(inner, lambda question, passages: passages, "same", b"")
    assert (system.notes, system.takes_history, system.at_once) == (("it was started again",), False, 1)
    assert not hasattr(system, "match_questions"), "nor has the system"


def test_a_failing_async_reranker_and_a_failing_system() -> None:
    async def rerank(question: str, passages: list[Passage]) -> list[Passage]:
        raise RuntimeError(f"{question} {len(passages)}")

    inner = Retriever()
    system = RerankedSystem(inner, rerank, "bad", b"")
    assert system.ask(ITEM).error == "reranker: RuntimeError: Which? 3"
    system.close()
    assert inner.closed
    assert RerankedSystem(Retriever("timeout: late"), rerank, "bad", b"").ask(ITEM).error == "timeout: late"


DOCS = tuple(
    assemble(read(text), id=f"{n}.md", format="md", sha256=str(n))
    for n, text in enumerate(["The kiln burns wood. Wood burns.", "The kiln holds ninety plates."])
)


def test_a_bundled_retriever_with_a_reranker_from_a_file(tmp_path: Path) -> None:
    file = tmp_path / "rerank.py"
    file.write_text(
        "def plates(q, passages):\n    return [p.text.count('plates') for p in passages]\n", encoding="utf-8"
    )
    span = DOCS[1].span(0, 29)
    item = Item("q", "What wood does the kiln burn?", ("plates",), "simple", "factoid", "en", ((span,),))
    system = open_system("bm25", docs=DOCS, chunking="fixed:6:0", reranker=f"{file}:plates")
    assert system.name == "bm25 + rerank.py:plates"
    answer = system.ask(item)
    assert [passage.doc for passage in answer.before] == ["0.md", "1.md"]
    assert [passage.doc for passage in answer.retrieved] == ["1.md", "0.md"]
    found = score([item], system, docs=DOCS).metrics
    assert (found["mrr"].value, found["mrr_gain"].value) == (1.0, 0.5)
    plain = open_system("bm25", docs=DOCS, chunking="fixed:6:0")
    assert score([item], plain, docs=DOCS).metrics["mrr"].value == 0.5
    before = system.signature
    file.write_text("def plates(q, passages):\n    return passages\n", encoding="utf-8")
    assert open_system("bm25", docs=DOCS, reranker=f"{file}:plates").signature != before


def test_a_reranker_that_cannot_be_loaded_is_reported_first() -> None:
    with pytest.raises(ConfigError, match=r"--reranker 'best' is not a function: give FILE\.py:FUNCTION"):
        open_system("bm25", docs=DOCS, reranker="best")
    with pytest.raises(ConfigError, match=r"none\.py:best cannot be loaded: there is no file none\.py"):
        open_system("bm25", docs=DOCS, chunking="nonsense", reranker="none.py:best")
