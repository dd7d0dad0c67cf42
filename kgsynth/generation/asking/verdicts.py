"""Verdicts on a proposed question: of an LLM that sees it alone, with its evidence, or without a part of it."""

from __future__ import annotations

import json
import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Protocol, TypeVar

from kgsynth.base.records import Claim, Document, Item, Rejection, Span
from kgsynth.base.thresholds import LIMITS
from kgsynth.evidence.closed_book import agreement
from kgsynth.evidence.vectors import gold_rank
from kgsynth.generation.asking.context import ChunkWords
from kgsynth.generation.asking.prompts import FOLLOW_UP, Setting, conversation, numbered_passages
from kgsynth.generation.filters.context import FilterContext
from kgsynth.golden.metadata import with_scores
from kgsynth.models.llm import Failure, Prompt
from kgsynth.models.llm.prompts import DATA, quoted


class NumberedVerdict(Protocol):
    """A verdict with the number of its question in the prompt, from 1."""

    @property
    def number(self) -> int:
        """The number."""


V = TypeVar("V", bound=NumberedVerdict)
V_co = TypeVar("V_co", bound=NumberedVerdict, covariant=True)


class VerdictsReply(Protocol[V_co]):
    """A reply with a verdict on each of several questions, in any order."""

    @property
    def verdicts(self) -> tuple[V_co, ...]:
        """The verdicts."""


def in_order(reply: VerdictsReply[V] | Failure, count: int, rule: str) -> list[V | Rejection]:
    """Return the verdict on each of ``count`` questions in their order, a rejection by ``rule`` where it is missing."""
    if isinstance(reply, Failure):
        return [Rejection(rule, f"the model's verdict is missing: {reply.why}")] * count
    verdicts = {verdict.number: verdict for verdict in reply.verdicts}
    missing = Rejection(rule, "the model's verdict is missing")
    return [verdicts.get(number, missing) for number in range(1, count + 1)]


# alone: an LLM that sees the question alone finds it clear, natural, and likely to be asked.
#
# Several questions go into one request. A verdict that is missing or cannot be read is a rejection.

JUDGED_AT_ONCE = 20
"""Questions in one request."""

_TOKENS_ALONE = 160
_NOT_KNOWN = {"answer": "I do not know.", "known": False}
_MOST = 5
_CRITERIA = {
    "stands_alone": "it refers to something outside itself",
    "natural": "people do not put it so",
    "one_question": "it asks several things",
}
_ODD = "it takes something for granted that is odd or false"


@dataclass(frozen=True, slots=True)
class AloneVerdict:
    """What an LLM says of a question that it sees without any passage."""

    number: int
    stands_alone: bool
    natural: bool
    one_question: bool
    assumes_wrong: bool
    likely_asked: int
    answer: str
    known: bool


@dataclass(frozen=True, slots=True)
class AloneReply:
    """The verdicts on several questions."""

    verdicts: tuple[AloneVerdict, ...]


def alone_prompt(items: Sequence[Item], setting: Setting) -> Prompt:
    """Return the prompt that asks for verdicts on at most ``JUDGED_AT_ONCE`` questions."""
    numbered = "\n".join(f"{number}. {item.question}" for number, item in enumerate(items, 1))
    asked = (
        "You see the questions alone, without any document. Judge each strictly, as somebody who must pay for every "
        "question that is kept.\n"
        "- number: that of the question\n"
        "- stands_alone: somebody who knows only what the documents are about knows what is meant; nothing such as "
        '"this option" or "the three steps" is left open\n'
        "- natural: a person would put it so; spelling mistakes and bare key words are natural too\n"
        "- one_question: it asks one thing, though the answer may have parts\n"
        "- assumes_wrong: true only if you can name what it takes for granted that is odd or false\n"
        "- likely_asked: 1 a quiz about a text, 2 hardly anybody would ask it, 3 some users would, 4 many would, "
        f"{_MOST} users ask exactly this\n"
        "- answer: in a few words what you would answer from what you know, or guess\n"
        "- known: true only if anybody who guesses, without the documents, would surely give that very answer; "
        "false if it is merely what common sense suggests, or one of several likely ones"
    )
    likely = [
        {"number": n, **dict.fromkeys(_CRITERIA, True), "assumes_wrong": False, "likely_asked": 4, **_NOT_KNOWN}
        for n in range(1, len(items) + 1)
    ]
    return Prompt(
        "judging questions",
        f"You judge questions with which an assistant that answers from a collection of documents is tested. {DATA}",
        f"{setting.lines()}\n\n{quoted('questions', numbered)}\n\n{asked}",
        max_tokens=_TOKENS_ALONE * len(items) + 200,
        example_reply=json.dumps({"verdicts": likely}, ensure_ascii=False),
    )


