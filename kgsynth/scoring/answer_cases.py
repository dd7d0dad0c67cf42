"""Answers of a system → cases to measure: what the answers really are, and which evidence their passages cover."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import PurePosixPath

from kgsynth.base.records import Answer, Citation, Item, Passage
from kgsynth.base.thresholds import LIMITS
from kgsynth.documents.document_names import DocNames
from kgsynth.language.lengths import length_in_words
from kgsynth.scoring.inputs import ScoringInputs
from kgsynth.scoring.matching import PassageCoverage
from kgsynth.scoring.metrics import ScoredCase
from kgsynth.scoring.metrics.citations import cited_passages, cited_statements
from kgsynth.scoring.metrics.steps import cover_steps
from kgsynth.scoring.systems import NO_RECORD
from kgsynth.scoring.systems.ask_all import SystemAnswers
from kgsynth.scoring.systems.reply_reader import named_document
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


_MAX_NAME_LENGTH = 300  # characters; file systems end the name of a file at 255


def read_name_strings(answers: SystemAnswers, known: Iterable[str]) -> tuple[SystemAnswers, tuple[str, ...]]:
    """Return the answers with strings as ``Passage.doc`` that were read as texts but are names, and a note if any are.

    A string is a name if it means one of the ``known`` documents, or is one word with the extension of one. That
    decides only if most strings of the run are names, and one of them means a known document.

    Example:
        >>> answers = SystemAnswers({"q": Answer("q", None, (Passage(text="docs/a.md"), Passage(text="c.md")))})
        >>> found, notes = read_name_strings(answers, ["a.md", "b.md"])
        >>> [passage.doc for passage in found["q"].retrieved]
        ['a.md', 'c.md']
        >>> notes
        ("passages such as 'docs/a.md' are the names of documents and were read as names",)
    """
    ids = sorted(set(known))
    names, extensions = DocNames(ids), {PurePosixPath(doc).suffix.lower() for doc in ids} - {""}
    texts = [passage.text for answer in answers.values() for passage in answer.retrieved if _is_string(passage)]
    docs = {text: _document(text, names, extensions) for text in dict.fromkeys(texts) if text}
    named = [text for text in texts if text and docs[text] is not None]
    if 2 * len(named) <= len(texts) or not any(docs[text] in names for text in named):
        return answers, ()

    def with_doc(passage: Passage) -> Passage:
        doc = docs.get(passage.text or "") if _is_string(passage) else None
        return passage if doc is None else replace(passage, doc=doc, text=None)

    found = SystemAnswers({key: _with_passages(answer, with_doc) for key, answer in answers.items()})
    found.reused = answers.reused
    return found, (f"passages such as {named[0]!r} are the names of documents and were read as names",)


def _is_string(passage: Passage) -> bool:
    return bool(passage.text) and (passage.doc, passage.start, passage.id) == (None, None, None)


def _document(text: str, names: DocNames, extensions: set[str]) -> str | None:
    """Return the document that a string means, itself if it looks like the name of another one, None for a text."""
    if len(text) > _MAX_NAME_LENGTH or "\n" in text:
        return None
    if (doc := named_document((text,), names)) is not None:
        return doc
    return text if len(text.split()) == 1 and PurePosixPath(text).suffix.lower() in extensions else None


def _with_passages(answer: Answer, change: Callable[[Passage], Passage]) -> Answer:
    return replace(
        answer,
        retrieved=tuple(map(change, answer.retrieved)),
        before=tuple(map(change, answer.before)),
        steps=tuple(replace(step, retrieved=tuple(map(change, step.retrieved))) for step in answer.steps),
    )


def read_answers(inputs: ScoringInputs, answers: SystemAnswers) -> tuple[SystemAnswers, tuple[str, ...]]:
    """Return the answers without thoughts, with names of documents read as such, and notes on what was changed."""
    answers, name_notes = read_name_strings(answers, inputs.known_documents)
    answers, thought_notes = take_off_thoughts(answers, inputs.items)
    return answers, (*name_notes, *thought_notes)


def match_answers(inputs: ScoringInputs, answers: Mapping[str, Answer]) -> list[ScoredCase]:
    """Match the passages of every answer to the evidence of its question."""
    return [_matched(inputs, item, answers[item.id]) for item in inputs.items]


def _matched(inputs: ScoringInputs, item: Item, answer: Answer) -> ScoredCase:
    evidence = item.evidence if item.answerable else ()
    cover = partial(inputs.matcher.match, evidence=evidence, answers=item.golden_answers)
    found = cover(answer.retrieved)
    return ScoredCase(
        item=item,
        answer=None if answer.error == NO_RECORD else answer,
        evidence=found.evidence,
        files=found.files,
        ranks=found.ranks,
        methods=found.methods,
        docs=found.docs,
        documents_given=bool(inputs.documents),
        answer_in_document=_is_in_document(inputs, answer),
        before=cover(answer.before).evidence if answer.before else None,
        cited=cover(cited_passages(answer)).evidence,
        cited_groups=_cited_groups(item, answer, cover),
        steps=cover_steps(answer.steps, lambda passages: cover(passages).ranks) if answer.steps else None,
        altered=found.altered,
        texts=tuple(text for text in map(inputs.matcher.text, answer.retrieved) if text),
    )


def _cited_groups(
    item: Item, answer: Answer, cover: Callable[[Sequence[Passage]], PassageCoverage]
) -> tuple[frozenset[int], ...] | None:
    """Return the evidence groups that the passages cited in each statement of an answer cover, if there are claims."""
    said = cited_statements(answer) if item.claims and item.answerable else None
    if said is None:
        return None
    ranks = [cover(passages).ranks if passages else () for _, passages in said]
    return tuple(frozenset(group for group, rank in enumerate(each) if rank is not None) for each in ranks)


def _is_in_document(inputs: ScoringInputs, answer: Answer) -> bool:
    """Check whether an answer that is longer than a sentence is part of a document, word for word."""
    text = answer.answer or ""
    if not inputs.documents or length_in_words(text) < LIMITS.copied_answer_words:
        return False
    return inputs.matcher.locate(Passage(text=text))[1] in ("text", "similar text")
