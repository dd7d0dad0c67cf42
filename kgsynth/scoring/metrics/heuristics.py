"""Two simple published heuristics on the form of an answer. They say nothing of whether it is right.

Coherence is what Foltz, Kintsch and Landauer (1998) and Coh-Metrix (Graesser et al. 2004) measure of it by words:
what neighbouring sentences share. Fluency is looked at from its commonest fault in generated text, repetition, by
distinct-n (Li et al. 2016). Grammar and style are left out.
"""

from __future__ import annotations

from itertools import pairwise

from kgsynth.language.words import sentence_spans, words
from kgsynth.scoring.metrics.factual_overlap import content_words


def coherence(answer: str, language: str = "en") -> float | None:
    """Return the share of content words that neighbouring sentences have in common, the mean over the pairs.

    The share is Dice's: twice the shared words over those of both. None for fewer than two sentences.

    Example:
        >>> coherence("Claims are paid on Friday. Late claims wait."), coherence("One sentence.")
        (0.3333333333333333, None)
    """
    sentences = [set(content_words(answer[start:end], language)) for start, end in sentence_spans(answer)]
    shares = [2 * len(a & b) / (len(a) + len(b)) for a, b in pairwise(sentences) if a or b]
    return sum(shares) / len(shares) if shares else None


def fluency(answer: str) -> float | None:
    """Return distinct-2: the different pairs of neighbouring words over all of them; None for fewer than two words.

    Example:
        >>> fluency("the cat sat down"), fluency("no no no no no")
        (1.0, 0.25)
    """
    pairs = list(pairwise(words(answer)))
    return len(set(pairs)) / len(pairs) if pairs else None
