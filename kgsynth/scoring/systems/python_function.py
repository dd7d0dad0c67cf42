"""A Python function as the system: sync or async, called with the question, given as ``FILE.py:FUNCTION`` or directly.

One with a parameter ``history`` also gets the earlier turns of a conversation.
``reply_reader`` reads what it returns. An async function runs in one event loop for all questions, so that a client it
holds stays usable. ``Caller`` and ``load_function`` are also used for other functions of the user.
"""

from __future__ import annotations

import asyncio
import hashlib
import inspect
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from kgsynth.base.errors import ConfigError, SystemUnreachableError
from kgsynth.base.records import Answer, Item
from kgsynth.base.user_code import CatchErrors, import_file
from kgsynth.documents.document_names import DocNames
from kgsynth.golden.item_json import turns_json
from kgsynth.scoring.systems.callable_state import name_of, state_of
from kgsynth.scoring.systems.local_sources import local_sources
from kgsynth.scoring.systems.reply_reader import failed, to_answer


class Caller:
    """Calls a function, sync or async; an async one always in the same event loop.

    Example:
        >>> Caller(max)(1, 2)
        2
    """

    def __init__(self, function: Callable[..., object]) -> None:
        self._function = function
        self._runner: asyncio.Runner | None = None

    def __call__(self, *arguments: object, **named: object) -> object:
        """Return what the function returns, awaited if necessary."""
        returned = self._function(*arguments, **named)
        if not inspect.isawaitable(returned):
            return returned
        self._runner = self._runner or asyncio.Runner()
        return self._runner.run(_await(returned))

    def close(self) -> None:
        """Close the event loop, if there is one."""
        if self._runner is not None:
            self._runner.close()


class PythonSystem:
    """A function as a system; the hash of its ``source`` goes into the signature, ``documents`` are those it may name.

    ``comparable`` is False if the function depends on more than its ``source`` says.

    Example:
        >>> PythonSystem(str.upper, "shout", b"").ask(Item("q", "Who?", (), "simple", "factoid", "en", ())).answer
        'WHO?'
    """

    def __init__(
        self,
        call: Callable[..., object],
        name: str,
        source: bytes,
        documents: DocNames | None = None,
        *,
        comparable: bool = True,
    ) -> None:
        self.name, self._documents = name, documents
        self.comparable, self.compared = comparable, "only the source of the function and of its own imports"
        self.signature = f"python|{name}|sha256:{hashlib.sha256(source).hexdigest()[:16]}"
        self._call, self.takes_history = Caller(call), _takes_history(call)

    def ask(self, item: Item) -> Answer:
        """Call the function with the question; an exception or an unreadable return value becomes ``Answer.error``.

        ``history`` is a list of ``{"question": …, "answer": …}``, the oldest first, and empty for a first question.
        """
        given = {"history": turns_json(item.history)} if self.takes_history else {}
        start = time.perf_counter()
        with CatchErrors() as call:
            returned = self._call(item.question, **given)
            return to_answer(item.id, returned, round(time.perf_counter() - start, 6), self._documents)
        return failed(item.id, str(call.error))

    def close(self) -> None:
        """Close the event loop, if there is one."""
        self._call.close()


def from_file(path: str, function: str, documents: DocNames | None = None) -> PythonSystem:
    """Return the function ``function`` of the file ``path`` as a system.

    The signature covers this file and what it imports from its own project, see ``local_sources``.

    Raises:
        ConfigError: the file does not exist, or lacks the function.
        SystemUnreachableError: the file fails on import.
    """
    call, source = load_function(path, function)
    return PythonSystem(call, f"{Path(path).name}:{function}", source, documents)


def from_function(call: Callable[[str], object], documents: DocNames | None = None) -> PythonSystem:
    """Return a function or another callable as a system; its signature covers its state, see ``callable_state``."""
    state = state_of(call)
    return PythonSystem(call, name_of(call), state.content, documents, comparable=state.complete)


def load_function(path: str, function: str) -> tuple[Callable[..., Any], bytes]:
    """Return the function ``function`` of the file ``path``, and the source of that file and its own imports.

    Raises:
        ConfigError: the file does not exist, is not a Python file, or lacks the function.
        SystemUnreachableError: the file fails on import.
    """
    file = Path(path)
    if not file.is_file():
        raise ConfigError(f"{path}:{function} cannot be loaded: there is no file {path}; check the path")
    try:
        module = import_file(file)
    except ValueError:
        raise ConfigError(f"{file} cannot be imported: give a Python file") from None
    except ImportError as error:
        raise SystemUnreachableError(f"{file} fails on import ({error}): run python {file} to see where") from None
    found = getattr(module, function, None)
    if not callable(found):
        known = sorted(key for key, value in vars(module).items() if inspect.isfunction(value) and key[0] != "_")
        has = f"it has {', '.join(known)}" if known else "it has none"
        raise ConfigError(f"{path} has no function {function!r}; {has}: give {path}:FUNCTION")
    return found, local_sources([file])


def _takes_history(call: Callable[..., object]) -> bool:
    """Check whether a function has a parameter ``history``; one whose parameters are not known has none."""
    try:
        return "history" in inspect.signature(call).parameters
    except (TypeError, ValueError):
        return False


async def _await(returned: object) -> object:
    return await returned  # type: ignore[misc]
