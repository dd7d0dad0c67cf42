"""Rewording: the same scenario in other words, so that a question does not copy the words of its evidence."""

from __future__ import annotations

import re
from collections.abc import Set
from dataclasses import replace

from kgsynth.base.records import Fact, Phrase, Scenario, Verb
from kgsynth.base.vocabulary import FactKind, Role
from kgsynth.evidence.knowledge import Knowledge
from kgsynth.generation.writing.english.drafts import marker_width
from kgsynth.golden.subtypes import traits_of
from kgsynth.language.english.lexicon import PLACE_PREPOSITIONS
from kgsynth.language.english.morphology import inflected, lemma_of
from kgsynth.language.english.question_checks import content_stems

VERBS: dict[str, str] = {
    "aid": "help", "alter": "change", "amend": "change", "assist": "help", "begin": "start", "buy": "purchase",
    "commence": "begin", "compel": "force", "conceal": "hide", "construct": "build", "demolish": "tear down",
    "depict": "show", "disclose": "reveal", "discover": "find", "display": "show", "enhance": "improve",
    "ensure": "guarantee", "erect": "build", "exhibit": "show", "found": "establish", "guard": "protect",
    "halt": "stop", "harm": "hurt", "hinder": "impede", "impede": "hinder", "influence": "affect", "inspect": "examine",
    "manufacture": "make", "migrate": "move", "modify": "change", "monitor": "watch", "oversee": "supervise",
    "overthrow": "topple", "permit": "allow", "persuade": "convince", "postpone": "put off", "prohibit": "forbid",
    "purchase": "buy", "relocate": "move", "repair": "fix", "reside": "live", "restrict": "limit", "retain": "keep",
    "safeguard": "protect", "select": "choose", "shut": "close", "supervise": "oversee", "supply": "provide",
    "symbolise": "represent", "symbolize": "represent", "transport": "carry", "utilise": "use", "utilize": "use",
    "vanish": "disappear", "verify": "check",
}  # fmt: skip
"""Lemma of a verb -> a verb that takes the same objects and clauses, with its particle."""

NOUNS: dict[str, str] = {
    "alteration": "change", "assistance": "help", "author": "writer", "catastrophe": "disaster",
    "cemetery": "graveyard", "employee": "worker", "inhabitant": "resident", "movie": "film", "nation": "country",
    "outcome": "result", "physician": "doctor", "uprising": "revolt",
}  # fmt: skip
"""Lemma of a noun that is never a verb -> another that can be counted in the same way."""

OTHERS: dict[str, str] = {
    "additional": "extra", "enormous": "huge", "entire": "whole", "famous": "well-known", "huge": "enormous",
    "numerous": "many", "ongoing": "continuing", "predominantly": "mostly", "primarily": "mainly", "rapid": "fast",
    "rapidly": "quickly", "renowned": "famous", "usually": "normally", "wealthy": "rich",
}  # fmt: skip
"""Adjective or adverb -> one that can stand in the same position."""

RELATED: dict[str, str] = {
    "accomplish": "achieve", "acquire": "obtain", "advantage": "benefit", "aim": "goal", "almost": "nearly",
    "annual": "yearly", "annually": "every year", "ascend": "climb", "attain": "reach", "attempt": "try",
    "beginning": "start", "benefit": "advantage", "boundary": "border", "cease": "stop", "choose": "pick",
    "collect": "gather", "company": "firm", "compose": "write", "danger": "risk", "debate": "discussion",
    "demonstrate": "show", "depart": "leave", "diverse": "varied", "dwelling": "home", "earnings": "income",
    "emerge": "appear", "establish": "set up", "exceed": "surpass", "forbid": "prohibit", "forest": "woodland",
    "freedom": "liberty", "frequent": "common", "frequently": "often", "gather": "collect",
    "gradually": "step by step", "govern": "rule", "guideline": "rule", "harm": "damage", "hazard": "danger",
    "holiday": "vacation", "illustrate": "show", "income": "earnings", "indicate": "show", "inhabit": "live in",
    "initial": "first", "initially": "at first", "inspect": "check", "investigate": "look into", "journey": "trip",
    "launch": "start", "liberty": "freedom", "medieval": "of the Middle Ages", "mistake": "error", "nearly": "almost",
    "obstacle": "barrier", "obtain": "get", "occur": "happen", "often": "frequently", "portray": "depict",
    "prevent": "stop", "principal": "main", "propose": "put forward", "quickly": "fast", "reduce": "lower",
    "regulation": "rule", "residence": "home", "resident": "inhabitant", "resign": "step down", "reveal": "disclose",
    "revolt": "uprising", "salary": "pay", "scholar": "academic", "scientist": "researcher", "seek": "look for",
    "shortage": "lack", "subsequent": "later", "substantial": "considerable", "sufficient": "enough",
    "symbolise": "stand for", "symbolize": "stand for", "teacher": "instructor", "terminate": "end",
    "tiny": "very small", "vast": "huge", "vital": "crucial", "wages": "pay", "wealth": "riches", "whole": "entire",
    "yearly": "annual",
}  # fmt: skip
"""Lemma -> another that means the same in some sentences."""

# Rewording: the same scenario in other words, so that a question does not copy the words of its evidence.

