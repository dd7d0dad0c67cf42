"""Compare answers with golden answers by rule: exact match, substring, shared tokens, length, refusal.

Exact match and shared tokens are those of SQuAD v2, in a language without blanks between words those of CMRC 2018. A
substring is looked for by characters there, after NFKC. A golden answer ``re:…`` is a regular
expression; only exact match and substring use it. BLEU, ROUGE and METEOR are in ``text_overlap``, names and numbers in
``factual_overlap``.
"""

from __future__ import annotations

import re
import string
from collections import Counter
from collections.abc import Sequence
from difflib import SequenceMatcher
from functools import lru_cache
from itertools import islice
from typing import NamedTuple

from kgsynth.golden.answer_patterns import pattern, plain_answers
from kgsynth.language import nearest_language
from kgsynth.language.sentence_ends import sentence_spans
from kgsynth.language.words import CJK, is_unspaced, words
from kgsynth.scoring.metrics.answer_markup import answer_forms
from kgsynth.scoring.metrics.other_words import in_other_words
from kgsynth.scoring.metrics.retrieval import harmonic_mean

_SQUAD_ARTICLE = re.compile(r"\b(a|an|the)\b")
_NO_PUNCTUATION = str.maketrans("", "", string.punctuation)
_MARK_BETWEEN_WORDS = re.compile(r"(?:(?<!\d)[,:;/|=]|[,:;/|=](?!\d)|-{2,}|(?<!\d)[–—―]|[–—―](?!\d)|[…!?()“”])")
"""A mark that parts two words also without a blank. Hyphens, dots and apostrophes are inside of words, as are marks
between two digits."""

_SOURCE_NOUN = r"(?:context|documents?|text|passages?|sources?|corpus|information|materials?|excerpts?|article)"
_REFUSALS = {
    "en": rf"""
    \b(?:do|did)(?:\ not|n'?t)\ (?:actually\ |really\ )?know\b
    | \b(?:do|did)(?:\ not|n'?t)\ have\ (?:enough|sufficient|any|the)\ (?:information|context)
    | \b(?:cannot|can\ not|can'?t|could\ not|couldn'?t|unable\ to|not\ (?:able|possible)\ to)\ (?:be\ )?
      (?:answer|determin|find|found|locate|tell|say|provide\ an\ answer)
    | \b(?:no|not\ enough|insufficient|not\ sufficient)\ (?:relevant\ |such\ )?(?:information|context|answer|data)\b
    | \b{_SOURCE_NOUN}\ (?:\w+\ )?(?:does|do|did)(?:\ not|n'?t)\ (?:\w+\ )?
      (?:contain|mention|provide|specify|state|say|include|answer|cover|give|discuss)
    | \bnot\ (?:mentioned|specified|stated|provided|given|available|covered|found|contained)\ (?:in|by)
      \ (?:the\ )?(?:\w+\ )?{_SOURCE_NOUN}
    | \b(?:unanswerable|not\ answerable)\b | ^\W*(?:unknown|n/?a|not\ found|none)\W*$
    """,
    "zh": r"""
    不(?:知道|清楚|得而知) | 找不到 | 未知 | 回答不了
    | [无無](?:法|从|從)(?:回答|确定|確定|得知|判断|判斷|找到|从|從|确认|確認|提供|推断|推斷|知道)
    | (?:不能|难以|難以)(?:回答|确定|確定|得知|判断|判斷|找到|从|從) | (?:信息|资料|資料|資訊)不足
    | (?:没有|沒有|[无無]|缺乏|缺少)(?:任何|[足相有充](?:够|夠|关|關|分)的?)*(?:信息|资料|資料|資訊|内容|內容|答案|记载)
    | (?:[没沒]有?|并?未|並未|并没有|並沒有)(?:明确|明確|具体|具體|直接|在[^，。]{1,12}[中里裡内內])?
      (?:提及|提到|提供|说明|說明|给出|給出|找到|涉及|指出|指明|记载|記載)
    """,
}
_REFUSAL = re.compile("|".join(_REFUSALS.values()), re.VERBOSE | re.IGNORECASE)
"""The phrases of all languages: an answer may be in another language than its question."""

