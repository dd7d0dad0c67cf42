"""What Chinese text names: by jieba's tags where the whole document bears them out, and by form.

The form proves a name: a surname, 公司, 大学, 市, a point inside (保罗·皮尔斯), Latin letters, code, 《…》, or a
bracket that gives a short form. Left out: names of common words, and short forms that the text does not announce.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator

from kgsynth.base.records import Block, Mention
from kgsynth.base.thresholds import LIMITS
from kgsynth.language.chinese.lexicon import PATTERNS, WORDS
from kgsynth.language.chinese.segmentation import Token, frequency, tokens

_SURNAMES = frozenset(
    """王李张刘陈杨黄赵吴周徐孙马朱胡郭何高林罗郑梁谢宋唐许韩冯邓曹彭曾肖田董袁潘于蒋蔡余杜叶程苏魏吕丁任沈姚卢姜崔钟谭陆汪范金石廖贾夏韦付方白邹孟熊秦邱
    江尹薛闫段雷侯龙史陶黎贺顾毛郝龚邵万钱严覃武戴莫孔向汤温康施文牛樊葛邢安齐易乔伍庞颜倪庄聂章鲁岳翟殷詹申欧耿关兰焦俞左柳甘祝包宁尚符舒阮柯纪梅童凌毕单季裴霍涂成苗谷
    盛曲翁冉骆蓝路游辛靳管柴蒙鲍华喻祁房滕屈饶解牟艾尤阳穆农司车项岑冼"""
) | frozenset("陳劉張楊黃趙吳孫馬鄭謝許馮鄧葉蘇呂盧鐘譚陸龍賈鄒湯閻賀顧龔邵萬錢嚴戴湯溫齊顏莊聶魯關蘭喬羅韓")
_TAGS = {"nr": "PERSON", "nrfg": "PERSON", "nrt": "PERSON", "ns": "GPE", "nt": "ORG"}
_FOREIGN = re.compile(r"[\u3400-\u9fff]{1,6}(?:[·•・][\u3400-\u9fff]{1,6})+")
_IN_LATIN = re.compile(r"(?<![\w./-])[A-Za-z][\w+#]*(?:[.-]\w+)*(?: [A-Z0-9][\w.+#-]*)*")
_TITLED = re.compile(r"《[^》]{1,40}》")
_NUMBERED_NAME = re.compile(r"[\u3400-\u9fff]{2,4}\d+(?:\.\d+)*(?:号|型)")
_REGION = re.compile(r"(?:市|省|县|州|区|镇|乡|村|岛|山|河|湖|江)$")


def is_person(text: str) -> bool:
    """Check whether a text has the form of a person's name: surname and one or two characters, or a point inside.

    Example:
        >>> is_person("沈若溪"), is_person("保罗·皮尔斯"), is_person("总经理"), is_person("安装")
        (True, True, False, False)
    """
    if _FOREIGN.fullmatch(text) or re.fullmatch(r"[A-Z][a-z]+(?: [A-Z][\w.]*)+", text):
        return True
    if not re.fullmatch(r"[\u3400-\u9fff]{2,4}", text):
        return False
    surname = text[:2] if text[:2] in WORDS["double_surnames"] else text[:1]
    fits = surname in _SURNAMES | WORDS["double_surnames"] and 1 <= len(text) - len(surname) <= 2
    words = tokens(text)
    return fits and (len(words) > 1 or (words[0].tag in _TAGS and words[0].tag != "ns") or frequency(text) == 0)


def named_in(blocks: Iterable[Block]) -> dict[str, str]:
    """Return the names of a document with their types, by vote: their form counts more than jieba's tags."""
    votes: dict[str, Counter[str]] = {}
    for block in blocks:
        for text, label, _ in _by_form(block):
            votes.setdefault(text, Counter())[label] += LIMITS.full_name_votes
        for word in tokens(block.text):
            if len(word.text) > 1 and (label := _label(word)):
                votes.setdefault(word.text, Counter())[label] += 1
    return {name: min(found, key=lambda label: (-found[label], label)) for name, found in sorted(votes.items())}


def _label(word: Token) -> str:
    """Return the type of a word that jieba takes for a name, "" if its form speaks against that."""
    label = _TAGS.get(word.tag, "")
    if label == "PERSON":
        alone = is_person(word.text) and not word.text.endswith(("会", "将", "在", "和"))
        return label if alone and frequency(word.text) <= LIMITS.common_noun_frequency else ""
    if _REGION.search(word.text) and label:
        return "GPE"
    return label


def _by_form(block: Block) -> Iterator[tuple[str, str, int]]:
    """Yield what has the form of a name in a block, with its type and where it begins."""
    text = block.text
    for start, end in block.code:
        yield text[start:end], "CODE", start
    coded = [range(start, end) for start, end in block.code]
    for pattern, label in (
        (_FOREIGN, "PERSON"),
        (_IN_LATIN, "PRODUCT"),
        (_TITLED, "WORK_OF_ART"),
        (_NUMBERED_NAME, "PRODUCT"),
    ):
        for match in pattern.finditer(text):
            inside = any(match.start() in code for code in coded)
            plain = label == "PRODUCT" and match.group().islower()
            if not inside and not plain and len(match.group()) > 1:
                yield match.group(), label, match.start()
    yield from _bodies(text)


def _bodies(text: str) -> Iterator[tuple[str, str, int]]:
    """Yield the companies, schools and the like: the name before 公司, 大学, … that a place or other name opens."""
    words = tokens(text)
    for last, word in enumerate(words):
        if not PATTERNS["body_ends"].search(word.text):
            continue
        first = last
        while first and words[first - 1].tag in WORDS["before_body"] and last - first < LIMITS.defined_max_words:
            first -= 1
        opening = next((n for n in range(first, last) if words[n].tag in _TAGS), last)
        if opening < last:
            yield text[words[opening].start : word.end], "ORG", words[opening].start


def mentions(doc: str, block: Block, names: dict[str, str]) -> Iterator[Mention]:
    """Yield each place where a block names something: its longest name at each place."""
    code = dict(block.code)
    found = dict.fromkeys(block.code, "CODE")
    for text, label, start in _by_form(block):
        found.setdefault((start, start + len(text)), label)
    for word in tokens(block.text):
        if word.text in names:
            found.setdefault((word.start, word.end), names[word.text])
    reached = 0
    for (start, end), label in sorted(found.items(), key=lambda entry: (entry[0][0], -entry[0][1])):
        if start >= reached:
            reached = end
            yield Mention(block.text[start:end], label if start in code else names.get(block.text[start:end], label),
                          doc, *block.locate(start, end))  # fmt: skip


def aliases(text: str) -> Iterator[tuple[str, str]]:
    """Yield the names with the short form that a bracket after them gives.

    Example:
        >>> list(aliases("青禾农业科技有限公司（以下简称“青禾”）成立于2014年"))
        [('青禾农业科技有限公司', '青禾')]
    """
    for match in PATTERNS["alias"].finditer(text):
        words = tokens(match["before"])
        first = len(words)
        while first and (words[first - 1].tag in WORDS["before_body"] or words[first - 1].text in {"·", " "}):
            first -= 1
        if first < len(words):
            long = match["before"][words[first].start :].strip()
            if len(long) > 1 and long != match["short"]:
                yield long, match["short"].strip()
