"""The chosen questions in a language model's words: worded, screened again, verified, and replaced where that fails.

Only what is chosen is worded, so the cost goes with the size of the set and not of the corpus. A question whose new
words fail a check keeps those of the rules; one the model does not find answered goes, and the next best takes its
place. Left out: prompts and what is made of replies (``writing.llm``, ``filters.verified``), and the model itself.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeVar

from kgsynth.base.config import Config
from kgsynth.base.errors import BudgetError
from kgsynth.base.progress import Stage
from kgsynth.base.records import Item, Rejection
from kgsynth.evidence import closed_book
from kgsynth.generation.filters import duplicate, rescreen, verified
from kgsynth.generation.filters.context import FilterContext
from kgsynth.generation.run import Run
from kgsynth.generation.selection import Shortage, choose
from kgsynth.generation.writing import Candidate, written_id
from kgsynth.generation.writing.llm_prompts import STYLES, Voices, Written, prompt, reworded
from kgsynth.golden.dataset import Dataset
from kgsynth.models.llm import LLM, Failure

T = TypeVar("T")

_WAVE = 20  # questions settled before the next are begun, so that what a budget buys is whole
_TRIES = 5  # questions tried for each that is wanted, so that a poor model does not ask its way through the corpus


@dataclass
class _Trial:
    """One question on its way: as the rules wrote it, as it stands now, and why it cannot stay."""

    plain: Candidate
    item: Item = field(init=False)
    fault: Rejection | None = None

    def __post_init__(self) -> None:
        self.item = self.plain.item


def reword(
    valid: Sequence[Item], candidates: Sequence[Candidate], context: FilterContext, model: LLM, run: Run
) -> tuple[list[Item], Shortage, list[tuple[Item, Rejection]]]:
    """Choose the set, have an LLM reword it, and replace what fails; return it with the items rejected on the way.

    Raises:
        BudgetError: the budget was spent first; the questions that are done are in partial.jsonl.
        SystemUnreachableError: the LLM cannot be reached.
    """
    scenarios = {candidate.item.id: candidate.scenario for candidate in candidates}
    pool = {item.id: Candidate(item, scenarios[written_id(item)]) for item in valid}
    editor = Editor(model, context, run.config)
    with run.stage("asking the model", run.config.n) as stage:
        try:
            golden, shortage = editor.edit(pool, stage)
        except BudgetError as error:
            with run.workspace.replacing("partial.jsonl") as path:
                Dataset(editor.settled.values()).save(path)
            raise BudgetError(
                f"{error}; {len(editor.settled)} of {run.config.n} questions are done and stand in "
                f"{run.workspace.folder / 'partial.jsonl'}: allow more and run the same command again to go on"
            ) from None
    return golden, shortage, editor.rejected


class Editor:
    """Has questions worded by an LLM; ``settled`` and ``rejected`` are complete after every wave.

    ``settled`` holds the final items by the id they had before, ``rejected`` what was rejected on the way.
    """

    def __init__(self, model: LLM, context: FilterContext, config: Config) -> None:
        self.settled: dict[str, Item] = {}
        self.rejected: list[tuple[Item, Rejection]] = []
        self.context = context
        self._model, self._config = model, config
        self._voices = Voices(config, context.knowledge)

    def edit(self, pool: Mapping[str, Candidate], stage: Stage) -> tuple[list[Item], Shortage]:
        """Choose a set from the ``pool``, candidates by the id of their item, word it, and replace what fails.

        At most several times as many questions are tried as are wanted.
        """
        left, tried = dict(pool), 0
        while True:
            if tried >= _TRIES * self._config.n:
                left = {ident: candidate for ident, candidate in left.items() if ident in self.settled}
            chosen, shortage = choose([candidate.item for candidate in left.values()], self.context, self._config)
            new = [left[item.id] for item in chosen if item.id not in self.settled]
            tried += len(new)
            if not new:
                return [self.settled[item.id] for item in chosen], shortage
            for start in range(0, len(new), _WAVE):
                wave = new[start : start + _WAVE]
                self._settle(wave)
                stage.update(len(wave))
            for candidate in new:
                if candidate.item.id not in self.settled:
                    del left[candidate.item.id]

    def _settle(self, wave: Sequence[Candidate]) -> None:
        trials = [_Trial(candidate) for candidate in wave]
        rejected = self._word(trials)
        rejected += self._verify(trials)
        again = [trial for trial in trials if trial.fault and trial.item.id != trial.plain.item.id]
        for trial in again:  # the model doubts its own words, and those of the rules may do
            trial.item, trial.fault = trial.plain.item, None
        rejected += self._verify(again)
        rejected += self._recall([trial for trial in trials if not trial.fault])
        for trial in trials:
            if not trial.fault:
                verdict = duplicate.judge(Candidate(trial.item, trial.plain.scenario), self.context)
                trial.fault = verdict if isinstance(verdict, Rejection) else None
                rejected += [(trial.item, trial.fault)] if trial.fault else []
        self.rejected += rejected
        self.settled.update((trial.plain.item.id, trial.item) for trial in trials if not trial.fault)

    def _word(self, trials: Sequence[_Trial]) -> list[tuple[Item, Rejection]]:
        """Give each question the model's words where they hold, and return those that do not."""
        limit = self.context.thresholds["verified"]
        prompts = [prompt(trial.plain, self._voices, self.context.knowledge) for trial in trials]
        replies = _in_order(self._model.ask_all(prompts, Written))
        rejected = []
        for trial, reply in zip(trials, replies, strict=True):
            wording, _ = self._voices.of(trial.item)
            if isinstance(reply, Failure):
                rejected.append((trial.item, Rejection("wording", f"the model's reply is missing: {reply.why}")))
                continue
            new, fault = reworded(trial.plain, reply, wording, self._model.name, limit)
            if not fault:
                candidate = Candidate(new, trial.plain.scenario)
                new, fault = rescreen(candidate, self.context, sentence=STYLES[wording.style].sentence)
            if fault:
                rejected.append((new, fault))
            elif new.question != trial.item.question:  # what the model leaves as it was stays the rules'
                trial.item = new
        return rejected

    def _verify(self, trials: Sequence[_Trial]) -> list[tuple[Item, Rejection]]:
        """Have the model answer each question from its evidence, and return those it does not bear out."""
        prompts = [verified.prompt(trial.item, self.context.knowledge) for trial in trials]
        limit = self.context.thresholds["verified"]
        for trial, reply in zip(trials, _in_order(self._model.ask_all(prompts, verified.Verdict)), strict=True):
            verdict = verified.judge(trial.item, reply, limit)
            if isinstance(verdict, Rejection):
                trial.fault = verdict
            else:
                trial.item = verdict
        return [(trial.item, trial.fault) for trial in trials if trial.fault]

    def _recall(self, trials: Sequence[_Trial]) -> list[tuple[Item, Rejection]]:
        """Put on record what the model knows without the documents; with ``drop_closed_book`` that is a fault."""
        batches = [trials[start : start + closed_book.BATCH] for start in range(0, len(trials), closed_book.BATCH)]
        prompts = [closed_book.recall([trial.item for trial in batch]) for batch in batches]
        limit = self.context.thresholds["closed_book"]
        for batch, reply in zip(batches, _in_order(self._model.ask_all(prompts, closed_book.Recalled)), strict=True):
            for trial, item in zip(batch, closed_book.recalled([trial.item for trial in batch], reply), strict=True):
                trial.item, known = item, item.metadata["scores"].get("closed_book", 0.0)
                if self._config.drop_closed_book and known >= limit:
                    trial.fault = Rejection("closed_book", "the model answers it without the documents", known, limit)
        return [(trial.item, trial.fault) for trial in trials if trial.fault]


def _in_order(replies: Iterable[tuple[int, T]]) -> list[T]:
    return [reply for _, reply in sorted(replies, key=lambda pair: pair[0])]
