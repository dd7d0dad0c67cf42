"""Topics for questions out of scope, by kind of thing, each with the words that an answer to it would need.

A document that names a thing and holds none of the words of a topic cannot answer a question about it.
"""

from __future__ import annotations

from typing import NamedTuple


class Topic(NamedTuple):
    """A question with "{}" for the name of a thing, and words of which any answer has at least one."""

    question: str
    signs: tuple[str, ...]


def _topic(question: str, signs: str) -> Topic:
    return Topic(question, tuple(signs.split()))


PROGRAMS = frozenset("command crate function library macro method module option package setting".split())
"""Kinds of thing that somebody wrote and that a later version may remove."""

TOPICS: dict[str, tuple[Topic, ...]] = {
    "person": (
        _topic("Where was {} born?", "born birth* native hometown grew raised"),
        _topic("Whom did {} marry?", "marri* marry* wife husband spouse wedding widow* wed"),
        _topic("Which university did {} go to?", "universit* college* graduat* degree* studied alma"),
        _topic("Who were the parents of {}?", "parent* father* mother* son sons daughter* child*"),
    ),
    "organization": (
        _topic("What is the phone number of {}?", "phone* telephone* call* dial*"),
        _topic("What is the annual budget of {}?", "budget* cost* spend* spent spending fund*"),
        _topic("Who designed the logo of {}?", "logo* emblem* badge*"),
    ),
    "place": (
        _topic("What is the dialling code of {}?", "dial* phone* telephone*"),
        _topic("How much rain falls in {} in a year?", "rain* precipitation"),
        _topic("Which airlines fly to {}?", "airline* airport* fly flies flight*"),
        _topic("What is the minimum wage in {}?", "wage* salar*"),
    ),
    "program": (
        _topic("Who wrote {}?", "author* wrote written write writes writer* contribut*"),
        _topic("In which version was {} deprecated?", "deprecat* obsolete* superseded removed"),
        _topic("Which security flaw was found in {}?", "security vulnerab* exploit* flaw* bug bugs cve*"),
    ),
}
"""Kind of thing -> its topics."""
