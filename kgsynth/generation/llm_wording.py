"""Have an LLM reword and verify the chosen questions, and replace those that fail.

Only chosen questions are reworded, so the cost depends on the size of the set and not on the corpus. If a rule rejects
the new wording, the question keeps the wording of the rules. If the LLM cannot answer it from its evidence, the next
best question replaces it. Prompts and replies are in ``writing.llm_prompts`` and ``filters.verified``.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeVar

from kgsynth.base.config import Config
from kgsynth.base.errors import BudgetError
from kgsynth.base.progress import Stage
from kgsynth.base.records import Item, Rejection
from kgsynth.base.thresholds import LIMITS
from kgsynth.evidence import closed_book
from kgsynth.generation.filters import duplicate, rescreen, verified
from kgsynth.generation.filters.context import FilterContext
from kgsynth.generation.run import Run
from kgsynth.generation.selection import Shortage, choose
from kgsynth.generation.writing import Candidate, written_id
from kgsynth.generation.writing.llm_prompts import STYLES, RewordedReply, Voices, prompt, reworded
from kgsynth.golden.dataset import Dataset
from kgsynth.models.llm import LLM, Failure

T = TypeVar("T")

_BATCH = 20  # questions finished before the next are begun, so that a spent budget leaves finished questions


@dataclass
class _Trial:
    """One question: as the rules wrote it, as it is now, and its rejection."""

    plain: Candidate
    item: Item = field(init=False)
    rejection: Rejection | None = None

    def __post_init__(self) -> None:
        self.item = self.plain.item


def reword(
    valid: Sequence[Item], candidates: Sequence[Candidate], context: FilterContext, model: LLM, run: Run
) -> tuple[list[Item], Shortage, list[tuple[Item, Rejection]]]:
    """Choose the set, have an LLM reword it, and replace what fails; return it with the rejected items.

    Raises:
        BudgetError: the budget was spent first; the finished questions are in partial.jsonl.
        SystemUnreachableError: the LLM cannot be reached.
    """
    scenarios = {written_id(candidate.item): candidate.scenario for candidate in candidates}
    pool = {item.id: Candidate(item, scenarios[written_id(item)]) for item in valid}
    editor = Editor(model, context, run.config)
    with run.stage("asking the model", run.config.n) as stage:
        try:
            golden, shortage = editor.edit(pool, stage)
        except BudgetError as error:
            with run.run_folder.replacing("partial.jsonl") as path:
                Dataset(editor.finished.values()).save(path)
            raise BudgetError(
                f"{error}; {len(editor.finished)} of {run.config.n} questions are finished and were saved to "
                f"{run.run_folder.folder / 'partial.jsonl'}: allow more and run the same command again to resume"
            ) from None
    return golden, shortage, editor.rejected


class Editor:
    """Has an LLM reword and verify questions, in batches.

    ``finished`` maps the ids of candidates to the final items; ``rejected`` has the rejected items.
    """

    def __init__(self, model: LLM, context: FilterContext, config: Config) -> None:
        self.finished: dict[str, Item] = {}
        self.rejected: list[tuple[Item, Rejection]] = []
        self.context = context
        self._model, self._config = model, config
        self._voices = Voices(config, context.knowledge)

    def edit(self, pool: Mapping[str, Candidate], stage: Stage) -> tuple[list[Item], Shortage]:
        """Choose a set from the ``pool``, candidates by the id of their item, reword it, and replace what fails.

        Stop when ``LIMITS.llm_tries`` questions have been tried for each one wanted.
        """
        left, tried = dict(pool), 0
        while True:
            if tried >= LIMITS.llm_tries * self._config.n:
                left = {ident: candidate for ident, candidate in left.items() if ident in self.finished}
            chosen, shortage = choose([candidate.item for candidate in left.values()], self.context, self._config)
            new = [left[item.id] for item in chosen if item.id not in self.finished]
            tried += len(new)
            if not new:
                return [self.finished[item.id] for item in chosen], shortage
            for start in range(0, len(new), _BATCH):
                batch = new[start : start + _BATCH]
                self._finish(batch)
                stage.update(len(batch))
            for candidate in new:
                if candidate.item.id not in self.finished:
                    del left[candidate.item.id]

    def _finish(self, batch: Sequence[Candidate]) -> None:
        trials = [_Trial(candidate) for candidate in batch]
        rejected = self._reword(trials)
        rejected += self._verify(trials)
        again = [trial for trial in trials if trial.rejection and trial.item.id != trial.plain.item.id]
        for trial in again:  # the LLM rejects its own wording, but may accept that of the rules
            trial.item, trial.rejection = trial.plain.item, None
        rejected += self._verify(again)
        rejected += self._check_closed_book([trial for trial in trials if not trial.rejection])
        for trial in trials:
            if not trial.rejection:
                verdict = duplicate.judge(Candidate(trial.item, trial.plain.scenario), self.context)
                trial.rejection = verdict if isinstance(verdict, Rejection) else None
                rejected += [(trial.item, trial.rejection)] if trial.rejection else []
        self.rejected += rejected
        self.finished.update((trial.plain.item.id, trial.item) for trial in trials if not trial.rejection)

    def _reword(self, trials: Sequence[_Trial]) -> list[tuple[Item, Rejection]]:
        """Replace the questions by the wordings of the LLM that pass every rule, and return the others."""
        limit = self.context.thresholds["verified"]
        prompts = [prompt(trial.plain, self._voices, self.context.knowledge) for trial in trials]
        replies = _in_order(self._model.ask_all(prompts, RewordedReply))
        rejected = []
        for trial, reply in zip(trials, replies, strict=True):
            wording, _ = self._voices.of(trial.item)
            if isinstance(reply, Failure):
                rejected.append((trial.item, Rejection("wording", f"the model's reply is missing: {reply.why}")))
                continue
            new, rejection = reworded(trial.plain, reply, wording, self._model.name, limit)
            if not rejection:
                candidate = Candidate(new, trial.plain.scenario)
                new, rejection = rescreen(candidate, self.context, sentence=STYLES[wording.style].sentence)
            if rejection:
                rejected.append((new, rejection))
            elif new.question != trial.item.question:  # an unchanged question is still one of the rules
                trial.item = new
        return rejected

    def _verify(self, trials: Sequence[_Trial]) -> list[tuple[Item, Rejection]]:
        """Have the LLM answer each question from its evidence, and return those it rejects."""
        prompts = [verified.prompt(trial.item, self.context.knowledge) for trial in trials]
        limit = self.context.thresholds["verified"]
        for trial, reply in zip(trials, _in_order(self._model.ask_all(prompts, verified.Verdict)), strict=True):
            verdict = verified.judge(trial.item, reply, limit)
            if isinstance(verdict, Rejection):
                trial.rejection = verdict
            else:
                trial.item = verdict
        return [(trial.item, trial.rejection) for trial in trials if trial.rejection]

    def _check_closed_book(self, trials: Sequence[_Trial]) -> list[tuple[Item, Rejection]]:
        """Record what the LLM knows without the documents; with ``drop_closed_book`` reject what it knows."""
        batches = [trials[start : start + closed_book.BATCH] for start in range(0, len(trials), closed_book.BATCH)]
        prompts = [closed_book.recall([trial.item for trial in batch]) for batch in batches]
        limit = self.context.thresholds["closed_book"]
        for batch, reply in zip(batches, _in_order(self._model.ask_all(prompts, closed_book.Recalled)), strict=True):
            for trial, item in zip(batch, closed_book.recalled([trial.item for trial in batch], reply), strict=True):
                trial.item, known = item, item.metadata["scores"].get("closed_book", 0.0)
                if self._config.drop_closed_book and known >= limit:
                    trial.rejection = Rejection(
                        "closed_book", "the model answers it without the documents", known, limit
                    )
        return [(trial.item, trial.rejection) for trial in trials if trial.rejection]


def _in_order(replies: Iterable[tuple[int, T]]) -> list[T]:
    return [reply for _, reply in sorted(replies, key=lambda pair: pair[0])]
