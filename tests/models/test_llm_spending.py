"""The budget for a language model: caps that threads cannot exceed, sums that add up, settings and messages."""

from __future__ import annotations

import random
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from kgsynth.base.errors import BudgetError, ConfigError
from kgsynth.models.llm import Budget, LLMSettings, Usage, read_llm_settings
from kgsynth.models.llm.budget import Spending

PRICES = {"price_in": 2.0, "price_out": 10.0}
"""Per million tokens, so that 100 in and 20 out cost 0.0002 + 0.0002."""

CAPS = {
    "calls": Budget(max_calls=37, **PRICES),
    "tokens": Budget(max_tokens=4_000, **PRICES),
    "cost": Budget(max_cost=0.01, **PRICES),
}


def spend(spending: Spending, number: int) -> bool:
    """Make a call that reserves 100 and 50 tokens and uses fewer; False if the budget does not allow it."""
    try:
        reserved = spending.reserve(100, 50)
    except BudgetError:
        return False
    if number % 5 == 0:
        spending.settle("judging", reserved, Usage(failed=1))
    else:
        spending.settle("judging", reserved, Usage(tokens_in=100 - number % 7, tokens_out=number % 50))
    return True


@pytest.mark.parametrize("cap", CAPS)
def test_threads_exceed_no_cap(cap: str) -> None:
    spending = Spending(CAPS[cap])
    with ThreadPoolExecutor(8) as pool:
        allowed = list(pool.map(lambda number: spend(spending, number), range(400)))
    assert True in allowed and False in allowed
    assert spending.total.calls == sum(allowed)
    if cap == "calls":
        assert spending.total.calls == 37
    else:  # and less than one call is left
        spent, most, call = (spending.total.tokens, 4_000, 150) if cap == "tokens" else (spending.cost, 0.01, 0.0007)
        assert most - call < spent <= most


def test_a_call_that_is_not_settled_counts_with_what_it_reserved() -> None:
    spending = Spending(Budget(max_tokens=300))
    first, _ = spending.reserve(100, 50), spending.reserve(100, 50)
    with pytest.raises(BudgetError):
        spending.reserve(1, 0)
    spending.settle("judging", first, Usage(tokens_in=90, tokens_out=20))  # which releases 40
    spending.reserve(30, 10)
    with pytest.raises(BudgetError):
        spending.reserve(1, 0)


def test_a_failed_call_costs_a_call_and_no_tokens() -> None:
    spending = Spending(Budget(max_calls=1, max_tokens=100))
    spending.settle("judging", spending.reserve(60, 40), Usage(failed=1))
    assert spending.by_stage["judging"] == Usage(calls=1, failed=1)
    with pytest.raises(BudgetError, match="stopped after 1 call to the language model, all that --max-calls allows"):
        spending.reserve(1, 1)


@pytest.mark.parametrize(
    ("budget", "message"),
    [
        (Budget(max_calls=2), "stopped after 2 calls to the language model, all that --max-calls allows"),
        (
            Budget(max_tokens=2_300),
            "stopped after 2,200 tokens; the next call could exceed --max-tokens 2,300",
        ),
        (
            Budget(max_cost=0.0065, **PRICES),
            "stopped after a cost of 0.0060; the next call could exceed --max-cost 0.0065",
        ),
    ],
)
def test_the_message_names_what_was_spent_and_the_cap(budget: Budget, message: str) -> None:
    spending = Spending(budget)
    for _ in range(2):  # 1,100 tokens each, at 0.003
        spending.settle("judging", spending.reserve(1_000, 100), Usage(tokens_in=1_000, tokens_out=100))
    with pytest.raises(BudgetError) as error:
        spending.reserve(1_000, 100)
    assert str(error.value) == message
    assert error.value.exit_code == 130


def test_the_cost_is_that_of_prompts_and_replies_of_all_stages() -> None:
    spending = Spending(Budget(**PRICES))
    for stage, tokens in (("writing", (300, 40)), ("verifying", (500, 60)), ("writing", (200, 0))):
        spending.settle(stage, spending.reserve(*tokens), Usage(tokens_in=tokens[0], tokens_out=tokens[1]))
    spending.count_cached("writing")
    assert spending.by_stage["writing"] == Usage(calls=2, cached=1, tokens_in=500, tokens_out=40)
    assert spending.total == Usage(calls=3, cached=1, tokens_in=1_000, tokens_out=100)
    assert spending.cost == pytest.approx(0.003)  # 1,000 * 2 and 100 * 10, for a million
    assert list(spending.to_json()) == ["verifying", "writing", "cost"]
    assert spending.to_json()["cost"] == 0.003


def test_without_caps_there_is_no_error() -> None:
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


def test_all_problems_are_reported_together(tmp_path: Path) -> None:
    path = written(tmp_path, "retry = 3\ntimeout = 0\nat_once = 0\nretries = -1\nmax_calls = true\nprice_in = 'much'\n")
    with pytest.raises(ConfigError) as error:
        read_llm_settings(path)
    message = str(error.value)
    assert message.startswith(f"6 settings are wrong:\n  - unknown setting retry in {path}; did you mean retries?\n")
    for value in ("timeout is 0", "at_once is 0", "retries is -1", "max_calls is True", "price_in is a string"):
        assert f"\n  - {value} in {path}; it must be " in message


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("timeout =", "is not valid TOML"),
        ("max_cost = inf\nprice_in = 1", "llm.toml; it must be a finite number"),
        ("price_out = nan", "llm.toml; it must be a finite number"),
        ("at_once = 2.5", "llm.toml; it must be an integer"),
        (
            "max_cost = 2.0",
            "max_cost needs prices; set price_in and price_out, per million tokens, with --llm-config",
        ),
        ("api_key = 'sk-1'", "unknown setting api_key"),
    ],
)
def test_the_error_of_a_wrong_file_says_why(tmp_path: Path, text: str, problem: str) -> None:
    with pytest.raises(ConfigError) as error:
        read_llm_settings(written(tmp_path, text))
    assert problem in str(error.value) and error.value.exit_code == 2


def test_a_cap_on_cost_needs_a_price(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="max_cost needs prices"):
        read_llm_settings(max_cost=1.0)
    assert read_llm_settings(written(tmp_path, "price_out = 0.6"), max_cost=1.0).max_cost == 1.0


def test_the_error_of_a_missing_or_binary_file_names_it(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"llm\.toml cannot be read \(No such file or directory\); check the path"):
        read_llm_settings(tmp_path / "llm.toml")
    (tmp_path / "llm.toml").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(ConfigError, match="is not valid TOML"):
        read_llm_settings(tmp_path / "llm.toml")
