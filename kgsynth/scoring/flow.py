"""Score a RAG system on a golden set, in stages: read, ask, match, measure, summarise, write.

A question on which the system fails, or for which it has no record, counts 0. Calling systems is in ``systems``,
matching passages to evidence in ``matching``, the formulas in ``metrics``, and the reports in ``text`` and ``page``.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, closing, nullcontext
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from kgsynth.base.config import checked_arguments
from kgsynth.base.errors import ConfigError, InputError, SystemUnreachableError
from kgsynth.base.progress import Progress, silent
from kgsynth.base.records import Document, Item
from kgsynth.scoring.answer_cases import match_answers, read_answers
from kgsynth.scoring.inputs import ScoringInputs, open_golden, read_inputs
from kgsynth.scoring.matching import MATCH_METHODS
from kgsynth.scoring.measurable import keep_measurable, run_notes, saturation
from kgsynth.scoring.metrics.criteria import PassCriteria, plan_metrics, read_pass_criteria
from kgsynth.scoring.metrics.item_score import ItemScore, pass_notes, pass_rate
from kgsynth.scoring.metrics.judged import JUDGED_METRICS, AskJudge, Judge, judged_among, open_judge
from kgsynth.scoring.metrics.judged.labels import UNCHECKED, JudgeCheck, Label, check_judge, read_labels
from kgsynth.scoring.metrics.lookup import signatures
from kgsynth.scoring.metrics.measure import (
    MetricRow,
    applies,
    assessable,
    count_refusals,
    measure_cases,
    over_folder,
    summarise_rows,
)
from kgsynth.scoring.metrics.overall_score import OverallScore, overall_score, with_failed_as_zero
from kgsynth.scoring.metrics.own_metrics import measure_own
from kgsynth.scoring.metrics.repeats import (
    ASKED_ONCE,
    Repeats,
    joined_results,
    mean_row,
    measure_repeats,
    repeat_folders,
)
from kgsynth.scoring.metrics.run_metrics import measure_run
from kgsynth.scoring.metrics.scored_case import ScoredCase, add_semantic_scores
from kgsynth.scoring.metrics.scores import Scores
from kgsynth.scoring.metrics.summary import Value, cluster, summarise
from kgsynth.scoring.output import recording_failure, write_run
from kgsynth.scoring.systems import NO_RECORD, System, asked_as, conversation_notes, names_of, open_system
from kgsynth.scoring.systems.ask_all import SystemAnswers, ask_all

if TYPE_CHECKING:
    from kgsynth.scoring.metrics.judged.judge_all import JudgeResult


@checked_arguments
def score(
    golden: str | Path | Iterable[Item],
    system: str | System | Callable[[str], object],
    *,
    docs: str | Path | Sequence[Document] | None = None,
    mapping: str | None = None,
    out: str | Path | None = None,
    k: Sequence[int] | None = None,
    cover: float = 0.5,
    gates: str | Sequence[str] = (),
    retry_errors: bool = False,
    fresh: bool = False,
    semantic: str | None = None,
    judge: str | Judge | None = None,
    labels: str | Path | Sequence[Label] = (),
    thresholds: str | Path | None = None,
    weights: str | None = None,
    own: Sequence[str] = (),
    sample: str | None = None,
    since: str | Path | None = None,
    only: Sequence[str] = (),
    profile: str | None = None,
    metrics: Sequence[str] = (),
    standalone: bool = False,
    repeats: int = 1,
    history: Path | Literal[False] | None = None,
    check: Callable[[Scores], Scores] | None = None,
    progress: Progress = silent,
) -> Scores:
    """Ask ``system`` every question of ``golden``, and score its answers and the passages it retrieves.

    ``golden`` is a golden.jsonl, a run folder, items, or a set of another tool, whose columns ``mapping`` may assign;
    ``system`` is a target of ``open_system``, a function of the question, or a ``System``. ``docs`` are needed to
    retrieve from, and to place passages without offsets. ``semantic`` names an embedding model and ``judge`` an LLM
    that also measure the answers; ``labels`` of people correct the judge. With ``out``, all results go to that folder
    and an interrupted run is resumed; ``retry_errors`` asks failed questions again, ``fresh`` asks all of them.
    ``cover`` is the share of a span that covers it. ``thresholds`` is a preset or a TOML file, ``weights``
    (``recall@5=2,token_f1=1``) are those of the overall score, ``own`` metrics are FILE.py:FUNCTION. ``sample``
    (``10%``) and ``since`` (a run folder) restrict the questions, as ``only`` does (tags), ``metrics``, ``k``
    (cut-offs) and ``profile`` (one of ``PROFILES``) the metrics. With ``standalone``, later questions of a conversation
    are asked as they are understood without the earlier turns. All questions are asked ``repeats`` times; metrics are
    then the means over the askings. A run with ``out`` is added to the index ``history``, by default the one beside
    ``out``; with False it is not. ``check`` may add gates and notes to the scores before they are written.

    Raises:
        ConfigError: an option is invalid, or the target is unknown.
        InputError: the golden set or the documents cannot be used, or do not belong together.
        SystemUnreachableError: the system cannot be loaded or failed on every question, or the judge is unreachable.
        BudgetError: the budget of the system's model is spent; with ``out`` the next run resumes.
    """
    if out is not None and since is not None and Path(since).resolve() == Path(out).resolve():
        raise ConfigError(f"--since {since} would be overwritten: give another folder with -o")
    folder = Path(out) if out else None
    plan = plan_metrics(profile, metrics, k=k, sample=sample, thresholds=thresholds, semantic=semantic)
    judge = Judge(judge, judged_among(plan.metrics)) if isinstance(judge, str) else judge
    gates = [gates] if isinstance(gates, str) else gates
    criteria = read_pass_criteria(gates, plan.thresholds, weights, own, strict=judge is not None and judge.strict)
    labels = read_labels(Path(labels)) if isinstance(labels, str | Path) else labels
    if labels and judge is None:
        raise ConfigError("labels correct what a judge says: give --judge too")
    golden_set = open_golden(golden, docs, mapping)
    inputs = read_inputs(golden_set, since, only, plan, criteria, judge, cover)
    with (
        recording_failure(folder),
        open_judge(judge, folder) as ask_judge,
    ):  # an unusable judge is reported before any question is asked
        with _open(system, inputs.documents) as opened:
            rag = asked_as(opened, standalone=standalone)
            if hasattr(rag, "match_questions"):
                rag.match_questions(golden_set.items)
            again = {"retry_errors": retry_errors, "fresh": fresh}
            asked = [_ask(inputs, rag, place, progress, **again) for place in repeat_folders(folder, rag, repeats)]
        rounds = [_measure(inputs, answers, ask_judge, progress) for answers in asked]
    scores = _summarise(inputs, rag, rounds, labels, judge)
    scores = check(scores) if check else scores
    if folder:
        scores = write_run(folder, scores, inputs, rounds[0].answers, history)
    return replace(scores, notes=(*scores.notes, *filter(None, [scores.reuse])))


# ---- ask -------------------------------------------------------------------------------------------


def _ask(
    inputs: ScoringInputs, system: System, folder: Path | None, progress: Progress, **again: bool
) -> SystemAnswers:
    """Return the answers by question id; raise an error if there is none at all. ``again`` is for ``ask_all``."""
    answers = ask_all(inputs.items, system, inputs.golden, folder, progress, **again)
    errors = [answer.error for answer in answers.values() if answer.error is not None]
    if set(errors) == {NO_RECORD} and len(errors) == len(answers):
        raise InputError(
            f"{system.name} has no record for any of the {len(answers)} questions: is it for another golden set?"
        )
    if len(errors) == len(answers):
        raise SystemUnreachableError(f"{system.name} failed on all {len(answers)} questions, first with: {errors[0]}")
    return answers


def _open(
    target: str | System | Callable[[str], object], documents: Sequence[Document]
) -> AbstractContextManager[System]:
    """Open a system given by name or as a function; a ``System`` stays open for its owner."""
    if isinstance(target, str):
        return closing(open_system(target, docs=documents))
    if callable(target):
        from kgsynth.scoring.systems.python_function import from_function

        return closing(from_function(target, names_of(documents)))
    return nullcontext(target)


# ---- measure ---------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Measurements:
    """One asking: every question's metrics, the reasons for missing ones, own metrics, and the results of the judge."""

    answers: SystemAnswers
    cases: Sequence[ScoredCase]
    rows: list[MetricRow]
    reasons: Mapping[str, str]
    results: Sequence[ItemScore]
    own_values: Mapping[str, Value]
    notes: tuple[str, ...]
    own_notes: tuple[str, ...]
    judged: JudgeResult | None
    caveat: str


