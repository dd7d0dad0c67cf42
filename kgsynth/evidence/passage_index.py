"""Find the passages of many documents that have most words of a question, without a parser and without embeddings."""

from __future__ import annotations

import math
import re
import sqlite3
from array import array
from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from itertools import islice
from typing import NamedTuple

from kgsynth.base.records import Document
from kgsynth.base.thresholds import LIMITS
from kgsynth.language import nearest_language
from kgsynth.language.words import CJK, words

_CJK_CHARACTER = re.compile(f"[{CJK}]")
_SCHEMA = "CREATE VIRTUAL TABLE passages USING fts5(text, content='', tokenize='porter unicode61')"


class LikePassage(NamedTuple):
    """Consecutive blocks of a document, by number, and the share of the words sought that they have, by rarity.

    ``near`` are those of the blocks that have most of this share by themselves, without the others and the titles.
    """

    share: float
    document: Document
    blocks: range
    near: tuple[int, ...] = ()

    @property
    def text(self) -> str:
        """The titles over the blocks, and their texts."""
        return _text(self.document, self.blocks)


class PassageIndex:
    """The passages of documents in a full-text index (SQLite FTS5), which is a temporary file.

    The index only finds passages that have one of the rarest words. How much of a question they have is counted here,
    so the result does not depend on how the index ranks. A passage is the blocks of a section that follow one another,
    up to a common size, below the titles of the section.

    Example:
        >>> from kgsynth.documents.assembly import assemble
        >>> from kgsynth.documents.readers.markdown import read
        >>> pages = {"a.md": "# Tern\\n\\nIts range is nine miles.", "b.md": "# Skua\\n\\nIt floats.", "c.md": "Rules."}
        >>> index = PassageIndex([assemble(read(t), id=n, format="md", sha256="") for n, t in pages.items()])
        >>> [(round(f.share, 2), f.document.id, f.blocks) for f in index.like("What is the range of the Tern?", "en")]
        [(1.0, 'a.md', range(0, 2))]
    """

    def __init__(self, documents: Sequence[Document], on_document: Callable[[], object] = lambda: None) -> None:
        self._documents, self._on_document = documents, on_document
        self._places = array("L")  # of each passage the number of its document, its first block, and the block after it
        self._rarity: dict[str, float] = {}
        self._connection = sqlite3.connect("")
        self._connection.execute(_SCHEMA)
        self._connection.executemany("INSERT INTO passages(rowid, text) VALUES (?, ?)", enumerate(self._texts()))

    def like(self, question: str, code: str, without: Container[str] = ()) -> list[LikePassage]:
        """Return the passages with most words of a question, those with the largest share of them first.

        Words are weighted by rarity: ``log(1 + n / (1 + df))``. Passages of the documents ``without`` are left out.
        """
        content = nearest_language(code).content_stems
        sought = {stem: term for term in _terms(question, code) for stem in content(term)}
        weights = {stem: self._rarity_of(term) for stem, term in sought.items()}
        rarest = sorted(weights, key=lambda stem: (-weights[stem], stem))[: LIMITS.rarest_words]
        if not rarest:
            return []
        query = " OR ".join(_phrase(sought[stem]) for stem in rarest)
        found = []
        for document, blocks in self._matching(query, without):
            share = _share(content(_text(document, blocks)), weights)
            if share >= LIMITS.parsed_sentence_share:
                shares = {number: _share(content(document.blocks[number].text), weights) for number in blocks}
                near = (number for number, own in shares.items() if own >= LIMITS.near_block_share * share)
                found.append(LikePassage(share, document, blocks, tuple(near)))
        found.sort(key=_by_share)
        return found[: LIMITS.passages_read]

    def saying(self, texts: Iterable[str], without: Container[str] = ()) -> list[LikePassage]:
        """Return the passages with all words of each of the texts, in their order."""
        phrases = [phrase for text in texts if (phrase := _phrase(" ".join(words(text)))) != '""']
        found = self._matching(" AND ".join(phrases), without) if phrases else ()
        return [LikePassage(1.0, document, blocks) for document, blocks in found]

    def _matching(self, query: str, without: Container[str]) -> Iterator[tuple[Document, range]]:
        """Yield the first passages that match a query, those of the documents ``without`` left out."""
        rows = self._connection.execute(
            "SELECT rowid FROM passages WHERE passages MATCH ? ORDER BY rank, rowid", (query,)
        )
        places = (self._places[3 * number : 3 * number + 3] for (number,) in rows)
        found = ((self._documents[doc], range(first, end)) for doc, first, end in places)
        yield from islice((each for each in found if each[0].id not in without), LIMITS.passages_compared)

    def _rarity_of(self, term: str) -> float:
        if term not in self._rarity:
            query = "SELECT count(*) FROM passages WHERE passages MATCH ?"
            (holding,) = self._connection.execute(query, (_phrase(term),)).fetchone()
            self._rarity[term] = math.log(1 + len(self._places) / 3 / (1 + holding))
        return self._rarity[term]

    def _texts(self) -> Iterator[str]:
        """Yield the text of every passage as it is indexed, and note its place."""
        for number, document in enumerate(self._documents):
            for blocks in _passages(document):
                self._places.extend((number, blocks.start, blocks.stop))
                yield _spaced(_text(document, blocks))
            self._on_document()


def _by_share(passage: LikePassage) -> tuple[float, int, str, int]:
    """Return what sorts passages: of those with the same share, the one first that says least beside the question."""
    blocks = passage.document.blocks
    size = min((len(blocks[number].text) for number in passage.near), default=LIMITS.passage_characters)
    return -passage.share, size, passage.document.id, passage.blocks.start


def _share(stems: Iterable[str], weights: Mapping[str, float]) -> float:
    """Return the share of the weights whose stems are among these."""
    return math.fsum(weights[stem] for stem in sorted(weights.keys() & set(stems))) / math.fsum(weights.values())


def _passages(document: Document) -> Iterator[range]:
    first = size = 0
    for number, block in enumerate(document.blocks):
        full = size + len(block.text) > LIMITS.passage_characters
        if number > first and (full or block.section != document.blocks[first].section):
            yield range(first, number)
            first, size = number, 0
        size += len(block.text)
    if first < len(document.blocks):
        yield range(first, len(document.blocks))


def _text(document: Document, blocks: range) -> str:
    titles = document.sections[document.blocks[blocks.start].section].path
    return "\n".join((document.title, *titles, *(document.blocks[number].text for number in blocks)))


def _spaced(text: str) -> str:
    """Return a text with blanks around each Chinese character: the index knows no words of such a language."""
    return _CJK_CHARACTER.sub(r" \g<0> ", text)


def _terms(question: str, code: str) -> Iterable[str]:
    """Return the words of a question as it has them."""
    if not _CJK_CHARACTER.search(question):
        return words(question)
    return [stem for stem in nearest_language(code).content_stems(question) if stem in question.lower()]


def _phrase(term: str) -> str:
    return '"' + " ".join(_spaced(term).replace('"', " ").split()) + '"'
