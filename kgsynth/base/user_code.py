"""Code that is not ours: importing a file of the user's, and calling what it holds, without being brought down by it.

The one place where any error whatever is caught. Left out: what the code is for, and what its failure means.
"""

from __future__ import annotations

import hashlib
import importlib.util
import sys
from pathlib import Path
from types import ModuleType, TracebackType


class Foreign:
    """A block that runs foreign code: whatever error leaves it is kept in ``error`` as a sentence.

    Interrupting by hand still interrupts.

    Example:
        >>> with Foreign() as foreign:
        ...     int("four")
        >>> foreign.error
        "ValueError: invalid literal for int() with base 10: 'four'"
    """

    error: str | None = None

    def __enter__(self) -> Foreign:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, where: TracebackType | None
    ) -> bool:
        if isinstance(error, Exception | SystemExit):
            self.error = f"{type(error).__name__}: {error}".rstrip(": ")
        return self.error is not None


def module_of(file: Path) -> ModuleType:
    """Import a Python file, its folder on the path as with ``python file.py``, so that it finds its neighbours.

    Raises:
        ValueError: it is no Python file.
        ImportError: it fails on import; the error says with what.
    """
    name = f"_foreign_{hashlib.sha256(str(file.resolve()).encode()).hexdigest()[:12]}"
    spec = importlib.util.spec_from_file_location(name, file)
    if spec is None or spec.loader is None:
        raise ValueError(f"{file} is no Python file")
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    folder = str(file.resolve().parent)
    if folder not in sys.path:
        sys.path.insert(0, folder)
    with Foreign() as foreign:
        spec.loader.exec_module(module)
    if foreign.error is not None:
        del sys.modules[name]
        raise ImportError(foreign.error)
    return module
