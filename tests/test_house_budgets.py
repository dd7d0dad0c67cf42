"""The house stays small and its names say one thing: lengths, imports, names of classes and public constants."""

from __future__ import annotations

import ast
import re
from collections import Counter, defaultdict
from collections.abc import Iterator
from pathlib import Path

import pytest
from test_house_imports import ROOT, imports, trees

FILE_LINES = 600
SMALL = 80
"""Lines of a module that is too small to stand alone, if only one other imports it."""
REGISTRIES = (
    "cli/", "documents/readers/", "documents/structure/", "generation/evolutions/", "golden/exchange/",
    "scoring/metrics/", "scoring/systems/",
)  # fmt: skip
"""Where a module is one entry of a table: a command, a reader, a kind, a format, a metric, a system."""
STAGES = "flow.py"
"""The module of a package that names its stages in order; a stage is a module however small it is."""
MASS, FILES, TINY_HELPERS = 43_785, 417, 642
"""Lines of code and constants, files, private functions of one caller with under seven lines: these only go down."""
FUNCTION_LINES = 60
"""Without the docstring, which is the help text of a command."""
IMPORTED_BY = 50
"""Modules that may import one module outside the ground floor."""
HANDED_ON = {
    "kgsynth.language.words": "the words of any language, which whatever compares texts counts",
}
"""Module -> why more modules than that import it: it grows with what it serves, not with what it does."""
IMPORTS = 26
"""Modules of kgsynth that one module may import."""

SAME_EVERYWHERE = {"T": "a type variable"}
"""Public constant -> what it is in every module that has one: the names that may occur more than once."""


def functions(tree: ast.Module) -> Iterator[ast.FunctionDef | ast.AsyncFunctionDef]:
    yield from (node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef))


def length(function: ast.FunctionDef | ast.AsyncFunctionDef) -> int:
    """The lines of a function without its docstring and decorators."""
    first = function.body[0]
    docstring = (first.end_lineno or 0) - first.lineno + 1 if ast.get_docstring(function) else 0
    return (function.end_lineno or 0) - function.lineno + 1 - docstring


def test_files_and_functions_keep_to_their_budgets() -> None:
    over = []
    for file, tree in trees():
        place = file.relative_to(ROOT.parent)
        if (lines := len(file.read_text(encoding="utf-8").splitlines())) > FILE_LINES:
            over.append(f"{place}: {lines} lines")
        for function in functions(tree):
            if (lines := length(function)) > FUNCTION_LINES:
                over.append(f"{place}:{function.lineno}: {function.name} has {lines} lines")
    assert not over, "\n".join(over)


def test_modules_know_few_others_and_are_known_by_few() -> None:
    importers: dict[str, set[str]] = defaultdict(set)
    imported: dict[str, set[str]] = defaultdict(set)
    for each in imports():
        file = each.file.relative_to(ROOT).as_posix()
        if each.target.startswith("kgsynth."):
            importers[each.target].add(file)
            imported[file].add(each.target)
    over = [
        f"{module} is imported by {len(files)} modules"
        for module, files in importers.items()
        if not module.startswith("kgsynth.base.") and module not in HANDED_ON and len(files) > IMPORTED_BY
    ]
    over += [f"{file} imports {len(modules)} modules" for file, modules in imported.items() if len(modules) > IMPORTS]
    assert not over, "\n".join(over)
    assert all(len(importers[module]) > IMPORTED_BY for module in HANDED_ON), "take these out of HANDED_ON"


def test_a_small_module_with_one_importer_lives_in_it() -> None:
    importers: dict[str, set[str]] = defaultdict(set)
    for each in imports():
        importers[each.target].add(each.file.relative_to(ROOT).as_posix())
    small = []
    for file, _ in trees():
        path = file.relative_to(ROOT).as_posix()
        users = importers[f"kgsynth.{path.removesuffix('.py').replace('/', '.')}"]
        lines = len(file.read_text(encoding="utf-8").splitlines())
        apart = path.startswith(REGISTRIES) or any(user.endswith((STAGES, "__init__.py")) for user in users)
        if len(users) == 1 and lines < SMALL and not apart:
            small.append(f"{path}: {lines} lines, imported by {min(users)} only")
    assert not small, "\n".join(small)


