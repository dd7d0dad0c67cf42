"""Recognise navigation: menus, breadcrumbs, lists of links, copyright lines and the like.

The patterns apply to short lines only, so that a sentence about copyright stays a sentence.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import replace

from kgsynth.documents.readers.block_drafts import BlockDraft

_MAX_NAVIGATION_CHARS = 160
_MIN_LINK_SHARE = 0.9  # of the letters of a block that is a link
_MIN_LINKED_ITEMS = 0.8  # share of the items of a list of links

_NAVIGATION_LINE = re.compile(
    r"""^\W*(?:
      edit\ (?:this\ page|on\ git\w+|the\ source)\b.* | improve\ this\ (?:page|doc\w*)\b.* | view\ (?:page\ )?source\b.*
    | suggest\ (?:an\ )?(?:edit|change)s?\b.* | report\ (?:a\ |an\ )?(?:bug|issue|problem)\b[^.]*
    | (?:was|is|did\ you\ find)\ this\ (?:page|article|section|information|doc\w*)\ (?:is\ )?(?:helpful|useful)\b.*
    | (?:page\ )?last\ (?:updated|modified|edited|reviewed|changed)(?:\ (?:on|at|by)\b|\W).*
    | (?:©|\(c\)|copyright\ (?:©|\(c\)|\d{4}|20)|&copy;).* | .*\ball\ rights\ reserved\b.*
    | (?:we|this\ (?:web)?site|our\ site)\ uses?\ cookies\b.*
    | accept\ (?:all\ )?cookies\b.* | cookie\ (?:settings|policy)
    | skip\ to\ (?:main\ |the\ )?content | back\ to\ (?:the\ )?top | table\ of\ contents
    | on\ this\ page | in\ this\ article
    | prev(?:ious)?(?:\ (?:page|chapter|topic|section))? | next(?:\ (?:page|chapter|topic|section))?
    | (?:prev(?:ious)?|next|up)(?:\ (?:page|chapter|topic|section))?\ ?[:»›→]\s*[^.!?]{1,80}
    | home | menu | search | share | subscribe | (?:sign|log)\ ?(?:in|out|up) | contents | 目录
    | (?:在\ ?github\ ?上)?编辑(?:此|本)页.* | (?:上|下)一(?:页|篇|章|节)\b.* | 最后(?:更新|修改).*
    | 返回顶部 | 版权所有.*
    | (?:此|本)页(?:面)?(?:对您|对你)?(?:是否)?有(?:帮助|用)吗?.*
    )\W*$""",
    re.VERBOSE | re.IGNORECASE,
)
_ARROWS = re.compile(r"^(?:[←«‹]\s*[^.!?]{1,80}|[^.!?→»›]{1,80}\s*[→»›])$")
_BREADCRUMBS = re.compile(
    r"^(?:(?:home|docs|documentation|start|首页)(?:\s*[>›»/|]\s*[^.>›»/|]{1,40})+|[^.›»]{1,40}(?:\s[›»]\s[^.›»]{1,40}){2,})$",
    re.I,
)
_CONTENTS_HEADING = re.compile(
    r"^\W*(?:table of )?contents\W*$|^on this page\W*$|^in this (?:article|page|chapter)\W*$|^目录$", re.I
)


def is_navigation(line: str) -> bool:
    """Check whether a short line only leads elsewhere, or is about the page instead of its subject.

    Example:
        >>> [is_navigation(line) for line in ("Edit this page", "Home > Docs > Keys", "Next, edit the page.")]
        [True, True, False]
    """
    if len(line) > _MAX_NAVIGATION_CHARS:
        return False
    return any(pattern.match(line) for pattern in (_NAVIGATION_LINE, _ARROWS, _BREADCRUMBS))


def mark_navigation(drafts: list[BlockDraft]) -> list[BlockDraft]:
    """Return ``drafts`` with navigation marked: lines that match, lists of links, tables of contents."""
    lists: dict[int, list[BlockDraft]] = defaultdict(list)
    for draft in drafts:
        if draft.kind == "item" and draft.listing:
            lists[draft.listing].append(draft)
    linked = {number for number, items in lists.items() if _mostly_links(items)}
    marked: list[BlockDraft] = []
    contents_level = 0
    for draft in drafts:
        if draft.kind == "heading":
            contents_level = draft.level if _CONTENTS_HEADING.match(draft.text) else 0
        leads_elsewhere = draft.kind == "item" and (draft.listing in linked or contents_level > 0)
        matches = leads_elsewhere or _is_link(draft) or is_navigation(draft.text)
        if matches and draft.kind in ("paragraph", "item", "quote"):
            draft = replace(draft, kind="navigation")
        marked.append(draft)
    return marked


def _is_link(draft: BlockDraft) -> bool:
    letters = sum(not char.isspace() for char in draft.text)
    is_sentence = draft.text.endswith((".", "!", "?", "。", "！", "？")) and " " in draft.text
    return draft.linked >= _MIN_LINK_SHARE * letters > 0 and not is_sentence


def _mostly_links(items: Iterable[BlockDraft]) -> bool:
    links = [_is_link(item) for item in items]
    return sum(links) >= _MIN_LINKED_ITEMS * len(links)
