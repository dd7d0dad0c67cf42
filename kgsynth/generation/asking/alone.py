"""alone: an LLM that sees the question alone finds it clear, natural, and likely to be asked.

Several questions go into one request. A verdict that is missing or cannot be read is a rejection.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass

from kgsynth.base.records import Item, Rejection
from kgsynth.evidence.closed_book import agreement
from kgsynth.generation.asking.proposals import Setting
from kgsynth.generation.asking.turns import FOLLOW_UP
from kgsynth.generation.asking.verdicts import in_order
from kgsynth.golden.metadata import with_scores
from kgsynth.models.llm import Failure, Prompt
from kgsynth.models.llm.prompt_quoting import DATA, quoted

JUDGED_AT_ONCE = 10
"""Questions in one request."""

_TOKENS_PER_VERDICT = 160
_NOT_KNOWN = {"answer": "I do not know.", "known": False}
_MOST = 5
_CRITERIA = {
    "stands_alone": "it refers to something outside itself",
    "natural": "people do not put it so",
    "one_question": "it asks several things",
}
_ODD = "it takes something for granted that is odd or false"


@dataclass(frozen=True, slots=True)
class AloneVerdict:
    """What an LLM says of a question that it sees without any passage."""

    number: int
    stands_alone: bool
    natural: bool
    one_question: bool
    assumes_wrong: bool
    likely_asked: int
    answer: str
    known: bool


@dataclass(frozen=True, slots=True)
class AloneReply:
    """The verdicts on several questions."""

    verdicts: tuple[AloneVerdict, ...]


def prompt(items: Sequence[Item], setting: Setting) -> Prompt:
    """Return the prompt that asks for verdicts on at most ``JUDGED_AT_ONCE`` questions."""
    numbered = "\n".join(f"{number}. {item.question}" for number, item in enumerate(items, 1))
    asked = (
        "You see the questions alone, without any document. Judge each strictly, as somebody who must pay for every "
        "question that is kept.\n"
        "- number: that of the question\n"
        "- stands_alone: somebody who knows only what the documents are about knows what is meant; nothing such as "
        '"this option" or "the three steps" is left open\n'
        "- natural: a person would put it so; spelling mistakes and bare key words are natural too\n"
        "- one_question: it asks one thing, though the answer may have parts\n"
        "- assumes_wrong: true only if you can name what it takes for granted that is odd or false\n"
        "- likely_asked: 1 a quiz about a text, 2 hardly anybody would ask it, 3 some users would, 4 many would, "
        f"{_MOST} users ask exactly this\n"
        "- answer: in a few words what you would answer from what you know, or guess\n"
        "- known: whether you are certain of that answer"
    )
    likely = [
        {"number": n, **dict.fromkeys(_CRITERIA, True), "assumes_wrong": False, "likely_asked": 4, **_NOT_KNOWN}
        for n in range(1, len(items) + 1)
    ]
    return Prompt(
        "judging questions",
        f"You judge questions with which an assistant that answers from a collection of documents is tested. {DATA}",
        f"{setting.lines()}\n\n{quoted('questions', numbered)}\n\n{asked}",
        max_tokens=_TOKENS_PER_VERDICT * len(items) + 200,
        example_reply=json.dumps({"verdicts": likely}, ensure_ascii=False),
    )


def judge(items: Sequence[Item], reply: AloneReply | Failure, fewest: float) -> list[Item | Rejection]:
    """Return each item with its scores, or why it is rejected; ``fewest`` is the least ``likely_asked``, 0 to 1."""
    verdicts = in_order(reply, len(items), "alone")
    return [_judged(item, verdict, fewest) for item, verdict in zip(items, verdicts, strict=True)]


def _judged(item: Item, verdict: AloneVerdict | Rejection, fewest: float) -> Item | Rejection:
    if isinstance(verdict, Rejection):
        return verdict
    is_said = item.subtype != FOLLOW_UP  # a standalone question is what a turn means, and nobody says it
    odd = _ODD if verdict.assumes_wrong and item.subtype != "false_premise" else ""
    criteria = {name: why for name, why in _CRITERIA.items() if is_said or name != "natural"}
    problem = next((why for name, why in criteria.items() if not getattr(verdict, name)), odd)
    if problem:
        return Rejection("alone", problem)
    asked = min(max(verdict.likely_asked, 1), _MOST) / _MOST
    if item.question_type == "multi_context":
        fewest = round(fewest - 1 / _MOST, 4)  # what takes several passages is asked more rarely, by people who need it
    if asked < fewest and is_said:
        return Rejection("alone", "hardly anybody would ask it", round(asked, 4), fewest)
    known = agreement(verdict.answer, item.golden_answers, item.language) if verdict.known and item.answerable else 0.0
    return with_scores(item, asked=asked, closed_book=known)
