"""The registry of metrics: literal dicts, from which command-line choices, report columns and docs are made.

A metric is computed for one ``Case`` (a question, what was said to it, what was retrieved for it). Here stands what
each needs and how it is called; the arithmetic is in the other modules, means in ``summary``. Corpus BLEU, latencies
and the like are of a run as a whole, and have their registry in ``of_runs``.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from importlib.metadata import version

from kgsynth.base.version import __version__
from kgsynth.scoring.metrics import answer_match, heuristics, resources, retrieval, routing, text_overlap
from kgsynth.scoring.metrics.case import Case
from kgsynth.scoring.metrics.declaration import (
    GROUPS,
    NEEDS,
    Metric,
    RunMetric,
    answer,
    at,
    by_judge,
    gain,
    given,
    meaning,
    whole,
)
from kgsynth.scoring.metrics.factual_overlap import factual_overlap, keyword_coverage
from kgsynth.scoring.metrics.judged import CALLS
from kgsynth.scoring.metrics.run_metrics import RUN_METRICS

__all__ = [
    "GROUPS",
    "METRICS",
    "RUN_METRICS",
    "Case",
    "Metric",
    "RunMetric",
    "defined",
    "find",
    "names",
    "signatures",
    "split",
    "why_null",
]

_SQUAD = "norm:squad2|cjk:nfkc,chars"
_UNICODE = "tok:unicode|stem:no"
_STEMS = "tok:unicode|stem:endings|stopwords:out"

METRICS: Mapping[str, Metric] = {
    "precision": at("passages among the first k that cover any evidence, over k", retrieval.precision),
    "recall": at("evidence groups covered by the first k passages, over all groups", retrieval.recall),
    "f1": at("harmonic mean of precision@k and recall@k", retrieval.f1),
    "ndcg": at(
        "discounted gain of the first k, over that of the ideal ranking",
        retrieval.ndcg,
        "order:rank|repeats:first|gain:linear|discount:log2|ideal:all",
    ),
    "hit": at("1 when the first k cover any evidence", retrieval.hit),
    "map": whole("average precision, over all evidence groups", retrieval.average_precision),
    "mrr": whole("1 over the rank of the first passage with evidence", retrieval.reciprocal_rank),
    "context_precision": whole("mean precision at the passages with evidence", retrieval.context_precision),
    "context_recall": whole("evidence groups covered by all that was retrieved", retrieval.context_recall),
    "file_recall": Metric(
        "retrieval",
        "evidence",
        "needed files among those retrieved",
        "unit:file",
        lambda case, _: retrieval.context_recall(case.files) if case.files else 0.0,
    ),
    "keyword_coverage": Metric(
        "passages",
        "keywords read",
        "key words of the facts that stand in the passages",
        _STEMS,
        lambda case, _: keyword_coverage(case.keywords, case.texts, case.item.language),
    ),
    "retriever_score": Metric(
        "passages",
        "scores",
        "mean of the scores the system gives its passages, on its own scale",
        "mean",
        lambda case, _: resources.mean(case.scores),
        bounded=False,
    ),
    "passages_returned": Metric(
        "passages",
        "returned",
        "passages the system returns",
        "count",
        lambda case, _: float(len(case.answer.retrieved)) if case.answer else None,
        bounded=False,
    ),
    "ndcg_gain": gain("ndcg@k after reranking, less that before", retrieval.ndcg, at_k=True),
    "mrr_gain": gain("mrr after reranking, less that before", lambda r, _: retrieval.reciprocal_rank(r), at_k=False),
    "route_accuracy": Metric(
        "routing",
        "routed",
        "questions sent to retrieval, or answered right (unanswerable: declined) without it",
        "failures:out|right:em,sub_em,token_recall",
        lambda case, _: routing.accuracy(case),
    ),
    "retrieval_rate": Metric(
        "routing",
        "routed",
        "questions sent to retrieval",
        "failures:out",
        lambda case, _: routing.retrieval(case),
        bounded=False,
    ),
    "em": answer(
        "the answer equals a golden answer",
        f"{_SQUAD}|re:fullmatch",
        lambda c: answer_match.exact_match(c.said, c.item.golden_answers),
        needs="golden",
    ),
    "sub_em": answer(
        "a golden answer stands in the answer",
        f"{_SQUAD}|re:search",
        lambda c: answer_match.sub_exact_match(c.said, c.item.golden_answers),
        needs="golden",
    ),
    "token_precision": answer(
        "tokens of the answer that are in the golden one",
        _SQUAD,
        lambda c: answer_match.token_overlap(c.said, c.golden).precision,
    ),
    "token_recall": answer(
        "tokens of the golden answer that are in the answer",
        _SQUAD,
        lambda c: answer_match.token_overlap(c.said, c.golden).recall,
    ),
    "token_f1": answer("harmonic mean of the two", _SQUAD, lambda c: answer_match.token_overlap(c.said, c.golden).f1),
    "bleu": Metric(
        "answers",
        "words",
        "sentence BLEU, from 0 to 1",
        "nrefs:var|case:mixed|eff:yes|tok:13a,zh|smooth:exp|sacrebleu:{sacrebleu}",
        given(lambda c: text_overlap.bleu(c.said, c.golden)),
    ),
    "rouge1": answer("F-measure of shared words", _UNICODE, lambda c: text_overlap.rouge_n(c.said, c.golden, 1)),
    "rouge2": answer(
        "F-measure of shared pairs of words", _UNICODE, lambda c: text_overlap.rouge_n(c.said, c.golden, 2)
    ),
    "rougeL": answer(
        "F-measure of the longest common subsequence of words",
        _UNICODE,
        lambda c: text_overlap.rouge_l(c.said, c.golden),
    ),
    "meteor": answer(
        "METEOR with exact matches alone; one right word alone scores 0.5",
        f"variant:exact|{_UNICODE}|alpha:{text_overlap.ALPHA:g}|beta:{text_overlap.BETA:g}|gamma:{text_overlap.GAMMA:g}",
        lambda c: text_overlap.meteor(c.said, c.golden),
    ),
    "answer_keyword_coverage": Metric(
        "answers",
        "keywords",
        "key words of the facts that stand in the answer",
        _STEMS,
        given(lambda c: keyword_coverage(c.keywords, [c.said], c.item.language)),
    ),
    "factual_overlap": Metric(
        "answers",
        "facts",
        "names and numbers of the golden answer that the answer holds",
        "names:capitals|numbers:value|golds:best",
        lambda case, _: factual_overlap(case.said, case.golden, case.item.language),
    ),
    "answer_length": Metric(
        "answers",
        "text",
        "words in the answer",
        "tok:unicode",
        lambda c, _: answer_match.answer_length(c.said),
        bounded=False,
    ),
    "refusal": Metric(
        "answers",
        "refusal",
        "unanswerable questions that were declined",
        "lexicon:en,zh",
        given(lambda c: float(answer_match.refuses(c.said))),
    ),
    "semantic_similarity": meaning(
        "cosine of the answer and the nearest golden answer", "golds:best", "similarity", "words"
    ),
    "bertscore": meaning(
        "BERTScore F1 of the answer and the nearest golden answer",
        "layer:last|idf:no|baseline:no|golds:best",
        "bertscore",
        "words",
    ),
    "answer_relevancy_cosine": meaning(
        "cosine of the answer and the question: on the topic, be it right or wrong", "cosine", "relevancy", "answerable"
    ),
    **{
        name: by_judge(name, call.needs, figure.what, figure.variant)
        for call in CALLS.values()
        for name, figure in call.figures.items()
    },
    "coherence": Metric(
        "heuristics",
        "sentences",
        "heuristic: content words that neighbouring sentences share (Foltz et al. 1998)",
        f"dice|{_STEMS}",
        lambda case, _: heuristics.coherence(case.said, case.item.language),
    ),
    "fluency": Metric(
        "heuristics",
        "sentences",
        "heuristic: distinct-2, pairs of words that are no repetition (Li et al. 2016)",
        "distinct-2|tok:unicode",
        lambda case, _: heuristics.fluency(case.said),
    ),
}
"""Every metric of a question by name, in the order of the report."""


def names(ks: Iterable[int]) -> list[str]:
    """Return the full names of all metrics of a question for the cut-offs ``ks``, in the order of the report.

    Example:
        >>> names([1, 5])[:3]
        ['precision@1', 'precision@5', 'recall@1']
    """
    cuts = sorted(set(ks))
    return [
        full for name, metric in METRICS.items() for full in ([f"{name}@{k}" for k in cuts] if metric.at_k else [name])
    ]


def split(name: str) -> tuple[Metric, int]:
    """Return the metric of a question behind a full name, and its k (0 for one without).

    Raises:
        KeyError: no metric has this name, or its k is missing, needless or not positive.

    Example:
        >>> split("recall@5")[1]
        5
    """
    base, at_, cut = name.partition("@")
    metric = METRICS[base]
    if metric.at_k != bool(at_) or (at_ and not re.fullmatch("[1-9][0-9]*", cut)):
        raise KeyError(name)
    return metric, int(cut or 0)


def find(name: str) -> Metric | RunMetric:
    """Return the metric behind a full name, be it of a question or of a run.

    Raises:
        KeyError: no metric has this name.

    Example:
        >>> find("latency_p95").kind
        'resources'
    """
    return RUN_METRICS[name] if name in RUN_METRICS else split(name)[0]


def defined(metric: Metric, case: Case) -> bool:
    """Say whether ``metric`` is defined for the question of ``case``; a failed answer does not undo that."""
    return NEEDS[metric.needs].holds(case)


def why_null(metric: Metric) -> str:
    """Say why a metric that is defined for no question of a set has no value."""
    return NEEDS[metric.needs].why


def signatures(cover: float, model: str = "", judge: Mapping[str, str] | None = None) -> dict[str, str]:
    """Return of every metric which variant it is, with what it depends on: figures of other signatures do not compare.

    ``cover`` is the share of a span that covers it, ``model`` the signature of the embedding model, if one was asked,
    ``judge`` that of the judge by metric.

    Example:
        >>> signatures(0.5)["rouge1"].rpartition("|")[0]
        'rouge1|tok:unicode|stem:no|golds:best'
    """
    extra = {
        "retrieval": f"|cover:{cover:g}",
        "reranking": f"|cover:{cover:g}",
        "semantic": f"|model:{model or 'none'}",
        "judged": "|judge:none",
    }
    asked = {name: f"|judge:{signature}" for name, signature in (judge or {}).items()}
    of_all: dict[str, Metric | RunMetric] = {**METRICS, **RUN_METRICS}
    sacrebleu = version("sacrebleu")
    return {
        name: f"{name}|{metric.variant.format(sacrebleu=sacrebleu)}"
        f"{asked.get(name) or extra.get(metric.kind, '')}|v:{__version__}"
        for name, metric in of_all.items()
    }
