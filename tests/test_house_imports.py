"""Imports go downward only, heavy libraries are imported in one place each, and the start is fast."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from collections.abc import Iterator
from functools import cache
from graphlib import TopologicalSorter
from pathlib import Path
from typing import NamedTuple

import pytest

ROOT = Path(__file__).parent.parent / "kgsynth"

LAYERS = {
    "package": "__main__ __init__",
    "command line": "cli",
    "commands": "generation harvesting auditing scoring comparison versions reviewing pytest_plugin",
    "drawing": "show",
    "ranking": "ranking",
    "evidence": "evidence",
    "golden set": "golden",
    "documents": "documents",
    "languages": "language",
    "statistics": "statistics",
    "models": "models",
    "base": "base",
}
"""Every package of kgsynth, by layer; a package imports only from those in layers below its own."""

SIDEWAYS = {
    ("comparison", "scoring"): "a comparison reads what scoring wrote, and calibrating retrieves with its baselines",
    ("reviewing", "scoring"): "a review of a run reads its answers, and what their passages cover",
    ("generation", "auditing"): "a set whose documents changed keeps the items in which the audit finds no new error",
    ("reviewing", "auditing"): "an edited question is audited before it is kept",
    ("pytest_plugin", "scoring"): "a test of a question scores it",
}
"""The only imports between two packages of one layer, each with its reason; at most five."""

ONLY_IN = {
    "click": "cli",
    "spacy": "language",
    "lemminflect": "language.english",
    "text_to_num": "language.english",
    "torch": "models.torch_encoder",
    "sentence_transformers": "models.torch_encoder",
    "openai": "models.llm",
    "pydantic": "base.settings base.config base.records_json models.llm scoring.run_results scoring.systems",
    "pytest": "pytest_plugin",
    "httpx": "base.bounded_http scoring.systems scoring.opentelemetry",
    "jmespath": "base.json_reading",
    "sqlite3": "base.database evidence.passage_index",
    "matplotlib": "show.plots",
    "ray": "base.engines",
    "psutil": "base.processes",
    "jinja2": "show.pages",
    "pandas": "base.notebook",
    "pyarrow": "base.parquet",
    "xlsxwriter": "golden.exchange.tables",
}
"""The packages or modules that may import each of these libraries, however lazily."""

HEAVY = (
    "spacy", "torch", "sklearn", "networkx", "sentence_transformers", "numpy", "scipy", "transformers", "thinc",
    "matplotlib", "jieba", "openai",
)  # fmt: skip
"""Libraries that neither ``import kgsynth`` nor ``kgsynth --help`` may load."""


class Import(NamedTuple):
    """One import, anywhere in a file."""

    file: Path
    line: int
    source: str
    target: str

    def problem(self, rule: str) -> str:
        return f"{self.file.relative_to(ROOT.parent)}:{self.line}: {self.source} imports {self.target}: {rule}"


@cache
def trees() -> tuple[tuple[Path, ast.Module], ...]:
    files = sorted(ROOT.rglob("*.py"))
    return tuple((file, ast.parse(file.read_text(encoding="utf-8"), str(file))) for file in files)


def named(file: Path, node: ast.AST) -> Iterator[str]:
    """The full names a statement imports; a string that is the name of a module of kgsynth imports it later."""
    if isinstance(node, ast.Import):
        yield from (alias.name for alias in node.names)
    elif isinstance(node, ast.ImportFrom):
        package = (ROOT.name, *file.relative_to(ROOT).parent.parts)
        base = [*package[: len(package) - node.level + 1]] if node.level else []
        module = ".".join([*base, *([node.module] if node.module else [])])
        if module == ROOT.name:
            yield from (f"{module}.{alias.name}" for alias in node.names)
        else:
            yield module
    elif (
        isinstance(node, ast.Constant) and isinstance(node.value, str) and re.fullmatch(r"kgsynth(\.\w+)+", node.value)
    ):
        place = ROOT.parent.joinpath(*node.value.split("."))
        if place.with_suffix(".py").exists() or place.is_dir():
            yield node.value


def unit(file: Path) -> str:
    return file.relative_to(ROOT).parts[0].removesuffix(".py")


def inside_of(file: Path, place: str) -> bool:
    """Whether a file is the module of a dotted name, or lies in the package of that name."""
    dotted = ".".join(file.relative_to(ROOT).with_suffix("").parts)
    return f"{dotted}.".startswith(f"{place}.")


def imports() -> Iterator[Import]:
    for file, tree in trees():
        for node in ast.walk(tree):
            for name in named(file, node):
                yield Import(file, getattr(node, "lineno", 0), unit(file), name)


LAYER = {name: depth for depth, names in enumerate(LAYERS.values()) for name in names.split()}


def inside() -> Iterator[tuple[Import, str]]:
    """Every import of one unit of kgsynth by another, with the unit imported; ``__version__`` is free for all."""
    for each in imports():
        parts = each.target.split(".")
        if parts[0] == ROOT.name and len(parts) > 1 and parts[1] not in (each.source, "__version__"):
            yield each, parts[1]


def test_every_module_has_its_layer() -> None:
    missing = sorted({unit(file) for file, _ in trees()} - set(LAYER))
    assert not missing, f"give {missing} a layer in LAYERS of {Path(__file__).name}"
    assert len(LAYER) == sum(len(names.split()) for names in LAYERS.values()), "a module is in two layers"


def test_imports_go_downward_only() -> None:
    problems = []
    for each, target in inside():
        above, below = LAYER.get(each.source, 0), LAYER.get(target)
        if below is None:
            problems.append(each.problem("no such module, or it has no layer"))
        elif above > below:
            problems.append(each.problem("imports go downward only"))
        elif above == below and (each.source, target) not in SIDEWAYS:
            problems.append(each.problem("packages of one layer do not import each other; see SIDEWAYS"))
    assert not problems, "\n".join(problems)


def test_every_allowed_sideways_import_is_in_use() -> None:
    used = {(each.source, target) for each, target in inside()}
    assert not set(SIDEWAYS) - used, "take these out of SIDEWAYS"
    assert len(SIDEWAYS) <= 5


def test_no_name_in_the_tables_is_stale() -> None:
    assert not set(LAYER) - {unit(file) for file, _ in trees()}, "LAYERS names a package that does not exist"
    places = {place for places in ONLY_IN.values() for place in places.split()}
    gone = sorted(p for p in places if not any(inside_of(file, p) for file, _ in trees()))
    assert not gone, "ONLY_IN names a place that does not exist"
    imported = {each.target.split(".")[0] for each in imports()}
    assert not set(ONLY_IN) - imported, "ONLY_IN names a library that nothing imports"


def test_no_cycle() -> None:
    needs: dict[str, set[str]] = {}
    for each, target in inside():
        needs.setdefault(each.source, set()).add(target)
    list(TopologicalSorter(needs).static_order())  # raises CycleError, naming the cycle


def test_each_library_is_imported_in_its_place_only() -> None:
    problems = [
        each.problem(f"only {ONLY_IN[library]} may import {library}")
        for each in imports()
        if (library := each.target.split(".")[0]) in ONLY_IN
        and not any(inside_of(each.file, place) for place in ONLY_IN[library].split())
    ]
    assert not problems, "\n".join(problems)


def test_every_form_of_import_is_found(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """A planted file with one import of each form."""
    monkeypatch.setattr(sys.modules[__name__], "ROOT", tmp_path / "kgsynth")
    file = tmp_path / "kgsynth" / "graph" / "planted.py"
    file.parent.mkdir(parents=True)
    (tmp_path / "kgsynth" / "llm.py").touch()
    source = (
        "import kgsynth.cli.score, torch\nfrom kgsynth import auditing, scoring\nfrom kgsynth.base import records\n"
        "from .. import score\nfrom ..writing.english import ask\nfrom .build import graph\n"
        "def later():\n    from kgsynth.models import Encoder\n    return load('kgsynth.llm'), 'kgsynth.nothing'\n"
    )
    found = [name for node in ast.walk(ast.parse(source)) for name in named(file, node)]
    assert sorted(found) == [
        *("kgsynth.auditing", "kgsynth.base", "kgsynth.cli.score", "kgsynth.graph.build", "kgsynth.llm"),
        *("kgsynth.models", "kgsynth.score", "kgsynth.scoring", "kgsynth.writing.english", "torch"),
    ]


# ---- the start ---------------------------------------------------------------------------------------


def python(*arguments: str) -> str:
    done = subprocess.run([sys.executable, *arguments], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_import_raises_no_warning() -> None:
    python("-Werror", "-c", "import kgsynth")


@pytest.mark.parametrize(
    "code",
    [
        "import kgsynth",
        "import kgsynth.base.records, kgsynth.base.config, kgsynth.base.run_folder, kgsynth.base.records_json",
        "from kgsynth.cli import main; main(['--help'], standalone_mode=False)",
        "from kgsynth.cli import main; main(['--version'], standalone_mode=False)",
    ],
)
def test_the_start_loads_no_heavy_library_and_no_command(code: str) -> None:
    loaded = set(python("-c", f"import sys\n{code}\nprint('loaded', *sys.modules)").rpartition("loaded ")[2].split())
    assert not loaded & set(HEAVY)
    assert not {name for name in loaded if name.startswith("kgsynth.cli.")}


@pytest.mark.parametrize(
    "code",
    [
        "from kgsynth.language.english.morphology import inflected, stem; inflected('carry', stem('stored'))",
        "from kgsynth.language.detection import other_language; other_language('Wer leitet die Abteilung?', 'en')",
        "import kgsynth; kgsynth.score(SET, 'bm25', docs=DOCS, out=OUT)",
        "import kgsynth; kgsynth.audit(SET, DOCS, quick=True).save(OUT)",
    ],
    ids=["word forms", "languages", "score", "quick audit"],
)
def test_words_are_looked_up_without_the_parser(code: str, tmp_path: Path) -> None:
    """lemminflect and spaCy's lists of common words would import spaCy, and with it torch: three seconds or more."""
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "keys.md").write_text("# Keys\n\nAda Lind stores the spare keys in Bergen.\n", "utf-8")
    (tmp_path / "set.csv").write_text("question,answer\nWho stores the spare keys?,Ada Lind\n", "utf-8")
    paths = [str(tmp_path / name) for name in ("set.csv", "docs", "out")]
    start = f"import sys\nfrom pathlib import Path\nSET, DOCS, OUT = map(Path, {paths})"
    loaded = set(python("-c", f"{start}\n{code}\nprint('loaded', *sys.modules)").rpartition("loaded ")[2].split())
    assert not loaded & {"spacy", "torch", "sentence_transformers", "transformers"}


