"""Where the answer and the passages are in a JSON reply: JMESPath expressions, with defaults for common shapes.

An expression given by the user must find something. Of the defaults, that of the answer or that of the passages must.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from kgsynth.base.json_paths import expression
from kgsynth.base.records import Answer
from kgsynth.scoring.systems.reply_reader import to_answer

DEFAULTS = {
    "answer": "answer",
    # not_null instead of ||, because || skips an empty list
    "passages": "not_null(passages, retrieved, contexts)",
    "before": "before",
    "route": "route",
    "route_reason": "route_reason",
    "doc": "not_null(doc, source, metadata.source)",
    "text": "not_null(text, content, page_content)",
    "start": "start",
    "end": "end",
    "score": "score",
    "id": "id",
}
"""The default expressions: the first five are evaluated on the reply, the others on each passage."""

_ON_REPLY = ("answer", "passages", "before", "route", "route_reason")


class ReplyPaths:
    """Reads replies by expressions; ``given`` replaces defaults by name.

    Raises:
        ValueError: names every invalid expression.

    Example:
        >>> ReplyPaths({"answer": "data.text"}).read("q-1", {"data": {"text": "Ada"}}).answer
        'Ada'
    """

    def __init__(self, given: Mapping[str, str] | None = None) -> None:
        self._given = dict(given or {})
        self._texts = DEFAULTS | self._given
        self._expressions: dict[str, Any] = {}
        problems = []
        for name, text in self._texts.items():
            try:
                self._expressions[name] = expression(text)
            except ValueError as error:
                problems.append(f"{name} = {error}")
        if problems:
            raise ValueError("; ".join(problems))

    def read(self, item: str, data: object, latency_s: float | None = None) -> Answer:
        """Read the reply ``data``, plain JSON, to the question with the id ``item``.

        Raises:
            ValueError: one sentence that begins with ``wrong shape`` and has the expression that found nothing.
        """
        found = {name: self._find(name, data) for name in _ON_REPLY}
        if found["answer"] is None and found["passages"] is None:
            both = " nor ".join(repr(self._texts[name]) for name in ("answer", "passages"))
            raise ValueError(f"wrong shape: neither {both} finds anything in {_outline(data)}")
        for name in _ON_REPLY:
            if name in self._given and found[name] is None:
                raise ValueError(f"wrong shape: {name} = {self._texts[name]!r} finds nothing in {_outline(data)}")
        reply = {name: value for name, value in found.items() if value is not None}
        for name in ("passages", "before"):
            if isinstance(ranking := reply.get(name), list):
                reply[name] = self._passages(ranking)
        try:
            return to_answer(item, reply, latency_s)
        except ValueError as error:
            raise ValueError(f"wrong shape: {error}") from None

    def _passages(self, raw: list[object]) -> list[object]:
        passages = [self._passage(each) if isinstance(each, Mapping) else each for each in raw]
        mappings = [each for each in passages if isinstance(each, Mapping)]
        for name in self._given:
            if name not in _ON_REPLY and mappings and not any(name in each for each in mappings):
                raise ValueError(f"wrong shape: {name} = {self._texts[name]!r} finds nothing in any passage")
        return passages

    def _passage(self, raw: Mapping[str, object]) -> dict[str, object]:
        names = [name for name in DEFAULTS if name not in _ON_REPLY]
        found = {name: value for name in names if (value := self._find(name, raw)) is not None}
        if not found:
            raise ValueError(f"wrong shape: none of {', '.join(names)} is found in a passage, {_outline(raw)}")
        return found

    def _find(self, name: str, data: object) -> object:
        try:
            return self._expressions[name](data)
        except ValueError as error:
            raise ValueError(f"wrong shape: {name} = {error}") from None


def _outline(data: object) -> str:
    if isinstance(data, Mapping):
        return f"an object with the keys {', '.join(map(str, data)) or '(none)'}"
    return f"a {type(data).__name__}, not an object"
