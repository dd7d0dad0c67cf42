"""What the writers of all types share: the draft, its spans, and how to say which heading is meant."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from typing import Any, NamedTuple

from kgsynth.base.records import Fact, Phrase, Scenario
from kgsynth.base.vocabulary import Flag, Role
from kgsynth.evidence.knowledge import Knowledge
from kgsynth.generation.evolutions.eligibility import anchor, loose_ends
from kgsynth.generation.writing.english.grammar import Asked, shown
from kgsynth.language.english.morphology import inflected, is_word
from kgsynth.language.english.text_forms import without_article


class Draft(NamedTuple):
    """A question as written, its golden answers (the canonical one first), and the steps that prove them.

    ``plain`` is the question in the words of its source, where it has been put in others.
    """

    question: str
    answers: tuple[str, ...]
    operator: str
    steps: tuple[dict[str, Any], ...]
    extra: Mapping[str, Any] = {}
    penalty: float = 0.0
    plain: str = ""


def scoped(title: str, text: str, names: Collection[str] = (), place: bool = False) -> str:
    """Return a question put under a heading: "For the Pike 2, …", "" when the heading cannot be said so.

    A heading in title case loses its capitals but for ``names``. Of a long one a piece is said, but what
    stands in brackets stays; a ``place`` is said with "in".

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
    name = next((piece for piece in pieces if _sayable(piece)), "")
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
    """Say whether a word in title case is one of the language: all of its parts, where it has several."""
    return word.istitle() and all(len(part) < 4 or is_word(part) for part in re.findall(r"\w+", word))


def _sayable(name: str) -> bool:
    """Say whether a heading, or a piece of one, can stand after "for"."""
    return (
        1 <= len(name.split()) <= 6
        and not re.search(r"[?!/{}<>|=\d]{2}|[?!{}<>|=]", name)
        and not _UNSCOPED.match(name)
    )


_DETERMINERS = frozenset({"a", "an", "the", "your"})
_UNSCOPED = re.compile(
    r"(?i)(?:how|what|why|when|where|who|which|introduction|overview|summary|notes?|see also|example|usage|conclusion|"
    r"history|background|motivation|rationale|specification|abstract|references?|contents|changelog|copyright|details|"
    r"description|general|other|options?|parameters?|return|appendix|chapter|section|read|using this|about this|more|"
    r"next steps?|getting started|faq|prerequisites?|requirements?|steps?|features?|limitations?|known|common|"
    r"supported|advanced|basics?|user['’]?s|guides?|tutorials?|tips|rules|services|events|resources|design|conventions?|project)\b"
)
"""Headings that say what kind of part this is, not what it is about."""


def stands(scenario: Scenario) -> bool:
    """Say whether the fact of a question leaves it enough to hold on to; a condition is told apart by itself."""
    return scenario.question_type == "conditional" or anchor(scenario.facts[0], scenario.asked) > 0


_COMPARES = re.compile(
    r"(?i)\b(?:better|best|easie(?:r|st)|more|most|less|least|\w+er \w+ than|your?)\b|^(?:just|only) "
    r"|^(?:an?|the) (?:very |quite )?(?:important|great|ordinary|popular|good|common|useful|recommended|powerful)\b"
)


def tells_what(text: str) -> bool:
    """Say whether a text says what a thing is, and not how good it is or how it compares with others.

    Example:
        >>> tells_what("a pump for cold water"), tells_what("a better choice to use")
        (True, False)
    """
    return not _COMPARES.search(text)


def anchored(fact: Fact, text: str) -> bool:
    """Say whether a question holds a name of its fact, so that one knows what it is about."""
    asks = text.casefold()
    named = (shown(p)[marker_width(p) :] for p in fact.phrases if p.flags & {Flag.NAMED, Flag.CODE})
    return any(re.search(r"[A-Z]|\w[_.:(]", name) and name.casefold() in asks for name in named)


def asides(fact: Fact, keep: int = -1) -> list[int]:
    """Return the phrases a question need not repeat: explanations, and loose ends set apart by commas."""
    beside = {
        n
        for n, p in enumerate(fact.phrases)
        if p.has(Flag.APART)
        and (p.marker in _BESIDE or (p.role == Role.OBJECT and not p.marker and n and _again(fact, n)))
    }
    return sorted((loose_ends(fact) | beside) - {keep})


def _again(fact: Fact, place: int) -> bool:
    """Say whether an object only says again what the one before it said."""
    return any(p.role == Role.OBJECT for p in fact.phrases[:place])


_BESIDE = frozenset(
    ("as with", "as for", "like", "unlike", "apart from", "aside from", "in addition to", "instead of", "rather than",
     "including", "along with", "together with", "besides")
)  # fmt: skip
"""Prepositions of what stands beside a statement, set apart by a comma."""


def find(fact: Fact, asked: Asked) -> dict[str, Any]:
    """Return the step of a derivation that looks the answer up in its fact."""
    return {"fact": fact.id, "find": at(fact, asked.start, asked.end)}


def at(fact: Fact, start: int, end: int) -> dict[str, Any]:
    """Return a span of the fact's document as a derivation holds it."""
    return {"doc": fact.doc, "start": start, "end": end}


def phrase_at(knowledge: Knowledge, fact: Fact, place: int) -> dict[str, Any]:
    """Return where a phrase stands, without its preposition."""
    return tail_at(knowledge, fact, place, marker_width(fact.phrases[place]))


def tail_at(knowledge: Knowledge, fact: Fact, place: int, cut: int) -> dict[str, Any]:
    """Return where the end of a phrase stands, from character ``cut`` of its text on."""
    phrase = fact.phrases[place]
    block = next(b for b in knowledge.documents[fact.doc].blocks if b.start <= phrase.start < b.end)
    last = next(n for n in range(len(block.text), 0, -1) if block.locate(n - 1, n)[1] == phrase.end)
    return at(fact, *block.locate(last - len(phrase.text) + cut, last))


def marker_width(phrase: Phrase) -> int:
    """Return how many characters of a phrase are the preposition or conjunction it opens with."""
    opens = phrase.marker and phrase.text.lower().startswith(phrase.marker + " ")
    return len(phrase.marker) + 1 if opens else 0


def unmarked(phrase: Phrase) -> str:
    """Return the text of a phrase without the preposition or conjunction it opens with."""
    return phrase.text[marker_width(phrase) :]


_BREAKS_OFF = re.compile(
    r"(?i)\b(?:that|which|who|to|of|as|if|whether|than|about|like|an?|the|and|or|with|for|by)$|\s,"
)


def breaks_off(answer: str) -> bool:
    """Say whether an answer was cut off before its end.

    Example:
        >>> breaks_off("a pump that"), breaks_off("a pump that runs")
        (True, False)
    """
    return bool(_BREAKS_OFF.search(answer))


def answers(asked: Asked, phrase: Phrase) -> tuple[str, ...]:
    """Return the golden answers: as asked, without its article, and with its preposition."""
    bare = without_article(asked.answer)
    more = [bare] if phrase.role not in {Role.TIME} else [shown(phrase)]
    if asked.words.startswith("how many "):
        more = [asked.answer[: -len(asked.words.removeprefix("how many "))].strip()]
    return tuple(dict.fromkeys(answer for answer in (asked.answer, *more) if answer))
