"""Conflicting answers: from another item with the same question, or from another sentence of the documents.

The fact that answers a question is found in its evidence by the words of question and answer alone, so this works on
any set; then the corpus is searched as the generator's rule ``ambiguous`` does. Left out: questions with several
evidence groups, and unsupported languages.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping

from kgsynth.auditing.case import AuditCase, content_words
from kgsynth.base.records import Document, Fact, Finding, Item, Phrase, Sentence, Span, StructureFact
from kgsynth.base.thresholds import DEFAULT_THRESHOLDS, LIMITS
from kgsynth.evidence.derivation import same_answer
from kgsynth.evidence.derivation import spans as derivation_places
from kgsynth.evidence.other_answers import AskedFact, Name, other_fact, other_sentences, other_value, scope_of, states
from kgsynth.evidence.question_checks import answers_agree
from kgsynth.evidence.statements import Statements
from kgsynth.language import LANGUAGES, language
from kgsynth.language.words import words

_ADVICE = "say in the question which one is meant, or add the other answer"


def conflicting_answers(case: AuditCase) -> Iterator[Finding]:
    """Yield the items with the same question, word for word, as an earlier one, and no answer in common with it."""
    first: dict[tuple[str, ...], Item] = {}
    for item in case.dataset:
        earlier = first.setdefault(tuple(words(item.question)), item) if words(item.question) else item
        if earlier is not item and not answers_agree(earlier, item):
            message = (
                f"asks the same as {earlier.id}, {item.question!r}, but the answer is {_first_answer(item)} "
                f"instead of {_first_answer(earlier)}"
            )
            yield Finding("at_odds", "error", item.id, message, _ADVICE)


def _first_answer(item: Item) -> str:
    return repr(item.golden_answers[0]) if item.golden_answers else "none"


def ambiguous(case: AuditCase) -> Iterator[Finding]:
    """Yield the items whose question another sentence of the documents answers differently."""
    asked = [item for item in case.valid_items if may_be_searched(item)]
    if not asked:
        return
    statements = case.statements(_blocks_to_parse(case, asked))
    for item, message in other_answers(asked, statements):
        yield Finding("ambiguous", "warning", item.id, message, _ADVICE)


def other_answers(
    items: Iterable[Item],
    statements: Statements,
    among: Callable[[Sentence], bool] = lambda _: True,
    *,
    doubtful: bool = False,
) -> Iterator[tuple[Item, str]]:
    """Yield the items whose question one of the sentences ``among`` which to search answers differently, and how.

    The items have one evidence group, which is in place, an answer, and a language that has rules. If ``doubtful``, a
    sentence with the same subject and predicate counts too whose value may be true beside the answer.
    """
    facts: dict[str, list[Fact]] = defaultdict(list)
    for fact in statements.facts:
        facts[fact.doc].append(fact)
    for item in items:
        if other := _other_answer(item, facts, statements, among, doubtful):
            sentence, value = other
            place = sentence.start, sentence.end
            yield item, _message(item, statements.documents[sentence.doc], sentence.section, place, value)


def other_layout_answers(
    items: Iterable[Item], documents: Mapping[str, Document], among: Iterable[tuple[Name, StructureFact]]
) -> Iterator[tuple[Item, str]]:
    """Yield the items whose question one of the facts ``among`` which to search answers differently, and how.

    The evidence of the items is in place, and they have an answer. The facts come with their names, see
    ``evidence.other_layout``.
    """
    others: dict[Name, list[StructureFact]] = defaultdict(list)
    for name, fact in among:
        others[name].append(fact)
    for item in items if others else ():
        if found := other_fact(item, others, documents):
            fact, value = found
            place = min(part.start for part in (fact.subject, *fact.values)), max(part.end for part in fact.values)
            yield item, _message(item, documents[fact.doc], fact.section, place, value)


def _message(item: Item, page: Document, section: int, place: tuple[int, int], value: str) -> str:
    return (
        f"the answer to {item.question!r} is {item.golden_answers[0]!r}, but {page.id} [{place[0]}, {place[1]}), "
        f"under {page.sections[section].title!r}, says {value!r}"
    )


def may_be_searched(item: Item) -> bool:
    """Check whether ``other_answers`` can search for another answer to an item whose evidence is in place."""
    return len(item.evidence) == 1 and bool(item.golden_answers) and item.language in LANGUAGES


def _blocks_to_parse(case: AuditCase, items: list[Item]) -> dict[str, set[int]]:
    """Return the numbers of blocks worth parsing, by document: the evidence, and those most like it or a question."""
    import numpy as np

    blocks: dict[str, set[int]] = defaultdict(set)
    if case.resources.run:
        return blocks
    for item in items:
        stated = case.evidence_text(item).replace(item.golden_answers[0], "")
        index = case.word_index(item.language)
        shares = np.maximum(index.shares(item.question), index.shares(stated))
        likely = np.flatnonzero(shares >= LIMITS.parsed_sentence_share)
        likely = likely[np.argsort(-shares[likely], kind="stable")][: LIMITS.parsed_sentences]
        found = [case.prose_sentences[number] for number in likely.tolist()]
        for each in (*found, *(s for span in item.evidence[0] for s in case.overlapping(span))):
            blocks[each.doc].add(each.block)
    return blocks


def _other_answer(
    item: Item,
    facts: Mapping[str, list[Fact]],
    statements: Statements,
    among: Callable[[Sentence], bool],
    doubtful: bool,
) -> tuple[Sentence, str] | None:
    """Return the first sentence that answers the question differently and its answer, None if there is none."""
    rivals = {(doc, start) for doc, start, _ in derivation_places({"rivals": item.derivation.get("rivals", ())})}
    for target in _answering_facts(item, facts):
        scope = scope_of(item, target.fact, statements) & _asked(item)
        for _, sentence, others in other_sentences(target, scope, statements, DEFAULT_THRESHOLDS["ambiguous"]):
            if any(_overlaps(sentence, span) for span in item.evidence[0]) or not among(sentence):
                continue
            if scope and any(doc == sentence.doc and sentence.start <= at < sentence.end for doc, at in rivals):
                continue  # the question names the scope that distinguishes it from this one
            if states(sentence, others, target):
                continue
            value = other_value(others, target) or (others[0].text if doubtful and others else "")
            if value and not any(same_answer(value, golden, item.language) for golden in item.golden_answers):
                return sentence, value
    return None


def _answering_facts(item: Item, facts: Mapping[str, list[Fact]]) -> Iterator[AskedFact]:
    """Yield each fact of the evidence that gives the answer, with the phrases known from the question."""
    asked = _asked(item)
    in_derivation = set(derivation_places(item.derivation))
    for fact in (fact for span in item.evidence[0] for fact in facts.get(span.doc, ()) if _overlaps(fact, span)):
        for number, phrase in enumerate(fact.phrases):
            if (fact.doc, phrase.start, phrase.end) not in in_derivation and not _is_answer(phrase, item):
                continue
            phrases = [set(content_words(p.text, item.language)) for p in fact.phrases]
            known = tuple(
                n for n, own in enumerate(phrases) if n != number and _share_in(own, asked) >= LIMITS.known_phrase_share
            )
            stated = set(content_words(fact.verb.form, item.language)).union(*(phrases[n] for n in (*known, number)))
            if known and _share_in(asked, stated) >= LIMITS.answering_fact_share:
                yield AskedFact(fact, known, phrase, item.golden_answers[0], item.language)


def _asked(item: Item) -> set[str]:
    """Return the content words of a question, without the noun after "which", which names a kind of answer."""
    every = set(content_words(item.question, item.language))
    free = language(item.language).may_share(item.question, "")
    return {word for word in every if not free(word)} or every


def _overlaps(place: Fact | Sentence, span: Span) -> bool:
    return place.doc == span.doc and place.start < span.end and span.start < place.end


def _share_in(words: set[str], others: set[str]) -> float:
    return len(words & others) / len(words) if words else 0.0


def _is_answer(phrase: Phrase, item: Item) -> bool:
    """Check whether a phrase is one of the answers, apart from its preposition or a noun that names its kind."""
    bare = phrase.text.removeprefix(phrase.marker).strip()
    if any(same_answer(text, answer, item.language) for text in (phrase.text, bare) for answer in item.golden_answers):
        return True
    extra = [set(words(bare)) - set(words(answer)) for answer in item.golden_answers if answer in bare]
    return any(len(content_words(" ".join(other), item.language)) <= LIMITS.extra_answer_words for other in extra)
