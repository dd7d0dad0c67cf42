"""What all writers share: the draft of a question, the spans of its derivation, and the heading that it names."""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import replace
from typing import Any

from kgsynth.base.records import Fact, Phrase
from kgsynth.base.thresholds import LIMITS
from kgsynth.base.vocabulary import Flag, Role
from kgsynth.evidence.knowledge import Knowledge
from kgsynth.generation.evolutions.eligibility import loose_ends
from kgsynth.generation.writing.english.grammar import AskedPhrase, in_sentence
from kgsynth.language.english.lexicon import PATTERNS, WORDS
from kgsynth.language.english.morphology import is_word
from kgsynth.language.english.text_forms import without_article


def under_heading(title: str, text: str, names: Collection[str] = (), place: bool = False) -> str:
    """Return the question ``text`` with the heading under which it holds: "For the Pike 2, …"; "" if none fits.

    A heading in title case loses its capitals except those of ``names``. Of a heading with punctuation only the first
    part that fits is used, except that brackets stay. The heading of a ``place`` follows "in".

    Example:
        >>> under_heading("Dental Benefits in Norway", "When is open enrolment?", {"Norway"})
        'For dental benefits in Norway, when is open enrolment?'
        >>> under_heading("How it works", "What is cached?")
        ''
    """
    body = text[0].lower() + text[1:]
    plain = re.sub(r"^[\d.]+\s+|[`*_]", "", re.sub(r"(?<=\w)_(?=\w)", " ", title))
    pieces = re.split(r"\s*[:;,()—–]\s*|\s+-\s+", plain.strip(" .:"))
    name = next((piece for piece in pieces if _fits_after_for(piece)), "")
    if re.fullmatch(r"[\w '’-]+\([\w ]+\)", title) and name == pieces[0]:
        name = title
    if not name:
        return ""
    said = (word if word in names or not _is_common(word) else word.lower() for word in name.split())
    return f"{'In' if place else 'For'} {' '.join(said)}, {body}"


def _is_common(word: str) -> bool:
    """Check whether a word in title case is a common word, or a compound of common words."""
    short = LIMITS.heading_short_letters
    return word.istitle() and all(len(part) < short or is_word(part) for part in re.findall(r"\w+", word))


def _fits_after_for(name: str) -> bool:
    """Check whether a heading, or a part of one, can follow "for"."""
    return (
        1 <= len(name.split()) <= LIMITS.heading_words
        and not re.search(r"[?!/{}<>|=\d]{2}|[?!{}<>|=]", name)
        and not PATTERNS["generic_heading"].match(name)
        and not PATTERNS["report_title"].search(name)
    )


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
