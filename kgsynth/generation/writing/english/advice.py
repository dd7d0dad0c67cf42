"""Questions on what to do in a case: "What should you do if you lose your badge?"."""

from __future__ import annotations

from collections.abc import Iterator

from kgsynth.base.records import Scenario
from kgsynth.base.vocabulary import StructureKind
from kgsynth.evidence.knowledge import Knowledge
from kgsynth.evidence.list_answers import said_in_short
from kgsynth.generation.writing.english.drafts import REASON, QuestionDraft, said_step, span_of
from kgsynth.language.english.advice import advice_lead


def advice(scenario: Scenario, knowledge: Knowledge) -> Iterator[QuestionDraft]:
    """Yield the question what to do in a case, answered by a sentence or by the list that it leads into."""
    (fact,) = scenario.structure
    if fact.kind in (StructureKind.MEMBER, StructureKind.PROCEDURE):
        kind = "steps" if fact.kind == StructureKind.PROCEDURE else "list"
        question, answer = advice_lead(fact.subject.text), said_in_short(fact)
        yield QuestionDraft(question, (answer,), "in_short", (said_step(fact),), answer_kind=kind)
        return
    case, (done,) = fact.subject.text, fact.values
    answer = done.text if done.text[1:2].isupper() else done.text[:1].lower() + done.text[1:]
    step = {"fact": fact.id, "condition": span_of(fact.doc, fact.subject), "find": span_of(fact.doc, done)}
    short = REASON.match(answer.split(". ")[0])
    answers = (answer, short[1]) if short else (answer,)
    yield QuestionDraft(f"{fact.name} {case[0].lower()}{case[1:]}?", answers, "condition", (step,))
