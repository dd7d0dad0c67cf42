"""What users ask about: questions joined by meaning, each topic named by its most telling words."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING

from kgsynth.harvesting.grouping import QuestionGroup
from kgsynth.harvesting.personal_data import PLACEHOLDER
from kgsynth.harvesting.questions import reader_of
from kgsynth.language.words import words

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

_LEAST_COSINE = 0.5
"""Cosine with the mean of a topic from which a question belongs to it."""
_WORDS_IN_NAME = 3


def topics(groups: Sequence[QuestionGroup], vectors: NDArray[np.float32]) -> list[str]:
    """Return the name of the topic of each group, in their order; ``vectors`` has one row per group.

    The groups are taken in order, the most frequent first: each joins the topic with the nearest mean, or opens one.
    """
    import numpy as np

    sums, means = np.zeros_like(vectors), np.zeros_like(vectors)
    members: list[list[int]] = []
    for number, vector in enumerate(vectors):
        cosines = (means[: len(members)] @ vector).round(4)
        place = int(cosines.argmax()) if members and cosines.max() >= _LEAST_COSINE else len(members)
        if place == len(members):
            members.append([])
        members[place].append(number)
        sums[place] += vector
        means[place] = sums[place] / max(float(np.linalg.norm(sums[place])), 1e-9)
    names = _names([[groups[number] for number in each] for each in members])
    of = {number: name for name, each in zip(names, members, strict=True) for number in each}
    return [of[number] for number in range(len(groups))]


def _names(found: Sequence[Sequence[QuestionGroup]]) -> list[str]:
    """Return the words of each topic that are frequent in it and in few others, as the users write them."""
    counts = [Counter[str]() for _ in found]
    for count, groups in zip(counts, found, strict=True):
        for group in groups:
            for word in _content_words(group):
                count[word] += 1
    spread = Counter(word for count in counts for word in count)
    names: list[str] = []
    for count, groups in zip(counts, found, strict=True):
        weight = {word: number * math.log(1 + len(found) / spread[word]) for word, number in count.items()}
        best = sorted(weight, key=lambda word: (-weight[word], word))[:_WORDS_IN_NAME]
        name = ", ".join(best) or groups[0].question
        names.append(name if name not in names else f"{name} ({groups[0].question})")
    return names


def _content_words(group: QuestionGroup) -> set[str]:
    """Return the content words of a question as they are written, without placeholders."""
    reader = reader_of(group.question)
    text = PLACEHOLDER.sub(" ", group.question)
    stems = reader.content_stems(text)
    written = {stem: word for word in reversed(words(text)) for stem in reader.content_stems(word)}
    return {written.get(stem, stem) for stem in stems}
