"""The prompts with which an LLM writes questions and later turns of conversations, and the shapes of its replies."""

from __future__ import annotations

import json
import random
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from kgsynth.base.config import Config
from kgsynth.base.errors import InputError
from kgsynth.base.json_reading import JsonError, parse_json
from kgsynth.base.records import Document, Span, Turn
from kgsynth.evidence.knowledge import Knowledge
from kgsynth.evidence.quoted_proof import headings_at
from kgsynth.generation.asking.context import NOTHING_BEFORE, Before, ChunkWords, shown
from kgsynth.generation.scenes.passages import Scene
from kgsynth.language import nearest_language
from kgsynth.language.sentence_ends import sentence_spans
from kgsynth.language.words import has_cjk, words
from kgsynth.models.llm import Prompt
from kgsynth.models.llm.prompts import DATA, quoted

# How a question is to sound: style, length and persona, drawn by the seed and the scene, and the user's own examples.
#
# They do not depend on any order, so a run that resumes asks the same.


class Style(NamedTuple):
    """A style: the instruction to the LLM, and whether it makes complete sentences, which are judged as such."""

    instruction: str
    sentence: bool = True


STYLES = {
    "natural": Style("plain and direct, the way people ask someone who knows"),
    "conversational": Style("as in a chat with a colleague, in the first person"),
    "formal": Style("formal, complete and precise"),
    "keyword": Style("as typed into a search box: key words only, no sentence and no question mark", sentence=False),
    "misspelt": Style("typed in haste, with one or two spelling mistakes, none in a name or figure", sentence=False),
}
"""Style -> what the LLM is asked for; ``Config.styles`` has the share of each."""

LENGTHS = {
    "short": "as short as it can be and still be understood",
    "medium": "one sentence of middling length",
    "long": "with a few words on the situation of the person who asks",
}
"""Length -> what the LLM is asked for; ``Config.lengths`` has the share of each."""

_NEXT_LENGTH = {"short": "medium"}  # a question about a case or several passages is not put in a few words
_SHORT_TYPES = frozenset({"simple", "unanswerable"})
_EXAMPLES_IN_PROMPT = 3


@dataclass(frozen=True, slots=True)
class Manner:
    """The style, length and persona of one question ("" for no persona), and some of the user's own questions."""

    style: str
    length: str
    persona: str
    examples: tuple[str, ...]


class Manners:
    """The styles, lengths, personas and examples of a run, from which those of each scene are drawn.

    Raises:
        InputError: a file of personas or examples is not UTF-8.
    """

    def __init__(self, config: Config) -> None:
        self._config = config
        self._personas = read_lines(config.personas)
        self._examples = read_lines(config.style_examples)

    def of(self, scene: Scene, title: str) -> Manner:
        """Return how the question of a scene is to sound; ``title`` is that of its document."""
        rng = random.Random(f"{self._config.seed}:{scene.id}")
        style, length = (_draw(shares, rng) for shares in (self._config.styles, self._config.lengths))
        length = length if scene.question_type in _SHORT_TYPES else _NEXT_LENGTH.get(length, length)
        if not STYLES[style].sentence:  # key words cannot put a case, nor what several passages have to do with it
            style, length = (style, "short") if scene.question_type in _SHORT_TYPES else ("natural", length)
        persona = rng.choice(self._personas).replace("{topic}", title) if self._personas else ""
        examples = rng.sample(self._examples, min(_EXAMPLES_IN_PROMPT, len(self._examples)))
        return Manner(style, length, persona, tuple(examples))


def read_lines(path: Path | None) -> Sequence[str]:
    """Return the non-empty lines of a file, or of JSON lines the value of ``question`` where there is one.

    Raises:
        InputError: the file is not UTF-8.
    """
    try:
        found = path.read_text(encoding="utf-8-sig").splitlines() if path else []
    except UnicodeDecodeError as error:
        raise InputError(f"{path} is not UTF-8 ({error.reason} at byte {error.start}): save it as UTF-8") from None
    return [_question(line.strip()) for line in found if line.strip()]


def _question(line: str) -> str:
    try:
        data = parse_json(line)
    except JsonError:
        return line
    return str(data["question"]) if isinstance(data, dict) and "question" in data else line


def _draw(shares: Mapping[str, float], rng: random.Random) -> str:
    names = sorted(shares)  # their order in the settings must not change a run
    return rng.choices(names, [shares[name] for name in names])[0]


# The prompt with which an LLM writes questions about a scene, and the shape of its reply.

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
    """What all prompts of a run say: who asks, and what the documents are about."""

    about: str
    titles: tuple[str, ...]

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
    "requirement that other pages describe, ask for the part that they describe completely. Take nobody to be entitled "
    "to something, or bound by it, if no passage says so.",
    'Ask narrowly. A broad question ("What is expected of …?", "What should I know about …?", "How does … work?") is '
    "always rejected, since every answer to it leaves something out: ask for the one thing that somebody needs.",
    "Leave alone what the passages contradict each other on; say so in thoughts.",
)

ANSWER_RULES = (
    "answer: complete, as an expert would put it, in one to three sentences; in numbered steps if it is a procedure. "
    "It says everything of importance that the passages say to the question, and nothing that they do not say. It "
    "speaks of the matter itself, never of a passage, text or document.",
    "claims: the separate statements of the answer, each with the quotes that prove it. A quote is copied from a "
    "passage letter by letter, without leaving anything out. Quotes and headings together must name the thing that the "
    "claim is about: quote the sentence that leads into a list too, and of a row of a table the lines "
    "from its first to the one that states the claim. Every figure and name of the answer must be in a "
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


def proposals_prompt(
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
            "Written about these passages and rejected, each with the reason. Where a narrower question or a better "
            "answer does away with the reason, write it so; otherwise do not ask the same again:\n"
            + quoted("rejected", "\n".join(before.rejected))
        )
    if manner.examples:
        parts.append("Questions as these users ask them:\n" + quoted("examples", "\n".join(manner.examples)))
    return Prompt(
        "writing",
        "You write the questions with which an assistant that answers from a collection of documents is tested. "
        f"They must be such as its users really ask. {DATA}",
        "\n\n".join([*parts, "\n".join(asked)]),
        max_tokens=_TOKENS_OF_PROPOSALS,
        example_reply=_example_question(scene, documents),
    )


def numbered_passages(passages: Sequence[Span], documents: Mapping[str, Document]) -> str:
    """Return passages for a prompt, each with its number, from 1, and the headings above it."""
    parts = []
    for number, span in enumerate(passages, 1):
        path = " > ".join(map(_shortened, headings_at(documents[span.doc], span.start)))
        text = "".join(letter for letter, _ in shown(span, documents[span.doc]))
        parts.append(f"Passage {number}, from:\n{quoted('headings', path)}\n{quoted('passage', text)}")
    return "\n\n".join(parts)


def _shortened(title: str) -> str:
    """Return a title or heading on one line, cut where it is longer than any is that only names something."""
    line = " ".join(title.split())
    return line if len(line) <= _TITLE_CHARACTERS else f"{line[:_TITLE_CHARACTERS].rstrip()} …"


def _example_question(scene: Scene, documents: Mapping[str, Document]) -> str:
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


# The prompt with which an LLM goes on with a conversation, and the shape of its reply.

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


def turns_prompt(said: Turn, scene: Scene, most: int, persona: str, setting: Setting, knowledge: Knowledge) -> Prompt:
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
        example_reply=_example_reply_of_turns(scene, most),
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


def _example_reply_of_turns(scene: Scene, most: int) -> str:
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
