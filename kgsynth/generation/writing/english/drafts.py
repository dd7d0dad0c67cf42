"""What all writers share: the spans of its derivation, its golden answers, and what it leaves out."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

from kgsynth.base.records import Fact, Phrase
from kgsynth.base.thresholds import LIMITS
from kgsynth.base.vocabulary import Flag, Role
from kgsynth.evidence.knowledge import Knowledge
from kgsynth.generation.evolutions.eligibility import loose_ends
from kgsynth.generation.writing.english.grammar import AskedPhrase, in_sentence
from kgsynth.language.english.lexicon import PATTERNS, WORDS
from kgsynth.language.english.text_forms import without_article


def fronted(question: str, preposition: str, name: str) -> str:
    """Return a question that opens with its scope.

    Example:
        >>> fronted("Which ports are open?", "in", "Jedis")
        'In Jedis, which ports are open?'
    """
    return f"{preposition.capitalize()} {name}, {question[0].lower()}{question[1:]}"


def says_what_it_is(text: str) -> bool:
    """Check whether a text says what a thing is, rather than how good it is or how it compares with others.

    Example:
        >>> says_what_it_is("a pump for cold water"), says_what_it_is("a better choice to use")
        (True, False)
    """
    return not PATTERNS["compares"].search(text)


def asides(fact: Fact, keep: int = -1) -> list[int]:
    """Return the phrases, except ``keep``, that a question need not repeat: explanations and asides between commas."""
    aside = {
        n
        for n, p in enumerate(fact.phrases)
        if p.has(Flag.APART) and (p.marker in WORDS["aside_markers"] or _restates(fact, n))
    }
    return sorted((loose_ends(fact) | aside) - {keep})


def _restates(fact: Fact, place: int) -> bool:
    """Check whether a phrase is an object after another object, which it only says in other words."""
    phrase = fact.phrases[place]
    return phrase.role == Role.OBJECT and not phrase.marker and fact.place(Role.OBJECT) < place


def lookup_step(fact: Fact, asked: AskedPhrase | Phrase) -> dict[str, Any]:
    """Return the step of a derivation that looks up the answer in its fact."""
    return {"fact": fact.id, "find": span_in(fact, asked.start, asked.end)}


def span_in(fact: Fact, start: int, end: int) -> dict[str, Any]:
    """Return a span of the document of a fact, in the form that a derivation has."""
    return {"doc": fact.doc, "start": start, "end": end}


def predicate_of(knowledge: Knowledge, fact: Fact, without: int) -> AskedPhrase | None:
    """Return what the subject does, without its auxiliary, as an answer: "file a bug" of "you should file a bug".

    None if the phrase ``without`` interrupts it, it is too long, or its words are not those of an active verb.
    """
    apart, verb = fact.phrases[without], fact.verb
    subject = fact.place(Role.SUBJECT)
    rest = [p for n, p in enumerate(fact.phrases) if n not in {without, subject} and p.start > verb.start]
    start, end = verb.start, max([verb.end, *(p.end for p in rest)])
    if verb.passive or verb.negated or verb.lemma == "be" or not rest or (start < apart.end and apart.start < end):
        return None
    document = knowledge.documents[fact.doc]
    if verb.modal and document.plain(start, end).lower().startswith(f"{verb.modal} "):
        start += len(verb.modal) + 1
    end = max(end, fact.end) if apart.end <= start else end
    text = document.plain(start, end).rstrip(".! ")
    if not text.lower().startswith(verb.form) or len(text.split()) > LIMITS.outcome_words:
        return None
    done = AskedPhrase("what", text[:1].lower() + text[1:], start, end)
    return cut_to_asked(knowledge, fact, done, REASON)


FURTHER_TIME = re.compile(r"^(.*?), (?!\d|and\b|or\b).*$")
"""What follows the value that a question for a time asks for: "every four hours, day and night"."""
FURTHER_PHRASE = re.compile(r"^((?:[Tt]he )?[A-Z][\w'’&-]*(?: [A-Z][\w'’&-]*)*) (?:from|since|until) (?:[A-Z]|\d).*$")
"""What follows the name that a question asks for: "People Operations from Bergen"."""
REASON = re.compile(r"^(.*?), (?:since|because|as|so that)\b.*$")
"""What one should do, and the reason for it."""


def cut_to_asked(knowledge: Knowledge, fact: Fact, asked: AskedPhrase, beyond: re.Pattern[str]) -> AskedPhrase:
    """Return what is asked with the group of ``beyond`` as its answer, if the document has that as it is."""
    short = beyond.sub(r"\1", asked.answer)
    end = asked.start + len(short)
    kept = knowledge.documents[fact.doc].text[asked.start : end]
    return replace(asked, answer=short, end=end) if short and kept.casefold() == short.casefold() else asked


def phrase_span(knowledge: Knowledge, fact: Fact, place: int) -> dict[str, Any]:
    """Return the span of a phrase without its preposition."""
    return tail_span(knowledge, fact, place, marker_width(fact.phrases[place]))


def tail_span(knowledge: Knowledge, fact: Fact, place: int, cut: int) -> dict[str, Any]:
    """Return the span of a phrase from character ``cut`` of its text to its end."""
    phrase = fact.phrases[place]
    (block,) = knowledge.documents[fact.doc].blocks_in(phrase.start, phrase.start + 1)
    last = next(n for n in range(len(block.text), 0, -1) if block.locate(n - 1, n)[1] == phrase.end)
    return span_in(fact, *block.locate(last - len(phrase.text) + cut, last))


def marker_width(phrase: Phrase) -> int:
    """Return the length of the preposition or conjunction at the start of a phrase, with the space after it."""
    opens = phrase.marker and phrase.text.lower().startswith(phrase.marker + " ")
    return len(phrase.marker) + 1 if opens else 0


def unmarked(phrase: Phrase) -> str:
    """Return the text of a phrase without the preposition or conjunction at its start."""
    return phrase.text[marker_width(phrase) :]


def is_cut_off(answer: str) -> bool:
    """Check whether an answer is cut off before its end.

    Example:
        >>> is_cut_off("a pump that"), is_cut_off("a pump that runs")
        (True, False)
    """
    return bool(PATTERNS["incomplete"].search(answer))


def answers(asked: AskedPhrase, phrase: Phrase) -> tuple[str, ...]:
    """Return the golden answers: the asked words, and a variant with its preposition or without unit or article."""
    other = without_article(asked.answer)
    if phrase.role == Role.TIME:
        whole = in_sentence(phrase)
        other = whole[: whole.find(asked.answer) + len(asked.answer)]
    if asked.words.startswith("how many "):
        other = asked.answer[: -len(asked.words.removeprefix("how many "))].strip()
    return tuple(dict.fromkeys(filter(None, (asked.answer, other))))
