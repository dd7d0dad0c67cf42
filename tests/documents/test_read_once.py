"""The work on a document does not grow with the questions on it: its layout and its prose are read once."""

from __future__ import annotations

import gc
import weakref
from collections.abc import Iterator, MutableMapping
from dataclasses import replace
from typing import cast

import pytest
from planted import knowledge_of, read_markdown

import kgsynth.documents.structure as structure_package
from kgsynth.base.records import Block, Document
from kgsynth.documents.structure import structure
from kgsynth.documents.structure.outline import Outline
from kgsynth.evidence.derivation import recompute
from kgsynth.generation.evolutions import EVOLUTIONS
from kgsynth.generation.writing import compose

TABLE = "# Plans\n\n| Plan | Price | Seats |\n|--|--|--|\n| Team | $5 | 3 |\n| Crew | $9 | 8 |\n| Fleet | $20 | 9 |\n"


class CountedBlocks(tuple[Block, ...]):
    """The blocks of a document, which count how often all of them are read."""

    read = 0

    def __iter__(self) -> Iterator[Block]:
        self.read += 1
        return super().__iter__()


def test_the_layout_is_read_once_for_all_derivations(monkeypatch: pytest.MonkeyPatch) -> None:
    outlines = []

    def counted(document: Document) -> Outline:
        outlines.append(document.id)
        return Outline(document)

    monkeypatch.setattr(structure_package, "Outline", counted)
    knowledge = knowledge_of({"plans.md": TABLE})
    items = [candidate.item for candidate in compose(EVOLUTIONS["look_up"](knowledge), knowledge)]
    assert len(items) == 3  # the prices of the three plans
    for item in items:
        assert recompute(item.derivation, knowledge.documents) == item.golden_answers[:1]
    assert outlines == ["plans.md"]


@pytest.mark.parametrize("subtype", ["page_question", "factoid"])
def test_all_blocks_are_read_as_often_for_twelve_headings_as_for_four(subtype: str) -> None:
    assert (few := blocks_read(4, subtype)) == blocks_read(12, subtype)
    assert few


def blocks_read(headings: int, subtype: str) -> int:
    """Return how often all blocks are read to write the questions of a page and to prove their answers."""
    names = "Amber Basil Cedar Dahlia Elder Fennel Garlic Hazel Iris Juniper Kale Laurel".split()[:headings]
    parts = [
        f"## Rotate the {name} key with Skua\n\nOpen the settings page with Skua and select the {name} key. Then click "
        f"Rotate and wait until the new key is shown.\n\n## Limits\n\nThe {name} pump rejects keys after {number} days."
        for number, name in enumerate(names, 2)
    ]
    knowledge = knowledge_of({"skua.md": "# Skua guide\n\nKeys are kept with Skua.\n\n" + "\n\n".join(parts)})
    page = knowledge.documents["skua.md"]
    blocks = CountedBlocks(page.blocks)
    cast(MutableMapping[str, Document], knowledge.documents)["skua.md"] = replace(page, blocks=blocks)
    items = [candidate.item for candidate in compose(EVOLUTIONS[subtype](knowledge), knowledge)]
    assert 2 * len(items) > headings
    for item in items:
        assert recompute(item.derivation, knowledge.documents)
    return blocks.read


def test_what_is_read_is_freed_with_its_document() -> None:
    page = read_markdown("plans.md", TABLE)
    kept = weakref.ref(page)
    assert structure(page) is structure(page)
    del page
    gc.collect()
    assert kept() is None


def test_documents_of_one_id_and_checksum_are_told_apart_by_their_blocks() -> None:
    page = read_markdown("plans.md", TABLE)
    bare = replace(page, blocks=(), containers=(), sections=page.sections[:1])
    assert hash(page) == hash(bare)
    assert len(structure(page)) > 6
    assert not any(fact.kind == "cell" for fact in structure(bare))


def test_blocks_in_and_from_a_place() -> None:
    page = read_markdown("a.md", "# Keys\n\nOne.\n\nTwo.\n\nThree.\n")
    second = page.text.index("Two.")
    assert [block.text for block in page.blocks_in(second + 1, len(page.text))] == ["Two.", "Three."]
    assert [block.text for block in page.blocks_from(second + 1, len(page.text))] == ["Three."]
    assert [block.text for block in page.blocks_in(second - 1, second)] == []
    assert [block.text for block in page.blocks_from(0, second)] == ["Keys", "One."]
