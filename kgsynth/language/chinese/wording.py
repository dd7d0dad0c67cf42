"""Counts of what the words of a Chinese question or answer are, for the ranker."""

from __future__ import annotations

import re

from kgsynth.language.chinese import lexicon as lex
from kgsynth.language.chinese.characters import plain
from kgsynth.language.chinese.question_checks import WH_WORD
from kgsynth.language.chinese.segmentation import Token, tokens
from kgsynth.language.words import HAN

_OPENINGS = {
    "区别": r"有(?:什么|何|哪些)(?:区别|不同|差异)",
    "为什么": r"(?<![称名编作算视])为什么|为何|为甚么|什么原因",
    "什么时候": r"什么时[候间]|何时|哪一?[年天月日]|几[月点号]",
    "多久": r"多久|多长时间",
    "多少": r"多少|几(?![乎内何])|多[大高长远深宽重快]",
    "条件": r"(?:什么|哪些)(?:条件|情况)",
    "会怎样": r"会(?:怎样|怎么样|如何|发生什么)",
    "怎么": r"怎么(?!样)|如何|怎样",
    "谁": r"谁|哪位|哪[一些]?个?人|什么人",
    "哪里": r"哪里|哪儿|在哪(?=\W*$)|何处|何地|什么地方",
    "应该": r"应该(?:先|怎么|如何|做)",
    "哪些": r"哪些|哪几",
    "哪个": r"哪",
    "是什么": r"[是为]什么(?=\W*$)",
    "什么": r"什么|何",
    "是否": r"是否|能否|可否|有没有|是不是|能不能|吗",
}
"""The words that ask, by class; the first that a question has counts, since the word that asks stands anywhere."""
_OPENING_FORMS = {name: re.compile(pattern) for name, pattern in _OPENINGS.items()}
_POINTERS = re.compile(
    r"参见|参阅|请看|详见|更多|上[文面图表]|下[文面图表]|如[上下图]|前[文面]|后[文面]|第\s*\d+\s*[章节页]"
)
_TASK = re.compile(r"(?:怎么|如何|怎样)(?:才能|去|来|能|可以|在[^，,]{1,12}[中里上])?")
_SCOPE = re.compile(r"^(?:在|对于|关于|当)?([^，,？?]{2,30}?)(中|里|上|下|时|的时候|方面)?[，,]")
_CLASSES = {
    "pronouns": lex.PRONOUNS,
    "first_person": lex.FIRST_PERSON,
    "second_person": lex.SECOND_PERSON,
    "demonstratives": lex.DEMONSTRATIVES,
    "conjunctions": lex.CONJUNCTIONS,
    "prepositions": lex.PREPOSITIONS,
    "subordinators": lex.SUBORDINATORS,
    "modals": lex.MODALS,
    "be": lex.COPULAS,
    "negations": lex.NEGATIONS,
    "quantifiers": lex.QUANTIFIERS,
    "vague_nouns": lex.VAGUE_NOUNS,
    "vague_adjectives": lex.VAGUE_ADJECTIVES,
    "light_verbs": lex.LIGHT_VERBS,
    "connectives": lex.CONNECTIVES,
    "deictic": lex.DEICTIC,
}


def opening(question: str) -> str:
    """Return the words that a question asks with, as one of a few classes, "other" for all the rest.

    Example:
        >>> opening("怎么轮换密钥？"), opening("列表和集合有什么区别？"), opening("说出名字。")
        ('怎么', '区别', 'other')
    """
    text = plain(question)
    return next((name for name, pattern in _OPENING_FORMS.items() if pattern.search(text)), "other")


def word_classes(text: str) -> dict[str, float]:
    """Return how many words of a text are of each class, and what it opens with and points to.

    The classes are those of English, as far as Chinese has them: "unknown" counts words in other letters, "gerunds"
    verbs.

    Example:
        >>> found = word_classes("参见下表，了解它们如何储存。")
        >>> found["pointers"], found["pronouns"], found["unknown"]
        (2.0, 1.0, 0.0)
    """
    folded = plain(text)
    found = [each for each in tokens(folded) if any(char.isalnum() for char in each.text)]
    words = [each.text for each in found]
    counts = {name: float(sum(word in known for word in words)) for name, known in _CLASSES.items()}
    first = words[0] if words else ""
    return counts | {
        "articles": 0.0,
        "unknown": float(sum(each.tag == "eng" for each in found)),
        "gerunds": float(sum(each.tag == "v" for each in found)),
        "pointers": float(len(_POINTERS.findall(folded))),
        "opens_demonstrative": float(first in lex.DEMONSTRATIVES | lex.CONNECTIVES),
        "opens_article": 0.0,
        "opens_preposition": float(first in lex.PREPOSITIONS),
        "opens_condition": float(first in lex.SUBORDINATORS),
        "opens_person": float(first in lex.FIRST_PERSON | lex.SECOND_PERSON),
        "opens_command": float(bool(found) and found[0].tag == "v"),
    }


def question_form(question: str) -> dict[str, float]:
    """Return the form of a question in numbers: where its question word stands, its scope, and the verb of a task.

    Example:
        >>> form = question_form("在 Lantern 中，怎么安装插件？")
        >>> form["scope"], form["task"], form["verb_after"], form["asks_at_end"]
        (1.0, 1.0, 1.0, 0.0)
    """
    text = plain(question).rstrip("?。! ")
    asked = re.search(WH_WORD, text)
    scope, task = _SCOPE.match(text), _TASK.search(text)
    after = _after(text, task.end()) if task else None
    return {
        "asks_at_start": float(bool(asked) and asked.start() == 0),  # type: ignore[union-attr]
        "asks_at_end": float(bool(asked) and asked.end() == len(text)),  # type: ignore[union-attr]
        "asks_at": asked.start() / len(text) if asked and text else 1.0,
        "question_words": float(len(re.findall(WH_WORD, text))),
        "ends_particle": float(text.endswith(("的", "吗", "呢", "了"))),
        "clauses": float(len(re.findall("[,，;；]", text))),
        "scope": float(bool(scope)),
        "scope_words": float(len(re.findall(rf"[{HAN}]|\w+", scope[1]))) if scope else 0.0,
        "task": float(bool(task)),
        "verb_after": float(after is not None and after.tag.startswith("v")),
        "verb_light": float(after is not None and after.text in lex.LIGHT_VERBS),
        "object_missing": float(after is not None and after.end == len(text)),
    }


def _after(text: str, place: int) -> Token | None:
    return next((each for each in tokens(text) if each.start >= place and each.text.strip()), None)
