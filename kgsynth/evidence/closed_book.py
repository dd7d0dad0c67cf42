"""What a language model answers without the documents, and how far that agrees with the golden answer."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from kgsynth.base.records import Item
from kgsynth.evidence.derivation import same_answer
from kgsynth.golden.metadata import with_scores
from kgsynth.language import language
from kgsynth.models.llm import Failure, Prompt
from kgsynth.models.llm.prompt_quoting import DATA, quoted

BATCH = 10
"""Questions asked at once without evidence."""


@dataclass(frozen=True, slots=True)
class Recalled:
    """What the model answers to several questions from memory, in their order; "" where it does not know."""

    answers: tuple[str, ...]


def recall(items: Sequence[Item]) -> Prompt:
    """Return what the model is asked without any evidence, of at most ``BATCH`` questions."""
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
    """Return the items with how far the answers from memory agree; as they are when there is not one for each."""
    if isinstance(reply, Failure) or len(reply.answers) != len(items):
        return list(items)
    return [
        with_scores(item, closed_book=agreement(answer, item.golden_answers, item.language))
        if item.answerable
        else item
        for item, answer in zip(items, reply.answers, strict=True)
    ]


_NAMED = re.compile(r"\b[A-Z\d]\S*")


def agreement(answer: str, golden: Iterable[str], code: str) -> float:
    """Return how far an answer agrees with the nearest golden one, from 0 to 1.

    1 when they are the same or one holds all content words of the other, else the F1 of their content words; 0 when
    it has none of the figures and names of a golden one that has some.

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
    reader = language(code)
    named = " ".join(_NAMED.findall(reader.digits(golden)))
    given, wanted, marks = (set(reader.content_stems(reader.digits(text.lower()))) for text in (answer, golden, named))
    shared = len(given & wanted)
    if not shared or (marks and not marks & given):
        return 0.0
    return 1.0 if shared in (len(given), len(wanted)) else 2 * shared / (len(given) + len(wanted))
