"""Clauses: which verbs of a sentence state a fact, which phrases belong to them, and halves parted by conjunctions."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import replace
from typing import Any

from kgsynth.base.records import Block, Fact, Phrase, Sentence, Verb, content_id
from kgsynth.base.thresholds import LIMITS
from kgsynth.base.vocabulary import FactKind, Flag, Role
from kgsynth.language.english.lexicon import WORDS
from kgsynth.language.english.morphology import verb_flags
from kgsynth.language.english.phrases import balanced, phrase_from, read_phrase, role_of

# A condition, cause or purpose and the outcome it belongs to, read from conjunction and comma alone.
#
# They still separate the two halves of a sentence where the parser finds no clause with the explanation: "If the
# primary has not answered, Foghorn rings the secondary" looks to it like a noun.

_OPENING_MARKERS: dict[Role, frozenset[str]] = {
    Role.CONDITION: WORDS["condition_markers"],
    Role.CAUSE: frozenset({"because", "since", "because of", "due to", "owing to"}),
    Role.PURPOSE: frozenset({"in order to"}),
}
"""Role -> the markers that may open a sentence."""
_MIDDLE_MARKERS: dict[Role, frozenset[str]] = {
    Role.CONDITION: frozenset(
        {"if", "unless", "until", "provided that", "as long as", "so long as", "only if", "in case"}
    ),
    Role.CAUSE: frozenset({"because", "because of", "due to", "owing to", "as a result of", ", since"}),
    Role.PURPOSE: frozenset({"so that", "in order to"}),
}
"""Role -> the markers that may separate two halves inside a sentence; "when" and "once" have other uses there."""


def read_halves(sentence: Sentence, block: Block, tokens: list[Any], known: Collection[str]) -> Iterator[Fact]:
    """Yield a fact of two phrases, the explanation and the outcome, for each role not among the ``known`` ones."""
    words = [token.lower_ for token in tokens]
    for role in _OPENING_MARKERS:
        opening, middle = _OPENING_MARKERS[role], _MIDDLE_MARKERS[role]
        halves = None if role in known else _explained_first(words, opening) or _explained_last(words, middle)
        if halves is None or min(b - a for a, b in halves) < LIMITS.half_sentence_tokens:
            continue
        phrases = []
        for name, (low, high) in zip((role, Role.OUTCOME), halves, strict=True):
            marker = _marker(words, low, opening | middle) if name == role else ""
            phrase = phrase_from(name, _head(tokens[low:high]), tokens[low:high], block, marker)
            if phrase is not None and tokens[low].tag_ != "PRP":  # the head of an unparsed half is not reliable
                phrase = replace(phrase, flags=phrase.flags - {Flag.PRONOUN})
            phrases.append(phrase)
        yield from _fact_of_halves(sentence, phrases, tokens[halves[1][0]].tag_ in {"VB", "VBP"})


def _fact_of_halves(sentence: Sentence, phrases: list[Any], commanded: bool) -> Iterator[Fact]:
    if any(phrase is None or phrase.text[:1] in ",;:" or phrase.text[-1:] in ",:" for phrase in phrases):
        return
    ordered = tuple(sorted(phrases, key=lambda phrase: phrase.start))
    form = "do" if commanded else "happen"
    verb = Verb(form, form, "VB", start=ordered[-1].start, end=ordered[-1].start)
    ident = content_id("f", sentence.doc, sentence.start, sentence.end, "halves", phrases[0].role)
    place = sentence.doc, sentence.section, sentence.start, sentence.end
    yield Fact(ident, *place, sentence.text, verb, ordered, FactKind.OUTCOME)


def _head(tokens: list[Any]) -> Any:
    inside = {token.i for token in tokens}
    return next((token for token in tokens if token.head.i not in inside or token.head is token), tokens[0])


def _marker(words: list[str], place: int, markers: frozenset[str]) -> str:
    rest = " ".join(words[place : place + 5]) + " "
    before = words[place - 1] + " " if place else ""
    fits = (m.removeprefix(", ") for m in markers if (before + rest if m[0] == "," else rest).startswith(m + " "))
    return max(fits, key=len, default="")


def _explained_first(words: list[str], markers: frozenset[str]) -> tuple[tuple[int, int], tuple[int, int]] | None:
    """Return the halves of "If …, …": the explanation up to its comma, the outcome up to the next comma."""
    end = _sentence_end(words)
    commas = [n for n, word in enumerate(words[:end]) if word == ","]
    if not _marker(words, 0, markers) or not commas:
        return None
    if any(words[n + 1 : n + 2] not in (["who"], ["which"], ["and"], ["so"], ["but"]) for n in commas[1:]):
        return None
    return (0, commas[0]), (commas[0] + 1, commas[1] if len(commas) > 1 else end)


def _explained_last(words: list[str], markers: frozenset[str]) -> tuple[tuple[int, int], tuple[int, int]] | None:
    """Return the halves of "… if …", where the outcome has no comma and the sentence one marker."""
    end = _sentence_end(words)
    places = [n for n in range(2, end) if _marker(words, n, markers) and words[n - 1] not in WORDS["not_before_marker"]]
    if len(places) != 1 or "," in words[: places[0] - 1]:
        return None
    place = places[0]
    comma = next((n for n in range(place, end) if words[n] == ","), end)
    return (place, comma), (0, place - 1 if words[place - 1] == "," else place)


def _sentence_end(words: list[str]) -> int:
    return next((n for n, word in enumerate(words) if n > 2 and word in {";", ":", "—", "–", "."}), len(words))


# Clauses: which verbs of a sentence state a fact, and which phrases belong to them.
#
# Read are main clauses, clauses joined to them, relative clauses and appositions of named things, and commands that
# say when, why or what for. Left out: questions, other commands, and clauses without a subject of their own.

_CONTRACTIONS = {"'ll": "will", "'ve": "have", "'s": "is", "'re": "are", "ca": "can", "wo": "will", "'d": "would"}
_NO_CONSTITUENT = frozenset("acl amod appos compound dep det nmod nummod parataxis pobj poss relcl".split())
"""Dependencies that the parser gives to a child of a verb only where it is wrong."""
_MIN_TOKENS, _MAX_TOKENS = 4, 48  # of a sentence that is read


def read_clauses(sentence: Sentence, block: Block, sent: Any) -> Iterator[Fact]:
    """Yield the facts of one parsed sentence, in the order of their verbs."""
    tokens = [token for token in sent if not token.is_space]
    if not _MIN_TOKENS <= len(tokens) <= _MAX_TOKENS or not _is_statement(sentence.text, block):
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
            if shared is not None and any(t.dep_ == "neg" for t in root.children):
                continue  # "is not recognized and attacked": the denial may hold for both
            yield from _clause(verb, shared, sentence, block)
    for token in tokens:
        listed = token.head.dep_ == "conj" or any(t.dep_ == "conj" for t in token.head.children)
        if token.head.pos_ != "PROPN" or listed:
            continue
        if token.dep_ == "relcl":
            yield from _relative(token, sentence, block)
        if token.dep_ == "appos" and token.pos_ in {"NOUN", "PROPN"}:
            yield from _apposition(token, sentence, block)


def _is_statement(text: str, block: Block) -> bool:
    """Check whether a sentence is complete and states something: it begins, it ends, and it is not a question."""
    first = text.lstrip("\"'“‘(*")[:1]
    ends = text.rstrip("\"'”’)*")[-1:]
    if text.split()[0].lower() in WORDS["clause_openers"]:
        return False  # "That it failed was …", "What it ships is …": the subject is a clause
    begins = first.isupper() or first.isdigit() or any(block.text[a:b] == text[: b - a] for a, b in block.code)
    complete = ends in {".", "!"} or (block.kind == "item" and ends.isalnum())
    return balanced(text) and begins and complete and not any(mark in text for mark in ("?", "...", "…"))


def _subject(verb: Any) -> Any:
    return next((t for t in verb.children if t.dep_ in {"nsubj", "nsubjpass"}), None)


def _clause(verb: Any, shared: Any, sentence: Sentence, block: Block) -> Iterator[Fact]:
    """Yield the fact that a verb states about its own subject, the ``shared`` one of an earlier verb, or "you"."""
    subject = _subject(verb) or shared
    if subject is None and _commands(verb):
        group: Verb | None = _should(verb, block)
        before: Phrase | None = _you(verb, block)
    elif subject is None or any(t.dep_ in {"csubj", "expl", "csubjpass"} for t in verb.children):
        return
    else:
        group = _verb(verb, shared is not None, block)
        before = read_phrase(Role.SUBJECT, shared, block) if shared is not None else None
        if shared is not None and before is None:
            return
    phrases = _constituents(verb, block)
    if group is None or phrases is None:
        return
    phrases = [before, *phrases] if before is not None else phrases
    roles = [phrase.role for phrase in phrases]
    if roles.count(Role.SUBJECT) != 1:
        return  # "The depot, the harbour and the tank belong …": a list that the parser has split
    if Role.OBJECT in roles and roles.index(Role.OBJECT) < roles.index(Role.SUBJECT):
        return  # "Everything X does you can do": parsed rightly, but inverted
    if subject is not None and _separated(subject, verb):
        return
    yield from _fact(sentence, group, tuple(phrases), FactKind.CLAUSE)


def _constituents(verb: Any, block: Block) -> list[Phrase] | None:
    """Return the phrases of a verb in the order of the text, None when one of them cannot be read."""
    phrases = []
    for child in verb.children:
        if child.dep_ in _NO_CONSTITUENT or (child.dep_ == "advmod" and child.lower_ == "longer"):
            return None  # "no longer" is a denial that a question would lose
        role = role_of(child)
        if not role or (child.dep_ == "advmod" and child.lemma_.lower() in WORDS["connectives"]):
            continue
        phrase = read_phrase(role, child, block)
        if phrase is None or (phrase.role == Role.CLAUSE and child.i < verb.i):
            return None
        if _denied(child) or _joined_to_subject(child, verb):
            return None
        phrases.append(phrase)
    return phrases


def _denied(child: Any) -> bool:
    """Check whether a phrase is denied, or only a part of what is said: "fails, not because …", "either because …"."""
    if child.left_edge.lower_ == "not":
        return True
    before = child.doc[child.left_edge.i - 1].lower_ if child.left_edge.i else ""
    return before in {"not", "just", "merely", "either", "partly"}


def _joined_to_subject(child: Any, verb: Any) -> bool:
    """Check whether an "and" joins a phrase to the subject before it: "parameters, and for loops accept …"."""
    before = child.doc[child.left_edge.i - 1] if child.left_edge.i else None
    between = child.i < verb.i and _subject(verb) is None
    return before is not None and before.dep_ == "cc" and between and child.dep_ == "prep"


def _separated(subject: Any, verb: Any) -> bool:
    """Check whether a single comma separates a subject from its verb: "stream, encoded as …" is not a clause."""
    gap = [t.text for t in verb.doc[subject.right_edge.i + 1 : verb.i]]
    return subject.i < verb.i and gap[:1] == [","] and gap.count(",") == 1


def _commands(verb: Any) -> bool:
    """Check whether a verb is a command that says when or what for: "To build, run make", "Claim by Friday"."""
    explained = {Role.CONDITION, Role.PURPOSE, Role.CAUSE} | ({Role.TIME} if verb.is_sent_start else set())
    return (
        verb.tag_ == "VB"
        and verb.dep_ == "ROOT"
        and verb.lemma_.lower() not in WORDS["points_elsewhere"]
        and not any(t.dep_ in {"aux", "auxpass", "neg", "expl"} for t in verb.children)
        and any(role_of(t) in explained for t in verb.children)
    )


def _should(verb: Any, block: Block) -> Verb:
    """Return the verb group of a command as what one should do."""
    start, end = block.locate(verb.idx, verb.idx + len(verb.text))
    form = verb.lemma_.lower()
    flags = verb_flags(form, "MD", ("should",))
    return Verb(form, form, "MD", ("should",), modal="should", start=start, end=end, flags=flags)


def _you(verb: Any, block: Block) -> Phrase:
    """Return the subject that a command does not name; it has no width and is where the verb begins."""
    place, _ = block.locate(verb.idx, verb.idx + 1)
    return Phrase(Role.SUBJECT, "you", place, place, "you", flags=frozenset({Flag.PRONOUN, Flag.YOU}))


def _verb(verb: Any, shares: bool, block: Block) -> Verb | None:
    """Return the verb group, None when it is not finite; one that ``shares`` may use the first verb's auxiliaries."""
    auxiliaries = [t for t in verb.children if t.dep_ in {"aux", "auxpass"} and t.i < verb.i]
    if shares and not auxiliaries and verb.tag_ in {"VB", "VBN", "VBG"}:
        auxiliaries = [t for t in verb.head.children if t.dep_ in {"aux", "auxpass"} and t.i < verb.head.i]
    if any(t.dep_ == "auxpass" and t.lemma_ == "get" for t in auxiliaries):
        return None  # "gets added" is inverted with "does", unlike any other passive
    finite = auxiliaries[0] if auxiliaries else verb
    if finite.tag_ not in {"VBZ", "VBP", "VBD", "MD"} or any(t.tag_ == "TO" for t in auxiliaries):
        return None
    near = [verb, *(t for t in verb.children if t.dep_ in {"acomp", "attr", "xcomp", "oprd"})]
    negated = any(t.dep_ == "neg" and t.i < verb.i + 3 for word in near for t in word.children)
    particle = next((t.text for t in verb.children if t.dep_ == "prt"), "")
    if not _fits_auxiliary(auxiliaries, verb):
        return None
    first = min([*auxiliaries, verb], key=lambda t: t.i)
    last = max([verb, *(t for t in verb.children if t.dep_ == "prt")], key=lambda t: t.i)
    start, end = block.locate(first.idx, last.idx + len(last.text))
    lemma, helpers = verb.lemma_.lower(), tuple(_in_full(t) for t in auxiliaries)
    modal = next((_in_full(t) for t in auxiliaries if t.tag_ == "MD"), "")
    return Verb(
        lemma=lemma,
        form=_in_full(verb) if not verb.text.isupper() else verb.text,
        tag=finite.tag_,
        auxiliaries=helpers,
        particle=particle,
        passive=any(t.dep_ == "auxpass" for t in auxiliaries),
        negated=negated,
        modal=modal,
        hypothetical=any(helper in WORDS["hypothetical"] for helper in helpers),
        start=start,
        end=end,
        flags=verb_flags(lemma, finite.tag_, helpers),
    )


