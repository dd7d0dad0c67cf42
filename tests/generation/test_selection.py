import random
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kgsynth.base.choices import Difficulty
from kgsynth.base.config import Config
from kgsynth.base.records import Block, Document, Item, Section, Span, placed_id
from kgsynth.generation.selection import Shortage, TypeCount, choose, select
from kgsynth.generation.selection.greedy import asked_facts

MIX = {"simple": 0.5, "reasoning": 0.5}


def item(
    name: str,
    docs: str | Sequence[str] = "a.md",
    kind: str = "simple",
    subtype: str = "factoid",
    quality: float = 0.5,
    start: int = 0,
    fact: str = "",
) -> Item:
    docs = [docs] if isinstance(docs, str) else docs
    evidence = tuple((Span(doc, start, start + 5, "words"),) for doc in docs)
    step = {"fact": fact or f"f-{name}", "find": {"doc": docs[-1], "start": start, "end": start + 5}}
    scores = {"scores": {"quality": quality}}
    derivation = {"operator": "lookup", "steps": [step]}
    return Item(name, f"{name}?", ("x",), kind, subtype, "en", evidence, derivation, (), metadata=scores)


def names(items: Sequence[Item], n: int, mix: dict[str, float] | None = None, **more: Any) -> list[str]:
    return [chosen.id for chosen in select(items, n, mix or {"simple": 1.0}, **more)[0]]


def test_quotas_are_met_exactly() -> None:
    items = [item(f"{kind[0]}{n}", f"{n}.md", kind) for kind in ("simple", "reasoning", "other") for n in range(20)]
    chosen, shortage = select(items, 7, {"simple": 0.6, "reasoning": 0.4, "other": 0.0})
    assert Counter(each.question_type for each in chosen) == {"simple": 4, "reasoning": 3}
    assert (shortage.missing, shortage.short, shortage.lines()) == (0, (), [])


def test_a_short_type_is_filled_by_the_others_and_reported() -> None:
    items = [item(f"s{n}", f"{n}.md") for n in range(20)] + [item("r0", "z.md", "reasoning")]
    chosen, shortage = select(items, 10, MIX)
    assert len(chosen) == 10
    assert shortage.types == (TypeCount("simple", 5, 20, 9), TypeCount("reasoning", 5, 1, 1))
    assert (shortage.missing, [count.question_type for count in shortage.short]) == (0, ["reasoning"])


def kept(one: Item, keep: float) -> Item:
    return replace(one, metadata={"scores": {**one.metadata["scores"], "keep": keep}})


def test_questions_not_worth_keeping_are_left_out_with_the_reason() -> None:
    items = [kept(item(f"s{n}", f"{n}.md"), n / 10) for n in range(10)]
    chosen, shortage = select(items, 5, {"simple": 1.0}, min_keep=0.7)
    assert [each.id for each in chosen] == ["s9", "s8", "s7"]
    assert shortage.lines() == ["simple: 5 asked for, 3 chosen of 10 valid, 7 of them below --min-keep 0.7"]
    chosen, shortage = select(items, 5, {"simple": 1.0}, min_keep=0.0)
    assert [each.id for each in chosen] == ["s9", "s8", "s7", "s6", "s5"], "--fill"
    assert shortage.lines() == []


def test_a_run_leaves_out_what_is_not_worth_keeping_unless_it_fills() -> None:
    items = [kept(item(f"s{n}", f"{n}.md"), n / 10) for n in range(10)]
    context: Any = SimpleNamespace(
        vectors=SimpleNamespace(rows=lambda texts: None), knowledge=SimpleNamespace(documents={})
    )
    sizes = [
        len(choose(items, context, Config(n=8, mix={"simple": 1.0}, min_keep=0.5, fill=fill))[0])
        for fill in (False, True)
    ]
    assert sizes == [5, 8]


def test_a_hard_set_also_takes_what_is_a_little_less_surely_kept(move: Callable[[str, float], None]) -> None:
    items = [kept(item(f"s{n}", f"{n}.md"), n / 10) for n in range(10)]
    context: Any = SimpleNamespace(
        vectors=SimpleNamespace(rows=lambda texts: None), knowledge=SimpleNamespace(documents={})
    )

    def size(difficulty: Difficulty) -> int:
        return len(choose(items, context, Config(n=9, mix={"simple": 1.0}, difficulty=difficulty))[0])

    assert [size(each) for each in ("easy", "natural", "hard")] == [5, 5, 7], "from 0.5 on, and from 0.3 on"
    move("hard_keep", 0.0)
    assert size("hard") == 5