def judge_alone(items: Sequence[Item], reply: AloneReply | Failure, fewest: float) -> list[Item | Rejection]:
    """Return each item with its scores, or why it is rejected; ``fewest`` is the least ``likely_asked``, 0 to 1."""
    verdicts = in_order(reply, len(items), "alone")
    return [_judged_alone(item, verdict, fewest) for item, verdict in zip(items, verdicts, strict=True)]


def _judged_alone(item: Item, verdict: AloneVerdict | Rejection, fewest: float) -> Item | Rejection:
    if isinstance(verdict, Rejection):
        return verdict
    is_said = item.subtype != FOLLOW_UP  # a standalone question is what a turn means, and nobody says it
    odd = _ODD if verdict.assumes_wrong and item.subtype != "false_premise" else ""
    criteria = {name: why for name, why in _CRITERIA.items() if is_said or name != "natural"}
    problem = next((why for name, why in criteria.items() if not getattr(verdict, name)), odd)
    if problem:
        return Rejection("alone", problem)
    asked = min(max(verdict.likely_asked, 1), _MOST) / _MOST
    if item.question_type == "multi_context":
        fewest = round(fewest - 1 / _MOST, 4)  # what takes several passages is asked more rarely, by people who need it
    if asked < fewest and is_said:
        return Rejection("alone", "hardly anybody would ask it", round(asked, 4), fewest)
    known = agreement(verdict.answer, item.golden_answers, item.language) if verdict.known and item.answerable else 0.0
    return with_scores(item, asked=asked, closed_book=known)


# verified: an LLM that sees the evidence among other passages finds every claim proved, and no other answer.
#
# It answers first, then judges each claim by its quotes. Passages from elsewhere that are close to question or answer
# are shown too, in an order that does not tell them from the evidence, so that another answer or a missing step is
# found. It also says how the answer is got, which decides the type of the question. Several questions, each with its
# own passages, go into one request.

VERIFIED_AT_ONCE = 5
"""Questions in one request."""

_TOKENS_VERIFIED, _TOKENS_BESIDES = 700, 500
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
_OBJECTION_CHARACTERS = 600  # shown of an objection to whoever writes about the same passages again


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


def verified_prompt(
    items: Sequence[Item], passages: Sequence[Sequence[Span]], documents: Mapping[str, Document]
) -> Prompt:
    """Return the prompt that has an LLM check at most ``VERIFIED_AT_ONCE`` items.

    ``passages`` are those of the scene of each, and those beside it.
    """
    shown, likely = [], []
    for number, (item, own) in enumerate(zip(items, passages, strict=True), 1):
        shown_to_it = numbered_passages(shuffled(item, own), documents)
        parts = [f"Question {number}: {quoted('question', item.question)}", shown_to_it]
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
        max_tokens=_TOKENS_VERIFIED * len(items) + _TOKENS_BESIDES,
        example_reply=json.dumps({"verdicts": likely}, ensure_ascii=False),
    )


def shuffled(item: Item, passages: Sequence[Span]) -> list[Span]:
    """Return passages in the order in which they are shown for an item, which does not tell where they are from."""
    order = list(passages)
    random.Random(item.id).shuffle(order)
    return order


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
    '- way: how the answer is got from the passages. "look-up" if one place states all of it, such as the price of a '
    'plan, the steps of a task, or who approves leave; "inference" if it is put together or follows from what is '
    "stated, such as two prices added up, a plan chosen for a purpose, or a rule applied to somebody whom it does not "
    'name; "case" if a condition in the question decides, and without it another answer holds, such as the leave of '
    "staff in their first year, a refund after the deadline, or a start without the cache. Who asks, why, or about "
    "which thing is no condition. If a condition decides, it is a case even if one place states the answer\n"
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


