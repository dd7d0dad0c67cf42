"""A language model words a question anew: the scenario, its spans and its answer stay what the graph says they are.

The model gets the evidence, the question the rules wrote and the answer, and gives back a question and the answer it
takes it to have; a reply whose answer is another one, or that brings in names or figures of its own, is turned away.
Whom the question is to sound like is drawn from the seed and the question's id, so it does not hang on any order.
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
from kgsynth.base.records import Item, Rejection, Span, item_id
from kgsynth.evidence.closed_book import agreement
from kgsynth.evidence.knowledge import Knowledge
from kgsynth.generation.graph.llm_summaries import abstracts
from kgsynth.generation.writing import Candidate, copying, overlap, quality
from kgsynth.golden.subtypes import traits_of
from kgsynth.language import language
from kgsynth.models.llm import Prompt
from kgsynth.models.llm.prompt_quoting import DATA, quoted


class Style(NamedTuple):
    """A way of asking: what the model is told of it, and whether it makes a whole sentence, to be judged as one."""

    told: str
    sentence: bool = True


STYLES = {
    "natural": Style("plain and direct, the way people ask someone who knows"),
    "conversational": Style("as in a chat with a colleague, in the first person, one sentence with a question mark"),
    "formal": Style("formal, complete and precise"),
    "keyword": Style("as typed into a search box: key words only, no sentence and no question mark", sentence=False),
    "misspelt": Style("typed in haste, with one or two spelling mistakes, none in a name or figure", sentence=False),
}
"""How questions may sound; ``Config.styles`` gives each its share."""


class Turn(NamedTuple):
    """A question made into another kind, as only an LLM can: what it is told, and whether it may add figures."""

    told: str
    case: bool = False


TURNS = {
    "hypothetical": Turn(
        "Put it as a concrete case, told in a few words: someone in a situation to which the passage applies asks what "
        "follows. You may make up who it is and fitting figures.",
        case=True,
    ),
    "contrast": Turn(
        "Ask for a comparison of the two: how they differ, or what they have in common, in what the answer tells.",
    ),
}
"""Subtypes that only a model writes: a share (``Config.evolved``) of the questions they can be made of."""

LENGTHS = {"short": "at most 10 words", "medium": "10 to 18 words", "long": "18 to 30 words"}

ROLES = (
    "someone new to {topic}",
    "someone who works with {topic} every day",
    "someone who has to decide about {topic}",
    "someone who checks {topic} for mistakes",
    "someone who was sent here with a question about {topic}",
)
"""Personas, when the user gives none: a role, and the title of a document for the topic."""

_EXAMPLES = 3  # of the user's questions shown to the model at a time
_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f]")


class Wording(NamedTuple):
    """How one question is to sound, and by whom it is asked."""

    style: str
    length: str
    persona: str
    turn: str = ""


_NAME = re.compile(r"(?<![.?!]\s)(?<!^)\b[A-Z](?!'[a-z])[\w'-]+")  # "I'd" is no name
_FIGURE = re.compile(r"\d+(?:[.,]\d+)*")


@dataclass(frozen=True, slots=True)
class Written:
    """What the model replies."""

    question: str
    answer: str


class Voices:
    """The styles, lengths, personas and examples of a run, from which each question gets its own.

    ``personas`` and ``examples`` are the lines of the user's files; without personas they are made from the titles.
    """

    def __init__(self, config: Config, knowledge: Knowledge) -> None:
        self._config, self._knowledge = config, knowledge
        self._personas = lines(config.personas)
        self._examples = lines(config.style_examples)
        self._about = abstracts(knowledge.graph)

    def of(self, item: Item) -> tuple[Wording, Sequence[str]]:
        """Return how an item is to sound, and some of the user's own questions to sound like."""
        rng = random.Random(f"{self._config.seed}:{item.id}")
        style, length = (_drawn(shares, rng) for shares in (self._config.styles, self._config.lengths))
        places = [group[0] for group in item.evidence] or list(item.hard_negatives[:1])
        topic = self._knowledge.documents[places[-1].doc].title if places else "the documents"
        persona = rng.choice(self._personas or ROLES).replace("{topic}", topic)
        examples = rng.sample(self._examples, min(_EXAMPLES, len(self._examples)))
        turn = traits_of(item.subtype).llm_variant
        turn = turn if turn and rng.random() < self._config.evolved else ""
        return Wording(style, "long" if turn else length, persona, turn), examples

    def about(self, item: Item) -> str:
        """Return what the documents of an item's evidence are about, where the graph has abstracts."""
        docs = dict.fromkeys(group[0].doc for group in item.evidence)
        return "\n".join(quoted("about", self._about[doc]) for doc in docs if doc in self._about)


