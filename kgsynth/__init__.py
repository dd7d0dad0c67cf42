"""kgsynth: golden test sets for RAG systems, made from a folder of documents, audited, and scored against.

Everything here is loaded when it is first used, so ``import kgsynth`` costs nothing. Verbs are
functions (``kgsynth.audit``), nouns are packages (``kgsynth.auditing``).

Example:
    >>> import kgsynth
    >>> made = kgsynth.generate("docs", "outputs/demo", config=kgsynth.Config(n=60))  # doctest: +SKIP
    >>> kgsynth.audit(made.golden, "docs").at_least("error")  # doctest: +SKIP
    ()
    >>> kgsynth.score(made.golden, "bm25", docs="docs").metrics["recall@10"].value  # doctest: +SKIP
    0.93
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from kgsynth.auditing import AuditReport
    from kgsynth.base.config import Config
    from kgsynth.base.errors import KgsynthError
    from kgsynth.base.records import Answer, Document, Item, Passage, Span
    from kgsynth.generation.flow import generate
    from kgsynth.generation.result import Generated
    from kgsynth.golden.dataset import Dataset, load
    from kgsynth.scoring.flow import score
    from kgsynth.scoring.metrics.scores import Scores

__version__: str

_PLACES = {
    "generate": "generation.flow",
    "score": "scoring.flow",
    "load": "golden.dataset",
    "Config": "base.config",
    "Dataset": "golden.dataset",
    "Item": "base.records",
    "Span": "base.records",
    "Document": "base.records",
    "Passage": "base.records",
    "Answer": "base.records",
    "Generated": "generation.result",
    "AuditReport": "auditing",
    "Scores": "scoring.metrics.scores",
    "KgsynthError": "base.errors",
    "__version__": "base.version",
}

__all__ = [
    "Answer",
    "AuditReport",
    "Config",
    "Dataset",
    "Document",
    "Generated",
    "Item",
    "KgsynthError",
    "Passage",
    "Scores",
    "Span",
    "audit",
    "generate",
    "load",
    "score",
]


def audit(
    golden: Dataset | Path | str,
    docs: Path | str | Sequence[Document],
    *,
    mix: Mapping[str, float] | None = None,
    quick: bool = False,
    against: Dataset | Path | str | None = None,
    llm: str | None = None,
) -> AuditReport:
    """Hold any golden set against its documents, a folder or as read, and return every fault found.

    With ``mix`` the shares of the question types are checked too, ``against`` another set what the two have in common,
    with the language model ``llm`` what it answers without the documents; ``quick`` goes by words alone.

    Raises:
        InputError: the golden set or the documents cannot be used.
        SystemUnreachableError: the language model cannot be reached.
    """
    from pathlib import Path

    from kgsynth.auditing import audit as held_against
    from kgsynth.auditing import gather
    from kgsynth.documents import read_documents
    from kgsynth.golden.dataset import Dataset
    from kgsynth.golden.exchange import Reading, read

    documents = {document.id: document for document in read_documents(docs)}

    def found(questions: Dataset | Path | str) -> Reading:
        return Reading(questions) if isinstance(questions, Dataset) else read(questions).locate(documents)

    reading = found(golden)
    other = None if against is None else found(against).dataset
    model = None
    if llm is not None:
        from kgsynth.models.llm import ServedLLM

        model = ServedLLM(llm)
    place = None if isinstance(golden, Dataset) else Path(golden)
    try:
        means = gather(documents, place, quick=quick, against=other, model=model)
        return held_against(reading, documents, mix=mix, means=means)
    finally:
        if model is not None:
            model.close()


def __getattr__(name: str) -> object:
    if name not in _PLACES:
        raise AttributeError(f"module 'kgsynth' has no attribute {name!r}")
    return getattr(import_module(f"kgsynth.{_PLACES[name]}"), name)


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
