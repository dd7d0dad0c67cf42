"""The heading under which a fact holds, where its question needs that: 数据平台部的负责人是谁."""

from __future__ import annotations

import re
from collections.abc import Iterator

from kgsynth.base.records import PROSE, Phrase, Scenario
from kgsynth.base.vocabulary import Flag, Role
from kgsynth.evidence.knowledge import Knowledge
from kgsynth.generation.writing.draft import QuestionDraft

_BRANCH = re.compile(r"^[\u3400-\u9fff]{2,4}(?:店|校区|分校|分店|分行|院区|厂区|门市)$")
"""A branch that is named only by where it is."""
_BODY_TITLE = re.compile(r"^[\u3400-\u9fff\w]{2,10}(?:部|组|处|科|室|队|院|所|厂|站|会|中心|公司|学校|大学)$")
"""How a heading ends that names a body of people."""


def framed(scenario: Scenario, knowledge: Knowledge, draft: QuestionDraft) -> Iterator[QuestionDraft]:
    """Yield a draft, with what its page or heading is about before a subject without a name: X的平均年龄为多少岁."""
    subject = scenario.facts[0].first(Role.SUBJECT) if scenario.facts else None
    place = draft.question.find(subject.text) if subject is not None else -1
    if scenario.subtype != "factoid" or subject is None or place < 0 or _is_known(subject):
        yield draft
        return
    owner = _owner(scenario, knowledge)
    if owner and owner not in draft.question and subject.text not in owner:
        question = f"{draft.question[:place]}{owner}的{draft.question[place:]}"
        yield draft._replace(question=question)
    else:
        yield draft


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
        return title if names_body(title) else ""
    title = re.sub(r"\s*[（(][^（）()]*[）)]$", "", document.title.strip())
    first = next((block.text for block in document.blocks if block.kind in PROSE), "")
    return title if len(title) > 1 and first.lstrip('“「《"').startswith(title) else ""
