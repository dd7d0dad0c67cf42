"""Questions about what follows from a condition in Chinese, and who or what is meant by 只有."""

from __future__ import annotations

import re
from collections.abc import Iterator

from kgsynth.base.records import Fact, Phrase, Scenario
from kgsynth.base.vocabulary import FactKind, Flag, Role
from kgsynth.evidence.knowledge import Knowledge
from kgsynth.generation.writing.chinese.scope import names_body
from kgsynth.generation.writing.chinese.simple import how_many
from kgsynth.generation.writing.chinese.wording import as_question, joined, looked_up, span_of_phrase
from kgsynth.generation.writing.draft import QuestionDraft, UnwrittenError, Why
from kgsynth.language.chinese.condition_form import will
from kgsynth.language.chinese.segmentation import tokens

_HAPPENS_TO = frozenset(
    """出现 发生 产生 变成 变为 变得 成为 失去 受到 得到 收到 导致 造成 消耗 触发 停止 自动 失败 具有 存在 处于 面临
    增加 减少 占用 影响 是 有 被""".split()
)
"""Verbs of what happens to a thing, which nobody does on purpose."""
_PROGRAM = re.compile(r"[A-Z][\w.+ ]*")
_HAPPENS = re.compile(r"(?:将会|都会|也会|就会|会|将)")
_MUST = re.compile(r"(?:必须|应该|应当|需要|可以|能够|可)")


def explicit(scenario: Scenario, knowledge: Knowledge) -> Iterator[QuestionDraft]:
    """Yield the question what happens under a condition, or how much then, or who alone may."""
    fact = scenario.facts[0]
    condition, asked = fact.first(Role.CONDITION), fact.phrases[scenario.asked]
    if condition is None:
        return
    if fact.kind == FactKind.OUTCOME:
        yield from _consequence(knowledge, fact, condition, asked)
    elif asked.has(Flag.NUMBER) and (words := how_many(asked.text)):
        document = knowledge.documents[fact.doc]
        before = document.plain(condition.start, asked.start)
        after = document.plain(asked.end, fact.phrases[-1].end) if asked.end < fact.phrases[-1].end else ""
        step = {"condition": span_of_phrase(fact, condition)}
        yield looked_up(fact, asked, "condition", as_question(f"{before}{words}{after}"), **step)
    elif fact.verb.lemma == "才" and asked is condition:
        yield from _only(knowledge, fact, condition)
    else:
        raise UnwrittenError(Why.SENTENCE)


def _consequence(knowledge: Knowledge, fact: Fact, condition: Phrase, outcome: Phrase) -> Iterator[QuestionDraft]:
    """Yield 会怎样 in place of the predicate of the outcome, if it has one that says what will happen."""
    text, step = joined(knowledge, fact, outcome), {"condition": span_of_phrase(fact, condition)}
    case = joined(knowledge, fact, condition)
    place = will(text)
    if place < 0:
        yield looked_up(fact, outcome, "condition", as_question(f"{case}，会发生什么"), **step)
        return
    subject, predicate = text[:place], text[place:]
    if match := _HAPPENS.match(predicate):
        start = place + match.end()
        words = _what_then(knowledge, subject, text[start:])
    elif match := _MUST.match(predicate):
        start, words = place, "应该怎么做" if match.group() not in {"可以", "能够", "可"} else "可以怎么做"
    else:
        start, words = place, _what_then(knowledge, subject, predicate.lstrip("不"))
    answer = _tail(outcome, start, text)
    if answer is None:
        raise UnwrittenError(Why.ANSWER)
    yield looked_up(fact, answer, "condition", as_question(f"{case}，{subject}{words}"), **step)


def _what_then(knowledge: Knowledge, subject: str, predicate: str) -> str:
    """Return the words that ask what follows: what somebody does, how it is with a thing, or what happens at all."""
    if not subject:
        return "会发生什么"
    acts = (
        knowledge.entities.is_actor(subject)
        or names_body(subject)
        or (_PROGRAM.fullmatch(subject) and _has_object(predicate))
    )
    return "会怎么做" if acts and _first_verb(predicate) not in _HAPPENS_TO else "会怎样"


def _first_verb(predicate: str) -> str:
    return next((each.text for each in tokens(predicate) if each.tag[:1] in "vp"), "")


def _has_object(predicate: str) -> bool:
    words = [each for each in tokens(predicate) if each.text.strip()]
    return len(words) > 1 and any(each.tag[:1] in "nlj" or each.tag == "eng" for each in words[1:])


def _tail(outcome: Phrase, start: int, text: str) -> Phrase | None:
    """Return the phrase from a character of its text on, None where markup makes its place unsure."""
    if outcome.end - outcome.start != len(text) or text != outcome.text:
        return None
    from dataclasses import replace

    return replace(outcome, text=text[start:], start=outcome.start + start)


def _only(knowledge: Knowledge, fact: Fact, condition: Phrase) -> Iterator[QuestionDraft]:
    """Yield 哪些 with the noun that 只有 limits: 哪些客户才能使用接口."""
    words = tokens(condition.text)
    rest = fact.phrases[-1]
    if not words or words[-1].tag[:1] != "n" or len(words) < 2:
        raise UnwrittenError(Why.SENTENCE)
    text = f"哪些{words[-1].text}{joined(knowledge, fact, rest)}"
    yield looked_up(fact, condition, "lookup", as_question(text))
