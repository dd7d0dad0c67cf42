"""The source of a Python file and of what it imports from its own project, so that a change in either is noticed.

The import statements are read, not run: so an import inside a function counts, and nothing depends on what else the
process has loaded. Modules that are imported by a computed name, installed packages, and data files are left out.
"""

from __future__ import annotations

import ast
import sys
import sysconfig
from collections.abc import Iterable, Iterator
from pathlib import Path

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
