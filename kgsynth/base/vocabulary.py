"""The names for what is read in a document: its containers and structure, the phrases and verbs of its clauses.

Each is a string too, as it is in files.
"""

from __future__ import annotations

from enum import StrEnum


class ContainerKind(StrEnum):
    """What holds blocks of a document."""

    TABLE = "table"
    CELL = "cell"
    LIST = "list"
    STEPS = "steps"  # a numbered list
    ITEM = "item"  # of a list
    TERMS = "terms"  # a list of terms with their details: a definition list, a field list, documented parameters
    TERM = "term"
    DETAIL = "detail"  # what is said of the term before it
    NOTE = "note"  # set apart: a note, a warning; its name says which
    CODE = "code"  # its name is the programming language


class StructureKind(StrEnum):
    """What the layout of a document says without a sentence."""

    CELL = "cell"  # a value in a table, under its column head and beside its row head
    MEMBER = "member"  # the items of a list, and what they are items of
    DEFAULT = "default"  # the default, type or requirement of a parameter
    DEFINITION = "definition"  # a term and what is said of it
    PROCEDURE = "procedure"  # a task and its steps
    ANSWERS = "answers"  # a question that the document asks, and what stands below it
    WARNING = "warning"  # a note, warning or deprecation
    FIELD = "field"  # front matter and header fields
    CHANGE = "change"  # what changed in a version
    TOPIC = "topic"  # a heading and the text of its section
    SEE = "see"  # a link to another place of the folder


class Role(StrEnum):
    """What a phrase does in its clause."""

    SUBJECT = "subject"
    OBJECT = "object"
    DATIVE = "dative"  # to whom
    ATTRIBUTE = "attribute"  # what the subject is
    COMPLEMENT = "complement"  # an infinitive or participle that completes the verb
    CLAUSE = "clause"  # a clause that completes the verb: "that it works"
    AGENT = "agent"  # by whom, in the passive
    TIME = "time"
    PLACE = "place"
    CAUSE = "cause"
    PURPOSE = "purpose"
    CONDITION = "condition"
    OUTCOME = "outcome"  # what follows from a condition or cause, where it was not parsed into phrases
    MANNER = "manner"  # an adverb
    OTHER = "other"  # any other prepositional phrase


class Flag(StrEnum):
    """What a traversal or a writer must know of a phrase; read from the parse once, so that nobody parses again."""

    # number and person
    PLURAL = "plural"
    COORDINATED = "coordinated"  # "Ada and Bo"
    PERSON = "person"
    PRONOUN = "pronoun"
    YOU = "you"
    FIRST = "first"  # holds "we", "our", "I"
    POSSESSIVE = "possessive"  # holds "its", "their"

    # what it needs to be understood
    DEICTIC = "deictic"  # points outside its sentence: "this", "the following"
    RELATIVE = "relative"  # holds "which", "whose"
    DANGLING = "dangling"  # a pronoun comes before any noun it could stand for
    LOOSE = "loose"  # a definite common noun with nothing to tell which: "the tank"
    APART = "apart"  # set apart by a comma, or opens the sentence

    # what kind of word its head is
    NOMINAL = "nominal"
    PROPER = "proper"  # the head is a name or code
    NAMED = "named"  # any word is a name, an acronym or code
    CODE = "code"
    NUMBER = "number"
    ADJECTIVE = "adjective"
    VERBAL = "verbal"
    GERUND = "gerund"

    # how far its head is determined
    DEFINITE = "definite"
    INDEFINITE = "indefinite"
    SOME = "some"  # "some users", "one of them"
    ORDINAL = "ordinal"  # "the second tank"
    COMPOUND = "compound"  # a noun before the head: "water tank"
    MODIFIED = "modified"  # anything before or after the head
    EMPTY = "empty"  # a head that says nothing by itself: "thing", "way"

    LOWERABLE = "lowerable"  # loses its capital inside a sentence

    # what its marker does
    POINT = "point"  # no marker, or one that says only at which point: "in 1998", "at noon"


class VerbFlag(StrEnum):
    """What a traversal must know about a verb group."""

    PAST = "past"
    PRESENT = "present"
    COPULA = "copula"  # says what its subject is: "be"


class FactKind(StrEnum):
    """How a fact was read."""

    CLAUSE = "clause"
    APPOSITION = "apposition"
    RELATIVE = "relative"  # a relative clause, its pronoun replaced by what it refers to
    OUTCOME = "outcome"  # two halves: a condition, cause or purpose, and the outcome, neither parsed further
    COREFERENCE = "coreference"  # its subject is in the sentence before
