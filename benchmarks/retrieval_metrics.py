"""The time of the retrieval metrics relative to pytrec-eval-terrier (C): same rankings, same measures, one core.

    python benchmarks/retrieval_metrics.py [QUESTIONS] [PASSAGES]

Memory is the peak while rankings are measured one by one, for a tenth of the questions and for all; it should not grow
with the number of questions.
"""

from __future__ import annotations

import random
import time
import tracemalloc
from collections.abc import Callable

import pytrec_eval
from arguments import call

from kgsynth.scoring.metrics import retrieval as r

KS = (1, 3, 5, 10)
AT_K = {"P": r.precision, "recall": r.recall, "ndcg_cut": r.ndcg, "success": r.hit}
ROUNDS = 5

Result = dict[str, dict[str, float]]


def ours(rankings: dict[str, list[str]], relevant: dict[str, list[str]]) -> Result:
    """Return every measure of every question, computed by kgsynth."""
    found = {}
    for query, ranking in rankings.items():
        relevance = r.by_id(ranking, [(doc,) for doc in relevant[query]])
        values = {f"{name}_{k}": metric(relevance, k) for name, metric in AT_K.items() for k in KS}
        values["map"], values["recip_rank"] = r.average_precision(relevance), r.reciprocal_rank(relevance)
        found[query] = values
    return found


def theirs(rankings: dict[str, list[str]], relevant: dict[str, list[str]]) -> Result:
    """Return the same measures, computed by trec_eval."""
    cuts = ",".join(map(str, KS))
    measures = {f"{name}.{cuts}" for name in AT_K} | {"map", "recip_rank"}
    qrels = {query: dict.fromkeys(docs, 1) for query, docs in relevant.items()}
    runs = {q: {doc: float(-at) for at, doc in enumerate(ranking)} for q, ranking in rankings.items()}
    found: Result = pytrec_eval.RelevanceEvaluator(qrels, measures).evaluate(runs)
    return found


def best(call: Callable[[], Result]) -> tuple[float, Result]:
    """Return the shortest of several times in seconds, and the result."""
    times = []
    for _ in range(ROUNDS):
        begun = time.perf_counter()
        result = call()
        times.append(time.perf_counter() - begun)
    return min(times), result


def streamed(questions: int, passages: int) -> float:
    """Return the peak in kilobytes while rankings are created and measured one by one, and only sums are kept."""
    rng = random.Random(0)
    pool = [f"doc{number}" for number in range(10 * passages)]
    tracemalloc.start()
    sums: dict[str, float] = {}
    for number in range(questions):
        ranking = rng.sample(pool, passages)
        for values in ours({str(number): ranking}, {str(number): ranking[:3]}).values():
            sums = {name: sums.get(name, 0.0) + value for name, value in values.items()}
    peak = tracemalloc.get_traced_memory()[1] / 1024
    tracemalloc.stop()
    return peak


def main(questions: int = 10_000, passages: int = 100) -> None:
    """Print the table."""
    rng = random.Random(0)
    pool = [f"doc{number}" for number in range(10 * passages)]
    rankings = {f"q{number}": rng.sample(pool, passages) for number in range(questions)}
    relevant = {
        query: rng.sample(ranking, min(3, passages)) + rng.sample(pool, 2) for query, ranking in rankings.items()
    }
    relevant = {query: sorted(set(docs)) for query, docs in relevant.items()}
    mine, values = best(lambda: ours(rankings, relevant))
    c, reference = best(lambda: theirs(rankings, relevant))
    worst = max(abs(values[q][name] - reference[q][name]) for q in reference for name in values[q])
    print(f"{questions} questions x {passages} passages, {len(values['q0'])} measures, best of {ROUNDS}")
    print(f"{'':24}{'seconds':>10}{'ratio':>8}")
    print(f"{'pytrec-eval-terrier (C)':24}{c:10.3f}{1:8.2f}")
    print(f"{'kgsynth (Python)':24}{mine:10.3f}{mine / c:8.2f}")
    print(f"greatest difference of any value: {worst:.1e}")
    few, all_ = (streamed(count, passages) for count in (max(1, questions // 10), questions))
    print(
        f"peak memory, one by one: {few:.0f} kB for {max(1, questions // 10)} questions, {all_:.0f} kB for {questions}"
    )


if __name__ == "__main__":
    call(main)