def lines(path: Path | None) -> list[str]:
    """Return the lines of a file that hold something; of JSON lines what each has under ``question``.

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
        data = json.loads(line)
    except ValueError:
        return line
    return str(data["question"]) if isinstance(data, dict) and "question" in data else line


def _drawn(shares: Mapping[str, float], rng: random.Random) -> str:
    names = sorted(shares)  # the order in which they are given makes no other run
    return rng.choices(names, [shares[name] for name in names])[0]


def prompt(candidate: Candidate, voices: Voices, knowledge: Knowledge) -> Prompt:
    """Return what the model is asked for one candidate."""
    item = candidate.item
    wording, examples = voices.of(item)
    answer = item.golden_answers[0] if item.answerable else "(none: the documents do not say)"
    task = [f"A correct question, written by rule: {item.question}", f"Its answer: {answer}"]
    task += [f"Asked by: {wording.persona}, who has not seen the passages", *_unnamed(candidate, knowledge)]
    parts = [part for part in (voices.about(item), passages(item, knowledge)) if part]
    parts.append(quoted("task", "\n".join(task)))
    asks = [
        f"Ask the same anew in {language(item.language).NAME}, {STYLES[wording.style].told}; "
        f"{LENGTHS[wording.length]}.",
        "It must have exactly that answer and must not hold it.",
        "It must be understood by itself: keep every name, figure and condition it needs, add none, and never speak of "
        "a passage, text or document.",
        "Use other words than the passages where they mean the same.",
        *([TURNS[wording.turn].told] if wording.turn else _kept(candidate)),
    ]
    parts.append("\n".join(f"- {line}" for line in asks))
    if examples:
        parts.append("It should sound like these:\n" + quoted("examples", "\n".join(examples)))
    parts.append("Give the question, and the answer as short as it stands above.")
    likely = json.dumps({"question": item.question, "answer": answer}, ensure_ascii=False)
    return Prompt(
        "writing",
        f"You write questions that test how well documents are searched. {DATA}",
        "\n\n".join(parts),
        max_tokens=300,
        likely=likely,
    )


def passages(item: Item, knowledge: Knowledge) -> str:
    """Return the evidence of an item as a prompt shows it: each group's first span under its headings."""
    shown = []
    for span in _spans(item):
        document = knowledge.documents[span.doc]
        over = [section for section in document.sections if section.start <= span.start < section.end]
        path = max(over, key=lambda section: (section.level, section.start)).path if over else (document.title,)
        shown.append(quoted("passage", f"{' > '.join(path)}\n{document.plain(span.start, span.end)}"))
    return "\n".join(shown)


def _spans(item: Item) -> list[Span]:
    return [group[0] for group in item.evidence] or list(item.hard_negatives)


def _unnamed(candidate: Candidate, knowledge: Knowledge) -> list[str]:
    """Return the line of a bridge's names, which the question must do without."""
    if not traits_of(candidate.scenario.subtype).hidden_link:
        return []
    names = ", ".join(knowledge.entities[ident].name for ident, _, _ in candidate.scenario.links)
    return [f"Not to be named: {names}"]


def _kept(candidate: Candidate) -> list[str]:
    """Return what a question of this type must not lose."""
    item, scenario = candidate.item, candidate.scenario
    if item.question_type == "conditional":
        return ["Keep the condition: without it the answer would be another."]
    if traits_of(scenario.subtype).hidden_link:
        return ["Never name what is not to be named: describe it, as the question above does."]
    return ["Keep both of what it speaks of."] if len(scenario.facts) > 1 else []


def reworded(
    candidate: Candidate, written: Written, wording: Wording, model: str, limit: float
) -> tuple[Item, Rejection | None]:
    """Return the item in the model's words, and why they cannot be used, if they cannot.

    ``limit`` is the least agreement of the answer the model gives with the golden one.
    """
    item, scenario = candidate.item, candidate.scenario
    question = " ".join(_CONTROL.sub(" ", written.question).split())
    answer = item.golden_answers[0] if item.answerable else ""
    copied = overlap(question, item.evidence, item.language)
    worth = round(quality(scenario, question, answer, item.language) - copying(copied), 4) if question else 0.0
    told = {"writer": f"llm:{model}", "persona": wording.persona, "style": wording.style, "length": wording.length}
    scores = {**item.metadata["scores"], "quality": worth, "overlap": copied}
    ident = item_id(question, item.golden_answers, item.evidence)
    subtype = wording.turn or item.subtype
    metadata = {**item.metadata, **told, "plain": item.metadata.get("plain") or item.question, "scores": scores}
    new = replace(item, question=question, id=ident, subtype=subtype, metadata=metadata)
    if not question:
        return new, Rejection("wording", "the model wrote no question")
    if item.answerable and (score := agreement(written.answer, item.golden_answers, item.language)) < limit:
        detail = f"the model takes its answer to be {written.answer[:80]!r}"
        return new, Rejection("wording", detail, round(score, 4), limit)
    case = bool(wording.turn) and TURNS[wording.turn].case
    if not case and (invented := _invented(item, question)):
        return new, Rejection("wording", f"{invented!r} stands in none of the sources")
    return new, None


def _invented(item: Item, question: str) -> str:
    """Return a figure, or a name within the sentence, that neither the evidence nor the earlier question holds.

    "" for none. What a heading alone holds is not needed, or the rules would have asked with it.
    """
    own = language(item.language)
    texts = (item.question, *(span.text for span in _spans(item)))
    question, sources = (text.replace("’", "'") for text in (question, " ".join(texts)))
    held, known = set(_FIGURE.findall(own.digits(sources))), sources.casefold()
    held |= {"1"} - set(_FIGURE.findall(question))  # the word for one is rarely a figure
    figures = (figure for figure in _FIGURE.findall(own.digits(question)) if figure not in held)
    names = (name for name in _NAME.findall(question) if own.bare_name(name).casefold() not in known)
    return next(chain(figures, names), "")
