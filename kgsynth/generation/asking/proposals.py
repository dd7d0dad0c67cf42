"""The prompt with which an LLM writes questions about a scene, and the shape of its reply."""

from __future__ import annotations

import json
import random
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from kgsynth.base.records import Document, Span
from kgsynth.evidence.quoted_proof import headings_at
from kgsynth.generation.asking.before import NOTHING_BEFORE, Before
from kgsynth.generation.asking.manner import LENGTHS, STYLES, Manner
from kgsynth.generation.scenes.scene import Scene
from kgsynth.language.sentence_ends import sentence_spans
from kgsynth.language.words import words
from kgsynth.models.llm import Prompt
from kgsynth.models.llm.prompt_quoting import DATA, quoted

AT_MOST = 3
"""Questions that an LLM may write about one scene."""

_TOKENS_OF_PROPOSALS = 2000
_TITLE_CHARACTERS = 120  # of a title or heading in a prompt: a longer one may be meant to instruct
_EXAMPLE_WORDS = 12  # of the passages in the question of an example reply

_KINDS_ASKED = (
    "how-to, why, choice, trade-off, what applies, edge case, applied case, comparison, troubleshooting, fact"
)


@dataclass(frozen=True, slots=True)
class Quote:
    """A quote: the number of its passage, from 1, and words copied from it."""

    passage: int
    words: str


@dataclass(frozen=True, slots=True)
class ProposedClaim:
    """One thing that the answer says, and the quotes that prove it."""

    text: str
    quotes: tuple[Quote, ...]


@dataclass(frozen=True, slots=True)
class Computation:
    """A figure of the answer that follows from figures of the passages."""

    value: str
    expression: str


@dataclass(frozen=True, slots=True)
class Proposal:
    """A question that an LLM proposes, with its answer and the proof of it."""

    question: str
    kind: str
    answer: str
    claims: tuple[ProposedClaim, ...]
    computed: tuple[Computation, ...]


@dataclass(frozen=True, slots=True)
class Proposals:
    """The reply of an LLM to a scene: why it is worth asking about or not, and its questions, if any.

    ``contributions`` are what each of several passages says that the others do not; empty for a single passage.
    """

    contributions: tuple[str, ...]
    thoughts: str
    questions: tuple[Proposal, ...]


@dataclass(frozen=True, slots=True)
class Setting:
    """What all prompts of a run say: who asks, what the documents are about, and what each document is about."""

    about: str
    titles: tuple[str, ...]
    abstracts: Mapping[str, str] = field(default_factory=dict)

    def lines(self) -> str:
        """Return who asks and about what, for a prompt."""
        listed = quoted("titles", "\n".join(map(_shortened, self.titles)))
        asks = f"\n\nWho asks, and about what:\n{quoted('description', self.about)}" if self.about else ""
        return f"Some of the documents are headed:\n{listed}{asks}"


_TASKS = {
    "section_fact": "that the passage answers directly: how something is done, what is needed, what applies, what a "
    "rule, limit or value is",
    "section_reasoning": "that no sentence, row or option of the passage answers as it stands, but that follow from "
    "what it says when two things of it are put together: why something is so, what follows from a rule in a concrete "
    "case that it does not name, which of several ways suits a purpose and why, how much something comes to. Whoever "
    "finds one sentence must not have the answer yet: what an option does, or a rule in other words, is no such "
    "question. The answer must follow from the passage alone",
    "section_case": "whose answer depends on a condition, an exception or a case in the passage. Put the case into the "
    'question ("if I …", "when …"), so that the answer is what holds in that case. The case must decide: without it, '
    "or in the opposite case, the passages give another answer or say that this one does not hold. A case that is only "
    'why somebody asks how to do something ("if my disk is slow, how do I set the buffer?") decides nothing',
    "related_sections": "whose complete answer needs something from each of two, three or four of the passages: how "
    "things differ in what matters for a decision, which to choose for a purpose, what must be done first and how, "
    "what a rule means together with its exception. The person has one problem, of which each of these passages solves "
    "a part, and would act wrongly or be stuck with any one of them alone. The question must ask for each of these "
    "parts: an example, a reason or a default that a second passage adds to a whole answer is no part. Never two "
    'questions joined by "and"',
    "near_miss": "that someone would expect these documents to answer, because the passages come close to it, and that "
    "none of the passages answers",
    "false_premise": "that take for granted, as a mistaken person would, something that the passage shows to be wrong",
}
"""Subtype -> what its questions are, as the end of "Write questions …"."""