def own_lines(file: Path, tree: ast.Module) -> int:
    """The lines of a file that are code or constants: not blank, no import, no comment of its own, no docstring."""
    others = set[int]()
    for node in ast.walk(tree):
        text = isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str)
        if isinstance(node, ast.stmt) and (text or isinstance(node, ast.Import | ast.ImportFrom)):
            others |= {*range(node.lineno, (node.end_lineno or node.lineno) + 1)}
    lines = enumerate(file.read_text(encoding="utf-8").splitlines(), 1)
    return sum(1 for number, line in lines if number not in others and line.strip() and line.lstrip()[0] != "#")


def tiny_helpers(tree: ast.Module) -> int:
    """The private functions without decorator that are named once and have under seven lines below their docstring."""
    used = (node for node in ast.walk(tree) if isinstance(node, ast.Name | ast.Attribute))
    named = Counter(node.id if isinstance(node, ast.Name) else node.attr for node in used)
    own = (f for f in functions(tree) if re.match("_[^_]", f.name) and not f.decorator_list)
    return sum(1 for f in own if named[f.name] == 1 and length(f) < 8)


def test_what_comes_in_is_paid_for_by_what_goes_out() -> None:
    found = [*trees()]
    mass = sum(own_lines(file, tree) for file, tree in found)
    tiny = sum(tiny_helpers(tree) for _, tree in found)
    assert (mass <= MASS, len(found) <= FILES, tiny <= TINY_HELPERS) == (True, True, True), (mass, len(found), tiny)
    assert mass > 0.98 * MASS and len(found) > 0.98 * FILES and tiny > 0.95 * TINY_HELPERS, "lower the limits"


def test_no_two_classes_share_a_name() -> None:
    places: dict[str, list[str]] = defaultdict(list)
    for file, tree in trees():
        for node in ast.walk(tree):
            if isinstance(node, ast.ClassDef):
                places[node.name].append(f"{file.relative_to(ROOT.parent)}:{node.lineno}")
    shared = {name: found for name, found in places.items() if len(found) > 1}
    assert not shared


def constants(tree: ast.Module) -> Iterator[str]:
    for node in tree.body:
        for target in node.targets if isinstance(node, ast.Assign) else [getattr(node, "target", None)]:
            if isinstance(target, ast.Name) and target.id.isupper() and not target.id.startswith("_"):
                yield target.id


def of_different_languages(files: list[str]) -> bool:
    """Whether each file belongs to the package or the writers of another language; these are never seen together."""
    found = [re.match(r"kgsynth/(?:language|generation/writing)/(\w+)/", file) for file in files]
    return all(found) and len({match[1] for match in found if match}) == len(files)


def test_no_two_modules_have_a_public_constant_of_the_same_name() -> None:
    places: dict[str, list[str]] = defaultdict(list)
    for file, tree in trees():
        for name in set(constants(tree)):
            places[name].append(file.relative_to(ROOT.parent).as_posix())
    shared = {name: found for name, found in places.items() if len(found) > 1 and not of_different_languages(found)}
    assert not {name: shared[name] for name in set(shared) - set(SAME_EVERYWHERE)}
    assert not set(SAME_EVERYWHERE) - set(shared), "take these out of SAME_EVERYWHERE"


@pytest.mark.parametrize(
    ("code", "lines"),
    [
        ("def f(a, b=1, *, c):\n    return a\n", 2),
        ('def f(self):\n    """One.\n\n    Two.\n    """\n    return self\n', 2),
        ("@click.command()\n@click.argument('a')\ndef f(a):\n    return a\n", 2),
    ],
)
def test_a_function_is_measured_without_docstring_and_decorators(code: str, lines: int) -> None:
    assert length(next(functions(ast.parse(code)))) == lines
