"""The graph in a file: networkx's node-link JSON (``edges="edges"``), sorted, one node or edge a line.

It is written row by row, so that the file is never in memory as a whole, and ``diff`` can compare two versions.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from pathlib import Path
from sys import intern
from typing import Any

import networkx as nx

from kgsynth.base.errors import InputError

_TUPLES = ("forms", "path", "spans")  # attributes that JSON gives back as lists


def save(graph: nx.MultiDiGraph, path: Path | str) -> None:
    """Write a graph to ``path``: to a temporary file beside it first, which then takes its place.

    Equal graphs give equal bytes, in whatever order they were built.
    """
    path = Path(path)
    temporary = path.with_name(path.name + ".tmp")
    with temporary.open("w", encoding="utf-8", newline="\n") as stream:
        stream.write('{"directed": true, "multigraph": true, "graph": {}, "nodes": [')
        stream.writelines(
            _rows({**attributes, "id": node} for node, attributes in sorted(graph.nodes(data=True), key=_first))
        )
        stream.write('\n], "edges": [')
        edges = sorted(graph.edges(keys=True, data=True), key=_three)
        stream.writelines(_rows({**data, "source": one, "target": two, "key": key} for one, two, key, data in edges))
        stream.write("\n]}\n")
    temporary.replace(path)


def load(path: Path | str) -> nx.MultiDiGraph:
    """Return the graph that ``save`` wrote to ``path``, its nodes and edges sorted.

    Raises:
        InputError: the file is not there, or is no graph.
    """
    try:
        read = json.loads(Path(path).read_text(encoding="utf-8"))
        graph = nx.MultiDiGraph()
        for row in read["nodes"]:
            graph.add_node(intern(row.pop("id")), **_tidied(row))
        for row in read["edges"]:
            one, two, key = (intern(row.pop(end)) for end in ("source", "target", "key"))
            graph.add_edge(one, two, key, **_tidied(row))
    except FileNotFoundError as error:
        raise InputError(f"There is no graph at {str(path)!r}: make it with kgsynth graph.") from error
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise InputError(f"{str(path)!r} is no graph of kgsynth ({error}): delete it and make it again.") from error
    return graph


def _rows(rows: Iterable[dict[str, Any]]) -> Iterator[str]:
    for number, row in enumerate(rows):
        yield ("\n" if number == 0 else ",\n") + json.dumps(row, ensure_ascii=False, sort_keys=True)


def _tidied(row: dict[str, Any]) -> dict[str, Any]:
    """Return attributes as they were before they became JSON, equal strings being one in memory."""
    for name, value in row.items():
        if name in _TUPLES:
            row[name] = tuple(tuple(each) if isinstance(each, list) else each for each in value)
        elif isinstance(value, str):
            row[name] = intern(value)
    return row


def _first(row: tuple[str, dict[str, Any]]) -> str:
    return row[0]


def _three(row: tuple[str, str, str, dict[str, Any]]) -> tuple[str, str, str]:
    return row[:3]
