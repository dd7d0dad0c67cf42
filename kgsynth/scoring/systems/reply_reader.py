"""Read what a system returned: one shape, with the names that LangChain, LlamaIndex and Haystack have for its parts.

``Reply`` is the shape. A text is an answer, a list is one of passages, a pair is both; an object is read by its
attributes, so that no library has to be imported. Where a service returns something else, expressions of the user say
where the parts are (``ReplyPaths``). Keys that are not used are kept, so that a run can report them.
"""

from __future__ import annotations

import math
import os
import re
import sys
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, fields, replace
from numbers import Integral, Real
from typing import Annotated, Any, Self
from urllib.parse import unquote, urlsplit

from pydantic import (
    AfterValidator,
    AliasChoices,
    AliasPath,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    StrictInt,
    ValidationError,
    model_validator,
)

from kgsynth.base.json_reading import JsonError, expression
from kgsynth.base.records import Answer, Citation, Passage, RetrievalStep
from kgsynth.documents.document_names import DocNames

ANSWER_KEYS = ("answer", "result", "response", "replies", "data")
"""The names of the answer: the own one, and those of LangChain, LlamaIndex and Haystack."""

RANKING_KEYS = ("retrieved", "contexts", "context", "source_documents", "source_nodes", "documents")
"""The names of the retrieved passages: the own one, and those of Ragas, LangChain, LlamaIndex and Haystack."""

QUESTION_KEYS = ("question", "query", "user_input", "input")
"""The names under which a row of a file of answers repeats the question, preferred ones first."""

SOURCE_KEYS = ("source", "file_path", "file_name", "url")
"""The names under which a passage or its metadata names its document, preferred ones first."""

PASSAGE_FIELDS = tuple(field.name for field in fields(Passage))
"""The own names for what is known of a passage."""

_RANKING_WORDS = frozenset(
    {*RANKING_KEYS, "passages", "passage", "retrieval", "sources", "source", "docs", "doc", "document", "nodes", "node"}
    | {"chunks", "chunk", "hits", "citations", "references", "matches"}
)
"""Words that end the name of a key under which passages seem to be."""
_QUOTED_RANKING_KEY = re.compile(rf"""["']({"|".join(RANKING_KEYS)})["']\s*:""")
_SILENT_KEYS = {"id", *QUESTION_KEYS, "prompt", "chat_history", "history", "type", "class_name", "latency_s", "error"}
_SILENT_KEYS |= {"unused_keys"}
"""Keys that repeat the question or are read elsewhere; they are not reported."""
_PASSAGE_SILENT = {*SOURCE_KEYS, "metadata", "meta", "node", "node_id", "id_", "type", "class_name", "embedding"}
_PASSAGE_SILENT |= {"sparse_embedding", "blob"}
_MAX_ERROR_LETTERS = 300
_MAX_ANSWER_LETTERS, _MAX_PASSAGE_LETTERS = 100_000, 2_000_000  # to measure more takes seconds for each question
_MAX_PASSAGES = 10_000
_MAX_LATENCY = 1e12  # seconds; sums of larger numbers overflow
_PROBLEMS = {
    "model_attributes_type": "give an object with named parts, or for a passage its text",
    "list_type": "give a list",
    "string_type": "give a text",
    "too_long": f"give at most {_MAX_PASSAGES:,}, the best ones",
}
"""What to do about an error of pydantic, by its type; the others say it themselves."""
_EXPECTED = 'return a text, a list of passages, or {"answer": …, "retrieved": […]}'


def writable(text: str) -> str:
    """Return the text with lone surrogates replaced; JSON can hold them, but a UTF-8 file cannot.

    Example:
        >>> writable("62\\ud83d grams")
        '62? grams'
    """
    return text.encode("utf-8", "replace").decode("utf-8")


# ---- the shape -------------------------------------------------------------------------------------


def _plain_text(value: object) -> object:
    return writable(value) if isinstance(value, str) else value


def _plain_number(value: object) -> object:
    """Return a number of another library, such as numpy, as one of Python."""
    if isinstance(value, bool) or not isinstance(value, Real):
        return value
    return int(value) if isinstance(value, Integral) else float(value)


