"""Questions on terms: what an option does, what its default is, what a word of a glossary means."""

from __future__ import annotations

import re
from collections.abc import Iterator

from kgsynth.base.records import Scenario
from kgsynth.base.vocabulary import StructureKind
from kgsynth.evidence.derivation import said
from kgsynth.evidence.knowledge import Knowledge
from kgsynth.generation.writing.english.drafts import QuestionDraft, said_step
from kgsynth.generation.writing.english.mention import in_lower_case, is_specific, scoped
from kgsynth.language.english.descriptions import description_question, is_code, is_term, kind_noun, term_question

_GLOSSARY = re.compile(r"(?i)\b(?:glossary|terminology|definitions?|terms|vocabulary|concepts|acronyms)\b")
_PLACEHOLDER_VALUE = re.compile(r"^[A-Z]{3}$|^(?:the|a|an|to|when|if|in|as|for)\b|[<>{}]", re.I)


def term(scenario: Scenario, knowledge: Knowledge) -> Iterator[QuestionDraft]:
    """Yield the question what a term means, what an option does, or what its default is."""
    (fact,) = scenario.structure
    names = knowledge.statements.names
    name = fact.subject.text.strip(" :*")
    if not is_term(name):
        return
    title = knowledge.documents[fact.doc].sections[fact.section].title
    kind, code = kind_noun(title, plural=True), is_code(name)
    coded = code or (name.islower() and " " not in name)
    shown = f"the {name} {kind}" if kind and coded and not name.endswith(")") else name
    detail = fact.values[0].text
    if fact.kind == StructureKind.DEFAULT:
        asked = fact.name == "default" and (code or (kind and coded)) and not _PLACEHOLDER_VALUE.search(detail)
        question = f"What is the default value of {shown}?" if asked else ""
    elif coded and (code or kind):
        question = description_question(shown, kind if shown != name else "", detail, code=True)
    else:
        question = term_question(in_lower_case(name, names), detail, glossary=bool(_GLOSSARY.search(title)))
    if question:
        alone = is_specific(name, names)
        texts = [question] if alone else scoped(question, fact, knowledge, alone=not coded)
        for text in texts:
            yield QuestionDraft(text, (said(fact),), "said", (said_step(fact),))
