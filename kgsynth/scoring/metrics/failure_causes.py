"""The likely cause of each failed question, derived from what was retrieved and answered, and what to try.

Causes are checked in the order of a system's own steps, and the first that applies is reported: if the evidence was not
retrieved, the generator is not blamed. No model is asked, so a cause is likely, never certain.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from kgsynth.language.words import words
from kgsynth.scoring.metrics.answer_match import refuses
from kgsynth.scoring.metrics.routing import DIRECT
from kgsynth.scoring.metrics.scored_case import ScoredCase

LOW_RANK = 5
"""Evidence below this rank counts as retrieved low: generators are usually given only the first few passages.

It is the cut-off of the main metrics. Without an answer to compare, such a question fails.
"""

CAUSE_ADVICE = {
    "error": "read the message, fix the cause, and ask only the failed questions again with --retry-errors",
    "no record": "add the missing records to the file of answers",
    "answered though unanswerable": "make it decline when no passage has the answer: in the prompt, or with a minimum "
    "score for passages",
    "answered without retrieval": "make the router send questions about the documents to retrieval: tell it what they "
    "are about",
    "nothing retrieved": "check that the index is filled and searched, and loosen filters and minimum scores",
    "not retrieved": "retrieve more passages, combine a lexical and a dense retriever, or chunk the documents "
    "differently",
    "the answer denies it": "read the answer: it names the golden answer, in a clause that denies it",
    "no answer given": "check the raw reply and the key of the answer, and the limit on its length",
    "the answer hides among others": "make the prompt ask for one short answer: it gives alternatives, or a text many "
    "times as long as the golden answer",
    "steps out of order": "read the answer: it has all steps, in another order than the documents",
    "claims missing": "read which claims are missing: make the prompt ask for a complete answer, and raise the limit "
    "on its length",
    "retrieved but low": "rerank the passages, or give the generator more of them",
    "refused": "the evidence was ranked high, so make the prompt less strict about declining",
    "answer not supported": "make the prompt allow only what the passages say",
    "retrieved but not used": "give the generator fewer passages, best first, or use a stronger one",
    "wrong answer": "return the passages with the answer, so that the cause can be found",
}
"""Every cause with what to try, in the order in which they are checked."""

_MIN_TELLING_LETTERS = 4


@dataclass(frozen=True, slots=True)
class Cause:
    """Why a question failed: ``kind`` is a key of ``CAUSE_ADVICE``, ``detail`` has the particulars or is ""."""

    kind: str
    detail: str = ""

    def __str__(self) -> str:
        return f"{self.kind}: {self.detail}" if self.detail else self.kind

    @property
    def advice(self) -> str:
        """What to try."""
        return CAUSE_ADVICE[self.kind]


def likely_cause(case: ScoredCase, retrieves: bool, wrong: bool | None, known: Cause | None = None) -> Cause | None:
    """Return why the question of ``case`` failed, None when no failure was found.

    ``retrieves`` says whether the system retrieves at all, ``wrong`` whether its answer is wrong (None if there is
    nothing to compare), ``known`` why if that shows in its words. Without an answer to compare, all
    evidence must be in the first ``LOW_RANK`` passages, or in as many as there are groups of evidence.
    """
    answer = case.answer
    if answer is None:
        return Cause("no record")
    if answer.error is not None:
        return Cause("error", answer.error)
    if not case.item.answerable:
        answered = answer.answer is not None and not refuses(answer.answer)
        return Cause("answered though unanswerable") if answered else None
    if answer.route == DIRECT:
        return Cause("answered without retrieval") if wrong or not case.answered else None
    ranks = case.ranks if retrieves else ()
    if not answer.retrieved and (ranks or not case.answered):
        return Cause("nothing retrieved")
    if missing := _missing_evidence(case, ranks):
        return Cause("not retrieved", missing)
    if wrong is None and (low := _low_rank(case, ranks)):
        return Cause("retrieved but low", f"rank {low}")
    if known:
        return known
    return _cause_of_wrong_answer(case, ranks) if wrong else None


def _missing_evidence(case: ScoredCase, ranks: Sequence[int | None]) -> str:
    """Return which evidence no passage covers, or from which documents of it there is no passage, "" for none."""
    evidence = case.item.evidence
    if case.by_document:
        wanted = {frozenset(span.doc for span in group) for group in evidence}
        docs = sorted(min(group) for group in wanted if not group & case.docs)
        return f"{len(docs)} of {len(wanted)} documents ({', '.join(docs)})" if docs else ""
    missing = [evidence[at][0].doc for at, rank in enumerate(ranks) if rank is None]
    return f"{len(missing)} of {len(ranks)} evidence groups ({', '.join(missing)})" if missing else ""


def _low_rank(case: ScoredCase, ranks: Sequence[int | None]) -> int:
    """Return the rank of the last evidence, or document of it, if that is too low to count; otherwise 0."""
    found = case.files.group_ranks if case.by_document and case.files else [rank for rank in ranks if rank]
    lowest = max(found, default=0)
    return lowest if lowest > max(LOW_RANK, len(found)) else 0


def why_not_checked(case: ScoredCase, retrieves: bool, compared: bool) -> str:
    """Return why a question without a cause of failure has not passed either, "" when it was checked.

    ``retrieves`` says whether the passages were compared with the evidence, ``compared`` whether the answer was
    compared with a golden answer.
    """
    if not case.item.answerable:
        return "" if case.answered else "they are unanswerable, and the system gives no answers that could decline"
    if retrieves or compared or case.by_document:
        return ""
    if case.answer and case.answer.retrieved and case.item.evidence:
        return case.why_not_placed
    if case.item.evidence:
        return "the system returns no passages, and there is no answer to compare"
    return "they have no evidence, and there is no answer to compare"


def _cause_of_wrong_answer(case: ScoredCase, ranks: Sequence[int | None]) -> Cause:
    """Return why an answer is wrong when all evidence was retrieved, or when retrieval is unknown (no ranks)."""
    if case.is_empty:
        return Cause("no answer given")
    lowest = max((rank for rank in ranks if rank is not None), default=0)
    if lowest > LOW_RANK:
        return Cause("retrieved but low", f"rank {lowest}")
    if refuses(case.answer_text):
        return Cause("refused")
    unsupported = unsupported_words(case)
    if unsupported:
        return Cause("answer not supported", f"in no passage: {', '.join(unsupported)}")
    return Cause("retrieved but not used") if ranks else Cause("wrong answer")


def unsupported_words(case: ScoredCase) -> list[str]:
    """Return the telling words of an answer that are in no retrieved passage, if they are at least half of them.

    Telling words are numbers and words of four letters or more (one, in Chinese) that are not in the question. Return
    an empty list when no passage text is known.
    """
    in_question = set(words(case.item.question))
    in_passages = {word for text in case.texts for word in words(text)}
    answer_words = dict.fromkeys(words(case.plain_answer))
    telling = [word for word in answer_words if word not in in_question and _is_telling(word)]
    unsupported = [word for word in telling if word not in in_passages]
    return unsupported if case.texts and 2 * len(unsupported) >= max(1, len(telling)) else []


def _is_telling(word: str) -> bool:
    return len(word) >= _MIN_TELLING_LETTERS or not word.isascii() or any(letter.isdigit() for letter in word)