_LATIN_WORD = re.compile(r"[A-Za-z]+(?:[-'’][A-Za-z]+)*")
_INDEFINITE_ARTICLE = re.compile(r"\b[Aa]n?(?= $)")


def reworded(scenario: Scenario, knowledge: Knowledge) -> Scenario | None:
    """Return the scenario with its facts in other words, None if the lexicon has none for it."""
    facts = tuple(
        in_other_words(fact, _kept_phrases(scenario, number), knowledge) for number, fact in enumerate(scenario.facts)
    )
    return replace(scenario, facts=facts) if facts != scenario.facts else None


def _kept_phrases(scenario: Scenario, number: int) -> Set[int]:
    """Return the phrases of fact ``number`` that must stay as they are."""
    fact = scenario.facts[number]
    kept = {scenario.asked} if number == len(scenario.facts) - 1 else set()
    kept |= {link[1] for link in scenario.links[number : number + 1]}
    kept |= {link[2] for link in scenario.links[number - 1 : number]} if number else set()
    if traits_of(scenario.subtype).subjects_kept:
        kept |= {n for n, phrase in enumerate(fact.phrases) if phrase.role == Role.SUBJECT}
    return kept


def in_other_words(fact: Fact, kept: Set[int], knowledge: Knowledge) -> Fact:
    """Return a fact with its verb and phrases in other words where there are any, except for the ``kept`` phrases."""
    if fact.kind == FactKind.OUTCOME:
        return fact
    phrases = tuple(p if n in kept else _other_phrase(fact, p, knowledge) for n, p in enumerate(fact.phrases))
    verb = _other_verb(fact.verb)
    return fact if (phrases, verb) == (fact.phrases, fact.verb) else replace(fact, phrases=phrases, verb=verb)


def _other_verb(verb: Verb) -> Verb:
    """Return a synonym in the same form, or the verb itself if the lexicon has none."""
    other = VERBS.get(verb.lemma)
    if other is None or verb.particle:
        return verb
    lemma, _, particle = other.partition(" ")
    tags = ("VBN", "VBD") if verb.passive else ("VBG", "VBN", "VB") if verb.auxiliaries else (verb.tag, "VB")
    tag = next((tag for tag in tags if inflected(verb.lemma, tag) == verb.form), "")
    return replace(verb, lemma=lemma, form=inflected(lemma, tag), particle=particle) if tag else verb


def _other_phrase(fact: Fact, phrase: Phrase, knowledge: Knowledge) -> Phrase:
    """Return a phrase with its name abbreviated or written out, or with other common words."""
    width = marker_width(phrase)
    marker, text = phrase.text[:width], phrase.text[width:]
    entity = knowledge.entities.entity_of(fact, phrase)
    if entity is not None:
        article = "the " if text.lower().startswith("the ") else ""
        name = text[len(article) :]
        forms = [form for form in sorted(entity.forms) if _is_acronym(form, name) or _is_acronym(name, form)]
        return replace(phrase, text=f"{marker}{article}{forms[0]}") if name in entity.forms and forms else phrase
    other = _other_text(text)
    return replace(phrase, text=marker + other) if other != text else phrase


def _is_acronym(short: str, long: str) -> bool:
    """Check whether one name consists of the initials of another.

    Example:
        >>> _is_acronym("AOF", "Append Only File"), _is_acronym("Lovelace", "Ada Lovelace")
        (True, False)
    """
    return short.isupper() and len(short) > 1 and short == "".join(w[0] for w in long.split() if w[0].isupper())


def _other_text(text: str) -> str:
    """Return a text with its common words replaced; a word after a name may belong to it and is kept.

    Example:
        >>> _other_text("an enormous depot of the Pike employee"), _other_text("a famous author of movies")
        ('a huge depot of the Pike employee', 'a well-known writer of films')
    """
    words = list(_LATIN_WORD.finditer(text))
    for number, match in reversed(list(enumerate(words))):
        word, before, after = match.group(), text[: match.start()], text[match.end() :]
        after_name = number and words[number - 1].group()[0].isupper()
        alone = before[-1:] in ("", " ") and after[:1] in ("", " ")
        other = _other_word(word, after) if alone and not after_name else ""
        text = _with_article(before, other) + other + after if other else text
    return text


def _with_article(before: str, word: str) -> str:
    """Return the text before a word, with an indefinite article at its end as the word needs it.

    Example:
        >>> _with_article("in an ", "huge"), _with_article("in the ", "huge")
        ('in a ', 'in the ')
    """
    article = "an" if word[0] in "aeiou" else "a"
    return _INDEFINITE_ARTICLE.sub(lambda found: article.capitalize() if found[0][0] == "A" else article, before)


def _other_word(word: str, after: str) -> str:
    """Return a synonym of a common word in the same number, "" if there is none; ``after`` is the text that follows.

    A noun before another noun is part of a compound and has no synonym.

    Example:
        >>> _other_word("movies", ""), _other_word("employee", " handbook"), _other_word("numerous", " pumps")
        ('films', '', 'many')
    """
    if not word.islower():
        return ""
    if word in OTHERS:
        return OTHERS[word]
    lemma = lemma_of(word, "NOUN")
    other = NOUNS.get(lemma, "")
    follows = " ".join(after.split()[:1])
    if not other or (follows not in PLACE_PREPOSITIONS and content_stems(follows)):
        return ""
    return other if word == lemma else inflected(other, "NNS")
