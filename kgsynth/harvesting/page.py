"""The HTML report of ``harvest``: the questions with their passages, the gaps, topics, and what was left out."""

from __future__ import annotations

from kgsynth.base.version import __version__
from kgsynth.harvesting.harvest import Harvest, HarvestedQuestion
from kgsynth.harvesting.text import CAVEAT, sentence
from kgsynth.show.pages import render
from kgsynth.show.plots import bars
from kgsynth.show.question_list import MAX_QUESTIONS_LISTED, ListedQuestion, filters
from kgsynth.show.report import Report

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
        version=__version__,
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
