"""What the corpus knows, ready to be walked and searched: the graph with the look-ups that every later stage shares.

It adds no facts of its own: each table here is an index over records that the stages before have made.
"""

from __future__ import annotations

import math
import re
from bisect import bisect_left, bisect_right
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from itertools import chain
from typing import TYPE_CHECKING, NamedTuple

from kgsynth.base.records import Analysis, Chunk, Document, Entity, Fact, Mention, Phrase, Section, Sentence, Span

if TYPE_CHECKING:
    import networkx as nx
    import numpy as np
    from numpy.typing import NDArray


_WORD = re.compile(r"[^\W\d_][\w’'-]*")
_COMMON = 0.2  # share of the documents beyond which a name in them tells nothing apart
_TECHNICAL = 0.05  # share of the entities that are code beyond which a corpus is about code
_SURE = 0.8  # share of the mentions that must be of a person where labels are not to be trusted
_SURE_VOTES = 3  # for a noun that no other entity has a vote for
_FEW_KNOW = 0.04  # share of the documents up to which a plain name in code belongs to examples
_ROUNDING = 1e-9  # by which sums of weights may be off
_FEW = 6  # documents; below, no entity is too common


class Role(NamedTuple):
    """An entity's part in a fact: the phrase that names it, and from which character of the phrase on it does.

    ``cut`` is 0 when the whole phrase is the entity, more when it ends the phrase ("the size of | the Pike sensor").
    """

    fact: Fact
    place: int
    cut: int

    @property
    def phrase(self) -> Phrase:
        """The phrase itself."""
        return self.fact.phrases[self.place]

    @property
    def whole(self) -> bool:
        """Whether the phrase is the entity and nothing else, a preposition aside."""
        return self.cut <= len(self.phrase.marker) + bool(self.phrase.marker)


