"""A scene: the passages of one question that a language model is asked to write."""

from __future__ import annotations

from dataclasses import dataclass

from kgsynth.base.records import Span, content_id


@dataclass(frozen=True, slots=True)
class Scene:
    """The passages that one question is to be about, and why they belong together.

    ``passages`` are whole blocks, in the order in which a person would read them. ``reason`` says what joins them, as
    the end of the sentence "these passages belong together because …"; it is "" for a single section. ``central`` says
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
    reason: str = ""
    central: float = 0.0
    neighbours: tuple[str, ...] = ()

    @property
    def id(self) -> str:
        """A hash of the kind of question and the places of the passages."""
        return content_id("scene", self.subtype, [(span.doc, span.start, span.end) for span in self.passages])
