"""Find the short name under which people would ask a question: the product, library or organisation a page is about.

A title is not such a name by itself. A name counts if it is in the title, a heading or most documents, and if the text
itself says "in Jedis", "with MongoEngine" or "at GSA"; the most frequent of these prepositions is used.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

from kgsynth.base.records import Document, StructureFact
from kgsynth.base.records.once import once
from kgsynth.base.thresholds import LIMITS
from kgsynth.evidence.knowledge import Knowledge
from kgsynth.generation.writing.english.prose_places import inside_sentences, prose
from kgsynth.generation.writing.english.scope import topic_of
from kgsynth.language.english.headings import bare_title, heading_question
from kgsynth.language.english.morphology import is_word

_CAPITAL_WORD = re.compile(r"[A-Z][\w.+#/-]*|[a-z]+[A-Z][\w.]*")
_RUN = re.compile(
    r"(?<![\w.])(?:[A-Z][\w.+#/-]*|[a-z]+[A-Z][\w.]*)(?: (?:[A-Z][\w.+#/-]*|[a-z]+[A-Z][\w.]*|\d[\d.]*))*"
)
_SCOPE_PREPOSITIONS = {"in": "in", "with": "with", "using": "with", "on": "on", "at": "at"}
_BEFORE = re.compile(r"(?<![\w-])([Ii]n|[Ww]ith|[Uu]sing|[Oo]n|[Aa]t) $")
_LONGEST_BEFORE = len("-using ")
_NOT_AFTER_USE = re.compile(r"[\w-]|\.\w| [A-Z]")
_NOT_AFTER_NAME = re.compile(r"[\w/]|\.\w")
_ALONE_MAX = 3  # words of a name
NO_NAMES = frozenset(
    "I A API APIs FAQ URL URLs HTTP HTTPS JSON XML HTML CSS SQL ID IDs README TODO PDF PR PRs UI CLI OK US USA "
    "UTC English Internet January February March April May June July August September October November December "
    "Monday Tuesday Wednesday Thursday Friday Saturday Sunday Note Tip Warning Example IP TCP UTF ASCII CPU DNS "
    "SSH".split()
)


def scopes(fact: StructureFact, knowledge: Knowledge) -> list[tuple[str, str]]:
    """Return (preposition, name) for the names a fact may be about, the closest first, that of the corpus last."""
    document = knowledge.documents[fact.doc]
    path = document.sections[fact.section].path
    found = scopes_above(document, path[:-1] if fact.subject.text == path[-1] else path, knowledge)
    common = knowledge.derived(common_scope)
    return list(dict.fromkeys([*found, *([common] if common else [])]))


def scopes_above(document: Document, path: Sequence[str], knowledge: Knowledge) -> list[tuple[str, str]]:
    """Return (preposition, name) for the names in the headings of a path and in the title, the closest first."""
    above = dict.fromkeys([document.title, *path])
    return [scope for title in reversed(above) if (scope := _of_title(title, document, knowledge))]


@once
def title_scope(document: Document) -> tuple[str, str] | None:
    """Return the whole title with the preposition and article that the text gives it: "during the Yuan dynasty"."""
    name = topic_of(document.title.replace("_", " "))
    if not name or len(name.split()) > _ALONE_MAX or re.search(r"[^\w’' -]", name):
        return None
    use = re.compile(rf"(?<![\w-])(in|with|during|on|at) ((?:the )?{re.escape(name)})(?![\w-]|\.\w| [A-Z])", re.I)
    uses = Counter((place.lower(), shown) for place, shown in use.findall(prose(document)))
    if uses.total() < LIMITS.scope_min_uses:
        return None
    preposition, shown = min(uses, key=lambda one: (-uses[one], one))
    return preposition, shown


def local_scopes(fact: StructureFact, knowledge: Knowledge) -> list[tuple[str, str]]:
    """Return the scopes that tell the fact's document or section from others."""
    common = knowledge.derived(common_scope)
    return [scope for scope in scopes(fact, knowledge) if scope != common]


def common_scope(knowledge: Knowledge) -> tuple[str, str] | None:
    """Return the name that most documents are about, with its preposition; None if there is none."""
    documents = list(knowledge.documents.values())
    counts, holding = Counter[str](), Counter[str]()
    for document in documents:
        words = Counter(re.findall(r"(?<![\w./-])[A-Z][\w-]+(?![\w/]|\.\w)", prose(document)))
        counts.update(words)
        holding.update(words.keys())
    for name in sorted(counts, key=lambda one: (-holding[one], -counts[one], one))[:40]:
        names_much = holding[name] * 2 > len(documents) and name not in NO_NAMES
        everywhere = holding[name] >= LIMITS.scope_documents_share * len(documents)
        least = 1 if everywhere else LIMITS.scope_min_titles
        if names_much and _in_titles(name, documents) >= least and _is_name(name, documents):
            preposition = _preposition(name, documents, LIMITS.scope_min_uses)
            if preposition:
                return preposition, name
    return None


def _is_name(name: str, documents: Sequence[Document]) -> bool:
    """Check whether a word inside sentences nearly always has its capital."""
    upper = sum(
        not _NOT_AFTER_NAME.match(prose(document), at + len(name))
        for document in documents
        for at in inside_sentences(name, document)
    )
    if not upper:
        return False
    small = re.escape(name.lower())  # the letters come first in the pattern, so that they are what is searched for
    lower = re.compile(rf"{small}(?<![\w./-]{small})(?![\w/]|\.\w)")
    return upper > LIMITS.scope_capital_ratio * sum(len(lower.findall(prose(document))) for document in documents)


def _in_titles(name: str, documents: Sequence[Document]) -> int:
    word = re.compile(rf"(?<![\w-]){re.escape(name)}(?![\w-])")
    return sum(bool(word.search(document.title)) for document in documents)


def _of_title(title: str, document: Document, knowledge: Knowledge) -> tuple[str, str] | None:
    """Return the last name in a title that the text of its document uses after a preposition."""
    if heading_question(title) and not _CAPITAL_WORD.search(title):
        return None
    bare = topic_of(title) or bare_title(title)
    if re.search(r",| and | or |[&/]", bare):
        return None
    for run in reversed(_RUN.findall(bare)):
        words = run.split()
        for length in range(min(len(words), _ALONE_MAX), 0, -1):
            name = " ".join(words[:length])
            whole = length > 1 and title == document.title
            known = any(word in knowledge.statements.names or not is_word(word) for word in words[:length])
            if (known or _is_name(name, [document])) and name not in NO_NAMES and not name.isdigit():
                preposition = _preposition(name, [document], LIMITS.scope_min_uses if name.isupper() else 1)
                if preposition or (name == bare and (whole or name in prose(document))):
                    return preposition or "in", name
    return None


def _preposition(name: str, documents: Sequence[Document], least: int) -> str:
    """Return the preposition that a name follows most often, "" if it hardly ever follows one."""
    uses = Counter[str]()
    for document in documents:
        text = prose(document)
        for at in inside_sentences(name, document):
            use = _BEFORE.search(text[max(0, at - _LONGEST_BEFORE) : at])
            if use and not _NOT_AFTER_USE.match(text, at + len(name)):
                uses[_SCOPE_PREPOSITIONS[use[1].lower()]] += 1
    if not uses or uses.total() < least:
        return ""
    mentions = sum(prose(document).count(name) for document in documents)
    if uses.total() < LIMITS.scope_use_share * mentions:
        return ""
    return min(uses, key=lambda one: (-uses[one], one))
