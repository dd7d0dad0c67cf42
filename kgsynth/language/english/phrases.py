"""Constituents: the children of a verb as phrases, each with its role, its place and its flags.

A part of the parser's tree is a phrase only when it is contiguous and its brackets and quotes are balanced.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Any

from kgsynth.base.records import Block, Phrase
from kgsynth.base.vocabulary import Flag, Role
from kgsynth.language.english.lexicon import NUMBER_LABELS, PLACE_LABELS, TIME_LABELS, WORDS
from kgsynth.language.english.morphology import is_word

# Flags: what traversals and writers must know about a phrase, read from its tokens once.
#
# Left out: what an entity is. That is decided over the whole corpus, not by one phrase.

_ACRONYM = re.compile(r"^(?=.*[A-Z].*[A-Z])[A-Z][A-Za-z0-9.-]{1,9}$")


def flags_of(head: Any, tokens: list[Any]) -> frozenset[Flag]:
    """Return the flags of the phrase made of ``tokens``; ``head`` is its noun, verb or adjective."""
    code = head.doc.user_data.get("code", frozenset())
    lowers = {token.text.lower() for token in tokens}
    labels = {t.ent_type_ for t in [head, *head.children]}
    first = tokens[0]
    lead = next((t for t in tokens if t.pos_ != "ADP"), first)
    pronoun = (head.pos_ == "PRON" or head.tag_ in {"EX", "WDT", "WP", "DT"}) and head.lower_ not in WORDS["indefinite"]
    joined = not lead.whitespace_ and lead.i < tokens[-1].i  # "no-shows"
    begins = first.is_sent_start or first.lower_ in {"the", "a", "an"}
    named = first.pos_ == "PROPN" or (first.pos_ in {"NOUN", "VERB", "ADJ"} and not is_word(first.text))
    opens = begins and first.is_title and not named and first.i not in code
    flags = {
        Flag.PLURAL: head.tag_ in {"NNS", "NNPS"} or (head.pos_ in {"NOUN", "PROPN"} and bool(_joined(head))),
        Flag.COORDINATED: bool(_joined(head)),
        Flag.PERSON: head.ent_type_ == "PERSON" or head.lemma_.lower() in WORDS["person_nouns"],
        Flag.PRONOUN: pronoun,
        Flag.YOU: pronoun and head.text.lower() == "you",
        Flag.DEICTIC: any(_is_deictic(token) for token in tokens) or {"do", "so"} <= lowers,
        Flag.RELATIVE: bool(lowers & WORDS["relative"]),
        Flag.DANGLING: _dangles(tokens),
        Flag.FIRST: bool(lowers & WORDS["first_person"]),
        Flag.POSSESSIVE: bool(lowers & WORDS["possessive"]),
        Flag.CODE: any(t.i in code for t in tokens),
        Flag.NAMED: any(t.i in code or t.pos_ == "PROPN" or _ACRONYM.match(t.text) for t in tokens),
        Flag.NUMBER: any(t.like_num for t in head.children) or bool(labels & NUMBER_LABELS),
        Flag.ADJECTIVE: head.pos_ == "ADJ",
        Flag.VERBAL: head.pos_ in {"VERB", "AUX"},
        Flag.SOME: (lead.lower_ in WORDS["quantifiers"] and not joined) or (lead.lower_ == "one" and len(tokens) > 1),
        Flag.GERUND: head.text.endswith("ing") and len(tokens) == 1 and head.tag_ in {"VBG", "NN"},
        Flag.APART: first.is_sent_start or first.nbor(-1).text in {",", "—", "–", "("} if first.i else True,
        Flag.LOWERABLE: opens and first.text != "I",
        Flag.LOOSE: any(_is_loose(token, tokens, code) for token in tokens),
    }
    return frozenset(flag for flag, holds in flags.items() if holds) | _noun_flags(head, code)


def marker_flags(marker: str) -> set[Flag]:
    """Return the flags of a phrase that depend on the preposition or conjunction it opens with.

    Example:
        >>> marker_flags("in") == {Flag.POINT}, marker_flags("after")
        (True, set())
    """
    return {Flag.POINT} if marker in WORDS["point_markers"] else set()


def _is_loose(noun: Any, tokens: list[Any], code: frozenset[int]) -> bool:
    """Check whether a word is a definite common noun that does not say which: "the tank", "the second tank"."""
    if noun.pos_ != "NOUN" or noun.i in code or noun.ent_type_ or noun.lemma_.lower() in WORDS["unique"]:
        return False
    if not any(t.dep_ == "det" and t.lower_ == "the" for t in noun.children):
        return False
    inside = {t.i for t in tokens}
    identifying = [t for t in noun.children if t.i in inside and t.dep_ in _IDENTIFYING and not _leaves_open(t)]
    return not identifying and (noun.i + 1 not in code or noun.i + 1 not in inside)


def _leaves_open(token: Any) -> bool:
    """Check whether a modifier leaves open which one is meant: "the other office", "the shorter term"."""
    return token.lower_ in WORDS["leaves_open"] or (token.tag_ == "JJR" and token.dep_ == "amod")


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
    return token.lower_ in WORDS["deictic"]


def _dangles(tokens: list[Any]) -> bool:
    """Check whether a pronoun of the third person comes before any noun that it could refer to."""
    for token in tokens:
        if token.lower_ in WORDS["third_person"]:
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
        Flag.ORDINAL: any(t.lemma_.lower() in WORDS["ordinals"] for t in left) and not right,
        Flag.EMPTY: head.lemma_.lower() in WORDS["empty_heads"] and not right and not proper,
    }
    return {flag for flag, holds in flags.items() if holds}


_DASHES = frozenset({",", "—", "–", "--", ";", ":"})
_BRACKETS = (("(", ")"), ("[", "]"), ("“", "”"))
_ROLE_OF_DEPENDENCY = {
    "nsubj": Role.SUBJECT, "nsubjpass": Role.SUBJECT, "dobj": Role.OBJECT, "dative": Role.DATIVE,
    "attr": Role.ATTRIBUTE, "acomp": Role.ATTRIBUTE, "oprd": Role.COMPLEMENT, "xcomp": Role.COMPLEMENT,
    "ccomp": Role.CLAUSE, "agent": Role.AGENT, "advmod": Role.MANNER, "npadvmod": Role.OTHER,
}  # fmt: skip
"""Dependency -> role, where the dependency alone decides."""


def role_of(child: Any) -> Role | None:
    """Return the role of a verb's child, or None for one that is not a constituent (auxiliary, mark, punctuation)."""
    dep = child.dep_
    if _opening(child, WORDS["asides"]):
        return None
    if dep == "prep":
        return _role_of_preposition(child)
    if dep == "advcl":
        return _role_of_clause(child)
    if dep == "advmod" and _opening(child, WORDS["compound_markers"]):
        return Role.CONDITION
    if dep == "xcomp" and _used_for(child):
        return Role.PURPOSE
    if child.lower_ == "thanks" and any(t.lower_ == "to" for t in child.children):
        return Role.CAUSE
    if dep in {"advmod", "npadvmod"} and child.ent_type_ in TIME_LABELS:
        return Role.TIME
    if dep == "advmod" and child.tag_ == "JJ" and child.i > child.head.i:
        return Role.COMPLEMENT  # "returns false" is what it returns, not how
    return _ROLE_OF_DEPENDENCY.get(dep)


