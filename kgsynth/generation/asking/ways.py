"""The ways in which an LLM is used: it writes and judges, it only writes, or it is asked for one quote at a time.

The first scenes show which: whether its replies keep their form and its quotes are in the passages, and whether its
verdicts tell claims that quotes state from planted ones. What an LLM does badly, rules and the ranker do.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from kgsynth.base.records import PROSE, Document, Item, Rejection, Span
from kgsynth.evidence.closed_book import agreement
from kgsynth.generation.asking.prompts import Manner, Proposal, Proposals, ProposedClaim, Quote, example_question
from kgsynth.generation.scenes.passages import Scene
from kgsynth.language.lengths import length_in_words
from kgsynth.language.sentence_ends import sentence_spans
from kgsynth.language.text_words import count_conditions
from kgsynth.models.llm import Failure, Prompt
from kgsynth.models.llm.prompts import DATA, quoted

FULL, MIDDLE, LIGHT = "full", "middle", "light"

AT_FIRST, PROBED, AT_MOST = 1, 4, 8
"""Scenes asked about before the first look at the replies, those whose questions are judged, and those of any look."""

_LEAST_TRUE = 0.75  # share of the questions that have true quotes, and of the planted claims that are judged rightly
_PASSAGE_WORDS = 120  # of the passage that a small model is shown
_LEAST_WORDS = 12  # of a passage that a question can be asked about
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
    why = f"of its first {replies} questions or useless replies on {scenes} scenes, {true} had true quotes"
    return Way(LIGHT, f"The model was asked for one short quote at a time, without its verdicts: {why}")


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


def by_judging(items: Sequence[Item], reply: Probed | Failure) -> Way:
    """Return the way by the reply on ``items``: of each, its own answer is stated, and the other is not."""
    given = () if isinstance(reply, Failure) else reply.stated
    right = sum(one == other for one, other in zip(given, (True, False) * len(items), strict=False))
    if right >= _LEAST_TRUE * 2 * len(items):
        return Way(FULL, "")
    why = f"it judged {right} of {2 * len(items)} planted claims rightly, where chance gives half"
    return Way(MIDDLE, f"The model wrote the questions, and rules and the ranker judged them: {why}")


# The light way: one short passage, one question, and a quote that answers it.


@dataclass(frozen=True, slots=True)
class Asking:
    """A question about a short passage, and the words of the passage that answer it."""

    question: str
    quote: str


@dataclass(frozen=True, slots=True)
class Extracted:
    """The words of a passage that answer a question, "" if none do."""

    quote: str


PLAIN = Manner("natural", "medium", "", ())
"""How all questions of the light way are to sound."""

_WANTED: Mapping[str, Callable[[str], object]] = {"simple": bool, "conditional": count_conditions}
"""Type of questions -> whether a paragraph serves for one; the rules write the other types."""

_PREFIX = (
    "Write one question that a user with a task would ask and that the passage answers. Name in the question what it "
    "is about. Copy the quote that answers it from the passage letter by letter. If the passage answers no such "
    'question, leave both fields "".\n\n'
    "Example. Headings: Handbook > Travel. Passage: Book flights through the portal. Receipts must be sent within 30 "
    "days, or they are not paid.\n"
    '{"question": "By when must I send my travel receipts?", "quote": "Receipts must be sent within 30 days"}\n\n'
    "Example. Headings: Server > Cache. Passage: The cache is off by default. If memory is short, lower cache_size "
    "before you turn it on.\n"
    '{"question": "What should I change if memory is short before I turn on the server cache?", '
    '"quote": "If memory is short, lower cache_size before you turn it on."}'
)
"""What all prompts of the light way begin with, so that a server need not read it again."""


def short_scenes(scenes: Sequence[Scene], documents: Mapping[str, Document]) -> list[Scene]:
    """Return the scenes of types that are asked for in the light way, each with a few paragraphs of running text."""
    short = (_short(scene, documents[scene.passages[0].doc]) for scene in scenes if scene.question_type in _WANTED)
    return list({scene.id: scene for scene in short if scene}.values())


def _short(scene: Scene, document: Document) -> Scene | None:
    """Return a scene with the first paragraphs of its passage, those from the one on that its type needs."""
    found: Span | None = None
    for block in document.blocks_in(scene.passages[0].start, scene.passages[0].end):
        if block.kind not in PROSE or not (found or _WANTED[scene.question_type](block.text)):
            continue
        joined = document.span(found.start if found else block.start, block.end)
        if found and length_in_words(joined.text) > _PASSAGE_WORDS:
            break
        found = joined
    if found is None or not _LEAST_WORDS <= length_in_words(found.text) <= 2 * _PASSAGE_WORDS:
        return None
    return replace(scene, passages=(found,), neighbours=())


def light_prompt(scene: Scene, documents: Mapping[str, Document]) -> Prompt:
    """Return the prompt that asks for a question on a scene of ``short_scene`` and the quote that answers it."""
    (passage,) = scene.passages
    low, high = max(sentence_spans(passage.text), key=lambda bounds: bounds[1] - bounds[0])
    likely = {"question": example_question([passage.text], scene.id), "quote": passage.text[low:high]}
    kind = " Ask about a case in which something special holds." if scene.question_type == "conditional" else ""
    return Prompt(
        "writing",
        f"You write questions with which a search assistant is tested. {DATA}",
        f"{_PREFIX}\n\n{_shown(passage, documents)}\n\nWrite the question in the language of the passage.{kind}",
        max_tokens=200,
        example_reply=json.dumps(likely, ensure_ascii=False),
    )


def extraction_prompt(item: Item, scene: Scene, documents: Mapping[str, Document]) -> Prompt:
    """Return the prompt that asks for the words of a passage that answer a question."""
    return Prompt(
        "answering",
        f"You answer questions by words copied from a passage. {DATA}",
        f"{_shown(scene.passages[0], documents)}\n\n{quoted('question', item.question)}\n\n"
        'Copy the sentence that answers the question; "" if none does.',
        max_tokens=200,
        example_reply=json.dumps({"quote": item.golden_answers[0]}, ensure_ascii=False),
    )


def _shown(passage: Span, documents: Mapping[str, Document]) -> str:
    document = documents[passage.doc]
    section = document.section_at(passage.start)
    path = " > ".join(section.path if section else (document.title,))[-_PASSAGE_WORDS:]
    return f"Headings:\n{quoted('headings', path)}\n{quoted('passage', passage.text)}"


def widened(asking: Asking | Failure, scene: Scene, documents: Mapping[str, Document]) -> Proposals | Failure:
    """Return a question, if there is one, with the whole sentence or item around its quote as the answer."""
    if isinstance(asking, Failure):
        return asking
    passage, said, whole = scene.passages[0], "".join(asking.quote.split()), asking.quote
    if not asking.question.strip() or not said:
        return Proposals((), "", ())
    for block in documents[passage.doc].blocks_in(passage.start, passage.end):
        for low, high in sentence_spans(block.text):
            if said in "".join(block.text[low:high].split()):
                whole = block.text[low:high].strip()
    claim = ProposedClaim(whole, (Quote(1, whole),))
    return Proposals((), "", (Proposal(asking.question, "fact", " ".join(whole.split()), (claim,), ()),))


def judge_extracted(item: Item, reply: Extracted | Failure) -> Rejection | None:
    """Reject an item for which an LLM that sees the passage does not find the answer."""
    if isinstance(reply, Failure):
        return Rejection("verified", f"the model's answer is missing: {reply.why}")
    found = agreement(reply.quote, item.golden_answers, item.language)
    if found >= _AGREED:
        return None
    return Rejection("verified", f"the model finds another answer: {reply.quote[:80]!r}", found, _AGREED)