_JOINT_RULES = (
    "contributions: before anything else, for each passage in order, what it says that bears on a decision and that "
    'the others do not say, in a few words; "" if nothing.',
    "The passages are candidates. Look for a need of a person that takes the contributions of several of them, and "
    "leave the others out. Say in thoughts which you chose and what goes wrong with each of them alone. If one passage "
    "says all that the need takes, or the passages share no more than a word, write no question.",
)
_NO_CONTRIBUTIONS = "contributions: an empty list."

_RULES = (
    "Ask only what somebody with a task or a problem would really ask who has not seen the passages. No quiz on "
    "details of the text, on examples, anecdotes, names of people in passing, dates of pages, links or headings. If "
    "nothing here is worth asking, write no question and say why in thoughts.",
    "Best is what decides what a person does next: how to do it, whether it is allowed, which to choose, what happens "
    "if, by when, what to do when it fails. Ask why only where people wonder.",
    "A question must be understood by itself: name the product, plan, place or situation that it is about, with the "
    "words of titles and headings if need be. Never speak of a passage, text, section or document.",
    "It asks one thing, in natural words, not in those of the passages where others mean the same, and does not hold "
    "its own answer.",
    "Ask only what the passages answer to the end. Where they mention, link to or take for granted a step or "
    "requirement that other pages describe, ask for the part that they describe completely.",
    "Leave alone what the passages contradict each other on; say so in thoughts.",
)

ANSWER_RULES = (
    "answer: complete, as an expert would put it, in one to three sentences; in numbered steps if it is a procedure. "
    "It says everything of importance that the passages say to the question, and nothing that they do not say. It "
    "speaks of the matter itself, never of a passage, text or document.",
    "claims: the separate statements of the answer, each with the quotes that prove it. A quote is copied from a "
    "passage letter by letter, without leaving anything out. Quotes and headings together must name the thing that the "
    "claim is about: quote the sentence that leads into a list too. Every figure and name of the answer must be in a "
    "quote or heading.",
    "computed: only if a figure of the answer follows from figures of the passages and is not in them: the value, and "
    'the expression, such as "25 - 10". Otherwise an empty list.',
)
"""What an answer and its claims are, for any prompt that asks for them."""

_RULES_WITHOUT_ANSWER = (
    'answer: "", since there is none.',
    "claims: one, whose text says in a sentence why the documents do not answer it, with the quote that comes closest "
    "or that contradicts it.",
    "computed: an empty list.",
)


