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
