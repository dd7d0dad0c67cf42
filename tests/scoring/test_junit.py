"""Scores as JUnit XML: one case per question, gate and threshold, read back by a parser."""

from __future__ import annotations

from pathlib import Path
from xml.etree import ElementTree

import pytest

from kgsynth.base.records import Answer, Item, Span
from kgsynth.scoring.flow import score
from kgsynth.scoring.junit import junit

ITEMS = [
    Item(f"q{at}", question, ("Ada & <Co>",), "simple", "factoid", "en", ((Span(f"d{at}.md", 0, 3, "Ada"),),))
    for at, question in enumerate(["Who <is> \"it\" & why?", "Who\x00 said\x1b[0m so?", "Who left?"])
]  # fmt: skip
SAID = {"q0": "Ada & <Co>", "q1": "nobody ]]> \ud800 <b>"}


class Said:
    name, signature = "said <&>", "said|1"

    def ask(self, item: Item) -> Answer:
        said = SAID.get(item.id)
        return Answer(item.id, said) if said else Answer(item.id, None, error="TimeoutError: 30 s")

    def close(self) -> None: ...


@pytest.fixture
def suite() -> ElementTree.Element:
    scores = score(ITEMS, Said(), gates=["em>=0.2", "em>=0.9"], thresholds="standard")
    found = ElementTree.fromstring(junit(scores).encode()).find("testsuite")
    assert found is not None
    return found


def case(suite: ElementTree.Element, kind: str, start: str) -> ElementTree.Element:
    (found,) = [each for each in suite if each.get("classname") == kind and each.get("name", "").startswith(start)]
    return found


def test_counts_match_the_cases(suite: ElementTree.Element) -> None:
    # three questions, two gates of which one fails, eight thresholds: three fail, four have no value and fail (the
    # system returns no passages), one does not apply (there is no unanswerable question)
    assert {name: suite.get(name) for name in ("tests", "failures", "errors", "skipped")} == {
        "tests": "13",
        "failures": "8",
        "errors": "0",
        "skipped": "3",
    }
    assert len(suite) == 13


def test_a_question_that_passed_is_an_empty_case(suite: ElementTree.Element) -> None:
    good = case(suite, "golden.simple", "q0")
    assert (good.get("name"), list(good)) == ('q0 Who <is> "it" & why?', [])


def test_a_failure_has_expected_actual_cause_and_advice_even_with_odd_text(suite: ElementTree.Element) -> None:
    odd = case(suite, "golden.simple", "q1")
    assert odd.get("name") == "q1 Who\ufffd said\ufffd[0m so?"
    (failure,) = odd
    assert (failure.tag, failure.get("message")) == ("skipped", "wrong answer"), "it does not fail the run"
    expected, actual, ranks, advice = (failure.text or "").splitlines()
    assert (expected, actual) == ("expected: Ada & <Co>", "actual: nobody ]]> \ufffd <b>")
    assert (ranks, advice[:5]) == ("evidence ranks: not found", "try: ")


def test_a_question_on_which_the_system_failed_names_the_error(suite: ElementTree.Element) -> None:
    (error,) = case(suite, "golden.simple", "q2")
    assert (error.tag, error.get("message")) == ("skipped", "error: TimeoutError: 30 s")


def test_gates_and_thresholds_are_cases_too(suite: ElementTree.Element) -> None:
    assert list(case(suite, "gates", "em>=0.2")) == []
    assert case(suite, "gates", "em>=0.9")[0].get("message") == "the value is 0.333333"
    assert case(suite, "thresholds", "mrr")[0].get("message") == "the system returns no passages", (
        "without a value it fails"
    )
    assert case(suite, "thresholds", "refusal")[0].get("message") == "not assessed: no unanswerable questions"
    assert case(suite, "thresholds", "token_f1")[0].text == "warn 0.6, fail 0.5"


def test_the_file_is_written_by_the_command(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from click.testing import CliRunner

    from kgsynth.cli import main
    from kgsynth.golden.dataset import write

    monkeypatch.chdir(tmp_path)
    write(ITEMS[:1], tmp_path / "golden.jsonl")
    (tmp_path / "a.jsonl").write_text('{"id": "q0", "answer": "no"}\n', encoding="utf-8")
    result = CliRunner().invoke(main, ["score", "golden.jsonl", "--rag", "a.jsonl", "--junit", "ci/junit.xml"])
    assert result.exit_code == 0, "failed questions do not fail the run, gates do"
    root = ElementTree.parse(tmp_path / "ci" / "junit.xml").getroot()
    assert (root[0].get("failures"), root[0].get("skipped")) == ("0", "2"), (
        "as the exit code says; the first case says that no gate was set"
    )


def test_without_a_gate_the_suite_says_that_nothing_can_fail() -> None:
    (suite,) = ElementTree.fromstring(junit(score(ITEMS, Said())).encode())
    (found,) = suite.findall("properties/property")
    assert found.get("name") == "no gates given"
    assert found.get("value", "").startswith("no test case can fail; the result is: 1 of 3 questions passed")
    (with_gate,) = ElementTree.fromstring(junit(score(ITEMS, Said(), gates="em>=0.9")).encode())
    assert with_gate.find("properties") is None
