"""The HTML report of ``compare``: which runs differ significantly, the ranking, and the questions side by side."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from kgsynth.base.records import Answer, Item, Passage
from kgsynth.comparison.headline import headline
from kgsynth.comparison.results import ComparedQuestion, Comparison, Pair
from kgsynth.comparison.text import (
    LEGEND,
    METRIC_COLUMNS,
    RANK_NOTE,
    cells,
    decimals,
    decision,
    evidence_ranks,
    interval,
    ranking_table,
    size,
    verdict,
)
from kgsynth.scoring.metrics.answer_match import titled
from kgsynth.scoring.passage_view import PassageView, passage_views
from kgsynth.scoring.systems.answers_file import read_answers
from kgsynth.show.evidence_view import Piece
from kgsynth.show.pages import Report, render
from kgsynth.show.plots import Plot, matrix, scatter, whiskers
from kgsynth.show.questions import MAX_QUESTIONS_LISTED, ListedQuestion, filters
from kgsynth.show.wording import cut, joined, many

_PASSAGES_SHOWN = 3
"""The number of passages shown of each run; later ones are shown only if they cover evidence."""
_MAX_PASSAGES = 3000
"""More passages on one page would make it larger than 3 MB; the questions that differ most come first."""
_MAX_RUNS_NAMED = 4
_ANSWER_LETTERS, _EVIDENCE_LETTERS = 1500, 400


@dataclass(frozen=True, slots=True)
class RunView:
    """What one run gave for a question; ``lower`` names the metrics on which another run is higher."""

    label: str
    lower: str
    figures: str
    answer: str | None
    ranks: str
    passages: tuple[PassageView, ...]


def question_rows(comparison: Comparison) -> tuple[list[ListedQuestion], list[str]]:
    """Return a row for each question, the largest differences first, and notes on passages that are not shown.

    Raises:
        InputError: an answers.jsonl is not as ``score`` writes it.
    """
    answers, notes = _answers(comparison)
    rows, left, without = [], _MAX_PASSAGES, 0
    for question in comparison.questions[:MAX_QUESTIONS_LISTED]:
        passages = _passages(question, answers) if question.differs else {}
        size = sum(map(len, passages.values()))
        if size > left:
            passages, without = {}, without + 1
        else:
            left -= size
        rows.append(_row(question, passages))
    if without:
        notes.append(
            f"The passages of {many(without, 'question')} are not shown, to keep the page small; the answers.jsonl of "
            "each run has them"
        )
    return rows, notes


def _answers(comparison: Comparison) -> tuple[dict[str, dict[str, Answer]], list[str]]:
    """Return the answers of each run that has an answers.jsonl, and a note on each run without one."""
    files = {label: folder / "answers.jsonl" for label, folder in comparison.folders.items()}
    found = {label: read_answers(file, broken_end=True) for label, file in files.items() if file.is_file()}
    notes = [f"{label} has no answers.jsonl, so its passages are not shown" for label in files if label not in found]
    return found, notes


def _passages(
    question: ComparedQuestion, answers: Mapping[str, Mapping[str, Answer]]
) -> dict[str, tuple[PassageView, ...]]:
    item = Item(question.id, question.question, question.expected, question.question_type, "", "", question.evidence)
    found = {}
    for label, own in answers.items():
        if question.id in own:
            answer = own[question.id]
            views = passage_views(answer, item, question.ranks[label], {})
            shown = (each for each in views if each.rank <= _PASSAGES_SHOWN or each.covers)
            found[label] = tuple(_with_evidence(each, answer.retrieved[each.rank - 1], question) for each in shown)
    return found


def _with_evidence(view: PassageView, passage: Passage, question: ComparedQuestion) -> PassageView:
    """Return a passage whose text is unknown, with the evidence that it covers as its text."""
    if passage.text is not None or passage.start is None:
        return view
    pieces = [Piece(f"(characters {passage.start} to {passage.end}; the run has no text of it) ")]
    groups = [question.evidence[group - 1] for group in view.covers if group <= len(question.evidence)]
    for group in groups:
        span = next((span for span in group if span.doc == passage.doc), group[0])
        pieces += [Piece(cut(span.text, _EVIDENCE_LETTERS), "evidence"), Piece(" ")]
    return replace(view, pieces=tuple(pieces))


def _row(question: ComparedQuestion, passages: Mapping[str, tuple[PassageView, ...]]) -> ListedQuestion:
    lower = question.lower
    keys = {
        "result": ["different" if question.differs else "the same"],
        "worse": [*lower],
        "metric": [*question.spreads],
        "type": [question.question_type],
        "difficulty": [question.difficulty],
    }
    more = {
        "expected": " | ".join(question.expected),
        "evidence": [(group[0], cut(group[0].text, _EVIDENCE_LETTERS)) for group in question.evidence if group],
        "runs": [*_run_views(question, lower, passages)],
    }
    tags = tuple(each.replace("_", " ") for each in (question.question_type, question.difficulty) if each)
    return ListedQuestion(question.id, question.question, _summary(question), tags, keys, None, more)


def _run_views(
    question: ComparedQuestion, lower: Mapping[str, Sequence[str]], passages: Mapping[str, tuple[PassageView, ...]]
) -> Iterator[RunView]:
    for label, given in question.given.items():
        figures = ", ".join(f"{name} {decimals(own[label])}" for name, own in question.values.items())
        answer = None if given is None else cut(given, _ANSWER_LETTERS)
        ranks = evidence_ranks(question.ranks[label])
        yield RunView(label, ", ".join(lower.get(label, ())), figures, answer, ranks, passages.get(label, ()))


def _summary(question: ComparedQuestion) -> str:
    """Return the values of the runs on the metric that differs most; of many runs the lowest and the highest."""
    metric = question.largest
    values = question.values[metric]
    if len(values) <= _MAX_RUNS_NAMED:
        return f"{metric}: {' · '.join(f'{label} {decimals(value)}' for label, value in values.items())}"
    known = {label: value for label, value in values.items() if value is not None}
    if not question.differs:
        return f"{metric} {decimals(next(iter(known.values()), None))} in every run"
    ends = (min(known.values()), max(known.values()))
    return f"{metric}: {' · '.join(f'{decimals(end)} ({_named(known, end)})' for end in ends)}"


def _named(values: Mapping[str, float], wanted: float) -> str:
    """Return the labels with this value, of many the first two."""
    labels = [label for label, value in values.items() if value == wanted]
    return joined(labels if len(labels) <= 3 else [*labels[:2], f"{len(labels) - 2} more"])


_MAX_PAIRS_DETAILED = 6
"""The pairs of four runs; the plots of more pairs would make the page large."""
_FILTERS = {"result": "Result", "worse": "Worse in", "metric": "Metric", "type": "Type", "difficulty": "Difficulty"}


def page(comparison: Comparison) -> Report:
    """Return the report of a comparison of two or more runs; what they retrieved is read from their folders.

    Raises:
        InputError: an answers.jsonl is not as ``score`` writes it.
    """
    detailed = comparison.pairs if len(comparison.pairs) <= _MAX_PAIRS_DETAILED else ()
    views = [(key := f"pair-{at}", pair, [*_pair_plots(key, pair, comparison)]) for at, pair in enumerate(detailed, 1)]
    rankings = list(_ranking_plots(comparison))
    pictures = (*rankings, *(plot for *_, plots in views for plot in plots))
    rows, row_notes = question_rows(comparison)
    html = render(
        "comparison/page.html",
        kind="Comparison",
        title=headline(comparison),
        lead=size(comparison),
        pictures=pictures,
        comparison=comparison,
        ranking_plots=rankings,
        ranking=ranking_table(comparison) if comparison.rankings else None,
        rank_note=RANK_NOTE,
        columns=METRIC_COLUMNS,
        legend=LEGEND,
        table=lambda pair: [cells(row) for row in pair.rows],
        verdict=verdict,
        decision=decision,
        interval=interval,
        views=views,
        rows=rows,
        row_notes=row_notes,
        changed=sum(each.differs for each in comparison.questions),
        total=len(comparison.questions),
        choices=filters(rows, _FILTERS, {"result": "different"}),
    )
    return Report(html, pictures)


def _pair_plots(key: str, pair: Pair, comparison: Comparison) -> Iterator[Plot]:
    differences = {row.metric: row.difference for row in pair.rows}
    points = [(metric, found.difference, found.ci95) for metric, found in differences.items()]
    title = f"{pair.b} − {pair.a}, with 95 % intervals; coloured if significant"
    yield whiskers(f"{key}-differences", title, points, zero=True, coloured=[row.significant for row in pair.rows])
    counts = [[float(found.higher), float(found.same), float(found.lower)] for found in differences.values()]
    columns = ("B higher", "the same", "B lower")
    yield matrix(f"{key}-questions", "Number of questions", [*differences], columns, counts)
    for row in pair.rows[:2]:
        values = {each.id: each.values[row.metric] for each in comparison.questions}
        points_of = ((own[pair.a], own[pair.b], item) for item, own in sorted(values.items()))
        both = [(a, b, item) for a, b, item in points_of if a is not None and b is not None]
        if both:
            name = f"{key}-{row.metric.replace('@', '-at-')}"
            title = f"{titled(row.metric, comparison.notes)} of each question; B is higher above the line"
            yield scatter(name, title, both, axes=(f"A  {pair.a}", f"B  {pair.b}"), diagonal=True)


def _ranking_plots(comparison: Comparison) -> Iterator[Plot]:
    for ranking in comparison.rankings:
        points = [
            (f"{ranking.ranks[label]}.  {label}" if ranking.ranks else label, mean, ranking.ci95.get(label))
            for label, mean in ranking.means.items()
        ]
        shares = all(0 <= edge <= 1 for _, mean, ends in points for edge in (mean, *(ends or ())))
        name, title = (
            f"ranking-{ranking.metric.replace('@', '-at-')}",
            f"{titled(ranking.metric, comparison.notes)}: rank and mean",
        )
        yield whiskers(name, title, points, bounds=(0, 1) if shares else None)
