"""What an item cites beside the sentence it was made from: other statements of its fact, and the heading over each.

A sentence or cell states the fact of an item if it has the same value, and all that the question and the evidence have
in common: in itself or, as far as it names nothing else, in the headings over it. A word counts in every form, so
"calibration" stands for "calibrated". In doubt nothing is found.
"""

from __future__ import annotations

import re
from array import array
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from kgsynth.base.records import Document, Excerpt, Fact, Item, Sentence, Span, StructureFact
from kgsynth.base.thresholds import LIMITS
from kgsynth.base.vocabulary import FactKind, Role, StructureKind, VerbFlag
from kgsynth.evidence.derivation import same_answer
from kgsynth.evidence.knowledge import Knowledge
from kgsynth.evidence.question_checks import names_and_numbers_in
from kgsynth.golden.metadata import with_scores
from kgsynth.language import LANGUAGES, Language, nearest_language
from kgsynth.language.words import CJK, words

_FAMILY_LETTERS = 7  # words that begin with so many letters in common are forms of one: calibrate, calibration
_WORD_START = re.compile(rf"[{CJK}]|[^\W{CJK}]+")
_AFTER_VALUE = re.compile(r",\s|[，、]")


def with_headings(item: Item, documents: Mapping[str, Document]) -> Item:
    """Return an item whose spans carry the heading that has words of the question which they lack.

    Of several headings over a span it is the one with the most such words, otherwise the innermost.
    """
    if item.language not in LANGUAGES:
        return item
    content = nearest_language(item.language).content_stems
    asked = set(content(item.full_question)) - set(content(nearest_language(item.language).opening(item.full_question)))

    def stems(spans: Iterable[Span]) -> set[str]:
        return {stem for span in spans for stem in content(documents[span.doc].plain(span.start, span.end))}

    def headed(span: Span, number: int) -> Span:
        others = (group[0] for n, group in enumerate(item.evidence) if n != number)
        missing = asked - stems([span, *others])
        over = [block for block in documents[span.doc].headings_over(span.start) if block.end <= span.start]
        said = [(len(missing & set(content(block.text))), place) for place, block in enumerate(over)]
        most, place = max(said, default=(0, 0))
        return replace(span, heading=documents[span.doc].heading(over[place])) if most else span

    groups = (tuple(headed(span, number) for span in group) for number, group in enumerate(item.evidence))
    return replace(item, evidence=tuple(groups))


def other_statements(item: Item, knowledge: Knowledge) -> list[Span]:
    """Return where else the documents state the fact of an item, in whatever words, each place by itself enough.

    Nothing is looked for if the answer has members or parts, or the question needs several passages.
    """
    joins = item.question_type == "multi_context" or item.answer_kind
    if not (item.answerable and item.golden_answers) or joins or item.language not in LANGUAGES:
        return []
    sought = _Sought(item, knowledge.documents)
    if len(sought.required) < LIMITS.question_content_words:
        return []
    index, cited = knowledge.derived(_StatementIndex), [span for group in item.evidence for span in group]
    spans = []
    for unit in index.near(sought.required):
        span = _span(unit, knowledge.documents)
        if span and not any(span.meets(each) for each in cited) and sought.is_stated_by(unit, knowledge):
            spans.append(span)
    return list(dict.fromkeys(spans))


def with_alternatives(item: Item, spans: Sequence[Span]) -> Item:
    """Return an item with spans in every group of its evidence, each of which proves it by itself; at most a few."""
    evidence = tuple((*group, *spans)[: 1 + LIMITS.evidence_copies] for group in item.evidence)
    return with_scores(replace(item, evidence=evidence), copies=sum(map(len, evidence)) - len(evidence))


def families(text: str, own: Language) -> frozenset[str]:
    """Return the content words of a text, each as what it has in common with the other words of its family.

    Example:
        >>> english = nearest_language("en")
        >>> sorted(families("calibrates the Gannet", english)), *families("a calibration", english)
        (['calibra', 'gannet'], 'calibra')
    """
    return frozenset(stem[:_FAMILY_LETTERS] for stem in own.content_stems(text))


