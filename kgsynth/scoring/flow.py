"""Score a RAG system on a golden set: read, ask, match, measure, sum up, write; ``score`` names the stages in order.

A question the system fails on, or has no record for, counts 0. Left out: how a system is called (``systems``), what
covers what (``matching``), the arithmetic (``metrics``) and the tables (``report_text``).
"""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import AbstractContextManager, closing, nullcontext
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from kgsynth.base.atomic_files import write_files, write_text
from kgsynth.base.errors import ConfigError, InputError, SystemUnreachableError
from kgsynth.base.progress import Progress, silent
from kgsynth.base.records import Answer, Document, Item
from kgsynth.documents import read_documents
from kgsynth.golden.answer_patterns import fault
from kgsynth.scoring.matching import WAYS, Coverage, Matcher
from kgsynth.scoring.metrics import Case, signatures
from kgsynth.scoring.metrics.case import with_meaning
from kgsynth.scoring.metrics.custom import measure as measure_own
from kgsynth.scoring.metrics.judged import Judge, judged_among, opened
from kgsynth.scoring.metrics.judged.report import Reply
from kgsynth.scoring.metrics.measure import measure, refusals, sum_up
from kgsynth.scoring.metrics.overall_score import overall
from kgsynth.scoring.metrics.pass_criteria import Standards, read_standards
from kgsynth.scoring.metrics.profiles import plan
from kgsynth.scoring.metrics.run_metrics import of_run
from kgsynth.scoring.metrics.scores import ItemScore, Scores
from kgsynth.scoring.metrics.semantic import TextEncoder
from kgsynth.scoring.page import page
from kgsynth.scoring.sampling import choose
from kgsynth.scoring.systems import NO_RECORD, System, open_system
from kgsynth.scoring.systems.ask_all import ask_all
from kgsynth.scoring.systems.reply_reader import kind

if TYPE_CHECKING:
    from kgsynth.scoring.metrics.judged.judge_all import Judgement


def score(
    golden: str | Path | Iterable[Item],
    system: str | System | Callable[[str], object],
    *,
    docs: str | Path | Sequence[Document] | None = None,
    out: str | Path | None = None,
    k: Sequence[int] | None = None,
    cover: float = 0.5,
    gates: Sequence[str] = (),
    retry_errors: bool = False,
    semantic: str | None = None,
    judge: str | Judge | None = None,
    thresholds: str | Path | None = None,
    weights: str | None = None,
    own: Sequence[str] = (),
    sample: str | None = None,
    since: str | Path | None = None,
    profile: str | None = None,
    metrics: Sequence[str] = (),
    progress: Progress = silent,
) -> Scores:
    """Ask ``system`` every question of ``golden`` and score what it says and retrieves.

    ``golden`` is a golden.jsonl, a run folder or items; ``system`` a target as ``open_system`` reads it, a function of
    the question, or a ``System``. The documents ``docs`` are needed to retrieve from, and to place passages that come
    without offsets. ``semantic`` names an embedding model, which then measures the answers too, ``judge`` a language
    model, which then judges them. With ``out`` the folder gets answers.jsonl, items.jsonl, scores.json, scores.md and
    report.html, and an interrupted run goes on; ``retry_errors`` asks the questions that failed in it again.

    ``thresholds`` is a preset or a TOML file, ``weights`` such as ``recall@5=2,token_f1=1`` are of the overall score,
    ``own`` metrics are FILE.py:FUNCTION. ``sample`` (``10%``) and ``since`` (a run folder) ask only some questions.
    Of ``metrics`` those named are computed, all when none is; ``profile`` is one of ``PROFILES``.

    Raises:
        ConfigError: one of these, a gate, a metric, a cut-off or ``cover`` cannot be, or the target is unknown.
        InputError: the golden set or the documents cannot be used, or do not belong together.
        SystemUnreachableError: the system cannot be loaded or failed on every question, or the judge is out of reach.
        BudgetError: the system's model may not be asked more; with ``out`` the next run goes on.
    """
    if since is not None and out is not None and Path(since).resolve() == Path(out).resolve():
        raise ConfigError(f"--since {since} would be written over: give another folder with -o")
    planned = plan(profile, metrics, k=k, sample=sample, thresholds=thresholds, semantic=semantic)
    judge = Judge(judge, judged_among(planned.metrics)) if isinstance(judge, str) else judge
    standards = read_standards(gates, planned.thresholds, weights, own, strict=judge is not None and judge.strict)
    wanted = planned.names(standards.cut_offs(planned.k), (*standards.named, *(judge.metrics if judge else ())))
    items, sha, chosen = _read_golden(golden, planned.sample, since)
    documents = read_documents(docs)
    notes = (*planned.notes, *chosen, *_check(items, documents))
    matcher = Matcher({document.id: document.text for document in documents}, cover)
    encoder = _encoder(planned.semantic or (judge.embedding_model if judge and judge.embeds else None))
    with opened(judge, Path(out) if out else None) as judging:  # what it lacks is told before any question is asked
        with _opened(system, documents) as rag:
            answers = ask_all(items, rag, sha, Path(out) if out else None, progress, retry_errors=retry_errors)
        _check_answers(answers, rag)
        coverages, cases = _match(items, answers, matcher)
        meaning = encoder if planned.semantic else None
        cases = with_meaning(cases, meaning, progress) if meaning else cases
        judgement = judging(cases, encoder, progress) if judging else None
    cases = judgement.cases if judgement else cases
    run = _Run(sha, rag, cover, meaning, items, answers, coverages, cases, judgement, notes)
    scores = _sum_up(run, wanted, standards)
    if out:
        _write(Path(out), scores)
        write_files(Path(out), page(scores, items, answers, {each.id: each for each in documents}).files())
    return scores


