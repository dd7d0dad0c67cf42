"""A reader without a language model: how likely is it that a sentence, found for a question, answers it?

Questions that a text does not answer are mostly made of its own words, so a share of words in common tells little.
What tells is what stands in the way: a rare word, a name or a figure that the sentence lacks, a denial, an opposite.
Measured and left out, as they told no more: agreement of the governing verb, pairs of words joined in the parse,
likeness of single words by embedding. See benchmarks/answerable_roc.py.
"""

from __future__ import annotations

import math
import re
from collections import defaultdict
from collections.abc import Iterable
from typing import TYPE_CHECKING, NamedTuple

from kgsynth.language import language
from kgsynth.language.words import words

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

_LONG = 12  # content words; a question of more is long
_NAME = re.compile(r"(?<!^)(?<![.?!:] )\b[A-Z][\w’'-]*")


class Reading(NamedTuple):
    """What was seen of a question in a statement; each from 0 to 1."""

    cosine: float
    """Of the embeddings of both."""
    length: float
    """Of the question: the same misses weigh less where much else is found."""
    kind: float
    """Whether words of the asked kind (a figure, a time) are left once those of the question are struck out."""
    missing: float
    """How rare the rarest word is that is not stated."""
    names: float
    """Share of the question's words, by rarity, that are names and not stated."""
    figure: float
    """Whether a figure of the question is not stated."""
    opposite: float
    """Whether the opposite of a word is stated instead of it."""
    denial: float
    """Whether the question denies what the statement does not."""
    extreme: float
    """Whether the question singles out where the statement does not: the first, the only."""

    @property
    def score(self) -> float:
        """The probability, where as many questions are answered as not, that this one is."""
        return 1 / (1 + math.exp(-BIAS - math.fsum(WEIGHTS[name] * value for name, value in self._asdict().items())))


WEIGHTS = {
    "cosine": 3.0,  # says the same, in whatever words
    "length": 1.0,  # what is left open is less of a long question
    "kind": 0.5,  # a little only: most sentences hold a figure or a name that could be meant
    "missing": -1.0,  # a rare word may still be there as a synonym
    "names": -3.0,  # a name has no synonym: without it the sentence is of something else
    "figure": -1.0,  # nor has a year; a round number may be put otherwise
    "opposite": -2.0,  # the other side of what is asked
    "denial": -3.0,  # seldom asked of a text that does not say what is not so
    "extreme": -0.5,  # often implied and not said
}
"""What each thing seen counts, in log-odds: learned from people's questions on eight articles (SQuAD 2.0), and rounded.

``benchmarks/answerable_roc.py`` measures them on eight others.
"""
BIAS = -1.5
"""The log-odds of a sentence in which nothing of the question was seen."""


class Reader:
    """Knows how rare each word is among the sentences of a corpus, and which sentence holds it.

    Example:
        >>> reader = Reader(["The mill employs nine smiths.", "The depot burned down.", "Nobody lives there."], "en")
        >>> asked = "How many smiths does the mill employ?"
        >>> reader.shares(asked).tolist()
        [1.0, 0.0, 0.0]
        >>> reader.read(asked, "The mill employs nine smiths.", cosine=0.8).missing
        0.0
    """

    def __init__(self, sentences: Iterable[str], code: str) -> None:
        self._language = language(code)
        self._postings: dict[str, list[int]] = defaultdict(list)
        self._count = 0
        for number, sentence in enumerate(sentences):
            self._count += 1
            for stem in set(self._language.content_stems(sentence)):
                self._postings[stem].append(number)

    def rarity(self, stem: str) -> float:
        """Return 1 for a stem that no sentence holds, less the more of them do."""
        count = len(self._postings.get(stem, ()))
        return math.log(1 + self._count / (1 + count)) / math.log(1 + self._count) if self._count else 1.0

    def shares(self, question: str) -> NDArray[np.float64]:
        """Return the share of the question's words, by rarity, that each sentence of the corpus holds."""
        import numpy as np

        stems = self._stems(question)
        shares = np.zeros(self._count)
        for stem in stems:
            shares[self._postings.get(stem, [])] += self.rarity(stem)
        return shares / (math.fsum(map(self.rarity, stems)) or 1.0)

    def read(self, question: str, stated: str, *, cosine: float, headings: str = "") -> Reading:
        """Return what a statement, with the headings over it, leaves open of a question."""
        asked = self._stems(question)
        unsaid = asked - self._stems(stated) - self._stems(headings)
        needed = unsaid - self._type_of_answer(question, unsaid)
        total = math.fsum(map(self.rarity, asked)) or 1.0
        names = {stem for match in _NAME.finditer(question) for stem in self._stems(match.group())}
        odds = self._language.contradictions(question, f"{headings} {stated}")
        return Reading(
            cosine=max(0.0, cosine),
            length=min(1.0, len(asked) / _LONG),
            kind=float(self._holds_the_kind(question, stated)),
            missing=max(map(self.rarity, needed), default=0.0),
            names=math.fsum(map(self.rarity, names & unsaid)) / total,
            figure=float(any(stem[0].isdigit() for stem in unsaid)),
            opposite=float("opposite" in odds),
            denial=float("denial" in odds),
            extreme=float("extreme" in odds),
        )

    def _stems(self, text: str) -> frozenset[str]:
        return frozenset(self._language.content_stems(self._language.digits(text)))

    def _type_of_answer(self, question: str, unsaid: frozenset[str]) -> frozenset[str]:
        """Return the words that only say what kind of thing is asked for: "organization" of "which organization"."""
        if self._language.answer_kind(question) == "number":  # "how many smiths": smiths must be spoken of
            return frozenset()
        return frozenset(filter(self._language.may_share(question, ""), unsaid))

    def _holds_the_kind(self, question: str, stated: str) -> bool:
        asked = set(words(question))
        rest = " ".join(word for word in words(stated) if word not in asked)
        return self._language.fits_kind(self._language.answer_kind(question), rest)
