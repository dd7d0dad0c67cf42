"""What the writers of all languages yield, a question with its answers and proof, or why they write none."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from typing import Any, NamedTuple

from kgsynth.base.records import Excerpt, Phrase, StructureFact


class QuestionDraft(NamedTuple):
    """A written question, its golden answers (the canonical one first), and the steps that prove them.

    ``answer_kind`` is "list" or "steps" if the answer has members, otherwise "". ``place`` is where the evidence stands
    in the document, if it is a part of its fact.
    """

    question: str
    answers: tuple[str, ...]
    operator: str
    steps: tuple[dict[str, Any], ...]
    extra: Mapping[str, Any] = {}
    answer_kind: str = ""
    place: tuple[int, int] | None = None


class Why(StrEnum):
    """Why nothing is asked about a scenario, in words for a report."""

    LANGUAGE = "not asked in this language"
    HEADING = "no question form fits the heading or lead-in"
    SENTENCE = "no question form fits the sentence"
    QUESTION_WORD = "no question word surely fits the answer"
    COLUMN = "the column is not one people ask by"
    ROW = "the row has no name to ask by"
    VALUE = "the cell has no value to ask for"
    TERM = "no question form fits the term or what is said of it"
    EXAMPLE = "only an example"
    CLAUSE = "not surely a cause, purpose or condition"
    ANSWER = "nothing there is a whole answer"
    INDEFINITE = "the answer is not definite enough"
    LONG = "the question or its answer is too long"
    OPEN = "other answers would be as right"
    KNOWN = "the question or the title tells the answer"
    OPINION = "an opinion or a comparison"
    PASSING = "said only in passing"
    DENIED = "the sentence says what is not so"
    UNNAMED = "not about a named thing or the topic of the page"
    POINTS = "it points to what is said elsewhere"
    PAGE = "not understood without its page"
    THIN = "it says too little to be asked about"
    MISREAD = "the sentence may be read wrongly"
    AGAIN = "another scenario has the same question"
    OTHER = "other reasons"


class UnwrittenError(Exception):
    """A writer has no question for a scenario, or would not ask the one that it has."""

    def __init__(self, why: Why) -> None:
        super().__init__(why)
        self.why = why


def span_of(doc: str, part: Excerpt | Phrase) -> dict[str, Any]:
    """Return the span of an excerpt or a phrase, in the form that a derivation has."""
    return {"doc": doc, "start": part.start, "end": part.end}


def said_step(fact: StructureFact) -> dict[str, Any]:
    """Return the step of a derivation that reads a fact of the layout."""
    return {"fact": fact.id, "doc": fact.doc}
