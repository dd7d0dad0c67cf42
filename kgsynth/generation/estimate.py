"""Estimate the LLM usage of ``generate`` by running it with an LLM that is never called.

Every prompt is built, and counted with an example of a good reply. Repeated requests would cost more. The prices are
those the user gives.
"""

from __future__ import annotations

from collections.abc import Generator, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TypeVar

from kgsynth.base.config import Config
from kgsynth.base.errors import ConfigError
from kgsynth.base.progress import Progress, Stage, silent
from kgsynth.generation.asking import ways
from kgsynth.generation.asking.flow import ASKING
from kgsynth.generation.corpus import open_run
from kgsynth.generation.flow import make
from kgsynth.models.llm import Failure, LLMSettings, Prompt, Usage
from kgsynth.models.llm.budget import Spending
from kgsynth.models.llm.client import estimate_tokens, prompt_tokens
from kgsynth.models.llm.prompts import read, with_outline

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


@dataclass(frozen=True, slots=True)
class Estimate:
    """The estimated usage for a set of ``questions``, by stage and in total; ``over`` are the caps it would exceed.

    ``ways`` are the ways in which a weaker LLM would be used, each with its calls and tokens.
    """

    questions: int
    usage: Mapping[str, object]
    calls: int
    tokens: int
    cost: float
    over: tuple[str, ...]
    ways: Mapping[str, Usage]


def estimate(
    docs: Path | str,
    *,
    config: Config,
    llm_settings: LLMSettings | None = None,
    out: Path | str | None = None,
    progress: Progress = silent,
) -> Estimate:
    """Estimate how ``generate`` with these settings would use the LLM, without calling it.

    With a run folder ``out``, ``generate`` with the same settings resumes from there.

    Raises:
        ConfigError: the settings name no LLM.
        InputError: the folder contains no usable document, or ``out`` belongs to another run.
    """
    if config.llm is None:
        raise ConfigError("there is nothing to estimate without a language model: name one with --llm")
    llm_settings = llm_settings or LLMSettings()
    model = DryRunLLM(config.writers[0], llm_settings)

    def shown(name: str, total: int | None) -> AbstractContextManager[Stage]:
        return progress("counting requests" if name == ASKING else name, total)

    with (
        TemporaryDirectory() if out is None else nullcontext(str(out)) as folder,
        open_run(Path(docs), Path(folder), config, False, shown) as (run, documents),
    ):
        made = make(documents, run, model)
    total, cost = model.spending.total, model.spending.cost
    spent = {"max_calls": total.calls, "max_tokens": total.tokens, "max_cost": cost}
    caps = {name: getattr(llm_settings, name) for name in spent}
    over = tuple(name for name, cap in caps.items() if cap is not None and spent[name] > cap)
    usage, weaker = model.spending.to_json(), _weaker(model.spending)
    return Estimate(len(made.golden), usage, total.calls, total.tokens, cost, over, weaker)


def _weaker(spending: Spending) -> dict[str, Usage]:
    """Return the usage in the middle way, which has no verdicts, and at most in the light way, without rejections."""
    stages = spending.by_stage
    written = sum((used for name, used in stages.items() if name not in ways.JUDGING), Usage())
    calls = ways.LIGHT_CALLS * stages["writing"].calls if "writing" in stages else 0
    light = Usage(calls, tokens_in=calls * ways.PROMPT_TOKENS, tokens_out=calls * ways.REPLY_TOKENS)
    return {ways.MIDDLE: written, ways.LIGHT: light}
