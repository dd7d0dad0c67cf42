"""A dry run of a language model: every prompt gets its example reply, and the cost of that is counted."""

from __future__ import annotations

from collections.abc import Generator, Sequence
from typing import TypeVar

from kgsynth.models.llm import Failure, LLMSettings, Prompt, Usage
from kgsynth.models.llm.budget import Spending
from kgsynth.models.llm.client import estimate_tokens, prompt_tokens
from kgsynth.models.llm.reply_shapes import read, with_outline

T = TypeVar("T")


class DryRunLLM:
    """A stand-in for the language model ``name``; ``spending`` counts what it would cost, without caps."""

    def __init__(self, name: str, settings: LLMSettings) -> None:
        self.name, self.signature, self.at_once = name, f"llm|{name}", settings.at_once
        self.spending = Spending(settings.budget.without_caps())

    def ask_all(self, prompts: Sequence[Prompt], shape: type[T]) -> Generator[tuple[int, T | Failure], None, None]:
        """Yield the index of each prompt with its example reply."""
        for place, prompt in enumerate(prompts):
            sent = prompt_tokens((prompt.system, with_outline(prompt.user, shape)))
            got = estimate_tokens(prompt.example_reply)
            reserved = self.spending.reserve(sent, got)
            self.spending.settle(prompt.stage, reserved, Usage(tokens_in=sent, tokens_out=got))
            yield place, read(prompt.example_reply, shape)

    def close(self) -> None:
        """Do nothing: there is no connection."""
