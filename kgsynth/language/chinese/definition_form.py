"""What a sentence defines: X是指…, X指的是…, 所谓X是…, X是一种…, and X是 with a noun that a clause before 的 describes.

Left out: 是 before anything else, which may identify, stress or compare.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from kgsynth.base.vocabulary import Flag, Role, VerbFlag
from kgsynth.language.chinese.names import is_person
from kgsynth.language.chinese.segmentation import frequency, tokens
from kgsynth.language.chinese.stated import Part, Split, Stated
from kgsynth.language.chinese.subjects import flags_of, points_out, subject_of
from kgsynth.language.lengths import length_in_words

_IS_MEANT = re.compile(
    r"^(?P<so_called>所谓的?)?(?P<term>[^，,是]{2,30}?)(?P<verb>，?(?:就|即|通常|一般)?(?:是指|指的是)|[泛特]?指(?:的是|(?=在|由|以|用|从|一[种个]|将|把|对|与|为|通过|利用|不|那些)))"
)
_IS_A = re.compile(
    r"(?:实际上|本质上|其实|即|就)?是(?!否|不是|由|为了|因|在|从|以|对|非|说|指|可以|有|不|没|当|用(?![于来以])|希望|让|使|要|按|经|与|和|跟|被)"
)
_SET_APART = re.compile(r"（[^（）]*）|\([^()]*\)|《[^》]*》|“[^”]*”")
_CLASS = re.compile(r"一(?:种|个|款|家|座|部|名|位|项|类|套|门|支|条|本|所|组|场|首|间|档|份|张|颗|片|块)")
_VAGUE_CLASS = frozenset(
    """原因 结果 问题 目的 时候 事情 事 部分 一部分 之一 重点 关键 标志 基础 前提 情况 意思 东西 样子 人 地方 方面 象征
    例子 示例 代表 产物 答案 理由 机会""".split()
)
"""Nouns that say what a thing does for another, not what it is."""
_PRODUCT = re.compile(r"(?:[器备品件具仪]|(?<!司)机|系统|平台|装置|服务|语言)$")
"""How nouns for things end, never those for people: 甘霖, a controller, is not a person, though 甘 is a surname."""
_SAYS_WHO = re.compile(
    r"(?:人|人物|者|家|员|师|手|长|王|帝|后|妃|士|将|官|教授|医生|学生|球星|明星|领袖|总统|总理|主席|模特)(?:之一)?$"
)
"""How a phrase ends that says who somebody is."""
_OF_AN_EXAMPLE = re.compile(r"(?:变量|参数)\s?[`A-Za-z_]|[`\d]+\s")
"""How a clause begins about what only an example has, or about a number."""
_POINTS_FURTHER = re.compile(r"以下|如下|下[面列]|上[面述]|^另")
_LAST_BRACKETS = re.compile(r"\s?(?:（[^（）]*）|\([^()]*\))$")
_PRAISE = re.compile(r"最|之一|第[一二三四五六七八九十\d]|唯一|首[个座位部家次]|更|很|非常|十分|著名|重要|优秀|好的")
_DOES = re.compile(r"(?:可(?:以(?![被由])|用)|用于|用来|用以|允许|能够?|让|使|提供|负责|旨在)(?=[\u3400-\u9fff\s])")
"""How a clause after a definition begins that says what the thing is for."""
_LONGEST_WITH_USE = 32
_CLASS_TAGS = frozenset("n nz vn eng l nt j s nrt ns k q g ng v".split())


def definition_facts(split: Split) -> Iterator[Stated]:
    """Yield the definition that the first clause of a sentence gives.

    Example:
        >>> text = "甘霖是根据读数开关阀门的控制器。"
        >>> [text[p.start : p.end] for fact in definition_facts(Split(text, ((0, 15),))) for p in fact.parts]
        ['甘霖', '根据读数开关阀门的控制器']
    """
    clause = split.clause(0) if split.clauses else ""
    found = _meant(split) or _classed(split, clause)
    if found is not None:
        yield found


def _meant(split: Split) -> Stated | None:
    """Return what 是指 says of a term; the definition runs on over commas to the end of the sentence."""
    begin, stop = split.clauses[0][0], split.clauses[-1][1]
    match = _IS_MEANT.match(split.text[begin:stop])
    if match is None:
        return None
    start, end = begin + match.start("term"), begin + match.end("term")
    term, said = split.text[start:end], split.text[begin + match.end() : stop]
    if match["verb"] == "指" and not match["so_called"] and not _is_term(term):
        return None
    if points_out(term) or points_out(said) or not _is_term(term):
        return None
    flags = flags_of(term, split.known) - {Flag.LOOSE}
    parts = (Part(Role.SUBJECT, start, end, flags), _defining(begin + match.end(), stop))
    return Stated(parts, match["verb"], begin + match.start("verb"), flags=_STATES)


_STATES = frozenset({VerbFlag.COPULA, VerbFlag.PRESENT})


def _defining(start: int, end: int) -> Part:
    return Part(Role.ATTRIBUTE, start, end, frozenset({Flag.NOMINAL, Flag.MODIFIED}))


def _is_term(text: str) -> bool:
    """Check whether a text is a noun phrase without verb, which 指 can explain."""
    words = [each for each in tokens(text) if each.text.strip()]
    nominal = all(each.tag[:1] in "nvaljbsmqexgk" or each.text in "的“”「」《》（）()" for each in words)
    return bool(words) and nominal and "（" not in text[:1]


def _classed(split: Split, clause: str) -> Stated | None:
    """Return what 是 says a named thing is: 一种…, or a noun after a clause and 的, to the end of its clause."""
    subject = subject_of(clause, split.known)
    match = _IS_A.match(clause, subject.predicate) if subject else None
    if subject is None or match is None or points_out(clause) or Flag.LOOSE in subject.flags:
        return None
    if "的" in _SET_APART.sub("", clause[: subject.end]):
        return None  # 李明的理论是…, which says more of 李明 than of the word
    said = clause[match.end() :]
    if not _classifies(said) or _PRAISE.search(said) or _OF_AN_EXAMPLE.match(clause) or _POINTS_FURTHER.search(said):
        return None
    if not _CLASS.match(said) and not subject.flags & {Flag.NAMED, Flag.MODIFIED}:
        return None
    begin = split.clauses[0][0]
    bare = _LAST_BRACKETS.sub("", clause[: subject.end])
    named = is_person(_SET_APART.sub("", clause[: subject.end])) and not _PRODUCT.search(said)
    if named and not _SAYS_WHO.search(said):
        return None  # in doubt whether it is a person
    person = {Flag.PERSON} if named else set()
    parts = (
        Part(Role.SUBJECT, begin, begin + len(bare), subject.flags | person),
        _defining(begin + match.end(), _with_use(split)),
    )
    return Stated(parts, "是", begin + match.start(), flags=_STATES)


def _with_use(split: Split) -> int:
    """Return where a definition ends that begins in the first clause: what the thing does belongs to it, in short."""
    number = 0
    while number + 1 < len(split.clauses) and _DOES.match(split.clause(number + 1)):
        number += 1
    start, end = split.clauses[0][0], split.clauses[number][1]
    return end if length_in_words(split.text[start:end]) <= _LONGEST_WITH_USE else split.clauses[0][1]


def _classifies(said: str) -> bool:
    """Check whether the words after 是 say of what kind a thing is."""
    opening = _CLASS.match(said)
    words = [each for each in tokens(said.rstrip("”」")) if each.text.strip()]
    if not words or words[-1].tag not in _CLASS_TAGS or words[-1].text in _VAGUE_CLASS or said.endswith("的"):
        return False
    if words[-1].text[-1:] in set("者人") and not opening:
        return False
    described = (
        any(each.tag[:1] in "vp" and each.tag != "vn" and frequency(each.text) for each in words)
        and words[0].tag[:1] in "vpdnr"
    )
    last = max((n for n, each in enumerate(words) if each.text == "的"), default=-1)
    after = words[last + 1 :]
    if opening is not None and last < 0:
        after = [each for each in words if each.start >= opening.end()]
        return len(after) > 2 and all(each.tag[:1] in "nvljbaxed" for each in after)
    nominal = all(each.tag[:1] in ("nvljbaxed" if opening else "nvljbaxe") for each in after)
    return last > 0 and nominal and (described or opening is not None) and 0 < len(after) <= 4