class Knowledge:
    """The graph of a corpus with its documents, chunks, facts, sentences, entities and vectors.

    ``vectors`` are the chunk embeddings, one normalised row per chunk, in the order of ``chunks``.
    """

    def __init__(
        self,
        graph: nx.MultiDiGraph,
        documents: Iterable[Document],
        chunks: Sequence[Chunk],
        analyses: Iterable[Analysis],
        entities: Sequence[Entity],
        vectors: NDArray[np.float32],
    ) -> None:
        self.graph = graph
        self.documents: Mapping[str, Document] = {document.id: document for document in documents}
        self.chunks = chunks
        analyses = list(analyses)
        self.sentences: Sequence[Sentence] = [s for analysis in analyses for s in analysis.sentences]
        names, common = _capitals(self.sentences)
        self.facts: Sequence[Fact] = [
            _capitals_settled(fact, names, common) for analysis in analyses for fact in analysis.facts
        ]
        self.entities: Mapping[str, Entity] = {entity.id: entity for entity in entities}
        self.vectors = vectors

    # ---- chunks and sections -----------------------------------------------------------------------

    @cached_property
    def _chunks_in(self) -> dict[str, tuple[list[int], list[int], list[int]]]:
        """For each document: where its chunks start, how far they and all before them reach, and their numbers."""
        table: dict[str, tuple[list[int], list[int], list[int]]] = defaultdict(lambda: ([], [], []))
        for number in sorted(range(len(self.chunks)), key=lambda n: self.chunks[n].start):
            chunk = self.chunks[number]
            starts, reach, numbers = table[chunk.doc]
            starts.append(chunk.start)
            reach.append(max(chunk.end, reach[-1] if reach else 0))
            numbers.append(number)
        return dict(table)

    def chunks_over(self, doc: str, start: int, end: int) -> list[int]:
        """Return the numbers of all chunks of ``doc`` that share a character with ``[start, end)``."""
        starts, reach, numbers = self._chunks_in.get(doc, ([], [], []))
        within = slice(bisect_right(reach, start), bisect_left(starts, end))
        return [n for n in numbers[within] if start < self.chunks[n].end]

    def chunks_of(self, places: Iterable[Span | Fact]) -> set[int]:
        """Return the numbers of all chunks that share a character with one of the spans or facts."""
        return {n for place in places for n in self.chunks_over(place.doc, place.start, place.end)}

    def apart(self, one: Fact, other: Fact) -> bool:
        """Say whether both facts stand in chunks, and no chunk holds a character of both."""
        first, second = self.chunks_of([one]), self.chunks_of([other])
        return bool(first and second) and not first & second

    def section_of(self, fact: Fact) -> Section:
        """Return the section a fact stands in."""
        return self.documents[fact.doc].sections[fact.section]

    # ---- entities ----------------------------------------------------------------------------------

    @cached_property
    def _mention_at(self) -> dict[tuple[str, int], tuple[Mention, str]]:
        return {(m.doc, m.end): (m, entity.id) for entity in self.entities.values() for m in entity.mentions}

    def entity_of(self, fact: Fact, phrase: Phrase) -> Entity | None:
        """Return the entity that ``phrase`` names and nothing more, articles and preposition aside."""
        role = self._role(fact, phrase)
        return self.entities[role[0]] if role is not None and role[2] else None

    def _role(self, fact: Fact, phrase: Phrase) -> tuple[str, int, bool] | None:
        """Return which entity ends a phrase, from which character on, and whether it is the whole phrase."""
        found = self._mention_at.get((fact.doc, phrase.end))
        if found is None or found[0].start < phrase.start or phrase.has("coordinated"):
            return None
        for number, (start, bare) in enumerate(phrase.nouns):
            if phrase.text[bare:] == found[0].text:
                return found[1], start, number == 0
        return None

    def is_common(self, entity: Entity) -> bool:
        """Say whether so many documents name an entity that it is what the whole corpus is about."""
        return len({mention.doc for mention in entity.mentions}) > max(_FEW, _COMMON * len(self.documents))

    def is_sample(self, phrase: Phrase) -> bool:
        """Say whether a phrase holds a plain name in code that few documents know: a variable of their examples."""
        return any(word in self._samples for word in re.findall(r"[\w.:<>()!*-]+", phrase.text))

    @cached_property
    def _samples(self) -> frozenset[str]:
        docs: dict[str, set[str]] = defaultdict(set)
        for entity in self.entities.values():
            if entity.label == "CODE":
                for mention in entity.mentions:
                    docs[mention.text].add(mention.doc)
        few = max(1.0, _FEW_KNOW * len(self.documents))
        plain = re.compile(r"[A-Za-z][a-z0-9]*|[A-Z]{1,2}\d?")
        return frozenset(name for name, held in docs.items() if len(held) <= few and plain.fullmatch(name))

    def is_place(self, name: str) -> bool:
        """Say whether a name is that of a place."""
        return name in self._places

    @cached_property
    def _places(self) -> frozenset[str]:
        return frozenset(form for e in self.entities.values() if e.label in {"GPE", "LOC"} for form in e.forms)

    def is_name(self, text: str) -> bool:
        """Say whether a text is the name of an entity and nothing else; code and common terms do not count."""
        entity = self._by_form.get(text.lower())
        return entity is not None and entity.label not in {"TERM", "CODE", "WORK_OF_ART"}

    @cached_property
    def proper_words(self) -> frozenset[str]:
        """The capitalised words of all names that are no common nouns too: a title keeps their capitals."""
        named = (e for e in self.entities.values() if e.label not in {"TERM", "CODE", "WORK_OF_ART"})
        words = {word for entity in named for form in entity.forms for word in form.split() if word[:1].isupper()}
        return frozenset(words - self._lowered - {word for word in words if word.lower() in self.common_nouns})

    @cached_property
    def _lowered(self) -> set[str]:
        """The words that stand without a capital at least as often as with one inside a sentence."""
        met = Counter(m.group() for s in self.sentences for m in _WORD.finditer(s.text) if m.start())
        return {word for word in met if word[0].isupper() and met[word.lower()] >= met[word]}

    @cached_property
    def _by_form(self) -> dict[str, Entity]:
        return {form.lower(): entity for entity in self.entities.values() for form in entity.forms}

    @cached_property
    def roles(self) -> dict[str, list[Role]]:
        """For each entity, the facts at its node of the graph in which a phrase names it, or ends in its name.

        Facts stand in the order of the corpus. An edge whose entity stands in the middle of a phrase gives no role.
        """
        order = {fact.id: number for number, fact in enumerate(self.facts)}
        table: dict[str, list[Role]] = {}
        for ident in sorted(self.entities.keys() & set(self.graph)):
            edges = chain(self.graph.in_edges(ident, data=True), self.graph.out_edges(ident, data=True))
            met = {data["fact"] for _, _, data in edges if data["kind"] == "fact"}
            roles = [role for number in sorted(order[fact] for fact in met) for role in self._parts_in(number, ident)]
            if roles:
                table[ident] = roles
        return table

    def _parts_in(self, number: int, ident: str) -> Iterator[Role]:
        fact = self.facts[number]
        for place, phrase in enumerate(fact.phrases):
            role = self._role(fact, phrase)
            if role is not None and role[0] == ident:
                yield Role(fact, place, role[1])

    @cached_property
    def common_nouns(self) -> set[str]:
        """The nouns that head phrases which are no names."""
        return {p.head for fact in self.facts for p in fact.phrases if p.has("nominal") and not p.has("proper")}

    @cached_property
    def _type_votes(self) -> dict[str, Counter[str]]:
        votes: dict[str, Counter[str]] = defaultdict(Counter)
        for entity in self.entities.values():
            *front, last = entity.name.split()
            if front and last.islower() and last.isalpha():
                votes[entity.id][last] += 3
                stem = self._by_form.get(" ".join(front).lower())
                if stem is not None and stem.label == "CODE" and not " ".join(front).islower():
                    votes[stem.id][last] += len(entity.mentions)
        for fact in self.facts:
            for phrase in fact.phrases:
                named = self.entity_of(fact, phrase) if phrase.has("definite") and phrase.has("proper") else None
                last = named.name.split()[-1].lower() if named and " " in named.name else ""
                if named is not None and last in self.common_nouns:
                    votes[named.id][last] += 2
            subject, attribute = fact.first("subject"), fact.first("attribute")
            told = attribute is not None and bool(attribute.flags & {"indefinite", "definite"})
            if fact.verb.lemma == "be" and subject and attribute and told and not attribute.flags & {"proper", "empty"}:
                described = self.entity_of(fact, subject)
                if described is not None and not fact.verb.negated and attribute.head.isalpha():
                    votes[described.id][attribute.head] += 2
        return dict(votes)

    def type_noun(self, entity: Entity) -> str:
        """Return the noun by which the corpus says what an entity is ("command", "city"), "" when it is undecided."""
        votes = self._type_votes.get(entity.id)
        noun = min(votes, key=lambda noun: (-votes[noun], noun)) if votes else ""
        sure = noun in self.kinds or (votes is not None and votes[noun] >= _SURE_VOTES)
        return noun if votes and sure and votes[noun] > votes.total() / 2 else ""

    @cached_property
    def kinds(self) -> frozenset[str]:
        """The nouns that several entities have a vote for; what one thing alone is called may be a figure of speech."""
        voters = Counter(noun for votes in self._type_votes.values() for noun in votes)
        return frozenset(noun for noun, count in voters.items() if count > 1)

    @cached_property
    def is_technical(self) -> bool:
        """Whether the corpus is about code, whose names the parser takes for places, firms and people."""
        code = sum(entity.label == "CODE" for entity in self.entities.values())
        return code > _TECHNICAL * len(self.entities)

    def is_person(self, entity: Entity) -> bool:
        """Say whether an entity is a person: by label, with a full name, none of whose words is a common noun here."""
        if entity.label != "PERSON" or self.common_nouns & _parts(entity.name):
            return False
        if not any(" " in form and form.istitle() and not any(map(str.isdigit, form)) for form in entity.forms):
            return False
        named = sum(mention.label == "PERSON" for mention in entity.mentions)
        return not self.is_technical or named >= _SURE * len(entity.mentions)

    # ---- sentences ---------------------------------------------------------------------------------

    @cached_property
    def _postings(self) -> dict[str, list[int]]:
        table: dict[str, list[int]] = defaultdict(list)
        for number, sentence in enumerate(self.sentences):
            for lemma in sorted(set(sentence.lemmas)):
                table[lemma].append(number)
        return dict(table)

    def idf(self, lemma: str) -> float:
        """Return how rare a lemma is among the sentences: ``log(1 + n / (1 + df))``."""
        return math.log(1 + len(self.sentences) / (1 + len(self._postings.get(lemma, ()))))

    def sentences_with(self, lemmas: Iterable[str], share: float) -> Iterator[tuple[float, Sentence]]:
        """Yield ``(share, sentence)`` for each sentence that holds at least ``share`` of the lemmas, weighed by idf.

        Only the postings of the rarest lemmas that such a sentence cannot do without are read.
        """
        weights = {lemma: self.idf(lemma) for lemma in set(lemmas)}
        total = math.fsum(weights.values())  # fsum: the same in whatever order a set comes
        if not total:
            return
        held: Counter[int] = Counter()
        needed = 0.0
        for lemma in sorted(weights, key=lambda x: (-weights[x], x)):
            if needed > (1 - share) * total + _ROUNDING:
                break
            needed += weights[lemma]
            held.update(self._postings.get(lemma, ()))
        for number in sorted(held):
            sentence = self.sentences[number]
            score = math.fsum(weights[lemma] for lemma in weights.keys() & set(sentence.lemmas)) / total
            if score >= share:
                yield score, sentence

    def terms(self, fact: Fact, known: Iterable[int]) -> set[str]:
        """Return the lemmas of some phrases of a fact and of its predicate, as far as its own sentence counts them.

        A predicate such as "be" is in no sentence's lemmas; to seek it would find nothing, not even the fact itself.
        """
        said = {lemma for n in known for lemma in fact.phrases[n].lemmas} | {fact.verb.lemma}
        own = self._sentence_at.get((fact.doc, fact.start))
        return said & set(own.lemmas) if own is not None else said

    @cached_property
    def _sentence_at(self) -> dict[tuple[str, int], Sentence]:
        return {(sentence.doc, sentence.start): sentence for sentence in self.sentences}

    @cached_property
    def facts_by_verb(self) -> dict[str, list[Fact]]:
        """The facts of each predicate lemma, in the order of the corpus."""
        table: dict[str, list[Fact]] = defaultdict(list)
        for fact in self.facts:
            table[fact.verb.lemma].append(fact)
        return dict(table)

    @cached_property
    def facts_at(self) -> dict[tuple[str, int], list[Fact]]:
        """The facts of each sentence, by (document, its end): one that leans on the sentence before ends here."""
        table: dict[tuple[str, int], list[Fact]] = defaultdict(list)
        for fact in self.facts:
            table[fact.doc, fact.end].append(fact)
        return dict(table)


