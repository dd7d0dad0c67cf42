"""The heading under which a fact holds, where its question needs that: 数据平台部的负责人是谁."""

from __future__ import annotations

import re
from collections.abc import Iterator

from kgsynth.base.records import Scenario
from kgsynth.base.vocabulary import Flag, Role
from kgsynth.evidence.knowledge import Knowledge
from kgsynth.generation.writing.draft import QuestionDraft

_BODY = re.compile(r"^[\u3400-\u9fff\w]{2,10}(?:部|组|处|科|室|队|院|所|厂|站|会|中心|公司|团队|学校|大学|项目)$")
"""How a heading ends that names a body of people."""


def framed(scenario: Scenario, knowledge: Knowledge, draft: QuestionDraft) -> Iterator[QuestionDraft]:
    """Yield a draft, with the body of people that its heading names before a role without a name: X的部门经理是谁."""
    if scenario.facts and scenario.subtype == "factoid":
        fact = scenario.facts[0]
        subject, asked = fact.first(Role.SUBJECT), fact.phrases[scenario.asked]
        title = knowledge.statements.section_of(fact).title.strip()
        opens = subject is not None and draft.question.startswith(subject.text)
        if asked.has(Flag.PERSON) and opens and subject is not None and not subject.has(Flag.NAMED):
            if _BODY.match(title) and title not in draft.question:
                yield draft._replace(question=f"{title}的{draft.question}")
                return
    yield draft
