"""The subtypes of questions, each with the traits that rules, writers and the audit go by.

A new subtype is a line here, its traversal ``walk`` in ``generation/evolutions/NAME.py``, and a writer per language.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Any


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
        llm_variant: what an LLM may make of it instead.
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
    llm_variant: str = ""


_PAIR: dict[str, Any] = {"unknown": Unknown.EACH, "joint": True, "subjects_kept": True}
_ONE_OF_TWO: dict[str, Any] = {**_PAIR, "names_answers": True}

SUBTYPES: dict[str, Subtype] = {
    "factoid": Subtype("simple", needs_name=True),
    "page_question": Subtype("simple"),
    "listing": Subtype("simple"),
    "look_up": Subtype("simple"),
    "term": Subtype("simple"),
    "definition": Subtype("simple", single_word=True, subjects_kept=True),
    "cause": Subtype("reasoning", needs_name=True, llm_variant="hypothetical"),
    "purpose": Subtype("reasoning", needs_name=True),
    "comparison": Subtype("reasoning", **_ONE_OF_TWO),
    "arithmetic": Subtype("reasoning", **_PAIR),
    "across_rows": Subtype("reasoning"),
    "aggregation": Subtype("reasoning", unknown=Unknown.SUBJECT, joint=True, subjects_kept=True),
    "temporal_order": Subtype("reasoning", **_ONE_OF_TWO),
    "difference": Subtype("multi_context"),
    "two_scopes": Subtype("multi_context"),
    "bridge": Subtype("multi_context", hidden_link=True),
    "intersection": Subtype("multi_context", unknown=Unknown.EACH, shared_facts=True, llm_variant="contrast"),
    "cross_document_comparison": Subtype("multi_context", **_ONE_OF_TWO),
    "compound": Subtype("multi_context", unknown=Unknown.EACH, joint=True, llm_variant="contrast"),
    "side_by_side": Subtype("multi_context", **_PAIR, llm_variant="contrast"),
    "explicit": Subtype("conditional", needs_name=True, llm_variant="hypothetical"),
    "scoped": Subtype("conditional", heading_scope=True, needs_name=True, subjects_kept=True),
    "swapped_entity": Subtype("unanswerable"),
    "swapped_relation": Subtype("unanswerable", swaps_verb=True),
    "out_of_scope": Subtype("unanswerable", topic_only=True),
}
"""Name of a subtype -> its traits."""

_NO_TRAITS = Subtype("")


def traits_of(subtype: str) -> Subtype:
    """Return the traits of a subtype; one from another tool's file has none.

    Example:
        >>> traits_of("bridge").hidden_link, traits_of("multi_hop").hidden_link
        (True, False)
    """
    return SUBTYPES.get(subtype, _NO_TRAITS)
