"""Read what a run of ``score`` wrote, and check that it has the shape that the readers of a run rely on."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Annotated, Any

from pydantic import Field, StrictBool, StrictFloat, StrictInt, StrictStr, TypeAdapter, ValidationError

from kgsynth.base.errors import InputError
from kgsynth.base.json_reading import parse_json

_RUN_ADVICE = "give a folder that kgsynth score wrote with -o"
FAILED_KEY = "failed"
"""The only key of scores.json after a run that failed as a whole; its value is the reason."""
_Number = Annotated[StrictFloat, Field(allow_inf_nan=False)]


@dataclass(frozen=True, slots=True)
class _TurnOfLine:
    """An earlier turn of a conversation."""

    question: StrictStr
    answer: StrictStr


@dataclass(frozen=True, slots=True)
class _ItemLine:
    """A line of items.jsonl; other keys are free."""

    id: StrictStr
    question: StrictStr = ""
    cluster: StrictStr = ""
    fingerprint: StrictStr = ""
    question_type: StrictStr | None = None
    subtype: StrictStr | None = None
    difficulty: StrictStr | None = None
    expected: list[StrictStr] | None = None
    actual: StrictStr | None = None
    metrics: dict[StrictStr, _Number | None] | None = None
    group_ranks: list[StrictInt | None] | None = None
    cause: StrictStr | None = None
    history: list[_TurnOfLine] | None = None
    tags: list[StrictStr] | None = None


@dataclass(frozen=True, slots=True)
class _Value:
    """A metric in scores.json."""

    value: _Number | None
    ci95: Annotated[list[_Number], Field(min_length=2, max_length=2)] | None = None


@dataclass(frozen=True, slots=True)
class _Gate:
    """A gate in scores.json."""

    passed: StrictBool


@dataclass(frozen=True, slots=True)
class _Level:
    """A threshold in scores.json."""

    level: StrictStr


@dataclass(frozen=True, slots=True)
class _ScoresFile:
    """What is read of scores.json; other keys are free."""

    golden: StrictStr = ""
    system: StrictStr = ""
    signature: StrictStr = ""
    n_items: StrictInt = 0
    n_errors: StrictInt = 0
    metrics: dict[StrictStr, _Value] | None = None
    own_metrics: dict[StrictStr, _Value] | None = None
    resources: dict[StrictStr, _Value] | None = None
    overall: _Value | None = None
    signatures: dict[StrictStr, StrictStr] | None = None
    gates: list[_Gate] | None = None
    thresholds: list[_Level] | None = None
    questions: dict[StrictStr, StrictInt] | None = None


def read_scores(content: bytes, where: str, needed: Collection[str]) -> dict[str, Any]:
    """Return the content of the scores.json ``where``, which must have the keys ``needed``.

    Raises:
        InputError: it cannot be read, does not have the shape of scores.json, or belongs to a run that failed.
    """
    scores = _checked(content, where, _ScoresFile, ())
    if reason := scores.get(FAILED_KEY):
        raise InputError(
            f"the last run of score in {Path(where).parent} failed, so it has no scores: {reason}; run it again"
        )
    _check_keys(scores, where, needed)
    return scores


def read_items(run: Path, needed: Collection[str]) -> dict[str, dict[str, Any]]:
    """Return the lines of items.jsonl in the folder of a run by id; each must have the keys ``needed``.

    Raises:
        InputError: names the line that cannot be read, or does not have the shape of a line of items.jsonl.
    """
    path = run / "items.jsonl"
    try:
        lines = path.read_bytes().split(b"\n")
    except OSError as error:
        raise InputError(f"{run} has no readable items.jsonl ({error}): {_RUN_ADVICE}") from None
    read = (
        _checked(line, f"{path}, line {number}", _ItemLine, ("id", *needed))
        for number, line in enumerate(lines, 1)
        if line.strip()
    )
    return {line["id"]: line for line in read}


def _checked(content: bytes, where: str, shape: type, needed: Collection[str]) -> dict[str, Any]:
    try:
        found = parse_json(content)
        _adapter(shape).validate_python(found)
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        place = ".".join(map(str, first["loc"])) or "the value"
        raise InputError(f"{where}: {place}: {first['msg'].lower()}; {_RUN_ADVICE}") from None
    except ValueError as error:
        raise InputError(f"{where}: {error}; {_RUN_ADVICE}") from None
    checked: dict[str, Any] = found
    _check_keys(checked, where, needed)
    return checked


def _check_keys(found: dict[str, Any], where: str, needed: Collection[str]) -> None:
    missing = [name for name in needed if found.get(name) is None]
    if missing:
        raise InputError(f"{where}: the key {missing[0]!r} is missing; {_RUN_ADVICE}")


@cache
def _adapter(shape: type) -> TypeAdapter[Any]:
    return TypeAdapter(shape)
