"""What traversals must know about a Chinese verb, which they cannot see from its words."""

from __future__ import annotations

from kgsynth.base.records import Fact
from kgsynth.base.vocabulary import FactKind, Role

_USED = frozenset("用于 用来 用以 用作 适用于 应用于 可用于 可用来 被用于 被用来 常用于 主要用于".split())


def purpose_of_use(fact: Fact) -> int | None:
    """Return which phrase says what the subject of a fact is used for, None when the fact does not say so."""
    purposes = [n for n, phrase in enumerate(fact.phrases) if phrase.role == Role.PURPOSE]
    used = (fact.verb.lemma in _USED or fact.verb.form in _USED) and not fact.verb.negated
    return purposes[0] if used and len(purposes) == 1 else None


def says_use(fact: Fact, place: int) -> bool:
    """Check whether a phrase says what something is used for: 禾图用来监控服务器, and not 为了省电，禾图会休眠."""
    return fact.phrases[place].role == Role.PURPOSE and fact.kind != FactKind.OUTCOME
