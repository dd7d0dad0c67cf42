"""The shape a reply must have: a frozen dataclass, told to the model, and read out of whatever it says.

Left out: asking, and what to do about a reply that cannot be read.
"""

from __future__ import annotations

import json
from collections.abc import Hashable, Iterator, Mapping
from functools import cache
from typing import Any, TypeVar, cast

from pydantic import TypeAdapter, ValidationError

T = TypeVar("T")


class ShapeError(ValueError):
    """A reply has not the shape; the message says what is wrong with it."""


def read(text: str, shape: type[T]) -> T:
    """Read a reply out of text: the first JSON object in it that has the shape, whatever stands around it.

    Raises:
        ShapeError: there is none.

    Example:
        >>> from dataclasses import make_dataclass
        >>> read('Sure! ```json {"grade": 4} ```', make_dataclass("Graded", [("grade", int)]))
        Graded(grade=4)
    """
    fault = "it holds no JSON object" if text.strip() else "it is empty"
    for found in _objects(text):
        try:
            json.dumps(found, ensure_ascii=False).encode()
            return cast(T, _adapter(cast(Hashable, shape)).validate_python(found))
        except UnicodeEncodeError:
            fault = "it holds half of a character"
        except ValidationError as error:
            first = error.errors(include_url=False)[0]
            place = ".".join(str(part) for part in first["loc"])
            fault = f"{place or 'the object'}: {first['msg']}"
    raise ShapeError(fault)


def _objects(text: str) -> Iterator[Any]:
    """Yield the JSON objects of a text from left to right, those inside another left out."""
    decoder, place = json.JSONDecoder(strict=False), text.find("{")
    while place >= 0:
        try:
            found, end = decoder.raw_decode(text, place)
            yield found
        except ValueError:
            end = place + 1
        except RecursionError:  # a model that opens bracket upon bracket has nothing more to say
            return
        place = text.find("{", end)


def schema(shape: type[object]) -> dict[str, Any]:
    """Return the JSON schema of a shape, closed, as servers that hold a model to one want it."""
    return dict(_closed(_adapter(cast(Hashable, shape)).json_schema()))


def _closed(node: Any) -> Any:
    if isinstance(node, list):
        return [_closed(each) for each in node]
    if not isinstance(node, Mapping):
        return node
    closed = {
        key: _closed(value) for key, value in node.items() if key not in ("title", "description") or _names(value)
    }
    return closed | ({"additionalProperties": False} if "properties" in node else {})


def _names(value: object) -> bool:
    """Say whether what stands under a key such as ``title`` is a field of that name, and not a note on one."""
    return isinstance(value, Mapping)


def outline(shape: type[object]) -> str:
    """Return the shape as a person would sketch it, short enough to stand in every prompt.

    Example:
        >>> from dataclasses import make_dataclass
        >>> outline(make_dataclass("Graded", [("reasoning", str), ("grades", tuple[int, ...])]))
        '{"reasoning": string, "grades": [integer, ...]}'
    """
    whole = schema(shape)
    return _sketch(whole, whole.get("$defs", {}))


def outlined(text: str, shape: type[object]) -> str:
    """Return a prompt that ends with the shape its reply must have."""
    return f"{text}\n\nReply with one JSON object of this form and nothing else:\n{outline(shape)}"


def _sketch(node: Mapping[str, Any], named: Mapping[str, Any]) -> str:
    if "$ref" in node:
        return _sketch(named[node["$ref"].rpartition("/")[2]], named)
    if "enum" in node or "const" in node:
        return " | ".join(json.dumps(each) for each in node.get("enum", [node.get("const")]))
    if "anyOf" in node:
        return " | ".join(_sketch(each, named) for each in node["anyOf"])
    if "properties" in node:
        fields = (f"{json.dumps(key)}: {_sketch(each, named)}" for key, each in node["properties"].items())
        return "{" + ", ".join(fields) + "}"
    if node.get("type") == "array":
        return f"[{_sketch(node['items'], named)}, ...]"
    return str(node.get("type", "any"))


@cache
def _adapter(shape: Hashable) -> TypeAdapter[Any]:
    return TypeAdapter(cast(Any, shape))
