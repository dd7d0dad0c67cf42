"""Mentions of entities, technical terms and inline code, and the short forms that a text introduces for names.

Left out: which mentions name the same thing. The graph decides that over the whole corpus.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from kgsynth.base.records import Block, Mention
from kgsynth.language.english import lexicon as lex

_BRACKETED_ACRONYM = re.compile(r"\(\s*[\"“']?([A-Z][A-Za-z0-9&-]{1,9})[\"”']?\s*\)")
_KNOWN_AS = re.compile(
    r"\b(?:also known as|also called|known as|formerly|code-named|codenamed|nicknamed)\s+(?:the\s+)?[\"“']?$"
)


def read_mentions(doc_id: str, block: Block, doc: Any) -> Iterator[Mention]:
    """Yield the mentions in one parsed block in the order of the text; no mention lies inside another."""
    code = doc.user_data.get("code", frozenset())
    found = [tokens for chunk in doc.noun_chunks if (tokens := _core(chunk, code))]
    found += [_without_article(ent) for ent in doc.ents if ent.label_ in lex.NAME_LABELS]
    taken = -1
    for tokens in sorted(filter(None, found), key=lambda tokens: (tokens[0].i, -len(tokens))):
        if tokens[0].i <= taken:
            continue
        taken = tokens[-1].i
        low, high = tokens[0].idx, tokens[-1].idx + len(tokens[-1].text)
        start, end = block.locate(low, high)
        yield Mention(doc.text[low:high], _label(tokens, code), doc_id, start, end)


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
    if any(t.is_punct and t.text not in {"-", "/", "'", "."} for t in core) or chunk.root.ent_type_ in lex.TIME_LABELS:
        return []
    return core if len(core[0].text) > 1 or len(core) > 1 else []


def _label(tokens: list[Any], code: frozenset[int]) -> str:
    head = tokens[-1]
    if head.ent_type_ in lex.NAME_LABELS:
        return str(head.ent_type_)
    if all(token.i in code for token in tokens):
        return "CODE"
    return "TERM"


def read_aliases(doc: Any) -> Iterator[tuple[str, str]]:
    """Yield pairs (long form, short form): an acronym in brackets, "also known as", "formerly".

    An acronym must consist of the initials of the words before it.
    """
    for match in _BRACKETED_ACRONYM.finditer(doc.text):
        long_form = _expansion(doc.text[: match.start()], match.group(1))
        if long_form:
            yield long_form, match.group(1)
    for chunk in doc.noun_chunks:
        place = next((t.idx for t in chunk if t.pos_ == "PROPN"), chunk.start_char)  # "formerly" may be in the chunk
        if _KNOWN_AS.search(doc.text[max(0, place - 28) : place]):
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
