"""What a model may cost and has cost: calls, tokens and money, by stage, with caps that are never passed.

A call is taken from the budget before it is sent, with the most it can cost, and settled when its reply is there.
Prices are in the currency of whoever sets them, for a million tokens.
"""

from __future__ import annotations

import threading
from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace

from kgsynth.base.errors import BudgetError


@dataclass(frozen=True, slots=True)
class Budget:
    """The most that may be spent; None is no limit. A request that failed counts as a call.

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
        """Return what so many tokens cost."""
        return (tokens_in * self.price_in + tokens_out * self.price_out) / 1e6

    def without_caps(self) -> Budget:
        """Return a budget of the same prices and no limit."""
        return Budget(price_in=self.price_in, price_out=self.price_out)


@dataclass(frozen=True, slots=True)
class Usage:
    """What was spent: requests sent, those of them that failed, replies from the cache, and tokens both ways."""

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
        """The tokens of prompts and replies together."""
        return self.tokens_in + self.tokens_out


class Spending:
    """Counts what is spent, from any thread.

    Example:
        >>> spending = Spending(Budget(max_calls=1))
        >>> spending.settle("judge", spending.take(100, 50), Usage(tokens_in=90, tokens_out=20))
        >>> spending.by_stage["judge"].tokens
        110
        >>> spending.take(100, 50)
        Traceback (most recent call last):
        kgsynth.base.errors.BudgetError: stopped at 1 call to the model, which is all --max-calls allows
    """

    def __init__(self, budget: Budget) -> None:
        self.budget = budget
        self.by_stage: dict[str, Usage] = {}
        self._lock = threading.Lock()
        self._calls, self._tokens, self._cost = 0, 0, 0.0  # those still to be settled at the most they can be

    def take(self, tokens_in: int, tokens_out: int) -> tuple[int, float]:
        """Take a call of at most so many tokens from the budget; return what ``settle`` wants to know of it.

        Raises:
            BudgetError: it does not fit.
        """
        tokens, cost = tokens_in + tokens_out, self.budget.cost(tokens_in, tokens_out)
        with self._lock:
            self._check("--max-calls", self.budget.max_calls, self._calls, 1, "call to the model")
            self._check("--max-tokens", self.budget.max_tokens, self._tokens, tokens, "token")
            self._check("--max-cost", self.budget.max_cost, self._cost, cost, "spent")
            self._calls, self._tokens, self._cost = self._calls + 1, self._tokens + tokens, self._cost + cost
        return tokens, cost

    def settle(self, stage: str, taken: tuple[int, float], used: Usage) -> None:
        """Put what a call has used in the place of what it was taken for."""
        with self._lock:
            self._tokens += used.tokens - taken[0]
            self._cost += self.budget.cost(used.tokens_in, used.tokens_out) - taken[1]
            self._count(stage, replace(used, calls=1))

    def from_cache(self, stage: str) -> None:
        """Count a reply that cost nothing."""
        with self._lock:
            self._count(stage, Usage(cached=1))

    @property
    def total(self) -> Usage:
        """What all stages have used."""
        with self._lock:
            return sum(self.by_stage.values(), Usage())

    @property
    def cost(self) -> float:
        """What all stages have cost."""
        total = self.total
        return self.budget.cost(total.tokens_in, total.tokens_out)

    def told(self) -> Mapping[str, object]:
        """Return the usage of every stage and the cost of all, for a manifest."""
        told: dict[str, object] = {stage: asdict(usage) for stage, usage in sorted(self.by_stage.items())}
        return told | {"cost": round(self.cost, 6)}

    def _count(self, stage: str, used: Usage) -> None:
        self.by_stage[stage] = self.by_stage.get(stage, Usage()) + used

    @staticmethod
    def _check(option: str, limit: float | None, spent: float, more: float, noun: str) -> None:
        if limit is None or spent + more <= limit:
            return
        if noun == "spent":
            told = f"{spent:.4f} spent, and the next call could pass the {limit:g}"
        elif more == 1:
            told = f"{spent:,.0f} {noun if spent == 1 else noun.replace('call', 'calls')}, which is all"
        else:
            told = f"{spent:,.0f} tokens, and the next call could pass the {limit:,.0f}"
        raise BudgetError(f"stopped at {told} {option} allows")
