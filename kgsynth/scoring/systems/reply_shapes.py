"""Recognise what RAG systems return by its shape: by keys or attributes, so that no library has to be imported.

A reply may be a text, a list of passages, a pair (answer, passages), or keys or attributes with usual names, as in
LangChain, LlamaIndex and Haystack; the outputs of a Haystack pipeline are one level deeper, under the names of its
components. Keys that are not understood are returned, so that a run can report them.
"""

from __future__ import annotations

import os
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import fields
from itertools import islice
from numbers import Real
from typing import Any, NamedTuple

from kgsynth.base.json_reading import JsonError, parse_json
from kgsynth.base.records import Answer, Passage

ANSWER_KEYS = ("answer", "result", "response", "output_text", "output", "replies", "answers")
"""The usual keys of an answer, preferred ones first."""

RANKING_KEYS = (
    "retrieved", "passages", "contexts", "context", "retrieved_contexts", "source_documents", "documents", "docs",
    "source_nodes", "nodes", "chunks", "sources",
)  # fmt: skip
"""The usual keys of the retrieved passages, preferred ones first."""

QUESTION_KEYS = ("question", "query", "user_input", "input")
"""The usual keys under which a row of a file of answers repeats the question, preferred ones first."""

SOURCE_KEYS = (
    "source", "file_path", "path", "file_name", "filename", "doc_id", "document_id", "document", "file", "url",
)  # fmt: skip
"""The usual keys under which a passage or its metadata names its document, preferred ones first."""

PASSAGE_FIELDS = tuple(field.name for field in fields(Passage))
"""The own names for what is known of a passage."""

_OWN_RANKING_KEYS = RANKING_KEYS[:3]
_RANKING_WORDS = frozenset(
    {*RANKING_KEYS, "retrieval", "passage", "source", "doc", "document", "node", "chunk", "hits", "citations"}
    | {"references", "matches"}
)
"""Words that end the name of a key under which passages seem to be."""
_QUOTED_RANKING_KEY = re.compile(rf"""["']({"|".join(RANKING_KEYS)})["']\s*:""")
_OTHER_REPLY_KEYS = ("before", "route", "route_reason")
_DETAIL_KEYS = ("citations", "steps")
_SILENT_KEYS = frozenset(
    {"id", *QUESTION_KEYS, "prompt", "chat_history", "history", "type", "class_name"}
    | {"latency_s", "error", "cpu_s", "memory_mb", "unused_keys"}
)
"""Keys that repeat the question or are read elsewhere; they are not reported."""

_TEXT_KEYS, _META_KEYS, _ID_KEYS = ("text", "page_content", "content"), ("metadata", "meta"), ("id", "id_", "node_id")
_WRAPPER_KEYS = ("node", "document")
_ANSWER_TEXT_KEYS = ("answer", "response", "data", "content", "text")
PASSAGE_KEYS = frozenset({*PASSAGE_FIELDS, *_TEXT_KEYS, *_META_KEYS, *_ID_KEYS, *SOURCE_KEYS, "node", "get_content"})
"""The keys and attributes of a passage that are read."""
_MARKS = frozenset({"doc", "page_content", "content", "text", "get_content", "node"})
"""The attributes by which an object is recognised as a passage; others, such as ``start``, many objects have."""
_SILENT_PASSAGE_KEYS = frozenset({"type", "class_name", "embedding", "sparse_embedding", "blob", "dataframe"})
_MAX_KEYS_REPORTED = 10


class ReplyShape(NamedTuple):
    """What was recognised in a reply, by own names (``answer``, ``retrieved``, …), and the keys that were not used."""

    fields: Mapping[str, Any]
    unused: tuple[str, ...] = ()


class PassageShape(NamedTuple):
    """What was recognised in a passage, by the names of ``Passage``; ``sources`` are its names for its document."""

    fields: Mapping[str, Any]
    sources: tuple[str, ...] = ()
    unused: tuple[str, ...] = ()


# ---- replies ---------------------------------------------------------------------------------------


def read_reply(returned: object) -> ReplyShape:
    """Return the answer, the passages and other known parts of what a system returned; nothing is checked here.

    Example:
        >>> read_reply({"result": "Ada", "source_documents": [{"page_content": "Ada wrote it."}], "cost": 3})
        ReplyShape(fields={'answer': 'Ada', 'retrieved': [{'page_content': 'Ada wrote it.'}]}, unused=('cost',))
        >>> read_reply({"retriever": {"documents": ["Ada wrote it."]}, "llm": {"replies": ["Ada"]}}).fields
        {'answer': 'Ada', 'retrieved': ['Ada wrote it.']}
    """
    if isinstance(returned, str):
        return _from_text(returned)
    if returned is None:
        return ReplyShape({"answer": None})
    members = members_of(returned, (*ANSWER_KEYS, *RANKING_KEYS, *_OTHER_REPLY_KEYS, *_DETAIL_KEYS))
    if members is None and isinstance(returned, list | tuple):
        is_pair = isinstance(returned, tuple) and len(returned) == 2 and not all(map(_is_record, returned))
        return _from_pair(*returned) if is_pair else ReplyShape({"retrieved": returned})
    if members is None:
        return ReplyShape({"answer": _answer_text(returned)})
    return _from_members(members, deeper=isinstance(returned, Mapping))


