"""Find the evidence of an answer that comes without a context: where it is verbatim, beside what the question asks.

An answer that is long enough and occurs once is not there by chance. A shorter one counts only if exactly one section
has both it and enough of the question's content words, and only one block of that section can be meant. In both cases
the passage must be about the question: no other may have many more of its words. Everything else is left out: a wrong
place would be a wrong conclusion about a system.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from kgsynth.base.records import Document, Span
from kgsynth.base.thresholds import LIMITS
from kgsynth.documents.document_text_finder import DocumentTextFinder
from kgsynth.documents.text_index import MIN_DISTINCTIVE_LENGTH, Place, cuts_word, letter_count
from kgsynth.golden.exchange.question_passages import QuestionPassages
from kgsynth.language import LANGUAGES, language
from kgsynth.language.detection import script_language

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
