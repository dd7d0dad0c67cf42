"""Languages: one package each, behind one protocol; nothing else in kgsynth asks which language it is dealing with."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import Protocol, cast

from kgsynth.base.errors import InputError
from kgsynth.base.records import Analysis, Document

LANGUAGES: dict[str, str] = {"en": "kgsynth.language.english"}
"""Language code -> the package that reads it."""


class Language(Protocol):
    """What a language must be able to do; the functions of its package."""

    def analyse(self, document: Document, model: str) -> Analysis:
        """Return the sentences, mentions and facts of one document: a function of it and the model alone."""

    def malformed(self, question: str) -> str:
        """Return what is wrong with the form of a question, "" for nothing."""

    def unclear(self, question: str) -> str:
        """Return the word or phrase that points outside the question, "" for none."""

    def answer_kind(self, question: str) -> str:
        """Return the kind of answer a question wants (person, time, number, place, …), "" when it asks nothing."""

    def fits(self, kind: str, answer: str) -> bool:
        """Say whether an answer is of the kind wanted."""

    def granted(self, question: str, answer: str) -> Callable[[str], bool]:
        """Return a test for the stems that a question may share with its answer: the noun after "which"."""

    def goes_on(self, rest: str, *, clause: bool) -> bool:
        """Say whether an answer goes on in what follows it; a ``clause`` must end with its sentence."""

    def contrary(self, question: str, stated: str) -> frozenset[str]:
        """Return how a statement is at odds with a question: "denial", "opposite", "extreme"."""

    def content(self, text: str) -> list[str]:
        """Return the stems of the content words of a text, in order."""

    def is_name(self, title: str) -> bool:
        """Say whether a heading is nothing but a name."""


def language(code: str) -> Language:
    """Return the language for ``code``.

    Raises:
        InputError: for a language kgsynth cannot read yet.
    """
    if code not in LANGUAGES:
        raise InputError(f"no reader for language {code!r}; known are {', '.join(sorted(LANGUAGES))}: set --language")
    return cast(Language, import_module(LANGUAGES[code]))
