"""Read what a run of score starts from: the questions, the documents, and the embedding model if one is needed."""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from kgsynth.base.errors import InputError
from kgsynth.base.records import Document, Item
from kgsynth.documents import read_documents
from kgsynth.golden.answer_patterns import fault
from kgsynth.scoring.matching import Matcher
from kgsynth.scoring.metrics.judged import Judge
from kgsynth.scoring.metrics.pass_criteria import PassCriteria
from kgsynth.scoring.metrics.profiles import MetricPlan
from kgsynth.scoring.metrics.semantic import TextEncoder
from kgsynth.scoring.sampling import choose


@dataclass(frozen=True, slots=True)
class ScoringOptions:
    """The options of a run, valid: what to compute, who judges, what the run must pass, and what covers evidence."""

    plan: MetricPlan
    judge: Judge | None
    criteria: PassCriteria
    cover: float

    def metric_names(self) -> list[str]:
        """Return the full names of the metrics to compute.

        Raises:
            ConfigError: a cut-off is invalid.
        """
        judged = self.judge.metrics if self.judge else ()
        cut_offs = self.criteria.cut_offs(self.plan.k)
        return self.plan.full_names(cut_offs, (*self.criteria.metric_names, *judged))

    @property
    def embedding_model(self) -> str | None:
        """The embedding model that the metrics or the judge need."""
        return self.plan.semantic or (self.judge.embedding_model if self.judge and self.judge.embeds else None)


@dataclass(frozen=True, slots=True)
class QuestionSet:
    """The questions to ask, the hash that identifies them, and notes on why they are not the complete golden set."""

    items: list[Item]
    sha256: str
    notes: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ScoringInputs:
    """Everything a run starts from; ``encoder`` is None if no embedding model is needed."""

    options: ScoringOptions
    metric_names: list[str]
    questions: QuestionSet
    documents: Sequence[Document]
    matcher: Matcher
    encoder: TextEncoder | None
    notes: tuple[str, ...]


def read_inputs(
    golden: str | Path | Iterable[Item],
    docs: str | Path | Sequence[Document] | None,
    since: str | Path | None,
    options: ScoringOptions,
) -> ScoringInputs:
    """Read the questions and the documents, and load the embedding model if one is needed.

    Raises:
        ConfigError: an option is invalid.
        InputError: the golden set or the documents cannot be used, or do not belong together.
    """
    metric_names = options.metric_names()
    questions = _read_questions(golden, options.plan.sample, since)
    documents = read_documents(docs)
    notes = (*options.plan.notes, *questions.notes, *_check_evidence(questions.items, documents))
    matcher = Matcher({document.id: document.text for document in documents}, options.cover)
    encoder = None
    if options.embedding_model is not None:
        from kgsynth.models.encoder import load_encoder

        encoder = load_encoder(options.embedding_model)
    return ScoringInputs(options, metric_names, questions, documents, matcher, encoder, notes)


def _read_questions(golden: str | Path | Iterable[Item], sample: str | None, since: str | Path | None) -> QuestionSet:
    """Read a golden set, given as a file, a run folder or items, and choose the questions to ask."""
    if isinstance(golden, str | Path):
        from kgsynth.golden.dataset import file_of, load

        items = list(load(golden))
        content = file_of(golden).read_bytes()
    else:
        items = list(golden)
        content = json.dumps([asdict(item) for item in items], sort_keys=True, default=str).encode()
    _check_items(items, f" {golden}" if isinstance(golden, str | Path) else "")
    chosen, notes = choose(items, sample, since)
    if len(chosen) < len(items):  # other questions need another hash, since their scores are not comparable
        content += "\n".join(item.id for item in chosen).encode()
    return QuestionSet(chosen, f"sha256:{hashlib.sha256(content).hexdigest()}", notes)


def _check_items(items: Sequence[Item], name: str) -> None:
    if not items:
        raise InputError(f"the golden set{name} has no questions: give one that has some")
    repeated = [item_id for item_id, count in Counter(item.id for item in items).items() if count > 1]
    if repeated:
        raise InputError(f"the golden set has two questions with the id {repeated[0]}: make the ids unique")
    for item in items:
        for problem in filter(None, map(fault, item.golden_answers)):
            raise InputError(f"question {item.id}: {problem}; correct it in the golden set")


def _check_evidence(items: Sequence[Item], documents: Sequence[Document]) -> tuple[str, ...]:
    """Return a note on documents of the evidence that are missing, and one on documents that have changed.

    Raise an error if no document of the evidence is among ``documents``.
    """
    if not documents:
        return ()
    texts = {document.id: document.text for document in documents}
    spans = {span for item in items for group in item.evidence for span in group}
    missing = sorted({span.doc for span in spans} - set(texts))
    if spans and len(missing) == len({span.doc for span in spans}):
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
