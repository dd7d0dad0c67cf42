"""Check whether the text below a heading answers the question that the heading asks, by its words, without a parser.

A section below "Testing steps" that gives steps does not say how you test steps; one below "Using a queue" that
only praises queues does not say how you use one.
"""

from __future__ import annotations

import re

from kgsynth.language.english.morphology import is_base_verb, is_noun, is_only_verb, is_word, lemma_of, stem
from kgsynth.language.sentence_ends import sentence_spans

_LEAD = re.compile(
    r"^(?:[^.:;,]{1,40}: )?"
    r"(?:(?:first|second|third|then|next|finally|lastly|now|also|please|simply|just|always|never|do not|don['’]t|"
    r"instead|optionally|alternatively|again|afterwards?|otherwise|generally|ideally|usually|and)\b,? ?)*"
    r"(?:(?:if|when|once|after|before|to|in order to|for|in|on|from|with|at|under|while|until|unless|as|by|during)\b"
    r"[^,.:;]{2,140}, ?){0,2}"
    r"(?:(?:please|then|simply|first|just|always|never|do not|don['’]t|you can)\b,? ?)*",
    re.I,
)
_NO_ORDERS = frozenset(
    "see refer note remember imagine suppose consider assume let thank sound may can will must need have be do know "
    "welcome return please say mean look read show like love hope think understand learn try".split()
)
_AFTER_VERB = frozenset(
    "a an the your you my our their its his her this that these those each every all any some no one two "
    "three multiple several another more new to with from into for on up off out in by at as only it them "
    "both sure whether how what which when if against through via using down over back and or".split()
)
_AFTER_NOUN = frozenset("is are was were can may will must should has have had of does do did".split())
_YOU_CAN = re.compile(
    r"you(?:['’]ll)? (?:can|could|should|must|need to|have to|will (?:need|have|want) to|just|simply|only need to)\b"
    r"(?: (?:simply|just|either|first|then|easily))* "
    r"(?!(?:also|always|still|not|never|have|be|see|find|notice|expect|think|want|like|need|only|now)\b)\w",
    re.I,
)
_BY_DOING = re.compile(
    r"\b(?:can|could|is|are|done|achieved|possible|do (?:so|this|it|that))\b[^.]{0,80} (?:using|via|by"
    r" (?:\w+ly )?\w{2,}ing)\b|\bway (?:\w+ ){0,6}is (?:to|by|with)\b|\b(?:is|are) done (?:by|with|via)\b",
    re.I,
)
_DANGLES = re.compile(
    r"^(?:here\b(?! are| is)|aside from|apart from|besides\b|these\b|those\b|such\b|however\b|but\b|and\b|so\b|"
    r"also\b|then\b|otherwise\b|similarly|likewise|in addition|additionally|furthermore|moreover|on the other hand|"
    r"now\b|next\b|finally\b|let['’]s|again\b|in this (?:section|chapter|case|example|part)|like any other|"
    r"the same\b|another\b|later\b|continuing|as (?:seen|mentioned|noted|described|discussed|explained|shown|you|we|"
    r"before|above|stated)\b|we['’]ll|we['’]ve|that (?:is|was|said|means|way)\b|this (?!is (?:a|an|the|done|"
    r"called)\b)|with (?:this|that|these|all)\b|for (?:this|that|these|example)\b|in (?:both|either|these|those|"
    r"that|such) |the (?:following|above|previous|former|latter|last|next|final|first|second|third|other)\b|(?:he|"
    r"she|they)\b|its\b|to (?:recap|summarize|sum up)\b|for (?:more|further)\b|first,? (?:we|let)|"
    r"\w+, on the other hand|(?:refresh|\w+) \w+, on the other hand|remember\b|after (?:that|this|these)\b|"
    r"once (?:that|this|these)\b|once you['’](?:ve|re)|imagine\b|say you\b|[^.]{0,60}\bthis (?:approach|method|"
    r"technique|way|pattern|code|function|class|file|command|error|problem|issue|behaviou?r)\b|instead\b|unlike\b|"
    r"don['’]t forget)",
    re.I,
)
_IT_FIRST = re.compile(
    r"^it\b(?! (?:is|was|can be|may be|might be) (?:\w+ )?(?:to|that|recommended|important|possible|best)\b)", re.I
)
_POINTER = re.compile(
    r"^(?:please )?(?:see|refer to|for more|read (?:the|more|about)|check (?:out|the)|visit|go to the (?:docs|"
    r"guide)|consult|follow (?:the|this|these|our) (?:\w+ )?(?:guide|link|instructions|guidance|steps|documentation|"
    r"recommendations?|advice|rules|guidelines|"
    r"process)\b)|\b(?:is|are) (?:described|covered|explained|documented|discussed|detailed|listed|available) (?:in|"
    r"at|on|elsewhere|below|here)\b|\b(?:see|refer to|read) (?:the|our|this|that|those|these|its|"
    r"their) (?:\w+ ){0,4}(?:docs?|documentation|guide|page|section|chapter|sheet|links?)\b",
    re.I,
)
_NEEDS_OTHER_TEXT = re.compile(
    r"\b(?:next|previous|last|preceding|earlier|following|first|above|later|other) (?:section|chapter|page|part|"
    r"listing|lesson|example|step|article|paragraph|module|tutorial)s?\b|\b(?:section|code|example|listing|table|"
    r"figure|diagram|image|steps?|list|links?|described|mentioned|shown|seen|discussed|outlined|listed|described|"
    r"noted|explained|given|as|the) (?:above|below|earlier)\b|\b(?:above|below)(?:[.,;)]|$)|\b(?:listing|figure|"
    r"fig\.|chapter|appendix|screenshot) \d|\bfilename:|\bcontinue to\b|\b(?:in this|this|the) (?:chapter|tutorial|"
    r"book|lesson|course)\b|\b(?:in this|this) (?:section|guide|document|article)\b|\bscreenshots?\b|\b(?:as (?:we|"
    r"you) (?:saw|did|have)|you(?:['’]ve| have) (?:already )?seen|we (?:saw|added|created|defined|wrote|built|just|"
    r"did)|will (?:learn|see|teach))\b|(?:^|[.:] )Here,? (?:we|is|are|the|instances)\b|\bjust (?:discussed|"
    r"described|mentioned|seen)\b|\b(?:this|these) (?:instruction|form|link|page|template|"
    r"document|spreadsheet|checklist|site|video)s?\b|"
    r"\b(?:click|press|us(?=ing)|use|push|hit|select)(?:s|ing)? (?:on )?"
    r"the (?:button|icon)s?(?= (?:in|on|at|to|from|and|or)\b|[.,;)]|$)|\bfor this example\b|"
    r"\bin (?:the|this) example\b",
    re.I,
)
_TUTORIAL = re.compile(
    r"\blet['’]s\b|\blet us\b|\bwe['’](?:ll|ve|re)\b|\bwe (?:will|now|need|want|are going|could|also)\b|"
    r"\bI (?:will|have|am|would)\b|\bI['’](?:ll|m|ve)\b|"
    r"\bour (?:code|program|app\w*|example|project|function|server|class|tests?|library|game|model|file|own|first|new|"
    r"database)\b",
    re.I,
)
_PROPOSAL = re.compile(
    r"\b(?:this|the) (?:PEP|RFC|ADR|KIP|JEP|SEP|proposal)\b|\b(?:was|were|been|be) (?:rejected|proposed|considered|"
    r"deferred)\b|\bpropos(?:es?|ed)\b|\bTODO\b|\bTBD\b|\bcoming soon\b|\bto be (?:determined|decided|written)\b|"
    r"\bfuture work\b",
    re.I,
)
_RULES_OUT = re.compile(
    r"\bnot (?:currently |yet |directly )?(?:possible|supported|available|required|necessary)\b|\b(?:very|quite|"
    r"extremely) difficult\b|\bno (?:easy|simple|good) way\b|\bnot an easy way\b|\bnot a trivial\b|"
    r"\bno action (?:is )?required\b",
    re.I,
)
_GENERIC_HEADS = frozenset(
    "step guideline rule policy procedure process practice principle tip note thought remark hour day "
    "platform tool option method function algorithm strategy technique requirement standard convention "
    "consideration criterion cost fee environment instruction pattern concept issue error problem question "
    "resource material opportunity scheme system format level mode command template model style type kind "
    "value expression operation operator behavior behaviour language law word point goal plan group page "
    "guide list table board team area phase stage room space rate power skill system service solution "
    "software framework library mechanism provider condition agreement arrangement".split()
)
"""Heads of compounds such as "testing steps" and "hosting platforms", whose first word is not a verb."""
_BETWEEN = r"(?:\s+(?!to\b|of\b|in\b|on\b|at\b|outside\b|for\b|with\b|from\b|by\b|and\b|or\b)[\w'’-]+){0,3}?\s+"


