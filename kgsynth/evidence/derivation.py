"""Recompute golden answers from their derivations: by steps, by layout, and by a search for an absent answer."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from kgsynth.base.choices import DEFAULT_LANGUAGE
from kgsynth.base.records import Block, Document, StructureFact
from kgsynth.base.records.once import once
from kgsynth.base.thresholds import LIMITS
from kgsynth.documents.structure import structure
from kgsynth.evidence.derivation_steps import DerivationError, Place, Step, place_in, steps_of
from kgsynth.evidence.list_answers import opening, said, said_in_short
from kgsynth.evidence.quantities import Figure, figure_of, plain_value, row_of
from kgsynth.evidence.quoted_proof import quoted_proof
from kgsynth.golden.answer_members import joined_members
from kgsynth.language import nearest_language
from kgsynth.language.figures import change

# Search a corpus for a possible answer to a question that is meant to be unanswerable.
#
# Headings, tables and code are searched too. A passage is about an entity if it, or a block next to it, or a heading
# over it names the entity; a list, table or piece of code belongs to the block before it. Not found: an answer that
# uses a name or words that the query does not list.

_ATTACHED_KINDS = frozenset({"item", "cell", "code"})
"""Kinds of block that belong to the block before them."""


class PossibleAnswer(NamedTuple):
    """A place that may hold the answer, and the words of the query that are there."""

    doc: str
    start: int
    end: int
    words: tuple[str, ...]


class AbsenceQuery(NamedTuple):
    """What must not be in the corpus: an entity by its names, with a predicate or other words, each by its forms.

    A form of the ``predicate`` alone is a possible answer, and so is a share of the ``words``. A form that ends in an
    asterisk is a prefix. With ``whole_document``, a document that names the entity is about nothing else.
    """

    names: Sequence[str]
    predicate: Sequence[str]
    words: Sequence[Sequence[str]]
    whole_document: bool = False


def find_possible_answer(documents: Mapping[str, Document], query: AbsenceQuery) -> PossibleAnswer | None:
    """Return the first passage that is about the entity and may hold the answer, None if there is none.

    Example:
        >>> text = "The Pike was built in Leeds."
        >>> page = Document("a.md", text, "", "txt", "0", (Block("paragraph", 0, 28, text, ((0, 0),)),), ())
        >>> find_possible_answer({"a.md": page}, AbsenceQuery(["Pike"], ["build", "built"], []))
        PossibleAnswer(doc='a.md', start=0, end=28, words=('built',))
        >>> find_possible_answer({"a.md": page}, AbsenceQuery(["Pike"], ["weigh*"], []))
    """
    name = any_of(query.names)
    predicate = any_of(query.predicate) if query.predicate else None
    words = [any_of(forms) for forms in query.words]
    for doc in sorted(documents):
        document = documents[doc]
        if name.search(f"{document.text}\n{document.title}"):
            for passage in [document.blocks] if query.whole_document else _passages_about(document, name):
                text = "\n".join(block.text for block in passage)
                verb = predicate.search(text) if predicate is not None else None
                found = [match.group() for pattern in words if (match := pattern.search(text))]
                if verb or (found and len(found) >= LIMITS.absence_word_share * len(words)):
                    matched = (*([verb.group()] if verb else ()), *found)
                    return PossibleAnswer(doc, passage[0].start, passage[-1].end, matched)
    return None


def any_of(forms: Iterable[str]) -> re.Pattern[str]:
    """Return a pattern for whole words or names; letter case matters only for a form with a capital inside a word.

    Example:
        >>> any_of(["calibrat*", "ran"]).findall("Recalibrated? It ran a Calibration.")
        ['ran', 'Calibration']
        >>> any_of(["GET"]).findall("To get it, use GET.")
        ['GET']
    """
    return re.compile(rf"(?<!\w)(?:{'|'.join(map(_pattern, sorted(forms)))})(?!\w)", re.IGNORECASE)


def _pattern(form: str) -> str:
    pattern = re.escape(form.removesuffix("*")) + (r"\w*" if form.endswith("*") else "")
    return f"(?-i:{pattern})" if re.search(r"\w[A-Z]", form) else pattern


def _passages_about(document: Document, name: re.Pattern[str]) -> Iterator[list[Block]]:
    units = list(_units(document))
    named = [any(name.search(block.text) for block in unit) for unit in units]
    under_name = [name.search("\n".join(section.path)) is not None for section in document.sections]
    reach = LIMITS.absence_neighbour_blocks
    for number, unit in enumerate(units):
        if named[number]:
            yield [block for near in units[max(0, number - reach) : number + reach + 1] for block in near]
        elif unit[0].section < len(under_name) and under_name[unit[0].section]:
            yield unit


def _units(document: Document) -> Iterator[list[Block]]:
    unit: list[Block] = []
    for block in document.blocks:
        if unit and block.kind not in _ATTACHED_KINDS:
            yield unit
            unit = []
        unit.append(block)
    if unit:
        yield unit


# Recompute the answers that the layout of a document gives: a cell, a list, a passage, a whole column.


def said_proof(derivation: Step, documents: Mapping[str, Document]) -> str:
    """Return what the layout says in the fact of the one step."""
    return said(structure_fact(derivation, documents))


def opening_proof(derivation: Step, documents: Mapping[str, Document]) -> str:
    """Return how the description of the term of the one step begins."""
    return opening(structure_fact(derivation, documents))


def structure_fact(derivation: Step, documents: Mapping[str, Document]) -> StructureFact:
    """Return the fact of the layout that the one step of a derivation names.

    Raises:
        DerivationError: the derivation has no such step, or no document has the fact.
    """
    (fact,) = structure_facts(derivation, documents, 1, 1)
    return fact


def structure_facts(
    derivation: Step, documents: Mapping[str, Document], fewest: int, most: int | None = None
) -> list[StructureFact]:
    """Return the facts of the layout that the steps of a derivation name; raises as ``structure_fact`` does."""
    facts = []
    for step in steps_of(derivation, fewest, most):
        document = documents.get(str(step.get("doc")))
        if document is None:
            raise DerivationError(f"document {step.get('doc')!r} is not among the documents")
        found = _by_id(document).get(str(step.get("fact")))
        if found is None:
            raise DerivationError(f"{document.id} has no table, list, term or heading {step.get('fact')!r}")
        facts.append(found)
    return facts


@once
def _by_id(document: Document) -> dict[str, StructureFact]:
    return {fact.id: fact for fact in structure(document)}


def in_short_proof(derivation: Step, documents: Mapping[str, Document]) -> str:
    """Return the members of the list of the one step."""
    return said_in_short(structure_fact(derivation, documents))


# Recompute what records say: one figure, the change between two, and which records share a value.


def _figures(derivation: Step, documents: Mapping[str, Document], number: int) -> list[Figure]:
    facts = structure_facts(derivation, documents, number, number)
    found = [figure for fact in facts if (figure := figure_of(fact))]
    if len(found) < number:
        raise DerivationError(f"{facts[0].subject.text!r} in {facts[0].doc} is no figure of one year or day")
    return found


def _figure(derivation: Step, documents: Mapping[str, Document]) -> str:
    return _figures(derivation, documents, 1)[0].text


def _change(derivation: Step, documents: Mapping[str, Document]) -> str:
    first, last = _figures(derivation, documents, 2)
    measured = [[name.casefold() for name in (each.measure, *row_of(each.fact))] for each in (first, last)]
    if measured[0] != measured[1]:
        raise DerivationError(f"{first.fact.subject.text!r} and {last.fact.subject.text!r} are not one thing")
    if first.period.kind != last.period.kind or first.period.order >= last.period.order:
        raise DerivationError(f"{first.period.label} is not before {last.period.label}")
    found = change(first.amount, last.amount)
    if not found:
        raise DerivationError(f"{first.text} and {last.text} do not differ in one unit")
    return found


def _members(derivation: Step, documents: Mapping[str, Document]) -> str:
    facts = structure_facts(derivation, documents, 2)
    values = set(map(plain_value, facts))
    heads = {fact.heads[-1].text.casefold() for fact in facts if fact.heads}
    if len(values) > 1 or len(heads) != 1:
        raise DerivationError(f"{', '.join(fact.subject.text for fact in facts)} do not share one value")
    return joined_members([fact.subject.text for fact in facts], steps=False)


# Recompute golden answers from their derivations, which are JSON data.
#
# A derivation is ``{"operator": …, "steps": [{"fact": id, …}, …]}``; a span in it is ``{"doc", "start", "end"}``. One
# function per operator checks the steps and returns the answer. Whether the spans are the right evidence for the
# question is checked by the filters, not here.


def recompute(derivation: Mapping[str, Any], documents: Mapping[str, Document]) -> tuple[str, ...]:
    """Return the golden answers that ``derivation`` yields; none for an unanswerable question.

    Raises:
        DerivationError: an operator, step or span is missing or malformed, or the steps do not yield an answer.

    Example:
        >>> page = Document("a.md", "Ada leads it.", "A", "md", "", (), ())
        >>> span = {"doc": "a.md", "start": 0, "end": 3}
        >>> recompute({"operator": "lookup", "steps": [{"fact": "f-1", "find": span}]}, {"a.md": page})
        ('Ada',)
    """
    operator = derivation.get("operator")
    function = OPERATORS.get(operator) if isinstance(operator, str) else None
    if function is None:
        raise DerivationError(f"operator {operator!r} is not one of {', '.join(OPERATORS)}")
    return tuple(filter(None, (function(derivation, documents),)))


def same_answer(a: str, b: str, code: str) -> bool:
    """Check whether two answers are equal apart from case, articles, end punctuation, blanks and written numbers.

    ``code`` is the language of both.

    Example:
        >>> same_answer("The nine storerooms.", "9 storerooms", "en")
        True
        >>> same_answer("9 storerooms", "9 rooms", "en")
        False
    """
    form = nearest_language(code).answer_form
    return form(a) == form(b)


def spans(derivation: Mapping[str, Any]) -> Iterator[Place]:
    """Yield every span of ``derivation`` as (doc, start, end), in the order of the data.

    Example:
        >>> list(spans({"operator": "lookup", "steps": [{"find": {"doc": "a.md", "start": 0, "end": 3}}]}))
        [('a.md', 0, 3)]
    """
    for value in derivation.values():
        for part in value if isinstance(value, list | tuple) else (value,):
            if isinstance(part, Mapping):
                if part.keys() >= {"doc", "start", "end"}:
                    yield from filter(None, [place_in(part)])
                else:
                    yield from spans(part)


# ---- operators -------------------------------------------------------------------------------------


def _lookup(derivation: Step, documents: Mapping[str, Document]) -> str:
    (step,) = steps_of(derivation, 1, 1)
    return _text_at(step, "find", documents)


def _condition(derivation: Step, documents: Mapping[str, Document]) -> str:
    (step,) = steps_of(derivation, 1, 1)
    found, condition = _text_at(step, "find", documents), _text_at(step, "condition", documents)
    a, b = _place(step, "find"), _place(step, "condition")
    if a[0] != b[0]:
        raise DerivationError(f"the condition {condition!r} is in {b[0]}, but the answer {found!r} is in {a[0]}")
    if _overlap(a, b):
        raise DerivationError(f"the condition {condition!r} overlaps the answer {found!r} in {a[0]}")
    return found


def _scoped(derivation: Step, documents: Mapping[str, Document]) -> str:
    (step,) = steps_of(derivation, 1, 1)
    found, code = _text_at(step, "find", documents), _code(derivation, documents)
    rivals = steps_of(derivation, 1, key="rivals")
    for rival in rivals:
        other = _text_at(rival, "find", documents)
        if same_answer(found, other, code):
            raise DerivationError(f"the scope makes no difference: {other!r} also holds for {rival.get('scope')!r}")
        if rival.get("scope") and same_answer(str(rival["scope"]), str(step.get("scope")), code):
            raise DerivationError(f"the answer {found!r} and its rival {other!r} have one scope, {step.get('scope')!r}")
    return found


def _absent(derivation: Step, documents: Mapping[str, Document]) -> str:
    for step in steps_of(derivation, 1):
        for key in step.keys() & {"swapped", "by", "to", "about"}:
            _text_at(step, key, documents)
    words = derivation.get("words", ())
    predicate = derivation.get("predicate", ())
    if not isinstance(words, list | tuple) or not (words or predicate):
        raise DerivationError(f"'words' is {words!r}, not a list of words, each a list of its forms")
    query = AbsenceQuery(
        _texts(derivation.get("names"), "names"),
        _texts(predicate, "predicate") if predicate else (),
        [_texts(forms, "words") for forms in words],
        derivation.get("whole") is True,
    )
    found = find_possible_answer(documents, query)
    if found is not None:
        matched = ", ".join(map(repr, found.words))
        place = f"{found.doc} [{found.start}, {found.end})"
        raise DerivationError(f"{place} may answer the question about {query.names[0]!r}: it has {matched}")
    return ""


def _parts(derivation: Step, documents: Mapping[str, Document]) -> str:
    """Return the names of the members, one in each step."""
    members = [_text_at(step, "find", documents) for step in steps_of(derivation, 2)]
    return joined_members(members, steps=derivation.get("ordered") is True)


OPERATORS: dict[str, Callable[[Step, Mapping[str, Document]], str]] = {
    "lookup": _lookup,
    "cause": _lookup,
    "purpose": _lookup,
    "definition": _lookup,
    "condition": _condition,
    "scoped": _scoped,
    "absent": _absent,
    "said": said_proof,
    "opening": opening_proof,
    "in_short": in_short_proof,
    "parts": _parts,
    "figure": _figure,
    "change": _change,
    "members": _members,
    "quoted": quoted_proof,
}
"""Operator -> function(derivation, documents); it returns the answer, "" for none, or raises DerivationError."""


# ---- reading steps ---------------------------------------------------------------------------------


def _place(step: Step, key: str) -> Place:
    span = step.get(key)
    if not isinstance(span, Mapping) or not span.keys() >= {"doc", "start", "end"}:
        raise DerivationError(f"{key!r} of fact {step.get('fact')!r} is {span!r}, not a span with doc, start and end")
    if (place := place_in(span)) is None:
        raise DerivationError(f"{key!r} of fact {step.get('fact')!r} is {span!r}; start and end must be whole numbers")
    return place


def _text_at(step: Step, key: str, documents: Mapping[str, Document]) -> str:
    doc, start, end = _place(step, key)
    document = documents.get(doc)
    if document is None:
        raise DerivationError(f"document {doc!r} of {key!r} is not among the documents")
    if not 0 <= start < end <= len(document.text):
        raise DerivationError(f"{key!r} is [{start}, {end}) in {doc}, which has {len(document.text)} characters")
    text = document.plain(start, end)
    if not text:
        raise DerivationError(f"{key!r} is [{start}, {end}) in {doc}, which has no text")
    return text


def _code(derivation: Step, documents: Mapping[str, Document]) -> str:
    """Return the language of the first document with a span."""
    found = (documents[doc].language for doc, _, _ in spans(derivation) if isinstance(doc, str) and doc in documents)
    return next(found, DEFAULT_LANGUAGE)


def _texts(forms: Any, key: str) -> Sequence[str]:
    if not isinstance(forms, list | tuple) or not forms or not all(isinstance(form, str) and form for form in forms):
        raise DerivationError(f"{key!r} is {forms!r}, not a list of names")
    return forms


def _overlap(a: Place, b: Place) -> bool:
    return a[0] == b[0] and a[1] < b[2] and b[1] < a[2]
