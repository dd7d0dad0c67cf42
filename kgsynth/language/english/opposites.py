"""Words in which a question and a statement contradict each other: a denial, an opposite, an extreme.

Left out: what is denied, and opposites that depend on the subject (paper and plastic money).
"""

from __future__ import annotations

import re
from collections import defaultdict
from functools import cache

from kgsynth.base.thresholds import LIMITS
from kgsynth.language.english.lexicon import PATTERNS
from kgsynth.language.english.morphology import stem
from kgsynth.language.words import words

_EXTREME = re.compile(r"\b(?:only|first|last|always|all|every|most|least|\w{3,}est)\b", re.I)
_PREFIXES = ("un", "in", "im", "ir", "dis", "non", "anti")
_OPPOSITES = """
    absent present, absorb release, abundance shortage, abundant scarce, accept refuse, accept reject, active passive,
    add remove, admit deny, admit expel, advance retreat, advantage disadvantage, after before, agree disagree,
    alive dead, allow forbid, allow prevent, allow prohibit, ally enemy, always never, ancient modern, apart together,
    appear disappear, appear vanish, approve reject, arrive depart, arrive leave, artificial natural, attack defend,
    attract repel, back front, bad good, begin end, begin finish, begin stop, best worst, better worse, big small,
    birth death, borrow lend, bottom top, brother sister, build destroy, buy sell, cause prevent, cheap expensive,
    child parent, civilian military, close open, cold hot, cold warm, combine separate, common rare, complex simple,
    compulsory voluntary, connect disconnect, construct demolish, construct destroy, contract expand, cool heat,
    create destroy, criticise praise, dangerous safe, daughter son, day night, death life, decline grow,
    decline increase, decline rise, decrease grow, decrease increase, decrease raise, decrease rise, deep shallow,
    defeat victory, defensive offensive, deficit surplus, demand supply, deny permit, destroy preserve, destroy protect,
    die live, difference similarity, different same, different similar, difficult easy, difficult simple,
    discourage encourage, discourage promote, distrust trust, divide unite, domestic foreign, down up, downward upward,
    dry wet, dynamic static, earlier later, earliest latest, early late, east west, eastern western, easy hard,
    emigrate immigrate, employee employer, empty full, encourage prevent, end start, enemy friend, enter exit,
    enter leave, even odd, exclude include, explicit implicit, export import, external internal, fail succeed, fail win,
    failure success, fall rise, false true, far near, fast slow, father mother, female male, few many, fewer more,
    finish start, finite infinite, first last, fixed variable, flexible rigid, follow precede, forbid permit,
    forbid require, forced voluntary, foreign native, forget remember, friendly hostile, gain lose, gain loss,
    general specific, global local, gradual sudden, grow shrink, guilty innocent, halt start, harm help,
    harmful helpful, hate love, healthy sick, heavy light, help hinder, hide reveal, high low, higher lower,
    highest lowest, horizontal vertical, husband wife, ignorance knowledge, illegal legal, improve worsen,
    increase reduce, inferior superior, inhibit stimulate, input output, inside outside, insufficient sufficient,
    invisible visible, join leave, junior senior, king queen, large small, larger smaller, largest smallest,
    learn teach, least most, leave stay, less more, liquid solid, long short, longer shorter,
    longest shortest, loose tight, lose retain, lose win, loss profit, loud quiet, lower raise, lower upper,
    major minor, majority minority, man woman, mandatory optional, maximise minimise, maximize minimize,
    maximum minimum, mental physical, multiple single, narrow wide, narrow widen, negative positive, new old,
    newest oldest, north south, northeast southwest, northern southern, northwest southeast, often rarely, often seldom,
    old young, oldest youngest, oppose support, optional required, outside within, partial whole, peace violence,
    peace war, peaceful violent, permanent temporary, permit prohibit, poor rich, poor wealthy, poorest richest,
    poverty wealth, powerful weak, prevent promote, primary secondary, private public, pull push, punish reward,
    quick slow, raise reduce, rapid slow, receive send, reject support, religious secular, resist surrender,
    rough smooth, rural urban, separate unite, short tall, shortage surplus, start stop, stimulate suppress,
    strength weakness, strengthen weaken, strong weak, stronger weaker, strongest weakest, student teacher,
    summer winter, thick thin, useful useless
"""
"""Pairs of words that exclude each other in nearly every sentence."""


def contradictions(question: str, statement: str) -> frozenset[str]:
    """Return how a statement contradicts a question: "denial", "opposite", "extreme".

    Denial: the question denies and the statement does not. Opposite: the statement has the opposite of a word of the
    question, and not the word. Extreme: the question singles out (the first, the only, always) and the statement does
    not.

    Example:
        >>> sorted(contradictions("Who did not accept the treaty?", "Ada rejected the treaty."))
        ['denial', 'opposite']
        >>> contradictions("Who accepted the treaty?", "Ada accepted the treaty.")
        frozenset()
    """
    stated = set(words(statement))
    stated_stems = {stem(word) for word in stated}
    missing = {stem(word) for word in words(question)} - stated_stems
    extremes = {match.group().lower() for match in _EXTREME.finditer(question)}
    found = {
        "denial": bool(PATTERNS["denial"].search(question)) and not PATTERNS["denial"].search(statement),
        "opposite": any(opposites(each) & stated_stems for each in missing),
        "extreme": bool(extremes - stated),
    }
    return frozenset(name for name, holds in found.items() if holds)


def opposites(word: str) -> frozenset[str]:
    """Return the stems that mean the opposite of a stem, by the list and the negative prefixes.

    Example:
        >>> "tight" in opposites("loose"), "usual" in opposites("unusual")
        (True, True)
    """
    length = len(word.removesuffix("e"))
    affirmed = {word.removeprefix(prefix) for prefix in _PREFIXES if length >= len(prefix) + LIMITS.negatable_letters}
    negated = {prefix + word for prefix in _PREFIXES if length >= LIMITS.negatable_letters}
    return frozenset(affirmed | negated | _listed_opposites().get(word, set())) - {word}


@cache
def _listed_opposites() -> dict[str, set[str]]:
    table: dict[str, set[str]] = defaultdict(set)
    for pair in _OPPOSITES.split(","):
        one, other = map(stem, pair.split())
        table[one].add(other)
        table[other].add(one)
    return dict(table)
