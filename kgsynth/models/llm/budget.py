"""What a language model may cost and has cost, and how it is reached: the TOML file and its options."""

from __future__ import annotations

import threading
from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields, replace
from pathlib import Path

from pydantic import NonNegativeFloat, NonNegativeInt, PositiveFloat, PositiveInt

from kgsynth.base.errors import BudgetError
from kgsynth.base.settings import problems_of, raise_problems, read_toml, table_of, unknown_settings

# What a language model may cost and has cost: calls, tokens and money by stage, with caps that are never exceeded.
#
# Before a call is sent, the most it can cost is reserved; when its reply arrives, the real cost replaces that. Prices
# are per million tokens, in any currency.


@dataclass(frozen=True, slots=True)
class Budget:
    """Caps and prices; None means no cap. A failed request counts as a call.

    Example:
        >>> Budget(price_in=0.15, price_out=0.60).cost(1_000_000, 500_000)
        0.45
    """

    max_calls: int | None = None
    max_tokens: int | None = None
    max_cost: float | None = None
    price_in: float = 0.0
    price_out: float = 0.0

    def cost(self, tokens_in: int, tokens_out: int) -> float:
        """Return the price of the tokens."""
        return (tokens_in * self.price_in + tokens_out * self.price_out) / 1e6

    def without_caps(self) -> Budget:
        """Return a budget with the same prices and no caps."""
        return Budget(price_in=self.price_in, price_out=self.price_out)


@dataclass(frozen=True, slots=True)
class Usage:
    """Requests sent, those that failed, replies from the cache, and the tokens of prompts and of replies."""

    calls: int = 0
    failed: int = 0
    cached: int = 0
    tokens_in: int = 0
    tokens_out: int = 0

    def __add__(self, other: Usage) -> Usage:
        mine, theirs = asdict(self), asdict(other)
        return Usage(**{key: mine[key] + theirs[key] for key in mine})

    @property
    def tokens(self) -> int:
        """All tokens, of prompts and of replies."""
        return self.tokens_in + self.tokens_out


class Spending:
    """Counts what is spent and enforces the budget; can be used from several threads.

    Example:
        >>> spending = Spending(Budget(max_calls=1))
        >>> spending.settle("judge", spending.reserve(100, 50), Usage(tokens_in=90, tokens_out=20))
        >>> spending.by_stage["judge"].tokens
        110
        >>> spending.reserve(100, 50)
        Traceback (most recent call last):
        kgsynth.base.errors.BudgetError: stopped after 1 call to the language model, all that --max-calls allows
    """

    def __init__(self, budget: Budget) -> None:
        self.budget = budget
        self.by_stage: dict[str, Usage] = {}
        self._lock = threading.Lock()
        self._calls, self._tokens, self._cost = 0, 0, 0.0  # including what is reserved

    def reserve(self, tokens_in: int, tokens_out: int) -> tuple[int, float]:
        """Reserve a call of at most this many tokens; return the reserved tokens and cost, for ``settle``.

        Raises:
            BudgetError: the budget does not allow it.
        """
        tokens, cost = tokens_in + tokens_out, self.budget.cost(tokens_in, tokens_out)
        with self._lock:
            self._check_caps(tokens, cost)
            self._calls, self._tokens, self._cost = self._calls + 1, self._tokens + tokens, self._cost + cost
        return tokens, cost

    def settle(self, stage: str, reserved: tuple[int, float], used: Usage) -> None:
        """Replace what was reserved for a call by what it used."""
        with self._lock:
            self._tokens += used.tokens - reserved[0]
            self._cost += self.budget.cost(used.tokens_in, used.tokens_out) - reserved[1]
            self._count(stage, replace(used, calls=1))

    def count_cached(self, stage: str) -> None:
        """Count a reply from the cache, which costs nothing."""
        with self._lock:
            self._count(stage, Usage(cached=1))

    @property
    def total(self) -> Usage:
        """The usage of all stages."""
        with self._lock:
            return sum(self.by_stage.values(), Usage())

    @property
    def cost(self) -> float:
        """The cost of all stages."""
        total = self.total
        return self.budget.cost(total.tokens_in, total.tokens_out)

    def to_json(self) -> Mapping[str, object]:
        """Return the usage of every stage and the total cost, for a manifest."""
        stages: dict[str, object] = {stage: asdict(usage) for stage, usage in sorted(self.by_stage.items())}
        return stages | {"cost": round(self.cost, 6)}

    def _count(self, stage: str, used: Usage) -> None:
        self.by_stage[stage] = self.by_stage.get(stage, Usage()) + used

    def _check_caps(self, tokens: int, cost: float) -> None:
        caps = self.budget
        if caps.max_calls is not None and self._calls >= caps.max_calls:
            calls = "1 call" if self._calls == 1 else f"{self._calls:,} calls"
            raise BudgetError(f"stopped after {calls} to the language model, all that --max-calls allows")
        if caps.max_tokens is not None and self._tokens + tokens > caps.max_tokens:
            next_call = f"the next call could exceed --max-tokens {caps.max_tokens:,}"
            raise BudgetError(f"stopped after {self._tokens:,} tokens; {next_call}")
        if caps.max_cost is not None and self._cost + cost > caps.max_cost:
            next_call = f"the next call could exceed --max-cost {caps.max_cost:g}"
            raise BudgetError(f"stopped after a cost of {self._cost:.4f}; {next_call}")


