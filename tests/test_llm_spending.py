"""What a model may cost: caps that no order of threads passes, sums that add up, and what is said when it ends."""

from __future__ import annotations

import random
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from kgsynth.base.errors import BudgetError, ConfigError
from kgsynth.models.llm import Budget, LLMSettings, Usage, read_llm_settings
from kgsynth.models.llm.budget import Spending
from kgsynth.models.llm.settings import LLM_SETTINGS

PRICES = {"price_in": 2.0, "price_out": 10.0}
"""For a million tokens, so that 100 in and 20 out cost 0.0002 + 0.0002."""

CAPS = {
    "calls": Budget(max_calls=37, **PRICES),
    "tokens": Budget(max_tokens=4_000, **PRICES),
    "cost": Budget(max_cost=0.01, **PRICES),
}


def spend(spending: Spending, number: int) -> bool:
    """Make a call that may take 100 and 50 tokens and takes fewer; False when the budget does not allow it."""
    try:
        taken = spending.reserve(100, 50)
    except BudgetError:
        return False
    if number % 5 == 0:
        spending.settle("judging", taken, Usage(failed=1))
    else:
        spending.settle("judging", taken, Usage(tokens_in=100 - number % 7, tokens_out=number % 50))
    return True


@pytest.mark.parametrize("cap", CAPS)
def test_no_cap_is_passed_by_threads(cap: str) -> None:
    spending = Spending(CAPS[cap])
    with ThreadPoolExecutor(8) as pool:
        allowed = list(pool.map(lambda number: spend(spending, number), range(400)))
    assert True in allowed and False in allowed
    assert spending.total.calls == sum(allowed)
    if cap == "calls":
        assert spending.total.calls == 37
    else:  # and it is used up but for what one call could have taken
        spent, most, call = (spending.total.tokens, 4_000, 150) if cap == "tokens" else (spending.cost, 0.01, 0.0007)
        assert most - call < spent <= most


def test_what_is_under_way_counts_at_the_most_it_can_cost() -> None:
    spending = Spending(Budget(max_tokens=300))
    first, _ = spending.reserve(100, 50), spending.reserve(100, 50)
    with pytest.raises(BudgetError):
        spending.reserve(1, 0)
    spending.settle("judging", first, Usage(tokens_in=90, tokens_out=20))  # 40 come free
    spending.reserve(30, 10)
    with pytest.raises(BudgetError):
        spending.reserve(1, 0)


def test_a_failed_call_costs_a_call_and_no_tokens() -> None:
    spending = Spending(Budget(max_calls=1, max_tokens=100))
    spending.settle("judging", spending.reserve(60, 40), Usage(failed=1))
    assert spending.by_stage["judging"] == Usage(calls=1, failed=1)
    with pytest.raises(BudgetError, match="stopped at 1 call to the model, which is all --max-calls allows"):
        spending.reserve(1, 1)


@pytest.mark.parametrize(
    ("budget", "said"),
    [
        (Budget(max_calls=2), "stopped at 2 calls to the model, which is all --max-calls allows"),
        (
            Budget(max_tokens=2_300),
            "stopped at 2,200 tokens, and the next call could pass the 2,300 --max-tokens allows",
        ),
        (
            Budget(max_cost=0.0065, **PRICES),
            "stopped at 0.0060 spent, and the next call could pass the 0.0065 --max-cost allows",
        ),
    ],
)
def test_the_sentence_says_how_far_it_got_and_which_cap_it_was(budget: Budget, said: str) -> None:
    spending = Spending(budget)
    for _ in range(2):  # 1,100 tokens each, at 0.003
        spending.settle("judging", spending.reserve(1_000, 100), Usage(tokens_in=1_000, tokens_out=100))
    with pytest.raises(BudgetError) as error:
        spending.reserve(1_000, 100)
    assert str(error.value) == said
    assert error.value.exit_code == 130


