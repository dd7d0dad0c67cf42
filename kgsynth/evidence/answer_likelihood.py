"""Estimate without a language model how likely it is that a text answers a question.

An unanswerable question mostly uses the words of the corpus too, so the share of words in common says little. What
matters is what the text lacks (a rare word, a name, a number) and how it contradicts the question (denial, opposite).
Also measured, without a gain: agreement of the governing verb, word pairs joined in the parse, and similarity of single
words by embedding. See benchmarks/answerable_roc.py.
"""

from __future__ import annotations

import math
import re
from collections import defaultdict
from collections.abc import Iterable
from typing import TYPE_CHECKING, NamedTuple

from kgsynth.base.thresholds import LIMITS
from kgsynth.language import language
from kgsynth.language.words import words

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

_NAME_IN_QUESTION = re.compile(r"(?<!^)(?<![.?!:] )\b[A-Z][\w’'-]*")


class AnswerFeatures(NamedTuple):
    """The features of a question and a text, each from 0 to 1."""

    cosine: float
    """Of the two embeddings."""
    length: float
    """Of the question: in a long one, a missing word weighs less."""
    kind: float
    """Whether the text has words of the kind asked for (a number, a time) besides those of the question."""
    missing: float
    """Rarity of the rarest word that the text lacks."""
    names: float
    """Share of the question's words, weighted by rarity, that are names and missing."""
    figure: float
    """Whether a number of the question is missing."""
    opposite: float
    """Whether the text has the opposite of a word instead of the word."""
    denial: float
    """Whether the question has a denial and the text has none."""
    extreme: float
    """Whether the question singles out (the first, the only) and the text does not."""

    @property
    def probability(self) -> float:
        """The probability that the text answers the question, if half of all questions are answered."""
        log_odds = LIMITS.answer_bias + math.fsum(WEIGHTS[name] * value for name, value in self._asdict().items())
        return 1 / (1 + math.exp(-log_odds))


WEIGHTS = {
    "cosine": 3.0,  # the same meaning, in whatever words
    "length": 1.0,  # a missing word is a smaller part of a long question
    "kind": 0.5,  # little: most sentences have a number or name that could be meant
    "missing": -1.0,  # a rare word may still be there as a synonym
    "names": -3.0,  # a name has no synonym: without it the text is about something else
    "figure": -1.0,  # a year has no synonym either; a round number may have one
    "opposite": -2.0,  # the reverse of what is asked
    "denial": -3.0,  # few texts that deny nothing answer what is not the case
    "extreme": -0.5,  # often implied
}
"""The weight of each feature, in log-odds: learned from human questions on eight articles (SQuAD 2.0), and rounded.

``benchmarks/answerable_roc.py`` measures them on eight others.
"""


class WordIndex:
    """The words of some sentences in one language: how rare each word is, and which sentences hold it.

    Example:
        >>> index = WordIndex(["The mill employs nine smiths.", "The depot burned down.", "Nobody lives there."], "en")
        >>> index.shares("How many smiths does the mill employ?").tolist()
        [1.0, 0.0, 0.0]
    """

    def __init__(self, sentences: Iterable[str], code: str) -> None:
        self.language = language(code)
        self._postings: dict[str, list[int]] = defaultdict(list)
        self._count = 0
        self._stems: dict[str, frozenset[str]] = {}
        for number, sentence in enumerate(sentences):
            self._count += 1
            for stem in set(self.language.content_stems(sentence)):
                self._postings[stem].append(number)

    def rarity(self, stem: str) -> float:
        """Return 1 for a stem in no sentence, and less the more sentences hold it."""
        count = len(self._postings.get(stem, ()))
        return math.log(1 + self._count / (1 + count)) / math.log(1 + self._count) if self._count else 1.0

    def shares(self, question: str) -> NDArray[np.float64]:
        """Return the share of a question's words, weighted by rarity, in each sentence, shape (sentences,)."""
        import numpy as np

        stems = self.stems(question)
        shares = np.zeros(self._count)
        for stem in stems:
            shares[self._postings.get(stem, [])] += self.rarity(stem)
        return shares / (math.fsum(map(self.rarity, stems)) or 1.0)

    def stems(self, text: str) -> frozenset[str]:
        """Return the stems of the content words of a text, with numbers as digits."""
        if text not in self._stems:  # several questions are asked of one text
            self._stems[text] = frozenset(self.language.content_stems(self.language.digits(text)))
        return self._stems[text]


def answer_features(question: str, text: str, index: WordIndex, *, cosine: float, headings: str = "") -> AnswerFeatures:
    """Return the features of a question and a text under ``headings``; ``cosine`` is that of their embeddings.

    Example:
        >>> index = WordIndex(["The mill employs nine smiths.", "The depot burned down."], "en")
        >>> answer_features("How many smiths does the mill employ?", "It employs nine.", index, cosine=0.8).missing
        0.6309297535714574
    """
    asked = index.stems(question)
    missing = asked - index.stems(text) - index.stems(headings)
    kind = index.language.answer_kind(question)
    # "organization" of "which organization" need not be in the text; "smiths" of "how many smiths" must
    optional = filter(index.language.may_share(question, ""), missing) if kind != "number" else ()
    needed = missing - frozenset(optional)
    total = math.fsum(map(index.rarity, asked)) or 1.0
    names = {stem for match in _NAME_IN_QUESTION.finditer(question) for stem in index.stems(match.group())}
    contradictions = index.language.contradictions(question, f"{headings} {text}")
    words_asked = set(words(question))
    rest = " ".join(word for word in words(text) if word not in words_asked)
    return AnswerFeatures(
        cosine=max(0.0, cosine),
        length=min(1.0, len(asked) / LIMITS.long_question_words),
        kind=float(index.language.fits_kind(kind, rest)),
        missing=max(map(index.rarity, needed), default=0.0),
        names=math.fsum(map(index.rarity, names & missing)) / total,
        figure=float(any(stem[0].isdigit() for stem in missing)),
        opposite=float("opposite" in contradictions),
        denial=float("denial" in contradictions),
        extreme=float("extreme" in contradictions),
    )