class _Sought:
    """The fact of an item: its value, the words that state it, and what is known of it."""

    def __init__(self, item: Item, documents: Mapping[str, Document]) -> None:
        self.item, self.own = item, nearest_language(item.language)
        spans = [group[0] for group in item.evidence]
        evidence = " ".join(documents[span.doc].plain(span.start, span.end) for span in spans)
        titles = " ".join(" ".join(documents[span.doc].titles_over(span.start, span.end)) for span in spans)
        self.question = families(item.question, self.own)
        self.required = self.question & families(f"{evidence} {titles}", self.own)
        self.known_text = " ".join((item.question, *item.golden_answers, evidence, titles))
        self.known = families(f"{self.known_text} {self.own.digits(self.known_text)}", self.own)
        self.figure = _figure(item.golden_answers[0], self.own)

    def is_stated_by(self, unit: Sentence | StructureFact, knowledge: Knowledge) -> bool:
        """Check whether a sentence or cell has the value and all words required, and says nothing that differs."""
        document = knowledge.documents[unit.doc]
        if document.language != self.item.language:
            return False
        text, titles = _text(unit), " ".join(document.sections[unit.section].path)
        own, above = families(text, self.own), families(titles, self.own)
        if isinstance(unit, StructureFact):
            value = " ".join(part.text for part in unit.values)
            return self._is_asked(unit, titles) and self._is_value(value) and not self._adds_names(value, titles)
        if not self.required <= own | above or not self.required & own:
            return False
        if not self._has_value(text) or self._adds_names(text, titles):
            return False
        if self.own.contradictions(self.item.question, text):
            return False
        strange = len(families(self.own.digits(text), self.own) - self.known) / len(own)
        facts = [f for f in knowledge.statements.facts_ending_at(unit.doc, unit.end) if self._is_about_value(f)]
        if not facts or not self.required <= own:
            return strange <= LIMITS.strange_words and all(map(self._affirms, facts))
        return any(self._affirms(fact) and self.required <= self._said(fact) | above for fact in facts)

    def _is_asked(self, cell: StructureFact, titles: str) -> bool:
        """Check whether the question asks for a cell: it has all words of its row and column, or the cell all of it."""
        row, column = (families(text, self.own) for text in (cell.subject.text, " ".join(h.text for h in cell.heads)))
        around = f"{_text(cell)} {titles}"
        names = names_and_numbers_in(self.item.question, self.item.language)
        named = all(set(words(name)) <= set(words(around)) for name in names)
        both = bool(row and column) and row | column <= self.question and named
        return both or (bool(self.required & row) and self.required <= families(around, self.own))

    def _has_value(self, text: str) -> bool:
        return _has_answer(text, self.item, self.figure)

    def _is_value(self, text: str) -> bool:
        if self.figure:
            return self.own.same_value(text, self.figure, self.item.question)
        return any(same_answer(text, each, self.item.language) for each in self.item.golden_answers)

    def _adds_names(self, text: str, titles: str) -> bool:
        """Check whether a text has an unknown name or number: it may be about something else."""
        digits = self.own.digits
        known = set(words(f"{self.known_text} {titles} {digits(f'{self.known_text} {titles}')}"))
        return any(not known.issuperset(words(each)) for each in names_and_numbers_in(text, self.item.language))

    def _is_about_value(self, fact: Fact) -> bool:
        return any(self._has_value(phrase.text) for phrase in fact.phrases)

    def _said(self, fact: Fact) -> frozenset[str]:
        return families(" ".join((fact.verb.form, *(phrase.text for phrase in fact.phrases))), self.own)

    def _affirms(self, fact: Fact) -> bool:
        """Check whether a fact is said without a further condition, by a verb of the question or by "to be"."""
        verb = fact.verb
        cases = [families(p.text, self.own) for p in fact.phrases if p.role == Role.CONDITION]
        known_verb = verb.has(VerbFlag.COPULA) or families(verb.form, self.own) <= self.known
        plain = not (verb.negated or verb.hypothetical or fact.kind == FactKind.OUTCOME)
        return plain and known_verb and all(case <= self.question for case in cases)


