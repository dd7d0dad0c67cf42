"""The one pass in which spaCy reads a document: mentions, the short forms of names, pronouns, sentences and facts."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from functools import cache
from typing import Any

from kgsynth.base.errors import installed
from kgsynth.base.records import PROSE, Analysis, Block, Document, Fact, Mention, Phrase, Sentence, content_id
from kgsynth.base.thresholds import LIMITS
from kgsynth.base.vocabulary import FactKind, Flag, Role
from kgsynth.language.english.clauses import read_clauses
from kgsynth.language.english.lexicon import NAME_LABELS, PATTERNS, TIME_LABELS, WORDS
from kgsynth.language.english.phrases import content_lemmas
from kgsynth.models.local_models import resolve_spacy

# Mentions of entities, technical terms and inline code, and the short forms that a text introduces for names.
#
# Left out: which mentions name the same thing. The graph decides that over the whole corpus.

_BRACKETED_ACRONYM = re.compile(r"\(\s*[\"“']?([A-Z][A-Za-z0-9&-]{1,9})[\"”']?\s*\)")


def read_mentions(doc_id: str, block: Block, doc: Any) -> Iterator[Mention]:
    """Yield the mentions in one parsed block in the order of the text; no mention lies inside another."""
    code = doc.user_data.get("code", frozenset())
    found = [tokens for chunk in doc.noun_chunks if (tokens := _core(chunk, code))]
    found += [_without_article(ent) for ent in doc.ents if ent.label_ in NAME_LABELS]
    taken = -1
    for tokens in sorted(filter(None, found), key=lambda tokens: (tokens[0].i, -len(tokens))):
        if tokens[0].i <= taken:
            continue
        taken = tokens[-1].i
        low, high = tokens[0].idx, tokens[-1].idx + len(tokens[-1].text)
        start, end = block.locate(low, high)
        yield Mention(block.text[low:high], _label(tokens, code), doc_id, start, end)


def _without_article(ent: Any) -> list[Any]:
    tokens = list(ent)
    while tokens and (tokens[0].dep_ == "det" or tokens[0].is_punct):
        tokens = tokens[1:]
    while tokens and (tokens[-1].is_punct or tokens[-1].tag_ == "POS"):
        tokens = tokens[:-1]
    return tokens


def _core(chunk: Any, code: frozenset[int]) -> list[Any]:
    """Return the name inside a noun chunk, from its first name or compound word to its head; [] for none."""
    tokens = [t for t in chunk if t.i <= chunk.root.i]
    for number, token in enumerate(tokens):
        names = token.i in code or token.pos_ == "PROPN" or (token.dep_ == "compound" and token.pos_ == "NOUN")
        if names and token.text[:1].isalnum() and not token.like_num:
            core = tokens[number:]
            break
    else:
        return []
    if chunk.root.pos_ not in {"NOUN", "PROPN"} and chunk.root.i not in code:
        return []
    if any(t.is_punct and t.text not in {"-", "/", "'", "."} for t in core) or chunk.root.ent_type_ in TIME_LABELS:
        return []
    return core if len(core[0].text) > 1 or len(core) > 1 else []


def _label(tokens: list[Any], code: frozenset[int]) -> str:
    head = tokens[-1]
    if head.ent_type_ in NAME_LABELS:
        return str(head.ent_type_)
    if all(token.i in code for token in tokens):
        return "CODE"
    return "TERM"


def read_aliases(doc: Any) -> Iterator[tuple[str, str]]:
    """Yield pairs (long form, short form): an acronym in brackets, "also known as", "formerly".

    An acronym must consist of the initials of the words before it.
    """
    text = doc.text  # joined from the tokens at each access
    for match in _BRACKETED_ACRONYM.finditer(text):
        long_form = _expansion(text[: match.start()], match.group(1))
        if long_form:
            yield long_form, match.group(1)
    for chunk in doc.noun_chunks:
        place = next((t.idx for t in chunk if t.pos_ == "PROPN"), chunk.start_char)  # "formerly" may be in the chunk
        if PATTERNS["known_as"].search(text[max(0, place - 28) : place]):
            other = next((c for c in reversed(list(doc.noun_chunks)) if c.end <= chunk.start), None)
            if other is not None and other.root.pos_ == "PROPN" and chunk.root.pos_ == "PROPN":
                yield _bare(other), _bare(chunk)


def _bare(chunk: Any) -> str:
    return " ".join(t.text for t in chunk if t.dep_ not in {"advmod", "det", "poss"}).strip()


def _expansion(before: str, short: str) -> str:
    letters = [c.lower() for c in short if c.isalpha()]
    words = re.findall(r"[A-Za-z0-9][\w'’-]*", before[-120:])
    for size in range(len(letters), len(letters) + 3):
        tail = words[-size:]
        initials = [part[0].lower() for word in tail for part in word.split("-") if part and (part[0].isalpha())]
        strong = [w[0].lower() for w in tail if w.lower() not in {"of", "the", "and", "for", "in", "to", "a"}]
        if len(tail) == size and letters in (initials, strong):
            start = before.rindex(tail[0], max(0, len(before) - 121))
            return " ".join(before[start:].split())
    return ""


# Coreference: a pronoun that opens a sentence is resolved to the subject of the sentence before.
#
# Only the surest case is resolved: "it", "they", "he" or "she" as the first word, after a sentence of the same
# paragraph whose subject opens it, agrees in number and kind, and has no rival. The fact then spans both sentences,
# so that its evidence says who or what is meant. Facts with any other pronoun as subject are dropped.

_SINGULAR, _PLURAL, _PERSONAL = frozenset({"it"}), frozenset({"they"}), frozenset({"he", "she"})


def resolve(facts: Iterable[Fact], sentence: Sentence, before: Sequence[Fact]) -> Iterator[Fact]:
    """Yield the facts of ``sentence`` whose subject is known, or can be resolved by the facts of the one ``before``.

    A pronoun that refers to a condition earlier in its own sentence is kept as it is.
    """
    for fact in facts:
        subject = fact.first(Role.SUBJECT)
        known = subject is None or not subject.has(Flag.PRONOUN) or subject.has(Flag.YOU)
        if subject is None or known or _refers_to_condition(fact, subject):
            yield fact
        elif subject.start == sentence.start:
            antecedent = _antecedent(fact, subject, before)
            if antecedent is not None:
                yield _resolved(fact, subject, *antecedent)


def _refers_to_condition(fact: Fact, subject: Phrase) -> bool:
    if subject.text.lower() not in _SINGULAR | _PLURAL | _PERSONAL:
        return False
    earlier = [p for p in fact.phrases if p.role == Role.CONDITION and p.start < subject.start]
    return any(not p.flags & {Flag.DEICTIC, Flag.DANGLING} for p in earlier)


def _antecedent(fact: Fact, pronoun: Phrase, before: Sequence[Fact]) -> tuple[Fact, Phrase] | None:
    """Return the fact before and its subject when the pronoun can refer to nothing else, else None."""
    if fact.verb.lemma in WORDS["expletive"] or any(
        p.role == Role.CLAUSE or p.has(Flag.ADJECTIVE) for p in fact.phrases
    ):
        return None
    for other in before[:1]:
        subject = other.first(Role.SUBJECT)
        if subject is None or other.kind not in {FactKind.CLAUSE, FactKind.COREFERENCE} or subject.start != other.start:
            return None
        near = other.text.count("\n") < LIMITS.pronoun_sentences
        if near and _agree(pronoun.text.lower(), subject) and not _has_rival(other, subject, pronoun):
            return other, subject
    return None


def _agree(pronoun: str, subject: Phrase) -> bool:
    if not subject.has(Flag.NOMINAL) or subject.flags & {
        Flag.DEICTIC,
        Flag.RELATIVE,
        Flag.DANGLING,
        Flag.POSSESSIVE,
        Flag.FIRST,
        Flag.EMPTY,
    }:
        return False
    person = subject.has(Flag.PERSON)
    if pronoun in _PERSONAL:
        return person and not subject.has(Flag.PLURAL)
    if pronoun in _PLURAL:
        return subject.has(Flag.PLURAL)
    return not person and not subject.has(Flag.PLURAL) and pronoun in _SINGULAR


def _has_rival(fact: Fact, subject: Phrase, pronoun: Phrase) -> bool:
    """Check whether the sentence before has another name that the pronoun could refer to; for "he", of a person."""
    word = pronoun.text.lower()
    others = (p for p in fact.phrases if p is not subject and p.role not in {Role.TIME, Role.PLACE, Role.MANNER})
    named = (p for p in others if p.has(Flag.NAMED) and p.has(Flag.NOMINAL) and p.has(Flag.PLURAL) == (word in _PLURAL))
    return any(word not in _PERSONAL or p.has(Flag.PERSON) for p in named)


def _resolved(fact: Fact, pronoun: Phrase, other: Fact, subject: Phrase) -> Fact:
    phrases = tuple(replace(subject, role=Role.SUBJECT) if p is pronoun else p for p in fact.phrases)
    text = f"{other.text}\n{fact.text}"
    ident = content_id("f", fact.id, other.start, subject.start)
    return replace(fact, id=ident, start=other.start, text=text, phrases=phrases, kind=FactKind.COREFERENCE)


_NUMBERED = re.compile(r"\b([A-Z][\w-]*) \d+(?:\.\d+)*(?!\w|[.,:]\d|%)")
_BEFORE_INNER_WORD = re.compile(r"(?:[a-z,;(]|\b(?:A|An|The|One|Each|Every|No)) $")
"""What precedes a word that is not the first of its sentence, so that its capital means that it is a name."""


_FOR_TRANSFORMERS = ("spacy_curated_transformers", "spacy_transformers")


@cache
def load(model: str) -> Any:
    """Return the spaCy pipeline of ``model``, loaded once in each process.

    spaCy imports torch where it is installed, which costs a second and 180 MB and serves only pipelines with
    transformers; so torch is hidden from it, unless it is loaded already or there are such pipelines.
    """
    hidden = "torch" not in sys.modules and not any(map(installed, _FOR_TRANSFORMERS))
    if hidden:
        sys.modules["torch"] = None  # type: ignore[assignment]
    try:
        import spacy
    finally:
        if hidden:
            del sys.modules["torch"]
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
            if is_name and word.lower() not in WORDS["deictic"] | WORDS["dates_and_parts"]:
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