def is_order(sentence: str) -> bool:
    """Check whether a sentence tells the reader to do something.

    Example:
        >>> [is_order(text) for text in ("Open the valve.", "To refill it, open the valve.", "The valve is open.")]
        [True, True, False]
    """
    rest = sentence[match.end() :] if (match := _LEAD.match(sentence)) else sentence
    told = rest.split()
    if not told:
        return False
    first, after = told[0].strip(",:;").lower(), (told[1].strip(",:;.") if len(told) > 1 else "")
    if first in _NO_ORDERS or not is_base_verb(first) or after.lower() in _AFTER_NOUN:
        return False
    free = not is_noun(first) or is_only_verb(first) or after.lower() in _AFTER_VERB
    return free or bool(after and (not after.isalpha() or not is_word(after) or after[0].isupper()))


def tells_reader(sentence: str) -> bool:
    """Check whether a sentence tells the reader what to do, as an order or as what can be done.

    Example:
        >>> [tells_reader(text) for text in ("Open the valve.", "You can open it.", "If you can, it opens.")]
        [True, True, False]
    """
    rest = sentence[match.end() :] if (match := _LEAD.match(sentence)) else sentence
    return is_order(sentence) or bool(_YOU_CAN.match(rest) or _BY_DOING.search(sentence))


