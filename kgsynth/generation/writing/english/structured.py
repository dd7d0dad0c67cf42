"""Questions on the layout of documents: headings that ask, lists with what leads into them, cells of tables, terms."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from kgsynth.base.records import Scenario, StructureFact
from kgsynth.base.vocabulary import StructureKind
from kgsynth.evidence.derivation import said
from kgsynth.evidence.knowledge import Knowledge
from kgsynth.generation.writing.english.drafts import QuestionDraft
from kgsynth.generation.writing.english.scope import in_scope
from kgsynth.language.english.headings import heading_question, plain_case
from kgsynth.language.english.lead_ins import lead_in_question
from kgsynth.language.english.morphology import inflected, is_base_verb, is_noun, lemma_of, singular

_SAYS_WHAT = re.compile(
    r"(?i)^(?:description|meaning|definition|purpose|explanation|notes?|comments?|details?|summary|what it does|function|about|info|additional info|remarks?|usage|use|action|effect|behaviou?r)$"
)
_OTHER_HEADS = re.compile(
    r"(?i)^(?:.*examples?|others?|notes?|links?|urls?|references?|id|no|number|#|name|status quo|tbd)$"
)
_MAX_WORD = 24  # letters: longer ones are digests and the like
_PREPOSITIONS = frozenset("by of for to in on with from at as".split())
_YES_NO_HEAD = re.compile(
    r"(?i)^(?:required|optional|mandatory|supported|deprecated|enabled|allowed|available|nullable|repeatable|included|public|experimental)\??$"
)


def listing(scenario: Scenario, knowledge: Knowledge) -> Iterator[QuestionDraft]:
    """Yield the question that a list answers."""
    (fact,) = scenario.structure
    names = knowledge.statements.names
    lead = fact.subject.text
    question = lead_in_question(lead, names)
    if not question and lead == knowledge.documents[fact.doc].sections[fact.section].title:
        question = heading_question(lead, names)
    if question:
        yield from _drafts(question, fact, knowledge)


def look_up(scenario: Scenario, knowledge: Knowledge) -> Iterator[QuestionDraft]:
    """Yield the question for the value of a cell: "What is the maximum size of the Team plan?"."""
    (fact,) = scenario.structure
    names = knowledge.statements.names
    row, head = fact.subject.text.strip(), fact.heads[-1].text.strip(" :")
    group = " ".join(one.text for one in fact.heads[:-1])
    if _SAYS_WHAT.match(head) or _OTHER_HEADS.match(head) or any(len(word) > _MAX_WORD for word in row.split()):
        return
    odd = re.search(r"[:;<>{}]|^\W*\d", head) or head.split()[-1].lower() in _PREPOSITIONS
    if odd or len(row.split()) > 6 or len(head.split()) > 6 or not re.search(r"[^\W\d_]{2}", row) or row.isupper():
        return
    if _YES_NO_HEAD.match(head):
        question = f"Is {row} {head.rstrip('?').lower()}?"
    elif re.match(r"(?i)(?:how|what|where|when|who|why)\b", head) or head.endswith("?"):
        return
    else:
        last = head.split()[-1].lower()
        verb = "are" if singular(last) != last else "is"
        of = f"{plain_case(group, names)} of" if group else "of"
        question = f"What {verb} the {plain_case(head, names)} {of} {row}?"
    yield from _drafts(question, fact, knowledge)


def term(scenario: Scenario, knowledge: Knowledge) -> Iterator[QuestionDraft]:
    """Yield the question what a term means, or what the default of a parameter is."""
    (fact,) = scenario.structure
    name = fact.subject.text.strip(" :*")
    path = knowledge.documents[fact.doc].sections[fact.section].path
    if len(name.split()) > 4 or re.search(r"[<>{}\[\]*…]", name):
        return
    coded = bool(re.search(r"_|[a-z][A-Z]|^--?\w|\w\.\w|\w\(\)", name))
    glossary = any(_GLOSSARY.search(title) for title in path)
    kind = next((match[1].lower() for title in reversed(path) if (match := _KIND_OF_TERM.search(title))), "")
    if fact.kind == StructureKind.DEFAULT:
        shown = f"the {name} {kind}" if kind else name
        question = f"What is the default value of {shown}?" if fact.name == "default" and (coded or kind) else ""
    elif kind and (coded or name.islower()):
        question = (
            f"What does the {name} {kind} mean?" if kind in ("field", "value") else f"What does the {name} {kind} do?"
        )
    elif glossary:
        question = f"What does {name} mean?"
    else:
        question = _what_of(name, fact.values[0].text) if coded else ""
    if question:
        yield from _drafts(question, fact, knowledge)


_GLOSSARY = re.compile(r"(?i)\b(?:glossary|terminology|definitions?|terms used|vocabulary|key terms|acronyms)\b")
_KIND_OF_TERM = re.compile(
    r"(?i)\b(option|parameter|argument|flag|field|attribute|property|setting|directive|variable|command|function|method|"
    r"event|header|keyword|metric|label|permission|role|value)s?\b"
)


def _what_of(name: str, said: str) -> str:
    """Return the question that a description answers: what a thing does, or what it means; "" for an instruction."""
    first = (re.findall(r"^[A-Za-z]+", said) or [""])[0].lower()
    verb = lemma_of(first, "VERB")
    if first.endswith("s") and verb != first and is_base_verb(verb) and inflected(verb, "VBZ") == first:
        return f"What does {name} do?"
    if is_base_verb(first) and not is_noun(first):
        return ""
    return f"What does {name} mean?" if re.search(r"[^\w\s'’-]|_|[a-z][A-Z]|\d", name) else f"What is {name}?"


def _drafts(question: str, fact: StructureFact, knowledge: Knowledge) -> Iterator[QuestionDraft]:
    text = in_scope(question, fact, knowledge)
    if text:
        yield QuestionDraft(text, (said(fact),), "said", (_step(fact),))


def _step(fact: StructureFact) -> dict[str, Any]:
    return {"fact": fact.id, "doc": fact.doc}
