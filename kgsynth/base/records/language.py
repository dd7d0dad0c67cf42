"""What the parser reads in a document: sentences, facts with their phrases, mentions; and the entities they name."""

from __future__ import annotations

from dataclasses import dataclass

from kgsynth.base.vocabulary import FactKind, Flag, Role, VerbFlag


@dataclass(frozen=True, slots=True)
class Phrase:
    """One constituent of a clause: the subject, an object, a time, a condition.

    ``role`` says what it does in the clause, ``text`` is as read, ``start``/``end`` where it is in the document.
    ``marker`` is the preposition or conjunction it opens with ("" for none), ``head`` the lemma of its head word,
    ``lemmas`` its content words, ``label`` its entity type ("" for no entity), ``flags`` what a writer must know of it.
    ``nouns`` are the noun phrases that run to its end, the longest first: where each begins in ``text``, with and
    without its article.
    """

    role: Role
    text: str
    start: int
    end: int
    head: str
    marker: str = ""
    label: str = ""
    lemmas: tuple[str, ...] = ()
    flags: frozenset[Flag] = frozenset()
    nouns: tuple[tuple[int, int], ...] = ()

    def has(self, flag: Flag) -> bool:
        """Return whether the phrase has ``flag``."""
        return flag in self.flags


@dataclass(frozen=True, slots=True)
class Verb:
    """The verb group of a clause, with what is needed to turn the clause into a question.

    ``form`` is the main verb as written, ``lemma`` its lemma; ``auxiliaries`` are as written. ``tag`` is the tag of
    the finite word, in a tag set that only its language reads. ``particle`` belongs to a phrasal verb; ``adverb`` is
    one that the statement needs ("never"), set by the writer. ``flags`` are what traversals need to know.
    """

    lemma: str
    form: str
    tag: str
    auxiliaries: tuple[str, ...] = ()
    particle: str = ""
    passive: bool = False
    negated: bool = False
    modal: str = ""
    hypothetical: bool = False
    adverb: str = ""
    start: int = 0
    end: int = 0
    flags: frozenset[VerbFlag] = frozenset()

    def has(self, flag: VerbFlag) -> bool:
        """Check whether the verb group carries ``flag``."""
        return flag in self.flags


@dataclass(frozen=True, slots=True)
class Fact:
    """One clause read as a fact: who or what, the predicate, and its qualifiers, each with its place.

    ``start``/``end`` and ``text`` are the sentence; ``phrases`` are in the order of the text; ``section`` is an index
    into ``Document.sections``. ``kind`` says how it was read.
    """

    id: str
    doc: str
    section: int
    start: int
    end: int
    text: str
    verb: Verb
    phrases: tuple[Phrase, ...]
    kind: FactKind = FactKind.CLAUSE

    def first(self, *roles: Role) -> Phrase | None:
        """Return the first phrase with one of ``roles``, or None."""
        return next((phrase for phrase in self.phrases if phrase.role in roles), None)

    def place(self, role: Role) -> int:
        """Return the index of the first phrase with ``role``, -1 when there is none."""
        return next((number for number, phrase in enumerate(self.phrases) if phrase.role == role), -1)


@dataclass(frozen=True, slots=True)
class Mention:
    """A place where an entity, a technical term or a piece of code is named."""

    text: str
    label: str
    doc: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Sentence:
    """One sentence of prose, with the lemmas of its content words."""

    doc: str
    section: int
    start: int
    end: int
    text: str
    lemmas: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Analysis:
    """Everything the parser read in one document; ``aliases`` are pairs (long form, short form).

    ``language`` is the language in which the document was read.
    """

    doc: str
    sentences: tuple[Sentence, ...]
    facts: tuple[Fact, ...]
    mentions: tuple[Mention, ...]
    aliases: tuple[tuple[str, str], ...] = ()
    language: str = "en"


@dataclass(frozen=True, slots=True)
class Entity:
    """One thing that the corpus names, merged from all its mentions; ``forms`` are its names, the main one first."""

    id: str
    name: str
    label: str
    forms: tuple[str, ...]
    mentions: tuple[Mention, ...]