def judge_verified(items: Sequence[Item], reply: VerifiedReply | Failure) -> list[Rejection | Item]:
    """Return each item as it is verified, or why it is rejected: a claim is not proved, or the answer not the one."""
    if isinstance(reply, Failure):
        return [Rejection("verified", f"the model's verdict is missing: {reply.why}") for _ in items]
    verdicts = {verdict.number: verdict for verdict in reply.verdicts}
    return [_judged_verified(item, verdicts.get(number)) for number, item in enumerate(items, 1)]


def can_be_mended(rejection: Rejection) -> bool:
    """Check whether a narrower question or another answer may do away with the reason of a rejection."""
    return rejection.detail.partition(":")[0] in _MENDABLE


def _judged_verified(item: Item, reply: VerifiedVerdict | None) -> Rejection | Item:
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


# needed: every passage of a multi-context question proves a claim that the question asks for and no other states.
#
# An LLM sees the golden answer and all passages: to one who has not seen a passage, a part may look like the whole.
# It says what stays open without each passage, which claims the question asks for, and which passages state each
# claim. Code compares that with the quotes. Several questions, each with its own passages, go into one request.

TRIALS_AT_ONCE = 4
"""Questions in one request."""

_TOKENS_PER_PASSAGE, _TOKENS_PER_CLAIM, _TOKENS_BESIDES_TRIALS = 80, 40, 200


@dataclass(frozen=True, slots=True)
class Trial:
    """An item with the passages that it was written from, each of which it is to need."""

    item: Item
    passages: tuple[Span, ...]


@dataclass(frozen=True, slots=True)
class ClaimVerdict:
    """Whether a question asks for a claim of its answer, and the numbers of the passages that each state all of it."""

    asked: bool
    stated_in: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class TrialVerdict:
    """What of a question stays open without each of its passages, "" if nothing, and a verdict on each claim."""

    number: int
    open_without: tuple[str, ...]
    claims: tuple[ClaimVerdict, ...]


@dataclass(frozen=True, slots=True)
class TrialReply:
    """The verdicts on several questions."""

    verdicts: tuple[TrialVerdict, ...]


def trial(item: Item, passages: Sequence[Span]) -> Trial:
    """Return an item with those of its passages that its evidence is from."""
    evidence = [span for group in item.evidence for span in group]
    return Trial(item, tuple(passage for passage in passages if any(passage.meets(span) for span in evidence)))


def needed_prompt(trials: Sequence[Trial], documents: Mapping[str, Document]) -> Prompt:
    """Return the prompt for at most ``TRIALS_AT_ONCE`` trials."""
    shown = "\n\n".join(
        f"Question {number}: {quoted('question', trial.item.question)}\n"
        f"{quoted('answer', _answer(trial.item))}\n{numbered_passages(trial.passages, documents)}"
        for number, trial in enumerate(trials, 1)
    )
    asked = (
        "Check for each question, by the passages below it alone, whether all of them are needed.\n"
        "- number: that of the question\n"
        "- open_without: for each of its passages in order, what the question asks that the others together leave "
        'open, in a few words. "" only if the others answer all that is asked, or if this passage adds nothing but '
        "reasons, examples or details that nobody asked for\n"
        "- claims: for each claim of the answer in order\n"
        "  - asked: true if the question asks for it, so that whoever is told the rest acts wrongly or has a part of "
        "the answer only; false if it adds a reason, example, default, alternative or advice\n"
        "  - stated_in: the numbers of the passages that state it, each by itself, also in other words; empty if it "
        "follows only from several together"
    )
    likely = [_likely(number, trial) for number, trial in enumerate(trials, 1)]
    return Prompt(
        "leaving passages out",
        f"You check which passages are needed to answer questions. {DATA}",
        f"{shown}\n\n{asked}",
        max_tokens=_TOKENS_BESIDES_TRIALS
        + sum(
            _TOKENS_PER_PASSAGE * len(trial.passages) + _TOKENS_PER_CLAIM * len(trial.item.claims) for trial in trials
        ),
        example_reply=json.dumps({"verdicts": likely}, ensure_ascii=False),
    )