def _answer_text(value: object) -> object:
    """Return the text of the first of several answers, which may be a message of a library."""
    if isinstance(value, list | tuple):
        value = next(iter(value), None)
    for name in ("content", "text"):
        text = value.get(name) if isinstance(value, Mapping) else getattr(value, name, None)
        if isinstance(text, str):
            return writable(text)
    return _plain_text(value)


def _listed(value: object) -> object:
    """Return a text as a list of one passage, an empty one as an empty list, and other values as they are."""
    return ([value] if value.strip() else []) if isinstance(value, str) else value


def _as_passage(raw: object) -> object:
    """Return a text as a passage, and a pair of a passage and a number as a passage with its score."""
    if isinstance(raw, str):
        return {"text": raw}
    if isinstance(raw, tuple) and len(raw) == 2 and isinstance(raw[1], Real):
        return RetrievedPassage.model_validate(_as_passage(raw[0])).model_copy(update={"score": float(raw[1])})
    return _known(raw) if isinstance(raw, Mapping) else raw


def _known(raw: Mapping[Any, Any]) -> dict[str, Any]:
    """Return a mapping without the keys that have no value."""
    return {str(key): value for key, value in raw.items() if value is not None}


_Text = Annotated[str, Field(strict=True), BeforeValidator(_plain_text)]
_AnswerText = Annotated[str, Field(strict=True, max_length=_MAX_ANSWER_LETTERS), BeforeValidator(_answer_text)]
_Name = Annotated[str, BeforeValidator(lambda value: sys.intern(writable(str(value))))]
"""A text that is stored once: the same passage is retrieved for many questions."""
_Offset = Annotated[int, Field(strict=True, ge=0), BeforeValidator(_plain_number)]
_Number = Annotated[float, Field(allow_inf_nan=False, strict=True), BeforeValidator(_plain_number)]


def _named(*names: str | AliasPath) -> Any:
    return Field(None, validation_alias=AliasChoices(*names))


class _ReplyPart(BaseModel):
    model_config = ConfigDict(from_attributes=True, extra="allow")

    def unused(self, silent: Iterable[str]) -> list[str]:
        """Return the keys that were not read, without the ``silent`` ones."""
        return [writable(key) for key in self.model_extra or () if key not in silent]


class RetrievedPassage(_ReplyPart):
    """A retrieved passage; its ``metadata`` may name its document."""

    doc: _Name | None = None
    start: _Offset | None = None
    end: _Offset | None = None
    text: _Name | None = _named("text", "page_content", "content", AliasPath("node", "text"))
    id: _Name | None = _named("id", "id_", "node_id", AliasPath("node", "id_"))
    score: _Number | None = None
    metadata: Any = _named("metadata", "meta", AliasPath("node", "metadata"))

    @property
    def sources(self) -> list[str]:
        """The names that it gives its document, preferred ones first."""
        places = [place for place in (self.model_extra, self.metadata) if isinstance(place, Mapping)]
        found = [place.get(key) for key in SOURCE_KEYS for place in places]
        return [writable(os.fspath(each)) for each in found if isinstance(each, str | os.PathLike) and each]

    @model_validator(mode="after")
    def _says_something(self) -> Self:
        if not self.sources and all(getattr(self, name) is None for name in PASSAGE_FIELDS):
            raise ValueError(f"give its text, or a mapping with any of {', '.join(PASSAGE_FIELDS)}")
        if self.end is not None and self.end < (self.start or 0):
            raise ValueError(f"it goes from {self.start} to {self.end}: give a valid range")
        return self

    def record(self, documents: DocNames | None) -> Passage:
        """Return the passage; ``documents`` are those that its sources may name."""
        found = Passage(*(getattr(self, name) for name in PASSAGE_FIELDS))
        if found.doc is not None or not (sources := self.sources):
            return found
        return replace(found, doc=named_document(sources, documents), id=found.id or sys.intern(sources[0]))


def _of_limited_length(passages: list[RetrievedPassage]) -> list[RetrievedPassage]:
    letters = sum(len(each.text or "") for each in passages)
    if letters > _MAX_PASSAGE_LETTERS:
        raise ValueError(f"its passages have {letters:,} characters and may have at most {_MAX_PASSAGE_LETTERS:,}")
    return passages


