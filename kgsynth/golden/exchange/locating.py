"""Locate the contexts or the answer of a question in the documents, which makes it an item with evidence."""

from __future__ import annotations

import math
import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from itertools import pairwise
from typing import Any, NamedTuple

from kgsynth.base.records import Chunk, Document, Item, Span, item_id
from kgsynth.base.thresholds import LIMITS
from kgsynth.documents.chunking import chunk
from kgsynth.documents.document_names import DocNames
from kgsynth.documents.document_text_finder import DocumentTextFinder
from kgsynth.documents.text_index import MIN_DISTINCTIVE_LENGTH, Place, cuts_word, letter_count, same_span
from kgsynth.golden.exchange.foreign_question import ForeignContext, ForeignQuestion
from kgsynth.golden.item_json import from_json, span_json
from kgsynth.language import LANGUAGES, language
from kgsynth.language.detection import script_language
from kgsynth.language.words import has_cjk, words

# Is a place in the documents about a question? Its passage is compared with the best one, by the question's words.
#
# A passage is a chunk of the default size with the headings over it. Words count by their rarity.


class QuestionPassages:
    """The passages of ``documents``, by their words.

    Example:
        >>> from kgsynth.base.records import Block, Section
        >>> def page(doc, text):
        ...     block = Block("paragraph", 0, len(text), text, ((0, 0),))
        ...     return Document(doc, text, doc, "md", "", (block,), (Section("s", doc, doc, 0, (doc,), 0, len(text)),))
        >>> pages = {"a.md": page("a.md", "Ada leads the depot."), "b.md": page("b.md", "Tim repairs the pump.")}
        >>> passages = QuestionPassages(pages)
        >>> passages.problem("Who leads the depot?", [Place("b.md", 0, 3)], None)
        'few words of the question are there, more are in a.md [0, 20)'
        >>> passages.problem("Who leads the depot?", [Place("a.md", 0, 3)], None)
        ''
    """

    def __init__(self, documents: Mapping[str, Document]) -> None:
        self._documents = documents
        self._holders: dict[str, dict[str, set[int]]] = {}

    def problem(self, question: str, places: Sequence[Place], doc: str | None) -> str:
        """Return why no place is about a question, "" if one is; only ``doc`` is searched if given."""
        code = script_language(question)
        holders = self._holders_of(code)
        scores: dict[int, float] = dict.fromkeys(self._numbers_in(doc), 0.0)
        for word in sorted(set(_terms(question, code)) & holders.keys()):
            for number in holders[word] & scores.keys():
                scores[number] += math.log(1 + len(self._chunks) / (1 + len(holders[word])))
        best = max(scores, key=lambda number: (scores[number], -number), default=None)
        if best is None or not scores[best]:
            return "no word of the question is in the documents"
        own = (number for place in places for number in self._holding(place))
        if (
            max((scores.get(number, 0.0) for number in own), default=0.0)
            >= LIMITS.evidence_passage_share * scores[best]
        ):
            return ""
        piece = self._chunks[best]
        return f"few words of the question are there, more are in {piece.doc} [{piece.start}, {piece.end})"

    @cached_property
    def _chunks(self) -> list[Chunk]:
        return [piece for doc in sorted(self._documents) for piece in chunk(self._documents[doc])]

    @cached_property
    def _numbers(self) -> dict[str, list[int]]:
        numbers: dict[str, list[int]] = defaultdict(list)
        for number, piece in enumerate(self._chunks):
            numbers[piece.doc].append(number)
        return dict(numbers)

    def _numbers_in(self, doc: str | None) -> Sequence[int]:
        return range(len(self._chunks)) if doc is None else self._numbers.get(doc, [])

    def _holding(self, place: Place) -> list[int]:
        found = ((number, self._chunks[number]) for number in self._numbers.get(place.doc, ()))
        return [n for n, piece in found if piece.start < (place.end or piece.end) and place.start < piece.end]

    def _holders_of(self, code: str) -> dict[str, set[int]]:
        """Return the numbers of the passages that hold each word, by the words of a language."""
        if code not in self._holders:
            holders: dict[str, set[int]] = defaultdict(set)
            for number, piece in enumerate(self._chunks):
                titles = self._documents[piece.doc].titles_over(piece.start, piece.end)
                for word in _terms(" ".join([*titles, piece.text]), code):
                    holders[word].add(number)
            self._holders[code] = dict(holders)
        return self._holders[code]


