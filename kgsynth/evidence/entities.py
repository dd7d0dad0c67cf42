"""The entities of a corpus: the phrases that name them, and the type of each (person, place, "command")."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from itertools import chain
from typing import TYPE_CHECKING, NamedTuple

from kgsynth.base.records import Entity, Fact, Mention, Phrase
from kgsynth.base.thresholds import LIMITS
from kgsynth.base.vocabulary import Flag, Role, VerbFlag
from kgsynth.evidence.statements import WRITTEN_WORD, Statements

if TYPE_CHECKING:
    import networkx as nx

_NOT_NAMES = frozenset({"TERM", "CODE", "WORK_OF_ART"})


class EntityRole(NamedTuple):
    """A phrase of a fact that is an entity or ends with one: the number of the phrase, and where the entity begins.

    ``cut`` is 0 if the whole phrase is the entity, and greater if it ends the phrase ("the size of | the Pike sensor").
    """

    fact: Fact
    place: int
    cut: int

    @property
    def phrase(self) -> Phrase:
        """The phrase."""
        return self.fact.phrases[self.place]

    @property
    def whole(self) -> bool:
        """Whether the phrase is only the entity, apart from a preposition."""
        return self.cut <= len(self.phrase.marker) + bool(self.phrase.marker)


class EntityIndex(Mapping[str, Entity]):
    """The entities of a corpus by id, looked up by the phrases that name them."""

    def __init__(self, entities: Sequence[Entity], statements: Statements, graph: nx.MultiDiGraph) -> None:
        self._entities = {entity.id: entity for entity in entities}
        self._statements = statements
        self._graph = graph

    def __getitem__(self, ident: str) -> Entity:
        return self._entities[ident]

    def __iter__(self) -> Iterator[str]:
        return iter(self._entities)

    def __len__(self) -> int:
        return len(self._entities)

    # ---- phrases that name entities ----------------------------------------------------------------

    @cached_property
    def _mention_at(self) -> dict[tuple[str, int], tuple[Mention, str]]:
        return {(m.doc, m.end): (m, entity.id) for entity in self.values() for m in entity.mentions}

    def entity_of(self, fact: Fact, phrase: Phrase) -> Entity | None:
        """Return the entity that is the whole of a phrase, articles and preposition aside; None if there is none."""
        role = self._role(fact, phrase)
        return self[role[0]] if role is not None and role[2] else None

    def _role(self, fact: Fact, phrase: Phrase) -> tuple[str, int, bool] | None:
        """Return the id of the entity that ends a phrase, where it begins, and whether it is the whole phrase."""
        found = self._mention_at.get((fact.doc, phrase.end))
        if found is None or found[0].start < phrase.start or phrase.has(Flag.COORDINATED):
            return None
        for number, (start, bare) in enumerate(phrase.nouns):
            if phrase.text[bare:] == found[0].text:
                return found[1], start, number == 0
        return None

    def is_common(self, entity: Entity) -> bool:
        """Check whether so many documents name an entity that it is the subject of the corpus."""
        most = max(LIMITS.common_entity_documents, LIMITS.common_entity_share * len(self._statements.documents))
        return len({mention.doc for mention in entity.mentions}) > most

    def is_place(self, name: str) -> bool:
        """Check whether a name is the name of a place."""
        return name in self._places

    @cached_property
    def _places(self) -> frozenset[str]:
        return frozenset(form for e in self.values() if e.label in {"GPE", "LOC"} for form in e.forms)

    def is_name(self, text: str) -> bool:
        """Check whether a text is only the name of an entity; code, terms and titles of works do not count."""
        entity = self._by_form.get(text.lower())
        return entity is not None and entity.label not in _NOT_NAMES

    def is_actor(self, name: str) -> bool:
        """Check whether a name is that of a person or an organisation."""
        entity = self._by_form.get(name.lower())
        return entity is not None and entity.label in {"ORG", "PERSON"}

    @cached_property
    def proper_words(self) -> frozenset[str]:
        """The capitalised words of names that are not also common nouns; they keep their capitals."""
        named = (e for e in self.values() if e.label not in _NOT_NAMES)
        words = {word for entity in named for form in entity.forms for word in form.split() if word[:1].isupper()}
        return frozenset(words - self._lowered - {word for word in words if word.lower() in self.common_nouns})

    @cached_property
    def _lowered(self) -> set[str]:
        """The capitalised words that are at least as often in lower case, inside sentences."""
        met = Counter(m.group() for s in self._statements.sentences for m in WRITTEN_WORD.finditer(s.text) if m.start())
        return {word for word in met if word[0].isupper() and met[word.lower()] >= met[word]}

    @cached_property
    def _by_form(self) -> dict[str, Entity]:
        return {form.lower(): entity for entity in self.values() for form in entity.forms}

    @cached_property
    def roles(self) -> dict[str, list[EntityRole]]:
        """Each entity's roles in the facts at its node of the graph, in the order of the corpus.

        An entity in the middle of a phrase has no role.
        """
        order = {fact.id: number for number, fact in enumerate(self._statements.facts)}
        table: dict[str, list[EntityRole]] = {}
        for ident in sorted(self._entities.keys() & set(self._graph)):
            edges = chain(self._graph.in_edges(ident, data=True), self._graph.out_edges(ident, data=True))
            met = {data["fact"] for _, _, data in edges if data["kind"] == "fact"}
            roles = [role for number in sorted(order[fact] for fact in met) for role in self._roles_in(number, ident)]
            if roles:
                table[ident] = roles
        return table

    def _roles_in(self, number: int, ident: str) -> Iterator[EntityRole]:
        fact = self._statements.facts[number]
        for place, phrase in enumerate(fact.phrases):
            role = self._role(fact, phrase)
            if role is not None and role[0] == ident:
                yield EntityRole(fact, place, role[1])

    @cached_property
    def common_nouns(self) -> set[str]:
        """The head nouns of phrases that are not names."""
        phrases = chain.from_iterable(fact.phrases for fact in self._statements.facts)
        return {p.head for p in phrases if p.has(Flag.NOMINAL) and not p.has(Flag.PROPER)}

    @cached_property
    def _type_votes(self) -> dict[str, Counter[str]]:
        votes: dict[str, Counter[str]] = defaultdict(Counter)
        for entity in self.values():
            *front, last = entity.name.split()
            if front and last.islower() and last.isalpha():
                votes[entity.id][last] += LIMITS.type_name_votes
                stem = self._by_form.get(" ".join(front).lower())
                if stem is not None and stem.label == "CODE" and not " ".join(front).islower():
                    votes[stem.id][last] += len(entity.mentions)
        for fact in self._statements.facts:
            for phrase in fact.phrases:
                named = self.entity_of(fact, phrase) if phrase.has(Flag.DEFINITE) and phrase.has(Flag.PROPER) else None
                last = named.name.split()[-1].lower() if named and " " in named.name else ""
                if named is not None and last in self.common_nouns:
                    votes[named.id][last] += LIMITS.type_article_votes
            subject, attribute = fact.first(Role.SUBJECT), fact.first(Role.ATTRIBUTE)
            if subject and attribute and _states_type(fact, attribute):
                described = self.entity_of(fact, subject)
                if described is not None:
                    votes[described.id][attribute.head] += LIMITS.type_statement_votes
        return dict(votes)

    def type_noun(self, entity: Entity) -> str:
        """Return the noun for the type of an entity ("command", "city"), "" if the corpus does not say."""
        votes = self._type_votes.get(entity.id)
        noun = min(votes, key=lambda noun: (-votes[noun], noun)) if votes else ""
        certain = noun in self.kinds or (votes is not None and votes[noun] >= LIMITS.type_min_votes)
        return noun if votes and certain and votes[noun] > LIMITS.type_vote_share * votes.total() else ""

    @cached_property
    def kinds(self) -> frozenset[str]:
        """The nouns that are a type of several entities, by at least one vote each."""
        voters = Counter(noun for votes in self._type_votes.values() for noun in votes)
        return frozenset(noun for noun, count in voters.items() if count >= LIMITS.type_min_entities)

    @cached_property
    def is_technical(self) -> bool:
        """Whether the corpus is about code, whose names the parser mistakes for places, companies and people."""
        code = sum(entity.label == "CODE" for entity in self.values())
        return code > LIMITS.technical_code_share * len(self)

    def is_person(self, entity: Entity) -> bool:
        """Check whether an entity is a person: by label, with a full name that has no common noun of the corpus."""
        if entity.label != "PERSON" or self.common_nouns & self._noun_forms(entity):
            return False
        if not any(" " in form and form.istitle() and not any(map(str.isdigit, form)) for form in entity.forms):
            return False
        named = sum(mention.label == "PERSON" for mention in entity.mentions)
        return not self.is_technical or named >= LIMITS.person_mention_share * len(entity.mentions)

    def _noun_forms(self, entity: Entity) -> set[str]:
        """Return the words of a name in lower case, and their singular forms."""
        words = {word.lower() for word in entity.name.split()}
        for mention in entity.mentions[:1]:
            words |= set(map(self._statements.language_of(mention.doc).singular, words))
        return words


def _states_type(fact: Fact, attribute: Phrase) -> bool:
    """Check whether a fact says what type of thing its subject is: "Pike is a sensor"."""
    common_noun = attribute.flags & {Flag.INDEFINITE, Flag.DEFINITE} and not attribute.flags & {Flag.PROPER, Flag.EMPTY}
    return fact.verb.has(VerbFlag.COPULA) and bool(common_noun) and not fact.verb.negated and attribute.head.isalpha()