def marker_of(child: Any) -> str:
    """Return the preposition or conjunction a phrase opens with, of one word or several, in lower case."""
    if child.dep_ in {"prep", "agent"}:
        first = [child.text.lower()]
        first += [t.text.lower() for t in child.children if t.dep_ in {"prep", "pcomp", "fixed"} and t.i == child.i + 1
                  and t.pos_ in {"ADP", "SCONJ"}]  # fmt: skip
        return _opening(child, WORDS["cause_prepositions"] | WORDS["compound_markers"]) or " ".join(first)
    if child.dep_ in {"advcl", "xcomp", "advmod"}:
        simple = {"after", "before", "while", "although", "though"}
        return _opening(child, WORDS["condition_markers"] | WORDS["cause_markers"] | WORDS["purpose_markers"] | simple)
    return ""


def _opening(child: Any, markers: frozenset[str]) -> str:
    """Return the longest of ``markers`` that the subtree of ``child`` opens with, "" for none."""
    opening = " ".join(token.lower_ for token in child.doc[child.left_edge.i : child.left_edge.i + 5]) + " "
    return max((marker for marker in markers if opening.startswith(marker + " ")), key=len, default="")


def _role_of_preposition(child: Any) -> Role:
    marker = marker_of(child)
    if marker in WORDS["condition_markers"] - {"until", "till", "once"}:
        return Role.CONDITION
    if marker in WORDS["purpose_markers"] - {"to"}:
        return Role.PURPOSE
    objects = [t for t in child.children if t.dep_ in {"pobj", "pcomp"}]
    if marker in WORDS["cause_prepositions"]:
        return Role.CAUSE
    if marker == "for" and objects and objects[0].dep_ == "pcomp" and objects[0].tag_ == "VBG":
        return Role.PURPOSE
    if objects and objects[0].ent_type_ in TIME_LABELS and marker in WORDS["time_prepositions"]:
        return Role.TIME
    if objects and objects[0].ent_type_ in PLACE_LABELS and marker in WORDS["place_prepositions"]:
        return Role.PLACE
    return Role.OTHER


