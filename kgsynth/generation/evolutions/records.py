"""Scenarios over records, named things with typed attributes: one figure, two of them, all that share a value.

A record is the row of a table, with the heads of columns as attributes, or a page with fields. Rows with the same
corner and head are one class, also in several documents, and so are the pages of a folder; what records say together
may stand in one passage or in several.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from decimal import Decimal
from itertools import combinations, pairwise, product
from operator import attrgetter

from kgsynth.base.records import Scenario, StructureFact
from kgsynth.base.thresholds import LIMITS
from kgsynth.base.vocabulary import StructureKind
from kgsynth.evidence.knowledge import Knowledge
from kgsynth.evidence.quantities import Figure, figure_of, owners, plain_value, row_of, table_of
from kgsynth.language.figures import RESTATED, change
from kgsynth.language.text_words import names_rows, part_of_year

_Key = tuple[str, ...]
_table = attrgetter("fact.doc", "fact.group")


def walk_figure(knowledge: Knowledge) -> Iterator[Scenario]:
    """Yield a scenario for each figure of a year or day that no other table contradicts."""
    for by_period in knowledge.derived(figures).values():
        for same in by_period.values():
            yield Scenario("simple", "figure", (), structure=(same[0].fact,))


def walk_change(knowledge: Knowledge) -> Iterator[Scenario]:
    """Yield a scenario for two figures of neighbouring periods, and for the first and last of several tables."""
    for by_period in knowledge.derived(figures).values():
        found = sorted(by_period.values(), key=lambda same: same[0].period.order)
        for befores, afters in [*pairwise(found), *([(found[0], found[-1])] if len(found) > 2 else ())]:
            pairs = list(product(befores, afters))
            first, last = min(pairs, key=lambda pair: _table(pair[0]) != _table(pair[1]))
            if change(first.amount, last.amount):
                facts = (first.fact, last.fact)
                yield Scenario(_type(facts, "reasoning"), "change", (), structure=facts)


def figures(knowledge: Knowledge) -> dict[_Key, dict[tuple[int, str], list[Figure]]]:
    """Return the figures of each thing by period, from each table.

    Those are left out that tables disagree on, that were restated, or that a table has several of under one name.
    """
    found: dict[_Key, dict[tuple[int, str], list[Figure]]] = defaultdict(lambda: defaultdict(list))
    values: dict[tuple[object, ...], dict[str, set[Decimal]]] = defaultdict(lambda: defaultdict(set))
    in_table: Counter[tuple[object, ...]] = Counter()
    for figure, key, row in knowledge.derived(_figures):
        found[key][figure.period.order].append(figure)
        values[row][figure.fact.doc].add(figure.amount.value)
        in_table[row, figure.fact.doc, figure.fact.group] += 1
    for key in [key for key in found if key[-1].endswith(RESTATED)]:
        for order in found[key]:  # the year alone does not say which of the two is meant
            found[*key[:-1], key[-1].removesuffix(RESTATED)].pop(order, None)
    apart = {row for row, told in values.items() if any(a.isdisjoint(b) for a, b in combinations(told.values(), 2))}
    for figure, key, row in knowledge.derived(_figures):
        if row in apart or in_table[row, figure.fact.doc, figure.fact.group] > 1:
            found[key].pop(figure.period.order, None)
    return {
        key: {order: same for order, same in by_period.items() if len({each.text for each in same}) == 1}
        for key, by_period in found.items()
    }


def _figures(knowledge: Knowledge) -> list[tuple[Figure, _Key, tuple[object, ...]]]:
    """Return each figure, with what it is of under its table, and what it is called in any table."""
    found: list[tuple[Figure, _Key, tuple[object, ...]]] = []
    whose = knowledge.derived(owners_in)
    for fact in knowledge.structure:
        document = knowledge.documents[fact.doc]
        path = document.sections[fact.section].path
        if (figure := figure_of(fact)) and not part_of_year(figure.period.kind, (document.title, *path)):
            names = (whose[fact.doc], figure.measure, *row_of(fact), figure.period.kind)
            owner, measure, *_, row, kind = (name.casefold() for name in names)
            key = (table_of(fact, path).casefold(), *(name.casefold() for name in names))
            found.append((figure, key, (owner, measure, row, kind, figure.period.order)))
    return found


def owners_in(knowledge: Knowledge) -> dict[str, str]:
    """Return whose figures each document has."""
    return owners(knowledge.documents)


def walk_members(knowledge: Knowledge) -> Iterator[Scenario]:
    """Yield a scenario for the records of a class that share a value which others of the class do not have."""
    for cells in _classes(knowledge):
        by_value: dict[str, list[StructureFact]] = defaultdict(list)
        for cell in cells:
            by_value[plain_value(cell)].append(cell)
        for same in by_value.values():
            names = {cell.subject.text.casefold() for cell in same}
            if 1 < len(same) == len(names) <= LIMITS.members_max and len(same) < len(cells):
                yield Scenario(_type(same, "simple"), "members", (), structure=tuple(same))


def _classes(knowledge: Knowledge) -> Iterator[list[StructureFact]]:
    """Yield the cells of each attribute of a class of records; a record with two values tells nothing for sure."""
    found: dict[_Key, list[StructureFact]] = defaultdict(list)
    for fact in knowledge.structure:
        if fact.kind == StructureKind.FIELD and fact.heads:
            found[fact.doc.rpartition("/")[0], fact.heads[0].text.casefold()].append(fact)
        elif fact.kind == StructureKind.CELL and len(fact.heads) == 1 and fact.corner and not fact.scope:
            corner, head = fact.corner.text.casefold(), fact.heads[0].text.casefold()
            place = (fact.doc, str(fact.group)) if names_rows(corner) else ()
            found[corner, head, *place].append(fact)
    for cells in found.values():
        names = Counter(cell.subject.text.casefold() for cell in cells)
        if len(cells) >= LIMITS.class_min and max(names.values()) == 1:
            yield cells


def _type(facts: Sequence[StructureFact], inside: str) -> str:
    """Return multi_context for facts that no passage of a common size holds together, otherwise ``inside``.

    The unit of a table, which may stand far above it, is no fact of its own.
    """
    parts = [part for fact in facts for part in (fact.subject, *fact.values)]
    extent = max(part.end for part in parts) - min(part.start for part in parts)
    apart = len({fact.doc for fact in facts}) > 1 or extent > LIMITS.passage_characters
    return "multi_context" if apart else inside
