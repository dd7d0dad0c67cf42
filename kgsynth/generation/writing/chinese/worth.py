"""Would a Chinese reader ask this question, by its form? Answers that say nothing, and questions that are too long."""

from __future__ import annotations

import re

from kgsynth.base.records import Scenario
from kgsynth.evidence.knowledge import Knowledge
from kgsynth.generation.writing.draft import QuestionDraft
from kgsynth.language.lengths import length_in_words

_ANSWER_POINTS = re.compile(r"^(?:[它他她其]|这|那|此|该)|上述|如下|以下|下面|前面|上面|这[样个些种]|本[文节章页例]")
_LONGEST_QUESTION = 32
_LONGEST_ANSWER = 30


def is_worth_asking(scenario: Scenario, knowledge: Knowledge, draft: QuestionDraft) -> bool:
    """Check that the answer says something by itself, and that question and answer are of a length people use."""
    answer = draft.answers[0]
    if scenario.structure:  # its writers know the length of what they quote
        return length_in_words(draft.question) <= _LONGEST_QUESTION
    return (
        not _ANSWER_POINTS.search(answer)
        and length_in_words(draft.question) <= _LONGEST_QUESTION
        and length_in_words(answer) <= _LONGEST_ANSWER
        and "，" not in answer.strip("，")
    ) or (draft.operator == "definition" and length_in_words(answer) <= _LONGEST_ANSWER)
