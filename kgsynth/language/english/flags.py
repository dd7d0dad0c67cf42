"""Flags: what traversals and writers must know about a phrase, read from its tokens once.

Left out: what an entity is. That is decided over the whole corpus, not by one phrase.
"""

from __future__ import annotations

import re
from typing import Any

from kgsynth.base.vocabulary import Flag
from kgsynth.language.english import lexicon as lex
from kgsynth.language.english.morphology import is_word

_ACRONYM = re.compile(r"^(?=.*[A-Z].*[A-Z])[A-Z][A-Za-z0-9.-]{1,9}$")


def flags_of(head: Any, tokens: list[Any]) -> frozenset[Flag]:
    """Return the flags of the phrase made of ``tokens``; ``head`` is its noun, verb or adjective."""
    code = head.doc.user_data.get("code", frozenset())
    lowers = {token.text.lower() for token in tokens}
    labels = {t.ent_type_ for t in [head, *head.children]}
    first = tokens[0]
    lead = next((t for t in tokens if t.pos_ != "ADP"), first)
    pronoun = (head.pos_ == "PRON" or head.tag_ in {"EX", "WDT", "WP", "DT"}) and head.lower_ not in lex.INDEFINITE
    begins = first.is_sent_start or first.lower_ in {"the", "a", "an"}
    named = first.pos_ == "PROPN" or (first.pos_ in {"NOUN", "VERB", "ADJ"} and not is_word(first.text))
    opens = begins and first.is_title and not named and first.i not in code
    flags = {
        Flag.PLURAL: head.tag_ in {"NNS", "NNPS"} or (head.pos_ in {"NOUN", "PROPN"} and bool(_joined(head))),
        Flag.COORDINATED: bool(_joined(head)),
        Flag.PERSON: head.ent_type_ == "PERSON" or head.lemma_.lower() in lex.PERSON_NOUNS,
        Flag.PRONOUN: pronoun,
        Flag.YOU: pronoun and head.text.lower() == "you",
        Flag.DEICTIC: any(_is_deictic(token) for token in tokens) or {"do", "so"} <= lowers,
        Flag.RELATIVE: bool(lowers & lex.RELATIVE),
        Flag.DANGLING: _dangles(tokens),
        Flag.FIRST: bool(lowers & lex.FIRST_PERSON),
        Flag.POSSESSIVE: bool(lowers & lex.POSSESSIVE),
        Flag.CODE: any(t.i in code for t in tokens),
        Flag.NAMED: any(t.i in code or t.pos_ == "PROPN" or _ACRONYM.match(t.text) for t in tokens),
        Flag.NUMBER: any(t.like_num for t in head.children) or bool(labels & lex.NUMBER_LABELS),
        Flag.ADJECTIVE: head.pos_ == "ADJ",
        Flag.VERBAL: head.pos_ in {"VERB", "AUX"},
        Flag.SOME: lead.lower_ in lex.QUANTIFIERS or (lead.lower_ == "one" and len(tokens) > 1),
        Flag.GERUND: head.text.endswith("ing") and len(tokens) == 1 and head.tag_ in {"VBG", "NN"},
        Flag.APART: first.is_sent_start or first.nbor(-1).text in {",", "—", "–", "("} if first.i else True,
        Flag.LOWERABLE: opens and first.text != "I",
        Flag.LOOSE: any(_is_loose(token, tokens, code) for token in tokens),
    }
    return frozenset(flag for flag, holds in flags.items() if holds) | _noun_flags(head, code)


def marker_flags(marker: str) -> set[Flag]:
    """Return the flags of a phrase that depend on the preposition or conjunction it opens with.

    Example:
        >>> marker_flags("in") == {Flag.POINT, Flag.EXACT}, marker_flags("for") == {Flag.EXACT}, marker_flags("after")
        (True, True, set())
    """
    flags = {Flag.POINT: marker in lex.POINT_MARKERS, Flag.EXACT: marker in lex.EXACT_MARKERS}
    return {flag for flag, holds in flags.items() if holds}


def _is_loose(noun: Any, tokens: list[Any], code: frozenset[int]) -> bool:
    """Check whether a word is a definite common noun that does not say which: "the tank", "the second tank"."""
    if noun.pos_ != "NOUN" or noun.i in code or noun.ent_type_ or noun.lemma_.lower() in lex.UNIQUE:
        return False
    if not any(t.dep_ == "det" and t.lower_ == "the" for t in noun.children):
        return False
    inside = {t.i for t in tokens}
    identifying = [t for t in noun.children if t.i in inside and t.dep_ in _IDENTIFYING and not _leaves_open(t)]
    return not identifying and (noun.i + 1 not in code or noun.i + 1 not in inside)


def _leaves_open(token: Any) -> bool:
    """Check whether a modifier leaves open which one is meant: "the other office", "the shorter term"."""
    return token.lower_ in lex.LEAVES_OPEN or (token.tag_ == "JJR" and token.dep_ == "amod")


_IDENTIFYING = frozenset("compound amod nmod poss relcl acl prep appos".split())
"""Dependencies of the words that say which one a noun means."""


def _is_deictic(token: Any) -> bool:
    """Check whether a word refers to something outside the sentence: "this", "the following", "that", "one"."""
    if token.lower_ in {"that", "there"}:
        return bool(token.tag_ in {"DT", "RB"})
    if token.lower_ in {"one", "ones"}:
        return bool(token.tag_ != "CD")
    if token.lower_ == "said":
        return bool(token.dep_ == "amod")
    if token.lower_ in {"above", "below", "following"}:
        return bool(token.tag_ != "IN")
    return token.lower_ in lex.DEICTIC


def _dangles(tokens: list[Any]) -> bool:
    """Check whether a pronoun of the third person comes before any noun that it could refer to."""
    for token in tokens:
        if token.lower_ in lex.THIRD_PERSON:
            return True
        if token.pos_ in {"NOUN", "PROPN"}:
            return False
    return False


def _joined(head: Any) -> list[Any]:
    return [t for t in head.children if t.dep_ == "conj"]


def _noun_flags(head: Any, code: frozenset[int]) -> set[Flag]:
    if head.pos_ not in {"NOUN", "PROPN"} and head.i not in code:
        return set()
    determiner = next((t.text.lower() for t in head.children if t.dep_ == "det"), "")
    left = [t for t in head.children if t.dep_ in {"compound", "amod", "nmod", "poss", "nummod"} and t.i < head.i]
    right = [t for t in head.children if t.dep_ in {"prep", "relcl", "acl"}]
    proper = head.pos_ == "PROPN" or head.i in code
    flags = {
        Flag.NOMINAL: True,
        Flag.DEFINITE: determiner == "the",
        Flag.INDEFINITE: determiner in {"a", "an"},
        Flag.COMPOUND: any(t.dep_ == "compound" or t.pos_ == "PROPN" or t.i in code for t in left),
        Flag.MODIFIED: bool(left or right),
        Flag.PROPER: proper,
        Flag.ORDINAL: any(t.lemma_.lower() in lex.ORDINALS for t in left) and not right,
        Flag.EMPTY: head.lemma_.lower() in lex.EMPTY_HEADS and not right and not proper,
    }
    return {flag for flag, holds in flags.items() if holds}
