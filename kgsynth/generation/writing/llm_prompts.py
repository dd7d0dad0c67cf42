"""The prompt with which an LLM rewords a question, and the check of its reply.

The LLM gets the evidence, the question and the answer, and returns a question with its answer. A reply with another
answer, or with names or figures of its own, is rejected. Evidence, derivation and golden answer never change. Style,
length and persona are drawn by the seed and the question's id, so they do not depend on any order.
"""

from __future__ import annotations

import json
import random
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from pathlib import Path
from typing import NamedTuple

from kgsynth.base.config import Config
from kgsynth.base.errors import InputError
from kgsynth.base.json_reading import JsonError, parse_json
from kgsynth.base.records import Item, Rejection, Span, item_id
from kgsynth.evidence.closed_book import agreement
from kgsynth.evidence.knowledge import Knowledge
from kgsynth.generation.graph.llm_summaries import abstracts
from kgsynth.generation.writing import Candidate, copying_loss, overlap, quality
from kgsynth.golden.subtypes import traits_of
from kgsynth.language import language
from kgsynth.models.llm import Prompt
from kgsynth.models.llm.prompt_quoting import DATA, quoted


class Style(NamedTuple):
    """A style: the instruction to the LLM, and whether it makes complete sentences, to which more rules apply."""

    instruction: str
    sentence: bool = True


STYLES = {
    "natural": Style("plain and direct, the way people ask someone who knows"),
    "conversational": Style("as in a chat with a colleague, in the first person, one sentence with a question mark"),
    "formal": Style("formal, complete and precise"),
    "keyword": Style("as typed into a search box: key words only, no sentence and no question mark", sentence=False),
    "misspelt": Style("typed in haste, with one or two spelling mistakes, none in a name or figure", sentence=False),
}
"""Style -> what the LLM is asked for; ``Config.styles`` has the share of each."""


class Variant(NamedTuple):
    """Another subtype that an LLM makes of a question: the instruction, and whether it may invent names and figures."""

    instruction: str
    may_invent: bool = False


VARIANTS = {
    "hypothetical": Variant(
        "Put it as a concrete case, told in a few words: someone in a situation to which the passage applies asks what "
        "follows. You may make up who it is and fitting figures.",
        may_invent=True,
    ),
    "contrast": Variant(
        "Ask for a comparison of the two: how they differ, or what they have in common, using only what the answer "
        "says.",
    ),
}
"""Subtypes that only an LLM writes, from a share (``Config.evolved``) of the questions that allow it."""

LENGTHS = {"short": "at most 10 words", "medium": "10 to 18 words", "long": "18 to 30 words"}

ROLES = (
    "someone new to {topic}",
    "someone who works with {topic} every day",
    "someone who has to decide about {topic}",
    "someone who checks {topic} for mistakes",
    "someone who was sent here with a question about {topic}",
)
"""The default personas; ``{topic}`` is the title of the document."""

_EXAMPLES_IN_PROMPT = 3
_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f]")


class Wording(NamedTuple):
    """The style, length and persona of one question, and the variant to make of it."""

    style: str
    length: str
    persona: str
    variant: str = ""


_NAME_IN_TEXT = re.compile(r"(?<![.?!]\s)(?<!^)\b[A-Z](?!'[a-z])[\w'-]+")  # "I'd" is not a name
_NUMBER_IN_TEXT = re.compile(r"\d+(?:[.,]\d+)*")


@dataclass(frozen=True, slots=True)
class RewordedReply:
    """The reply of the LLM: a question, and the answer that it has."""

    question: str
    answer: str


class Voices:
    """The styles, lengths, personas and examples of a run, from which each question gets its own."""

    def __init__(self, config: Config, knowledge: Knowledge) -> None:
        self._config, self._knowledge = config, knowledge
        self._personas = read_lines(config.personas)
        self._examples = read_lines(config.style_examples)
        self._abstracts = abstracts(knowledge.graph)

    def of(self, item: Item) -> tuple[Wording, Sequence[str]]:
        """Return the wording of an item, and some of the user's own questions as examples."""
        rng = random.Random(f"{self._config.seed}:{item.id}")
        style, length = (_draw(shares, rng) for shares in (self._config.styles, self._config.lengths))
        places = [group[0] for group in item.evidence] or list(item.hard_negatives[:1])
        topic = self._knowledge.documents[places[-1].doc].title if places else "the documents"
        persona = rng.choice(self._personas or ROLES).replace("{topic}", topic)
        examples = rng.sample(self._examples, min(_EXAMPLES_IN_PROMPT, len(self._examples)))
        variant = traits_of(item.subtype).llm_variant
        variant = variant if variant and rng.random() < self._config.evolved else ""
        return Wording(style, "long" if variant else length, persona, variant), examples

    def about(self, item: Item) -> str:
        """Return the abstracts of the documents of an item's evidence, if the graph has any."""
        docs = dict.fromkeys(group[0].doc for group in item.evidence)
        return "\n".join(quoted("about", self._abstracts[doc]) for doc in docs if doc in self._abstracts)


def read_lines(path: Path | None) -> list[str]:
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


