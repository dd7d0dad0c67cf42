"""The table of all checks of the audit, by code, in the order in which they run."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from types import MappingProxyType
from typing import NamedTuple

from kgsynth.auditing import answer_support, coverage, duplicates, other_answers, proof, question_wording, schema
from kgsynth.auditing.case import AuditCase
from kgsynth.base.records import Finding


class Check(NamedTuple):
    """A check: the highest severity of its findings, what it looks for, the function, and what it needs.

    ``needs`` is a key of ``resources.NEEDS``. ``codes`` has the titles of the findings by code, for a check whose
    findings do not have its own code.
    """

    severity: str
    title: str
    find: Callable[[AuditCase], Iterator[Finding]]
    needs: str = ""
    codes: Mapping[str, str] = MappingProxyType({})


DRIFT = {
    "moved": "evidence whose text has moved",
    "unsettled": "evidence whose new place is uncertain",
    "changed": "evidence whose text has changed",
    "vanished": "evidence whose text is gone",
    "span": "evidence without text",
}
"""The codes for a span whose text is not in place, with their titles."""

NAMES = {
    "subject": "a question that names what only another document has",
    "unknown_name": "a question that names what no document has",
}
"""The codes for a name of the question that the documents of its evidence lack, with their titles."""

CHECKS: dict[str, Check] = {
    "schema": Check("error", "fields missing or contradictory", schema.schema),
    "id": Check("error", "content changed after the id was given", schema.ids),
    "not_found": Check("error", "a context or answer that is in no document", schema.not_found),
    "elsewhere": Check("warning", "an answer found only in a passage about something else", schema.elsewhere),
    "drift": Check("error", "evidence that is not in place", schema.drifted, codes=DRIFT),
    "place": Check("warning", "a page, cell or slide where the text is not", schema.misplaced),
    "derivation": Check("error", "a derivation that fails or yields another answer", proof.failed_derivations),
    "evidence": Check("error", "an answer that its evidence does not support", answer_support.unsupported_answers),
    "denied": Check("warning", "an answer that its evidence denies", answer_support.denied_answers),
    "names": Check("error", "a name that its documents lack", question_wording.foreign_names, codes=NAMES),
    "kind": Check("warning", "an answer of another kind than the question asks for", answer_support.wrong_answer_kinds),
    "claims": Check("error", "claims and evidence that do not fit each other", answer_support.claims_and_groups),
    "hops": Check("error", "a multi_context question that one passage answers", proof.hops),
    "at_odds": Check("error", "the same question with different answers", other_answers.conflicting_answers),
    "ambiguous": Check("warning", "another answer elsewhere in the documents", other_answers.ambiguous, "facts"),
    "self_contained": Check(
        "warning", "a question that refers to something outside itself", question_wording.self_contained
    ),
    "leaking": Check("warning", "a question that contains its answer", question_wording.leaking),
    "copied": Check("warning", "a question copied from its evidence", question_wording.copied),
    "duplicate": Check("error", "the same question twice", duplicates.duplicates),
    "near_duplicate": Check("warning", "nearly the same question twice", duplicates.near_duplicates),
    "paraphrase": Check("warning", "the same question in other words", duplicates.paraphrases, "vectors"),
    "too_easy": Check("warning", "a set whose evidence every retriever finds", proof.too_easy, "vectors"),
    "hopeless": Check("warning", "evidence that the embedding model and BM25 rank low", proof.hopeless, "vectors"),
    "closed_book": Check("warning", "a question answered without the documents", proof.closed_book, "model"),
    "contamination": Check("error", "a question that is also in the other set", duplicates.contamination, "against"),
    "coverage": Check("warning", "long documents without questions", coverage.coverage),
    "sections": Check("warning", "questions concentrated in a few sections", coverage.sections),
    "topics": Check("warning", "topics without questions", coverage.topics),
    "balance": Check("warning", "types or difficulties out of balance", coverage.balance),
    "length": Check("warning", "questions or answers of unusual length", coverage.lengths),
    "language": Check("warning", "a language that differs from what the item or its documents say", coverage.languages),
}
"""Code of a check -> the check."""