def _measure(
    inputs: ScoringInputs, answers: SystemAnswers, ask_judge: AskJudge | None, progress: Progress
) -> _Measurements:
    """Match the passages of every answer, and compute every metric of every question."""
    answers, notes = read_answers(inputs, answers)
    cases, caveat = keep_measurable(match_answers(inputs, answers), inputs.matcher)
    if inputs.encoder:
        cases = add_semantic_scores(cases, inputs.encoder, progress)
    judged = ask_judge(cases, progress) if ask_judge else None
    cases = judged.cases if judged else cases
    rows, reasons = measure_cases(cases, inputs.metric_names)
    if judged:
        reasons |= {name: reason for name, reason in judged.why.items() if name in reasons}
    own_rows, own_values, own_notes = measure_own(inputs.criteria.own, inputs.items, answers)
    rows = [{**row, **own_row} for row, own_row in zip(rows, own_rows, strict=True)]
    results = tuple(map(ItemScore.of, cases, rows))
    return _Measurements(answers, cases, rows, reasons, results, own_values, notes, own_notes, judged, caveat)


def _over_askings(inputs: ScoringInputs, rounds: Sequence[_Measurements]) -> tuple[_Measurements, Repeats | None]:
    """Return the first asking, with the means and results over all of them, and what several of them show."""
    first = rounds[0]
    if len(rounds) == 1:
        return first, None
    rows = [mean_row(askings) for askings in zip(*(each.rows for each in rounds), strict=True)]
    results = joined_results([each.results for each in rounds], rows)
    reports = [each.judged.report for each in rounds if each.judged]
    found = measure_repeats(results, [each.results for each in rounds], [each.cases for each in rounds], reports)
    if first.judged:  # the last report has the usage of all
        report = replace(first.judged.report, usage=reports[-1].usage, stopped=reports[-1].stopped)
        first = replace(first, judged=replace(first.judged, report=report))
    names = dict.fromkeys(first.own_values, "it gave no value")
    own_values = summarise(rows, [cluster(item) for item in inputs.items], names, unbounded=names)
    return replace(first, rows=rows, results=results, own_values=own_values), found


