"""A reranker behind a system: a Python function puts the retrieved passages in another order.

It is called with the question and the list of ``Passage``, and returns those passages in a new order (it may leave
some out), or one score for each, high for good. Both rankings are kept, so that the gain can be measured. Left out:
which passages there are to choose from; that is the system's own ``top``.
"""

from __future__ import annotations

import hashlib
import time
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import replace
from numbers import Real
from pathlib import Path

from kgsynth.base.errors import ConfigError
from kgsynth.base.records import Answer, Item, Passage
from kgsynth.base.user_code import CatchErrors
from kgsynth.scoring.systems import System
from kgsynth.scoring.systems.python_function import Caller, load_function
from kgsynth.scoring.systems.reply_reader import failed, number


class Reranked:
    """A system whose passages a function puts in another order; ``source`` is the code of that function."""

    def __init__(self, system: System, rerank: Callable[..., object], name: str, source: bytes) -> None:
        self.name = f"{system.name} + {name}"
        self.signature = f"{system.signature}|rerank:{name}|sha256:{hashlib.sha256(source).hexdigest()[:16]}"
        self._system, self._rerank = system, Caller(rerank)

    def ask(self, item: Item) -> Answer:
        """Return what the system says, its passages reranked; what the reranker raises becomes ``Answer.error``."""
        answer = self._system.ask(item)
        if answer.error is not None or not answer.retrieved:
            return answer
        begun = time.perf_counter()
        with CatchErrors() as call:
            order = reordered(answer.retrieved, self._rerank(item.question, list(answer.retrieved)))
            latency = (answer.latency_s or 0.0) + time.perf_counter() - begun
            return replace(answer, retrieved=order, before=answer.retrieved, latency_s=round(latency, 6))
        return failed(item.id, f"reranker: {call.error}")

    def close(self) -> None:
        """Let go of the system and of the reranker's event loop."""
        self._system.close()
        self._rerank.close()


def load_reranker(target: str) -> tuple[Callable[..., object], str, bytes]:
    """Return the function that ``target``, a FILE.py:FUNCTION, names, with its name and the source of the file.

    Raises:
        ConfigError: ``target`` is not of that form.
        SystemUnreachableError: the file or its function cannot be loaded.
    """
    path, _, function = target.rpartition(":")
    if not path.endswith(".py"):
        raise ConfigError(f"--reranker {target!r} names no function: give FILE.py:FUNCTION")
    rerank, source = load_function(path, function)
    return rerank, f"{Path(path).name}:{function}", source


def reordered(passages: Sequence[Passage], raw: object) -> tuple[Passage, ...]:
    """Read what a reranker returned for ``passages``: an order, or scores, equal ones in the order they had.

    Raises:
        ValueError: it is neither, there is not one score for each, or a passage was not among those given.

    Example:
        >>> [passage.text for passage in reordered([Passage(text="a"), Passage(text="b")], [0.1, 0.9])]
        ['b', 'a']
    """
    plain = raw.tolist() if hasattr(raw, "tolist") else raw  # arrays and tensors
    if isinstance(plain, str) or not isinstance(plain, Sequence):
        raise ValueError(f"it returned a {type(raw).__name__}, neither the passages nor a list of scores")
    if all(isinstance(each, Passage) for each in plain):
        strange = Counter(plain) - Counter(passages)
        if strange:
            raise ValueError(f"it returned {next(iter(strange))}, which was not given, or not so often")
        return tuple(plain)
    if not all(isinstance(each, Real) for each in plain) or len(plain) != len(passages):
        raise ValueError(f"it returned {len(plain)} values for {len(passages)} passages: give one score for each")
    scored = [replace(passage, score=number(each, "score")) for passage, each in zip(passages, plain, strict=True)]
    return tuple(sorted(scored, key=lambda passage: -(passage.score or 0.0)))
