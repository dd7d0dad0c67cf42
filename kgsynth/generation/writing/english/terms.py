"""Questions on terms: what an option does, what its default is, what a word of a glossary means."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping

from kgsynth.base.records import Scenario, StructureFact
from kgsynth.base.vocabulary import StructureKind
from kgsynth.evidence.derivation import opening, said
from kgsynth.evidence.knowledge import Knowledge
from kgsynth.generation.writing.draft import UnwrittenError, Why
from kgsynth.generation.writing.english.belonging import owner_and_kind
from kgsynth.generation.writing.english.drafts import QuestionDraft, said_step
from kgsynth.generation.writing.english.mention import in_lower_case, is_specific, scoped
from kgsynth.generation.writing.english.short_scope import common_scope
from kgsynth.generation.writing.english.written_names import as_written, has_article
from kgsynth.language.english.descriptions import description_question, is_code, is_term, term_question
from kgsynth.language.english.morphology import is_noun

_GLOSSARY = re.compile(r"(?i)\b(?:glossary|terminology|definitions?|terms|vocabulary|concepts|acronyms)\b")
_MANUAL_PAGE = re.compile(r"^(?P<command>[\w.+-]+) ?\(\d\w*\)")
_PATH = re.compile(r"^[/~]")
_SECOND_NAME = re.compile(r"^--no-|^-\w$")
_PLACEHOLDER_VALUE = re.compile(r"^[A-Z]{3}$|^(?:the|a|an|to|when|if|in|as|for)\b|[<>{}]", re.I)


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
    for text in texts:
        if fact.kind == StructureKind.DEFAULT:
            yield QuestionDraft(text, (said(fact),), "said", (said_step(fact),))
        else:
            yield QuestionDraft(text, (opening(fact),), "opening", (said_step(fact),))


def _is_coded(name: str, fact: StructureFact, knowledge: Knowledge) -> bool:
    """Check whether a term is a parameter or another name in code, rather than a word or an acronym."""
    if name.startswith("-"):
        return True
    if _is_glossary(fact, knowledge) or (name.isupper() and name.isalpha() and not owner_and_kind(fact, knowledge)[1]):
        return False
    return is_code(name) or (name.islower() and " " not in name)


def _is_glossary(fact: StructureFact, knowledge: Knowledge) -> bool:
    document = knowledge.documents[fact.doc]
    return any(_GLOSSARY.search(title) for title in (document.title, document.sections[fact.section].title))


# ---- words -----------------------------------------------------------------------------------------


def _of_word(name: str, fact: StructureFact, knowledge: Knowledge) -> Iterator[str]:
    """Yield the question what a term is; a single common word is asked in what the glossary is of."""
    if fact.kind == StructureKind.DEFAULT:
        raise UnwrittenError(Why.TERM)
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
    page = _MANUAL_PAGE.match(knowledge.documents[fact.doc].title) if option else None
    owner = page["command"] if page else owner
    shown = f"the {name} {kind}" if kind and not name.endswith(")") else name
    shown += f" of {owner}" if owner else ""
    if fact.kind == StructureKind.DEFAULT:
        question = _of_trait(fact, shown, knowledge)
    elif name in knowledge.derived(_explained_with)[fact.doc, fact.values[0].start]:
        raise UnwrittenError(Why.AGAIN)
    else:
        question = description_question(shown, kind, fact.values[0].text, code=True)
    if not question or (_PATH.match(name) and question.endswith(" do?")):
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
    if fact.name == "default" and not _PLACEHOLDER_VALUE.search(value):
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


def _explained_with(knowledge: Knowledge) -> Mapping[tuple[str, int], set[str]]:
    """Return the names that share what is said of them with a better one, by its place: "--no-color", "-c"."""
    found: dict[tuple[str, int], set[str]] = defaultdict(set)
    for fact in knowledge.structure:
        if fact.kind == StructureKind.DEFINITION:
            found[fact.doc, fact.values[0].start].add(fact.subject.text.strip(" :*"))
    return defaultdict(
        set,
        {
            place: set(filter(_SECOND_NAME.match, names))
            for place, names in found.items()
            if not all(map(_SECOND_NAME.match, names))
        },
    )
