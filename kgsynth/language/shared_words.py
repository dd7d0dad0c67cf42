"""Words that are recognised in a text of any language, also where kgsynth has no package for it: yes, or, thousand.

Each list holds the words of several languages; a file whose language is not known yet is read with all of them.
"""

from __future__ import annotations

import re

from kgsynth.language.words import words

_YES = frozenset({"yes", "true", "是", "对"})
_YES_NO = _YES | {"no", "false", "否"}
_CHOICE = re.compile(r"\bor\b|还是|或", re.IGNORECASE)
_SCALE = re.compile(r"(?:\b|\d)(?:thousand|million|billion|trillion|dozen|[kKmM]|bn|万|亿|千|百)\b|万|亿|千|百")

MARKUP = re.compile(
    r"`|\*\*|\]\(|\{\{|\}\}|<!--|https?://|\\[a-z]|\|"
    r"|</?(?:a|b|br|code|div|em|i|img|li|p|pre|span|strong|su[bp]|t[dhr]|ul)\b[^>]*>",
    re.I,
)
"""Markup in a text that should have none: of Markdown, HTML and LaTeX, and addresses."""

SECTION_WORD = r"(?:chapter|section|appendix)"
"""The word before the number of a heading, as a regular expression."""

NAVIGATION = re.compile(
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
"""A line that only leads elsewhere, or is about the page and not its subject."""

BREADCRUMBS = re.compile(
    r"^(?:(?:home|docs|documentation|start|首页)(?:\s*[>›»/|]\s*[^.>›»/|]{1,40})+|[^.›»]{1,40}(?:\s[›»]\s[^.›»]{1,40}){2,})$",
    re.I,
)
"""A line of the pages above this one."""

CONTENTS_HEADING = re.compile(
    r"^\W*(?:table of )?contents\W*$|^on this page\W*$|^in this (?:article|page|chapter)\W*$|^目录$", re.I
)
"""The heading of a table of contents."""


def says_yes_or_no(answer: str) -> bool:
    """Check whether an answer opens with yes, no, true or false.

    Example:
        >>> says_yes_or_no("Yes, twice."), says_yes_or_no("是的"), says_yes_or_no("Noon")
        (True, True, False)
    """
    return bool(_YES_NO.intersection(words(answer)[:1]))


def says_yes(answer: str) -> bool:
    """Check whether an answer opens with yes or true.

    Example:
        >>> says_yes("Yes, twice."), says_yes("是的"), says_yes("No")
        (True, True, False)
    """
    return bool(_YES.intersection(words(answer)[:1]))


def offers_choice(question: str) -> bool:
    """Check whether a question names what to choose from.

    Example:
        >>> offers_choice("Is it red or green?"), offers_choice("What is it for?")
        (True, False)
    """
    return bool(_CHOICE.search(question))


def has_scale_word(text: str) -> bool:
    """Check whether a text holds a word or letter that multiplies a number.

    Example:
        >>> has_scale_word("5k users"), has_scale_word("三万"), has_scale_word("five users")
        (True, True, False)
    """
    return bool(_SCALE.search(text))