# How a language model is reached and what it may cost: a TOML file, overridden by options of the command line.
#
# The key is never read from a file, only from the environment.


@dataclass(frozen=True, slots=True, kw_only=True)
class LLMSettings:
    """How a language model is reached and what it may cost; times in seconds, prices per million tokens.

    With an empty ``base_url``, OPENAI_BASE_URL of the environment is used, or OpenAI's own server. None means
    no cap. ``reasoning_effort`` is sent to models that think, such as "low"; "" sends nothing. ``thinking_tokens`` are
    allowed for thoughts, besides those of a reply.
    """

    base_url: str = ""
    timeout: PositiveFloat = 120.0
    retries: NonNegativeInt = 5
    backoff: NonNegativeFloat = 0.5
    longest_wait: NonNegativeFloat = 60.0
    at_once: PositiveInt = 4
    reasoning_effort: str = ""
    thinking_tokens: NonNegativeInt = 0
    max_calls: PositiveInt | None = None
    max_tokens: PositiveInt | None = None
    max_cost: PositiveFloat | None = None
    price_in: NonNegativeFloat = 0.0
    price_out: NonNegativeFloat = 0.0

    @property
    def budget(self) -> Budget:
        """The caps and the prices."""
        return Budget(self.max_calls, self.max_tokens, self.max_cost, self.price_in, self.price_out)


LLM_SETTINGS = tuple(entry.name for entry in fields(LLMSettings))
"""The names of the settings."""


def read_llm_settings(path: Path | None = None, **overrides: object) -> LLMSettings:
    """Read the settings in ``path``, overridden by ``overrides``; an override of None is ignored.

    The file contains only these settings, or is a kgsynth.toml with a table ``[llm]``.

    Raises:
        ConfigError: the file cannot be read, a setting is wrong, or there is a cap on cost without a price.

    Example:
        >>> read_llm_settings(max_calls=50).max_calls
        50
    """
    values, table = table_of(read_toml(path, "--llm-config"), "llm")
    given = {key: value for key, value in overrides.items() if value is not None}

    def place(key: str) -> str:
        return "" if key in given else f" in {table}{path}"

    problems = unknown_settings(values, LLM_SETTINGS, place)
    values = {key: value for key, value in {**values, **given}.items() if key in LLM_SETTINGS}
    problems += problems_of(LLMSettings, values, place, secret=True)
    if values.get("max_cost") and not (values.get("price_in") or values.get("price_out")):
        problems.append(
            "max_cost needs prices; set price_in and price_out, per million tokens, with --llm-config or in "
            "[llm] of kgsynth.toml"
        )
    raise_problems(problems)
    return LLMSettings(**values)
