"""What a language model would cost, before it is asked: the same flow as ``generate``, with a model that is not there.

Everything that needs no model is done as it would be, to the last prompt; each prompt is counted with the reply it
hopes for. Replies that have to be mended or asked again come on top. Left out: prices, which the user gives.
"""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import nullcontext
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from kgsynth.base.config import Config
from kgsynth.base.errors import ConfigError
from kgsynth.base.progress import Progress, silent
from kgsynth.generation.corpus import open_run
from kgsynth.generation.flow import make
from kgsynth.models.llm import LLMSettings
from kgsynth.models.llm.dry_run import DryRunLLM


@dataclass(frozen=True, slots=True)
class Estimate:
    """What a set of ``questions`` would cost: by stage as a manifest tells it, and whether the caps allow it."""

    questions: int
    usage: Mapping[str, object]
    calls: int
    tokens: int
    cost: float
    over: tuple[str, ...]


def estimate(
    docs: Path | str,
    *,
    config: Config,
    reaching: LLMSettings | None = None,
    out: Path | str | None = None,
    progress: Progress = silent,
) -> Estimate:
    """Say what ``generate`` with these settings would ask of the language model, without asking it.

    With the run folder ``out`` the work done is kept there, and ``generate`` with the same settings goes on from it.

    Raises:
        ConfigError: the settings name no language model.
        InputError: the folder holds no usable document, or ``out`` is another run's.
    """
    if config.llm is None:
        raise ConfigError("there is nothing to estimate without a language model: name one with --llm")
    reaching = reaching or LLMSettings()
    model = DryRunLLM(config.llm, reaching)
    with (
        TemporaryDirectory() if out is None else nullcontext(str(out)) as folder,
        open_run(Path(docs), Path(folder), config, False, progress) as (run, documents),
    ):
        made = make(documents, run, model)
        if config.llm_graph:
            run.workspace.forget(["graph.json"])  # what a model would say of the documents is made up in it
    total, cost = model.spending.total, model.spending.cost
    spent = {"max_calls": total.calls, "max_tokens": total.tokens, "max_cost": cost}
    caps = {name: getattr(reaching, name) for name in spent}
    over = tuple(name for name, cap in caps.items() if cap is not None and spent[name] > cap)
    return Estimate(len(made.golden), model.spending.to_json(), total.calls, total.tokens, cost, over)
