"""Group questions that ask the same: in the same words, in nearly the same words, or by meaning."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from kgsynth.base.records import Item
from kgsynth.base.thresholds import DEFAULT_THRESHOLDS
from kgsynth.evidence.near_duplicates import NearDuplicates
from kgsynth.evidence.question_checks import names_and_numbers
from kgsynth.harvesting.questions import AskedQuestion
from kgsynth.language.detection import guess_language
from kgsynth.language.words import folded

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


@dataclass(slots=True)
class QuestionGroup:
    """A question in the wording in which it was asked most, all wordings with their number, and who asked.

    ``people`` is empty if the log does not say who asked.
    """

    wordings: Counter[str] = field(default_factory=Counter)
    people: set[str] = field(default_factory=set)

    @property
    def question(self) -> str:
        """The most frequent wording, of equals one with a question mark and a capital, then the shortest."""
        careful = {text: (text[-1:] not in "?？", text[:1].islower(), len(text), text) for text in self.wordings}
        return min(self.wordings, key=lambda text: (-self.wordings[text], careful[text]))

    @property
    def count(self) -> int:
        """How often the question was asked."""
        return self.wordings.total()

    @property
    def language(self) -> str:
        """The language of the question."""
        return guess_language(self.question)

    def join(self, other: QuestionGroup) -> None:
        """Take over what was asked in another group."""
        self.wordings += other.wordings
        self.people |= other.people


def group_by_words(questions: Sequence[AskedQuestion]) -> list[QuestionGroup]:
    """Return the questions grouped by their words, the most frequent group first.

    A group takes a question that is near to the wording it began with, so it does not drift.

    Example:
        >>> turns = (("Who leads it?", "a"), ("who leads it", "b"), ("Why?", "b"))
        >>> asked = [AskedQuestion(*turn) for turn in turns]
        >>> [(group.question, group.count, len(group.people)) for group in group_by_words(asked)]
        [('Who leads it?', 2, 2), ('Why?', 1, 1)]
    """
    exact: dict[str, QuestionGroup] = {}
    for asked in questions:
        group = exact.setdefault(folded(asked.text), QuestionGroup())
        group.wordings[asked.text] += 1
        group.people |= {asked.person} if asked.person else set()
    index, found = NearDuplicates(DEFAULT_THRESHOLDS["duplicate"]), list[QuestionGroup]()
    for group in by_count(exact.values()):
        near = [found[number] for _, number in index.alike(group.question)]
        same = [other for other in near if _same_names(other, group)]
        if same:
            same[0].join(group)
        else:
            index.add(group.question)
            found.append(group)
    return by_count(found)


def group_by_meaning(
    groups: Sequence[QuestionGroup], vectors: NDArray[np.float32], threshold: float | None = None
) -> list[list[int]]:
    """Return the numbers of groups that ask the same by meaning; each list begins with the most frequent one.

    ``vectors`` has one row per group. Questions that differ in a name or number are kept apart.
    """
    import numpy as np

    least = DEFAULT_THRESHOLDS["paraphrase"] if threshold is None else threshold
    found: list[list[int]] = []
    heads = np.empty_like(vectors)  # the vector of the first question of each list
    for number, group in enumerate(groups):
        cosines = (heads[: len(found)] @ vectors[number]).round(4)
        near = sorted((-cosines[place], place) for place in np.flatnonzero(cosines >= least).tolist())
        same = [place for _, place in near if _same_names(groups[found[place][0]], group)]
        if same:
            found[same[0]].append(number)
        else:
            heads[len(found)] = vectors[number]
            found.append([number])
    return found


def by_count(groups: Iterable[QuestionGroup]) -> list[QuestionGroup]:
    """Return groups sorted by how often they were asked, then by their question."""
    return sorted(groups, key=lambda group: (-group.count, group.question))


def _same_names(one: QuestionGroup, other: QuestionGroup) -> bool:
    return names_and_numbers(_as_item(one)) == names_and_numbers(_as_item(other))


def _as_item(group: QuestionGroup) -> Item:
    return Item("", group.question, (), "", "", group.language, ())
