"""Recompute golden answers from their derivations, which are JSON data.

A derivation is ``{"operator": …, "steps": [{"fact": id, …}, …]}``; a span in it is ``{"doc", "start", "end"}``. One
function per operator checks the steps and returns the answer. Whether the spans are the right evidence for the question
is checked by the filters, not here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Any

from kgsynth.base.choices import DEFAULT_LANGUAGE
from kgsynth.base.records import Document
from kgsynth.evidence.absence import AbsenceQuery, find_possible_answer
from kgsynth.evidence.derivation_steps import DerivationError as DerivationError
from kgsynth.evidence.derivation_steps import Place, Step, place_in, steps_of
from kgsynth.evidence.list_answers import opening as opening
from kgsynth.evidence.list_answers import said as said
from kgsynth.evidence.quoted_proof import quoted_proof
from kgsynth.evidence.structure_proof import in_short_proof, opening_proof, said_proof
from kgsynth.golden.answer_members import joined_members
from kgsynth.language import nearest_language


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


def _bridge(derivation: Step, documents: Mapping[str, Document]) -> str:
    steps = steps_of(derivation, 2)
    form = nearest_language(_code(derivation, documents)).name_form
    for before, after in pairwise(steps):
        left, key = ("bridge", "forms") if before is steps[0] else ("next", "next_forms")
        entity = str(after.get("entity", ""))
        forms = frozenset(map(form, _texts(before.get(key), key)))
        if form(entity) not in forms:
            raise DerivationError(f"the step about {entity!r} does not follow one about {sorted(forms)}")
        for step, side in ((before, left), (after, "bridge")):
            shown = _text_at(step, side, documents)
            if form(shown) not in forms:
                raise DerivationError(f"{shown!r} in {_place(step, side)[0]} is not a form of {entity!r}")
        if _overlap(_place(before, left), _place(after, "bridge")):
            raise DerivationError(f"both sides of the bridge {entity!r} are the same span")
    found = _text_at(steps[-1], "find", documents)
    if form(found) in forms:
        raise DerivationError(f"the answer {found!r} is the bridge itself")
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
    "bridge": _bridge,
    "scoped": _scoped,
    "absent": _absent,
    "said": said_proof,
    "opening": opening_proof,
    "in_short": in_short_proof,
    "parts": _parts,
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
