"""Overlap of an answer with the golden ones: BLEU, ROUGE and METEOR, each named with its variant.

BLEU is sacrebleu's. ROUGE and METEOR are on Unicode tokens, a Chinese, Japanese or Korean character being one; no
stemmer, no synonyms. Every figure lies between 0 and 1. Of several golden answers ROUGE and METEOR take the best,
BLEU takes all as references.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import cache
from itertools import pairwise
from typing import Any

from kgsynth.language.words import has_cjk, words
from kgsynth.scoring.metrics.retrieval import harmonic

ALPHA, BETA, GAMMA = 0.9, 3.0, 0.5
"""METEOR's weight of recall, and the power and weight of its penalty for scattered words (Banerjee and Lavie 2005)."""


# ---- BLEU ------------------------------------------------------------------------------------------


def bleu(answer: str, golden: Sequence[str]) -> float:
    """Return sacrebleu's sentence BLEU with effective order, over 100: orders longer than the answer are left out.

    Example:
        >>> bleu("Tony Stark", ["Tony Stark"]), bleu("我在北京", ["我在北京"])
        (1.0, 1.0)
    """
    said, wanted = _tokenised(answer, golden)
    return _share(_scorer(True).sentence_score(said, wanted)) if wanted else 0.0


def corpus_bleu(pairs: Sequence[tuple[str, Sequence[str]]]) -> float:
    """Return sacrebleu's corpus BLEU of answers with their golden ones, over 100.

    Example:
        >>> pairs = [("Tony Stark", ["Anthony Stark"]), ("the red cat sat down", ["the red cat sat down"])]
        >>> round(corpus_bleu(pairs), 4)
        0.91
    """
    tokenised = [pair for answer, golden in pairs if (pair := _tokenised(answer, golden))[1]]
    if not tokenised:
        return 0.0
    width = max(len(wanted) for _, wanted in tokenised)
    streams = [[wanted[at] if at < len(wanted) else None for _, wanted in tokenised] for at in range(width)]
    return _share(_scorer(False).corpus_score([said for said, _ in tokenised], streams))


def _share(found: Any) -> float:
    return min(float(found.score) / 100, 1.0)  # sums of logarithms can end a hair above 1


def _tokenised(answer: str, golden: Sequence[str]) -> tuple[str, list[str]]:
    """Return a pair as tokens between blanks: by sacrebleu's ``zh`` where either holds Chinese, else by ``13a``."""
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
    """Return runs of letters and digits, lower-cased; an apostrophe parts, as in rouge_score.

    Example:
        >>> rouge_tokens("Ada's GPT4是模型")
        ['ada', 's', 'gpt4', '是', '模', '型']
    """
    return [part for word in words(text) for part in word.split("'")]


def rouge_n(answer: str, golden: Sequence[str], n: int) -> float:
    """Return the F-measure of shared n-grams, counted as a multiset (Lin 2004).

    Example:
        >>> round(rouge_n("the cat sat", ["the cat ran"], 1), 4), rouge_n("the cat sat", ["the cat ran"], 2)
        (0.6667, 0.5)
    """
    said = _grams(rouge_tokens(answer), n)
    return max((_f(said & wanted, said, wanted) for wanted in (_grams(rouge_tokens(g), n) for g in golden)), default=0)


def _grams(tokens: list[str], n: int) -> Counter[tuple[str, ...]]:
    return Counter(zip(*(tokens[at:] for at in range(n)), strict=False))


def _f(shared: Counter[Any], said: Counter[Any], wanted: Counter[Any]) -> float:
    both = shared.total()
    return harmonic(both / said.total(), both / wanted.total()) if both else 0.0


def rouge_l(answer: str, golden: Sequence[str]) -> float:
    """Return the F-measure of the longest common subsequence of tokens (Lin 2004).

    Example:
        >>> round(rouge_l("the red cat sat", ["the cat sat down"]), 4)
        0.75
    """
    from rapidfuzz.distance import LCSseq

    said = rouge_tokens(answer)
    best = 0.0
    for text in golden:
        wanted = rouge_tokens(text)
        if both := LCSseq.similarity(said, wanted):
            best = max(best, harmonic(both / len(said), both / len(wanted)))
    return best


# ---- METEOR ----------------------------------------------------------------------------------------


def meteor(answer: str, golden: Sequence[str]) -> float:
    """Return METEOR with exact matches alone (Banerjee and Lavie 2005): no stems, no synonyms.

    Words in the same order are worth more than scattered ones. As published an answer of one right word scores 0.5.

    Example:
        >>> meteor("Paris", ["Paris"]), round(meteor("every second Friday", ["every second Friday"]), 4)
        (0.5, 0.9815)
    """
    said = words(answer)
    return max((_meteor(said, words(text)) for text in golden), default=0.0)


def _meteor(said: list[str], wanted: list[str]) -> float:
    places = _aligned(said, wanted)
    if not places:
        return 0.0
    precision, recall = len(places) / len(said), len(places) / len(wanted)
    mean = precision * recall / (ALPHA * precision + (1 - ALPHA) * recall)
    follows = sum(b == (a[0] + 1, a[1] + 1) for a, b in pairwise(places))
    return float(mean * (1 - GAMMA * ((len(places) - follows) / len(places)) ** BETA))


def _aligned(said: list[str], wanted: list[str]) -> list[tuple[int, int]]:
    """Pair equal words one to one in the order of the answer: with the place after the last pair, or the first free."""
    free: dict[str, list[int]] = {}
    for place, word in enumerate(wanted):
        free.setdefault(word, []).append(place)
    pairs: list[tuple[int, int]] = []
    for at, word in enumerate(said):
        if open_ := free.get(word):
            next_ = pairs[-1][1] + 1 if pairs else 0
            place = next_ if next_ in open_ else open_[0]
            open_.remove(place)
            pairs.append((at, place))
    return pairs
