"""Ask a language model without the documents, and compare its answers with the golden answers."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from kgsynth.base.records import Item
from kgsynth.evidence.derivation import same_answer
from kgsynth.golden.metadata import with_scores
from kgsynth.language import nearest_language
from kgsynth.models.llm import Failure, Prompt
from kgsynth.models.llm.prompts import DATA, quoted

RECALLED_AT_ONCE = 10
"""Questions in one request."""


@dataclass(frozen=True, slots=True)
class Recalled:
    """The answers of the model to several questions, in their order; "" for those it cannot answer."""

    answers: tuple[str, ...]


def recall(items: Sequence[Item]) -> Prompt:
    """Return the prompt that asks at most ``RECALLED_AT_ONCE`` questions without evidence."""
    numbered = "\n".join(f"{number}. {item.question}" for number, item in enumerate(items, 1))
    likely = {"answers": [item.golden_answers[0] if item.answerable else "" for item in items]}
    return Prompt(
        "closed book",
        f"You answer questions from what you know. {DATA}",
        f"{quoted('questions', numbered)}\n\nGive a short answer to each of the {len(items)} questions, in their "
        'order; "" where you do not know it.',
        max_tokens=40 * len(items) + 100,
        example_reply=json.dumps(likely, ensure_ascii=False),
    )


def recalled(items: Sequence[Item], reply: Recalled | Failure) -> list[Item]:
    """Return the items with the agreement as a score; unchanged if the number of answers is wrong."""
    if isinstance(reply, Failure) or len(reply.answers) != len(items):
        return list(items)
    return [
        with_scores(item, closed_book=agreement(answer, item.golden_answers, item.language))
        if item.answerable
        else item
        for item, answer in zip(items, reply.answers, strict=True)
    ]


_CAPITALISED_OR_NUMBER = re.compile(r"\b[A-Z\d]\S*")


def agreement(answer: str, golden: Iterable[str], code: str) -> float:
    """Return the agreement of an answer with the most similar golden answer, from 0 to 1.

    It is 1 if they are the same or one has all content words of the other, and otherwise the F1 of their content words.
    It is 0 if the golden answer has numbers or names, and the answer lacks all of them.

    Example:
        >>> agreement("in nine storerooms", ["9 storerooms", "9"], "en"), agreement("Bergen", ["Oslo"], "en")
        (1.0, 0.0)
        >>> agreement("the Osprey kiln", ["the Linnet kiln"], "en")
        0.0
    """
    return max((_agreement(answer, each, code) for each in golden), default=0.0)


def _agreement(answer: str, golden: str, code: str) -> float:
    if same_answer(answer, golden, code):
        return 1.0
    reader = nearest_language(code)
    marked = " ".join(_CAPITALISED_OR_NUMBER.findall(reader.digits(golden)))
    given, wanted, marks = (set(reader.content_stems(reader.digits(text.lower()))) for text in (answer, golden, marked))
    shared = len(given & wanted)
    if not shared or (marks and not marks & given):
        return 0.0
    return 1.0 if shared in (len(given), len(wanted)) else 2 * shared / (len(given) + len(wanted))