def _from_text(text: str) -> ReplyShape:
    """Return a text as the answer, unless it is the JSON of an object with an answer or passages."""
    plain = ReplyShape({"answer": text})
    if not (text.lstrip().startswith("{") and text.rstrip().endswith("}")):
        return plain
    try:
        shape = read_reply(parse_json(text, tolerant=True))
    except JsonError:
        shape = plain
    if "retrieved" in shape.fields or (shape is not plain and isinstance(shape.fields.get("answer"), str)):
        return shape
    return plain._replace(unused=tuple(dict.fromkeys(_QUOTED_RANKING_KEY.findall(text))))


def _from_pair(answer: object, passages: object) -> ReplyShape:
    return ReplyShape({"answer": _answer_text(answer), "retrieved": passages})


def _from_members(members: Mapping[Any, Any], *, deeper: bool) -> ReplyShape:
    found: dict[str, Any] = {}
    used: set[object] = set()
    answer_key = next((key for key in ANSWER_KEYS if members.get(key) is not None), None)
    ranking_key = _ranking_key(members)
    if answer_key is None and "answer" in members:  # there is an answer, and it is empty
        answer_key = "answer"
    if answer_key is not None:
        used.add(answer_key)
        value = _first(members[answer_key])
        found["answer"] = _answer_text(value)
        inner = None if ranking_key else members_of(value, RANKING_KEYS)
        if inner is not None and (inner_key := _ranking_key(inner)):
            found["retrieved"] = _listed(inner[inner_key])
    if ranking_key is not None:
        used.add(ranking_key)
        found["retrieved"] = _listed(members[ranking_key])
    unused: list[str] = []
    if deeper and not found.keys() >= {"answer", "retrieved"}:
        unused = _add_from_components(members, found, used)
    details = tuple(key for key in _DETAIL_KEYS if not _is_names(members.get(key)))
    found |= {key: members[key] for key in (*_OTHER_REPLY_KEYS, *details) if members.get(key) is not None}
    silent = _SILENT_KEYS | {*_OTHER_REPLY_KEYS, *details}
    silent |= {key for key in RANKING_KEYS if key in members and members[key] is None}  # it says that there are none
    left = [str(key) for key in members if key not in used and key not in silent]
    return ReplyShape(found, tuple(unused + left) if deeper else ())


def _add_from_components(members: Mapping[Any, Any], found: dict[str, Any], used: set[object]) -> list[str]:
    """Add what is still missing from values that are mappings, as the outputs of the components of a pipeline are.

    If several have passages, none are taken; their names are returned.
    """
    parts = {name: _from_members(each, deeper=False) for name, each in members.items() if isinstance(each, Mapping)}
    answers = [name for name, part in parts.items() if isinstance(part.fields.get("answer"), str)]
    rankings = [name for name, part in parts.items() if "retrieved" in part.fields]
    if "answer" not in found and len(answers) == 1:
        found["answer"] = parts[answers[0]].fields["answer"]
        used.add(answers[0])
        rankings = [answers[0]] if answers[0] in rankings else rankings  # what the answer was made from
    if "retrieved" in found or not rankings:
        return []
    used.update(rankings)
    if len(rankings) > 1:
        return [f"{name}.{_ranking_key(members[name]) or '…'}" for name in rankings]
    found["retrieved"] = parts[rankings[0]].fields["retrieved"]
    return []


def _ranking_key(members: Mapping[Any, Any]) -> str | None:
    """Return the key of the passages; a text is a single passage."""
    for key in RANKING_KEYS:
        value = members.get(key)
        if value is not None and (key in _OWN_RANKING_KEYS or _is_ranking(value)):
            return key
    return None


def _is_ranking(value: object) -> bool:
    if not isinstance(value, list | tuple):
        return isinstance(value, str)
    return all(isinstance(each, str) or _is_record(each) for each in value)


def _is_names(value: object) -> bool:
    """Check whether a value is a list of strings: URLs as citations or names of steps say nothing that is scored."""
    return isinstance(value, list | tuple) and bool(value) and all(isinstance(each, str) for each in value)


def _listed(value: object) -> object:
    """Return a text as a list of one passage, an empty one as an empty list, and other values as they are."""
    return ([value] if value.strip() else []) if isinstance(value, str) else value


def _first(value: object) -> object:
    """Return the first of several answers, which are those to the same question."""
    return next(iter(value), None) if isinstance(value, list | tuple) else value


def _answer_text(value: object) -> object:
    """Return the text of an answer, which may be a message or a response of a library; otherwise the value itself."""
    if value is None or isinstance(value, str | list | tuple | int | float):
        return value
    members = members_of(value, _ANSWER_TEXT_KEYS) or {}
    return next((members[key] for key in _ANSWER_TEXT_KEYS if isinstance(members.get(key), str)), value)


