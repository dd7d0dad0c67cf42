"""Summaries in an LLM's own words: one call for each document, so they are off by default.

The graph has them beside the extracted sentences. The LLM that words a question reads in them what its document is
about; they are never evidence.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from kgsynth.models.llm import Failure, Prompt
from kgsynth.models.llm.prompt_quoting import DATA, quoted

if TYPE_CHECKING:
    import networkx as nx

    from kgsynth.base.records import Document
    from kgsynth.models.llm import LLM

_MAX_DOCUMENT_WORDS = 1200  # of a document in the prompt, to limit its cost


@dataclass(frozen=True, slots=True)
class Abstract:
    """The reply of the LLM."""

    summary: str


def prompt(document: Document) -> Prompt:
    """Return the prompt for a document; a long document is cut."""
    shown = " ".join(document.plain(0, len(document.text)).split()[:_MAX_DOCUMENT_WORDS])
    return Prompt(
        "summarising",
        f"You summarise documents in their own language. {DATA}",
        f"{quoted('document', f'{document.title}: {shown}')}\n\nSay in one or two sentences what it is about.",
        max_tokens=200,
        example_reply=json.dumps({"summary": " ".join(shown.split()[:40])}, ensure_ascii=False),
    )


def add_abstracts(graph: nx.MultiDiGraph, documents: Sequence[Document], model: LLM) -> None:
    """Add ``abstract`` to the summary node of every document that has one and gets a usable reply."""
    by_id = {document.id: document for document in documents}
    nodes: list[dict[str, Any]] = [
        data for _, data in graph.nodes(data=True) if data["kind"] == "summary" and data["of"] in by_id
    ]
    prompts = [prompt(by_id[data["of"]]) for data in nodes]
    for place, reply in model.ask_all(prompts, Abstract):
        if not isinstance(reply, Failure) and reply.summary.strip():
            nodes[place]["abstract"] = " ".join(reply.summary.split())


def abstracts(graph: nx.MultiDiGraph) -> Mapping[str, str]:
    """Return the abstracts by document id."""
    summaries = (data for _, data in graph.nodes(data=True) if data["kind"] == "summary" and "abstract" in data)
    return {data["of"]: data["abstract"] for data in summaries}
