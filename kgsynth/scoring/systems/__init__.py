"""How a RAG system is called: one file for each way, all behind ``ask(item) -> Answer``.

``open_system`` reads a target as the command line gives it. Left out: what is asked when, and what comes of it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from kgsynth.base.errors import ConfigError
from kgsynth.base.records import Answer, Document, Item

if TYPE_CHECKING:
    from kgsynth.models.llm import LLMSettings

TARGETS = {
    "bm25": "the bundled lexical retriever, over DOCS",
    "dense": "the bundled embedding retriever, over DOCS",
    "hybrid": "both, their rankings fused, over DOCS",
    "naive:MODEL": "a language model that is asked the question alone",
    "sequential:MODEL": "a language model that answers from what a bundled retriever finds",
    "conditional:MODEL": "a language model that decides first whether to retrieve",
    "FILE.py:FUNCTION": "a Python function of the question, sync or async",
    "http://HOST/PATH": "a service, or https: one request a question; --rag-config says how",
    "exec:COMMAND": "a process that reads questions and writes answers, as lines of JSON",
    "FILE.jsonl": "answers on file, as score writes them to answers.jsonl",
}
"""Every form a target may take, and what it stands for."""

BUNDLED = ("bm25", "dense", "hybrid")
"""The targets that retrieve from the documents themselves."""

MODELS = ("naive", "sequential", "conditional")
"""How the targets begin that are a language model; only the first retrieves nothing."""

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
    retriever: str | None = None,
    prompt: Path | None = None,
    settings: LLMSettings | None = None,
) -> System:
    """Open the system that ``target`` names; ``docs``, chunking, top and embedding model are for what is bundled.

    ``config`` is the file of settings for a service or a process; ``reranker`` a FILE.py:FUNCTION that puts the
    passages of any system in another order. Of a language model ``retriever`` says which of ``BUNDLED`` finds its
    passages (hybrid), ``prompt`` is a file with a template of its own, and ``settings`` say how it is reached.

    Raises:
        ConfigError: no such kind of target, a bundled one without documents, or a setting that cannot be.
        InputError: the file of answers cannot be used.
        SystemUnreachableError: a Python file, its function or a program cannot be loaded.
    """
    kind = target.partition(":")[0] if model_of(target) is not None else ""
    _check(target, kind, {"--rag-config": config, "--retriever": retriever, "--reranker": reranker, "--prompt": prompt})
    reranked = _reranking(reranker)  # first, so that a wrong one is told before chunks are embedded

    def retrieve() -> System:
        name = (retriever or "hybrid") if kind else target
        if not docs:
            raise ConfigError(f"{name} retrieves from the documents: give their folder with --docs")
        from kgsynth.scoring.systems.bundled import open_bundled

        return reranked(open_bundled(name, docs, chunking, top, embedding_model))

    if kind:
        from kgsynth.scoring.systems.language_model import open_model

        return open_model(target, retrieve, prompt, settings)
    return retrieve() if target in BUNDLED else reranked(_open(target, config))


def model_of(target: str) -> str | None:
    """Return the name of the language model in a target, None for a target that is none.

    Example:
        >>> model_of("naive:qwen2.5:1.5b"), model_of("bm25")
        ('qwen2.5:1.5b', None)
    """
    kind, colon, name = target.partition(":")
    return name if colon and kind in MODELS else None


def _check(target: str, kind: str, given: Mapping[str, object]) -> None:
    """Tell of an option that the target does not take.

    Raises:
        ConfigError: there is one.
    """
    takers = {
        "--rag-config": (target.startswith((*WEB, EXEC)), "http://, https:// and exec: systems"),
        "--retriever": (kind in MODELS[1:], "sequential:MODEL and conditional:MODEL"),
        "--reranker": (kind != "naive", "systems that retrieve"),
        "--prompt": (bool(kind), "naive:MODEL, sequential:MODEL and conditional:MODEL"),
    }
    for option, (takes, who) in takers.items():
        if given[option] is not None and not takes:
            raise ConfigError(f"{option} {given[option]} is for {who}; {target} takes none: leave it out")


def _reranking(reranker: str | None) -> Callable[[System], System]:
    """Return what puts the reranker behind a system, or the system itself for None."""
    if reranker is None:
        return lambda system: system
    from kgsynth.scoring.systems.reranker import Reranked, load_reranker

    loaded = load_reranker(reranker)
    return lambda system: Reranked(system, *loaded)


def _open(target: str, config: Path | None) -> System:
    path, colon, function = target.rpartition(":")
    if target.startswith(WEB):
        from kgsynth.scoring.systems.http import HttpSystem
        from kgsynth.scoring.systems.settings import read_system_settings

        return HttpSystem(target, read_system_settings(config))
    if target.startswith(EXEC):
        from kgsynth.scoring.systems.exec import ExecSystem
        from kgsynth.scoring.systems.settings import EXEC_SETTINGS, read_system_settings

        return ExecSystem(target.removeprefix(EXEC), read_system_settings(config, EXEC_SETTINGS))
    if colon and path.endswith(".py"):
        from kgsynth.scoring.systems.python_function import from_file

        return from_file(path, function)
    if target.endswith(".jsonl"):
        from kgsynth.scoring.systems.answers_file import AnswersFile

        return AnswersFile(target)
    raise ConfigError(f"{target!r} is no system kgsynth can call: give one of {', '.join(TARGETS)}")
