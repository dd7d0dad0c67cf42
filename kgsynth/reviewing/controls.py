"""Plant controls: copies of items with a known defect, which show whether the annotators notice one.

A control has the answers of another item, the evidence of another section, or "it" in place of the only name in its
question. An annotator who rejects or edits a control has caught it. Controls are never part of the reviewed set.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from kgsynth.base.errors import ConfigError
from kgsynth.base.records import Document, Item, Span, item_id
from kgsynth.language import LANGUAGES, language
from kgsynth.reviewing.subject import Control, Subject


def plant(subject: Subject, ids: Sequence[str], count: int, seed: int) -> tuple[Control, ...]:
    """Return ``count`` controls, with each defect about as often; items that are not under review are used first.

    Raises:
        ConfigError: answers are under review, or the set does not yield so many controls.
    """
    if count and subject.mode != "questions":
        raise ConfigError("--controls plants questions with a defect: it is not possible in a review of answers")
    rng = random.Random(seed)
    usable = [item for item in subject.items if item.answerable and item.golden_answers and item.evidence]
    shuffled = rng.sample(usable, len(usable))
    planted: list[Control] = []
    known = {item.id for item in subject.items}
    counts: Counter[str] = Counter()
    under_review = set(ids)
    for item in sorted(shuffled, key=lambda each: each.id in under_review):
        if len(planted) == count:
            break
        others = [other for other in rng.sample(usable, len(usable)) if other.id != item.id]
        for defect in sorted(_DEFECTS, key=counts.__getitem__):
            if made := _DEFECTS[defect](item, others, subject.documents):
                new_id = item_id(made.question, made.golden_answers, made.evidence)
                if new_id in known:
                    continue
                known.add(new_id)
                planted.append(Control(replace(made, id=new_id, derivation={}), defect, item.id))
                counts[defect] += 1
                break
    if len(planted) < count:
        raise ConfigError(
            f"--controls {count} is more than the {len(planted)} that {subject.name} yields: ask for fewer"
        )
    return tuple(planted)


def mixed(ids: Sequence[str], controls: Sequence[Control], seed: int) -> list[str]:
    """Return the ids of the items with the ids of the controls at random places among them."""
    rng, out = random.Random(seed), list(ids)
    for control in controls:
        out.insert(rng.randrange(len(out) + 1), control.item.id)
    return out


def _other_answer(item: Item, others: Sequence[Item], documents: Mapping[str, Document]) -> Item | None:
    """Return the item with the answers of another one of its type; its evidence does not contain any of them."""
    texts = [*item.golden_answers, *(span.text for group in item.evidence for span in group)]
    for other in others:
        if other.question_type == item.question_type and not _share_words(other.golden_answers, texts):
            return replace(item, golden_answers=other.golden_answers)
    return None


def _dangling_pronoun(item: Item, others: Sequence[Item], documents: Mapping[str, Document]) -> Item | None:
    """Return the item with a pronoun in place of the only name in its question."""
    question = language(item.language).pronoun_for_name(item.question) if item.language in LANGUAGES else ""
    return replace(item, question=question) if question else None


def _other_evidence(item: Item, others: Sequence[Item], documents: Mapping[str, Document]) -> Item | None:
    """Return the item with the evidence of another one, from other sections, that does not contain its answer."""
    own = {_section(span, documents) for group in item.evidence for span in group}
    for other in sorted(others, key=lambda each: len(each.evidence) != len(item.evidence)):
        spans = [span for group in other.evidence for span in group]
        elsewhere = own.isdisjoint(_section(span, documents) for span in spans)
        if elsewhere and not _share_words(item.golden_answers, [span.text for span in spans]):
            return replace(item, evidence=other.evidence)
    return None


def _section(span: Span, documents: Mapping[str, Document]) -> tuple[str, int]:
    """Return the document and the start of the innermost section of a span."""
    section = documents[span.doc].section_at(span.start) if span.doc in documents else None
    return span.doc, section.start if section else 0


def _share_words(answers: Sequence[str], texts: Sequence[str]) -> bool:
    """Check whether an answer is contained in one of the texts, or contains one, in either case."""
    pairs = ((answer.casefold(), text.casefold()) for answer in answers for text in texts)
    return any(answer in text or text in answer for answer, text in pairs)


_DEFECTS: dict[str, Callable[[Item, Sequence[Item], Mapping[str, Document]], Item | None]] = {
    "the answers of another item": _other_answer,
    "a pronoun for the name": _dangling_pronoun,
    "the evidence of another section": _other_evidence,
}
"""What is wrong with a control -> how it is made from an item; it returns None if that is not possible."""
