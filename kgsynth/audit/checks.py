"""Every check of the audit by its code, in the order in which they are made: the one table of what is looked for."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from types import MappingProxyType
from typing import NamedTuple

from kgsynth.audit import (
    alike,
    by_heart,
    drift,
    form,
    located,
    proof,
    questions,
    ranks,
    rivals,
    spread,
    support,
    topics,
)
from kgsynth.audit.case import Case
from kgsynth.dataset import Dataset
from kgsynth.records import Document, Finding

NEEDS = {
    "": "",
    "vectors": "the embedding model",
    "facts": "the parser",
    "against": "another set (`--against`)",
    "model": "a language model (`--llm`)",
}
"""What a check needs beside the set and its documents."""


class Check(NamedTuple):
    """What a check looks for, how grave that can be, what it needs, and what finds it.

    ``codes`` are those of its findings, with what each tells of, where they are not its own.
    """

    severity: str
    title: str
    find: Callable[[Case], Iterator[Finding]]
    needs: str = ""
    codes: Mapping[str, str] = MappingProxyType({})

    def told(self, code: str) -> dict[str, str]:
        """Return what each code of its findings tells of; ``code`` is its own.

        Example:
            >>> CHECKS["id"].told("id")
            {'id': 'changed since the id was given'}
        """
        return dict(self.codes) or {code: self.title}


def _plain(
    check: Callable[[Dataset, Mapping[str, Document]], Iterator[Finding]],
) -> Callable[[Case], Iterator[Finding]]:
    """Return a check of the set and its documents alone as one of the case."""
    return lambda case: check(case.dataset, case.documents)


DRIFT = {
    "moved": "evidence that stands elsewhere now",
    "unsettled": "evidence that may stand in several places now",
    "changed": "evidence that reads otherwise now",
    "vanished": "evidence that is gone",
    "span": "evidence that is empty",
}
"""The codes of what became of a span whose document has changed."""

CHECKS: dict[str, Check] = {
    "schema": Check("error", "fields missing or at odds with one another", form.schema),
    "id": Check("error", "changed since the id was given", form.ids),
    "not_found": Check("error", "a context that stands in no document", _plain(located.not_found)),
    "drift": Check("error", "evidence that does not stand where it says", _plain(drift.drifted), codes=DRIFT),
    "derivation": Check("error", "a derivation that does not hold, or yields another answer", proof.derived),
    "evidence": Check("error", "an answer that its evidence does not hold", support.answered),
    "kind": Check("warning", "an answer of another kind than is asked for", support.kind),
    "hops": Check("error", "several hops that are one, or stand in one passage", proof.hops),
    "at_odds": Check("error", "the same question with different answers", rivals.at_odds),
    "ambiguous": Check("warning", "another answer elsewhere in the documents", rivals.elsewhere_otherwise, "facts"),
    "self_contained": Check("warning", "a question that points outside itself", questions.self_contained),
    "leaking": Check("warning", "a question that holds its answer", questions.leaking),
    "copied": Check("warning", "a question in the words of its evidence", questions.copied),
    "duplicate": Check("error", "the same question again", alike.duplicates),
    "near_duplicate": Check("warning", "nearly the same question again", alike.near_duplicates),
    "paraphrase": Check("warning", "the same question in other words", alike.paraphrases, "vectors"),
    "too_easy": Check("warning", "evidence that every retriever finds", ranks.too_easy, "vectors"),
    "hopeless": Check("warning", "evidence that nothing ties to its question", ranks.hopeless, "vectors"),
    "closed_book": Check("warning", "answered without the documents", by_heart.closed_book, "model"),
    "contamination": Check("error", "in the other set too", alike.contamination, "against"),
    "coverage": Check("warning", "documents never asked about", spread.coverage),
    "sections": Check("warning", "questions that crowd in a few sections", spread.sections),
    "topics": Check("warning", "topics never asked about", topics.topics),
    "balance": Check("warning", "types or difficulties out of balance", spread.balance),
    "length": Check("warning", "questions or answers out of the common length", spread.lengths),
    "language": Check("warning", "another language than is said, or than the documents'", spread.languages),
}
"""Code of a finding -> the check that makes it; ``audit`` makes them in this order."""
