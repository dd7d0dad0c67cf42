"""Where in a JSON reply the answer and the passages stand: JMESPath expressions, with defaults for the usual shapes.

An expression the user wrote must find something; of the defaults either the answer's or the passages' must. What was
found is then read by ``reading``.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from kgsynth.base.json_paths import expression
from kgsynth.base.records import Answer
from kgsynth.scoring.systems.reply_reader import to_answer

DEFAULTS = {
    "answer": "answer",
    # not_null, and not ||, which takes an empty list for nothing
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
"""The expressions in use when nothing is said: the first five on the reply, the others on each passage."""

_OF_REPLY = ("answer", "passages", "before", "route", "route_reason")


class Reply:
    """Reads replies by expressions, those in ``given`` instead of the defaults.

    Raises:
        ValueError: with every expression that is none; it knows the names of ``DEFAULTS`` alone.

    Example:
        >>> Reply({"answer": "data.text"}).read("q-1", {"data": {"text": "Ada"}}).answer
        'Ada'
    """

    def __init__(self, given: Mapping[str, str] | None = None) -> None:
        self._given = dict(given or {})
        self._texts = DEFAULTS | self._given
        self._parts: dict[str, Any] = {}
        faults = []
        for name, text in self._texts.items():
            try:
                self._parts[name] = expression(text)
            except ValueError as error:
                faults.append(f"{name} = {error}")
        if faults:
            raise ValueError("; ".join(faults))

    def read(self, item: str, data: object, latency_s: float | None = None) -> Answer:
        """Read the reply ``data``, plain JSON, to the question with the id ``item``.

        Raises:
            ValueError: one sentence that begins with ``wrong shape``, with the expression that found nothing.
        """
        found = {name: self._find(name, data) for name in _OF_REPLY}
        if found["answer"] is None and found["passages"] is None:
            both = " nor ".join(repr(self._texts[name]) for name in ("answer", "passages"))
            raise ValueError(f"wrong shape: neither {both} finds anything in {_outline(data)}")
        for name in _OF_REPLY:
            if name in self._given and found[name] is None:
                raise ValueError(f"wrong shape: {name} = {self._texts[name]!r} finds nothing in {_outline(data)}")
        given = {name: value for name, value in found.items() if value is not None}
        for name in ("passages", "before"):
            if isinstance(ranking := given.get(name), list):
                given[name] = self._passages(ranking)
        try:
            return to_answer(item, given, latency_s)
        except ValueError as error:
            raise ValueError(f"wrong shape: {error}") from None

    def _passages(self, raw: list[object]) -> list[object]:
        passages = [self._passage(each) if isinstance(each, Mapping) else each for each in raw]
        tables = [each for each in passages if isinstance(each, Mapping)]
        for name in self._given:
            if name not in _OF_REPLY and tables and not any(name in each for each in tables):
                raise ValueError(f"wrong shape: {name} = {self._texts[name]!r} finds nothing in any passage")
        return passages

    def _passage(self, raw: Mapping[str, object]) -> dict[str, object]:
        names = [name for name in DEFAULTS if name not in _OF_REPLY]
        found = {name: value for name in names if (value := self._find(name, raw)) is not None}
        if not found:
            raise ValueError(f"wrong shape: none of {', '.join(names)} is found in a passage, {_outline(raw)}")
        return found

    def _find(self, name: str, data: object) -> object:
        try:
            return self._parts[name](data)
        except ValueError as error:
            raise ValueError(f"wrong shape: {name} = {error}") from None


def _outline(data: object) -> str:
    if isinstance(data, Mapping):
        return f"an object with the keys {', '.join(map(str, data)) or '(none)'}"
    return f"a {type(data).__name__}, not an object"
