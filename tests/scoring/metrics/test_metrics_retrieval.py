"""Retrieval metrics: worked examples, trec_eval on random rankings, and the rules that trec_eval does not have."""

from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kgsynth.scoring.metrics import METRICS, ScoredCase
from kgsynth.scoring.metrics import retrieval as r
from kgsynth.scoring.metrics.lookup import full_names, parse_name

pytrec_eval = pytest.importorskip("pytrec_eval")

KS = (1, 3, 5, 10, 100)


def flags(bits: list[int]) -> r.Relevance:
    return r.Relevance(bits, [bool(bit) for bit in bits], max(1, sum(bits)))


@pytest.mark.parametrize(
    ("bits", "expected"),
    [([1, 0, 1, 0, 1], (1 + 2 / 3 + 3 / 5) / 3), ([1, 1, 1, 0, 0], 1.0), ([0, 0, 0, 1, 1], (1 / 4 + 2 / 5) / 2)],
)
def test_context_precision_is_the_mean_precision_at_the_relevant_ranks(bits: list[int], expected: float) -> None:
    assert r.context_precision(flags(bits)) == pytest.approx(expected, abs=1e-12)


def test_context_precision_in_published_examples() -> None:
    found = [round(r.context_precision(flags(bits)), 4) for bits in ([1, 0, 1, 0, 1], [1, 1, 1, 0, 0], [0, 0, 0, 1, 1])]
    assert found == [0.7556, 1.0, 0.325]
    assert round((1 + round(2 / 3, 2) + 3 / 5) / 3, 4) == 0.7567  # the result of rounding P@3 first, which we do not do


@pytest.mark.parametrize(("retrieved", "expected"), [("ACE", 0.6), ("ABXYZ", 0.4)])
def test_context_recall_is_over_all_that_was_needed(retrieved: str, expected: float) -> None:
    assert r.context_recall(r.by_id(list(retrieved), list("ABCDE"))) == expected


def test_precision_and_recall_of_two_found_of_three_in_the_top_five() -> None:
    found = r.by_id(["a", "x", "b", "y", "z", "c"], ["a", "b", "c"])
    assert (r.precision(found, 5), round(r.recall(found, 5), 2)) == (0.4, 0.67)


def test_precision_divides_by_k_even_when_fewer_came_back() -> None:
    assert r.precision(r.by_id(["a"], ["a"]), 5) == 0.2


def test_mrr_of_first_hits_at_three_one_and_none() -> None:
    rankings = (["x", "y", "a"], ["a"], ["x", "y"])
    assert round(sum(r.reciprocal_rank(r.by_id(ranking, ["a"])) for ranking in rankings) / 3, 3) == 0.444


def test_f1_of_a_high_precision_and_a_low_recall() -> None:
    assert round(r.harmonic_mean(0.9, 0.1), 2) == 0.18
    assert r.harmonic_mean(0.0, 0.0) == 0.0
    found = r.by_id(["a", "b", "x"], ["a", "b", "c", "d"])
    assert r.f1(found, 3) == pytest.approx(2 * (2 / 3) * 0.5 / (2 / 3 + 0.5))


def test_map_divides_by_all_relevant_and_context_precision_by_those_found() -> None:
    found = r.by_id(["a", "x"], ["a", "b"])
    assert (r.average_precision(found), r.context_precision(found)) == (0.5, 1.0)


def test_ideal_of_ndcg_is_over_all_relevant_not_over_those_retrieved() -> None:
    assert r.ndcg(r.by_id(["a"], ["a", "b"]), 2) == pytest.approx(1 / (1 + 0.6309297535714575))
    assert r.ndcg(r.by_id(["a"], ["a", "b"]), 1) == 1.0  # the ideal, too, is cut at k


def test_a_passage_that_covers_two_groups_counts_as_two_entries() -> None:
    found = r.Relevance([2, 0, 1], [True, False, True], 3)
    assert found.group_ranks == (1, 1, 3)
    assert found.entry_positions == (1, 2, 4)
    assert r.ndcg(found, 1) == 1.0
    assert r.average_precision(found) == pytest.approx((1 + 1 + 3 / 4) / 3)
    assert (r.recall(found, 1), r.recall(found, 3)) == (2 / 3, 1.0)
    assert r.precision(found, 3) == pytest.approx(2 / 3)


def test_a_repeat_of_covered_evidence_is_relevant_only_for_precision() -> None:
    once, twice = r.Relevance([1, 0], [True, False], 2), r.Relevance([1, 0], [True, True], 2)
    assert r.precision(twice, 2) == 1.0 > r.precision(once, 2)
    for metric in (r.recall, r.ndcg, r.hit):
        assert metric(twice, 2) == metric(once, 2)
    assert r.average_precision(twice) == r.average_precision(once)


def test_a_repeated_id_keeps_its_rank_and_counts_as_irrelevant() -> None:
    found = r.by_id(["a", "a", "b"], ["a", "b"])
    assert (found.newly_covered, found.covers_any, found.group_ranks) == ([1, 0, 1], [True, False, True], (1, 3))


def test_either_copy_of_the_evidence_covers_its_group_and_the_second_is_a_repeat() -> None:
    found = r.by_id(["b1", "b2"], [{"b1", "b2"}])
    assert (found.newly_covered, found.covers_any, r.recall(found, 1)) == ([1, 0], [True, True], 1.0)


