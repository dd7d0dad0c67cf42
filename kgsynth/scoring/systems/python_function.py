"""A Python function as the system: sync or async, with the hash of its code and of what it imports."""

from __future__ import annotations

import ast
import asyncio
import functools
import hashlib
import inspect
import sys
import sysconfig
import time
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from types import CodeType
from typing import Any

from kgsynth.base.errors import ConfigError, SystemUnreachableError
from kgsynth.base.records import Answer, Item
from kgsynth.base.user_code import CatchErrors, import_file
from kgsynth.documents.document_names import DocNames
from kgsynth.golden.item_json import turns_json
from kgsynth.scoring.systems.reply_reader import failed, to_answer

# The source of a Python file and of what it imports from its own project, so that a change in either is noticed.
#
# The import statements are read, not run: so an import inside a function counts, and nothing depends on what else the
# process has loaded. Modules that are imported by a computed name, installed packages, and data files are left out.

_SITES = {"site-packages", "dist-packages"}
_STANDARD = tuple({Path(sysconfig.get_path(name)).resolve() for name in ("stdlib", "platstdlib")})
_KGSYNTH = Path(__file__).resolve().parents[2]
_PROJECT_FILES = ("pyproject.toml", "setup.py", ".git")
"""What the folder of a project has."""
_MAX_SOURCE_BYTES = 2**20
"""A larger file is not source code."""


def local_sources(files: Iterable[Path]) -> bytes:
    """Return the contents of ``files``, and of every file they import, directly or not, that is not installed.

    Modules are looked for in the folder of the file, the working folder, the folder of the project and ``src`` in it,
    and in every folder of Python's path. Files of more than a megabyte are left out.
    """
    found: dict[Path, bytes] = {}
    waiting = [path.resolve() for path in files if _is_source(path)]
    roots = list(dict.fromkeys(root for path in waiting for root in _roots(path)))
    while waiting:
        path = waiting.pop(0)
        if path not in found:
            found[path] = path.read_bytes()
            if path.suffix == ".py":
                waiting += sorted(_imported(path, found[path], roots))
    return b"\0".join(found.values())


def module_files(name: str, folder: Path) -> list[Path]:
    """Return the files of a module that Python would run with ``-m`` in ``folder``."""
    return [path for path in (*_files(name, [folder]), *_files(f"{name}.__main__", [folder])) if _is_source(path)]


def is_installed(path: Path) -> bool:
    """Check whether a file or folder belongs to an installed package, the standard library or kgsynth."""
    if _SITES & set(path.parts):
        return True
    return any(path.is_relative_to(folder) for folder in (*_STANDARD, _KGSYNTH))


def _is_source(path: Path) -> bool:
    return path.is_file() and path.stat().st_size <= _MAX_SOURCE_BYTES


def _roots(file: Path) -> Iterator[Path]:
    yield from (file.parent, Path.cwd())
    for folder in file.parents:
        if any((folder / name).exists() for name in _PROJECT_FILES):
            yield from (folder, folder / "src")
            break
    path = (Path(entry).resolve() for entry in sys.path if entry)
    yield from (folder for folder in path if folder.is_dir() and not is_installed(folder))


def _imported(path: Path, source: bytes, roots: list[Path]) -> set[Path]:
    """Return the files below ``roots`` that a file imports."""
    try:
        tree = ast.parse(source)
    except (SyntaxError, ValueError):
        return set()
    files = {file for name, folders in _names(tree, path, roots) for file in _files(name, folders)}
    return {file.resolve() for file in files if _is_source(file) and not is_installed(file.resolve())}


def _names(tree: ast.Module, path: Path, roots: list[Path]) -> Iterator[tuple[str, list[Path]]]:
    """Yield each dotted name that a module imports, and the folders in which it is looked for."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from ((alias.name, roots) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            folders = roots if not node.level else [path.parents[min(node.level, len(path.parents)) - 1]]
            head = f"{node.module}." if node.module else ""
            yield from ((f"{head}{alias.name}".removesuffix(".*"), folders) for alias in node.names)


def _files(name: str, folders: list[Path]) -> Iterator[Path]:
    """Yield the files that may hold a module, the packages that it is in, and a name imported from it."""
    parts = name.split(".")
    for folder in folders:
        for end in range(1, len(parts) + 1):
            place = folder.joinpath(*parts[:end])
            yield from (place.with_name(f"{place.name}.py"), place / "__init__.py")


def name_of(function: Callable[..., object]) -> str:
    """Return the name of a function, for a lambda its file and line.

    Example:
        >>> name_of(functools.partial(max, 5)), name_of("".join)
        ('partial of max', 'str.join')
    """
    if isinstance(function, functools.partial):
        return f"partial of {name_of(function.func)}"
    name = str(getattr(function, "__qualname__", type(function).__qualname__))
    code = getattr(function, "__code__", None)
    if name.endswith("<lambda>") and isinstance(code, CodeType):
        return f"lambda at {Path(code.co_filename).name}:{code.co_firstlineno}"
    return name


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
    """Return a function or another callable as a system.

    The signature of a function of a module covers its file as that of ``from_file`` does. What else it may be (a
    lambda, a method, a partial) holds values that no file shows, so a complete run is asked again.
    """
    code, name = getattr(call, "__code__", None), name_of(call)
    file = Path(code.co_filename) if isinstance(code, CodeType) else None
    is_of_module = inspect.isfunction(call) and call.__qualname__ == call.__name__ != "<lambda>"
    comparable = is_of_module and file is not None and _is_source(file)
    return PythonSystem(call, name, local_sources([file] if file else []), documents, comparable=comparable)


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
