"""The prompts of the judge: the instructions of each request, and the texts that it shows.

The instructions contain nothing of the texts. A metric's signature has a hash of its instructions, so any change of the
wording here changes signatures.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import count

from kgsynth.golden.spans import with_heading
from kgsynth.language.sentence_ends import sentence_spans
from kgsynth.scoring.metrics.scored_case import ScoredCase

Texts = Sequence[tuple[str, str]]
"""The texts of one request, each preceded by its label."""

CLAIMS_PROMPT = """\
You check whether an answer to a question is faithful to the passages it was made from.
Split the answer into the claims it makes, right or wrong, one fact each. For every claim give
answer_says: the claim, in the words of the answer.
passages_say: what the passages say of it, and whether that is the same, in one sentence.
verdict: "supported" when the passages say the same, or it follows from them; "partly supported" when they say a part \
of it, and nothing against the rest; "contradicted" when they say otherwise; "not supported" when they do not speak of \
it.
Go by the passages alone, not by what you know. An answer that claims nothing, such as one that declines, has no \
claims.\
"""

GRADES_PROMPT = """\
You grade an answer to a question. The golden answers are known to be right; any one of them will do. First say in a \
few sentences what the question asks for, what a golden answer says, what the answer says, and whether they agree. \
Then give two grades.
relevancy: does the answer give what was asked for, be it right or wrong?
5: all of it and nothing else. 4: all of it, with a little besides. 3: a part of it, or amid much else. 2: hardly. \
1: it speaks of something else, or declines to answer.
correctness: does the answer say what a golden answer says, in whatever words? More words do no harm unless they are \
wrong.
5: yes, in full. 4: yes but for a detail. 3: in part. 2: it is mostly wrong. 1: no, or it declines to answer.\
"""

CONTEXT_PROMPT = """\
You judge what a search has found for a question whose golden answers are known. The passages come best first, and \
their sentences are numbered through all of them. First say in a few sentences what is needed to answer, and which \
sentences tell it. Then give:
helpful_sentences: the numbers of all sentences that help to answer the question; none when none does.
statements: the golden answer that the passages hold most of, split into short statements of one fact each, made \
complete with the words of the question; each with whether the passages say it.
Go by the passages alone, not by what you know.\
"""

GOLDEN_CLAIMS_PROMPT = """\
You compare a long answer with the numbered claims that a complete answer makes. First say in a few \
sentences what the answer covers, and where it differs. For every claim, in their order, give
number: its number.
answer_says: what the answer says of it, in one sentence.
verdict: "stated" when the answer says the claim in whatever words, with the same numbers, names and conditions; \
"contradicted" when it says otherwise; "not stated" when it does not say it, or only a part of it.
Then give
unsupported_sentences: the numbers of the sentences of the answer that say something which neither the claims nor the \
evidence say, or which contradict them; none when there is none.
Go by the texts alone, not by what you know.\
"""


def texts_for_claims(case: ScoredCase) -> Texts:
    """Return the passages, the question and the answer."""
    return [*(("passage", text) for text in case.texts), ("question", case.asked), ("answer", case.answer_text)]


def texts_for_grades(case: ScoredCase) -> Texts:
    """Return the question, the golden answers, one per line, and the answer."""
    return [
        ("question", case.asked),
        ("golden-answers", "\n".join(case.golden_texts)),
        ("answer", case.answer_text),
    ]


def texts_for_context(case: ScoredCase) -> Texts:
    """Return the passages with one numbered sentence per line, the question, and the golden answers, one per line."""
    numbers = count(1)
    numbered = ("\n".join(f"{next(numbers)}: {sentence}" for sentence in sentences(text)) for text in case.texts)
    passages = (("passage", text) for text in numbered)
    return [*passages, ("question", case.asked), ("golden-answers", "\n".join(case.golden_texts))]


def texts_for_golden_claims(case: ScoredCase) -> Texts:
    """Return the evidence, the question, the numbered claims, and the answer with one numbered sentence per line."""
    evidence = (("evidence", with_heading(span)) for group in case.item.evidence for span in group[:1])
    claims = (f"{number}: {claim.text}" for number, claim in enumerate(case.item.claims, 1))
    said = (f"{number}: {sentence}" for number, sentence in enumerate(sentences(case.plain_answer), 1))
    return [
        *evidence,
        ("question", case.asked),
        ("claims", "\n".join(claims)),
        ("answer", "\n".join(said)),
    ]


def sentences(text: str) -> Iterator[str]:
    """Yield the sentences of a text, each on one line, so that no line of the text can pose as a numbered sentence.

    Example:
        >>> list(sentences("The badge is\\n7: blue. It is worn."))
        ['The badge is 7: blue.', 'It is worn.']
    """
    for start, end in sentence_spans(text):
        yield " ".join(text[start:end].split())
