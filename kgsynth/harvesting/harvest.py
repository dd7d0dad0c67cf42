"""What was harvested from a log: the questions with their passages, the gaps and the counts, also as text and page."""

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
from kgsynth.show.pages import Report, render
from kgsynth.show.plots import bars
from kgsynth.show.questions import MAX_QUESTIONS_LISTED, ListedQuestion, filters
from kgsynth.show.tables import aligned
from kgsynth.show.wording import cut, joined, many

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


# ---- as text and as a page -----------------------------------------------------------------------


_SHOWN_ROWS = 10
_QUESTION_WIDTH = 70

CAVEAT = (
    "Personal data is replaced by rules, which do not find everything: read the questions before you share them. A "
    "passage was found by words and embeddings; whether it answers is an estimate."
)


def terminal(found: Harvest) -> str:
    """Return the counts, what was left out and replaced, the most frequent questions and gaps, and the topics."""
    parts = [sentence(found), *_counts(found.left_out, "left out"), *_counts(found.replaced, "replaced")]
    answered = [each for each in found.questions if each.answered]
    for name, questions in (("with a passage", answered), ("gaps: without a passage", found.gaps)):
        if questions:
            rows = [[f"{each.count:,}", cut(each.question, _QUESTION_WIDTH), _place(each)] for each in questions]
            more = [f"and {len(rows) - _SHOWN_ROWS:,} more"] if len(rows) > _SHOWN_ROWS else []
            parts.append("\n".join([aligned(["asked", name, ""], rows[:_SHOWN_ROWS]), *more]))
    rows = [[f"{asked:,}", f"{gaps:,}", name] for name, (asked, gaps) in [*found.topics.items()][:_SHOWN_ROWS]]
    parts += [aligned(["asked", "of these gaps", "topic"], rows), CAVEAT]
    return "\n\n".join(parts)


def sentence(found: Harvest) -> str:
    """Return what was found, in one sentence."""
    gaps = len(found.gaps)
    return (
        f"{many(len(found.questions), 'question')}, asked {many(found.asked, 'time')} in "
        f"{many(found.turns, 'turn')} of users: {len(found.questions) - gaps:,} with a passage in "
        f"{many(found.documents, 'document')}, {many(gaps, 'gap')}"
    )


def _counts(counts: Mapping[str, int], title: str) -> list[str]:
    rows = [[f"{number:,}", name] for name, number in sorted(counts.items(), key=lambda each: (-each[1], each[0]))]
    return [aligned([title, ""], rows)] if rows else []


def _place(found: HarvestedQuestion) -> str:
    if not found.nearest or not found.answered:
        return ""
    return f"{found.nearest.span.doc} (also in {', '.join(found.also_in)})" if found.also_in else found.nearest.span.doc


# The HTML report of ``harvest``: the questions with their passages, the gaps, topics, and what was left out.

_TOPICS_DRAWN = 15
_QUESTION_FILTERS = {"found": "Passage", "topic": "Topic"}


def page(found: Harvest) -> Report:
    """Return the report of a harvest."""
    rows = [_row(number, each) for number, each in enumerate(found.questions[:MAX_QUESTIONS_LISTED], 1)]
    drawn = [*found.topics.items()][:_TOPICS_DRAWN]
    pictures = (bars("topics", "Most frequent topics", {name: asked for name, (asked, _) in drawn}),)
    html = render(
        "harvesting/page.html",
        kind="Harvest",
        title=sentence(found),
        lead="What the users of a system ask, and whether the documents seem to answer it.",
        pictures=pictures,
        caveat=CAVEAT,
        rows=rows,
        total=len(found.questions),
        choices=filters(rows, _QUESTION_FILTERS),
        topics=found.topics,
        left_out=[*found.left_out.items()],
        replaced=sorted(found.replaced.items(), key=lambda each: (-each[1], each[0])),
    )
    return Report(html, pictures)


def _row(number: int, found: HarvestedQuestion) -> ListedQuestion:
    state = "with a passage" if found.answered else "gap"
    asked = f"asked {found.count:,} ×" + (f" by {found.people:,}" if found.people else "")
    nearest = found.nearest
    return ListedQuestion(
        f"{number}",
        found.question,
        nearest.span.doc if nearest and found.answered else "",
        (asked, *(["gap"] if not found.answered else [])),
        {"found": [state], "topic": [found.topic]},
        more={
            "wordings": found.wordings,
            "answered": found.answered,
            "also_in": found.also_in,
            "span": nearest.span if nearest else None,
            "probability": nearest.probability if nearest else 0.0,
        },
    )
