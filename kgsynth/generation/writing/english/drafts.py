"""What the writers of all types share: the draft, its spans, and the heading that a question names."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from typing import Any, NamedTuple

from kgsynth.base.records import Fact, Phrase, Scenario
from kgsynth.base.vocabulary import Flag, Role
from kgsynth.evidence.knowledge import Knowledge
from kgsynth.generation.evolutions.eligibility import anchor, loose_ends
from kgsynth.generation.writing.english.grammar import AskedPhrase, in_sentence
from kgsynth.language.english.morphology import inflected, is_word
from kgsynth.language.english.text_forms import without_article


class QuestionDraft(NamedTuple):
    """A written question, its golden answers (the canonical one first), and the steps that prove them.

    ``plain`` is the question in the words of its source when this one is in other words.
    """

    question: str
    answers: tuple[str, ...]
    operator: str
    steps: tuple[dict[str, Any], ...]
    extra: Mapping[str, Any] = {}
    penalty: float = 0.0
    plain: str = ""


def scoped(title: str, text: str, names: Collection[str] = (), place: bool = False) -> str:
    """Return a question that names the heading it holds for: "For the Pike 2, …", "" for headings that do not fit.

    A heading in title case loses its capitals except those of ``names``. Of a long one only a part is used, but what
    is in brackets stays; a ``place`` is introduced with "in".

    Example:
        >>> scoped("Dental Benefits in Norway", "When is open enrolment?", {"Norway"})
        'For dental benefits in Norway, when is open enrolment?'
        >>> scoped("Register a User", "What is cached?")
        'When registering a user, what is cached?'
        >>> scoped("How it works", "What is cached?")
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
    first, *others = (word if word in names or not _is_common(word) else word.lower() for word in name.split())
    if others and re.fullmatch(r"[a-z]+ing", first):
        return f"When {first} {' '.join(others)}, {body}"
    if others and others[0] in _DETERMINERS and first.islower():
        return f"When {inflected(first, 'VBG')} {' '.join(others)}, {body}"
    return f"{'In' if place else 'For'} {' '.join([first, *others])}, {body}"


def _is_common(word: str) -> bool:
    """Check whether a word in title case is a common word; of a compound all parts must be."""
    return word.istitle() and all(len(part) < 4 or is_word(part) for part in re.findall(r"\w+", word))


def _fits_after_for(name: str) -> bool:
    """Check whether a heading, or a part of one, can follow "for"."""
    return (
        1 <= len(name.split()) <= 6
        and not re.search(r"[?!/{}<>|=\d]{2}|[?!{}<>|=]", name)
        and not _GENERIC_HEADING.match(name)
    )


_DETERMINERS = frozenset({"a", "an", "the", "your"})
_GENERIC_HEADING = re.compile(
    r"(?i)(?:how|what|why|when|where|who|which|introduction|overview|summary|notes?|see also|example|usage|conclusion|"
    r"history|background|motivation|rationale|specification|abstract|references?|contents|changelog|copyright|details|"
    r"description|general|other|options?|parameters?|return|appendix|chapter|section|read|using this|about this|more|"
    r"next steps?|getting started|faq|prerequisites?|requirements?|steps?|features?|limitations?|known|common|"
    r"supported|advanced|basics?|user['’]?s|guides?|tutorials?|tips|rules|services|events|resources|design|conventions?|project)\b"
)
"""Headings that say which part of a document this is, not what it is about."""


def is_anchored(scenario: Scenario) -> bool:
    """Check whether a fact has an anchor beside what is asked for; a condition is specific by itself."""
    return scenario.question_type == "conditional" or anchor(scenario.facts[0], scenario.asked) > 0


_COMPARES = re.compile(
    r"(?i)\b(?:better|best|easie(?:r|st)|more|most|less|least|\w+er \w+ than|your?)\b|^(?:just|only) "
    r"|^(?:an?|the) (?:very |quite )?(?:important|great|ordinary|popular|good|common|useful|recommended|powerful)\b"
)