def rules_out(text: str) -> bool:
    """Check whether a text says that a thing cannot be done, or need not.

    Example:
        >>> rules_out("It is not possible yet."), rules_out("Open the valve.")
        (True, False)
    """
    return bool(_RULES_OUT.search(text))


def reads_as_verb(task: str, text: str) -> bool:
    """Check whether a text shows that the first word of a task is its verb: "test steps" may be named "testing steps".

    A task whose second word is a determiner, or whose object is not a common head of compounds, needs no proof.

    Example:
        >>> reads_as_verb("host platforms", "There are many platforms that host sites.")
        False
        >>> reads_as_verb("test a pump", "")
        True
        >>> reads_as_verb("check errors", "You should check all errors first.")
        True
    """
    verb, *rest = task.split()
    if not rest or rest[0].lower() in _AFTER_VERB:
        return True
    head = rest[next((n for n, word in enumerate(rest) if word.lower() in _AFTER_VERB), len(rest)) - 1]
    noun = stem(head.strip(",.()").lower())
    if not (noun and is_word(noun)):
        return True
    forms = rf"\b{re.escape(verb.lower())}(?:s|es|d|ed)?\b"
    pair = rf"{forms}{_BETWEEN}{re.escape(noun[: max(3, len(noun) - 1)])}"
    return lemma_of(noun, "NOUN") not in _GENERIC_HEADS or bool(re.search(pair, text, re.I))


def refers_outside(text: str, *, asked: bool) -> str:
    """Return why a text cannot stand alone as an answer, "" if it can.

    ``asked`` says that the page asks the question itself; its answer may then speak of "it" and "we".

    Example:
        >>> refers_outside("See the guide.", asked=True), refers_outside("These are old.", asked=False)
        ('points elsewhere', 'opens with a reference')
        >>> refers_outside("Open the valve.", asked=False)
        ''
    """
    first = next((text[start:end] for start, end in sentence_spans(text)), "")
    if _POINTER.search(first) or (len(text.split()) < 30 and _POINTER.search(text)):
        return "points elsewhere"
    if _NEEDS_OTHER_TEXT.search(text):
        return "refers to another place"
    if _PROPOSAL.search(text):
        return "proposes"
    if not asked and (_DANGLES.match(text) or _IT_FIRST.match(text)):
        return "opens with a reference"
    if not asked and _TUTORIAL.search(text):
        return "tells a tutorial"
    return "ends in a question" if text.rstrip().endswith("?") else ""
