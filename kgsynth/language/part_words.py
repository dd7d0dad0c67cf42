"""Words of headings that name a part of a text and not a subject of its own: "Introduction", "See also".

Each list holds the words of several languages, as in ``layout_words``.
"""

from __future__ import annotations

import re

_NAMES_PART = re.compile(
    r"^(?:(?:an? |the |brief |general |further |external |additional |more |useful |related |implementation |quick )*"
    r"(?:introductions?|intro|overview|summary|conclusions?|recap|notes?|examples?|usage|history|etymology|background|"
    r"references?|resources|readings?|links?|contacts?|details|information|info|see also|sources|citations|"
    r"bibliography|footnotes|faqs?|glossary|terminology|definitions?|motivation|rationale|abstract|copyright|"
    r"licen[cs]e|credits|authors?|acknowledge?ments?|symptoms?|mitigations?|vulnerability|proposition|proposal|"
    r"implementation|changelog|status|versions?|goals?|purpose|scope|objectives?|context|caveats|what['’]?s next|"
    r"next(?: steps?)?|you did it|getting (?:started|help)|get help|help|support|learn more|read more|about|general|"
    r"miscellaneous|misc|basics|table of contents|contents|installation|install|requirements|prerequisites|"
    r"troubleshooting|compatibility|appendix|questions(?: and answers)?|terms|syntax|contributors|comparison|"
    r"discussion|description|pattern reference|(?:do|don['’]t)s?)"
    r"|(?:notes?|examples?|introduction|overview|summary|background|example usage|references|links|resources|history) "
    r"(?:of|for|on|to|about|and)\b.*"
    r"|.*\b(?:examples?|overview|references|faqs?|notes|case stud(?:y|ies)|q&a)"
    r"|(?:简介|介绍|概述|总结|小结|结论|背景|历史|示例|例子|参考|参考资料|参见|另见|附录|致谢|常见问题|更多|目录|说明|安装))$",
    re.IGNORECASE,
)
_RESIDUE = re.compile(
    r"^(?:(?:all |some |any )?others?\b|misc|more\b|further\b|additional\b|etc\b|其他|其它)", re.IGNORECASE
)
_LABEL = re.compile(
    r"^(?P<label>(?:[A-Za-z]+ )?#?(?P<number>\d+)(?P<dotted>(?:\.\d+)*)(?:\s*[.):]|\s+[-–—:])\s+"
    r"|#\d+\s+|\d+(?:\.\d+)+\s+|(?:[A-Za-z]|[ivxIVX]+)[.)]\s+|[^\w(\"“'‘<@$./-]+)"
)
_END = " .:：;,"


def is_part_of_text(title: str) -> bool:
    """Check whether a heading names a part of a text: its introduction, an example, what else there is to read.

    Example:
        >>> [is_part_of_text(title) for title in ("Introduction", "Further reading", "1. Notes", "Annual leave")]
        [True, True, True, False]
    """
    return bool(_NAMES_PART.match(member_name(title)))


def is_residue(title: str) -> bool:
    """Check whether a heading stands for members that have no section of their own: "Other costs".

    Example:
        >>> is_residue("Other costs"), is_residue("Costs")
        (True, False)
    """
    return bool(_RESIDUE.match(member_name(title)))


def member_name(title: str) -> str:
    """Return the part of a heading that names its matter, without number, label and marks around it.

    Example:
        >>> member_name("2. Use strong passwords:"), member_name("Risk 1: Loss of control"), member_name("7 ways")
        ('Use strong passwords', 'Loss of control', '7 ways')
    """
    found = title.strip()
    while match := _LABEL.match(found):
        found = found[match.end() :]
    return found.strip(_END) or title.strip(_END)


def is_numbered(titles: list[str]) -> bool:
    """Check whether headings are numbered 1, 2, 3 …, so that their order matters.

    Example:
        >>> is_numbered(["1. Stop", "2. Go"]), is_numbered(["Step 1: Stop", "Step 2: Go"]), is_numbered(["4.1 A"])
        (True, True, False)
    """
    found = [_LABEL.match(title.strip()) for title in titles]
    numbers = [match["number"] if match and not match["dotted"] else None for match in found]
    return numbers == [str(number) for number in range(1, len(titles) + 1)]
