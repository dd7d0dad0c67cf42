"""SQuAD: nested JSON (versions 1 and 2) or flat rows are read; version 2.0 is written."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from kgsynth.base.records import Document, Finding, Item, Span
from kgsynth.documents.text_index import cuts_word
from kgsynth.golden.answer_patterns import plain_answers
from kgsynth.golden.exchange import cells
from kgsynth.golden.exchange.export_input import ExportInput, Rendered, json_document, without_question
from kgsynth.golden.exchange.foreign_question import ForeignContext, ForeignQuestion, unusable
from kgsynth.golden.exchange.source_file import SourceFile
from kgsynth.golden.spans import in_place


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


# Write SQuAD 2.0: articles with paragraphs, and questions whose answers are in their paragraph at an offset.
#
# The paragraph of a question is the section that has all its evidence; if its document is not known, the evidence
# itself.


def refuse(item: Item, source: ExportInput) -> str:
    """Return why SQuAD cannot have an item, or ""."""
    return without_question(item) or _placed(item, source)[2]


def render(source: ExportInput) -> Rendered:
    """Return the file: an article for each document, a paragraph for each passage with questions."""
    missing = 0
    articles: dict[str, dict[tuple[int, int], dict[str, Any]]] = {}
    for item in source.items:
        passage, answers, _ = _placed(item, source)
        assert passage is not None, "refuse() has left out the others"
        missing += len(answers) < len(item.golden_answers)
        paragraphs = articles.setdefault(passage.doc, {})
        paragraph = paragraphs.setdefault((passage.start, passage.end), {"context": passage.text, "qas": []})
        qa = {"id": item.id, "question": item.full_question, "answers": answers, "is_impossible": not item.answerable}
        paragraph["qas"].append(qa if item.answerable else qa | {"plausible_answers": []})
    data = [{"title": doc, "paragraphs": list(paragraphs.values())} for doc, paragraphs in articles.items()]
    note = f"golden answers that are not in the evidence word for word are missing in {missing} questions"
    return Rendered({"": json_document({"version": "v2.0", "data": data})}, (note,) if missing else ())


def _placed(item: Item, source: ExportInput) -> tuple[Span | None, list[dict[str, Any]], str]:
    """Return the paragraph of an item and the places of its answers, or why it has none."""
    spans, why = _spans_of_one_document(item)
    if why:
        return None, [], why
    passage = _paragraph(spans, source.documents.get(spans[0].doc))
    if passage is None:
        return None, [], "with evidence in several places of a document that is not known (give it with --docs)"
    answers = _placed_answers(item, spans, passage)
    if item.answerable and not answers:
        return None, [], "whose answer is not in the evidence word for word"
    return passage, answers, ""


def _spans_of_one_document(item: Item) -> tuple[list[Span], str]:
    """Return one span of each group, all in one document, or why there are none."""
    groups = item.evidence if item.answerable else tuple((span,) for span in item.hard_negatives[:1])
    if not groups:
        return [], "without evidence" if item.answerable else "unanswerable, without a passage (hard negative)"
    for doc in dict.fromkeys(span.doc for span in groups[0]):
        chosen = [next((span for span in group if span.doc == doc), None) for group in groups]
        if all(chosen):
            return [span for span in chosen if span], ""
    return [], "with evidence in several documents"


def _paragraph(spans: list[Span], document: Document | None) -> Span | None:
    """Return the smallest section that has all spans, without white space around it."""
    first, last = min(span.start for span in spans), max(span.end for span in spans)
    if document is None or not all(in_place(span, {document.id: document}) for span in spans):
        return spans[0] if (first, last) == (spans[0].start, spans[0].end) else None
    around = [(each.start, each.end) for each in document.sections if each.start <= first and last <= each.end]
    start, end = min(around, key=lambda each: each[1] - each[0], default=(0, len(document.text)))
    text = document.text[start:end]
    return document.span(start + len(text) - len(text.lstrip()), start + len(text.rstrip()))


def _placed_answers(item: Item, spans: list[Span], passage: Span) -> list[dict[str, Any]]:
    """Return each golden answer with its first place in the evidence, in the letters that stand there."""
    found: dict[tuple[str, int], None] = {}
    for answer in map(str.strip, plain_answers(item.golden_answers)):
        places = (place for flags in (0, re.IGNORECASE) for span in spans for place in _places(answer, span, flags))
        start, end = next(places, (0, 0))
        if start < end:
            at = start - passage.start
            found[passage.text[at : end - passage.start], at] = None
    return [{"text": text, "answer_start": at} for text, at in found]


def _places(answer: str, span: Span, flags: int) -> list[tuple[int, int]]:
    """Return where an answer stands in a span, as offsets of the document, if no word is cut there."""
    found = re.finditer(re.escape(answer), span.text, flags) if answer else ()
    whole = [m for m in found if not cuts_word(span.text, m.start()) and not cuts_word(span.text, m.end())]
    return [(span.start + match.start(), span.start + match.end()) for match in whole]
