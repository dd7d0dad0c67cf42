"""Read what a system returned into an ``Answer``, and convert answers to and from JSON.

``reply_shapes`` recognises the shape of a reply; its parts are checked here. A passage is its text, a ``Passage``, or
has any of the fields of ``Passage``; passages may also be a mapping of ids to scores, which is sorted here. What a
passage says of its source becomes its ``doc`` if it names one of the documents.
"""

from __future__ import annotations

import math
import re
import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import islice
from numbers import Integral, Real
from typing import Any
from urllib.parse import unquote, urlsplit

from kgsynth.base.json_reading import JsonError
from kgsynth.base.records import Answer, Passage
from kgsynth.documents.document_names import DocNames
from kgsynth.scoring.systems.reply_details import details_json, passages_of_steps, to_citations, to_steps, writable
from kgsynth.scoring.systems.reply_shapes import PASSAGE_FIELDS, ReplyShape, read_passage, read_reply

PASSAGE_SCORE = "score of a passage"
"""What ``number`` calls a score in an error."""

READABLE = frozenset({"answer", "retrieved", "steps"})
"""The parts of a reply of which it must have one."""

_MEASURED = ("cpu_s", "memory_mb")
_MAX_ERROR_LETTERS = 300
_MAX_ANSWER_LETTERS, _MAX_PASSAGE_LETTERS = 100_000, 2_000_000  # to measure more takes seconds for each question
_MAX_PASSAGES = 10_000
_EXPECTED = 'return a text, a list of passages, or {"answer": …, "retrieved": […]}'
_MAX_MEASURED = 1e12  # seconds or megabytes; sums of larger numbers overflow


def to_answer(item: str, returned: object, latency_s: float | None = None, documents: DocNames | None = None) -> Answer:
    """Read what a system returned for the question with the id ``item``; ``documents`` are those it may name.

    Raises:
        ValueError: it has none of the known shapes, neither an answer nor passages, or a part has the wrong type.

    Example:
        >>> to_answer("q-1", ("Ada", ["Ada wrote it."])).retrieved
        (Passage(doc=None, start=None, end=None, text='Ada wrote it.', id=None, score=None),)
    """
    if returned is None:
        raise ValueError(f"it returned None; {_EXPECTED}")
    shape = read_reply(returned)
    if not READABLE & set(shape.fields):
        came = (
            f"the keys {_short(list(returned))}" if isinstance(returned, Mapping) else f"the {type(returned).__name__}"
        )
        raise ValueError(f"{came} include neither answer nor retrieved; {_EXPECTED}")
    return from_shape(item, shape, latency_s, documents)