def _answer(item: Item) -> str:
    listed = [f"{number}. {claim.text}" for number, claim in enumerate(item.claims, 1)]
    return "\n".join([" ".join(item.golden_answers), "Claims:", *listed])


def _likely(number: int, trial: Trial) -> dict[str, object]:
    """Return the verdict of an example reply: every passage states what it is quoted for."""
    claims = [{"asked": True, "stated_in": sorted(_quoted_in(trial, claim))} for claim in trial.item.claims]
    return {"number": number, "open_without": ["A part."] * len(trial.passages), "claims": claims}


def judge_needed(trials: Sequence[Trial], reply: TrialReply | Failure) -> list[Rejection | None]:
    """Return for each trial why its item is rejected, None if every passage is needed."""
    verdicts = in_order(reply, len(trials), "needed")
    return [_judged_needed(trial, verdict) for trial, verdict in zip(trials, verdicts, strict=True)]


def _judged_needed(trial: Trial, verdict: TrialVerdict | Rejection) -> Rejection | None:
    if isinstance(verdict, Rejection):
        return verdict
    if len(verdict.open_without) != len(trial.passages):
        judged = f"{len(verdict.open_without)} of {len(trial.passages)} passages"
        return Rejection("needed", f"the model judged {judged}")
    if len(verdict.claims) != len(trial.item.claims):
        return Rejection("needed", f"the model judged {len(verdict.claims)} of {len(trial.item.claims)} claims")
    proving = {
        number for pair in zip(trial.item.claims, verdict.claims, strict=True) for number in _alone(trial, *pair)
    }
    idle = [n for n, said in enumerate(verdict.open_without, 1) if not said.strip() or n not in proving]
    if not idle:
        return None
    if verdict.open_without[idle[0] - 1].strip():
        return Rejection("needed", f"no claim that is asked for is proved by passage {idle[0]} alone")
    return Rejection("needed", f"without passage {idle[0]} it is answered completely")


def _alone(trial: Trial, claim: Claim, verdict: ClaimVerdict) -> set[int]:
    """Return the passages without which a claim that is asked for is not proved: one, or several only together."""
    quoted_in, stated_in = _quoted_in(trial, claim), set(verdict.stated_in)
    if not verdict.asked or len(stated_in) > 1:
        return set()
    return quoted_in & stated_in if stated_in else quoted_in


def _quoted_in(trial: Trial, claim: Claim) -> set[int]:
    """Return the numbers, from 1, of the passages that a claim has evidence in."""
    spans = [span for group in claim.groups for span in trial.item.evidence[group]]
    return {n for n, passage in enumerate(trial.passages, 1) if any(passage.meets(span) for span in spans)}


# understood: after the earlier turns, people may go on so, and mean what the standalone question asks.
#
# Several turns go into one request. A verdict that is missing or cannot be read is a rejection.

TURNS_AT_ONCE = 6
"""Turns in one request."""

_TOKENS_PER_TURN = 60
_PROBLEMS = {
    "understood": "after the earlier turns it does not ask what its standalone question asks",
    "open": "an earlier answer already answers it",
    "likely": "hardly anybody would go on so",
}


@dataclass(frozen=True, slots=True)
class TurnVerdict:
    """What an LLM says of a later turn that it sees after the earlier ones."""

    number: int
    understood: bool
    open: bool
    likely: bool


@dataclass(frozen=True, slots=True)
class UnderstoodReply:
    """The verdicts on several turns."""

    verdicts: tuple[TurnVerdict, ...]


