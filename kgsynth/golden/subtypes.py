"""The subtypes of questions, each with the traits that rules, writers and the audit go by.

A new subtype is a line here, its traversal ``walk`` in ``generation/evolutions/NAME.py``, and a writer per language.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from kgsynth.base.errors import ConfigError
from kgsynth.base.names import suggestion


class Unknown(StrEnum):
    """Which phrase of each fact the asker does not know."""

    ANSWER = "answer"  # the answer in the last fact, the link to the next fact in those before
    EACH = "each"  # a phrase of each of two facts
    SUBJECT = "subject"  # the subject of every fact


@dataclass(frozen=True, slots=True)
class Subtype:
    """A kind of question, and what sets it apart from a question about one fact.

    Attributes:
        question_type: the type it counts towards in a mix.
        unknown: which phrase of each fact the asker does not know.
        names_answers: the question names the things to choose from, so it may hold its answer.
        joint: the answer is made by all facts together, so the same facts make the same question.
        hidden_link: the facts meet in an entity that the question describes and must not name.
        shared_facts: each fact holds of several things, only together of one.
        single_word: one content word is enough ("What is Redis?").
        heading_scope: a heading says which one is meant, so a phrase may leave it open.
        needs_name: without a name the question does not say what it is about.
        subjects_kept: the subjects are answers, or must be recognised, so they are not rephrased.
        swaps_verb: the verb of its fact was exchanged, not the thing it is said of.
        topic_only: it asks about a topic, with no word of a fact.
        in_series: many are alike, such as those on the cells of a table, so a set takes a few of a section.
        default: it is asked unless ``--kinds`` says otherwise; readers would not keep half of the questions of others.
        about: what it asks for, in a few words.
    """

    question_type: str
    unknown: Unknown = Unknown.ANSWER
    names_answers: bool = False
    joint: bool = False
    hidden_link: bool = False
    shared_facts: bool = False
    single_word: bool = False
    heading_scope: bool = False
    needs_name: bool = False
    subjects_kept: bool = False
    swaps_verb: bool = False
    topic_only: bool = False
    in_series: bool = False
    default: bool = True
    about: str = ""


_PAIR: dict[str, Any] = {"unknown": Unknown.EACH, "joint": True, "subjects_kept": True}
_ONE_OF_TWO: dict[str, Any] = {**_PAIR, "names_answers": True}

SUBTYPES: dict[str, Subtype] = {
    "factoid": Subtype("simple", needs_name=True, about="one phrase of a sentence"),
    "page_question": Subtype("simple", about="a question that a heading asks"),
    "listing": Subtype("simple", about="all members of a list"),
    "look_up": Subtype("simple", in_series=True, about="a cell of a table, or a field"),
    "term": Subtype("simple", in_series=True, about="what is said of a term or a parameter"),
    "definition": Subtype("simple", single_word=True, subjects_kept=True, about="what a thing is"),
    "use": Subtype("simple", needs_name=True, about="what something is used for"),
    "page_reason": Subtype("reasoning", about="a heading that asks why"),
    "cause": Subtype("reasoning", needs_name=True, about="why something is so"),
    "purpose": Subtype("reasoning", needs_name=True, about="what something is done for"),
    "comparison": Subtype("reasoning", **_ONE_OF_TWO, default=False, about="which of two has the greater value"),
    "arithmetic": Subtype("reasoning", **_PAIR, default=False, about="the difference of two values"),
    "across_rows": Subtype("reasoning", about="the rows of a table with the greatest value, or with a property"),
    "aggregation": Subtype(
        "reasoning",
        unknown=Unknown.SUBJECT,
        joint=True,
        subjects_kept=True,
        default=False,
        about="all things with a property, or their number",
    ),
    "temporal_order": Subtype("reasoning", **_ONE_OF_TWO, default=False, about="which of two events came first"),
    "difference": Subtype("multi_context", about="how two things differ"),
    "two_scopes": Subtype("multi_context", about="one property under two headings"),
    "parts": Subtype("multi_context", about="all members of a matter, each with a section of its own"),
    "bridge": Subtype(
        "multi_context", hidden_link=True, default=False, about="a thing that the question describes and does not name"
    ),
    "intersection": Subtype(
        "multi_context",
        unknown=Unknown.EACH,
        shared_facts=True,
        default=False,
        about="the one thing with two properties",
    ),
    "cross_document_comparison": Subtype(
        "multi_context", **_ONE_OF_TWO, default=False, about="which of two has the greater value, over two documents"
    ),
    "compound": Subtype(
        "multi_context",
        unknown=Unknown.EACH,
        joint=True,
        default=False,
        about="two properties of one thing",
    ),
    "side_by_side": Subtype("multi_context", **_PAIR, default=False, about="one property of two things"),
    "page_condition": Subtype("conditional", about="a heading that asks when, or what to do in a case"),
    "advice": Subtype("conditional", about="what to do in a case that a sentence names"),
    "explicit": Subtype(
        "conditional",
        needs_name=True,
        about="what holds under a condition, or when something holds",
    ),
    "scoped": Subtype(
        "conditional",
        heading_scope=True,
        needs_name=True,
        subjects_kept=True,
        about="a value that differs under other headings",
    ),
    "swapped_entity": Subtype("unanswerable", about="a fact of one thing, asked of another"),
    "swapped_relation": Subtype("unanswerable", swaps_verb=True, about="a fact with another verb"),
    "out_of_scope": Subtype("unanswerable", topic_only=True, about="a topic that the documents leave out"),
}
"""Name of a subtype that the rules write -> its traits."""

MODEL_SUBTYPES: dict[str, Subtype] = {
    "section_fact": Subtype("simple", about="what one section says"),
    "section_reasoning": Subtype("reasoning", about="what follows from one section"),
    "related_sections": Subtype("multi_context", about="what several sections say together"),
    "section_case": Subtype("conditional", about="what holds in a case that one section describes"),
    "follow_up": Subtype("simple", about="a later turn of a conversation"),
    "near_miss": Subtype("unanswerable", about="what a section comes close to saying and does not say"),
    "false_premise": Subtype("unanswerable", about="a question that assumes what is not so"),
}
"""Name of a subtype that a language model writes -> its traits."""

_NO_TRAITS = Subtype("")


def traits_of(subtype: str) -> Subtype:
    """Return the traits of a subtype; a subtype of another tool has no traits.

    Example:
        >>> traits_of("bridge").hidden_link, traits_of("multi_hop").hidden_link
        (True, False)
    """
    return SUBTYPES.get(subtype) or MODEL_SUBTYPES.get(subtype, _NO_TRAITS)


KIND_GROUPS = {
    "default": tuple(name for name, subtype in SUBTYPES.items() if subtype.default),
    "all": tuple(SUBTYPES),
}
"""Names that stand for several subtypes in the setting ``kinds``."""


def chosen_kinds(kinds: Sequence[str]) -> frozenset[str]:
    """Return the subtypes that the setting ``kinds`` names; "default" and "all" stand for several.

    Raises:
        ConfigError: for an unknown name, with all names.

    Example:
        >>> sorted(chosen_kinds(["cause", "factoid"])), "bridge" in chosen_kinds(["default"])
        (['cause', 'factoid'], False)
    """
    known = (*SUBTYPES, *KIND_GROUPS)
    for name in kinds:
        if name not in known:
            listed = "\n  ".join(kind_lines())
            raise ConfigError(f"{name!r} in kinds is unknown; {suggestion(name, known)}. The kinds are:\n  {listed}")
    return frozenset(kind for name in kinds for kind in KIND_GROUPS.get(name, (name,)))


def kind_lines() -> list[str]:
    """Return a line for each subtype: its name, its question type, whether it is on by default, what it asks for."""
    return [
        f"{name:<26}{each.question_type:<15}{'on' if each.default else 'off':<5}{each.about}"
        for name, each in SUBTYPES.items()
    ]


def types_without_kinds(types: Iterable[str], kinds: Sequence[str]) -> list[str]:
    """Return the question types without a chosen subtype.

    Example:
        >>> types_without_kinds(["simple", "reasoning"], ["cause"])
        ['simple']
    """
    covered = {SUBTYPES[kind].question_type for kind in chosen_kinds(kinds)}
    return [each for each in types if each not in covered]
