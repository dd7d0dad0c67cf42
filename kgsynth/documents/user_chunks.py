"""Read the chunks that a RAG system already has, and find each in the documents.

Each line is a JSON object with ``doc``, and either ``start`` and ``end`` or ``text``. A text may differ from the
document only in white space; any other difference is an error, since its place cannot be proved.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from kgsynth.base.errors import InputError
from kgsynth.base.json_reading import JsonError, parse_json
from kgsynth.base.records import Chunk, Document
from kgsynth.documents.chunk_packing import SectionIndex, make_chunk


def load_chunks(path: Path, documents: Iterable[Document]) -> Iterator[Chunk]:
    """Yield the chunks in the JSONL file ``path``, in its order.

    A text is searched as it is, then with white space folded. If it occurs more than once, the first place after the
    start of the document's previous chunk is taken. Raises InputError, with file and line, if a line is not a JSON
    object, names an unknown document, or is not found.
    """
    by_id = {document.id: document for document in documents}
    finders: dict[str, _ChunkFinder] = {}
    try:
        with Path(path).open(encoding="utf-8-sig") as lines:
            for number, line in enumerate(lines, 1):
                if line.strip():
                    where = f"{path}, line {number}"
                    row, document = _row(line, where, by_id)
                    finder = finders.setdefault(document.id, _ChunkFinder(document))
                    yield make_chunk(document, *finder.place(row, where), finder.sections)
    except OSError as error:
        raise InputError(f"The chunks in {str(path)!r} cannot be read ({error.strerror}); check the path.") from error
    except UnicodeDecodeError as error:
        raise InputError(
            f"The chunks in {str(path)!r} are not UTF-8 (byte {error.start}); save them as UTF-8."
        ) from error


def _row(line: str, where: str, documents: dict[str, Document]) -> tuple[dict[str, Any], Document]:
    try:
        row = parse_json(line)
    except JsonError as error:
        raise InputError(f"{where}: {error}; write one object per line.") from error
    if not isinstance(row, dict):
        raise InputError(f"{where}: a {type(row).__name__} is not a chunk; write an object with doc and text.")
    doc = row.get("doc")
    if not isinstance(doc, str) or doc not in documents:
        raise InputError(f"{where}: there is no document {doc!r}; give its path below the folder of documents.")
    return row, documents[doc]


class _ChunkFinder:
    """Finds the chunks of one document, one after the other."""

    def __init__(self, document: Document) -> None:
        self.text = document.text
        self.sections = SectionIndex(document)
        self.search_from = 0
        self._folded = ""
        self._places: list[int] = []

    def place(self, row: dict[str, Any], where: str) -> tuple[int, int]:
        """Return the start and end of the chunk of ``row``."""
        if row.get("start") is not None or row.get("end") is not None:
            found = self._offsets(row, where)
        else:
            found = self._search(row, where)
        self.search_from = found[0] + 1
        return found

    def _offsets(self, row: dict[str, Any], where: str) -> tuple[int, int]:
        start, end = row.get("start"), row.get("end")
        if type(start) is int and type(end) is int and 0 <= start < end <= len(self.text):
            return start, end
        length = len(self.text)
        raise InputError(f"{where}: start {start!r}, end {end!r} is not a span of the document's {length} characters.")

    def _search(self, row: dict[str, Any], where: str) -> tuple[int, int]:
        text = row.get("text")
        if not isinstance(text, str) or not text.strip():
            raise InputError(f"{where}: the chunk has neither text nor offsets; give start and end, or text.")
        for begin in (self.search_from, 0):
            at = self.text.find(text, begin)
            if at >= 0:
                return at, at + len(text)
        found = self._search_folded(" ".join(text.split()))
        if found is None:
            shown = " ".join(text.split())[:60]
            raise InputError(f"{where}: {shown!r} is not in {row['doc']!r}; give offsets, or the exact text.")
        return found

    def _search_folded(self, folded: str) -> tuple[int, int] | None:
        if not self._places:
            self._folded, self._places = _fold(self.text)
        begin = bisect_left(self._places, self.search_from)
        for low in (begin, 0):
            at = self._folded.find(folded, low)
            if at >= 0:
                return self._places[at], self._places[at + len(folded) - 1] + 1
        return None


def _fold(text: str) -> tuple[str, list[int]]:
    """Return ``text`` with white space folded, and the original offset of each remaining character."""
    kept: list[str] = []
    places: list[int] = []
    for place, char in enumerate(text):
        if not char.isspace():
            kept.append(char)
            places.append(place)
        elif kept and kept[-1] != " ":
            kept.append(" ")
            places.append(place)
    return "".join(kept), places
