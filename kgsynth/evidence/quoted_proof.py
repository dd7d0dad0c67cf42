"""The proof of an answer in someone's own words: verbatim quotes that hold every figure and name of it.

A figure that the documents do not state must follow from figures that they do, by a computation that is repeated here.
"""

from __future__ import annotations

import ast
import math
import operator
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import chain
from typing import Any

from kgsynth.base.records import Document
from kgsynth.evidence.derivation_steps import DerivationError, Step, steps_of
from kgsynth.language import nearest_language
from kgsynth.language.words import has_cjk

LIST_MARK = re.compile(r"^\s*(?:\d{1,2}(?:[.)]\s+|[、．]\s*)|[-*•]\s+)", re.MULTILINE)
"""What numbers or marks the steps and members of an answer, each on a line of its own."""

_WRITTEN_FIGURE = re.compile(r"\d+(?:[.,]\d+)*")
_CAPITALISED = re.compile(r"(?<![.?!:;]\s)(?<![.?!:;][\"”’)]\s)(?<!^)(?<![\n•*-]\s)\b[A-Z](?!'[a-z])[\w'’-]+")
_LATIN_NAME = re.compile(r"[A-Za-z][\w.+-]*", re.ASCII)  # in a Chinese text
_CODE_LIKE = re.compile(
    r"\b(?:[a-z]+[A-Z]\w*|[A-Z][a-z]+[A-Z]\w*|[A-Z]{2,}\w*|\w+_\w+|[A-Za-z]+\d\w*)\b|`[^`\n]+`|--[a-z][\w-]+"
)
_OPERATIONS: dict[type[ast.operator], Callable[[float, float], float]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
}
_NOUNS_FROM, _NOUNS_IN = 0.2, 50  # share of the words with a capital from which on it marks no name, and words it takes
_ROUNDED_BY = 5e-3  # a value that is stated may be rounded by this share
_LISTED_AT_MOST = 10  # a number in words up to this may count what the answer lists
_MAX_EXPRESSION = 120  # characters


def unproved(text: str, sources: Iterable[str], code: str) -> str:
    """Return the first figure or name of a text that is in none of the sources, "" if there is none.

    A word is a name if it has a capital inside a sentence, or is written like code. Letter case does not count. A small
    number in words may count what the text itself lists ("in two ways").

    Example:
        >>> unproved("Staff such as Ada have 25 days.", ["Staff have twenty-five days."], "en")
        'Ada'
        >>> unproved("Staff have thirty days.", ["Staff have twenty-five days."], "en")
        '30'
        >>> unproved("Staff have 25 days.", ["Staff have twenty-five days."], "en")
        ''
    """
    own, joined = nearest_language(code), " ".join(sources).replace("’", "'")
    text, folded = LIST_MARK.sub("", text).replace("’", "'"), joined.casefold()
    known = {"1", *_numbers(joined), *_numbers(own.digits(joined))}
    written = _numbers(text)
    spelled = [each for each in _numbers(own.digits(text)) if each not in written and each.isdigit()]
    figures = [*written, *(each for each in spelled if int(each) > _LISTED_AT_MOST)]
    names = (name for name in _names(text) if not _is_named(own.bare_name(name).strip("`'\""), folded))
    return next(chain((each for each in figures if each not in known), names), "")


def foreign_name(text: str, sources: Iterable[str]) -> str:
    """Return the first name of a text that is in none of the sources, "" if there is none.

    Words written like code are names. Words with a capital inside a sentence are, unless the sources write so many
    words so that a capital marks no name, as in German.

    Example:
        >>> foreign_name("Does Ada approve of leave in Norway?", ["Staff in Norway have 25 days of leave."])
        'Ada'
        >>> foreign_name("Does an Oslo-based office count?", ["Offices in Oslo and elsewhere"])
        ''
        >>> foreign_name("Wer darf den Urlaub kürzen?", ["Den Rest davon darf nur die Leitung kürzen. " * 10])
        ''
    """
    joined = " ".join(sources).replace("’", "'")
    words = len(joined.split())
    nouns = words >= _NOUNS_IN and len(_CAPITALISED.findall(joined)) > _NOUNS_FROM * words
    names = _CODE_LIKE.findall(text) if nouns and not has_cjk(text) else _names(text.replace("’", "'"))
    folded = joined.casefold()
    return next((name for name in names if not _is_named(name.strip("`'\"").removesuffix("'s"), folded)), "")


def _is_named(name: str, folded: str) -> bool:
    """Check whether a folded text has a name, or of a compound ("UDP-only") each part with a capital."""
    parts = [part for part in name.split("-") if part[:1].isupper()]
    return name.casefold() in folded or (bool(parts) and all(part.casefold() in folded for part in parts))