def _opened(
    system: str | System | Callable[[str], object], documents: Sequence[Document]
) -> AbstractContextManager[System]:
    """Open a system that was named, or take the one given, which is the caller's to close."""
    if isinstance(system, str):
        return closing(open_system(system, docs=documents))
    if callable(system):
        from kgsynth.scoring.systems.python_function import from_function

        return closing(from_function(system))
    return nullcontext(system)


def _encoder(name: str | None) -> TextEncoder | None:
    """Load the embedding model that was asked for, before any question is asked."""
    if name is None:
        return None
    from kgsynth.models.encoder import load_encoder

    return load_encoder(name)


# ---- read ------------------------------------------------------------------------------------------


def _read_golden(
    golden: str | Path | Iterable[Item], sample: str | None, since: str | Path | None
) -> tuple[list[Item], str, tuple[str, ...]]:
    """Return the questions to ask, their hash, and in what way they are not the whole set."""
    if isinstance(golden, str | Path):
        from kgsynth.golden.dataset import file_of, load

        items = list(load(golden))
        content = file_of(golden).read_bytes()
    else:
        items = list(golden)
        content = json.dumps([asdict(item) for item in items], sort_keys=True, default=str).encode()
    if not items:
        where = f" {golden}" if isinstance(golden, str | Path) else ""
        raise InputError(f"the golden set{where} holds no question: give one that does")
    twice = [item_id for item_id, count in Counter(item.id for item in items).items() if count > 1]
    if twice:
        raise InputError(f"the golden set has two questions with the id {twice[0]}: give each its own")
    wrong = [(item.id, reason) for item in items for reason in map(fault, item.golden_answers) if reason]
    if wrong:
        raise InputError(f"question {wrong[0][0]}: {wrong[0][1]}; mend it")
    chosen, notes = choose(items, sample, since)
    if len(chosen) < len(items):  # another set of questions, whose runs are not to be compared with those of the whole
        content += "\n".join(item.id for item in chosen).encode()
    return chosen, f"sha256:{hashlib.sha256(content).hexdigest()}", notes


def _check(items: Sequence[Item], documents: Sequence[Document]) -> tuple[str, ...]:
    """Say whether the evidence stands in the documents where the golden set says it does."""
    if not documents:
        return ()
    texts = {document.id: document.text for document in documents}
    spans = {span for item in items for group in item.evidence for span in group}
    unknown = sorted({span.doc for span in spans} - set(texts))
    if spans and len(unknown) == len({span.doc for span in spans}):
        raise InputError(
            f"none of the {len(unknown)} documents of the evidence ({unknown[0]} …) is among the {len(texts)} "
            "given: give the folder the golden set was made from"
        )
    notes = []
    if unknown:
        notes.append(f"{len(unknown)} documents of the evidence are not among those given: {', '.join(unknown[:5])}")
    moved = sorted(
        {span.doc for span in spans if span.doc in texts and texts[span.doc][span.start : span.end] != span.text}
    )
    if moved:
        notes.append(
            f"{len(moved)} documents have changed since the golden set was made: {', '.join(moved[:5])}; "
            "kgsynth audit --fix puts its spans where they stand now"
        )
    return tuple(notes)


def _check_answers(answers: Mapping[str, Answer], system: System) -> None:
    errors = [answer.error for answer in answers.values() if answer.error is not None]
    if len(errors) < len(answers):
        return
    if set(errors) == {NO_RECORD}:
        raise InputError(f"{system.name} has a record for none of the {len(answers)} questions: is it for another set?")
    raise SystemUnreachableError(
        f"{system.name} failed on all {len(answers)} questions, the first time with: {errors[0]}"
    )