def _fits_auxiliary(auxiliaries: list[Any], verb: Any) -> bool:
    """Check whether the form of a verb fits its auxiliary; if not, the parser is wrong."""
    if not auxiliaries:
        return True
    last = auxiliaries[-1]
    if last.tag_ == "MD" or last.lemma_ == "do":
        return bool(verb.tag_ == "VB")
    return verb.tag_ in {"VBN", "VBG", "VBD", "VB"}


def _in_full(token: Any) -> str:
    """Return a verb in full: "ca" of "can't" is "can", "'s" of "it's been" is "has"."""
    lower = str(token.lower_)
    contractions = _CONTRACTIONS | ({"'s": "has", "'d": "had"} if token.lemma_ == "have" else {})
    return contractions.get(lower.replace("’", "'"), lower)


def _fact(sentence: Sentence, verb: Verb, phrases: tuple[Phrase, ...], kind: FactKind) -> Iterator[Fact]:
    """Yield the fact when it says something: it has a subject, perhaps a pronoun, and at least one other phrase."""
    subject = next((p for p in phrases if p.role == Role.SUBJECT), None)
    if subject is None or len(phrases) < 2 or not (subject.has(Flag.NOMINAL) or subject.has(Flag.PRONOUN)):
        return
    ident = content_id("f", sentence.doc, sentence.start, sentence.end, verb.start, verb.lemma, subject.start, kind)
    yield Fact(ident, sentence.doc, sentence.section, sentence.start, sentence.end, sentence.text, verb, phrases, kind)


