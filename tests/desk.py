"""A small corpus read by the real parser, and its valid candidates, with which rewording by an LLM starts.

Ten FAQ pages, two pages for a bridge, one with a name in a heading and things to compare, and one with a condition.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, partial
from typing import Any

from doubles import HashingEncoder, context_of
from faq_pages import PAGES
from planted import knowledge_of
from scripted_model import Asked, Direct

from kgsynth.base.config import Config
from kgsynth.base.progress import silent
from kgsynth.base.records import Item, Rejection
from kgsynth.evidence.knowledge import Knowledge
from kgsynth.generation.evolutions import evolve
from kgsynth.generation.filters import screen
from kgsynth.generation.filters.context import FilterContext
from kgsynth.generation.llm_wording import Editor
from kgsynth.generation.selection import Shortage, choose
from kgsynth.generation.writing import Candidate, compose, written_id
from kgsynth.models.llm import Failure

MORE = {
    "guild.md": "# Guilds\n\nJonas Rekdal convenes the Release Guild, which has no fixed membership.\n",
    "slipway.md": "# Slipway\n\nSlipway was built by the Release Guild, and the guild decides what it may do.\n",
    "kilns.md": "# Kilns\n\n## In the Marlstrand works\n\nThe Linnet kiln holds ninety plates. The Osprey kiln holds "
    "forty plates. The Osprey kiln burns beech wood.\n",
    "cracks.md": "# Cracks\n\nIf a kiln cracks, the Release Guild must stop the works in Marlstrand.\n",
}
MIX = {"simple": 0.4, "reasoning": 0.3, "multi_context": 0.1, "conditional": 0.2}


@dataclass(frozen=True)
class Edited:
    """The result of an edit: the set, the items before, the shortage and the rejections."""

    items: list[Item]
    before: list[Item]
    shortage: Shortage
    rejected: list[tuple[Item, Rejection]]
    model: Direct

    @property
    def reasons(self) -> list[tuple[str, str]]:
        return [(rejection.rule, rejection.detail) for _, rejection in self.rejected]


@dataclass(frozen=True)
class Desk:
    knowledge: Knowledge
    pool: Mapping[str, Candidate]

    def of(self, question: str) -> Candidate:
        """The valid candidate that asks so."""
        return next(candidate for candidate in self.pool.values() if candidate.item.question == question)

    def context(self, avoid: Sequence[str] = ()) -> FilterContext:
        return context_of(self.knowledge, HashingEncoder().encode, avoid=avoid)

    def pick(self, n: int) -> Callable[[Sequence[Item]], tuple[list[Item], Shortage]]:
        return partial(choose, context=self.context(), config=Config(n=n, mix=MIX, fill=True))

    def editor(self, model: Direct, avoid: Sequence[str] = (), **settings: Any) -> Editor:
        """An editor, made-up cases left out unless ``evolved`` wants them."""
        return Editor(
            model,
            self.context(avoid),
            Config(**{"llm": "scripted", "mix": MIX, "fill": True, "evolved": 0.0, **settings}),
        )

    def edit(self, says: Callable[[Asked], str | Failure], n: int = 12, **settings: Any) -> Edited:
        """Have a model that says so word a set of ``n``."""
        rng = settings.pop("rng", None)
        model = Direct(says, rng=rng)
        editor = self.editor(model, n=n, **settings)
        with silent("asking", n) as stage:
            items, shortage = editor.edit(self.pool, stage)
        was = {item.id: self.pool[ident].item for ident, item in editor.finished.items()}
        return Edited(items, [was[item.id] for item in items], shortage, editor.rejected, model)


@cache
def desk() -> Desk:
    known = knowledge_of({**PAGES, **MORE})
    scenarios = evolve(known, types=MIX, limit=5000, rng=random.Random(0))
    candidates = list(compose(scenarios, known, every_form=True))
    made = {written_id(candidate.item): candidate.scenario for candidate in candidates}
    screened = screen(candidates, context_of(known, HashingEncoder().encode))
    valid = sorted((item for item, rejection in screened if rejection is None), key=lambda item: item.id)
    return Desk(known, {item.id: Candidate(item, made[written_id(item)]) for item in valid})
