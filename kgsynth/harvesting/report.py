"""A harvest as text for a terminal and as a page: the questions with their passages, the gaps, and the topics."""

from __future__ import annotations

from collections.abc import Mapping

from kgsynth.harvesting.harvest import Harvest, HarvestedQuestion
from kgsynth.show.pages import Report, render
from kgsynth.show.plots import bars
from kgsynth.show.questions import MAX_QUESTIONS_LISTED, ListedQuestion, filters
from kgsynth.show.tables import aligned
from kgsynth.show.wording import cut, many

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
