"""score --repeats: rates over askings, flaky questions, and the noise of the system apart from that of the judge."""

from __future__ import annotations

import json
import random
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner
from scripted import ScriptedModel

from kgsynth.base.errors import ConfigError
from kgsynth.base.records import Item, Span
from kgsynth.cli import main
from kgsynth.comparison.runs import compare
from kgsynth.golden.dataset import write
from kgsynth.scoring.flow import score
from kgsynth.scoring.metrics.judged import Judge
from kgsynth.scoring.metrics.judged.replies import GradesReply
from kgsynth.scoring.text import markdown, terminal

TOWNS = [f"Town{at}" for at in range(120)]
ITEMS = [
    Item(f"q{at}", f"Where is depot {at}?", (town,), "simple", "factoid", "en", ((Span(f"{at}.md", 0, 3, "abc"),),))
    for at, town in enumerate(TOWNS)
]
BY_QUESTION = {item.question: item.golden_answers[0] for item in ITEMS}


def flaky_system(chances: dict[str, float], seed: int = 0) -> Callable[[str], str]:
    """A system that is right with the chance of the question, each time anew and in other words."""
    rng = random.Random(seed)

    def ask(question: str) -> str:
        right = rng.random() < chances.get(question, 1.0)
        return rng.choice(["It is in {}.", "{}", "In {}"]).format(BY_QUESTION[question] if right else "Nowhere")

    return ask


def planted(number: int, flaky: int, wrong: int) -> dict[str, float]:
    """Chances of ``number`` questions: ``flaky`` of them at 0.5, ``wrong`` at 0, the others at 1."""
    questions = [item.question for item in ITEMS[:number]]
    return {q: 0.5 if at < flaky else 0.0 if at < flaky + wrong else 1.0 for at, q in enumerate(questions)}


def test_rates_over_the_askings_by_hand() -> None:
    """Of three askings, q0 passes 3, q1 passes 1, q2 none: pass@1 is 4/9, pass@3 2/3, all of 3 1/3.

    pass@2 of q1 is 1 - C(2,2)/C(3,2) = 2/3, so (1 + 2/3 + 0) / 3; all of 2 is C(1,2)/C(3,2) = 0 for q1, so 1/3.
    """
    said: Counter[str] = Counter()
    right = {"Where is depot 0?": {1, 2, 3}, "Where is depot 1?": {2}, "Where is depot 2?": set[int]()}

    def ask(question: str) -> str:
        said[question] += 1
        return BY_QUESTION[question] if said[question] in right[question] else "Nowhere"

    scores = score(ITEMS[:3], ask, repeats=3, gates=["passed_every_time>=0.5", "pass_rate>=0.4"])
    found = scores.repeats
    assert found is not None and (found.n, found.errors) == (3, 0)
    assert {k: value.value for k, value in found.pass_at.items()} == {1: 0.444444, 2: 0.555556, 3: 0.666667}
    assert {k: value.value for k, value in found.all_of.items()} == {1: 0.444444, 2: 0.333333, 3: 0.333333}
    assert [(each.id, each.passed, each.checked) for each in found.flaky] == [("q1", 1, 3)]
    assert scores.pass_rate == pytest.approx(4 / 9) and scores.metrics["sub_em"].value == 0.444444
    assert [each.passes for each in scores.items] == [(True, True, True), (False, True, False), (False,) * 3]
    # q1 has 0, 1, 0: variance 1/3, so that of the mean of one asking is (1/3) / 3 ** 2
    assert found.noise["pass_rate"].system == pytest.approx((1 / 27) ** 0.5, abs=1e-6)
    assert [gate.outcome for gate in scores.gates] == ["FAILED", "passed"]
    text = terminal(scores)
    assert "asked 3 times: pass@1 0.444" in text and "pass@3 0.667" in text and "all of 3 0.333" in text
    assert "1 flaky question of 3, right in some askings only: q1 (1 of 3)" in text and "q1 (1 of 3)" in markdown(
        scores
    )


def test_asked_once_there_is_no_rate_over_askings() -> None:
    scores = score(ITEMS[:3], BY_QUESTION.__getitem__, gates=["passed_every_time>=0.5"])
    assert scores.repeats is None and "repeats" not in scores.to_json() and scores.items[0].passes == ()
    assert scores.gates[0].why == "every question was asked once: give --repeats"


