"""What traversals must know about a Chinese verb, which they cannot see from its words."""

from __future__ import annotations

from kgsynth.base.records import Fact
from kgsynth.base.vocabulary import FactKind, Role


def says_use(fact: Fact, place: int) -> bool:
    """Check whether a phrase says what something is used for: 禾图用来监控服务器, and not 为了省电，禾图会休眠."""
    return fact.phrases[place].role == Role.PURPOSE and fact.kind != FactKind.OUTCOME
