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
    from kgsynth.auditing import AuditReport, audit
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
    "audit": "auditing",
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


def __getattr__(name: str) -> object:
    if name not in _PLACES:
        raise AttributeError(f"module 'kgsynth' has no attribute {name!r}")
    return getattr(import_module(f"kgsynth.{_PLACES[name]}"), name)


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
