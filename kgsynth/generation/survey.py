"""Draw the documents that questions are asked about, and search all others for what bears on these questions.

A set needs a few passages for each question, so of a large folder only some documents are parsed and embedded. Of the
others, the passages with most words of a chosen question are parsed: what gives another answer rejects the question,
what states the same becomes evidence.
"""

from __future__ import annotations

import hashlib
import math
import re
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field, replace
from functools import cache
from typing import TYPE_CHECKING

from kgsynth.auditing.other_answers import may_be_searched, other_answers, other_layout_answers
from kgsynth.base.config import Config
from kgsynth.base.progress import ticking
from kgsynth.base.records import Analysis, Document, Item, Rejection, Span
from kgsynth.base.thresholds import LIMITS
from kgsynth.evidence.citing import with_alternatives
from kgsynth.evidence.derivation import same_answer
from kgsynth.evidence.other_answers import named_facts
from kgsynth.evidence.passage_index import LikePassage, PassageIndex
from kgsynth.evidence.statements import Statements
from kgsynth.generation.corpus import Corpus, parse_each
from kgsynth.generation.filters.by_vector import is_hard_negative
from kgsynth.golden.metadata import with_scores
from kgsynth.language import nearest_language
from kgsynth.language.lengths import length_in_words
from kgsynth.language.words import words

if TYPE_CHECKING:
    from kgsynth.evidence.knowledge import Knowledge
    from kgsynth.generation.filters.context import FilterContext
    from kgsynth.generation.run import Run
    from kgsynth.generation.selection import Shortage


Index = Callable[[], PassageIndex]
"""Returns the passages of all documents of the folder, which are indexed when they are first needed."""


@dataclass(frozen=True, slots=True)
class Draw:
    """The drawn documents with their ``words``, and the probability with which each was drawn; ``others`` were not.

    ``scale`` is what the lengths of documents are divided by to get these probabilities, 0 if all documents are drawn.
    """

    documents: Sequence[Document]
    chances: Mapping[str, float] = field(default_factory=dict)
    others: Sequence[Document] = ()
    scale: float = 0.0
    words: int = 0

    def is_enough(self, shortage: Shortage) -> bool:
        """Check whether no more documents should be drawn: the set is full, or they have words enough for it."""
        if not self.others or not shortage.short:
            return True
        most = LIMITS.most_words_per_question if shortage.missing else LIMITS.words_per_question_of_a_type
        return self.words >= most * shortage.n


def draws(
    documents: Sequence[Document], config: Config, kept: Set[str] = frozenset(), scale: float = math.inf
) -> Iterator[Draw]:
    """Yield draws of documents for a set, each with the documents of the one before and more; the last has all.

    A document is drawn if its hash, a number from 0 to 1, is below ``min(words, drawn_words) / scale``. The scale is a
    power of two, the first the largest that leaves words enough and is no larger than ``scale``. So documents that are
    added change nothing about the others, and a larger set has the documents of a smaller one. The draws are
    independent (Poisson sampling), so the probability to have two documents is the product of theirs. The ``kept``
    documents are always drawn. With a topic, the others are drawn only if they have one of its words, if any do.
    All documents are drawn if they are few, or if the user gave the chunks.

    Example:
        >>> pages = [Document(f"{n}.md", "word " * 999, "", "md", "", (), ()) for n in range(400)]
        >>> for some in draws(pages, Config(n=20)):
        ...     print(len(some.documents), len(some.others), some.chances.get("0.md"))
        47 353 0.121948
        107 293 0.243896
        209 191 0.487793
        391 9 0.975586
        400 0 None
    """
    words = {document.id: length_in_words(document.text) for document in documents}
    total, wanted = sum(words.values()), max(LIMITS.least_words, LIMITS.words_per_question * config.n)
    weights = {each.id: min(words[each.id], LIMITS.drawn_words) for each in _on_topic(documents, config.topic)}
    places = {
        name: int.from_bytes(hashlib.sha256(f"{config.seed}:{name}".encode()).digest()[:8], "big") / 2**64
        for name in weights
    }
    next_scale = min(scale, 2.0 ** math.ceil(math.log2(max(total, 2))))
    reached = 0
    while total > 2 * wanted and next_scale > 1:
        chances = {name: min(1.0, weight / next_scale) for name, weight in weights.items()}
        names = {name for name, chance in chances.items() if places[name] < chance}
        expected = math.fsum(chance * words[name] for name, chance in chances.items())
        is_all = len(names) == len(weights)
        is_large = is_all or (expected >= wanted and len(names) >= LIMITS.drawn_documents)
        drawn = [each for each in documents if each.id in names | kept]
        if len(drawn) == len(documents):
            break
        if (is_large or next_scale == scale) and len(drawn) > reached:
            reached = len(drawn)
            others = [each for each in documents if each.id not in names | kept]
            told = {name: round(chance, 6) for name, chance in chances.items()}
            yield Draw(drawn, told, others, next_scale, sum(words[each.id] for each in drawn))
        if is_all:
            return
        next_scale /= 2
    yield Draw(documents)


