"""The audit, step by step: read the set and the documents, load the models, run every check, compute statistics."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import closing, nullcontext
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from kgsynth.auditing.case import AuditCase
from kgsynth.auditing.checks import CHECKS
from kgsynth.auditing.counts import set_statistics
from kgsynth.auditing.inputs import AuditInputs, read_inputs
from kgsynth.auditing.report import AuditReport
from kgsynth.auditing.resources import Resources, load_resources
from kgsynth.base.config import checked_arguments
from kgsynth.base.errors import BudgetError, InputError
from kgsynth.base.progress import Progress, silent
from kgsynth.base.records import Document, Finding
from kgsynth.base.run_folder.manifest import found_no_more, mix_of_run
from kgsynth.documents.run_documents import documents_folder
from kgsynth.golden.dataset import Dataset
from kgsynth.golden.exchange import LoadedSet
from kgsynth.golden.span_tracking import SpanTracker
from kgsynth.golden.spans import evidence_spans
from kgsynth.show.wording import many

if TYPE_CHECKING:
    from kgsynth.models.llm import LLMSettings


@checked_arguments
def audit(
    golden: Dataset | Path | str,
    docs: Path | str | Sequence[Document] | None = None,
    *,
    mapping: str | None = None,
    mix: Mapping[str, float] | None = None,
    quick: bool = False,
    against: Dataset | Path | str | None = None,
    llm: str | None = None,
    llm_settings: LLMSettings | None = None,
    out: Path | None = None,
    progress: Progress = silent,
) -> AuditReport:
    """Check a golden set, from any source, against its documents, and return every problem found.

    ``golden`` is a golden.jsonl, a run folder, a file made by another tool (``mapping`` assigns its columns), or a
    ``Dataset``; ``docs`` is a folder, or documents already read. A set that contains its own documents needs no
    ``docs``; they are written to ``out``/docs. The types are compared with ``mix``, by default that of the run the set
    lies in. ``against`` is another set that must not overlap with this one. ``llm`` names a model to be asked the
    questions without the documents, ``llm_settings`` has its settings and budget. ``quick`` uses no models.

    Raises:
        ConfigError: no documents are given and the set has none, or ``out`` would overwrite the set.
        InputError: the golden set or the documents cannot be used, or do not belong together.
        SystemUnreachableError: the LLM cannot be reached.
    """
    inputs = read_inputs(golden, docs, against, mapping, out)
    folder = documents_folder(docs, inputs.place)
    _check_folder(inputs, "the documents" if folder is None else str(folder))
    if mix is None and inputs.place is not None:
        mix = mix_of_run(inputs.place)
    no_more = inputs.place is not None and found_no_more(inputs.place)
    with closing(_open_model(llm, llm_settings)) if llm else nullcontext() as model:
        resources = load_resources(
            inputs.documents, inputs.place, quick=quick, against=inputs.against, model=model, progress=progress
        )
        report = check_set(inputs.questions, inputs.documents, mix=mix, resources=resources, found_no_more=no_more)
        usage = model.spending.to_json() if model else {}
    return replace(report, converted=inputs.converted, usage=usage, docs=folder)


def check_set(
    golden: Dataset | LoadedSet,
    documents: Mapping[str, Document],
    *,
    mix: Mapping[str, float] | None = None,
    resources: Resources | None = None,
    found_no_more: bool = False,
) -> AuditReport:
    """Run every check on a set; ``documents`` are given by id, for ``mix`` and ``found_no_more`` see ``AuditCase``.

    Without ``resources`` (see ``load_resources``) the checks that need a model do not run.

    Raises:
        SystemUnreachableError: the LLM cannot be reached.
    """
    reading = LoadedSet(golden) if isinstance(golden, Dataset) else golden
    case = AuditCase(reading.dataset, documents, resources, mix, found_no_more)
    findings: list[Finding] = [*reading.findings]
    titles: dict[str, str] = {}
    skipped: dict[str, str] = {}
    for code, check in CHECKS.items():
        if not case.resources.has(check.needs):
            if reason := case.resources.unavailable.get(check.needs):
                skipped[code] = reason
            continue
        titles |= check.codes or {code: check.title}
        try:
            for finding in check.find(case):
                findings.append(finding)  # one by one, to keep those found before the budget is spent
        except BudgetError as error:
            skipped[code] = f"in part: {error}"
    stats = set_statistics(case) | ({"read": reading.summary} if reading.summary else {})
    return AuditReport(tuple(findings), stats, titles, skipped, reading.dataset, documents)


def _check_folder(inputs: AuditInputs, folder: str) -> None:
    """Check that the documents have some of the evidence, as it was or changed.

    Raises:
        InputError: the evidence of every item is gone.
    """
    items = [item for item in inputs.questions.dataset if item.evidence]
    tracker = SpanTracker(items, inputs.documents)
    spans = (span for item in items for span in evidence_spans(item))
    if items and all(tracker.status(span).code == "vanished" for span in spans):
        raise InputError(f"none of {many(len(items), 'item')} has its evidence in {folder}: is this the right folder?")


def _open_model(name: str, llm_settings: LLMSettings | None) -> Any:
    from kgsynth.models.llm import ServedLLM

    return ServedLLM(name, llm_settings)
