"""Words that say what a passage or its heading is: an answer, a pointer, what was set aside, a part of a text."""

from __future__ import annotations

import re

# Words that say what a passage below a heading is: the answer to its question, a pointer, what was set aside.
#
# Each list holds the words of several languages, as in ``layout_words``.

_ASKS_REASON = re.compile(r"^why\b|^for what reason\b|^[^，,]{0,20}(?:为什么|为何|為什麼|為何)", re.IGNORECASE)
_ASKS_CONDITION = re.compile(
    r"^when\b|^(?:in|under) what (?:case|circumstance|condition)s?\b"
    r"|^(?!who\b|where\b|which\b|how do you\b)[^(]*\b(?:if|unless|in case)\b"
    r"|^what (?:happens|should (?:i|you|we) do)\b.*\bwhen\b"
    r"|如果|何时|什么时候",
    re.IGNORECASE,
)
_ASKS_DATE = re.compile(r"^when (?:was|were|did)\b|.*\b(?:see|know|check|tell|find out|determine) if\b", re.IGNORECASE)
_POINTS_ON = re.compile(
    r"^(?:\W*)(?:(?:please )?see\b|see also|for (?:more|further|additional|full|a complete|the full|details)|"
    r"continue (?:to|with|on)|learn more|read more|(?:you can )?(?:read|find out|learn) more|"
    r"more (?:information|details)|check out|refer to|next(?: steps?)?:|further reading|related:|references?:|"
    r"参见|参阅|另见|更多)",
    re.IGNORECASE,
)
_SET_ASIDE = re.compile(
    r"\b(?:rejected|alternatives?|open (?:issues|questions)|unresolved|future|deferred|abandoned|prior art|"
    r"drawbacks|acknowledge?ments|references|interviews?|case stud(?:y|ies)|changelog|release notes|how to teach|"
    r"backwards? compatibility|tutorial|minutes)\b"
    r"|被拒|备选|未来|未解决",
    re.IGNORECASE,
)
_NEEDS = re.compile(
    r"^(?:prerequisites?|pre-requisites?|before you (?:begin|start)|what you(?:['’]ll| will)? need|requirements|"
    r"前提条件|先决条件)\W*$",
    re.IGNORECASE,
)
_BLANK = re.compile(
    r"\b(?:in|on|at|to|the|our|your|via|from|with|by|through|a|an|of|for|and|or|see|using|contact|called|is) [.,;:)]"
    r"|(?<= )\(\s*\)|\b(?:and|or|see),?\)|\*\*\s*[.,;:)]|<(?:span|font|div|img|a|table|t[dhr])\b[^>]{0,200}>|"
    r"[\"“]\s*[\"”](?=\s[A-Za-z])|[「『]\s*(?:[」』]|[-–>+＋/])|按(?:住|下)?(?:\s+键|\s*[+＋]|住键)"
)
_OPEN_END = re.compile(r"\b(?:the|our|your|via|an|called)$")


def asks_reason(question: str) -> bool:
    """Check whether a question asks for a reason.

    Example:
        >>> asks_reason("Why should you use a queue?"), asks_reason("Who knows why?")
        (True, False)
    """
    return bool(_ASKS_REASON.match(question))


def asks_condition(question: str) -> bool:
    """Check whether a question asks when something holds, or what holds or is done in a case that it names.

    Example:
        >>> asks_condition("When should you rebase?"), asks_condition("Can I fly if I am ill?")
        (True, True)
        >>> asks_condition("Is it?")
        False
    """
    return bool(_ASKS_CONDITION.search(question)) and not _ASKS_DATE.match(question)


def points_on(text: str) -> bool:
    """Check whether a paragraph only sends the reader on to another text.

    Example:
        >>> points_on("See also: keys."), points_on("Continue to the next page."), points_on("Open the valve.")
        (True, True, False)
    """
    return bool(_POINTS_ON.match(text))


def is_set_aside(title: str) -> bool:
    """Check whether a heading says that the text below does not hold: it was rejected, is undecided, or is a story.

    Example:
        >>> is_set_aside("Rejected ideas"), is_set_aside("Open questions"), is_set_aside("Ideas")
        (True, True, False)
    """
    return bool(_SET_ASIDE.search(title))


def names_needs(title: str) -> bool:
    """Check whether a heading announces what must be there before a task.

    Example:
        >>> names_needs("Prerequisites"), names_needs("Before you begin"), names_needs("Before the storm")
        (True, True, False)
    """
    return bool(_NEEDS.match(title))


def lacks_word(text: str) -> bool:
    """Check whether a word was left out of a text: a name that a template writes, a link without a text.

    Example:
        >>> lacks_word("Post in ."), lacks_word("Log in."), lacks_word("Ask the")
        (True, False, True)
        >>> lacks_word("按住 键时点击对象"), lacks_word("选择「 - 语言设置」"), lacks_word("按 Ctrl 键")
        (True, True, False)
    """
    return bool(_BLANK.search(text) or _OPEN_END.search(text))


# Words of headings that name a part of a text and not a subject of its own: "Introduction", "See also".
#
# Each list holds the words of several languages, as in ``layout_words``.

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
_APPARATUS = re.compile(
    r"^(?:(?:further|additional|external|related|useful|more|other|see|on) )*(?:references?|bibliography|sources|"
    r"citations|links?|reading|resources|footnotes?|see also|copyrights?|copying|licen[cs]es?|licensing|credits|"
    r"authors?|maintainers|contributors?|acknowledge?ments?|change ?log|changes|release notes|news|history|"
    r"table of contents|contents|toc|index|what['’]?s next|next steps?|this page|code ?owners|colophon"
    r"|literatur(?:verzeichnis)?|quellen|inhalt(?:sverzeichnis)?|lizenz|danksagung(?:en)?|änderungen|siehe auch"
    r"|références|bibliographie|sommaire|table des matières|remerciements|licence|liens|voir aussi"
    r"|referencias|bibliografía|índice|agradecimientos|licencia|enlaces|véase también"
    r"|referências|bibliografia|agradecimentos|licença|riferimenti|indice|ringraziamenti|licenza"
    r"|literatuur|inhoud|licentie|источники|литература|содержание|лицензия|ссылки"
    r"|περιεχόμενα|βιβλιογραφία|άδεια|αναφορές)$"
    r"|^(?:参考|参考资料|参考文献|参见|另见|目录|致谢|许可|许可证|版权|更新日志|变更日志|更新记录|相关链接|延伸阅读"
    r"|参考文献一覧|目次|謝辞|ライセンス|関連項目|목차|참고|라이선스)$",
    re.IGNORECASE,
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


def names_apparatus(title: str) -> bool:
    """Check whether a heading, or the name of a file, stands for what is around a text: references, licence, contents.

    Example:
        >>> [names_apparatus(title) for title in ("References", "LICENSE", "参考资料", "Drivers and licences", "Usage")]
        [True, True, True, False, False]
    """
    return bool(_APPARATUS.match(member_name(title.replace("_", " ").replace("-", " "))))


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
