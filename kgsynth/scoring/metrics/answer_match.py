"""Answers by rule: exact match, substring, shared tokens, length, refusal.

English is normalised as SQuAD v2 does it. Where a text of the pair holds Chinese (or kana, or hangul) both are read
after NFKC, punctuation of either width dropped, each such character a token. A golden answer ``re:…`` is a regular
expression, read by exact match and substring alone. BLEU and its like are in ``overlap``, names and numbers in
``facts``.
"""

from __future__ import annotations

import re
import string
from collections import Counter
from collections.abc import Sequence
from itertools import islice
from typing import NamedTuple

from kgsynth.golden.answer_patterns import pattern, plain
from kgsynth.language.words import count_words, has_cjk, sentence_spans, words
from kgsynth.scoring.metrics.retrieval import harmonic

_ARTICLE = re.compile(r"\b(a|an|the)\b")
_NO_PUNCTUATION = str.maketrans("", "", string.punctuation)

_SOURCE = r"(?:context|documents?|text|passages?|sources?|corpus|information|materials?|excerpts?|article)"
_REFUSALS = {
    "en": rf"""
    \b(?:do|did)(?:\ not|n'?t)\ (?:actually\ |really\ )?know\b
    | \b(?:do|did)(?:\ not|n'?t)\ have\ (?:enough|sufficient|any|the)\ (?:information|context)
    | \b(?:cannot|can\ not|can'?t|could\ not|couldn'?t|unable\ to|not\ (?:able|possible)\ to)\ (?:be\ )?
      (?:answer|determin|find|found|locate|tell|say|provide\ an\ answer)
    | \b(?:no|not\ enough|insufficient|not\ sufficient)\ (?:relevant\ |such\ )?(?:information|context|answer|data)\b
    | \b{_SOURCE}\ (?:\w+\ )?(?:does|do|did)(?:\ not|n'?t)\ (?:\w+\ )?
      (?:contain|mention|provide|specify|state|say|include|answer|cover|give|discuss)
    | \bnot\ (?:mentioned|specified|stated|provided|given|available|covered|found|contained)\ (?:in|by)
      \ (?:the\ )?(?:\w+\ )?{_SOURCE}
    | \b(?:unanswerable|not\ answerable)\b | ^\W*(?:unknown|n/?a|not\ found|none)\W*$
    """,
    "zh": r"""
    不知道 | (?:无法|不能|难以)(?:回答|确定|得知|判断|找到|从) | 找不到 | 未知 | (?:信息|资料)不足
    | (?:没有|无|缺乏|缺少)(?:任何|足够的?|相关|充分的?)*(?:信息|资料|内容|答案)
    | (?:未|没有|并未|并没有)(?:提及|提到|提供|说明|给出|找到|涉及)
    """,
}
_REFUSAL = re.compile("|".join(_REFUSALS.values()), re.VERBOSE | re.IGNORECASE)
"""The phrases of all languages: an answer may be in another language than its question."""


class Overlap(NamedTuple):
    """Shared tokens as shares: of the answer (precision), of the golden answer (recall), and their harmonic mean."""

    precision: float
    recall: float
    f1: float


def tokens(text: str, cjk: bool = False) -> list[str]:
    """Return the normalised tokens of ``text``: SQuAD v2's, or with ``cjk`` words and single characters.

    SQuAD v2, in this order: lower case, ASCII punctuation out, articles out, blanks.

    Example:
        >>> tokens("The Eiffel-Tower, a landmark!")
        ['eiffeltower', 'landmark']
        >>> tokens("ＧＰＴ4是模型。", cjk=True)
        ['gpt4', '是', '模', '型']
    """
    if cjk:
        return words(text)
    return _ARTICLE.sub(" ", text.lower().translate(_NO_PUNCTUATION)).split()


def _pair(answer: str, golden: str) -> tuple[list[str], list[str]]:
    cjk = has_cjk(answer) or has_cjk(golden)
    return tokens(answer, cjk), tokens(golden, cjk)


