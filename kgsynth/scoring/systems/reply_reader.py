"""Read what a system returned into an ``Answer``, and convert answers to and from JSON.

A system may return a string, a pair (answer, passages), or a mapping with ``answer`` and ``retrieved``. The mapping may
also have ``before``, the passages before a reranker, and ``route`` with ``route_reason``, the decision of a router. A
passage is its text, a mapping with any of the fields of ``Passage``, or a ``Passage``. Passages may also be a mapping
of ids to scores, which is sorted here.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Iterable, Mapping
from dataclasses import fields, replace
from numbers import Integral, Real
from typing import Any

from kgsynth.base.json_reading import JsonError
from kgsynth.base.records import Answer, Passage

_PASSAGE_FIELDS = tuple(field.name for field in fields(Passage))
_PASSAGE_KEYS = ("retrieved", "passages", "contexts")
_MEASURED = ("cpu_s", "memory_mb")
_MAX_ERROR_LETTERS = 300
_MAX_MEASURED = 1e12  # seconds or megabytes; sums of larger numbers overflow


def to_answer(item: str, returned: object, latency_s: float | None = None) -> Answer:
    """Read what a system returned for the question with the id ``item``.

    Raises:
        ValueError: it has none of the shapes above, or a field has the wrong type.

    Example:
        >>> to_answer("q-1", ("Ada", ["Ada wrote it."])).retrieved
        (Passage(doc=None, start=None, end=None, text='Ada wrote it.', id=None, score=None),)
    """
    fields: Mapping[Any, object]
    if isinstance(returned, Mapping):
        if not {"answer", *_PASSAGE_KEYS} & set(returned):
            raise ValueError(f"the keys {_short(list(returned))} include neither answer nor retrieved")
        fields = returned
    elif isinstance(returned, tuple) and len(returned) == 2:
        fields = {"answer": returned[0], "retrieved": returned[1]}
    else:
        fields = {"answer": returned}
    return Answer(
        item,
        _string(fields, "answer"),
        to_passages(next((fields[key] for key in _PASSAGE_KEYS if fields.get(key) is not None), ())),
        latency_s,
        before=to_passages(fields.get("before") or ()),
        route=_string(fields, "route"),
        route_reason=_string(fields, "route_reason"),
    )


def _string(fields: Mapping[Any, object], name: str) -> str | None:
    value = fields.get(name)
    if value is not None and not isinstance(value, str):
        raise ValueError(f"the {name} is {_short(value)}, a {type(value).__name__}, not a string")
    return None if value is None else writable(value)


def failed(item: str, error: str) -> Answer:
    """Return the answer record of a question on which the system failed; the error becomes one line of limited length.

    Example:
        >>> failed("q-1", "status 500: out of\\n memory").error
        'status 500: out of memory'
    """
    line = writable(" ".join(error.split()))
    return Answer(item, None, error=line if len(line) <= _MAX_ERROR_LETTERS else f"{line[: _MAX_ERROR_LETTERS - 3]}...")


def unreadable(error: JsonError, begins: str) -> str:
    """Return the error of a reply whose JSON cannot be read; ``begins`` says how it begins.

    Example:
        >>> unreadable(JsonError("not JSON (Expecting value)", line=1), "it is empty")
        'not JSON: it is empty'
        >>> unreadable(JsonError("passages.0.score has more than 100 digits"), "it begins '{'")
        'unusable JSON: passages.0.score has more than 100 digits'
    """
    return f"not JSON: {begins}" if error.line else f"unusable JSON: {error}"


def error_kind(error: str) -> str:
    """Return the kind of a failure: the part of the error before its first colon.

    Example:
        >>> error_kind("timeout: no reply in 30 s")
        'timeout'
    """
    return error.partition(":")[0][:40]


def ranked(scores: Mapping[str, float]) -> list[str]:
    """Return ids by descending score, and by descending id for equal scores, as trec_eval does.

    Example:
        >>> ranked({"a": 1.0, "b": 2.0, "c": 1.0})
        ['b', 'c', 'a']
    """
    return [unit for _, unit in sorted(((score, unit) for unit, score in scores.items()), reverse=True)]


def to_passages(raw: object) -> tuple[Passage, ...]:
    """Read a ranking; the passages of a mapping of ids to scores are sorted by ``ranked``.

    Raises:
        ValueError: it is not a ranking, or a field of a passage has the wrong type.

    Example:
        >>> [passage.id for passage in to_passages({"a": 1.0, "b": 2.0, "c": 1.0})]
        ['b', 'c', 'a']
    """
    if isinstance(raw, Mapping):
        scores = {str(unit): number(score, "score") for unit, score in raw.items()}
        return tuple(Passage(id=unit, score=scores[unit]) for unit in ranked(scores))
    if isinstance(raw, str) or not isinstance(raw, Iterable):
        raise ValueError(f"the passages are {_short(raw)}, a {type(raw).__name__}, not a list")
    return tuple(_passage(entry) for entry in raw)


def _passage(raw: object) -> Passage:
    if isinstance(raw, Passage):
        return raw
    if isinstance(raw, str):
        return Passage(text=_interned(raw))
    if not isinstance(raw, Mapping) or not set(_PASSAGE_FIELDS) & set(raw):
        raise ValueError(
            f"a passage is {_short(raw)}; give its text, or a mapping with any of {', '.join(_PASSAGE_FIELDS)}"
        )
    values: dict[str, Any] = {name: raw[name] for name in _PASSAGE_FIELDS if raw.get(name) is not None}
    for name in ("start", "end"):
        if name in values and (isinstance(values[name], bool) or not isinstance(values[name], Integral)):
            raise ValueError(f"the {name} of a passage is {_short(values[name])}, not a whole number")
        if name in values:
            values[name] = int(values[name])
    if values.get("start", 0) < 0 or values.get("end", math.inf) < values.get("start", 0):
        raise ValueError(f"a passage goes from {values.get('start')} to {values.get('end')}: give a valid range")
    if "score" in values:
        values["score"] = number(values["score"], "score")
    for name in ("doc", "text", "id"):
        if name in values:
            values[name] = _interned(str(values[name]))
    return Passage(**values)


def number(value: object, name: str) -> float:
    """Return a number as a float.

    Raises:
        ValueError: it is not a finite number.
    """
    if isinstance(value, bool) or not isinstance(value, Real) or not math.isfinite(value):
        raise ValueError(f"the {name} of a passage is {_short(value)}, not a finite number")
    return float(value)


def writable(text: str) -> str:
    """Return the text with lone surrogates replaced; JSON can hold them, but a UTF-8 file cannot.

    Example:
        >>> writable("62\\ud83d grams")
        '62? grams'
    """
    return text.encode("utf-8", "replace").decode("utf-8")


def _interned(text: str) -> str:
    """Return a writable text, as the same object each time: the same passage is retrieved for many questions."""
    return sys.intern(writable(text))


def _short(value: object) -> str:
    text = repr(value)
    return text if len(text) <= 60 else f"{text[:57]}..."


def to_json(answer: Answer) -> dict[str, object]:
    """Return an answer as it is written to answers.jsonl; unset fields of passages are left out.

    Example:
        >>> to_json(Answer("q-1", "Ada", (Passage(text="Ada wrote it."),)))["retrieved"]
        [{'text': 'Ada wrote it.'}]
    """
    line: dict[str, object] = {
        "id": answer.id,
        "answer": answer.answer,
        "retrieved": _passages_to_json(answer.retrieved),
        "latency_s": answer.latency_s,
        "error": answer.error,
    }
    optional = {"before": _passages_to_json(answer.before) or None}
    optional |= {name: getattr(answer, name) for name in ("route", "route_reason", *_MEASURED)}
    return line | {name: value for name, value in optional.items() if value is not None}


def _passages_to_json(passages: Iterable[Passage]) -> list[dict[str, object]]:
    return [
        {name: value for name in _PASSAGE_FIELDS if (value := getattr(passage, name)) is not None}
        for passage in passages
    ]


def from_json(line: object) -> Answer:
    """Read a line of answers.jsonl.

    Raises:
        ValueError: it has no id, or is not an answer.

    Example:
        >>> from_json({"id": "q-1", "answer": "Ada"}).latency_s is None
        True
    """
    if not isinstance(line, Mapping) or not isinstance(line.get("id"), str):
        raise ValueError(f"{_short(line)} has no id")
    if line["id"] != writable(line["id"]):
        raise ValueError(f"the id {_short(line['id'])} contains half of a character")
    if line.get("error") is not None:
        return Answer(line["id"], None, error=writable(str(line["error"])))
    measured: dict[str, Any] = {
        name: number(line[name], name) for name in ("latency_s", *_MEASURED) if line.get(name) is not None
    }
    if absurd := [name for name, value in measured.items() if abs(value) > _MAX_MEASURED]:
        raise ValueError(f"the {absurd[0]} is {_short(line[absurd[0]])}, which nobody measured")
    return replace(to_answer(line["id"], line), **measured)
