"""What a prompt says of the questions before it: those asked, and those rejected with the reason."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from kgsynth.base.records import Item
from kgsynth.base.thresholds import LIMITS
from kgsynth.generation.asking.asked import Asked
from kgsynth.generation.scenes.scene import Scene


@dataclass(frozen=True, slots=True)
class Before:
    """The last questions about the documents of a scene that stand, and those about its passages that do not."""

    asked: tuple[str, ...] = ()
    rejected: tuple[str, ...] = ()


NOTHING_BEFORE = Before()


def before(scene: Scene, asked: Asked, kept: Iterable[Item] = ()) -> Before:
    """Return what not to repeat: questions on the documents of a scene that stand, and any on its passages.

    A rejected question has the reason after it, so that the next one can avoid it.
    """
    docs = {span.doc for span in scene.passages}
    known = (*kept, *asked.accepted)
    accepted = [item.question for item in known if docs & {group[0].doc for group in item.evidence}]
    reasons = {item.id: why.detail for item, why in asked.rejected}
    here = [item for span, item in asked.proposed if any(span.meets(own) for own in scene.passages)]
    standing = [item.question for item in here if item.id not in reasons]
    rejected = [f"{item.question} ({reasons[item.id]})" for item in here if item.id in reasons]
    return Before(tuple(dict.fromkeys((*_last(accepted), *_last(standing)))), _last(rejected))


def _last(questions: Iterable[str]) -> tuple[str, ...]:
    once = tuple(dict.fromkeys(questions))
    return once[max(0, len(once) - LIMITS.asked_in_prompt) :]
