"""A scene: the passages of one question that a language model is asked to write."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from kgsynth.base.records import Span, content_id


class Reason(NamedTuple):
    """Why two passages of a scene, by their number from 1, may belong together: ``why`` in plain English."""

    one: int
    other: int
    why: str


@dataclass(frozen=True, slots=True)
class Scene:
    """The passages that one question is to be about, and why they may belong together.

    ``passages`` are whole blocks, in the order in which a person would read them. ``reasons`` say what joins them; a
    single section has none. ``central`` says
    how much the corpus speaks of what they are about, from 0 to 1. ``neighbours`` are the headings around them, which
    show what else the documents hold.

    Example:
        >>> scene = Scene("simple", "section_fact", (Span("a.md", 0, 13, "Ada leads it."),))
        >>> scene.id
        'scene-3db555adbb61'
    """

    question_type: str
    subtype: str
    passages: tuple[Span, ...]
    reasons: tuple[Reason, ...] = ()
    central: float = 0.0
    neighbours: tuple[str, ...] = ()

    @property
    def id(self) -> str:
        """A hash of the kind of question and the places of the passages."""
        return content_id("scene", self.subtype, [(span.doc, span.start, span.end) for span in self.passages])