def prompt(
    scene: Scene,
    manner: Manner,
    setting: Setting,
    documents: Mapping[str, Document],
    before: Before = NOTHING_BEFORE,
) -> Prompt:
    """Return the prompt that asks an LLM for questions about a scene, other than those ``before``."""
    has_answer = scene.question_type != "unanswerable"
    style = f"Style: {STYLES[manner.style].instruction}; {LENGTHS[manner.length]}."
    code = documents[scene.passages[0].doc].language
    asked = [
        f"Write up to {AT_MOST} questions, different from each other, {_TASKS[scene.subtype]}. One is enough; write "
        "another only if it is as good.",
        *(f"- {rule}" for rule in (_JOINT_RULES if scene.reasons else (_NO_CONTRIBUTIONS,))),
        *(f"- {rule}" for rule in _RULES),
        f"- {style}",
        *([f"- The person who asks: {manner.persona}."] if manner.persona else []),
        f"- Write questions and answers in the language of the passages ({code}).",
        *(f"- {rule}" for rule in (ANSWER_RULES if has_answer else _RULES_WITHOUT_ANSWER)),
        f"- kind: one of {_KINDS_ASKED}.",
    ]
    parts = [setting.lines(), numbered_passages(scene.passages, documents)]
    about = dict.fromkeys(span.doc for span in scene.passages)
    parts += [quoted("about", setting.abstracts[doc]) for doc in about if doc in setting.abstracts]
    if scene.reasons:
        reasons = "\n".join(f"{one} and {other}: {_shortened(why)}" for one, other, why in scene.reasons)
        parts.append(f"Why these passages may belong together:\n{quoted('reasons', reasons)}")
    if scene.neighbours:
        parts.append("Near them stand other sections, headed:\n" + quoted("headings", "\n".join(scene.neighbours)))
    if before.asked:
        parts.append(
            "Already asked about these documents. Do not ask the same again, in whatever words:\n"
            + quoted("asked", "\n".join(before.asked))
        )
    if before.rejected:
        parts.append(
            "Written about these passages and rejected, each with the reason (in which the passages have other "
            "numbers). Where a narrower question or a better answer does away with the reason, write it so; otherwise "
            "do not ask the same again:\n" + quoted("rejected", "\n".join(before.rejected))
        )
    if manner.examples:
        parts.append("Questions as these users ask them:\n" + quoted("examples", "\n".join(manner.examples)))
    return Prompt(
        "writing",
        "You write the questions with which an assistant that answers from a collection of documents is tested. "
        f"They must be such as its users really ask. {DATA}",
        "\n\n".join([*parts, "\n".join(asked)]),
        max_tokens=_TOKENS_OF_PROPOSALS,
        example_reply=_example(scene, documents),
    )


def numbered_passages(passages: Sequence[Span], documents: Mapping[str, Document]) -> str:
    """Return passages for a prompt, each with its number, from 1, and the headings above it."""
    shown = []
    for number, span in enumerate(passages, 1):
        path = " > ".join(map(_shortened, headings_at(documents[span.doc], span.start)))
        shown.append(f"Passage {number}, from:\n{quoted('headings', path)}\n{quoted('passage', span.text)}")
    return "\n\n".join(shown)


def _shortened(title: str) -> str:
    """Return a title or heading on one line, cut where it is longer than any is that only names something."""
    line = " ".join(title.split())
    return line if len(line) <= _TITLE_CHARACTERS else f"{line[:_TITLE_CHARACTERS].rstrip()} …"


def _example(scene: Scene, documents: Mapping[str, Document]) -> str:
    """Return a reply that passes every check, from which costs are estimated."""
    quotes = [example_quote(number, span) for number, span in enumerate(scene.passages, 1)]
    answer = " ".join(str(quote["words"]) for quote in quotes)
    question = example_question([span.text for span in scene.passages], scene.id)
    claims = [{"text": quote["words"], "quotes": [quote]} for quote in quotes]
    has_answer = scene.question_type != "unanswerable"
    proposal = {"question": question, "kind": "fact", "answer": answer if has_answer else ""}
    written = {**proposal, "claims": claims, "computed": []}
    contributions = ["A part of the answer."] * len(scene.passages) if scene.reasons else []
    reply = {"contributions": contributions, "thoughts": "It is worth asking.", "questions": [written]}
    return json.dumps(reply, ensure_ascii=False)


def example_quote(number: int, passage: Span) -> dict[str, object]:
    """Return the longest sentence of a passage as its quote in an example reply."""
    low, high = max(sentence_spans(passage.text), key=lambda bounds: bounds[1] - bounds[0])
    return {"passage": number, "words": passage.text[low:high]}


def example_question(texts: Iterable[str], seed: str) -> str:
    """Return the question of an example reply: words of the texts, unlike those drawn with any other seed."""
    known = sorted({word for text in texts for word in words(text)})
    drawn = random.Random(seed).sample(known, min(_EXAMPLE_WORDS, len(known)))
    return f"What is said of {' '.join(drawn)}?"
