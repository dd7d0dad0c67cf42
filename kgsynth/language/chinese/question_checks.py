"""The form of Chinese questions, and of answers in their sentence, by words and marks.

Left out: whether a question fits its evidence. The filters check that, with the corpus.
"""

from __future__ import annotations

import re

from kgsynth.base.thresholds import LIMITS
from kgsynth.language.chinese.characters import simplified
from kgsynth.language.chinese.segmentation import cut
from kgsynth.language.lengths import length_in_words
from kgsynth.language.words import HAN

WH_WORD = (
    r"什么|甚么|啥|谁|哪|何(?!况|必|苦|氏|家)|怎|多少|几(?![乎内何里率尼])|多[久长大高远深宽重快]|如何|为什么|"
    r"[是能可会]否|有没有|还是|(?P<verb>[是能会要有可需])(?:不|没)(?P=verb)"
)
"""A word that asks, as a regular expression for simplified characters."""
_HAS_WH = re.compile(rf"{WH_WORD}|(?:吗|呢|么)\W*$")
_TOPIC_ASKED = re.compile(r"(?:时间|日期|地点|原因|数量|人数|名字|名称|年份|区别|关系|作用|是|为|有)\W*$")
"""A question may end with the noun that is asked for, without a word that asks: 播出的时间？"""
_LATIN_QUESTION = re.compile(r"\b(?:who|whom|what|which|when|where|why|how)\b", re.I)
_MARKUP = re.compile(
    r"`|\*\*|\]\(|\{\{|\}\}|<!--|https?://|\\[a-z]|\|"
    r"|</?(?:a|b|br|code|div|em|i|img|li|p|pre|span|strong|su[bp]|t[dhr]|ul)\b[^>]*>",
    re.I,
)
_STRAY_MARKS = re.compile(
    r"[,，、;；:：][\s]*[,，、。;；?？]|[(（\[【《「『]\s*[)）\]】》」』]|^[\s,，、。;；:：!！?？)）]|[?？].*\w"
)
_DOUBLED = re.compile(r"(的|了|是|在|和|与|被|把|为|什么|多少|哪个|哪些|怎么|如何)\1")
_CUT_OFF = frozenset("和 与 及 或 以及 并且 但是 因为 如果 由于 而且 或者 关于 根据 通过 把 被".split())
"""Words after which something must follow."""
_TWO_ASKED = re.compile(r"(什么|哪里|谁|多少|为什么|怎么|哪些).*\1.*\1")
_PAIRS = ("()", "（）", "《》", "「」", "『』", "【】", "[]", "“”")
_OTHER_SCRIPT = re.compile(r"[\u0370-\u1cff\uac00-\ud7af]{3}|[\u3040-\u30ff]{4}")


def malformed(question: str) -> str:
    """Return what is wrong with the form of a question, "" when nothing is.

    Example:
        >>> malformed("谁负责水泵？"), malformed("水泵的的型号是什么？"), malformed("水泵由李明负责。")
        ('', 'stray or doubled words or marks', 'no question mark at its end')
    """
    text = question.strip()
    read = simplified(text)
    length = length_in_words(text)
    problems = (
        (not text, "empty"),
        (length < LIMITS.question_min_words - 1 or length > LIMITS.question_max_words, f"{length} words long"),
        (not text.endswith(("?", "？")), "no question mark at its end"),
        (not re.search(f"[{HAN}]", text), "no Chinese in it"),
        (bool(_MARKUP.search(text)), "markup left in it"),
        (bool(_OTHER_SCRIPT.search(text)), "words of another script"),
        (bool(_CUT_OFF.intersection(cut(read)[-1:])), "cut off before its end"),
        (bool(_STRAY_MARKS.search(text) or _DOUBLED.search(read)), "stray or doubled words or marks"),
        (not _is_balanced(text), "half a pair of quotes or brackets"),
        (bool(_LATIN_QUESTION.search(text) and not _HAS_WH.search(read)), "asked in English"),
        (bool(_TWO_ASKED.search(read)), "asked as nobody asks"),
        (not (_HAS_WH.search(read) or _TOPIC_ASKED.search(read)), "asks nothing"),
    )
    return next((name for wrong, name in problems if wrong), "")


def _is_balanced(text: str) -> bool:
    """Check whether each quote and bracket has its other half; both widths of a bracket are the same."""
    folded = text.translate(str.maketrans("（）［］", "()[]"))
    return folded.count('"') % 2 == 0 and all(folded.count(pair[0]) == folded.count(pair[1]) for pair in _PAIRS)


# ---- answers in their sentence ---------------------------------------------------------------------

_CLAUSE_DONE = re.compile(
    r"[\"'”’」』)）\]*_`\s]*(?:$|[。！？；.!?;(（—…]|[，,]\s*(?:但|而|所以|因此|因而|从而|不过|却|然而|于是|故|这))"
)
_CONTINUATION = re.compile(r"[\"'”’」』》)）\]*_`\s]*(?:[、/]|[，,]\s*\d|[和与及或並并]|以及|與|的)")


def continues(rest: str, *, clause: bool) -> bool:
    """Check whether an answer continues in ``rest``, what follows it in its sentence.

    A ``clause`` must end where its sentence does, or before a consequence or a contrast.

    Example:
        >>> continues("和码头。", clause=False), continues("的郊区。", clause=False), continues("运行。", clause=False)
        (True, True, False)
        >>> continues("运行。", clause=True), continues("，所以停机。", clause=True)
        (True, False)
    """
    return not _CLAUSE_DONE.match(rest) if clause else bool(_CONTINUATION.match(rest))
