"""What a judge is asked: the instructions of each request, and the texts it is shown. Left out: fencing them, asking.

The instructions hold no word of the texts. The signature of a figure has a hash of its instructions, so a change here
makes other figures of other signatures.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import count

from kgsynth.language.words import sentence_spans
from kgsynth.metrics.case import Case

Texts = Sequence[tuple[str, str]]
"""The texts of one request, each with the name of what it is."""

QUESTIONS = 3  # that are asked for in reverse, as Ragas does

CLAIMS = """\
You check whether an answer is faithful to the passages it was made from.
Split the answer into claims: short statements, each of one fact, each complete in itself; take from the question \
what a short answer leaves out. For every claim write in one sentence what the passages say of it, then the verdict:
"supported": the passages say it, or it follows from them.
"partly supported": the passages say a part of it, and nothing against the rest.
"contradicted": the passages say otherwise.
"not supported": the passages do not speak of it.
Go by the passages alone, not by what you know. An answer that claims nothing, such as one that declines, has no \
claims.\
"""

GRADES = """\
You grade an answer to a question twice, each time from 1 to 5. First reason in a few sentences: what was asked, what \
the answer says, how that compares with the golden answers.
relevancy: does the answer speak to what was asked? Be it right or wrong; leave the golden answers out of account.
5: to all of it and to nothing else. 4: to all of it, with a little besides. 3: to a part of it, or amid much else. \
2: hardly. 1: not at all, or it declines to answer.
correctness: does the answer say what a golden answer says? Any one of them will do, in whatever words; what it adds \
does no harm unless it is wrong.
5: it does, in full. 4: it does but for a detail. 3: it says a part of it. 2: it is mostly wrong. 1: it is wrong, or \
it declines to answer.\
"""

CONTEXT = """\
You judge what a search has found for a question whose golden answers are known. The passages come best first, and \
their sentences are numbered through all of them. First reason in a few sentences: what is needed to answer, and \
where it stands. Then give:
useful_passages: the numbers of the passages that help to arrive at a golden answer.
relevant_sentences: the numbers of the sentences that bear on the question.
statements: the golden answer that the passages hold most of, split into short statements, each of one fact and \
complete in itself (take from the question what the golden answer leaves out), each with whether the passages say it.
Go by the passages alone, not by what you know. What has no number in your lists counts as not useful or not relevant.\
"""

REVERSE = f"""\
You are given an answer without its question. First say in one sentence what it tells. Then say whether it declines \
to answer, and write {QUESTIONS} questions that it answers, each complete in itself and as unlike the others as it \
allows; none when it declines.\
"""


def for_claims(case: Case) -> Texts:
    """Return the question, the answer, and the passages."""
    passages = ((f"passage-{number}", text) for number, text in enumerate(case.texts, 1))
    return [("question", case.item.question), ("answer", case.said), *passages]


def for_grades(case: Case) -> Texts:
    """Return the question, the golden answers, one a line, and the answer."""
    return [("question", case.item.question), ("golden-answers", "\n".join(case.golden)), ("answer", case.said)]


def for_context(case: Case) -> Texts:
    """Return the question, the golden answers, and the passages, sentence by sentence with their numbers."""
    numbers = count(1)
    passages = (
        (f"passage-{at}", "\n".join(f"{next(numbers)}: {sentence}" for sentence in sentences(text)))
        for at, text in enumerate(case.texts, 1)
    )
    return [("question", case.item.question), ("golden-answers", "\n".join(case.golden)), *passages]


def for_reverse(case: Case) -> Texts:
    """Return the answer alone."""
    return [("answer", case.said)]


def sentences(text: str) -> Iterator[str]:
    """Yield the sentences of a text, each on one line, so that none can begin with a number of its own making.

    Example:
        >>> list(sentences("The badge is\\n7: blue. It is worn."))
        ['The badge is 7: blue.', 'It is worn.']
    """
    for start, end in sentence_spans(text):
        yield " ".join(text[start:end].split())
