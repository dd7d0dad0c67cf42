"""Call a RAG system: one module per kind of system, all with ``ask(item) -> Answer``.

``open_system`` opens a target as given on the command line; ``ask_all`` asks a system every question.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from kgsynth.base.choices import BUNDLED, CONFIGURED, EXEC_PREFIX, MCP_PREFIX, URL_PREFIXES
from kgsynth.base.errors import ConfigError
from kgsynth.base.records import Answer, Document, Item
from kgsynth.documents.document_names import DocNames

if TYPE_CHECKING:
    from kgsynth.models.llm import LLMSettings

TARGETS = {
    "bm25": "the bundled lexical retriever, over DOCS",
    "dense": "the bundled embedding retriever, over DOCS",
    "hybrid": "both with fused rankings, over DOCS",
    "naive:MODEL": "a language model that is asked only the question",
    "sequential:MODEL": "a language model that answers from what a bundled retriever finds",
    "conditional:MODEL": "a language model that first decides whether to retrieve",
    "FILE.py:FUNCTION": "a Python function of the question, sync or async",
    "http://HOST/PATH": "a service (or https), one request per question, configured by --rag-config",
    "exec:COMMAND": "a process that reads questions and writes answers, one JSON line each",
    "mcp:COMMAND": "an MCP server, whose search tool is called with each question; also mcp:http://HOST/PATH",
    "FILE.jsonl": "a file of answers, by id or question; also .json, .csv or .tsv",
}
"""Every form of target, and what it means."""

ANSWER_FILES = (".jsonl", ".json", ".csv", ".tsv")
"""The extensions of files of answers."""

MODEL_KINDS = ("naive", "sequential", "conditional")
"""The prefixes of targets that are a language model; only ``naive`` never retrieves."""

NO_RECORD = "no answer record"
"""The ``error`` of an answer that does not exist."""


class System(Protocol):
    """A system under test. Saved answers are reused as long as its ``signature`` does not change.

    A system that can be asked several questions at once, from threads, says how many in an attribute ``at_once``. One
    that can tell from the first question that it is down has a method ``ask_first``, which raises an error then. One
    that has to know the set before it is asked has a method ``match_questions``, which takes all questions of the set.
    One whose signature does not cover all that its answers depend on says in ``compared`` what it covers; if it may
    have changed between two calls in one program, ``comparable`` is False, and only an unfinished run is resumed.
    ``notes`` are sentences for the report. One that does not read ``Item.history`` says so with ``takes_history``
    False, one that cannot be asked again with ``asked_once`` True.
    """

    name: str
    signature: str

    def ask(self, item: Item) -> Answer:
        """Return the answer to the question of ``item``; a failure goes into ``Answer.error``."""
        ...

    def close(self) -> None:
        """Release what the system holds open."""
        ...


def open_system(
    target: str,
    *,
    docs: Sequence[Document] = (),
    chunking: str = "recursive:200:0",
    top: int = 10,
    embedding_model: str = "auto",
    config: Path | None = None,
    retriever: str | None = None,
    prompt: Path | None = None,
    tool: str | None = None,
    arguments: Sequence[str] = (),
    settings: LLMSettings | None = None,
) -> System:
    """Open the system that ``target`` names, in one of the forms of ``TARGETS``.

    ``docs`` are the documents that passages may name, and from which the bundled retrievers retrieve, with
    ``chunking``, ``top`` and ``embedding_model``. ``config`` is the settings file of a service or a process. For a
    language model, ``retriever`` is one of ``BUNDLED`` (default hybrid), ``prompt`` a file with a template, and
    ``settings`` say how to reach it. ``tool`` is the one of an MCP server that searches, ``arguments`` the name of what
    takes the question, and NAME=VALUE for others.

    Raises:
        ConfigError: the form of the target is unknown, there is no such Python file or function, or an option is
            invalid or missing for this target.
        InputError: the file of answers cannot be used.
        SystemUnreachableError: a Python file fails on import, or a program cannot be started.
    """
    model_kind = target.partition(":")[0] if model_of(target) is not None else ""
    options = {"--rag-config": config, "--retriever": retriever, "--prompt": prompt}
    options |= {"--tool": tool, "--argument": ", ".join(arguments) or None}
    _check_options(target, model_kind, options)

    def retrieve() -> System:
        name = (retriever or "hybrid") if model_kind else target
        if not docs:
            raise ConfigError(f"{name} retrieves from the documents: give their folder with --docs")
        from kgsynth.scoring.systems.bundled import open_bundled

        return open_bundled(name, docs, chunking, top, embedding_model)

    if model_kind:
        from kgsynth.scoring.systems.language_model import open_model

        return open_model(target, retrieve, prompt, settings)
    return retrieve() if target in BUNDLED else _open(target, config, docs, tool, arguments)


def names_of(docs: Sequence[Document]) -> DocNames | None:
    """Return the names of the documents that a system may name, None without documents."""
    return DocNames(document.id for document in docs) if docs else None


def asked_as(system: System, *, standalone: bool) -> System:
    """Return the system, or one that asks it later questions as they are understood without the earlier turns."""
    return StandaloneSystem(system) if standalone else system


class StandaloneSystem:
    """A system that gets ``Item.standalone`` as the question, without history, where an item has it.

    Compared with a run without this, it shows what a system loses by following a conversation.
    """

    takes_history = True

    def __init__(self, system: System) -> None:
        self.name, self.signature = f"{system.name}, standalone questions", f"{system.signature}|standalone"
        self._system = system
        if hasattr(system, "ask_first"):
            self.ask_first = lambda item: system.ask_first(as_standalone(item))

    def __getattr__(self, name: str) -> Any:
        """Return what the system has besides, such as ``notes``."""
        return getattr(self._system, name)

    def ask(self, item: Item) -> Answer:
        """Return the answer to the standalone question."""
        return self._system.ask(as_standalone(item))

    def close(self) -> None:
        """Close the system."""
        self._system.close()


def as_standalone(item: Item) -> Item:
    """Return an item with its standalone question and no history; one without earlier turns as it is.

    Example:
        >>> item = Item("q", "And in York?", (), "simple", "", "en", (), standalone="Who leads the desk in York?")
        >>> as_standalone(item).question
        'Who leads the desk in York?'
    """
    return replace(item, question=item.standalone, history=()) if item.standalone else item


def conversation_notes(items: Sequence[Item], system: System) -> tuple[str, ...]:
    """Return a note on questions with earlier turns for a system that does not take them, nothing otherwise."""
    later = sum(bool(item.history) for item in items)
    if not later or getattr(system, "takes_history", True):
        return ()
    asked = f"{later} of {len(items)} questions have earlier turns, which {system.name} does not take"
    return (f"{asked}: it got the bare question; --standalone asks them as they are understood without those",)


def model_of(target: str) -> str | None:
    """Return the name of the language model in a target, None for other targets.

    Example:
        >>> model_of("naive:qwen2.5:1.5b"), model_of("bm25")
        ('qwen2.5:1.5b', None)
    """
    kind, colon, name = target.partition(":")
    return name if colon and kind in MODEL_KINDS else None


def _check_options(target: str, model_kind: str, options: Mapping[str, object]) -> None:
    """Raise an error for an option that does not apply to the target."""
    applies = {
        "--rag-config": (target.startswith(CONFIGURED), "http://, https://, exec: and mcp: systems"),
        "--tool": (target.startswith(MCP_PREFIX), "mcp: systems"),
        "--argument": (target.startswith(MCP_PREFIX), "mcp: systems"),
        "--retriever": (model_kind in MODEL_KINDS[1:], "sequential:MODEL and conditional:MODEL"),
        "--prompt": (bool(model_kind), "naive:MODEL, sequential:MODEL and conditional:MODEL"),
    }
    for option, (applicable, systems) in applies.items():
        if options[option] is not None and not applicable:
            raise ConfigError(f"{option} {options[option]} is only for {systems}, not for {target}: leave it out")


def _open(
    target: str, config: Path | None, docs: Sequence[Document], tool: str | None, arguments: Sequence[str]
) -> System:
    documents = names_of(docs)
    path, colon, function = target.rpartition(":")
    if target.startswith(URL_PREFIXES):
        from kgsynth.scoring.systems.http import HttpSystem
        from kgsynth.scoring.systems.settings import read_system_settings

        return HttpSystem(target, read_system_settings(config), documents)
    if target.startswith(EXEC_PREFIX):
        from kgsynth.scoring.systems.exec import ExecSystem
        from kgsynth.scoring.systems.settings import EXEC_SETTINGS, read_system_settings

        return ExecSystem(target.removeprefix(EXEC_PREFIX), read_system_settings(config, EXEC_SETTINGS), documents)
    if target.startswith(MCP_PREFIX):
        from kgsynth.scoring.systems.mcp_server import McpSystem
        from kgsynth.scoring.systems.settings import MCP_SETTINGS, read_system_settings

        settings = read_system_settings(config, MCP_SETTINGS)
        return McpSystem(target.removeprefix(MCP_PREFIX), settings, documents, tool, arguments)
    if colon and path.endswith(".py"):
        from kgsynth.scoring.systems.python_function import from_file

        return from_file(path, function, documents)
    if target.lower().endswith(ANSWER_FILES):
        from kgsynth.scoring.systems.answers_file import AnswersFile

        return AnswersFile(target, documents)
    raise ConfigError(f"{target!r} is not a system kgsynth can call: give one of {', '.join(TARGETS)}")
