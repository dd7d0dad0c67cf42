"""The prompt with which an LLM goes on with a conversation, and the shape of its reply."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass

from kgsynth.base.records import Span, Turn
from kgsynth.evidence.knowledge import Knowledge
from kgsynth.evidence.quoted_proof import headings_at
from kgsynth.generation.asking.beside import ChunkWords
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
from kgsynth.language import nearest_language
from kgsynth.language.words import has_cjk, words
from kgsynth.models.llm import Prompt
from kgsynth.models.llm.prompt_quoting import DATA, quoted

FOLLOW_UP = "follow_up"
"""The subtype of a later turn."""

WORDINGS = 3
"""Wordings of a turn, and of its standalone question, that an LLM may give."""

SPARE_TURNS = 4
"""Turns that are asked for beyond those wanted, in case that some are rejected."""

_TOKENS_PER_TURN, _TOKENS_BESIDES = 800, 300
_SHARED_WORDS = 12  # the rarest, at the most, that are shown as not to be said again
_UNTELLING_SHARE = 0.1  # of the chunks that have a word, from which on it leads to none of them


@dataclass(frozen=True, slots=True)
class LaterTurn:
    """A later turn that an LLM proposes: wordings of it as said and by itself, its answer and the proof of it."""

    questions: tuple[str, ...]
    standalones: tuple[str, ...]
    answer: str
    claims: tuple[ProposedClaim, ...]
    computed: tuple[Computation, ...]

    def proposals(self) -> list[Proposal]:
        """Return the standalone questions as proposals, which are proved and judged like any other."""
        asked = self.standalones[:WORDINGS] or ("",)
        return [Proposal(question, "follow-up", self.answer, self.claims, self.computed) for question in asked]


@dataclass(frozen=True, slots=True)
class LaterTurns:
    """The reply of an LLM to a conversation: what the person wants to know next or why nothing, and the turns."""

    thoughts: str
    turns: tuple[LaterTurn, ...]


_TURN_RULES = (
    "Each turn is what this person would really want to know next, to get on with the task or problem: why, what if it "
    "fails, how exactly, until when, who, what it costs, another case. Nothing that an earlier answer already says. If "
    "the passages have nothing more to ask about, write fewer turns or none, and say why in thoughts.",
    "Each turn stays with what was spoken of. A turn that has to name another thing, to be understood, begins another "
    "conversation.",
    "Each turn goes on from the first question and its answer, so that it is understood even if the turns between are "
    "left out. Begin with what this person most likely asks next.",
    "The answer of a turn stands in one place of one passage: a sentence or a few in a row, best in running text and "
    "not in a list of options.",
    "questions: three wordings of the turn as it is said, all elliptical: a few words that leave out what was spoken "
    'of ("And if it fails?", "How long, then?"); the last as bare as it can be. None names the topic, which words '
    "such as it, that, one, there stand for. Whoever has heard the conversation knows at once what is asked; whoever "
    "has not does not even know what it is about. This is tested by a search for the wording alone, which must not "
    "find the passage with the answer: use no word that is rare in the documents and stands in that passage or its "
    "headings.",
    "standalones: three wordings of what everybody who has heard the conversation takes the turn to ask, no narrower "
    "and no wider, for somebody who has not heard it. Each asks one thing, as people would put it who have not read "
    "the passages, and names the product, plan, place or situation that it is about. The second names it by words of "
    "the headings; the third has a further word that one would search for. None holds the answer or speaks of a "
    "passage, text, section or document, nor of the conversation.",
)


def prompt(said: Turn, scene: Scene, most: int, persona: str, setting: Setting, knowledge: Knowledge) -> Prompt:
    """Return the prompt that asks an LLM for up to ``most`` turns after what was ``said``, about a scene."""
    documents = knowledge.documents
    code = documents[scene.passages[0].doc].language
    shared = topic_words(said.question, scene, knowledge)
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
        *([f"Words that no turn says again (standalone questions may):\n{quoted('words', shared)}"] if shared else []),
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


def topic_words(question: str, scene: Scene, knowledge: Knowledge) -> str:
    """Return the words of a question and of the headings of a scene that say what they are about.

    Words that many chunks have do not, nor those that none has. "" for characters in a row, which are no words.
    """
    documents, chunks = knowledge.documents, knowledge.derived(ChunkWords)
    headings = [title for span in scene.passages for title in headings_at(documents[span.doc], span.start)[-2:]]
    stems = nearest_language(documents[scene.passages[0].doc].language).content_stems
    found = dict.fromkeys(word for text in (question, *headings) for word in words(text))
    shares = {word: chunks.share(word) for word in found if word.isalpha() and not has_cjk(word) and stems(word)}
    telling = [word for word, share in shares.items() if 0 < share <= _UNTELLING_SHARE]
    return ", ".join(sorted(telling, key=lambda word: shares[word])[:_SHARED_WORDS])


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
        "questions": ["And if that is not the case?", "And otherwise?", "And then?"],
        "standalones": [example_question([said], f"{seed}:{number}") for number in range(WORDINGS)],
        "answer": " ".join(said.split()),
        "claims": [{"text": said, "quotes": [quote]}],
        "computed": [],
    }
