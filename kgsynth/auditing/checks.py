"""Every check of the audit by its code, in the order in which they are made: the one table of what is looked for."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from types import MappingProxyType
from typing import NamedTuple

from kgsynth.auditing import (
    answer_support,
    closed_book,
    coverage,
    drift,
    duplicates,
    embedding_rank,
    missing_contexts,
    other_answers,
    proof,
    question_wording,
    schema,
    topics,
)
from kgsynth.auditing.case import AuditCase
from kgsynth.base.records import Document, Finding
from kgsynth.golden.dataset import Dataset


class Check(NamedTuple):
    """What a check looks for, how grave that can be, what it needs, and what finds it.

    ``codes`` are those of its findings, with what each tells of, where they are not its own.
    """

    severity: str
    title: str
    find: Callable[[AuditCase], Iterator[Finding]]
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
) -> Callable[[AuditCase], Iterator[Finding]]:
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
    "schema": Check("error", "fields missing or at odds with one another", schema.schema),
    "id": Check("error", "changed since the id was given", schema.ids),
    "not_found": Check("error", "a context that stands in no document", _plain(missing_contexts.not_found)),
    "drift": Check("error", "evidence that does not stand where it says", _plain(drift.drifted), codes=DRIFT),
    "derivation": Check("error", "a derivation that does not hold, or yields another answer", proof.derived),
    "evidence": Check("error", "an answer that its evidence does not hold", answer_support.answered),
    "kind": Check("warning", "an answer of another kind than is asked for", answer_support.kind),
    "hops": Check("error", "several hops that are one, or stand in one passage", proof.hops),
    "at_odds": Check("error", "the same question with different answers", other_answers.at_odds),
    "ambiguous": Check(
        "warning", "another answer elsewhere in the documents", other_answers.elsewhere_otherwise, "facts"
    ),
    "self_contained": Check("warning", "a question that points outside itself", question_wording.self_contained),
    "leaking": Check("warning", "a question that holds its answer", question_wording.leaking),
    "copied": Check("warning", "a question in the words of its evidence", question_wording.copied),
    "duplicate": Check("error", "the same question again", duplicates.duplicates),
    "near_duplicate": Check("warning", "nearly the same question again", duplicates.near_duplicates),
    "paraphrase": Check("warning", "the same question in other words", duplicates.paraphrases, "vectors"),
    "too_easy": Check("warning", "evidence that every retriever finds", embedding_rank.too_easy, "vectors"),
    "hopeless": Check("warning", "evidence that nothing ties to its question", embedding_rank.hopeless, "vectors"),
    "closed_book": Check("warning", "answered without the documents", closed_book.closed_book, "model"),
    "contamination": Check("error", "in the other set too", duplicates.contamination, "against"),
    "coverage": Check("warning", "documents never asked about", coverage.coverage),
    "sections": Check("warning", "questions that crowd in a few sections", coverage.sections),
    "topics": Check("warning", "topics never asked about", topics.topics),
    "balance": Check("warning", "types or difficulties out of balance", coverage.balance),
    "length": Check("warning", "questions or answers out of the common length", coverage.lengths),
    "language": Check("warning", "another language than is said, or than the documents'", coverage.languages),
}
"""Code of a finding -> the check that makes it; ``audit`` makes them in this order."""
