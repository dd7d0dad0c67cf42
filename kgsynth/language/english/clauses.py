"""Clauses: which verbs of a sentence state a fact, and what belongs to them.

Main clauses, clauses joined to them, relative clauses and appositions of named things are read. Questions,
commands, hypotheticals and clauses without a subject of their own are not.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from kgsynth.language.english import lexicon as lex
from kgsynth.language.english.halves import read_halves
from kgsynth.language.english.phrases import balanced, phrase_from, read_phrase, role_of
from kgsynth.records import Block, Fact, Phrase, Sentence, Verb, content_id

_SHORTEST, _LONGEST = 4, 48  # tokens of a sentence worth reading


def read_clauses(sentence: Sentence, block: Block, sent: Any) -> Iterator[Fact]:
    """Yield the facts of one parsed sentence, in the order of their verbs."""
    tokens = [token for token in sent if not token.is_space]
    if not _SHORTEST <= len(tokens) <= _LONGEST or not _sound(sentence.text, block):
        return
    read = list(_read(sentence, block, sent, tokens))
    yield from read
    yield from read_halves(sentence, block, tokens, {phrase.role for fact in read for phrase in fact.phrases})


def _read(sentence: Sentence, block: Block, sent: Any, tokens: list[Any]) -> Iterator[Fact]:
    root = sent.root
    if root.pos_ in {"VERB", "AUX"}:
        yield from _clause(root, None, sentence, block)
        for verb in [t for t in root.conjuncts if t.pos_ in {"VERB", "AUX"}]:
            shared = None if _subject(verb) is not None else _subject(root)
            yield from _clause(verb, shared, sentence, block)
    for token in tokens:
        if (
            token.head.pos_ != "PROPN"
            or token.head.dep_ == "conj"
            or any(t.dep_ == "conj" for t in token.head.children)
        ):
            continue
        if token.dep_ == "relcl":
            yield from _relative(token, sentence, block)
        if token.dep_ == "appos" and token.pos_ in {"NOUN", "PROPN"}:
            yield from _apposition(token, sentence, block)


def _sound(text: str, block: Block) -> bool:
    first = text.lstrip("\"'“‘(*")[:1]
    ends = text.rstrip("\"'”’)*")[-1:]
    begins = first.isupper() or first.isdigit() or any(block.text[a:b] == text[: b - a] for a, b in block.code)
    whole = ends in {".", "!"} or (block.kind == "item" and ends.isalnum())
    return balanced(text) and begins and whole and not any(mark in text for mark in ("?", "...", "…"))


def _subject(verb: Any) -> Any:
    return next((t for t in verb.children if t.dep_ in {"nsubj", "nsubjpass"}), None)


def _clause(verb: Any, shared: Any, sentence: Sentence, block: Block) -> Iterator[Fact]:
    subject = _subject(verb) or shared
    phrases = []
    if subject is None and _commands(verb):
        start, end = block.locate(verb.idx, verb.idx + len(verb.text))
        form = verb.lemma_.lower()
        group: Verb | None = Verb(form, form, "MD", ("should",), modal="should", start=start, end=end)
        phrases.append(_you(verb, block))
    else:
        group = _verb(verb, shared is not None, block)
        if subject is None or any(t.dep_ in {"csubj", "expl", "csubjpass"} for t in verb.children):
            return
    if group is None:
        return
    for child in verb.children:
        if child.dep_ in {"parataxis", "dep"}:
            return
        role = role_of(child)
        if not role or (child.dep_ == "advmod" and child.lemma_.lower() in lex.CONNECTIVES) or child.dep_ == "neg":
            continue
        phrase = read_phrase(role, child, block)
        if phrase is None or (phrase.role == "clause" and child.i < verb.i) or _denied(child):
            return
        phrases.append(phrase)
    if shared is not None:
        whole = read_phrase("subject", shared, block)
        if whole is None:
            return
        phrases.insert(0, whole)
    roles = [phrase.role for phrase in phrases]
    if "object" in roles and roles.index("object") < roles.index("subject"):
        return  # "Everything X does you can do": the tree is right, but inverted
    yield from _fact(sentence, group, tuple(phrases), "clause")


def _denied(child: Any) -> bool:
    """Say whether "not" stands right before a phrase: "fails, not because …"."""
    return child.left_edge.i > 0 and child.doc[child.left_edge.i - 1].lower_ in {"not", "just", "merely"}


def _commands(verb: Any) -> bool:
    """Say whether the verb is a command that says when or what for: "To build, run make" is a fact about building."""
    return (
        verb.tag_ == "VB"
        and verb.dep_ == "ROOT"
        and not any(t.dep_ in {"aux", "auxpass", "neg", "expl"} for t in verb.children)
        and any(role_of(t) in {"condition", "purpose", "cause"} for t in verb.children)
    )


def _you(verb: Any, block: Block) -> Phrase:
    place, _ = block.locate(verb.idx, verb.idx + 1)
    return Phrase("subject", "you", place, place, "you", flags=frozenset({"pronoun", "you"}))


def _verb(verb: Any, shares: bool, block: Block) -> Verb | None:
    auxiliaries = [t for t in verb.children if t.dep_ in {"aux", "auxpass"} and t.i < verb.i]
    if shares and not auxiliaries and verb.tag_ in {"VB", "VBN", "VBG"}:
        auxiliaries = [t for t in verb.head.children if t.dep_ in {"aux", "auxpass"} and t.i < verb.head.i]
    finite = auxiliaries[0] if auxiliaries else verb
    if finite.tag_ not in {"VBZ", "VBP", "VBD", "MD"} or any(t.tag_ == "TO" for t in auxiliaries):
        return None
    near = [verb, *(t for t in verb.children if t.dep_ in {"acomp", "attr", "xcomp", "oprd"})]
    negated = any(t.dep_ == "neg" and t.i < verb.i + 3 for word in near for t in word.children)
    particle = next((t.text for t in verb.children if t.dep_ == "prt"), "")
    if not _expected(auxiliaries, verb):
        return None
    first = min([*auxiliaries, verb], key=lambda t: t.i)
    last = max([verb, *(t for t in verb.children if t.dep_ == "prt")], key=lambda t: t.i)
    start, end = block.locate(first.idx, last.idx + len(last.text))
    return Verb(
        lemma=verb.lemma_.lower(),
        form=verb.text.lower() if not verb.text.isupper() else verb.text,
        tag=finite.tag_,
        auxiliaries=tuple(_unclipped(t) for t in auxiliaries),
        particle=particle,
        passive=any(t.dep_ == "auxpass" for t in auxiliaries),
        negated=negated,
        modal=next((_unclipped(t) for t in auxiliaries if t.tag_ == "MD"), ""),
        hypothetical=any(_unclipped(t) in lex.HYPOTHETICAL for t in auxiliaries),
        start=start,
        end=end,
    )


def _expected(auxiliaries: list[Any], verb: Any) -> bool:
    """Say whether the form of the verb is one its auxiliary can govern; elsewhere the tree is wrong."""
    if not auxiliaries:
        return True
    last = auxiliaries[-1]
    if last.tag_ == "MD" or last.lemma_ == "do":
        return bool(verb.tag_ == "VB")
    return verb.tag_ in {"VBN", "VBG", "VBD", "VB"}


def _unclipped(token: Any) -> str:
    return {"'ll": "will", "'ve": "have", "'s": "is", "'re": "are", "ca": "can", "wo": "will", "'d": "would"}.get(
        token.text.lower().replace("’", "'"), token.text.lower()
    )


def _fact(sentence: Sentence, verb: Verb, phrases: tuple[Phrase, ...], kind: str) -> Iterator[Fact]:
    """Yield the fact when it says something: a subject and at least one thing said of it."""
    subject = next((p for p in phrases if p.role == "subject"), None)
    if subject is None or len(phrases) < 2:
        return
    named_before = any(
        p.role == "condition" and p.start < subject.start and not p.flags & {"deictic", "dangling"} for p in phrases
    )
    if subject.has("pronoun") and not subject.has("you") and not named_before:
        return
    ident = content_id("f", sentence.doc, sentence.start, sentence.end, verb.start, verb.lemma, subject.start, kind)
    yield Fact(ident, sentence.doc, sentence.section, sentence.start, sentence.end, sentence.text, verb, phrases, kind)


def _named(head: Any, block: Block) -> Phrase | None:
    """Return the name a relative clause or apposition hangs on: its head with what stands before it."""
    tokens = [t for t in head.subtree if t.i <= head.i]
    if not tokens or tokens[-1].i - tokens[0].i + 1 != len(tokens):
        return None
    return phrase_from("subject", head, tokens, block)


def _relative(verb: Any, sentence: Sentence, block: Block) -> Iterator[Fact]:
    pronoun = _subject(verb)
    group = _verb(verb, False, block)
    subject = _named(verb.head, block)
    if pronoun is None or pronoun.tag_ not in {"WDT", "WP"} or group is None or subject is None:
        return
    phrases = [subject]
    for child in verb.children:
        role = role_of(child)
        if child is pronoun or not role or role == "subject":
            continue
        phrase = read_phrase(role, child, block)
        if phrase is None:
            return
        phrases.append(phrase)
    yield from _fact(sentence, group, tuple(phrases), "relative")


def _apposition(noun: Any, sentence: Sentence, block: Block) -> Iterator[Fact]:
    subject = _named(noun.head, block)
    attribute = read_phrase("attribute", noun, block)
    if subject is None or attribute is None or not attribute.flags & {"definite", "indefinite", "first"}:
        return
    verb = Verb("be", "are" if subject.has("plural") else "is", "VBZ", start=attribute.start, end=attribute.start)
    yield from _fact(sentence, verb, (subject, replace(attribute, role="attribute")), "apposition")