def understood_prompt(items: Sequence[Item]) -> Prompt:
    """Return the prompt that asks for verdicts on at most ``TURNS_AT_ONCE`` items, each with its earlier turns."""
    shown = "\n\n".join(
        f"Turn {number}, after:\n{conversation(item.history)}\n{quoted('turn', item.question)}\n"
        f"It is meant as:\n{quoted('standalone', item.standalone)}\n"
        f"{quoted('golden', ' '.join(item.golden_answers))}"
        for number, item in enumerate(items, 1)
    )
    asked = (
        "Judge each turn by its own earlier turns.\n"
        "- number: that of the turn\n"
        "- understood: true if somebody who has heard the earlier turns takes it to ask what it is meant as, so that "
        "the golden answer is the reply that this person expects; false if another reading is as likely, or if it is "
        "meant as something that neither it nor the earlier turns bring up\n"
        "- open: the earlier answers do not answer it yet\n"
        "- likely: somebody who got these answers may well go on so, in these words, because of their task or problem"
    )
    likely = [{"number": number, **dict.fromkeys(_PROBLEMS, True)} for number in range(1, len(items) + 1)]
    return Prompt(
        "judging turns",
        f"You judge conversations with which an assistant is tested. Be strict. {DATA}",
        f"{shown}\n\n{asked}",
        max_tokens=_TOKENS_PER_TURN * len(items) + 200,
        example_reply=json.dumps({"verdicts": likely}),
    )


def judge_understood(items: Sequence[Item], reply: UnderstoodReply | Failure) -> list[Rejection | None]:
    """Return for each item why it is rejected, None if it passes."""
    return [_judged_understood(verdict) for verdict in in_order(reply, len(items), "understood")]


def _judged_understood(verdict: TurnVerdict | Rejection) -> Rejection | None:
    if isinstance(verdict, Rejection):
        return verdict
    problem = next((why for name, why in _PROBLEMS.items() if not getattr(verdict, name)), "")
    return Rejection("understood", problem) if problem else None


# leaning: the evidence of a later turn is found by its standalone question, and not by its own words alone.
#
# So an answer needs the conversation. A text finds evidence that is among the top chunks by its vector or by its
# words: systems use either. Of several wordings the first that does as it should is taken.


def worst_rank(item: Item, text: str, context: FilterContext) -> int:
    """Return the rank of the evidence of an item that a text finds last among all chunks, by vector or by words.

    Of the two searches, the one counts that ranks it better.
    """
    golds = [sorted(context.knowledge.chunks.holding(group)) for group in item.evidence]
    by_vector = max(gold_rank(golds, context.ranking.cosines(text)).ranks)
    found = {number: rank for rank, number in enumerate(context.knowledge.derived(ChunkWords).best(text), 1)}
    last = len(context.knowledge.chunks)
    return min(by_vector, max(min(found.get(number, last) for number in gold) for gold in golds))


def barest(item: Item, wordings: Sequence[str], context: FilterContext) -> str:
    """Return the first wording of a turn that does not find all its evidence by itself, or the first; "" for none."""
    said = [text for text in (" ".join(wording.split()) for wording in wordings) if text]
    leans = (text for text in said if worst_rank(item, text, context) > LIMITS.top_chunks)
    return next(leans, said[0] if said else "")


def clearest(items: Sequence[Item], context: FilterContext) -> Item:
    """Return the first item whose standalone question finds its evidence, or the first."""
    found = (item for item in items if worst_rank(item, item.question, context) <= LIMITS.top_chunks)
    return next(found, items[0])


def judge_leaning(item: Item, turn: str, context: FilterContext) -> Rejection | Item:
    """Reject a ``turn`` that finds all its evidence among the top chunks by itself; ``item`` has the standalone form.

    Also one whose standalone question does not find it. The others get the worst rank of their evidence for the turn.
    """
    if not turn.strip():
        return Rejection("leaning", "the model wrote no turn")
    said, whole = (worst_rank(item, text, context) for text in (turn, item.question))
    limit = LIMITS.top_chunks
    if said <= limit:
        return Rejection("leaning", "the turn finds its evidence without the conversation", said, limit)
    if whole > limit:
        return Rejection("leaning", "the standalone question does not find the evidence either", whole, limit)
    return with_scores(item, turn_rank=said)


def spare() -> Rejection:
    """Return the rejection of a turn that was asked for in case that another fails."""
    return Rejection("leaning", "its conversation has turns enough")


def cut_off() -> Rejection:
    """Return the rejection of a turn whose conversation ended before it."""
    return Rejection("leaning", "an earlier turn of its conversation was rejected")
