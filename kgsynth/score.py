"""Score a RAG system on a golden set: read, ask, match, measure, sum up, write; ``score`` names the stages in order.

A question the system fails on, or has no record for, counts 0. Left out: how a system is called (``systems``), what
covers what (``matching``), the arithmetic (``metrics``) and the tables (``report_text``).
"""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence, Set
from contextlib import AbstractContextManager, closing, nullcontext
from dataclasses import asdict
from pathlib import Path

from kgsynth.errors import ConfigError, InputError, SystemUnreachableError
from kgsynth.matching import WAYS, Coverage, Matcher
from kgsynth.metrics import RUN_METRICS, Case, defined, names, signatures, split, why_null
from kgsynth.metrics.answers import refuses
from kgsynth.metrics.case import with_meaning
from kgsynth.metrics.gates import Gate, parse_gates
from kgsynth.metrics.of_runs import of_run
from kgsynth.metrics.scores import Scores
from kgsynth.metrics.semantic import TextEncoder
from kgsynth.metrics.summary import Value, summarise
from kgsynth.patterns import fault
from kgsynth.progress import Progress, silent
from kgsynth.records import Answer, Document, Item
from kgsynth.systems import NO_RECORD, System, open_system
from kgsynth.systems.asking import ask_all, write_text

SLICES = ("question_type", "subtype", "difficulty")
"""The fields of an item by which every metric is broken down."""

Row = dict[str, float | None]


def score(
    golden: str | Path | Iterable[Item],
    system: str | System | Callable[[str], object],
    *,
    docs: str | Path | Sequence[Document] | None = None,
    out: str | Path | None = None,
    k: Sequence[int] = (1, 3, 5, 10),
    cover: float = 0.5,
    gates: Sequence[str] = (),
    semantic: str | None = None,
    progress: Progress = silent,
) -> Scores:
    """Ask ``system`` every question of ``golden`` and score what it says and retrieves.

    ``golden`` is a golden.jsonl, a run folder or items; ``system`` a target as ``open_system`` reads it, a function of
    the question, or a ``System``. The documents ``docs`` are needed to retrieve from, and to place passages that come
    without offsets. ``semantic`` names an embedding model, which then measures the answers too. With ``out`` the folder
    gets answers.jsonl, items.jsonl, scores.json and scores.md, and an interrupted run goes on.

    Raises:
        ConfigError: a gate, a cut-off or ``cover`` that cannot be, or an unknown target.
        InputError: the golden set or the documents cannot be used, or do not belong together.
        SystemUnreachableError: the system cannot be loaded, or failed on every question.
    """
    wanted = parse_gates(gates)
    ks = _cut_offs(k, wanted)
    items, sha = _read_golden(golden)
    documents = read_documents(docs)
    notes = _check(items, documents)
    matcher = Matcher({document.id: document.text for document in documents}, cover)
    encoder = _encoder(semantic)
    with _opened(system, documents) as rag:
        answers = ask_all(items, rag, sha, Path(out) if out else None, progress)
    _check_answers(answers, rag)
    coverages = [matcher.match(answers[item.id].retrieved, item.evidence if item.answerable else ()) for item in items]
    cases = [_case(item, answers[item.id], coverage, matcher) for item, coverage in zip(items, coverages, strict=True)]
    cases = with_meaning(cases, encoder, progress) if encoder else cases
    ways = Counter(way for coverage in coverages for way in coverage.ways)
    rows, why = _measure(cases, set(ways), names(ks))
    metrics, by = _sum_up(items, rows, why)
    metrics |= of_run(cases, "answers")
    resources = of_run(cases, "resources")
    scores = Scores(
        golden=sha,
        system=rag.name,
        signature=rag.signature,
        n_items=len(items),
        n_errors=sum(answer.error not in (None, NO_RECORD) for answer in answers.values()),
        metrics=metrics,
        by=by,
        resources=resources,
        signatures=signatures(cover, f"{encoder.signature}|max_tokens:{encoder.max_tokens}" if encoder else ""),
        gates=tuple(gate.verdict({**metrics, **resources}) for gate in wanted),
        cover=cover,
        matched={way: ways[way] for way in WAYS},
        refusals=_refusals(cases),
        missing=tuple(item.id for item in items if answers[item.id].error == NO_RECORD),
        notes=notes,
    )
    if out:
        _write(Path(out), scores, cases, coverages, rows)
    return scores


def _opened(
    system: str | System | Callable[[str], object], documents: Sequence[Document]
) -> AbstractContextManager[System]:
    """Open a system that was named, or take the one given, which is the caller's to close."""
    if isinstance(system, str):
        return closing(open_system(system, docs=documents))
    if callable(system):
        from kgsynth.systems.python import from_function

        return closing(from_function(system))
    return nullcontext(system)


def _encoder(name: str | None) -> TextEncoder | None:
    """Load the embedding model that was asked for, before any question is asked."""
    if name is None:
        return None
    from kgsynth.encoder import load_encoder

    return load_encoder(name)


# ---- read ------------------------------------------------------------------------------------------


def _cut_offs(k: Sequence[int], gates: Sequence[Gate]) -> list[int]:
    """Return the cut-offs asked for, those of the gates among them."""
    wrong = [cut for cut in k if cut < 1]
    if wrong or not k:
        raise ConfigError(f"-k {wrong[0] if wrong else '(none)'} is no cut-off: give whole numbers of 1 or more")
    return sorted({*k, *(split(gate.metric)[1] for gate in gates if gate.metric not in RUN_METRICS)} - {0})


def _read_golden(golden: str | Path | Iterable[Item]) -> tuple[list[Item], str]:
    if isinstance(golden, str | Path):
        from kgsynth.dataset import file_of, load

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
    return items, f"sha256:{hashlib.sha256(content).hexdigest()}"


