"""Passages: sections cut into parts that can be read alone, how central each is, and how close two are."""

from __future__ import annotations

import math
import re
from bisect import bisect_left, bisect_right
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import groupby, pairwise
from pathlib import PurePosixPath
from typing import TYPE_CHECKING, NamedTuple, overload

from kgsynth.base.records import PROSE, Block, Document, Span, containers_around, content_id
from kgsynth.base.vocabulary import ContainerKind, StructureKind
from kgsynth.documents.structure.outline import COLONS, Outline
from kgsynth.documents.table_rows import TableRows
from kgsynth.evidence.knowledge import Knowledge
from kgsynth.language.lengths import length_in_words
from kgsynth.language.text_words import is_set_aside, names_apparatus
from kgsynth.language.words import has_cjk, jaccard, shingles, words

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


class Reason(NamedTuple):
    """Why two passages of a scene, by their number from 1, may belong together: ``why`` in plain English."""

    one: int
    other: int
    why: str


@dataclass(frozen=True, slots=True)
class Scene:
    """The passages that one question is to be about, and why they may belong together.

    ``passages`` are whole blocks, in the order in which a person would read them. ``reasons`` say what joins them; a
    single section has none. ``central`` says
    how much the corpus speaks of what they are about, from 0 to 1. ``neighbours`` are the headings around them, which
    show what else the documents hold.

    Example:
        >>> scene = Scene("simple", "section_fact", (Span("a.md", 0, 13, "Ada leads it."),))
        >>> scene.id
        'scene-3db555adbb61'
    """

    question_type: str
    subtype: str
    passages: tuple[Span, ...]
    reasons: tuple[Reason, ...] = ()
    central: float = 0.0
    neighbours: tuple[str, ...] = ()

    @property
    def id(self) -> str:
        """A hash of the kind of question and the places of the passages."""
        return content_id("scene", self.subtype, [(span.doc, span.start, span.end) for span in self.passages])


# Cut the documents into passages of a section each, the material of all scenes.
#
# A passage is the own text of a section with its heading. Very short sections are joined with the next ones, long
# ones are cut between blocks. Left out is what nobody asks about:
# references, contents, licences, changelogs, lists of links, pure code. No passage goes on beyond a menu or a table
# of contents.

_JOINED_BELOW = 60  # words of a section that says too little by itself
_JOINED_MAX = 250  # words of several sections together: more are several matters
_CUT_ABOVE = 450  # words of a section that holds several matters
_CUT_SIZE = 350  # words of a part of it, about
_MIN_READ_WORDS = 25  # words of a passage that are not code; fewer hold nothing worth asking
_MAX_CODE_SHARE = 0.7  # of the words
_MAX_LINK_SHARE = 0.5  # of the letters: a list of links leads elsewhere
_MENU_BLOCKS = 5  # links in a row that are a menu; fewer belong to the text around them
_MIN_BLOCK_WORDS = 3.0  # on average, outside tables: an index has fewer


@dataclass(frozen=True, slots=True)
class SectionPassage:
    """A passage and the section it begins in; ``titles`` are those of all sections in it that have text."""

    span: Span
    section: int
    path: tuple[str, ...]
    titles: tuple[str, ...]
    words: int
    text: str

    @property
    def title(self) -> str:
        """The title of the section it begins in."""
        return self.path[-1] if self.path else ""


