"""verified: an LLM finds the question answerable from its evidence, and its answer agrees with the golden answer.

All four criteria must hold. A reply that cannot be read is a rejection.
"""

from __future__ import annotations

import json
from dataclasses import dataclass

from kgsynth.base.records import Item, Rejection
from kgsynth.evidence.closed_book import agreement
from kgsynth.evidence.knowledge import Knowledge
from kgsynth.generation.writing.llm_prompts import passages
from kgsynth.golden.metadata import with_scores
from kgsynth.models.llm import Failure, Prompt
from kgsynth.models.llm.prompt_quoting import DATA, quoted

_CRITERIA = {
    "self_contained": "it refers to something outside itself",
    "clear": "it asks for no definite kind of answer",
    "contains": "the evidence does not contain the answer",
    "complete": "the evidence does not answer it in full",
}
_REASONING = "The passages state it: the subject of the question and the answer stand in one sentence."


@dataclass(frozen=True, slots=True)
class Verdict:
    """What the LLM replies about a question and its evidence."""

    reasoning: str
    self_contained: bool
    clear: bool
    contains: bool
    complete: bool
    answer: str


def prompt(item: Item, knowledge: Knowledge) -> Prompt:
    """Return the prompt that asks an LLM to check a question against its evidence."""
    asked = (
        "Judge the question by the passages alone.\n"
        "- reasoning: in one or two sentences\n"
        "- self_contained: it can be understood without seeing the passages\n"
        "- clear: it asks for one definite kind of answer\n"
        "- contains: the passages contain the answer\n"
        "- complete: they answer it in full\n"
        '- answer: the answer as short as it stands in the passages, "" when they do not hold it'
    )
    answer = item.golden_answers[0] if item.answerable else ""
    verdict = {"reasoning": _REASONING, **dict.fromkeys(_CRITERIA, item.answerable), "answer": answer}
    return Prompt(
        "verifying",
        f"You check questions that test how well documents are searched. {DATA}",
        f"{passages(item, knowledge)}\n\n{quoted('question', item.question)}\n\n{asked}",
        max_tokens=400,
        example_reply=json.dumps(verdict, ensure_ascii=False),
    )


def judge(item: Item, reply: Verdict | Failure, limit: float) -> Rejection | Item:
    """Reject a question that the LLM does not find answerable, or answers differently from the same evidence."""
    if isinstance(reply, Failure):
        return Rejection("verified", f"the model's verdict is missing: {reply.why}")
    if not item.answerable:
        found = reply.contains and reply.answer.strip()
        return Rejection("verified", f"the model finds an answer: {reply.answer[:80]!r}") if found else item
    problems = [problem for criterion, problem in _CRITERIA.items() if not getattr(reply, criterion)]
    if problems:
        return Rejection("verified", problems[0])
    score = round(agreement(reply.answer, item.golden_answers, item.language), 4)
    if score < limit:
        return Rejection("verified", f"from the evidence the model answers {reply.answer[:80]!r}", score, limit)
    return with_scores(item, verified=score)
