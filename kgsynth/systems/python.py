"""A Python function as the system: ``file.py:function``, sync or async, called with the question alone.

What it may return is told in ``reading``. An async function runs in one event loop from the first question to the
last, so that a client it holds stays usable. Left out: time limits and calling in parallel.
"""

from __future__ import annotations

import asyncio
import hashlib
import importlib.util
import inspect
import sys
import time
from collections.abc import Callable
from pathlib import Path
from types import ModuleType, TracebackType

from kgsynth.errors import SystemUnreachableError
from kgsynth.records import Answer, Item
from kgsynth.systems.reading import to_answer


class _Foreign:
    """A block that runs foreign code: whatever error leaves it is kept in ``error`` as a sentence.

    Interrupting by hand still interrupts.
    """

    error: str | None = None

    def __enter__(self) -> _Foreign:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, where: TracebackType | None
    ) -> bool:
        if isinstance(error, Exception | SystemExit):
            self.error = f"{type(error).__name__}: {error}".rstrip(": ")
        return self.error is not None


class PythonSystem:
    """The function ``function`` of the file ``path``; the signature holds the hash of that one file.

    Modules the file imports are not hashed: after a change in them alone give another output folder.

    Raises:
        SystemUnreachableError: the file is not there, fails on import, or has no such function.
    """

    def __init__(self, path: str, function: str) -> None:
        file = Path(path)
        if not file.is_file():
            raise SystemUnreachableError(f"the system {path}:{function} cannot be loaded: there is no file {path}")
        self.name = f"{file.name}:{function}"
        self.signature = f"python|{self.name}|sha256:{hashlib.sha256(file.read_bytes()).hexdigest()[:16]}"
        self._call = _function(_load(file), function, path)
        self._runner: asyncio.Runner | None = None

    def ask(self, item: Item) -> Answer:
        """Call the function with the question; what it raises, or returns amiss, becomes ``Answer.error``."""
        begun = time.perf_counter()
        with _Foreign() as foreign:
            raw = self._call(item.question)
            if inspect.isawaitable(raw):
                self._runner = self._runner or asyncio.Runner()
                raw = self._runner.run(_awaited(raw))
            return to_answer(item.id, raw, round(time.perf_counter() - begun, 6))
        return Answer(item.id, None, error=foreign.error)

    def close(self) -> None:
        """Close the event loop, when there was one."""
        if self._runner is not None:
            self._runner.close()


async def _awaited(raw: object) -> object:
    return await raw  # type: ignore[misc]


def _load(file: Path) -> ModuleType:
    name = f"_scored_{hashlib.sha256(str(file.resolve()).encode()).hexdigest()[:12]}"
    spec = importlib.util.spec_from_file_location(name, file)
    if spec is None or spec.loader is None:
        raise SystemUnreachableError(f"{file} cannot be imported: give a Python file")
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    folder = str(file.resolve().parent)
    if folder not in sys.path:
        sys.path.insert(0, folder)  # as ``python file.py`` would, so that it finds its neighbours
    with _Foreign() as foreign:
        spec.loader.exec_module(module)
    if foreign.error is not None:
        del sys.modules[name]
        raise SystemUnreachableError(f"{file} fails on import ({foreign.error}): run python {file} to see where")
    return module


def _function(module: ModuleType, name: str, path: str) -> Callable[[str], object]:
    found = getattr(module, name, None)
    if callable(found):
        function: Callable[[str], object] = found
        return function
    known = sorted(key for key, value in vars(module).items() if inspect.isfunction(value) and key[0] != "_")
    has = f"it has {', '.join(known)}" if known else "it has none"
    raise SystemUnreachableError(f"{path} has no function {name!r}; {has}: give {path}:FUNCTION")
