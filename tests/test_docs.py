"""The documents are true: their commands, options, files and examples are those of the code."""

from __future__ import annotations

import importlib
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import tomllib
import zipfile
from collections.abc import Iterator
from contextlib import closing, contextmanager
from functools import cache
from pathlib import Path
from typing import Any

import click
import pytest
from click.testing import CliRunner

from kgsynth.base.config import DEFAULT_LENGTHS, DEFAULT_STYLES, Config
from kgsynth.base.errors import KgsynthError
from kgsynth.base.records import Document, Span, item_id
from kgsynth.base.thresholds import DEFAULT_THRESHOLDS, LIMITS
from kgsynth.cli import COMMANDS, EXIT_BUG, main
from kgsynth.comparison.text import METRIC_COLUMNS, SCREEN_COLUMNS
from kgsynth.documents import READERS, read_folder
from kgsynth.documents.text_index import MIN_SIMILARITY
from kgsynth.evidence import closed_book
from kgsynth.evidence.derivation import OPERATORS, recompute, same_answer
from kgsynth.generation.asking import prompts, verdicts
from kgsynth.generation.asking.prompts import LENGTHS, STYLES
from kgsynth.generation.filters import BY_VECTOR, BY_WORDS, MEANINGS
from kgsynth.golden.item_json import from_json
from kgsynth.golden.subtypes import SUBTYPES
from kgsynth.models import llm
from kgsynth.models.llm import budget
from kgsynth.scoring.flow import score
from kgsynth.scoring.metrics import GROUPS, METRICS, RUN_METRICS, Metric, RunMetric
from kgsynth.scoring.metrics.criteria import ALWAYS_MEASURED, PRESETS, PROFILES, read_thresholds, settings_text
from kgsynth.scoring.metrics.declaration import METRIC_NEEDS
from kgsynth.scoring.metrics.failure_causes import CAUSE_ADVICE, LOW_RANK
from kgsynth.scoring.metrics.judged import JUDGE_REQUESTS
from kgsynth.scoring.metrics.overall_score import DEFAULT_WEIGHTS, OPTIONAL_WEIGHTS
from kgsynth.scoring.systems import open_system
from kgsynth.scoring.systems.reply_reader import REPLY_PARTS
from kgsynth.scoring.systems.reply_reader import from_json as read_answer
from kgsynth.scoring.systems.settings import SYSTEM_SETTINGS, SystemSettings, read_system_settings

BY_LLM = [rule for rule in MEANINGS if rule not in {*BY_WORDS, *BY_VECTOR}]

ROOT = Path(__file__).parent.parent
HANDBOOKS = (ROOT / "corpora" / "handbook", ROOT / "corpora" / "handbook_zh")
GUIDES = ("kgsynth/skill/SKILL.md", "kgsynth/skill/AGENTS.md")
NAMES = [
    "README.md",
    "README.zh.md",
    "ARCHITECTURE.md",
    "CHANGELOG.md",
    "CONTRIBUTING.md",
    *(f"docs/{page.name}" for page in sorted((ROOT / "docs").glob("*.md"))),
    *GUIDES,
]
OTHERS = {"mypy --strict", "--kgsynth-golden", "pip install --no-deps", "ray start --head", "--address=HEAD"}
"""Options of other programs that the documents name."""


def text_of(name: str) -> str:
    return (ROOT / name).read_text(encoding="utf-8")


