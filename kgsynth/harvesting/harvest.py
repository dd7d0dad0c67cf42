"""What was harvested from a log: the questions with their passages, the gaps, and the counts of all that was done."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from kgsynth.base.records import Item, item_id
from kgsynth.base.version import __version__
from kgsynth.golden.item_json import span_json
from kgsynth.golden.metadata import with_origin, with_scores
from kgsynth.harvesting.passages import FoundPassage
from kgsynth.show.wording import joined

_TOPICS_NAMED = 8


@dataclass(frozen=True, slots=True)
class HarvestedQuestion:
    """A question: how often it was asked, by how many people (0: not known), in which wordings, and its passage.

    ``nearest`` is the passage that most probably answers it, also if that is not enough to be its evidence.
    """

    question: str
    language: str
    count: int
    people: int
    wordings: tuple[str, ...]
    topic: str
    nearest: FoundPassage | None

    @property
    def answered(self) -> bool:
        """Whether the documents seem to have the answer."""
        return self.nearest is not None and self.nearest.answers

    @property
    def also_in(self) -> list[str]:
        """The other documents that have a passage as near, such as older versions of the page."""
        return sorted(span.doc for span in self.nearest.others) if self.nearest else []

    def to_item(self) -> Item:
        """Return the question as an item with its passage as evidence, and no golden answer."""
        assert self.nearest is not None
        evidence = ((self.nearest.span,),)
        said = {
            "count": self.count,
            "people": self.people or None,
            "wordings": list(self.wordings),
            "topic": self.topic,
            "also_in": self.also_in,
        }
        metadata = {"source": "harvested", "retrieval_only": True, **{key: each for key, each in said.items() if each}}
        item = Item(
            item_id(self.question, (), evidence), self.question, (), "unknown", "", self.language, evidence,
            metadata=metadata,
        )  # fmt: skip
        return with_scores(item, answered=self.nearest.probability)

    def to_gap(self) -> dict[str, Any]:
        """Return the question as an object of gaps.jsonl, with the nearest passage."""
        said: dict[str, Any] = {"question": self.question, "language": self.language, "count": self.count}
        said |= {"people": self.people} if self.people else {}
        said |= {"topic": self.topic, "wordings": list(self.wordings)}
        if self.nearest is not None:
            said["nearest"] = {**span_json(self.nearest.span), "answered": self.nearest.probability}
        return said


@dataclass(frozen=True, slots=True)
class Harvest:
    """The questions, the most frequent first, and what was read, left out and replaced before."""

    questions: tuple[HarvestedQuestion, ...]
    rows: int
    turns: int
    left_out: Mapping[str, int]
    replaced: Mapping[str, int]
    documents: int

    @property
    def items(self) -> list[Item]:
        """The questions that the documents seem to answer, as items."""
        return with_origin((each.to_item() for each in self.questions if each.answered), __version__)

    @property
    def gaps(self) -> Sequence[HarvestedQuestion]:
        """The questions that the documents do not seem to answer."""
        return [each for each in self.questions if not each.answered]

    @property
    def asked(self) -> int:
        """How many turns asked a question."""
        return sum(each.count for each in self.questions)

    @property
    def topics(self) -> Mapping[str, tuple[int, int]]:
        """Topic -> how often it was asked about, and how often of these without an answer; most frequent first."""
        asked, gaps = Counter[str](), Counter[str]()
        for each in self.questions:
            asked[each.topic] += each.count
            gaps[each.topic] += 0 if each.answered else each.count
        return {name: (asked[name], gaps[name]) for name in sorted(asked, key=lambda name: (-asked[name], name))}

    @property
    def about(self) -> str:
        """Who asks about what, for ``generate --about``."""
        return f"users who ask about {joined([*self.topics][:_TOPICS_NAMED])}"

    def to_json(self) -> dict[str, Any]:
        """Return the harvest as one object."""
        return {
            "rows": self.rows,
            "turns": self.turns,
            "asked": self.asked,
            "questions": len(self.questions),
            "with_passage": len(self.questions) - len(self.gaps),
            "gaps": [each.to_gap() for each in self.gaps],
            "left_out": dict(self.left_out),
            "replaced": dict(self.replaced),
            "topics": [{"topic": name, "asked": n, "unanswered": m} for name, (n, m) in self.topics.items()],
            "documents": self.documents,
            "kgsynth": __version__,
        }

    def question_lines(self) -> Iterator[str]:
        """Yield the questions, the most frequent first, for ``generate --style-examples``."""
        yield from (each.question for each in self.questions)