WORD_BY_WORD = (
    "answers are compared by words: a right answer in other words may fail, and a wrong one with the right words may "
    "pass; --judge MODEL or --semantic look at meaning"
)
"""What to know of a pass rate of answers."""
OF_WORDS = frozenset({"pass_rate", "em", "sub_em", "token_f1"})
"""The main metrics that compare answers by words."""


def titled(metric: str, notes: Sequence[str]) -> str:
    """Return a metric as the title of a figure, which says so if the ``notes`` say that words alone are compared.

    Example:
        >>> titled("em", [WORD_BY_WORD]), titled("em", []), titled("recall@5", [WORD_BY_WORD])
        ('em by words', 'em', 'recall@5')
    """
    return f"{metric} by words" if metric in OF_WORDS and WORD_BY_WORD in notes else metric


class TokenOverlap(NamedTuple):
    """Shared tokens as a share of the answer (precision), of the golden answer (recall), and their harmonic mean."""

    precision: float
    recall: float
    f1: float


def tokens(text: str, cjk: bool = False) -> list[str]:
    """Return the normalised tokens of ``text``: those of SQuAD v2, or with ``cjk`` words and single CJK characters.

    SQuAD v2 lower-cases, removes ASCII punctuation, removes articles, and splits at white space, in this order.

    Example:
        >>> tokens("The Eiffel-Tower, a landmark!")
        ['eiffeltower', 'landmark']
        >>> tokens("ＧＰＴ4是模型。", cjk=True)
        ['gpt4', '是', '模', '型']
    """
    if cjk:
        return words(text)
    return _SQUAD_ARTICLE.sub(" ", text.lower().translate(_NO_PUNCTUATION)).split()


def parted(text: str) -> str:
    """Return a text with a blank for each mark that parts two words, where SQuAD v2 would join them.

    Example:
        >>> parted("Answer:62 kg—as in a/b"), parted("at 02:00, state-of-the-art, 1,500")
        ('Answer 62 kg as in a b', 'at 02:00  state-of-the-art  1,500')
    """
    return _MARK_BETWEEN_WORDS.sub(" ", text)


def _with_tokens(golden: Sequence[str], cjk: bool) -> Sequence[str]:
    """Return the golden answers that have tokens, all of them if none has: SQuAD v2 ignores the others."""
    return [text for text in golden if tokens(text, cjk)] or golden


def exact_match(answer: str, golden: Sequence[str], code: str = "en") -> float:
    """Return 1 when the answer equals any golden answer after normalisation, otherwise 0.

    ``code`` is the language of the question. A regular expression must match the complete answer, ignoring
    surrounding white space and a final full stop. Golden answers without tokens count only if all are.

    Example:
        >>> exact_match("the Tony Stark.", ["Tony Stark"]), exact_match("Tony Stark", ["Anthony Edward Stark"])
        (1.0, 0.0)
        >>> exact_match("Version 3.1.", [r"re:(version )?3\\.1"])
        1.0
    """
    cjk = is_unspaced(code)
    return float(any(_equals(answer, text, cjk) for text in _with_tokens(golden, cjk)))


def _equals(answer: str, golden: str, cjk: bool) -> bool:
    if regex := pattern(golden):
        stripped = answer.strip()
        return any(regex.fullmatch(text) for text in (stripped, stripped.rstrip(".。")))
    if cjk:
        return same_text(answer, golden)
    return tokens(answer) == tokens(golden)


def sub_exact_match(answer: str, golden: Sequence[str], code: str = "en") -> float:
    """Return 1 when the answer contains the tokens of any golden answer in a row, otherwise 0.

    A golden answer without tokens matches only an answer without tokens. A regular expression is searched for in the
    answer as given. A mark between two words may join them, as in SQuAD v2, or part them.

    Example:
        >>> sub_exact_match("It is Paris, of course.", ["Paris"]), sub_exact_match("a category", ["cat"])
        (1.0, 0.0)
        >>> sub_exact_match("Capital:Paris", ["Paris"])
        1.0
    """
    cjk = is_unspaced(code)
    known = _with_tokens(golden, cjk)
    return float(any(_contains(answer, text, cjk) or _contains(parted(answer), parted(text), cjk) for text in known))


