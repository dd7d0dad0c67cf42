"""JSON is parsed in one place, which refuses what nothing else can hold, and every reader names file and line."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

import kgsynth
from kgsynth.base.errors import ConfigError, InputError
from kgsynth.base.json_reading import MAX_DEPTH, JsonError, parse_json
from kgsynth.base.settings import read_toml
from kgsynth.comparison.runs import read_run
from kgsynth.golden.dataset import load
from kgsynth.golden.exchange import read
from kgsynth.scoring.metrics.criteria import read_thresholds
from kgsynth.scoring.systems.answers_file import read_answers

REFUSED = {
    "9" * 5000: "a.1 has more than 100 digits",
    "1" + "0" * 400: "a.1 has more than 100 digits",
    "[" * 100_000: r"nested more than 100 levels deep",
    "[" * MAX_DEPTH + "]" * MAX_DEPTH: r"nested more than 100 levels deep",
    "NaN": "a.1 is nan, not a finite number",
    "-Infinity": "a.1 is -inf, not a finite number",
    "1e999": "a.1 is inf, not a finite number",
    r'"x\ud800"': r"a.1 contains half of a character",
    r'{"\udc00": 1}': r"a.1.\\udc00 contains half of a character",
    "[1": r"not JSON \(Expecting ',' delimiter: line 1",
}


@pytest.mark.parametrize("text", REFUSED)
def test_what_nothing_else_can_hold_is_refused_with_its_key(text: str) -> None:
    with pytest.raises(JsonError, match=REFUSED[text]):
        parse_json('{"a": [0, ' + text + "]}")


def test_tolerant_reading_returns_what_the_caller_replaces_but_no_endless_numbers_and_depths() -> None:
    nan, half = parse_json(r'[NaN, "x\ud800"]', tolerant=True)
    assert nan != nan and half == "x\ud800"
    for text in ("9" * 5000, "1" + "0" * 400, "[" * 100_000):
        with pytest.raises(JsonError):
            parse_json(text, tolerant=True)


def test_bytes_are_strict_utf_8_and_whole_characters_are_fine() -> None:
    with pytest.raises(JsonError, match=r"not UTF-8 \(byte 1\)"):
        parse_json(b'"\xff"')
    assert parse_json('\ufeff{"a": "\\ud83d\\ude00"}'.encode()) == {"a": "😀"}
    assert parse_json("1" + "0" * 99) == 10**99


UNREADABLE = ("9" * 5000, "1" + "0" * 400, "[" * 100_000)
HOSTILE = (*UNREADABLE, "NaN", "1e999", r'"\ud800"')


@pytest.mark.parametrize("value", HOSTILE)
def test_a_golden_set_names_file_and_line(tmp_path: Path, value: str) -> None:
    path = tmp_path / "golden.jsonl"
    good = '{"id": "q1", "question": "Who?", "golden_answers": ["Ada"]}\n'
    path.write_text(good + good.replace("q1", "q2").replace('"Ada"]', f'"Ada"], "metadata": {{"x": {value}}}'))
    with pytest.raises(InputError, match=r"golden\.jsonl, line 2: .*; correct or delete the line"):
        load(path)


@pytest.mark.parametrize("value", ("9" * 5000, "[" * 100_000))
def test_a_set_of_another_tool_names_file_and_line(tmp_path: Path, value: str) -> None:
    path = tmp_path / "foreign.jsonl"
    path.write_text(f'{{"question": "Who?", "answer": "Ada"}}\n{{"question": "Who?", "answer": {value}}}\n')
    with pytest.raises(InputError, match=r"foreign\.jsonl, line 2: .*; correct or delete the line"):
        read(path)


@pytest.mark.parametrize(
    "line",
    [f'{{"id": "q", "answer": "a", "retrieved": [{{"text": "t", "score": {value}}}]}}' for value in UNREADABLE]
    + [f'{{"id": "q", "answer": "a", "latency_s": {value}}}' for value in HOSTILE]
    + [r'{"id": "q\ud800", "answer": "a"}'],
)
def test_an_answers_file_names_file_and_line(tmp_path: Path, line: str) -> None:
    path = tmp_path / "answers.jsonl"
    path.write_text(f'{{"id": "q0", "answer": "a"}}\n{line}\n')
    with pytest.raises(InputError, match=r"line 2 of .*answers\.jsonl is not an answer record"):
        read_answers(path)


@pytest.mark.parametrize("value", HOSTILE[len(UNREADABLE) :])
def test_a_passage_with_an_impossible_score_fails_its_question(tmp_path: Path, value: str) -> None:
    path = tmp_path / "answers.jsonl"
    path.write_text(f'{{"id": "q", "answer": "a", "retrieved": [{{"text": "t", "score": {value}}}]}}\n')
    answer = read_answers(path)["q"]
    assert answer.error and answer.error.startswith("wrong shape: retrieved.0.score is ")


@pytest.mark.parametrize(
    ("metrics", "problem"),
    [
        ("NaN", "metrics is nan"),
        ("[1]", "metrics: "),
        ('{"em": "1"}', "metrics.em: "),
        ('{"em": 1e999}', "metrics.em is inf"),
    ],
)
def test_a_line_of_a_run_of_score_is_checked(tmp_path: Path, metrics: str, problem: str) -> None:
    (tmp_path / "scores.json").write_text('{"golden": "sha256:1", "system": "bm25"}')
    line = '{"id": "q%d", "question": "Who?", "cluster": "a.md", "group_ranks": [1], "metrics": %s}\n'
    (tmp_path / "items.jsonl").write_text(line % (1, '{"em": 1.0}') + line % (2, metrics))
    with pytest.raises(InputError, match=rf"items\.jsonl, line 2: {problem}"):
        read_run("a", tmp_path)


def test_settings_hold_no_endless_numbers_and_depths(tmp_path: Path) -> None:
    path = tmp_path / "any.toml"
    for text in ("n = " + "9" * 5000, "n = " + "9" * 400, "n = " + "[" * 5000):
        path.write_text(text)
        with pytest.raises(ConfigError, match="is not valid TOML"):
            read_toml(path, "--config")
        with pytest.raises(ConfigError, match="is not valid TOML"):
            read_thresholds(path)


PARSERS = {("json", "load"), ("json", "loads"), ("json", "JSONDecoder"), ("tomllib", "load"), ("tomllib", "loads")}


def test_no_other_module_parses_json_or_toml() -> None:
    root = Path(kgsynth.__file__).parent
    found = {
        path.relative_to(root).as_posix()
        for path in root.rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Attribute)
        and isinstance(node.value, ast.Name)
        and (node.value.id, node.attr) in PARSERS
    }
    assert found == {"base/json_reading.py", "base/settings.py", "language/lexicon.py"}
