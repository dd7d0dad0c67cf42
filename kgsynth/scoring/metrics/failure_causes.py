"""Why did a question fail? The likely cause, told from what was retrieved and what was said, and what to try.

The causes are looked for in the order of a system's own steps, and the first that holds is named: a question whose
evidence was not retrieved is not blamed on the generator. No model is asked, so a cause is likely, never certain.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from kgsynth.language.words import words
from kgsynth.scoring.metrics import Case
from kgsynth.scoring.metrics.answer_match import refuses
from kgsynth.scoring.metrics.routing import DIRECT

LOW = 5
"""The rank below which evidence counts as retrieved low: generators are mostly given the first few passages."""

ADVICE = {
    "error": "read the message, mend it, and ask only the failed questions again with --retry-errors",
    "no record": "add the missing records to the file of answers",
    "answered though unanswerable": "let it decline when no passage holds the answer: in the prompt, or by a floor on "
    "the scores of passages",
    "answered without retrieval": "have the router send to retrieval what the documents may tell: say to it what they "
    "are about",
    "not retrieved": "retrieve more passages, join a lexical and a dense retriever, or cut the documents otherwise",
    "retrieved but low": "rerank what was retrieved, or hand more passages to the generator",
    "refused": "the evidence stood high, so loosen what the prompt says on declining",
    "answer not supported": "have the prompt allow nothing but what the passages say",
    "retrieved but not used": "hand fewer passages to the generator, the best first, or use a stronger one",
    "wrong answer": "return the passages with the answer, so that the cause can be told",
}
"""Every cause, with what to try."""

_KEYWORD = 4  # letters from which on a word, or any number, is held against the passages


@dataclass(frozen=True, slots=True)
class Cause:
    """Why a question failed: one of ``ADVICE``, and the particulars ("" for none)."""

    kind: str
    detail: str = ""

    def __str__(self) -> str:
        return f"{self.kind}: {self.detail}" if self.detail else self.kind

    @property
    def advice(self) -> str:
        """What to try."""
        return ADVICE[self.kind]


def cause(case: Case, ranks: Sequence[int | None], retrieves: bool, wrong: bool) -> Cause | None:
    """Return why the question of ``case`` failed, None when nothing is amiss.

    ``ranks`` tell at which rank each group of evidence was covered, ``retrieves`` whether the system retrieves at
    all, ``wrong`` whether its answer holds no golden answer.
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
    lost = [case.item.evidence[at][0].doc for at, rank in enumerate(ranks) if rank is None] if retrieves else []
    if lost:
        return Cause("not retrieved", f"{len(lost)} of {len(ranks)} evidence groups ({', '.join(lost)})")
    return _of_answer(case, ranks if retrieves else ()) if wrong else None


def _of_answer(case: Case, ranks: Sequence[int | None]) -> Cause:
    """Return why an answer is wrong although nothing of the evidence is missing, or its retrieval is not known."""
    lowest = max((rank for rank in ranks if rank is not None), default=0)
    if lowest > LOW:
        return Cause("retrieved but low", f"rank {lowest}")
    if refuses(case.said):
        return Cause("refused")
    strange = unsupported(case)
    if strange:
        return Cause("answer not supported", f"in no passage: {', '.join(strange)}")
    return Cause("retrieved but not used") if ranks else Cause("wrong answer")


def unsupported(case: Case) -> list[str]:
    """Return the telling words of an answer that stand in no retrieved passage, if they are half of them or more.

    Telling are numbers and words of four letters or more (one, in Chinese) that the question does not have. When the
    text of no passage is known, the list is empty.
    """
    asked, held = set(words(case.item.question)), {word for text in case.texts for word in words(text)}
    telling = [word for word in dict.fromkeys(words(case.said)) if word not in asked and _tells(word)]
    strange = [word for word in telling if word not in held]
    return strange if case.texts and 2 * len(strange) >= max(1, len(telling)) else []


def _tells(word: str) -> bool:
    return len(word) >= _KEYWORD or not word.isascii() or any(letter.isdigit() for letter in word)
