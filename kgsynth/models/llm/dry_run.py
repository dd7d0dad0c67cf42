"""A model that is never asked: every prompt gets the reply it hopes for, and what that would cost is counted."""

from __future__ import annotations

from collections.abc import Generator, Sequence
from typing import TypeVar

from kgsynth.models.llm import Failure, Prompt, Settings, Usage
from kgsynth.models.llm.budget import Spending
from kgsynth.models.llm.client import estimated_tokens
from kgsynth.models.llm.reply_shapes import outlined, read

T = TypeVar("T")

_OVERHEAD = 8  # tokens of a message that are none of its words


class DryModel:
    """Stands in for the model ``name``; ``spending`` tells what it would have cost, without any cap."""

    def __init__(self, name: str, settings: Settings) -> None:
        self.name, self.signature, self.at_once = name, f"llm|{name}", settings.at_once
        self.spending = Spending(settings.budget.without_caps())

    def ask_all(self, prompts: Sequence[Prompt], shape: type[T]) -> Generator[tuple[int, T | Failure], None, None]:
        """Yield the place of each prompt and the reply it hopes for."""
        for place, prompt in enumerate(prompts):
            sent = sum(estimated_tokens(text) + _OVERHEAD for text in (prompt.system, outlined(prompt.user, shape)))
            got = estimated_tokens(prompt.likely)
            self.spending.settle(prompt.stage, self.spending.take(sent, got), Usage(tokens_in=sent, tokens_out=got))
            yield place, read(prompt.likely, shape)

    def close(self) -> None:
        """Do nothing: there is no connection."""
