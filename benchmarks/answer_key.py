"""How much of a handbook's answer key becomes candidates; first run kgsynth generate on the handbook.

    python benchmarks/answer_key.py RUN [DOCS] [KEY]

An entry is found if a candidate of the right subtype has one of its sentences as evidence. Where one sentence or row
answers several questions, the candidate must also have the answer of the key. Boilerplate must never be evidence.
"""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from pathlib import Path
from typing import Any

from arguments import call, run_folder

from kgsynth.base.records import Document, Item
from kgsynth.documents import read_folder
from kgsynth.documents.text_index import TextIndex
from kgsynth.golden.item_json import from_json

SUBTYPES = {
    "scoped": {"scoped"},
    "condition": {"explicit"},
    "cause": {"cause"},
    "purpose": {"purpose"},
    "definition": {"definition"},
    "value": {"factoid"},
    "time": {"factoid"},
    "role": {"factoid"},
    "term": {"term"},
    "look_up": {"look_up"},
    "listing": {"listing"},
    "steps": {"listing"},
    "question": {"page_question", "page_reason", "page_condition"},
}
"""Kind of an entry -> the subtypes of the questions that it may become."""
ANSWER_NEEDED = {"value", "time", "role", "look_up"}
Place = tuple[str, int, int]


def touched(item: Item, place: Place) -> bool:
    """Check whether an item's evidence overlaps ``place``."""
    doc, start, end = place
    return any(span.doc == doc and span.start < end and start < span.end for group in item.evidence for span in group)


def finds(item: Item, entry: dict[str, Any], places: list[Place]) -> bool:
    """Check whether an item of a right subtype asks what an entry of the key plants."""
    if entry["kind"] in ANSWER_NEEDED and entry["answer"] not in item.golden_answers:
        return False
    return any(touched(item, place) for place in places)


def main(run: str, docs: str = "corpora/handbook", key: str = "corpora/handbook.key.jsonl") -> None:
    """Print the share found by kind, and all boilerplate that became evidence."""
    documents = {d.id: d for d in read_folder(Path(docs)) if isinstance(d, Document)}
    index = TextIndex({name: document.text for name, document in documents.items()})
    lines = (run_folder(run) / "candidates.jsonl").read_text(encoding="utf-8").splitlines()
    candidates = [from_json(json.loads(line)) for line in lines]
    by_subtype: dict[str, list[Item]] = defaultdict(list)
    for item in candidates:
        by_subtype[item.subtype].append(item)
    found: Counter[str] = Counter()
    total: Counter[str] = Counter()
    leaked = []
    for line in Path(key).read_text(encoding="utf-8").splitlines():
        entry = json.loads(line)
        kind = entry["kind"]
        places = [located for span in entry["spans"] if (located := locate(index, span))]
        if kind == "boilerplate":
            leaked += [(item, span) for span in places for item in candidates if touched(item, span)]
        elif kind in SUBTYPES:
            total[kind] += 1
            rivals = [item for subtype in sorted(SUBTYPES[kind]) for item in by_subtype[subtype]]
            found[kind] += any(finds(item, entry, places) for item in rivals)
    print(f"{'kind':<12}{'found':>7}{'planted':>9}{'share':>8}")
    for kind, planted in [*((kind, total[kind]) for kind in SUBTYPES if total[kind]), ("all", total.total())]:
        right = found.total() if kind == "all" else found[kind]
        print(f"{kind:<12}{right:>7}{planted:>9}{right / planted:>8.0%}")
    print(f"candidates on boilerplate: {len({item.id for item, _ in leaked})}")
    for item, (doc, start, end) in leaked:
        print(f"  {doc}: {documents[doc].text[start:end][:60]!r} -> {item.question}")


def locate(index: TextIndex, span: dict[str, str]) -> Place | None:
    """Return the place of a span of the key."""
    places, _ = index.find(span["text"], span["doc"])
    return (places[0][0], places[0][1], places[0][2]) if places else None


if __name__ == "__main__":
    call(main)