def _role_of_clause(child: Any) -> Role:
    marker = marker_of(child)
    if marker == child.lower_:
        return Role.OTHER  # "providing money": the verb of the clause, not what opens it
    if marker in WORDS["condition_markers"]:
        return Role.CONDITION
    if marker in WORDS["purpose_markers"]:
        return Role.PURPOSE if marker != "to" or _is_purpose(child) else Role.COMPLEMENT
    if marker in {"because", "given that", "now that"}:
        return Role.CAUSE
    if marker == "since" and not any(t.ent_type_ in TIME_LABELS for t in child.subtree):
        return Role.CAUSE
    if marker in {"after", "before", "while"}:
        return Role.TIME
    return Role.OTHER


def _is_purpose(child: Any) -> bool:
    """Check whether a "to" clause says what for: its verb follows at once, and the main verb does not require it."""
    opening = child.doc[child.left_edge.i : child.i + 1]
    direct = all(
        token.tag_ in {"TO", "RB", "VB"} or token.text.lower() in {"in", "order", "so", "as"} for token in opening
    )
    return child.tag_ == "VB" and direct and child.head.lemma_.lower() not in WORDS["takes_infinitive"]


def _used_for(child: Any) -> bool:
    """Check whether a "to" clause says what something is used for; "used to store" alone is past tense."""
    used = child.head.lemma_ == "use" and any(t.dep_ in {"auxpass", "dobj"} for t in child.head.children)
    return bool(used and child.tag_ == "VB" and marker_of(child) == "to")


def read_phrase(role: Role, child: Any, block: Block) -> Phrase | None:
    """Return the phrase with ``child`` as its head, None when its words are not contiguous."""
    tokens = [token for token in child.subtree if not token.is_space]
    if child.dep_ in {"prep", "agent"}:  # "mainly of wood": the adverb before the preposition stays out
        tokens = [token for token in tokens if token.i >= child.i]
    if tokens[-1].i - tokens[0].i + 1 != len(tokens) or (child.dep_ == "prep" and len(tokens) == 1):
        return None
    return phrase_from(role, child, _without_times(child, _trim(child, tokens)), block)


def _without_times(head: Any, tokens: list[Any]) -> list[Any]:
    """Return the tokens without a count of times, which the parser joins to the noun before: "won a ham twice"."""
    last = tokens[-1] if tokens else head
    counted = last.lower_ == "times" and any(t.dep_ == "nummod" for t in last.children)
    if not counted or last is _noun_of(head) or last.head.pos_ not in {"NOUN", "PROPN"}:
        return tokens
    return [token for token in tokens if token.i < last.left_edge.i]


def phrase_from(role: Role, head: Any, tokens: list[Any], block: Block, marker: str | None = None) -> Phrase | None:
    """Return the phrase made of contiguous ``tokens``, None when their brackets or quotes are not balanced."""
    if not tokens:
        return None
    low, high = tokens[0].idx, tokens[-1].idx + len(tokens[-1].text)
    text = block.text[low:high]
    if not balanced(text) or ("both" in text.lower().split() and " and " not in text):
        return None
    start, end = block.locate(low, high)
    noun = _noun_of(head)
    marker = marker_of(head) if marker is None else marker
    return Phrase(
        role=role,
        text=text,
        start=start,
        end=end,
        head=noun.lemma_.lower(),
        marker=marker,
        label=noun.ent_type_,
        lemmas=content_lemmas(tokens),
        flags=flags_of(noun, tokens) | marker_flags(marker),
        nouns=tuple(_nouns(noun, tokens)),
    )


