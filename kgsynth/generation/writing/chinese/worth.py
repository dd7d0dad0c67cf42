"""Would a Chinese reader ask this question, by its form? Answers that say nothing, and questions that are too long."""

from __future__ import annotations

import re

from kgsynth.base.records import Scenario
from kgsynth.evidence.knowledge import Knowledge
from kgsynth.generation.writing.draft import QuestionDraft, UnwrittenError, Why
from kgsynth.language.lengths import length_in_words

_ANSWER_POINTS = re.compile(r"^(?:[它他她其]|这|那|此|该)|上述|如下|以下|下面|前面|上面|这[样个些种]|本[文节章页例]")
_LONGEST_QUESTION = 32
_LONGEST_ANSWER = 30


def is_worth_asking(scenario: Scenario, knowledge: Knowledge, draft: QuestionDraft) -> bool:
    """Check that the answer says something by itself, and that question and answer are of a length people use.

    Raises:
        UnwrittenError: they are not.
    """
    answer, defined = draft.answers[0], bool(scenario.facts) and draft.operator == "definition"
    long = length_in_words(draft.question) > _LONGEST_QUESTION and not defined
    if long or (scenario.facts and length_in_words(answer) > _LONGEST_ANSWER):  # other writers know what they quote
        raise UnwrittenError(Why.LONG)
    if scenario.facts and not defined and _ANSWER_POINTS.search(answer):
        raise UnwrittenError(Why.POINTS)
    if scenario.facts and not defined and "，" in answer.strip("，"):
        raise UnwrittenError(Why.INDEFINITE)
    return True
