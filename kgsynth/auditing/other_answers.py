"""Does another place in the documents answer a question otherwise, or another item the same question?

The facts of the evidence are found again by the answer and the words of the question alone, so any set can be asked,
whoever made it; then the corpus is searched as the generator's own rule does. Left out: questions that take several
pieces of evidence, and languages without a parser.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping

from kgsynth.auditing.case import AuditCase, telling
from kgsynth.base.records import Fact, Finding, Item, Phrase, Sentence, Span
from kgsynth.evidence.derivation import same_answer
from kgsynth.evidence.derivation import spans as places
from kgsynth.evidence.other_answers import Sought, elsewhere, other_value, scope_of, states
from kgsynth.evidence.statements import Statements
from kgsynth.language import LANGUAGES, language
from kgsynth.language.words import words

SHARE = 0.8
"""The share of what is known of a fact, by rarity, that another sentence must hold to be a rival."""

_WORTH = 0.6  # share of the words of a question or its evidence, by rarity, that makes a sentence worth parsing
_MOST = 30  # sentences parsed for one question, the likeliest first
_KNOWN = 0.7  # share of a phrase's words that the question must hold to know it
_TOLD = 0.5  # share of the question's words that the fact must hold to be what is asked
_SCOPE = "say in the question which one is meant, or add the other answer"


def at_odds(case: AuditCase) -> Iterator[Finding]:
    """Yield the items that ask, word for word, what an earlier one asks, and have another answer."""
    first: dict[tuple[str, ...], Item] = {}
    for item in case.dataset:
        earlier = first.setdefault(tuple(words(item.question)), item) if words(item.question) else item
        if earlier is not item and not agreeing(earlier, item):
            message = (
                f"asks the same as {earlier.id}, where the answer is {_first(earlier)}: "
                f"{item.question!r}, {_first(item)}"
            )
            yield Finding("at_odds", "error", item.id, message, _SCOPE)


def _first(item: Item) -> str:
    return repr(item.golden_answers[0]) if item.golden_answers else "none"


def agreeing(one: Item, other: Item) -> bool:
    """Say whether two items have an answer in common, or both none.

    Example:
        >>> one = Item("a", "Who?", ("The nine",), "simple", "", "en", ())
        >>> agreeing(one, Item("b", "Who?", ("9", "ten"), "simple", "", "en", ()))
        True
    """
    if not (one.golden_answers and other.golden_answers):
        return not (one.golden_answers or other.golden_answers)
    return any(same_answer(a, b, one.language) for a in one.golden_answers for b in other.golden_answers)


def elsewhere_otherwise(case: AuditCase) -> Iterator[Finding]:
    """Yield the items whose question another sentence of the documents answers with another value."""
    asked = [i for i in case.sound if len(i.evidence) == 1 and i.golden_answers and i.language in LANGUAGES]
    if not asked:
        return
    statements = case.statements(_worth(case, asked))
    facts: dict[str, list[Fact]] = defaultdict(list)
    for fact in statements.facts:
        facts[fact.doc].append(fact)
    for item in asked:
        if rival := _rival(item, facts, statements):
            sentence, value = rival
            title = statements.documents[sentence.doc].sections[sentence.section].title
            message = (
                f"{item.question!r} has the answer {item.golden_answers[0]!r}, but {sentence.doc} [{sentence.start}, "
                f"{sentence.end}), under {title!r}, says {value!r}"
            )
            yield Finding("ambiguous", "warning", item.id, message, _SCOPE)


def _worth(case: AuditCase, items: list[Item]) -> dict[str, set[int]]:
    """Return the blocks worth parsing, by document: the evidence, and what says most of it or of a question."""
    import numpy as np

    blocks: dict[str, set[int]] = defaultdict(set)
    if case.resources.run:
        return blocks
    for item in items:
        stated = case.told(item).replace(item.golden_answers[0], "")
        reader = case.reader(item.language)
        shares = np.maximum(reader.shares(item.question), reader.shares(stated))
        likely = np.flatnonzero(shares >= _WORTH)
        likely = likely[np.argsort(-shares[likely], kind="stable")][:_MOST]
        found = [case.prose[number] for number in likely.tolist()]
        for each in (*found, *(s for span in item.evidence[0] for s in case.around(span))):
            blocks[each.doc].add(each.block)
    return blocks


def _rival(item: Item, facts: Mapping[str, list[Fact]], statements: Statements) -> tuple[Sentence, str] | None:
    """Return the first sentence that answers the question otherwise, with what it says; None where none does."""
    told_apart = {(doc, start) for doc, start, _ in places({"rivals": item.derivation.get("rivals", ())})}
    for sought in _sought(item, facts):
        scope = scope_of(item, sought.fact, statements) & _asked(item)
        for _, sentence, others in elsewhere(sought, scope, statements, SHARE):
            if any(_over(sentence, span) for span in item.evidence[0]):
                continue
            if scope and any(doc == sentence.doc and sentence.start <= at < sentence.end for doc, at in told_apart):
                continue  # the question names the scope that tells it from this one
            value = "" if states(sentence, others, sought) else other_value(others, sought)
            if value and not any(same_answer(value, golden, item.language) for golden in item.golden_answers):
                return sentence, value
    return None


def _sought(item: Item, facts: Mapping[str, list[Fact]]) -> Iterator[Sought]:
    """Yield what the question knows, and what it seeks, of each fact of the evidence that gives the answer."""
    asked = _asked(item)
    given = set(places(item.derivation))
    for fact in (fact for span in item.evidence[0] for fact in facts.get(span.doc, ()) if _over(fact, span)):
        for number, phrase in enumerate(fact.phrases):
            if (fact.doc, phrase.start, phrase.end) not in given and not _is_answer(phrase, item):
                continue
            said = [set(telling(p.text, item.language)) for p in fact.phrases]
            known = tuple(n for n, words in enumerate(said) if n != number and _held(words, asked) >= _KNOWN)
            told = set(telling(fact.verb.form, item.language)).union(*(said[n] for n in (*known, number)))
            if known and _held(asked, told) >= _TOLD:
                yield Sought(fact, known, phrase, item.golden_answers[0], item.language)


def _asked(item: Item) -> set[str]:
    """Return the words of a question that say what is asked, not what kind of thing: without the noun after "which"."""
    every = set(telling(item.question, item.language))
    free = language(item.language).may_share(item.question, "")
    return {word for word in every if not free(word)} or every


def _over(place: Fact | Sentence, span: Span) -> bool:
    return place.doc == span.doc and place.start < span.end and span.start < place.end


def _held(words: set[str], others: set[str]) -> float:
    return len(words & others) / len(words) if words else 0.0


def _is_answer(phrase: Phrase, item: Item) -> bool:
    """Say whether a phrase is one of the answers, but for its preposition or the noun that says its kind."""
    said = phrase.text.removeprefix(phrase.marker).strip()
    if any(same_answer(text, answer, item.language) for text in (phrase.text, said) for answer in item.golden_answers):
        return True
    others = [set(words(said)) - set(words(answer)) for answer in item.golden_answers if answer in said]
    return any(len(telling(" ".join(other), item.language)) <= 1 for other in others)
