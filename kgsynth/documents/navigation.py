"""Recognise navigation: menus, breadcrumbs, lists of links, copyright lines and the like.

The patterns apply to short lines only, so that a sentence about copyright stays a sentence.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import replace

from kgsynth.base.records.documents import containers_around
from kgsynth.base.vocabulary import ContainerKind
from kgsynth.documents.readers.block_drafts import BlockDraft, ParsedFile
from kgsynth.language.shared_words import BREADCRUMBS, CONTENTS_HEADING, NAVIGATION

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
    return any(pattern.match(line) for pattern in (NAVIGATION, _ARROWS, BREADCRUMBS))


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
            contents_level = draft.level if CONTENTS_HEADING.match(draft.text) else 0
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