def from_shape(item: str, shape: ReplyShape, latency_s: float | None, documents: DocNames | None = None) -> Answer:
    """Return the answer whose parts were recognised.

    Raises:
        ValueError: there is neither an answer nor a list of passages, or a part has the wrong type.
    """
    answer, ranking = _string(shape.fields, "answer"), shape.fields.get("retrieved")
    if answer is not None and len(answer) > _MAX_ANSWER_LETTERS:
        raise ValueError(f"the answer has {len(answer):,} characters and may have at most {_MAX_ANSWER_LETTERS:,}")
    unused = dict.fromkeys(shape.unused)
    steps = to_steps(shape.fields.get("steps"), lambda raw: _ranking(raw, documents, unused), unused)
    if answer is None and ranking is None and not steps:
        raise ValueError(f"it has neither an answer nor passages; {_EXPECTED}")
    retrieved, before = (_ranking(each, documents, unused) for each in (ranking, shape.fields.get("before")))
    if ranking is None:
        retrieved = passages_of_steps(steps)
    return Answer(
        item,
        answer,
        retrieved,
        latency_s,
        before=before,
        route=_string(shape.fields, "route"),
        route_reason=_string(shape.fields, "route_reason"),
        unused_keys=tuple(map(writable, unused)),
        retrieved_nothing=(ranking is not None or bool(steps)) and not retrieved,
        citations=to_citations(shape.fields.get("citations"), answer),
        steps=steps,
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
    return _ranking(raw, None, {})


def _ranking(raw: object, documents: DocNames | None, unused: dict[str, None]) -> tuple[Passage, ...]:
    """Read a ranking, and add the keys of its passages that are not understood to ``unused``."""
    if raw is None:
        return ()
    if isinstance(raw, str) or not isinstance(raw, Iterable):
        raise ValueError(f"the passages are {_short(raw)}, a {type(raw).__name__}, not a list")
    entries = list(islice(raw, _MAX_PASSAGES + 1))
    if len(entries) > _MAX_PASSAGES:
        raise ValueError(f"it has more than {_MAX_PASSAGES:,} passages: return only the best")
    if isinstance(raw, Mapping):
        scores = {str(unit): number(score, PASSAGE_SCORE) for unit, score in raw.items()}
        return tuple(Passage(id=unit, score=scores[unit]) for unit in ranked(scores))
    passages = tuple(_passage(entry, documents, unused) for entry in entries)
    if (letters := sum(len(passage.text or "") for passage in passages)) > _MAX_PASSAGE_LETTERS:
        raise ValueError(f"the passages have {letters:,} characters and may have at most {_MAX_PASSAGE_LETTERS:,}")
    return passages


def _passage(raw: object, documents: DocNames | None, unused: dict[str, None]) -> Passage:
    if isinstance(raw, Passage):
        return raw
    if isinstance(raw, str):
        return Passage(text=_interned(raw))
    shape = read_passage(raw)
    if shape is None:
        raise ValueError(
            f"a passage is {_short(raw)}; give its text, or a mapping with any of {', '.join(PASSAGE_FIELDS)}"
        )
    unused |= dict.fromkeys(shape.unused)
    values = dict(shape.fields)
    if shape.sources:
        doc = named_document(shape.sources, documents)
        values |= {"doc": doc} if doc is not None else {}
        values.setdefault("id", shape.sources[0])
    return Passage(**_checked(values))


def named_document(sources: Sequence[str], documents: DocNames | None) -> str | None:
    """Return the document that the first of the names that names one means.

    Without documents nothing can be compared; the first name is then taken as it is.
    """
    if not documents:
        return sources[0]
    for source in sources:
        path = unquote(urlsplit(source).path) if "://" in source else source
        if path and (doc := documents.resolve(path)) is not None:
            return doc
    return None


def _checked(values: dict[str, Any]) -> dict[str, Any]:
    """Return the fields of a passage with the types of ``Passage``."""
    for name in ("start", "end"):
        if name in values and (isinstance(values[name], bool) or not isinstance(values[name], Integral)):
            raise ValueError(f"the {name} of a passage is {_short(values[name])}, not a whole number")
        if name in values:
            values[name] = int(values[name])
    if values.get("start", 0) < 0 or values.get("end", math.inf) < values.get("start", 0):
        raise ValueError(f"a passage goes from {values.get('start')} to {values.get('end')}: give a valid range")
    if "score" in values:
        values["score"] = number(values["score"], PASSAGE_SCORE)
    for name in ("doc", "text", "id"):
        if name in values:
            values[name] = _interned(str(values[name]))
    return values


def number(value: object, name: str) -> float:
    """Return a number as a float; ``name`` says in the error what it is.

    Raises:
        ValueError: it is not a finite number.

    Example:
        >>> number(float("inf"), "latency_s")
        Traceback (most recent call last):
        ValueError: the latency_s is inf, not a finite number
    """
    if isinstance(value, bool) or not isinstance(value, Real) or not math.isfinite(value):
        raise ValueError(f"the {name} is {_short(value)}, not a finite number")
    return float(value)


def _interned(text: str) -> str:
    """Return a writable text, as the same object each time: the same passage is retrieved for many questions."""
    return sys.intern(writable(text))


def _short(value: object) -> str:
    text = re.sub(r"( \w+)? 0x[0-9a-fA-F]+", "", repr(value))  # addresses differ in every run
    return text if len(text) <= 60 else f"{text[:57]}..."


def to_json(answer: Answer) -> dict[str, object]:
    """Return an answer as it is written to answers.jsonl; unset fields of passages are left out.

    ``retrieved`` is null when the system returned no list of passages, and [] when it returned an empty one.

    Example:
        >>> to_json(Answer("q-1", "Ada", (Passage(text="Ada wrote it."),)))["retrieved"]
        [{'text': 'Ada wrote it.'}]
    """
    line: dict[str, object] = {
        "id": answer.id,
        "answer": answer.answer,
        "retrieved": _passages_to_json(answer.retrieved) or ([] if answer.retrieved_nothing else None),
        "latency_s": answer.latency_s,
        "error": answer.error,
    }
    optional: dict[str, object] = {"before": _passages_to_json(answer.before) or None}
    optional |= {name: getattr(answer, name) for name in ("route", "route_reason", *_MEASURED)}
    optional |= details_json(answer, _passages_to_json)
    optional["unused_keys"] = list(answer.unused_keys) or None
    return line | {name: value for name, value in optional.items() if value is not None}


def _passages_to_json(passages: Iterable[Passage]) -> list[dict[str, object]]:
    return [
        {name: value for name in PASSAGE_FIELDS if (value := getattr(passage, name)) is not None}
        for passage in passages
    ]


def from_json(line: object, documents: DocNames | None = None) -> Answer:
    """Read a line of answers.jsonl, or a reply of any known shape with the id of its question.

    A reply that cannot be read is the failure of its question.

    Raises:
        ValueError: it has no id, or a measured value is not a number.

    Example:
        >>> from_json({"id": "q-1", "answer": "Ada"}).latency_s is None
        True
    """
    if not isinstance(line, Mapping) or not isinstance(line.get("id"), str):
        raise ValueError(f"{_short(line)} has neither an id nor a question")
    if line["id"] != writable(line["id"]):
        raise ValueError(f"the id {_short(line['id'])} contains half of a character")
    if line.get("error") is not None:
        return Answer(line["id"], None, error=writable(str(line["error"])))
    measured: dict[str, Any] = {
        name: number(line[name], name) for name in ("latency_s", *_MEASURED) if line.get(name) is not None
    }
    if absurd := [name for name, value in measured.items() if abs(value) > _MAX_MEASURED]:
        raise ValueError(f"the {absurd[0]} is {_short(line[absurd[0]])}, too large to have been measured")
    unused = line.get("unused_keys") or ()
    try:
        answer = to_answer(line["id"], line, documents=documents)
    except ValueError as error:
        return failed(line["id"], f"wrong shape: {error}")
    return replace(answer, **measured, unused_keys=(*answer.unused_keys, *unused))
