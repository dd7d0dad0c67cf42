"""Load the value of a JSON, JSONL or YAML text within limits; dates and numbers of YAML stay as they are written."""

from __future__ import annotations

import json
import re
from functools import cache
from typing import Any

from kgsynth.base.json_reading import MAX_DEPTH, JsonError, check_value, parse_json
from kgsynth.documents.unsupported import UnsupportedFileError

_MAX_VALUES = 5_000_000  # in a file of YAML, whose aliases can stand for more than there is memory


def load_data(text: str) -> Any:
    r"""Return the value of a text; several documents or lines are a list.

    Raises:
        UnsupportedFileError: it is neither JSON nor YAML, or holds what is refused.

    Example:
        >>> load_data('{"a": 1}\n{"a": 2}\n'), load_data("a: 2024-01-05\n")
        ([{'a': 1}, {'a': 2}], {'a': '2024-01-05'})
    """
    if text.lstrip()[:1] in ("{", "["):
        try:
            return _json(text)
        except JsonError as error:
            lines = _json_lines(text)
            if lines is not None:
                return lines
            first = error
        if first.line and _is_flow_yaml(text):  # what JSON refuses for its depth would be too deep for YAML too
            return _yaml(text)
        raise UnsupportedFileError(f"damaged: {first}") from first
    return _yaml(text)


def _json(text: str) -> Any:
    """Return the value of a JSON text; halves of characters, which other tools write, are replaced."""
    value = parse_json(text, tolerant=True)
    return _whole_characters(value) if "\\u" in text else value


def _whole_characters(value: Any) -> Any:
    if isinstance(value, str):
        return value.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    if isinstance(value, dict):
        return {_whole_characters(key): _whole_characters(each) for key, each in value.items()}
    return [_whole_characters(each) for each in value] if isinstance(value, list) else value


def _is_flow_yaml(text: str) -> bool:
    """Check whether a text that begins like JSON may be YAML: its keys need no quotation marks."""
    return text.lstrip()[1:].lstrip()[:1] not in ('"', "{", "[", "")


def _json_lines(text: str) -> list[Any] | None:
    """Return the value of each line, None if a line is not JSON."""
    lines = [line for line in text.split("\n") if line.strip()]
    if len(lines) < 2:
        return None
    try:
        return [_json(line) for line in lines]
    except JsonError:
        return None


def _yaml(text: str) -> Any:
    import yaml

    try:
        found = [_plain(each) for each in yaml.load_all(text, _loader())]
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        where = f", line {mark.line + 1}" if mark else ""
        problem = getattr(error, "problem", None) or str(error)
        raise UnsupportedFileError(f"not YAML{where}: {' '.join(str(problem).split())}") from error
    except (ValueError, OverflowError) as error:
        raise UnsupportedFileError(f"not YAML: {error}") from error
    found = [each for each in found if each is not None]
    return found[0] if len(found) == 1 else found


@cache
def _loader() -> Any:
    """Return a loader that reads dates and numbers as text, and as in YAML 1.2, "on" and "yes" too."""
    import yaml

    base: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)

    class Loader(base):  # type: ignore[misc]
        def flatten_mapping(self, node: Any) -> None:
            """Merge the mappings that ``<<`` names; each key is kept once, or they could grow without end."""
            super().flatten_mapping(node)
            kept = {(key.tag, str(key.value)): (key, value) for key, value in node.value}
            node.value = list(kept.values())

    def unknown(loader: Any, node: Any) -> Any:
        """Return what has a tag of another program as what it is without the tag."""
        if isinstance(node, yaml.MappingNode):
            return loader.construct_mapping(node, deep=True)
        return loader.construct_sequence(node, deep=True) if isinstance(node, yaml.SequenceNode) else node.value

    Loader.add_constructor(None, unknown)
    Loader.yaml_implicit_resolvers = {
        first: [(tag, pattern) for tag, pattern in resolvers if tag.endswith((":null", ":merge"))]
        for first, resolvers in base.yaml_implicit_resolvers.items()
    }
    Loader.add_implicit_resolver("tag:yaml.org,2002:bool", re.compile("true|True|TRUE|false|False|FALSE"), [*"tTfF"])
    return Loader


def _plain(value: Any) -> Any:
    """Return a value with texts as keys; what an alias stands for is counted each time it stands there.

    Raises:
        UnsupportedFileError: it is nested too deeply, or holds too much.
    """
    left = _MAX_VALUES

    def copy(each: Any, depth: int) -> Any:
        nonlocal left
        left -= 1
        if depth > MAX_DEPTH or left < 0:
            why = f"nested more than {MAX_DEPTH} levels deep" if left >= 0 else "its aliases stand for too many values"
            raise UnsupportedFileError(f"not YAML that can be read ({why})")
        if isinstance(each, dict):
            return {_key(key): copy(part, depth + 1) for key, part in each.items()}
        if isinstance(each, list | tuple | set):
            return [copy(part, depth + 1) for part in each]
        return each if each is None or isinstance(each, str | bool) else str(each)

    made = copy(value, 0)
    try:
        check_value(made)
    except JsonError as error:
        raise UnsupportedFileError(f"not YAML that can be read ({error})") from error
    return made


def _key(key: Any) -> str:
    if isinstance(key, str):
        return key
    return json.dumps(key) if key is None or isinstance(key, bool) else " ".join(str(key).split())
