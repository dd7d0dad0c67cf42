"""Add Markdown from inside another file, as in the descriptions of an interface, as blocks of that file."""

from __future__ import annotations

from itertools import pairwise

from kgsynth.base.records.containers import containers_around
from kgsynth.documents.readers import markdown
from kgsynth.documents.readers.block_drafts import BlockDraft, ExtractedText, ParsedFile, Pieces, TextPiece

_MAX_HEADING_DEPTH = 6


def add_markdown(extracted: ExtractedText, text: str, level: int) -> None:
    """Add the blocks of a Markdown text with their containers; its headings go below ``level``."""
    parsed = markdown.read(text)
    is_open: list[int] = []
    before: BlockDraft | None = None
    for draft in parsed.drafts:
        if draft.kind == "meta":
            continue
        needed = _around(parsed, draft)
        while is_open and is_open != needed[: len(is_open)]:
            is_open.pop()
            extracted.nesting.leave()
        for number in needed[len(is_open) :]:
            one = parsed.containers[number]
            place = {"row": one.row, "column": one.column, "rows": one.rows, "columns": one.columns, "head": one.head}
            extracted.nesting.enter(one.kind, extracted.length, name=one.name, **place)
            is_open.append(number)
        depth = min(draft.level + level, _MAX_HEADING_DEPTH) if draft.kind == "heading" else 0
        extracted.add(draft.kind, _pieces(draft), level=depth, joint=_joint(parsed, before, draft))
        before = draft
    for _ in is_open:
        extracted.nesting.leave()


def plain_markdown(text: str) -> str:
    """Return a Markdown text as one line without markup, for a cell.

    Example:
        >>> plain_markdown("The **name**,\\nas `text`.\\n\\n- one")
        'The name, as text. one'
    """
    return " ".join(draft.text for draft in markdown.read(text).drafts if draft.kind != "meta" and draft.text)


def _joint(parsed: ParsedFile, before: BlockDraft | None, draft: BlockDraft) -> str:
    """Return the text between two blocks: the cells of a row, rows, items and others."""
    if before is None or before.kind != draft.kind or draft.kind not in ("cell", "item"):
        return "\n\n"
    return "\t" if draft.kind == "cell" and parsed.containers[draft.inside].column else "\n"


def _around(parsed: ParsedFile, draft: BlockDraft) -> list[int]:
    """Return the containers around a draft, the outermost first."""
    return list(containers_around(parsed.containers, draft.inside))[::-1]


def _pieces(draft: BlockDraft) -> Pieces:
    """Return the text of a draft in pieces that are code, bold or links as a whole."""
    if draft.kind == "code":
        return [TextPiece(draft.text)]
    edges = {0, len(draft.text)}
    for low, high in (*draft.code, *draft.strong, *((start, stop) for start, stop, _ in draft.links)):
        edges |= {low, high}
    cuts = sorted(edges)
    return [
        TextPiece(
            draft.text[low:high],
            any(start <= low < stop for start, stop in draft.code),
            next((target for start, stop, target in draft.links if start <= low < stop), ""),
            any(start <= low < stop for start, stop in draft.strong),
        )
        for low, high in pairwise(cuts)
    ]
