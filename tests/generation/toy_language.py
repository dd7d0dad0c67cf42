"""A language package for tests: Greek documents with sentences alone; what it does not say itself is as in English."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Any

from kgsynth.base.records import PROSE, Analysis, Document, Sentence
from kgsynth.language import english

NAME = "Toy"
SCRIPT = "ά-ώΆ-Ώ"


def __getattr__(name: str) -> Any:
    return getattr(english, name)


def analyse(document: Document, model: str) -> Analysis:
    found = []
    for block in document.blocks:
        if block.kind in PROSE:
            for match in re.finditer(r"[^.;]+[.;]", document.text[block.start : block.end]):
                start, text = block.start + match.start(), match.group()
                lemmas = tuple(content_stems(text))
                found.append(Sentence(document.id, block.section, start, start + len(text), text, lemmas))
    return Analysis(document.id, tuple(found), (), (), language=document.language)


def malformed(question: str) -> str:
    return "" if question.endswith(";") else "does not end with the Greek question mark"


def content_stems(text: str) -> list[str]:
    return [word for word in re.findall(r"\w+", text.lower()) if len(word) > 3 and word != "πόσες"]


def answer_kind(question: str) -> str:
    return ""


def outside_reference(question: str) -> str:
    return ""


def may_share(question: str, answer: str) -> Callable[[str], bool]:
    return lambda stem: False


def wrong_kind(question: str, answers: Sequence[str]) -> str:
    return ""
