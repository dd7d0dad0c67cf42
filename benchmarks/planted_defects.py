"""Does the audit find the defects planted in a set, and nothing where none was? Kind by kind: precision and recall.

    python benchmarks/planted_defects.py RUN DOCS [EACH] [SEED]

RUN is the folder of a run of ``kgsynth generate`` over DOCS, of 200 items or more. EACH of every kind are planted (10),
and the set is audited, first as it is, then as a file from elsewhere would be: without derivations and metadata. A
finding on an item where nothing was planted counts as a false alarm, true or not. These are listed, and what was not
found.
"""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

from arguments import call, run_folder
from defects import DEFECTS, World, page

from kgsynth.auditing.flow import check_set
from kgsynth.auditing.resources import Resources, gather
from kgsynth.base.errors import ConfigError
from kgsynth.base.records import Document, Finding, Item, item_id
from kgsynth.documents import read_documents
from kgsynth.golden.dataset import Dataset, load


class Planted(NamedTuple):
    """A set with defects: which kind stands where, the documents with what was added, and the set to be apart from."""

    items: Dataset
    kinds: Mapping[str, str]
    documents: Mapping[str, Document]
    against: Dataset


class Row(NamedTuple):
    """How a kind was found: on how many of the items where it was planted, and on how many where nothing was."""

    kind: str
    planted: int
    found: int
    alarms: int


def plant(
    items: Sequence[Item], documents: Mapping[str, Document], donors: Sequence[Item], each: int, seed: int
) -> Planted:
    """Return the set with ``each`` defects of every kind, each on an item of its own."""
    needed = (len(DEFECTS) + 1) * each
    if len(items) < needed:
        raise ConfigError(f"{each} defects of each kind need {needed} items, there are {len(items)}: give EACH smaller")
    rng = random.Random(seed)
    left = sorted(items, key=lambda item: item.id)
    rng.shuffle(left)
    left.sort(key=lambda item: item.subtype != "scoped")  # the few that can lose their scope are not to be used up
    kept = left[len(DEFECTS) * each :]
    world = World(documents, list(kept), donors, rng, [], [])
    spoiled: dict[str, tuple[str, Item]] = {}
    for kind, defect in DEFECTS.items():
        for item in [item for item in left if item not in kept]:
            if sum(known == kind for known, _ in spoiled.values()) == each:
                break
            if item.id not in spoiled and (made := defect.spoil(item, world)) is not None:
                spoiled[item.id] = kind, made
    out, kinds = [], {}
    made_of = [spoiled.get(item.id, ("", item)) for item in items]
    for number, (kind, made) in enumerate(sorted(made_of, key=lambda pair: "duplicate" in pair[0])):  # copies come last
        made = replace(made, id=f"{item_id(made.question, made.golden_answers, made.evidence)}-{number}", metadata={})
        out.append(made)
        kinds[made.id] = kind
    more = {"planted/other.md": page(list(dict.fromkeys(world.added)))} if world.added else {}
    return Planted(Dataset(out), kinds, {**documents, **more}, Dataset(world.twins))


def foreign(planted: Planted) -> Planted:
    """Return the set as one made elsewhere: no derivations, subtypes or negatives."""
    items = [replace(item, derivation={}, subtype="", difficulty="medium", hard_negatives=()) for item in planted.items]
    return planted._replace(items=Dataset(items))


def rows(planted: Planted, findings: Sequence[Finding], *, proved: bool) -> list[Row]:
    """Return a row for each kind that can be found; those of derivations only where there are any."""
    table = []
    for kind, defect in DEFECTS.items():
        if proved or not defect.proved:
            told = {finding.item for finding in findings if finding.code in defect.codes and finding.item}
            there = [ident for ident, known in planted.kinds.items() if known == kind]
            whole = [ident for ident, known in planted.kinds.items() if not known]
            table.append(Row(kind, len(there), len(told.intersection(there)), len(told.intersection(whole))))
    return table


def show(planted: Planted, means: Resources, *, proved: bool) -> None:
    """Audit the set and print the table, and the false alarms under it."""
    findings = check_set(planted.items, planted.documents, resources=means).findings
    print(f"{'kind':<20} planted  found  false alarms  precision  recall")
    for row in rows(planted, findings, proved=proved):
        precision, recall = row.found / max(1, row.found + row.alarms), row.found / max(1, row.planted)
        print(f"{row.kind:<20}{row.planted:>8}{row.found:>7}{row.alarms:>14}{precision:>11.0%}{recall:>8.0%}")
    for finding in findings:
        kind = planted.kinds.get(finding.item)
        if kind == "":
            print(f"  false alarm: {finding.code}: {finding.message}")
    found = {(finding.item, finding.code) for finding in findings}
    for ident, kind in planted.kinds.items():
        if (
            kind
            and (proved or not DEFECTS[kind].proved)
            and not any((ident, code) in found for code in DEFECTS[kind].codes)
        ):
            item = planted.items[ident]
            print(f"  not found: {kind}: {item.question!r}, {item.golden_answers[0]!r}")


def main(run: str, docs: str, each: int = 10, seed: int = 1) -> None:
    """Plant, audit and print, once with derivations and once without."""
    folder = run_folder(run)
    documents = {document.id: document for document in read_documents(docs)}
    golden = load(folder)
    donors = [item for item in load(Path(folder, "candidates.jsonl")) if item.id not in golden]
    planted = plant(list(golden), documents, donors, each, seed)
    means = gather(planted.documents, folder, against=planted.against)
    print(f"{len(golden)} items, with derivations")
    show(planted, means, proved=True)
    print(f"\n{len(golden)} items, without derivations and metadata")
    show(foreign(planted), means, proved=False)


if __name__ == "__main__":
    call(main)