def test_the_rate_of_a_flaky_system_is_in_its_interval_and_flaky_questions_are_found() -> None:
    """40 of 120 questions have a chance of 0.5, 20 of 0: the rate is 80/120. 5 askings miss 1 in 16 flaky ones."""
    chances = planted(120, 40, 20)
    flaky = {item.id for item in ITEMS[:40]}
    covered, named, right = 0, 0, 0
    for seed in range(20):
        scores = score(ITEMS, flaky_system(chances, seed), repeats=5)
        assert scores.repeats is not None
        low, high = scores.repeats.pass_at[1].ci95 or (1.0, 0.0)
        covered += low <= 80 / 120 <= high
        found = {each.id for each in scores.repeats.flaky}
        named, right = named + len(found), right + len(found & flaky)
        # the standard error of one asking is sqrt(40 * 0.25) / 120
        assert scores.repeats.noise["pass_rate"].system == pytest.approx(10**0.5 / 120, rel=0.25)
    assert covered >= 19 and right / named >= 0.9 and right / (20 * 40) >= 0.9


def test_noise_of_the_judge_is_told_from_that_of_the_system(hashed: None) -> None:
    """A system that never changes has no noise of its own, however the judge wavers."""
    rng = random.Random(1)
    wavering = ScriptedModel(lambda prompt: GradesReply("…", 5, rng.choice([1, 5])))
    judge = Judge(wavering, ("answer_correctness",), repeats=3)
    found = score(ITEMS, BY_QUESTION.__getitem__, repeats=4, judge=judge).repeats
    assert found is not None and found.noise["pass_rate"].system == 0
    noise = found.noise["answer_correctness"]
    # one judging of a question has a variance of 0.25, the mean of three a third, over 120 questions
    assert noise.judge == pytest.approx((0.25 / 3 / 120) ** 0.5, rel=0.15)
    assert noise.system is not None and noise.judge is not None and noise.system < noise.judge / 2


def test_repeats_are_resumed_and_kept_apart(tmp_path: Path) -> None:
    asked: list[str] = []

    def ask(question: str) -> str:
        asked.append(question)
        return BY_QUESTION[question]

    score(ITEMS[:4], ask, repeats=2, out=tmp_path / "run")
    assert len(asked) == 8 and (tmp_path / "run" / "repeats" / "2" / "answers.jsonl").is_file()
    score(ITEMS[:4], ask, repeats=3, out=tmp_path / "run", retry_errors=True)
    assert len(asked) == 12, "the third asking only"
    lines = [json.loads(line) for line in (tmp_path / "run" / "items.jsonl").read_text(encoding="utf-8").splitlines()]
    assert [line["passes"] for line in lines] == [[True] * 3] * 4
    assert json.loads((tmp_path / "run" / "scores.json").read_text(encoding="utf-8"))["repeats"]["n"] == 3


def test_compare_uses_the_mean_of_each_question_and_names_the_noise(tmp_path: Path) -> None:
    chances = planted(120, 60, 0)
    for seed, name in enumerate(("a", "b")):
        score(ITEMS, flaky_system(chances, seed), repeats=5, out=tmp_path / name)
    score(ITEMS, flaky_system(chances, 9), out=tmp_path / "once")
    both = compare([tmp_path / "a", tmp_path / "b"])
    once = compare([tmp_path / "a", tmp_path / "once"])
    row, wider = both.pairs[0].by_metric["pass_rate"].difference, once.pairs[0].by_metric["pass_rate"].difference
    assert row.ci95 and wider.ci95 and (row.ci95[1] - row.ci95[0]) < 0.8 * (wider.ci95[1] - wider.ci95[0])
    values = {each.id: each.values["pass_rate"]["a"] for each in both.questions}
    assert set(values.values()) == {0.0, 0.2, 0.4, 0.6, 0.8, 1.0}
    noted = next(note for note in both.notes if note.startswith("a: each question was asked 5 times"))
    assert "counts with its mean" in noted and "standard error of 0.03" in noted
    assert not any("once: each question" in note for note in once.notes)


def test_a_file_of_answers_cannot_be_asked_again(tmp_path: Path) -> None:
    path = tmp_path / "answers.jsonl"
    path.write_text('{"id": "q0", "answer": "Town0"}\n', encoding="utf-8")
    with pytest.raises(ConfigError, match="has one answer to each question: give the system itself"):
        score(ITEMS[:1], str(path), repeats=2)
    with pytest.raises(ConfigError, match="--repeats 0 is not valid"):
        score(ITEMS[:1], BY_QUESTION.__getitem__, repeats=0)


def test_the_command_line_repeats(tmp_path: Path) -> None:
    golden, code = tmp_path / "golden.jsonl", tmp_path / "rag.py"
    write(ITEMS[:5], golden)
    code.write_text("def ask(question):\n    return 'Town' + question.split()[-1].rstrip('?')\n", encoding="utf-8")
    done = CliRunner().invoke(main, ["score", str(golden), "--rag", f"{code}:ask", "--repeats", "3"])
    assert done.exit_code == 0, done.output
    assert "asked 3 times: pass@1 1.000" in done.output and "no question is flaky" in done.output
