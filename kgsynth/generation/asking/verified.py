"""verified: an LLM that sees the evidence among other passages finds every claim proved, and no other answer.

It answers first, then judges each claim by its quotes. Passages from elsewhere that are close to question or answer are
shown too, in an order that does not tell them from the evidence, so that another answer or a missing step is found.
It also says how the answer is got, which decides the type of the question. Several questions, each with its own
passages, go into one request.
"""

from __future__ import annotations

import json
import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from kgsynth.base.records import Document, Item, Rejection, Span
from kgsynth.generation.asking.proposals import numbered_passages
from kgsynth.generation.asking.turns import FOLLOW_UP
from kgsynth.golden.metadata import with_scores
from kgsynth.models.llm import Failure, Prompt
from kgsynth.models.llm.prompt_quoting import DATA, quoted

VERIFIED_AT_ONCE = 3
"""Questions in one request."""

_TOKENS_PER_VERDICT, _TOKENS_BESIDES = 700, 500
_FALSE_PREMISE = "false_premise"
_NO_OBJECTION = {"beyond": "", "lacking": "", "contradicted": "", "other_answer": ""}
_UNPROVED = "the quotes do not state"
_OBJECTIONS = {
    "beyond": "the answer says more than the passages",
    "lacking": "the answer leaves out",
    "contradicted": "a passage contradicts the answer",
    "other_answer": "another passage answers",
}
_MENDABLE = (_UNPROVED, *(_OBJECTIONS[name] for name in ("beyond", "lacking", "other_answer")))
_OBJECTION_CHARACTERS = 200  # shown of an objection to whoever writes about the same passages again


@dataclass(frozen=True, slots=True)
class VerifiedVerdict:
    """What an LLM says of a question, its golden answer and passages."""

    number: int
    thoughts: str
    answer: str
    claims: tuple[bool, ...]
    way: str
    one_passage: bool
    beyond: str
    lacking: str
    contradicted: str
    other_answer: str


@dataclass(frozen=True, slots=True)
class VerifiedReply:
    """The verdicts on several questions."""

    verdicts: tuple[VerifiedVerdict, ...]


def prompt(items: Sequence[Item], passages: Sequence[Sequence[Span]], documents: Mapping[str, Document]) -> Prompt:
    """Return the prompt that has an LLM check at most ``VERIFIED_AT_ONCE`` items.

    ``passages`` are those of the scene of each, and those beside it.
    """
    shown, likely = [], []
    for number, (item, own) in enumerate(zip(items, passages, strict=True), 1):
        order = list(own)
        random.Random(item.id).shuffle(order)
        parts = [f"Question {number}: {quoted('question', item.question)}", numbered_passages(order, documents)]
        shown.append("\n\n".join([*parts, _task(item, documents)]))
        answer = item.golden_answers[0] if item.answerable else ""
        way = next((way for way, kind in _KIND_BY_WAY.items() if kind[0] == item.question_type), "inference")
        said = {"thoughts": "Each claim is stated.", "answer": answer, "claims": [True] * len(item.claims), "way": way}
        one_passage = item.question_type != "multi_context"
        likely.append({"number": number, **said, **_NO_OBJECTION, "one_passage": one_passage})
    asked = "Judge each question by its own passages alone. Each verdict begins with number: that of the question."
    return Prompt(
        "verifying",
        f"You check questions and golden answers with which an assistant is tested. Be strict. {DATA}",
        "\n\n".join([*shown, asked]),
        max_tokens=_TOKENS_PER_VERDICT * len(items) + _TOKENS_BESIDES,
        example_reply=json.dumps({"verdicts": likely}, ensure_ascii=False),
    )


def _task(item: Item, documents: Mapping[str, Document]) -> str:
    """Return what is to be said of an item."""
    if item.answerable:
        return f"{_golden(item, documents)}\n\n{_ANSWER_TASK}"
    return _PREMISE_TASK if item.subtype == _FALSE_PREMISE else _NO_ANSWER_TASK


