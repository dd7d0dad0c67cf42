"""The audit: what is wrong with a golden set, whoever made it, held against the documents it speaks of.

``form`` looks at the items alone, ``proof`` at their spans and derivations, ``questions`` at questions beside one
another and their answers, ``spread`` at the set as a whole. Left out: whether a question reads well and is worth
asking, which takes a reader.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

from kgsynth.audit import drift, form, located, proof, questions, spread
from kgsynth.audit.report import AuditReport
from kgsynth.dataset import Dataset
from kgsynth.exchange import Reading, read
from kgsynth.records import Document, Finding

__all__ = ["CHECKS", "AuditReport", "audit"]

CHECKS: dict[str, Callable[[Dataset, Mapping[str, Document]], Iterator[Finding]]] = {
    "schema": form.schema,
    "id": form.ids,
    "not_found": located.not_found,
    "drift": drift.drifted,
    "derivation": proof.derived,
    "evidence": proof.answered,
    "hops": proof.hops,
    "duplicate": questions.duplicates,
    "near_duplicate": questions.near_duplicates,
    "leaking": questions.leaking,
    "coverage": spread.coverage,
    "language": spread.languages,
}
"""Code of a finding -> the check that makes it, but for drift, whose codes say what became of a span; in this order."""


def audit(
    golden: Dataset | Reading | Path | str,
    documents: Mapping[str, Document],
    *,
    mix: Mapping[str, float] | None = None,
) -> AuditReport:
    """Hold a golden set against ``documents`` (by id) and return all findings; with ``mix`` its balance is checked too.

    The set may be a file made elsewhere, which is read as ``exchange`` does.

    Raises:
        InputError: the file cannot be read as a golden set.
    """
    reading = Reading(golden) if isinstance(golden, Dataset) else golden
    reading = reading if isinstance(reading, Reading) else read(reading).locate(documents)
    dataset = reading.dataset
    findings = [*reading.findings, *(finding for check in CHECKS.values() for finding in check(dataset, documents))]
    if mix:
        findings += spread.balance(dataset, mix)
    stats = dataset.stats() | spread.share_asked(dataset, documents)
    return AuditReport(tuple(findings), stats | ({"read": reading.told} if reading.told else {}))
