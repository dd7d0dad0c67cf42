"""Check whether the text below a heading answers it, and find the sentences of it that do, by their words alone."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

from kgsynth.base.thresholds import LIMITS
from kgsynth.language.english.morphology import is_base_verb, is_noun, is_only_verb, is_word, lemma_of, stem
from kgsynth.language.english.question_checks import content_stems
from kgsynth.language.sentence_ends import sentence_spans

# Check whether the text below a heading answers the question that the heading asks, by its words, without a parser.
#
# A section below "Testing steps" that gives steps does not say how you test steps; one below "Using a queue" that
# only praises queues does not say how you use one.

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


# Find the sentences below a heading that answer its question, and leave out the reasons, asides and warnings there.
#
# For "How do you rotate a key?" these are the sentences that tell the reader what to do, for "Why …?" those that give
# a reason. They must stand together and be few; otherwise any part of the text would be half an answer.

CODE, SENTENCE = "code", "sentence"
_MEMBERS = ("item", "cell")

_HOW_QUESTION = re.compile(r"^how (?:do|can|should|could|might|would) (?:you|i|we|one)\b", re.I)
_IN_A_CASE = "What should you do "
_ASIDE = re.compile(
    r"^(?:[^.]{0,60}\b(?:optional(?:ly)?|(?:can|could|may|might) also)\b|"
    r"\W*(?:note|nb|n\.b\.|tip|hint|warning|caution|important|attention|"
    r"info|example|remember)\b(?! (?:the|down))|"
    r"(?:please )?(?:note|notice|observe|remember|keep in mind|bear in mind|be (?:careful|aware|sure)|beware|"
    r"make sure)\b|(?:for (?:example|instance|more|further|details)|see|refer to|read|this (?:is|means|image|"
    r"will|also|can|makes|way|allows)|that (?:is|means|way)|however|but|if you (?:are|have) (?:interested|"
    r"questions)|also|in addition|additionally|it (?:is|also) |you (?:can|may|could|might) also)\b)",
    re.I,
)
"""How sentences begin that add to an answer and are no part of it."""
_NEXT_STEP = re.compile(
    r"^(?:then|next|now|after(?:wards| that| this)|finally|lastly|once|second|third|and|when)\b", re.I
)
_LEANS = re.compile(
    r"^(?:then|next|finally|afterwards?|this|that|these|those|it|its|they|their|such|so|thus|therefore|hence|"
    r"otherwise|alternatively|instead|another|others?|again|(?:the|in) (?:latter|former|second|other|same)|both|"
    r"in (?:this|that|these|those|such)|to do (?:this|that|so|it)|for (?:this|that)|once (?:this|that|done)|"
    r"(?:after|with|by|from) (?:that|this|these)|here|as such|as a result|similarly|likewise)\b",
    re.I,
)
"""How sentences begin that are understood only after the one before."""
_REFERS_BACK = re.compile(r"\b(?:these|those|this)\b|, (?:however|though|therefore|too)\b", re.I)
_PURPOSE = re.compile(r"^(?:in order )?to (\w[^,]+),", re.I)
_SAYS_REASON = re.compile(
    r"\bbecause\b|\bsince\b|\bso (?:that|you|it|we|they)\b|\bas (?:a result|it|they|this|there)\b|\bdue to\b|"
    r"\breasons?\b|\ballows?\b|\bhelps?\b|\blets?\b|\bin order to\b|\bmakes? (?:it|sure)\b|\benables?\b|"
    r"\bavoids?\b|\bprevents?\b|\bensures?\b|\botherwise\b|\bbenefits?\b|\badvantages?\b|\bthis (?:means|is)\b",
    re.I,
)
_OCCASION = re.compile(
    r"\b(?:if|when|whenever|while|before|after|until|unless|once|as soon as|only|in case|during|every|each|"
    r"(?:at|within|by) (?:the|least|\d))\b",
    re.I,
)
_ASKS_VERDICT = re.compile(r"^(?:is|are|was|were|do|does|did|can|could|should|will|would|may|must|has|have)\b", re.I)
_GIVES_VERDICT = re.compile(r"^(?:yes|no|not|it depends|absolutely|of course|sure|certainly|never|always)\b", re.I)
_ONE_FACT = re.compile(r"^(?:where|who|whom|whose|how (?:many|much|often|long|far|large|big|fast))\b", re.I)
"""Questions that a sentence answers; those for "what" may ask for all that a section says."""
_EXPLAINS = re.compile(r"^how (?:do|does|is|are)\b", re.I)


_RUN_BRIEF = 2  # sentences of a section that is an answer as a whole
_RUN_CODE_WORDS = 30  # of the code that an answer leads into; more is an example
_RUN_SHARE = 0.6  # of the words of a heading in a sentence that answers it
_RUN_NEWS = 3  # words of an answer that are not in the heading; fewer only repeat it
_RUN_BARE_WORDS = 5  # a verdict of fewer words ("Yes, you can.") is given with the next sentence


class SectionPiece(NamedTuple):
    """A sentence or a block of the text below a heading.

    ``kind`` is that of its block, "sentence" for one of a paragraph; ``opens`` is whether it is the first of its block.
    """

    kind: str
    text: str
    opens: bool = True


def answer_run(question: str, pieces: Sequence[SectionPiece]) -> range | None:
    """Return which pieces answer a question, None where no few of them in a row do.

    Example:
        >>> texts = "Keys are secret.", "To rotate a key, open the settings and click Rotate.", "Note that it is slow."
        >>> answer_run("How do you rotate a key?", [SectionPiece("sentence", text) for text in texts])
        range(1, 2)
    """
    if match := _HOW_QUESTION.match(question):
        return _instruction(set(content_stems(question[match.end() :])), pieces)
    if question.startswith(_IN_A_CASE):
        return _only_run((n for n, piece in _sentences(pieces) if tells_reader(piece.text)), pieces)
    if question.startswith("What do you need before") or _EXPLAINS.match(question):
        return _all(pieces, LIMITS.answer_run_sentences)
    if _ASKS_VERDICT.match(question):
        return _verdict(pieces)
    if question.startswith("Why "):
        return _reason(pieces)
    asked = set(content_stems(question))
    share = _shares(asked)
    brief = _all(pieces, _RUN_BRIEF)
    if question.startswith("When "):
        return brief or _only_run((n for n, piece in _sentences(pieces) if _OCCASION.search(piece.text)), pieces)
    fits = [n for n, piece in _sentences(pieces) if share(piece.text) >= _RUN_SHARE]
    return brief or (_only_run(fits, pieces) if _ONE_FACT.match(question) else None)


def asks_how(question: str) -> bool:
    """Check whether a question asks how the reader does something.

    Example:
        >>> asks_how("How can I rotate a key?"), asks_how("How does it work?")
        (True, False)
    """
    return bool(_HOW_QUESTION.match(question))


def _sentences(pieces: Sequence[SectionPiece]) -> Iterable[tuple[int, SectionPiece]]:
    return ((n, piece) for n, piece in enumerate(pieces) if piece.kind == SENTENCE and not _ASIDE.match(piece.text))


def _shares(asked: set[str]) -> Callable[[str], float]:
    return lambda text: len(asked & set(content_stems(text))) / max(1, len(asked))


def _instruction(asked: set[str], pieces: Sequence[SectionPiece]) -> range | None:
    """Return the sentences that tell how to do a task: round the one with most of its words, if no other rivals it."""
    share = _shares(asked)
    telling = [n for n, piece in _sentences(pieces) if tells_reader(piece.text) and not _for_else(piece.text, asked)]
    best = max(telling, key=lambda n: share(pieces[n].text), default=-1)
    if best < 0:
        return None
    if share(pieces[best].text) < _RUN_SHARE:
        best = telling[0]
        if best > 0 or not is_order(pieces[best].text):
            return None
    run = _whole(_grown(best, telling, pieces), pieces)
    if run is None or not set().union(*(content_stems(pieces[n].text) for n in run)) & asked:
        return None
    others = [n for n in telling if n not in run]
    rivals = [n for n in others if share(pieces[n].text) >= _RUN_SHARE]
    return None if rivals or len(others) > 1 or _says_little(asked, run, pieces) else run


def _for_else(sentence: str, asked: set[str]) -> bool:
    """Check whether a sentence opens with another purpose than the task: "To delete a key, …"."""
    purpose = _PURPOSE.match(sentence)
    return purpose is not None and not asked & set(content_stems(purpose[1]))


def _grown(best: int, telling: Sequence[int], pieces: Sequence[SectionPiece]) -> range:
    """Return the telling sentences in a row around ``best``: those of its block, and those after that go on."""
    start, stop = best, best + 1
    while start - 1 in telling and not pieces[start].opens and _follows(pieces[start]):
        start -= 1
    while stop in telling and _follows(pieces[stop]):
        stop += 1
    return range(start, stop)


def _follows(piece: SectionPiece) -> bool:
    """Check whether a sentence is the next thing to do, and not what else can be done."""
    return bool(_NEXT_STEP.match(piece.text)) or (is_order(piece.text) and not piece.opens)


def _whole(run: range, pieces: Sequence[SectionPiece]) -> range | None:
    """Return a run with what its first sentence leans on and the code its last leads into, None if it stays a part."""
    start, stop = run.start, run.stop
    if _LEANS.match(pieces[start].text) or (start > 0 and _REFERS_BACK.search(pieces[start].text)):
        if start == 0 or pieces[start].opens or pieces[start - 1].kind != SENTENCE:
            return None
        start -= 1
        if any(form.search(pieces[start].text) for form in (_LEANS, _ASIDE, _REFERS_BACK)):
            return None
    if stop - start > LIMITS.answer_run_sentences:
        return None
    if pieces[stop - 1].text.endswith(":"):
        code = pieces[stop] if stop < len(pieces) else None
        if code is None or code.kind != CODE or len(code.text.split()) > _RUN_CODE_WORDS:
            return None
        stop += 1
    following = pieces[stop] if stop < len(pieces) else None
    goes_on = following and (_NEXT_STEP.match(following.text) or following.kind in _MEMBERS)
    return None if goes_on else range(start, stop)


def _says_little(asked: set[str], run: range, pieces: Sequence[SectionPiece]) -> bool:
    """Check whether a run only repeats the words of its question: "You can rotate keys."."""
    told = {stem for n in run for stem in content_stems(pieces[n].text)}
    return len(told - asked) < _RUN_NEWS


def _only_run(found: Iterable[int], pieces: Sequence[SectionPiece]) -> range | None:
    """Return the pieces found if they stand in a row and are few."""
    places = list(found)
    if not places or places[-1] - places[0] >= len(places):
        return None
    return _whole(range(places[0], places[-1] + 1), pieces)


def _all(pieces: Sequence[SectionPiece], most: int) -> range | None:
    """Return all pieces if they are few sentences, none of them an aside."""
    plain = sum(1 for _ in _sentences(pieces))
    return range(len(pieces)) if 0 < plain == len(pieces) <= most else None


def _reason(pieces: Sequence[SectionPiece]) -> range | None:
    """Return the reasons, without the advice after them; in a short text every other sentence is one."""
    plain = list(_sentences(pieces))
    reasons = [n for n, piece in plain if _SAYS_REASON.search(piece.text)]
    if len(plain) == len(pieces) <= LIMITS.answer_run_sentences:
        reasons = [n for n, piece in plain if n in reasons or not tells_reader(piece.text)]
    return _only_run(reasons, pieces)


def _verdict(pieces: Sequence[SectionPiece]) -> range | None:
    """Return the answer to a question for yes or no: what begins with that, and the reason after a bare "Yes."."""
    if not pieces or pieces[0].kind != SENTENCE or not _GIVES_VERDICT.match(pieces[0].text):
        return _all(pieces, _RUN_BRIEF)
    bare = len(pieces[0].text.split()) < _RUN_BARE_WORDS
    stop = 1 + (bare and len(pieces) > 1 and pieces[1].kind == SENTENCE)
    limited = stop < len(pieces) and re.match(r"(?i)(?:but|however|unless|except|only)\b", pieces[stop].text)
    return None if pieces[stop - 1].text.endswith(":") else range(stop + bool(limited))