def _terms(text: str, code: str) -> list[str]:
    """Return the content words of a text; in an unsupported language all words, or all pairs of characters."""
    if code in LANGUAGES:
        return language(code).content_stems(text)
    tokens = words(text)
    return [a + b for a, b in pairwise(tokens)] if has_cjk(text) else tokens


# Find the evidence of an answer that comes without a context: where it is verbatim, beside what the question asks.
#
# An answer that is long enough and occurs once is not there by chance. A shorter one counts only if exactly one
# section has both it and enough of the question's content words, and only one block of that section can be meant. In
# both cases the passage must be about the question: no other may have many more of its words. Everything else is left
# out: a wrong place would be a wrong conclusion about a system.

_MIN_LENGTH_IN_NAMED_DOCUMENT = 6  # a text this short that occurs once is not there by chance if its document is known

_Block = tuple[str, int]
"""A document and the number of a block in it."""


class Location(NamedTuple):
    """The places of an answer, any of which is enough, and ``why`` there is none.

    ``elsewhere`` says that the answer was found, but only where the question is not asked about.
    """

    spans: tuple[Span, ...]
    why: str = ""
    elsewhere: bool = False


class AnswerLocator:
    """Locates answers in ``documents``, which ``finder`` has indexed.

    Example:
        >>> from kgsynth.base.records import Block, Section
        >>> block = Block("paragraph", 0, 32, "A Skua 3 weighs 62 grams at sea.", ((0, 0),))
        >>> page = Document("a.md", block.text, "A", "md", "", (block,), (Section("s", "a.md", "A", 0, ("A",), 0, 32),))
        >>> locator = AnswerLocator({"a.md": page}, DocumentTextFinder({"a.md": page}))
        >>> [span.text for span in locator.locate("How much does a Skua 3 weigh?", ["62 grams"], None).spans]
        ['62 grams']
    """

    def __init__(self, documents: Mapping[str, Document], finder: DocumentTextFinder) -> None:
        self._documents, self._finder = documents, finder
        self._passages = QuestionPassages(documents)
        self._stems: dict[tuple[str, int, bool, str], frozenset[str]] = {}

    def locate(self, question: str, answers: Sequence[str], doc: str | None) -> Location:
        """Return the places that prove the answer, or why there is none; ``doc`` is the only one searched, if any."""
        longest_first = sorted(answers, key=lambda each: (-letter_count(each), each))
        found = {answer: self._exact_places(answer, doc) for answer in longest_first}
        elsewhere = ""
        for answer, places in self._certain(question, found, doc):
            problem = self._passages.problem(question, places, doc)
            if not problem:
                return Location(self._spans(places))
            place = f"{places[0].doc} [{places[0].start}, {places[0].end})"
            elsewhere = elsewhere or f"its answer {answer!r} is in {place}, but {problem}"
        if elsewhere:
            return Location((), elsewhere, elsewhere=True)
        where = f"in {doc}" if doc else "in the documents"
        reason = "it has no context, and no answer that is long enough occurs exactly once"
        return Location((), f"{reason} {where}, nor any answer in exactly one section with the question's words")

    def _certain(
        self, question: str, found: Mapping[str, list[Place]], doc: str | None
    ) -> Iterator[tuple[str, list[Place]]]:
        """Yield each answer that is not in its places by chance, with these places."""
        min_length = _MIN_LENGTH_IN_NAMED_DOCUMENT if doc else MIN_DISTINCTIVE_LENGTH
        for answer, places in found.items():
            if len(places) == 1 and letter_count(answer) >= min_length:
                yield answer, places
        for answer, places in found.items():
            if beside := self._beside_question(question, answer, places):
                yield answer, beside

    def _exact_places(self, answer: str, doc: str | None) -> list[Place]:
        places, similarity = self._finder.find(answer, doc)
        texts = ((place, self._documents[place.doc].text) for place in places if similarity == 1)
        return [place for place, text in texts if not cuts_word(text, place.start) and not cuts_word(text, place.end)]

    def _spans(self, places: Sequence[Place]) -> tuple[Span, ...]:
        return tuple(self._documents[place.doc].span(place.start, place.end or 0) for place in places)

    def _beside_question(self, question: str, answer: str, places: Sequence[Place]) -> list[Place]:
        """Return the places in the only block that can be meant, in the only section that has the question's words."""
        code = script_language(question)
        if code not in LANGUAGES:
            return []
        stems = language(code).content_stems
        asked = frozenset(stems(question)) - frozenset(stems(answer))
        if len(asked) < LIMITS.question_content_words:
            return []
        by_block: dict[_Block, list[Place]] = {}
        for place in places:
            for block in self._block_of(place):
                by_block.setdefault(block, []).append(place)
        near = [block for block in by_block if self._has(asked, block, code, whole_section=True)]
        if len({(doc, self._documents[doc].blocks[number].section) for doc, number in near}) != 1:
            return []
        meant = (
            near if len(near) == 1 else [block for block in near if self._has(asked, block, code, whole_section=False)]
        )
        return by_block[meant[0]] if len(meant) == 1 else []

    def _block_of(self, place: Place) -> Iterator[_Block]:
        for number, block in enumerate(self._documents[place.doc].blocks):
            if block.start <= place.start and (place.end or 0) <= block.end:
                yield place.doc, number
                return

    def _has(self, asked: frozenset[str], block: _Block, code: str, *, whole_section: bool) -> bool:
        """Check whether a block, or its section, has enough of the words asked; headings count."""
        doc, number = block
        document = self._documents[doc]
        section = document.blocks[number].section
        key = doc, section if whole_section else number, whole_section, code
        if key not in self._stems:
            own = [each.text for each in document.blocks if each.section == section]
            texts = [*document.sections[section].path, *(own if whole_section else [document.blocks[number].text])]
            self._stems[key] = frozenset(language(code).content_stems(" ".join(texts)))
        return len(asked & self._stems[key]) >= LIMITS.evidence_word_share * len(asked)


