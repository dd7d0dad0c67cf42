"""Simple questions in Chinese: one phrase of a fact, or what a thing is."""

from __future__ import annotations

import re
from collections.abc import Iterator

from kgsynth.base.records import PROSE, Fact, Phrase, Scenario
from kgsynth.base.vocabulary import Flag, Role
from kgsynth.evidence.knowledge import Knowledge
from kgsynth.generation.writing.chinese.layout import in_common_scope
from kgsynth.generation.writing.chinese.wording import as_question, asked_in_place, joined, looked_up
from kgsynth.generation.writing.draft import QuestionDraft, UnwrittenError, Why
from kgsynth.language.chinese.value_form import amounts

_MONTH = re.compile(r"[月季]|[春夏秋冬]|年[初底末]")
_DONE = re.compile(r"^(?P<verb>[\u3400-\u9fff]{1,3})了|了$")
_STATE = re.compile(r"[了着过]|^(?:是|为|有|一直|仍|已|正|也|共)|的$")
"""What cannot stand between 是 and 的: a state, or what is over."""
_READERS = re.compile(r"[你您](?:们)?的")
_FEW = frozenset({"个月", "年", "周", "个星期", "星期"})


def factoid(scenario: Scenario, knowledge: Knowledge) -> Iterator[QuestionDraft]:
    """Yield the question for a quantity, a time, a place or a person."""
    fact = scenario.facts[0]
    phrase = fact.phrases[scenario.asked]
    if phrase.role == Role.PURPOSE:
        yield from _how_to(knowledge, fact, phrase)
    elif phrase.has(Flag.NUMBER):
        yield from quantity_asked(knowledge, fact, scenario.asked)
    elif phrase.role == Role.TIME and phrase.label == "DATE":
        yield from _time(knowledge, fact, scenario.asked)
    elif phrase.role == Role.PLACE:
        yield looked_up(fact, phrase, "lookup", asked_in_place(knowledge, fact, scenario.asked, "哪里"))
    elif phrase.label in {"PERSON", "ORG"}:
        yield from _holder(knowledge, fact, scenario.asked)
    else:
        raise UnwrittenError(Why.QUESTION_WORD)


def _how_to(knowledge: Knowledge, fact: Fact, goal: Phrase) -> Iterator[QuestionDraft]:
    """Yield the question how a goal is reached, or what it can be reached with."""
    told = next(phrase for phrase in fact.phrases if phrase is not goal)
    asked = "怎么" if told.role == Role.COMPLEMENT else "可以用什么来"
    text = as_question(f"{asked}{_READERS.sub('', joined(knowledge, fact, goal))}")
    yield looked_up(fact, told, "lookup", in_common_scope(text, knowledge, code=True))


def quantity_asked(knowledge: Knowledge, fact: Fact, place: int) -> Iterator[QuestionDraft]:
    """Yield the question how much or how many: 多少 with the measure word of the answer."""
    phrase = fact.phrases[place]
    words, counted = how_many(phrase.text), fact.phrases[-1]
    if not words:
        raise UnwrittenError(Why.QUESTION_WORD)
    text = asked_in_place(knowledge, fact, place, words)
    noun = f"{phrase.text}{counted.text}" if counted.role == Role.OTHER and not counted.text.startswith("的") else ""
    yield looked_up(fact, phrase, "lookup", text, noun)


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
    few = unit in _FEW and not re.search(r"\d{2}|[十百千万]", amount)
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
        if _STATE.search(done):
            text = as_question(f"{named}{told}是在{words}")
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
    """Yield the question what a thing is: 什么是X for a term, X是什么 for a name, X是谁 for a person."""
    fact = scenario.facts[0]
    subject, said = fact.first(Role.SUBJECT), fact.phrases[scenario.asked]
    if subject is None or _repeats(subject, said):
        raise UnwrittenError(Why.SENTENCE)
    if _is_defined_before(knowledge, fact, subject):
        raise UnwrittenError(Why.OPEN)
    name = joined(knowledge, fact, subject).strip("“”「」‘’")
    person = subject.has(Flag.PERSON)
    term = fact.verb.lemma != "是" or not subject.has(Flag.NAMED)
    text = f"{name}是谁" if person else f"什么是{name}" if term else f"{name}是什么"
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


def _repeats(subject: Phrase, said: Phrase) -> bool:
    """Check whether a definition opens with its own subject, so that it says nothing."""
    return bool(re.match(rf"{re.escape(subject.text)}(?![科属目])", said.text))
