"""How a RAG system is called: one file for each way, all behind ``ask(item) -> Answer``.

``open_system`` reads a target as the command line gives it. Left out: what is asked when, and what comes of it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from kgsynth.errors import ConfigError
from kgsynth.records import Answer, Document, Item

TARGETS = {
    "bm25": "the bundled lexical retriever, over DOCS",
    "dense": "the bundled embedding retriever, over DOCS",
    "hybrid": "both, their rankings fused, over DOCS",
    "FILE.py:FUNCTION": "a Python function of the question, sync or async",
    "FILE.jsonl": "answers on file, as score writes them to answers.jsonl",
}
"""Every form a target may take, and what it stands for."""

BUNDLED = ("bm25", "dense", "hybrid")
"""The targets that retrieve from the documents themselves."""

NO_RECORD = "no answer record"
"""The ``error`` of an answer that is not there at all."""


class System(Protocol):
    """A system under test; ``signature`` changes when what it says may change, so that answers on file stay true."""

    name: str
    signature: str

    def ask(self, item: Item) -> Answer:
        """Return what the system says to the question of ``item``; a failure is told in ``Answer.error``."""
        ...

    def close(self) -> None:
        """Let go of what the system holds open."""
        ...


def open_system(
    target: str,
    *,
    docs: Sequence[Document] = (),
    chunking: str = "recursive:200:0",
    top: int = 10,
    embedding_model: str = "all-MiniLM-L6-v2",
) -> System:
    """Open the system that ``target`` names; ``docs``, chunking, top and model are for the bundled ones alone.

    Raises:
        ConfigError: no such kind of target, a bundled one without documents, or a chunking that cannot be.
        InputError: the file of answers cannot be used.
        SystemUnreachableError: the Python file or its function cannot be loaded.
    """
    path, colon, function = target.rpartition(":")
    if target in BUNDLED:
        if not docs:
            raise ConfigError(f"{target} retrieves from the documents: give their folder with --docs")
        from kgsynth.systems.bundled import open_bundled

        return open_bundled(target, docs, chunking, top, embedding_model)
    if colon and path.endswith(".py"):
        from kgsynth.systems.python import from_file

        return from_file(path, function)
    if target.endswith(".jsonl"):
        from kgsynth.systems.answers_file import AnswersFile

        return AnswersFile(target)
    raise ConfigError(f"{target!r} is no system kgsynth can call: give one of {', '.join(TARGETS)}")
