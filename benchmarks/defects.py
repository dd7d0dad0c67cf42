"""Defects to plant in a golden set: one function per kind, which spoils an item as a careless author would.

It returns None for an item that it cannot spoil.
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
class Sources:
    """What defects are made from: the documents, the items that stay intact, and a random generator.

    ``donors`` are questions on the same documents that are not in the set. Defects may add items of another set to
    ``twins`` and sentences of a new document to ``added``.
    """

    documents: Mapping[str, Document]
    intact: list[Item]
    donors: Sequence[Item]
    rng: random.Random
    twins: list[Item]
    added: list[str]


Spoil = Callable[[Item, Sources], Item | None]


def wrong_answer(item: Item, sources: Sources) -> Item | None:
    """Take the answer of another question that asks for the same kind of answer."""
    kind = language(item.language).answer_kind
    others = [
        o
        for o in sources.intact
        if kind(o.question) == kind(item.question) and documents_of(o).isdisjoint(documents_of(item))
    ]
    shown = " ".join(span.text.lower() for group in item.evidence for span in group)
    others = [o for o in others if o.golden_answers[0].lower() not in shown and o.golden_answers != item.golden_answers]
    if not others or _is_choice(item):
        return None
    return replace(item, golden_answers=sources.rng.choice(others).golden_answers)


def shifted_offsets(item: Item, sources: Sources) -> Item:
    """Shift every offset, as if a line had been inserted above."""
    by = sources.rng.randint(5, 60)
    return _with(item, lambda span: replace(span, start=span.start + by, end=span.end + by))


def wrong_evidence(item: Item, sources: Sources) -> Item | None:
    """Take the evidence of another question, from another document."""
    others = [
        o
        for o in sources.intact
        if documents_of(o).isdisjoint(documents_of(item)) and len(o.evidence) == len(item.evidence)
    ]
    return replace(item, evidence=sources.rng.choice(others).evidence) if others and not _is_choice(item) else None


def missing_document(item: Item, sources: Sources) -> Item:
    """Point the evidence to a document that does not exist."""
    return _with(item, lambda span: replace(span, doc=f"old/{span.doc}"))


def broken_derivation(item: Item, sources: Sources) -> Item | None:
    """Shift the place where the derivation finds the answer."""
    steps = [dict(step) for step in item.derivation.get("steps", ())]
    for step in steps:
        if "find" in step:
            step["find"] = step["find"] | {"start": step["find"]["start"] + 3, "end": step["find"]["end"] + 3}
            return replace(item, derivation=dict(item.derivation) | {"steps": steps})
    return None


def duplicate(item: Item, sources: Sources) -> Item:
    """Replace the item with another one of the set."""
    return sources.rng.choice(sources.intact)


def near_duplicate(item: Item, sources: Sources) -> Item:
    """Replace the item with another item of the set, its question slightly reworded."""
    other = sources.rng.choice(sources.intact)
    return replace(other, question=reworded(other.question, sources.rng))


def leaking(item: Item, sources: Sources) -> Item | None:
    """Put the answer into the question."""
    if _is_choice(item) or _content(item.golden_answers[0]) <= _content(item.question):
        return None
    answer = item.golden_answers[0]
    forms = (f"{item.question[:-1]}, {answer}?", f"Given that it is {answer}, {_lower(item.question)}")
    return replace(item, question=sources.rng.choice(forms))


def not_self_contained(item: Item, sources: Sources) -> Item:
    """Let the question refer to a text that the reader does not have, or to something said before."""
    question = _lower(item.question)
    forms = (
        f"According to the text, {question}",
        f"As described above, {question}",
        f"{item.question[:-1]} in this section?",
        f"In the passage, {question}",
        re.sub(r"^(Who|What|When|Where|Why|How|Which \w+) (\w+) .*", r"\1 \2 it?", item.question),
    )
    return replace(item, question=sources.rng.choice([form for form in forms if form != item.question]))


def faked_multi_context(item: Item, sources: Sources) -> Item | None:
    """Set the type to multi_context, with the one span of evidence cut in two."""
    (span, *_), *others = item.evidence
    middle = span.text.find(" ", len(span.text) // 2)
    if others or item.question_type == "multi_context" or middle < 0:
        return None
    cut = (replace(span, end=span.start + middle, text=span.text[:middle]),)
    rest = (replace(span, start=span.start + middle + 1, text=span.text[middle + 1 :]),)
    return replace(item, question_type="multi_context", evidence=(cut, rest), derivation={})


def ambiguous(item: Item, sources: Sources) -> Item | None:
    """Remove the scope from the question, or let a new document say something else."""
    scope = re.match(r"(?:For|In) [^,]+, ", item.question)
    if item.subtype == "scoped" and scope:
        rest = item.question[scope.end() :]
        return replace(item, question=rest[:1].upper() + rest[1:])
    if item.subtype != "factoid" or len(item.evidence) != 1:
        return None
    span, answer = item.evidence[0][0], item.golden_answers[0]
    text = sources.documents[span.doc].plain(span.start, span.end)
    reader = language("en")
    kind = reader.answer_kind(item.question)
    answers = (other.golden_answers[0] for other in sources.intact)
    others = [other for other in answers if _interchangeable(other, answer) and reader.fits_kind(kind, other)]
    if not others or answer not in text:
        return None
    sources.added.append(text.replace(answer, sources.rng.choice(others), 1))
    return item


def copied(item: Item, sources: Sources) -> Item | None:
    """Make the evidence the question, with the answer replaced by "what"."""
    text, answer = " ".join(item.evidence[0][0].text.split()), item.golden_answers[0]
    question = text.replace(answer, "what", 1).rstrip(".") + "?"
    if len(item.evidence) > 1 or answer not in text or len(question.split()) < 8:
        return None
    return replace(item, question=question)


def hopeless(item: Item, sources: Sources) -> Item | None:
    """Ask about another document."""
    others = [donor for donor in sources.donors if documents_of(donor).isdisjoint(documents_of(item))]
    others = [other for other in others if not _content(other.question) & _content(_evidence_text(item))]
    return replace(item, question=sources.rng.choice(others).question) if others else None


def wrong_language(item: Item, sources: Sources) -> Item | None:
    """Ask in another language than the item states."""
    names = re.findall(r"(?<!^)\b[A-Z]\w+(?: [A-Z]\w+)*", item.question)
    return replace(item, question=sources.rng.choice(_ELSEWHERE).format(names[0])) if names else None


def contamination(item: Item, sources: Sources) -> Item:
    """Add the item to the other set: as it is, reworded, or with another question."""
    questions = (item.question, reworded(item.question, sources.rng), "What is told here?")
    twin = replace(item, question=sources.rng.choice(questions))
    sources.twins.append(replace(twin, id=f"t-{len(sources.twins)}"))
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
    """How a kind is planted, and the codes that may report it; ``proved`` kinds need a derivation."""

    spoil: Spoil
    codes: frozenset[str]
    proved: bool = False


DRIFTED = frozenset({"span", "moved", "unsettled", "changed", "vanished"})
"""The codes for evidence that is not in place."""

DEFECTS: dict[str, Defect] = {
    "ambiguous": Defect(ambiguous, frozenset({"ambiguous"})),
    "copied words": Defect(copied, frozenset({"copied"})),
    "wrong language": Defect(wrong_language, frozenset({"language"})),
    "hopeless": Defect(hopeless, frozenset({"hopeless"})),
    "faked multi_context": Defect(faked_multi_context, frozenset({"hops"})),
    "broken derivation": Defect(broken_derivation, frozenset({"derivation"}), proved=True),
    "wrong answer": Defect(wrong_answer, frozenset({"derivation", "evidence", "kind"})),
    "wrong evidence": Defect(wrong_evidence, frozenset({"derivation", "evidence"})),
    "shifted offsets": Defect(shifted_offsets, DRIFTED),
    "missing document": Defect(missing_document, DRIFTED),
    "leaking": Defect(leaking, frozenset({"leaking"})),
    "not self-contained": Defect(not_self_contained, frozenset({"self_contained"})),
    "contamination": Defect(contamination, frozenset({"contamination"})),
    "duplicate": Defect(duplicate, frozenset({"duplicate"})),
    "near-duplicate": Defect(near_duplicate, frozenset({"near_duplicate", "paraphrase"})),
}
"""All kinds, the ones that suit the fewest items first."""


def reworded(question: str, rng: random.Random) -> str:
    """Return a question slightly reworded.

    Example:
        >>> reworded("Which team runs the depot?", random.Random(0))
        'Do we know what team runs the depot?'
    """
    rest = _lower(question)
    changed = re.sub(r"^which (\w+) ", r"what \1 ", rest)
    for word, other in (
        ("how many", "what number of"),
        ("in which year", "when"),
        ("who ", "what person "),
        ("why", "for what reason"),
    ):
        changed = changed.replace(word, other, 1) if changed.startswith(word) else changed
    forms = (
        f"Can you say {rest}",
        f"Please tell me {rest}",
        f"{changed[:1].upper()}{changed[1:]}",
        f"Do we know {changed}",
    )
    return rng.choice([form for form in forms if form != question])


def page(sentences: Sequence[str]) -> Document:
    """Return a document with one paragraph per sentence."""
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


def documents_of(item: Item) -> set[str]:
    """Return the documents of an item's evidence."""
    return {span.doc for group in item.evidence for span in group}


def _apart(one: Item, other: Item) -> bool:
    return documents_of(one).isdisjoint(documents_of(other))


def _evidence_text(item: Item) -> str:
    return " ".join(span.text for group in item.evidence for span in group)


def _content(text: str, code: str = "en") -> set[str]:
    return set(language(code).content_stems(text))


def _lower(question: str) -> str:
    return question[:1].lower() + question[1:]


def _is_choice(item: Item) -> bool:
    return " or " in item.question


def _interchangeable(one: str, other: str) -> bool:
    """Check whether two answers could be swapped: names without a common word, or two numbers of the same thing."""
    first, second = one.split(), other.split()
    if all(word[:1].isupper() for word in (*first, *second)):
        return not _content(one) & _content(other)
    return len(first) == len(second) == 2 and first[1] == second[1] and first[0] != second[0]
