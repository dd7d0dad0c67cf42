"""Topics for out-of-scope questions, by kind of thing, each with words; every answer needs one of them.

A document that names a thing and has none of these words cannot answer the question.
"""

from __future__ import annotations

from typing import NamedTuple


class Topic(NamedTuple):
    """A question with "{}" for the name of a thing, and words separated by blanks; every answer has one of them."""

    question: str
    answer_words: str


PROGRAMS = frozenset("command crate function library macro method module option package setting".split())
"""Nouns for code that has an author and that a later version may remove."""

TOPICS: dict[str, tuple[Topic, ...]] = {
    "person": (
        Topic("Where was {} born?", "born birth* native hometown grew raised"),
        Topic("Whom did {} marry?", "marri* marry* wife husband spouse wedding widow* wed"),
        Topic("Which university did {} go to?", "universit* college* graduat* degree* studied alma"),
        Topic("Who were the parents of {}?", "parent* father* mother* son sons daughter* child*"),
    ),
    "organization": (
        Topic("What is the phone number of {}?", "phone* telephone* call* dial*"),
        Topic("What is the annual budget of {}?", "budget* cost* spend* spent spending fund*"),
        Topic("Who designed the logo of {}?", "logo* emblem* badge*"),
    ),
    "place": (
        Topic("What is the dialling code of {}?", "dial* phone* telephone*"),
        Topic("How much rain falls in {} in a year?", "rain* precipitation"),
        Topic("Which airlines fly to {}?", "airline* airport* fly flies flight*"),
        Topic("What is the minimum wage in {}?", "wage* salar*"),
    ),
    "program": (
        Topic("Who wrote {}?", "author* wrote written write writes writer* contribut*"),
        Topic("In which version was {} deprecated?", "deprecat* obsolete* superseded removed"),
        Topic("Which security flaw was found in {}?", "security vulnerab* exploit* flaw* bug bugs cve*"),
    ),
}
"""Kind of thing -> its topics."""
