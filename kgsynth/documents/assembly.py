"""From what a reader found in one file to a Document: navigation, title, sections, language.

Leaves out: parsing (the readers).
"""

from __future__ import annotations

import re
from pathlib import PurePosixPath

from kgsynth.base.records import Block, Document, Section, content_id
from kgsynth.documents.navigation import mark_navigation
from kgsynth.documents.readers.block_drafts import Draft, Reading
from kgsynth.language.detection import guess_language

_NO_NAME = frozenset({"index", "readme", "_index"})


def assemble(reading: Reading, *, id: str, format: str, sha256: str) -> Document:  # noqa: A002 - the record's names
    """Return the document of a reading.

    Example:
        >>> from kgsynth.documents.readers.markdown import read
        >>> document = assemble(read("# Keys\\n\\nText\\n\\n## Sets\\n\\nMore"), id="k.md", format=".md", sha256="")
        >>> [section.path for section in document.sections]
        [('Keys',), ('Keys',), ('Keys', 'Sets')]
    """
    drafts = mark_navigation(reading.drafts)
    title = _title(reading.title, drafts, id)
    sections, owners = _sections(drafts, id, title, len(reading.text))
    blocks = tuple(
        Block(draft.kind, draft.start, draft.end, draft.text, draft.runs, draft.level, owner, draft.code)
        for draft, owner in zip(drafts, owners, strict=True)
    )
    return Document(id, reading.text, title, format, sha256, blocks, sections, guess_language(reading.text))


def _title(given: str, drafts: list[Draft], id: str) -> str:  # noqa: A002
    """Return the given title, else the first h1, else the heading the text opens with, else the file's name."""
    first = next((draft for draft in drafts if draft.kind == "heading" and draft.level == 1), None)
    opening = next((draft for draft in drafts if draft.kind not in ("meta", "navigation")), None)
    if first is None and opening is not None and opening.kind == "heading":
        first = opening
    return given or (first.text if first else readable_name(id))


def readable_name(path: str) -> str:
    """Return a title made of a file's name, or of its folder's when the name says nothing.

    Example:
        >>> readable_name("guide/getting-started.md"), readable_name("user_guide/index.md")
        ('Getting started', 'User guide')
    """
    parts = PurePosixPath(path)
    name = parts.parent.name if parts.stem.lower() in _NO_NAME and parts.parent.name else parts.stem
    spaced = " ".join(re.split(r"[-_.\s]+", name)).strip() or name
    return spaced[:1].upper() + spaced[1:]


def _sections(drafts: list[Draft], doc: str, title: str, length: int) -> tuple[tuple[Section, ...], list[int]]:
    """Return the sections, and for each draft the index of the one it stands in."""
    found: list[tuple[str, int, tuple[str, ...], int]] = [(title, 0, (title,), 0)]
    ends: list[int] = [length]
    parents: list[int] = [0]
    owners: list[int] = []
    for draft in drafts:
        if draft.kind == "heading":
            while len(parents) > 1 and found[parents[-1]][1] >= draft.level:
                ends[parents.pop()] = draft.start
            above = found[parents[-1]][2]
            opens = draft.level == 1 and draft.text == title and len(above) == 1
            path = above if opens else (*above, draft.text)
            parents.append(len(found))
            found.append((draft.text, draft.level, path, draft.start))
            ends.append(length)
        owners.append(parents[-1])
    seen: dict[tuple[str, ...], int] = {}
    sections: list[Section] = []
    for (name, level, path, start), end in zip(found, ends, strict=True):
        ordinal = seen.get(path, 0)
        seen[path] = ordinal + 1
        sections.append(Section(content_id("s", doc, *path, ordinal), doc, name, level, path, start, end))
    return tuple(sections), owners
