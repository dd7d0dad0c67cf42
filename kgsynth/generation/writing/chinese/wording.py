"""How a Chinese question is put together: the clause of a fact with the question word in the answer's place."""

from __future__ import annotations

import re
from typing import Any

from kgsynth.base.records import Fact, Phrase
from kgsynth.evidence.knowledge import Knowledge
from kgsynth.generation.writing.draft import QuestionDraft

_ASIDE = re.compile(r"（[^（）]*）|(?<![A-Za-z0-9_])\([^()]*\)")
_AROUND_LATIN = re.compile(
    r"(?<=[A-Za-z0-9])(?=(?:为什么|用来做|是什么|是谁|是哪))|(?<=为什么)(?=[A-Za-z])|(?<=什么是)(?=[A-Za-z])"
)
"""Where a question word meets a Latin word, which people set apart by a blank."""
_TO_FULL_WIDTH = str.maketrans(",?!", "，？！")


def as_question(text: str) -> str:
    """Return a text as a question: without brackets, with full-width marks and one question mark at its end.

    Example:
        >>> as_question("青禾（简称）成立于哪一年")
        '青禾成立于哪一年？'
    """
    bare = _ASIDE.sub("", text).strip(" ，。；,;.")
    bare = _AROUND_LATIN.sub(" ", bare)
    return re.sub(r"(?<=[\u3400-\u9fff])[,?!]", lambda mark: mark.group().translate(_TO_FULL_WIDTH), bare) + "？"


def asked_in_place(knowledge: Knowledge, fact: Fact, asked: int, words: str) -> str:
    """Return the clause of a fact, from its first phrase to its last, with ``words`` in place of the asked phrase."""
    first, last, phrase = fact.phrases[0], fact.phrases[-1], fact.phrases[asked]
    before = _between(knowledge, fact, first.start, phrase.start)
    after = _between(knowledge, fact, phrase.end, last.end)
    return as_question(f"{_spaced(before, words)}{after}")


def _between(knowledge: Knowledge, fact: Fact, start: int, end: int) -> str:
    return knowledge.documents[fact.doc].plain(start, end) if start < end else ""


def _spaced(before: str, after: str) -> str:
    """Return two texts, with a blank between if the first ends in a Latin letter, as people write it."""
    return f"{before} {after}" if before[-1:].isascii() and before[-1:].isalnum() else before + after


def joined(knowledge: Knowledge, fact: Fact, phrase: Phrase) -> str:
    """Return the text of a phrase without markup."""
    return _between(knowledge, fact, phrase.start, phrase.end)


def looked_up(fact: Fact, phrase: Phrase, operator: str, question: str, *variants: str, **more: Any) -> QuestionDraft:
    """Return the draft of a question that one phrase of a fact answers; ``more`` goes into the step of its proof."""
    find = {"doc": fact.doc, "start": phrase.start, "end": phrase.end}
    texts = tuple(dict.fromkeys((phrase.text, *filter(None, variants))))
    return QuestionDraft(question, texts, operator, ({"fact": fact.id, "find": find, **more},))


def span_of_phrase(fact: Fact, phrase: Phrase) -> dict[str, Any]:
    """Return the span of a phrase, in the form that a derivation has."""
    return {"doc": fact.doc, "start": phrase.start, "end": phrase.end}
