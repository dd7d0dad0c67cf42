"""Make a Document of a parsed file: mark navigation, find the title, build the sections."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import replace
from pathlib import PurePosixPath

from kgsynth.base.records import Block, Container, Document, Section, content_id
from kgsynth.base.records.documents import containers_around, with_tables
from kgsynth.base.vocabulary import ContainerKind
from kgsynth.documents.readers.block_drafts import BlockDraft, ParsedFile
from kgsynth.language.detection import guess_language
from kgsynth.language.text_words import ANY

# Recognise navigation: menus, breadcrumbs, lists of links, copyright lines and the like.
#
# The patterns apply to short lines only, so that a sentence about copyright stays a sentence.

_MAX_NAVIGATION_CHARS = 160
_MIN_LINK_SHARE = 0.9  # of the letters of a block that is a link
_MIN_LINKED_ITEMS = 0.8  # share of the items of a list of links

_LISTS = frozenset((ContainerKind.LIST, ContainerKind.STEPS, ContainerKind.TERMS))
_ARROWS = re.compile(r"^(?:[←«‹]\s*[^.!?]{1,80}|[^.!?→»›]{1,80}\s*[→»›])$")


def is_navigation(line: str) -> bool:
    """Check whether a short line only leads elsewhere, or is about the page instead of its subject.

    Example:
        >>> [is_navigation(line) for line in ("Edit this page", "Home > Docs > Keys", "Next, edit the page.")]
        [True, True, False]
    """
    if len(line) > _MAX_NAVIGATION_CHARS:
        return False
    return any(pattern.match(line) for pattern in (ANY.patterns["navigation"], _ARROWS, ANY.patterns["breadcrumbs"]))


def mark_navigation(parsed: ParsedFile) -> list[BlockDraft]:
    """Return the drafts with navigation marked: lines that match, lists of links, tables of contents."""
    drafts = parsed.drafts
    lists: dict[int, list[BlockDraft]] = defaultdict(list)
    for draft in drafts:
        if draft.kind == "item" and draft.inside >= 0:
            lists[_outermost(parsed, draft)].append(draft)
    linked = {number for number, items in lists.items() if _mostly_links(items)}
    marked: list[BlockDraft] = []
    contents_level = 0
    for draft in drafts:
        if draft.kind == "heading":
            contents_level = draft.level if ANY.patterns["contents_heading"].match(draft.text) else 0
        if draft.kind not in ("paragraph", "item", "quote"):
            marked.append(draft)
            continue
        leads_elsewhere = draft.kind == "item" and (contents_level > 0 or _outermost(parsed, draft) in linked)
        matches = leads_elsewhere or _is_link(draft) or is_navigation(draft.text)
        marked.append(replace(draft, kind="navigation") if matches else draft)
    return marked


def _outermost(parsed: ParsedFile, draft: BlockDraft) -> int:
    """Return the index of the outermost list around a draft, -1 for none."""
    around = containers_around(parsed.containers, draft.inside)
    lists = [number for number in around if parsed.containers[number].kind in _LISTS]
    return lists[-1] if lists else -1


def _is_link(draft: BlockDraft) -> bool:
    letters = sum(not char.isspace() for char in draft.text)
    is_sentence = draft.text.endswith((".", "!", "?", "。", "！", "？")) and " " in draft.text
    return draft.linked >= _MIN_LINK_SHARE * letters > 0 and not is_sentence


def _mostly_links(items: Iterable[BlockDraft]) -> bool:
    links = [_is_link(item) for item in items]
    return sum(links) >= _MIN_LINKED_ITEMS * len(links)


_NAMES_OF_FOLDER_PAGES = frozenset({"index", "readme", "_index"})


def assemble(parsed: ParsedFile, *, id: str, format: str, sha256: str) -> Document:  # noqa: A002 - the record's names
    """Return the document of a parsed file; ``id`` is its path below the folder, with forward slashes.

    Example:
        >>> from kgsynth.documents.readers.markdown import read
        >>> document = assemble(read("# Keys\\n\\nText\\n\\n## Sets\\n\\nMore"), id="k.md", format=".md", sha256="")
        >>> [section.path for section in document.sections]
        [('Keys',), ('Keys',), ('Keys', 'Sets')]
    """
    drafts = mark_navigation(parsed)
    title = parsed.title or _title(parsed, drafts, id)
    sections, owners = _sections(drafts, id, title, len(parsed.text))
    blocks = tuple(
        Block(
            draft.kind,
            draft.start,
            draft.end,
            draft.text,
            draft.runs,
            draft.level,
            owner,
            draft.code,
            draft.strong,
            draft.links,
            draft.inside,
        )
        for draft, owner in zip(drafts, owners, strict=True)
    )
    language, containers = guess_language(parsed.text), _containers(parsed)
    document = Document(
        id,
        parsed.text,
        title,
        format,
        sha256,
        blocks,
        sections,
        language,
        containers,
        parsed.places,
        parsed.remarks,
    )
    if not parsed.tables:
        return document
    sections_before = (0, *owners)
    return with_tables(
        document, tuple(table._replace(section=sections_before[table.before]) for table in parsed.tables)
    )


def _containers(parsed: ParsedFile) -> tuple[Container, ...]:
    """Return the containers, each from the first of its blocks to the last."""
    starts, ends = [-1] * len(parsed.containers), [-1] * len(parsed.containers)

    def widen(number: int, start: int, end: int) -> None:
        """Make a container reach over a part of it."""
        if starts[number] < 0 or start < starts[number]:
            starts[number] = start
        if end > ends[number]:
            ends[number] = end

    for draft in parsed.drafts:
        if draft.inside >= 0:
            widen(draft.inside, draft.start, draft.end)
    for table in parsed.tables:
        widen(table.container, table.start, table.end)
    for number in range(len(starts) - 1, -1, -1):  # a container stands before those inside it
        parent = parsed.containers[number].parent
        if starts[number] >= 0 and parent >= 0:
            widen(parent, starts[number], ends[number])
    return tuple(
        container
        if start < 0 or (container.start == start and container.end == end)
        else replace(container, start=start, end=end)
        for container, start, end in zip(parsed.containers, starts, ends, strict=True)
    )


def _title(parsed: ParsedFile, drafts: list[BlockDraft], id: str) -> str:  # noqa: A002
    """Return the first h1, or the heading the text opens with, or a name made from the path.

    An h1 after another heading with text is that of a section ("Appendix").
    """
    if parsed.named_by_file:
        return readable_name(id)
    at = next((at for at, draft in enumerate(drafts) if draft.kind == "heading" and draft.level == 1), None)
    above = {draft.kind for draft in drafts[:at]} - {"meta", "navigation"}
    first = None if at is None or above > {"heading"} else drafts[at]
    opening = next((draft for draft in drafts if draft.kind not in ("meta", "navigation")), None)
    table_opens = parsed.tables and parsed.tables[0].before == 0
    if first is None and opening is not None and opening.kind == "heading" and not table_opens:
        first = opening
    return first.text if first else readable_name(id)


def readable_name(path: str) -> str:
    """Return a title made from a file's name, or from its folder's name for an index or readme.

    Example:
        >>> readable_name("guide/getting-started.md"), readable_name("user_guide/index.md")
        ('Getting started', 'User guide')
    """
    file = PurePosixPath(path)
    name = file.parent.name if file.stem.lower() in _NAMES_OF_FOLDER_PAGES and file.parent.name else file.stem
    spaced = " ".join(re.split(r"[-_.\s]+", name)).strip() or name
    return spaced[:1].upper() + spaced[1:]


def _sections(drafts: list[BlockDraft], doc: str, title: str, length: int) -> tuple[tuple[Section, ...], list[int]]:
    """Return the sections, and for each draft the index of its section."""
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