def blocks(name: str, language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```$", text_of(name), re.DOTALL | re.MULTILINE)


def examples() -> Iterator[tuple[str, Any]]:
    for name in NAMES:
        yield from ((name, json.loads(block)) for block in blocks(name, "json"))


@cache
def handbook() -> dict[str, Document]:
    return {found.id: found for each in HANDBOOKS for found in read_folder(each) if isinstance(found, Document)}


@cache
def commands() -> dict[str, click.Command]:
    return {name: importlib.import_module(module).command for name, (module, _) in COMMANDS.items()}


# ---- commands and options --------------------------------------------------------------------------


@pytest.mark.parametrize("name", NAMES)
def test_every_make_target_named_is_in_the_makefile(name: str) -> None:
    targets = set(re.findall(r"^([a-z-]+):", text_of("Makefile"), re.MULTILINE))
    code = "\n".join([*blocks(name, ""), *blocks(name, "console"), *re.findall(r"`([^`\n]+)`", text_of(name))])
    named = set(re.findall(r"^\$?\s*make (?:[A-Z]+=\S+ )?([a-z-]+)", code, re.MULTILINE))
    assert named <= targets


@pytest.mark.parametrize(("name", "target"), [("README.md", "demo"), ("README.zh.md", "demo-zh")])
def test_the_commands_shown_are_those_of_the_demo(name: str, target: str) -> None:
    suffix = target.removeprefix("demo").replace("-", "_")
    (recipe,) = re.findall(r"^demo demo-zh: .*\n((?:\t.*\n)+)", text_of("Makefile"), re.MULTILINE)
    run = [line.strip().replace("$(BIN)/", "").replace("$(SUFFIX)", suffix) for line in recipe.splitlines()]
    (shown,) = blocks(name, "console")
    assert re.findall(r"^\$ (.*)$", shown, re.MULTILINE) == run
    assert re.findall(rf"^{target}: SUFFIX :=(.*)$", text_of("Makefile"), re.MULTILINE) == [suffix and f" {suffix}"]


@pytest.mark.parametrize("name", ["README.md", "README.zh.md"])
def test_every_command_has_a_line_in_both_readmes(name: str) -> None:
    listed = re.findall(r"^\| `(\w+)` \| \S", text_of(name), re.MULTILINE)
    assert listed == re.findall(r"^\| `(\w+)` \| \S", text_of("README.md"), re.MULTILINE)
    assert set(listed) == set(COMMANDS)


def spoken() -> list[str]:
    """Every kgsynth command in the documents, in a block or in the text."""
    found = []
    for name in NAMES:
        fenced = "\n".join([*blocks(name, ""), *blocks(name, "console")])
        found += re.findall(r"^(?:\$ )?(kgsynth [a-z].*)$", fenced, re.MULTILINE)
        found += re.findall(r"`(kgsynth [a-z][^`\n]*)`", text_of(name))
    return sorted(set(found))


def test_every_command_named_can_be_parsed() -> None:
    whole = [line for line in spoken() if len(shlex.split(line, comments=True)) > 2]
    assert {"generate", "audit", "score"} <= {shlex.split(line)[1] for line in whole}
    for line in spoken():
        _, name, *arguments = shlex.split(line, comments=True)
        assert name in COMMANDS, line
        if arguments:
            commands()[name].make_context(name, arguments)  # raises for what the command does not take


def test_every_option_named_exists_and_every_option_is_in_the_readme_or_the_docs() -> None:
    known = {option for each in commands().values() for p in each.params for option in (*p.opts, *p.secondary_opts)}
    named: dict[str, str] = {}
    for name in NAMES:
        text = text_of(name)
        for other in OTHERS:
            text = text.replace(other, "")
        named |= dict.fromkeys(re.findall(r"(?<![\w-])--[a-z][a-z-]+", text), name)
    assert set(named) - {option for each in main.params for option in each.opts} - {"--help"} <= known, named
    for option in ("--mix", "--avoid", "--gate", "--config", "--seed", "--fresh", "--rag", "--docs"):
        assert option in named, f"{option} is told nowhere"


def test_the_guides_for_coding_agents_are_in_the_wheel_and_are_printed(tmp_path: Path) -> None:
    ignored = shutil.ignore_patterns("__pycache__", "*.json", "*.toml")
    shutil.copytree(ROOT / "kgsynth", tmp_path / "kgsynth", ignore=ignored)
    for name in ("pyproject.toml", "README.md", "LICENSE"):
        shutil.copy(ROOT / name, tmp_path / name)
    build = "from setuptools import build_meta; build_meta.build_wheel('built')"
    subprocess.run([sys.executable, "-c", build], cwd=tmp_path, check=True, capture_output=True)
    (built,) = (tmp_path / "built").glob("*.whl")
    with zipfile.ZipFile(built) as wheel:
        assert set(GUIDES) <= set(wheel.namelist())
    for name in GUIDES:
        printed = CliRunner().invoke(main, [f"--{Path(name).stem.lower()}"])
        assert (printed.exit_code, printed.stdout) == (0, text_of(name))


def test_the_guide_is_a_skill_that_says_what_the_exit_codes_mean() -> None:
    _, front, body = text_of("kgsynth/skill/SKILL.md").split("---\n", 2)
    about = dict(line.split(": ", 1) for line in front.splitlines())
    assert about["name"] == "kgsynth" and 100 < len(about["description"]) <= 1024, "the limits of the format"
    codes = {int(code) for code in re.findall(r"^\| (\d+) \| ", body, re.MULTILINE)}
    assert codes == {each.exit_code for each in subclasses(KgsynthError)} | {0, EXIT_BUG}
    for name in ("scores.json", "items.jsonl", "answers.jsonl", "golden.jsonl", "rejected.jsonl", "audit.json"):
        assert f"`{name}`" in body


def subclasses(kind: type[KgsynthError]) -> Iterator[type[KgsynthError]]:
    yield kind
    for each in kind.__subclasses__():
        yield from subclasses(each)


def test_the_settings_shown_are_settings(tmp_path: Path) -> None:
    others = ("docs/systems.md", "docs/command-line.md")
    shown = [(name, block) for name in NAMES for block in blocks(name, "toml") if name not in others]
    assert {"docs/checks.md", "docs/llm.md", "docs/questions.md"} <= {name for name, _ in shown}
    readers = {"docs/checks.md": read_thresholds, "docs/llm.md": llm.read_llm_settings}
    for name, block in shown:
        path = tmp_path / "kgsynth.toml"
        path.write_text(block, encoding="utf-8")
        readers.get(name, Config.load)(path)


def test_the_whole_settings_file_shown_is_read_by_every_command(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (block,) = blocks("docs/command-line.md", "toml")
    monkeypatch.chdir(tmp_path)
    (tmp_path / "kgsynth.toml").write_text(block, encoding="utf-8")
    assert {"generate", "score", "audit", "llm", "embedding"} <= set(tomllib.loads(block))
    for name, command in commands().items():
        needed = {"cache": [], "calibrate": ["x", "--human", "x", "--docs", "x"], "generate": ["x", "-o", "x"]}
        needed |= {"rank": ["x", "--fit", "x", "-o", "x"], "export": ["x", "--to", "csv"]}
        needed |= {"diff": ["x", "y"], "merge": ["x", "y", "-o", "z"], "harvest": ["x", "--docs", "x", "-o", "y"]}
        command.make_context(name, needed.get(name, ["x"]))
    assert Config.load(tmp_path / "kgsynth.toml").n == tomllib.loads(block)["generate"]["n"]
    assert llm.read_llm_settings(tmp_path / "kgsynth.toml").max_calls == tomllib.loads(block)["llm"]["max_calls"]
    assert [each.metric for each in read_thresholds(tmp_path / "kgsynth.toml")] == ["recall@5"]
    assert read_system_settings(tmp_path / "kgsynth.toml").timeout == 30


def test_every_exit_code_and_variable_is_documented() -> None:
    text = text_of("docs/command-line.md")
    for code in (0, 1, 2, 3, 4, 70, 130, 141):
        assert re.search(rf"^\| {code} \| ", text, re.MULTILINE), code
    for name in ("OPENAI_API_KEY", "OPENAI_BASE_URL", "KGSYNTH_CONFIG", "KGSYNTH_QUIET", "HF_HUB_OFFLINE"):
        assert f"`{name}`" in text, name


def test_the_documented_settings_of_a_model_are_complete_with_defaults(tmp_path: Path) -> None:
    (block,) = blocks("docs/llm.md", "toml")
    (tmp_path / "llm.toml").write_text(block, encoding="utf-8")
    shown, plain = llm.read_llm_settings(tmp_path / "llm.toml"), llm.LLMSettings()
    assert list(tomllib.loads(block)) == list(budget.LLM_SETTINGS)
    others = [key for key in budget.LLM_SETTINGS if getattr(shown, key) != getattr(plain, key)]
    assert others == ["max_calls", "max_tokens", "max_cost", "price_in", "price_out"]


def test_the_documented_styles_and_lengths_are_those_of_the_prompts() -> None:
    text = text_of("docs/llm.md")
    rows = [f"| {name} | {DEFAULT_STYLES[name]:g} | {style.instruction} |" for name, style in STYLES.items()]
    rows += [f"| {name} | {DEFAULT_LENGTHS[name]:g} | {told} |" for name, told in LENGTHS.items()]
    told = text.split("## How questions sound")[1].split("## What is proved")[0]
    assert [line for line in told.splitlines() if re.match(r"\| (?!style|length|---)", line)] == rows
    assert f"a score of at least {DEFAULT_THRESHOLDS['closed_book']:g}" in " ".join(text.split())


def test_the_documented_calls_of_a_model_are_those_that_are_made() -> None:
    text = " ".join(text_of("docs/llm.md").split())
    numbers = {
        verdicts.JUDGED_AT_ONCE: "one for twenty questions",
        verdicts.TRIALS_AT_ONCE: "one for four multi_context",
        verdicts.VERIFIED_AT_ONCE: "one for five questions",
        prompts.AT_MOST: "up to three questions",
    }
    assert sorted(numbers) == [3, 4, 5, 20] and all(told in text for told in numbers.values())
    assert LIMITS.llm_tries == 3 and "At most three scenes are tried for each question" in text
    assert LIMITS.asked_over == 1.15 and "About 15 % more questions" in text
    assert LIMITS.rivals_in_prompt == 3 and "among three similar ones from elsewhere and up to three" in text
    assert LIMITS.titles_in_prompt == 12 and "up to twelve documents" in text
    assert LIMITS.scenes_at_once == 20 and "Twenty sections are asked about at a time" in text
    assert all(f"`{rule}`" in text for rule in BY_LLM)
    assert closed_book.RECALLED_AT_ONCE == 10 and "ten at a time" in " ".join(text_of("docs/audit.md").split())


def test_the_documented_settings_of_a_system_are_complete_with_defaults(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("RAG_KEY", "a-key")
    (block,) = blocks("docs/systems.md", "toml")
    (tmp_path / "rag.toml").write_text(block, encoding="utf-8")
    shown, plain = read_system_settings(tmp_path / "rag.toml"), SystemSettings()
    assert sorted(tomllib.loads(block)) == sorted(SYSTEM_SETTINGS)
    assert list(shown.reply) == list(REPLY_PARTS)
    assert [key for key in SYSTEM_SETTINGS if getattr(shown, key) != getattr(plain, key)] == [
        "headers",
        "query",
        "body",
        "reply",
    ]
    assert f"at least {MIN_SIMILARITY:.0%}".replace("%", " %") in text_of("docs/systems.md")


def test_the_python_shown_calls_what_there_is() -> None:
    import kgsynth

    shown = [block for name in NAMES for block in blocks(name, "python")]
    assert shown
    for block in shown:
        compile(block, "README.md", "exec")
        assert set(re.findall(r"kgsynth\.(\w+)", block)) <= set(kgsynth.__all__)


def test_every_result_with_a_data_frame_is_documented() -> None:
    import kgsynth

    with_frame = {name for name in kgsynth.__all__ if hasattr(getattr(kgsynth, name), "to_pandas")}
    text = text_of("docs/command-line.md")
    assert "to_pandas()" in text and with_frame <= set(re.findall(r"`(\w+)`", text))


# ---- examples --------------------------------------------------------------------------------------


def test_every_json_example_parses_and_the_formats_have_one_each() -> None:
    keys = [set(value) for _, value in examples()]
    for key in ("evidence", "rejected", "retrieved", "recall@5", "group_ranks"):
        assert any(key in own for own in keys), f"no example with {key}"


def items() -> list[dict[str, Any]]:
    return [value for _, value in examples() if "golden_answers" in value]


@pytest.mark.parametrize("value", items(), ids=lambda value: str(value["id"]))
def test_an_item_shown_is_proved_by_the_handbook(value: dict[str, Any]) -> None:
    item, documents = from_json(value), handbook()
    assert item.id == item_id(item.question, item.golden_answers, item.evidence)
    spans = [*(span for group in item.evidence for span in group), *item.hard_negatives]
    assert spans and all(documents[span.doc].span(span.start, span.end) == span for span in spans)
    if item.derivation and not item.answerable:
        assert recompute(item.derivation, documents) == ()
    elif item.derivation:
        assert any(
            same_answer(found, item.golden_answers[0], item.language) for found in recompute(item.derivation, documents)
        )


def test_the_full_example_has_every_key_in_order() -> None:
    from kgsynth.golden.item_json import to_json

    full = next(value for name, value in examples() if name == "docs/golden-format.md")
    assert list(full) == list(to_json(from_json(full)))
    assert full == to_json(from_json(full))


def test_the_answers_shown_can_be_read() -> None:
    shown = [value for _, value in examples() if "retrieved" in value]
    assert shown and all(read_answer(value).answer for value in shown)


def test_the_questions_shown_stand_on_sentences_of_the_handbook() -> None:
    quoted = re.findall(r"^  - (\S+\.(?:md|txt|html|rst)): (.+)$", text_of("docs/questions.md"), re.MULTILINE)
    for subtype in SUBTYPES:
        told = re.search(
            rf"^(?:\*\*\w+\*\* and )?\*\*{subtype}\*\*(?:.|\n)*?(?=^\*\*|^## |\Z)",
            text_of("docs/questions.md"),
            re.MULTILINE,
        )
        assert told and ("\n  - " in told[0] or "from text written for this" in told[0]), f"{subtype} has no example"
    for doc, sentence in quoted:
        document = handbook()[doc]
        assert sentence in document.plain(0, len(document.text)), f"{doc}: {sentence}"


def test_every_type_rule_threshold_operator_and_metric_is_documented() -> None:
    questions, formats = text_of("docs/questions.md"), text_of("docs/golden-format.md")
    for subtype, kind in ((name, each.question_type) for name, each in SUBTYPES.items()):
        assert f"**{subtype}**" in questions and f"## {kind}" in questions, subtype
    told = [line.split("|")[1].strip() for line in questions.splitlines() if line.startswith("| ")][1:]
    assert told == [*BY_WORDS, *BY_VECTOR], "the rules, in their order"
    by_model = re.findall(r"^- \*\*(\w+)\*\* rejects", questions, re.MULTILINE)
    assert by_model == [*BY_LLM], "those for the questions of a language model"
    for name, value in DEFAULT_THRESHOLDS.items():
        assert f"`{name}` {value:g}" in questions
    assert all(f"`{operator}`" in formats for operator in OPERATORS)
    shown = json.dumps([value for _, value in examples()])
    assert all(name in METRICS for name in re.findall(r'"([a-z_0-9]+)(?:@\d+)?": \{"value"', shown))


def metric_row(name: str, metric: Metric | RunMetric) -> str:
    """The line of a metric in docs/metrics.md; to renew the tables, print these."""
    per_question = isinstance(metric, Metric)
    shown = f"`{name}@k`" if per_question and metric.at_k else f"`{name}`"
    scored = METRIC_NEEDS[metric.needs].which if per_question else "the run"
    variant = metric.variant.format(sacrebleu="VERSION").replace("|", " ")
    return f"| {shown} | {metric.what} | {scored} | {variant} |"


def test_the_tables_of_metrics_are_those_of_the_registry() -> None:
    text = text_of("docs/metrics.md")
    told = dict(re.findall(r"^## (.+)\n((?:.|\n)*?)(?=^## |\Z)", text, re.MULTILINE))
    assert list(told)[: len(GROUPS)] == list(GROUPS.values()), "one section a group, in their order"
    every: dict[str, Metric | RunMetric] = {**METRICS, **RUN_METRICS}
    for kind, heading in GROUPS.items():
        rows = [metric_row(name, metric) for name, metric in every.items() if metric.kind == kind]
        assert re.findall(r"^\| `.*$", told[heading].split("\n### ")[0], re.MULTILINE) == rows, "\n".join(rows)


def test_every_preset_cause_and_weight_is_documented() -> None:
    checks = text_of("docs/checks.md")
    for metric, levels in PRESETS.items():
        assert f"| `{metric}` | {' | '.join(f'{warn:g} / {fail:g}' for warn, fail in levels)} |" in checks
    assert all(f"| {kind} | {advice} |" in checks for kind, advice in CAUSE_ADVICE.items())
    assert f"at rank {LOW_RANK + 1} or worse" in checks
    for weights in (DEFAULT_WEIGHTS, OPTIONAL_WEIGHTS):
        assert ", ".join(f"{name} {weight:g}" for name, weight in weights.items()) in checks


def test_every_request_to_a_judge_is_documented_with_its_metrics() -> None:
    text = text_of("docs/metrics.md")
    told = re.findall(r"^\| (\w+) \| (`.+?`) \| (.+?) \| (\d+) tokens \|$", text, re.MULTILINE)
    assert [(name, gives, int(most)) for name, gives, _, most in told] == [
        (name, ", ".join(f"`{metric}`" for metric in call.metrics), call.max_tokens)
        for name, call in JUDGE_REQUESTS.items()
    ]
    assert "all eight metrics take three requests" in text
    assert (sum(len(call.metrics) for call in JUDGE_REQUESTS.values()), len(JUDGE_REQUESTS)) == (8, 4)
    assert all(f"| `{metric}` | " in text for call in JUDGE_REQUESTS.values() for metric in call.metrics)


def test_the_table_of_profiles_is_that_of_the_code() -> None:
    told = [[cell.strip() for cell in line.split("|")] for line in text_of("docs/checks.md").splitlines()]
    for name, profile in PROFILES.items():
        assert ["", f"`{name}`", profile.what, *settings_text(profile).values(), ""] in told, name
    assert f"({', '.join(ALWAYS_MEASURED)})" in text_of("docs/checks.md")


def test_every_column_of_a_comparison_is_documented() -> None:
    columns = text_of("docs/compare.md").split("### The columns of the report")[1].split("\n**")[0]
    told = [cell for line in re.findall(r"^\| ([^|]+) \| ", columns, re.M) for cell in line.split(", ")]
    assert told[1:] == [column for column in METRIC_COLUMNS if column != "metric"]
    shown = next(line for line in text_of("docs/compare.md").splitlines() if line.startswith("metric  "))
    assert re.split(r"  +", shown) == [*SCREEN_COLUMNS]


# ---- the house -------------------------------------------------------------------------------------


def test_every_dependency_has_its_reason() -> None:
    project = tomllib.loads(text_of("pyproject.toml"))["project"]
    architecture = text_of("ARCHITECTURE.md")
    rows = set(re.findall(r"^\| ([\w-]+) \| \S", architecture, re.MULTILINE))
    needed = {re.split(r"[\[<>=;~! ]", each)[0] for each in project["dependencies"]}
    assert needed <= rows, "each has a line in the table of ARCHITECTURE.md"
    optional = {
        re.split(r"[\[<>=;~! ]", each)[0] for all_ in project["optional-dependencies"].values() for each in all_
    }
    words = set(re.findall(r"[\w-]+", architecture.split("## Dependencies")[1]))
    assert optional <= words | {"kgsynth"}


def test_the_tree_lists_every_package_from_the_top_layer_down() -> None:
    from test_house_imports import LAYERS

    tree = text_of("ARCHITECTURE.md").split("## The flow")[0]
    listed = re.findall(r"^\| `(\w+)` \|", tree, re.MULTILINE)
    depth = {unit: n for n, units in enumerate(LAYERS.values()) for unit in units.split() if not unit.startswith("_")}
    assert sorted(listed) == sorted(depth)
    assert [depth[unit] for unit in listed] == sorted(depth.values())


def headings(page: Path, level: str = "#+") -> list[str]:
    text = re.sub(r"^```.*?^```$", "", page.read_text(encoding="utf-8"), flags=re.DOTALL | re.MULTILINE)
    return [each.replace("`", "") for each in re.findall(rf"^{level} (.+)$", text, re.MULTILINE)]


def anchor(heading: str) -> str:
    return re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-")


def test_there_are_few_pages_and_each_says_what_it_is_for_and_lists_its_sections() -> None:
    pages = sorted((ROOT / "docs").glob("*.md"))
    assert len(pages) <= 15, "join what a reader needs together"
    for page in pages:
        _, purpose, listed, _ = page.read_text(encoding="utf-8").split("\n\n", 3)
        assert len(purpose) > 80 and not purpose.startswith(("#", "|", "```")), page.name
        sections = " · ".join(f"[{each}](#{anchor(each)})" for each in headings(page, "##"))
        assert listed == f"On this page: {sections}", page.name


def test_the_question_followed_from_its_document_is_that_of_the_example_and_its_makers_exist() -> None:
    text = text_of("ARCHITECTURE.md").split("## From document to question")[1].split("\n## ")[0]
    rows = [[cell.strip() for cell in line.split("|")] for line in text.splitlines() if line.startswith("| `")]
    makers = re.findall(r"`(\w+)` in `(kgsynth/[\w/]+\.py)`", text)
    assert len(rows) >= 9 and len(makers) >= len(rows)
    for name, file in makers:
        assert re.search(rf"^ *(?:def|class) {name}\b", text_of(file), re.MULTILINE), f"{file} has no {name}"
    sources = "\n".join(path.read_text(encoding="utf-8") for path in sorted((ROOT / "kgsynth").rglob("*.py")))
    for name in {name for row in rows for name in re.findall(r"`([A-Z]\w+)`", row[1])}:
        assert re.search(rf"^class {name}\b", sources, re.MULTILINE), f"no record {name}"
    (shown,) = [value for name, value in examples() if name == "ARCHITECTURE.md"]
    lines = text_of("outputs/example/golden.jsonl").splitlines()
    (made,) = [item for item in map(json.loads, lines) if item["id"] == shown["id"]]
    assert shown["derivation"] == made["derivation"] and shown["golden_answers"] == made["golden_answers"]
    assert shown["derivation"]["steps"][0]["fact"] in text and f"{made['metadata']['scores']['keep']}" in text
    document = handbook()[shown["evidence"][0][0]["doc"]]
    assert any(f"[{block.start}, {block.end})" in text for block in document.blocks if block.kind == "paragraph")


@pytest.mark.parametrize("name", NAMES)
def test_every_file_named_is_there(name: str) -> None:
    text = text_of(name)
    linked = [target.partition("#") for target in re.findall(r"\]\(([^)]+)\)", text) if "://" not in target]
    for file, _, section in linked:
        page = (ROOT / name).parent / file if file else ROOT / name
        assert page.exists() and (not section or section in {anchor(each) for each in headings(page)}), (file, section)
    inside = re.findall(r"`((?:kgsynth|tests|docs|examples|corpora|benchmarks)/[\w./-]+)`", text)
    assert all((ROOT / path).exists() for path in inside if "NAME" not in path), inside


def test_the_readme_is_short_and_the_page_on_formats_names_all_of_them() -> None:
    for name in ("README.md", "README.zh.md"):
        assert len(text_of(name).splitlines()) < 150 and "docs/formats.md" in text_of(name)
    rows = [line for line in text_of("docs/formats.md").splitlines() if line.startswith("| .")]
    assert sorted(extension for row in rows for extension in row.split("|")[1].split()) == sorted(READERS)


# ---- the scripts -----------------------------------------------------------------------------------

DOCS = {
    "sensors.md": "# Sensors\n\nThe Pike sensor weighs 40 grams.\n\nThe Pike sensor was built in Leeds by Ada Low.\n",
    "kilns.md": "# Kilns\n\nThe Linnet kiln holds ninety plates.\n\nThe Linnet kiln burns beech wood.\n",
}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "docs").mkdir()
    for name, text in DOCS.items():
        (tmp_path / "docs" / name).write_text(text, encoding="utf-8")
    return tmp_path


@contextmanager
def target(name: str) -> Iterator[str]:
    """The target of each example of a system; the service runs meanwhile."""
    example = ROOT / "examples" / f"rag_{name}.py"
    if name in ("function", "steps"):
        yield f"{example}:answer"
    elif name == "exec":
        yield f"exec:{sys.executable} {example}"
    else:
        with subprocess.Popen([sys.executable, str(example), "0"], stdout=subprocess.PIPE, text=True) as service:
            assert service.stdout is not None
            try:
                yield service.stdout.readline().strip()
            finally:
                service.terminate()


@pytest.mark.parametrize("name", ["function", "exec", "http", "steps"])
def test_an_example_answers_and_its_passages_are_found(
    folder: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    monkeypatch.setenv("DOCS", str(folder / "docs"))
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    text = DOCS["kilns.md"]
    span = Span("kilns.md", text.index("The Linnet"), text.index("plates.") + 7, "The Linnet kiln holds ninety plates.")
    item = from_json(
        {"id": "q", "question": "How many plates does the Linnet kiln hold?", "golden_answers": ["ninety"]}
        | {"evidence": [[{"doc": span.doc, "start": span.start, "end": span.end, "text": span.text}]]}
    )
    with target(name) as named, closing(open_system(named)) as system:
        scores = score([item], system, docs=folder / "docs")
    assert (scores.n_errors, scores.metrics["recall@1"].value, scores.metrics["sub_em"].value) == (0, 1.0, 1.0)
    if name == "steps":
        assert [scores.metrics[each].value for each in ("step_count", "step_recall@1", "citation_recall")] == [2, 1, 1]
    assert scores.matched["text"] == sum(scores.matched.values()) > 0, "paragraphs are found by their text"


def test_the_python_example_runs(folder: Path) -> None:
    command = [sys.executable, str(ROOT / "examples" / "generate_in_python.py"), "docs", "out", "3"]
    offline = os.environ | {"HF_HUB_OFFLINE": "1", "TOKENIZERS_PARALLELISM": "false"}
    done = subprocess.run(command, cwd=folder, env=offline, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert "audit: 0 errors" in done.stdout and "?  " in done.stdout
    assert (folder / "out" / "golden.jsonl").stat().st_size > 0