def exact_match(answer: str, golden: Sequence[str]) -> float:
    """Return 1 when the answer equals any golden answer after normalisation, else 0.

    A regular expression must match the whole answer as given, but for white space around it and a full stop at its end.

    Example:
        >>> exact_match("the Tony Stark.", ["Tony Stark"]), exact_match("Tony Stark", ["Anthony Edward Stark"])
        (1.0, 0.0)
        >>> exact_match("Version 3.1.", [r"re:(version )?3\\.1"])
        1.0
    """
    whole = answer.strip()
    return float(any(_equals(text, answer, (whole, whole.rstrip(".。"))) for text in golden))


def _equals(golden: str, answer: str, whole: tuple[str, str]) -> bool:
    regex = pattern(golden)
    if regex:
        return any(regex.fullmatch(text) for text in whole)
    said, wanted = _pair(answer, golden)
    return said == wanted


def sub_exact_match(answer: str, golden: Sequence[str]) -> float:
    """Return 1 when the tokens of any golden answer stand in the answer, in a row, else 0.

    A golden answer without tokens is met only by an answer without tokens; a regular expression is looked for in the
    answer as given.

    Example:
        >>> sub_exact_match("It is Paris, of course.", ["Paris"]), sub_exact_match("a category", ["cat"])
        (1.0, 0.0)
    """
    return float(any(_stands_in(text, answer) for text in golden))


def _stands_in(golden: str, answer: str) -> bool:
    regex = pattern(golden)
    if regex:
        return bool(regex.search(answer))
    said, wanted = _pair(answer, golden)
    if not wanted:
        return not said
    size = len(wanted)
    return any(said[at : at + size] == wanted for at in range(len(said) - size + 1))


def token_overlap(answer: str, golden: Sequence[str]) -> Overlap:
    """Return the tokens shared with the golden answer that shares most (by F1), counted as a multiset.

    When the answer or the golden answer has no tokens all three are 1 if both have none, else 0 (SQuAD v2).

    Example:
        >>> overlap = token_overlap("Tony Stark", ["Anthony Edward Stark"])
        >>> round(overlap.precision, 2), round(overlap.recall, 2), round(overlap.f1, 2)
        (0.5, 0.33, 0.4)
    """
    best = Overlap(0.0, 0.0, 0.0)
    for text in golden:
        said, wanted = _pair(answer, text)
        if said and wanted:
            shared = (Counter(said) & Counter(wanted)).total()
            share, found = shared / len(said), shared / len(wanted)
            overlap = Overlap(share, found, harmonic(share, found))
        else:
            overlap = Overlap(*[float(said == wanted)] * 3)
        if overlap.f1 > best.f1:
            best = overlap
    return best


def right(answer: str, golden: Sequence[str]) -> bool:
    """Say whether a golden answer stands in the answer, or all words of the nearest do, in whatever order.

    Example:
        >>> right("It is Low, Ada.", ["Ada Low"]), right("Ada", ["Ada Low"])
        (True, False)
    """
    if exact_match(answer, golden) or sub_exact_match(answer, golden):
        return True
    return token_overlap(answer, plain(golden)).recall == 1


def answer_length(answer: str) -> float:
    """Return the length of the answer in words; a Chinese character is a word.

    Example:
        >>> answer_length("Two words.")
        2.0
    """
    return float(count_words(answer))


def refuses(answer: str) -> bool:
    """Say whether the answer declines to answer: empty, or a phrase of refusal in its first two sentences.

    The phrases are a small lexicon, English and Chinese; a model may refuse in words that are not in it.

    Example:
        >>> refuses("I don't know."), refuses("文中没有提到。"), refuses("The plan does not cover dental care.")
        (True, True, False)
    """
    text = answer.replace("’", "'").strip()
    opening = " ".join(text[start:end] for start, end in islice(sentence_spans(text), 2))
    return not text or bool(_REFUSAL.search(" ".join(opening.split())))
