"""What is installed: at most twenty packages for the main job, an extra for what few need, and less for a pipeline."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import tomllib
from importlib.metadata import packages_distributions
from pathlib import Path
from typing import Any

import pytest
from made_files import drawn, lines, word

from kgsynth.base.errors import EXTRAS
from kgsynth.base.records import Item, Span
from kgsynth.documents import read_documents
from kgsynth.golden.dataset import Dataset

ROOT = Path(__file__).parent.parent.parent
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
LIGHT = [each for each in (ROOT / "requirements-light.txt").read_text("utf-8").splitlines() if each[0] != "#"]
TEXTS = {
    "keys.md": "# Keys\n\nAda Lind stores the spare keys in Bergen.\n",
    "pumps.md": "# Pumps\n\nThe Skua pump moves 40 litres of water in a minute.\n",
    "boats.html": "<html><body><h1>Boats</h1><p>The Tern ferry carries 120 cars across the fjord.</p></body></html>",
}
ASKED = (
    ("Who stores the spare keys?", "Ada Lind", "keys.md", "Ada Lind stores the spare keys in Bergen."),
    ("How much water does the Skua pump move?", "40 litres", "pumps.md", "The Skua pump moves 40 litres of water"),
    ("How many cars does the Tern ferry carry?", "120 cars", "boats.html", "The Tern ferry carries 120 cars"),
    ("How many cars does a Tern ferry carry?", "120 cars", "boats.html", "The Tern ferry carries 120 cars"),
    ("Who inspects the cranes?", "Ole Dahl", "cranes.pdf", "Ole Dahl inspects the cranes every Monday."),
)
SYSTEM = """
def ask(question):  # it has one passage, on the keys, and answers nothing else
    found = {"text": "Ada Lind stores the spare keys in Bergen.", "doc": "keys.md"}
    return {"answer": "Ada Lind", "retrieved": [found]}
"""


def name_of(requirement: str) -> str:
    return re.split(r"[\[<>=;~! ]", requirement)[0].lower()


def blocked(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run Python where nothing of an extra, and no parser and embedding model, can be imported; so in its workers."""
    modules = [*EXTRAS, "thinc", "tokenizers"]
    (folder / "sitecustomize.py").write_text(f"import sys\nsys.modules.update(dict.fromkeys({modules}))\n")
    path = os.pathsep.join([str(folder), str(ROOT)])
    env = os.environ | {"PYTHONPATH": path, "KGSYNTH_CACHE": "off", "OPENAI_API_KEY": "none"}
    return subprocess.run(
        [sys.executable, *arguments], capture_output=True, text=True, check=False, cwd=folder, env=env
    )


