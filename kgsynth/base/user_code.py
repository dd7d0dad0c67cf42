"""Importing and calling code of the user, whose errors must not end the run.

Only here is every error caught.
"""

from __future__ import annotations

import hashlib
import importlib.util
import sys
from pathlib import Path
from types import ModuleType, TracebackType


class CatchErrors:
    """A context manager that catches every error of its block, and keeps it in ``error`` as a sentence.

    ``KeyboardInterrupt`` is not caught.

    Example:
        >>> with CatchErrors() as call:
        ...     int("four")
        >>> call.error
        "ValueError: invalid literal for int() with base 10: 'four'"
    """

    error: str | None = None

    def __enter__(self) -> CatchErrors:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, where: TracebackType | None
    ) -> bool:
        if isinstance(error, Exception | SystemExit):
            self.error = f"{type(error).__name__}: {error}".rstrip(": ")
        return self.error is not None


def import_file(file: Path) -> ModuleType:
    """Import a Python file with its folder on the path, so that it can import its neighbours.

    Raises:
        ValueError: it is not a Python file.
        ImportError: its import fails; the message names the error.
    """
    name = f"_user_file_{hashlib.sha256(str(file.resolve()).encode()).hexdigest()[:12]}"
    spec = importlib.util.spec_from_file_location(name, file)
    if spec is None or spec.loader is None:
        raise ValueError(f"{file} is not a Python file")
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    folder = str(file.resolve().parent)
    if folder not in sys.path:
        sys.path.insert(0, folder)
    with CatchErrors() as execution:
        spec.loader.exec_module(module)
    if execution.error is not None:
        del sys.modules[name]
        raise ImportError(execution.error)
    return module
