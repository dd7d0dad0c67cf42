"""BLEU, ROUGE and METEOR of an answer against the golden answers, all between 0 and 1.

BLEU is sacrebleu's. ROUGE and METEOR compare Unicode tokens without stemming or synonyms; each Chinese, Japanese or
Korean character is a token. With several golden answers, ROUGE and METEOR take the best, BLEU uses all as references.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import cache
from itertools import pairwise
from typing import Any

from kgsynth.language.words import has_cjk, words
from kgsynth.scoring.metrics.retrieval import harmonic_mean

ALPHA, BETA, GAMMA = 0.9, 3.0, 0.5
"""METEOR's weight of recall, and the power and weight of its fragmentation penalty (Banerjee and Lavie 2005)."""


# ---- BLEU ------------------------------------------------------------------------------------------


def bleu(answer: str, golden: Sequence[str]) -> float:
    """Return sacrebleu's sentence BLEU, divided by 100; n-gram orders longer than the answer are ignored.

    Example:
        >>> bleu("Tony Stark", ["Tony Stark"]), bleu("我在北京", ["我在北京"])
        (1.0, 1.0)
    """
    tokens, references = _tokenised(answer, golden)
    return _share(_scorer(True).sentence_score(tokens, references)) if references else 0.0


def corpus_bleu(pairs: Sequence[tuple[str, Sequence[str]]]) -> float:
    """Return sacrebleu's corpus BLEU of answers and their golden answers, divided by 100.

    Example:
        >>> pairs = [("Tony Stark", ["Anthony Stark"]), ("the red cat sat down", ["the red cat sat down"])]
        >>> round(corpus_bleu(pairs), 4)
        0.91
    """
    tokenised = [pair for answer, golden in pairs if (pair := _tokenised(answer, golden))[1]]
    if not tokenised:
        return 0.0
    most = max(len(references) for _, references in tokenised)
    streams = [[found[at] if at < len(found) else None for _, found in tokenised] for at in range(most)]
    return _share(_scorer(False).corpus_score([tokens for tokens, _ in tokenised], streams))


def _share(result: Any) -> float:
    return min(float(result.score) / 100, 1.0)  # rounding can give slightly more than 1


def _tokenised(answer: str, golden: Sequence[str]) -> tuple[str, list[str]]:
    """Return both as tokens separated by blanks: by sacrebleu's ``zh`` if any is Chinese, otherwise by ``13a``."""
    tokenizer = _tokenizer(has_cjk(answer) or any(map(has_cjk, golden)))
    return tokenizer(answer), [tokens for text in golden if (tokens := tokenizer(text))]


@cache
def _scorer(effective_order: bool) -> Any:
    from sacrebleu.metrics.bleu import BLEU

    return BLEU(tokenize="none", force=True, effective_order=effective_order)


@cache
def _tokenizer(cjk: bool) -> Any:
    if cjk:
        from sacrebleu.tokenizers.tokenizer_zh import TokenizerZh

        return TokenizerZh()  # type: ignore[no-untyped-call]
    from sacrebleu.tokenizers.tokenizer_13a import Tokenizer13a

    return Tokenizer13a()  # type: ignore[no-untyped-call]


# ---- ROUGE -----------------------------------------------------------------------------------------


def rouge_tokens(text: str) -> list[str]:
    """Return lower-cased runs of letters and digits, split at apostrophes as in rouge_score.

    Example:
        >>> rouge_tokens("Ada's GPT4是模型")
        ['ada', 's', 'gpt4', '是', '模', '型']
    """
    return [part for word in words(text) for part in word.split("'")]


def rouge_n(answer: str, golden: Sequence[str], n: int) -> float:
    """Return the F-measure of the shared n-grams, counted as a multiset (Lin 2004).

    Example:
        >>> round(rouge_n("the cat sat", ["the cat ran"], 1), 4), rouge_n("the cat sat", ["the cat ran"], 2)
        (0.6667, 0.5)
    """
    found = _ngrams(rouge_tokens(answer), n)
    return max((_f_measure(found, _ngrams(rouge_tokens(text), n)) for text in golden), default=0)


def _ngrams(tokens: list[str], n: int) -> Counter[tuple[str, ...]]:
    return Counter(zip(*(tokens[at:] for at in range(n)), strict=False))


def _f_measure(found: Counter[Any], wanted: Counter[Any]) -> float:
    shared = (found & wanted).total()
    return harmonic_mean(shared / found.total(), shared / wanted.total()) if shared else 0.0


def rouge_l(answer: str, golden: Sequence[str]) -> float:
    """Return the F-measure of the longest common subsequence of tokens (Lin 2004).

    Example:
        >>> round(rouge_l("the red cat sat", ["the cat sat down"]), 4)
        0.75
    """
    from rapidfuzz.distance import LCSseq

    found = rouge_tokens(answer)
    best = 0.0
    for text in golden:
        wanted = rouge_tokens(text)
        if shared := LCSseq.similarity(found, wanted):
            best = max(best, harmonic_mean(shared / len(found), shared / len(wanted)))
    return best


# ---- METEOR ----------------------------------------------------------------------------------------


def meteor(answer: str, golden: Sequence[str]) -> float:
    """Return METEOR with exact matches only (Banerjee and Lavie 2005): no stems, no synonyms.

    Words in the same order score higher than scattered ones. As published, a single correct word scores 0.5.

    Example:
        >>> meteor("Paris", ["Paris"]), round(meteor("every second Friday", ["every second Friday"]), 4)
        (0.5, 0.9815)
    """
    found = words(answer)
    return max((_meteor(found, words(text)) for text in golden), default=0.0)


def _meteor(found: list[str], wanted: list[str]) -> float:
    pairs = _aligned(found, wanted)
    if not pairs:
        return 0.0
    precision, recall = len(pairs) / len(found), len(pairs) / len(wanted)
    mean = precision * recall / (ALPHA * precision + (1 - ALPHA) * recall)
    adjacent = sum(b == (a[0] + 1, a[1] + 1) for a, b in pairwise(pairs))
    return float(mean * (1 - GAMMA * ((len(pairs) - adjacent) / len(pairs)) ** BETA))


def _aligned(found: list[str], wanted: list[str]) -> list[tuple[int, int]]:
    """Pair equal words one to one, as (place in ``found``, place in ``wanted``), in the order of ``found``.

    A word is paired with the place right after the previous pair if that is free, otherwise with its first free place.
    """
    free: dict[str, list[int]] = {}
    for place, word in enumerate(wanted):
        free.setdefault(word, []).append(place)
    pairs: list[tuple[int, int]] = []
    for at, word in enumerate(found):
        if places := free.get(word):
            after_last = pairs[-1][1] + 1 if pairs else 0
            place = after_last if after_last in places else places[0]
            places.remove(place)
            pairs.append((at, place))
    return pairs
