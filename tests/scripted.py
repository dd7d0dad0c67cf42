"""A scripted language model in the same process."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence

from kgsynth.base.errors import BudgetError
from kgsynth.models.llm import Budget, Failure, Prompt, Usage
from kgsynth.models.llm.budget import Spending


class ScriptedModel:
    """An ``LLM`` for tests: ``says`` gives the reply to each prompt.

    Replies come in random order; after ``calls`` of them the budget is spent.
    """

    def __init__(self, says: Callable[[Prompt], object], calls: int | None = None, name: str = "scripted") -> None:
        self.name, self.says = name, says
        self.spending = Spending(Budget(max_calls=calls, price_in=1.0))
        self.prompts: list[Prompt] = []

    def ask_all(self, prompts: Sequence[Prompt], shape: type[object]) -> Iterator[tuple[int, object]]:
        spent = None
        for place in random.Random(len(self.prompts)).sample(range(len(prompts)), len(prompts)):
            prompt = prompts[place]
            try:
                taken = self.spending.reserve(10, prompt.max_tokens)
            except BudgetError as error:
                spent = error
                continue
            self.spending.settle(prompt.stage, taken, Usage(tokens_in=10, tokens_out=5))
            self.prompts.append(prompt)
            reply = self.says(prompt)
            assert isinstance(reply, shape | Failure), f"{prompt.stage} wants {shape.__name__}"
            yield place, reply
        if spent:
            raise spent