@pytest.mark.parametrize(("new", "covers", "groups"), [([], [], 0), ([2], [True], 1), ([1], [], 1)])
def test_an_impossible_relevance_is_an_error(new: list[int], covers: list[bool], groups: int) -> None:
    with pytest.raises(ValueError, match="groups covered, "):
        r.Relevance(new, covers, groups)


def random_run(rng: random.Random) -> tuple[list[str], dict[str, float] | None, list[str]]:
    """A ranking over ids, as a list or as scores with many ties, and the relevant ids, some never retrieved."""
    pool = [f"d{number}" for number in range(rng.choice([5, 20, 60]))]
    relevant = rng.sample(pool, rng.randint(1, min(12, len(pool))))
    size = rng.choice([0, 1, 3, len(pool)])
    if rng.random() < 0.5:
        scores = {doc: float(rng.randint(0, 3)) for doc in rng.sample(pool, size)}
        by_score = sorted(scores, key=lambda doc: (scores[doc], doc), reverse=True)  # as trec_eval orders ties
        return by_score, scores, relevant
    return (rng.choices(pool, k=size) if rng.random() < 0.5 else rng.sample(pool, size)), None, relevant


def test_no_difference_from_trec_eval_on_two_thousand_rankings() -> None:
    rng = random.Random(7)
    ours, runs, qrels, seen = {}, {}, {}, {"ties": 0, "duplicates": 0, "empty": 0, "missing": 0}
    for number in range(2000):
        query = f"q{number}"
        ranking, scores, relevant = random_run(rng)
        if rng.random() < 0.05:
            ranking, scores = [], None  # no record: trec_eval leaves the query out, we count it 0
            seen["missing"] += 1
        qrels[query] = dict.fromkeys(relevant, 1)
        ours[query] = r.by_id(ranking, [{doc} for doc in relevant])
        # trec_eval cannot hold a document twice: a later occurrence is a document that is not relevant
        unique = [doc if doc not in ranking[:at] else f"again{at}" for at, doc in enumerate(ranking)]
        runs[query] = scores or {doc: float(len(unique) - at) for at, doc in enumerate(unique)}
        seen["ties"] += scores is not None and len(set(scores.values())) < len(scores)
        seen["duplicates"] += len(set(ranking)) < len(ranking)
        seen["empty"] += not ranking
    assert min(seen.values()) >= 90, seen
    cuts = ",".join(map(str, KS))
    measures = {f"{name}.{cuts}" for name in ("P", "recall", "ndcg_cut", "success")}
    measures |= {"map", "recip_rank", "set_recall"}
    theirs = pytrec_eval.RelevanceEvaluator(qrels, measures).evaluate({q: run for q, run in runs.items() if run})
    at_k = {"P": r.precision, "recall": r.recall, "ndcg_cut": r.ndcg, "success": r.hit}
    differences = []
    for query, relevance in ours.items():
        mine = {f"{name}_{k}": metric(relevance, k) for name, metric in at_k.items() for k in KS}
        mine |= {"map": r.average_precision(relevance), "recip_rank": r.reciprocal_rank(relevance)}
        mine["set_recall"] = r.context_recall(relevance)
        found = theirs.get(query, dict.fromkeys(mine, 0.0))
        differences += [(query, name) for name in mine if abs(mine[name] - found[name]) > 1e-12]
        for k in KS:  # trec_eval has no F1 at k: it follows from its precision and recall
            f1 = 2 / (1 / found[f"P_{k}"] + 1 / found[f"recall_{k}"]) if found[f"P_{k}"] else 0.0
            differences += [(query, f"f1_{k}")] if abs(r.f1(relevance, k) - f1) > 1e-12 else []
    assert len(theirs) > 1000
    assert differences == []


@st.composite
def relevances(draw: st.DrawFn) -> r.Relevance:
    groups = draw(st.integers(1, 8))
    new, covers, left = [], [], groups
    for _ in range(draw(st.integers(0, 15))):
        gained = draw(st.integers(0, min(left, 3)))
        left -= gained
        new.append(gained)
        covers.append(bool(gained) or draw(st.booleans()))
    return r.Relevance(new, covers, groups)


@given(relevances(), st.integers(1, 20))
def test_every_metric_lies_between_0_and_1_and_recall_never_falls(relevance: r.Relevance, k: int) -> None:
    case = ScoredCase(None, None, relevance, relevance)  # type: ignore[arg-type]
    for name in full_names([k]):
        metric, cut = parse_name(name)
        if metric.kind == "retrieval":
            assert 0 <= metric.compute(case, cut) <= 1 + 1e-12, name
    assert r.recall(relevance, k) <= r.recall(relevance, k + 1)


def test_names_are_parsed_back_and_wrong_ones_refused() -> None:
    for name in full_names([1, 10]):
        base, _, cut = name.partition("@")
        assert parse_name(name) == (METRICS[base], int(cut or 0))
    for wrong in ("recall", "mrr@5", "recall@0", "recall@05", "recall@x", "nothing@5", "recall@"):
        with pytest.raises(KeyError):
            parse_name(wrong)
