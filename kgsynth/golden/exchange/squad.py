"""Read SQuAD: nested JSON (versions 1 and 2, and sets in this format), or flat rows as on data set hubs."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from kgsynth.base.records import Finding
from kgsynth.golden.exchange import cells
from kgsynth.golden.exchange.foreign_question import ForeignContext, ForeignQuestion, unusable
from kgsynth.golden.exchange.source_file import SourceFile


def fits(source: SourceFile) -> bool:
    """Check whether articles have paragraphs, or rows have answers with offsets."""
    if any("paragraphs" in row.cells for row in source.rows[:1]):
        return True
    first = next((_answers(row.cells.get("answers")) for row in source.rows if row.cells.get("answers")), [])
    return {"question", "context"} <= set(source.columns) and any("answer_start" in each for each in first)


def read(source: SourceFile) -> Iterator[ForeignQuestion | Finding]:
    """Yield every question with its paragraph and the offsets of its answers."""
    for row in source.rows:
        if "paragraphs" not in row.cells:
            yield _question(row.where, row.cells, cells.text(row.cells.get("title")), row.cells.get("context"))
            continue
        title = cells.text(row.cells.get("title"))
        if not isinstance(row.cells["paragraphs"], list):
            yield unusable(row.where, "'paragraphs' is not a list")
            continue
        for number, paragraph in enumerate(row.cells["paragraphs"], 1):
            where = f"{row.where} ({title or 'no title'}), paragraph {number}"
            if not isinstance(paragraph, Mapping) or not isinstance(paragraph.get("qas"), list):
                yield unusable(where, "it is not an object with a list 'qas'")
                continue
            for place, qa in enumerate(paragraph["qas"], 1):
                here = f"{where}, question {place}"
                if isinstance(qa, Mapping):
                    yield _question(here, qa, title, paragraph.get("context"))
                else:
                    yield unusable(here, f"{str(qa)[:40]!r} is not an object")


def documents(source: SourceFile) -> Iterator[tuple[str, str]]:
    """Yield every article: its title and its paragraphs."""
    for row in source.rows:
        paragraphs = cells.as_list(row.cells.get("paragraphs"))
        texts = [cells.text(each.get("context")) for each in paragraphs if isinstance(each, Mapping)]
        if any(texts):
            yield cells.text(row.cells.get("title")) or "article", "\n\n".join(filter(None, texts)) + "\n"


def _question(where: str, qa: Mapping[str, Any], title: str, context: object) -> ForeignQuestion | Finding:
    question, paragraph = cells.text(qa.get("question")), str(context or "")
    answers = _answers(qa.get("answers"))
    answerable = not qa.get("is_impossible", not answers)
    marks = tuple(
        (at if isinstance(at := each.get("answer_start"), int) else -1, text)
        for each in answers
        if (text := cells.text(each.get("text")))
    )
    if not question or not paragraph.strip():
        return unusable(where, "it has no question" if not question else "its paragraph has no text")
    if answerable and not marks:
        return unusable(where, f"{question[:60]!r} is answerable but has no answer")
    texts = tuple(dict.fromkeys(text for _, text in marks))
    located = ForeignContext(paragraph, title, marks if answerable else ())
    metadata = {"original_id": cells.text(qa.get("id"))} if qa.get("id") else {}
    if not answerable:
        return ForeignQuestion(where, question, (), ((located,),), title, False, "unanswerable", metadata)
    return ForeignQuestion(where, question, texts, ((located,),), title, metadata=metadata)


def _answers(answers: object) -> list[Mapping[str, Any]]:
    """Return the answers as a list of objects, also when a hub has them as an object of lists."""
    answers = cells.parse_list(answers)
    if isinstance(answers, Mapping):
        texts, starts = (cells.as_list(answers.get(name)) for name in ("text", "answer_start"))
        return [{"text": text, "answer_start": start} for text, start in zip(texts, starts, strict=False)]
    return [each for each in answers if isinstance(each, Mapping)] if isinstance(answers, list) else []
