"""Words that say what a passage below a heading is: the answer to its question, a pointer, what was set aside.

Each list holds the words of several languages, as in ``layout_words``.
"""

from __future__ import annotations

import re

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