# ---- summarise -------------------------------------------------------------------------------------


def _summarise(
    inputs: ScoringInputs, system: System, rounds: Sequence[_Measurements], labels: Sequence[Label], judge: Judge | None
) -> Scores:
    """Summarise the metrics over all questions and askings, and check the gates and thresholds."""
    measured, repeats = _over_askings(inputs, rounds)
    checked = check_judge(labels, rounds[0].results) if labels else None
    items, criteria, judged, answers = inputs.items, inputs.criteria, measured.judged, measured.answers
    metrics, by = summarise_rows(items, measured.rows, measured.reasons)
    for kind in ("answers", "knowledge base"):
        metrics |= measure_run(measured.cases, kind, inputs.metric_names)
    resources = measure_run(measured.cases, "resources")
    values = {**metrics, **measured.own_values, **resources}
    results, overall = tuple(measured.results), _overall(values, rounds, criteria.weights)
    outcomes = _outcomes(results, repeats, checked) | {"overall": overall.as_value(len(items))}
    tested = assessable({**values, **outcomes}, results, len(inputs.excluded))
    if judge and judge.checked and not labels:
        tested |= {name: replace(tested[name], value=None, why=UNCHECKED) for name in judge.metrics if name in tested}
    rows = [{"pass_rate": each.pass_share, **row} for each, row in zip(results, measured.rows, strict=True)]
    embedding = f"{inputs.encoder.signature}|max_tokens:{inputs.encoder.max_tokens}" if inputs.encoder else ""
    methods = Counter(method for case in measured.cases for method in case.methods)
    return Scores(
        golden=inputs.golden,
        system=system.name,
        signature=system.signature,
        n_items=len(items),
        n_errors=answers.failures.total(),
        metrics=metrics,
        by=by,
        resources=resources,
        signatures=signatures(inputs.matcher.cover, embedding, judged.signatures if judged else None),
        gates=tuple(gate.check(_of_tag(gate.tag, tested, by, results), criteria.strict) for gate in criteria.gates),
        cover=inputs.matcher.cover,
        matched={method: methods[method] for method in MATCH_METHODS},
        refusals=count_refusals(measured.cases),
        missing=tuple(item.id for item in items if answers[item.id].error == NO_RECORD),
        documents=inputs.documents_hash,
        excluded=inputs.excluded,
        notes=(
            *inputs.notes,
            *_notes(inputs, system, measured, results),
            *(() if labels else _unlabelled_notes(criteria)),
        ),
        thresholds=tuple(
            each.check(tested, criteria.strict, applies=not each.from_preset or applies(each.metric, measured.cases))
            for each in criteria.thresholds
        ),
        overall=overall,
        own_metrics=measured.own_values,
        judge=judged.report if judged else None,
        judge_check=checked,
        repeats=repeats,
        caveat=measured.caveat,
        items=results,
        reused=answers.reused,
        reuse=answers.reuse,
        saturated=saturation(results),
        folder=over_folder(items, rows, measured.reasons),
    )


