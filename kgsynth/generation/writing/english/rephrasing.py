"""Rewording: the same scenario in other words, so that a question does not copy the words of its evidence.

Verbs, nouns and a few others give way to synonyms, names to their other forms. What is asked for, and what ties facts
together, stays as it is. Left out: whether the sense has survived. The filter ``faithful`` asks the encoder.
"""

from __future__ import annotations

import re
from collections.abc import Set
from dataclasses import replace

from kgsynth.base.records import Fact, Phrase, Scenario, Verb
from kgsynth.base.vocabulary import FactKind, Role
from kgsynth.evidence.knowledge import Knowledge
from kgsynth.generation.writing.english.drafts import marker_width
from kgsynth.generation.writing.english.synonyms import NOUNS, OTHERS, VERBS
from kgsynth.golden.subtypes import traits_of
from kgsynth.language.english.morphology import inflected, lemma_of

_WORD = re.compile(r"[A-Za-z]+(?:[-'’][A-Za-z]+)*")
_SOUNDS_OPEN = r"(?=[aeio]|u(?!ni|s|t|k|r[aeiou]))"


def reworded(scenario: Scenario, knowledge: Knowledge) -> Scenario | None:
    """Return the scenario with its facts in other words, or None when there are none for it."""
    facts = tuple(_other_words(fact, _kept(scenario, number), knowledge) for number, fact in enumerate(scenario.facts))
    return replace(scenario, facts=facts) if facts != scenario.facts else None


def _kept(scenario: Scenario, number: int) -> Set[int]:
    """Return the phrases of fact ``number`` that must stay as they are."""
    fact = scenario.facts[number]
    kept = {scenario.asked} if number == len(scenario.facts) - 1 else set()
    kept |= {link[1] for link in scenario.links[number : number + 1]}
    kept |= {link[2] for link in scenario.links[number - 1 : number]} if number else set()
    if traits_of(scenario.subtype).subjects_kept:
        kept |= {n for n, phrase in enumerate(fact.phrases) if phrase.role == Role.SUBJECT}
    if fact.kind == FactKind.OUTCOME:
        kept |= set(range(len(fact.phrases)))
    return kept


def _other_words(fact: Fact, kept: Set[int], knowledge: Knowledge) -> Fact:
    phrases = tuple(p if n in kept else _other_phrase(fact, p, knowledge) for n, p in enumerate(fact.phrases))
    verb = _other_verb(fact.verb) if fact.kind != FactKind.OUTCOME else fact.verb
    return fact if (phrases, verb) == (fact.phrases, fact.verb) else replace(fact, phrases=phrases, verb=verb)


def _other_verb(verb: Verb) -> Verb:
    """Return a verb of the same sense in the same form; the verb itself when the lexicon has none."""
    other = VERBS.get(verb.lemma)
    if other is None or verb.particle:
        return verb
    lemma, _, particle = other.partition(" ")
    tags = ("VBN", "VBD") if verb.passive else ("VBG", "VBN", "VB") if verb.auxiliaries else (verb.tag, "VB")
    tag = next((tag for tag in tags if inflected(verb.lemma, tag) == verb.form), "")
    return replace(verb, lemma=lemma, form=inflected(lemma, tag), particle=particle) if tag else verb


def _other_phrase(fact: Fact, phrase: Phrase, knowledge: Knowledge) -> Phrase:
    """Return a phrase with its name in another form, or its common words in others."""
    width = marker_width(phrase)
    marker, text = phrase.text[:width], phrase.text[width:]
    entity = knowledge.entities.entity_of(fact, phrase)
    if entity is not None:
        article = "the " if text.lower().startswith("the ") else ""
        bare = text[len(article) :]
        forms = [form for form in sorted(entity.forms) if _shortens(form, bare) or _shortens(bare, form)]
        return replace(phrase, text=f"{marker}{article}{forms[0]}") if bare in entity.forms and forms else phrase
    words = [(match.group(), match.start()) for match in _WORD.finditer(text)]
    for number, (word, start) in reversed(list(enumerate(words))):
        after_name = number and words[number - 1][0][0].isupper()
        other = "" if after_name or word not in text.split() else _other_word(word)
        if other:
            text = text[:start] + other + text[start + len(word) :]
    text = re.sub(rf"\ba {_SOUNDS_OPEN}", "an ", re.sub(r"\ban (?=[^aeiouh\W])", "a ", text, flags=re.I), flags=re.I)
    return replace(phrase, text=marker + text) if marker + text != phrase.text else phrase


def _shortens(short: str, long: str) -> bool:
    """Say whether one name is made of the initials of another.

    Example:
        >>> _shortens("AOF", "Append Only File"), _shortens("Lovelace", "Ada Lovelace")
        (True, False)
    """
    return short.isupper() and len(short) > 1 and short == "".join(w[0] for w in long.split() if w[0].isupper())


def _other_word(word: str) -> str:
    """Return another word for a common one in the same number, "" for none.

    Example:
        >>> _other_word("ships"), _other_word("numerous"), _other_word("Oslo"), _other_word("table")
        ('vessels', 'many', '', '')
    """
    if not word.islower():
        return ""
    if word in OTHERS:
        return OTHERS[word]
    lemma = lemma_of(word, "NOUN")
    other = NOUNS.get(lemma, "")
    if not other or word == lemma:
        return other
    first, _, rest = other.partition(" of ")
    plural = f"{first.rpartition(' ')[0]} {inflected(first.rpartition(' ')[2], 'NNS')}".strip()
    return f"{plural} of {rest}" if rest else plural
