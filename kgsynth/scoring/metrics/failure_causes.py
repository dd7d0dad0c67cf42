"""The likely cause of each failed question, derived from what was retrieved and answered, and what to try.

Causes are checked in the order of a system's own steps, and the first that applies is reported: if the evidence was not
retrieved, the generator is not blamed. No model is asked, so a cause is likely, never certain.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from kgsynth.language import nearest_language
from kgsynth.language.words import words
from kgsynth.scoring.metrics.answer_match import refuses
from kgsynth.scoring.metrics.routing import DIRECT
from kgsynth.scoring.metrics.scored_case import ScoredCase
from kgsynth.scoring.metrics.steps import hops_of
from kgsynth.show.wording import cut

LOW_RANK = 5
"""Evidence below this rank counts as retrieved low: generators are usually given only the first few passages.

It is the cut-off of the main metrics. Without an answer to compare, such a question fails.
"""

_READ_FIRST = "read the answer, which may be right in other words; if it is wrong, "
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
    "found but not kept": "keep the passages of earlier steps: one found the evidence, but the final passages lack it",
    "the answer denies it": "read the answer: it names the golden answer, in a clause that denies it",
    "no answer given": "check the raw reply and the key of the answer, and the limit on its length",
    "the answer hides among others": "make the prompt ask for one short answer: it gives alternatives, or a text many "
    "times as long as the golden answer",
    "steps out of order": "read the answer: it has all steps, in another order than the documents",
    "claims missing": f"{_READ_FIRST}see which claims are missing, make the prompt ask for a complete answer, and "
    "raise the limit on its length",
    "the answer gives it to another subject": "read the answer: it gives the golden answer for something else than the "
    "question asks about",
    "the answer changes it": "read the answer: a word beside the golden answer makes it another value",
    "gives another value beside the right one": "read the answer: it also states another value or name",
    "retrieved but low": "rerank the passages, or give the generator more of them",
    "refused": "the evidence was ranked high, so make the prompt less strict about declining",
    "answer not supported": f"{_READ_FIRST}make the prompt allow only what the passages say",
    "retrieved but not used": f"{_READ_FIRST}give the generator fewer passages, best first, or use a stronger one",
    "wrong answer": f"{_READ_FIRST}return the passages with the answer, so that the cause can be found",
}
"""Every cause with what to try, in the order in which they are checked."""

_QUERY_LETTERS = 80
"""The letters shown of the query of a step."""
_MIN_TELLING_LETTERS = 4
_COMMA_NUMBER = re.compile(r"(?<!\w)(\d+(?:,\d{3})+(?:\.\d+)?)(?!\w)")
_PLAIN_FIGURE = re.compile(r"\d+(?:\.\d+)?")


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
        if not_kept := _not_kept(case, ranks):
            return Cause("found but not kept", not_kept)
        return Cause("not retrieved", "; ".join(filter(None, (missing, _lost_hop(case)))))
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


def _not_kept(case: ScoredCase, ranks: Sequence[int | None]) -> str:
    """Return which evidence steps found that the final passages lack; "" if any of it was never found."""
    if case.steps is None or case.by_document:
        return ""
    steps = [(at, step) for at, (rank, step) in enumerate(zip(ranks, case.steps.found_at, strict=True)) if rank is None]
    if any(step is None for _, step in steps):
        return ""
    return ", ".join(f"evidence {at + 1} ({case.item.evidence[at][0].doc}) of step {step}" for at, step in steps)


def _lost_hop(case: ScoredCase) -> str:
    """Return which hop a system with steps lost first and where, "" without steps or with a single hop."""
    if case.steps is None or case.by_document:
        return ""
    lost = [(at, hop) for at, hop in enumerate(hops_of(case.ranks, case.steps), 1) if not hop.found]
    if not lost:
        return ""
    (at, hop), n_steps = lost[0], len(case.steps.queries)
    if hop.step is None:
        return f"hop {at} was lost since no step followed step {n_steps}"
    query = case.steps.queries[hop.step - 1]
    return f"hop {at} was lost at step {hop.step} of {n_steps}" + (
        f" ({cut(query, _QUERY_LETTERS)!r})" if query else ""
    )


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
    if retrieves or compared:
        return ""
    if case.by_document:
        return "only their documents are known of their passages, and there is no answer to compare"
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

    Telling words are numbers and words of four letters or more (one, in Chinese) that are not in the question. A number
    may be in a passage in another form ("seven", "1.5 million"). Return an empty list when no passage text is known.
    """
    in_question = set(words(case.item.question))
    in_passages = {word for text in case.texts for word in _words_and_numbers(text)}
    answer_words = dict.fromkeys(_words_and_numbers(case.plain_answer))
    telling = [word for word in answer_words if word not in in_question and _is_telling(word)]
    unsupported = [word for word in telling if word not in in_passages]
    least = max(1, len(telling)) / 2
    if not case.texts or len(unsupported) < least:
        return []
    digits = nearest_language(case.item.language).digits
    figures = {figure for text in case.texts for figure in _PLAIN_FIGURE.findall(digits(text))}
    unsupported = [word for word in unsupported if digits(word) not in figures]
    return unsupported if len(unsupported) >= least else []


def _words_and_numbers(text: str) -> Iterator[str]:
    """Yield the words of a text, a number with commas as one."""
    for at, piece in enumerate(_COMMA_NUMBER.split(text)):
        yield from [piece] if at % 2 else words(piece)


def _is_telling(word: str) -> bool:
    return len(word) >= _MIN_TELLING_LETTERS or not word.isascii() or any(letter.isdigit() for letter in word)
