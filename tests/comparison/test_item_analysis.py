"""Item analysis: small tables with results worked out by hand, and ``audit --runs``."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner, Result
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from kgsynth.base.errors import ConfigError, InputError
from kgsynth.base.records import Item, Span
from kgsynth.cli import main
from kgsynth.comparison.item_analysis import item_analysis
from kgsynth.golden.dataset import load, write
from kgsynth.scoring.flow import score
from kgsynth.statistics.item_analysis import analyse_items, kr20

# Five systems, from strong to weak, with 6, 5, 3, 2 and 1 of seven questions right.
TABLE = np.array(
    [
        [1, 1, 1, 1, 1],  # all right
        [1, 1, 1, 1, 0],
        [1, 1, 1, 0, 0],
        [1, 1, 0, 0, 0],
        [1, 0, 0, 0, 0],
        [1, 1, 0, 0, 0],
        [0, 0, 0, 0, 0],  # all wrong
    ],
    dtype=bool,
)


def test_questions_that_do_not_discriminate_are_listed() -> None:
    found = analyse_items(TABLE)
    assert (found.all_right, found.all_wrong, found.reversed) == ((0,), (6,), ())
    assert found.discrimination[0] is None and found.discrimination[6] is None


def test_kr20_by_hand() -> None:
    # totals 6, 5, 3, 2, 1, mean 3.4: squares 6.76, 2.56, 0.16, 1.96, 5.76
    variance = 17.2 / 5
    pq = 0.8 * 0.2 + 0.6 * 0.4 + 0.4 * 0.6 + 0.2 * 0.8 + 0.4 * 0.6
    assert kr20(TABLE) == pytest.approx(7 / 6 * (1 - pq / variance))


@given(arrays(bool, st.tuples(st.integers(2, 8), st.integers(2, 6))))
def test_kr20_equals_cronbachs_alpha_for_boolean_data(table: np.ndarray) -> None:
    covariance = np.cov(table.astype(float), bias=True)
    found = kr20(table)
    if covariance.sum() < 1e-12:
        assert found is None
    else:
        k = len(table)
        assert found == pytest.approx(k / (k - 1) * (1 - np.trace(covariance) / covariance.sum()))


def test_a_question_with_a_wrong_golden_answer_has_a_negative_discrimination() -> None:
    table = np.vstack([TABLE, [0, 0, 0, 1, 1]])
    found = analyse_items(table)
    assert found.reversed == (7,)
    rest = np.array([6, 5, 3, 2, 1])
    assert found.discrimination[7] == pytest.approx(np.corrcoef([0, 0, 0, 1, 1], rest)[0, 1])


@given(arrays(bool, st.tuples(st.integers(1, 10), st.integers(2, 5))))
def test_the_sufficient_subset_ranks_the_systems_as_all_questions_do(table: np.ndarray) -> None:
    total, part = table.sum(axis=0), table[list(analyse_items(table).enough)].sum(axis=0)
    for a in range(len(total)):
        for b in range(len(total)):
            assert total[a] <= total[b] or part[a] > part[b]


def test_the_sufficient_subset_leaves_out_questions_that_do_not_discriminate() -> None:
    assert not {0, 6} & set(analyse_items(TABLE).enough)


# ---- runs ------------------------------------------------------------------------------------------

N = 10
ITEMS = [
    Item(f"q{at}", f"What is {at}?", (f"thing {at}",), "simple", "factoid", "en", ((Span("d.md", at, at + 1, "x"),),))
    for at in range(N)
]
RIGHTS: dict[str, Callable[[int], bool]] = {
    "strong": lambda at: at < 8,
    "middle": lambda at: at < 5,
    "weak": lambda at: at < 2 or at == 8,
}


@pytest.fixture
def runs(tmp_path: Path) -> list[Path]:
    """Three systems: all answer questions 0 and 1 correctly and 9 wrong; only the weakest answers 8 correctly."""
    write(ITEMS, tmp_path / "golden.jsonl")
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "d.md").write_text("x" * N, encoding="utf-8")
    for name, right in RIGHTS.items():
        lines = [
            {"id": item.id, "answer": item.golden_answers[0] if right(at) else "odd"} for at, item in enumerate(ITEMS)
        ]
        (tmp_path / f"{name}.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
        score(tmp_path / "golden.jsonl", str(tmp_path / f"{name}.jsonl"), out=tmp_path / name)
    return [tmp_path / name for name in RIGHTS]


def test_runs_show_which_questions_may_be_wrong(runs: list[Path]) -> None:
    findings, stats = item_analysis(load(runs[0].parent / "golden.jsonl"), runs)
    assert [(each.code, each.item) for each in findings] == [("reversed", "q8"), ("all_wrong", "q9"), ("all_right", "")]
    assert "(only 3 systems: it may be chance)" in findings[0].message
    assert findings[2].message == "all 3 systems answer 2 of 10 questions correctly, so these do not discriminate"
    figures = stats["item_analysis"]
    assert figures["right"] == {"strong": 0.8, "middle": 0.5, "weak": 0.3}
    assert (figures["metric"], figures["questions"], figures["left_out"]) == ("sub_em", 10, 0)
    assert len(figures["enough"]) < N


def test_runs_on_another_set_are_refused(runs: list[Path], tmp_path: Path) -> None:
    write(ITEMS[:4], tmp_path / "four.jsonl")
    with pytest.raises(InputError, match=r"asked 6 questions that are not in this set, such as q4"):
        item_analysis(load(tmp_path / "four.jsonl"), runs)


def test_a_metric_that_a_run_does_not_have_is_reported(runs: list[Path]) -> None:
    with pytest.raises(ConfigError, match=r"strong has no values of recall@5: name a metric"):
        item_analysis(load(runs[0].parent / "golden.jsonl"), runs, "recall@5")


def audit(folder: Path, *options: object) -> Result:
    args = ["audit", folder / "golden.jsonl", "--docs", folder / "docs", *options]
    return CliRunner().invoke(main, [*map(str, args)])


def test_the_audit_accepts_several_runs_after_one_option(runs: list[Path]) -> None:
    done = audit(runs[0].parent, "--runs", *runs)
    assert done.exit_code == 1, "the planted answers are not in their evidence"
    assert "right by sub_em: strong 80 %, middle 50 %, weak 30 %; reliability (KR-20)" in done.output
    assert "warning reversed: 1" in done.output


def test_a_stray_argument_is_not_taken_for_a_run(runs: list[Path]) -> None:
    told = audit(runs[0].parent, runs[0])
    assert told.exit_code == 2
    assert "is one argument too many; give runs of score after --runs" in told.output
