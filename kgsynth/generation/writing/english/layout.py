"""Questions on what the layout says: cells of tables, members of lists, terms and options, and what to do in a case."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping

from kgsynth.base.records import Block, Document, Scenario, StructureFact
from kgsynth.base.vocabulary import StructureKind
from kgsynth.evidence.knowledge import Knowledge
from kgsynth.evidence.list_answers import opening, said, said_in_short
from kgsynth.evidence.statements import column_of
from kgsynth.generation.writing.draft import QuestionDraft, UnwrittenError, Why, said_step, span_of
from kgsynth.generation.writing.english.drafts import REASON, fronted
from kgsynth.generation.writing.english.scope import block_above, common_scope, scopes
from kgsynth.generation.writing.english.written_names import as_written, has_article, with_article
from kgsynth.language.english.advice import advice_lead
from kgsynth.language.english.forms import (
    cell_question,
    counted,
    description_question,
    heading_list_question,
    heading_question,
    is_askable,
    is_code,
    is_term,
    kind_in,
    kind_noun,
    lead_in_question,
    plain_case,
    row_kind,
    says_what,
    term_question,
)
from kgsynth.language.english.lexicon import PATTERNS, WORDS
from kgsynth.language.english.morphology import is_base_verb, is_noun, is_word, singular
from kgsynth.language.english.question_checks import content_stems
from kgsynth.language.text_words import gives_order


def is_specific(name: str, names: frozenset[str]) -> bool:
    """Check whether a name says by itself which thing is meant: long code, or a proper name."""
    if is_code(name):
        return len(name) >= 5 and not name.isalpha()
    return any(word.strip("()") in names or re.search(r"\d|[A-Z]{2}|[a-z][A-Z]|_", word) for word in name.split())


def scoped(question: str, fact: StructureFact, knowledge: Knowledge, *, alone: bool) -> Iterator[str]:
    """Yield a question as it is if it can be asked so, otherwise with the name that its page or folder is about."""
    if alone:
        yield question
        return
    asked = set(content_stems(question))
    for preposition, name in scopes(fact, knowledge):
        if not set(content_stems(name)) & asked:
            yield fronted(question, "in" if preposition == "with" else preposition, name)
            return


def in_lower_case(name: str, names: frozenset[str]) -> str:
    """Return a name from the start of a row or item as it stands inside a sentence."""
    return name if is_code(name) else plain_case(name, names)


# What a documented parameter belongs to, and what it is called: "the max_size argument of ConnectionPool".
#
# Both are read from the sentence before its list, then from the headings above it.


def owner_and_kind(fact: StructureFact, knowledge: Knowledge) -> tuple[str, str]:
    """Return the function, class or command that a parameter belongs to and the noun for what it is, "" if unknown."""
    document = knowledge.documents[fact.doc]
    path = document.sections[fact.section].path
    kind, lead = kind_noun(path[-1], plural=True), _lead(fact, document, knowledge)
    owners = [*(_named_in(lead) if lead else ()), *_named_above(path)]
    kind = kind or (kind_in(lead.text) if lead else "")
    common = knowledge.derived(common_scope)
    known = (fact.subject.text, common[1] if common else "")  # the common subject of the documents owns nothing
    return next((name for name in owners if name not in known), ""), kind


def _lead(fact: StructureFact, document: Document, knowledge: Knowledge) -> Block | None:
    """Return the paragraph that a list of terms follows, None for terms that are in no list."""
    first = knowledge.derived(_list_starts).get((fact.doc, fact.group))
    if first is None:
        return None
    above = block_above(document, first, fact.section)
    return above if above and above.kind == "paragraph" else None


def _list_starts(knowledge: Knowledge) -> Mapping[tuple[str, int], int]:
    """Return where the first term of each list of terms begins."""
    starts: dict[tuple[str, int], int] = {}
    for fact in knowledge.structure:
        if fact.kind == StructureKind.DEFINITION and fact.group >= 0:
            place = (fact.doc, fact.group)
            starts[place] = min(fact.subject.start, starts.get(place, fact.subject.start))
    return starts


def _named_in(lead: Block) -> Iterator[str]:
    """Yield the one name in code that a sentence has."""
    names = {lead.text[start:end] for start, end in lead.code}
    if len(names) == 1 and all(re.fullmatch(r"[\w.]+(?:\(\))?", name) for name in names):
        yield from names


def _named_above(path: tuple[str, ...]) -> Iterator[str]:
    """Yield the headings that name a piece of code, the closest first."""
    for title in reversed(path):
        match = PATTERNS["owner_heading"].match(title.strip())
        name = match["name"] if match else ""
        if is_code(name) or PATTERNS["camel_case"].match(name):
            yield name


# Questions that lists answer, asked by the sentence or heading that leads into them.

_MIN_CONTENT = 2  # content words of any question
_MIN_SPECIFIC = 4  # content words of a question that is understood without its document


def listing(scenario: Scenario, knowledge: Knowledge) -> Iterator[QuestionDraft]:
    """Yield the question that a list answers, alone if it is specific and with its scope."""
    (fact,) = scenario.structure
    names, lead = knowledge.statements.names, fact.subject.text
    if any(PATTERNS["is_no_member"].search(value.text) for value in fact.values):
        raise UnwrittenError(Why.POINTS)
    question = lead_in_question(lead, names)
    document = knowledge.documents[fact.doc]
    if not question and lead == document.sections[fact.section].title and _fills_section(document, fact):
        question = heading_list_question(lead, names) or heading_question(lead, names)
        ordered = all(gives_order(value.text) for value in fact.values)
        question = "" if question.startswith("How do you ") and not ordered else question
    if not question or not PATTERNS["asks_for_members"].match(question) or PATTERNS["ours"].search(question):
        raise UnwrittenError(Why.HEADING)
    if counted(question) not in (0, len(fact.values)):
        raise UnwrittenError(Why.ANSWER)
    stems = content_stems(question)
    if len(stems) - bool(counted(question)) < _MIN_CONTENT:
        raise UnwrittenError(Why.THIN)
    told = len(stems) >= _MIN_SPECIFIC - question.startswith("How do you ")
    texts = [*scoped(question, fact, knowledge, alone=told)]
    _, common = knowledge.derived(common_scope) or ("", "")
    if not texts and set(content_stems(common)) & set(stems):
        texts = [question]  # it names what all documents are about
    if not texts:
        raise UnwrittenError(Why.PAGE)
    kind = "steps" if fact.kind == StructureKind.PROCEDURE else "list"
    for text in texts:
        yield QuestionDraft(text, (said_in_short(fact),), "in_short", (said_step(fact),), answer_kind=kind)


def _fills_section(document: Document, fact: StructureFact) -> bool:
    """Check whether a list is the whole text of its section."""
    start, end = fact.values[0].start, fact.values[-1].end
    blocks = (block for block in document.blocks if block.section == fact.section and block.kind != "heading")
    return all(start <= block.start and block.end <= end for block in blocks)


# Questions on the cells of tables: "What is the maximum file size on the Team plan?", "Who owns …?".

_MAX_NAME_WORDS = 5
_DIGEST_LETTERS = 28  # letters: longer ones are digests and the like


def look_up(scenario: Scenario, knowledge: Knowledge) -> Iterator[QuestionDraft]:
    """Yield the question for the value of a cell."""
    (fact,) = scenario.structure
    names, head = knowledge.statements.names, fact.heads[-1].text.strip(" :")
    corner, row = fact.corner.text if fact.corner else "", fact.subject.text.strip()
    swapped = bool(PATTERNS["names_attributes"].match(corner.strip(" :")))
    if swapped:
        row, head = head, row
    if is_example(fact, knowledge):
        raise UnwrittenError(Why.EXAMPLE)
    if not names_row(row):
        raise UnwrittenError(Why.ROW)
    if not is_askable(fact.values[0].text):
        raise UnwrittenError(Why.VALUE)
    if len(fact.heads) > 1 or fact.scope or says_what(head) or PATTERNS["names_documents"].search(corner):
        raise UnwrittenError(Why.COLUMN)
    kind = "" if swapped else kind_of_rows(fact, knowledge)
    shown = _row_as_written(row, kind, fact, knowledge)
    if swapped:
        if not shown or shown[0].islower():
            raise UnwrittenError(Why.ROW)
        if singular(head.split()[-1].lower()) != head.split()[-1].lower():
            raise UnwrittenError(Why.COLUMN)
        shown = f"the {shown}" if shown.split()[-1].islower() else shown
    question = _asked(fact, head, row, kind, shown, knowledge)
    if not question:
        raise UnwrittenError(Why.COLUMN if shown else Why.ROW)
    alone = bool(shown) and (shown.startswith("the ") or not shown[0].islower())
    alone = is_specific(row, names) if is_code(row) else alone
    texts = list(scoped(question, fact, knowledge, alone=alone))
    if not texts:
        raise UnwrittenError(Why.PAGE)
    for text in texts:
        yield QuestionDraft(text, (said(fact),), "said", (said_step(fact),))


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
    written = as_written(f"x {shown or in_lower_case(row, names)}", fact, knowledge).removeprefix("x ")
    ordinary = is_noun(singular(written.split()[-1])) and singular(written.split()[-1]) == written.split()[-1]
    if not ordinary:
        return written if shown else ""
    return (with_article(written, knowledge) if " " in written else "") or shown


def _asked(fact: StructureFact, head: str, row: str, kind: str, shown: str, knowledge: Knowledge) -> str:
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
    values = [cell.values[0].text for cell in cells]
    return cell_question(head, shown, values, kind=kind, names=knowledge.statements.names) if shown else ""


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
        and not re.search(r"(?i)\b(?:is|are|was|were|not|when|if|you|we|your|our|to)\b", row)
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


# Questions on terms: what an option does, what its default is, what a word of a glossary means.


def term(scenario: Scenario, knowledge: Knowledge) -> Iterator[QuestionDraft]:
    """Yield the question what a term means, what an option does, what its default is, or which version added it."""
    (fact,) = scenario.structure
    name = fact.subject.text.strip(" :*")
    if not is_term(name):
        raise UnwrittenError(Why.TERM)
    form = _of_parameter if _is_coded(name, fact, knowledge) else _of_word
    texts = list(form(name, fact, knowledge))
    if not texts:
        raise UnwrittenError(Why.PAGE)
    answer, operator = (said, "said") if fact.kind == StructureKind.DEFAULT else (opening, "opening")
    for text in texts:
        yield QuestionDraft(text, (answer(fact),), operator, (said_step(fact),))


def _is_coded(name: str, fact: StructureFact, knowledge: Knowledge) -> bool:
    """Check whether a term is a parameter or another name in code, rather than a word or an acronym."""
    if name.startswith("-"):
        return True
    if _is_glossary(fact, knowledge) or (name.isupper() and name.isalpha() and not owner_and_kind(fact, knowledge)[1]):
        return False
    return is_code(name) or (name.islower() and " " not in name)


def _is_glossary(fact: StructureFact, knowledge: Knowledge) -> bool:
    document = knowledge.documents[fact.doc]
    return any(PATTERNS["glossary"].search(title) for title in (document.title, document.sections[fact.section].title))


# ---- words -----------------------------------------------------------------------------------------


def _of_word(name: str, fact: StructureFact, knowledge: Knowledge) -> Iterator[str]:
    """Yield the question what a term is; a single common word is asked in what the glossary is of."""
    written = as_written(f"x {in_lower_case(name, knowledge.statements.names)}", fact, knowledge).removeprefix("x ")
    bare, _, short = written.rstrip(")").partition(" (")
    counted = has_article(bare, knowledge) if is_noun(bare.split()[-1].lower()) else None
    counted = has_article(short, knowledge) if counted is None and short else counted
    question = term_question(written, fact.values[0].text, glossary=_is_glossary(fact, knowledge), counted=counted)
    if not question:
        raise UnwrittenError(Why.TERM)
    yield from scoped(question, fact, knowledge, alone=" " in written or not written.islower())


# ---- parameters ------------------------------------------------------------------------------------


def _of_parameter(name: str, fact: StructureFact, knowledge: Knowledge) -> Iterator[str]:
    """Yield the question on an option or a parameter, with what it belongs to."""
    option, (owner, kind) = name.startswith("-"), owner_and_kind(fact, knowledge)
    kind = kind or ("option" if option else "parameter" if owner else "")
    shown = f"the {name} {kind}" if kind and not name.endswith(")") else name
    shown += f" of {owner}" if owner else ""
    if fact.kind == StructureKind.DEFAULT:
        question = _of_trait(fact, shown, knowledge)
    else:
        question = description_question(shown, kind, fact.values[0].text)
    if not question:
        raise UnwrittenError(Why.TERM)
    documents = knowledge.derived(_documents_with)["-" if option else name]
    if owner:
        yield question
    elif kind or is_specific(name, knowledge.statements.names):
        specific = is_specific(name, knowledge.statements.names) and documents == 1
        yield from scoped(question, fact, knowledge, alone=bool(kind) and specific)


def _of_trait(fact: StructureFact, shown: str, knowledge: Knowledge) -> str:
    """Return the question for the default of a parameter, or for the version that added it; "" for other traits."""
    value = fact.values[0].text
    if fact.name == "default" and not PATTERNS["placeholder_value"].search(value):
        return f"What is the default value of {shown}?"
    if fact.name == "since":
        common = knowledge.derived(common_scope)
        product = value.rpartition(" ")[0] or (common[1] if common else "")
        return f"In which version{f' of {product}' if product else ''} was {shown} added?"
    return ""


def _documents_with(knowledge: Knowledge) -> Counter[str]:
    """Return in how many documents each term is explained; "-" stands for all options."""
    found = {
        (fact.doc, fact.subject.text.strip(" :*"))
        for fact in knowledge.structure
        if fact.kind == StructureKind.DEFINITION
    }
    options = {(doc, "-") for doc, name in found if name.startswith("-")}
    return Counter(name for _, name in found | options)


# Questions on what to do in a case: "What should you do if you lose your badge?".


def advice(scenario: Scenario, knowledge: Knowledge) -> Iterator[QuestionDraft]:
    """Yield the question what to do in a case, answered by a sentence or by the list that it leads into."""
    (fact,) = scenario.structure
    if fact.kind in (StructureKind.MEMBER, StructureKind.PROCEDURE):
        kind = "steps" if fact.kind == StructureKind.PROCEDURE else "list"
        question, answer = advice_lead(fact.subject.text), said_in_short(fact)
        yield QuestionDraft(question, (answer,), "in_short", (said_step(fact),), answer_kind=kind)
        return
    case, (done,) = fact.subject.text, fact.values
    answer = done.text if done.text[1:2].isupper() else done.text[:1].lower() + done.text[1:]
    step = {"fact": fact.id, "condition": span_of(fact.doc, fact.subject), "find": span_of(fact.doc, done)}
    short = REASON.match(answer.split(". ")[0])
    answers = (answer, short[1]) if short else (answer,)
    yield QuestionDraft(f"{fact.name} {case[0].lower()}{case[1:]}?", answers, "condition", (step,))