def test_an_unanswerable_question_has_no_keep_and_is_chosen_by_quality() -> None:
    items = [item(f"u{n}", f"{n}.md", "unanswerable", quality=n / 10) for n in range(3)]
    assert names(items, 2, {"unanswerable": 1.0}, min_keep=0.9) == ["u2", "u1"]


def test_too_few_items_give_a_smaller_set() -> None:
    chosen, shortage = select([item("a"), item("b", kind="reasoning"), item("c", kind="other")], 10, MIX)
    assert sorted(each.id for each in chosen) == ["a", "b"], "a type outside the mix is no filler"
    assert shortage.missing == 8
    assert select([], 3, MIX)[1].missing == 3


def test_lines_report_the_rejections() -> None:
    shortage = Shortage(9, (TypeCount("simple", 5, 5, 5), TypeCount("reasoning", 4, 2, 2)))
    assert shortage.lines() == ["reasoning: 4 asked for, 2 chosen of 2 valid"]
    told = shortage.lines({"reasoning": {"leaking": 1, "ambiguous": 7}})
    assert told == [
        "reasoning: 4 asked for, 2 chosen of 2 valid among 10 candidates (rejected: ambiguous 7, leaking 1)"
    ]


@pytest.mark.parametrize(("quality", "second"), [(0.5, "b"), (0.1, "a")])
def test_a_new_document_comes_first_unless_it_is_much_worse(quality: float, second: str) -> None:
    items = [item(f"a{n}", "a.md", quality=1.0) for n in range(5)] + [item("b", "b.md", quality=quality)]
    assert [name[0] for name in names(items, 2)] == ["a", second]


def test_a_long_document_comes_before_a_short_one() -> None:
    def page(doc: str, words: int) -> Document:
        text = "word " * words
        block = Block("paragraph", 0, len(text), text, ((0, 0),))
        return Document(doc, text, doc, "md", "", (block,), (Section("top", doc, doc, 0, (doc,), 0, 5 * words),))

    items = [item("a", "a.md", quality=0.6), item("b", "b.md", quality=0.5)]
    pages = {"a.md": page("a.md", 149), "b.md": page("b.md", 150)}
    assert names(items, 1, documents=pages) == ["b"]
    assert names(items, 1) == ["a"]


def test_quality_decides_among_equals_and_ids_the_rest() -> None:
    equal = [item("c", "c.md", quality=0.5), item("b", "b.md", quality=0.5)]
    items, first = [*equal, item("a", "a.md", quality=0.9)], min(equal, key=placed_id).id
    assert names(items, 2) == ["a", first]
    assert names(items[::-1], 2) == ["a", first]


def test_scarce_types_choose_their_documents_first() -> None:
    scarce = [item("r", "a.md", "reasoning")]
    plenty = [item("s1", "a.md", quality=1.0), item("s2", "b.md", quality=0.6)]
    assert set(names(plenty + scarce, 2, MIX)) == {"r", "s2"}


def test_sections_of_one_document_are_spread() -> None:
    sections = (
        Section("top", "a.md", "A", 0, ("A",), 0, 100),
        Section("one", "a.md", "1", 1, ("A", "1"), 0, 50),
        Section("two", "a.md", "2", 1, ("A", "2"), 50, 100),
    )
    page = Document("a.md", "x" * 100, "A", "md", "", (), sections)
    items = [item("a", quality=0.9, start=0), item("b", quality=0.8, start=10), item("c", quality=0.7, start=60)]
    assert names(items, 2, documents={"a.md": page}) == ["a", "c"]
    assert names(items, 2) == ["a", "b"]


def test_similar_questions_are_avoided() -> None:
    items = [item("a", "a.md", quality=0.9), item("b", "b.md", quality=0.8), item("c", "c.md", quality=0.6)]
    vectors = np.array([[1.0, 0.0], [0.99, 0.14], [0.0, 1.0]], dtype=np.float32)
    assert names(items, 2, vectors=vectors) == ["a", "c"]
    assert names(items, 2) == ["a", "b"]
    assert names(items[::-1], 2, vectors=vectors[::-1]) == ["a", "c"], "rows go with their items"


