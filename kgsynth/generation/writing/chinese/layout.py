"""Chinese questions on what the layout says: cells, lists, terms, headings, and the topics of sections."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from itertools import takewhile

from kgsynth.base.records import PROSE, Document, Excerpt, Scenario, StructureFact
from kgsynth.base.vocabulary import StructureKind
from kgsynth.evidence.knowledge import Knowledge
from kgsynth.evidence.list_answers import said, said_in_short
from kgsynth.evidence.statements import column_of
from kgsynth.generation.writing.draft import QuestionDraft, UnwrittenError, Why, said_step, span_of
from kgsynth.language.chinese.characters import simplified
from kgsynth.language.chinese.headings import (
    ROW_MARKS,
    bare_title,
    cell_question,
    counted,
    dimension_of,
    entry_by_use,
    entry_kind,
    entry_question,
    heading_question,
    is_code_row,
    lead_in_question,
    opens_with_verb,
    owner_in_title,
    row_name,
    task_question,
    topic_question,
)
from kgsynth.language.chinese.lexicon import PATTERNS, WORDS
from kgsynth.language.chinese.question_checks import outside_reference
from kgsynth.language.chinese.segmentation import frequency, tokens
from kgsynth.language.chinese.text_forms import content_stems
from kgsynth.language.lengths import length_in_words
from kgsynth.language.sentence_ends import sentence_spans
from kgsynth.language.text_words import lacks_word
from kgsynth.language.words import HAN

_CAMEL_NAME = re.compile(r"(?<![\w./-])[A-Z][a-z]*[A-Z]*[a-z]+\w*(?![\w./(-])", re.ASCII)
"""A name with capitals and small letters, which is no abbreviation: TiDB, Rust."""
_HAN_NAME = re.compile(f"[{HAN}]+")
_NAME_LENGTHS = (2, 3, 4)
_ANSWER_END = "。.；;，, "


def in_common_scope(question: str, knowledge: Knowledge, *, code: bool = False) -> str:
    """Return a question after the name that most documents are about: 在 TiDB 中，如何修改密码？

    A question that has a Latin name keeps its form, unless that is ``code``, which means nothing without its program.
    """
    name = knowledge.derived(_common_name)
    told = not name or name in question or (not code and re.search(r"[A-Za-z]", question))
    return question if told else f"在 {name} 中，{question}"


def _common_name(knowledge: Knowledge) -> str:
    """Return the name in Latin letters that the prose of most documents has, "" if none is in more than half."""
    counts = Counter[str]()
    for document in knowledge.documents.values():
        counts.update(
            {name for block in document.blocks if block.kind in PROSE for name in _CAMEL_NAME.findall(block.text)}
        )
    name, count = min(counts.items(), key=lambda pair: (-pair[1], pair[0]), default=("", 0))
    tied = sum(other == count for other in counts.values()) > 1
    return name if count > 1 and 2 * count > len(knowledge.documents) and not tied else ""


def with_product(question: str, knowledge: Knowledge) -> str:
    """Return a question of a single word after the product that the documents are about: 在禾图中，什么是静默期？"""
    name = knowledge.derived(_product_name)
    if len(content_stems(question)) > 1:
        return question
    return f"在{name}中，{question}" if name and name not in question else in_common_scope(question, knowledge)


def _product_name(knowledge: Knowledge) -> str:
    """Return the name that opens several titles and is in a third of the documents, "" if there is none.

    The dictionary does not have it: 禾图平台 and 禾图开放接口 open with 禾图.
    """
    documents = knowledge.documents.values()
    titles = [document.title for document in documents]
    starts = Counter(title[:length] for title in titles for length in _NAME_LENGTHS if len(title) > length)
    found = {
        name: sum(name in document.text for document in documents)
        for name, count in starts.items()
        if count > 1 and _HAN_NAME.fullmatch(name) and not frequency(name)
    }
    name, count = min(found.items(), key=lambda pair: (-pair[1], pair[0]), default=("", 0))
    return name if 3 * count >= len(titles) else ""


def without_stop(text: str) -> str:
    """Return an answer without the full stop of its only sentence.

    Example:
        >>> without_stop("读数的聚合粒度。"), without_stop("关机。再开机。")
        ('读数的聚合粒度', '关机。再开机。')
    """
    return text if re.search(r"[。！？!?](?=.)", text) else text.rstrip(_ANSWER_END)


def paragraphs_of(document: Document, passage: Excerpt) -> list[Excerpt]:
    """Return the paragraphs that a passage opens with, up to the first list, code or table."""
    blocks = [block for block in document.blocks_from(passage.start, passage.end) if block.text]
    opening = takewhile(lambda block: block.kind == "paragraph", blocks)
    return [Excerpt(block.text, *block.locate(0, len(block.text))) for block in opening]


def sentences_of(document: Document, passage: Excerpt) -> list[Excerpt]:
    """Return the sentences of the first two paragraphs of a passage with their places."""
    found = []
    for paragraph in paragraphs_of(document, passage)[:2]:
        (block,) = document.blocks_in(paragraph.start, paragraph.start + 1)
        found += [Excerpt(block.text[a:b], *block.locate(a, b)) for a, b in sentence_spans(block.text)]
    return found


def sentence_draft(question: str, fact: StructureFact, sentence: Excerpt) -> QuestionDraft:
    """Return the draft of a question that one sentence of the passage of a fact answers."""
    step = {"fact": fact.id, "find": span_of(fact.doc, sentence)}
    return QuestionDraft(question, (sentence.text,), "lookup", (step,))


def said_draft(question: str, fact: StructureFact, answer: str) -> QuestionDraft:
    """Return the draft of a question that the value of a fact answers."""
    return QuestionDraft(question, (answer,), "said", (said_step(fact),))


def refers_out(text: str) -> bool:
    """Check whether an answer refers to what stands around it in its document.

    Example:
        >>> refers_out("参见下表。"), refers_out("读数的聚合粒度")
        (True, False)
    """
    return bool(PATTERNS["points_around"].search(text)) or bool(outside_reference(text))


# Questions that lists answer, asked by the sentence or the heading that leads into them: 禾图支持哪些告警？

_LIST_CONTENT = 2  # content words of any question


def _goes_on(document: Document, fact: StructureFact) -> bool:
    """Check whether more items follow a list under its heading, so that it is a part of what the heading names."""
    last = max(value.end for value in fact.values)
    rest = document.blocks_from(last, len(document.text))
    return any(block.kind == "item" and block.start >= last and block.section == fact.section for block in rest)


def listing(scenario: Scenario, knowledge: Knowledge) -> Iterator[QuestionDraft]:
    """Yield the question that a list answers, if it names its subject."""
    (fact,) = scenario.structure
    lead = fact.subject.text
    if any(PATTERNS["is_no_member"].search(value.text) for value in fact.values):
        raise UnwrittenError(Why.POINTS)
    if counted(lead) not in (0, len(fact.values)):
        raise UnwrittenError(Why.ANSWER)
    steps = fact.kind == StructureKind.PROCEDURE
    document = knowledge.documents[fact.doc]
    title = document.sections[fact.section].title
    if any(lacks_word(value.text) for value in fact.values) or (lead == title and _goes_on(document, fact)):
        raise UnwrittenError(Why.ANSWER)
    question = lead_in_question(lead)
    if not question and lead == title and not fact.heads:
        orders = all(opens_with_verb(value.text) for value in fact.values)
        question = heading_question(lead) or (task_question(lead) if orders else "")
        fits = (
            PATTERNS["asks_steps"].match(simplified(question))
            if steps or orders
            else PATTERNS["asks_members"].search(simplified(question))
        )
        question = question if fits else ""
    if PATTERNS["asks_steps"].match(simplified(question)):
        question = in_common_scope(question, knowledge)
    if len(content_stems(question)) < _LIST_CONTENT:
        raise UnwrittenError(Why.THIN if question else Why.HEADING)
    kind = "steps" if steps else "list"
    yield QuestionDraft(question, (said_in_short(fact),), "in_short", (said_step(fact),), answer_kind=kind)


# Questions on the cells of tables: 田讯3号的电池寿命是多少？

_TOLD_LENGTHS = range(5, 25)
_SHORTEST_USE = 12  # characters of what a parameter is for, to be asked


def look_up(scenario: Scenario, knowledge: Knowledge) -> Iterator[QuestionDraft]:
    """Yield the question for the value of a cell that no other table gives."""
    (fact,) = scenario.structure
    if len(fact.heads) > 1 or fact.scope:
        raise UnwrittenError(Why.COLUMN)
    if refers_out(said(fact)):
        raise UnwrittenError(Why.POINTS)
    if knowledge.derived(_cells_of)[_cell_key(fact, knowledge)] > 1:
        raise UnwrittenError(Why.PAGE)
    owner, kind = belonging(fact, knowledge)
    if kind and is_code_row(fact.subject.text):
        if not owner:
            raise UnwrittenError(Why.PAGE)
        yield from _entry(fact, owner, kind, knowledge)
        return
    head, row, corner = fact.heads[-1].text, fact.subject.text, fact.corner.text if fact.corner else ""
    cells = knowledge.derived(column_of)[fact.doc, fact.group, fact.column]
    if (fact.doc, fact.group) in (turned := knowledge.derived(_turned)):
        head, row, corner, cells = row, head, "", turned[fact.doc, fact.group][fact.row]
    values = [said(fact), *(said(cell) for cell in cells if cell is not fact)]
    question = cell_question(head, row, values, corner=corner)
    if not question:
        raise UnwrittenError(Why.COLUMN if row_name(row, corner) else Why.ROW)
    if row.isascii() and row_name(row, corner) == row:
        bare, question = question, in_common_scope(question, knowledge, code=True)
        if bare == question:
            raise UnwrittenError(Why.PAGE)
    elif row_name(row, corner) == row:
        question = _under_title(question, fact, knowledge)
    yield said_draft(question, fact, without_stop(said(fact)))


def _under_title(question: str, fact: StructureFact, knowledge: Knowledge) -> str:
    """Return a question in the scope of the titles above its table that add a word: 《部署》中，最低的内存是多少？"""
    document, known = knowledge.documents[fact.doc], set(content_stems(question))
    titles = dict.fromkeys((document.title, document.sections[fact.section].title))
    names = {title: re.split(r"[（(]", bare_title(title))[0] for title in titles}
    added = {
        title: name
        for title, name in names.items()
        if set(content_stems(name)) - known and not PATTERNS["no_topic"].search(name)
    }
    place = "的".join(f"《{name}》" if title == document.title else f"“{name}”" for title, name in added.items())
    return f"{place}中，{question}" if place else question


def _turned(knowledge: Knowledge) -> Mapping[tuple[str, int], Mapping[int, list[StructureFact]]]:
    """Return the rows of each table whose columns are things and whose rows are attributes: 标准版 over 附件空间.

    In such a table the values of a row measure one thing more often than those of a column do.
    """
    tables: dict[tuple[str, int], list[list[StructureFact]]] = defaultdict(list)
    for (doc, group, _), cells in knowledge.derived(column_of).items():
        corner = cells[0].corner.text.strip(" :：") if cells[0].corner else ""
        if not corner or PATTERNS["attribute_corner"].search(corner):
            tables[doc, group].append(cells)
    found = {}
    for place, columns in tables.items():
        rows: dict[int, list[StructureFact]] = defaultdict(list)
        for cell in (cell for cells in columns for cell in cells):
            rows[cell.row].append(cell)
        across, down = (sum(_measures_one(cells) for cells in lines) for lines in (rows.values(), columns))
        if len(columns) > 1 and across > down:
            found[place] = rows
    return found


def _measures_one(cells: list[StructureFact]) -> bool:
    return len(cells) > 1 and bool(dimension_of([said(cell) for cell in cells]))


def _cell_key(fact: StructureFact, knowledge: Knowledge) -> tuple[str, str, str]:
    owner = belonging(fact, knowledge)[0] if is_code_row(fact.subject.text) else ""
    return owner, fact.subject.text.casefold(), fact.heads[-1].text.casefold() if fact.heads else ""


def _cells_of(knowledge: Knowledge) -> Mapping[tuple[str, str, str], int]:
    """Return how many tables have a cell for each row and column, of each owner of parameters."""
    return Counter(_cell_key(cell, knowledge) for cells in knowledge.derived(column_of).values() for cell in cells)


def _components(knowledge: Knowledge) -> Mapping[str, str]:
    """Return what each page that has a table of parameters is about, if its title names that."""
    pages = {cells[0].doc for cells in knowledge.derived(column_of).values() if belonging(cells[0], knowledge)[1]}
    titles = {page: (knowledge.documents[page].title, _file_name(page)) for page in sorted(pages)}
    return {page: next(filter(None, map(owner_in_title, names)), "") for page, names in titles.items()}


def _file_name(page: str) -> str:
    return page.rpartition("/")[2].partition(".")[0]


def _entry(fact: StructureFact, owner: str, kind: str, knowledge: Knowledge) -> Iterator[QuestionDraft]:
    """Yield what the row of a parameter says of it, and which parameter does what its row says."""
    head, row, told = fact.heads[-1].text, fact.subject.text.strip(ROW_MARKS), said(fact)
    if PATTERNS["no_entry"].search(told):
        raise UnwrittenError(Why.POINTS)
    document = knowledge.documents[fact.doc]
    linked = any(block.links for block in document.blocks_in(fact.values[0].start, fact.values[0].end))
    explains = bool(PATTERNS["meaning"].fullmatch(head))
    question = entry_question(head, owner, row, kind, told)
    remark = explains and PATTERNS["remark"].search(told)
    if question and not (explains and (remark or linked or len(told) < _SHORTEST_USE or told.startswith("是否"))):
        yield said_draft(question, fact, without_stop(told))
    opening = PATTERNS["told"].match(told)
    use = opening.group().strip() if explains and opening and not remark else ""
    cells = knowledge.derived(column_of)[fact.doc, fact.group, fact.column]
    asked = set(content_stems(use))
    others = [set(content_stems(said(cell))) for cell in cells if cell is not fact]
    alone = len(asked) > 1 and not any(asked <= other for other in others)
    if len(use) in _TOLD_LENGTHS and alone and (question := entry_by_use(use, owner, kind)) and row not in question:
        step = {"fact": fact.id, "find": span_of(fact.doc, fact.subject)}
        yield QuestionDraft(question, (row,), "lookup", (step,))
    elif not question:
        raise UnwrittenError(Why.COLUMN)


def belonging(fact: StructureFact, knowledge: Knowledge) -> tuple[str, str]:
    """Return what a parameter belongs to and what it is (参数, 属性, …), "" for what is not said.

    The lead of its list says it, the head of its column, or the headings above from the nearest on.
    """
    document, lead = knowledge.documents[fact.doc], knowledge.derived(_leads)[fact.doc, fact.group]
    path = document.sections[fact.section].path
    titles = [*(title.replace("`", "") for title in reversed(path)), _file_name(fact.doc)]
    corner = fact.corner.text if fact.corner else ""
    kind = next(filter(None, map(entry_kind, (corner, lead, *titles[:1]))), "")
    found = PATTERNS["owner"].search(lead)
    named = found["owner"] if found else next(filter(None, map(owner_in_title, titles)), "")
    return named or knowledge.derived(_common_name), kind


# Questions on terms: what a word of a glossary is, what a parameter means, what its default is.

_CODE_TERM = re.compile(r"^-{0,2}[A-Za-z_][\w.-]*$", re.ASCII)
_TERM = re.compile(rf"^[{HAN}\w][{HAN}\w .+/-]{{0,15}}(?:[（(][^（）()]{{1,20}}[）)])?$")
_LONGEST_DEFINITION = 60
_SHORTEST_DEFINITION = 12
_LONGEST_DEFAULT = 6


def term(scenario: Scenario, knowledge: Knowledge) -> Iterator[QuestionDraft]:
    """Yield the question what a term is, what a parameter means, or what its default is."""
    (fact,) = scenario.structure
    name, detail = fact.subject.text.strip(" :：*`"), said(fact)
    if refers_out(detail):
        raise UnwrittenError(Why.POINTS)
    if knowledge.derived(_explanations)[_term_key(fact, knowledge)] > 1:
        raise UnwrittenError(Why.OPEN)
    question = _of_code(name, fact, knowledge) if _CODE_TERM.match(name) else _of_word(name, fact, knowledge)
    if not question:
        raise UnwrittenError(Why.TERM)
    yield said_draft(question, fact, without_stop(detail))


def _of_word(name: str, fact: StructureFact, knowledge: Knowledge) -> str:
    """Return the question for a word of a glossary, "" for a word that only opens an item."""
    document, detail = knowledge.documents[fact.doc], said(fact)
    above = (document.title, document.id.rpartition("/")[2], *document.sections[fact.section].path)
    glossary = any(PATTERNS["glossary"].search(title) for title in above)
    fits = (
        _TERM.match(name) and not PATTERNS["explains"].search(detail) and length_in_words(detail) <= _LONGEST_DEFINITION
    )
    words = tokens(name)
    named = any(each.tag[:1] in "nvlj" or each.tag == "eng" for each in words) and not name.endswith("的")
    named = named and not (len(words) > 1 and opens_with_verb(name))
    asked = glossary and fits and named and fact.kind == StructureKind.DEFINITION
    return with_product(f"什么是{name}？", knowledge) if asked else ""


def _of_code(name: str, fact: StructureFact, knowledge: Knowledge) -> str:
    """Return the question for a parameter, with what it is a parameter of; "" if that is not said."""
    detail, (owner, kind) = said(fact), belonging(fact, knowledge)
    if not owner or not kind:
        return ""
    if fact.kind == StructureKind.DEFAULT:
        usable = (
            fact.name == "default" and length_in_words(detail) <= _LONGEST_DEFAULT and not re.search(f"[{HAN}]", detail)
        )
        return entry_question("默认值", owner, name, kind, detail) if usable else ""
    told = not PATTERNS["explains"].search(detail) and not PATTERNS["remark"].search(detail)
    fits = told and length_in_words(detail) <= _LONGEST_DEFINITION
    return entry_question("说明", owner, name, kind, detail) if fits else ""


def _term_key(fact: StructureFact, knowledge: Knowledge) -> tuple[str, str, StructureKind, str]:
    name = fact.subject.text.strip(" :：*`")
    owner = belonging(fact, knowledge)[0] if _CODE_TERM.match(name) else ""
    return owner, name.casefold(), fact.kind, fact.name


def _explanations(knowledge: Knowledge) -> Mapping[tuple[str, str, StructureKind, str], int]:
    """Return how often each term is explained, and each of its traits named, by what it belongs to."""
    kinds = (StructureKind.DEFINITION, StructureKind.DEFAULT)
    return Counter(_term_key(fact, knowledge) for fact in knowledge.structure if fact.kind in kinds)


def _leads(knowledge: Knowledge) -> Mapping[tuple[str, int], str]:
    """Return what leads into each list of each document."""
    found: dict[tuple[str, int], str] = defaultdict(str)
    for fact in knowledge.structure:
        if fact.kind == StructureKind.MEMBER:
            found[fact.doc, fact.group] = " ".join(part.text for part in (fact.subject, *fact.heads))
    return found


# Questions that headings ask, answered by the section below: 为什么读数会突然跳变？ 怎么更换传感器的电池？
#
# The answer to 为什么 and 什么是 is the one sentence that gives it, where its form says so.

_LONGEST_PASSAGE = 90
_LONGEST_VERDICT = 6  # characters of 可以, which says too little alone


def page_question(scenario: Scenario, knowledge: Knowledge) -> Iterator[QuestionDraft]:
    """Yield the question of a heading that says what it is about, with the shortest whole answer below it."""
    (fact,) = scenario.structure
    question = heading_question(fact.name or fact.subject.text)
    if not question:
        raise UnwrittenError(Why.HEADING)
    if _is_list(fact, knowledge):
        raise UnwrittenError(Why.AGAIN)
    if knowledge.derived(_asked)[question] > 1 or not _stands_alone(simplified(question)):
        raise UnwrittenError(Why.PAGE)
    asked = simplified(question)
    document, passage = knowledge.documents[fact.doc], fact.values[0]
    component = knowledge.derived(_components).get(fact.doc, "").strip()
    if component:
        question = question if component.casefold() in question.casefold() else f"在 {component} 中，{question}"
    elif PATTERNS["asks_how_to"].search(asked):
        question = in_common_scope(question, knowledge)
    alone = len([block for block in document.blocks_from(passage.start, passage.end) if block.text]) == 1
    found = _one_sentence(asked, sentences_of(document, passage))
    if found and PATTERNS["what_is"].match(asked):
        found = _with_more(found, document, passage)
    if found is None and (alone or PATTERNS["asks_whether"].search(asked)):
        found = _opening(asked, document, passage)
    if found is None:
        raise UnwrittenError(Why.ANSWER)
    yield sentence_draft(question, fact, found)


def _opening(question: str, document: Document, passage: Excerpt) -> Excerpt | None:
    """Return the first paragraph below a heading, if it answers its question."""
    opening = next(iter(paragraphs_of(document, passage)), None)
    fits = opening and length_in_words(opening.text) <= _LONGEST_PASSAGE and _answers(question, opening.text)
    return opening if fits else None


def _with_more(found: Excerpt, document: Document, passage: Excerpt) -> Excerpt | None:
    """Return a sentence that says what something is with those after it in its paragraph, as far as they are short.

    Without them it may only say of what kind the thing is (预依赖是一种特殊的依赖关系), which is no answer.
    """
    (block,) = document.blocks_in(found.start, found.start + 1)
    after = (each for each in sentences_of(document, passage) if found.end <= each.start < block.end)
    longer = [Excerpt(document.plain(found.start, each.end), found.start, each.end) for each in after]
    fits = [each for each in longer if length_in_words(each.text) <= _LONGEST_DEFINITION and not refers_out(each.text)]
    if not fits and longer and length_in_words(found.text) < _SHORTEST_DEFINITION:
        return None
    return fits[-1] if fits else found


def _one_sentence(question: str, sentences: list[Excerpt]) -> Excerpt | None:
    """Return the sentence that answers a question for a reason or for what something is, None if none surely does."""
    if not sentences:
        return None
    first = sentences[0]
    if "为什么" in question or "为何" in question:
        reason = PATTERNS["gives_reason"].match(simplified(first.text))
        return first if reason and not refers_out(first.text[reason.end() :]) else None
    match = PATTERNS["what_is"].match(question)
    if match:
        term = re.escape(match["term"] or match["named"])
        shown = rf"^(?:在[^，,]{{1,8}}中[，,])?[「“\"]?{term}[」”\"]?\s?(?:[（(][^（）()]+[）)])?[^，,是]{{0,5}}?"
        defined = re.compile(
            rf"{shown}(?:通常|一般|就)?(?:是(?!从|在|由|为|因|否|不|非|[^，,。；]{{1,8}}的[，,。；])|指|表示|意味着)"
        )
        fits = (each for each in sentences[:4] if defined.match(simplified(each.text)) and not refers_out(each.text))
        return next(fits, None)
    return None


def _answers(question: str, passage: str) -> bool:
    """Check whether a whole passage reads as the answer to a question, and is understood alone."""
    if (
        refers_out(passage)
        or PATTERNS["sends_away"].match(passage)
        or PATTERNS["what_is"].match(question)
        or PATTERNS["members"].search(question)
    ):
        return False
    if "为什么" in question or "为何" in question:
        return not PATTERNS["opens_with_order"].match(simplified(passage))
    return not PATTERNS["asks_whether"].search(question) or bool(
        len(passage) > _LONGEST_VERDICT
        and PATTERNS["answers_directly"].match(simplified(passage))
        and not PATTERNS["asks_reader"].match(question)
    )


def _stands_alone(question: str) -> bool:
    """Check whether a question is understood without its page: it has two words that say much, or a name."""
    stems = content_stems(question)
    told = [stem for stem in stems if stem not in WORDS["light"]]
    nouns = [each for each in tokens(question) if each.tag[:1] in "nlj" or each.tag in ("eng", "vn", "s")]
    if PATTERNS["no_object"].match(question) and tokens(question.rstrip("？"))[-1].tag == "v":
        return False  # 如何批量导入
    defined = PATTERNS["what_is"].match(question)
    named = any(re.search(r"[a-z]", stem) for stem in told)
    return (len(told) > 1 and bool(nouns)) or (bool(told) and (named or (defined is not None and len(told[0]) > 1)))


def _is_list(fact: StructureFact, knowledge: Knowledge) -> bool:
    """Check whether a list right below the heading answers it, which ``listing`` asks for."""
    return (fact.doc, fact.section, fact.subject.text) in knowledge.derived(_listed)


def _listed(knowledge: Knowledge) -> frozenset[tuple[str, int, str]]:
    kinds = (StructureKind.MEMBER, StructureKind.PROCEDURE)
    return frozenset((fact.doc, fact.section, fact.subject.text) for fact in knowledge.structure if fact.kind in kinds)


def _asked(knowledge: Knowledge) -> Mapping[str, int]:
    """Return how many headings ask each question."""
    found = (fact for fact in knowledge.structure if fact.kind == StructureKind.ANSWERS)
    return Counter(heading_question(fact.name or fact.subject.text) for fact in found)


# What is said on the topic of a section: 年假有哪些规定？ 数据平台部有什么作用？ The section is the answer.

_TAKEN_UP = 0.5  # of the words of a heading, in the text below it
_MIN_SENTENCES = 2  # of a section on a topic; one is the label of a setting


def topic(scenario: Scenario, knowledge: Knowledge) -> Iterator[QuestionDraft]:
    """Yield what a thing is or does, or which rules hold for it, if the section below its name says so.

    Raises:
        UnwrittenError: the section says something else of it, or does not stand alone.
    """
    (fact,) = scenario.structure
    (passage,), document = fact.values, knowledge.documents[fact.doc]
    name, text = bare_title(fact.subject.text), simplified(passage.text)
    if refers_out(text) or any(lacks_word(each.text) for each in sentences_of(document, passage)):
        raise UnwrittenError(Why.POINTS)
    opening = re.match(rf"[「“]?{re.escape(simplified(name))}[」”]?\s?(?:[（(][^（）()]+[）)])?\s?", text)
    if opening and PATTERNS["is_a"].match(text, opening.end()):
        question = f"什么是{name}？"
    elif opening and PATTERNS["does"].match(text, opening.end()):
        question = f"{name}有什么作用？"
    else:
        question = topic_question(document.title, fact.subject.text)
        asked = set(content_stems(name))
        sentences = list(sentence_spans(text))
        if len(sentences) < _MIN_SENTENCES or not re.search(f"[{HAN}]", name):
            raise UnwrittenError(Why.THIN)
        if any(name in block.text for block in document.blocks if block.section != fact.section):
            raise UnwrittenError(Why.OPEN)
        if len(asked & set(content_stems(text))) < _TAKEN_UP * len(asked):
            raise UnwrittenError(Why.ANSWER)
    step = {"fact": fact.id, "find": span_of(fact.doc, passage)}
    place = (fact.subject.start, passage.end)
    yield QuestionDraft(
        with_product(question, knowledge), (passage.text,), "lookup", (step,), answer_kind="passage", place=place
    )
