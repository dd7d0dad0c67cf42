"""A/B tests in production: assignment of users, records of many processes, results by user, recommendations."""

from __future__ import annotations

import doctest
import json
import os
import re
import subprocess
import sys
from collections.abc import Callable, Mapping
from pathlib import Path

import httpx
import pytest
from click.testing import CliRunner, Result

from kgsynth.base.errors import ConfigError, InputError
from kgsynth.cli import main
from kgsynth.comparison.abtest import Experiment, ExperimentAnalysis, ExperimentPlan, assign
from kgsynth.statistics.multiple_testing import holm
from kgsynth.statistics.unpaired_tests import wilson

ROOT = Path(__file__).parents[2]
HALVES = {"a": 0.5, "b": 0.5}
USERS = [f"user {at}" for at in range(20_000)]


# ---- assignment ------------------------------------------------------------------------------------


def test_a_user_gets_the_same_variant_in_every_process_whatever_the_hash_seed() -> None:
    here = [assign("x", user, HALVES) for user in USERS[:50]]
    code = "from kgsynth.comparison.abtest import assign\n"
    code += f"print(*(assign('x', f'user {{at}}', {HALVES}) for at in range(50)))"
    seeded = os.environ | {"PYTHONHASHSEED": "7"}
    printed = subprocess.run(
        [sys.executable, "-c", code], env=seeded, capture_output=True, text=True, check=True
    ).stdout
    assert printed.split() == here and set(here) == {"a", "b"}


def test_each_variant_gets_its_share() -> None:
    found = [assign("x", user, {"a": 0.7, "b": 0.2, "c": 0.1}) for user in USERS]
    for variant, share in (("a", 0.7), ("b", 0.2), ("c", 0.1)):
        spread = (share * (1 - share) / len(USERS)) ** 0.5
        assert abs(found.count(variant) / len(USERS) - share) < 4 * spread
    assert {assign("x", user, {"a": 1, "b": 0}) for user in USERS[:500]} == {"a"}


def test_two_experiments_split_the_users_independently() -> None:
    both = [(assign("x", user, HALVES), assign("y", user, HALVES)) for user in USERS]
    assert all(0.235 < both.count((one, other)) / len(USERS) < 0.265 for one in "ab" for other in "ab")


def test_when_a_share_grows_users_only_move_there_and_as_few_as_possible() -> None:
    before = {user: assign("x", user, {"a": 2, "b": 1, "c": 1}) for user in USERS}
    after = {user: assign("x", user, {"a": 2, "b": 2, "c": 1}) for user in USERS}
    moved = {after[user] for user in USERS if after[user] != before[user]}
    assert moved == {"b"}
    # b goes from 1/4 to 2/5
    assert sum(after[user] != before[user] for user in USERS) / len(USERS) == pytest.approx(0.15, abs=0.01)


@pytest.mark.parametrize(
    "variants", [{"a": 1}, {"a": -0.1, "b": 1}, {"a": 0, "b": 0}, {"": 1, "b": 1}, {"a": float("nan"), "b": 1}]
)
def test_invalid_shares_are_refused(variants: Mapping[str, float], tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="give two or more names, each with a share of 0 or more"):
        Experiment("x", variants, tmp_path / "ab.jsonl")


# ---- records ---------------------------------------------------------------------------------------


@pytest.fixture
def made(tmp_path: Path) -> Callable[..., Experiment]:
    return lambda variants=HALVES, name="x": Experiment(name, variants, tmp_path / "ab.jsonl")


