"""The audit: what is wrong with a golden set, whoever made it, held against the documents it speaks of.

``checks`` is the table of all that is looked for. ``form`` looks at the items alone, ``proof`` at their spans and
derivations, ``support`` at whether the evidence holds the answer, ``questions`` at a question beside its evidence,
``alike`` at questions beside one another, ``rivals`` at other answers, ``ranks`` at where the embedding puts the
evidence, ``by_heart`` at what a model knows anyway, ``spread`` and ``topics`` at the set as a whole; in ``case`` they
look things up. Left out: whether a question reads well and is worth asking, which takes a reader.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from kgsynth.auditing.case import Case
from kgsynth.auditing.checks import CHECKS
from kgsynth.auditing.counts import figures
from kgsynth.auditing.report import AuditReport
from kgsynth.auditing.resources import Means, gather
from kgsynth.base.errors import BudgetError
from kgsynth.base.records import Document, Finding
from kgsynth.golden.dataset import Dataset
from kgsynth.golden.exchange import LoadedSet, read

__all__ = ["CHECKS", "AuditReport", "Means", "audit", "gather"]


def audit(
    golden: Dataset | LoadedSet | Path | str,
    documents: Mapping[str, Document],
    *,
    mix: Mapping[str, float] | None = None,
    means: Means | None = None,
) -> AuditReport:
    """Hold a golden set against ``documents`` (by id) and return all findings.

    With ``mix`` its balance is checked too; without ``means`` (see ``gather``) the audit goes by words alone.

    The set may be a file made elsewhere, which is read as ``exchange`` does.

    Raises:
        InputError: the file cannot be read as a golden set.
        SystemUnreachableError: a language model is to be asked and cannot be reached.
    """
    reading = LoadedSet(golden) if isinstance(golden, Dataset) else golden
    reading = reading if isinstance(reading, LoadedSet) else read(reading).locate(documents)
    case = Case(reading.dataset, documents, means, mix)
    findings: list[Finding] = [*reading.findings]
    titles: dict[str, str] = {}
    skipped: dict[str, str] = {}
    for code, check in CHECKS.items():
        if not case.means.have(check.needs):
            skipped |= {code: why} if (why := case.means.lacking.get(check.needs)) else {}
            continue
        titles |= check.told(code)
        try:
            for finding in check.find(case):
                findings.append(finding)  # one by one: those before a budget is spent count
        except BudgetError as error:
            skipped[code] = f"in part: {error}"
    stats = figures(case) | ({"read": reading.summary} if reading.summary else {})
    return AuditReport(tuple(findings), stats, titles, skipped)
