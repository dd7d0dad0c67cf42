"""The graph in a file: networkx's node-link JSON, sorted, one node or edge per line, or GraphML for other programs."""

from __future__ import annotations

import io
import json
import re
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from sys import intern
from typing import Any

import networkx as nx

from kgsynth.base.atomic_files import write_text
from kgsynth.base.errors import InputError
from kgsynth.base.json_reading import parse_json

# The graph in a file: networkx's node-link JSON (``edges="edges"``), sorted, one node or edge per line.
#
# It is written line by line, so the file is never in memory as a whole, and ``diff`` can compare two versions.

_TUPLE_ATTRIBUTES = ("forms", "path", "spans")  # attributes that JSON turns into lists


def save(graph: nx.MultiDiGraph, path: Path | str) -> None:
    """Write a graph to ``path``, completely or not at all; equal graphs give equal bytes, however they were built."""
    write_text(Path(path), _lines(graph))


def _lines(graph: nx.MultiDiGraph) -> Iterator[str]:
    yield '{"directed": true, "multigraph": true, "graph": {}, "nodes": ['
    nodes = sorted(graph.nodes(data=True), key=lambda row: row[0])
    yield from _rows({**attributes, "id": node} for node, attributes in nodes)
    yield '\n], "edges": ['
    edges = sorted(graph.edges(keys=True, data=True), key=lambda row: row[:3])
    yield from _rows({**data, "source": one, "target": two, "key": key} for one, two, key, data in edges)
    yield "\n]}\n"


def load(path: Path | str) -> nx.MultiDiGraph:
    """Return the graph that ``save`` wrote to ``path``, with sorted nodes and edges.

    Raises:
        InputError: the file does not exist, or is not a graph.
    """
    try:
        read = parse_json(Path(path).read_bytes(), tolerant=True)
        graph = nx.MultiDiGraph()
        for row in read["nodes"]:
            graph.add_node(intern(row.pop("id")), **_tidied(row))
        for row in read["edges"]:
            one, two, key = (intern(row.pop(end)) for end in ("source", "target", "key"))
            graph.add_edge(one, two, key, **_tidied(row))
    except FileNotFoundError as error:
        raise InputError(f"There is no graph at {str(path)!r}: make one with kgsynth graph.") from error
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise InputError(f"{str(path)!r} is not a graph of kgsynth ({error}): delete it and make it again.") from error
    return graph


def _rows(rows: Iterable[dict[str, Any]]) -> Iterator[str]:
    encode = json.JSONEncoder(ensure_ascii=False, sort_keys=True).encode
    for number, row in enumerate(rows):
        yield ("\n" if number == 0 else ",\n") + encode(row)


def _tidied(row: dict[str, Any]) -> dict[str, Any]:
    """Return attributes as they were before they became JSON, with equal strings shared in memory."""
    for name, value in row.items():
        if name in _TUPLE_ATTRIBUTES:
            row[name] = tuple(tuple(each) if isinstance(each, list) else each for each in value)
        elif isinstance(value, str):
            row[name] = intern(value)
    return row


# The graph as GraphML, which Gephi, yEd, Cytoscape and networkx read: every attribute is a text or a number.

_NOT_XML = re.compile("[^\t\n\r -\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def graphml(graph: nx.MultiDiGraph) -> bytes:
    """Return a graph as GraphML, nodes and edges sorted; equal graphs give equal bytes.

    Lists become texts, such as "Ada Berg | Ada"; a character that XML cannot hold becomes "�".

    Example:
        >>> graph = nx.MultiDiGraph()
        >>> graph.add_node("e-1", kind="entity", forms=("Ada Berg", "Ada"))
        >>> nx.parse_graphml(graphml(graph).decode()).nodes["e-1"]["forms"]
        'Ada Berg | Ada'
    """
    flat = nx.MultiDiGraph()
    for node in sorted(graph):
        flat.add_node(_text(node), **_flat(graph.nodes[node]))
    edges = sorted(graph.edges(keys=True, data=True), key=lambda edge: edge[:3])
    for number, (one, other, key, data) in enumerate(edges):
        flat.add_edge(_text(one), _text(other), key=f"{number}-{_text(key)}", **_flat(data))
    buffer = io.BytesIO()
    nx.write_graphml_xml(flat, buffer)
    return buffer.getvalue()


def _flat(attributes: Mapping[str, Any]) -> dict[str, str | int | float]:
    found = {name: _value(value) for name, value in sorted(attributes.items())}
    return {name: value for name, value in found.items() if value is not None}


def _value(value: Any) -> str | int | float | None:
    """Return a value as GraphML can hold it; None stays None."""
    if value is None or isinstance(value, int | float):
        return value
    if isinstance(value, str):
        return _text(value)
    if isinstance(value, Mapping):
        return _text("; ".join(f"{key}: {each}" for key, each in sorted(value.items())))
    if isinstance(value, Iterable):
        return _text(" | ".join(_joined(each) for each in value))
    return _text(str(value))


def _joined(value: Any) -> str:
    return "-".join(map(str, value)) if isinstance(value, tuple | list) else str(value)


def _text(text: str) -> str:
    return _NOT_XML.sub("\N{REPLACEMENT CHARACTER}", text)