def test_subtypes_are_spread() -> None:
    items = [item(f"f{n}", f"{n}.md", quality=0.9) for n in range(10)]
    items += [item(f"d{n}", f"{n + 10}.md", subtype="definition", quality=0.7) for n in range(10)]
    taken = Counter(name[0] for name in names(items, 10))
    assert taken["d"] >= 2 and taken["f"] >= 5


@pytest.mark.parametrize(
    ("difficulty", "chosen"),
    [
        ("easy", ["sure", "passed"]),  # keep alone: 0.9, 0.85, 0.6, 0.4
        ("natural", ["split", "sure"]),  # 0.9, 0.85, 0.6 · (1 + 0.84) = 1.104, 0.4 · 2 = 0.8
        ("hard", ["split", "even"]),  # 0.9, 0.85, 0.6 · (1 + 4 · 0.84) = 2.616, 0.4 · 5 = 2
    ],
)
def test_the_dial_prefers_what_tells_systems_apart(difficulty: Difficulty, chosen: list[str]) -> None:
    told = {"sure": (0.9, 1.0), "passed": (0.85, 1.0), "split": (0.6, 0.3), "even": (0.4, 0.5)}
    items = [
        replace(item(name, f"{name}.md"), metadata={"scores": {"keep": keep, "found": found}})
        for name, (keep, found) in told.items()
    ]
    assert sorted(names(items, 2, difficulty=difficulty)) == sorted(chosen)
    assert names([kept(item("a"), 0.9)], 1, difficulty=difficulty) == ["a"], "an item of an earlier set has no found"


def test_one_fact_and_span_is_asked_once() -> None:
    items = [
        item("a", quality=0.9, fact="f"),
        item("b", quality=0.8, fact="f"),
        item("c", quality=0.1, fact="f", start=9),
    ]
    assert names(items, 3) == ["a", "c"]


def test_what_an_item_asks() -> None:
    span, other = {"doc": "a", "start": 0, "end": 1}, {"doc": "b", "start": 2, "end": 3}
    beside = {"operator": "parts", "steps": [{"fact": "f", "name": span}, {"fact": "g", "find": other}]}
    base = item("x")

    def keys(derivation: dict[str, Any]) -> list[Any]:
        made = Item("x", "?", ("x",), "", "", "en", base.evidence, derivation)
        return asked_facts(made)

    assert keys(beside) == [("g", "b", 2, 3)]
    assert keys({}) == []


def test_a_seed_only_breaks_ties() -> None:
    equal = [item(f"i{n:02}", f"{n}.md") for n in range(30)]
    assert names(equal, 5, rng=random.Random(1)) == names(equal[::-1][::-1], 5, rng=random.Random(1))
    assert names(equal, 5, rng=random.Random(1)) != names(equal, 5, rng=random.Random(2))
    ranked = [item(f"i{n:02}", f"{n}.md", quality=n / 30) for n in range(30)]
    assert names(ranked, 5, rng=random.Random(1)) == names(ranked, 5)


@given(
    st.lists(
        st.tuples(
            st.sampled_from(["simple", "reasoning"]), st.sampled_from("abc"), st.sampled_from("fgh"), st.floats(0, 1)
        ),
        max_size=25,
    ),
    st.integers(0, 12),
    st.randoms(use_true_random=False),
)
def test_as_many_as_possible_are_selected_in_any_order(
    given_items: list[tuple[str, str, str, float]], n: int, shuffler: random.Random
) -> None:
    items = [item(f"i{k:02}", doc, kind, quality=q, fact=f) for k, (kind, doc, f, q) in enumerate(given_items)]
    chosen, shortage = select(items, n, MIX)
    keys = [asked_facts(each)[0] for each in chosen]
    distinct = {asked_facts(each)[0] for each in items}
    assert len(keys) == len(set(keys)) == n - shortage.missing == min(n, len(distinct))
    shuffled = shuffler.sample(items, len(items))
    assert [each.id for each in select(shuffled, n, MIX)[0]] == [each.id for each in chosen]
