"""Runs of other tools to compare: Inspect logs, promptfoo results, and tables of scores such as those of Ragas."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator, Mapping
from pathlib import Path
from statistics import fmean
from typing import Any, NamedTuple

from kgsynth.base.errors import InputError
from kgsynth.comparison.results import PASS_RATE
from kgsynth.golden.exchange import cells, columns, inspect_log
from kgsynth.golden.exchange.source_file import SourceFile, read_source

_GRADES = {"C": 1.0, "P": 0.5, "I": 0.0, "N": 0.0, "True": 1.0, "False": 0.0}
"""Scores as words: correct, partly correct, incorrect and no answer in Inspect, and the truth values."""


class _Answer(NamedTuple):
    """One answer of a system, with its scores by metric; ``key`` is the question's id, or its text without one."""

    system: str
    key: str
    question: str
    expected: tuple[str, ...]
    actual: str
    scores: Mapping[str, float]


def read_foreign(path: Path) -> dict[str, dict[str, dict[str, Any]]]:
    """Return the lines of items.jsonl of each system in a file of results, by system and question.

    A question that was asked several times has the mean of each metric.

    Raises:
        InputError: the file cannot be read, or no question in it has a score.
    """
    source = read_source(path)
    form = _inspect if inspect_log.fits(source) else _promptfoo if "testCase" in source.columns else _table
    found: dict[str, dict[str, list[_Answer]]] = {}
    for each in form(source):
        found.setdefault(each.system, {}).setdefault(each.key, []).append(each)
    names = dict.fromkeys(name for own in found.values() for all_ in own.values() for a in all_ for name in a.scores)
    if not names:
        raise InputError(
            f"{path} has no scores of questions: give a folder that kgsynth score wrote with -o, a log of Inspect in "
            "JSON, results of promptfoo, or a table with a question and numbers in each row"
        )
    return {system: {key: _line(own, list(names)) for key, own in keys.items()} for system, keys in found.items()}


def _line(answers: list[_Answer], names: list[str]) -> dict[str, Any]:
    first = answers[0]
    values = {name: [each.scores[name] for each in answers if name in each.scores] for name in names}
    return {
        "id": first.key,
        "question": first.question,
        "cluster": first.key,
        "metrics": {name: fmean(own) if own else None for name, own in values.items()},
        "group_ranks": [],
        "expected": list(first.expected),
        "actual": first.actual,
    }


def _inspect(source: SourceFile) -> Iterator[_Answer]:
    for row in source.rows:
        question, output = inspect_log.asked(row.cells), cells.as_object(row.cells.get("output"))
        scores: dict[str, float] = {}
        for scorer, score in cells.as_object(row.cells.get("scores")).items():
            value = cells.as_object(score).get("value")
            parts = value if isinstance(value, Mapping) else {"": value}
            scores |= _numbers({f"{scorer}/{part}" if part else scorer: each for part, each in parts.items()})
        expected = cells.texts(row.cells.get("target"))
        yield _Answer("", str(row.cells.get("id")), question, expected, cells.text(output.get("completion")), scores)


def _promptfoo(source: SourceFile) -> Iterator[_Answer]:
    """Yield the results; a system is a provider with a prompt."""
    for row in sorted(source.rows, key=lambda row: str(row.cells.get("promptIdx"))):  # they are in order of completion
        given = cells.as_object(row.cells.get("vars"))
        roles = columns.find_roles(list(given))
        question = cells.text(given[roles["question"]]) if "question" in roles else json.dumps(given, sort_keys=True)
        expected = cells.texts(given[roles["answer"]]) if "answer" in roles else ()
        provider, prompt = (cells.as_object(row.cells.get(key)) for key in ("provider", "prompt"))
        system = f"{provider.get('label') or provider.get('id')}, {prompt.get('label')}"
        scores = {PASS_RATE: row.cells.get("success"), "score": row.cells.get("score")}
        numbers = _numbers({**scores, **cells.as_object(row.cells.get("namedScores"))})
        actual = cells.text(cells.as_object(row.cells.get("response")).get("output"))
        yield _Answer(system, question, question, expected, actual, numbers)


def _table(source: SourceFile) -> Iterator[_Answer]:
    """Yield the rows; every column whose cells are all numbers or empty is a metric."""
    roles = columns.find_roles(source.columns)
    if "question" not in roles:
        return
    others = [name for name in source.columns if name not in roles.values()]
    filled = {name: [row.cells[name] for row in source.rows if cells.text(row.cells.get(name))] for name in others}
    metrics = [name for name, own in filled.items() if len(_numbers(dict(enumerate(own)))) == len(own)]
    for row in source.rows:
        question = cells.text(row.cells.get(roles["question"]))
        key = cells.text(row.cells.get(roles.get("id", ""))) or question
        expected = cells.texts(row.cells.get(roles.get("answer", "")))
        scores = _numbers({name: row.cells.get(name) for name in metrics})
        yield _Answer("", key, question, expected, cells.text(row.cells.get("response")), scores)


def _numbers(values: Mapping[Any, object]) -> dict[Any, float]:
    """Return the values that are finite numbers, grades or truth values."""
    found = {}
    for name, value in values.items():
        text = cells.text(value)
        try:
            number = _GRADES[text] if text in _GRADES else float(text)
        except ValueError:
            continue
        if math.isfinite(number):
            found[name] = number
    return found
