"""What a system under test returned for a question: an answer and the passages it retrieved."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, get_args


@dataclass(frozen=True, slots=True)
class Passage:
    """One passage that a system retrieved; any subset of the fields may be known."""

    doc: str | None = None
    start: int | None = None
    end: int | None = None
    text: str | None = None
    id: str | None = None
    score: float | None = None


@dataclass(frozen=True, slots=True)
class Citation:
    """The passages that a part of an answer cites: ``answer[start:end]``, or all of it if these are None.

    A passage is given by its position in ``Answer.retrieved``, counted from 0, or by its id.
    """

    passages: tuple[int | str, ...]
    start: int | None = None
    end: int | None = None


@dataclass(frozen=True, slots=True)
class RetrievalStep:
    """One search of a system that searches several times: the query, if it is known, and the passages found."""

    query: str | None
    retrieved: tuple[Passage, ...] = ()


Route = Literal["retrieve", "direct"]
ROUTES: tuple[str, ...] = get_args(Route)
"""What a router can decide: to retrieve passages before it answers, or to answer directly."""


@dataclass(frozen=True, slots=True)
class Answer:
    """What a system answered to one question; ``error`` is set when it failed.

    ``retrieved`` is the final ranking, ``before`` the one a reranker was given, if there is a reranker.
    ``retrieved_nothing`` says that the system returned an empty list of passages, not that it returned no list.
    ``latency_s``
    and ``cpu_s`` are in seconds, ``memory_mb`` is the peak; the last two are set only where they were measured.
    ``route`` is what a router decided (one of ``ROUTES`` if it is to be scored), ``route_reason`` why. ``unused_keys``
    are the keys of the reply that were not understood. ``citations`` say which passages support which part of the
    answer, for a system that does not only write numbers in it; ``steps`` are the searches behind ``retrieved``.
    """

    id: str
    answer: str | None
    retrieved: tuple[Passage, ...] = ()
    latency_s: float | None = None
    error: str | None = None
    before: tuple[Passage, ...] = ()
    cpu_s: float | None = None
    memory_mb: float | None = None
    route: str | None = None
    route_reason: str | None = None
    unused_keys: tuple[str, ...] = ()
    retrieved_nothing: bool = False
    citations: tuple[Citation, ...] = ()
    steps: tuple[RetrievalStep, ...] = ()
