"""Generate, verify and judge with a real language model that is so small that most of its replies are unusable.

Whatever it replies, the run ends, the set contains nothing without evidence, and every rejection is recorded.
"""

from __future__ import annotations

import sys
from collections import Counter
from dataclasses import replace

import pytest
from llm_runs import CONFIG, Prepared, prepare

import kgsynth
from kgsynth.base.records import Answer, Item, Passage
from kgsynth.generation.filters import BY_VECTOR, BY_WORDS, MEANINGS
from kgsynth.generation.result import Generated
from kgsynth.models.llm import LLMSettings
from kgsynth.scoring.metrics.judged import Judge

BY_LLM = [rule for rule in MEANINGS if rule not in {*BY_WORDS, *BY_VECTOR}]

pytestmark = pytest.mark.llm

WANTED = 2
CALLS = 150


@pytest.fixture(scope="module")
def settings(gemma: str) -> LLMSettings:
    return LLMSettings(base_url=gemma, timeout=300, at_once=1, max_calls=CALLS)


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory, gemma: str) -> Prepared:
    return prepare(tmp_path_factory.mktemp("small"), replace(CONFIG, n=WANTED, llm="gemma"))


@pytest.fixture(scope="module")
def made(small: Prepared, settings: LLMSettings, tmp_path_factory: pytest.TempPathFactory) -> Generated:
    out = small.copy(tmp_path_factory.mktemp("runs") / "gemma")
    return kgsynth.generate(small.docs, out, config=replace(CONFIG, n=WANTED, llm="gemma"), llm_settings=settings)


def test_a_set_is_made_and_every_rejection_is_recorded(
    made: Generated, small: Prepared, capsys: pytest.CaptureFixture[str]
) -> None:
    refused = Counter(why.rule for _, why in made.rejected if why.rule in (*BY_LLM, "duplicate"))
    with capsys.disabled():
        sys.stdout.write(f"\naccepted {len(made.golden)} of {WANTED}; refused: {dict(refused)}; {made.usage}\n")
    assert len(made.golden) == WANTED - made.shortage.missing
    assert not kgsynth.audit(made.golden, small.docs).at_least("error")
    on_file = (made.folder / "rejected.jsonl").read_text(encoding="utf-8").splitlines()
    assert len(on_file) == len(made.rejected)
    spent = [usage["calls"] for name, usage in made.usage.items() if name != "cost"]  # type: ignore[index]
    assert made.usage["writing"]["calls"] and sum(spent) <= CALLS  # type: ignore[index]


def test_a_judge_with_unusable_replies_ends_and_counts_what_it_scored(settings: LLMSettings, small: Prepared) -> None:
    items = [item("q-1", "Who opened the office?", "Ada Holm"), item("q-2", "When did it close?", "1994")]
    judge = Judge("gemma", ("answer_correctness",), settings=settings)
    scores = kgsynth.score(items, Parrot(), judge=judge)
    found = scores.metrics["answer_correctness"]
    assert found.n_total == 2 and found.n_scored <= 2
    assert (found.value is None) == (found.n_scored == 0)
    assert scores.judge is not None


class Parrot:
    """A system that always gives the same answer."""

    name, signature = "parrot", "parrot"

    def ask(self, item: Item) -> Answer:
        return Answer(item.id, "Ada Holm", (Passage(text="Ada Holm opened the office in 1987. It closed in 1994."),))

    def close(self) -> None:
        pass


def item(ident: str, question: str, answer: str) -> Item:
    return Item(ident, question, (answer,), "simple", "factoid", "en", ())