def _numbers(text: str) -> list[str]:
    """Return the numbers of a text, without the commas between thousands."""
    return [re.sub(r",(?=\d{3}\b)", "", number) for number in _WRITTEN_FIGURE.findall(text)]


def _names(text: str) -> list[str]:
    return [*(_LATIN_NAME if has_cjk(text) else _CAPITALISED).findall(text), *_CODE_LIKE.findall(text)]


def quoted_proof(derivation: Step, documents: Mapping[str, Document]) -> str:
    """Return the answer of a derivation if its quotes, the headings above them and its computations hold all of it.

    ``given`` are figures and names that the question gives.

    Raises:
        DerivationError: a quote is not in its document, a computation is wrong, or a figure or name is not proved.
    """
    answer = derivation.get("answer")
    if not isinstance(answer, str):
        raise DerivationError(f"the answer of the operator 'quoted' is {answer!r}, not a text")
    steps = steps_of(derivation, 1)
    sources = [text for step in steps for text in _quote_and_headings(step, documents)]
    given = derivation.get("given", ())
    if not isinstance(given, list | tuple) or not all(isinstance(each, str) for each in given):
        raise DerivationError(f"'given' is {given!r}, not a list of texts")
    code = documents[steps[0]["quote"]["doc"]].language
    computed = computed_values(derivation.get("computed", ()), [*sources, *given], code)
    if missing := unproved(answer, [*sources, *given, *computed], code):
        raise DerivationError(f"{missing!r} of the answer is in none of its quotes")
    return answer


def headings_at(document: Document, start: int) -> tuple[str, ...]:
    """Return the headings above a place, from the title of the document down."""
    section = document.section_at(start)
    return section.path if section else (document.title,)


def _quote_and_headings(step: Step, documents: Mapping[str, Document]) -> tuple[str, ...]:
    span = step.get("quote")
    if not isinstance(span, Mapping) or not all(type(span.get(key)) is int for key in ("start", "end")):
        raise DerivationError(f"the quote is {span!r}, not a span with doc, start and end")
    document = documents.get(str(span.get("doc")))
    if document is None:
        raise DerivationError(f"the document {span.get('doc')!r} of a quote is not among the documents")
    start, end = span["start"], span["end"]
    if not 0 <= start < end <= len(document.text):
        raise DerivationError(
            f"a quote is [{start}, {end}) in {document.id}, which has {len(document.text)} characters"
        )
    return (document.text[start:end], document.plain(start, end), *headings_at(document, start))


# ---- computations ----------------------------------------------------------------------------------


def computed_values(computed: Any, sources: Sequence[str], code: str) -> list[str]:
    """Return the values of computations ``{"value", "expression"}`` after repeating each.

    Raises:
        DerivationError: an expression is not arithmetic, has another value, or uses a figure that is in no source.

    Example:
        >>> computed_values([{"value": "15", "expression": "25 - 10"}], ["25 days", "10 of them"], "en")
        ['15']
    """
    if not isinstance(computed, list | tuple) or not all(isinstance(each, Mapping) for each in computed):
        raise DerivationError(f"'computed' is {computed!r}, not a list of objects")
    values: list[str] = []
    for each in computed:
        value, expression = str(each.get("value")), str(each.get("expression"))
        if missing := unproved(" ".join(_WRITTEN_FIGURE.findall(expression)), [*sources, *values], code):
            raise DerivationError(f"{missing!r} of the computation {expression!r} is in none of its quotes")
        found, stated = evaluated(expression), _numbers(value)
        if not stated or not math.isclose(found, evaluated(stated[0]), rel_tol=_ROUNDED_BY, abs_tol=1e-9):
            raise DerivationError(f"{expression!r} is {found:g}, not {value!r}")
        values.append(value)
    return values


def evaluated(expression: str) -> float:
    """Return the value of an arithmetic expression of numbers.

    Raises:
        DerivationError: it is not one.

    Example:
        >>> evaluated("(25 - 10) / 2")
        7.5
    """
    try:
        tree = ast.parse(expression[:_MAX_EXPRESSION].replace(",", "").strip(), mode="eval")
        return _value(tree.body)
    except (SyntaxError, ZeroDivisionError, OverflowError, ValueError):
        raise DerivationError(f"{expression!r} is not a computation with numbers") from None


def _value(node: ast.expr) -> float:
    if isinstance(node, ast.Constant) and type(node.value) in (int, float):
        return float(node.value)  # type: ignore[arg-type]
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        return -_value(node.operand)
    if isinstance(node, ast.BinOp) and type(node.op) in _OPERATIONS:
        return _OPERATIONS[type(node.op)](_value(node.left), _value(node.right))
    raise ValueError(ast.dump(node))
