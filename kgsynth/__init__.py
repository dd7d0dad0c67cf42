"""kgsynth: golden test sets for RAG systems, made from a folder of documents, audited, and scored against.

Everything here is loaded when it is first used, so ``import kgsynth`` costs nothing. The functions share their names
with the modules they come from; ``kgsynth.generate`` is always the function, and ``from kgsynth.generate import …``
reaches into the module.

Example:
    >>> import kgsynth
    >>> made = kgsynth.generate("docs", "outputs/demo", config=kgsynth.Config(n=60))  # doctest: +SKIP
    >>> kgsynth.audit(made.golden, "docs").at_least("error")  # doctest: +SKIP
    ()
    >>> kgsynth.score(made.golden, "bm25", docs="docs").metrics["recall@10"].value  # doctest: +SKIP
    0.93
"""

from __future__ import annotations

import sys
from importlib import import_module
from types import ModuleType
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from kgsynth.audit import AuditReport
    from kgsynth.config import Config
    from kgsynth.dataset import Dataset, load
    from kgsynth.errors import KgsynthError
    from kgsynth.generate import generate
    from kgsynth.generated import Generated
    from kgsynth.metrics.scores import Scores
    from kgsynth.records import Answer, Document, Item, Passage, Span
    from kgsynth.score import score

__version__ = "0.1.0"

_PLACES = {
    "generate": "generate",
    "score": "score",
    "load": "dataset",
    "Config": "config",
    "Dataset": "dataset",
    "Item": "records",
    "Span": "records",
    "Document": "records",
    "Passage": "records",
    "Answer": "records",
    "Generated": "generated",
    "AuditReport": "audit",
    "Scores": "metrics.scores",
    "KgsynthError": "errors",
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

    from kgsynth.audit import audit as held_against
    from kgsynth.audit import gather
    from kgsynth.dataset import Dataset
    from kgsynth.exchange import Reading, read
    from kgsynth.score import read_documents

    documents = {document.id: document for document in read_documents(docs)}

    def found(questions: Dataset | Path | str) -> Reading:
        return Reading(questions) if isinstance(questions, Dataset) else read(questions).locate(documents)

    reading = found(golden)
    other = None if against is None else found(against).dataset
    model = None
    if llm is not None:
        from kgsynth.llm import Model

        model = Model(llm)
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


class _Package(ModuleType):
    """A package in which a submodule does not take the place of the function of its name when it is imported."""

    def __setattr__(self, name: str, value: object) -> None:
        if not (name in __all__ and isinstance(value, ModuleType)):
            super().__setattr__(name, value)


sys.modules[__name__].__class__ = _Package
