"""What a system hands back, in any of the shapes people use, read into ``Answer``; and written to JSON again.

The shapes are: a string; a pair (answer, passages); a mapping with ``answer`` and ``retrieved``, and where there are
such things ``before``, what a reranker was given, and ``route`` with ``route_reason``, what a router decided. A passage
is a string (its text), a mapping with any of the fields of ``Passage``, or a ``Passage``. Passages given as a mapping
of ids to scores are put in order here. Left out: how the system was called.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Iterable, Mapping
from dataclasses import fields, replace
from numbers import Integral, Real
from typing import Any

from kgsynth.base.records import Answer, Passage

_FIELDS = tuple(field.name for field in fields(Passage))
_RETRIEVED = ("retrieved", "passages", "contexts")
_MEASURED = ("cpu_s", "memory_mb")
_LONGEST = 300  # letters of an error that are kept


def to_answer(item: str, raw: object, latency_s: float | None = None) -> Answer:
    """Read what a system returned for the question with the id ``item``.

    Raises:
        ValueError: the shape is none of those above, or a field has the wrong type.

    Example:
        >>> to_answer("q-1", ("Ada", ["Ada wrote it."])).retrieved
        (Passage(doc=None, start=None, end=None, text='Ada wrote it.', id=None, score=None),)
    """
    given: Mapping[Any, object]
    if isinstance(raw, Mapping):
        if not {"answer", *_RETRIEVED} & set(raw):
            raise ValueError(f"the keys {_shown(list(raw))} hold neither answer nor retrieved")
        given = raw
    elif isinstance(raw, tuple) and len(raw) == 2:
        given = {"answer": raw[0], "retrieved": raw[1]}
    else:
        given = {"answer": raw}
    return Answer(
        item,
        _text(given, "answer"),
        to_passages(next((given[key] for key in _RETRIEVED if given.get(key) is not None), ())),
        latency_s,
        before=to_passages(given.get("before") or ()),
        route=_text(given, "route"),
        route_reason=_text(given, "route_reason"),
    )


def _text(given: Mapping[Any, object], name: str) -> str | None:
    value = given.get(name)
    if value is not None and not isinstance(value, str):
        raise ValueError(f"the {name} is {_shown(value)}, a {type(value).__name__}, not a string")
    return None if value is None else writable(value)


def failed(item: str, error: str) -> Answer:
    """Return the record of a question the system failed on; the error becomes one line of bounded length.

    Example:
        >>> failed("q-1", "status 500: out of\\n memory").error
        'status 500: out of memory'
    """
    line = writable(" ".join(error.split()))
    return Answer(item, None, error=line if len(line) <= _LONGEST else f"{line[: _LONGEST - 3]}...")


def kind(error: str) -> str:
    """Return what kind of failure an error tells of: what stands before its first colon.

    Example:
        >>> kind("timeout: no reply in 30 s")
        'timeout'
    """
    return error.partition(":")[0][:40]


def ranked(scores: Mapping[str, float]) -> list[str]:
    """Return ids by score, high to low, equal scores by id, last to first, as trec_eval orders them.

    Example:
        >>> ranked({"a": 1.0, "b": 2.0, "c": 1.0})
        ['b', 'c', 'a']
    """
    return [unit for _, unit in sorted(((score, unit) for unit, score in scores.items()), reverse=True)]


def to_passages(raw: object) -> tuple[Passage, ...]:
    """Read a ranking: in the order given, or, for a mapping of ids to scores, by score and then id, high to low.

    Raises:
        ValueError: it is no ranking, or a field of a passage has the wrong type.

    Example:
        >>> [passage.id for passage in to_passages({"a": 1.0, "b": 2.0, "c": 1.0})]
        ['b', 'c', 'a']
    """
    if isinstance(raw, Mapping):
        scores = {str(unit): number(score, "score") for unit, score in raw.items()}
        return tuple(Passage(id=unit, score=scores[unit]) for unit in ranked(scores))
    if isinstance(raw, str) or not isinstance(raw, Iterable):
        raise ValueError(f"the passages are {_shown(raw)}, a {type(raw).__name__}, not a list")
    return tuple(_passage(entry) for entry in raw)


def _passage(raw: object) -> Passage:
    if isinstance(raw, Passage):
        return raw
    if isinstance(raw, str):
        return Passage(text=_held(raw))
    if not isinstance(raw, Mapping) or not set(_FIELDS) & set(raw):
        raise ValueError(f"a passage is {_shown(raw)}; give its text, or a mapping with any of {', '.join(_FIELDS)}")
    values: dict[str, Any] = {name: raw[name] for name in _FIELDS if raw.get(name) is not None}
    for name in ("start", "end"):
        if name in values and (isinstance(values[name], bool) or not isinstance(values[name], Integral)):
            raise ValueError(f"the {name} of a passage is {_shown(values[name])}, not a whole number")
        if name in values:
            values[name] = int(values[name])
    if values.get("start", 0) < 0 or values.get("end", math.inf) < values.get("start", 0):
        raise ValueError(
            f"a passage goes from {values.get('start')} to {values.get('end')}, which is no stretch of text"
        )
    if "score" in values:
        values["score"] = number(values["score"], "score")
    for name in ("doc", "text", "id"):
        if name in values:
            values[name] = _held(str(values[name]))
    return Passage(**values)


def number(value: object, name: str) -> float:
    """Return a number as a float.

    Raises:
        ValueError: it is none, or not finite.
    """
    if isinstance(value, bool) or not isinstance(value, Real) or not math.isfinite(value):
        raise ValueError(f"the {name} of a passage is {_shown(value)}, not a finite number")
    return float(value)


def writable(text: str) -> str:
    """Return the text without halves of surrogate pairs, which JSON can hold and no file in UTF-8.

    Example:
        >>> writable("62\\ud83d grams")
        '62? grams'
    """
    return text.encode("utf-8", "replace").decode("utf-8")


def _held(text: str) -> str:
    """Return the text as it can be written, the same object each time: one passage is retrieved for many questions."""
    return sys.intern(writable(text))


def _shown(value: object) -> str:
    text = repr(value)
    return text if len(text) <= 60 else f"{text[:57]}..."


def to_json(answer: Answer) -> dict[str, object]:
    """Return an answer as a line of answers.jsonl holds it; unknown fields of passages are left out.

    Example:
        >>> to_json(Answer("q-1", "Ada", (Passage(text="Ada wrote it."),)))["retrieved"]
        [{'text': 'Ada wrote it.'}]
    """
    line: dict[str, object] = {
        "id": answer.id,
        "answer": answer.answer,
        "retrieved": _plain(answer.retrieved),
        "latency_s": answer.latency_s,
        "error": answer.error,
    }
    known = {"before": _plain(answer.before) or None}
    known |= {name: getattr(answer, name) for name in ("route", "route_reason", *_MEASURED)}
    return line | {name: value for name, value in known.items() if value is not None}


def _plain(passages: Iterable[Passage]) -> list[dict[str, object]]:
    return [{name: value for name in _FIELDS if (value := getattr(passage, name)) is not None} for passage in passages]


def from_json(line: object) -> Answer:
    """Read a line of answers.jsonl.

    Raises:
        ValueError: it has no id, or what it holds is no answer.

    Example:
        >>> from_json({"id": "q-1", "answer": "Ada"}).latency_s is None
        True
    """
    if not isinstance(line, Mapping) or not isinstance(line.get("id"), str):
        raise ValueError(f"the line {_shown(line)} has no id")
    if line.get("error") is not None:
        return Answer(line["id"], None, error=str(line["error"]))
    told: dict[str, Any] = {
        name: number(line[name], name) for name in ("latency_s", *_MEASURED) if line.get(name) is not None
    }
    return replace(to_answer(line["id"], line), **told)
