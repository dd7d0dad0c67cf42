"""Records as lines of JSON and back: one object per record, without the fields that have their default.

The converters are made from the type hints of frozen dataclasses, whose fields are text, numbers, None, tuples,
frozensets, mappings and other such records. ``golden.dataset`` reads and writes golden.jsonl.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import MISSING, Field, fields, is_dataclass
from enum import StrEnum
from functools import cache
from types import NoneType, UnionType
from typing import Any, TypeVar, Union, cast, get_args, get_origin, get_type_hints

from kgsynth.base.json_reading import parse_json

T = TypeVar("T")
Convert = Callable[[Any], Any]

_PLAIN = (str, int, float, bool, NoneType, Any)
_JSON_TYPES: dict[Any, tuple[type, ...]] = {
    str: (str,), int: (int,), float: (float, int), bool: (bool,), NoneType: (NoneType,)
}  # fmt: skip


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

    Example:
        >>> from kgsynth.base.records import Span
        >>> to_json(Span("a.md", 0, 2, "Hi"))
        '{"doc":"a.md","start":0,"end":2,"text":"Hi"}'
    """
    plain = [_dump(each) for each in value] if isinstance(value, list | tuple) else _dump(value)
    line = json.dumps(plain, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    try:
        line.encode()
    except UnicodeEncodeError:  # UTF-8 has no form for half a surrogate pair, so escape it
        return json.dumps(plain, separators=(",", ":"), allow_nan=False)
    return line


def from_json(kind: type[T]) -> Callable[[str | bytes], T]:
    """Return a function that reads a line of JSON as a ``kind``: a record class, or ``tuple[Record, ...]``.

    The function raises ``ValueError`` when the line is not such a record.

    Example:
        >>> from kgsynth.base.records import Span
        >>> from_json(Span)('{"doc":"a.md","start":0,"end":2,"text":"Hi"}')
        Span(doc='a.md', start=0, end=2, text='Hi', place=None, heading=None)
    """
    hint: Any = kind
    load = _loader(hint) or _same

    def read(line: str | bytes) -> T:
        try:
            result: T = load(parse_json(line, tolerant=True))
        except (TypeError, AttributeError) as error:
            raise ValueError(f"not a {getattr(kind, '__name__', kind)}: {error}") from error
        return result

    return read


def _same(value: Any) -> Any:
    return value


def _dump(record: object) -> object:
    kind: Any = type(record)
    dump = _dumper(kind)
    return dump(record) if dump else record


# ---- one converter per type; None means that values need no conversion, which keeps this fast --------


@cache
def _dumper(kind: Any) -> Convert | None:
    if is_dataclass(kind):
        return _record_dumper(kind)
    origin, parts = get_origin(kind), get_args(kind)
    if origin is frozenset:
        return sorted
    inner = [_dumper(part) for part in _parts(kind, origin, parts)]
    if not any(inner):
        return None
    if origin is not tuple:
        return _optional(inner[0])
    return _each(inner[0], list) if parts[-1] is ... else _by_place(inner, list)


@cache
def _loader(kind: Any) -> Convert | None:
    if is_dataclass(kind):
        return _record_loader(kind)
    if _is_enum(kind):
        return cast(Convert, kind)
    origin, parts = get_origin(kind), get_args(kind)
    if origin is frozenset:
        (part,) = parts
        return _each(_loader(part) or _same, frozenset)
    inner = [_loader(part) for part in _parts(kind, origin, parts)]
    if origin is tuple:
        if not any(inner):
            return _plain_tuple(parts)
        return _each(inner[0], tuple) if parts[-1] is ... else _by_place(inner, tuple)
    return _optional(inner[0]) if any(inner) else None


def _plain_types(kind: Any) -> tuple[type, ...]:
    """Return the types of JSON values that a plain type hint allows; none for a hint that is not checked."""
    parts = get_args(kind) if get_origin(kind) in (UnionType, Union) else (kind,)
    if not all(part in _JSON_TYPES for part in parts):
        return ()
    return tuple(each for part in parts for each in _JSON_TYPES[part])


def _plain_tuple(parts: tuple[Any, ...]) -> Convert:
    length = None if parts[-1] is ... else len(parts)
    allowed = frozenset(each for part in parts if part is not ... for each in _plain_types(part))

    def load(values: Any) -> Any:
        if type(values) is not list or length not in (None, len(values)) or not allowed.issuperset(map(type, values)):
            raise TypeError(f"{str(values)[:40]!r} is not a list of such values")
        return tuple(values)

    return load


def _is_enum(kind: Any) -> bool:
    """Return whether a type is an enumeration, whose members are strings in JSON."""
    return isinstance(kind, type) and issubclass(kind, StrEnum)


def _parts(kind: Any, origin: Any, parts: tuple[Any, ...]) -> list[Any]:
    """Return the types inside ``kind`` for which converters are needed."""
    if kind in _PLAIN or kind in (dict, list) or origin is Mapping or _is_enum(kind):
        return []
    if origin in (UnionType, Union) and all(part in _PLAIN for part in parts):
        return []
    if origin is tuple:
        return [part for part in parts if part is not ...]
    if origin in (UnionType, Union) and len(parts) == 2 and NoneType in parts:
        return [part for part in parts if part is not NoneType]
    raise TypeError(f"{kind} has no JSON form here; use text, numbers, tuples, frozensets, mappings or dataclasses")


def _optional(inner: Convert | None) -> Convert:
    assert inner is not None
    return lambda value: None if value is None else inner(value)


def _each(inner: Convert | None, build: Convert) -> Convert:
    assert inner is not None
    return lambda values: build(map(inner, values))


def _by_place(inner: list[Convert | None], build: Convert) -> Convert:
    converts = [each or _same for each in inner]
    return lambda values: build(convert(value) for convert, value in zip(converts, values, strict=True))


def _record_dumper(kind: Any) -> Convert:
    hints = get_type_hints(kind)
    plan = [(entry.name, _dumper(hints[entry.name]), _default(entry)) for entry in fields(kind)]

    def dump(record: Any) -> dict[str, Any]:
        found = {}
        for name, convert, default in plan:
            value = getattr(record, name)
            if value != default:
                found[name] = value if convert is None else convert(value)
        return found

    return dump


def _record_loader(kind: Any) -> Convert:
    hints = get_type_hints(kind)
    loaders = {entry.name: _loader(hints[entry.name]) for entry in fields(kind)}
    converts = [(name, convert) for name, convert in loaders.items() if convert is not None]
    plain = {name: _plain_types(hints[name]) for name, convert in loaders.items() if convert is None}
    checks = [(name, allowed) for name, allowed in plain.items() if allowed]

    def load(found: dict[str, Any]) -> Any:
        for name, allowed in checks:
            if name in found and type(found[name]) not in allowed:
                raise TypeError(f"{name} is {str(found[name])[:40]!r}")
        for name, convert in converts:
            if name in found:
                found[name] = convert(found[name])
        return kind(**found)

    return load


def _default(entry: Field[Any]) -> object:
    return entry.default if entry.default_factory is MISSING else entry.default_factory()