def tells_what(text: str) -> bool:
    """Check whether a text says what a thing is, not how good it is or how it compares with others.

    Example:
        >>> tells_what("a pump for cold water"), tells_what("a better choice to use")
        (True, False)
    """
    return not _COMPARES.search(text)


def has_name(fact: Fact, text: str) -> bool:
    """Check whether a question contains a name of its fact, so that one knows what it is about."""
    asks = text.casefold()
    named = (in_sentence(p)[marker_width(p) :] for p in fact.phrases if p.flags & {Flag.NAMED, Flag.CODE})
    return any(re.search(r"[A-Z]|\w[_.:(]", name) and name.casefold() in asks for name in named)


def asides(fact: Fact, keep: int = -1) -> list[int]:
    """Return the phrases that a question need not repeat: explanations, and loose ends separated by commas."""
    beside = {
        n
        for n, p in enumerate(fact.phrases)
        if p.has(Flag.APART)
        and (p.marker in _BESIDE_MARKERS or (p.role == Role.OBJECT and not p.marker and n and _repeats_object(fact, n)))
    }
    return sorted((loose_ends(fact) | beside) - {keep})


def _repeats_object(fact: Fact, place: int) -> bool:
    """Check whether an object follows another one, which it only restates."""
    return any(p.role == Role.OBJECT for p in fact.phrases[:place])


_BESIDE_MARKERS = frozenset(
    ("as with", "as for", "like", "unlike", "apart from", "aside from", "in addition to", "instead of", "rather than",
     "including", "along with", "together with", "besides")
)  # fmt: skip
"""Prepositions of phrases that a statement is complete without, when a comma separates them."""


def find(fact: Fact, asked: AskedPhrase) -> dict[str, Any]:
    """Return the step of a derivation that looks up the answer in its fact."""
    return {"fact": fact.id, "find": at(fact, asked.start, asked.end)}


def at(fact: Fact, start: int, end: int) -> dict[str, Any]:
    """Return a span of the document of a fact in the form of a derivation."""
    return {"doc": fact.doc, "start": start, "end": end}


def phrase_at(knowledge: Knowledge, fact: Fact, place: int) -> dict[str, Any]:
    """Return the span of a phrase without its preposition."""
    return tail_at(knowledge, fact, place, marker_width(fact.phrases[place]))


def tail_at(knowledge: Knowledge, fact: Fact, place: int, cut: int) -> dict[str, Any]:
    """Return the span of a phrase from character ``cut`` of its text on."""
    phrase = fact.phrases[place]
    block = next(b for b in knowledge.documents[fact.doc].blocks if b.start <= phrase.start < b.end)
    last = next(n for n in range(len(block.text), 0, -1) if block.locate(n - 1, n)[1] == phrase.end)
    return at(fact, *block.locate(last - len(phrase.text) + cut, last))


def marker_width(phrase: Phrase) -> int:
    """Return the number of characters of the preposition or conjunction that a phrase opens with."""
    opens = phrase.marker and phrase.text.lower().startswith(phrase.marker + " ")
    return len(phrase.marker) + 1 if opens else 0


def unmarked(phrase: Phrase) -> str:
    """Return the text of a phrase without the preposition or conjunction it opens with."""
    return phrase.text[marker_width(phrase) :]


_BREAKS_OFF = re.compile(
    r"(?i)\b(?:that|which|who|to|of|as|if|whether|than|about|like|an?|the|and|or|with|for|by)$|\s,"
)


def breaks_off(answer: str) -> bool:
    """Check whether an answer is cut off before its end.

    Example:
        >>> breaks_off("a pump that"), breaks_off("a pump that runs")
        (True, False)
    """
    return bool(_BREAKS_OFF.search(answer))


def answers(asked: AskedPhrase, phrase: Phrase) -> tuple[str, ...]:
    """Return the golden answers: as asked for, without its article, and with its preposition."""
    bare = without_article(asked.answer)
    more = [bare] if phrase.role not in {Role.TIME} else [in_sentence(phrase)]
    if asked.words.startswith("how many "):
        more = [asked.answer[: -len(asked.words.removeprefix("how many "))].strip()]
    return tuple(dict.fromkeys(answer for answer in (asked.answer, *more) if answer))
