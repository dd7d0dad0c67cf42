"""Records planted by hand, whose places are found by searching the text; and whole corpora, read by the real stages."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from textwrap import dedent

from doubles import HashingEncoder

from kgsynth.base.records import (
    Analysis,
    Block,
    Chunk,
    Document,
    Fact,
    Mention,
    Phrase,
    Section,
    Sentence,
    Verb,
    content_id,
)
from kgsynth.documents.assembly import assemble
from kgsynth.documents.chunking import chunk as split
from kgsynth.documents.readers import markdown
from kgsynth.evidence.knowledge import Knowledge
from kgsynth.generation.graph.build import build
from kgsynth.generation.graph.entities import resolve_entities
from kgsynth.language import language

SPACY_MODEL = "en_core_web_sm"


def document(doc: str, text: str, titles: Sequence[tuple[str, int, int]] = ()) -> Document:
    """A document of one paragraph; ``titles`` are (title, level, start) of its sections, each up to the next."""
    ends = [start for _, _, start in titles[1:]] + [len(text)]
    sections = [Section(content_id("s", doc), doc, doc, 0, (doc,), 0, len(text))]
    for (title, level, start), end in zip(titles, ends, strict=False):
        sections.append(Section(content_id("s", doc, title, start), doc, title, level, (doc, title), start, end))
    block = Block("paragraph", 0, len(text), text, ((0, 0),))
    return Document(doc, text, doc, "txt", content_id("h", text), (block,), tuple(sections))


def chunk(source: Document, start: int, end: int, section: int = 0) -> Chunk:
    ident = content_id("c", source.id, start, end)
    return Chunk(ident, source.id, source.sections[section].id, start, end, source.text[start:end])


def mention(source: Document, text: str, label: str, after: int = 0) -> Mention:
    start = source.text.index(text, after)
    return Mention(text, label, source.id, start, start + len(text))


def named(doc: str, *labelled: tuple[str, str]) -> tuple[Mention, ...]:
    """Mentions without a text around them, ten characters apart."""
    return tuple(Mention(text, label, doc, 10 * n, 10 * n + len(text)) for n, (text, label) in enumerate(labelled))


def phrase(source: Document, role: str, text: str, head: str, marker: str = "", label: str = "") -> Phrase:
    start = source.text.index(text)
    return Phrase(role=role, text=text, start=start, end=start + len(text), head=head, marker=marker, label=label)


def fact(source: Document, sentence: str, verb: Verb, *phrases: Phrase) -> Fact:
    start = source.text.index(sentence)
    end = start + len(sentence)
    ident = content_id("f", source.id, start, end, verb.lemma)
    return Fact(ident, source.id, 0, start, end, sentence, verb, phrases)


def sentence(doc: str, start: int, lemmas: str, section: int = 0) -> Sentence:
    """A sentence whose words are its lemmas."""
    return Sentence(doc, section, start, start + len(lemmas), lemmas, tuple(lemmas.split()))


def analysis(
    doc: str,
    *,
    mentions: Sequence[Mention] = (),
    facts: Sequence[Fact] = (),
    sentences: Sequence[Sentence] = (),
    aliases: Sequence[tuple[str, str]] = (),
) -> Analysis:
    return Analysis(doc, tuple(sentences), tuple(facts), tuple(mentions), tuple(aliases))


def read_markdown(doc: str, text: str) -> Document:
    """The document that ``text`` is as markdown, read by the real reader."""
    source = dedent(text).strip() + "\n"
    return assemble(markdown.read(source), id=doc, format="md", sha256=content_id("h", source))


def knowledge_of(texts: Mapping[str, str], *, size: int = 40, code: str = "en") -> Knowledge:
    """Everything kgsynth knows of a corpus of markdown ``texts`` (id -> text), in the order of their ids.

    Readers, chunks of at most ``size`` words, the real spaCy model, entities and graph are the real ones; the vectors
    are hashed words. The model is loaded once a process, so a second corpus takes milliseconds.
    """
    documents = [read_markdown(doc, text) for doc, text in sorted(texts.items())]
    chunks = [piece for source in documents for piece in split(source, strategy="recursive", size=size)]
    analyses = [language(code).analyse(document, SPACY_MODEL) for document in documents]
    vectors = HashingEncoder().encode([piece.text for piece in chunks])
    entities = resolve_entities(analyses)
    graph = build(documents, chunks, analyses, entities, vectors)
    return Knowledge(graph, documents, chunks, analyses, entities, vectors)
