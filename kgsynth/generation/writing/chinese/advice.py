"""Questions on what to do in a case: 如果密钥泄露，应该怎么做？"""

from __future__ import annotations

from collections.abc import Iterator

from kgsynth.base.records import Scenario
from kgsynth.base.vocabulary import StructureKind
from kgsynth.evidence.knowledge import Knowledge
from kgsynth.evidence.list_answers import said_in_short
from kgsynth.generation.writing.chinese.layout import in_common_scope, said_step, span_of
from kgsynth.generation.writing.draft import QuestionDraft, UnwrittenError, Why
from kgsynth.language.chinese.advice import advice_lead
from kgsynth.language.chinese.reading import is_listed


def advice(scenario: Scenario, knowledge: Knowledge) -> Iterator[QuestionDraft]:
    """Yield the question what to do in a case, answered by a sentence or by the list that it leads into."""
    (fact,) = scenario.structure
    document = knowledge.documents[fact.doc]
    if fact.kind in (StructureKind.MEMBER, StructureKind.PROCEDURE):
        kind = "steps" if fact.kind == StructureKind.PROCEDURE else "list"
        question, answer = in_common_scope(advice_lead(fact.subject.text), knowledge), said_in_short(fact)
        yield QuestionDraft(question, (answer,), "in_short", (said_step(fact),), answer_kind=kind)
        return
    if any(is_listed(document, block) for block in document.blocks_in(fact.subject.start, fact.subject.end)):
        raise UnwrittenError(Why.POINTS)  # a case within a procedure: the task is said above
    (done,) = fact.values
    step = {"fact": fact.id, "condition": span_of(fact.doc, fact.subject), "find": span_of(fact.doc, done)}
    question = in_common_scope(f"{fact.subject.text}，{fact.name}？", knowledge)
    yield QuestionDraft(question, (done.text.rstrip("。"),), "condition", (step,))
