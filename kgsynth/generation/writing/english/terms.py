"""Questions on terms: what an option does, what its default is, what a word of a glossary means."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping

from kgsynth.base.records import Scenario, StructureFact
from kgsynth.base.vocabulary import StructureKind
from kgsynth.evidence.derivation import said
from kgsynth.evidence.knowledge import Knowledge
from kgsynth.generation.writing.english.drafts import QuestionDraft, said_step
from kgsynth.generation.writing.english.mention import in_lower_case, is_specific, scoped
from kgsynth.generation.writing.english.short_scope import common_scope
from kgsynth.generation.writing.english.written_names import as_written, has_article
from kgsynth.language.english.descriptions import description_question, is_code, is_term, kind_noun, term_question
from kgsynth.language.english.morphology import is_noun

_GLOSSARY = re.compile(r"(?i)\b(?:glossary|terminology|definitions?|terms|vocabulary|concepts|acronyms)\b")
_MANUAL_PAGE = re.compile(r"^(?P<command>[\w.+-]+) ?\(\d\w*\)")
_PATH = re.compile(r"^[/~]")
_SECOND_NAME = re.compile(r"^--no-|^-\w$")
_PLACEHOLDER_VALUE = re.compile(r"^[A-Z]{3}$|^(?:the|a|an|to|when|if|in|as|for)\b|[<>{}]", re.I)


def term(scenario: Scenario, knowledge: Knowledge) -> Iterator[QuestionDraft]:
    """Yield the question what a term means, what an option does, what its default is, or which version added it."""
    (fact,) = scenario.structure
    names = knowledge.statements.names
    name = fact.subject.text.strip(" :*")
    if not is_term(name):
        return
    question, coded = _asked(name, fact, knowledge)
    if question:
        option = name.startswith("-")
        documents = knowledge.derived(_documents_with)["-" if option else name]
        alone = is_specific(name, names) and documents == 1
        command = option and _MANUAL_PAGE.match(knowledge.documents[fact.doc].title)
        texts = [question] if alone or command else scoped(question, fact, knowledge, alone=not coded)
        for text in texts:
            yield QuestionDraft(text, (said(fact),), "said", (said_step(fact),))


def _asked(name: str, fact: StructureFact, knowledge: Knowledge) -> tuple[str, bool]:
    """Return the question on a term, "" for none, and whether the term is code."""
    document, detail = knowledge.documents[fact.doc], fact.values[0].text
    title = document.sections[fact.section].title
    kind, code = kind_noun(title, plural=True) or ("option" if name.startswith("-") else ""), is_code(name)
    coded = code or (name.islower() and " " not in name)
    shown = f"the {name} {kind}" if kind and coded and not name.endswith(")") else name
    if name.startswith("-") and (page := _MANUAL_PAGE.match(document.title)):
        shown = f"{shown} of {page['command']}"
    if fact.kind == StructureKind.DEFAULT:
        return _of_trait(fact, shown, knowledge, named=code or bool(kind and coded)), coded
    if name in knowledge.derived(_explained_with)[fact.doc, fact.values[0].start]:
        return "", coded
    if coded and (code or kind):
        question = description_question(shown, kind if shown != name else "", detail, code=True)
        return "" if _PATH.match(name) and question.endswith(" do?") else question, coded
    written = as_written(f"x {in_lower_case(name, knowledge.statements.names)}", fact, knowledge).removeprefix("x ")
    bare, _, short = written.rstrip(")").partition(" (")
    counted = has_article(bare, knowledge) if is_noun(bare.split()[-1].lower()) else None
    counted = has_article(short, knowledge) if counted is None and short else counted
    return term_question(written, detail, glossary=bool(_GLOSSARY.search(title)), counted=counted), coded


def _of_trait(fact: StructureFact, shown: str, knowledge: Knowledge, *, named: bool) -> str:
    """Return the question for the default of a parameter, or for the version that added it; "" for other traits."""
    value = fact.values[0].text
    if fact.name == "default" and named and not _PLACEHOLDER_VALUE.search(value):
        return f"What is the default value of {shown}?"
    if fact.name == "since" and named:
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
