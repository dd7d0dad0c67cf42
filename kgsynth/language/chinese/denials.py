"""Clauses that deny what they name: 不在北京 contains 北京 and does not answer it.

``affirmed`` reads an answer that a system gave, ``denies`` the sentence that is to prove a golden answer. In an answer
a denying word rejects its clause, and so do phrases that reject what they name (而不是北京) or take it back (这是错的).
Left out: a denial in other words.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise

from kgsynth.language.chinese.characters import plain
from kgsynth.language.chinese.lexicon import PATTERNS
from kgsynth.language.chinese.opposites import denies_something
from kgsynth.language.chinese.segmentation import tokens
from kgsynth.language.sentence_ends import parts_with

_CLAUSE_END = re.compile(r"[，,。！？!?；;：:\n（）()—]+\s*|(?<=[^\s是])(?=(?:但是?|而是|不过|然而|却|因为)\S)")
_REJECTION = re.compile(r"不是|并非|而非|绝非|错[的了]|是错|错误的|不对|不正确|不属实|有误|谣言|误解|误传|误认")
_BELIEVED = re.compile(r"(?:误以为|误认为|错误地?认为|误传)[^，,。！？!?；;\n]*")
_DOUBTED = re.compile(r"怀疑|不太?可能|未必|不见得|难以相信")
_EXCEPT = re.compile(r"除了?[^，,。！？!?；;\n]*?(?:以外|之外|外)(?![^。！？!?]*[还也又])")
_FORMER = re.compile(r"(?:以前|曾经?|原来|原本|原先|过去|此前|起初|最初|旧版|旧的?规|老规|原规)")
_SINCE = re.compile(r"现在|如今|目前|后来|已改|不再|已不|改为|变为|但|不过")
_OF_THE_PAST = re.compile(r"曾|以前|原|过去|之前|最初|起初|当时|\d年|第一|首|旧|成立|建立|时候|何时")
_CHANGED_FROM = re.compile(r"[由从][^，,。；;由从]{1,20}?(?=(?:改|调整|变|延长|缩短|增加|减少|提高|降低)[为到至成])")
_GUESS_WORD = re.compile(r"可能|也许|或许|大概[是在]|估计|猜|推测|恐怕|说不定|似乎|好像|或者是|常识|一般来说|应该是")
_NEGATIVE = re.compile(r"禁止|排除|拒绝|否认|防止|避免|以免|免得|以防|不得|除非|只有|而是|除")
_DENIAL_EDGE = re.compile(r"[，,。！？!?；;：:（）()—\n]|但是?|而是|不过|然而|却|因为|如果|虽然|尽管|由于")


def affirmed(answer: str, asked: Sequence[str], golden: Sequence[str] = (), evidence: Sequence[str] = ()) -> str:
    """Return an answer without what it denies.

    It stays as it is if its source denies something too: the question (``asked``), a golden answer, or a clause of the
    evidence that holds a golden answer. A phrase such as 而不是 or 这是错的 is left out all the same, unless the source
    has one.

    Example:
        >>> affirmed("不在卑尔根，在奥斯陆。", ["仓库在哪里？"]), affirmed("在奥斯陆而不是卑尔根。", ["仓库在哪里？"])
        ('在奥斯陆。', '在奥斯陆。')
        >>> affirmed("62公斤，但这是错的。", ["有多重？"])
        ''
        >>> affirmed("不得在室内吸烟。", [], ["室内"], ["室内禁止吸烟。"])
        '不得在室内吸烟。'
    """
    source = [
        plain(text) for text in (*asked, *golden, *(part for each in evidence for part in clauses_with(golden, each)))
    ]
    answer = _without_retractions(answer, source)
    if any(map(_REJECTION.search, source)):
        return answer
    answer = "".join("" if PATTERNS["called_wrong"].search(plain(each)) else each for each in answer_clauses(answer))
    answer = _dropped(PATTERNS["rejected"], _dropped(_BELIEVED, answer))
    if any(map(denies_something, source)) or any(map(_NEGATIVE.search, source)):
        return answer
    return "".join("" if denies_something(each) else each for each in answer_clauses(answer))


def _without_retractions(answer: str, source: Sequence[str]) -> str:
    """Return an answer without what it takes back, doubts, excepts or calls a thing of the past."""
    if not any(map(_CHANGED_FROM.search, source)):
        answer = _dropped(_CHANGED_FROM, answer)
    kept: list[str] = []
    for clause in answer_clauses(answer):
        if PATTERNS["taken_back"].match(plain(clause)):
            kept = kept[:-1]
        else:
            kept.append(clause)
    if not any(map(_DOUBTED.search, source)):
        kept = [clause for clause in kept if not _DOUBTED.search(plain(clause))]
    if not any(map(_OF_THE_PAST.search, source)) and any(_SINCE.search(plain(clause)) for clause in kept):
        kept = [clause for clause in kept if not _FORMER.search(plain(clause))]
    text = "".join(kept)
    return text if any("除" in each for each in source) else _dropped(_EXCEPT, text)


def _dropped(pattern: re.Pattern[str], text: str) -> str:
    """Return a text without the places that a pattern for simplified characters matches."""
    folded = text if len(plain(text)) != len(text) else plain(text)
    out, place = [], 0
    for match in pattern.finditer(folded):
        out.append(text[place : match.start()])
        place = match.end()
    return "".join([*out, text[place:]])


def may_replace(word: str, other: str) -> bool:
    """Check whether a word may say the same as another: both are verbs or adverbs, and both or none like 防止.

    Example:
        >>> may_replace("通知", "告知"), may_replace("防止", "加速"), may_replace("水泵", "阀门")
        (True, False, False)
    """
    kinds = [any(each.tag[0] in "vd" for each in tokens(either)) for either in (word, other)]
    return all(kinds) and "最" not in word + other and bool(_NEGATIVE.match(word)) == bool(_NEGATIVE.match(other))


def statements(answer: str) -> list[str]:
    """Return the clauses of an answer without those that guess.

    Example:
        >>> statements("我不知道，但牌子上写着北京。可能是上海。")
        ['我不知道，', '但牌子上写着北京。']
    """
    return [clause for clause in answer_clauses(answer) if not _GUESS_WORD.search(plain(clause))]


def answer_clauses(text: str) -> list[str]:
    """Return the clauses of a text, which together are the text."""
    ends = [0, *(match.end() for match in _CLAUSE_END.finditer(text)), len(text)]
    return [text[start:end] for start, end in pairwise(ends) if end > start]


def clauses_with(answers: Sequence[str], text: str) -> Iterator[str]:
    """Yield the parts of a text that hold an answer, each with the rest of the clauses that the answer touches."""
    return parts_with(answers, text, [match.end() for match in _CLAUSE_END.finditer(text)])


def denies(question: str, sentence: str, start: int, end: int) -> bool:
    """Check whether a sentence denies, around the answer at ``[start, end)``, what a question affirms.

    Example:
        >>> denies("谁领导团队？", "李明不领导团队。", 0, 2), denies("谁领导团队？", "李明领导团队，但不出海。", 0, 2)
        (True, False)
    """
    if denies_something(question) or _NEGATIVE.search(plain(question)):
        return False
    edges = list(_DENIAL_EDGE.finditer(sentence))
    first = max((edge.end() for edge in edges if edge.end() <= start), default=0)
    last = min((edge.start() for edge in edges if edge.start() >= end), default=len(sentence))
    return denies_something(sentence[first:start]) or denies_something(sentence[end:last])
