"""Questions on the cells of tables: "What is the maximum file size on the Team plan?", "Who owns …?"."""

from __future__ import annotations

import re
from collections.abc import Iterator

from kgsynth.base.records import Scenario, StructureFact
from kgsynth.base.thresholds import LIMITS
from kgsynth.evidence.derivation import opening, said
from kgsynth.evidence.knowledge import Knowledge
from kgsynth.evidence.tables import column_of
from kgsynth.generation.writing.draft import UnwrittenError, Why
from kgsynth.generation.writing.english.drafts import QuestionDraft, said_step
from kgsynth.generation.writing.english.mention import in_lower_case, is_specific, scoped
from kgsynth.generation.writing.english.prose_places import block_above
from kgsynth.generation.writing.english.written_names import as_written, stands_before, with_article
from kgsynth.language.english.column_heads import (
    cell_question,
    is_askable,
    names_attributes,
    names_documents,
    row_kind,
    says_what,
)
from kgsynth.language.english.descriptions import description_question, is_code, kind_noun, term_question
from kgsynth.language.english.morphology import is_base_verb, is_noun, is_word, singular

_NO_NAME = re.compile(
    r"^\d|^tbd$|[:;<>{}\[\]|?!\"“”…*=]|^\W*\d+(?:[.:,/%-]\d*)*\W*$|[<>]|^#|\s#|^(?:total|average|sum|other|others|none|all|any|no|yes)$|,",
    re.I,
)
_CALLED_EXAMPLE = re.compile(r"(?i)\b(?:examples?|sample|e\.g|demo|suppose|imagine|let['’]?s say)\b")
_AFTER_NAMES = frozenset(
    "plan tier edition subscription package license licence model version release protocol policy program programme "
    "team region mode method format project sensor vehicle aircraft engine variable option parameter argument flag field "  # noqa: E501
    "attribute property setting directive command subcommand function event header keyword metric status role "
    "permission endpoint operator annotation class label environment category server service subprocessor".split()
)
"""Kinds that follow a name: "the Team plan"; with others ("country") the name is used alone."""
_MAX_NAME_WORDS = 5
_DIGEST_LETTERS = 28  # letters: longer ones are digests and the like


def look_up(scenario: Scenario, knowledge: Knowledge) -> Iterator[QuestionDraft]:
    """Yield the question for the value of a cell."""
    (fact,) = scenario.structure
    names, head = knowledge.statements.names, fact.heads[-1].text.strip(" :")
    corner, row = fact.corner.text if fact.corner else "", fact.subject.text.strip()
    swapped = names_attributes(corner)
    if swapped:
        row, head = head, row
    if is_example(fact, knowledge):
        raise UnwrittenError(Why.EXAMPLE)
    if not names_row(row):
        raise UnwrittenError(Why.ROW)
    if len(fact.heads) > 1 or fact.scope or names_documents(corner) or not is_askable(fact.values[0].text):
        raise UnwrittenError(Why.COLUMN if is_askable(fact.values[0].text) else Why.VALUE)
    kind = "" if swapped else kind_of_rows(fact, knowledge)
    shown = _row_as_written(row, kind, fact, knowledge)
    if swapped:
        noun = shown.split()[-1] if shown else ""
        if not shown or shown[0].islower():
            raise UnwrittenError(Why.ROW)
        if says_what(head) or singular(head.split()[-1].lower()) != head.split()[-1].lower():
            raise UnwrittenError(Why.COLUMN)
        shown = f"the {shown}" if noun.islower() or (is_noun(noun) and is_word(noun)) else shown
    question = _asked(fact, head, row, kind, shown, knowledge)
    if not question:
        raise UnwrittenError(Why.COLUMN if shown else Why.ROW)
    alone = bool(shown) and (shown.startswith("the ") or not shown[0].islower())
    alone = is_specific(row, names) and (bool(kind) or not says_what(head)) if is_code(row) else alone
    texts = list(scoped(question, fact, knowledge, alone=alone))
    if not texts:
        raise UnwrittenError(Why.PAGE)
    for text in texts:
        if says_what(head):
            yield QuestionDraft(text, (opening(fact),), "opening", (said_step(fact),))
        else:
            yield QuestionDraft(text, (said(fact),), "said", (said_step(fact),))


def is_example(fact: StructureFact, knowledge: Knowledge) -> bool:
    """Check whether the heading or the sentence above a table calls it an example."""
    document = knowledge.documents[fact.doc]
    top = min(part.start for part in (*fact.heads, fact.subject, *fact.values, *filter(None, [fact.corner])))
    above = block_above(document, top, fact.section)
    lead = above.text if above and above.kind in ("paragraph", "item") else ""
    return any(_CALLED_EXAMPLE.search(text) for text in (document.sections[fact.section].title, lead))


def _row_as_written(row: str, kind: str, fact: StructureFact, knowledge: Knowledge) -> str:
    """Return how a question names a row: with its kind or an article if the documents write it so."""
    names = knowledge.statements.names
    last = kind.split()[-1] if kind else ""
    named = last in _AFTER_NAMES or singular(row.split()[-1].lower()) == last
    if last and not named and _kind_follows(fact, last, knowledge):
        return f"the {row} {last}"
    shown = row_name(row, kind, names)
    if is_code(row) or shown.startswith("the "):
        return shown
    written = as_written(f"x {shown or in_lower_case(row, names)}", fact, knowledge).removeprefix("x ")
    ordinary = is_noun(singular(written.split()[-1])) and singular(written.split()[-1]) == written.split()[-1]
    if not ordinary:
        return written if shown else ""
    return (with_article(written, knowledge) if " " in written else "") or shown


def _kind_follows(fact: StructureFact, noun: str, knowledge: Knowledge) -> bool:
    """Check whether the prose writes two rows of the table of a cell before the noun for its rows."""
    cells = knowledge.derived(column_of)[fact.doc, fact.group, fact.column]
    return sum(stands_before(cell.subject.text, noun, knowledge) for cell in cells) >= LIMITS.scope_min_uses


def _asked(fact: StructureFact, head: str, row: str, kind: str, shown: str, knowledge: Knowledge) -> str:
    names, value = knowledge.statements.names, fact.values[0].text
    if says_what(head):
        if is_code(row) or (row.islower() and kind):
            return description_question(shown, kind if shown != row else "", value, code=True)
        return term_question(in_lower_case(row, names), value, glossary=True)
    columns = knowledge.derived(column_of)
    cells = columns[fact.doc, fact.group, fact.column]
    if row == fact.heads[-1].text.strip(" :"):  # swapped: the row gives the attribute
        table = (
            cell
            for (doc, group, _), found in columns.items()
            if (doc, group) == (fact.doc, fact.group)
            for cell in found
        )
        cells = [cell for cell in table if cell.row == fact.row]
    return cell_question(head, shown, [cell.values[0].text for cell in cells], kind=kind, names=names) if shown else ""


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
        and not _NO_NAME.search(row)
        and not sentence
        and not re.search(r"(?i)\b(?:is|are|was|were|not|when|if|you|we|your|our|to)\b", row)
    )


def row_name(row: str, kind: str, names: frozenset[str]) -> str:
    """Return how a question names a row: "the Team plan", "the --force option", "Norway"; "" if it cannot."""
    last = kind.split()[-1] if kind else ""
    if last and row.split()[-1].lower() in (last, f"{last}s"):
        return f"the {row}"
    if last and (last in _AFTER_NAMES or is_code(row)):
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