def states_answer(text: str, item: Item) -> bool:
    """Check whether a text has a golden answer of an item, word for word or as the same quantity or date.

    Example:
        >>> states_answer("The interval is 12 months.", Item("q", "How often?", ("every 12 months",), "", "", "en", ()))
        True
    """
    return _has_answer(text, item, _figure(item.golden_answers[0], nearest_language(item.language)))


def _has_answer(text: str, item: Item, figure: str) -> bool:
    if figure:
        return nearest_language(item.language).same_value(text, figure, item.question)
    return any(f" {' '.join(words(each))} " in f" {' '.join(words(text))} " for each in item.golden_answers)


def _figure(answer: str, own: Language) -> str:
    """Return the part of an answer that is a quantity or date, "" if it has none.

    Example:
        >>> _figure("every four hours, day and night", nearest_language("en"))
        'four hours'
    """
    first = _AFTER_VALUE.split(answer, maxsplit=1)[0]
    rests = (first[match.start() :] for match in _WORD_START.finditer(first))
    return next((rest for rest in (answer, *rests) if own.quantity(rest)), "")


def joined_places(parts: Iterable[Excerpt]) -> list[tuple[int, int]]:
    """Return where the parts of a fact are, those near each other as one place.

    Example:
        >>> joined_places([Excerpt("Tern", 40, 44), Excerpt("Weight", 9, 15), Excerpt("62 g", 1000, 1004)])
        [(9, 44), (1000, 1004)]
    """
    joined: list[tuple[int, int]] = []
    for start, end in sorted({(part.start, part.end) for part in parts if part.start < part.end}):
        if joined and start - joined[-1][1] <= LIMITS.evidence_gap:
            joined[-1] = (joined[-1][0], max(end, joined[-1][1]))
        else:
            joined.append((start, end))
    return joined


# ---- sentences and cells by the words they have -----------------------------------------------------


class _StatementIndex:
    """The sentences and cells of a corpus by the families of their words, and by those of the headings over them."""

    def __init__(self, knowledge: Knowledge) -> None:
        codes = {name: page.language for name, page in knowledge.documents.items() if page.language in LANGUAGES}
        cells = (fact for fact in knowledge.structure if fact.kind == StructureKind.CELL)
        units: list[Sentence | StructureFact] = [*knowledge.statements.sentences, *cells]
        self._units = [unit for unit in units if unit.doc in codes]
        self._with: dict[str, array[int]] = defaultdict(lambda: array("I"))
        self._under: dict[tuple[str, int], array[int]] = defaultdict(lambda: array("I"))
        self._headed: dict[str, list[tuple[str, int]]] = defaultdict(list)
        for number, unit in enumerate(self._units):
            for word in families(_text(unit), nearest_language(codes[unit.doc])):
                self._with[word].append(number)
            self._under[unit.doc, unit.section].append(number)
        for doc, section in self._under:
            path = knowledge.documents[doc].sections[section].path
            for word in families(" ".join(path), nearest_language(codes[doc])):
                self._headed[word].append((doc, section))

    def near(self, required: Iterable[str]) -> list[Sentence | StructureFact]:
        """Return what has one of the two rarest words required, in itself or in a heading over it; in order.

        Two, since a cell need not have the verb.
        """
        rarest = sorted((self._all_with(word) for word in sorted(required)), key=len)[:2]
        return [self._units[number] for number in sorted(set[int]().union(*rarest))]

    def _all_with(self, word: str) -> set[int]:
        under = (number for place in self._headed.get(word, ()) for number in self._under[place])
        return {*self._with.get(word, ()), *under}


def _text(unit: Sentence | StructureFact) -> str:
    if isinstance(unit, Sentence):
        return unit.text
    corner = [unit.corner] if unit.corner else []
    return " ".join(part.text for part in (*corner, *unit.excerpts))


def _span(unit: Sentence | StructureFact, documents: Mapping[str, Document]) -> Span | None:
    """Return the place of a sentence or cell, None for a cell whose heads are too far from it to be one piece."""
    document = documents[unit.doc]
    if isinstance(unit, Sentence):
        return document.span(unit.start, unit.end)
    places = joined_places(unit.excerpts)
    return document.span(*places[0]) if len(places) == 1 else None
