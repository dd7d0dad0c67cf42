"""Read what a system returned: the answer, the passages, the citations and the steps, where they are."""

from __future__ import annotations

import math
import re
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import islice
from numbers import Integral, Real
from typing import Any
from urllib.parse import unquote, urlsplit

from kgsynth.base.json_reading import JsonError, expression
from kgsynth.base.records import Answer, Citation, Passage, RetrievalStep
from kgsynth.documents.document_names import DocNames
from kgsynth.scoring.systems.reply_shapes import (
    PASSAGE_FIELDS,
    PASSAGE_KEYS,
    QUESTION_KEYS,
    RANKING_KEYS,
    ReplyShape,
    members_of,
    read_passage,
    read_reply,
    seems_to_hold_passages,
)

_CITATION_KEYS = ("passages", "start", "end", "text")
_QUERY_KEYS = ("query", *QUESTION_KEYS)
_EXAMPLES = {
    "citations": '{"start": 0, "end": 20, "passages": [0, 2]}',
    "steps": '{"query": "…", "retrieved": […]}',
}


def to_citations(raw: object, answer: str | None) -> tuple[Citation, ...]:
    """Read the citations of an ``answer``.

    Raises:
        ValueError: they are not a list of citations, or one has the wrong type or does not lie in the answer.

    Example:
        >>> to_citations([{"text": "62 grams", "passages": [0]}], "It weighs 62 grams.")
        (Citation(passages=(0,), start=10, end=18),)
    """
    entries = _entries(raw, "citations", _CITATION_KEYS)
    return tuple(_citation(entry, f"citation {at}", answer or "") for at, entry in enumerate(entries, 1))


def _citation(entry: Mapping[Any, Any], name: str, answer: str) -> Citation:
    passages = entry.get("passages")
    if not isinstance(passages, list | tuple):
        raise ValueError(f"{name} has {_outline(passages)} as passages: give a list of their positions, from 0, or ids")
    for each in passages:
        if not isinstance(each, str) and not _is_position(each):
            raise ValueError(f"{name} cites the passage {each!r}: give its position, from 0, or its id")
    cited = tuple(writable(each) if isinstance(each, str) else each for each in passages)
    start, end, text = (entry.get(key) for key in ("start", "end", "text"))
    if start is None and end is None:
        if text is None:
            return Citation(cited)
        if not isinstance(text, str):
            raise ValueError(f"{name} has {_outline(text)} as text: give a part of the answer")
        start = answer.find(text.strip())
        if start < 0 or not text.strip():
            raise ValueError(f"{name} has the text {text[:40]!r}, which is not in the answer: give a part of it")
        end = start + len(text.strip())
    if not (isinstance(start, int) and isinstance(end, int) and 0 <= start < end <= len(answer)):
        raise ValueError(f"{name} goes from {start!r} to {end!r} in an answer of {len(answer)} characters")
    return Citation(cited, start, end)


def to_steps(
    raw: object, read_ranking: Callable[[object], tuple[Passage, ...]], unused: dict[str, None]
) -> tuple[RetrievalStep, ...]:
    """Read the steps of a reply, their passages by ``read_ranking``; keys that are not understood go to ``unused``.

    Raises:
        ValueError: they are not a list of steps, or a part of one has the wrong type.
    """
    entries = _entries(raw, "steps", (*_QUERY_KEYS, *RANKING_KEYS))
    return tuple(_step(entry, f"step {at}", read_ranking, unused) for at, entry in enumerate(entries, 1))


def _step(
    entry: Mapping[Any, Any],
    name: str,
    read_ranking: Callable[[object], tuple[Passage, ...]],
    unused: dict[str, None],
) -> RetrievalStep:
    query = next((entry[key] for key in _QUERY_KEYS if entry.get(key) is not None), None)
    if query is not None and not isinstance(query, str):
        raise ValueError(f"{name} has {_outline(query)} as query: give a string")
    key = next((key for key in RANKING_KEYS if entry.get(key) is not None), None)
    unused |= dict.fromkeys(f"{each} of steps" for each in entry if each not in (*_QUERY_KEYS, *RANKING_KEYS, "id"))
    try:
        return RetrievalStep(query and writable(query), read_ranking(entry[key]) if key is not None else ())
    except ValueError as error:
        raise ValueError(f"{name}: {error}") from None


def passages_of_steps(steps: Iterable[RetrievalStep]) -> tuple[Passage, ...]:
    """Return the passages of all steps in their order, each once.

    Example:
        >>> one, two = Passage(text="a"), Passage(text="b")
        >>> passages_of_steps([RetrievalStep("x", (one,)), RetrievalStep("y", (two, one))]) == (one, two)
        True
    """
    return tuple(dict.fromkeys(passage for step in steps for passage in step.retrieved))


def details_json(
    answer: Answer, passages_json: Callable[[Iterable[Passage]], list[dict[str, object]]]
) -> dict[str, object]:
    """Return the citations and steps of an answer as they are written to answers.jsonl, None for none."""
    citations = [
        ({} if each.start is None else {"start": each.start, "end": each.end}) | {"passages": list(each.passages)}
        for each in answer.citations
    ]
    steps = [{"query": step.query, "retrieved": passages_json(step.retrieved)} for step in answer.steps]
    return {"citations": citations or None, "steps": steps or None}


def writable(text: str) -> str:
    """Return the text with lone surrogates replaced; JSON can hold them, but a UTF-8 file cannot.

    Example:
        >>> writable("62\\ud83d grams")
        '62? grams'
    """
    return text.encode("utf-8", "replace").decode("utf-8")


