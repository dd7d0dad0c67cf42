"""BLEU and ROUGE-L of an answer against the golden answers, both between 0 and 1.

BLEU is sacrebleu's. ROUGE-L compares Unicode tokens without stemming; each Chinese, Japanese or Korean character is a
token. With several golden answers, ROUGE-L takes the best, BLEU uses all as references.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Any

from kgsynth.language.words import has_cjk, words
from kgsynth.scoring.metrics.retrieval import harmonic_mean


def bleu(answer: str, golden: Sequence[str]) -> float:
    """Return sacrebleu's sentence BLEU, divided by 100; n-gram orders longer than the answer are ignored.

    The tokens are those of sacrebleu's ``zh`` if any of the texts is Chinese, otherwise those of ``13a``.

    Example:
        >>> bleu("Tony Stark", ["Tony Stark"]), bleu("我在北京", ["我在北京"])
        (1.0, 1.0)
    """
    references = [text for text in golden if text.strip()]
    if not references:
        return 0.0
    scorer = _scorer("zh" if any(map(has_cjk, (answer, *golden))) else "13a")
    return min(float(scorer.sentence_score(answer, references).score) / 100, 1.0)  # rounding can give more than 1


@cache
def _scorer(tokenizer: str) -> Any:
    from sacrebleu.metrics.bleu import BLEU

    return BLEU(tokenize=tokenizer, effective_order=True)


def rouge_l(answer: str, golden: Sequence[str]) -> float:
    """Return the F-measure of the longest common subsequence of tokens (Lin 2004).

    Example:
        >>> round(rouge_l("the red cat sat", ["the cat sat down"]), 4)
        0.75
    """
    from rapidfuzz.distance import LCSseq

    found = _rouge_tokens(answer)
    best = 0.0
    for text in golden:
        wanted = _rouge_tokens(text)
        if shared := LCSseq.similarity(found, wanted):
            best = max(best, harmonic_mean(shared / len(found), shared / len(wanted)))
    return best


def _rouge_tokens(text: str) -> list[str]:
    """Return lower-cased runs of letters and digits, split at apostrophes as in rouge_score."""
    return [part for word in words(text) for part in word.split("'")]