_Ranking = Annotated[
    list[Annotated[RetrievedPassage, BeforeValidator(_as_passage)]],
    Field(max_length=_MAX_PASSAGES),
    BeforeValidator(_listed),
    AfterValidator(_of_limited_length),
]


class _CitedPart(_ReplyPart):
    """Which passages, by position from 0 or by id, support which part of the answer; the whole answer without one."""

    passages: list[Annotated[StrictInt, Field(ge=0)] | _Text]
    start: _Offset | None = None
    end: _Offset | None = None
    text: _Text | None = None

    def record(self, answer: str) -> Citation:
        """Return the citation of an ``answer``.

        Raises:
            ValueError: its part is not in the answer.
        """
        if self.start is None and self.end is None and self.text is None:
            return Citation(tuple(self.passages))
        start, end = self.start, self.end
        if start is None and end is None and self.text is not None:
            start = answer.find(self.text.strip())
            if start < 0 or not self.text.strip():
                raise ValueError(f"the text {self.text[:40]!r} of a citation is not in the answer: give a part of it")
            end = start + len(self.text.strip())
        if start is None or end is None or not start < end <= len(answer):
            raise ValueError(f"a citation goes from {start} to {end} in an answer of {len(answer)} characters")
        return Citation(tuple(self.passages), start, end)


class _Search(_ReplyPart):
    """One of several searches: its query, and what it found."""

    query: _Text | None = _named(*QUESTION_KEYS)
    retrieved: _Ranking | None = _named(*RANKING_KEYS)


class Reply(_ReplyPart):
    """What a system may return: an answer, or passages, or both, and how it came to them.

    ``before`` is the ranking before a reranker; ``route`` says whether there was retrieval, ``route_reason`` why.
    """

    answer: _AnswerText | None = _named(*ANSWER_KEYS)
    retrieved: _Ranking | None = _named(*RANKING_KEYS)
    citations: list[_CitedPart] = []
    steps: list[_Search] = []
    before: _Ranking = []
    route: _Text | None = None
    route_reason: _Text | None = None

    @model_validator(mode="after")
    def _says_something(self) -> Self:
        if self.answer is None and self.retrieved is None and not self.steps:
            raise ValueError("neither an answer nor passages")
        return self


_REPLY_KEYS = {*ANSWER_KEYS, *RANKING_KEYS, *Reply.model_fields}
_PASSAGE_KEYS = {*PASSAGE_FIELDS, "page_content", "content", *_PASSAGE_SILENT}


def to_answer(item: str, returned: object, latency_s: float | None = None, documents: DocNames | None = None) -> Answer:
    """Read what a system returned for the question with the id ``item``; ``documents`` are those it may name.

    Raises:
        ValueError: it is not of the shape of ``Reply``; the sentence names the part.

    Example:
        >>> to_answer("q-1", {"result": "Ada", "source_documents": [{"page_content": "Ada wrote it."}]}).retrieved
        (Passage(doc=None, start=None, end=None, text='Ada wrote it.', id=None, score=None),)
        >>> to_answer("q-1", {"answer": "Ada", "retrieved": [{"text": "Ada", "score": "high"}]})
        Traceback (most recent call last):
        ValueError: retrieved.0.score is 'high': input should be a valid number
    """
    if returned is None:
        raise ValueError(f"it returned None; {_EXPECTED}")
    opened, strings = _opened(returned)
    try:
        reply = Reply.model_validate(opened)
    except ValidationError as error:
        raise ValueError(_sentence(error, returned)) from None
    steps = tuple(RetrievalStep(step.query, _records(step.retrieved, documents)) for step in reply.steps)
    retrieved = _records(reply.retrieved, documents)
    if reply.retrieved is None:  # what all steps found, each passage once
        retrieved = tuple(dict.fromkeys(passage for step in steps for passage in step.retrieved))
    rankings = [reply.retrieved or [], reply.before, *(step.retrieved or [] for step in reply.steps)]
    unused = [*reply.unused(_SILENT_KEYS), *strings]
    unused += [f"{key} of passages" for each in rankings for passage in each for key in passage.unused(_PASSAGE_SILENT)]
    unused += [f"{key} of steps" for step in reply.steps for key in step.unused(_SILENT_KEYS)]
    if isinstance(returned, str) and returned.lstrip().startswith("{"):  # the text of an object, not the object
        unused += _QUOTED_RANKING_KEY.findall(returned)
    return Answer(
        item,
        reply.answer,
        retrieved,
        latency_s,
        before=_records(reply.before, documents),
        route=reply.route,
        route_reason=reply.route_reason,
        unused_keys=tuple(dict.fromkeys(unused)),
        retrieved_nothing=(reply.retrieved is not None or bool(steps)) and not retrieved,
        citations=tuple(each.record(reply.answer or "") for each in reply.citations),
        steps=steps,
    )


