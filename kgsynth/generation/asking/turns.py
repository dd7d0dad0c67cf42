"""The prompt with which an LLM goes on with a conversation, and the shape of its reply."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from kgsynth.base.records import Document, Span, Turn
from kgsynth.generation.asking.proposals import (
    ANSWER_RULES,
    Computation,
    Proposal,
    ProposedClaim,
    Setting,
    example_question,
    example_quote,
    numbered_passages,
)
from kgsynth.generation.scenes.scene import Scene
from kgsynth.models.llm import Prompt
from kgsynth.models.llm.prompt_quoting import DATA, quoted

_TOKENS_PER_TURN, _TOKENS_BESIDES = 700, 300


@dataclass(frozen=True, slots=True)
class LaterTurn:
    """A later turn that an LLM proposes: the question as it is said, and by itself, its answer and the proof of it."""

    question: str
    standalone: str
    answer: str
    claims: tuple[ProposedClaim, ...]
    computed: tuple[Computation, ...]

    def proposal(self) -> Proposal:
        """Return the standalone question as a proposal, which is proved and judged like any other."""
        return Proposal(self.standalone, "follow-up", self.answer, self.claims, self.computed)


@dataclass(frozen=True, slots=True)
class LaterTurns:
    """The reply of an LLM to a conversation: what the person wants to know next or why nothing, and the turns."""

    thoughts: str
    turns: tuple[LaterTurn, ...]


_TURN_RULES = (
    "Each turn is what this person would really want to know next after the answer before it, to get on with the task "
    'or problem: another case ("and for contractors?"), what if, why, how, until when. Nothing that an earlier answer '
    "already says. If the passages have nothing more to ask about, write fewer turns or none, and say why in thoughts.",
    "question: the turn as it is said, in a few words that lean on what was said before and do not repeat it. Whoever "
    "has not heard the conversation does not know what it is about.",
    "standalone: the same question for somebody who has not heard the conversation. It asks exactly what the turn asks "
    "there, one thing, in natural words, and names the product, plan, place or situation that it is about. It never "
    "speaks of a passage, text, section or document, nor of the conversation, and does not hold its own answer.",
)


def prompt(
    said: Turn, scene: Scene, most: int, persona: str, setting: Setting, documents: Mapping[str, Document]
) -> Prompt:
    """Return the prompt that asks an LLM for up to ``most`` turns after what was ``said``, about a scene."""
    code = documents[scene.passages[0].doc].language
    asked = [
        f"Go on with the conversation: write up to {most} more turns, in the order in which they follow each other.",
        *(f"- {rule}" for rule in _TURN_RULES),
        *([f"- The person who asks: {persona}."] if persona else []),
        f"- Write everything in the language of the passages ({code}).",
        *(f"- {rule}" for rule in ANSWER_RULES),
    ]
    parts = [
        setting.lines(),
        numbered_passages(scene.passages, documents),
        f"So far was said:\n{conversation([said])}",
        "\n".join(asked),
    ]
    return Prompt(
        "continuing",
        "You write the conversations with which an assistant that answers from a collection of documents is tested. "
        f"They must be such as its users really have. {DATA}",
        "\n\n".join(parts),
        max_tokens=_TOKENS_PER_TURN * most + _TOKENS_BESIDES,
        example_reply=_example(scene, most),
    )


def conversation(turns: Sequence[Turn]) -> str:
    """Return turns for a prompt."""
    return quoted("conversation", "\n".join(f"Question: {turn.question}\nAnswer: {turn.answer}" for turn in turns))


def _example(scene: Scene, most: int) -> str:
    """Return a reply that passes every check in a corpus of some size, from which costs are estimated."""
    passages = list(enumerate(scene.passages, 1))[::-1]  # what is new first
    turns = [_example_turn(*passages[place % len(passages)], seed=f"{scene.id}:{place}") for place in range(most)]
    return json.dumps({"thoughts": "There is more to know.", "turns": turns}, ensure_ascii=False)


def _example_turn(number: int, span: Span, seed: str) -> dict[str, object]:
    quote = example_quote(number, span)
    said = str(quote["words"])
    return {
        "question": "And if that is not the case?",
        "standalone": example_question([said], seed),
        "answer": " ".join(said.split()),
        "claims": [{"text": said, "quotes": [quote]}],
        "computed": [],
    }
