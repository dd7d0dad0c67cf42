"""Defects to plant in a golden set: one function a kind, which spoils one item, or says that it cannot.

What each spoils is as a careless maker would spoil it; how it is found is no concern of this file.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from kgsynth.base.records import Block, Document, Item, Section, Span, content_id
from kgsynth.language import language


@dataclass
class World:
    """What a defect is made from: the documents, the items left whole, and dice; ``twins`` and ``added`` it may fill.

    ``donors`` are questions about the same documents that are not in the set, ``twins`` the items of another set,
    ``added`` sentences that a new document is to hold.
    """

    documents: Mapping[str, Document]
    whole: list[Item]
    donors: Sequence[Item]
    rng: random.Random
    twins: list[Item]
    added: list[str]


Spoil = Callable[[Item, World], Item | None]


def wrong_answer(item: Item, world: World) -> Item | None:
    """Give it the answer of another question that wants one of its kind."""
    kind = language("en").answer_kind
    others = [o for o in world.whole if kind(o.question) == kind(item.question) and _docs(o).isdisjoint(_docs(item))]
    shown = " ".join(span.text.lower() for group in item.evidence for span in group)
    others = [o for o in others if o.golden_answers[0].lower() not in shown and o.golden_answers != item.golden_answers]
    return _answered(item, world.rng.choice(others).golden_answers) if others and not _is_choice(item) else None


def shifted_offsets(item: Item, world: World) -> Item:
    """Move every offset, as when a line was put in above."""
    by = world.rng.randint(5, 60)
    return _with(item, lambda span: replace(span, start=span.start + by, end=span.end + by))


def wrong_evidence(item: Item, world: World) -> Item | None:
    """Give it the evidence of another question, from another document."""
    others = [o for o in world.whole if _docs(o).isdisjoint(_docs(item)) and len(o.evidence) == len(item.evidence)]
    return replace(item, evidence=world.rng.choice(others).evidence) if others and not _is_choice(item) else None


def missing_document(item: Item, world: World) -> Item:
    """Let its evidence stand in a document that nobody has."""
    return _with(item, lambda span: replace(span, doc=f"old/{span.doc}"))


def broken_derivation(item: Item, world: World) -> Item | None:
    """Let the derivation find something beside the answer."""
    steps = [dict(step) for step in item.derivation.get("steps", ())]
    for step in steps:
        if "find" in step:
            step["find"] = step["find"] | {"start": step["find"]["start"] + 3, "end": step["find"]["end"] + 3}
            return replace(item, derivation=dict(item.derivation) | {"steps": steps})
    return None


def duplicate(item: Item, world: World) -> Item:
    """Put another item of the set in its place."""
    return world.rng.choice(world.whole)


def near_duplicate(item: Item, world: World) -> Item:
    """Put another item of the set in its place, its question in slightly other words."""
    other = world.rng.choice(world.whole)
    return replace(other, question=reworded(other.question, world.rng))


def leaking(item: Item, world: World) -> Item | None:
    """Let the question give its answer away."""
    if _is_choice(item) or _said(item.golden_answers[0]) <= _said(item.question):
        return None
    answer = item.golden_answers[0]
    forms = (f"{item.question[:-1]}, {answer}?", f"Given that it is {answer}, {_lower(item.question)}")
    return replace(item, question=world.rng.choice(forms))


def not_self_contained(item: Item, world: World) -> Item:
    """Let the question point to a text that its reader does not have, or to something that was said before."""
    question = _lower(item.question)
    forms = (
        f"According to the text, {question}",
        f"As described above, {question}",
        f"{item.question[:-1]} in this section?",
        f"In the passage, {question}",
        re.sub(r"^(Who|What|When|Where|Why|How|Which \w+) (\w+) .*", r"\1 \2 it?", item.question),
    )
    return replace(item, question=world.rng.choice([form for form in forms if form != item.question]))


def faked_multi_context(item: Item, world: World) -> Item | None:
    """Call it multi-context, its one passage cut in two."""
    (span, *_), *others = item.evidence
    middle = span.text.find(" ", len(span.text) // 2)
    if others or item.question_type == "multi_context" or middle < 0:
        return None
    cut = (replace(span, end=span.start + middle, text=span.text[:middle]),)
    rest = (replace(span, start=span.start + middle + 1, text=span.text[middle + 1 :]),)
    return replace(item, question_type="multi_context", evidence=(cut, rest), derivation={})


def ambiguous(item: Item, world: World) -> Item | None:
    """Take from a question what says which one it means; or let another document say something else."""
    scope = re.match(r"(?:For|In) [^,]+, ", item.question)
    if item.subtype == "scoped" and scope:
        rest = item.question[scope.end() :]
        return replace(item, question=rest[:1].upper() + rest[1:])
    if item.subtype != "factoid" or len(item.evidence) != 1:
        return None
    span, answer = item.evidence[0][0], item.golden_answers[0]
    text = world.documents[span.doc].plain(span.start, span.end)
    others = [o.golden_answers[0] for o in world.whole if _alike(o.golden_answers[0], answer)]
    if not others or answer not in text:
        return None
    world.added.append(text.replace(answer, world.rng.choice(others), 1))
    return item


def copied(item: Item, world: World) -> Item | None:
    """Make the question of its evidence, the answer struck out."""
    text, answer = " ".join(item.evidence[0][0].text.split()), item.golden_answers[0]
    question = text.replace(answer, "what", 1).rstrip(".") + "?"
    if len(item.evidence) > 1 or answer not in text or len(question.split()) < 8:
        return None
    return replace(item, question=question)


def hopeless(item: Item, world: World) -> Item | None:
    """Ask something of another document."""
    others = [
        o for o in world.donors if _docs(o).isdisjoint(_docs(item)) and not _said(o.question) & _said(_shown(item))
    ]
    return replace(item, question=world.rng.choice(others).question) if others else None


def wrong_language(item: Item, world: World) -> Item | None:
    """Ask in another language than the item says."""
    names = re.findall(r"(?<!^)\b[A-Z]\w+(?: [A-Z]\w+)*", item.question)
    return replace(item, question=world.rng.choice(_ELSEWHERE).format(names[0])) if names else None


def contamination(item: Item, world: World) -> Item:
    """Let the other set hold it too: the same, in other words, or with another question."""
    twin = world.rng.choice(
        (item, replace(item, question=reworded(item.question, world.rng)), replace(item, question="What is told here?"))
    )
    world.twins.append(replace(twin, id=f"t-{len(world.twins)}"))
    return item


_ELSEWHERE = (
    "Was ist über {} bekannt und seit wann gilt das?",
    "Wer ist für {} zuständig?",
    "Quelle est la raison pour laquelle {} a été choisi ?",
    "Où se trouve {} et depuis quand ?",
    "¿Qué se dice de {} y por qué?",
    "¿Cuándo se creó {} y para qué?",
    "Che cosa si sa di {} e da quando?",
    "Wat is er over {} bekend en waarom?",
    "{}是什么时候开始的？",
    "Quem é responsável por {} e desde quando?",
)


class Defect(NamedTuple):
    """How a kind is planted, and the codes of which one should tell of it; ``proved`` ones need a derivation."""

    spoil: Spoil
    codes: frozenset[str]
    proved: bool = False


_DRIFTED = frozenset({"span", "moved", "unsettled", "changed", "vanished"})

DEFECTS: dict[str, Defect] = {
    "ambiguous": Defect(ambiguous, frozenset({"ambiguous"})),
    "copied words": Defect(copied, frozenset({"copied"})),
    "wrong language": Defect(wrong_language, frozenset({"language"})),
    "hopeless": Defect(hopeless, frozenset({"hopeless"})),
    "faked multi_context": Defect(faked_multi_context, frozenset({"hops"})),
    "broken derivation": Defect(broken_derivation, frozenset({"derivation"}), proved=True),
    "wrong answer": Defect(wrong_answer, frozenset({"derivation", "evidence", "kind"})),
    "wrong evidence": Defect(wrong_evidence, frozenset({"derivation", "evidence"})),
    "shifted offsets": Defect(shifted_offsets, _DRIFTED),
    "missing document": Defect(missing_document, _DRIFTED),
    "leaking": Defect(leaking, frozenset({"leaking"})),
    "not self-contained": Defect(not_self_contained, frozenset({"self_contained"})),
    "contamination": Defect(contamination, frozenset({"contamination"})),
    "duplicate": Defect(duplicate, frozenset({"duplicate"})),
    "near-duplicate": Defect(near_duplicate, frozenset({"near_duplicate", "paraphrase"})),
}
"""Each kind, those first for which the fewest items will do."""


def reworded(question: str, rng: random.Random) -> str:
    """Return a question in slightly other words.

    Example:
        >>> reworded("Which team runs the depot?", random.Random(0))
        'Do we know what team runs the depot?'
    """
    rest = _lower(question)
    turned = re.sub(r"^which (\w+) ", r"what \1 ", rest)
    for word, other in (
        ("how many", "what number of"),
        ("in which year", "when"),
        ("who ", "what person "),
        ("why", "for what reason"),
    ):
        turned = turned.replace(word, other, 1) if turned.startswith(word) else turned
    forms = (
        f"Can you say {rest}",
        f"Please tell me {rest}",
        f"{turned[:1].upper()}{turned[1:]}",
        f"Do we know {turned}",
    )
    return rng.choice([form for form in forms if form != question])


def page(sentences: Sequence[str]) -> Document:
    """Return a document of the sentences, a paragraph each."""
    text = "\n\n".join(sentences)
    starts = [text.index(sentence) for sentence in sentences]
    blocks = tuple(
        Block("paragraph", start, start + len(each), each, ((0, start),))
        for start, each in zip(starts, sentences, strict=True)
    )
    ident = "planted/other.md"
    section = Section(content_id("s", ident), ident, "Elsewhere", 0, ("Elsewhere",), 0, len(text))
    return Document(ident, text, "Elsewhere", "md", content_id("h", text), blocks, (section,))


def _with(item: Item, change: Callable[[Span], Span]) -> Item:
    return replace(item, evidence=tuple(tuple(map(change, group)) for group in item.evidence))


def _answered(item: Item, answers: tuple[str, ...]) -> Item:
    return replace(item, golden_answers=answers)


def _docs(item: Item) -> set[str]:
    return {span.doc for group in item.evidence for span in group}


def _shown(item: Item) -> str:
    return " ".join(span.text for group in item.evidence for span in group)


def _said(text: str) -> set[str]:
    return set(language("en").content_stems(text))


def _lower(question: str) -> str:
    return question[:1].lower() + question[1:]


def _is_choice(item: Item) -> bool:
    return " or " in item.question


def _alike(one: str, other: str) -> bool:
    """Say whether two answers could stand for each other: names with no word in common, or so many of one thing."""
    first, second = one.split(), other.split()
    if all(word[:1].isupper() for word in (*first, *second)):
        return not _said(one) & _said(other)
    return len(first) == len(second) == 2 and first[1] == second[1] and first[0] != second[0]
