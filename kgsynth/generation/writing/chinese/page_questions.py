"""Questions that headings ask, answered by the section below: 为什么读数会突然跳变？ 怎么更换传感器的电池？

The answer to 为什么 and 什么是 is the one sentence that gives it, where its form says so.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping

from kgsynth.base.records import Excerpt, Scenario, StructureFact
from kgsynth.base.vocabulary import StructureKind
from kgsynth.evidence.derivation import said
from kgsynth.evidence.knowledge import Knowledge
from kgsynth.generation.writing.chinese.layout import (
    in_common_scope,
    paragraphs_of,
    refers_out,
    said_draft,
    sentence_draft,
    sentences_of,
    without_pointers,
)
from kgsynth.generation.writing.draft import QuestionDraft, UnwrittenError, Why
from kgsynth.language.chinese.characters import simplified
from kgsynth.language.chinese.headings import heading_question
from kgsynth.language.chinese.segmentation import tokens
from kgsynth.language.chinese.text_forms import content_stems
from kgsynth.language.lengths import length_in_words

_ASKS_WHETHER = re.compile(r"吗？$|是否|是不是|能否|可否|能不能|有没有")
_ASKS_READER = re.compile(r"^(?:[你您]|是否|能否)")
_ANSWERS_DIRECTLY = re.compile(
    r"^(?:可以|不|是|能|会|需要|没|对|当然|一般|通常|目前|取决|要|有|否|无|支持|必须|未必|可能|大多)"
)
_GIVES_REASON = re.compile(r"^(?:这?(?:通常|主要|一般|往往|可能|多半)?(?:是)?(?:因为|由于|为了)|(?:主要)?原因是)")
_WHAT_IS = re.compile(
    r"^什么是[「“]?(?P<term>.+?)[」”]?(?:[（(][^（）()]+[）)])?？$|^[「“\"]?(?P<named>[^「」“”\"]{2,12}?)[」”\"]?是什么(?:意思)?？$"
)
_NO_OBJECT = re.compile(r"^(?:如何|怎么|怎样)(?!.*[把将从给A-Za-z])")
_OPENS_WITH_ORDER = re.compile(r"^(?:请|[你您]?可以|建议|先|需要)")
_ASKS_HOW_TO = re.compile(r"如何|怎么|怎样")
_MEMBERS = re.compile(r"哪些|哪几")
_WHOLE_SENTENCE = re.compile(r"[。！？!?.；;：:）)”」]$")
_LONGEST_PASSAGE = 90
_PROSE_BLOCKS = frozenset({"paragraph", "item"})
_LIGHT = frozenset(
    "使用 创建 添加 项目 问题 东西 文件 代码 数据 应用 程序 功能 系统 内容 信息 用户 提交 了解 管理 设置".split()
)


def page_question(scenario: Scenario, knowledge: Knowledge) -> Iterator[QuestionDraft]:
    """Yield the question of a heading that says what it is about, with the shortest whole answer below it."""
    (fact,) = scenario.structure
    question = heading_question(fact.name or fact.subject.text)
    if not question:
        raise UnwrittenError(Why.HEADING)
    if _is_list(fact, knowledge):
        raise UnwrittenError(Why.AGAIN)
    if knowledge.derived(_asked)[question] > 1 or not _stands_alone(simplified(question)):
        raise UnwrittenError(Why.PAGE)
    asked = simplified(question)
    if _ASKS_HOW_TO.search(asked):
        question = in_common_scope(question, knowledge)
    document, passage = knowledge.documents[fact.doc], fact.values[0]
    sentence = _one_sentence(asked, sentences_of(document, passage))
    if sentence is None and _ASKS_WHETHER.search(asked):
        sentence = _paragraph(asked, fact, knowledge)
        if sentence is None:
            raise UnwrittenError(Why.ANSWER)
    if sentence is not None:
        yield sentence_draft(question, fact, sentence)
        return
    blocks = [block for block in document.blocks_from(passage.start, passage.end) if block.text]
    if len(blocks) == 1:
        paragraph = _paragraph(asked, fact, knowledge)
        if paragraph is None:
            raise UnwrittenError(Why.ANSWER)
        yield sentence_draft(question, fact, paragraph)
        return
    whole = (
        all(_WHOLE_SENTENCE.search(block.text) for block in blocks)
        and {block.kind for block in blocks} <= _PROSE_BLOCKS
    )
    if not whole or length_in_words(passage.text) > _LONGEST_PASSAGE or not _answers(asked, passage.text):
        raise UnwrittenError(Why.ANSWER)
    yield said_draft(question, fact, said(fact))


def _paragraph(question: str, fact: StructureFact, knowledge: Knowledge) -> Excerpt | None:
    """Return the first paragraph below a heading, if it answers its question, without what sends the reader on."""
    document = knowledge.documents[fact.doc]
    opening = next(iter(paragraphs_of(document, fact.values[0])), None)
    found = without_pointers(document, opening) if opening is not None else None
    short = found is not None and length_in_words(found.text) <= _LONGEST_PASSAGE
    return found if found is not None and short and _answers(question, found.text) else None


def _one_sentence(question: str, sentences: list[Excerpt]) -> Excerpt | None:
    """Return the sentence that answers a question for a reason or for what something is, None if none surely does."""
    if not sentences:
        return None
    first = sentences[0]
    if "为什么" in question or "为何" in question:
        reason = _GIVES_REASON.match(simplified(first.text))
        return first if reason and not refers_out(first.text[reason.end() :]) else None
    match = _WHAT_IS.match(question)
    if match:
        term = re.escape(match["term"] or match["named"])
        shown = rf"^(?:在[^，,]{{1,8}}中[，,])?[「“\"]?{term}[」”\"]?\s?(?:[（(][^（）()]+[）)])?[^，,是]{{0,5}}?"
        defined = re.compile(
            rf"{shown}(?:通常|一般|就)?(?:是(?!从|在|由|为|因|否|不|非|[^，,。；]{1, 8}的[，,。；])|指|表示|意味着)"
        )
        return next(
            (each for each in sentences[:4] if defined.match(simplified(each.text)) and not refers_out(each.text)), None
        )
    return None


def _answers(question: str, passage: str) -> bool:
    """Check whether a whole passage reads as the answer to a question, and is understood alone."""
    if refers_out(passage) or _WHAT_IS.match(question) or _MEMBERS.search(question):
        return False
    if "为什么" in question or "为何" in question:
        return not _OPENS_WITH_ORDER.match(simplified(passage))
    return not _ASKS_WHETHER.search(question) or bool(
        _ANSWERS_DIRECTLY.match(simplified(passage)) and not _ASKS_READER.match(question)
    )


def _stands_alone(question: str) -> bool:
    """Check whether a question is understood without its page: it has two words that say much, or a name."""
    stems = content_stems(question)
    told = [stem for stem in stems if stem not in _LIGHT]
    nouns = [each for each in tokens(question) if each.tag[:1] in "nlj" or each.tag in ("eng", "vn", "s")]
    if _NO_OBJECT.match(question) and tokens(question.rstrip("？"))[-1].tag == "v":
        return False  # 如何批量导入
    defined = _WHAT_IS.match(question)
    named = any(re.search(r"[a-z]", stem) for stem in told)
    return (len(told) > 1 and bool(nouns)) or (bool(told) and (named or (defined is not None and len(told[0]) > 1)))


def _is_list(fact: StructureFact, knowledge: Knowledge) -> bool:
    """Check whether a list right below the heading answers it, which ``listing`` asks for."""
    return (fact.doc, fact.section, fact.subject.text) in knowledge.derived(_listed)


def _listed(knowledge: Knowledge) -> frozenset[tuple[str, int, str]]:
    kinds = (StructureKind.MEMBER, StructureKind.PROCEDURE)
    return frozenset((fact.doc, fact.section, fact.subject.text) for fact in knowledge.structure if fact.kind in kinds)


def _asked(knowledge: Knowledge) -> Mapping[str, int]:
    """Return how many headings ask each question."""
    found = (fact for fact in knowledge.structure if fact.kind == StructureKind.ANSWERS)
    return Counter(heading_question(fact.name or fact.subject.text) for fact in found)
