"""Group questions that ask the same, and join the groups by meaning to topics."""

from __future__ import annotations

import math
import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from rapidfuzz.distance import OSA

from kgsynth.base.records import Item
from kgsynth.base.thresholds import DEFAULT_THRESHOLDS
from kgsynth.evidence.near_duplicates import NearDuplicates
from kgsynth.evidence.question_checks import names_and_numbers
from kgsynth.harvesting.personal_data import PLACEHOLDER
from kgsynth.harvesting.questions import AskedQuestion, reader_of
from kgsynth.language import nearest_language
from kgsynth.language.detection import guess_language
from kgsynth.language.words import words

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

_ACCENT = re.compile("[\u0300-\u036f]")
_BLANK = re.compile(r"(?<!\d) | (?!\d)")  # not between two numbers
_LEAST_LETTERS = 5
"""Letters of a word that may have a typing error; many shorter words differ in one letter."""


@dataclass(slots=True)
class QuestionGroup:
    """A question in the wording in which it was asked most, all wordings with their number, and who asked.

    ``people`` is empty if the log does not say who asked. ``spelled`` are the words of the first wording as the
    documents spell them, ``names`` those that are names or numbers; ``misspelled`` are wordings with a typing error.
    """

    spelled: Sequence[str]
    names: set[str] = field(default_factory=set)
    wordings: Counter[str] = field(default_factory=Counter)
    people: set[str] = field(default_factory=set)
    misspelled: set[str] = field(default_factory=set)

    @property
    def question(self) -> str:
        """The most frequent wording without a misspelled word, of equals one with a question mark and a capital."""
        careful = {
            text: (text[-1:] not in "?？", text[:1].islower(), text.isascii(), len(text), text)
            for text in self.wordings
        }
        return min(self.wordings, key=lambda text: (text in self.misspelled, -self.wordings[text], careful[text]))

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
        self.misspelled |= other.misspelled


class Spelling:
    """The words of some texts, by which those of questions are spelled.

    Example:
        >>> Spelling(["The allowance is paid in Gdańsk."]).words("Is the Allownace paid in Gdansk?")
        ['is', 'the', 'allowance', 'paid', 'in', 'gdansk']
    """

    def __init__(self, texts: Iterable[str]) -> None:
        self._known: dict[str, set[str]] = {}
        for word in {word for text in texts for word in _plain_words(text)}:
            self._known.setdefault(word[:1], set()).add(word)
        self._spelled: dict[str, str] = {}

    def words(self, question: str) -> list[str]:
        """Return the words of a question, in lower case and without accents, as the texts spell them."""
        return [self._word(word) for word in _plain_words(question)]

    def _word(self, word: str) -> str:
        """Return the only known word with the same first letter that one typing error makes of ``word``, or itself."""
        if word not in self._spelled:
            known = self._known.get(word[:1], set())
            near = []
            if len(word) >= _LEAST_LETTERS and word.isalpha() and word not in known:
                near = [each for each in known if abs(len(each) - len(word)) < 2 and OSA.distance(word, each) == 1]
            self._spelled[word] = near[0] if len(near) == 1 else word
        return self._spelled[word]


def group_by_words(questions: Sequence[AskedQuestion], texts: Iterable[str] = ()) -> list[QuestionGroup]:
    """Return the questions grouped by their words, the most frequent group first; ``texts`` show how words are spelled.

    A group takes a question that is near to the wording it began with, so it does not drift. Letter case, accents,
    blanks and hyphens make no difference.

    Example:
        >>> turns = (("Who leads it?", "a"), ("who leads it", "b"), ("Why?", "b"))
        >>> asked = [AskedQuestion(*turn) for turn in turns]
        >>> [(group.question, group.count, len(group.people)) for group in group_by_words(asked)]
        [('Who leads it?', 2, 2), ('Why?', 1, 1)]
    """
    spelling, exact = Spelling(texts), dict[str, QuestionGroup]()
    for asked in questions:
        item = _as_item(asked.text)
        text = nearest_language(item.language).digits(asked.text)
        spelled = spelling.words(text)
        group = exact.setdefault(_BLANK.sub("", " ".join(spelled)), QuestionGroup(spelled))
        group.wordings[asked.text] += 1
        group.names.update(word for name in names_and_numbers(item) for word in spelling.words(name))
        group.misspelled |= {asked.text} if spelled != _plain_words(text) else set()
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
    """Check whether each has the names and numbers of the other, in whatever letter case."""
    return one.names <= {*other.spelled} and other.names <= {*one.spelled}


def _as_item(question: str) -> Item:
    return Item("", question, (), "", "", guess_language(question), ())


def _plain_words(text: str) -> list[str]:
    """Return the words of a text in lower case and without accents."""
    return words(_ACCENT.sub("", unicodedata.normalize("NFD", text)))


# What users ask about: questions joined by meaning, each topic named by its most telling words.

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
