"""How the questions on tables and terms name their thing, and the scopes that they may add."""

from __future__ import annotations

import re
from collections.abc import Iterator

from kgsynth.base.records import StructureFact
from kgsynth.evidence.knowledge import Knowledge
from kgsynth.generation.writing.english.drafts import fronted
from kgsynth.generation.writing.english.short_scope import scopes
from kgsynth.language.english.descriptions import is_code
from kgsynth.language.english.headings import plain_case
from kgsynth.language.english.question_checks import content_stems


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
