"""Words that open a condition or an exception: if, unless, except, provided that.

Each list holds the words of several languages, as in ``layout_words``.
"""

from __future__ import annotations

import re

_CONDITION = re.compile(
    r"\b(?:if|unless|except(?:ion)?s?|otherwise|provided that|as long as|only (?:when|after|for)|in case|even if|"
    r"must not|not (?:apply|eligible|allowed)|eligible"
    r"|wenn|falls|sofern|außer|es sei denn|ausnahmen?|ansonsten|andernfalls"
    r"|sauf|à moins|à condition|lorsque|sinon|en cas d[e']|exceptions?"
    r"|a menos que|salvo|excepto|siempre que|en caso de|excepción|a menos|exceto|desde que|caso contrário|exceção"
    r"|a meno che|eccetto|purché|altrimenti|in caso di|eccezion[ei]"
    r"|tenzij|indien|behalve|mits|anders|uitzondering(?:en)?"
    r"|jeśli|jeżeli|chyba że|oprócz|wyjątek|såvida|förutom|undantag|medmindre|undtagen|hvis|dersom"
    r"|если|кроме|за исключением|при условии|иначе|якщо|крім|εάν|αν|εκτός|εφόσον|διαφορετικά|eğer|hariç|istisna"
    r"|إذا|إلا|باستثناء|यदि|अगर|सिवाय)\b"
    r"|如果|若|除非|否则|除了|除外|例外|只有|假如|倘若|必须|もし|場合|ただし|以外|除き|경우|만약|제외|않으면",
    re.IGNORECASE,
)


def count_conditions(text: str) -> int:
    """Return how many words of a text open a condition or an exception.

    Example:
        >>> count_conditions("If you are ill, stay at home, unless you feel well."), count_conditions("除非下雨")
        (2, 1)
    """
    return sum(1 for _ in _CONDITION.finditer(text))
