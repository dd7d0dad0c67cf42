"""Runs of ``generate`` with a scripted language model over the real stages, which share what needs no model.

A prepared folder contains a run up to the first call of the model; a copy of it resumes from there in a second.
"""

from __future__ import annotations

import itertools
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from faq_pages import PAGES
from model_server import KINDS, Faults, ModelServer, Request
from scripted_model import Says

from kgsynth import generate
from kgsynth.base.config import Config
from kgsynth.base.progress import Stage, silent
from kgsynth.generation.estimate import Estimate, estimate
from kgsynth.generation.result import Generated
from kgsynth.models.llm import LLMSettings

HANDBOOK = Path(__file__).parent.parent / "corpora" / "handbook"
SOME = ("people/travel.md", "people/travel-2022.md", "products/skua-2.md", "products/skua-3.md")
"""Pages of the handbook about the same things, used together with ten FAQ pages."""

KEY = "sk-71c0-very-secret"
N = 30
MIX = {"simple": 0.4, "reasoning": 0.1, "multi_context": 0.2, "conditional": 0.2, "unanswerable": 0.1}
CONFIG = Config(n=N, llm="scripted", mix=MIX, kinds=("all",), fill=True, processes=1)
PRICES = {"price_in": 0.15, "price_out": 0.6}

HANGS, PATIENCE = 0.8, 0.6
"""The seconds that a late reply takes, and the timeout."""


@dataclass(frozen=True)
class Prepared:
    """The documents, the folder of a run up to the first call, and the estimated cost of the rest."""

    docs: Path
    folder: Path
    estimate: Estimate

    def copy(self, out: Path) -> Path:
        shutil.copytree(self.folder, out)
        return out


def prepare(folder: Path, config: Config = CONFIG) -> Prepared:
    docs, out = folder / "docs", folder / "run"
    docs.mkdir()
    for name in SOME:
        shutil.copy(HANDBOOK / name, docs)
    for name, text in PAGES.items():
        (docs / name).write_text(text, encoding="utf-8")
    return Prepared(docs, out, estimate(docs, config=config, llm_settings=LLMSettings(**PRICES), out=out))


class EveryKind(Faults):
    """Faults of all kinds in turn, so that each occurs."""

    turn = itertools.cycle(KINDS)

    def at(self, message: str, time: int) -> str | None:
        return next(self.turn) if super().at(message, time) else None


@dataclass
class Ran:
    """A run: its folder, what it made, the requests the server saw, and how many it had seen when each stage ended."""

    folder: Path
    made: Generated
    requests: list[Request]
    server: ModelServer
    after: dict[str, int] = field(default_factory=dict)

    @property
    def golden(self) -> bytes:
        return (self.folder / "golden.jsonl").read_bytes()


def run(prepared: Prepared, out: Path, says: Says, faults: Faults | None = None, **settings: Any) -> Ran:
    """Resume a copy of the prepared run to its end."""
    after: dict[str, int] = {}
    with ModelServer(says, faults=faults) as server:

        @contextmanager
        def progress(name: str, total: int | None) -> Iterator[Stage]:
            with silent(name, total) as stage:
                yield stage
            after[name] = len(server.requests)

        reached = LLMSettings(base_url=server.url, backoff=0.01, **PRICES, **settings)
        made = generate(prepared.docs, prepared.copy(out), config=CONFIG, llm_settings=reached, progress=progress)
    return Ran(out, made, list(server.requests), server, after)
