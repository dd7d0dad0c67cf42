"""Look up metrics by name: full names with their cut-offs, definitions, signatures, and what is wrong with a name."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping
from difflib import get_close_matches
from importlib.metadata import version

from kgsynth.base.errors import installed
from kgsynth.base.version import __version__
from kgsynth.scoring.metrics import METRICS, RUN_METRICS
from kgsynth.scoring.metrics.declaration import Metric, RunMetric

RUN_OUTCOMES = ("pass_rate", "passed_every_time", "judged_right", "overall")
"""Shares that are not metrics, but that gates and thresholds may name."""

_OTHER_SHARES = ("error_rate", "retrieval_rate", "repeated_retrieval")
"""Metrics that are shares, though a higher one is not better."""


def full_names(cut_offs: Iterable[int]) -> list[str]:
    """Return the full names of all metrics of a question, in the order of the report.

    Example:
        >>> full_names([1, 5])[:3]
        ['precision@1', 'precision@5', 'recall@1']
    """
    ks = sorted(set(cut_offs))
    return [
        full for name, metric in METRICS.items() for full in ([f"{name}@{k}" for k in ks] if metric.at_k else [name])
    ]


def parse_name(name: str) -> tuple[Metric, int]:
    """Return the metric of a question with this full name, and its cut-off (0 when it has none).

    Raises:
        KeyError: no metric has this name, or its cut-off is missing, superfluous or not positive.

    Example:
        >>> parse_name("recall@5")[1]
        5
    """
    base, at, k = name.partition("@")
    metric = METRICS[base]
    if metric.at_k != bool(at) or (at and not re.fullmatch("[1-9][0-9]*", k)):
        raise KeyError(name)
    return metric, int(k or 0)


def find_metric(name: str) -> Metric | RunMetric:
    """Return the metric of a question or of a run with this full name.

    Raises:
        KeyError: no metric has this name.

    Example:
        >>> find_metric("latency_p95").kind
        'resources'
    """
    return RUN_METRICS[name] if name in RUN_METRICS else parse_name(name)[0]


def name_problem(name: str, own: Collection[str] = ()) -> str:
    """Return what is wrong with a full metric name, "" when it is known; ``own`` are names of the user's own metrics.

    Example:
        >>> name_problem("recall@5"), name_problem("recal@3"), name_problem("xyzzy")[:26]
        ('', 'is not a metric; did you mean recall@3?', 'is not a metric; known are')
    """
    try:
        if name not in own:
            find_metric(name)
    except KeyError:
        base, _, k = name.partition("@")
        k = k if re.fullmatch("[1-9][0-9]*", k) else "5"
        near = get_close_matches(base, [*METRICS, *RUN_METRICS, *own], n=1)
        if near:
            at_k = near[0] in METRICS and METRICS[near[0]].at_k
            return f"is not a metric; did you mean {near[0]}{f'@{k}' if at_k else ''}?"
        known = [f"{base}@k" if metric.at_k else base for base, metric in METRICS.items()]
        return f"is not a metric; known are {', '.join([*known, *RUN_METRICS, *own])}"
    return ""


def share_problem(name: str, limit: float) -> str:
    """Return why a value of this metric cannot be compared with ``limit``, "" when it can.

    Example:
        >>> share_problem("recall@5", 80)
        'recall@5 is a share from 0 to 1, and 80 is not: for 80 % write 0.8'
        >>> share_problem("recall@5", 0.8), share_problem("latency_p95", 80)
        ('', '')
    """
    try:
        is_share = name in (*RUN_OUTCOMES, *_OTHER_SHARES) or find_metric(name).bounded
    except KeyError:  # a metric of the user, on any scale
        return ""
    if not is_share or 0 <= limit <= 1:
        return ""
    advice = f": for {limit:g} % write {limit / 100:g}" if 1 < limit <= 100 else ""
    return f"{name} is a share from 0 to 1, and {limit:g} is not{advice}"


def split_name(name: str) -> tuple[str, int]:
    """Return a full name without its cut-off, and the cut-off, 0 when it has none.

    Example:
        >>> split_name("recall@5"), split_name("mrr")
        (('recall', 5), ('mrr', 0))
    """
    base, _, k = name.partition("@")
    return base, int(k or 0)


def nearest_to_five(names: Iterable[str]) -> str:
    """Return the name with the cut-off nearest to 5, the smaller of two equally near ones; "" without names.

    Example:
        >>> nearest_to_five(["mrr@1", "mrr@3", "mrr@7"])
        'mrr@3'
    """
    return min(names, key=lambda name: (abs(split_name(name)[1] - 5), split_name(name)[1]), default="")


def signatures(
    cover: float, embedding_model: str = "", judge_signatures: Mapping[str, str] | None = None
) -> dict[str, str]:
    """Return the signature of every metric; only values with equal signatures can be compared.

    A signature holds the name, the variant, what else the metric depends on, and the version of kgsynth. ``cover`` is
    the share of a span that a passage must hold, ``embedding_model`` the signature of the embedding model if one was
    used, ``judge_signatures`` the signatures of judged metrics by name.

    Example:
        >>> signatures(0.5)["rouge1"].rpartition("|")[0]
        'rouge1|tok:unicode|stem:no|golds:best|markup:best'
    """
    depends_on = {
        "retrieval": f"|cover:{cover:g}",
        "citations": f"|cover:{cover:g}",
        "steps": f"|cover:{cover:g}",
        "reranking": f"|cover:{cover:g}",
        "semantic": f"|model:{embedding_model or 'none'}",
        "judged": "|judge:none",
    }
    model = depends_on["semantic"]
    by_claims = {
        name: model
        for name, metric in METRICS.items()
        if metric.needs in ("golden claims", "citable claims") and embedding_model
    }
    judged = {name: f"|judge:{signature}" for name, signature in (judge_signatures or {}).items()}
    metrics: dict[str, Metric | RunMetric] = {**METRICS, **RUN_METRICS}
    sacrebleu = version("sacrebleu") if installed("sacrebleu") else "none"
    return {
        name: f"{name}|{metric.variant.format(sacrebleu=sacrebleu)}"
        f"{judged.get(name) or by_claims.get(name) or depends_on.get(metric.kind, '')}|v:{__version__}"
        for name, metric in metrics.items()
    }