def _entries(raw: object, name: str, keys: Sequence[str]) -> list[Mapping[Any, Any]]:
    if raw is None:
        return []
    if not isinstance(raw, list | tuple):
        raise ValueError(f"the {name} are {_outline(raw)}, not a list: give objects such as {_EXAMPLES[name]}")
    entries = [members_of(each, keys) for each in raw]
    for at, entry in enumerate(entries):
        if entry is None:
            raise ValueError(f"the {name} contain {_outline(raw[at])}: give objects such as {_EXAMPLES[name]}")
    return [entry for entry in entries if entry is not None]


def _is_position(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value >= 0


def _outline(value: object) -> str:
    if value is None:
        return "nothing"
    shown = repr(value)
    return shown if isinstance(value, str | int | float) and len(shown) < 60 else f"a {type(value).__name__}"


# Read what a system returned into an ``Answer``, and convert answers to and from JSON.

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


# Where the answer and the passages are in a JSON reply: by its shape, or by JMESPath expressions of the user.

_ON_REPLY = ("answer", "passages", "before", "route", "route_reason", "citations", "steps")

REPLY_PARTS = (*_ON_REPLY, "doc", "text", "start", "end", "score", "id")
"""What an expression can find: the first seven are evaluated on the reply, the others on each passage."""


class ReplyPaths:
    """Reads replies, by shape or by the expressions ``given`` by name; ``documents`` are those that passages may name.

    Raises:
        ValueError: names every invalid expression.

    Example:
        >>> ReplyPaths({"answer": "data.text"}).read("q-1", {"data": {"text": "Ada"}}).answer
        'Ada'
    """

    def __init__(self, given: Mapping[str, str] | None = None, documents: DocNames | None = None) -> None:
        self._given, self._documents = dict(given or {}), documents
        self._on_reply = [name for name in self._given if name in _ON_REPLY]
        self._on_passages = [name for name in self._given if name not in _ON_REPLY]
        self._expressions: dict[str, Any] = {}
        problems = []
        for name, text in self._given.items():
            try:
                self._expressions[name] = expression(text)
            except ValueError as error:
                problems.append(f"{name} = {error}")
        if problems:
            raise ValueError("; ".join(problems))

    def read(self, item: str, data: object, latency_s: float | None = None) -> Answer:
        """Read the reply ``data``, plain JSON, to the question with the id ``item``.

        Raises:
            ValueError: one sentence that begins with ``wrong shape`` and says what came, or which expression found
                nothing.
        """
        shape = self._found(data) if self._given else None
        try:
            if shape is None or not READABLE & set(shape.fields):
                return to_answer(item, data, latency_s, self._documents)
            return from_shape(item, shape, latency_s, self._documents)
        except ValueError as error:
            raise ValueError(f"wrong shape: {error}") from None

    def _found(self, data: object) -> ReplyShape:
        """Return what is recognised by shape, and what the expressions find instead of it."""
        shape = read_reply(data)
        fields = dict(shape.fields)
        for name in self._on_reply:
            found = self._find(name, data)
            if found is None:
                raise ValueError(f"wrong shape: {name} = {self._given[name]!r} finds nothing in {_reply_outline(data)}")
            fields["retrieved" if name == "passages" else name] = found
        for name in ("retrieved", "before"):
            if self._on_passages and isinstance(ranking := fields.get(name), list):
                fields[name] = self._passages(ranking)
        if self._on_passages and isinstance(steps := fields.get("steps"), list):
            fields["steps"] = [self._step(each) for each in steps]
        unread = () if "retrieved" in fields else tuple(filter(seems_to_hold_passages, shape.unused))
        return ReplyShape(fields, unread if self._on_reply else shape.unused)

    def _step(self, raw: object) -> object:
        """Return a step whose passages have what the expressions find."""
        found = {key: raw[key] for key in RANKING_KEYS if raw.get(key)} if isinstance(raw, Mapping) else {}
        rankings = {key: self._passages(each) for key, each in found.items() if isinstance(each, list)}
        return {**raw, **rankings} if isinstance(raw, Mapping) else raw

    def _passages(self, raw: list[object]) -> list[object]:
        passages = [self._passage(each) if isinstance(each, Mapping) else each for each in raw]
        mappings = [each for each in passages if isinstance(each, Mapping)]
        for name in self._on_passages:
            if mappings and not any(name in each for each in mappings):
                raise ValueError(f"wrong shape: {name} = {self._given[name]!r} finds nothing in any passage")
        return passages

    def _passage(self, raw: Mapping[str, object]) -> dict[str, object]:
        """Return a passage with what the expressions find; its other keys are kept, to be recognised by shape."""
        found = {name: value for name in self._on_passages if (value := self._find(name, raw)) is not None}
        known = {key: value for key, value in raw.items() if key in PASSAGE_KEYS and key not in self._on_passages}
        if not (known or found):
            raise ValueError(
                f"wrong shape: neither these expressions nor usual keys fit a passage, {_reply_outline(raw)}"
            )
        return known | found

    def _find(self, name: str, data: object) -> object:
        try:
            return self._expressions[name](data)
        except ValueError as error:
            raise ValueError(f"wrong shape: {name} = {error}") from None


def _reply_outline(data: object) -> str:
    if isinstance(data, Mapping):
        return f"an object with the keys {', '.join(map(str, data)) or '(none)'}"
    return f"a {type(data).__name__}, not an object"