def _opened(returned: object) -> tuple[object, list[str]]:
    """Return a reply with names for its parts, and the parts that only name URLs or steps and are not read."""
    if isinstance(returned, tuple) and len(returned) == 2:
        answer, passages = returned
        if isinstance(answer, str | None) or isinstance(passages, list | tuple | None):
            return {"answer": answer, "retrieved": passages}, []
    if isinstance(returned, list | tuple) and not hasattr(returned, "_fields"):
        return {"retrieved": returned}, []
    if isinstance(returned, Mapping):
        found = _known(returned if _REPLY_KEYS & set(returned) else _outputs(returned))
        strings = [name for name in ("citations", "steps") if (value := found.get(name)) and _is_strings(value)]
        return {key: value for key, value in found.items() if key not in strings}, strings
    has_parts = any(hasattr(returned, key) for key in (*ANSWER_KEYS, *RANKING_KEYS))
    text = None if has_parts else _answer_text(returned)  # a text, or a message of a library
    return ({"answer": text} if isinstance(text, str) else returned), []


def _is_strings(value: object) -> bool:
    return isinstance(value, list | tuple) and all(isinstance(each, str) for each in value)


def _outputs(components: Mapping[Any, Any]) -> dict[str, Any]:
    """Return the outputs of a pipeline by their names; one that several components have keeps the component's name."""
    parts = {name: part for name, part in components.items() if isinstance(part, Mapping)}
    count = Counter(key for part in parts.values() for key in part)
    found = {name: part for name, part in components.items() if not (name in parts and _REPLY_KEYS & set(part))}
    for name, part in parts.items():
        found |= {
            key if count[key] == 1 else f"{name}.{key}": value for key, value in part.items() if key in _REPLY_KEYS
        }
    return found


def _records(passages: Iterable[RetrievedPassage] | None, documents: DocNames | None) -> tuple[Passage, ...]:
    return tuple(passage.record(documents) for passage in passages or ())


def _sentence(error: ValidationError, returned: object) -> str:
    """Return the first problem of a reply: which part it is, what came, and what it should be."""
    first = error.errors(include_url=False)[0]
    place = [str(each) for each in first["loc"] if isinstance(each, int) or re.fullmatch("[a-z_]{4,}", each)]
    if not place:
        return f"it returned {_outline(returned)} without answer or retrieved; {_EXPECTED}"
    problem = str(first.get("ctx", {}).get("error", first["msg"]))
    problem = _PROBLEMS.get(first["type"], f"{problem[0].lower()}{problem[1:]}")
    return f"{'.'.join(place)} is {_short(first['input'])}: {problem}"


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


def seems_to_hold_passages(key: str) -> bool:
    """Check whether the name of an unused key ends like the names of passages.

    Example:
        >>> [key for key in ("retrieval_context", "context_length", "rag.documents") if seems_to_hold_passages(key)]
        ['retrieval_context', 'rag.documents']
    """
    return re.split(r"[\W_]+", key.casefold())[-1] in _RANKING_WORDS


def _short(value: object) -> str:
    text = re.sub(r"( \w+)? 0x[0-9a-fA-F]+", "", repr(value))  # addresses differ in every run
    return text if len(text) <= 60 else f"{text[:57]}..."


# ---- failures --------------------------------------------------------------------------------------


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


