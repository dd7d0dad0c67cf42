"""Questions on the cells of tables: a row that has a name is asked by it, others in the scope of their page."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from typing import NamedTuple

from kgsynth.base.records import Scenario, StructureFact
from kgsynth.base.vocabulary import StructureKind
from kgsynth.evidence.knowledge import Knowledge
from kgsynth.evidence.list_answers import said
from kgsynth.evidence.statements import column_of
from kgsynth.generation.writing.draft import QuestionDraft, UnwrittenError, Why, said_step
from kgsynth.generation.writing.english.drafts import fronted
from kgsynth.generation.writing.english.layout import in_lower_case, is_specific, scoped
from kgsynth.generation.writing.english.scope import block_above, rules_over, topic_of
from kgsynth.generation.writing.english.written_names import (
    as_written,
    has_article,
    is_written_as_noun,
    names_in_titles,
    with_article,
)
from kgsynth.language.english.forms import (
    bare_title,
    cell_question,
    indefinite,
    is_askable,
    is_code,
    kind_noun,
    placed_question,
    plain_case,
    row_kind,
    says_what,
)
from kgsynth.language.english.lexicon import PATTERNS, WORDS
from kgsynth.language.english.morphology import (
    is_adjective,
    is_base_verb,
    is_noun,
    is_only_verb,
    is_word,
    lemma_of,
    singular,
)
from kgsynth.language.english.question_checks import content_stems
from kgsynth.language.figures import is_currency, is_unit

# Questions on the cells of tables: "What is the maximum file size on the Team plan?", "Who owns …?".

_MAX_NAME_WORDS = 5
_DIGEST_LETTERS = 28  # letters: longer ones are digests and the like


def look_up(scenario: Scenario, knowledge: Knowledge) -> Iterator[QuestionDraft]:
    """Yield the question for the value of a cell."""
    (fact,) = scenario.structure
    value = fact.values[0].text
    if is_example(fact, knowledge):
        raise UnwrittenError(Why.EXAMPLE)
    if len(fact.heads) > 1 or fact.scope or says_what(fact.heads[-1].text):
        raise UnwrittenError(Why.COLUMN)
    if not (is_askable(value) or value.isdigit()):
        raise UnwrittenError(Why.VALUE)
    try:
        texts = list(_by_name(fact, knowledge))
    except UnwrittenError:
        texts = [_in_place(fact, knowledge)]
    for text in texts:
        yield QuestionDraft(text, (said(fact),), "said", (said_step(fact),))


def _by_name(fact: StructureFact, knowledge: Knowledge) -> Iterator[str]:
    names, (head, row, corner, values, _, turned, _) = knowledge.statements.names, _read(fact, knowledge)
    if knowledge.derived(_times_asked)[_asked_by(fact, "")] > 1:
        raise UnwrittenError(Why.PAGE)
    if not names_row(row):
        raise UnwrittenError(Why.ROW)
    if not is_askable(fact.values[0].text):
        raise UnwrittenError(Why.VALUE)
    if says_what(head) or PATTERNS["names_documents"].search(corner):
        raise UnwrittenError(Why.COLUMN)
    kind = "" if turned else kind_of_rows(fact, knowledge)
    shown = _row_as_written(row, kind, fact, knowledge)
    if turned:
        if not shown or shown[0].islower():
            raise UnwrittenError(Why.ROW)
        if singular(head.split()[-1].lower()) != head.split()[-1].lower():
            raise UnwrittenError(Why.COLUMN)
        shown = f"the {shown}" if shown.split()[-1].islower() else shown
    question = cell_question(head, shown, values, kind=kind, names=names) if shown else ""
    if not question:
        raise UnwrittenError(Why.COLUMN if shown else Why.ROW)
    if shown == f"the {row}" and not is_specific(row, names) and all(map(is_word, row.split())):
        raise UnwrittenError(Why.ROW)
    alone = bool(shown) and (shown.startswith("the ") or not shown[0].islower())
    alone = is_specific(row, names) if is_code(row) else alone
    texts = list(scoped(question, fact, knowledge, alone=alone))
    if not texts:
        raise UnwrittenError(Why.PAGE)
    rules = rules_over(fact, knowledge)
    named = len(row.split()) > 1 and all(word[:1].isupper() and word.isalpha() for word in row.split())
    for text in texts:
        known = set(content_stems(text)) & set(content_stems(rules))
        yield text if not rules or named or known else fronted(text, *rules.split(" ", 1))


def is_example(fact: StructureFact, knowledge: Knowledge) -> bool:
    """Check whether the heading or the sentence above a table calls it an example."""
    document = knowledge.documents[fact.doc]
    top = min(part.start for part in (*fact.heads, fact.subject, *fact.values, *filter(None, [fact.corner])))
    above = block_above(document, top, fact.section)
    lead = above.text if above and above.kind in ("paragraph", "item") else ""
    return any(PATTERNS["called_example"].search(text) for text in (document.sections[fact.section].title, lead))


def _row_as_written(row: str, kind: str, fact: StructureFact, knowledge: Knowledge) -> str:
    """Return how a question names a row: with its kind or an article if the documents write it so."""
    names = knowledge.statements.names
    shown = row_name(row, kind, names)
    if is_code(row) or shown.startswith("the "):
        return shown
    first, _, rest = shown.partition(" ")
    if first.istitle() and rest.islower():
        document = knowledge.documents[fact.doc]
        titles = (document.sections[fact.section].title, document.title)
        things = next(filter(None, (kind_noun(title, plural=True) for title in titles)), "")
        if things and not shown.endswith(things):
            return f"the {shown} {things}"  # "Screed program" is a setting
    written = as_written(f"x {shown or in_lower_case(row, names)}", fact, knowledge).removeprefix("x ")
    ordinary = is_noun(singular(written.split()[-1])) and singular(written.split()[-1]) == written.split()[-1]
    if not ordinary:
        return written if shown else ""
    return (with_article(written, knowledge) if " " in written else "") or shown


class _Asked(NamedTuple):
    """A cell as it is asked for: its attribute, the thing that has it, what the things are, and all values of both.

    ``turned`` if the columns are the things; a ``grid`` has no corner and mostly figures: both its rows and its
    columns are cases of what its title says. ``things`` are the heads beside that of the thing, in lower case.
    """

    head: str
    row: str
    corner: str
    values: list[str]
    things: list[str]
    turned: bool
    grid: bool


def _read(fact: StructureFact, knowledge: Knowledge) -> _Asked:
    head, row = fact.heads[-1].text.strip(" :"), fact.subject.text.strip(" .:–-")
    corner = fact.corner.text.strip(" :") if fact.corner else ""
    columns = knowledge.derived(column_of)
    cells = [cell for key, found in columns.items() if key[:2] == (fact.doc, fact.group) for cell in found]
    grid = not corner and 2 * sum(_is_figure(cell.values[0].text) for cell in cells) > len(cells)
    turned = not grid and bool(PATTERNS["names_attributes"].match(corner))
    beside = [cell for cell in cells if (cell.row == fact.row if turned else cell.column == fact.column)]
    values, things = (
        [part.text for part in parts] for parts in zip(*((c.values[0], c.subject) for c in beside), strict=True)
    )
    if turned:
        return _Asked(row, head, "", values, [], True, False)
    return _Asked(head, row, corner, values, things, False, grid)


def kind_of_rows(fact: StructureFact, knowledge: Knowledge) -> str:
    """Return the noun for what the rows of a table are: from its corner, or the title above if they are code."""
    kind = row_kind(fact.corner.text) if fact.corner else ""
    if kind or not is_code(fact.subject.text):
        return kind
    return kind_noun(knowledge.documents[fact.doc].sections[fact.section].title, plural=True)


def names_row(row: str) -> bool:
    """Check whether the head of a row is a name for a question, not a sentence or number."""
    words = row.split()
    sentence = len(words) > 2 and is_base_verb(words[0].lower()) and not is_noun(words[0].lower())
    return (
        0 < len(words) <= _MAX_NAME_WORDS
        and all(len(word) <= _DIGEST_LETTERS for word in words)
        and bool(re.search(r"[^\W\d_]{2}", row))
        and not PATTERNS["no_name"].search(row)
        and not sentence
        and not re.search(r"(?i)\b(?:is|are|was|were|not|when|if|or|you|we|your|our|to)\b", row)
    )


def row_name(row: str, kind: str, names: frozenset[str]) -> str:
    """Return how a question names a row: "the Team plan", "the --force option", "Norway"; "" if it cannot."""
    last = kind.split()[-1] if kind else ""
    if last and row.split()[-1].lower() in (last, f"{last}s"):
        return f"the {row}"
    if last and (last in WORDS["after_names"] or is_code(row)):
        return f"the {row} {kind}"
    words = [word for word in row.split() if word[0].isalpha()]
    if len(words) > 1 and all(word[0].isupper() for word in words):
        return row  # a name
    shown = in_lower_case(row, names)
    plain = all(is_word(word) for word in re.findall(r"[A-Za-z]+", shown)) and not is_code(row) and shown[0].islower()
    if not plain:
        return shown
    noun = shown.split()[-1]
    if singular(noun) != noun:
        return shown
    return ""


# Cells whose row has no name of its own are asked in the scope of their page: "For expenses rates from 1 April 2024,
# what is the limit for an evening meal?"

_MAX_ROW_WORDS = 9
_MAX_VALUE_WORDS = 14
_AFTER_NOUN = re.compile(r"\s*[(,/:–—]| (?:-|of|for|in|to|per|on|with|from|at|by|excl)(?!\w)")


def _in_place(fact: StructureFact, knowledge: Knowledge) -> str:
    """Return the question for a cell in the scope of its page.

    Raises:
        UnwrittenError: the row, its column or the title of the page cannot be asked by, or another cell is asked so.
    """
    document, names, value = knowledge.documents[fact.doc], knowledge.statements.names, fact.values[0].text
    asked = _read(fact, knowledge)
    figures = 2 * sum(map(_is_figure, asked.values)) > len(asked.values)
    long = len(value.split()) > _MAX_VALUE_WORDS
    if (figures and not _is_figure(value)) or long or PATTERNS["needs_context"].search(value.lstrip('£$€~≈<>≤≥“"')):
        raise UnwrittenError(Why.VALUE)
    row = _placed_row(asked, fact, knowledge)
    if not row:
        raise UnwrittenError(Why.ROW)
    people = any(WORDS["person_nouns"] & set(re.findall(r"\w+", text.lower())) for text in asked.values)
    place, title = _place(document.title, knowledge.derived(names_in_titles)), document.sections[fact.section].title
    measure = (_measure(title) or _measure(document.title)) if figures else ""
    noun = _noun_of(asked.head, knowledge)
    question = placed_question(
        asked.head,
        row,
        asked.values,
        value=value,
        noun=noun,
        measure=measure,
        case="yes" if PATTERNS["range"].search(asked.row) else "",
        people="yes" if people else "",
        names=names,
    )
    if (
        not question
        or (asked.grid and not measure)
        or " for " in measure
        or asked.head in names
        or (measure and not noun and is_adjective(re.split(r"\W", asked.head.lower())[0]))  # "Basic"
    ):
        raise UnwrittenError(Why.COLUMN)
    if question.startswith("Who ") and is_adjective(value) and " " not in value:
        raise UnwrittenError(Why.VALUE)  # "automatic"
    if question.startswith("What ") and PATTERNS["opens_no_attribute"].match(value.lower()):
        raise UnwrittenError(Why.VALUE)  # "on top"
    bare = re.fullmatch(r"\d[\d,.]*", value) if measure else re.fullmatch(r"\d[\d,]*[.,]\d+", value)
    if bare and not is_unit(fact.name) and question.startswith("What ") and not re.search(r"\w[,/] ?\w", asked.head):
        raise UnwrittenError(Why.VALUE)  # without its unit
    if not place or knowledge.derived(_times_asked)[_asked_by(fact, document.title)] > 1:
        raise UnwrittenError(Why.PAGE)
    told = set(content_stems(place)) <= set(content_stems(question))
    if told:
        return question
    if _DONE.match(question) and not place.startswith("When "):
        return _with_subject(question, "" if asked.turned else place.removeprefix("For "), knowledge)
    if rules := rules_over(fact, knowledge):
        return fronted(question, *rules.split(" ", 1))
    if question.startswith("What is ") and not measure and not re.search(r"\b(?:19|20)\d\d\b", place):
        raise UnwrittenError(Why.PAGE)  # "For installation, what is the display for the large room?"
    return f"{place}, {question[0].lower()}{question[1:]}"


_DONE = re.compile(r"Who (?P<does>[a-z]+) it for ")


def _with_subject(question: str, name: str, knowledge: Knowledge) -> str:
    """Return a question with the topic of its page for "it": "Who approves special leave for …?".

    Raises:
        UnwrittenError: the page is about nothing that can stand for it.
    """
    done, last = _DONE.match(question), name.rpartition(" ")[2]
    if not done or not name or "," in name:
        raise UnwrittenError(Why.PAGE)
    mass = has_article(last, knowledge) is False or PATTERNS["uncounted"].search(last)
    counted = PATTERNS["titled_rules"].search(name) or (singular(last) == last and not mass)
    verb = f"{done['does']} on" if done["does"] == "decides" else done["does"]
    return f"Who {verb} {'the ' if counted else ''}{name} for {question[done.end() :]}"


def _asked_by(fact: StructureFact, title: str) -> tuple[str, ...]:
    return tuple(part.casefold() for part in (title, fact.subject.text, *(head.text for head in fact.heads)))


def _times_asked(knowledge: Knowledge) -> Counter[tuple[str, ...]]:
    """Return how many cells have the same row and column, under the same title ("" for any)."""
    cells = (fact for fact in knowledge.structure if fact.kind == StructureKind.CELL)
    return Counter(_asked_by(fact, title) for fact in cells for title in ("", knowledge.documents[fact.doc].title))


def _is_figure(value: str) -> bool:
    """Check whether a value begins with a figure, or with a word before one: "max. £5,000"."""
    return bool(re.match(r"\W*(?:[^\W\d]+\W+)?\d", value))


def _place(title: str, names: frozenset[str]) -> str:
    """Return where a question belongs by the title of its page: "For purchasing cards", "When you buy something"."""
    name = plain_case(re.split(r"\s*[(:–—]|\s-\s", topic_of(title) or bare_title(title))[0], names)
    if name.lower().startswith("how to "):
        return f"When you {name[len('how to ') :]}"
    told = name and not PATTERNS["generic_heading"].match(name) and not PATTERNS["report_title"].search(title)
    return f"For {name}" if told else ""


def _noun_of(head: str, knowledge: Knowledge) -> str:
    """Return the noun of a column, "" if it has none: a single word that may be a verb is one if the prose says so."""
    words = _AFTER_NOUN.split(head)[0].lower().split()
    if not words or not is_noun(singular(words[-1])) or words[-1] in WORDS["vague_kinds"]:
        return ""
    sure = len(words) > 1 or not is_base_verb(singular(words[-1])) or words[-1] in WORDS["attributes"]
    return words[-1] if sure or is_written_as_noun(words[-1], knowledge) else ""


def _measure(title: str) -> str:
    """Return what the figures of a table are by its title: "approval limit" for "Approval limits"."""
    name = plain_case(re.split(r"\s*[(:–—]|\s-\s", bare_title(title))[0], frozenset())
    name = name.partition(" by ")[0]
    *before, last = _AFTER_NOUN.split(name)[0].split() or [""]
    one = singular(last.lower())
    if one == last.lower() or one not in WORDS["table_measures"] or "and" in before:
        return ""
    return " ".join([*before, one]) + name[len(" ".join([*before, last])) :]


def _placed_row(asked: _Asked, fact: StructureFact, knowledge: Knowledge) -> str:
    """Return how a question names a row after "for"; "" if it cannot."""
    names, row = knowledge.statements.names, asked.row
    kind = _kind_by_corner(asked, knowledge.documents[fact.doc].title, names)
    if PATTERNS["range"].search(row):
        return _range_of(asked, kind, knowledge)
    words = row.split()
    if len(words) > _MAX_ROW_WORDS or _is_clause(row.lower().split()) or PATTERNS["no_placed_row"].search(row):
        return ""
    if re.fullmatch(r"[A-Z]{1,3}\d{0,3}", row) and (kind or not is_code(row)):
        return f"{kind} {row}" if kind and row_kind(asked.corner) else ""
    alone = [thing for thing in asked.things if " " not in thing]
    word = re.match(r"(\w+)((?: \(.*\))?)$", row)
    named = all(word[0].isupper() for word in words) if len(words) > 1 else not all(map(is_word, alone))
    if asked.turned and word and is_adjective(word[0].lower()):
        return ""  # "Severe"
    if asked.turned or named:
        return row
    if kind and PATTERNS["ordinal"].fullmatch(row):
        return f"the {in_lower_case(row, names)} of {kind}"
    if (
        word
        and kind
        and (kind.split()[-1] in WORDS["asked_with_on"] or any(is_adjective(one.lower()) for one in alone))
    ):
        return f"the {word[1]} {kind}{word[2]}"
    if " for " in row or (word and any(is_adjective(one.lower()) for one in alone)):
        return ""  # "Essential for the post", "Severe"
    if len(words) == 1 and is_base_verb(row.lower()) and not is_written_as_noun(row.lower(), knowledge):
        return ""  # "Give"
    shown = as_written(f"x {plain_case(row.replace(' / ', ' or '), names)}", fact, knowledge).removeprefix("x ")
    noun = (_AFTER_NOUN.split(shown)[0].split() or [""])[-1]
    counted = noun.islower() and singular(noun) == noun and has_article(noun, knowledge)
    bare = shown[0].islower() and not PATTERNS["determined"].match(shown)
    return f"{indefinite(shown)}{shown}" if counted and bare else shown


def _kind_by_corner(asked: _Asked, title: str, names: frozenset[str]) -> str:
    """Return what the rows are by the corner, as the title of the page calls it; "" if it does not say."""
    kind = _AFTER_NOUN.split(PATTERNS["kind_of"].sub("", plain_case(asked.corner, names)))[0]
    last = singular(kind.split()[-1].lower()) if kind else ""
    if not is_noun(last) or last in WORDS["vague_kinds"]:
        return ""
    *before, things = plain_case(bare_title(title), names).split() or [""]
    of_page = singular(things) == last and len(before) < len(kind.split()) + 2
    return " ".join([*before, last]) if of_page else kind  # the gold purchasing card, on the page "Purchasing cards"


def _range_of(asked: _Asked, kind: str, knowledge: Knowledge) -> str:
    """Return how a question names a row that is a range: "continuous service of 2 to 5 years"."""
    within = re.sub(r"\s*–\s*", " to ", asked.row[0].lower() + asked.row[1:])
    if is_currency(within[0]):
        return within
    if kind in WORDS["numbered_kinds"]:
        return f"{kind}s {within}"
    return f"{indefinite(kind) if has_article(kind, knowledge) else ''}{kind} of {within}" if kind else ""


def _is_clause(words: list[str]) -> bool:
    """Check whether words are no name but an order or a sentence: "suspend services", "supervisor signs the form"."""
    pairs = zip(words, [*words[1:], ""], strict=True)
    verbs = [
        (number, after)
        for number, (word, after) in enumerate(pairs)
        if is_base_verb(word if number == 0 else lemma_of(word, "VERB"))
    ]
    return any(
        (is_only_verb(words[number]) and (number == 0 or words[number].endswith("s"))) or after in WORDS["opens_object"]
        for number, after in verbs
    )
