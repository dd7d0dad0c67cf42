"""What a metric is computed from: one question, the system's answer to it, and the evidence its passages cover."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from kgsynth.base.progress import Progress, silent
from kgsynth.base.records import Answer, Item
from kgsynth.golden.answer_patterns import plain_answers
from kgsynth.language.words import count_words
from kgsynth.scoring.metrics.answer_markup import without_markup
from kgsynth.scoring.metrics.claims import ClaimScores, ClaimSources, claim_scores, statements
from kgsynth.scoring.metrics.retrieval import Relevance
from kgsynth.scoring.metrics.semantic import SemanticScores, TextEncoder, semantic_scores
from kgsynth.scoring.metrics.steps import StepCoverage


@dataclass(frozen=True, slots=True)
class ScoredCase:
    """One question with the system's answer to it.

    ``answer`` is None when there is no answer record. ``evidence`` is the relevance of the retrieved passages and
    ``files`` the same by document; both are None when the question has no evidence. ``ranks`` are the ranks at which
    the evidence groups were covered (None: never), ``methods`` the match method of each passage, ``docs`` the documents
    the passages come from, ``texts`` their known texts. ``before`` is the relevance of the ranking before a reranker,
    ``cited`` that of the passages that the answer cites, ``cited_groups`` the evidence groups that the passages cited
    in each statement cover (None if that is not known), ``steps`` what the steps of a system that has any cover.
    ``documents_given`` says whether the passages were searched for in documents, ``answer_in_document`` whether the
    answer is part of one, word for word, ``altered`` how many passages resemble evidence but change it. ``unlisted``
    says that the reply has an answer but no list of passages, as other replies have.
    ``semantic``, ``claim_cosines`` (a row per statement of the answer, a column per claim) and ``judged`` (by metric)
    are set only when an embedding model or an LLM was asked.
    """

    item: Item
    answer: Answer | None
    evidence: Relevance | None
    files: Relevance | None
    before: Relevance | None = None
    texts: tuple[str, ...] = ()
    semantic: SemanticScores | None = None
    judged: Mapping[str, float | None] | None = None
    docs: frozenset[str] = frozenset()
    ranks: tuple[int | None, ...] = ()
    methods: tuple[str, ...] = ()
    documents_given: bool = False
    claim_cosines: tuple[tuple[float, ...], ...] = ()
    cited: Relevance | None = None
    cited_groups: tuple[frozenset[int], ...] | None = None
    steps: StepCoverage | None = None
    answer_in_document: bool = False
    altered: int = 0
    unlisted: bool = False

    @property
    def asked(self) -> str:
        """The question as it is understood without the earlier turns of its conversation."""
        return self.item.standalone or self.item.question

    @property
    def answer_text(self) -> str:
        """The text of the answer, "" when there is none."""
        return (self.answer and self.answer.answer) or ""

    @property
    def plain_answer(self) -> str:
        """The text of the answer without Markdown and citations."""
        return without_markup(self.answer_text)

    @property
    def answered(self) -> bool:
        """Whether the system gave an answer, even an empty one."""
        return self.answer is not None and self.answer.answer is not None

    @property
    def is_empty(self) -> bool:
        """Whether the system gave an answer without any text."""
        return self.answered and not self.answer_text.strip()

    @property
    def why_not_placed(self) -> str:
        """The reason to give when no passage could be placed in a document."""
        if self.documents_given:
            advice = "check that the system searches these, and returns the text of passages"
            return f"no passage could be placed in the documents given; {advice}"
        return "no passage could be placed in a document; give the documents with --docs"

    @property
    def by_document(self) -> bool:
        """Whether only the documents of the passages are known, so that they are not compared with the evidence."""
        return self.evidence is None and self.files is not None

    @property
    def golden_texts(self) -> tuple[str, ...]:
        """The golden answers that are plain text, not regular expressions."""
        return plain_answers(self.item.golden_answers)

    @property
    def claim_sources(self) -> ClaimSources:
        """What the statements of a composed answer are compared with."""
        item = self.item
        evidence = tuple(dict.fromkeys(span.text for group in item.evidence for span in group))
        claims = tuple(claim.text for claim in item.claims)
        return ClaimSources(self.asked, claims, self.golden_texts, evidence, item.language)

    @property
    def claim_scores(self) -> ClaimScores:
        """The claims that the answer states, and how much of it is supported."""
        return claim_scores(self.plain_answer, self.claim_sources, self.claim_cosines)

    @property
    def cites(self) -> bool:
        """Whether the answer cites a retrieved passage."""
        return self.cited is not None and bool(self.cited.covers_any)

    @property
    def keywords(self) -> tuple[str, ...]:
        """The key words of the question's facts, from the golden set."""
        return tuple(self.item.metadata.get("keywords") or ())

    @property
    def texts_known(self) -> bool:
        """Whether the texts of the retrieved passages are known, or nothing was retrieved."""
        return bool(self.texts) or not (self.unlisted or (self.answer and self.answer.retrieved))

    @property
    def retrieved_words(self) -> float | None:
        """The number of words in the retrieved passages, None if their texts are not known."""
        return float(sum(map(word_count, self.texts))) if self.texts_known else None

    @property
    def answer_words(self) -> int:
        """The number of words of the answer, without markup and citations."""
        return count_words(self.plain_answer)

    @property
    def passage_scores(self) -> tuple[float, ...]:
        """The scores that the system gave its passages."""
        return tuple(each.score for each in self.answer.retrieved if each.score is not None) if self.answer else ()


@lru_cache(maxsize=10_000)
def word_count(text: str) -> int:
    """Return the number of words in a text; the same passages are retrieved for many questions, so it is kept."""
    return count_words(text)


def add_semantic_scores(
    cases: Sequence[ScoredCase], encoder: TextEncoder, progress: Progress = silent
) -> list[ScoredCase]:
    """Return the cases with the scores that ``encoder`` gives their answers."""
    texts = [(case.asked, case.plain_answer, case.golden_texts) for case in cases]
    compared = []
    with progress("measuring meaning", len(cases)) as bar:
        for case, scores in zip(cases, semantic_scores(texts, encoder), strict=True):
            compared.append(replace(case, semantic=scores, claim_cosines=_claim_cosines(case, encoder)))
            bar.update()
    return compared


def _claim_cosines(case: ScoredCase, encoder: TextEncoder) -> tuple[tuple[float, ...], ...]:
    claims, said = case.claim_sources.claims, statements(case.plain_answer)
    if not claims or not said:
        return ()
    cosines = encoder.encode(said) @ encoder.encode(claims).T
    return tuple(tuple(map(float, row)) for row in cosines)
