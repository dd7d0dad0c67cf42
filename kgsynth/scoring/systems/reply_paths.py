"""Where the answer and the passages are in a JSON reply: by its shape, or by JMESPath expressions of the user.

An expression must find something; whatever has none is recognised by ``reply_shapes``.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from kgsynth.base.json_paths import expression
from kgsynth.base.records import Answer
from kgsynth.documents.document_names import DocNames
from kgsynth.scoring.systems.reply_reader import READABLE, from_shape, to_answer
from kgsynth.scoring.systems.reply_shapes import (
    PASSAGE_KEYS,
    RANKING_KEYS,
    ReplyShape,
    read_reply,
    seems_to_hold_passages,
)

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
                raise ValueError(f"wrong shape: {name} = {self._given[name]!r} finds nothing in {_outline(data)}")
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
            raise ValueError(f"wrong shape: neither these expressions nor usual keys fit a passage, {_outline(raw)}")
        return known | found

    def _find(self, name: str, data: object) -> object:
        try:
            return self._expressions[name](data)
        except ValueError as error:
            raise ValueError(f"wrong shape: {name} = {error}") from None


def _outline(data: object) -> str:
    if isinstance(data, Mapping):
        return f"an object with the keys {', '.join(map(str, data)) or '(none)'}"
    return f"a {type(data).__name__}, not an object"
