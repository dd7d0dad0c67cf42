"""How a RAG system is called: one file for each way, all behind ``ask(item) -> Answer``.

``open_system`` reads a target as the command line gives it. Left out: what is asked when, and what comes of it.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Protocol

from kgsynth.errors import ConfigError
from kgsynth.records import Answer, Document, Item

TARGETS = {
    "bm25": "the bundled lexical retriever, over DOCS",
    "dense": "the bundled embedding retriever, over DOCS",
    "hybrid": "both, their rankings fused, over DOCS",
    "FILE.py:FUNCTION": "a Python function of the question, sync or async",
    "http://HOST/PATH": "a service, or https: one request a question; --rag-config says how",
    "exec:COMMAND": "a process that reads questions and writes answers, as lines of JSON",
    "FILE.jsonl": "answers on file, as score writes them to answers.jsonl",
}
"""Every form a target may take, and what it stands for."""

BUNDLED = ("bm25", "dense", "hybrid")
"""The targets that retrieve from the documents themselves."""

WEB, EXEC = ("http://", "https://"), "exec:"
"""How the targets begin that are called from outside and have settings."""

NO_RECORD = "no answer record"
"""The ``error`` of an answer that is not there at all."""


class System(Protocol):
    """A system under test; ``signature`` changes when what it says may change, so that answers on file stay true.

    One that may be asked several questions at once, from threads, says how many in ``at_once``.
    """

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
    config: Path | None = None,
    reranker: str | None = None,
) -> System:
    """Open the system that ``target`` names; ``docs``, chunking, top and model are for the bundled ones alone.

    ``config`` is the file of settings for a service or a process; ``reranker`` a FILE.py:FUNCTION that puts the
    passages of any system in another order.

    Raises:
        ConfigError: no such kind of target, a bundled one without documents, or a setting that cannot be.
        InputError: the file of answers cannot be used.
        SystemUnreachableError: a Python file, its function or a program cannot be loaded.
    """
    if config is not None and not target.startswith((*WEB, EXEC)):
        raise ConfigError(f"--rag-config {config} is for http://, https:// and exec: systems; {target} has no settings")
    if reranker is None:
        return _open(target, docs, chunking, top, embedding_model, config)
    from kgsynth.systems.reranked import Reranked, load_reranker

    loaded = load_reranker(reranker)  # first, so that a wrong one is told before chunks are embedded
    return Reranked(_open(target, docs, chunking, top, embedding_model, config), *loaded)


def _open(
    target: str, docs: Sequence[Document], chunking: str, top: int, embedding_model: str, config: Path | None
) -> System:
    path, colon, function = target.rpartition(":")
    if target in BUNDLED:
        if not docs:
            raise ConfigError(f"{target} retrieves from the documents: give their folder with --docs")
        from kgsynth.systems.bundled import open_bundled

        return open_bundled(target, docs, chunking, top, embedding_model)
    if target.startswith(WEB):
        from kgsynth.systems.http import HttpSystem
        from kgsynth.systems.settings import read_settings

        return HttpSystem(target, read_settings(config))
    if target.startswith(EXEC):
        from kgsynth.systems.exec import ExecSystem
        from kgsynth.systems.settings import EXEC_KEYS, read_settings

        return ExecSystem(target.removeprefix(EXEC), read_settings(config, EXEC_KEYS))
    if colon and path.endswith(".py"):
        from kgsynth.systems.python import from_file

        return from_file(path, function)
    if target.endswith(".jsonl"):
        from kgsynth.systems.answers_file import AnswersFile

        return AnswersFile(target)
    raise ConfigError(f"{target!r} is no system kgsynth can call: give one of {', '.join(TARGETS)}")
