"""The registry of metrics: a literal table from which command-line choices, report columns and docs are made.

A metric is computed for one ``ScoredCase``. The table says what each metric needs and how it is called; the arithmetic
is in the other modules, look-ups by name are in ``lookup``, and metrics of a run as a whole are in ``run_metrics``.
"""

from __future__ import annotations

from collections.abc import Mapping
from statistics import fmean

from kgsynth.scoring.metrics import answer_match, retrieval, routing, text_overlap
from kgsynth.scoring.metrics.declaration import (
    GROUPS,
    Metric,
    RunMetric,
    answer_metric,
    first_k_metric,
    judged_metric,
    ranking_metric,
    reranking_gain,
    semantic_metric,
    zero_if_unanswered,
)
from kgsynth.scoring.metrics.factual_overlap import factual_overlap, keyword_coverage
from kgsynth.scoring.metrics.judged import JUDGE_REQUESTS
from kgsynth.scoring.metrics.members import member_recall
from kgsynth.scoring.metrics.run_metrics import RUN_METRICS
from kgsynth.scoring.metrics.scored_case import ScoredCase

__all__ = ["GROUPS", "METRICS", "RUN_METRICS", "Metric", "RunMetric", "ScoredCase"]

_SQUAD = "norm:squad2|zh:nfkc,chars"
_UNICODE = "tok:unicode|stem:no"
_STEMS = "tok:unicode|stem:endings|stopwords:out"
_CLAIMS = f"{_STEMS}|names:capitals|numbers:value|denials:out|markup:off"