def _failures(answers: Mapping[str, Answer]) -> tuple[str, ...]:
    """Count the failures by what kind they are, in a sentence; none when there are none."""
    kinds = Counter(kind(answer.error) for answer in answers.values() if answer.error not in (None, NO_RECORD))
    told = ", ".join(f"{name} {count}" for name, count in sorted(kinds.items(), key=lambda each: (-each[1], each[0])))
    return (f"{kinds.total()} questions failed: {told}",) if told else ()


# ---- match -----------------------------------------------------------------------------------------


def _match(items: Sequence[Item], answers: Mapping[str, Answer], matcher: Matcher) -> tuple[list[Coverage], list[Case]]:
    """Return what the passages of each item cover, and what the metrics are given of it."""
    coverages, cases = [], []
    for item in items:
        answer, wanted = answers[item.id], item.evidence if item.answerable else ()
        coverage = matcher.match(answer.retrieved, wanted)
        coverages.append(coverage)
        cases.append(
            Case(
                item=item,
                answer=None if answer.error == NO_RECORD else answer,
                evidence=coverage.evidence,
                files=coverage.files,
                docs=coverage.docs,
                before=matcher.match(answer.before, wanted).evidence if answer.before else None,
                texts=tuple(text for text in map(matcher.text, answer.retrieved) if text),
            )
        )
    return coverages, cases


# ---- sum up ----------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Run:
    """What was asked of which system, what it answered, and what that covers, all in the order of the items."""

    golden: str
    system: System
    cover: float
    encoder: TextEncoder | None
    items: Sequence[Item]
    answers: Mapping[str, Answer]
    coverages: Sequence[Coverage]
    cases: Sequence[Case]
    judgement: Judgement | None
    notes: tuple[str, ...]


def _sum_up(run: _Run, measured: Sequence[str], standards: Standards) -> Scores:
    """Measure every question, and hold the means against the standards."""
    ways = Counter(way for coverage in run.coverages for way in coverage.ways)
    judged, encoder = run.judgement, run.encoder
    rows, why = measure(run.cases, set(ways), measured)
    why |= {name: reason for name, reason in judged.why.items() if name in why} if judged else {}
    metrics, by = sum_up(run.items, rows, why)
    metrics |= of_run(run.cases, "answers", measured) | of_run(run.cases, "knowledge base", measured)
    resources = of_run(run.cases, "resources")
    own_rows, own_values, amiss = measure_own(standards.own, run.items, run.answers)
    values = {**metrics, **own_values, **resources}
    embedding = f"{encoder.signature}|max_tokens:{encoder.max_tokens}" if encoder else ""
    return Scores(
        golden=run.golden,
        system=run.system.name,
        signature=run.system.signature,
        n_items=len(run.items),
        n_errors=sum(answer.error not in (None, NO_RECORD) for answer in run.answers.values()),
        metrics=metrics,
        by=by,
        resources=resources,
        signatures=signatures(run.cover, embedding, judged.signatures if judged else None),
        gates=tuple(gate.verdict(values, standards.strict) for gate in standards.gates),
        cover=run.cover,
        matched={way: ways[way] for way in WAYS},
        refusals=refusals(run.cases),
        missing=tuple(item.id for item in run.items if run.answers[item.id].error == NO_RECORD),
        notes=(*run.notes, *_failures(run.answers), *amiss, *(judged.notes if judged else ())),
        thresholds=tuple(threshold.held(values, standards.strict) for threshold in standards.thresholds),
        overall=overall(values, standards.weights),
        own_metrics=own_values,
        judge=judged.report if judged else None,
        items=tuple(
            ItemScore.of(case, coverage.ranks, coverage.ways, {**row, **own_row})
            for case, coverage, row, own_row in zip(run.cases, run.coverages, rows, own_rows, strict=True)
        ),
    )


# ---- write -----------------------------------------------------------------------------------------


def _write(out: Path, scores: Scores) -> None:
    from kgsynth.scoring.text import markdown

    tables: dict[str, Sequence[ItemScore | Reply]] = {"items": scores.items}
    if scores.judge:
        tables["judged"] = scores.judge.replies
    for name, rows in tables.items():
        lines = (json.dumps(row.to_json(), ensure_ascii=False) + "\n" for row in rows)
        write_text(out / f"{name}.jsonl", lines)
    write_text(out / "scores.json", [json.dumps(scores.to_json(), ensure_ascii=False, indent=1), "\n"])
    write_text(out / "scores.md", [markdown(scores)])
