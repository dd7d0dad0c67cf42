"""A condition, cause or purpose and the outcome it belongs to, read from conjunction and comma alone.

They still separate the two halves of a sentence where the parser finds no clause with the explanation: "If the primary
has not answered, Foghorn rings the secondary" looks to it like a noun.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import replace
from typing import Any

from kgsynth.base.records import Block, Fact, Sentence, Verb, content_id
from kgsynth.base.thresholds import LIMITS
from kgsynth.base.vocabulary import FactKind, Flag, Role
from kgsynth.language.english import lexicon as lex
from kgsynth.language.english.phrases import phrase_from

_OPENING_MARKERS: dict[Role, frozenset[str]] = {
    Role.CONDITION: lex.CONDITION_MARKERS,
    Role.CAUSE: frozenset({"because", "since", "because of", "due to", "owing to"}),
    Role.PURPOSE: frozenset({"in order to"}),
}
"""Role -> the markers that may open a sentence."""
_MIDDLE_MARKERS: dict[Role, frozenset[str]] = {
    Role.CONDITION: frozenset(
        {"if", "unless", "until", "provided that", "as long as", "so long as", "only if", "in case"}
    ),
    Role.CAUSE: frozenset({"because", "because of", "due to", "owing to", "as a result of", ", since"}),
    Role.PURPOSE: frozenset({"so that", "in order to"}),
}
"""Role -> the markers that may separate two halves inside a sentence; "when" and "once" have other uses there."""
_NOT_BEFORE_MARKER = frozenset(
    {"as", "even", "what", "see", "check", "only", "just", "not", "partly", "either", "whether", "is", "was"}
)
"""Words after which a marker does not begin an explanation of its own."""


def read_halves(sentence: Sentence, block: Block, tokens: list[Any], known: Collection[str]) -> Iterator[Fact]:
    """Yield a fact of two phrases, the explanation and the outcome, for each role not among the ``known`` ones."""
    words = [token.lower_ for token in tokens]
    for role in _OPENING_MARKERS:
        opening, middle = _OPENING_MARKERS[role], _MIDDLE_MARKERS[role]
        halves = None if role in known else _explained_first(words, opening) or _explained_last(words, middle)
        if halves is None or min(b - a for a, b in halves) < LIMITS.half_sentence_tokens:
            continue
        phrases = []
        for name, (low, high) in zip((role, Role.OUTCOME), halves, strict=True):
            marker = _marker(words, low, opening | middle) if name == role else ""
            phrase = phrase_from(name, _head(tokens[low:high]), tokens[low:high], block, marker)
            if phrase is not None and tokens[low].tag_ != "PRP":  # the head of an unparsed half is not reliable
                phrase = replace(phrase, flags=phrase.flags - {Flag.PRONOUN})
            phrases.append(phrase)
        yield from _fact(sentence, phrases, tokens[halves[1][0]].tag_ in {"VB", "VBP"})


def _fact(sentence: Sentence, phrases: list[Any], commanded: bool) -> Iterator[Fact]:
    if any(phrase is None or phrase.text[:1] in ",;:" or phrase.text[-1:] in ",:" for phrase in phrases):
        return
    ordered = tuple(sorted(phrases, key=lambda phrase: phrase.start))
    form = "do" if commanded else "happen"
    verb = Verb(form, form, "VB", start=ordered[-1].start, end=ordered[-1].start)
    ident = content_id("f", sentence.doc, sentence.start, sentence.end, "halves", phrases[0].role)
    place = sentence.doc, sentence.section, sentence.start, sentence.end
    yield Fact(ident, *place, sentence.text, verb, ordered, FactKind.OUTCOME)


def _head(tokens: list[Any]) -> Any:
    inside = {token.i for token in tokens}
    return next((token for token in tokens if token.head.i not in inside or token.head is token), tokens[0])


def _marker(words: list[str], place: int, markers: frozenset[str]) -> str:
    rest = " ".join(words[place : place + 5]) + " "
    before = words[place - 1] + " " if place else ""
    fits = (m.removeprefix(", ") for m in markers if (before + rest if m[0] == "," else rest).startswith(m + " "))
    return max(fits, key=len, default="")


def _explained_first(words: list[str], markers: frozenset[str]) -> tuple[tuple[int, int], tuple[int, int]] | None:
    """Return the halves of "If …, …": the explanation up to its comma, the outcome up to the next comma."""
    end = _sentence_end(words)
    commas = [n for n, word in enumerate(words[:end]) if word == ","]
    if not _marker(words, 0, markers) or not commas:
        return None
    if any(words[n + 1 : n + 2] not in (["who"], ["which"], ["and"], ["so"], ["but"]) for n in commas[1:]):
        return None
    return (0, commas[0]), (commas[0] + 1, commas[1] if len(commas) > 1 else end)


def _explained_last(words: list[str], markers: frozenset[str]) -> tuple[tuple[int, int], tuple[int, int]] | None:
    """Return the halves of "… if …", where the outcome has no comma and the sentence one marker."""
    end = _sentence_end(words)
    places = [n for n in range(2, end) if _marker(words, n, markers) and words[n - 1] not in _NOT_BEFORE_MARKER]
    if len(places) != 1 or "," in words[: places[0] - 1]:
        return None
    place = places[0]
    comma = next((n for n in range(place, end) if words[n] == ","), end)
    return (place, comma), (0, place - 1 if words[place - 1] == "," else place)


def _sentence_end(words: list[str]) -> int:
    return next((n for n, word in enumerate(words) if n > 2 and word in {";", ":", "—", "–", "."}), len(words))