METRICS: Mapping[str, Metric] = {
    "precision": first_k_metric("share of the first k passages that cover evidence", retrieval.precision),
    "recall": first_k_metric("share of the evidence groups that the first k passages cover", retrieval.recall),
    "f1": first_k_metric("harmonic mean of precision@k and recall@k", retrieval.f1),
    "ndcg": first_k_metric(
        "discounted gain of the first k passages, relative to the ideal ranking", retrieval.ndcg,
        "order:rank|repeats:first|gain:linear|discount:log2|ideal:all",
    ),
    "hit": first_k_metric("1 when the first k passages cover any evidence", retrieval.hit),
    "map": ranking_metric("average precision, over all evidence groups", retrieval.average_precision),
    "mrr": ranking_metric("1 over the rank of the first passage with evidence", retrieval.reciprocal_rank),
    "context_precision": ranking_metric(
        "mean precision at the ranks of the passages with evidence", retrieval.context_precision,
    ),
    "context_recall": ranking_metric(
        "share of the evidence groups that all retrieved passages cover", retrieval.context_recall,
    ),
    "file_recall": Metric(
        "retrieval", "files", "share of the needed files that were retrieved", "unit:file",
        lambda case, _: retrieval.context_recall(case.files) if case.files else 0.0,
    ),
    "keyword_coverage": Metric(
        "passages", "keywords read", "share of the facts' key words that are in the passages", _STEMS,
        lambda case, _: keyword_coverage(case.keywords, case.texts, case.item.language),
    ),
    "retriever_score": Metric(
        "passages", "scores", "mean score that the system gives its passages, on its own scale", "mean",
        lambda case, _: fmean(case.passage_scores), bounded=False,
    ),
    "passages_returned": Metric(
        "passages", "returned", "number of passages that the system returns", "count",
        lambda case, _: float(len(case.answer.retrieved)) if case.answer and not case.unlisted else None, bounded=False,
    ),
    "retrieved_words": Metric(
        "passages", "returned", "number of words in all passages of a question", "tok:unicode",
        lambda case, _: case.retrieved_words, bounded=False,
    ),
    "citation_precision": Metric(
        "citations", "cited", "share of the cited passages that cover evidence", "marks:[n],【n】",
        lambda case, _: routing.citation_precision(case),
    ),
    "citation_recall": Metric(
        "citations", "citable", "share of the evidence groups that the cited passages cover",
        "marks:[n],【n】|uncited:0", lambda case, _: retrieval.context_recall(case.cited) if case.cited else 0.0,
    ),
    "citation_support": Metric(
        "citations", "citable claims",
        "share of the sentences with a golden claim whose cited passages cover all evidence groups of the claim",
        f"marks:[n],【n】|uncited:0|{_CLAIMS}", lambda case, _: routing.citation_support(case),
    ),
    "step_recall": Metric(
        "steps", "stepped evidence",
        "share of the evidence groups that the first k passages of all steps cover together", "steps:union|k:per-step",
        lambda case, k: case.steps.recall(k) if case.steps else 0.0, at_k=True,
    ),
    "step_count": Metric(
        "steps", "stepped", "number of steps", "count",
        lambda case, _: float(len(case.steps.queries)) if case.steps else None, bounded=False,
    ),
    "repeated_retrieval": Metric(
        "steps", "stepped", "share of the passages of later steps that an earlier step had retrieved",
        "same:place,text", lambda case, _: routing.repeated_retrieval(case), bounded=False,
    ),
    "ndcg_gain": reranking_gain("ndcg@k after reranking minus ndcg@k before", retrieval.ndcg, at_k=True),
    "mrr_gain": reranking_gain(
        "mrr after reranking minus mrr before", lambda r, _: retrieval.reciprocal_rank(r), at_k=False,
    ),
    "route_accuracy": Metric(
        "routing", "routed",
        "share of the questions sent to retrieval, or answered correctly (unanswerable: declined) without it",
        "failures:out|right:em,sub_em,token_recall", lambda case, _: routing.route_accuracy(case),
    ),
    "retrieval_rate": Metric(
        "routing", "routed", "share of the questions sent to retrieval", "failures:out",
        lambda case, _: routing.sent_to_retrieval(case), bounded=False,
    ),
    "em": answer_metric(
        "1 when the answer equals a golden answer", f"{_SQUAD}|re:fullmatch", answer_match.exact_match, patterns=True,
    ),
    "sub_em": answer_metric(
        "1 when the answer contains a golden answer", f"{_SQUAD}|marks:out,blank|re:search",
        answer_match.sub_exact_match, patterns=True,
    ),
    "token_precision": answer_metric(
        "share of the answer's tokens that are in the golden answer", _SQUAD,
        lambda *texts: answer_match.token_overlap(*texts).precision,
    ),
    "token_recall": answer_metric(
        "share of the golden answer's tokens that are in the answer", _SQUAD,
        lambda *texts: answer_match.token_overlap(*texts).recall,
    ),
    "token_f1": answer_metric(
        "harmonic mean of token_precision and token_recall", _SQUAD,
        lambda *texts: answer_match.token_overlap(*texts).f1,
    ),
    "member_recall": Metric(
        "answers", "members", "share of the members of a golden list, or of its steps, that are in the answer",
        f"{_STEMS}|golds:best|markup:off",
        zero_if_unanswered(lambda case: member_recall(case.plain_answer, case.golden_texts, case.item.language)),
    ),
    "claim_recall": Metric(
        "answers", "golden claims", "share of the golden answer's claims that the answer states", _CLAIMS,
        zero_if_unanswered(lambda case: case.claim_scores.recall),
    ),
    "claim_precision": Metric(
        "answers", "golden claims",
        "share of the answer's statements that a claim, the evidence or a golden answer supports", _CLAIMS,
        zero_if_unanswered(lambda case: case.claim_scores.precision),
    ),
    "bleu": Metric(
        "answers", "bleu", "sentence BLEU, from 0 to 1",
        "nrefs:var|case:mixed|eff:yes|tok:13a,zh|smooth:exp|markup:off|sacrebleu:{sacrebleu}",
        zero_if_unanswered(lambda case: text_overlap.bleu(case.plain_answer, case.golden_texts)),
    ),
    "rouge1": answer_metric(
        "F-measure of shared words", _UNICODE, lambda answer, golden, _: text_overlap.rouge_n(answer, golden, 1),
    ),
    "rouge2": answer_metric(
        "F-measure of shared word pairs; a single correct word scores 0", _UNICODE,
        lambda answer, golden, _: text_overlap.rouge_n(answer, golden, 2),
    ),
    "rougeL": answer_metric(
        "F-measure of the longest common subsequence of words", _UNICODE,
        lambda answer, golden, _: text_overlap.rouge_l(answer, golden),
    ),
    "meteor": answer_metric(
        "METEOR with exact matches only; a single correct word scores 0.5",
        f"variant:exact|{_UNICODE}|alpha:{text_overlap.ALPHA:g}|beta:{text_overlap.BETA:g}|gamma:{text_overlap.GAMMA:g}",
        lambda answer, golden, _: text_overlap.meteor(answer, golden),
    ),
    "factual_overlap": Metric(
        "answers", "facts", "share of the golden answer's names and numbers that are in the answer",
        "names:capitals|numbers:value|golds:best|markup:off",
        lambda case, _: factual_overlap(case.plain_answer, case.golden_texts, case.item.language),
    ),
    "answer_length": Metric(
        "answers", "text", "number of words in the answer", "tok:unicode|markup:off",
        lambda case, _: float(case.answer_words), bounded=False,
    ),
    "refusal": Metric(
        "answers", "refusal", "share of the unanswerable questions that were declined", "lexicon:en,zh",
        zero_if_unanswered(lambda case: float(answer_match.refuses(case.answer_text))),
    ),
    "semantic_similarity": semantic_metric(
        "cosine of the answer and the nearest golden answer", "golds:best", "similarity", "words",
    ),
    "bertscore": semantic_metric(
        "BERTScore F1 of the answer and the nearest golden answer", "layer:last|idf:no|baseline:no|golds:best",
        "bertscore", "words",
    ),
    "answer_relevancy_cosine": semantic_metric(
        "cosine of the answer and the question: whether the answer is on topic, correct or not", "cosine", "relevancy",
        "answerable",
    ),
    **{
        name: judged_metric(name, request.needs, metric.what, metric.variant)
        for request in JUDGE_REQUESTS.values()
        for name, metric in request.metrics.items()
    },
}  # fmt: skip
"""Every metric of a question by name, in the order of the report: its kind, needs, what it is, variant, computation."""
