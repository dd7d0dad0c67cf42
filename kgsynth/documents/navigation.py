"""Tell what helps a reader find the way from what says something: navigation, by its words and by its links.

Each rule looks at short lines only, so that a sentence about copyright stays a sentence. Leaves out: near-duplicate
lines over many files, which only the whole corpus can show.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import replace

from kgsynth.documents.readers.block_drafts import Draft
from kgsynth.language.shared_words import BREADCRUMBS, CONTENTS_HEADING, NAVIGATION

_LONGEST = 160
_LINK_SHARE = 0.9
_LIST_SHARE = 0.8

_ARROWS = re.compile(r"^(?:[←«‹]\s*[^.!?]{1,80}|[^.!?→»›]{1,80}\s*[→»›])$")


def is_navigation(line: str) -> bool:
    """Say whether a short line only leads elsewhere, or speaks of the page and not of its matter.

    Example:
        >>> [is_navigation(line) for line in ("Edit this page", "Home > Docs > Keys", "Next, edit the page.")]
        [True, True, False]
    """
    if len(line) > _LONGEST:
        return False
    return any(pattern.match(line) for pattern in (NAVIGATION, _ARROWS, BREADCRUMBS))


def mark_navigation(drafts: list[Draft]) -> list[Draft]:
    """Return ``drafts`` with navigation marked: lines that read so, lists of links, tables of contents."""
    lists: dict[int, list[Draft]] = defaultdict(list)
    for draft in drafts:
        if draft.kind == "item" and draft.listing:
            lists[draft.listing].append(draft)
    linked = {number for number, items in lists.items() if _mostly_links(items)}
    marked: list[Draft] = []
    contents = 0
    for draft in drafts:
        if draft.kind == "heading":
            contents = draft.level if CONTENTS_HEADING.match(draft.text) else 0
        leads = draft.kind == "item" and (draft.listing in linked or contents > 0)
        if draft.kind in ("paragraph", "item", "quote") and (leads or _is_link(draft) or is_navigation(draft.text)):
            draft = replace(draft, kind="navigation")
        marked.append(draft)
    return marked


def _is_link(draft: Draft) -> bool:
    letters = sum(not char.isspace() for char in draft.text)
    said = draft.text.endswith((".", "!", "?", "。", "！", "？")) and " " in draft.text
    return draft.linked >= _LINK_SHARE * letters > 0 and not said


def _mostly_links(items: Iterable[Draft]) -> bool:
    links = [_is_link(item) for item in items]
    return sum(links) >= _LIST_SHARE * len(links)
