"""A Python function as the system: sync or async, with the hash of its code and of what it imports."""

from __future__ import annotations

import ast
import asyncio
import functools
import hashlib
import inspect
import re
import sys
import sysconfig
import time
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path, PurePath
from types import BuiltinFunctionType, CodeType, FunctionType, MethodType, ModuleType
from typing import Any, NamedTuple

from kgsynth.base.errors import ConfigError, SystemUnreachableError
from kgsynth.base.records import Answer, Item
from kgsynth.base.user_code import CatchErrors, import_file
from kgsynth.documents.document_names import DocNames
from kgsynth.golden.item_json import turns_json
from kgsynth.scoring.systems.reply_reader import failed, to_answer

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


# What the answers of a Python function depend on: its code, and the values that it holds or names.

_PLAIN_TYPES = (type(None), bool, int, float, complex, str, bytes, type(...), range, re.Pattern)
_PARTS: dict[type, Callable[[Any], tuple[object, ...]]] = {
    list: tuple,
    tuple: tuple,
    dict: lambda value: (*value.keys(), *value.values()),
    MethodType: lambda value: (value.__func__, value.__self__),
    functools.partial: lambda value: (value.func, value.args, value.keywords),
    BuiltinFunctionType: lambda value: (value.__qualname__, value.__self__),
    staticmethod: lambda value: (value.__func__,),
    classmethod: lambda value: (value.__func__,),
    property: lambda value: (value.fget, value.fset),
}
"""What a value of each type consists of."""
_MACHINERY = {"__dict__", "__weakref__", "__doc__", "__module__", "__qualname__", "__firstlineno__"}
"""Attributes of a class that its answers do not depend on, or that differ in every process."""


class CallableState(NamedTuple):
    """The state of a function as bytes, and whether they hold everything that it depends on inside Python."""

    content: bytes
    complete: bool


def state_of(function: Callable[..., object]) -> CallableState:
    """Return the code of a function with its defaults, closure, globals, arguments of a partial, and instance.

    Example:
        >>> first, second = (state_of(functools.partial(max, size)) for size in (5, 1))
        >>> first.complete, first.content == second.content
        (True, False)
    """
    reader = _Reader()
    reader.add(function)
    sources = local_sources(sorted(reader.files))
    return CallableState("\n".join(reader.lines).encode(errors="replace") + b"\0" + sources, reader.complete)


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


class _Reader:
    """Writes values as lines of text; ``complete`` becomes False at a value that cannot be read."""

    def __init__(self) -> None:
        self.lines: list[str] = []
        self.files: set[Path] = set()
        self.complete = True
        self._seen: dict[int, tuple[int, object]] = {}  # the value too, so that its address is not used again

    def add(self, value: Any) -> None:
        if isinstance(value, PurePath) or type(value) in _PLAIN_TYPES:
            self.lines.append(f"{type(value).__name__} {value!r}")
        elif id(value) in self._seen:
            self.lines.append(f"again {self._seen[id(value)][0]}")
        else:
            self._seen[id(value)] = (len(self._seen), value)
            self.lines.append(type(value).__qualname__)
            self._add_object(value)

    def _add_object(self, value: Any) -> None:
        kind = type(value)
        if kind in _PARTS:
            parts = _PARTS[kind](value)
            self._add_all(len(parts), *parts)
        elif kind in (set, frozenset) and all(type(each) in _PLAIN_TYPES for each in value):
            self.lines += sorted(map(repr, value))
        elif kind is FunctionType:
            self._add_function(value)
        elif kind is ModuleType:
            self._add_by_name(value.__name__, value.__name__)
        elif isinstance(value, type):
            self._add_class(value)
        elif _is_plain_object(kind):
            self._add_all(kind, vars(value))
        else:
            self.complete = False

    def _add_all(self, *values: Any) -> None:
        for value in values:
            self.add(value)

    def _add_by_name(self, module: str, name: str) -> None:
        """Add what is not the user's: the name is enough for the standard library, and for nothing else."""
        self.lines.append(f"{module} {name}")
        self.complete &= module.partition(".")[0] in sys.stdlib_module_names

    def _add_function(self, function: FunctionType) -> None:
        if not _is_own(function.__module__):
            self._add_by_name(str(function.__module__), function.__qualname__)
            return
        self.files.add(Path(function.__code__.co_filename))
        self._add_code(function.__code__)
        self._add_all(function.__defaults__, function.__kwdefaults__)
        try:
            self._add_all(*(cell.cell_contents for cell in function.__closure__ or ()))
        except ValueError:  # a variable that has no value yet
            self.complete = False
        for name in sorted(_names_used(function.__code__) & set(function.__globals__)):
            self._add_all(name, function.__globals__[name])

    def _add_code(self, code: CodeType) -> None:
        self.lines.append(f"{hashlib.sha256(code.co_code).hexdigest()} {code.co_names} {code.co_varnames}")
        for constant in code.co_consts:
            if isinstance(constant, CodeType):
                self._add_code(constant)
            else:
                self.add(constant)

    def _add_class(self, kind: type) -> None:
        if not _is_own(kind.__module__):
            self._add_by_name(kind.__module__, kind.__qualname__)
            return
        if file := getattr(sys.modules.get(kind.__module__), "__file__", None):
            self.files.add(Path(file))
        self._add_all(*kind.__bases__)
        for name, value in sorted(vars(kind).items()):
            if name not in _MACHINERY:
                self._add_all(name, value)


def _names_used(code: CodeType) -> set[str]:
    """Return the names of globals and attributes in a function and in the functions that it defines."""
    inner = (_names_used(constant) for constant in code.co_consts if isinstance(constant, CodeType))
    return set(code.co_names).union(*inner)


def _is_own(module: str | None) -> bool:
    """Check whether a module is the user's: not of the standard library, and not installed."""
    found = sys.modules.get(module or "")
    if module == "__main__" or found is None:
        return True
    file = getattr(found, "__file__", None)
    return file is not None and not is_installed(Path(file))


def _is_plain_object(kind: type) -> bool:
    """Check whether the attributes of an object are all that it holds: its classes are the user's, without slots."""
    classes = kind.__mro__[:-1]
    return bool(classes) and all(_is_own(each.__module__) and "__slots__" not in vars(each) for each in classes)


# A Python function as the system: sync or async, called with the question, given as ``FILE.py:FUNCTION`` or directly.


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