_ANSWER_TASK = (
    "- thoughts: in one to three sentences, how the passages answer the question\n"
    "- answer: your own answer from the passages alone\n"
    "- claims: for each claim in order, true if its own quotes state all of it, with the headings above them; false if "
    "they state it in part, or of something else\n"
    '- beyond: what the golden answer says and no passage states, also what it concludes from their silence ("only", '
    '"it is enough"); "" if nothing\n'
    "- lacking: imagine somebody who does exactly what the golden answer says and nothing else. What does any of the "
    "passages say, also one that is not quoted, for lack of which this person does not get what the question asks for, "
    "or loses something: a step before, between or after, something required, a limit, a case in which it does not "
    "hold? Name it and its passage. No reasons, examples or details, nothing that the question does not ask for, and "
    'nothing that holds in other cases only; "" if nothing else\n'
    '- contradicted: what one of the passages says that makes the golden answer wrong; "" if none does\n'
    "- other_answer: imagine an assistant that answers the question from one of the passages alone and does not say "
    "what the golden answer says. What other way or other value could it give that the passages show to be right too, "
    "in the very case that the question names? Name it and its passage. Not the golden answer in other words, and no "
    'part of it, more precise or more general; "" if there is none\n'
    '- way: how the answer is got from the passages. "look-up" if a statement, row, list or procedure in one place '
    'says all of it, though in other words or for all cases; "inference" if it is put together from statements that '
    "stand apart, or follows from what is written: a cause or consequence that is not stated as such, a choice for a "
    'purpose, an applied case, a computation; "case" if a condition, exception or case in the question decides: '
    "without it, or in the opposite case, the passages give another answer or show that this one does not hold. What "
    'tells only why somebody asks, or what the question is about (a place, a product, a row), is no "case"\n'
    "- one_passage: true if one of the passages by itself, quoted or not, answers all that the question asks"
)
_KIND_BY_WAY = {
    "look-up": ("simple", "section_fact"),
    "inference": ("reasoning", "section_reasoning"),
    "case": ("conditional", "section_case"),
}
"""How an answer is got from a section -> the type and subtype of the question."""

_NO_ANSWER_TASK = (
    "The question is meant to have no answer in the documents.\n"
    '- thoughts: in a sentence\n- answer: the answer if a passage gives one, even in part; otherwise ""\n'
    '- claims: []\n- way: ""\n- one_passage: true\n- beyond, lacking, contradicted, other_answer: ""'
)
_PREMISE_TASK = (
    "The question is meant to take for granted something that the passages show to be wrong.\n"
    "- thoughts: in a sentence, what the passages say of it\n"
    '- answer: "" if a passage contradicts what the question takes for granted; otherwise why it does not\n'
    '- claims: []\n- way: ""\n- one_passage: true\n- beyond, lacking, contradicted, other_answer: ""'
)


def _golden(item: Item, documents: Mapping[str, Document]) -> str:
    """Return the golden answer and its claims with their quotes, for a prompt."""
    quotes: dict[int, list[str]] = {}
    for step in item.derivation["steps"]:
        place = step["quote"]
        text = documents[place["doc"]].text[place["start"] : place["end"]]
        quotes.setdefault(step["claim"], []).append(" ".join(text.split()))
    listed = [
        f"{number + 1}. {claim.text}\n   quotes: {' | '.join(quotes.get(number, []))}"
        for number, claim in enumerate(item.claims)
    ]
    computed = [f"{each['expression']} = {each['value']}" for each in item.derivation.get("computed", ())]
    return quoted("golden", "\n".join([f"Golden answer: {item.golden_answers[0]}", "Claims:", *listed, *computed]))


def judge(items: Sequence[Item], reply: VerifiedReply | Failure) -> list[Rejection | Item]:
    """Return each item as it is verified, or why it is rejected: a claim is not proved, or the answer not the one."""
    if isinstance(reply, Failure):
        return [Rejection("verified", f"the model's verdict is missing: {reply.why}") for _ in items]
    verdicts = {verdict.number: verdict for verdict in reply.verdicts}
    return [_judged(item, verdicts.get(number)) for number, item in enumerate(items, 1)]


def can_be_mended(rejection: Rejection) -> bool:
    """Check whether a narrower question or another answer may do away with the reason of a rejection."""
    return rejection.detail.partition(":")[0] in _MENDABLE


def _judged(item: Item, reply: VerifiedVerdict | None) -> Rejection | Item:
    if reply is None:
        return Rejection("verified", "the model's verdict is missing")
    if not item.answerable:
        found = reply.answer.strip()
        return Rejection("verified", f"the model finds: {found[:80]!r}") if found else item
    if len(reply.claims) != len(item.claims):
        return Rejection("verified", f"the model judged {len(reply.claims)} of {len(item.claims)} claims")
    wrong = next((claim.text for claim, holds in zip(item.claims, reply.claims, strict=True) if not holds), None)
    if wrong is not None:
        return Rejection("verified", f"{_UNPROVED}: {wrong[:_OBJECTION_CHARACTERS]!r}")
    for name, what in _OBJECTIONS.items():
        if said := getattr(reply, name).strip():
            return Rejection("verified", f"{what}: {said[:_OBJECTION_CHARACTERS]!r}")
    if not reply.answer.strip():
        return Rejection("verified", "the model finds no answer in the passages")
    return _of_its_kind(with_scores(item, verified=1.0), reply)


def _of_its_kind(item: Item, reply: VerifiedVerdict) -> Rejection | Item:
    """Return an item as the type of question that it is by the way in which its answer is got."""
    if item.question_type == "multi_context":
        return Rejection("verified", "one passage answers it") if reply.one_passage else item
    way = " ".join(reply.way.split()).casefold()
    if way not in _KIND_BY_WAY:
        return Rejection("verified", f"the model does not say how the answer is got: {way[:80]!r}")
    question_type, subtype = _KIND_BY_WAY[way]
    return item if item.subtype == FOLLOW_UP else replace(item, question_type=question_type, subtype=subtype)
