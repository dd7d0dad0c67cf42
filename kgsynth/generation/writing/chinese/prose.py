"""Chinese questions on the facts of sentences: 因为, 为了, 如果, 是指, 由…担任, and quantities."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from kgsynth.base.records import PROSE, Document, Fact, Phrase, Scenario
from kgsynth.base.vocabulary import FactKind, Flag, Role
from kgsynth.evidence.knowledge import Knowledge
from kgsynth.generation.writing.chinese.layout import in_common_scope
from kgsynth.generation.writing.draft import QuestionDraft, UnwrittenError, Why
from kgsynth.language.chinese.clauses import opening_time, subject_of
from kgsynth.language.chinese.conditions import amounts, will
from kgsynth.language.chinese.lexicon import PATTERNS, WORDS
from kgsynth.language.chinese.segmentation import tokens
from kgsynth.language.lengths import length_in_words

_ASIDE = re.compile(r"（[^（）]*）|(?<![A-Za-z0-9_])\([^()]*\)")
_TO_FULL_WIDTH = str.maketrans(",?!", "，？！")


def as_question(text: str) -> str:
    """Return a text as a question: without brackets, with full-width marks and one question mark at its end.

    Example:
        >>> as_question("青禾（简称）成立于哪一年")
        '青禾成立于哪一年？'
    """
    bare = _ASIDE.sub("", text).strip(" ，。；,;.")
    bare = PATTERNS["around_latin"].sub(" ", bare)
    return re.sub(r"(?<=[\u3400-\u9fff])[,?!]", lambda mark: mark.group().translate(_TO_FULL_WIDTH), bare) + "？"


def asked_in_place(knowledge: Knowledge, fact: Fact, asked: int, words: str) -> str:
    """Return the clause of a fact, from its first phrase to its last, with ``words`` in place of the asked phrase."""
    first, last, phrase = fact.phrases[0], fact.phrases[-1], fact.phrases[asked]
    before = _between(knowledge, fact, first.start, phrase.start)
    after = _between(knowledge, fact, phrase.end, last.end)
    return as_question(f"{_spaced(before, words)}{after}")


def _between(knowledge: Knowledge, fact: Fact, start: int, end: int) -> str:
    return knowledge.documents[fact.doc].plain(start, end) if start < end else ""


def _spaced(before: str, after: str) -> str:
    """Return two texts, with a blank between if the first ends in a Latin letter, as people write it."""
    return f"{before} {after}" if before[-1:].isascii() and before[-1:].isalnum() else before + after


def joined(knowledge: Knowledge, fact: Fact, phrase: Phrase) -> str:
    """Return the text of a phrase without markup."""
    return _between(knowledge, fact, phrase.start, phrase.end)


def looked_up(fact: Fact, phrase: Phrase, operator: str, question: str, *variants: str, **more: Any) -> QuestionDraft:
    """Return the draft of a question that one phrase of a fact answers; ``more`` goes into the step of its proof."""
    find = {"doc": fact.doc, "start": phrase.start, "end": phrase.end}
    texts = tuple(dict.fromkeys((phrase.text, *filter(None, variants))))
    return QuestionDraft(question, texts, operator, ({"fact": fact.id, "find": find, **more},))


def span_of_phrase(fact: Fact, phrase: Phrase) -> dict[str, Any]:
    """Return the span of a phrase, in the form that a derivation has."""
    return {"doc": fact.doc, "start": phrase.start, "end": phrase.end}


# The heading under which a fact holds, where its question needs that: 数据平台部的负责人是谁.

_BEFORE_NAME = 12
"""How many characters may stand before the name of a page in its first sentence: where or of what kind it is."""
_BODY_TITLE = re.compile(r"^[\u3400-\u9fff\w]{2,10}(?:部|组|处|科|室|队|院|所|厂|站|会|中心|公司|学校|大学)$")
"""How a heading ends that names a body of people."""


def framed(scenario: Scenario, knowledge: Knowledge, draft: QuestionDraft) -> Iterator[QuestionDraft]:
    """Yield a draft, with what its page or heading is about before a subject without a name: X的平均年龄为多少岁."""
    subject = scenario.facts[0].first(Role.SUBJECT) if scenario.facts else None
    place = draft.question.find(subject.text) if subject is not None else -1
    counted = bool(scenario.facts) and scenario.facts[0].phrases[scenario.asked].has(Flag.NUMBER)
    if (
        scenario.subtype == "factoid"
        and subject is not None
        and place >= 0
        and (counted or not subject.has(Flag.NAMED))
    ):
        owner = "" if subject.text.startswith("全") else _owner(scenario, knowledge)
        if owner and owner not in draft.question and subject.text not in owner:
            draft = draft._replace(question=f"{draft.question[:place]}{owner}的{draft.question[place:]}")
    yield draft


def names_body(title: str) -> bool:
    """Check whether a name is that of a body of people, by its end.

    Example:
        >>> names_body("现场服务部"), names_body("云雀网关")
        (True, False)
    """
    return bool(_BODY_TITLE.match(title))


def _owner(scenario: Scenario, knowledge: Knowledge) -> str:
    """Return the body of people whose role is asked for, or the thing that the page is about, "" for neither.

    A page is about the thing in its title if its first sentence begins with it; other titles name a topic (入职流程).
    """
    fact = scenario.facts[0]
    document = knowledge.documents[fact.doc]
    if fact.phrases[scenario.asked].label == "PERSON":
        title = knowledge.statements.section_of(fact).title.strip()
        return title if names_body(title) else ""
    return _named_by_page(document)


def _named_by_page(document: Document) -> str:
    """Return the thing in the title of a page, as its first sentence begins with it; "" if it does not.

    A file name has _ for other marks: 戴文_汉塞克, 胜利广场_巴黎.
    """
    title = re.sub(r"\s*[（(][^（）()]*[）)]$", "", document.title.strip())
    first = next((block.text for block in document.blocks if block.kind in PROSE), "")
    for name in dict.fromkeys((title, title.replace("_", "·"), title.partition("_")[0])):
        if len(name) > 1 and re.match(
            rf"[“「《\"]?[^，,。；是为（(“「《]{{0,{_BEFORE_NAME}}}?{re.escape(name)}", first
        ):
            return name
    return ""


# Simple questions in Chinese: one phrase of a fact, or what a thing is.

_MONTH = re.compile(r"[月季]|[春夏秋冬]|年[初底末]")
_DONE = re.compile(r"^(?P<verb>[\u3400-\u9fff]{1,3})了|了$")
_READERS = re.compile(r"[你您](?:们)?的")


def factoid(scenario: Scenario, knowledge: Knowledge) -> Iterator[QuestionDraft]:
    """Yield the question for a quantity, a time or a person."""
    fact = scenario.facts[0]
    phrase = fact.phrases[scenario.asked]
    if phrase.role == Role.PURPOSE:
        yield from _how_to(knowledge, fact, phrase)
    elif phrase.has(Flag.NUMBER):
        yield from quantity_asked(knowledge, fact, scenario.asked)
    elif phrase.role == Role.TIME and phrase.label == "DATE":
        yield from _time(knowledge, fact, scenario.asked)
    elif phrase.label in {"PERSON", "ORG"}:
        yield from _holder(knowledge, fact, scenario.asked)
    else:
        raise UnwrittenError(Why.QUESTION_WORD)


def _how_to(knowledge: Knowledge, fact: Fact, goal: Phrase) -> Iterator[QuestionDraft]:
    """Yield the question how a goal is reached."""
    told = next(phrase for phrase in fact.phrases if phrase is not goal)
    text = as_question(f"怎么{_READERS.sub('', joined(knowledge, fact, goal))}")
    yield looked_up(fact, told, "lookup", in_common_scope(text, knowledge, code=True))


def quantity_asked(knowledge: Knowledge, fact: Fact, place: int) -> Iterator[QuestionDraft]:
    """Yield the question how much or how many: 多少 with the measure word of the answer."""
    phrase, subject = fact.phrases[place], fact.first(Role.SUBJECT)
    if subject is None or not (subject.has(Flag.NAMED) or _tells_which(subject.text)):
        raise UnwrittenError(Why.UNNAMED)
    words, counted = how_many(phrase.text), fact.phrases[-1]
    if not words:
        raise UnwrittenError(Why.QUESTION_WORD)
    text = asked_in_place(knowledge, fact, place, words)
    noun = f"{phrase.text}{counted.text}" if counted.role == Role.OTHER and not counted.text.startswith("的") else ""
    yield looked_up(fact, phrase, "lookup", text, noun)


def _tells_which(subject: str) -> bool:
    """Check whether a subject without a name has two words for a thing: 增量备份, but not 日志 or 单个附件."""
    return sum(each.tag in WORDS["class_tags"] or each.tag == "vn" for each in tokens(subject)) > 1


def how_many(amount: str) -> str:
    """Return the words that ask for an amount, "" for one that cannot be read.

    Example:
        >>> how_many("186名"), how_many("约300 公里"), how_many("三个月"), how_many("百分之五"), how_many("12%")
        ('多少名', '多少公里', '几个月', '百分之多少', '百分之多少')
    """
    found = amounts(amount)
    if not found:
        return ""
    unit = found[0].unit
    if not unit or unit in {"%", "％"}:
        return "百分之多少"
    few = unit in WORDS["few"] and not re.search(r"\d{2}|[十百千万]", amount)
    return f"{'几' if few else '多少'}{unit}" if not unit[0].isascii() else f"多少 {unit}"


def _time(knowledge: Knowledge, fact: Fact, place: int) -> Iterator[QuestionDraft]:
    """Yield the question when something happened: 于哪一年 in its place, or 是在哪一年 after the whole."""
    phrase, subject = fact.phrases[place], fact.first(Role.SUBJECT)
    words = "什么时候" if _MONTH.search(phrase.text[3:]) else "哪一年"
    rest = fact.phrases[-1] if fact.phrases[-1].role == Role.OTHER else None
    if subject is None:
        raise UnwrittenError(Why.UNNAMED)
    if rest is None:
        text = asked_in_place(knowledge, fact, place, words)
    else:
        told, named = joined(knowledge, fact, rest), joined(knowledge, fact, subject)
        done = _DONE.sub(r"\g<verb>", told)
        text = as_question(f"{named}是{words}{done}的")
    yield looked_up(fact, phrase, "lookup", text)


def _holder(knowledge: Knowledge, fact: Fact, place: int) -> Iterator[QuestionDraft]:
    """Yield the question who holds a role or is in charge."""
    phrase = fact.phrases[place]
    if phrase.role == Role.SUBJECT:
        text = as_question(f"谁担任{joined(knowledge, fact, fact.phrases[-1])}")
    else:
        text = asked_in_place(knowledge, fact, place, "谁")
        text = re.sub(r"(?<=是由谁)(?P<done>[^？]+?)的?？$", r"\g<done>的？", text)
    yield looked_up(fact, phrase, "lookup", text)


def definition(scenario: Scenario, knowledge: Knowledge) -> Iterator[QuestionDraft]:
    """Yield the question what a thing is: 什么是X for a term, X是什么 for a name."""
    fact = scenario.facts[0]
    subject, said = fact.first(Role.SUBJECT), fact.phrases[scenario.asked]
    if subject is None:
        raise UnwrittenError(Why.SENTENCE)
    if _is_defined_before(knowledge, fact, subject):
        raise UnwrittenError(Why.OPEN)
    name = re.sub(r"^[“「‘]([^”」’]*)[”」’]$", r"\1", joined(knowledge, fact, subject))
    term = fact.verb.lemma != "是" or not subject.has(Flag.NAMED)
    text = f"什么是{name}" if term else f"{name}是什么"
    yield looked_up(fact, said, "definition", as_question(text))


def _is_defined_before(knowledge: Knowledge, fact: Fact, subject: Phrase) -> bool:
    """Check whether the first sentence of the page says what the thing is, and the fact is a later one."""
    first = next((block for block in knowledge.documents[fact.doc].blocks if block.kind in PROSE), None)
    if first is None or fact.start <= first.start:
        return False
    name = re.escape(subject.text.strip("“”「」‘’"))
    return bool(
        re.match(
            rf"[“「《]?[^，,。；是为（(]{{0,6}}{name}[”」》]?\s?(?:（[^（）]*）|\([^()]*\))?(?:[，,]|是|为|指)",
            first.text,
        )
    )


# Questions for a cause or a purpose in Chinese: 为什么 before the clause that is explained.

_WRITTEN_NAME = re.compile(r"[A-Z]\w+|《.+》|\d号", re.ASCII)
_MAY = re.compile(r"可以|能够?(?!力|量|源)|可(?!能)")
_OPENING_LINK = re.compile(r"^(?:因此|所以|因而|那么|于是)")


def cause(scenario: Scenario, knowledge: Knowledge) -> Iterator[QuestionDraft]:
    """Yield the question why something is so."""
    yield from _why(scenario, knowledge, "cause")


def purpose(scenario: Scenario, knowledge: Knowledge) -> Iterator[QuestionDraft]:
    """Yield the question why something is done."""
    done = scenario.facts[0].first(Role.OUTCOME)
    if done is None or _MAY.search(done.text):
        raise UnwrittenError(Why.SENTENCE)  # what somebody can do is not done for a purpose
    yield from _why(scenario, knowledge, "purpose")


def _why(scenario: Scenario, knowledge: Knowledge, operator: str) -> Iterator[QuestionDraft]:
    """Yield 为什么 with the explained clause; a clause of time before it stays in front."""
    fact, explained = scenario.facts[0], scenario.facts[0].first(Role.OUTCOME)
    if explained is None:
        raise UnwrittenError(Why.SENTENCE)
    asked = fact.phrases[scenario.asked]
    bare = asked.text.removeprefix("为了")
    text = _OPENING_LINK.sub("", joined(knowledge, fact, explained))
    subject = subject_of(text.rpartition("，")[2]) or subject_of(text)
    if subject is None or not _has_name(knowledge, text[: subject.predicate]):
        raise UnwrittenError(Why.UNNAMED)
    if fact.phrases[0].start > fact.start and (length := opening_time(fact.text)) > 0 and fact.text[length] == "，":
        question = f"{fact.text[: length + 1]}为什么{text}"
    else:
        question = f"为什么{text}"
    yield looked_up(fact, asked, operator, as_question(question), bare)


def _has_name(knowledge: Knowledge, subject: str) -> bool:
    """Check whether a subject says by a name what it is, or whose: 编辑器 and 临时文件 are understood on their page."""
    parts = {subject[start:end] for start in range(len(subject)) for end in range(start + 2, len(subject) + 1)}
    titled = {document.title for document in knowledge.documents.values()}
    named = _WRITTEN_NAME.search(subject) or names_body(subject) or parts & titled
    return bool(named or any(map(knowledge.entities.is_name, parts)))


# Questions about what follows from a condition in Chinese.

_HAPPENS = re.compile(r"(?:将会|都会|也会|就会|会|将)")


def explicit(scenario: Scenario, knowledge: Knowledge) -> Iterator[QuestionDraft]:
    """Yield the question what happens to a thing with a name under a condition."""
    fact = scenario.facts[0]
    condition, asked = fact.first(Role.CONDITION), fact.phrases[scenario.asked]
    if condition is None or fact.kind != FactKind.OUTCOME:
        raise UnwrittenError(Why.SENTENCE)
    yield from _consequence(knowledge, fact, condition, asked)


def _consequence(knowledge: Knowledge, fact: Fact, condition: Phrase, outcome: Phrase) -> Iterator[QuestionDraft]:
    """Yield 会怎样 in place of the predicate of the outcome, which says what will happen to something with a name."""
    text, step = joined(knowledge, fact, outcome), {"condition": span_of_phrase(fact, condition)}
    case = joined(knowledge, fact, condition)
    place = will(text)
    subject, predicate = text[: max(place, 0)], text[place:]
    if not _has_name(knowledge, subject):
        raise UnwrittenError(Why.UNNAMED)
    acts = knowledge.entities.is_actor(subject) or names_body(subject)
    happens = _HAPPENS.match(predicate)
    start, words = place + (happens.end() if happens else 0), "会怎么做" if acts else "会怎样"
    answer = _tail(outcome, start, text)
    if answer is None:
        raise UnwrittenError(Why.ANSWER)
    yield looked_up(fact, answer, "condition", as_question(f"{case}，{subject}{words}"), **step)


def _tail(outcome: Phrase, start: int, text: str) -> Phrase | None:
    """Return the phrase from a character of its text on, None where markup makes its place unsure."""
    if outcome.end - outcome.start != len(text) or text != outcome.text:
        return None
    return replace(outcome, text=text[start:], start=outcome.start + start)


# Would a Chinese reader ask this question, by its form? Answers that say nothing, and questions that are too long.

_ANSWER_POINTS = re.compile(r"^(?:[它他她其]|这|那|此|该)|上述|如下|以下|下面|前面|上面|这[样个些种]|本[文节章页例]")
_LONGEST_QUESTION = 32
_LONGEST_ANSWER = 30


def is_worth_asking(scenario: Scenario, knowledge: Knowledge, draft: QuestionDraft) -> bool:
    """Check that the answer says something by itself, and that question and answer are of a length people use.

    Raises:
        UnwrittenError: they are not.
    """
    answer, defined = draft.answers[0], bool(scenario.facts) and draft.operator == "definition"
    long = length_in_words(draft.question) > _LONGEST_QUESTION and not defined
    if long or (scenario.facts and length_in_words(answer) > _LONGEST_ANSWER):  # other writers know what they quote
        raise UnwrittenError(Why.LONG)
    if scenario.facts and not defined and _ANSWER_POINTS.search(answer):
        raise UnwrittenError(Why.POINTS)
    if scenario.facts and not defined and "，" in answer.strip("，"):
        raise UnwrittenError(Why.INDEFINITE)
    return True
