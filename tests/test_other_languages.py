"""A folder in a language without a package: with a language model it runs through, without one it is skipped."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from doubles import HashingEncoder, context_of

from kgsynth.base.config import Config
from kgsynth.base.errors import InputError
from kgsynth.base.progress import silent
from kgsynth.evidence.knowledge import Knowledge
from kgsynth.generation.corpus import open_run, prepare
from kgsynth.generation.evolutions import evolve
from kgsynth.generation.graph import connect

ENGLISH = "# Pumps\n\n## Filter\n\nAda Holm cleans the filter of the pump every week, because dust blocks it.\n" * 2
CHINESE = (
    "# 假期\n\n## 病假\n\n员工每年有十天病假。如果生病超过三天，必须提交医生证明。\n\n"
    "| 类别 | 天数 |\n|---|---|\n| 病假 | 10 |\n| 年假 | 15 |\n\n## 年假\n\n员工每年有十五天年假，可以结转五天。\n"
)


def known(folder: Path, llm: str | None) -> Knowledge:
    out = folder.parent / "run"
    with open_run(folder, out, Config(n=4, llm=llm, processes=1), False, silent) as (run, documents):
        return connect(prepare(documents, run), run)[0]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    made = tmp_path / "docs"
    made.mkdir()
    (made / "zh.md").write_text(CHINESE, encoding="utf-8")
    return made


@pytest.mark.usefixtures("hashed")
def test_without_a_model_the_reason_names_the_way_out(folder: Path) -> None:
    with pytest.raises(InputError, match=r"reads 'en' only; with --llm it asks about any language"):
        known(folder, None)


@pytest.mark.usefixtures("hashed")
def test_with_a_model_it_is_read_with_its_layout_and_no_facts(folder: Path) -> None:
    found = known(folder, "scripted")
    assert found.documents["zh.md"].language == "zh"
    assert len(found.statements.sentences) == len(found.statements.facts) == len(found.entities) == 0
    cells = {(fact.subject.text, fact.values[0].text) for fact in found.structure if fact.kind == "cell"}
    assert cells == {("病假", "10"), ("年假", "15")}


@pytest.mark.usefixtures("hashed")
def test_rules_ask_about_the_documents_that_they_can_read_alone(folder: Path) -> None:
    (folder / "en.md").write_text(ENGLISH, encoding="utf-8")
    found = known(folder, "scripted")
    types = ("simple", "reasoning", "multi_context", "conditional", "unanswerable")
    scenarios = list(evolve(found, types=types, limit=50, rng=random.Random(0)))
    assert {scenario.doc for scenario in scenarios} == {"en.md"}
    assert context_of(found, HashingEncoder().encode).surroundings