def test_the_cost_is_that_of_both_ways_and_all_stages() -> None:
    spending = Spending(Budget(**PRICES))
    for stage, told in (("writing", (300, 40)), ("verifying", (500, 60)), ("writing", (200, 0))):
        spending.settle(stage, spending.reserve(*told), Usage(tokens_in=told[0], tokens_out=told[1]))
    spending.count_cached("writing")
    assert spending.by_stage["writing"] == Usage(calls=2, cached=1, tokens_in=500, tokens_out=40)
    assert spending.total == Usage(calls=3, cached=1, tokens_in=1_000, tokens_out=100)
    assert spending.cost == pytest.approx(0.003)  # 1,000 * 2 and 100 * 10, for a million
    assert list(spending.to_json()) == ["verifying", "writing", "cost"]
    assert spending.to_json()["cost"] == 0.003


def test_without_caps_nothing_ends() -> None:
    spending = Spending(Budget(max_calls=1, **PRICES).without_caps())
    for _ in range(50):
        spending.settle("judging", spending.reserve(10**9, 10**9), Usage(tokens_in=random.randrange(10**9)))
    assert spending.total.calls == 50 and spending.cost > 0


# ---- the settings ------------------------------------------------------------------------------------


def written(tmp_path: Path, text: str) -> Path:
    path = tmp_path / "llm.toml"
    path.write_text(text, encoding="utf-8")
    return path


def test_the_file_sets_and_the_command_line_overrides(tmp_path: Path) -> None:
    path = written(tmp_path, 'base_url = "http://127.0.0.1:1/v1"\nmax_calls = 50\nprice_in = 1\nretries = 0\n')
    read = read_llm_settings(path, max_calls=20, max_tokens=None)
    assert (read.base_url, read.max_calls, read.price_in, read.retries) == ("http://127.0.0.1:1/v1", 20, 1.0, 0)
    assert read.budget == Budget(max_calls=20, price_in=1.0)
    assert read_llm_settings() == LLMSettings()


def test_every_fault_is_told_at_once(tmp_path: Path) -> None:
    path = written(tmp_path, "retry = 3\ntimeout = 0\nat_once = 0\nretries = -1\nmax_calls = true\nprice_in = 'much'\n")
    with pytest.raises(ConfigError) as error:
        read_llm_settings(path)
    said = str(error.value)
    assert said.startswith(f"--llm-config {path}: unknown setting retry, known are {', '.join(LLM_SETTINGS)}; ")
    for fault in ("timeout is 0: ", "at_once is 0: ", "retries is -1: ", "max_calls is True: ", "price_in is 'much': "):
        assert fault in said


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("timeout =", "is no TOML"),
        ("max_cost = inf\nprice_in = 1", "max_cost is inf: Input should be a finite number"),
        ("price_out = nan", "price_out is nan: Input should be a finite number"),
        ("at_once = 2.5", "at_once is 2.5: Input should be a valid integer"),
        (
            "max_cost = 2.0",
            "max_cost needs prices: set price_in and price_out, for a million tokens, with --llm-config",
        ),
        ("api_key = 'sk-1'", "unknown setting api_key"),
    ],
)
def test_a_file_that_cannot_be_used_says_why(tmp_path: Path, text: str, fault: str) -> None:
    with pytest.raises(ConfigError) as error:
        read_llm_settings(written(tmp_path, text))
    assert fault in str(error.value) and error.value.exit_code == 2


def test_a_cap_on_cost_needs_a_price_from_wherever(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="max_cost needs prices"):
        read_llm_settings(max_cost=1.0)
    assert read_llm_settings(written(tmp_path, "price_out = 0.6"), max_cost=1.0).max_cost == 1.0


def test_a_file_that_is_not_there_or_not_text_is_named(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"llm\.toml cannot be read \(No such file or directory\): check the path"):
        read_llm_settings(tmp_path / "llm.toml")
    (tmp_path / "llm.toml").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(ConfigError, match="is no TOML"):
        read_llm_settings(tmp_path / "llm.toml")