class SectionPassages(Sequence[SectionPassage]):
    """The passages of a corpus, in its order; a passage is named by its number."""

    def __init__(self, knowledge: Knowledge) -> None:
        self._knowledge = knowledge
        changes = defaultdict(set)
        for fact in knowledge.structure:
            if fact.kind == StructureKind.CHANGE:
                changes[fact.doc].add(fact.section)
        self._passages = [
            each for document in knowledge.documents.values() for each in _passages(document, changes[document.id])
        ]
        self._places: dict[str, tuple[list[int], list[int]]] = {}  # document -> starts, numbers
        for number, passage in enumerate(self._passages):
            starts, numbers = self._places.setdefault(passage.span.doc, ([], []))
            starts.append(passage.span.start)
            numbers.append(number)

    def __len__(self) -> int:
        return len(self._passages)

    @overload
    def __getitem__(self, number: int) -> SectionPassage: ...

    @overload
    def __getitem__(self, number: slice) -> Sequence[SectionPassage]: ...

    def __getitem__(self, number: int | slice) -> SectionPassage | Sequence[SectionPassage]:
        return self._passages[number]

    def within(self, doc: str, start: int, end: int) -> list[int]:
        """Return the passages of a document that share a character with ``[start, end)``."""
        starts, numbers = self._places.get(doc, ([], []))
        first = max(0, bisect_right(starts, start) - 1)
        return [n for n in numbers[first : bisect_left(starts, end)] if self._passages[n].span.end > start]

    @cached_property
    def chunks(self) -> list[frozenset[int]]:
        """The chunks that share a character with each passage."""
        index = self._knowledge.chunks
        return [frozenset(index.overlapping(p.span.doc, p.span.start, p.span.end)) for p in self._passages]

    @cached_property
    def vectors(self) -> NDArray[np.float32]:
        """A vector of length 1 for each passage: the mean of its chunks' vectors, by their share of it."""
        import numpy as np

        made = np.zeros((len(self), self._knowledge.vectors.shape[1]), np.float32)
        for number, passage in enumerate(self._passages):
            for chunk in sorted(self.chunks[number]):
                place = self._knowledge.chunks[chunk]
                shared = min(place.end, passage.span.end) - max(place.start, passage.span.start)
                made[number] += shared * self._knowledge.vectors[chunk]
        lengths = np.linalg.norm(made, axis=1, keepdims=True)
        return np.asarray(made / np.where(lengths > 0, lengths, 1), dtype=np.float32)


def passages_of(knowledge: Knowledge) -> SectionPassages:
    """Return the passages of the corpus, cut once: ``knowledge.derived(passages_of)``."""
    return SectionPassages(knowledge)


# ---- sections ------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Piece:
    """Blocks of one or several sections in a row."""

    sections: tuple[int, ...]
    blocks: tuple[Block, ...]
    words: int


def _passages(document: Document, changed: set[int]) -> Iterator[SectionPassage]:
    """Yield the passages of a document in order; ``changed`` are the sections of a changelog."""
    if names_apparatus(PurePosixPath(document.id).stem):
        return
    pieces: list[_Piece] = []
    tables = TableRows(document)
    for piece in _sections(document, changed):
        pieces += _cut(document, piece, tables) if piece.words > _CUT_ABOVE else [piece]
    for piece in _joined(document, pieces):
        if _is_worth_reading(piece):
            yield _made(document, piece)


def _sections(document: Document, changed: set[int]) -> Iterator[_Piece]:
    """Yield the own text of each section, with its heading."""
    outline = Outline(document)
    menus = _menus(document)
    headings = {block.section: block for block in document.blocks if block.kind == "heading"}
    for number, section in enumerate(document.sections):
        content = [document.blocks[block] for block in outline.of_section.get(number, ())]
        if not content or number in changed or any(map(names_apparatus, section.path[min(number, 1) :])):
            continue
        head = [headings[number]] if number in headings else []
        for _, run in groupby(content, lambda block: bisect_left(menus, block.start)):
            blocks = list(run)
            words = sum(length_in_words(block.text) for block in blocks)
            yield _Piece((number,), (*(head if blocks[0] is content[0] else ()), *blocks), words)


def _menus(document: Document) -> list[int]:
    """Return where menus, tables of contents and the like begin, which part the text before and after them."""
    runs = (list(run) for kind, run in groupby(document.blocks, lambda block: block.kind) if kind == "navigation")
    return [run[0].start for run in runs if len(run) >= _MENU_BLOCKS]


