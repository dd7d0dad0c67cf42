"""Headings that name a kind of thing in the plural, and the question that the sections below them answer.

Only the form of a heading is read, no parser: "Types of leave", "Mitigation techniques", "Ways to contribute".
"""

from __future__ import annotations

import re
from typing import NamedTuple

from kgsynth.language.english.headings import heading_question, heading_task, plain_case
from kgsynth.language.english.morphology import is_base_verb, is_noun, is_only_verb, lemma_of

_SORTS = frozenset("types kinds sorts forms classes categories varieties styles levels".split())
"""Nouns that are asked for with "What types of … are there?"."""
_PREPOSITION = dict.fromkeys(
    "types kinds sorts forms classes categories varieties "
    "benefits advantages disadvantages drawbacks limitations causes "
    "effects consequences symptoms signs stages phases parts "
    "components elements layers levels properties characteristics "
    "features qualities uses roles duties responsibilities principles assumptions risks dangers "
    "variants complications pillars subtypes values branches".split(),
    "of",
)
_PREPOSITION |= dict.fromkeys(
    "techniques methods practices tips guidelines requirements prerequisites criteria rules recommendations measures "
    "mitigations treatments options strategies tools skills mechanisms reasons steps policies tactics".split(),
    "for",
)
_PREPOSITION |= dict.fromkeys("defenses defences countermeasures protections".split(), "against")
_PREPOSITION |= dict.fromkeys(
    "vulnerabilities mistakes pitfalls anti-patterns weaknesses challenges patterns".split(), "in"
)
_PREPOSITION |= dict.fromkeys("ways approaches alternatives exceptions threats".split(), "to")
_FOUND = frozenset(
    "opportunities programs programmes perks discounts courses trainings services events metrics signals modes plans "
    "permissions tissues tests attacks models rituals tools".split()
)
"""Nouns that are asked for with "What … are there?", if a word before them says which."""
_KIND_DONE = frozenset(
    "ways techniques methods practices tips guidelines requirements rules recommendations measures mitigations "
    "strategies steps reasons defenses defences countermeasures principles mistakes pitfalls responsibilities duties "
    "benefits policies tactics qualities anti-patterns approaches protections uses".split()
)
"""Kinds whose members may be things to do."""
_SAID = frozenset(
    "principles rules guidelines assumptions reasons benefits advantages disadvantages drawbacks mistakes".split()
)
"""Kinds whose members may be sentences."""
_OPENS_COMPLEMENT = frozenset("of for to in with when that which who against on from behind at while".split())
_NO_MODIFIER = re.compile(
    r"(?i)^(?:and|or|&|first|next|"
    r"of|for|to|in|with|the|an?|your|our|my|their|its|other|more|further|additional|some|example|sample|"
    r"suggested|recommended|new|no|not|all|what|which|how|why|various|different|rejected|alternative|open|see|this|these)$"
)
_MAX_MODIFIERS = 3
_KIND_SURE = 3  # headings for each one that is surely something to do
_CASE = re.compile(
    r"(?i)^(?:when (?:it['’]s|it is|you|your|someone)|(?:before|after|during) (?:you|your|the|an?)|if you)\b [^,?]+$"
)
_DO = frozenset("don't don’t do never always avoid be stay keep let make help get see go know learn say".split())
_KIND_DETERMINED = re.compile(r"(?:an?|the|your|all|every|each|only) ")
_FINITE = re.compile(
    r"(?i)\b(?:is|are|was|were|can|cannot|can['’]t|must|should|will|may|has|have|does|isn['’]t|aren['’]t)\b|^(?:you|we|they|it|i|he|she)\b"
)


_TELLS_OUTCOME = re.compile(r"(?i)^(?:you|we|they|someone|nobody|your|the|an?) (?:[\w'’-]+ ){0,3}?\w+")
"""A heading that tells of an outcome: "Someone requests changes", "Your contribution gets accepted"."""


class KindQuestion(NamedTuple):
    """A question for members, whether they may be things to do or must be, and what links it to a topic it needs."""

    text: str
    to_do: str
    preposition: str = ""


