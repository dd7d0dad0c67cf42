"""Two simple published heuristics on the form of an answer. They do not measure whether it is correct.

Coherence is the word overlap of neighbouring sentences (Foltz, Kintsch and Landauer 1998; Coh-Metrix, Graesser et al.
2004). Fluency is distinct-2 (Li et al. 2016), which detects repetition, the most common flaw of generated text.
"""

from __future__ import annotations

from itertools import pairwise

from kgsynth.language.sentence_ends import sentence_spans
from kgsynth.language.words import words
from kgsynth.scoring.metrics.factual_overlap import content_words


def coherence(answer: str, language: str = "en") -> float | None:
    """Return the mean share of content words that neighbouring sentences have in common.

    The share is the Dice coefficient. Return None when there are fewer than two sentences.

    Example:
        >>> coherence("Claims are paid on Friday. Late claims wait."), coherence("One sentence.")
        (0.3333333333333333, None)
    """
    sentences = [set(content_words(answer[start:end], language)) for start, end in sentence_spans(answer)]
    shares = [2 * len(a & b) / (len(a) + len(b)) for a, b in pairwise(sentences) if a or b]
    return sum(shares) / len(shares) if shares else None


def fluency(answer: str) -> float | None:
    """Return distinct-2: the distinct word pairs over all word pairs, or None for fewer than two words.

    Example:
        >>> fluency("the cat sat down"), fluency("no no no no no")
        (1.0, 0.25)
    """
    pairs = list(pairwise(words(answer)))
    return len(set(pairs)) / len(pairs) if pairs else None
