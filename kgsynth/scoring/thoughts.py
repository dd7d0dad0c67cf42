"""Take off what a reasoning model thinks before it answers: ``<think>…</think>`` and the like are not the answer."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from kgsynth.base.records import Answer, Citation, Item
from kgsynth.scoring.systems.ask_all import SystemAnswers
from kgsynth.show.wording import many

_TAG_NAMES = r"(?:think(?:ing)?|thoughts?|reasoning)"
_OPENED, _CLOSED = rf"(?:<{_TAG_NAMES}>|◁{_TAG_NAMES}▷)", rf"(?:</{_TAG_NAMES}>|◁/{_TAG_NAMES}▷)"
_ANY_TAG = re.compile(rf"{_OPENED}|{_CLOSED}", re.I)
_THOUGHT = re.compile(rf"{_OPENED}(?:(?!{_OPENED}).)*?{_CLOSED}", re.I | re.S)
_BEFORE_CLOSE = re.compile(rf"^.*{_CLOSED}", re.I | re.S)
_NEVER_CLOSED = re.compile(rf"^\s*{_OPENED}.*", re.I | re.S)


def take_off_thoughts(answers: SystemAnswers, items: Sequence[Item]) -> tuple[SystemAnswers, tuple[str, ...]]:
    """Return the answers without thoughts, and a note with the number of answers that had any.

    An answer is left as it is if its question or a golden answer has such a tag.

    Example:
        >>> item = Item("q", "Where?", ("Oslo",), "simple", "factoid", "en", ())
        >>> answers = SystemAnswers({"q": Answer("q", "<think>Rome?</think>Oslo")})
        >>> found, notes = take_off_thoughts(answers, [item])
        >>> found["q"].answer, notes
        ('Oslo', ('thoughts were taken off 1 of 1 answer: only what follows <think>…</think> is compared',))
    """
    about_tags = {item.id for item in items if any(map(_ANY_TAG.search, (item.question, *item.golden_answers)))}
    found = SystemAnswers(
        {key: answer if key in about_tags else _without_thoughts(answer) for key, answer in answers.items()}
    )
    found.reused, found.reuse = answers.reused, answers.reuse
    changed = sum(found[key] != answer for key, answer in answers.items())
    if not changed:
        return answers, ()
    count = f"{changed} of {many(len(answers), 'answer')}"
    return found, (f"thoughts were taken off {count}: only what follows <think>…</think> is compared",)


def _without_thoughts(answer: Answer) -> Answer:
    text = without_thoughts(answer.answer) if answer.answer else answer.answer
    if text is None or text == answer.answer:
        return answer
    return replace(answer, answer=text, citations=tuple(_moved(answer, text)))


def _moved(answer: Answer, left: str) -> Iterator[Citation]:
    """Yield the citations of what is left of an answer, with their places in it."""
    shift = (answer.answer or "").rfind(left)
    for citation in answer.citations:
        if citation.start is None or citation.end is None or shift < 0:
            yield replace(citation, start=None, end=None)
        elif citation.end > shift:
            yield replace(citation, start=max(0, citation.start - shift), end=citation.end - shift)


def without_thoughts(text: str) -> str:
    """Return an answer without thoughts between tags, before a closing tag, or after a tag at its start.

    Example:
        >>> without_thoughts("Rome?</think> Oslo"), without_thoughts("<think>Rome"), without_thoughts("Use <b>.")
        ('Oslo', '', 'Use <b>.')
    """
    if not _ANY_TAG.search(text):
        return text
    left, pairs = text, 1
    while pairs:
        left, pairs = _THOUGHT.subn("", left)
    return _NEVER_CLOSED.sub("", _BEFORE_CLOSE.sub("", left)).strip()
