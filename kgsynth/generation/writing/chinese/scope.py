"""The heading under which a fact holds, where its question needs that: 数据平台部的负责人是谁."""

from __future__ import annotations

import re
from collections.abc import Iterator

from kgsynth.base.records import PROSE, Document, Phrase, Scenario
from kgsynth.base.vocabulary import Flag, Role
from kgsynth.evidence.knowledge import Knowledge
from kgsynth.generation.writing.draft import QuestionDraft, UnwrittenError, Why

_BRANCH = re.compile(r"^[\u3400-\u9fff]{2,10}(?:店|校区|分校|分店|分行|院区|厂区|门市)$")
"""A branch that is named only by where it is."""
_BEFORE_NAME = 12
"""How many characters may stand before the name of a page in its first sentence: where or of what kind it is."""
_EVENT = re.compile(
    r"(?:战役|战争|会战|海战|之战|之役|之变|事变|事件|起义|革命|运动会|奥运会|锦标赛|联赛|大赛|世界杯|选举)$"
)
"""How the name of an event ends: 在赤壁之战中."""
_BODY_TITLE = re.compile(r"^[\u3400-\u9fff\w]{2,10}(?:部|组|处|科|室|队|院|所|厂|站|会|中心|公司|学校|大学)$")
"""How a heading ends that names a body of people."""


def framed(scenario: Scenario, knowledge: Knowledge, draft: QuestionDraft) -> Iterator[QuestionDraft]:
    """Yield a draft, with what its page or heading is about before a subject without a name: X的平均年龄为多少岁.

    What a page tells of an event is asked as 在X中，为什么…. Left out is a branch without the body that it belongs to.
    """
    if (event := _event(scenario, knowledge)) and event not in draft.question:
        yield draft._replace(question=f"在{event}中，{draft.question}")
        return
    subject = scenario.facts[0].first(Role.SUBJECT) if scenario.facts else None
    if _asks_for_page(scenario, knowledge):
        raise UnwrittenError(Why.OPEN)
    place = draft.question.find(subject.text) if subject is not None else -1
    if scenario.subtype != "factoid" or subject is None or place < 0 or _is_known(subject):
        yield draft
        return
    owner = _owner(scenario, knowledge)
    if owner and owner not in draft.question and subject.text not in owner:
        question = f"{draft.question[:place]}{owner}的{draft.question[place:]}"
        yield draft._replace(question=question)
    elif owner or not _BRANCH.match(subject.text):
        yield draft
    else:
        raise UnwrittenError(Why.PAGE)


def _is_known(subject: Phrase) -> bool:
    """Check whether a subject has a name that says which one it is; 上海店 is one of many shops in Shanghai."""
    return subject.has(Flag.NAMED) and not _BRANCH.match(subject.text)


def names_body(title: str) -> bool:
    """Check whether a name is that of a body of people, by its end.

    Example:
        >>> names_body("现场服务部"), names_body("云雀网关")
        (True, False)
    """
    return bool(_BODY_TITLE.match(title))


def _owner(scenario: Scenario, knowledge: Knowledge) -> str:
    """Return the body of people whose role is asked for, or the thing that the page is about, "" for neither.

    A page is about the thing in its title if its first sentence begins with it; other titles name a topic (入职流程).
    """
    fact = scenario.facts[0]
    document = knowledge.documents[fact.doc]
    if fact.phrases[scenario.asked].label == "PERSON":
        title = knowledge.statements.section_of(fact).title.strip()
        if names_body(title):
            return title
        named = _named_by_page(document)
        return named if named.startswith("《") else ""
    return _named_by_page(document)


def _named_by_page(document: Document) -> str:
    """Return the thing in the title of a page, as its first sentence begins with it; "" if it does not.

    A file name has _ for other marks: 戴文_汉塞克, 胜利广场_巴黎.
    """
    title = re.sub(r"\s*[（(][^（）()]*[）)]$", "", document.title.strip())
    first = next((block.text for block in document.blocks if block.kind in PROSE), "")
    for name in dict.fromkeys((title, title.replace("_", "·"), title.partition("_")[0])):
        if len(name) > 1 and first.startswith(f"《{name}》"):
            return f"《{name}》"
        if len(name) > 1 and re.match(
            rf"[“「《\"]?[^，,。；是为（(“「《]{{0,{_BEFORE_NAME}}}?{re.escape(name)}", first
        ):
            return name
    return ""


def _asks_for_page(scenario: Scenario, knowledge: Knowledge) -> bool:
    """Check whether the person whom a page is about is asked for: who held a role, which others have held too."""
    if scenario.subtype != "factoid":
        return False
    fact = scenario.facts[0]
    asked = fact.phrases[scenario.asked]
    return asked.label == "PERSON" and asked.text == _named_by_page(knowledge.documents[fact.doc])


def _event(scenario: Scenario, knowledge: Knowledge) -> str:
    """Return the event that the page of a fact is about, if what the fact says may be true of others, "" for none."""
    if not scenario.facts or scenario.question_type == "simple":
        return ""
    name = _named_by_page(knowledge.documents[scenario.facts[0].doc])
    return name if _EVENT.search(name) else ""
