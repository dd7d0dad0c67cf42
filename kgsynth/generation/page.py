"""The HTML report of ``generate``: how the questions were selected, the coverage, and every question with its proof."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from kgsynth.base.records import Document, Item
from kgsynth.base.shares import apportion
from kgsynth.generation.filters import BY_VECTOR, BY_WORDS, MEANINGS
from kgsynth.generation.result import by_rule, power_lines
from kgsynth.golden.dataset import Dataset
from kgsynth.ranking.promise import promise_lines
from kgsynth.show.coverage import CorpusCoverage, coverage
from kgsynth.show.illustrations import Illustrations
from kgsynth.show.pages import Report, render
from kgsynth.show.plots import Plot, bars, funnel, matrix
from kgsynth.show.questions import DIFFICULTIES, MAX_QUESTIONS_LISTED, ListedQuestion, View, chips, filters, view
from kgsynth.show.wording import joined, many

_SAMPLE_SIZE = 12
_DOCUMENTS_SHOWN = 10
_CLOSED_BOOK = "the LLM cannot answer the question without the documents"
_LLM_RULES = (
    *("quoted", "self_contained", "hop_necessity", "difficulty"),
    *("alone", "closed_book", "verified", "needed", "duplicate"),
)
"""Rules for the questions that an LLM writes, in the order of application."""
_SETTINGS = ("n", "seed", "language", "chunking", "chunk_size", "chunk_overlap", "llm")


def page(
    golden: Dataset, documents: Mapping[str, Document], manifest: Mapping[str, Any], docs: Path | None = None
) -> Report:
    """Return the report of a run from its golden set, documents and manifest; pages of PDFs in ``docs`` are drawn."""
    counts, config = manifest["counts"], manifest["config"]
    asked = coverage(golden, {name: documents[name] for name in manifest.get("drawn", documents)})
    drawn = Illustrations(documents, docs)
    sample = [view(item, documents, drawn) for item in golden.sample(min(_SAMPLE_SIZE, len(golden)))]
    rows = [_row(view(item, documents, drawn)) for item in golden[:MAX_QUESTIONS_LISTED]]
    pictures = tuple(_plots(golden, config, counts))
    types = _types(golden, config, counts)
    usage_heads, usage = _usage(manifest.get("usage", {}))
    html = render(
        "generation/page.html",
        kind="Golden set",
        title=_title(golden, config, counts),
        lead=_lead(golden, counts, asked),
        figures=_figures(golden, counts),
        pictures=pictures,
        rules=list(_rules(config, counts)),
        types=types,
        promises=manifest["promise"]["types"],
        promised=[promise_lines(manifest["promise"])[0], *power_lines(manifest["power"])],
        unwritten=counts["unwritten"],
        reasons=by_rule(counts["unwritten"]),
        shortage=manifest.get("shortage", ()),
        usage_heads=usage_heads,
        usage=usage,
        cost=manifest.get("usage", {}).get("cost", 0),
        coverage=asked,
        graph=manifest.get("graph", ()),
        sample=sample,
        rows=rows,
        total=len(golden),
        choices=filters(rows, {"type": "Type", "difficulty": "Difficulty", "document": "Document"}),
        settings=list(_settings(config, manifest.get("models", {}))),
        skipped=manifest.get("skipped", ()),
        remarks=manifest.get("remarks", ()),
    )
    return Report(html, pictures)


def _title(golden: Dataset, config: Mapping[str, Any], counts: Mapping[str, Any]) -> str:
    made = f"{many(len(golden), 'question')} with proof; {many(counts['documents'], 'document')} read"
    missing = config["n"] - len(golden)
    return f"{made}; {missing:,} fewer than asked for" if missing > 0 else made


def _lead(golden: Dataset, counts: Mapping[str, Any], asked: CorpusCoverage) -> str:
    written, valid = (sum(counts[step].values()) for step in ("candidates", "valid"))
    types = Counter(item.question_type.replace("_", " ") for item in golden)
    mix = joined([f"{number:,} {name}" for name, number in types.most_common()])
    passed = f"{many(written, 'candidate')} written, {valid:,} passed every rule, {len(golden):,} chosen"
    missed = f" {many(len(asked.unasked), 'long document')} got no question." if asked.unasked else ""
    return f"{passed}: {mix or 'none'}.{missed}"


def _figures(golden: Dataset, counts: Mapping[str, Any]) -> list[tuple[str, str]]:
    several = sum(len({span.doc for group in item.evidence for span in group}) > 1 for item in golden)
    read = {"documents": "documents read", "drawn": "documents asked about", "chunks": "chunks", "facts": "facts read"}
    found = [(f"{counts[name]:,}", label) for name, label in read.items() if name in counts]
    found += [(f"{sum(counts[step].values()):,}", step) for step in ("candidates", "valid")]
    return [*found, (f"{len(golden):,}", "questions"), (f"{several:,}", "with evidence in several documents")]


def _plots(golden: Dataset, config: Mapping[str, Any], counts: Mapping[str, Any]) -> Iterator[Plot]:
    lost = [(rule, -number) for rule, number in by_rule(counts["rejected"]).items()]
    written, valid = (sum(counts[step].values()) for step in ("candidates", "valid"))
    steps = [("candidates", written), *lost, ("valid", valid), ("chosen", len(golden))]
    yield funnel("funnel", f"{valid:,} of {written:,} candidates passed every rule", steps)
    types = Counter(item.question_type for item in golden)
    wanted = apportion(config["n"], config["mix"])
    shown = {name: types[name] for name in dict.fromkeys([*config["mix"], *sorted(types)])}
    yield bars("types", "Questions by type, chosen and wanted", shown, wanted=wanted)
    levels = [*DIFFICULTIES, *sorted({item.difficulty for item in golden} - set(DIFFICULTIES))]
    cells = Counter((item.question_type, item.difficulty) for item in golden)
    table = [[float(cells[name, level]) or None for level in levels] for name in shown]
    yield matrix("difficulty", "Difficulty by type", list(shown), levels, table)
    documents = Counter(span.doc for item in golden for span in {s.doc: s for g in item.evidence for s in g}.values())
    most = sorted(documents.items(), key=lambda pair: (-pair[1], pair[0]))[:_DOCUMENTS_SHOWN]
    yield bars("documents", "Documents with the most questions", dict(most))


def _types(golden: Dataset, config: Mapping[str, Any], counts: Mapping[str, Any]) -> list[tuple[Any, ...]]:
    chosen = Counter(item.question_type for item in golden)
    wanted = apportion(config["n"], config["mix"])
    steps = [counts[step] for step in ("scenarios", "candidates", "valid")]
    return [
        (name, *(step.get(name, 0) for step in (*steps, wanted)), chosen[name])
        for name in dict.fromkeys([*config["mix"], *sorted(chosen)])
    ]


def _rules(config: Mapping[str, Any], counts: Mapping[str, Any]) -> Iterator[tuple[str, str, int, int]]:
    """Yield each rule, what it asks for, how many candidates it rejected, and how many reached it."""
    numbers, left = by_rule(counts["rejected"]), sum(counts["candidates"].values())
    applied = _LLM_RULES if config.get("llm") else (*BY_WORDS, *BY_VECTOR)
    for rule in (*applied, *sorted(set(numbers) - set(applied))):
        asked = _CLOSED_BOOK if rule == "closed_book" else MEANINGS[rule]
        yield rule.replace("_", " "), asked, numbers.get(rule, 0), left
        left -= numbers.get(rule, 0)


def _usage(usage: Mapping[str, Any]) -> tuple[list[str], list[tuple[str, list[str]]]]:
    stages = {name: spent for name, spent in usage.items() if isinstance(spent, Mapping)}
    heads = list(dict.fromkeys(key for spent in stages.values() for key in spent))
    return heads, [(name, [f"{spent.get(key, 0):,g}" for key in heads]) for name, spent in stages.items()]


def _row(shown: View) -> ListedQuestion:
    item = shown.item
    keys = {"type": [item.question_type], "difficulty": [item.difficulty], "document": _documents(item)}
    return ListedQuestion(item.id, item.question, " | ".join(item.golden_answers), chips(item), keys, shown)


def _documents(item: Item) -> Sequence[str]:
    return sorted({span.doc for group in item.evidence for span in group})


def _settings(config: Mapping[str, Any], models: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    for name in _SETTINGS:
        if config.get(name) is not None:
            yield name.replace("_", " "), str(config[name])
    yield "mix", ", ".join(f"{name} {share:g}" for name, share in config["mix"].items())
    yield from ((f"{name} model", str(model)) for name, model in models.items())
