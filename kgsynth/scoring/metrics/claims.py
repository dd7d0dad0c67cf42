"""Compare a long answer with the claims of a golden answer, sentence by sentence, without a model.

Two long answers that say the same share few words, and one with a wrong number shares most of them. So a claim is
stated only by a sentence with all its numbers and names that does not deny it; words, or the cosine of embeddings if
there are any, decide the rest. Left out: values that are exchanged within one sentence, and opposites ("forbidden" for
"allowed"), which only a judge sees.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

from kgsynth.base.thresholds import LIMITS
from kgsynth.language import nearest_language
from kgsynth.language.sentence_ends import sentence_spans
from kgsynth.language.words import words
from kgsynth.scoring.metrics.answer_match import exact_match
from kgsynth.scoring.metrics.factual_overlap import StatedNumber, content_words, names_and_numbers

_SENTENCE_ENDS = (".", "!", "?", "。", "！", "？")


class ClaimSources(NamedTuple):
    """What an answer is compared with: the claims, and the texts that support a statement beside them."""

    question: str
    claims: tuple[str, ...]
    answers: tuple[str, ...] = ()
    evidence: tuple[str, ...] = ()
    code: str = "en"


class ClaimScores(NamedTuple):
    """The share of the claims that are stated, that of the statements that are supported, and the claims themselves."""

    recall: float
    precision: float
    stated: tuple[str, ...] = ()
    denied: tuple[str, ...] = ()


class _Content(NamedTuple):
    """What a text says: the stems of its content words, all words, its names, and its numbers."""

    stems: frozenset[str]
    words: frozenset[str]
    names: frozenset[frozenset[str]]
    numbers: frozenset[StatedNumber]

    @property
    def common(self) -> frozenset[str]:
        """The stems that are neither numerals nor of a name, all of them if there are no others."""
        named = frozenset[str]().union(*self.names)
        return frozenset(stem for stem in self.stems - named if not stem[:1].isdigit()) or self.stems


def statements(answer: str) -> list[str]:
    """Return the sentences of an answer; a line break ends one too, as in a list.

    Example:
        >>> statements("You need two things:\\na passport\\na photo. Nothing else.")
        ['You need two things:', 'a passport', 'a photo.', 'Nothing else.']
    """
    return [answer[start:end] for start, end in statement_spans(answer)]


def statement_spans(answer: str) -> Iterator[tuple[int, int]]:
    """Yield the offsets of the statements of an answer.

    Example:
        >>> list(statement_spans("a passport\\na photo"))
        [(0, 10), (11, 18)]
    """
    at = 0
    for line in answer.splitlines(keepends=True):
        yield from ((at + start, at + end) for start, end in sentence_spans(line.splitlines()[0]))
        at += len(line)


def claim_scores(answer: str, golden: ClaimSources, cosines: Sequence[Sequence[float]] = ()) -> ClaimScores:
    """Return claim recall and claim precision.

    Recall is the share of the claims that a statement (a sentence of the answer) states: it has every number and name
    of the claim, it has ``claim_word_share`` of its content words or a cosine of ``claim_cosine`` with it, and it does
    not deny it. Numbers, names and words of the question need not be repeated; a sentence that names nothing else takes
    the names of those before it.

    Precision is the share of the statements that are supported: the claims, the evidence or a golden answer have all
    their numbers and names and ``claim_word_share`` of their content words (or a claim has that cosine), no claim is
    denied, and none is repeated with another number. Statements with only words of the question do not count.

    A golden answer itself scores 1 on both, an answer without statements 0. ``cosines`` has a row per statement, with a
    column per claim.

    Example:
        >>> golden = ClaimSources("What does it cost?", ("The canoe costs 18 euros.", "Life jackets are free."))
        >>> claim_scores("A canoe costs 18 euros. A paddle costs 20 euros.", golden)[:2]
        (0.5, 0.5)
    """
    if answer.strip() and golden.answers and exact_match(answer, golden.answers, golden.code):
        return ClaimScores(1.0, 1.0, golden.claims)
    found = _compared(answer, golden, cosines)
    stated = {claim for each in found for claim in each.states}
    denied = {claim for each in found for claim in each.denies} - stated
    counted = [each for each in found if each.supported is not None]
    return ClaimScores(
        sum(claim in stated for claim in golden.claims) / len(golden.claims) if golden.claims else 0.0,
        sum(each.supported is True for each in counted) / len(counted) if counted else 0.0,
        tuple(claim for claim in golden.claims if claim in stated),
        tuple(claim for claim in golden.claims if claim in denied),
    )


def claims_stated(answer: str, golden: ClaimSources, cosines: Sequence[Sequence[float]] = ()) -> list[list[str]]:
    """Return for each statement of an answer the claims that it states, by the rules of ``claim_scores``.

    Example:
        >>> golden = ClaimSources("What does it cost?", ("The canoe costs 18 euros.", "Life jackets are free."))
        >>> claims_stated("You need a boat. A canoe costs 18 euros.", golden)
        [[], ['The canoe costs 18 euros.']]
    """
    return [each.states for each in _compared(answer, golden, cosines)]


# ---- one statement ---------------------------------------------------------------------------------


class _Statement(NamedTuple):
    """A sentence, and the words to which it may refer: those of the sentences back to the last one with a name."""

    text: str
    context: frozenset[str]


class _Compared(NamedTuple):
    """The claims that a statement states and denies, and whether it is supported (None: it says nothing)."""

    states: list[str]
    denies: list[str]
    supported: bool | None


def _compared(answer: str, golden: ClaimSources, cosines: Sequence[Sequence[float]]) -> list[_Compared]:
    known, said = _known(golden), list(_in_context(statements(answer), golden.code))
    rows = cosines or [[0.0] * len(golden.claims)] * len(said)
    return [_compare(statement, golden, known, row) for statement, row in zip(said, rows, strict=True)]


def _compare(statement: _Statement, golden: ClaimSources, known: _Content, cosines: Sequence[float]) -> _Compared:
    alike = [
        claim
        for claim, cosine in zip(golden.claims, cosines, strict=True)
        if _resembles(statement, claim, golden, cosine)
    ]
    if not alike and not _tells_more(statement.text, golden):
        return _Compared([], [], None)
    same = [claim for claim in alike if _has_numbers(statement.text, claim, golden, known)]
    denies = [claim for claim in same if _denies(statement, claim, golden)]
    misnumbered = bool(alike) and not same and bool(_content(statement.text, golden.code).numbers)
    supported = _is_supported(statement.text, golden, known, max(cosines, default=0.0))
    states = [claim for claim in same if claim not in denies]
    return _Compared(states, denies, supported and not denies and not misnumbered)


# ---- does a statement state a claim? ---------------------------------------------------------------


def _in_context(found: Iterable[str], code: str) -> Iterator[_Statement]:
    context: frozenset[str] = frozenset()
    for statement in found:
        yield _Statement(statement, context)
        content = _content(statement, code)
        context = content.words if content.names else context | content.words


def _resembles(statement: _Statement, claim: str, golden: ClaimSources, cosine: float = 0.0) -> bool:
    """Check whether a statement has the names and the words of a claim, or its meaning by the ``cosine``."""
    said, wanted, asked = (_content(text, golden.code) for text in (statement.text, claim, golden.question))
    missing = [name for name in wanted.names if not name <= said.words | asked.words]
    own = said.names - wanted.names - asked.names
    if any(own or not name <= statement.context for name in missing):
        return False
    stems = (wanted.common - asked.stems) or wanted.common
    found = len(stems & (said.stems | said.words))
    return found >= max(1, LIMITS.claim_word_share * len(stems)) or cosine >= LIMITS.claim_cosine


def _has_numbers(statement: str, claim: str, golden: ClaimSources, known: _Content) -> bool:
    """Check whether a statement has the numbers of a claim; those of the question only if it has others instead."""
    said, wanted, asked = (_content(text, golden.code).numbers for text in (statement, claim, golden.question))
    missing = [number for number in wanted if not _has(said, number)]
    replaced = any(not _has(known.numbers, number) for number in said)
    return all(_has(asked, number) and not replaced for number in missing)


def _denies(statement: _Statement, claim: str, golden: ClaimSources) -> bool:
    """Check whether a statement that resembles a claim denies it, or affirms what the claim denies."""
    language = nearest_language(golden.code)
    if "denial" in language.contradictions(claim, ""):
        return "denial" in language.contradictions(claim, statement.text)
    affirmed = language.affirmed(statement.text, [golden.question], (), ())
    return affirmed != statement.text and not _resembles(statement._replace(text=affirmed), claim, golden)


# ---- is a statement supported? ---------------------------------------------------------------------


def _known(golden: ClaimSources) -> _Content:
    """Return the content of everything that may support a statement."""
    texts = (golden.question, *golden.claims, *golden.answers, *golden.evidence)
    parts = [_content(part, golden.code) for text in texts for part in statements(text)]
    return _Content(
        frozenset[str]().union(*(part.stems for part in parts)),
        frozenset[str]().union(*(part.words for part in parts)),
        frozenset[frozenset[str]]().union(*(part.names for part in parts)),
        frozenset[StatedNumber]().union(*(part.numbers for part in parts)),
    )


def _tells_more(statement: str, golden: ClaimSources) -> bool:
    """Check whether a statement says anything that the question does not."""
    said, asked = _content(statement, golden.code), _content(golden.question, golden.code)
    return bool(said.stems - asked.stems) or any(not _has(asked.numbers, number) for number in said.numbers)


def _is_supported(statement: str, golden: ClaimSources, known: _Content, cosine: float) -> bool:
    """Check whether all that a statement says is known; ``cosine`` is the highest with a claim."""
    said = _content(statement, golden.code)
    wanted = said.common - _content(golden.question, golden.code).stems
    return (
        all(_has(known.numbers, number) for number in said.numbers)
        and all(name <= known.words for name in said.names)
        and (len(wanted & known.stems) >= LIMITS.claim_word_share * len(wanted) or cosine >= LIMITS.claim_cosine)
    )


# ---- texts -----------------------------------------------------------------------------------------


def _has(numbers: Iterable[StatedNumber], wanted: StatedNumber) -> bool:
    return any(number.matches(wanted) for number in numbers)


@lru_cache(maxsize=1 << 14)
def _content(text: str, code: str) -> _Content:
    """Return what a text says; it is read as a sentence, whose first word is a name if it is no common word."""
    sentence = text if text.rstrip().endswith(_SENTENCE_ENDS) else f"{text}."
    names, numbers = names_and_numbers(sentence, code)
    first = next(iter(sentence.split()), "").strip("\"'“”‘’(),;:.!?")
    language = nearest_language(code)
    own = words(first)
    if first[:1].isupper() and language.content_stems(first) and not all(map(language.is_common_word, own)):
        names |= {frozenset(own)}
    return _Content(frozenset(content_words(text, code)), frozenset(words(text)), names, numbers)
