"""A folder in a language without a package: with a language model it runs through, without one it is skipped."""

from __future__ import annotations

import hashlib
import json
import random
from pathlib import Path

import pytest
from doubles import HashingEncoder, context_of
from model_server import ModelServer
from scene_corpora import corpus, titles
from scripted_model import Asked, Faithful, passages

from kgsynth import audit, generate
from kgsynth.auditing import page as auditing
from kgsynth.base.config import Config
from kgsynth.base.errors import InputError
from kgsynth.base.progress import silent
from kgsynth.evidence.knowledge import Knowledge
from kgsynth.generation.corpus import open_run, prepare
from kgsynth.generation.evolutions import evolve
from kgsynth.generation.graph import connect
from kgsynth.generation.scenes import SCENES, find_scenes
from kgsynth.language import LANGUAGES
from kgsynth.language.words import words
from kgsynth.models.llm import LLMSettings

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
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with a Chinese page, for a kgsynth without the package for Chinese."""
    monkeypatch.delitem(LANGUAGES, "zh")
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


# ---- scenes in every language --------------------------------------------------------------------------

ZH = {
    "假期.md": (
        "# 假期\n\n## 病假\n\n"
        + "员工生病的时候可以请病假，病假期间工资照发。如果生病超过三天，必须提交医生的证明，除非是公共假日。" * 4
        + "病假天数每年最多十天，超过的天数按照事假处理。\n\n## 年假\n\n"
        + "员工每年有十五天年假，年假可以分开使用，未使用的年假最多可以结转五天。" * 5
    ),
    "证明.md": (
        "# 医院\n\n## 医生证明\n\n"
        + "医生的证明由医院开具，请病假的员工回来上班的当天交给人事部门，病假期间工资照发。" * 3
        + "证明上面要写明生病的日期和天数，丢失的证明可以补开一次。病假结束以后再交的证明无效。"
    ),
    "水泵.md": "# 水泵\n\n## 过滤器\n\n" + "过滤器每个星期清洗一次，清洗之前先关闭阀门，用清水冲洗。" * 6,
}
EL = {
    "adeia.md": (
        "# Άδειες\n\n## Αναρρωτική άδεια\n\n"
        + "Ο εργαζόμενος που ασθενεί δικαιούται αναρρωτική άδεια με αποδοχές. Εάν η ασθένεια διαρκεί περισσότερο από "
        "τρεις ημέρες, χρειάζεται ιατρική βεβαίωση, εκτός αν είναι αργία. "
        * 3
        + "\n\n## Κανονική άδεια\n\n"
        + "Κάθε εργαζόμενος έχει δεκαπέντε ημέρες κανονική άδεια τον χρόνο και μεταφέρει το πολύ πέντε. " * 5
    ),
    "iatros.md": (
        "# Γιατρός\n\n## Ιατρική βεβαίωση\n\n"
        + "Η ιατρική βεβαίωση δίνεται από το νοσοκομείο· ο εργαζόμενος που ασθενεί την παραδίδει με την επιστροφή. "
        "Χωρίς βεβαίωση η αναρρωτική άδεια είναι χωρίς αποδοχές. " * 2 + "Χαμένη βεβαίωση εκδίδεται ξανά μία φορά. " * 4
    ),
    "antlia.md": (
        "# Αντλία\n\n## Φίλτρο\n\n" + "Το φίλτρο καθαρίζεται κάθε εβδομάδα με νερό αφού κλείσει η βαλβίδα. " * 7
    ),
}


@pytest.mark.parametrize(
    ("pages", "code", "pair"),
    [(ZH, "zh", {"病假", "医生证明"}), (EL, "el", {"Αναρρωτική άδεια", "Ιατρική βεβαίωση"})],
    ids=["zh", "el"],
)
def test_there_are_scenes_of_every_type_in_every_language(pages: dict[str, str], code: str, pair: set[str]) -> None:
    knowledge = corpus(pages, code)
    found = find_scenes(knowledge, tuple(SCENES), random.Random(0))
    assert all(found[name] for name in SCENES)
    first = found["multi_context"][0]
    assert set(titles(knowledge, first.passages)) == pair
    assert first.reasons[0].why.startswith("the first speaks of ")
    assert titles(knowledge, found["conditional"][0].passages)[0] in pair


@pytest.mark.usefixtures("hashed")
def test_scenes_are_found_in_a_folder_that_was_read_with_a_model(folder: Path) -> None:
    (folder / "en.md").write_text(ENGLISH * 3, encoding="utf-8")
    found = find_scenes(known(folder, "scripted"), ("simple",), random.Random(0))["simple"]
    assert {scene.passages[0].doc for scene in found} == {"en.md", "zh.md"}


@pytest.mark.usefixtures("hashed")
@pytest.mark.parametrize("english", [False, True])
def test_a_run_with_a_model_comes_to_its_end(folder: Path, english: bool) -> None:
    if english:
        (folder / "en.md").write_text(ENGLISH, encoding="utf-8")
    with ModelServer(Faithful()) as server:
        settings = LLMSettings(base_url=server.url)
        made = generate(
            folder,
            folder.parent / "out",
            config=Config(n=2, llm="scripted", processes=1, fill=True),
            llm_settings=settings,
        )
    assert made.documents == 1 + english and not made.skipped
    assert {item.language for item in made.golden} == ({"zh", "en"} if english else {"zh"})


# ---- the set and its audit -----------------------------------------------------------------------------


class Native(Faithful):
    """Faithful, with questions in the letters of the passages, and an answer to each from memory."""

    before, between, after = "", " ", "?"

    def question(self, asked: Asked) -> str:
        known = sorted({word for text in passages(asked) for word in words(text) if not word.isascii()})
        drawn = random.Random(hashlib.sha256(asked.user.encode()).hexdigest()).sample(known, 9)
        return f"{self.before}{self.between.join(drawn)}{self.after}"

    def judge_alone(self, asked: Asked) -> str:
        verdicts = json.loads(super().judge_alone(asked))["verdicts"]
        return json.dumps({"verdicts": [{**each, "answer": "0", "known": True} for each in verdicts]})


class Chinese(Native):
    before, between, after = "关于", "", "有什么规定？"


MIX = {"simple": 0.4, "reasoning": 0.2, "multi_context": 0.1, "conditional": 0.2, "unanswerable": 0.1}


@pytest.mark.usefixtures("hashed")
@pytest.mark.parametrize(("pages", "says", "code"), [(ZH, Chinese(), "zh"), (EL, Native(), "el")], ids=["zh", "el"])
def test_a_set_in_any_language_is_made_reported_and_audited(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, pages: dict[str, str], says: Native, code: str
) -> None:
    monkeypatch.setattr("kgsynth.documents.assembly.guess_language", lambda text: code)
    for name, text in pages.items():
        (tmp_path / "docs" / name).parent.mkdir(exist_ok=True)
        (tmp_path / "docs" / name).write_text(text, encoding="utf-8")
    with ModelServer(says) as server:
        config = Config(n=8, mix=MIX, llm="scripted", processes=1, fill=True)
        settings = LLMSettings(base_url=server.url)
        made = generate(tmp_path / "docs", tmp_path / "out", config=config, llm_settings=settings)
    assert {item.language for item in made.golden} == {code}
    assert {item.question_type for item in made.golden} == set(MIX)
    assert all(item.metadata["scores"]["closed_book"] == 0.0 for item in made.golden if item.answerable)
    assert all(item.difficulty for item in made.golden if item.answerable)
    page = (tmp_path / "out" / "report.html").read_text(encoding="utf-8")
    assert all(item.question in page for item in made.golden)
    report = audit(tmp_path / "out" / "golden.jsonl", tmp_path / "docs")
    assert report.at_least("error") == () and {finding.code for finding in report.findings} <= {"coverage", "overlap"}
    by_id = {item.id: item.question for item in made.golden}
    shown = auditing.page(report.to_json(), report.dataset, report.documents).html
    assert all(by_id[finding.item] in shown for finding in report.findings if finding.item)
