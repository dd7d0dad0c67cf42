"""A Python function as the system, itself or as ``file.py:function``: sync or async, called with the question alone.

What it may return is told in ``reading``. An async function runs in one event loop from the first question to the
last, so that a client it holds stays usable. ``Caller`` and ``load_function`` serve the other places where
a function of the user's is called. Left out: time limits and calling in parallel.
"""

from __future__ import annotations

import asyncio
import hashlib
import inspect
import time
from collections.abc import Callable
from pathlib import Path
from types import ModuleType

from kgsynth.base.errors import SystemUnreachableError
from kgsynth.base.records import Answer, Item
from kgsynth.base.user_code import CatchErrors, import_file
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

    def __call__(self, *arguments: object) -> object:
        """Return what the function returns, awaited where need be."""
        raw = self._function(*arguments)
        if not inspect.isawaitable(raw):
            return raw
        self._runner = self._runner or asyncio.Runner()
        return self._runner.run(_awaited(raw))

    def close(self) -> None:
        """Close the event loop, when there was one."""
        if self._runner is not None:
            self._runner.close()


class PythonSystem:
    """A function as a system; ``source`` is the code whose hash goes into the signature.

    Example:
        >>> PythonSystem(str.upper, "shout", b"").ask(Item("q", "Who?", (), "simple", "factoid", "en", ())).answer
        'WHO?'
    """

    def __init__(self, call: Callable[[str], object], name: str, source: bytes) -> None:
        self.name = name
        self.signature = f"python|{name}|sha256:{hashlib.sha256(source).hexdigest()[:16]}"
        self._call = Caller(call)

    def ask(self, item: Item) -> Answer:
        """Call the function with the question; what it raises, or returns amiss, becomes ``Answer.error``."""
        begun = time.perf_counter()
        with CatchErrors() as call:
            raw = self._call(item.question)
            return to_answer(item.id, raw, round(time.perf_counter() - begun, 6))
        return failed(item.id, str(call.error))

    def close(self) -> None:
        """Close the event loop, when there was one."""
        self._call.close()


def from_file(path: str, function: str) -> PythonSystem:
    """Return the function ``function`` of the file ``path`` as a system.

    The signature holds the hash of that one file, not of the modules it imports: after a change in them alone give
    another output folder.

    Raises:
        SystemUnreachableError: the file is not there, fails on import, or has no such function.
    """
    call, source = load_function(path, function)
    return PythonSystem(call, f"{Path(path).name}:{function}", source)


def from_function(call: Callable[[str], object]) -> PythonSystem:
    """Return a function at hand as a system; one whose code is not on file is known by its name alone."""
    file = inspect.getsourcefile(call) if inspect.isfunction(call) else None
    source = Path(file).read_bytes() if file and Path(file).is_file() else b""
    return PythonSystem(call, str(getattr(call, "__qualname__", type(call).__qualname__)), source)


def load_function(path: str, function: str) -> tuple[Callable[..., object], bytes]:
    """Return the function ``function`` of the file ``path``, and the source of that file.

    Raises:
        SystemUnreachableError: the file is not there, fails on import, or has no such function.
    """
    file = Path(path)
    if not file.is_file():
        raise SystemUnreachableError(f"{path}:{function} cannot be loaded: there is no file {path}")
    return _function(_load(file), function, path), file.read_bytes()


async def _awaited(raw: object) -> object:
    return await raw  # type: ignore[misc]


def _load(file: Path) -> ModuleType:
    try:
        return import_file(file)
    except ValueError:
        raise SystemUnreachableError(f"{file} cannot be imported: give a Python file") from None
    except ImportError as error:
        raise SystemUnreachableError(f"{file} fails on import ({error}): run python {file} to see where") from None


def _function(module: ModuleType, name: str, path: str) -> Callable[..., object]:
    found = getattr(module, name, None)
    if callable(found):
        function: Callable[..., object] = found
        return function
    known = sorted(key for key, value in vars(module).items() if inspect.isfunction(value) and key[0] != "_")
    has = f"it has {', '.join(known)}" if known else "it has none"
    raise SystemUnreachableError(f"{path} has no function {name!r}; {has}: give {path}:FUNCTION")
