"""Summaries in a language model's own words, for those who ask for them: one call a document, so off by default.

They stand in the graph beside the sentences a summary is made of, and tell the model that words a question what its
document is about. Nothing is proved by them.
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

_WORDS = 1200  # of a document that are shown


@dataclass(frozen=True, slots=True)
class Abstract:
    """What the model replies."""

    summary: str


def prompt(document: Document) -> Prompt:
    """Return what the model is asked of a document; of a long one it sees the beginning."""
    shown = " ".join(document.plain(0, len(document.text)).split()[:_WORDS])
    return Prompt(
        "summarising",
        f"You summarise documents in their own language. {DATA}",
        f"{quoted('document', f'{document.title}: {shown}')}\n\nSay in one or two sentences what it is about.",
        max_tokens=200,
        example_reply=json.dumps({"summary": " ".join(shown.split()[:40])}, ensure_ascii=False),
    )


def abstract(graph: nx.MultiDiGraph, documents: Sequence[Document], model: LLM) -> None:
    """Add ``abstract`` to the summary node of every document that has one and gets a reply that can be used."""
    by_id = {document.id: document for document in documents}
    nodes: list[dict[str, Any]] = [
        data for _, data in graph.nodes(data=True) if data["kind"] == "summary" and data["of"] in by_id
    ]
    prompts = [prompt(by_id[data["of"]]) for data in nodes]
    for place, reply in model.ask_all(prompts, Abstract):
        if not isinstance(reply, Failure) and reply.summary.strip():
            nodes[place]["abstract"] = " ".join(reply.summary.split())


def abstracts(graph: nx.MultiDiGraph) -> Mapping[str, str]:
    """Return what documents are about, by their id, those that have an abstract."""
    summaries = (data for _, data in graph.nodes(data=True) if data["kind"] == "summary" and "abstract" in data)
    return {data["of"]: data["abstract"] for data in summaries}