def stored(path: Path) -> list[dict[str, object]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


WRITER = """
import sys
from threading import Thread
from kgsynth.comparison.abtest import Experiment

experiment = Experiment("x", {"a": 0.5, "b": 0.5}, sys.argv[1])
def write(thread):
    for at in range(50):
        experiment.record(f"{sys.argv[2]}/{thread}/{at}", latency_s=float(at), success=True)
threads = [Thread(target=write, args=(each,)) for each in range(2)]
print("ready", flush=True)
sys.stdin.readline()
for each in threads: each.start()
for each in threads: each.join()
"""


def test_four_processes_with_two_threads_that_open_a_new_file_at_once_lose_nothing(tmp_path: Path) -> None:
    path = tmp_path / "new" / "ab.jsonl"
    command = [sys.executable, "-c", WRITER, str(path)]
    writers = [
        subprocess.Popen([*command, str(at)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        for at in range(4)
    ]
    for writer in writers:
        assert writer.stdout and writer.stdout.readline() == "ready\n"
    for writer in writers:
        assert writer.stdin
        writer.stdin.write("go\n")
        writer.stdin.flush()
    for writer in writers:
        writer.communicate(timeout=60)
    assert [writer.returncode for writer in writers] == [0, 0, 0, 0]
    rows = stored(path)
    assert len(rows) == 4 * 2 * 50 == len({row["user"] for row in rows})
    found = Experiment("x", HALVES, path).analyse()
    assert sum(arm.users for arm in found.arms) == 400


def test_an_invalid_record_is_refused(made: Callable[..., Experiment], tmp_path: Path) -> None:
    experiment = made()
    experiment.record("u", feedback=-1, latency_s=0)
    for wrong, message in (
        ({"latency_s": -1.0}, "latency_s is -1.0: give seconds"),
        ({"latency_s": float("nan")}, "give seconds"),
        ({"feedback": 5}, r"feedback is 5: give -1 to 1; convert stars with \(stars - 3\) / 2"),
        ({"variant": "c"}, "variant 'c' is unknown: give one of a, b"),
    ):
        with pytest.raises(ConfigError, match=message):
            experiment.record("u", **wrong)
    with pytest.raises(ConfigError, match="a user of 'x' is empty"):
        experiment.record("")
    assert len(stored(tmp_path / "ab.jsonl")) == 1


def test_the_file_contains_no_user_name(made: Callable[..., Experiment], tmp_path: Path) -> None:
    experiment = made()
    experiment.record("ada@example.org", error="timeout")
    assert b"ada@example.org" not in (tmp_path / "ab.jsonl").read_bytes()
    (row,) = stored(tmp_path / "ab.jsonl")
    assert (row["success"], row["error"]) == (False, "timeout"), "an error counts as a failure"


# ---- results ---------------------------------------------------------------------------------------


def users_of(variant: str, number: int) -> list[str]:
    """Users who are assigned this variant."""
    return [user for user in USERS if assign("x", user, HALVES) == variant][:number]


def test_every_user_counts_once_and_errors_have_no_latency(made: Callable[..., Experiment]) -> None:
    experiment = made()
    one, two = users_of("a", 2)
    for latency in (1.0, 2.0, 3.0):
        experiment.record(one, latency_s=latency, success=True)
    experiment.record(one, latency_s=60.0, error="timeout")
    experiment.record(two, latency_s=4.0, success=False, feedback=-1)
    for user in users_of("b", 2):
        experiment.record(user, success=True)
    a, b = experiment.analyse().arms
    assert (a.variant, a.share, a.users, a.records, a.errors) == ("a", 0.5, 2, 5, 1)
    # the two users: 3 of 4 and 0 of 1 successes, mean latencies of 2 and 4
    assert (a.means["success"].value, a.means["success"].n) == (0.375, 2)
    assert (a.means["latency"].value, a.means["latency"].variance) == (3.0, 2.0)
    assert (a.means["feedback"].value, a.means["feedback"].interval) == (-1.0, None)
    assert (a.latency_p50, a.latency_p95) == (2.5, pytest.approx(3.85)), "over the records 1, 2, 3, 4"
    assert list(b.means) == ["success"] and b.latency_p50 is None


def test_with_one_record_per_user_the_results_are_the_textbook_ones(made: Callable[..., Experiment]) -> None:
    experiment = made()
    for variant, right, number in (("a", 30, 100), ("b", 45, 100)):
        for at, user in enumerate(users_of(variant, number)):
            experiment.record(user, success=at < right, latency_s=1 + at % 2, feedback=1 if at < 50 + right else 0)
    found = experiment.analyse()
    assert found.arms[0].means["success"].interval == pytest.approx(wilson(0.3, 100))
    success, latency, feedback = found.contrasts
    assert [each.metric for each in found.contrasts] == ["success", "latency", "feedback"]
    # pooled 0.375: 0.15 / sqrt(0.375 * 0.625 * 0.02) = 2.19089
    assert success.apart.p == pytest.approx(0.02846, abs=1e-5)
    assert latency.apart.difference == 0 and latency.apart.p == 1
    assert [each.p_holm for each in found.contrasts] == holm([each.apart.p for each in found.contrasts])
    assert not success.significant and feedback.significant, "Holm corrects for three metrics"


def test_users_with_two_variants_are_left_out_and_counted(made: Callable[..., Experiment]) -> None:
    experiment = made()
    for user in USERS[:30]:
        experiment.record(user, success=True)
    stray = users_of("a", 1)[0]
    experiment.record(stray, success=True, variant="b")
    found = experiment.analyse()
    assert sum(arm.users for arm in found.arms) == 29
    assert found.notes == ("1 users have records of more than one variant and are left out",)


def test_changed_shares_are_not_a_mismatch_but_are_noted(made: Callable[..., Experiment], tmp_path: Path) -> None:
    for variants, users in ((HALVES, USERS[:400]), ({"a": 0.9, "b": 0.1}, USERS[1000:1400])):
        experiment = made(variants)
        for user in users:
            experiment.record(user, success=True)
        found = made().analyse()
    assert [arm.share for arm in found.arms] == [0.9, 0.1], "those of the newest record"
    assert found.arms[1].users > 200 and found.trusted, "240 were expected, not 80"
    assert "the shares were changed during the experiment (2 splits)" in found.notes[0]


# ---- advice ----------------------------------------------------------------------------------------

PLAN = ExperimentPlan(effect=0.2, base=0.5)
# 0.5 and 0.7 need (1.95996 * sqrt(0.48) + 0.84162 * sqrt(0.46))^2 / 0.04 = 92.9 users of each
# Wilson of 40 of 100: 0.309 to 0.498, of 70: 0.604 to 0.781, so Newcombe's interval of 70 - 40 is
# 0.3 - hypot(0.7 - 0.604, 0.498 - 0.4) and 0.3 + hypot(0.781 - 0.7, 0.4 - 0.309): 0.163 and 0.422


def after(
    experiment: Experiment, a: int, b: int, plan: ExperimentPlan, number: int = 100, slow: float = 1.0
) -> ExperimentAnalysis:
    """Analyse ``number`` users per variant with ``a`` and ``b`` successes; answers of b take ``slow`` seconds."""
    for variant, right, seconds in (("a", a, 1.0), ("b", b, slow)):
        for at, user in enumerate(users_of(variant, number)):
            experiment.record(user, success=at < right, latency_s=seconds + at % 3 / 10)
    return experiment.analyse(plan)


@pytest.mark.parametrize(
    ("a", "b", "slow", "expected"),
    [
        (40, 70, 1.0, "b is better than a: success +30.0 points (+16.3 points to +42.2 points)"),
        (70, 40, 1.0, "b is worse than a: success -30.0 points (-42.2 points to -16.3 points)"),
        (50, 52, 1.0, "no difference of 20 points or more in success between b and a (-11.6 points to +15.5 points)"),
        (50, 60, 1.0, "success does not differ significantly between b and a, but a difference of 20 points is not"),
        (40, 70, 1.5, "but worse on latency +0.5 s (+0.477 s to +0.523 s): weigh them"),
        (50, 52, 1.5, "take the simpler or cheaper one; b is worse on latency +0.5 s"),
    ],
)
def test_the_recommendation_names_what_decides(
    made: Callable[..., Experiment], a: int, b: int, slow: float, expected: str
) -> None:
    assert expected in after(made(), a, b, PLAN, slow=slow).recommendation


def test_until_all_users_are_in_the_advice_is_to_keep_collecting_whatever_the_results(
    made: Callable[..., Experiment],
) -> None:
    found = after(made(), 5, 80, PLAN, number=90)
    assert found.contrasts[0].significant
    assert found.recommendation == "keep collecting: users with a recorded success: a 90 of 93, b 90 of 93"
    latency = made().analyse(ExperimentPlan("latency", effect=0.05))
    # a latency of 1, 1.1 or 1.2 in turn: variance 0.00674, so 2 * 7.8489 * 0.00674 / 0.0025 = 42.3
    assert {arm.needed for arm in latency.arms} == {43}
    assert latency.recommendation.startswith("no difference of 0.05 s or more in latency")
    feedback = made().analyse(ExperimentPlan("feedback", effect=0.1))
    assert feedback.recommendation == "keep collecting: users with a recorded feedback: a 0, b 0"


def test_with_a_sample_ratio_mismatch_no_result_is_used(made: Callable[..., Experiment]) -> None:
    experiment = made()
    for user in [*users_of("a", 300), *users_of("b", 200)]:
        experiment.record(user, success=True)
    found = experiment.analyse(PLAN)
    # chi-square 2 * 50^2 / 250 = 20 with 1 degree of freedom
    assert found.mismatch == pytest.approx(7.74e-6, rel=1e-2) and not found.trusted
    assert found.recommendation.startswith("do not decide: the users (a 300, b 200) are not split as the shares say")


def test_each_of_three_variants_is_compared_with_the_first(made: Callable[..., Experiment]) -> None:
    shares = {"a": 1, "b": 1, "c": 1}
    experiment = made(shares)
    right = {"a": 3, "b": 9, "c": 3}  # of ten
    for at, user in enumerate(USERS[:450]):
        variant = experiment.assign(user)
        experiment.record(user, success=at % 10 < right[variant])
    found = experiment.analyse(PLAN)
    assert [(each.variant, each.significant) for each in found.contrasts] == [("b", True), ("c", False)]
    better, same = found.recommendation.split("; ")
    assert better.startswith("b is better than a") and "c and a" in same
    only = made({"a": 1, "b": 0, "c": 0})
    only.record("one more")
    assert only.analyse(PLAN).recommendation == "nothing to decide: no variant except a gets users"


# ---- command line ----------------------------------------------------------------------------------


def command(*arguments: object) -> Result:
    return CliRunner().invoke(main, ["abtest", *map(str, arguments)])


def test_the_command_prints_each_experiment_and_json(made: Callable[..., Experiment], tmp_path: Path) -> None:
    after(made(), 40, 70, PLAN)
    made(name="y").record("u", success=True)
    path, planned = tmp_path / "ab.jsonl", ("--effect", "0.2", "--base", "0.5")
    result = command(path, *planned)
    assert result.exit_code == 0, result.output
    lines = [line.split() for line in result.stdout.splitlines()]
    assert ["a", "0.5", "100", "93", "100", "0", "1.100", "1.200"] in lines
    assert ["success", "b", "−", "a", "+0.300", "+0.163", "to", "+0.422", "<0.001", "<0.001", "better"] in lines
    assert "x: 200 users, 200 records; planned to detect a difference of 0.2 in success from 0.5" in result.stdout
    assert "y: 1 users" in result.stdout
    (found,) = json.loads(command(path, "--experiment", "x", *planned, "--json").stdout)
    assert (found["experiment"], found["trusted"], found["arms"][1]["needed"]) == ("x", True, 93)


def test_what_cannot_be_analysed_is_reported_in_one_sentence(made: Callable[..., Experiment], tmp_path: Path) -> None:
    path = tmp_path / "ab.jsonl"
    assert command(path).exit_code == 3 and not path.exists(), "a missing file is not created"
    made().record("u")
    unknown = command(path, "--experiment", "z")
    assert (unknown.exit_code, unknown.stderr) == (
        3,
        f"error: {path} has no record of experiment 'z': give one of x\n",
    )
    plan = command(path, "--effect", "0", "--power", "1", "--outcome", "glory")
    assert plan.exit_code == 2 and all(
        problem in plan.stderr for problem in ("power is 1.0", "metric is 'glory'", "effect is 0.0")
    )
    path.write_text(f'{path.read_text(encoding="utf-8")}{{"experiment": "x"}}\n', encoding="utf-8")
    assert f"{path}, line 2 is no record" in command(path).stderr
    with pytest.raises(InputError, match="cannot be written"):
        Experiment("x", HALVES, path / "below").record("u")


# ---- documents -------------------------------------------------------------------------------------


def test_the_worked_example_is_as_documented(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    found = doctest.testfile(str(ROOT / "docs" / "compare.md"), module_relative=False)
    assert found.attempted > 5 and not found.failed
    text = (ROOT / "docs" / "compare.md").read_text(encoding="utf-8")
    ((line, shown),) = re.findall(r"^\$ kgsynth (abtest .*)\n((?:.*\n)*?)```", text, re.MULTILINE)
    assert CliRunner().invoke(main, line.split()).stdout.rstrip() == shown.rstrip()


def test_the_example_service_answers_by_variant_and_records(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("The kiln burns beech. It is old.\n\nThe pond is deep.\n", encoding="utf-8")
    command = [sys.executable, str(ROOT / "examples" / "ab_service.py"), "0", str(tmp_path / "ab.jsonl")]
    there = os.environ | {"DOCS": str(tmp_path)}
    with subprocess.Popen(command, env=there, stdout=subprocess.PIPE, text=True) as service:
        try:
            assert service.stdout
            url = service.stdout.readline().strip()
            for at in range(12):
                httpx.post(url, json={"user": f"u{at}", "question": "What burns beech?"}, trust_env=False)
            httpx.post(url, json={"user": "u0", "feedback": -1}, trust_env=False)
        finally:
            service.terminate()
    found = Experiment("length of answers", {"sentence": 0.5, "paragraph": 0.5}, tmp_path / "ab.jsonl").analyse()
    assert sum(arm.users for arm in found.arms) == 12 and sum(arm.records for arm in found.arms) == 13
    assert all(arm.means["success"].value == 1.0 for arm in found.arms)
