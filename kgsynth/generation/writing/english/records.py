"""Questions over records: a figure of a year, its change, and the records that share a value."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterator

from kgsynth.base.records import Scenario, StructureFact
from kgsynth.base.thresholds import LIMITS
from kgsynth.base.vocabulary import StructureKind
from kgsynth.evidence.knowledge import Knowledge
from kgsynth.evidence.quantities import Figure, figure_of, plain_value, table_of
from kgsynth.evidence.statements import column_of
from kgsynth.generation.evolutions.records import owners_in
from kgsynth.generation.writing.draft import QuestionDraft, UnwrittenError, Why, said_step
from kgsynth.generation.writing.english.layout import in_lower_case, scoped
from kgsynth.generation.writing.english.scope import common_scope
from kgsynth.generation.writing.english.tables import is_example, kind_of_rows, names_row
from kgsynth.golden.answer_members import joined_members
from kgsynth.language.english.forms import bare_title, cell_question, is_askable, kind_noun, record_question
from kgsynth.language.english.lexicon import PATTERNS, WORDS
from kgsynth.language.english.morphology import inflected, is_noun, singular
from kgsynth.language.figures import change, note_mark, without_unit

# Figures over periods: "What were Acme's net sales in 2023?", "By how much did they increase from 2022 to 2023?"

_MAX_MEASURE_WORDS = 6
_COUNTED = re.compile(r"(?P<whose>.+)['’]s? number of (?P<things>[\w -]+?)(?P<place>(?: in .+)?)")


def figure(scenario: Scenario, knowledge: Knowledge) -> Iterator[QuestionDraft]:
    """Yield the question for a figure of a period."""
    (fact,) = scenario.structure
    found = _figure(fact)
    thing, plural = _measured(found, knowledge)
    when = f"{'at' if found.period.kind.startswith('day') else 'in'} {found.period.label}"
    text = f"What {'were' if plural else 'was'} {thing} {when}?"
    if counted := _COUNTED.fullmatch(thing):
        text = f"How many {counted['things']} did {counted['whose']} have{counted['place']} {when}?"
    answers = tuple(dict.fromkeys((found.text, found.text.replace(",", ""))))
    place = None
    if counted:  # only the title says what is counted
        title = knowledge.documents[fact.doc].sections[fact.section]
        place = (title.start, fact.values[0].end)
        if place[1] - place[0] > LIMITS.passage_characters:
            raise UnwrittenError(Why.POINTS)
    yield QuestionDraft(text, answers, "figure", (said_step(fact),), answer_kind="computed", place=place)


def changed(scenario: Scenario, knowledge: Knowledge) -> Iterator[QuestionDraft]:
    """Yield the question by how much a figure rose or fell between two periods."""
    first, last = map(_figure, scenario.structure)
    thing, _ = _measured(last, knowledge)
    verb = "increase" if last.amount.value > first.amount.value else "decrease"
    text = f"By how much did {thing} {verb} from {first.period.label} to {last.period.label}?"
    steps = tuple(map(said_step, scenario.structure))
    yield QuestionDraft(text, (change(first.amount, last.amount),), "change", steps, answer_kind="computed")


def _figure(fact: StructureFact) -> Figure:
    found = figure_of(fact)
    if found is None:
        raise UnwrittenError(Why.VALUE)
    return found


def _measured(figure: Figure, knowledge: Knowledge) -> tuple[str, bool]:
    """Return what a figure measures, with whose it is, and whether it is plural.

    Raises:
        UnwrittenError: the row is not a measure, and the title of the table names none either.
    """
    fact, names = figure.fact, knowledge.statements.names
    document = knowledge.documents[fact.doc]
    row = without_unit(fact.subject.text.removesuffix(note_mark(fact.subject.text)).strip(" :"))
    title = bare_title(table_of(fact, document.sections[fact.section].path))
    by = None if figure.measure else PATTERNS["measure_by_kind"].match(title)
    counted = title if singular(title.lower()) in WORDS["counted_measures"] else ""
    told = figure.measure or (by["measure"] if by else f"number of {counted}" if counted else "")
    average = "average " if row.lower().startswith("average ") else ""
    things = row[len(average) :]
    several = singular(things.lower()) != things.lower() and singular(things.lower()) in WORDS["counted_measures"]
    measure = in_lower_case(told or (f"{average}number of {things}" if several else row), names)
    head = re.split(r" (?:of|in|from|for|per|before|after|to|used|provided)\b", measure)[0].split()[-1].lower()
    if (
        singular(head) not in WORDS["measures"]
        or len(measure.split()) > _MAX_MEASURE_WORDS
        or re.search(r"[(,]", measure)
    ):
        raise UnwrittenError(Why.ROW)
    if measure.lower() in WORDS["sums"] or PATTERNS["of_a_moment"].search(measure):
        raise UnwrittenError(Why.ROW)
    if figure.amount.has_unit is bool(counted or singular(head) in WORDS["counted_measures"]):
        raise UnwrittenError(Why.VALUE)  # people in millions of euros, or sales without a unit
    if " per " in measure and figure.amount.before and figure.amount.after:
        raise UnwrittenError(Why.VALUE)  # the unit of the table: "earnings per share of £24 million"
    if told:
        kind = by["kind"].lower() if by else kind_of_rows(fact, knowledge) or kind_noun(title, plural=True)
        if not kind or row.lower() in WORDS["sums"] or not names_row(row):
            raise UnwrittenError(Why.ROW)
        place = singular(kind.split()[-1]) in WORDS["places"]
        named = f"the {row}" if PATTERNS["takes_the"].search(row) else row
        measure = f"{measure} in {named}" if place else f"{measure} in the {row} {singular(kind)}"
    plural = singular(head) != head or " and " in measure or head in WORDS["plural_measures"]
    owners = knowledge.derived(owners_in)
    whose, several = owners[fact.doc], len({*owners.values()}) > 1
    if not whose and several:
        raise UnwrittenError(Why.PAGE)
    whose = whose or (knowledge.derived(common_scope) or ("", ""))[1]
    if whose:
        measure = f"{whose}{'’' if whose.endswith('s') else '’s'} {measure}"
    return measure, plural


# Records of one class: "Which plans have a price of $10?"


def members(scenario: Scenario, knowledge: Knowledge) -> Iterator[QuestionDraft]:
    """Yield the question for all records of a class that share a value."""
    facts = scenario.structure
    first, value = facts[0], facts[0].values[0].text.strip(" .")
    attribute, kind = _attribute(first, knowledge), _kind_of_records(first, knowledge)
    if not is_askable(value) or len(value.split()) > _MAX_MEASURE_WORDS:
        raise UnwrittenError(Why.VALUE)
    columns = knowledge.derived(column_of).items()
    beside = (
        cells
        for (doc, group, column), cells in columns
        if (doc, group) == (first.doc, first.group) and column != first.column
    )
    if any(plain_value(cell) == plain_value(first) for cells in beside for cell in cells):
        raise UnwrittenError(Why.VALUE)  # a tick or "off", which other columns have as well
    whose = f"the {value}" if value.split()[-1].islower() and value[0].isupper() else value  # "the Procurement desk"
    form = record_question(attribute, kind, whose, knowledge.statements.names)
    if not form:
        raise UnwrittenError(Why.COLUMN)
    answer = joined_members([fact.subject.text for fact in facts], steps=False)
    named = any(word[:1].isupper() for word in form.split()[1:])
    texts = list(scoped(form, first, knowledge, alone=named))  # as it is only if it has a name
    if not texts:
        raise UnwrittenError(Why.PAGE)
    for text in texts:
        yield QuestionDraft(text, (answer,), "members", tuple(map(said_step, facts)), answer_kind="list")


def _attribute(fact: StructureFact, knowledge: Knowledge) -> str:
    """Return the attribute that a column gives, as a question names it."""
    if is_example(fact, knowledge):
        raise UnwrittenError(Why.EXAMPLE)
    if not names_row(fact.subject.text.strip()):
        raise UnwrittenError(Why.ROW)
    values = [fact.values[0].text]
    asked = PATTERNS["asks_for_attribute"].match(
        cell_question(fact.heads[-1].text.replace("_", " "), "X", values, names=knowledge.statements.names)
    )
    if not asked:
        raise UnwrittenError(Why.COLUMN)
    return asked["of"] or asked["place"]


def _kind_of_records(fact: StructureFact, knowledge: Knowledge) -> str:
    """Return the noun in the plural for a class of records: the head of their names, or the title of their table."""
    if fact.kind == StructureKind.FIELD:
        return knowledge.derived(_kinds_of_pages)[fact.doc.rpartition("/")[0]]
    kind = kind_of_rows(fact, knowledge)
    if kind:
        *before, last = kind.split()
        return " ".join([*before, inflected(last, "NNS")])
    title = in_lower_case(knowledge.documents[fact.doc].sections[fact.section].title, knowledge.statements.names)
    last = title.split()[-1]
    if singular(last) == last or len(title.split()) > 3 or not names_row(title):
        raise UnwrittenError(Why.ROW)
    return title


def _kinds_of_pages(knowledge: Knowledge) -> dict[str, str]:
    """Return what the pages of each folder are called: as their titles end, or as the folder is called; else pages."""
    ends: dict[str, Counter[str]] = defaultdict(Counter)
    for doc, document in knowledge.documents.items():
        ends[doc.rpartition("/")[0]][document.title.lower().rpartition(" ")[2]] += 1
    kinds = {}
    for folder, words in ends.items():
        (last, times), name = words.most_common(1)[0], folder.rpartition("/")[2].lower()
        own = name if name != singular(name) and is_noun(singular(name)) else "pages"
        kinds[folder] = inflected(last, "NNS") if 2 * times > words.total() and is_noun(last) else own
    return kinds