def _parts(name: str) -> set[str]:
    """Return the words of a name in lower case, with and without a plural ending."""
    words = {word.lower() for word in name.split()}
    return words | {word.removesuffix("s") for word in words}


def _capitals(sentences: Iterable[Sentence]) -> tuple[frozenset[str], frozenset[str]]:
    """Return the words that always have a capital inside sentences, names, and those that mostly have none there."""
    met = Counter(m.group() for s in sentences for m in _WORD.finditer(s.text) if m.start() or m.group()[0].islower())
    capital = {word for word in met if not word[0].islower()}
    names = frozenset(word for word in capital if word.lower() not in met)
    common = (word.capitalize() for word in met if word not in capital and met[word] > 3 * met[word.capitalize()])
    return names, frozenset(common)


def _capitals_settled(fact: Fact, names: frozenset[str], common: frozenset[str]) -> Fact:
    """Return the fact, each phrase marked as losing its capital when it opens the sentence with a common word."""

    def settled(phrase: Phrase) -> Phrase:
        first, *others = phrase.text.split() or [""]
        if first in names:
            return replace(phrase, flags=phrase.flags - {"lowerable"})
        if first in common and phrase.start == fact.start and others and others[0].islower():
            return replace(phrase, flags=phrase.flags | {"lowerable"})
        return phrase

    phrases = tuple(map(settled, fact.phrases))
    return replace(fact, phrases=phrases) if phrases != fact.phrases else fact