# Locate the contexts of a question in the documents, which makes it an item with evidence.
#
# A context is one evidence group, and all places where it occurs are alternatives in the group. The complete context
# is the evidence: its answer may occur in it several times or in other words, so a narrower span would be a guess.
# Only if the file itself gives the offset of the answer in the context is that place the evidence.

EXACTLY, NEARLY, NOT_FOUND = MATCHES = ("found exactly", "found nearly", "not found")
"""How a context matched: exactly after folding, by most of its letters and digits, or not at all."""

_MIN_PLACES_OF_COMMON_TEXT = 3  # a short text with so many places is a common phrase, not a context


class ContextLocator:
    """Locates contexts in ``documents``; ``matches`` counts how they were found.

    Example:
        >>> page = Document("a.md", "Ada Low leads the team.", "A", "md", "", (), ())
        >>> locator = ContextLocator({"a.md": page})
        >>> context = ForeignContext("Ada Low leads  the team.")
        >>> item = locator.to_item(ForeignQuestion("f, line 1", "Who leads?", ("Ada",), ((context,),)))
        >>> item.evidence[0][0].end, dict(locator.matches)
        (23, {'found exactly': 1})
    """

    def __init__(self, documents: Mapping[str, Document]) -> None:
        self.matches: Counter[str] = Counter()
        self.located_answers = 0
        self._documents = documents
        self._names = DocNames(documents)
        self._finder = DocumentTextFinder(documents)
        self._answers = AnswerLocator(documents, self._finder)

    def to_item(self, question: ForeignQuestion, source: str = "") -> Item:
        """Return the question as an item: its evidence in the documents, what was not found in its metadata."""
        if question.item and self._knows(question.item):
            return question.item
        groups, not_found, lowest = [], [], 1.0
        for group in question.contexts:
            spans, similarity, why = self._locate_group(group, question.doc)
            self.matches[NOT_FOUND if why else EXACTLY if similarity == 1 else NEARLY] += 1
            lowest = min(lowest, similarity)
            groups += [spans] if spans else []
            not_found += [{"context": group[0].text, "why": why}] if why else []
        if not question.contexts and question.answerable:
            doc = self._names.resolve_title(question.doc) if question.doc else None
            found = self._answers.locate(question.question, question.answers, doc)
            self.located_answers += bool(found.spans)
            groups += [found.spans] if found.spans else []
            role = "elsewhere" if found.elsewhere else "answer"
            not_found += [{role: question.answers[0], "why": found.why}] if found.why else []
        metadata = {**question.metadata, "source": source}
        metadata |= {"not_found": not_found} if not_found else {}
        metadata |= {"scores": {"located": round(lowest, 4)}} if groups and lowest < 1 else {}
        return _make_item(question, groups, metadata)

    def _knows(self, item: Item) -> bool:
        """Check whether a document of the evidence is here; without any documents, nothing speaks against it."""
        docs = {span.doc for group in item.evidence for span in group}
        return not docs or not self._documents or not docs.isdisjoint(self._documents)

    def _locate_group(self, group: Sequence[ForeignContext], doc: str) -> tuple[tuple[Span, ...], float, str]:
        """Return all places of the contexts of a group, the lowest similarity, and why there is no place."""
        spans: dict[Span, None] = {}
        lowest, why = 1.0, ""
        for context in group:
            places, similarity, reason = self._find(context.text, context.doc or doc)
            why = why or reason
            lowest = min(lowest, similarity) if places else lowest
            for place in places:
                spans |= dict.fromkeys(self._spans(place, context))
        return tuple(spans), lowest, "" if spans else why

    def _find(self, text: str, doc_name: str) -> tuple[list[Place], float, str]:
        doc = self._names.resolve_title(doc_name) if doc_name else None
        short = letter_count(text) < MIN_DISTINCTIVE_LENGTH
        places, similarity = self._finder.find(text, doc) if doc else ([], 0.0)
        if not places:
            places, similarity = self._finder.find(text)
        places = self._at_word_edges(places) if short else places  # a long one may be a chunk that ends inside a word
        if short and len(places) >= _MIN_PLACES_OF_COMMON_TEXT:
            return [], 0.0, f"it is short and occurs in {len(places)} places"
        return places, similarity, "" if places else "it occurs in no document"

    def _at_word_edges(self, places: Sequence[Place]) -> list[Place]:
        """Return the places that neither start nor end inside a word."""
        texts = ((place, self._documents[place.doc].text) for place in places)
        return [place for place, text in texts if not cuts_word(text, place.start) and not cuts_word(text, place.end)]

    def _spans(self, place: Place, context: ForeignContext) -> list[Span]:
        """Return the spans of the answers in a located context if the file has their offsets, otherwise all of it."""
        document = self._documents[place.doc]
        located = document.span(place.start, place.end or len(document.text))
        spans = []
        for start, answer in context.answers:
            found = None
            if context.text[start : start + len(answer)] == answer:
                found = same_span(context.text, located.text, start, start + len(answer))
            found = found or _nearest(located.text, answer, start)
            spans += [document.span(located.start + found[0], located.start + found[1])] if found else []
        return spans or [located]


def _nearest(text: str, answer: str, start: int) -> tuple[int, int] | None:
    """Return the place of an answer in a text that is nearest to ``start``."""
    found = [match.start() for match in re.finditer(re.escape(answer), text, re.IGNORECASE)]
    at = min(found, key=lambda each: (abs(each - start), each), default=None)
    return None if at is None else (at, at + len(answer))


def _make_item(question: ForeignQuestion, groups: Sequence[tuple[Span, ...]], metadata: Mapping[str, Any]) -> Item:
    evidence = tuple(groups) if question.answerable else ()
    value = {
        "id": item_id(question.question, question.answers, evidence),
        "question": question.question,
        "golden_answers": list(question.answers),
        "answerable": question.answerable,
        "evidence": [[span_json(span) for span in group] for group in evidence],
        "hard_negatives": [span_json(group[0]) for group in groups] if not question.answerable else [],
        "metadata": metadata,
    }
    return from_json(value | ({"question_type": question.question_type} if question.question_type else {}))