def _contains(answer: str, golden: str, cjk: bool) -> bool:
    if regex := pattern(golden):
        return bool(regex.search(answer))
    answer_tokens, golden_tokens = tokens(answer, cjk), tokens(golden, cjk)
    if not golden_tokens:
        return not answer_tokens
    size = len(golden_tokens)
    return any(answer_tokens[at : at + size] == golden_tokens for at in range(len(answer_tokens) - size + 1))


def token_overlap(answer: str, golden: Sequence[str], code: str = "en") -> TokenOverlap:
    """Return the token overlap with the golden answer that has the highest F1.

    Tokens are counted as a multiset as in SQuAD v2, in a language without blanks in a row as in CMRC 2018.

    If the answer or the golden answer has no tokens, all three values are 1 if both have none, otherwise 0 (SQuAD v2).

    Example:
        >>> overlap = token_overlap("Tony Stark", ["Anthony Edward Stark"])
        >>> round(overlap.precision, 2), round(overlap.recall, 2), round(overlap.f1, 2)
        (0.5, 0.33, 0.4)
    """
    best, cjk = TokenOverlap(0.0, 0.0, 0.0), is_unspaced(code)
    for text in _with_tokens(golden, cjk):
        said, wanted, shared = _shared_by_characters(answer, text) if cjk else _shared_by_words(answer, text)
        if said and wanted:
            precision, recall = shared / said, shared / wanted
            overlap = TokenOverlap(precision, recall, harmonic_mean(precision, recall))
        else:
            overlap = TokenOverlap(*[float(said == wanted)] * 3)
        if overlap.f1 > best.f1:
            best = overlap
    return best


def _shared_by_words(answer: str, golden: str) -> tuple[int, int, int]:
    """Return how many tokens the answer and the golden answer have, and share as multisets."""
    said, wanted = Counter(tokens(answer)), Counter(tokens(golden))
    return said.total(), wanted.total(), (said & wanted).total()


def _shared_by_characters(answer: str, golden: str) -> tuple[int, int, int]:
    """Return how many tokens the answer and the golden answer have, and share in a row."""
    said, wanted = segments(answer), segments(golden)
    return len(said), len(wanted), shared_run(said, wanted)


def is_correct(answer: str, golden: Sequence[str], code: str = "en", question: str = "") -> bool:
    """Check whether the answer contains a golden answer, or says it in another form or in other words.

    These are its value in another unit or spelling, all its words in any order, and what ``in_other_words`` finds.

    Markdown and citations of the answer are ignored. A number without a unit counts if the ``question`` names the unit.

    Example:
        >>> is_correct("It is Low, Ada.", ["Ada Low"]), is_correct("Ada", ["Ada Low"]), is_correct("*A*da", ["Ada"])
        (True, False, True)
        >>> is_correct("five years", ["60 months"])
        True
    """
    plain, shown = plain_answers(golden), parted(answer_forms(answer)[-1])
    return has_its_words(answer, golden, code, question) or in_other_words(shown, plain, code, question)


def has_its_words(answer: str, golden: Sequence[str], code: str = "en", question: str = "") -> bool:
    """Check whether the answer contains a golden answer, its words in any order, or if it is a value, the same value.

    Example:
        >>> has_its_words("It is Low, Ada.", ["Ada Low"]), has_its_words("Low", ["Ada Low"], "en", "Who is it?")
        (True, False)
    """
    own, plain, forms = nearest_language(code), plain_answers(golden), answer_forms(answer)
    scattered = [text for text in plain if not own.same_value(text, text, question)]
    return any(
        exact_match(form, golden, code)
        or sub_exact_match(form, golden, code)
        or (bool(scattered) and token_overlap(form, scattered, code).recall == 1)
        or (bool(scattered) and token_overlap(parted(form), list(map(parted, scattered)), code).recall == 1)
        for form in forms
    ) or any(own.same_value(shown, text, question) for shown in (forms[-1], parted(forms[-1])) for text in plain)


