"""What the answers of a Python function depend on: its code, and the values that it holds or names.

Saved answers can be reused only if all of this is known to be the same. Plain values, functions and objects of the
user's own classes are read; anything else, such as a client or a module of one's own, cannot be compared.
"""

from __future__ import annotations

import functools
import hashlib
import re
import sys
from collections.abc import Callable
from pathlib import Path, PurePath
from types import BuiltinFunctionType, CodeType, FunctionType, MethodType, ModuleType
from typing import Any, NamedTuple

from kgsynth.scoring.systems.local_sources import is_installed, local_sources

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
        for name in sorted(_names(function.__code__) & set(function.__globals__)):
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


def _names(code: CodeType) -> set[str]:
    """Return the names of globals and attributes in a function and in the functions that it defines."""
    inner = (_names(constant) for constant in code.co_consts if isinstance(constant, CodeType))
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
