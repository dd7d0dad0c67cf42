"""Pages whose facts are written by hand, phrase by phrase, and the knowledge that a corpus of them makes.

Places follow from the order in which things are said, so a test can point at them without counting characters.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from doubles import HashingEncoder
from numpy.typing import NDArray

from kgsynth.base.records import (
    Analysis,
    Block,
    Chunk,
    Document,
    Entity,
    Fact,
    Item,
    Mention,
    Phrase,
    Scenario,
    Section,
    Sentence,
    Span,
    Verb,
    item_id,
)
from kgsynth.evidence.knowledge import Knowledge
from kgsynth.generation.graph.build import build
from kgsynth.generation.writing import Candidate
from kgsynth.language.english.morphology import verb_flags
from kgsynth.language.english.phrases import marker_flags

STOP = frozenset("a an the of in on at for by with from to if when until because is are was were it and be".split())


def lemmas(text: str) -> tuple[str, ...]:
    """The words of a text but for STOP; a plural s goes."""
    words = [word.lower() for word in re.findall(r"[\w']+", text)]
    return tuple(w[:-1] if w.endswith("s") and len(w) > 3 else w for w in words if w not in STOP)


def p(role: str, text: str, flags: str = "nominal", marker: str = "", **more: Any) -> Phrase:
    """A phrase, its place still open; its noun phrase is all after the marker, its bare name all after the article."""
    words = lemmas(text)
    start = len(marker) + 1 if marker else 0
    article = re.match(r"(?:the|an?) ", text[start:], re.I)
    nouns = ((start, start + (article.end() if article else 0)),)
    given = {"head": words[-1] if words else text, "lemmas": words, "nouns": nouns, **more}
    return Phrase(role, text, 0, 0, marker=marker, flags=frozenset(flags.split()) | marker_flags(marker), **given)


def v(lemma: str, form: str, tag: str = "VBZ", **more: Any) -> Verb:
    flags = verb_flags(lemma, tag, more.get("auxiliaries", ()))
    return Verb(lemma, form, tag, flags=flags, **more)


class Page:
    """A document that is written sentence by sentence; each is one chunk unless ``chunk`` says otherwise."""

    def __init__(self, doc: str) -> None:
        self.doc = doc
        self.text = ""
        self.sections = [(0, (doc,))]
        self.sentences: list[Sentence] = []
        self.facts: list[Fact] = []

    def under(self, *path: str) -> Page:
        """Put what follows under headings."""
        self.sections.append((len(self.text), (self.doc, *path)))
        return self

    def say(self, *parts: Phrase | Verb | str, kind: str = "clause") -> Fact:
        """Add a sentence with one fact: phrases and a verb in the order of the text, bare strings between them."""
        begin, phrases, verb = len(self.text), [], None
        for part in parts:
            shown = part if isinstance(part, str) else part.form if isinstance(part, Verb) else part.text
            start, end = len(self.text), len(self.text) + len(shown)
            if isinstance(part, Phrase):
                phrases.append(replace(part, start=start, end=end))
            elif isinstance(part, Verb):
                verb = replace(part, start=start, end=end)
            self.text += shown + " "
        assert verb is not None
        self.text = self.text[:-1] + ". "
        end, section = len(self.text) - 1, len(self.sections) - 1
        text = self.text[begin:end]
        words = tuple(x for part in parts for x in _lemmas_of(part))
        self.sentences.append(Sentence(self.doc, section, begin, end, text, words))
        number = len(self.facts)
        self.facts.append(Fact(f"{self.doc}#{number}", self.doc, section, begin, end, text, verb, tuple(phrases), kind))
        return self.facts[-1]

    def document(self) -> Document:
        sections = tuple(
            Section(f"s{n}", self.doc, path[-1], len(path) - 1, path, start, len(self.text))
            for n, (start, path) in enumerate(self.sections)
        )
        block = Block("paragraph", 0, len(self.text), self.text, ((0, 0),))
        return Document(self.doc, self.text, self.doc, "txt", "0", (block,), sections)


def _lemmas_of(part: Phrase | Verb | str) -> tuple[str, ...]:
    if isinstance(part, Verb):
        return (part.lemma,) if part.lemma not in STOP else ()
    return lemmas(part) if isinstance(part, str) else part.lemmas


def knowledge(
    *pages: Page,
    names: Mapping[str, str] | None = None,
    whole: bool = False,
    vectors: NDArray[np.float32] | None = None,
) -> Knowledge:
    """All that a corpus of pages knows: entities are ``names`` (name -> label), wherever a page says them.

    A chunk is one sentence, or with ``whole`` one page; its vector its hashed words unless ``vectors`` are given.
    """
    documents = [page.document() for page in pages]
    spans = [
        (page, 0, len(page.text)) if whole else (page, s.start, s.end)
        for page in pages
        for s in (page.sentences[:1] if whole else page.sentences)
    ]
    chunks = [Chunk(f"{q.doc}@{a}", q.doc, "s0", a, b, q.text[a:b]) for q, a, b in spans]
    entities = [_entity(name, label, pages) for name, label in (names or {}).items()]
    analyses = [Analysis(page.doc, tuple(page.sentences), tuple(page.facts), ()) for page in pages]
    if vectors is None:
        vectors = HashingEncoder().encode([chunk.text for chunk in chunks])
    graph = build(documents, chunks, analyses, entities, vectors)
    return Knowledge(graph, documents, chunks, analyses, entities, vectors)


def _entity(name: str, label: str, pages: Sequence[Page]) -> Entity:
    found = [(page, m) for page in pages for m in re.finditer(rf"\b{re.escape(name)}\b", page.text)]
    mentions = tuple(Mention(name, label, page.doc, m.start(), m.end()) for page, m in found)
    return Entity(f"e:{name}", name, label, (name,), mentions)


def candidate(known: Knowledge, scenario: Scenario, question: str, answer: str = "", **more: Any) -> Candidate:
    """A candidate as the writers make it: the sentences of its facts as evidence, its answer looked up in the last."""
    fact = scenario.facts[-1]
    phrase = fact.phrases[scenario.asked]
    answers = (answer or phrase.text,)
    find = {"doc": fact.doc, "start": phrase.start, "end": phrase.end}
    evidence: tuple[tuple[Span, ...], ...] = tuple(
        (known.documents[f.doc].span(f.start, f.end),) for f in scenario.facts
    )
    given = {
        "derivation": {"operator": "lookup", "steps": [{"fact": fact.id, "find": find}]},
        "metadata": {"scores": {"quality": 0.5}},
        **more,
    }
    ident = item_id(question, answers, evidence)
    kinds = scenario.question_type, scenario.subtype
    return Candidate(Item(ident, question, answers, *kinds, "en", evidence, **given), scenario)


def encoder() -> Callable[[Sequence[str]], NDArray[np.float32]]:
    return HashingEncoder().encode
