"""Write the questions of scenarios by the rules of the document's language, with evidence and derivation."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from importlib import import_module
from typing import Any, NamedTuple, Protocol, cast

from kgsynth.base.choices import LANGUAGE_PACKAGES
from kgsynth.base.records import Document, Excerpt, Fact, Item, Scenario, Span, StructureFact, item_id, placed_id
from kgsynth.base.vocabulary import Role, StructureKind
from kgsynth.evidence.citing import joined_places
from kgsynth.evidence.knowledge import Knowledge
from kgsynth.generation.writing.draft import QuestionDraft, UnwrittenError, Why
from kgsynth.language import language

WRITERS: dict[str, str] = {code: f"{__name__}.{name}" for code, name in LANGUAGE_PACKAGES.items()}
"""Language code -> the module that writes its questions."""

_MAX_KEYWORDS = 12


class Writer(Protocol):
    """What the module of a language provides."""

    def write(self, scenario: Scenario, knowledge: Knowledge) -> Iterator[QuestionDraft]:
        """Yield the questions for a scenario; raise an ``UnwrittenError`` when it has none."""

    def is_worth_asking(self, scenario: Scenario, knowledge: Knowledge, draft: QuestionDraft) -> bool:
        """Check whether people would ask a question, by its form."""

    def framed(self, scenario: Scenario, knowledge: Knowledge, draft: QuestionDraft) -> Iterator[QuestionDraft]:
        """Yield the question with what it must name to be understood without its page."""


@cache
def _writer(code: str) -> Writer:
    return cast(Writer, import_module(WRITERS[code]))


def scoped(question: str, kind: str, fact: Fact, knowledge: Knowledge) -> str:
    """Return a question on a fact with the scope of its page if it needs one; "" if the page has no short one."""
    scenario, draft = Scenario("", kind, (fact,)), QuestionDraft(question, (), "", ())
    try:
        return next(iter(_writer(knowledge.documents[fact.doc].language).framed(scenario, knowledge, draft))).question
    except UnwrittenError:
        return ""


class Candidate(NamedTuple):
    """A written question with its scenario, which the filters need."""

    item: Item
    scenario: Scenario


def compose(
    scenarios: Iterable[Scenario],
    knowledge: Knowledge,
    *,
    every_form: bool = False,
    unwritten: Counter[tuple[str, str]] | None = None,
) -> Iterator[Candidate]:
    """Yield a candidate for each phrasing of each scenario, in their order, without repeated items.

    Questions that people would not ask, by their form, are left out unless ``every_form``. Scenarios without a
    candidate are counted in ``unwritten`` by question type and the first reason that was found.
    """
    written: set[str] = set()
    for scenario in scenarios:
        code = knowledge.documents[scenario.doc].language
        writer, before = _writer(code), len(written)
        reasons: list[Why] = []
        for draft in _drafts(scenario, knowledge, writer, reasons, every_form=every_form):
            item = _item(scenario, knowledge, draft, code)
            if (ident := placed_id(item)) in written:
                reasons.append(Why.AGAIN)
            else:
                written.add(ident)
                yield Candidate(item, scenario)
        if unwritten is not None and len(written) == before:
            unwritten[scenario.question_type, next(iter(reasons), Why.OTHER)] += 1


def _drafts(
    scenario: Scenario, knowledge: Knowledge, writer: Writer, reasons: list[Why], *, every_form: bool
) -> Iterator[QuestionDraft]:
    """Yield what a writer writes; unless ``every_form``, only what people would ask, with its scope where needed.

    Why something is left out is added to ``reasons``.
    """
    with _noted(reasons):
        for draft in writer.write(scenario, knowledge):
            if every_form:
                yield draft
                continue
            with _noted(reasons):
                if writer.is_worth_asking(scenario, knowledge, draft):
                    yield from writer.framed(scenario, knowledge, draft)
                else:
                    reasons.append(Why.OTHER)


@contextmanager
def _noted(reasons: list[Why]) -> Iterator[None]:
    try:
        yield
    except UnwrittenError as error:
        reasons.append(error.why)


def _item(scenario: Scenario, knowledge: Knowledge, draft: QuestionDraft, language_code: str) -> Item:
    answerable = scenario.question_type != "unanswerable"
    whole = () if draft.place else _evidence(scenario, knowledge)
    part = ((knowledge.documents[scenario.doc].span(*draft.place),),) if draft.place else ()
    evidence = (part or whole) if answerable else ()
    sources = () if answerable else tuple(dict.fromkeys(_sentence(knowledge, fact) for fact in scenario.rivals))
    last = (scenario.facts or scenario.structure)[-1]
    shared = overlap(draft.question, evidence, language_code)
    return Item(
        id=item_id(draft.question, draft.answers, evidence),
        question=draft.question,
        golden_answers=draft.answers,
        question_type=scenario.question_type,
        subtype=scenario.subtype,
        language=language_code,
        evidence=evidence,
        derivation={"operator": draft.operator, "steps": list(draft.steps), **draft.extra},
        hard_negatives=sources,
        answerable=answerable,
        answer_kind=draft.answer_kind,
        metadata={
            "category": last.doc.rpartition("/")[0] or knowledge.documents[last.doc].sections[last.section].path[0],
            "source": "kgsynth",
            "writer": "rules",
            "keywords": _keywords(scenario),
            "scores": {"overlap": shared},
        },
    )


def overlap(question: str, evidence: Iterable[Sequence[Span]], code: str) -> float:
    """Return the share of the question's content words that occur in the first span of each evidence group."""
    content = language(code).content_stems
    asked = set(content(question))
    found = {word for group in evidence for span in group[:1] for word in content(span.text)}
    return round(len(asked & found) / len(asked), 4) if asked else 0.0


def _evidence(scenario: Scenario, knowledge: Knowledge) -> tuple[tuple[Span, ...], ...]:
    """Return an evidence group for each fact: its sentence, or what of the layout it rests on."""
    groups = [(_sentence(knowledge, fact),) for fact in scenario.facts]
    for facts in _of_one_table(scenario.structure):
        document = knowledge.documents[facts[0].doc]
        parts = (part for fact in facts for part in (*_whole_heads(fact, document), *fact.excerpts))
        groups += [(document.span(start, end),) for start, end in joined_places(parts)]
    return tuple(groups)


def _whole_heads(fact: StructureFact, document: Document) -> Iterator[Excerpt]:
    """Yield the heads of a cell from the beginning of their line, which shows the column that each is above."""
    for head in fact.heads if fact.kind == StructureKind.CELL else ():
        start = max(document.text.rfind("\n", 0, head.start) + 1, document.containers[fact.group].start)
        yield Excerpt(document.text[start : head.end], start, head.end)


def _of_one_table(facts: Sequence[StructureFact]) -> list[tuple[StructureFact, ...]]:
    """Return facts one by one, those of cells of one table together."""
    tables: dict[Any, list[StructureFact]] = {}
    for fact in facts:
        tables.setdefault((fact.doc, fact.group) if fact.kind == StructureKind.CELL else fact.id, []).append(fact)
    return [tuple(found) for found in tables.values()]


def _sentence(knowledge: Knowledge, fact: Fact) -> Span:
    return knowledge.documents[fact.doc].span(fact.start, fact.end)


def _keywords(scenario: Scenario) -> list[str]:
    if not scenario.facts:
        return []
    asked = scenario.facts[-1].phrases[scenario.asked]
    words = {
        word
        for fact in scenario.facts
        for p in fact.phrases
        if p is not asked and p.role != Role.MANNER
        for word in p.lemmas
    }
    return sorted(words)[:_MAX_KEYWORDS]