def _on_topic(documents: Sequence[Document], topic: str | None) -> Sequence[Document]:
    if not topic:
        return documents
    found = []
    for document in documents:
        content = nearest_language(document.language).content_stems
        if not set(content(topic)).isdisjoint(content(document.text)):
            found.append(document)
    return found or documents


def index_of(documents: Sequence[Document], run: Run) -> Index:
    """Return what indexes the documents at its first call."""

    @cache
    def index() -> PassageIndex:
        with run.stage("indexing", len(documents)) as stage:
            return PassageIndex(documents, on_document=stage.update)

    return index


class Survey:
    """What the documents that were not drawn say about questions; ``index`` returns the passages of all documents."""

    def __init__(self, drawn: Draw, corpus: Corpus, knowledge: Knowledge, run: Run, index: Index) -> None:
        self._drawn, self._corpus, self._knowledge, self._run, self._index = drawn, corpus, knowledge, run, index
        self._known = {document.id for document in drawn.documents}

    def choose(
        self, valid: Sequence[Item], context: FilterContext, kept: Sequence[Item] = ()
    ) -> tuple[list[Item], Shortage, list[tuple[Item, Rejection]]]:
        """Choose questions that no document contradicts; return also those that were rejected for that.

        Nothing is searched for rules if too few can be chosen anyway: then more documents are drawn.
        """
        from kgsynth.generation.selection import choose

        pool = {item.id: item for item in valid}
        checked: dict[str, Item] = {}
        rejected: list[tuple[Item, Rejection]] = []
        while True:
            with self._run.stage("choosing", self._run.config.n) as stage:
                new, shortage = choose(list(pool.values()), context, self._run.config, kept)
                stage.update(len(new))
            unchecked = [item for item in new if item.id not in checked]
            is_left = self._run.config.llm is None and not self._drawn.is_enough(shortage)
            if is_left or not unchecked or not self._drawn.others:
                return new, shortage, rejected
            for item, verdict in self._check(unchecked, context):
                if isinstance(verdict, Rejection):
                    rejected.append((item, verdict))
                    del pool[item.id]
                else:
                    pool[item.id] = checked[item.id] = verdict

    def _check(self, items: Sequence[Item], context: FilterContext) -> Iterator[tuple[Item, Item | Rejection]]:
        """Yield each item, and it with the evidence found elsewhere and its chance, or why it goes."""
        index = self._index()
        with self._run.stage("searching the other documents", len(items)) as stage:
            found = {
                item.id: index.like(item.full_question, item.language, self._known) for item in ticking(items, stage)
            }
        others, analyses = self._read([passage for passages in found.values() for passage in passages])
        rivals = self._rivals(items, others, analyses)
        for item in items:
            worded = self._worded(item, index)
            share = max((passage.share for passage in found[item.id]), default=0.0)
            if item.derivation.get("operator") == "members" and len({group[0].doc for group in item.evidence}) > 1:
                yield item, Rejection("ambiguous", "documents that were not drawn may be members too")
            elif other := rivals.get(item.id) or _other_wording(item, worded, self._knowledge.documents):
                yield item, Rejection("ambiguous", other)
            elif not item.answerable and share >= context.thresholds["absent"]:
                detail = f"{found[item.id][0].document.id} has most of its words"
                yield item, Rejection("absent", detail, round(share, 4), context.thresholds["absent"])
            else:
                spans = list(dict.fromkeys(_quotations(item, [*found[item.id], *worded])))
                cited = self._with_chance(with_alternatives(item, spans) if spans else item)
                yield item, self._ranked(cited, found[item.id], context) if item.answerable else cited

    def _ranked(self, item: Item, passages: Sequence[LikePassage], context: FilterContext) -> Item:
        """Return an item with its rank, margin and hard negatives among the blocks found in other documents too."""
        cosines, chunks = context.ranking.cosines(item.question), self._knowledge.chunks
        golds = [cosines[sorted(chunks.holding(group))].max() for group in item.evidence]
        cited = [span for group in item.evidence for span in group]
        blocks = [(each.document, each.document.blocks[number]) for each in passages for number in each.near]
        spans = [document.span(block.start, block.end) for document, block in blocks]
        others = [span for span in dict.fromkeys(spans) if not any(span.meets(each) for each in cited)]
        if not others:
            return item
        context.vectors.add((), (span.text for span in others))
        similar = {span: context.vectors.cosine(item.question, span.text) for span in others}
        scores = {
            "rank": item.scores["rank"] + sum(cosine > min(golds) for cosine in similar.values()),
            "margin": min(item.scores["margin"], *(float(max(golds)) - cosine for cosine in similar.values())),
        }
        similar |= {span: float(cosines[sorted(chunks.holding([span]))].max()) for span in item.hard_negatives}
        best = sorted(similar, key=lambda span: -similar[span])
        negatives = [span for span in best if is_hard_negative(item, span.text, similar[span], float(max(golds)))]
        return with_scores(replace(item, hard_negatives=tuple(negatives[: LIMITS.hard_negatives])), **scores)

    def _worded(self, item: Item, index: PassageIndex) -> list[LikePassage]:
        """Return the passages of other documents with all words of the evidence but the answer, if it has others."""
        if len(item.evidence) != 1 or not item.golden_answers:
            return []
        text = " ".join(item.evidence[0][0].text.split())
        before, _, after = text.partition(item.golden_answers[0])
        return index.saying((before, after) if words(before + after) else (text,), self._known)

    def _read(self, passages: Sequence[LikePassage]) -> tuple[dict[str, Document], list[Analysis]]:
        """Parse passages; return their documents by id, and an analysis of each that has only its blocks found."""
        blocks: dict[str, set[int]] = defaultdict(set)
        documents = {passage.document.id: passage.document for passage in passages}
        for passage in passages:
            blocks[passage.document.id].update(passage.near)
        parts = [
            replace(documents[name], blocks=tuple(documents[name].blocks[number] for number in sorted(blocks[name])))
            for name in sorted(blocks)
        ]
        with self._run.stage("parsing what was found", len(parts)) as stage:
            return documents, list(ticking(parse_each(parts, self._run.config), stage))

    def _rivals(
        self, items: Sequence[Item], others: Mapping[str, Document], analyses: Sequence[Analysis]
    ) -> dict[str, str]:
        """Return what other documents say instead of the answer, by item."""
        statements = Statements((*self._drawn.documents, *others.values()), (*self._corpus.analyses, *analyses))
        searched = [item for item in items if may_be_searched(item)]
        said = other_answers(searched, statements, lambda sentence: sentence.doc in others, doubtful=True)
        found = {item.id: text for item, text in said}
        facts = [pair for document in others.values() for pair in named_facts(document)]
        answered = [item for item in items if item.golden_answers]
        layout = other_layout_answers(answered, statements.documents, facts)
        return found | {item.id: text for item, text in layout}

    def _with_chance(self, item: Item) -> Item:
        """Return an item with the probability that all documents were drawn that it was written from."""
        docs = {span.doc for span in ([group[0] for group in item.evidence] or item.hard_negatives[:1])}
        return with_scores(item, drawn=round(math.prod(self._drawn.chances.get(doc, 1.0) for doc in sorted(docs)), 6))


