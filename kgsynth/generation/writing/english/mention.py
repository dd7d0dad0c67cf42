"""How the questions on tables and terms name their thing, and the scopes that they may add."""

from __future__ import annotations

import re
from collections.abc import Iterator

from kgsynth.base.records import StructureFact
from kgsynth.base.thresholds import LIMITS
from kgsynth.evidence.knowledge import Knowledge
from kgsynth.generation.writing.english.scope import common_subject, scope_phrase, topic_of
from kgsynth.generation.writing.english.written_names import as_written
from kgsynth.language.english.descriptions import is_code
from kgsynth.language.english.headings import plain_case
from kgsynth.language.english.morphology import is_noun, is_word, singular
from kgsynth.language.english.question_checks import content_stems

_MADE_THINGS = frozenset(
    "protocol specification file api pattern cluster plan program programme system server client tool app application "
    "policy agreement database handbook project team library language framework module course contract act service "
    "phase stage console interface catalog portal act standard format model engine".split()
)
"""Nouns that take an article at the end of a topic; "in the access policy", but "in key rotation"."""
_TAKES_FOR = re.compile(r"\b(?:practices|requirements|prerequisites|criteria|rules|goals)\?$")
_LEAD_WORDS = frozenset(
    "behind with without before after on at by from under a an the how what why when where who which".split()
)


def is_specific(name: str, names: frozenset[str]) -> bool:
    """Check whether a name says by itself which thing is meant: long code, or a proper name."""
    if is_code(name):
        return len(name) >= 5 and not name.isalpha()
    return any(word.strip("()") in names or re.search(r"\d|[A-Z]{2}|[a-z][A-Z]|_", word) for word in name.split())


def scoped(question: str, fact: StructureFact, knowledge: Knowledge, *, alone: bool) -> Iterator[str]:
    """Yield a question, alone if it can be, and with the subject of its document or of the folder."""
    if alone:
        yield question
    asked = set(content_stems(question))
    for phrase in _places(fact, knowledge):
        if not set(content_stems(phrase)) & asked:
            phrase = as_written(phrase, fact, knowledge)
            shown = phrase.replace("in ", "for ", 1) if _TAKES_FOR.search(question) else phrase
            yield f"{question[:-1]} {shown}?"
            return
        if not alone:
            yield question
            return


def _places(fact: StructureFact, knowledge: Knowledge) -> Iterator[str]:
    names = knowledge.statements.names
    path = knowledge.documents[fact.doc].sections[fact.section].path
    for title in reversed(path[:-1] if len(path) > 1 else path):
        phrase = place_phrase(topic_of(title), names)
        if phrase:
            yield phrase
    subject = knowledge.derived(common_subject)
    titled = sum(subject in document.title.split() for document in knowledge.documents.values()) if subject else 0
    if subject and not subject.isupper() and titled >= LIMITS.scope_min_titles:
        yield f"in {subject}"


def place_phrase(topic: str, names: frozenset[str]) -> str:
    """Return a topic as a place at the end of a question, "" unless it is a name or a noun phrase in the singular."""
    phrase = scope_phrase(topic, names) if topic else ""
    if not phrase.startswith("in "):
        return ""
    shown = phrase.removeprefix("in ").removeprefix("the ")
    words = shown.split()
    last = words[-1].lower()
    if words[0].lower() in _LEAD_WORDS or (shown.endswith(("ing", "ion")) and len(words) == 1):
        return ""
    if len(words) == 1:
        known = is_word(shown) or is_word(singular(shown.lower()))
        return f"in {shown}" if shown in names or (shown[0].isupper() and not known) else ""
    if not is_noun(singular(last)) or last != singular(last):
        return f"in {shown}" if words[-1] in names or (last.endswith("s") and words[0] in names) else ""
    return f"in the {shown}" if last in _MADE_THINGS else f"in {shown}"


def in_lower_case(name: str, names: frozenset[str]) -> str:
    """Return a name from the start of a row or item as it stands inside a sentence."""
    return name if is_code(name) else plain_case(name, names)
