"""Questions that lists answer, asked by the sentence or the heading that leads into them: 禾图支持哪些告警？"""

from __future__ import annotations

import re
from collections.abc import Iterator

from kgsynth.base.records import Document, Scenario, StructureFact
from kgsynth.base.vocabulary import StructureKind
from kgsynth.evidence.knowledge import Knowledge
from kgsynth.evidence.list_answers import said_in_short
from kgsynth.generation.writing.chinese.layout import in_common_scope, said_step
from kgsynth.generation.writing.draft import QuestionDraft, UnwrittenError, Why
from kgsynth.language.chinese.characters import simplified
from kgsynth.language.chinese.headings import heading_question, opens_with_verb, task_question
from kgsynth.language.chinese.lead_ins import counted, lead_in_question
from kgsynth.language.chinese.text_forms import content_stems
from kgsynth.language.passage_words import lacks_word

_IS_NO_MEMBER = re.compile(
    r"(?<![\d一二三四五六七八九十百千万年月天度岁元级个米斤吨%℃人])以[上下]|如[下上]|下[面列述]|上[面述]|参[见阅考]|点击这里"
    r"|更多(?:信息|内容)|\[[ x]?\]|https?://|[:：（(]$|\(\s*\)|^(?:等等?|注意|例如)|[?？]$|\]\(|\{%|[。；] \S"
    r"|^(?:\.{3}|…)"
)
_ASKS_STEPS = re.compile(r"^(?:如何|怎么|怎样)")
_ASKS_MEMBERS = re.compile(r"哪些|什么(?!时候)")
_LIST_CONTENT = 2  # content words of any question


def _goes_on(document: Document, fact: StructureFact) -> bool:
    """Check whether more items follow a list under its heading, so that it is a part of what the heading names."""
    last = max(value.end for value in fact.values)
    rest = document.blocks_from(last, len(document.text))
    return any(block.kind == "item" and block.start >= last and block.section == fact.section for block in rest)


def listing(scenario: Scenario, knowledge: Knowledge) -> Iterator[QuestionDraft]:
    """Yield the question that a list answers, if it names its subject."""
    (fact,) = scenario.structure
    lead = fact.subject.text
    if any(_IS_NO_MEMBER.search(value.text) for value in fact.values):
        raise UnwrittenError(Why.POINTS)
    if counted(lead) not in (0, len(fact.values)):
        raise UnwrittenError(Why.ANSWER)
    steps = fact.kind == StructureKind.PROCEDURE
    document = knowledge.documents[fact.doc]
    title = document.sections[fact.section].title
    if any(lacks_word(value.text) for value in fact.values) or (lead == title and _goes_on(document, fact)):
        raise UnwrittenError(Why.ANSWER)
    question = lead_in_question(lead, title)
    if not question and lead == title and not fact.heads:
        orders = all(opens_with_verb(value.text) for value in fact.values)
        question = heading_question(lead) or (task_question(lead) if orders else "")
        fits = (
            _ASKS_STEPS.match(simplified(question)) if steps or orders else _ASKS_MEMBERS.search(simplified(question))
        )
        question = question if fits else ""
    if _ASKS_STEPS.match(simplified(question)):
        question = in_common_scope(question, knowledge)
    if len(content_stems(question)) < _LIST_CONTENT:
        raise UnwrittenError(Why.THIN if question else Why.HEADING)
    kind = "steps" if steps else "list"
    yield QuestionDraft(question, (said_in_short(fact),), "in_short", (said_step(fact),), answer_kind=kind)