# ---- the words ---------------------------------------------------------------------------------------


def public(tree: ast.Module) -> Iterator[ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef]:
    for node in tree.body:
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef) and not node.name.startswith("_"):
            yield node
            if isinstance(node, ast.ClassDef):
                for inner in node.body:
                    if isinstance(inner, ast.FunctionDef | ast.AsyncFunctionDef) and not inner.name.startswith("_"):
                        yield inner


def test_every_public_function_and_class_has_a_docstring() -> None:
    problems = [
        f"{file.relative_to(ROOT.parent)}:{node.lineno}: {node.name} has no docstring"
        for file, tree in trees()
        for node in public(tree)
        if not ast.get_docstring(node)
    ]
    problems += [
        f"{file.relative_to(ROOT.parent)}:1: no docstring" for file, tree in trees() if not ast.get_docstring(tree)
    ]
    assert not problems, "\n".join(problems)


def test_each_package_has_its_folder_of_tests_for_make_test_part() -> None:
    """``whole`` has the tests of no single package; in tests/ itself are those of the house and the docs."""
    tests = ROOT.parent / "tests"
    packages = {file.relative_to(ROOT).parts[0] for file in ROOT.glob("*/*.py")}
    folders = {file.relative_to(tests).parts[0] for file in tests.rglob("test_*.py") if file.parent != tests}
    assert folders == packages | {"whole"}
    flat = [file.name for file in tests.glob("test_*.py") if not file.name.startswith(("test_house_", "test_docs"))]
    assert not flat, f"move {flat} to the folder of the package that they test"
