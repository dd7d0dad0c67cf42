"""Planted sets for the tests of reports: documents with hostile text, questions on them, and systems that answer."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import networkx as nx
from planted import read_markdown

from kgsynth.auditing import AuditReport
from kgsynth.auditing import page as auditing
from kgsynth.base.records import Answer, Document, Finding, Item, Passage, Span
from kgsynth.comparison import page as comparing
from kgsynth.generation import page as generating
from kgsynth.golden.dataset import Dataset
from kgsynth.scoring.flow import score
from kgsynth.show.pages import Report

HOSTILE = "<script>alert(document.domain)</script> & <img src=https://example.org/x onerror=alert(1)>"
TYPES = ("simple", "reasoning", "multi_context")
LEVELS = ("easy", "medium", "hard")
FILLER = "The keepers write the figures of the day into the book that lies beside the door of the house. " * 3


def documents(number: int) -> dict[str, Document]:
    """Documents of two sections, each with a fact among other words, the second with what would be markup."""
    pages = {}
    for at in range(number):
        text = (
            f"# Depot {at}\n\nThe depot {at} keeps {at + 3} barrels in cellar {at}. {FILLER}\n\n"
            f"## Staff {at}\n\nKeeper {at} leads the depot {at} since {1900 + at}. Beware of {HOSTILE} there. "
            f"{FILLER}\n"
        )
        pages[f"depots/{at:03}.md"] = read_markdown(f"depots/{at:03}.md", text)
    return pages


def place(document: Document, text: str) -> Span:
    start = document.text.index(text)
    return document.span(start, start + len(text))


def items(pages: Mapping[str, Document], number: int) -> list[Item]:
    """Questions that go round the documents and the types; those of several contexts need both facts of a document."""
    made = []
    for at in range(number):
        page = pages[sorted(pages)[at % len(pages)]]
        nth = at % len(pages)
        barrels = place(page, f"The depot {nth} keeps {nth + 3} barrels in cellar {nth}.")
        leads = place(page, f"Keeper {nth} leads the depot {nth} since {1900 + nth}.")
        kind = TYPES[at % 3]
        groups = ((leads,), (barrels,)) if kind == "multi_context" else ((barrels,),)
        find = place(page, f"{nth + 3} barrels")
        steps = [
            {"fact": f"f-{n}", "find": {"doc": find.doc, "start": find.start, "end": find.end}}
            for n in range(len(groups))
        ]
        made.append(
            Item(
                f"q-{at:04}", f"How many barrels does depot {nth} keep, asked for the {at}th time? {HOSTILE}",
                (f"{nth + 3} barrels",), kind, "factoid", "en", groups, {"operator": "lookup", "steps": steps},
                difficulty=LEVELS[at % 3],
            )
        )  # fmt: skip
    return made


class Half:
    """A system that finds the first piece of evidence of every second question, and says something hostile."""

    name, signature = "half", "half|1"

    def __init__(self, found: int = 0) -> None:
        self._found = found

    def ask(self, item: Item) -> Answer:
        number = int(item.id.partition("-")[2])
        span = item.evidence[0][0]
        near = Passage(span.doc, max(0, span.start - 400), span.end + 400, score=0.5)
        far = [Passage("depots/000.md", 0, 0, f"{HOSTILE} {FILLER * 3}", score=0.1)] * 6
        passages = (near, *far) if number % 2 == self._found else tuple(far)
        return Answer(item.id, f"7 barrels {HOSTILE}", passages, latency_s=0.25)

    def close(self) -> None: ...


def manifest(dataset: Dataset) -> dict[str, Any]:
    """What the manifest of a run would say that made this set, with a type of which there were too few."""
    return {
        "config": {"n": len(dataset) + 2, "mix": dict.fromkeys(TYPES, 1 / 3), "seed": 0, "chunking": "recursive"},
        "counts": {
            "documents": 9,
            "chunks": 80,
            "facts": 70,
            "scenarios": {"simple": 40},
            "unwritten": {"simple": {"only an example": 8, "other reasons": 4}, "reasoning": {"other reasons": 3}},
            "candidates": {"simple": 30, "reasoning": 5},
            "rejected": {
                "simple": {"leaking": 4, "self_contained": 6},
                "reasoning": {"self_contained": 1, "duplicate": 2},
            },
            "valid": {"simple": 20, "reasoning": 2},
            "golden": len(dataset),
        },
        "shortage": ["reasoning: 9 asked for, 2 chosen of 2 valid"],
        "graph": ["The graph has 80 chunks."],
        "power": {"questions": 30, "found": 0.9, "difference": 0.27, "too_easy": True},
        "promise": {
            "share": 0.58,
            "low": 0.44,
            "high": 0.72,
            "questions": 30,
            "others": 0,
            "types": {
                "simple": {"share": 0.61, "low": 0.4, "high": 0.8, "questions": 24, "why": ""},
                "reasoning": {"share": None, "questions": 6, "why": "6 questions are fewer than 20"},
            },
            "rankers": {"en": {"questions": 1700, "folders": 14, "kept": 0.3, "languages": ["en"]}},
        },
        "usage": {"writing": {"calls": 12, "tokens_in": 3400}, "cost": 0.02},
        "models": {"embedding": "tiny|dim:8"},
        "skipped": [{"path": "x.pdf", "reason": "its format is not read"}],
    }


def generated(pages: Mapping[str, Document], dataset: Dataset) -> Report:
    return generating.page(dataset, pages, manifest(dataset))


def scored(pages: Mapping[str, Document], dataset: Dataset, out: Path, found: int = 0) -> Path:
    """The folder of a run of ``score``."""
    score(dataset, Half(found), docs=list(pages.values()), out=out, gates=["recall@5>=0.9", "mrr>=0.1"])
    return out


def audited(pages: Mapping[str, Document], dataset: Dataset) -> Report:
    findings = [Finding("span", "error", item.id, f"it is gone {HOSTILE}", "correct it") for item in dataset[::2]]
    findings.append(Finding("coverage", "warning", "", "2 missed", ""))
    stats = {
        "items": len(dataset),
        "difficulty": {"easy": 3, "hard": 2},
        "words": {"n": 5, "mean": 7.2, "quartiles": [5, 7, 9], "least": 4, "most": 11, "bins": {"4": 2, "7": 3}},
        "coverage": {"topics": [{"topic": HOSTILE, "passages": 4}]},
    }
    titles = {"span": "evidence without text", "leaking": "a question that contains its answer"}
    report = AuditReport(tuple(findings), stats, titles, {"closed_book": "no model was given"})
    return auditing.page(report.to_json(), dataset, pages)


def compared(a: Path, b: Path, *more: Path) -> Report:
    from kgsynth.comparison.runs import compare

    return comparing.page(compare([a, b, *more]))


def graph(number: int) -> nx.MultiDiGraph:
    """A graph of about ``number`` nodes: documents of eight passages, names that some of them share, values."""
    made = nx.MultiDiGraph()
    for doc in range(max(1, number // 40)):
        name = f"d{doc:03}.md"
        made.add_node(name, kind="document", title=f"Depot {doc} {HOSTILE}", language="en")
        for at in range(8):
            chunk = f"c-{doc:03}-{at}"
            made.add_node(chunk, kind="chunk", doc=name, section=name, start=at * 20, end=at * 20 + 20)
            made.add_edge(name, chunk, "contains", kind="contains")
            for nth in range(4):
                value = f"v-{doc:03}-{at}-{nth}"
                entity = f"e-{(doc * 7 + at * 3 + nth) % max(1, number // 12):04}"
                made.add_node(entity, kind="entity", name=f"Keeper {entity[2:]}", label="PERSON", forms=("K", "Kee"))
                made.add_node(value, kind="value", name=f"{at} barrels of {doc}", label="")
                made.add_edge(chunk, entity, "mentions", kind="mentions", spans=((1, 2), (5, 9)))
                told = {
                    "fact": f"f-{doc}-{at}-{nth}",
                    "predicate": "keep",
                    "polarity": "negative",
                    "chunk": chunk,
                    "qualifiers": {"time": "now"},
                }
                made.add_edge(entity, value, f"f-{doc}-{at}-{nth}", kind="fact", **told)
    return made
