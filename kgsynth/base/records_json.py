"""Records as lines of JSON and back: one object per record, without the fields that have their default.

``golden.dataset`` reads and writes golden.jsonl.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from functools import cache
from typing import Any, TypeVar

from pydantic import TypeAdapter, ValidationError

from kgsynth.base.json_reading import parse_json

T = TypeVar("T")


def rounded(value: Any) -> Any:
    """Return plain values with every float rounded to six decimals, as in scores.json; tuples become lists.

    Example:
        >>> rounded({"a": (0.12345678, None), "n": 3})
        {'a': [0.123457, None], 'n': 3}
    """
    if isinstance(value, Mapping):
        return {key: rounded(part) for key, part in value.items()}
    if isinstance(value, list | tuple):
        return [rounded(part) for part in value]
    return round(value, 6) if isinstance(value, float) else value


def to_json(value: object) -> str:
    """Return a record, or a list or tuple of records, as one line of JSON.

    Half of a surrogate pair, which UTF-8 cannot hold, becomes a question mark; frozensets are sorted.

    Example:
        >>> from kgsynth.base.records import Span
        >>> to_json(Span("a.md", 0, 2, "Hi"))
        '{"doc":"a.md","start":0,"end":2,"text":"Hi"}'
    """
    plain = [_plain(each) for each in value] if isinstance(value, list | tuple) else _plain(value)
    line = json.dumps(plain, ensure_ascii=False, separators=(",", ":"), allow_nan=False, default=sorted)
    return line if line.isascii() else line.encode(errors="replace").decode()


def from_json(kind: type[T]) -> Callable[[str | bytes], T]:
    """Return a function that reads a line of JSON as a ``kind``: a record class, or ``tuple[Record, ...]``.

    The function raises ``ValueError`` when the line is not such a record.

    Example:
        >>> from kgsynth.base.records import Span
        >>> from_json(Span)('{"doc":"a.md","start":0,"end":2,"text":"Hi"}')
        Span(doc='a.md', start=0, end=2, text='Hi', place=None, heading=None)
    """
    hint: Any = kind
    validate = _adapter(hint).validate_python

    def read(line: str | bytes) -> T:
        try:
            record: T = validate(parse_json(line))
        except ValidationError as error:
            problem = error.errors(include_url=False)[0]
            place = ".".join(map(str, problem["loc"])) or "value"
            raise ValueError(f"not a valid {getattr(kind, '__name__', kind)}: {place}: {problem['msg']}") from None
        return record

    return read


def _plain(record: object) -> object:
    kind: Any = type(record)
    return _adapter(kind).dump_python(record, exclude_defaults=True, warnings=False)


@cache
def _adapter(kind: Any) -> TypeAdapter[Any]:
    return TypeAdapter(kind)
