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
from kgsynth.auditing.report import AuditReport
from kgsynth.auditing.resources import Resources, load_resources
from kgsynth.base.errors import BudgetError, ConfigError
from kgsynth.base.progress import Progress, silent
from kgsynth.base.records import Document, Finding
from kgsynth.base.run_folder.manifest import mix_of_run
from kgsynth.documents import read_documents
from kgsynth.golden.dataset import Dataset, file_of
from kgsynth.golden.exchange import LoadedSet, QuestionFile, read

if TYPE_CHECKING:
    from kgsynth.models.llm import LLMSettings


def audit(
    golden: Dataset | Path | str,
    docs: Path | str | Sequence[Document] | None = None,
    *,
    mapping: str | None = None,
    mix: Mapping[str, float] | None = None,
    quick: bool = False,
    against: Dataset | Path | str | None = None,
    llm: str | None = None,
    reaching: LLMSettings | None = None,
    out: Path | None = None,
    progress: Progress = silent,
) -> AuditReport:
    """Check a golden set, from any source, against its documents, and return every problem found.

    ``golden`` is a golden.jsonl, a run folder, a file made by another tool (``mapping`` assigns its columns), or a
    ``Dataset``; ``docs`` is a folder, or documents already read. A set that contains its own documents needs no
    ``docs``; they are written to ``out``/docs. The types are compared with ``mix``, by default that of the run the set
    lies in. ``against`` is another set that must not overlap with this one. ``llm`` names a model to be asked the
    questions without the documents, ``reaching`` has its settings and budget. ``quick`` uses no models.

    Raises:
        ConfigError: no documents are given and the set has none, or ``out`` would overwrite the set.
        InputError: the golden set or the documents cannot be used.
        SystemUnreachableError: the LLM cannot be reached.
    """
    questions = _read(golden, mapping)  # before the documents, so that a problem with the file is reported at once
    place = None if isinstance(golden, Dataset) else Path(golden)
    if out and place and questions.own is None and (out / "golden.jsonl").resolve() == file_of(place).resolve():
        raise ConfigError(f"-o would overwrite the set itself, {golden}; give another folder")
    other = None if against is None else _read(against)
    if docs is None:
        docs = _own_documents(questions, out)
    documents = {document.id: document for document in read_documents(docs)}
    reading = questions.locate(documents)
    if mix is None and place is not None:
        mix = mix_of_run(place)
    with closing(_open_model(llm, reaching)) if llm else nullcontext() as model:
        other_set = other.locate(documents).dataset if other else None
        resources = load_resources(documents, place, quick=quick, against=other_set, model=model, progress=progress)
        report = check_set(reading, documents, mix=mix, resources=resources)
        usage = model.spending.to_json() if model else {}
    return replace(report, converted=questions.own is None, usage=usage)


def check_set(
    golden: Dataset | LoadedSet,
    documents: Mapping[str, Document],
    *,
    mix: Mapping[str, float] | None = None,
    resources: Resources | None = None,
) -> AuditReport:
    """Run every check on a set; ``documents`` are given by id.

    Without ``resources`` (see ``load_resources``) the checks that need a model do not run.

    Raises:
        SystemUnreachableError: the LLM cannot be reached.
    """
    reading = LoadedSet(golden) if isinstance(golden, Dataset) else golden
    case = AuditCase(reading.dataset, documents, resources, mix)
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


def _read(golden: Dataset | Path | str, mapping: str | None = None) -> QuestionFile:
    return QuestionFile("kgsynth", own=golden) if isinstance(golden, Dataset) else read(golden, mapping)


def _own_documents(questions: QuestionFile, out: Path | None) -> Path:
    """Write the documents that a set contains to the folder of the audit, and return their folder.

    Raises:
        ConfigError: the set contains no documents, or ``out`` is missing.
    """
    if out is None or questions.own is not None or not questions.write_documents(out / "docs"):
        raise ConfigError(
            "--docs is missing; give the folder of documents that the set was made from (BEIR, SQuAD and LlamaIndex "
            "pairs contain their documents, which -o OUT writes to OUT/docs)"
        )
    return out / "docs"


def _open_model(name: str, reaching: LLMSettings | None) -> Any:
    from kgsynth.models.llm import ServedLLM

    return ServedLLM(name, reaching)