# ---- passages --------------------------------------------------------------------------------------


def read_passage(raw: object) -> PassageShape | None:
    """Return what is known of a passage that is a mapping or an object, None if nothing of it is understood.

    A pair of a passage and a number is a passage with its score.

    Example:
        >>> read_passage({"page_content": "Ada", "metadata": {"source": "docs/a.md", "page": 3}})
        PassageShape(fields={'text': 'Ada'}, sources=('docs/a.md',), unused=())
    """
    if isinstance(raw, tuple) and len(raw) == 2 and _is_number(raw[1]):
        shape = PassageShape({"text": raw[0]}) if isinstance(raw[0], str) else read_passage(raw[0])
        return shape and shape._replace(fields={**shape.fields, "score": raw[1]})
    members = members_of(raw, PASSAGE_KEYS)
    if members is None or (not isinstance(raw, Mapping) and not _MARKS & set(members)):
        return None
    inner = next((members[key] for key in _WRAPPER_KEYS if members.get(key) is not None), None)
    node = members_of(inner, PASSAGE_KEYS) or {}
    found = {name: value for name in PASSAGE_FIELDS if (value := _one(members, node, (name,))) is not None}
    texts = [text for text in map(_text, (members, node)) if text is not None]
    ids = _one(members, node, _ID_KEYS)
    found |= ({"text": texts[0]} if texts else {}) | ({"id": ids} if ids is not None else {})
    metadata = _one(members, node, _META_KEYS)
    named = [each for each in (members, node, metadata) if isinstance(each, Mapping)]
    sources = tuple(dict.fromkeys(filter(None, (_source(each.get(key)) for key in SOURCE_KEYS for each in named))))
    if not found and not sources:
        return None
    known = PASSAGE_KEYS | _SILENT_PASSAGE_KEYS
    unused = [f"{key} of passages" for key in raw if key not in known] if isinstance(raw, Mapping) else ()
    return PassageShape(found, () if "doc" in found else sources, tuple(unused))


def _one(members: Mapping[Any, Any], node: Mapping[Any, Any], keys: Sequence[str]) -> Any:
    """Return the value of the first of the keys, in the passage itself or in the node that it wraps."""
    return next((each[key] for each in (members, node) for key in keys if each.get(key) is not None), None)


def _text(members: Mapping[Any, Any]) -> object:
    found = next((members[key] for key in _TEXT_KEYS if members.get(key) is not None), None)
    return members["get_content"]() if found is None and callable(members.get("get_content")) else found


def _source(value: object) -> str | None:
    return os.fspath(value) if isinstance(value, os.PathLike) else value if isinstance(value, str) else None


def _is_number(value: object) -> bool:
    return isinstance(value, Real) and not isinstance(value, bool)


def _is_record(value: object) -> bool:
    """Check whether a value is a passage that is more than its text."""
    return not isinstance(value, str) and (isinstance(value, Passage) or read_passage(value) is not None)


def members_of(value: object, names: Iterable[str]) -> Mapping[Any, Any] | None:
    """Return a mapping as it is, and those of the named attributes that another object has; None if it has none."""
    if isinstance(value, Mapping):
        return value
    if value is None or isinstance(value, str | bytes | list | int | float):
        return None
    if isinstance(value, tuple) and not hasattr(value, "_fields"):
        return None
    found = {name: getattr(value, name) for name in names if hasattr(value, name)}
    return {name: each for name, each in found.items() if name == "get_content" or not callable(each)} or None


# ---- what was not used -----------------------------------------------------------------------------


def seems_to_hold_passages(key: str) -> bool:
    """Check whether the name of an unused key ends like the keys of passages.

    Example:
        >>> [key for key in ("retrieval_context", "context_length", "rag.documents") if seems_to_hold_passages(key)]
        ['retrieval_context', 'rag.documents']
    """
    return re.split(r"[\W_]+", key.casefold())[-1] in _RANKING_WORDS


def unused_keys_note(answers: Iterable[Answer]) -> tuple[str, ...]:
    """Return the sentence on keys of replies that were not used, nothing if all of them were.

    Example:
        >>> unused_keys_note([Answer("a", "x", unused_keys=("foo", "bar")), Answer("b", "x", unused_keys=("foo",))])
        ('keys not used: foo (2 of 2 replies), bar (1); docs/systems.md lists those that are read',)
    """
    replies = [answer for answer in answers if answer.error is None]
    counts = Counter(key for answer in replies for key in answer.unused_keys)
    ordered = sorted(counts.items(), key=lambda entry: (-entry[1], entry[0]))
    parts = [f"{key} ({count})" for key, count in islice(ordered, _MAX_KEYS_REPORTED)]
    if not parts:
        return ()
    parts[0] = f"{ordered[0][0]} ({ordered[0][1]} of {len(replies)} replies)"
    more = f" and {len(ordered) - _MAX_KEYS_REPORTED} more" if len(ordered) > _MAX_KEYS_REPORTED else ""
    return (f"keys not used: {', '.join(parts)}{more}; docs/systems.md lists those that are read",)
