"""The subtypes of questions, each with the traits that rules, writers and the audit go by.

A new subtype is a line in ``SUBTYPES`` here, one in ``EVOLUTIONS`` for its traversal (``generation/evolutions``), and
one in ``SUBTYPE_WRITERS`` of each language that asks it (``generation/writing``).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from kgsynth.base.errors import ConfigError
from kgsynth.base.names import suggestion


@dataclass(frozen=True, slots=True)
class Subtype:
    """A kind of question, and what sets it apart from a question about one fact.

    Attributes:
        question_type: the type it counts towards in a mix.
        single_word: one content word is enough ("What is Redis?").
        heading_scope: a heading says which one is meant, so a phrase may leave it open.
        swaps_verb: the verb of its fact was exchanged, not the thing it is said of.
        topic_only: it asks about a topic, with no word of a fact.
        apart: over several places it is a multi-context question.
        in_series: many are alike, such as those on the cells of a table, so a set takes a few of a section.
        default: it is asked unless ``--kinds`` says otherwise; readers would not keep half of the questions of others.
        about: what it asks for, in a few words.
    """

    question_type: str
    single_word: bool = False
    heading_scope: bool = False
    swaps_verb: bool = False
    topic_only: bool = False
    apart: bool = False
    in_series: bool = False
    default: bool = True
    about: str = ""

    @property
    def question_types(self) -> tuple[str, ...]:
        """The types that its questions may have."""
        return (self.question_type, "multi_context") if self.apart else (self.question_type,)


SUBTYPES: dict[str, Subtype] = {
    "factoid": Subtype("simple", about="one phrase of a sentence"),
    "page_question": Subtype("simple", about="a question that a heading asks"),
    "topic": Subtype(
        "simple", in_series=True, about="what a document that has a name says about the topic of a section"
    ),
    "listing": Subtype("simple", about="all members of a list"),
    "look_up": Subtype("simple", in_series=True, about="a cell of a table, or a field"),
    "figure": Subtype("simple", in_series=True, about="a figure of a year or day"),
    "term": Subtype("simple", in_series=True, about="what is said of a term or a parameter"),
    "definition": Subtype("simple", single_word=True, about="what a thing is"),
    "use": Subtype("simple", about="what something is used for"),
    "page_reason": Subtype("reasoning", about="a heading that asks why"),
    "cause": Subtype("reasoning", about="why something is so"),
    "purpose": Subtype("reasoning", about="what something is done for"),
    "change": Subtype("reasoning", apart=True, in_series=True, about="by how much a figure changed"),
    "members": Subtype("simple", apart=True, in_series=True, about="all records that share a value"),
    "page_condition": Subtype("conditional", about="a heading that asks when, or what to do in a case"),
    "explicit": Subtype(
        "conditional",
        about="what holds under a condition, or when something holds",
    ),
    "scoped": Subtype(
        "conditional",
        heading_scope=True,
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
        >>> traits_of("change").apart, traits_of("multi_hop").apart
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
        >>> sorted(chosen_kinds(["cause", "factoid"])), "use" in chosen_kinds(["default"])
        (['cause', 'factoid'], True)
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
    covered = {name for kind in chosen_kinds(kinds) for name in SUBTYPES[kind].question_types}
    return [each for each in types if each not in covered]