def content_lemmas(tokens: Iterable[Any]) -> tuple[str, ...]:
    """Return the lemmas of the words that carry meaning, numbers among them, in lower case."""
    content = (t for t in tokens if t.like_num or not (t.is_stop or t.is_punct or t.is_space))
    return tuple(lemma for t in content for lemma in t.lemma_.lower().split())


def _nouns(noun: Any, tokens: list[Any]) -> Iterator[tuple[int, int]]:
    """Yield where the noun phrase begins, with and without article, and each inner one that ends where it does."""
    inside = {token.i for token in tokens}
    last = tokens[-1].i
    while noun is not None and noun.pos_ in {"NOUN", "PROPN", "X", "ADJ", "VERB"} and noun.i in inside:
        left = [t for t in noun.subtree if t.i in inside and t.i <= noun.i]
        bare = next((t for t in left if t.dep_ not in {"det", "predet"}), noun)
        yield left[0].idx - tokens[0].idx, bare.idx - tokens[0].idx
        deeper = [object_of(t) for t in noun.children if t.dep_ == "prep" and t.i > noun.i and t.i in inside]
        noun = next((t for t in deeper if t is not None and min(t.right_edge.i, last) == last), None)


def balanced(text: str) -> bool:
    """Check whether every bracket and quotation mark in ``text`` has its counterpart.

    Example:
        >>> balanced('a "b" (c)'), balanced('half a "quotation')
        (True, False)
    """
    return text.count('"') % 2 == 0 and all(text.count(left) == text.count(right) for left, right in _BRACKETS)


def object_of(child: Any) -> Any:
    """Return the head of the object of a preposition, None when there is none."""
    return next((t for t in child.children if t.dep_ in {"pobj", "pcomp"}), None)


def _noun_of(head: Any) -> Any:
    if head.dep_ in {"prep", "agent"}:
        return object_of(head) or head
    return head


def _trim(head: Any, tokens: list[Any]) -> list[Any]:
    """Return the tokens without the relative clauses, appositions and asides that a comma or bracket separates."""
    inside = 0
    for number, token in enumerate(tokens):
        inside += (token.text == "(") - (token.text == ")")
        if token.i <= _noun_of(head).i or (inside and token.text != "("):
            continue
        after = tokens[number + 1] if number + 1 < len(tokens) else None
        if (
            _joins_clause(token)
            or (token.text == "(" and ")" not in [t.text for t in tokens[number:-1]])
            or (token.text in _DASHES and (after is None or token.text != "," or _begins_aside(after, head)))
        ):
            return _without_outer_marks(tokens[:number])
    return _without_outer_marks(tokens)


def _joins_clause(token: Any) -> bool:
    """Check whether an "and" after a noun joins a clause to it, which is not part of the phrase."""
    return (
        token.dep_ == "cc"
        and token.head.pos_ in {"NOUN", "PROPN"}
        and any(t.dep_ == "conj" and t.i > token.i and t.pos_ in {"VERB", "AUX"} for t in token.head.children)
    )


def _begins_aside(after: Any, head: Any) -> bool:
    """Check whether the word after a comma begins an aside: a relative clause, an apposition, examples."""
    return (
        after.lower_ in WORDS["relative_pronouns"]
        or (after.tag_ == "IN" and after.dep_ == "prep" and any(t.tag_ in {"WDT", "WP"} for t in after.children))
        or ("appos" in {after.dep_, after.head.dep_} and not _continues_list(after))
        or (after.tag_ in {"VBG", "VBN"} and after.dep_ in {"acl", "advcl"})
        or (after.lower_ in WORDS["aside_openers"] and head.pos_ not in {"VERB", "AUX"})
    )


def _continues_list(after: Any) -> bool:
    """Check whether what the parser takes for an apposition contains "and" or "or", so that it continues a list."""
    item = after if after.dep_ == "appos" else after.head
    return any(t.dep_ == "cc" for t in item.subtree)


def _without_outer_marks(tokens: list[Any]) -> list[Any]:
    while tokens and (tokens[-1].text in {*_DASHES, "-", "."} or tokens[-1].pos_ in {"CCONJ", "SPACE"}):
        tokens = tokens[:-1]
    while tokens and tokens[0].text in {*_DASHES, "-"}:
        tokens = tokens[1:]
    return tokens
