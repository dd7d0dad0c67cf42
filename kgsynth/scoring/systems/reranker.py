"""Systems around another one: a reranker behind it, or standalone questions before it."""

from __future__ import annotations

import hashlib
import time
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import replace
from numbers import Real
from pathlib import Path
from typing import Any

from kgsynth.base.errors import ConfigError
from kgsynth.base.records import Answer, Item, Passage
from kgsynth.base.user_code import CatchErrors
from kgsynth.scoring.systems import System
from kgsynth.scoring.systems.python_function import Caller, load_function
from kgsynth.scoring.systems.reply_reader import failed, number


class SystemAround:
    """A system around another one, with all of it that this one does not have itself, such as ``notes``."""

    def __init__(self, system: System, name: str, signature: str) -> None:
        self.name, self.signature = name, signature
        self._system = system

    def __getattr__(self, name: str) -> Any:
        """Return what the other system has."""
        return getattr(self._system, name)

    def close(self) -> None:
        """Close the other system."""
        self._system.close()


class StandaloneSystem(SystemAround):
    """A system that gets ``Item.standalone`` as the question, without history, where an item has it.

    Compared with a run without this, it shows what a system loses by following a conversation.
    """

    takes_history = True

    def __init__(self, system: System) -> None:
        super().__init__(system, f"{system.name}, standalone questions", f"{system.signature}|standalone")
        if hasattr(system, "ask_first"):
            self.ask_first = lambda item: system.ask_first(standalone(item))

    def ask(self, item: Item) -> Answer:
        """Return the answer to the standalone question."""
        return self._system.ask(standalone(item))


def standalone(item: Item) -> Item:
    """Return an item with its standalone question and no history; one without earlier turns as it is.

    Example:
        >>> item = Item("q", "And in York?", (), "simple", "", "en", (), standalone="Who leads the desk in York?")
        >>> standalone(item).question
        'Who leads the desk in York?'
    """
    return replace(item, question=item.standalone, history=()) if item.standalone else item


class RerankedSystem(SystemAround):
    """A system whose passages a function reorders; the hash of its ``source`` goes into the signature.

    The function is called with the question and the list of ``Passage``. It returns those passages in a new order (it
    may drop some), or one score per passage, higher is better. Both rankings are kept, so that the gain can be
    measured.
    """

    at_once = 1
    """The function may not be called from several threads."""

    def __init__(self, system: System, rerank: Callable[..., object], name: str, source: bytes) -> None:
        signature = f"{system.signature}|rerank:{name}|sha256:{hashlib.sha256(source).hexdigest()[:16]}"
        super().__init__(system, f"{system.name} + {name}", signature)
        self._rerank = Caller(rerank)

    def ask(self, item: Item) -> Answer:
        """Return the system's answer with reranked passages; an error of the reranker becomes ``Answer.error``."""
        return self._reranked(item, self._system.ask(item))

    def ask_first(self, item: Item) -> Answer:
        """Do the same with the first question of a run.

        Raises:
            SystemUnreachableError: the system is down.
        """
        ask: Callable[[Item], Answer] = getattr(self._system, "ask_first", self._system.ask)
        return self._reranked(item, ask(item))

    def _reranked(self, item: Item, answer: Answer) -> Answer:
        if answer.error is not None or not answer.retrieved:
            return answer
        start = time.perf_counter()
        with CatchErrors() as call:
            order = reordered(answer.retrieved, self._rerank(item.question, list(answer.retrieved)))
            latency = (answer.latency_s or 0.0) + time.perf_counter() - start
            return replace(
                answer,
                retrieved=order,
                before=answer.retrieved,
                latency_s=round(latency, 6),
                retrieved_nothing=not order,
            )
        return failed(item.id, f"reranker: {call.error}")

    def close(self) -> None:
        """Close the system and the event loop of the reranker."""
        super().close()
        self._rerank.close()


def load_reranker(target: str) -> tuple[Callable[..., object], str, bytes]:
    """Return the function of a FILE.py:FUNCTION target, its name, and the source of the file.

    Raises:
        ConfigError: ``target`` does not have that form, or there is no such file or function.
        SystemUnreachableError: the file fails on import.
    """
    path, _, function = target.rpartition(":")
    if not path.endswith(".py"):
        raise ConfigError(f"--reranker {target!r} is not a function: give FILE.py:FUNCTION")
    rerank, source = load_function(path, function)
    return rerank, f"{Path(path).name}:{function}", source


def reordered(passages: Sequence[Passage], returned: object) -> tuple[Passage, ...]:
    """Return ``passages`` in the order that a reranker returned, or by its scores; equal scores keep their order.

    Raises:
        ValueError: ``returned`` is neither, has another number of scores, or has a passage that was not given.

    Example:
        >>> [passage.text for passage in reordered([Passage(text="a"), Passage(text="b")], [0.1, 0.9])]
        ['b', 'a']
    """
    plain = returned.tolist() if hasattr(returned, "tolist") else returned  # arrays and tensors
    if isinstance(plain, str) or not isinstance(plain, Sequence):
        raise ValueError(f"it returned a {type(returned).__name__}, neither passages nor a list of scores")
    if all(isinstance(each, Passage) for each in plain):
        added = Counter(plain) - Counter(passages)
        if added:
            raise ValueError(f"it returned {next(iter(added))} more often than it was given it")
        return tuple(plain)
    if not all(isinstance(each, Real) for each in plain) or len(plain) != len(passages):
        raise ValueError(f"it returned {len(plain)} values for {len(passages)} passages: return one score for each")
    scores = [number(each, "score of a passage") for each in plain]
    scored = [replace(passage, score=score) for passage, score in zip(passages, scores, strict=True)]
    return tuple(sorted(scored, key=lambda passage: -(passage.score or 0.0)))