# ---- answers.jsonl ---------------------------------------------------------------------------------


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
        "retrieved": _passages_json(answer.retrieved) or ([] if answer.retrieved_nothing else None),
        "latency_s": answer.latency_s,
        "error": answer.error,
    }
    optional: dict[str, object] = {"before": _passages_json(answer.before) or None}
    optional |= {name: getattr(answer, name) for name in ("route", "route_reason")}
    optional["citations"] = [
        ({} if each.start is None else {"start": each.start, "end": each.end}) | {"passages": list(each.passages)}
        for each in answer.citations
    ]
    optional["steps"] = [{"query": step.query, "retrieved": _passages_json(step.retrieved)} for step in answer.steps]
    optional["unused_keys"] = list(answer.unused_keys)
    return line | {name: value for name, value in optional.items() if value not in (None, [])}


def _passages_json(passages: Iterable[Passage]) -> list[dict[str, object]]:
    return [_known(asdict(passage)) for passage in passages]


def from_json(line: object, documents: DocNames | None = None) -> Answer:
    """Read a line of answers.jsonl, or a reply of any known shape with the id of its question.

    A reply that cannot be read is the failure of its question.

    Raises:
        ValueError: it has no id, or its latency is not a number.

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
    latency = None if line.get("latency_s") is None else number(line["latency_s"], "latency_s")
    if latency is not None and abs(latency) > _MAX_LATENCY:
        raise ValueError(f"the latency_s is {_short(line['latency_s'])}, too large to have been measured")
    unused = line.get("unused_keys") or ()
    try:
        answer = to_answer(line["id"], line, latency, documents)
    except ValueError as error:
        return failed(line["id"], f"wrong shape: {error}")
    return replace(answer, unused_keys=(*answer.unused_keys, *unused))


# ---- expressions of the user -----------------------------------------------------------------------

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
        try:
            answer = to_answer(item, self._found(data) if self._given else data, latency_s, self._documents)
        except ValueError as error:
            raise ValueError(f"wrong shape: {error}") from None
        if not self._on_reply:
            return answer
        listed = answer.retrieved or answer.retrieved_nothing
        return replace(answer, unused_keys=() if listed else tuple(filter(seems_to_hold_passages, answer.unused_keys)))

    def _found(self, data: object) -> dict[str, object]:
        """Return a reply with what the expressions find; its other parts stay as they are."""
        reply = dict(data) if isinstance(data, Mapping) else {"retrieved": data} if isinstance(data, list) else {}
        for name in self._on_reply:
            found = self._find(name, data)
            if found is None:
                raise ValueError(f"{name} = {self._given[name]!r} finds nothing in {_outline(data)}")
            reply["retrieved" if name == "passages" else name] = found
        return self._with_passages(reply) if self._on_passages else reply

    def _with_passages(self, part: Mapping[str, Any]) -> dict[str, Any]:
        """Return a reply or a step with what the expressions find in its passages."""
        found = dict(part)
        for key in ("before", *RANKING_KEYS):
            if isinstance(found.get(key), list):
                passages = [self._passage(each) if isinstance(each, Mapping) else each for each in found[key]]
                mappings = [each for each in passages if isinstance(each, Mapping)]
                for name in self._on_passages:
                    if mappings and not any(name in each for each in mappings):
                        raise ValueError(f"{name} = {self._given[name]!r} finds nothing in any passage")
                found[key] = passages
        if isinstance(found.get("steps"), list):
            found["steps"] = [
                self._with_passages(each) if isinstance(each, Mapping) else each for each in found["steps"]
            ]
        return found

    def _passage(self, raw: Mapping[str, object]) -> dict[str, object]:
        found = {name: value for name in self._on_passages if (value := self._find(name, raw)) is not None}
        rest = {key: value for key, value in raw.items() if key in _PASSAGE_KEYS and key not in self._on_passages}
        return rest | found

    def _find(self, name: str, data: object) -> object:
        try:
            return self._expressions[name](data)
        except ValueError as error:
            raise ValueError(f"{name} = {error}") from None


def _outline(data: object) -> str:
    return f"an object with the keys {', '.join(map(str, data))}" if isinstance(data, Mapping) else _short(data)