def _of_tag(
    tag: str,
    values: dict[str, Value],
    by: Mapping[str, Mapping[str, Mapping[str, Value]]],
    results: Sequence[ItemScore],
) -> dict[str, Value]:
    """Return the values to check a gate against: those of the questions with its tag, or of all without a tag."""
    if not tag:
        return values
    own = [each for each in results if tag in each.tags]
    why = "it is not measured for single questions" if own else f"no question has the tag {tag}"
    known, missing = {**by["tag"][tag], "pass_rate": pass_rate(own)} if own else {}, Value(None, 0, len(own), why=why)
    usable = {name: each if each.value is None else known.get(name, missing) for name, each in values.items()}
    return assessable(usable, own, 0)


def _notes(
    inputs: ScoringInputs, system: System, measured: _Measurements, results: Sequence[ItemScore]
) -> Iterator[str]:
    """Yield what a reader of the results must know."""
    items, by_meaning = inputs.items, inputs.plan.semantic is not None or measured.judged is not None
    yield from measured.notes
    yield from getattr(system, "notes", ())
    yield from conversation_notes(items, system)
    yield from run_notes(measured.cases, inputs.matcher)
    yield from _failure_notes(measured.answers.failures, len(items))
    unchecked = Counter(result.not_checked for result in results if result.not_checked)
    yield from (f"{n} of {len(results)} questions were not checked: {reason}" for reason, n in unchecked.items())
    yield from pass_notes(results, by_meaning)
    yield from measured.own_notes
    yield from measured.judged.notes if measured.judged else ()


def _outcomes(results: Sequence[ItemScore], repeats: Repeats | None, checked: JudgeCheck | None) -> dict[str, Value]:
    """Return the shares of questions that gates may name."""
    return {
        "pass_rate": pass_rate(results),
        "passed_every_time": repeats.all_of[repeats.n] if repeats else Value(None, 0, len(results), why=ASKED_ONCE),
        "judged_right": checked.value if checked else Value(None, 0, len(results), why=UNCHECKED),
    }


def _overall(
    values: Mapping[str, Value], rounds: Sequence[_Measurements], weights: Mapping[str, float] | None
) -> OverallScore:
    """Return the overall score over all askings, in which questions that failed count 0."""
    rows = [row for each in rounds for row in each.rows]
    failed = [result.cause is not None for each in rounds for result in each.results]
    return overall_score(values, weights, with_failed_as_zero(values, rows, failed))


def _unlabelled_notes(criteria: PassCriteria) -> tuple[str, ...]:
    """Return a note on gates and thresholds that rest on a judge whom nobody checked, nothing if there are none."""
    every = dict.fromkeys(each.metric for each in (*criteria.gates, *criteria.thresholds))
    named = [name for name in every if name in JUDGED_METRICS]
    return (f"{', '.join(named)} decides here, and {UNCHECKED}",) if named else ()


def _failure_notes(failures: Counter[str], n_items: int) -> tuple[str, ...]:
    """Return a sentence with the number of failures of each kind, nothing without failures."""
    counts = ", ".join(f"{kind} {n}" for kind, n in sorted(failures.items(), key=lambda each: (-each[1], each[0])))
    return (f"{failures.total()} of {n_items} questions failed: {counts}",) if failures else ()
