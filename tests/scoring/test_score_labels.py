"""score --labels: people's labels correct the judge, say whether it may replace a person, and what to label next."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from scripted import ScriptedModel

from kgsynth.base.errors import ConfigError, InputError
from kgsynth.base.records import Item, Span
from kgsynth.base.records_json import to_json
from kgsynth.cli import main
from kgsynth.golden.dataset import write
from kgsynth.models.llm import Prompt
from kgsynth.scoring.flow import score
from kgsynth.scoring.metrics.judged import Judge
from kgsynth.scoring.metrics.judged.labels import UNCHECKED, Label, read_labels
from kgsynth.scoring.metrics.judged.replies import GradesReply
from kgsynth.scoring.metrics.scores import Scores
from kgsynth.scoring.text import markdown, terminal

N = 300
ITEMS = [
    Item(
        f"q{at}", f"Where is depot {at}?", (f"Town{at}",), "simple", "factoid", "en", ((Span(f"{at}.md", 0, 1, "a"),),)
    )
    for at in range(N)
]
RIGHT = {f"q{at}": at % 10 < 6 for at in range(N)}  # 60 % of the answers are right


def answer(question: str) -> str:
    at = question.split()[-1].rstrip("?")
    return f"Town{at}" if RIGHT[f"q{at}"] else f"Village{at}"


def lenient(prompt: Prompt) -> GradesReply:
    """A judge that calls every right answer right, and a third of the wrong ones too: it says 60 % + 13.3 %."""
    number = int(prompt.user.split("depot ")[1].split("?")[0])
    fine = RIGHT[f"q{number}"] or number % 3 == 0
    return GradesReply("…", 5, 5 if fine else 1)


def labels(number: int, annotator: str = "Ada", wrong: float = 0.0) -> list[Label]:
    drawn = random.Random(4).sample(sorted(RIGHT), number)
    rng = random.Random(annotator)
    return [Label(key, RIGHT[key] != (rng.random() < wrong), annotator) for key in drawn]


def scored(given: Any = (), **options: Any) -> Scores:
    own = {name: options.pop(name) for name in ("strict", "checked") if name in options}
    return score(
        ITEMS, answer, judge=Judge(ScriptedModel(lenient), ("answer_correctness",), **own), labels=given, **options
    )


def test_labels_correct_a_lenient_judge() -> None:
    scores = scored(labels(80), gates=["judged_right>=0.5", "judged_right>=0.7"])
    check = scores.judge_check
    assert check is not None and (check.judged, check.labelled, check.left_out) == (N, 80, 0)
    assert check.judge_alone == pytest.approx(0.6 + 0.4 / 3, abs=0.01)
    low, high = check.corrected.ci95
    assert low < 0.6 < high < check.judge_alone, "the judge alone is not within the interval"
    assert high - low < check.people_alone.ci95[1] - check.people_alone.ci95[0]
    assert check.error_rates[0] == 1.0 and 0.5 < (check.error_rates[1] or 0) < 0.85
    assert [gate.outcome for gate in scores.gates] == ["passed", "FAILED"]
    text = terminal(scores)
    assert f"right answers: {check.corrected.value:.3f} (95 % interval" in text and "80 labels of 300 answers" in text
    assert "whether this judge may replace a person here is not known" in text and "label next (30;" in markdown(scores)


def test_the_answers_to_label_next_narrow_the_interval() -> None:
    """Nearly all that is unknown lies with the answers that the judge calls right: those it calls wrong are wrong."""
    first = scored(labels(60)).judge_check
    assert first is not None and len(first.label_next) == 30 == len(set(first.label_next))
    assert not {label.id for label in labels(60)} & set(first.label_next)
    called_right = [key for key in first.label_next if RIGHT[key] or int(key[1:]) % 3 == 0]
    assert len(called_right) >= 25
    more = [*labels(60), *(Label(key, RIGHT[key], "Ada") for key in first.label_next)]
    then = scored(more).judge_check
    assert then is not None
    width = then.corrected.ci95[1] - then.corrected.ci95[0]
    assert width == pytest.approx(first.width_after, rel=0.15) and then.corrected.ci95[0] < 0.6 < then.corrected.ci95[1]


def test_three_annotators_say_whether_the_judge_may_replace_one() -> None:
    people = [label for name, wrong in (("Ada", 0.1), ("Bo", 0.1), ("Cy", 0.1)) for label in labels(80, name, wrong)]
    check = scored(people).judge_check
    assert check is not None and check.test is not None and check.test.people == 3
    text = " ".join(check.lines)
    assert f"this judge {'may' if check.test.passed else 'may not'} replace a person here" in text
    assert check.labelled == 80, "an answer with three labels counts once"


def test_labels_of_other_answers_are_left_out() -> None:
    given = [*labels(50), Label("q1", True, "Ada", "another answer"), Label("q2", RIGHT["q2"], "Bo", answer("… 2?"))]
    check = scored(given).judge_check
    assert check is not None and check.left_out == 1
    with pytest.raises(ConfigError, match="none of 1 label is of them"):
        scored([Label("other", True)])
    with pytest.raises(ConfigError, match="give --judge too"):
        score(ITEMS[:2], answer, labels=labels(2))


def test_a_gate_on_a_judge_whom_nobody_checked_says_so_and_can_be_refused() -> None:
    gate = "answer_correctness>=0.5"
    warned = scored(gates=[gate])
    assert warned.gates[0].passed and f"answer_correctness decides here, and {UNCHECKED}" in warned.notes
    refused = scored(gates=[gate], checked=True)
    assert refused.failed_checks == [(gate, UNCHECKED)]
    assert scored(gates=["judged_right>=0.5"]).failed_checks == [("judged_right>=0.5", UNCHECKED)]
    labelled = scored(labels(50), gates=[gate], checked=True)
    assert labelled.gates[0].passed and not any(UNCHECKED in note for note in labelled.notes)


def test_labels_are_read_from_lines_and_tables(tmp_path: Path) -> None:
    lines, table, bad = tmp_path / "labels.jsonl", tmp_path / "labels.csv", tmp_path / "bad.jsonl"
    lines.write_text("".join(f"{to_json(label)}\n" for label in labels(5)), encoding="utf-8")
    assert read_labels(lines) == tuple(labels(5))
    table.write_text("id,decision,annotator\nq1,correct,Ada\nq2,wrong,Bo\n", encoding="utf-8")
    assert read_labels(table) == (Label("q1", True, "Ada"), Label("q2", False, "Bo"))
    bad.write_text('{"id": "q1", "right": "perhaps"}\n', encoding="utf-8")
    for path, problem in (
        (bad, "label 1 needs an id and a label"),
        (tmp_path / "none.jsonl", "is not a file of labels"),
    ):
        with pytest.raises(InputError, match=problem):
            read_labels(path)


def test_what_the_labels_show_is_written(tmp_path: Path) -> None:
    scored(labels(40), out=tmp_path / "run")
    found = json.loads((tmp_path / "run" / "scores.json").read_text(encoding="utf-8"))["judge_check"]
    assert found["labelled"] == 40 and found["may_replace"] is None and len(found["corrected"]["ci95"]) == 2


def test_the_command_line_wants_a_judge_for_labels(tmp_path: Path) -> None:
    write(ITEMS[:2], tmp_path / "golden.jsonl")
    refused = CliRunner().invoke(
        main, ["score", str(tmp_path / "golden.jsonl"), "--rag", "bm25", "--labels", "x.jsonl"]
    )
    assert refused.exit_code == 2 and "need a judge; add --judge MODEL" in refused.output