def _quotations(item: Item, passages: Sequence[LikePassage]) -> Iterator[Span]:
    """Yield where a block of a passage has the text of the evidence, if that is in one place."""
    if len(item.evidence) != 1:
        return
    text = " ".join(item.evidence[0][0].text.split())
    for passage in passages:
        for block in (passage.document.blocks[number] for number in passage.blocks):
            place = block.text.find(text)
            if place >= 0:
                yield passage.document.span(*block.locate(place, place + len(text)))


def _other_wording(item: Item, passages: Sequence[LikePassage], documents: Mapping[str, Document]) -> str:
    """Return how a passage says the sentence of the evidence with something else for the answer, "" if none does.

    No parser is needed. The passage has every content word of the question that is in the evidence or its titles.
    """
    if len(item.evidence) != 1 or not item.golden_answers:
        return ""
    own, golden, span = nearest_language(item.language), item.golden_answers[0], item.evidence[0][0]
    before, answer, after = " ".join(span.text.split()).partition(golden)
    if not answer or not list(own.content_stems(f"{before} {after}")):
        return ""
    above = documents[span.doc].titles_over(span.start, span.end)
    needed = set(own.content_stems(item.question)) & set(own.content_stems(" ".join((span.text, *above))))
    frame = re.compile(
        rf"(?:^|[.!?:。！？：]\s*){re.escape(before)}(.+?){re.escape(after)}" + (r"(?!\w)" if after else "$")
    )
    for passage in passages:
        for text in (passage.document.blocks[number].text for number in passage.blocks):
            value = found[1].strip() if (found := frame.search(text)) else golden
            differs = value not in golden and golden not in value and not same_answer(value, golden, item.language)
            if differs and needed <= set(own.content_stems(passage.text)):
                return f"the answer to {item.question!r} is {golden!r}, but {passage.document.id} says {value!r}"
    return ""
