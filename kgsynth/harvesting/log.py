"""Read the log of a system: the turns of its users, from tables, JSON, and exports of Langfuse and Phoenix.

Langfuse writes traces and observations with ``input`` and ``output``; Phoenix and other tools of OpenInference write
spans with ``attributes.input.value`` or ``attributes.llm.input_messages``, nested or as columns. A text, a list of
messages, or JSON with either is read. Of a trace with a root, only the root is read: the spans below it repeat the
question, often inside a prompt.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from kgsynth.base.errors import InputError
from kgsynth.base.json_reading import JsonError, expression, parse_json
from kgsynth.golden.exchange.columns import USUAL_NAMES, describe_columns, normalize
from kgsynth.golden.exchange.source_file import SourceFile, SourceRow, read_source, rows_from_json

NOT_A_USER = "turn of the system or an assistant"
NO_USER_TEXT = "row without a text of a user"

_SPAN_INPUTS = (
    "attributes.llm.input_messages", "llm.input_messages", "attributes.input.value", "input.value",
)  # fmt: skip
_TEXT_NAMES = (
    *USUAL_NAMES["question"].split(),
    "message",
    "messages",
    "conversation",
    "turns",
    "text",
    "content",
    "消息",
)
_INNER_NAMES = (*_TEXT_NAMES, "inputs", "value", "kwargs", "args")
_TRACE_NAMES = ("trace_id", "context_trace_id")
_PARENT_NAMES = ("parent_observation_id", "parent_id", "parent_span_id")
_PEOPLE_NAMES = ("user_id", "userid", "user", "attributes_user_id", "customer_id", "用户", "用户id")
_LISTS_OF_ROWS = ("observations", "traces", "spans", "data")
_ROLE_NAMES = "role message.role from type".split()
_USER_ROLES = frozenset({"user", "human", "用户"})
_DEEPEST = 8


class UserTurn(NamedTuple):
    """What a user wrote, and who: a name of the log that is only counted, "" if it has none."""

    text: str
    person: str = ""


class ReadLog(NamedTuple):
    """The turns of users in the order of the log, the number of its rows, and how many gave none, by reason."""

    turns: tuple[UserTurn, ...]
    rows: int
    left_out: Mapping[str, int]


def read_log(path: Path, field: str = "") -> ReadLog:
    """Read a log; ``field`` is the column or JMESPath expression of the text, by default known names are looked for.

    Raises:
        InputError: the file cannot be read, or no row has a text of a user.
    """
    source = _unfolded(read_source(path))
    pick = _picked(field, source) if field else _usual
    left_out: dict[str, int] = defaultdict(int)
    turns: list[UserTurn] = []
    for row in _roots(source.rows):
        cells = {normalize(name): value for name, value in row.cells.items()}
        if (role := str(cells.get("role") or "").strip().casefold()) and role not in _USER_ROLES:
            left_out[NOT_A_USER] += 1
            continue
        try:
            found = [*_texts(pick(row.cells))]
        except ValueError as error:
            raise InputError(f"{row.where}: --field: {error}") from None
        person = next((str(cells[name]) for name in _PEOPLE_NAMES if isinstance(cells.get(name), str | int)), "")
        turns += [UserTurn(text, person) for text in found]
        left_out[NO_USER_TEXT] += not found
    if not turns:
        raise InputError(
            f"{path}: no text of a user was found in its {len(source.rows)} rows; name it with --field "
            f"(the file has {describe_columns(source)})"
        )
    return ReadLog(tuple(turns), len(source.rows), {name: number for name, number in left_out.items() if number})


def _unfolded(source: SourceFile) -> SourceFile:
    """Return the rows of a file; one JSON object has them in a list, as a trace or session, or is a row itself."""
    tree = source.tree
    if not isinstance(tree, Mapping):
        return source
    inner = next((tree[name] for name in _LISTS_OF_ROWS if isinstance(tree.get(name), list)), None)
    if inner is None and any(_texts(_usual(tree))):
        inner = [tree]
    return source if inner is None else rows_from_json(source.path, tree, inner)


def _picked(field: str, source: SourceFile) -> Callable[[Mapping[str, Any]], Any]:
    if field in source.columns:
        return lambda row: row.get(field)
    try:
        return expression(field)
    except ValueError as error:
        raise InputError(f"--field: {error}, and no column of {source.path} has this name; correct it") from None


def _roots(rows: Sequence[SourceRow]) -> Iterator[SourceRow]:
    """Yield the rows that are in no trace, the root of each trace, and of a trace without a root all spans."""
    known = [_span_names(row.cells) for row in rows]
    parents = [_first(names, _PARENT_NAMES) for names in known]
    traces = [_first(names, _TRACE_NAMES) for names in known]
    rooted = {trace for trace, parent in zip(traces, parents, strict=True) if not parent}
    for row, trace, parent in zip(rows, traces, parents, strict=True):
        if not (parent and trace and trace in rooted):
            yield row


def _span_names(cells: Mapping[str, Any]) -> dict[str, Any]:
    """Return the cells of a row by their normal names, those of its context among them."""
    known = {normalize(name): value for name, value in cells.items()}
    inner = known.get("context")
    if isinstance(inner, Mapping):
        known = {f"context_{normalize(str(name))}": value for name, value in inner.items()} | known
    return known


def _first(known: Mapping[str, Any], names: Sequence[str]) -> str:
    found = next((known[name] for name in names if known.get(name)), "")
    return "" if str(found).casefold() in ("none", "nan", "null") else str(found)


def _usual(cells: Mapping[str, Any]) -> Any:
    """Return what a row holds under a known name."""
    for name in _SPAN_INPUTS:
        found = cells.get(name)
        if found in (None, ""):
            found = _flat_messages(cells, name) or _nested(cells, name.split("."))
        if found not in (None, "", []):
            return found
    known = {normalize(name): value for name, value in reversed([*cells.items()])}
    return next((known[name] for name in _TEXT_NAMES if known.get(name) not in (None, "")), None)


def _nested(cells: Any, names: Sequence[str]) -> Any:
    """Return the value below nested keys, of which one may join several with dots."""
    for used in range(len(names), 0, -1):
        if isinstance(cells, Mapping) and (key := ".".join(names[:used])) in cells:
            return cells[key] if used == len(names) else _nested(cells[key], names[used:])
    return None


def _flat_messages(cells: Mapping[str, Any], name: str) -> list[dict[str, Any]]:
    """Return messages that are columns such as ``llm.input_messages.0.message.role``."""
    found: dict[int, dict[str, Any]] = defaultdict(dict)
    for key, value in cells.items():
        if match := re.fullmatch(rf"{re.escape(name)}\.(\d+)\.(?:message\.)?(role|content)", key):
            found[int(match[1])][match[2]] = value
    return [found[number] for number in sorted(found)]


def _texts(value: Any, depth: int = 0) -> Iterator[str]:
    """Yield the texts of users in a value: itself, or of its messages.

    If the last message is that of a user, the list is what a model was sent, and the earlier ones have been logged
    before; otherwise it is a whole conversation.
    """
    if depth > _DEEPEST or value is None:
        return
    if isinstance(value, str):
        inner = _parsed(value)
        if inner is not None:
            yield from _texts(inner, depth + 1)
        elif value.strip():
            yield value.strip()
    elif isinstance(value, Mapping):
        if (role := _role(value)) is not None:
            yield from _texts(_content(value), depth + 1) if role in _USER_ROLES else ()
            return
        known = {normalize(str(name)): each for name, each in reversed([*value.items()])}
        inner = next((known[name] for name in _INNER_NAMES if known.get(name) not in (None, "", [], {})), None)
        yield from _texts(inner, depth + 1)
    elif isinstance(value, Sequence):
        messages = [each for each in value if isinstance(each, Mapping) and _role(each) is not None]
        if messages and _role(messages[-1]) in _USER_ROLES:
            yield from _texts(messages[-1], depth + 1)
        else:
            for each in messages or value:
                yield from _texts(each, depth + 1)


def _parsed(text: str) -> Any:
    """Return the list or object that a text is as JSON, None if it is not."""
    if text.lstrip()[:1] not in ("{", "["):
        return None
    try:
        return parse_json(text, tolerant=True)
    except JsonError:
        return None


def _role(message: Mapping[str, Any]) -> str | None:
    """Return who wrote a message, None if it is not a message."""
    inner = message.get("message")
    bare = inner if isinstance(inner, Mapping) else message
    for name in _ROLE_NAMES:
        if isinstance(bare.get(name), str) and _content(message) is not None:
            return str(bare[name]).casefold()
    return None


def _content(message: Mapping[str, Any]) -> Any:
    """Return what a message says; of parts, the texts."""
    inner = message.get("message")
    bare = inner if isinstance(inner, Mapping) else message
    found = next((bare[name] for name in ("content", "message.content", "value", "text") if name in bare), None)
    if isinstance(found, list):
        parts = [part.get("text") for part in found if isinstance(part, Mapping)]
        return "\n".join(part for part in parts if isinstance(part, str)) or None
    return found
