"""Precision and recall of the audit on planted defects, by kind.

    python benchmarks/planted_defects.py RUN DOCS [EACH] [SEED]

RUN is a run folder of ``kgsynth generate`` over DOCS with at least 200 items. EACH defects of every kind (default: 10)
are planted, those for the language of most items. The set is audited twice: as it is, and without derivations and
metadata, like a set made by another tool.
Each finding on an intact item counts as a false alarm. False alarms and missed defects are listed.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

import defects_zh
from arguments import call, run_folder
from defects import DEFECTS, Defect, Sources, page

from kgsynth.auditing.flow import check_set
from kgsynth.auditing.resources import Resources, load_resources
from kgsynth.base.errors import ConfigError
from kgsynth.base.records import Document, Finding, Item, item_id
from kgsynth.documents import read_documents
from kgsynth.golden.dataset import Dataset, load

IN_LANGUAGE = {"zh": defects_zh.DEFECTS}
"""Language code -> the kinds of defects of its own."""


class Planted(NamedTuple):
    """A set with defects: the kind of each item ("" if intact), the documents with additions, and the other set."""

    items: Dataset
    kinds: Mapping[str, str]
    documents: Mapping[str, Document]
    against: Dataset


class Row(NamedTuple):
    """How often a kind was planted, found, and reported on intact items."""

    kind: str
    planted: int
    found: int
    false_alarms: int


def plant(
    items: Sequence[Item], documents: Mapping[str, Document], donors: Sequence[Item], each: int, seed: int
) -> Planted:
    """Return the set with ``each`` defects of every kind, at most one per item.

    Raises:
        ConfigError: the set has too few items.
    """
    defects = defects_for(items)
    needed = (len(defects) + 1) * each
    if len(items) < needed:
        raise ConfigError(f"{each} defects of each kind need {needed} items, the set has {len(items)}; lower EACH")
    rng = random.Random(seed)
    left = sorted(items, key=lambda item: item.id)
    rng.shuffle(left)
    left.sort(key=lambda item: item.subtype != "scoped")  # few items can lose their scope: offer them first
    intact = left[len(defects) * each :]
    sources = Sources(documents, list(intact), donors, rng, [], [])
    spoiled: dict[str, tuple[str, Item]] = {}
    for kind, defect in defects.items():
        for item in [item for item in left if item not in intact]:
            if sum(known == kind for known, _ in spoiled.values()) == each:
                break
            if item.id not in spoiled and (made := defect.spoil(item, sources)) is not None:
                spoiled[item.id] = kind, made
    out, kinds = [], {}
    pairs = [spoiled.get(item.id, ("", item)) for item in items]
    pairs.sort(key=lambda pair: "duplicate" in pair[0])  # copies come after the original
    for number, (kind, made) in enumerate(pairs):
        made = replace(made, id=f"{item_id(made.question, made.golden_answers, made.evidence)}-{number}", metadata={})
        out.append(made)
        kinds[made.id] = kind
    more = {"planted/other.md": page(list(dict.fromkeys(sources.added)))} if sources.added else {}
    return Planted(Dataset(out), kinds, {**documents, **more}, Dataset(sources.twins))


def defects_for(items: Sequence[Item]) -> Mapping[str, Defect]:
    """Return the kinds of defects for the language of most items."""
    ((code, _),) = Counter(item.language for item in items).most_common(1)
    return IN_LANGUAGE.get(code, DEFECTS)


def foreign(planted: Planted) -> Planted:
    """Return the set as if made elsewhere: no derivations, subtypes or hard negatives."""
    items = [replace(item, derivation={}, subtype="", difficulty="medium", hard_negatives=()) for item in planted.items]
    return planted._replace(items=Dataset(items))


def rows(planted: Planted, findings: Sequence[Finding], *, proved: bool) -> list[Row]:
    """Return a row for each kind; kinds that need a derivation only when ``proved``."""
    table = []
    for kind, defect in defects_for(list(planted.items)).items():
        if proved or not defect.proved:
            reported = {finding.item for finding in findings if finding.code in defect.codes and finding.item}
            spoiled = [ident for ident, known in planted.kinds.items() if known == kind]
            intact = [ident for ident, known in planted.kinds.items() if not known]
            table.append(Row(kind, len(spoiled), *(len(reported.intersection(ids)) for ids in (spoiled, intact))))
    return table


def show(planted: Planted, resources: Resources, *, proved: bool) -> None:
    """Audit the set and print the table, the false alarms and the missed defects."""
    findings = check_set(planted.items, planted.documents, resources=resources).findings
    print(f"{'kind':<20} planted  found  false alarms  precision  recall")
    for row in rows(planted, findings, proved=proved):
        precision, recall = row.found / max(1, row.found + row.false_alarms), row.found / max(1, row.planted)
        print(f"{row.kind:<20}{row.planted:>8}{row.found:>7}{row.false_alarms:>14}{precision:>11.0%}{recall:>8.0%}")
    for finding in findings:
        kind = planted.kinds.get(finding.item)
        if kind == "":
            print(f"  false alarm: {finding.code}: {finding.message}")
    defects = defects_for(list(planted.items))
    found = {(finding.item, finding.code) for finding in findings}
    for ident, kind in planted.kinds.items():
        defect = defects.get(kind)
        if defect and (proved or not defect.proved) and not any((ident, code) in found for code in defect.codes):
            item = planted.items[ident]
            print(f"  missed: {kind}: {item.question!r}, {item.golden_answers[0]!r}")


def main(run: str, docs: str, each: int = 10, seed: int = 1) -> None:
    """Plant the defects, audit the set and print the result, with derivations and without."""
    folder = run_folder(run)
    documents = {document.id: document for document in read_documents(docs)}
    golden = load(folder)
    donors = [item for item in load(Path(folder, "candidates.jsonl")) if item.id not in golden]
    planted = plant(list(golden), documents, donors, each, seed)
    resources = load_resources(planted.documents, folder, against=planted.against)
    print(f"{len(golden)} items, with derivations")
    show(planted, resources, proved=True)
    print(f"\n{len(golden)} items, without derivations and metadata")
    show(foreign(planted), resources, proved=False)


if __name__ == "__main__":
    call(main)