def command(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    return blocked(folder, "-m", "kgsynth", *arguments)


@pytest.fixture(scope="module")
def here(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with documents in docs/, a set of five questions on them, and a system."""
    folder = tmp_path_factory.mktemp("light")
    (folder / "docs").mkdir()
    for name, text in TEXTS.items():
        (folder / "docs" / name).write_text(text, encoding="utf-8")
    page = drawn(lambda canvas: lines(canvas, ["Ole Dahl inspects the cranes every Monday."], 60, 780))
    (folder / "docs" / "cranes.pdf").write_bytes(page)
    (folder / "system.py").write_text(SYSTEM)
    documents = {document.id: document.text for document in read_documents(folder / "docs")}
    items = []
    for number, (question, answer, doc, text) in enumerate(ASKED):
        start = documents[doc].index(text)
        span = Span(doc, start, start + len(text), text)
        items.append(Item(f"q-{number}", question, (answer,), "simple", "factoid", "en", ((span,),)))
    Dataset(items).save(folder / "golden.jsonl")
    return folder


def scores(folder: Path) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((folder / "scores.json").read_text(encoding="utf-8"))
    return found


# ---- what is declared --------------------------------------------------------------------------------


def test_twenty_packages_at_most_do_the_main_job() -> None:
    assert len(PROJECT["dependencies"]) <= 20


def test_the_light_install_is_the_main_one_without_parser_model_and_graph() -> None:
    left_out = {"networkx", "sentence-transformers", "spacy"}
    assert sorted(LIGHT) == sorted(each for each in PROJECT["dependencies"] if name_of(each) not in left_out)


def test_every_module_is_installed_by_its_extra() -> None:
    """So the sentence for a module that is missing names what installs it."""
    extras = {extra: {name_of(each) for each in found} for extra, found in PROJECT["optional-dependencies"].items()}
    distributions = packages_distributions()
    known = {"pyarrow": ["pyarrow"], "mcp": ["mcp"], "ray": ["ray"]}  # where they are not installed
    for module, extra in EXTRAS.items():
        names = {name.lower() for name in distributions.get(module, known.get(module, []))}
        if extra:
            assert names & extras[extra], f"{extra} does not install {module}"
        else:
            assert not names & {name_of(each) for each in LIGHT}
    parts = re.findall(r"\w+", PROJECT["optional-dependencies"]["all"][0].partition("[")[2])
    assert set(parts) == set(EXTRAS.values()) - {"", "ray"}


# ---- the light install -------------------------------------------------------------------------------


def test_score_and_compare_need_no_model(here: Path) -> None:
    docs = ("--docs", str(here / "docs"))
    done = command(here, "score", "golden.jsonl", "--rag", "bm25", *docs, "-o", "bm25")
    assert done.returncode == 0, done.stderr
    assert scores(here / "bm25")["metrics"]["recall@5"]["value"] == 1.0, "four documents, so all are among five"
    done = command(here, "score", "golden.jsonl", "--rag", "system.py:ask", *docs, "-o", "own")
    assert done.returncode == 0, done.stderr
    metrics = scores(here / "own")["metrics"]
    assert metrics["recall@5"]["value"] == 0.2 and metrics["sub_em"]["value"] == 0.2, "one of five questions"
    assert metrics["bleu"]["value"] is None and metrics["bleu"]["why"] == (
        "BLEU needs sacrebleu, which is not installed: run pip install 'kgsynth[lab]'"
    )
    page = (here / "own" / "report.html").read_text(encoding="utf-8")
    assert page.count("drawing plots needs matplotlib, which is not installed: run pip install") == 1
    assert "<figure" not in page and not (here / "own" / "plots").exists()
    done = command(here, "compare", "own", "bm25", "--json", "-o", "compared")
    assert done.returncode == 0, done.stderr
    assert (here / "compared" / "compare.json").is_file()


def test_audit_says_in_one_line_which_checks_did_not_run(here: Path) -> None:
    done = command(here, "audit", "golden.jsonl", "--docs", str(here / "docs"), "-o", "audited")
    said = done.stdout
    assert done.returncode == 0, done.stderr
    assert "q-3" in re.search(r"near_duplicate: 1.*\n.*", said)[0], "two questions on the ferry differ in one word"  # type: ignore[index]
    assert said.count("not checked: ") == 2
    assert "not checked: ambiguous (the parser needs spacy, which is not installed: run pip install kgsynth)" in said
    assert "not checked: paraphrase, too_easy, hopeless (the embedding model 'all-MiniLM-L6-v2' needs " in said


def test_review_and_export_need_no_model(here: Path) -> None:
    docs = ("--docs", str(here / "docs"))
    done = command(here, "review", "golden.jsonl", *docs, "--form", "form.html", "--annotator", "ada")
    assert done.returncode == 0, done.stderr
    form = (here / "form.html").read_text(encoding="utf-8")
    assert all(question in form for question, *_ in ASKED) and "data:image" not in form
    done = command(here, "export", "golden.jsonl", "--to", "beir", *docs, "-o", "beir")
    assert done.returncode == 0, done.stderr
    assert len((here / "beir" / "queries.jsonl").read_text("utf-8").splitlines()) == 5


# ---- what is missing ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("arguments", "package", "installs", "code"),
    [
        (("score", "golden.jsonl", "--rag", "dense", "--docs", "docs"), "sentence_transformers", "kgsynth", 4),
        (("export", "golden.jsonl", "--to", "xlsx", "-o", "x.xlsx"), "xlsxwriter", "'kgsynth[export]'", 2),
        (("export", "golden.jsonl", "--to", "promptfoo", "-o", "x.yaml"), "yaml", "'kgsynth[markup]'", 2),
        (("audit", "golden.jsonl", "--docs", "docs", "--llm", "m"), "openai", "'kgsynth[llm]'", 2),
        (("generate", "docs", "-o", "made"), "sentence_transformers", "kgsynth", 4),
    ],
)
def test_a_command_says_what_to_install(
    here: Path, arguments: tuple[str, ...], package: str, installs: str, code: int
) -> None:
    done = command(here, *arguments)
    last = done.stderr.splitlines()[-1]
    assert last.startswith("error: ") and last.endswith(
        f" needs {package}, which is not installed: run pip install {installs}"
    ), done.stderr
    assert done.returncode == code


def test_python_raises_the_same_sentence(here: Path) -> None:
    code = (
        "import kgsynth\n"
        "try: kgsynth.audit('golden.jsonl', 'docs', llm='m')\n"
        "except kgsynth.KgsynthError as error: print(type(error).__name__, error)"
    )
    done = blocked(here, "-c", code)
    assert done.stdout == (
        "ConfigError audit() needs openai, which is not installed: run pip install 'kgsynth[llm]'\n"
    ), done.stderr


def test_a_file_that_lacks_an_extra_is_skipped_with_that_reason(tmp_path: Path) -> None:
    docs = tmp_path / "docs"
    docs.mkdir()
    (docs / "a.md").write_text("# Keys\n\nAda Lind stores the spare keys.\n")
    (docs / "b.docx").write_bytes(word(lambda document: document.add_paragraph("The Skua pump moves water.")))
    (docs / "c.rst").write_text("Pumps\n=====\n\nThe Skua pump moves water.\n")
    (docs / "d.md").write_text("# 钥匙\n\n李明负责保管备用钥匙。\n", encoding="utf-8")
    code = (
        "from pathlib import Path; from kgsynth.documents import read_folder\n"
        "for each in read_folder(Path('docs')): print(getattr(each, 'reason', 'read'))"
    )
    done = blocked(tmp_path, "-c", code)
    assert done.stdout.splitlines() == [
        "read",
        "reading .docx needs lxml, which is not installed: run pip install 'kgsynth[office]'",
        "reading .rst needs docutils, which is not installed: run pip install 'kgsynth[markup]'",
        "Chinese text needs jieba, which is not installed: run pip install 'kgsynth[zh]'",
    ], done.stderr


def test_evidence_in_a_file_that_lacks_an_extra_is_refused(tmp_path: Path) -> None:
    """Otherwise the audit would call it gone, and a system would be searched without it."""
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "a.md").write_text("# Keys\n\nAda Lind stores the spare keys.\n")
    text = "The Skua pump moves water."
    (tmp_path / "docs" / "c.rst").write_text(f"Pumps\n=====\n\n{text}\n")
    span = Span("c.rst", 6, 6 + len(text), text)
    Dataset([Item("q-1", "What moves water?", ("The Skua pump",), "simple", "factoid", "en", ((span,),))]).save(
        tmp_path / "golden.jsonl"
    )
    for name in ("audit", "score"):
        rest = ("--rag", "bm25") if name == "score" else ()
        done = command(tmp_path, name, "golden.jsonl", "--docs", "docs", *rest)
        assert done.returncode == 3
        assert done.stderr.splitlines()[-1] == (
            "error: docs/c.rst cannot be read: reading .rst needs docutils, which is not installed: "
            "run pip install 'kgsynth[markup]'"
        )


def test_a_chinese_folder_is_refused_where_its_words_cannot_be_told(tmp_path: Path) -> None:
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "d.md").write_text("# 钥匙\n\n李明负责保管备用钥匙。\n", encoding="utf-8")
    code = (
        "from kgsynth.documents import read_documents; from kgsynth.base.errors import InputError\n"
        "try: read_documents('docs')\nexcept InputError as error: print(error)"
    )
    done = blocked(tmp_path, "-c", code)
    assert done.stdout == (
        "docs/d.md cannot be read: Chinese text needs jieba, which is not installed: run pip install 'kgsynth[zh]'\n"
    ), done.stderr
