"""Read what a run of score starts from: the questions, the documents, and the embedding model if one is needed."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from kgsynth.base.errors import InputError
from kgsynth.base.records import Document, Item
from kgsynth.documents import read_documents
from kgsynth.documents.run_documents import documents_beside
from kgsynth.golden.answer_patterns import pattern_problem
from kgsynth.golden.dataset import file_of, line_of, load
from kgsynth.scoring.matching import Matcher
from kgsynth.scoring.metrics.judged import Judge
from kgsynth.scoring.metrics.pass_criteria import PassCriteria
from kgsynth.scoring.metrics.profiles import MetricPlan
from kgsynth.scoring.metrics.semantic import TextEncoder
from kgsynth.scoring.sampling import choose


@dataclass(frozen=True, slots=True)
class ScoringInputs:
    """Everything a run starts from: ``golden`` is the hash of the questions, ``notes`` go into the report."""

    plan: MetricPlan
    criteria: PassCriteria
    metric_names: list[str]
    items: list[Item]
    golden: str
    documents: Sequence[Document]
    matcher: Matcher
    encoder: TextEncoder | None
    notes: tuple[str, ...]


def read_inputs(
    golden: str | Path | Iterable[Item],
    docs: str | Path | Sequence[Document] | None,
    since: str | Path | None,
    plan: MetricPlan,
    criteria: PassCriteria,
    judge: Judge | None,
    cover: float,
) -> ScoringInputs:
    """Read the questions and the documents, and load the embedding model if a metric or the judge needs one.

    Raises:
        ConfigError: a cut-off, the sample or ``cover`` is invalid.
        InputError: the golden set or the documents cannot be used, or do not belong together.
    """
    judged = judge.metrics if judge else ()
    metric_names = plan.full_names(criteria.cut_offs(plan.k), (*criteria.metric_names, *judged))
    items, content = _read_golden(golden)
    chosen, sample_notes = choose(items, plan.sample, since)
    if len(chosen) < len(items):  # other questions need another hash, since their scores are not comparable
        content += "\n".join(item.id for item in chosen).encode()
    documents = documents_for(golden, docs)
    notes = (*plan.notes, *sample_notes, *_check_evidence(chosen, documents))
    matcher = Matcher({document.id: document.text for document in documents}, cover)
    encoder = None
    if model := plan.semantic or (judge.embedding_model if judge and judge.embeds else None):
        from kgsynth.models.encoder import load_encoder

        encoder = load_encoder(model)
    digest = f"sha256:{hashlib.sha256(content).hexdigest()}"
    return ScoringInputs(plan, criteria, metric_names, chosen, digest, documents, matcher, encoder, notes)


def documents_for(
    golden: str | Path | Iterable[Item], docs: str | Path | Sequence[Document] | None
) -> Sequence[Document]:
    """Return the documents in which passages are placed: those of ``docs``, by default of the run of the set."""
    if docs is None and isinstance(golden, str | Path):
        return list(documents_beside(file_of(golden)))
    return read_documents(docs)


def _read_golden(golden: str | Path | Iterable[Item]) -> tuple[list[Item], bytes]:
    """Return the items of a golden set, given as a file, a run folder or items, and the bytes to hash.

    These are the lines of golden.jsonl as kgsynth writes them, however the set is given.
    """
    name = f" {golden}" if isinstance(golden, str | Path) else ""
    items = list(load(golden) if isinstance(golden, str | Path) else golden)
    content = b"".join(map(line_of, items))
    if not items:
        raise InputError(f"the golden set{name} has no questions: give one that has some")
    repeated = [item_id for item_id, count in Counter(item.id for item in items).items() if count > 1]
    if repeated:
        raise InputError(f"the golden set has two questions with the id {repeated[0]}: make the ids unique")
    for item in items:
        for problem in filter(None, map(pattern_problem, item.golden_answers)):
            raise InputError(f"question {item.id}: {problem}; correct it in the golden set")
    return items, content


def _check_evidence(items: Sequence[Item], documents: Sequence[Document]) -> tuple[str, ...]:
    """Return notes on missing and on changed documents of the evidence; raise an error if all are missing."""
    if not documents:
        return ()
    texts = {document.id: document.text for document in documents}
    spans = {span for item in items for group in item.evidence for span in group}
    missing = sorted({span.doc for span in spans} - set(texts))
    if spans and not any(span.doc in texts for span in spans):
        raise InputError(
            f"none of the {len(missing)} documents of the evidence ({missing[0]} …) is among the {len(texts)} given: "
            "give the folder that the golden set was made from"
        )
    notes = []
    if missing:
        notes.append(f"{len(missing)} documents of the evidence are not among those given: {', '.join(missing[:5])}")
    changed = sorted(
        {span.doc for span in spans if span.doc in texts and texts[span.doc][span.start : span.end] != span.text}
    )
    if changed:
        notes.append(
            f"{len(changed)} documents have changed since the golden set was made: {', '.join(changed[:5])}; "
            "kgsynth audit --fix updates its spans"
        )
    return tuple(notes)
