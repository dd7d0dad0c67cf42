"""Recognise passages that are strings, and are the names of documents rather than texts."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from pathlib import PurePosixPath

from kgsynth.base.records import Answer, Passage
from kgsynth.documents.document_names import DocNames
from kgsynth.scoring.systems.ask_all import SystemAnswers
from kgsynth.scoring.systems.reply_reader import named_document

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