def _joined(document: Document, pieces: Sequence[_Piece]) -> list[_Piece]:
    """Join each very short piece with the next, or with the one before it at the end of its part of the document."""
    found: list[_Piece] = []
    menus = _menus(document)
    for piece in pieces:
        last = found[-1] if found else None
        if last and bisect_left(menus, last.blocks[-1].start) < bisect_left(menus, piece.blocks[0].start):
            found.append(piece)
            continue
        small = last is not None and (last.words < _JOINED_BELOW or piece.words < _JOINED_BELOW // 2)
        if last and small and last.words + piece.words <= _JOINED_MAX and _stand_together(document, last, piece):
            sections = tuple(dict.fromkeys((*last.sections, *piece.sections)))
            found[-1] = _Piece(sections, (*last.blocks, *piece.blocks), last.words + piece.words)
        else:
            found.append(piece)
    return found


def _stand_together(document: Document, one: _Piece, other: _Piece) -> bool:
    """Check whether a piece goes on with a subsection or a sibling of the first section of the one before it."""
    first, second = document.sections[one.sections[0]], document.sections[other.sections[0]]
    above = first.path[:-1] if len(first.path) > 1 else first.path
    between = range(one.sections[-1] + 1, other.sections[0])
    return second.path[: len(above)] == above and len(between) <= 1


def _is_worth_reading(piece: _Piece) -> bool:
    """Check whether a person finds something to ask about: prose or a table, not links, code or an index alone."""
    content = [block for block in piece.blocks if block.kind != "heading"]
    code = sum(length_in_words(block.text) for block in content if block.kind == "code")
    if piece.words - code < _MIN_READ_WORDS or code > _MAX_CODE_SHARE * piece.words:
        return False
    letters = sum(len(block.text) for block in content)
    if sum(end - start for block in content for start, end, _ in block.links) > _MAX_LINK_SHARE * letters:
        return False
    told = [length_in_words(block.text) for block in content if block.kind in PROSE]
    return any(block.kind == "cell" for block in content) or sum(told) >= _MIN_BLOCK_WORDS * max(1, len(told))


def _made(document: Document, piece: _Piece) -> SectionPassage:
    start, end = _edges(document, piece.blocks)
    first = document.sections[piece.sections[0]]
    return SectionPassage(
        span=document.span(start, end),
        section=piece.sections[0],
        path=first.path,
        titles=tuple(document.sections[number].title for number in piece.sections),
        words=piece.words,
        text=" ".join(block.text for block in piece.blocks),
    )


def _edges(document: Document, blocks: Sequence[Block]) -> tuple[int, int]:
    """Return where blocks begin and end, with the marks of the lists and tables that begin and end with them."""
    start, end = min(block.start for block in blocks), max(block.end for block in blocks)
    first, last = (
        [document.containers[number] for number in containers_around(document.containers, block.inside)]
        for block in (blocks[0], blocks[-1])
    )
    low = min((each.start for each in first if each.end <= end), default=start)
    ending = (each.end for each in last if each.start >= start and _has_marks_only(document.text[end : each.end]))
    return (min(low, start) if _has_marks_only(document.text[low:start]) else start), max((end, *ending))


def _has_marks_only(text: str) -> bool:
    return not text.strip(_MARKS_AROUND)


_MARKS_AROUND = " \t\r\n|-*+#>:=`~"


# ---- long sections -------------------------------------------------------------------------------------


def _cut(document: Document, piece: _Piece, tables: TableRows) -> Iterator[_Piece]:
    """Cut a long section into parts of much the same size, between blocks that do not belong together."""
    units = _units(document, piece.blocks, tables)
    sizes = [sum(length_in_words(block.text) for block in unit if block.kind != "heading") for unit in units]
    left = sum(sizes)
    parts = -(-left // _CUT_SIZE)
    made: list[Block] = []
    words = 0
    for unit, size in zip(units, sizes, strict=True):
        full = words >= left / max(parts, 1) - size / 2 or words + size > _CUT_ABOVE
        if made and words and full and parts > 1:
            yield _Piece(piece.sections, tuple(made), words)
            left, parts, made, words = left - words, parts - 1, [], 0
        made += unit
        words += size
    yield _Piece(piece.sections, tuple(made), words)


def _units(document: Document, blocks: Sequence[Block], tables: TableRows) -> list[list[Block]]:
    """Return the blocks in groups that are not parted: rows of a table, a lead or term with what follows it."""
    units: list[list[Block]] = []
    for unit, _ in tables.together(blocks, _CUT_ABOVE):
        if units and _leads_on(units[-1][-1], document):
            units[-1] += unit
        else:
            units.append(list(unit))
    return units


_ENDS_OPEN = re.compile(rf"[{''.join(COLONS)},，]\W*$")


def ends_open(text: str) -> bool:
    """Check whether a text leads into something that does not follow: it ends with a colon or a comma.

    Example:
        >>> ends_open("The plans are:"), ends_open("There are plans.")
        (True, False)
    """
    return bool(_ENDS_OPEN.search(text))


def _leads_on(block: Block, document: Document) -> bool:
    is_term = block.inside >= 0 and document.containers[block.inside].kind == ContainerKind.TERM
    return block.kind == "heading" or is_term or (block.kind != "cell" and ends_open(block.text))


_BY_SIMILAR, _BY_LINKS, _BY_PLACE, _BY_LENGTH = 0.4, 0.2, 0.2, 0.2
_ASIDE_SHARE = 0.5  # of what was rejected, is open or a story: interviews, drawbacks
_FULL_WORDS = 150  # words of a passage that is long enough to matter


def centralities(knowledge: Knowledge) -> NDArray[np.float64]:
    """Return for each passage of ``passages_of`` how central it is, shape (passages,).

    The sum of four parts: the passages similar to it and the links to its section, and the links to its document, as
    ranks; how early in its document it stands; and its length. What is set aside counts half.
    """
    import numpy as np

    passages = knowledge.derived(passages_of)
    similar, linked = _degrees(knowledge, passages)
    places = Counter[str]()
    early = np.zeros(len(passages))
    for number, passage in enumerate(passages):
        early[number] = 1 / (1 + places[passage.span.doc] / 4)
        places[passage.span.doc] += 1
    length = np.array([min(1.0, passage.words / _FULL_WORDS) for passage in passages])
    found = _BY_SIMILAR * _ranks(similar) + _BY_LINKS * _ranks(linked) + _BY_PLACE * early + _BY_LENGTH * length
    aside = np.array([any(map(is_set_aside, passage.path)) for passage in passages], dtype=bool)
    return np.round(np.where(aside, _ASIDE_SHARE, 1.0) * found, 4)


def _degrees(knowledge: Knowledge, passages: SectionPassages) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return for each passage the weight of the chunks similar to its own, and the links to its document."""
    import numpy as np

    weights: Counter[str] = Counter()
    pages: Counter[str] = Counter()
    sections: Counter[str] = Counter()
    for source, target, data in knowledge.graph.edges(data=True):
        if data["kind"] == "similar":
            weights[source] += data["weight"]
            weights[target] += data["weight"]
        elif data["kind"] == "see" and source != target:
            node = knowledge.graph.nodes[target]
            pages[node.get("doc", target)] += 1
            sections[target] += 1
    similar = np.zeros(len(passages))
    linked = np.zeros(len(passages))
    for number, passage in enumerate(passages):
        own = [weights[knowledge.chunks[chunk].id] for chunk in sorted(passages.chunks[number])]
        section = knowledge.documents[passage.span.doc].sections[passage.section].id
        similar[number] = sum(own) / max(1, len(own)) + 2 * sections[section]
        linked[number] = pages[passage.span.doc]
    return similar, linked


def _ranks(values: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the share of the values below each one, half of them if all are equal."""
    import numpy as np

    order = np.sort(np.round(values, 6))
    below = np.searchsorted(order, np.round(values, 6), "left")
    upto = np.searchsorted(order, np.round(values, 6), "right")
    return np.asarray((below + upto) / 2 / max(1, len(values)))


_LEAST, _FULL = 0.15, 0.45  # cosine of vectors beyond the usual one, from which texts are close, and fully so
_WORDS_ALONE = (
    0.5  # how close texts with the same words are, whose vectors are not: the model may not know the language
)
_MOST_USUAL = 0.65  # cosine of any two passages; more only in a corpus on one matter
_LEAST_CLOSENESS, _FULL_CLOSENESS = 0.04, 0.2  # cosine of words, from which texts are close, and fully so
_SAME_FROM, _SAME_FULL, _SAME_LEFT = 0.62, 0.82, 0.2  # cosine from which two documents say the same; what is left then
_COPY_SHARE, _COPY_ACROSS = 0.35, 0.15  # share of pairs of words in common, in one document and across, of a copy
_MOST_RARITY = 4.0  # of a word (log of the passages for each that has it): a rarer one is chance
_MATTER_RARITY = 2.0  # of a word, from which on it says what a text is about
_FULL_COMPLEMENT = 60.0  # weight of words, shared and own, of passages that say much on one matter and not the same
_SHOWN_WORDS, _SHOWN_LETTERS, _SHOWN_TIMES, _SHOWN_RARITY = 3, 4, 2, 1.9


class Closeness:
    """Compares the passages of a corpus. Words are those of ``words``, or pairs of Chinese or Japanese characters."""

    def __init__(self, passages: SectionPassages) -> None:
        self._passages = passages
        self._pairs_of_words: dict[int, frozenset[str]] = {}
        self._counts = [Counter(terms(passage.text)) for passage in passages]
        found = Counter(word for own in self._counts for word in own)
        self._rarity = {word: min(_MOST_RARITY, math.log(len(passages) / count)) for word, count in found.items()}
        self._lengths = [math.sqrt(math.fsum(self._weight(own, word) ** 2 for word in own)) for own in self._counts]
        self._usual = _mean_cosine(passages)

    def _weight(self, own: Counter[str], word: str) -> float:
        """Return the weight of a word in a passage: tf-idf, with the logarithm of how often it stands there."""
        return (1 + math.log(own[word])) * self._rarity[word]

    @classmethod
    def of(cls, knowledge: Knowledge) -> Closeness:
        """Return the comparison of the passages of a corpus, made once: ``knowledge.derived(Closeness.of)``."""
        return cls(knowledge.derived(passages_of))

    def between(self, one: int, other: int) -> float:
        """Return how close two passages are, from 0 to 1: the geometric mean of how close vectors and words are.

        Words alone count half, since the embedding model may not know the language.
        Of two documents, texts whose vectors are nearly the same say the same, and are less than fully close.
        """
        vectors = self._passages.vectors
        beyond = (float(vectors[one] @ vectors[other]) - self._usual) / (1 - self._usual)
        by_vectors = min(1.0, max(0.0, (beyond - _LEAST) / (_FULL - _LEAST)))
        first, second = self._counts[one], self._counts[other]
        shared = math.fsum(self._weight(first, word) * self._weight(second, word) for word in first.keys() & second)
        lengths = self._lengths[one] * self._lengths[other]
        words_alike = shared / lengths if lengths else 0.0
        by_words = min(1.0, max(0.0, (words_alike - _LEAST_CLOSENESS) / (_FULL_CLOSENESS - _LEAST_CLOSENESS)))
        found = max(math.sqrt(by_vectors * by_words), _WORDS_ALONE * by_words)
        if self._passages[one].span.doc != self._passages[other].span.doc:
            same = min(1.0, max(0.0, (beyond - _SAME_FROM) / (_SAME_FULL - _SAME_FROM)))
            found *= 1 - (1 - _SAME_LEFT) * same
        return round(found, 4)

    def complement(self, one: int, other: int) -> float:
        """Return how much each of two passages adds to the other on the matter of both, from 0 to 1.

        The geometric mean of the weight of the telling words that both have, and of those that the poorer of them has
        alone; divided by that of passages that complement each other fully.
        """
        first, second = self._counts[one], self._counts[other]
        shared = {word for word in first.keys() & second if self._rarity[word] >= _MATTER_RARITY}
        both = math.fsum(min(self._weight(first, word), self._weight(second, word)) for word in shared)
        added = min(math.fsum(self._weight(own, word) for word in own if word not in shared) for own in (first, second))
        return round(min(1.0, math.sqrt(both * added) / _FULL_COMPLEMENT), 4)

    def says_the_same(self, one: int, other: int) -> bool:
        """Check whether one passage copies much of the other."""
        within = self._passages[one].span.doc == self._passages[other].span.doc
        return jaccard(self._shingles(one), self._shingles(other)) > (_COPY_SHARE if within else _COPY_ACROSS)

    def _shingles(self, number: int) -> frozenset[str]:
        if number not in self._pairs_of_words:
            self._pairs_of_words[number] = shingles(self._passages[number].text)
        return self._pairs_of_words[number]

    def shared_words(self, one: int, other: int) -> list[str]:
        """Return a few words that matter most to both passages, the weightiest first."""
        first, second = self._counts[one], self._counts[other]
        shared = [
            word
            for word in first.keys() & second
            if min(first[word], second[word]) >= _SHOWN_TIMES
            and self._rarity[word] >= _SHOWN_RARITY
            and word.isalpha()
            and (len(word) >= _SHOWN_LETTERS or has_cjk(word))
        ]
        weights = {word: self._weight(first, word) * self._weight(second, word) for word in shared}
        return sorted(shared, key=lambda word: (-round(weights[word], 6), word))[:_SHOWN_WORDS]


def _mean_cosine(passages: SectionPassages) -> float:
    """Return the mean cosine of two passages: in a language that the embedding model does not know, all are alike."""
    count = len(passages)
    if count < 2:
        return 0.0
    total = passages.vectors.sum(axis=0, dtype="float64")
    return min(_MOST_USUAL, max(0.0, (float(total @ total) - count) / (count * (count - 1))))


def terms(text: str) -> list[str]:
    """Return the words of a text; of characters in a row, which are no words by themselves, the pairs."""
    found = words(text)
    return [
        *(word for word in found if not has_cjk(word)),
        *(one + other for one, other in pairwise(found) if has_cjk(one) and has_cjk(other)),
    ]
