"""The graph as GraphML, which Gephi, yEd, Cytoscape and networkx read: every attribute is a text or a number."""

from __future__ import annotations

import io
import re
from collections.abc import Iterable, Mapping
from typing import Any

import networkx as nx

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