def read_documents(docs: str | Path | Sequence[Document] | None) -> tuple[Document, ...]:
    """Read the documents of a folder, those that can be read; nothing for None.

    Raises:
        InputError: the folder holds none.
    """
    if docs is None:
        return ()
    if not isinstance(docs, str | Path):
        return tuple(docs)
    from kgsynth.corpus import read_folder

    documents = tuple(entry for entry in read_folder(Path(docs)) if isinstance(entry, Document))
    if not documents:
        raise InputError(f"{docs} holds no document that can be read: give the folder the golden set was made from")
    return documents


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
        notes.append(f"{len(moved)} documents have changed since the golden set was made: {', '.join(moved[:5])}")
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


# ---- measure ---------------------------------------------------------------------------------------


def _case(item: Item, answer: Answer, coverage: Coverage, matcher: Matcher) -> Case:
    wanted = item.evidence if item.answerable else ()
    return Case(
        item=item,
        answer=None if answer.error == NO_RECORD else answer,
        evidence=coverage.evidence,
        files=coverage.files,
        before=matcher.match(answer.before, wanted).evidence if answer.before else None,
        texts=tuple(text for text in map(matcher.text, answer.retrieved) if text),
    )


def _measure(cases: Sequence[Case], ways: Set[str], metrics: Sequence[str]) -> tuple[list[Row], dict[str, str]]:
    """Return every metric of every question (None where it is not defined), and why one has no value at all."""
    absent = _absent(cases, ways)
    parts = {name: split(name) for name in metrics}
    rows = [
        {
            name: metric.compute(case, k) if metric.kind not in absent and defined(metric, case) else None
            for name, (metric, k) in parts.items()
        }
        for case in cases
    ]
    return rows, {name: absent.get(metric.kind) or why_null(metric) for name, (metric, _) in parts.items()}


def _absent(cases: Sequence[Case], ways: Set[str]) -> dict[str, str]:
    """Return the kinds of metrics for which the system gives nothing to measure, each with the reason."""
    absent: dict[str, str] = {}
    if not ways:
        absent |= dict.fromkeys(("retrieval", "passages", "reranking"), "the system returns no passages")
    elif ways == {"nothing"}:
        reason = "no passage could be tied to a document; give the documents with --docs"
        absent |= dict.fromkeys(("retrieval", "reranking"), reason)
    if not any(case.answered for case in cases):
        absent |= dict.fromkeys(("answers", "semantic", "heuristics"), "the system gives no answers")
    elif all(case.meaning is None for case in cases):
        absent["semantic"] = "not asked for: give --semantic"
    return absent


def _refusals(cases: Sequence[Case]) -> dict[str, dict[str, int]] | None:
    """Count expected against actual: four cells."""
    cells = Counter((case.item.answerable, refuses(case.said)) for case in cases if case.answered)
    if not cells:
        return None
    kinds = {"answerable": True, "unanswerable": False}
    return {kind: {"answered": cells[able, False], "refused": cells[able, True]} for kind, able in kinds.items()}


# ---- sum up ----------------------------------------------------------------------------------------


def _sum_up(
    items: Sequence[Item], rows: Sequence[Row], why: Mapping[str, str]
) -> tuple[dict[str, Value], dict[str, dict[str, dict[str, Value]]]]:
    clusters = [cluster(item) for item in items]
    by: dict[str, dict[str, dict[str, Value]]] = {}
    for field in SLICES:
        labels = [str(getattr(item, field)) for item in items]
        by[field] = {}
        for label in sorted(set(labels)):
            at = [number for number, own in enumerate(labels) if own == label]
            by[field][label] = summarise([rows[i] for i in at], [clusters[i] for i in at], why)
    return summarise(rows, clusters, why), by


def cluster(item: Item) -> str:
    """Return the source document of an item: that of its first evidence; its own id when it has none."""
    return item.evidence[0][0].doc if item.evidence else item.id


# ---- write -----------------------------------------------------------------------------------------


def _write(
    out: Path, scores: Scores, cases: Sequence[Case], coverages: Sequence[Coverage], rows: Sequence[Row]
) -> None:
    from kgsynth.report_text import markdown

    lines = []
    for case, coverage, row in zip(cases, coverages, rows, strict=True):
        item = case.item
        line = {
            "id": item.id,
            "question": item.question,
            **{field: getattr(item, field) for field in SLICES},
            "cluster": cluster(item),
            "metrics": row,
            "group_ranks": coverage.ranks,
            "matched": coverage.ways,
            "cause": cause(case, coverage, row),
        }
        lines.append(json.dumps(line, ensure_ascii=False) + "\n")
    write_text(out / "items.jsonl", lines)
    write_text(out / "scores.json", [json.dumps(scores.to_json(), ensure_ascii=False, indent=1), "\n"])
    write_text(out / "scores.md", [markdown(scores)])


def cause(case: Case, coverage: Coverage, row: Row) -> str | None:
    """Say in what way the system failed on a question: error, evidence missed, answer; None if it did not."""
    item, answer = case.item, case.answer
    if answer is None or answer.error is not None:
        return answer.error if answer else NO_RECORD
    if not item.answerable:
        return "answered though unanswerable" if row["refusal"] == 0 else None
    causes = []
    if row["context_recall"] is not None and None in coverage.ranks:
        lost = [item.evidence[at][0].doc for at, rank in enumerate(coverage.ranks) if rank is None]
        causes.append(f"{len(lost)} of {len(coverage.ranks)} evidence groups not retrieved: {', '.join(lost)}")
    if row["em"] == 0 and row["sub_em"] == 0:
        declined = answer.answer is not None and refuses(answer.answer)
        causes.append("declined though answerable" if declined else "no golden answer in the answer")
    return "; ".join(causes) or None
