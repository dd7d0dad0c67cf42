"""SQuAD: its nested JSON (versions 1 and 2, and sets in its form), and the flat rows that data set hubs make of it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from kgsynth.base.records import Finding
from kgsynth.golden.exchange import cells
from kgsynth.golden.exchange.foreign_question import Asked, Context, unusable
from kgsynth.golden.exchange.rows import Source


def fits(source: Source) -> bool:
    """Say whether articles have paragraphs, or rows have answers with their offsets."""
    if any("paragraphs" in row.cells for row in source.rows[:1]):
        return True
    first = next((_listed(row.cells.get("answers")) for row in source.rows if row.cells.get("answers")), [])
    return {"question", "context"} <= set(source.columns) and any("answer_start" in each for each in first)


def read(source: Source) -> Iterator[Asked | Finding]:
    """Yield what every question asks, with the paragraph it is on and where in it the answers stand."""
    for row in source.rows:
        if "paragraphs" not in row.cells:
            yield _question(row.where, row.cells, cells.text(row.cells.get("title")), row.cells.get("context"))
            continue
        title = cells.text(row.cells.get("title"))
        if not isinstance(row.cells["paragraphs"], list):
            yield unusable(row.where, "its 'paragraphs' are no list")
            continue
        for number, paragraph in enumerate(row.cells["paragraphs"], 1):
            where = f"{row.where} ({title or 'no title'}), paragraph {number}"
            if not isinstance(paragraph, Mapping) or not isinstance(paragraph.get("qas"), list):
                yield unusable(where, "it is no object with a list 'qas'")
                continue
            for place, qa in enumerate(paragraph["qas"], 1):
                here = f"{where}, question {place}"
                if isinstance(qa, Mapping):
                    yield _question(here, qa, title, paragraph.get("context"))
                else:
                    yield unusable(here, f"{str(qa)[:40]!r} is not an object")


def passages(source: Source) -> Iterator[tuple[str, str]]:
    """Yield every article: its title, and its paragraphs."""
    for row in source.rows:
        paragraphs = cells.listed(row.cells.get("paragraphs"))
        texts = [cells.text(each.get("context")) for each in paragraphs if isinstance(each, Mapping)]
        if any(texts):
            yield cells.text(row.cells.get("title")) or "article", "\n\n".join(filter(None, texts)) + "\n"


def _question(where: str, qa: Mapping[str, Any], title: str, context: object) -> Asked | Finding:
    question, paragraph = cells.text(qa.get("question")), str(context or "")
    answers = _listed(qa.get("answers"))
    answerable = not qa.get("is_impossible", not answers)
    marks = tuple(
        (at if isinstance(at := each.get("answer_start"), int) else -1, text)
        for each in answers
        if (text := cells.text(each.get("text")))
    )
    if not question or not paragraph.strip():
        return unusable(where, "it has no question" if not question else "its paragraph has no text")
    if answerable and not marks:
        return unusable(where, f"{question[:60]!r} is answerable, but without an answer")
    texts = tuple(dict.fromkeys(text for _, text in marks))
    held = Context(paragraph, title, marks if answerable else ())
    metadata = {"original_id": cells.text(qa.get("id"))} if qa.get("id") else {}
    kind = "" if answerable else "unanswerable"
    return Asked(where, question, texts if answerable else (), ((held,),), title, answerable, kind, metadata)


def _listed(answers: object) -> list[Mapping[str, Any]]:
    """Return the answers one by one, where a hub has them as an object of lists."""
    answers = cells.unfolded(answers)
    if isinstance(answers, Mapping):
        texts, starts = (cells.listed(answers.get(name)) for name in ("text", "answer_start"))
        return [{"text": text, "answer_start": start} for text, start in zip(texts, starts, strict=False)]
    return [each for each in answers if isinstance(each, Mapping)] if isinstance(answers, list) else []