def prompt(candidate: Candidate, voices: Voices, knowledge: Knowledge) -> Prompt:
    """Return the prompt that asks an LLM to reword a candidate."""
    item = candidate.item
    wording, examples = voices.of(item)
    answer = item.golden_answers[0] if item.answerable else "(none: the documents do not say)"
    task = [f"A correct question, written by rule: {item.question}", f"Its answer: {answer}"]
    task += [f"Asked by: {wording.persona}, who has not seen the passages", *_names_to_avoid(candidate, knowledge)]
    parts = [part for part in (voices.about(item), passages(item, knowledge)) if part]
    parts.append(quoted("task", "\n".join(task)))
    instructions = [
        f"Ask the same anew in {language(item.language).NAME}, {STYLES[wording.style].instruction}; "
        f"{LENGTHS[wording.length]}.",
        "It must have exactly that answer and must not hold it.",
        "It must be understood by itself: keep every name, figure and condition it needs, add none, and never speak of "
        "a passage, text or document.",
        "Use other words than the passages where they mean the same.",
        *([VARIANTS[wording.variant].instruction] if wording.variant else _must_keep(candidate)),
    ]
    parts.append("\n".join(f"- {line}" for line in instructions))
    if examples:
        parts.append("It should sound like these:\n" + quoted("examples", "\n".join(examples)))
    parts.append("Give the question, and the answer as short as it stands above.")
    return Prompt(
        "writing",
        f"You write questions that test how well documents are searched. {DATA}",
        "\n\n".join(parts),
        max_tokens=300,
        example_reply=json.dumps({"question": item.question, "answer": answer}, ensure_ascii=False),
    )


def passages(item: Item, knowledge: Knowledge) -> str:
    """Return the evidence of an item for a prompt: the first span of each group under its headings."""
    shown = []
    for span in _spans(item):
        document = knowledge.documents[span.doc]
        over = [section for section in document.sections if section.start <= span.start < section.end]
        path = max(over, key=lambda section: (section.level, section.start)).path if over else (document.title,)
        shown.append(quoted("passage", f"{' > '.join(path)}\n{document.plain(span.start, span.end)}"))
    return "\n".join(shown)


def _spans(item: Item) -> list[Span]:
    return [group[0] for group in item.evidence] or list(item.hard_negatives)


def _names_to_avoid(candidate: Candidate, knowledge: Knowledge) -> list[str]:
    """Return the line with the names of a bridge, which the question must not contain."""
    if not traits_of(candidate.scenario.subtype).hidden_link:
        return []
    names = ", ".join(knowledge.entities[ident].name for ident, _, _ in candidate.scenario.links)
    return [f"Not to be named: {names}"]


def _must_keep(candidate: Candidate) -> list[str]:
    """Return the instruction on what a question of this type must keep."""
    item, scenario = candidate.item, candidate.scenario
    if item.question_type == "conditional":
        return ["Keep the condition: without it the answer would be another."]
    if traits_of(scenario.subtype).hidden_link:
        return ["Never name what is not to be named: describe it, as the question above does."]
    return ["Keep both of what it speaks of."] if len(scenario.facts) > 1 else []


def reworded(
    candidate: Candidate, reply: RewordedReply, wording: Wording, model: str, limit: float
) -> tuple[Item, Rejection | None]:
    """Return the item in the words of ``model``, and the rejection if the reply cannot be used.

    ``limit`` is the lowest agreement of the answer in the reply with the golden answer.
    """
    item, scenario = candidate.item, candidate.scenario
    question = " ".join(_CONTROL.sub(" ", reply.question).split())
    answer = item.golden_answers[0] if item.answerable else ""
    shared = overlap(question, item.evidence, item.language)
    worth = round(quality(scenario, question, answer, item.language) - copying_loss(shared), 4) if question else 0.0
    metadata = {
        **item.metadata,
        "writer": f"llm:{model}",
        "persona": wording.persona,
        "style": wording.style,
        "length": wording.length,
        "plain": item.metadata.get("plain") or item.question,
        "scores": {**item.metadata["scores"], "quality": worth, "overlap": shared},
    }
    ident = item_id(question, item.golden_answers, item.evidence)
    new = replace(item, question=question, id=ident, subtype=wording.variant or item.subtype, metadata=metadata)
    if not question:
        return new, Rejection("wording", "the model wrote no question")
    if item.answerable and (score := agreement(reply.answer, item.golden_answers, item.language)) < limit:
        detail = f"the model's answer to it is {reply.answer[:80]!r}"
        return new, Rejection("wording", detail, round(score, 4), limit)
    may_invent = bool(wording.variant) and VARIANTS[wording.variant].may_invent
    if not may_invent and (invented := _invented(item, question)):
        return new, Rejection("wording", f"{invented!r} is in none of the sources")
    return new, None


def _invented(item: Item, question: str) -> str:
    """Return a figure or name of a reworded question that neither the evidence nor the original contains, "" for none.

    Headings do not count: if a name in them were necessary, the original question would contain it.
    """
    own = language(item.language)
    texts = (item.question, *(span.text for span in _spans(item)))
    question, sources = (text.replace("’", "'") for text in (question, " ".join(texts)))
    known = set(_NUMBER_IN_TEXT.findall(own.digits(sources)))
    known |= {"1"} - set(_NUMBER_IN_TEXT.findall(question))  # the word for one is rarely a figure
    figures = (figure for figure in _NUMBER_IN_TEXT.findall(own.digits(question)) if figure not in known)
    names = (
        name for name in _NAME_IN_TEXT.findall(question) if own.bare_name(name).casefold() not in sources.casefold()
    )
    return next(chain(figures, names), "")