def _named(text: str, names: frozenset[str]) -> KindQuestion | None:
    words = text.split()
    place = next(
        (n for n, word in enumerate(words) if word.lower() in _PREPOSITION or (n and word.lower() in _FOUND)), -1
    )
    if place < 0 or place > _MAX_MODIFIERS or any(_NO_MODIFIER.match(word.strip(",")) for word in words[:place]):
        return None
    if place and (_is_gerund(words[0]) or is_only_verb(words[0].lower())):
        return None
    kind, rest = words[place].lower(), words[place + 1 :]
    if rest and (rest[0].lower() not in _OPENS_COMPLEMENT or len(rest) < 2 or heading_task(text, names)):
        return None
    shown = plain_case(text, names)
    shown = " ".join(kind if n == place else word for n, word in enumerate(shown.split()))
    if kind in _SORTS and rest[:1] == ["of"]:
        return KindQuestion(f"What {shown} are there?", "no")
    if kind in _SORTS and not (rest or place):
        return None
    to_do = "any" if kind in _SAID else "may" if kind in _KIND_DONE else "no"
    if kind in _FOUND and not rest:
        return KindQuestion(f"What {shown} are there?", to_do, "in")
    return KindQuestion(f"What are the {shown}?", to_do, "" if rest else "in" if kind in _SORTS else _PREPOSITION[kind])


def fits(to_do: str, members: list[str]) -> bool:
    """Check whether headings are all what a question asks for, see ``KindQuestion.to_do``.

    Where at least a third are orders or gerunds beyond doubt, a verb that may be a noun is read as a verb too.

    Example:
        >>> fits("only", ["Set the bar", "Be kind", "Focus on facts"]), fits("only", ["Be kind", "Focus", "Facts"])
        (True, False)
        >>> fits("no", ["Annual leave", "Sick leave"]), fits("no", ["Annual leave", "Use your leave"])
        (True, False)
    """
    sure, possible, finite = (sum(map(check, members)) for check in (_is_to_do, _may_be_to_do, _is_finite))
    short = sum(len(member.split()) == 1 for member in members)
    if to_do not in ("no", "steps") and (2 * short > len(members) or len({tuple(m.split()[:2]) for m in members}) == 1):
        return False  # topics of advice ("Memory"), or several ways to do one thing ("Install it with …")
    if to_do in ("any", "steps"):
        return True
    if to_do == "sentences":
        return all(_TELLS_OUTCOME.search(member) for member in members)
    orders = sum(map(_is_order, members))
    if to_do == "ordered" and _KIND_SURE * orders < len(members) and not all(map(_is_determined_gerund, members)):
        return False
    if to_do in ("only", "ordered"):
        return _KIND_SURE * sure >= len(members) and possible + finite == len(members) and 2 * finite <= possible
    return not finite and (to_do == "may" or not any(map(_is_order, members)))


def _is_to_do(title: str) -> bool:
    """Check whether a heading is an order, or a gerund with its object, beyond doubt."""
    first, _, rest = title.partition(" ")
    if not rest or _is_gerund(first):
        return bool(rest) and bool(heading_task(title) or re.match(r"(?:an?|the|your) ", rest))
    return _is_order(title) or bool(heading_task(title))


def _is_order(title: str) -> bool:
    first, _, rest = title.partition(" ")
    word = first.lower()
    return bool(rest) and (
        word in _DO or (is_base_verb(word) and (not is_noun(word) or _KIND_DETERMINED.match(rest) is not None))
    )


def _is_determined_gerund(title: str) -> bool:
    """Check whether a heading is a gerund with one thing that it makes: "Writing a guide"."""
    first, _, rest = title.partition(" ")
    return _is_gerund(first) and _KIND_DETERMINED.match(rest) is not None


def _may_be_to_do(title: str) -> bool:
    first, _, rest = title.partition(" ")
    return (bool(rest) and (is_base_verb(first.lower()) or _is_gerund(first))) or _is_to_do(title)


def _is_finite(title: str) -> bool:
    """Check whether a heading is a sentence or a question, and no order."""
    return not _may_be_to_do(title) and bool(_FINITE.search(title) or heading_question(title))


def _is_gerund(word: str) -> bool:
    lower = word.lower()
    verb = lemma_of(lower, "VERB")
    return lower.endswith("ing") and verb != lower and is_base_verb(verb)
