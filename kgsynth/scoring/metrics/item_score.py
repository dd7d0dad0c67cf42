"""The result of one question, a line of items.jsonl, and the share of questions that passed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields

from kgsynth.base.records import Turn, item_id
from kgsynth.golden.item_json import span_json, turns_json
from kgsynth.scoring.metrics import ScoredCase
from kgsynth.scoring.metrics.answer_match import WORD_BY_WORD
from kgsynth.scoring.metrics.answer_verdict import judge_answer
from kgsynth.scoring.metrics.failure_causes import LOW_RANK, Cause, likely_cause, why_not_checked
from kgsynth.scoring.metrics.steps import HopResult, hops_of
from kgsynth.scoring.metrics.summary import Value, cluster, summarise

_OPTIONAL_FIELDS = ("not_checked", "history", "hops", "n_steps", "passes", "tags")
SLICES = ("question_type", "subtype", "difficulty")
"""The fields of an item by which every metric is broken down."""
WITHOUT_ANSWERS = (
    f"no answer was compared, so a question passes if all its evidence is in the first {LOW_RANK} passages"
)
"""What to know of a pass rate of passages."""
STATES = ("passed", "failed", "not checked")
"""What can be known of a question: it passed, it failed, or there was nothing to compare."""


@dataclass(frozen=True, slots=True)
class ItemScore:
    """The result of one question; ``to_json`` is its line of items.jsonl.

    ``fingerprint`` changes with the question, its answers or the text of its evidence. ``group_ranks`` are the ranks at
    which the evidence groups were covered (None: never), ``matched`` says how each passage was matched,
    ``evidence`` has the spans of each group. ``cause`` says why the question failed, ``not_checked`` why nothing could
    be compared; with neither it passed. ``history`` are the earlier turns of a conversation. ``hops`` are the evidence
    groups of a question with several of them, ``n_steps`` is the number of steps of the system, 0 if it has none.
    ``passes`` says for each asking whether it was right (None: not checked), if the question was asked several times;
    ``metrics`` are then the means, and all else is of the first asking.
    """

    id: str
    question: str
    question_type: str
    subtype: str
    difficulty: str
    cluster: str
    fingerprint: str
    expected: tuple[str, ...]
    actual: str | None
    metrics: Mapping[str, float | None]
    group_ranks: tuple[int | None, ...]
    matched: tuple[str, ...]
    evidence: Sequence[Sequence[Mapping[str, object]]]
    cause: Cause | None
    not_checked: str = ""
    history: tuple[Turn, ...] = ()
    hops: tuple[HopResult, ...] = ()
    n_steps: int = 0
    passes: tuple[bool | None, ...] = ()
    tags: tuple[str, ...] = ()

    @classmethod
    def of(cls, case: ScoredCase, row: Mapping[str, float | None]) -> ItemScore:
        """Return the result of the question of ``case``, with the likely cause if it failed."""
        item = case.item
        retrieves, compared = row["context_recall"] is not None, row["em"] is not None
        wrong, known = judge_answer(case) if compared else (None, None)
        cause = likely_cause(case, retrieves, wrong, known)
        return cls(
            **{name: getattr(item, name) for name in ("id", "question", *SLICES)},
            cluster=cluster(item),
            fingerprint=item_id(item.question, item.golden_answers, item.evidence),
            expected=item.golden_answers,
            actual=case.answer.answer if case.answer else None,
            metrics=row,
            group_ranks=case.ranks,
            matched=case.methods,
            evidence=[[span_json(span) for span in group] for group in item.evidence],
            cause=cause,
            not_checked="" if cause else why_not_checked(case, retrieves, compared),
            history=item.history,
            tags=item.tags,
            hops=hops_of(case.ranks, case.steps) if retrieves else (),
            n_steps=len(case.steps.queries) if case.steps else 0,
        )

    @property
    def state(self) -> str:
        """One of ``STATES``."""
        return "failed" if self.cause else "not checked" if self.not_checked else "passed"

    @property
    def right(self) -> bool | None:
        """Whether the first asking passed, None if nothing could be compared."""
        return None if self.not_checked else self.cause is None

    @property
    def pass_share(self) -> float | None:
        """The share of the askings that passed, None if none could be checked."""
        known = [each for each in self.passes or (self.right,) if each is not None]
        return sum(known) / len(known) if known else None

    def to_json(self) -> dict[str, object]:
        """Return the result as it is written to items.jsonl."""
        line = {each.name: getattr(self, each.name) for each in fields(self) if each.name not in _OPTIONAL_FIELDS}
        if self.history:
            line |= {"history": turns_json(self.history), "turn": len(self.history) + 1}
        if self.n_steps:
            line |= {"n_steps": self.n_steps, "hops": [hop._asdict() for hop in self.hops]}
        line |= {name: own for name in ("passes", "tags") if (own := getattr(self, name))}
        cause = {"cause": str(self.cause) if self.cause else None, "try": self.cause and self.cause.advice}
        return {**line, "state": self.state, **cause, **({"not_checked": self.not_checked} if self.not_checked else {})}


def pass_rate(items: Sequence[ItemScore]) -> Value:
    """Return the share of the checked questions that passed, with its interval."""
    rows = [{"rate": item.pass_share} for item in items]
    return summarise(rows, [item.cluster for item in items], {"rate": "no question could be checked"})["rate"]


def pass_notes(results: Sequence[ItemScore], by_meaning: bool) -> tuple[str, ...]:
    """Return notes on what passing means: of answers compared word by word only, or of the rank of the evidence."""
    if all(each.metrics["em"] is None for each in results):
        measured = [each for each in results if each.metrics["context_recall"] is not None]
        retrieved = any(not each.not_checked and each.question_type != "unanswerable" for each in measured)
        return (WITHOUT_ANSWERS,) if retrieved else ()
    low = sum(each.state == "passed" and max(filter(None, each.group_ranks), default=0) > LOW_RANK for each in results)
    below = f"{low} of the questions that passed have evidence only below rank {LOW_RANK}: their answers are right"
    return (*((below,) if low else ()), *(() if by_meaning else (WORD_BY_WORD,)))