def _named(head: Any, block: Block) -> Phrase | None:
    """Return the name that a relative clause or apposition is about: its head, what precedes it, a number after it."""
    tokens = [t for t in head.subtree if t.i <= head.i or (t.dep_ == "nummod" and t.head == head)]
    if not tokens or tokens[-1].i - tokens[0].i + 1 != len(tokens):
        return None
    return phrase_from(Role.SUBJECT, head, tokens, block)


def _relative(verb: Any, sentence: Sentence, block: Block) -> Iterator[Fact]:
    pronoun = _subject(verb)
    group = _verb(verb, False, block)
    subject = _named(verb.head, block)
    if pronoun is None or pronoun.tag_ not in {"WDT", "WP"} or group is None or subject is None:
        return
    phrases = [subject]
    for child in verb.children:
        role = role_of(child)
        if child is pronoun or not role or role == Role.SUBJECT:
            continue
        phrase = read_phrase(role, child, block)
        if phrase is None:
            return
        phrases.append(phrase)
    yield from _fact(sentence, group, tuple(phrases), FactKind.RELATIVE)


def _apposition(noun: Any, sentence: Sentence, block: Block) -> Iterator[Fact]:
    before = noun.doc[noun.left_edge.i - 2 : noun.left_edge.i]
    if len(before) < 2 or before[1].text != "," or before[0] not in [noun.head, *noun.head.children]:
        return  # after a dash or further on it is usually an item of a list, not a description of a name
    after = noun.doc[noun.right_edge.i + 1] if noun.right_edge.i + 1 < len(noun.doc) else None
    if after is not None and after.text not in {",", ".", "!", ";"}:
        return
    subject = _named(noun.head, block)
    attribute = read_phrase(Role.ATTRIBUTE, noun, block)
    if subject is None or attribute is None or not attribute.flags & {Flag.DEFINITE, Flag.INDEFINITE, Flag.FIRST}:
        return
    form, start = "are" if subject.has(Flag.PLURAL) else "is", attribute.start
    verb = Verb("be", form, "VBZ", start=start, end=start, flags=verb_flags("be", "VBZ"))
    yield from _fact(sentence, verb, (subject, attribute), FactKind.APPOSITION)
