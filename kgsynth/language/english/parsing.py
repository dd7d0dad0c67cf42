"""The spaCy model, and the one pass in which it reads a document."""

from __future__ import annotations

import re
from functools import cache
from typing import Any

from kgsynth.base.records import PROSE, Analysis, Block, Document, Fact, Mention, Sentence
from kgsynth.base.thresholds import LIMITS
from kgsynth.language.english import lexicon as lex
from kgsynth.language.english.clauses import read_clauses
from kgsynth.language.english.coreference import resolve
from kgsynth.language.english.names import read_aliases, read_mentions
from kgsynth.language.english.phrases import content_lemmas
from kgsynth.models.local_models import resolve_spacy

_NUMBERED = re.compile(r"\b([A-Z][\w-]*) \d+(?:\.\d+)*(?!\w|[.,:]\d|%)")
_BEFORE_INNER_WORD = re.compile(r"(?:[a-z,;(]|\b(?:A|An|The|One|Each|Every|No)) $")
"""What precedes a word that is not the first of its sentence, so that its capital means that it is a name."""


@cache
def load(model: str) -> Any:
    """Return the spaCy pipeline of ``model``, loaded once in each process."""
    import spacy

    return spacy.load(resolve_spacy(model))


def analyse(document: Document, model: str) -> Analysis:
    """Return what one document says; it depends on the document and the model alone.

    Each document is a batch of its own, so its neighbours do not change the result.
    """
    nlp = load(model)
    numbered = _numbered(document)
    prose = (block for block in document.blocks if block.kind in PROSE)
    blocks = [block for block in prose if 0 < len(block.text) <= LIMITS.parsed_block_characters]
    parsed = nlp.pipe((_tokens(nlp, block, numbered) for block in blocks), batch_size=64)
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
                before = list(resolve(read_clauses(sentence, block, sent), sentence, before))
                facts += before
    return Analysis(
        document.id,
        tuple(sentences),
        tuple(facts),
        tuple(mentions),
        tuple(sorted(set(aliases))),
        language=document.language,
    )


def _numbered(document: Document) -> frozenset[str]:
    """Return the words that are a name together with a number, like "Python" in "Python 3"."""
    found = set()
    for block in document.blocks:
        for match in _NUMBERED.finditer(block.text if block.kind in PROSE else ""):
            word = match.group(1)
            is_name = (word.isupper() and len(word) > 1) or _BEFORE_INNER_WORD.search(block.text[: match.start()])
            if is_name and word.lower() not in lex.NO_NAME_BEFORE_NUMBER:
                found.add(word)
    return frozenset(found)


def _tokens(nlp: Any, block: Block, numbered: frozenset[str]) -> Any:
    """Tokenise a block so that a stretch of inline code, or a name with its number, is one token.

    The parser then reads it as a name; otherwise it parses "The Skua 3 stores data" wrongly.
    """
    doc = nlp.make_doc(block.text)
    names = [match.span() for match in _NUMBERED.finditer(block.text) if match.group(1) in numbered]
    with doc.retokenize() as merger:
        reached = 0
        for start, end in sorted([*block.code, *names]):
            span = doc.char_span(start, end, alignment_mode="expand")
            if span is not None and len(span) > 1 and span.start >= reached:
                norm = span[0].norm_ if (start, end) in names else span.text.lower()
                merger.merge(span, attrs={"NORM": norm})
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
