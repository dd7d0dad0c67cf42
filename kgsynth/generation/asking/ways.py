"""The ways in which an LLM is used: it writes and judges, it only writes, or it is asked about single sentences.

The first scenes show which: whether its replies keep their form and its quotes are in the passages, and whether its
verdicts tell claims that quotes state from planted ones. What an LLM does badly, rules and the ranker do.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from kgsynth.base.records import Document, Fact, Item, Rejection, Span
from kgsynth.base.vocabulary import FactKind, Flag, Role, VerbFlag
from kgsynth.evidence.closed_book import agreement
from kgsynth.evidence.knowledge import Knowledge
from kgsynth.evidence.question_checks import leaked_words
from kgsynth.evidence.quoted_proof import headings_at
from kgsynth.generation.asking.prompts import Manner, Proposal, Proposals, ProposedClaim, Quote, example_question
from kgsynth.generation.scenes.passages import Scene
from kgsynth.generation.writing import scoped
from kgsynth.language import language
from kgsynth.language.lengths import length_in_words
from kgsynth.language.text_words import asks_reason, count_conditions
from kgsynth.models.llm import Failure, Prompt
from kgsynth.models.llm.prompts import DATA, quoted

FULL, MIDDLE, LIGHT = "full", "middle", "light"
JUDGING = frozenset({"judging questions", "verifying", "leaving passages out"})
"""Stages without which the middle way does."""

LIGHT_CALLS, PROMPT_TOKENS, REPLY_TOKENS = 2, 600, 200
"""Calls for a question in the light way, and the most tokens of each."""

PROBED, AT_MOST = 4, 8
"""Scenes of which a question is judged to choose the way, and the most that are asked about before."""

INSTEAD = Rejection("verified", "the model was asked about single sentences instead")
_ONE_BY_ONE = "The model was asked about one sentence at a time, without its verdicts"
_LEAST_TRUE = 0.75  # share of the questions that have true quotes, and of the planted claims that are judged rightly
CUED = 0.5
"""Share of ``min_keep`` from which on a question that asks for the reason or the case of its sentence passes."""

_SENTENCE_WORDS = 40  # of a sentence that is asked about: it is the answer, and has to fit into the reply
_MUCH, _TOLD = 2, {Flag.NUMBER, Flag.CODE, Flag.NAMED}
_HEADING_CHARACTERS = 160  # of the headings that a small model is shown
_PASSAGE_WORDS, _CHARACTERS_AFTER = 120, 400  # of the passage in which it finds an answer again, and after that
_AGREED = 0.5  # agreement of two answers, from which on they are the same


@dataclass(frozen=True, slots=True)
class Way:
    """How an LLM is used, and why in a sentence."""

    name: str
    why: str


def by_writing(scenes: int, replies: int, true: int, proved: int) -> Way | None:
    """Return the light way if an LLM cannot write questions, else None.

    ``replies`` are its questions on so many ``scenes`` and the replies that could not be used; so many questions have
    ``true`` quotes, and so many scenes one that is ``proved``.
    """
    soon = replies > 1 and not true
    if not soon and not (replies >= PROBED and true < _LEAST_TRUE * replies) and (scenes < AT_MOST or proved > 1):
        return None
    why = f"{true} of the {replies} questions or unusable replies from the first scenes ({scenes}) had true quotes"
    return Way(LIGHT, f"{_ONE_BY_ONE}: {why}")


@dataclass(frozen=True, slots=True)
class Probed:
    """Whether the quote of each of several claims states it, in their order."""

    stated: tuple[bool, ...]


def probing_prompt(items: Sequence[Item]) -> Prompt:
    """Return the prompt that shows the evidence of each item first with its own answer, then with that of the next."""
    own = [" ".join(item.golden_answers) for item in items]
    quotes = [" … ".join(span.text for (span, *_) in item.evidence) for item in items]
    pairs = [(claim, quote) for n, quote in enumerate(quotes) for claim in (own[n], own[(n + 1) % len(own)])]
    listed = "\n\n".join(
        f"{number}. {quoted('quote', quote)}\n{quoted('claim', claim)}"
        for number, (claim, quote) in enumerate(pairs, 1)
    )
    return Prompt(
        "probing",
        f"You check what quotes state. {DATA}",
        f"{listed}\n\nSay for each claim in order whether its quote states all of it.",
        max_tokens=200,
        example_reply=json.dumps({"stated": [True, False] * len(items)}),
    )


def by_judging(items: Sequence[Item], reply: Probed | Failure, kept: int) -> Way:
    """Return the way by the reply on ``items``: of each, its own answer is stated, and the other is not.

    The ranker would keep so many of them.
    """
    given = () if isinstance(reply, Failure) else reply.stated
    right = sum(one == other for one, other in zip(given, (True, False) * len(items), strict=False))
    if right >= _LEAST_TRUE * 2 * len(items):
        return Way(FULL, "")
    why = f"it judged {right} of {2 * len(items)} planted claims rightly, where chance gives half"
    if 2 * kept < len(items):
        return Way(LIGHT, f"{_ONE_BY_ONE}: {why}, and the ranker keeps {kept} of its first {len(items)} questions")
    return Way(MIDDLE, f"The model wrote the questions, and rules and the ranker judged them: {why}")


# The light way: one sentence, one question that it answers, and the words of the sentence that do.


@dataclass(frozen=True, slots=True)
class Asking:
    """The words of a sentence that answer questions, and wordings of these, of which the best is taken."""

    quote: str
    questions: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Extracted:
    """The words of a passage that answer a question, "" if none do."""

    quote: str


PLAIN = Manner("natural", "medium", "", ())
"""How all questions of the light way are to sound."""


@dataclass(frozen=True, slots=True)
class _Wanted:
    """The phrases one of which the sentences of a type have, the task, and the kind of question for its scope."""

    roles: frozenset[Role]
    task: str
    kind: str


_WANTED = {
    "conditional": _Wanted(
        frozenset({Role.CONDITION}),
        'Put its case into the questions, but not what holds then: "If …, what …?"',
        "explicit",
    ),
    "reasoning": _Wanted(frozenset({Role.CAUSE}), 'Ask for the reason that it gives: "Why …?"', "cause"),
    "simple": _Wanted(frozenset(), "Ask for the thing in it that a user most needs.", "factoid"),
}
"""Type of questions -> what is wanted; the rules write the other types."""

_PREFIX = (
    "Write three short questions that the sentence answers, as three people with a task ask them who have seen neither "
    "the sentence nor the headings. All ask for the same words of the sentence, the quote, which is copied letter by "
    "letter. The quote is in no question. Each question names what the sentence is about, with words of the headings "
    "if the sentence does not. No question speaks of a sentence or text.\n\n"
    "Example. Headings: Travel rules > Paying. Sentence: Receipts are sent in within 30 days.\n"
    '{"quote": "within 30 days", "questions": ["By when do I have to send in my receipts after a trip?", "How much '
    'time do I have for the receipts of a journey?", "What is the deadline for receipts under the travel rules?"]}\n\n'
    "Example. Headings: Server > Cache. Sentence: If memory is short, lower `cache_size` before you turn it on.\n"
    '{"quote": "lower `cache_size`", "questions": ["If the server has little memory, what must I do before I turn on '
    'its cache?", "What do I change first to use the cache of the server if memory is short?", "How do I turn on the '
    'cache if my server is short of memory?"]}'
)
"""What all prompts of the light way begin with, so that a server need not read it again."""


def short_scenes(scenes: Mapping[str, Sequence[Scene]], knowledge: Knowledge) -> dict[str, list[Scene]]:
    """Return for each type of the light way a scene for each clear sentence of its scenes, no sentence twice.

    First come the sentences that say much, and of these those that say most in their scene, so that all scenes are
    asked about.
    """
    taken: set[Span] = set()
    short = {}
    for name in (each for each in _WANTED if each in scenes):
        found = []
        for scene in scenes[name]:
            for place, (sentence, worth) in enumerate(_sentences(scene, knowledge)):
                if sentence not in taken:
                    taken.add(sentence)
                    found.append((worth < _MUCH, place, replace(scene, passages=(sentence,), neighbours=())))
        short[name] = [scene for *_, scene in sorted(found, key=lambda each: each[:2])]
    return short


def _sentences(scene: Scene, knowledge: Knowledge) -> list[tuple[Span, int]]:
    """Return the sentences of a scene that can be asked about and what each says, those that say most first."""
    (passage, *_), roles = scene.passages, _WANTED[scene.question_type].roles
    worth = {
        sentence: max(map(_telling, facts))
        for sentence, facts in knowledge.derived(_clear_sentences).get(passage.doc, {}).items()
        if passage.start <= sentence.start and sentence.end <= passage.end
        if not roles or any(fact.first(*roles) for fact in facts)
        if length_in_words(sentence.text) <= _SENTENCE_WORDS
    }
    return sorted(worth.items(), key=lambda pair: (-pair[1], pair[0].start))


def _clear_sentences(knowledge: Knowledge) -> dict[str, dict[Span, list[Fact]]]:
    """Return the sentences of each document all of whose facts are clear, with these."""
    found: dict[str, dict[Span, list[Fact]]] = {}
    for fact in knowledge.statements.facts:
        sentence = knowledge.documents[fact.doc].span(fact.start, fact.end)
        found.setdefault(fact.doc, {}).setdefault(sentence, []).append(fact)
    return {
        doc: {sentence: facts for sentence, facts in own.items() if all(map(_is_clear, facts))}
        for doc, own in found.items()
    }


def _is_clear(fact: Fact) -> bool:
    """Check whether a fact holds now and can be understood without the sentences before it."""
    unclear = any(
        phrase.flags & {Flag.DEICTIC, Flag.DANGLING}
        or (phrase.role == Role.SUBJECT and phrase.has(Flag.POSSESSIVE))
        or (phrase.has(Flag.PRONOUN) and not phrase.flags & {Flag.YOU, Flag.FIRST})
        for phrase in fact.phrases
    )
    now = fact.verb.modal or fact.verb.has(VerbFlag.PRESENT)
    return bool(now) and not unclear and fact.kind != FactKind.COREFERENCE


def _telling(fact: Fact) -> int:
    """Return how much a fact says that one would look up: figures, names and code, and what must or may be done."""
    return bool(fact.verb.modal) + sum(bool(phrase.flags & _TOLD) for phrase in fact.phrases)


def light_prompt(scene: Scene, documents: Mapping[str, Document]) -> Prompt:
    """Return the prompt that asks for the question that the sentence of a scene of ``short_scenes`` answers."""
    (sentence,) = scene.passages
    text = " ".join(documents[sentence.doc].plain(sentence.start, sentence.end).split())
    likely = {"quote": text, "questions": [example_question([text], scene.id)]}
    return Prompt(
        "writing",
        f"You write questions with which a search assistant is tested. {DATA}",
        f"{_PREFIX}\n\n{_headings(sentence, documents)}\n{quoted('sentence', text)}\n\n"
        f"{_WANTED[scene.question_type].task} Write in the language of the sentence.",
        max_tokens=REPLY_TOKENS,
        example_reply=json.dumps(likely, ensure_ascii=False),
    )


def extraction_prompt(item: Item, scene: Scene, documents: Mapping[str, Document]) -> Prompt:
    """Return the prompt that asks for the words around a sentence that answer a question."""
    return Prompt(
        "answering",
        f"You answer questions by words copied from a passage. {DATA}",
        f"{_shown(scene.passages[0], documents)}\n\n{quoted('question', item.question)}\n\n"
        'Copy the sentence that answers the question; "" if none does.',
        max_tokens=REPLY_TOKENS,
        example_reply=json.dumps({"quote": item.golden_answers[0]}, ensure_ascii=False),
    )


def _shown(sentence: Span, documents: Mapping[str, Document]) -> str:
    """Return the headings of a sentence, its paragraph, and the ones before it as far as they are short."""
    document = documents[sentence.doc]
    section = document.section_at(sentence.start)
    end = max(block.end for block in document.blocks_in(sentence.start, sentence.end))
    start, end = sentence.start, min(end, sentence.end + _CHARACTERS_AFTER)
    for block in reversed(document.blocks_in(section.start if section else 0, sentence.end)):
        if length_in_words(document.text[block.start : end]) > _PASSAGE_WORDS:
            break
        start = min(start, block.start)
    return f"{_headings(sentence, documents)}\n{quoted('passage', document.text[start:end])}"


def _headings(sentence: Span, documents: Mapping[str, Document]) -> str:
    path = headings_at(documents[sentence.doc], sentence.start)
    return quoted("headings", " > ".join(path)[-_HEADING_CHARACTERS:])


def widened(asking: Asking | Failure, scene: Scene, knowledge: Knowledge) -> Proposals | Failure:
    """Return wordings of a question with the scope of their page if they need it; last those that it does not explain.

    The answer is the whole sentence of the scene if the quote is from it.
    """
    if isinstance(asking, Failure):
        return asking
    (sentence,) = scene.passages
    if not asking.quote.strip():
        return Proposals((), "", ())
    (fact, *_) = knowledge.derived(_clear_sentences)[sentence.doc][sentence]
    kind = _WANTED[scene.question_type].kind
    wordings = [" ".join(each.split()) for each in asking.questions if each.strip()]
    own = [scoped(each, kind, fact, knowledge) for each in wordings]
    asked = dict.fromkeys([*filter(None, own), *(each for each, clear in zip(wordings, own, strict=True) if not clear)])
    documents = knowledge.documents
    answer = " ".join(documents[sentence.doc].plain(sentence.start, sentence.end).split())
    is_in = any(" ".join(asking.quote.casefold().split()) in text.casefold() for text in (answer, sentence.text))
    quote = Quote(1, sentence.text if is_in else asking.quote)
    claims = (ProposedClaim(answer, (quote,)),)
    return Proposals((), "", tuple(Proposal(each, "fact", answer, claims, ()) for each in asked))


def typed(item: Item) -> Item:
    """Return an item as simple if its question asks for no reason, or puts no case, as its sentence would allow."""
    cued = {"reasoning": asks_reason(item.question), "conditional": bool(count_conditions(item.question))}
    return item if cued.get(item.question_type, True) else replace(item, question_type="simple", subtype="section_fact")


def misreads(item: Item) -> Rejection | None:
    """Reject an item whose question says the opposite of its sentence."""
    against = language(item.language).contradictions(item.question, item.golden_answers[0]) & {"opposite", "denial"}
    return Rejection("verified", "the question says the opposite of the sentence") if against else None


def judge_extracted(item: Item, reply: Extracted | Failure) -> Rejection | None:
    """Reject an item if an LLM that sees the words around its sentence finds another answer, or only the question."""
    if isinstance(reply, Failure):
        return Rejection("verified", f"the model's answer is missing: {reply.why}")
    found = agreement(reply.quote, item.golden_answers, item.language)
    words_of = " ".join(reply.quote.casefold().strip(' ."').split())
    if found < _AGREED and not (words_of and words_of in item.golden_answers[0].casefold()):
        return Rejection("verified", f"the model finds another answer: {reply.quote[:80]!r}", found, _AGREED)
    if leaked_words(item.question, reply.quote, item.language)[0] == 1:
        return Rejection("leaking", f"the question holds its answer: {reply.quote[:80]!r}")
    return None
