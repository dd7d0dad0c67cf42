"""The pytest plugin, run by pytest inside pytest: a test per question, a gate test, and the text of a failure."""

from __future__ import annotations

import pytest

from kgsynth.base.records import Item, Span
from kgsynth.golden.dataset import write

pytest_plugins = ["pytester"]

TEXT = "Staff have 25 days of leave.\n\nThe badge is blue.\n"
ITEMS = [
    Item("q1", "How many days?", ("25 days",), "simple", "factoid", "en", ((Span("a.md", 0, 28, TEXT[:28]),),)),
    Item("q2", "Which colour?", ("blue",), "simple", "factoid", "en", ((Span("a.md", 30, 48, TEXT[30:48]),),)),
]
TESTS = """
import kgsynth

def rag(question):
    return "25 days", [{"text": "Staff have 25 days of leave."}]

def test_question(kgsynth_item, kgsynth_check):
    scored = kgsynth_check(kgsynth_item, rag(kgsynth_item.question))
    assert scored.metrics["recall@1"] == 1.0

def test_set(kgsynth_golden):
    assert [item.id for item in kgsynth_golden] == ["q1", "q2"]

def test_gate(kgsynth_golden):
    assert kgsynth.score(kgsynth_golden, rag, gates=["em>=0.5"]).passed
"""
PLUGIN = ("-p", "kgsynth.pytest_plugin", "-p", "no:cacheprovider")


@pytest.fixture
def project(pytester: pytest.Pytester) -> pytest.Pytester:
    write(ITEMS, pytester.path / "golden.jsonl")
    pytester.mkdir("docs")
    (pytester.path / "docs" / "a.md").write_text(TEXT, encoding="utf-8")
    pytester.makepyfile(TESTS)
    return pytester


def test_each_question_is_a_test_and_a_failure_has_its_cause(project: pytest.Pytester) -> None:
    result = project.runpytest(*PLUGIN, "--kgsynth-golden", "golden.jsonl", "--kgsynth-docs", "docs", "-v")
    result.assert_outcomes(passed=3, failed=1)
    result.stdout.fnmatch_lines(["*test_question?q1? PASSED*", "*test_question?q2? FAILED*"])
    result.stdout.fnmatch_lines(
        [
            "Which colour?",
            "expected: blue",
            "actual: 25 days",
            "likely cause: not retrieved: 1 of 1 evidence groups (a.md)",
            "try: retrieve more passages*",
        ]
    )


def test_without_the_documents_the_wrong_text_still_fails(project: pytest.Pytester) -> None:
    result = project.runpytest(*PLUGIN, "--kgsynth-golden", "golden.jsonl", "-v")
    result.stdout.fnmatch_lines(["*test_question?q1? PASSED*", "*test_question?q2? FAILED*"])
    result.stdout.fnmatch_lines(["likely cause: not retrieved: 1 of 1 evidence groups (a.md)"])


def test_the_set_may_be_named_in_the_configuration_relative_to_the_root(project: pytest.Pytester) -> None:
    project.makeini("[pytest]\nkgsynth_golden = golden.jsonl\nkgsynth_docs = docs\n")
    project.runpytest(*PLUGIN).assert_outcomes(passed=3, failed=1)


def test_a_missing_or_wrong_set_is_one_sentence(project: pytest.Pytester) -> None:
    unnamed = project.runpytest(*PLUGIN)
    unnamed.stdout.fnmatch_lines(["*no golden set: give --kgsynth-golden=PATH*"])
    gone = project.runpytest(*PLUGIN, "--kgsynth-golden", "gone.jsonl")
    assert gone.ret != 0
    gone.stdout.fnmatch_lines(["*gone.jsonl*"])
    assert "Traceback" not in gone.stdout.str()


def test_a_question_that_could_not_be_checked_is_skipped_and_a_reply_without_anything_fails(
    project: pytest.Pytester,
) -> None:
    returned = {"q1": [{"id": "c17"}], "q2": None}
    project.makepyfile(
        "def test_question(kgsynth_item, kgsynth_check):\n"
        f"    kgsynth_check(kgsynth_item, {returned}[kgsynth_item.id])\n"
    )
    result = project.runpytest(*PLUGIN, "--kgsynth-golden", "golden.jsonl", "-v", "-rs")
    result.assert_outcomes(skipped=1, failed=1)
    result.stdout.fnmatch_lines(["*not checked: no passage could be placed in a document; give the documents*"])
    result.stdout.fnmatch_lines(
        ["*failed on all 1 questions, first with: ValueError: it returned None; return a text*"]
    )
    assert "Traceback" not in result.stdout.str()


def test_other_tests_need_no_golden_set(pytester: pytest.Pytester) -> None:
    pytester.makepyfile("def test_nothing(): pass")
    pytester.runpytest(*PLUGIN).assert_outcomes(passed=1)
