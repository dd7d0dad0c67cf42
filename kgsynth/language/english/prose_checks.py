"""What is odd about a question on a sentence of prose and its answer, by their words alone."""

from __future__ import annotations

import re

_LEFT_OVER = re.compile(
    r"(?i)\b(?:also|even|instead|again|otherwise|likewise|similarly|therefore|thus|hence|finally|however|respectively|"
    r"so far|meanwhile|as well|as usual(?:ly)?|as needed|since then|for clarity|for example|for instance|"
    r"basically|essentially|actually|simply|already|for some reason|in turn|itself|themselves)\b"
)
"""Words that tie a sentence to those around it."""
_EXAMPLE_NAME = re.compile(
    r"\b(?:Jane|John) (?:Doe|Smith)\b|\b(?:foo|bar|baz|qux|foobar|lorem|fubar|MM|XX+|YYYY|example\.(?:com|org)|myapp)\b"
)
_SPACED_DASH = re.compile(r"\w [-–—] \w")
_CLAUSE_NUMBER = re.compile(r"(?<=[a-z]) (?:\d+\.)+\d+\?$")
_SINGULAR_FOR_SEVERAL = re.compile(
    r"(?i)^what (?:is|was) (?:the |a )?(?:two|three|four|five|six|seven|eight|nine|ten|several|many|"
    r"most \w+ \w+ \w+s\?$)"
)
_OPEN_LIST = re.compile(r", [a-z]+\?$")
_BARE_COMPARATIVE = re.compile(
    r"(?i)\b(?:an?|any|the|for) (?:larger|smaller|bigger|higher|lower|longer|shorter|newer|older|earlier|later|better|"
    r"other|different|further|additional|second|third|same|new)\b (?!\w+ than\b)|"
    r"\b(?:is|are|was|were|do|does|did|can) (?:new|other|further|more|additional|different|such) "
)
_ENDS_IN_PREPOSITION = re.compile(
    r"(?i)^what (?:is|are|was|were|can|should|must|will|may)\b.* (?P<verb>\w+) (?:in|on|with|as|to|"
    r"by|from|into|at|of)\?$"
)
_GOES_WITH = frozenset(
    "used made based composed written enclosed known called named stored built associated derived located replaced "
    "measured caused designed defined sorted shipped covered stand consist equipped connected involved included "
    "prefixed mapped converted divided split".split()
)
"""Participles after which people leave a preposition at the end of a question."""
_VARIABLE = re.compile(r"(?<![\w'’.\"-])[b-z]\d?(?![\w'’.\"+#-])")
_SHORT_WHICH = re.compile(r"(?i)^which \w{1,3} ")
_WHICH_MASS = re.compile(r"(?i)^which (?:\w+ment|\w+ity|\w+ness|\w+ism|member|system|thing|way|place|part) ")
_DAY_OF_MONTH = re.compile(
    r"(?:the )?(?:\d{1,2}(?:st|nd|rd|th)?(?: of)? )?(?:January|February|March|April|May|June|July|August|September|"
    r"October|November|December)(?: \d{1,2}(?:st|nd|rd|th)?)?"
)
_FULL_YEAR = re.compile(r"\b(?:1\d|20)\d\d\b")
_BACK = re.compile(r"(?i)\b(?:it|them|this|that|these|those|here|there|above|below|them both|the same|the following)$")
_LOST_LINK = re.compile(r"(?i)\b(?:in|at|on|from|via) (?:and|or)\b(?<!log in and)(?<!sign in and)(?<!check in and)")
_SOMEBODYS_OPINION = re.compile(r"\bas (?:[A-Z][\w.’'-]+ )+(?:\w+ly )?\w+(?:ed|es|s)\?$")
_ENDS_LOOSE = re.compile(
    r"(?i)['’]s?$|[-–—]$|\b(?:as well|also|too|either|instead|though|sometimes|often|usually)$|"
    r"\w [-–—] [A-Z]"
)
_SENDS_ELSEWHERE = re.compile(
    r"(?i)^(?:please\b|see\b|refer to\b|check out\b|visit\b|skip\b|note\b|read (?:the|our|more)\b|go to the\b|want\b|"
    r"wish\b|like\b|be aware\b|keep in mind\b|learn\b|find out\b|follow (?:the|your|our)\b.*\b(?:guide|instructions)|"
    r"know\b|remember\b|feel free\b|as an?\b|the same\b)|\bguides?$|\binstructions? (?:here|below)\b"
)
_EMPTY = re.compile(
    r"(?i)(?:an?|the|its|their|some|one|your) (?:final |whole |main |new |own |first |same |email |"
    r"actual |given )?(?P<noun>[a-z]+)"
)


def odd_form(question: str, answer: str) -> str:
    """Return what is odd about a question or its answer, "" for nothing.

    Example:
        >>> odd_form("What should the command output?", "a message")
        'answer without content'
        >>> odd_form("When was the fort taken?", "July 3")
        'date without a year'
        >>> odd_form("When was the fort taken?", "July 3, 1754")
        ''
    """
    stranded = _ENDS_IN_PREPOSITION.match(question)
    opens_value = re.match(r"(?i)(?:when|by when|what|which|who)\b", question)
    resumed = re.match(r"(?i)(?:how|.*\bdo (?:if|when)|.*what happens)\b.*s\b", question) and answer.endswith(
        (" it", " them")
    )
    empty = _EMPTY.fullmatch(answer)
    problems = (
        (_LEFT_OVER.search(question), "a word that ties it to its neighbours"),
        (_EXAMPLE_NAME.search(f"{question} {answer}"), "a placeholder"),
        (_SPACED_DASH.search(question) or _CLAUSE_NUMBER.search(question), "a heading or number in it"),
        (_SINGULAR_FOR_SEVERAL.match(question), "a singular verb for several"),
        (
            _OPEN_LIST.search(question) and not re.match(r"(?i)(?:in|with|on|at|for|when|if)\b", question),
            "a list cut off",
        ),
        (_BARE_COMPARATIVE.search(question), "compared with what it does not say"),
        (stranded and stranded["verb"].lower() not in _GOES_WITH, "a preposition left at its end"),
        (re.search(r"\bused as\?$", question) or _VARIABLE.search(question), "a variable or a use as"),
        (re.match(r"(?i)why did you\b", question), "asked of the author"),
        (re.search(r"(?i)\bhow many [\w-]+(?: [\w-]+)? to \w+", question), "a purpose of what is counted"),
        (_SOMEBODYS_OPINION.search(question), "somebody's opinion"),
        (_SHORT_WHICH.match(question) or _WHICH_MASS.match(question), "no kind of thing after which"),
        (re.match(r"(?i)from when\b", question), "asked as nobody asks"),
        (_DAY_OF_MONTH.fullmatch(answer) and not _FULL_YEAR.search(question), "date without a year"),
        ((_BACK.search(answer) and not resumed) or _LOST_LINK.search(answer), "answer points back"),
        (_ENDS_LOOSE.search(answer), "answer cut wrongly"),
        (_SENDS_ELSEWHERE.search(answer), "answer points elsewhere"),
        (
            opens_value and empty and empty["noun"].islower() and not re.match("(?i)who|when", question),
            "answer without content",
        ),
    )
    return next((name for wrong, name in problems if wrong), "")
