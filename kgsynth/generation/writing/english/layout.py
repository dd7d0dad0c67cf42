"""Questions on what the layout says: cells of tables, members of lists, terms and options, and what to do in a case."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping

from kgsynth.base.records import Block, Document, Scenario, StructureFact
from kgsynth.base.vocabulary import StructureKind
from kgsynth.evidence.knowledge import Knowledge
from kgsynth.evidence.list_answers import opening, said, said_in_short
from kgsynth.generation.writing.draft import QuestionDraft, UnwrittenError, Why, said_step
from kgsynth.generation.writing.english.drafts import fronted
from kgsynth.generation.writing.english.scope import block_above, common_scope, scopes
from kgsynth.generation.writing.english.written_names import as_written, has_article
from kgsynth.language.english.forms import (
    counted,
    description_question,
    heading_list_question,
    heading_question,
    is_code,
    is_term,
    kind_in,
    kind_noun,
    lead_in_question,
    plain_case,
    term_question,
)
from kgsynth.language.english.lexicon import PATTERNS
from kgsynth.language.english.morphology import is_noun
from kgsynth.language.english.question_checks import content_stems
from kgsynth.language.text_words import gives_order


def is_specific(name: str, names: frozenset[str]) -> bool:
    """Check whether a name says by itself which thing is meant: long code, or a proper name."""
    if is_code(name):
        return len(name) >= 5 and not name.isalpha()
    return any(word.strip("()") in names or re.search(r"\d|[A-Z]{2}|[a-z][A-Z]|_", word) for word in name.split())


def scoped(question: str, fact: StructureFact, knowledge: Knowledge, *, alone: bool) -> Iterator[str]:
    """Yield a question as it is if it can be asked so, otherwise with the name that its page or folder is about."""
    if alone:
        yield question
        return
    asked = set(content_stems(question))
    for preposition, name in scopes(fact, knowledge):
        if not set(content_stems(name)) & asked:
            yield fronted(question, "in" if preposition == "with" else preposition, name)
            return


def in_lower_case(name: str, names: frozenset[str]) -> str:
    """Return a name from the start of a row or item as it stands inside a sentence."""
    return name if is_code(name) else plain_case(name, names)


# What a documented parameter belongs to, and what it is called: "the max_size argument of ConnectionPool".
#
# Both are read from the sentence before its list, then from the headings above it.


def owner_and_kind(fact: StructureFact, knowledge: Knowledge) -> tuple[str, str]:
    """Return the function, class or command that a parameter belongs to and the noun for what it is, "" if unknown."""
    document = knowledge.documents[fact.doc]
    path = document.sections[fact.section].path
    kind, lead = kind_noun(path[-1], plural=True), _lead(fact, document, knowledge)
    owners = [*(_named_in(lead) if lead else ()), *_named_above(path)]
    kind = kind or (kind_in(lead.text) if lead else "")
    common = knowledge.derived(common_scope)
    known = (fact.subject.text, common[1] if common else "")  # the common subject of the documents owns nothing
    return next((name for name in owners if name not in known), ""), kind


def _lead(fact: StructureFact, document: Document, knowledge: Knowledge) -> Block | None:
    """Return the paragraph that a list of terms follows, None for terms that are in no list."""
    first = knowledge.derived(_list_starts).get((fact.doc, fact.group))
    if first is None:
        return None
    above = block_above(document, first, fact.section)
    return above if above and above.kind == "paragraph" else None


def _list_starts(knowledge: Knowledge) -> Mapping[tuple[str, int], int]:
    """Return where the first term of each list of terms begins."""
    starts: dict[tuple[str, int], int] = {}
    for fact in knowledge.structure:
        if fact.kind == StructureKind.DEFINITION and fact.group >= 0:
            place = (fact.doc, fact.group)
            starts[place] = min(fact.subject.start, starts.get(place, fact.subject.start))
    return starts


def _named_in(lead: Block) -> Iterator[str]:
    """Yield the one name in code that a sentence has."""
    names = {lead.text[start:end] for start, end in lead.code}
    if len(names) == 1 and all(re.fullmatch(r"[\w.]+(?:\(\))?", name) for name in names):
        yield from names


def _named_above(path: tuple[str, ...]) -> Iterator[str]:
    """Yield the headings that name a piece of code, the closest first."""
    for title in reversed(path):
        match = PATTERNS["owner_heading"].match(title.strip())
        name = match["name"] if match else ""
        if is_code(name) or PATTERNS["camel_case"].match(name):
            yield name


# Questions that lists answer, asked by the sentence or heading that leads into them.

_MIN_CONTENT = 2  # content words of any question
_MIN_SPECIFIC = 4  # content words of a question that is understood without its document


def listing(scenario: Scenario, knowledge: Knowledge) -> Iterator[QuestionDraft]:
    """Yield the question that a list answers, alone if it is specific and with its scope."""
    (fact,) = scenario.structure
    names, lead = knowledge.statements.names, fact.subject.text
    if any(PATTERNS["is_no_member"].search(value.text) for value in fact.values):
        raise UnwrittenError(Why.POINTS)
    question = lead_in_question(lead, names)
    document = knowledge.documents[fact.doc]
    if not question and lead == document.sections[fact.section].title and _fills_section(document, fact):
        question = heading_list_question(lead, names) or heading_question(lead, names)
        ordered = all(gives_order(value.text) for value in fact.values)
        question = "" if question.startswith("How do you ") and not ordered else question
    if not question or not PATTERNS["asks_for_members"].match(question) or PATTERNS["ours"].search(question):
        raise UnwrittenError(Why.HEADING)
    if counted(question) not in (0, len(fact.values)):
        raise UnwrittenError(Why.ANSWER)
    stems = content_stems(question)
    if len(stems) - bool(counted(question)) < _MIN_CONTENT:
        raise UnwrittenError(Why.THIN)
    told = len(stems) >= _MIN_SPECIFIC - question.startswith("How do you ")
    texts = [*scoped(question, fact, knowledge, alone=told)]
    _, common = knowledge.derived(common_scope) or ("", "")
    if not texts and set(content_stems(common)) & set(stems):
        texts = [question]  # it names what all documents are about
    if not texts:
        raise UnwrittenError(Why.PAGE)
    kind = "steps" if fact.kind == StructureKind.PROCEDURE else "list"
    for text in texts:
        yield QuestionDraft(text, (said_in_short(fact),), "in_short", (said_step(fact),), answer_kind=kind)


def _fills_section(document: Document, fact: StructureFact) -> bool:
    """Check whether a list is the whole text of its section."""
    start, end = fact.values[0].start, fact.values[-1].end
    blocks = (block for block in document.blocks if block.section == fact.section and block.kind != "heading")
    return all(start <= block.start and block.end <= end for block in blocks)


# Questions on terms: what an option does, what its default is, what a word of a glossary means.


def term(scenario: Scenario, knowledge: Knowledge) -> Iterator[QuestionDraft]:
    """Yield the question what a term means, what an option does, what its default is, or which version added it."""
    (fact,) = scenario.structure
    name = fact.subject.text.strip(" :*")
    if not is_term(name):
        raise UnwrittenError(Why.TERM)
    form = _of_parameter if _is_coded(name, fact, knowledge) else _of_word
    texts = list(form(name, fact, knowledge))
    if not texts:
        raise UnwrittenError(Why.PAGE)
    answer, operator = (said, "said") if fact.kind == StructureKind.DEFAULT else (opening, "opening")
    for text in texts:
        yield QuestionDraft(text, (answer(fact),), operator, (said_step(fact),))


def _is_coded(name: str, fact: StructureFact, knowledge: Knowledge) -> bool:
    """Check whether a term is a parameter or another name in code, rather than a word or an acronym."""
    if _is_glossary(fact, knowledge) or (name.isupper() and name.isalpha() and not owner_and_kind(fact, knowledge)[1]):
        return False
    return is_code(name) or (name.islower() and " " not in name)


def _is_glossary(fact: StructureFact, knowledge: Knowledge) -> bool:
    document = knowledge.documents[fact.doc]
    return any(PATTERNS["glossary"].search(title) for title in (document.title, document.sections[fact.section].title))


# ---- words -----------------------------------------------------------------------------------------


def _of_word(name: str, fact: StructureFact, knowledge: Knowledge) -> Iterator[str]:
    """Yield the question what a term is; a single common word is asked in what the glossary is of."""
    written = as_written(f"x {in_lower_case(name, knowledge.statements.names)}", fact, knowledge).removeprefix("x ")
    bare, _, short = written.rstrip(")").partition(" (")
    counted = has_article(bare, knowledge) if is_noun(bare.split()[-1].lower()) else None
    counted = has_article(short, knowledge) if counted is None and short else counted
    question = term_question(written, fact.values[0].text, glossary=_is_glossary(fact, knowledge), counted=counted)
    if not question:
        raise UnwrittenError(Why.TERM)
    yield from scoped(question, fact, knowledge, alone=" " in written or not written.islower())


# ---- parameters ------------------------------------------------------------------------------------


def _of_parameter(name: str, fact: StructureFact, knowledge: Knowledge) -> Iterator[str]:
    """Yield the question on an option or a parameter, with what it belongs to."""
    option, (owner, kind) = name.startswith("-"), owner_and_kind(fact, knowledge)
    kind = kind or ("option" if option else "parameter" if owner else "")
    shown = f"the {name} {kind}" if kind and not name.endswith(")") else name
    shown += f" of {owner}" if owner else ""
    if fact.kind == StructureKind.DEFAULT:
        question = _of_trait(fact, shown, knowledge)
    else:
        question = description_question(shown, kind, fact.values[0].text)
    if not question:
        raise UnwrittenError(Why.TERM)
    documents = knowledge.derived(_documents_with)["-" if option else name]
    if owner:
        yield question
    elif kind or is_specific(name, knowledge.statements.names):
        specific = is_specific(name, knowledge.statements.names) and documents == 1
        yield from scoped(question, fact, knowledge, alone=bool(kind) and specific)


def _of_trait(fact: StructureFact, shown: str, knowledge: Knowledge) -> str:
    """Return the question for the default of a parameter, or for the version that added it; "" for other traits."""
    value = fact.values[0].text
    if fact.name == "default" and not PATTERNS["placeholder_value"].search(value):
        return f"What is the default value of {shown}?"
    if fact.name == "since":
        common = knowledge.derived(common_scope)
        product = value.rpartition(" ")[0] or (common[1] if common else "")
        return f"In which version{f' of {product}' if product else ''} was {shown} added?"
    return ""


def _documents_with(knowledge: Knowledge) -> Counter[str]:
    """Return in how many documents each term is explained; "-" stands for all options."""
    found = {
        (fact.doc, fact.subject.text.strip(" :*"))
        for fact in knowledge.structure
        if fact.kind == StructureKind.DEFINITION
    }
    options = {(doc, "-") for doc, name in found if name.startswith("-")}
    return Counter(name for _, name in found | options)
