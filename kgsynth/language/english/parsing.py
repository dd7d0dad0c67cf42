"""The spaCy model and its pass over a document: blocks in, an analysis out."""

from __future__ import annotations

from functools import cache
from typing import Any

from kgsynth.language.english.clauses import read_clauses
from kgsynth.language.english.coreference import settle
from kgsynth.language.english.names import read_aliases, read_mentions
from kgsynth.language.english.phrases import content_lemmas
from kgsynth.models import resolve_spacy
from kgsynth.records import PROSE, Analysis, Block, Document, Fact, Mention, Sentence

_LONGEST = 6000
"""Characters; a longer block is no prose a person wrote, and the parser's memory grows with it."""


@cache
def load(model: str) -> Any:
    """Return the spaCy pipeline of ``model``, loaded once in each process."""
    import spacy

    return spacy.load(resolve_spacy(model))


def analyse(document: Document, model: str) -> Analysis:
    """Return what one document says: a pure function of the document and the model.

    Each document is one batch by itself, so the result does not depend on its neighbours.
    """
    nlp = load(model)
    blocks = [block for block in document.blocks if block.kind in PROSE and 0 < len(block.text) <= _LONGEST]
    parsed = nlp.pipe((_tokens(nlp, block) for block in blocks), batch_size=64)
    sentences: list[Sentence] = []
    facts: list[Fact] = []
    mentions: list[Mention] = []
    aliases: list[tuple[str, str]] = []
    for block, doc in zip(blocks, parsed, strict=True):
        mentions += read_mentions(document.id, block, doc)
        aliases += read_aliases(doc)
        before: list[Fact] = []
        for sent in doc.sents:
            sentence = _sentence(document.id, block, sent)
            if sentence is not None:
                sentences.append(sentence)
                before = list(settle(read_clauses(sentence, block, sent), sentence, before))
                facts += before
    return Analysis(document.id, tuple(sentences), tuple(facts), tuple(mentions), tuple(sorted(set(aliases))))


def _tokens(nlp: Any, block: Block) -> Any:
    """Tokenise a block so that each stretch of inline code is one token: the parser then reads it as a name."""
    doc = nlp.make_doc(block.text)
    with doc.retokenize() as merger:
        reached = 0
        for start, end in block.code:
            span = doc.char_span(start, end, alignment_mode="expand")
            if span is not None and len(span) > 1 and span.start >= reached:
                merger.merge(span)
                reached = span.end
    starts = [start for start, _ in block.code]
    doc.user_data["code"] = (
        frozenset(token.i for token in doc if any(s <= token.idx < e for s, e in block.code)) if starts else frozenset()
    )
    return doc


def _sentence(doc_id: str, block: Block, sent: Any) -> Sentence | None:
    text = sent.text.strip()
    if len(text) < 2:
        return None
    left = sent.start_char + len(sent.text) - len(sent.text.lstrip())
    start, end = block.locate(left, left + len(text))
    return Sentence(doc_id, block.section, start, end, text, content_lemmas(sent))