def refuses(answer: str) -> bool:
    """Check whether the answer declines: it is empty, or has a phrase of refusal in its first two sentences.

    The phrases are a small English and Chinese lexicon, so refusals in other words are not recognised.

    Example:
        >>> refuses("I don't know."), refuses("文中没有提到。"), refuses("The plan does not cover dental care.")
        (True, True, False)
    """
    text = answer.replace("’", "'").strip()
    opening = " ".join(text[start:end] for start, end in islice(sentence_spans(text), 2))
    return not text or bool(_REFUSAL.search(" ".join(opening.split())))


def declines(answer: str, golden: Sequence[str], code: str = "en") -> bool:
    """Check whether the answer declines, and does not state a golden answer all the same.

    Example:
        >>> declines("The text does not say much, but it says Oslo.", ["Oslo"]), declines("Unknown.", ["Oslo"])
        (False, True)
        >>> declines("I don't know. Perhaps Oslo.", ["Oslo"])
        True
    """
    if not refuses(answer) or any(map(refuses, golden)):
        return False
    stated = [clause for clause in nearest_language(code).statements(answer) if not refuses(clause)]
    return not (stated and is_correct(" ".join(stated), golden, code))


# ---- languages without blanks between words, by CMRC 2018 ----------------------------------------
#
# Each Chinese, Japanese or Korean character is a token, and what lies between is cut as in the Penn Treebank. The marks
# that CMRC drops are dropped, which joins what is beside them. Two texts share their longest common run of tokens.
# Unlike in CMRC, letters and figures of full width are read as those of half width.

_DROPPED = str.maketrans(dict.fromkeys("-:_*^/\\~`+=，。：？！“”；’《》·、「」（）－～『』", None))
_HALF_WIDTH = str.maketrans({chr(code): chr(code - 0xFEE0) for code in range(0xFF01, 0xFF5F) if chr(code).isalnum()})
_FINAL_STOP = r"\.(?=[\])}>\"']*\s*$)"
_SINGLE_MARK = r"\.{3}|[;@#$%&?!\[\](){}<>\"]|,(?!\d)|(?<=\S)'(?=\s|$)"
_TREEBANK_TOKEN = re.compile(rf"{_SINGLE_MARK}|{_FINAL_STOP}|(?:(?!{_SINGLE_MARK}|{_FINAL_STOP})\S)+")
_CLITIC = re.compile(r"(?<=\w)(?='(?:s|m|d|ll|re|ve)$)|(?<=\w)(?=n't$)")
_RUN_OR_CHARACTER = re.compile(rf"[{CJK}]|[^{CJK}]+")


def same_text(answer: str, golden: str) -> bool:
    """Check whether two texts are the same without the marks that are dropped and without letter case.

    Example:
        >>> same_text("「北京」。", "北京"), same_text("ＧＰＴ４", "gpt4")
        (True, True)
    """
    one, other = (text.translate(_HALF_WIDTH).lower().strip().translate(_DROPPED) for text in (answer, golden))
    return one == other


@lru_cache(maxsize=1 << 14)
def segments(text: str) -> tuple[str, ...]:
    """Return the tokens of a text.

    Example:
        >>> segments("约2cm（0.79英尺），FastAPI's")
        ('约', '2cm0.79', '英', '尺', 'fastapi', "'s")
    """
    found: list[str] = []
    for run in _RUN_OR_CHARACTER.findall(text.translate(_HALF_WIDTH).lower().translate(_DROPPED)):
        found += (piece for token in _TREEBANK_TOKEN.findall(run) for piece in _CLITIC.split(token))
    return tuple(found)


def shared_run(one: tuple[str, ...], other: tuple[str, ...]) -> int:
    """Return the length of the longest run of tokens that both have.

    Example:
        >>> shared_run(("北", "京", "市"), ("在", "北", "京")), shared_run(("北", "京"), ("京", "北"))
        (2, 1)
    """
    return SequenceMatcher(None, one, other, autojunk=False).find_longest_match().size
